//! Values of Starlark and nodes of YAML, and the way from one to the other.

mod bound;
mod convert;
mod dictionary;
mod fragment;
mod key;
mod module;
mod same;
mod structure;
mod text;

pub(crate) use bound::Bound;
pub(crate) use convert::{
    MADE_NODE, Sized, from_node, plain_value, struct_value, to_node, to_sized_node,
};
pub(crate) use dictionary::dictionary;
pub(crate) use fragment::{Fragment, FragmentContent};
pub(crate) use key::{Key, KeyIndex};
pub(crate) use module::ModuleValue;
pub(crate) use same::same;
pub(crate) use structure::{Structure, StructureGen};
pub(crate) use text::{article, float_text, is_callable, repr, text, type_name};
