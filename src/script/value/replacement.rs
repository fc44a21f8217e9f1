//! `template.replace(…)`: a value whose entries, items or documents replace the node that it is
//! assigned to.

#![allow(
    unsafe_code,
    reason = "only the derives of `starlark` write unsafe code here"
)]

use std::fmt;

use allocative::Allocative;
use starlark::coerce::Coerce;
use starlark::starlark_complex_value;
use starlark::values::{
    Freeze, NoSerialize, ProvidesStaticType, StarlarkValue, Trace, ValueLifetimeless, ValueLike,
    starlark_value,
};

/// The replacing value.
#[derive(
    Debug,
    Trace,
    Coerce,
    Freeze,
    ProvidesStaticType,
    NoSerialize,
    Allocative,
    starlark::StarlarkPagablePanic,
)]
#[repr(C)]
pub(in crate::script) struct ReplacementGen<V: ValueLifetimeless> {
    pub(in crate::script) value: V,
}
starlark_complex_value!(pub(in crate::script) Replacement);

impl<V: ValueLifetimeless> fmt::Display for ReplacementGen<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("template.replace(...)")
    }
}

#[starlark_value(type = "@ytt:template.replacement")]
impl<'v, V: ValueLike<'v>> StarlarkValue<'v> for ReplacementGen<V> where Self: ProvidesStaticType<'v>
{}
