//! Values of Starlark and nodes of YAML, and the way from one to the other.

mod bound;
mod convert;
mod fragment;
mod key;
mod same;
mod structure;
mod text;

pub(crate) use bound::Bound;
pub(crate) use convert::{from_node, plain_value, struct_value, to_node};
pub(crate) use fragment::{Fragment, FragmentContent};
pub(crate) use key::{Key, KeyIndex};
pub(crate) use same::same;
pub(crate) use structure::{Structure, StructureGen, StructureKind};
pub(crate) use text::{float_text, is_callable, repr, text, type_name};
