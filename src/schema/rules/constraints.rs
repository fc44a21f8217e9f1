//! Rules that hold without a program, for other tools.

use std::sync::Arc;

use super::annotation::Rules;
use super::format::Format;
use crate::script::{Caller, Value};
use crate::yaml::Node;

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
