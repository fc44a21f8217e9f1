//! `module`: what `load` of a module of `@ytt:` gives.

#![allow(
    unsafe_code,
    reason = "only the derives of `starlark` write unsafe code here"
)]

use std::fmt;

use allocative::Allocative;
use starlark::coerce::Coerce;
use starlark::collections::SmallMap;
use starlark::starlark_complex_value;
use starlark::values::{
    Freeze, Heap, NoSerialize, ProvidesStaticType, StarlarkValue, Trace, Value, ValueLifetimeless,
    ValueLike, starlark_value,
};

use crate::script::failure::Failure;

/// A module, generic over live and frozen values. Unlike a struct it has names alone, no keys.
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
pub(crate) struct ModuleValueGen<V: ValueLifetimeless> {
    fields: SmallMap<String, V>,
}
starlark_complex_value!(pub(crate) ModuleValue);

impl<'v> ModuleValue<'v> {
    /// A module as a value.
    pub(crate) fn alloc(fields: SmallMap<String, Value<'v>>, heap: Heap<'v>) -> Value<'v> {
        heap.alloc_complex(ModuleValueGen { fields })
    }
}

impl<V: ValueLifetimeless> fmt::Display for ModuleValueGen<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("module(...)")
    }
}

#[starlark_value(type = "module")]
impl<'v, V: ValueLike<'v>> StarlarkValue<'v> for ModuleValueGen<V>
where
    Self: ProvidesStaticType<'v>,
{
    fn get_attr(&self, attribute: &str, _heap: Heap<'v>) -> Option<Value<'v>> {
        self.fields.get(attribute).map(|value| value.to_value())
    }

    fn has_attr(&self, attribute: &str, _heap: Heap<'v>) -> bool {
        self.fields.contains_key(attribute)
    }

    fn dir_attr(&self) -> Vec<String> {
        self.fields.keys().cloned().collect()
    }

    fn set_attr(&self, attribute: &str, _new_value: Value<'v>) -> starlark::Result<()> {
        Err(Failure::new(format!("can't assign to .{attribute} field of module")).into())
    }
}
