//! What a filter asks of a value.

use std::cmp::Ordering;
use std::sync::Arc;

use regex::Regex;

use crate::edit::path::FieldPath;
use crate::yaml::Node;

/// A condition.
#[derive(Debug)]
pub(super) enum Expression {
    Or(Vec<Expression>),
    And(Vec<Expression>),
    Not(Box<Expression>),
    /// Whether a path leads anywhere.
    Exists(SubQuery),
    Compare(Operand, Comparison, Operand),
    /// Whether a text, as a whole or in some part, fits a pattern.
    Fits {
        text: Operand,
        pattern: Pattern,
        whole: bool,
    },
}

/// A path in a filter.
#[derive(Debug)]
pub(super) struct SubQuery {
    pub(super) path: FieldPath,
    /// Whether it begins at the root, `$`, and not at the value that is asked about, `@`.
    pub(super) absolute: bool,
    /// Whether it leads to one value at most, so that it can be compared.
    pub(super) singular: bool,
}

/// One side of a comparison.
#[derive(Debug)]
pub(super) enum Operand {
    Literal(Arc<Node>),
    Value(SubQuery),
    /// `length(…)`: of a text, a list or a mapping.
    Length(Box<Operand>),
    /// `count(…)`: to how many values a path leads.
    Count(SubQuery),
    /// `value(…)`: the value that a path leads to, if it is one.
    One(SubQuery),
}

/// What a text has to fit.
#[derive(Debug)]
pub(super) enum Pattern {
    /// Known from the path.
    Fixed(Regex),
    /// The text of a value.
    Read(Operand),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Comparison {
    Equal,
    Unequal,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

impl Comparison {
    /// The longer of two that begin alike first.
    pub(super) const ALL: [(&'static str, Comparison); 6] = [
        ("==", Comparison::Equal),
        ("!=", Comparison::Unequal),
        ("<=", Comparison::LessOrEqual),
        (">=", Comparison::GreaterOrEqual),
        ("<", Comparison::Less),
        (">", Comparison::Greater),
    ];

    /// Whether it holds between values that are equal, or that stand in an order if they have one.
    pub(super) fn holds(self, equal: bool, order: Option<Ordering>) -> bool {
        match self {
            Comparison::Equal => equal,
            Comparison::Unequal => !equal,
            Comparison::Less => order == Some(Ordering::Less),
            Comparison::LessOrEqual => equal || order == Some(Ordering::Less),
            Comparison::Greater => order == Some(Ordering::Greater),
            Comparison::GreaterOrEqual => equal || order == Some(Ordering::Greater),
        }
    }
}
