//! Decides whether a value satisfies a filter of a JSONPath: `[?@.name == "web" && @.ports]`.

use std::sync::Arc;

use super::PathWalk;
use super::compare::{is_equal, order};
use super::place::WalkPlace;
use crate::edit::failure::EditResult;
use crate::edit::path::{Expression, MatchScope, Operand, TextPattern, compile_pattern};
use crate::yaml::{Content, Node};

/// The number of bytes of text whose matching counts as one step.
const BYTES_PER_STEP: u64 = 64;

/// The number of steps that compiling a pattern counts as. It takes far longer than a match.
const COMPILE_STEPS: u64 = 1000;

impl PathWalk<'_, '_> {
    /// Returns whether `node` satisfies `expression`.
    pub(super) fn satisfies(
        &self,
        expression: &Expression,
        node: &Arc<Node>,
        place: &WalkPlace<'_>,
    ) -> EditResult<bool> {
        self.session.spend(1)?;
        match expression {
            Expression::Or(parts) => {
                for part in parts {
                    if self.satisfies(part, node, place)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            Expression::And(parts) => {
                for part in parts {
                    if !self.satisfies(part, node, place)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            Expression::Not(inner) => Ok(!self.satisfies(inner, node, place)?),
            Expression::Exists(query) => Ok(!self.values(query, node, place)?.is_empty()),
            Expression::Compare(left, comparison, right) => {
                let left = self.operand(left, node, place)?;
                let right = self.operand(right, node, place)?;
                let (left, right) = (left.as_ref(), right.as_ref());
                let is_equal = is_equal(left, right, &self.session)?;
                Ok(comparison.holds(is_equal, order(left, right)))
            }
            Expression::Matches {
                text,
                pattern,
                scope,
            } => {
                let text = self.operand(text, node, place)?;
                match text.as_ref().and_then(|text| text.as_str()) {
                    Some(text) => self.matches(text, pattern, *scope, node, place),
                    None => Ok(false),
                }
            }
        }
    }

    /// Returns whether a text matches a pattern. A text of the document that is not a valid pattern
    /// matches nothing (RFC 9535, 2.4.6).
    fn matches(
        &self,
        text: &str,
        pattern: &TextPattern,
        scope: MatchScope,
        node: &Arc<Node>,
        place: &WalkPlace<'_>,
    ) -> EditResult<bool> {
        self.session.spend(text.len() as u64 / BYTES_PER_STEP)?;
        let operand = match pattern {
            TextPattern::Literal(pattern) => return Ok(pattern.is_match(text)),
            TextPattern::Computed(operand) => operand,
        };
        let pattern = self.operand(operand, node, place)?;
        let Some(pattern) = pattern.as_ref().and_then(|pattern| pattern.as_str()) else {
            return Ok(false);
        };
        self.session.spend(COMPILE_STEPS + pattern.len() as u64)?;
        let compiled = compile_pattern(pattern, scope);
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
            Operand::Query(query) | Operand::Value(query) => {
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
