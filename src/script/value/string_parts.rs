//! The results of `x.elems()`, `x.codepoints()` and similar methods.

#![allow(
    unsafe_code,
    reason = "only the derives of `starlark` write unsafe code here"
)]

use std::fmt;

use allocative::Allocative;
use starlark::starlark_simple_value;
use starlark::values::{
    Heap, NoSerialize, ProvidesStaticType, StarlarkValue, Value, starlark_value,
};

use crate::golang::quote;

/// The crate's type name for the parts of a string.
pub(in crate::script) const STRING_PARTS: &str = "string.parts";

/// The parts of a string. They can be iterated over, but have no length and no index.
#[derive(Debug, ProvidesStaticType, NoSerialize, Allocative, starlark::StarlarkPagablePanic)]
pub(in crate::script) struct StringParts {
    text: String,
    parts: Parts,
    name: &'static str,
}
starlark_simple_value!(StringParts);

#[derive(Debug, Allocative)]
enum Parts {
    Texts(Vec<String>),
    Numbers(Vec<u32>),
}

impl StringParts {
    /// Creates parts of `text` that are strings. `name` is the method that returns them.
    pub(in crate::script) fn texts(
        text: &str,
        parts: Vec<String>,
        name: &'static str,
    ) -> StringParts {
        StringParts {
            text: text.to_owned(),
            parts: Parts::Texts(parts),
            name,
        }
    }

    /// Creates parts of `text` that are numbers. `name` is the method that returns them.
    pub(in crate::script) fn numbers(
        text: &str,
        parts: Vec<u32>,
        name: &'static str,
    ) -> StringParts {
        StringParts {
            text: text.to_owned(),
            parts: Parts::Numbers(parts),
            name,
        }
    }
}

impl StringParts {
    /// Returns the result of `type(value)`: the name of the method, without its suffix `_ords`.
    pub(in crate::script) fn type_name(&self) -> &'static str {
        match self.name {
            "elems" | "elem_ords" => "elems",
            _ => "codepoints",
        }
    }
}

impl fmt::Display for StringParts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}()", quote(self.text.as_bytes()), self.name)
    }
}

#[starlark_value(type = STRING_PARTS)]
impl<'v> StarlarkValue<'v> for StringParts {
    fn iterate_collect(&self, heap: Heap<'v>) -> starlark::Result<Vec<Value<'v>>> {
        Ok(match &self.parts {
            Parts::Texts(texts) => texts.iter().map(|text| heap.alloc(text.as_str())).collect(),
            Parts::Numbers(numbers) => numbers.iter().map(|number| heap.alloc(*number)).collect(),
        })
    }
}
