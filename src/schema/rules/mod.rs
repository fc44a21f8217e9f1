//! Rules for the final data values: `@schema/validation` in a schema, `@assert/validate` in data
//! values.
//!
//! Both annotations have the same arguments. [`annotation`] reads them twice: when the schema is
//! read, to report mistakes in them, and when the values are [validated](mod@validate), because they
//! contain live functions.

mod annotation;
mod validate;

pub use annotation::RULE_KEYWORDS;
pub(super) use annotation::{RuleSource, Rules};
pub(super) use validate::validate;
