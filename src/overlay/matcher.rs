//! Decides which elements of the left a part selects.
//!
//! The matchers of `@ytt:overlay` are recognized in the values that programs pass
//! (`by=overlay.subset({…})`) and run here on nodes. Only other functions are called, which is
//! slower by orders of magnitude.

use std::sync::Arc;

use super::comparison::{mismatch, spelled};
use super::error::{caught_kind, overlay_error, type_of};
use super::key::KeyLookup;
use crate::script::{Arguments, Caller, Value};
use crate::source::Result;
use crate::source::suggest::did_you_mean;
use crate::yaml::{Node, Value as Scalar};

/// A condition on elements.
#[derive(Debug)]
pub(super) enum ElementMatcher<'v> {
    /// All elements.
    All,
    /// The element with this number.
    Index(i64),
    /// Elements that are mappings and have the same value as the right under this key.
    Key(String),
    /// Elements that contain this value.
    Subset(Arc<Node>),
    /// Elements that all of these accept.
    And(Vec<ElementMatcher<'v>>),
    /// Elements that any of these accepts.
    Or(Vec<ElementMatcher<'v>>),
    /// Elements that this matcher does not accept.
    Not(Box<ElementMatcher<'v>>),
    /// Elements that a function of a program accepts.
    Function(Value<'v>),
}

/// The names of the native functions that are matchers, or that become matchers when their
/// arguments are bound.
pub(super) const ALL: &str = "overlay.all";
pub(super) const INDEX: &str = "overlay.index";
pub(super) const KEY: &str = "overlay.map_key";
pub(super) const SUBSET: &str = "overlay.subset";
pub(super) const AND: &str = "overlay.and_op";
pub(super) const OR: &str = "overlay.or_op";
pub(super) const NOT: &str = "overlay.not_op";

/// An element for a matcher to test.
#[derive(Clone, Copy)]
pub(super) struct MatchedElement<'s, 'v> {
    /// The number of a document or item, or the key of an entry.
    pub(super) index: ElementIndex<'s, 'v>,
    /// The value of the left.
    pub(super) left: &'s Arc<Node>,
    /// The value of the right.
    pub(super) right: &'s Arc<Node>,
}

/// The number or key of an element.
#[derive(Clone, Copy)]
pub(super) enum ElementIndex<'s, 'v> {
    Number(usize),
    Key(&'s Arc<Node>),
    Value(Value<'v>),
}

impl<'v> ElementMatcher<'v> {
    /// Returns the matcher for a function of a program.
    pub(super) fn of(function: Value<'v>, caller: &Caller<'_, 'v>) -> Result<ElementMatcher<'v>> {
        if function.native_name() == Some(ALL) {
            return Ok(ElementMatcher::All);
        }
        let bound = function
            .as_bound()
            .and_then(|(function, arguments)| Some((function.native_name()?, arguments)));
        match bound {
            Some((name, arguments)) => ElementMatcher::bound(name, &arguments, caller, function),
            None => Ok(ElementMatcher::Function(function)),
        }
    }

    /// Returns the matcher that a function of `@ytt:overlay` creates from its arguments. `function`
    /// is the call itself. It becomes the matcher if an argument has the wrong type.
    pub(super) fn bound(
        name: &str,
        arguments: &[Value<'v>],
        caller: &Caller<'_, 'v>,
        function: Value<'v>,
    ) -> Result<ElementMatcher<'v>> {
        Ok(match (name, arguments) {
            // An argument of the wrong type is not reported here: calling the function itself fails
            // with its name and place.
            (INDEX, [index]) => match index.as_integer() {
                Some(index) => ElementMatcher::Index(index),
                None => ElementMatcher::Function(function),
            },
            (KEY, [key]) => match key.as_str() {
                Some(key) => ElementMatcher::Key(key.to_owned()),
                None => ElementMatcher::Function(function),
            },
            (SUBSET, [target]) => ElementMatcher::Subset(caller.node(*target)?),
            (AND, _) => ElementMatcher::And(each_of(arguments, caller)?),
            (OR, _) => ElementMatcher::Or(each_of(arguments, caller)?),
            (NOT, [matcher]) => {
                ElementMatcher::Not(Box::new(ElementMatcher::of(*matcher, caller)?))
            }
            _ => ElementMatcher::Function(function),
        })
    }

    /// Returns whether an element matches.
    ///
    /// # Errors
    /// Fails if a function fails, or, for a key, if the element does not have that key.
    pub(super) fn accepts(
        &self,
        subject: MatchedElement<'_, 'v>,
        caller: &mut Caller<'_, 'v>,
    ) -> Result<bool> {
        Ok(match self {
            ElementMatcher::All => true,
            ElementMatcher::Index(index) => subject.index.is_number(*index),
            ElementMatcher::Key(key) => is_equal_under(key, subject)?,
            ElementMatcher::Subset(target) => mismatch(subject.left, target).is_none(),
            ElementMatcher::And(matchers) => {
                for matcher in matchers {
                    if !matcher.accepts(subject, caller)? {
                        return Ok(false);
                    }
                }
                true
            }
            ElementMatcher::Or(matchers) => {
                for matcher in matchers {
                    if matcher.accepts(subject, caller)? {
                        return Ok(true);
                    }
                }
                false
            }
            ElementMatcher::Not(matcher) => !matcher.accepts(subject, caller)?,
            ElementMatcher::Function(function) => call(*function, subject, caller)?,
        })
    }

    /// Returns the value that an element must contain before any other condition is tested.
    ///
    /// No element that lacks this value can be accepted, and for such an element no function runs
    /// and nothing fails.
    pub(super) fn first_subset(&self) -> Option<&Arc<Node>> {
        match self {
            ElementMatcher::Subset(target) => Some(target),
            ElementMatcher::And(matchers) => matchers.first()?.first_subset(),
            _ => None,
        }
    }

    /// Returns the value that an element must contain, if the matcher requires one.
    pub(super) fn target(&self) -> Option<&Arc<Node>> {
        match self {
            ElementMatcher::Subset(target) => Some(target),
            // With alternatives (`or_op`), it is unknown which one the user meant, so only
            // conjunctions are searched.
            ElementMatcher::And(matchers) => matchers.iter().find_map(ElementMatcher::target),
            _ => None,
        }
    }
}

impl<'v> ElementIndex<'_, 'v> {
    fn is_number(self, number: i64) -> bool {
        match self {
            ElementIndex::Number(own) => i64::try_from(own) == Ok(number),
            ElementIndex::Key(key) => key.value() == Some(Scalar::Int(number)),
            ElementIndex::Value(value) => value.as_integer() == Some(number),
        }
    }

    fn value(self, caller: &Caller<'_, 'v>) -> Value<'v> {
        match self {
            ElementIndex::Number(number) => {
                caller.integer(i64::try_from(number).unwrap_or(i64::MAX))
            }
            ElementIndex::Key(key) => caller.value(key),
            ElementIndex::Value(value) => value,
        }
    }
}

fn each_of<'v>(
    functions: &[Value<'v>],
    caller: &Caller<'_, 'v>,
) -> Result<Vec<ElementMatcher<'v>>> {
    functions
        .iter()
        .map(|function| ElementMatcher::of(*function, caller))
        .collect()
}

/// Calls a function of a program with the index, the left and the right.
fn call<'v>(
    function: Value<'v>,
    subject: MatchedElement<'_, 'v>,
    caller: &mut Caller<'_, 'v>,
) -> Result<bool> {
    let positional = vec![
        subject.index.value(caller),
        caller.value(subject.left),
        caller.value(subject.right),
    ];
    let answer = caller.call(
        function,
        &Arguments {
            positional,
            named: Vec::new(),
        },
    )?;
    answer.as_bool().ok_or_else(|| {
        let found = type_of(answer);
        overlay_error(format!(
            "expected a matcher that returns a boolean, found one that returns {found}"
        ))
    })
}

/// Returns whether both sides have the same value under a key.
fn is_equal_under(key: &str, subject: MatchedElement<'_, '_>) -> Result<bool> {
    let left = value_under(key, subject.left)?;
    let right = value_under(key, subject.right)?;
    // `mismatch` allows additional elements on the left. Checked in both directions, it is equality
    // with the same rules for numbers.
    Ok(mismatch(left, right).is_none() && mismatch(right, left).is_none())
}

/// Returns the value of `key` in a mapping; fails for a mapping without the key, and for any other
/// node.
fn value_under<'a>(key: &str, node: &'a Arc<Node>) -> Result<&'a Arc<Node>> {
    let node = node.resolved();
    // ytt fails here too instead of skipping the element: a list that mixes named and unnamed items
    // is usually a mistake.
    let Some(mapping) = node.as_mapping() else {
        let found = format!(
            "expected a mapping with the key `{key}` to match by, found {}",
            node.described()
        );
        let kind = caught_kind(node);
        return Err(overlay_error(found)
            .at(node.location(), spelled(node))
            .caught_as(format!(
                "overlay.map_key_matcher: Expected value to be map, but was {kind}"
            )));
    };
    KeyLookup::new(mapping, 1)
        .get(&Node::string(key))
        .ok_or_else(|| {
            let keys = mapping
                .entries
                .iter()
                .filter_map(|entry| entry.key.text())
                .filter(|own| *own != key);
            let first = mapping
                .entries
                .first()
                .and_then(|entry| entry.key.location());
            overlay_error(format!(
                "expected the key `{key}` to match by, found a mapping without it"
            ))
            .at(first.or_else(|| node.location()), "this mapping")
            .help_if(did_you_mean(key, keys))
            .help("to skip elements without the key, match with `overlay.subset(…)`")
            .caught_as(format!(
                "overlay.map_key_matcher: Expected to find map item with key '{key}', but did not"
            ))
        })
}
