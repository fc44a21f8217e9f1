//! Values with members: modules, and the objects that their functions return, such as the address
//! returned by `ip.parse_addr(…)`.
//!
//! The type of an object is data: see [`ObjectType`](crate::script::ObjectType). For the crate, all
//! objects have the same type, and its errors would show the name of that type. `type(…)` and
//! messages about a missing member use the object's own type name instead.

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

use super::live;
use crate::golang::quote;
use crate::script::failure::Failure;
use crate::script::limits::noted;
use crate::script::reads;

/// The crate's type name for objects.
pub(in crate::script) const OBJECT: &str = "object";

/// The type name of modules.
pub(in crate::script) const MODULE: &str = "module";

/// An object, generic over live and frozen values. Unlike a struct it has only members, no keys.
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
pub(in crate::script) struct ObjectGen<V: ValueLifetimeless> {
    #[trace(static)]
    #[freeze(identity)]
    type_name: &'static str,
    #[trace(static)]
    #[freeze(identity)]
    text: String,
    members: SmallMap<String, V>,
}
starlark_complex_value!(pub(in crate::script) Object);

thread_local! {
    /// The type of the object from which a missing member was last requested.
    static MISSED: Cell<&'static str> = const { Cell::new(OBJECT) };
}

/// Returns the type of the object from which a missing member was last requested on this thread.
///
/// The crate calls `get_attr`, which cannot fail, and creates the error itself, with the type name
/// that it knows. The translation of that error gets the right name from here.
pub(in crate::script) fn missed_type() -> &'static str {
    MISSED.get()
}

impl<'v> Object<'v> {
    /// Creates an object whose type has the name `type_name` and which is printed as `text`.
    pub(in crate::script) fn alloc(
        type_name: &'static str,
        text: String,
        members: SmallMap<String, Value<'v>>,
        heap: Heap<'v>,
    ) -> Value<'v> {
        noted::note_members(members.keys());
        heap.alloc_complex(ObjectGen {
            type_name,
            text,
            members,
        })
    }

    /// Returns a module whose constants are copied when they are used; see [`live`].
    pub(in crate::script) fn live(value: Value<'v>, heap: Heap<'v>) -> Value<'v> {
        let Some(object) = Object::from_value(value) else {
            return value;
        };
        let members = object.members.iter();
        let members = members.map(|(name, value)| (name.clone(), live(value.to_value(), heap)));
        let text = object.text.clone();
        Object::alloc(object.type_name, text, members.collect(), heap)
    }

    /// Makes a module.
    pub(in crate::script) fn module(
        name: &str,
        members: SmallMap<String, Value<'v>>,
        heap: Heap<'v>,
    ) -> Value<'v> {
        let text = format!("<module {}>", quote(name.as_bytes()));
        Object::alloc(MODULE, text, members, heap)
    }
}

impl<'v, V: ValueLike<'v>> ObjectGen<V> {
    /// Returns the result of `type(value)`.
    pub(in crate::script) fn type_name(&self) -> &'static str {
        self.type_name
    }

    /// Returns whether it is a module.
    pub(in crate::script) fn is_module(&self) -> bool {
        self.type_name == MODULE
    }

    /// Returns whether it has a member.
    pub(in crate::script) fn has_member(&self, name: &str) -> bool {
        self.members.contains_key(name)
    }

    /// Returns the values of all members.
    pub(in crate::script) fn members(&self) -> impl Iterator<Item = Value<'v>> {
        self.members.values().map(|value| value.to_value())
    }
}

impl<V: ValueLifetimeless> fmt::Display for ObjectGen<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[starlark_value(type = OBJECT)]
impl<'v, V: ValueLike<'v>> StarlarkValue<'v> for ObjectGen<V>
where
    Self: ProvidesStaticType<'v>,
{
    fn get_attr(&self, attribute: &str, heap: Heap<'v>) -> Option<Value<'v>> {
        let member = self.members.get(attribute);
        if member.is_none() {
            // Set on each miss, so that it is up to date when the crate reports the last one.
            MISSED.set(self.type_name);
        }
        let member = member.map(|value| value.to_value());
        // The crate reads fields of frozen values when it compiles a program, so such a read does
        // not belong to the running expression. A live value is read when the program runs.
        match reads::is_on() {
            true => member.map(|value| live(value, heap)),
            false => member,
        }
    }

    fn has_attr(&self, attribute: &str, _heap: Heap<'v>) -> bool {
        self.has_member(attribute)
    }

    fn dir_attr(&self) -> Vec<String> {
        self.members.keys().cloned().collect()
    }

    fn set_attr(&self, attribute: &str, _new_value: Value<'v>) -> starlark::Result<()> {
        Err(Failure::new(format!(
            "can't assign to .{attribute} field of {}",
            self.type_name
        ))
        .into())
    }
}
