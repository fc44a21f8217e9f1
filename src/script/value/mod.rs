//! Starlark values, and their conversion to and from YAML nodes.

mod bound_function;
mod compare;
pub(super) mod dictionary;
mod equality;
mod fragment;
mod from_node;
mod inner;
mod key;
mod live_structure;
mod object;
mod replacement;
mod string_parts;
mod structure;
mod text;
mod to_node;

pub(super) use bound_function::BoundFunction;
pub(super) use compare::{
    OrderOperator, entry_value, is_member, is_ordered, known_key, values_equal,
};
pub(super) use equality::is_equal;
pub(super) use fragment::{Fragment, FragmentContent};
pub(super) use from_node::{from_built_node, from_node, plain_value, struct_value};
pub(super) use inner::inner_values;
pub(super) use key::{KeyIndex, ScalarKey};
pub(super) use live_structure::{copy_all, fields, live};
pub(super) use object::{OBJECT, Object, missed_type};
pub(super) use replacement::{Replacement, ReplacementContent};
pub(super) use string_parts::{PartKind, StringParts};
pub(super) use structure::{Structure, StructureGen, is_missed_struct_empty};
pub(super) use text::{
    float_text, is_callable, push_text, repr, shortest_float_text, text, type_name,
};
pub(super) use to_node::{MADE_NODE, SizedNode, to_computed_node, to_sized_node};
