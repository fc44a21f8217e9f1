//! Rules that can be evaluated without running a program, for export to other tools.

use std::sync::Arc;

use super::string_format::StringFormat;
use crate::regexp;
use crate::yaml::{Node, Value as Scalar, is_equal};

/// The requirements that the keyword arguments of rules set for each value. Conditional rules
/// (`when=`) set none here.
#[derive(Debug, Default)]
pub(super) struct Constraints {
    pub(super) minimum: Option<Arc<Node>>,
    pub(super) maximum: Option<Arc<Node>>,
    pub(super) minimum_length: Option<i64>,
    pub(super) maximum_length: Option<i64>,
    pub(super) not_null: bool,
    pub(super) one_not_null: Option<OneNotNull<Arc<Node>>>,
    pub(super) one_of: Option<Vec<Arc<Node>>>,
    pub(super) pattern: Option<String>,
    pub(super) format: Option<StringFormat>,
}

/// The keys of a map, for the rule that exactly one of their values is not null.
#[derive(Debug)]
pub(super) enum OneNotNull<K> {
    All,
    Keys(Vec<K>),
}

impl Constraints {
    /// Returns whether a value is certain to break one of the constraints.
    pub(super) fn are_broken_by(&self, value: &Arc<Node>) -> bool {
        match value.value() {
            // This is a collection. Of its rules, only its length can be checked without a program.
            None => self.is_length_wrong(number_of_children(value)),
            // Of all rules, only `not_null` applies to null.
            Some(Scalar::Null) => self.not_null,
            Some(scalar) => self.is_not_listed(value) || self.are_broken_by_scalar(&scalar),
        }
    }

    fn is_not_listed(&self, value: &Arc<Node>) -> bool {
        match &self.one_of {
            Some(values) => !values.iter().any(|allowed| is_equal(allowed, value)),
            None => false,
        }
    }

    fn are_broken_by_scalar(&self, scalar: &Scalar<'_>) -> bool {
        if let Scalar::String(text) = scalar {
            // The length is in bytes, as that of `len` in ytt's Starlark.
            return self.is_length_wrong(Some(text.len()))
                || self.format.is_some_and(|format| !format.fits(text))
                || self.is_pattern_missed(text);
        }
        let Some(number) = number(scalar) else {
            return false;
        };
        bound(self.minimum.as_ref()).is_some_and(|least| number < least)
            || bound(self.maximum.as_ref()).is_some_and(|most| number > most)
    }

    fn is_pattern_missed(&self, text: &str) -> bool {
        match &self.pattern {
            Some(pattern) => regexp::compile(pattern).is_ok_and(|pattern| !pattern.is_match(text)),
            None => false,
        }
    }

    fn is_length_wrong(&self, length: Option<usize>) -> bool {
        let Some(length) = length.and_then(|length| i64::try_from(length).ok()) else {
            return false;
        };
        self.minimum_length.is_some_and(|least| length < least)
            || self.maximum_length.is_some_and(|most| length > most)
    }
}

fn number_of_children(value: &Node) -> Option<usize> {
    match (value.as_sequence(), value.as_mapping()) {
        (Some(sequence), _) => Some(sequence.items.len()),
        (_, Some(mapping)) => Some(mapping.entries.len()),
        (None, None) => None,
    }
}

fn bound(node: Option<&Arc<Node>>) -> Option<f64> {
    number(&node?.value()?)
}

fn number(scalar: &Scalar<'_>) -> Option<f64> {
    match scalar {
        Scalar::Int(number) => Some(*number as f64),
        Scalar::UInt(number) => Some(*number as f64),
        Scalar::Float(number) => Some(*number),
        _ => None,
    }
}
