//! The structs of data values in a program that may modify the lists and dictionaries in them.

#![allow(
    unsafe_code,
    reason = "only the derives of `starlark` write unsafe code here"
)]

use std::fmt;

use allocative::Allocative;
use starlark::coerce::Coerce;
use starlark::collections::SmallMap;
use starlark::starlark_complex_value;
use starlark::values::dict::{Dict, DictRef};
use starlark::values::list::{AllocList, ListRef};
use starlark::values::{
    Freeze, Heap, NoSerialize, ProvidesStaticType, StarlarkValue, Trace, Value, ValueLifetimeless,
    ValueLike, starlark_value,
};

use super::Structure;
use super::structure::written;
use crate::script::failure::Failure;
use crate::script::reads;

/// A struct whose fields are copied when they are first used.
///
/// ```text
/// shared  {a: 1, b: [2], c: {d: 3}}    frozen, the same for all programs
/// copies  {b: [2]}                     after `data.values.b.append(4)`: {b: [2, 4]}
/// ```
///
/// Scalars are never copied. Later uses of a field see its copy, including its changes.
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
pub(in crate::script) struct LiveStructureGen<V: ValueLifetimeless> {
    /// A [`Structure`].
    shared: V,
    /// A dictionary with the copied fields. It is frozen with the struct, and from then on fields
    /// are read from `shared`.
    copies: V,
}
starlark_complex_value!(pub(in crate::script) LiveStructure);

/// Returns a value that a program can modify: a list is copied, and a struct copies its fields when
/// they are used. Any other value is returned unchanged.
pub(in crate::script) fn live<'v>(shared: Value<'v>, heap: Heap<'v>) -> Value<'v> {
    if Structure::from_value(shared).is_some() {
        let copies = heap.alloc(Dict::new(SmallMap::new()));
        return heap.alloc_complex(LiveStructureGen { shared, copies });
    }
    match ListRef::from_value(shared) {
        Some(list) => heap.alloc(AllocList(list.iter().map(|item| live(item, heap)))),
        None => shared,
    }
}

/// Returns the names and values of the fields, if the value is a struct of either kind. Fields that
/// were not copied yet are the shared ones.
pub(in crate::script) fn fields(value: Value<'_>) -> Option<Vec<(&str, Value<'_>)>> {
    if let Some(live) = LiveStructure::from_value(value) {
        let copies = DictRef::from_value(live.copies.to_value());
        let mut fields = fields(live.shared.to_value())?;
        for (name, value) in &mut fields {
            let copy = copies.as_ref().and_then(|copies| copies.get_str(name));
            *value = copy.unwrap_or(*value);
        }
        return Some(fields);
    }
    let structure = Structure::from_value(value)?;
    let fields = structure.fields.iter();
    Some(
        fields
            .map(|(name, value)| (name.as_str(), value.to_value()))
            .collect(),
    )
}

/// Copies all fields of a live struct that were not copied yet, for a use that needs all of them.
pub(in crate::script) fn copy_all<'v>(value: Value<'v>, heap: Heap<'v>) {
    let Some(live) = LiveStructure::from_value(value) else {
        return;
    };
    let shared = live.shared.to_value();
    if let Some(structure) = Structure::from_value(shared) {
        for name in structure.fields.keys() {
            live.field(name, heap);
        }
    }
}

impl<'v, V: ValueLike<'v>> LiveStructureGen<V> {
    fn shared(&self) -> Option<&Structure<'v>> {
        Structure::from_value(self.shared.to_value())
    }

    fn field(&self, name: &str, heap: Heap<'v>) -> Option<Value<'v>> {
        let structure = self.shared()?;
        let shared = structure.fields.get(name)?.to_value();
        reads::field(structure, name);
        let is_collection =
            Structure::from_value(shared).is_some() || ListRef::from_value(shared).is_some();
        if !is_collection {
            return Some(shared);
        }
        let copies = self.copies.to_value();
        let copy = DictRef::from_value(copies).and_then(|copies| copies.get_str(name));
        if copy.is_some() {
            return copy;
        }
        let copy = live(shared, heap);
        // If the copies are frozen, the program has ended, and nothing can be modified any more.
        match copies.set_at(heap.alloc(name), copy) {
            Ok(()) => Some(copy),
            Err(_) => Some(shared),
        }
    }
}

impl<V: ValueLifetimeless> fmt::Display for LiveStructureGen<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("struct(...)")
    }
}

#[starlark_value(type = "struct")]
impl<'v, V: ValueLike<'v>> StarlarkValue<'v> for LiveStructureGen<V>
where
    Self: ProvidesStaticType<'v>,
{
    fn to_bool(&self) -> bool {
        self.shared.to_value().to_bool()
    }

    fn length(&self) -> starlark::Result<i32> {
        self.shared.to_value().length()
    }

    fn get_attr(&self, attribute: &str, heap: Heap<'v>) -> Option<Value<'v>> {
        let value = self.field(written(attribute), heap);
        // For a missing field, ask the shared struct, which records whether it is empty.
        value.or_else(|| self.shared()?.get_attr(attribute, heap))
    }

    fn has_attr(&self, attribute: &str, _heap: Heap<'v>) -> bool {
        self.shared()
            .is_some_and(|shared| shared.fields.contains_key(written(attribute)))
    }

    fn dir_attr(&self) -> Vec<String> {
        self.shared.to_value().dir_attr()
    }

    fn at(&self, index: Value<'v>, heap: Heap<'v>) -> starlark::Result<Value<'v>> {
        match index.unpack_str().and_then(|name| self.field(name, heap)) {
            Some(value) => Ok(value),
            // The shared struct reports the error for the key.
            None => self.shared.to_value().at(index, heap),
        }
    }

    fn is_in(&self, other: Value<'v>) -> starlark::Result<bool> {
        self.shared.to_value().is_in(other)
    }

    fn iterate_collect(&self, heap: Heap<'v>) -> starlark::Result<Vec<Value<'v>>> {
        let names = self
            .shared()
            .into_iter()
            .flat_map(|shared| shared.fields.keys());
        Ok(names.map(|name| heap.alloc(name.as_str())).collect())
    }

    fn set_attr(&self, attribute: &str, _new_value: Value<'v>) -> starlark::Result<()> {
        Err(Failure::new(format!(
            "can't assign to .{} field of struct",
            written(attribute)
        ))
        .into())
    }
}
