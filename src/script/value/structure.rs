//! `struct`: a value with named fields.

#![allow(
    unsafe_code,
    reason = "only the derives of `starlark` write unsafe code here"
)]

use std::cell::Cell;
use std::fmt;

use allocative::Allocative;
use starlark::coerce::Coerce;
use starlark::collections::SmallMap;
use starlark::starlark_complex_value;
use starlark::values::{
    Freeze, Heap, NoSerialize, ProvidesStaticType, StarlarkValue, Trace, Value, ValueLifetimeless,
    ValueLike, starlark_value,
};

use super::{repr, type_name};
use crate::dialect::RENAMED;
use crate::script::failure::Failure;
use crate::script::limits::noted;
use crate::script::reads;
use crate::source::suggest::did_you_mean;
use crate::source::suggest::with_article;

/// A struct, generic over live and frozen values.
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
pub(in crate::script) struct StructureGen<V: ValueLifetimeless> {
    pub(in crate::script) fields: SmallMap<String, V>,
}
starlark_complex_value!(pub(in crate::script) Structure);

impl<V: ValueLifetimeless> StructureGen<V> {
    pub(in crate::script) fn new(fields: SmallMap<String, V>) -> StructureGen<V> {
        noted::note_members(fields.keys());
        StructureGen { fields }
    }
}

thread_local! {
    /// Whether the struct from which a missing field was last requested has no fields.
    static IS_MISSED_EMPTY: Cell<bool> = const { Cell::new(false) };
}

/// Returns whether the struct from which a missing field was last requested on this thread has no
/// fields. See [`missed_type`](super::missed_type) for the reason.
pub(in crate::script) fn is_missed_struct_empty() -> bool {
    IS_MISSED_EMPTY.get()
}

/// Returns the name as the user wrote it. Names that are keywords in the crate, such as `await`,
/// were renamed.
pub(super) fn written(name: &str) -> &str {
    name.strip_prefix(RENAMED).unwrap_or(name)
}

impl<V: ValueLifetimeless> fmt::Display for StructureGen<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("struct(...)")
    }
}

#[starlark_value(type = "struct")]
impl<'v, V: ValueLike<'v>> StarlarkValue<'v> for StructureGen<V>
where
    Self: ProvidesStaticType<'v>,
{
    fn to_bool(&self) -> bool {
        !self.fields.is_empty()
    }

    fn length(&self) -> starlark::Result<i32> {
        Ok(i32::try_from(self.fields.len()).unwrap_or(i32::MAX))
    }

    fn get_attr(&self, attribute: &str, _heap: Heap<'v>) -> Option<Value<'v>> {
        let name = written(attribute);
        let value = self.fields.get(name);
        reads::field(self, name);
        if value.is_none() {
            IS_MISSED_EMPTY.set(self.fields.is_empty());
        }
        value.map(|value| value.to_value())
    }

    fn has_attr(&self, attribute: &str, _heap: Heap<'v>) -> bool {
        self.fields.contains_key(written(attribute))
    }

    fn dir_attr(&self) -> Vec<String> {
        self.fields.keys().cloned().collect()
    }

    fn at(&self, index: Value<'v>, _heap: Heap<'v>) -> starlark::Result<Value<'v>> {
        let Some(key) = index.unpack_str() else {
            return Err(Failure::new(format!(
                "expected a string as a key, found {}",
                with_article(type_name(index))
            ))
            .into());
        };
        // Use the name unchanged: a string in an index was never renamed.
        if let Some(value) = self.fields.get(key) {
            reads::field(self, key);
            return Ok(value.to_value());
        }
        let help = did_you_mean(key, self.fields.keys().map(String::as_str));
        Err(Failure::new(format!("key {} not in struct", repr(index)))
            .help_if(help)
            .into())
    }

    fn is_in(&self, other: Value<'v>) -> starlark::Result<bool> {
        Ok(other
            .unpack_str()
            .is_some_and(|key| self.fields.contains_key(key)))
    }

    fn iterate_collect(&self, heap: Heap<'v>) -> starlark::Result<Vec<Value<'v>>> {
        Ok(self
            .fields
            .keys()
            .map(|key| heap.alloc(key.as_str()))
            .collect())
    }

    fn set_attr(&self, attribute: &str, _new_value: Value<'v>) -> starlark::Result<()> {
        Err(Failure::new(format!(
            "can't assign to .{} field of struct",
            written(attribute)
        ))
        .into())
    }
}
