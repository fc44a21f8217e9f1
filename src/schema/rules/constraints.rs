//! Rules that hold without a program, for other tools.

use std::sync::Arc;

use super::annotation::Rules;
use super::format::Format;
use crate::regexp;
use crate::script::{Caller, Value};
use crate::yaml::{Node, Value as Scalar, is_equal};

/// What the keyword arguments of rules ask of each value. Rules that count only at times (`when=`) ask nothing here.
#[derive(Debug, Default)]
pub(in crate::schema) struct Constraints {
    pub(in crate::schema) minimum: Option<Arc<Node>>,
    pub(in crate::schema) maximum: Option<Arc<Node>>,
    pub(in crate::schema) minimum_length: Option<i64>,
    pub(in crate::schema) maximum_length: Option<i64>,
    pub(in crate::schema) not_null: bool,
    pub(in crate::schema) one_not_null: Option<OneNotNull>,
    pub(in crate::schema) one_of: Option<Vec<Arc<Node>>>,
    pub(in crate::schema) pattern: Option<String>,
    pub(in crate::schema) format: Option<Format>,
}

/// The keys of which one has a value that is not null.
#[derive(Debug)]
pub(in crate::schema) enum OneNotNull {
    All,
    Keys(Vec<Arc<Node>>),
}

impl Constraints {
    /// Whether a value breaks one of them, as far as that can be told without a program.
    pub(in crate::schema) fn are_broken_by(&self, value: &Arc<Node>) -> bool {
        let Some(scalar) = value.value() else {
            let length = value.as_sequence().map(|sequence| sequence.items.len());
            return self.breaks_length(
                length.or_else(|| value.as_mapping().map(|mapping| mapping.entries.len())),
            );
        };
        if scalar == Scalar::Null {
            return self.not_null;
        }
        if self
            .one_of
            .as_ref()
            .is_some_and(|values| !values.iter().any(|allowed| is_equal(allowed, value)))
        {
            return true;
        }
        match scalar {
            Scalar::String(text) => {
                self.breaks_length(Some(text.len()))
                    || self.format.is_some_and(|format| !format.fits(text))
                    || self.pattern.as_ref().is_some_and(|pattern| {
                        regexp::compile(pattern).is_ok_and(|pattern| !pattern.is_match(text))
                    })
            }
            scalar => number(&scalar).is_some_and(|number| {
                let bound = |bound: &Option<Arc<Node>>| {
                    bound.as_ref()?.value().as_ref().and_then(self::number)
                };
                bound(&self.minimum).is_some_and(|least| number < least)
                    || bound(&self.maximum).is_some_and(|most| number > most)
            }),
        }
    }

    fn breaks_length(&self, length: Option<usize>) -> bool {
        let Some(length) = length.and_then(|length| i64::try_from(length).ok()) else {
            return false;
        };
        self.minimum_length.is_some_and(|least| length < least)
            || self.maximum_length.is_some_and(|most| length > most)
    }
}

fn number(scalar: &Scalar<'_>) -> Option<f64> {
    match scalar {
        Scalar::Int(number) => Some(*number as f64),
        Scalar::UInt(number) => Some(*number as f64),
        Scalar::Float(number) => Some(*number),
        _ => None,
    }
}

impl<'v> Rules<'v> {
    /// What the rules ask for, as far as it can be said without a program.
    pub(in crate::schema) fn constraints(&self, caller: &Caller<'_, 'v>) -> Constraints {
        if self.when.is_some() {
            return Constraints::default();
        }
        let keywords = &self.keywords;
        let node = |value: &Value<'v>| caller.node(*value).ok();
        let nodes = |values: &Vec<Value<'v>>| values.iter().filter_map(node).collect();
        Constraints {
            minimum: keywords.min.as_ref().and_then(node),
            maximum: keywords.max.as_ref().and_then(node),
            minimum_length: keywords.min_len.and_then(Value::as_integer),
            maximum_length: keywords.max_len.and_then(Value::as_integer),
            not_null: keywords.not_null,
            one_not_null: keywords.one_not_null.as_ref().map(|keys| match keys {
                None => OneNotNull::All,
                Some(keys) => OneNotNull::Keys(nodes(keys)),
            }),
            one_of: keywords.one_of.as_ref().map(nodes),
            pattern: keywords.pattern_text.clone(),
            format: keywords.format,
        }
    }
}
