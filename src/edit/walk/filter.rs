//! Decides whether a value satisfies a filter of a JSONPath: `[?@.name == "web" && @.ports]`.

use std::sync::Arc;

use super::PathWalk;
use super::compare::{is_equal, order};
use super::place::WalkPlace;
use crate::edit::failure::EditResult;
use crate::edit::path::{Expression, Operand, TextPattern, compile_pattern};
use crate::yaml::{Content, Node};

/// The number of bytes of text whose matching counts as one step.
const BYTES_PER_STEP: u64 = 64;

/// The number of steps that compiling a pattern counts as. It takes far longer than a match.
const COMPILE_STEPS: u64 = 1000;

impl PathWalk<'_, '_> {
    /// Returns whether `node` satisfies `expression`.
    pub(super) fn holds(
        &self,
        expression: &Expression,
        node: &Arc<Node>,
        place: &WalkPlace<'_>,
    ) -> EditResult<bool> {
        self.session.spend(1)?;
        match expression {
            Expression::Or(parts) => {
                for part in parts {
                    if self.holds(part, node, place)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            Expression::And(parts) => {
                for part in parts {
                    if !self.holds(part, node, place)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            Expression::Not(inner) => Ok(!self.holds(inner, node, place)?),
            Expression::Exists(query) => Ok(!self.values(query, node, place)?.is_empty()),
            Expression::Compare(left, comparison, right) => {
                let (left, right) = (
                    self.operand(left, node, place)?,
                    self.operand(right, node, place)?,
                );
                let equal = is_equal(left.as_ref(), right.as_ref(), &self.session)?;
                Ok(comparison.holds(equal, order(left.as_ref(), right.as_ref())))
            }
            Expression::Fits {
                text,
                pattern,
                whole,
            } => {
                let text = self.operand(text, node, place)?;
                match text.as_ref().and_then(|text| text.as_str()) {
                    Some(text) => self.fits(text, pattern, *whole, node, place),
                    None => Ok(false),
                }
            }
        }
    }

    /// Returns whether a text matches a pattern, as a `whole` or in a part. A text of the document
    /// that is not a valid pattern matches nothing (RFC 9535, 2.4.6).
    fn fits(
        &self,
        text: &str,
        pattern: &TextPattern,
        whole: bool,
        node: &Arc<Node>,
        place: &WalkPlace<'_>,
    ) -> EditResult<bool> {
        self.session.spend(text.len() as u64 / BYTES_PER_STEP)?;
        let operand = match pattern {
            TextPattern::Fixed(pattern) => return Ok(pattern.is_match(text)),
            TextPattern::Read(operand) => operand,
        };
        let pattern = self.operand(operand, node, place)?;
        let Some(pattern) = pattern.as_ref().and_then(|pattern| pattern.as_str()) else {
            return Ok(false);
        };
        self.session.spend(COMPILE_STEPS + pattern.len() as u64)?;
        let compiled = compile_pattern(pattern, whole);
        Ok(compiled.is_ok_and(|pattern| pattern.is_match(text)))
    }

    /// Returns the value of one side of a comparison; `None` if there is no value.
    fn operand(
        &self,
        operand: &Operand,
        node: &Arc<Node>,
        place: &WalkPlace<'_>,
    ) -> EditResult<Option<Arc<Node>>> {
        match operand {
            Operand::Literal(value) => Ok(Some(Arc::clone(value))),
            Operand::Value(query) | Operand::One(query) => {
                match &*self.values(query, node, place)? {
                    [one] => Ok(Some(Arc::clone(one))),
                    _ => Ok(None),
                }
            }
            Operand::Count(query) => Ok(Some(number(self.values(query, node, place)?.len()))),
            Operand::Length(inner) => {
                let value = self.operand(inner, node, place)?;
                Ok(value.and_then(|value| length(&value)).map(number))
            }
        }
    }
}

/// Returns the result of `length()` (RFC 9535, 2.4.4); `None` for a value that has no length.
fn length(value: &Arc<Node>) -> Option<usize> {
    match &value.resolved().content {
        Content::Mapping(mapping) => Some(mapping.entries.len()),
        Content::Sequence(sequence) => Some(sequence.items.len()),
        _ => value.as_str().map(|text| text.chars().count()),
    }
}

fn number(count: usize) -> Arc<Node> {
    Node::plain(count.to_string())
}
