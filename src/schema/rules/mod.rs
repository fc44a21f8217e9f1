//! Rules that final data values are held to: `@schema/validation` in a schema, `@assert/validate` in data values.
//!
//! Both annotations have the same arguments. They are read when a schema is ([`annotation`]), to tell what is wrong with
//! them, and again for the values ([`run`]): what they hold are live functions.

mod annotation;
mod constraints;
mod format;
mod run;

pub(super) use annotation::{Attachment, Rules};
pub(super) use constraints::{Constraints, OneNotNull};
pub(super) use run::validate;
