//! Which elements of the left a part means.
//!
//! The matchers of `@ytt:overlay` are recognised in the values that programs make of them and run here, on nodes; only
//! other functions are called.

use std::sync::Arc;

use super::comparison::{mismatch, spelled};
use super::instruction::{a_type, error};
use super::key::Lookup;
use crate::script::{Arguments, Caller, Value};
use crate::source::Result;
use crate::source::suggest::did_you_mean;
use crate::yaml::{Node, Value as Scalar};

/// A matcher.
#[derive(Debug)]
pub(super) enum Matcher<'v> {
    /// Everything.
    All,
    /// The element with this number.
    Index(i64),
    /// Elements that are mappings and have the same value as the right under this key.
    Key(String),
    /// Elements that have all that this value says.
    Subset(Arc<Node>),
    /// What all of these accept.
    And(Vec<Matcher<'v>>),
    /// What any of these accepts.
    Or(Vec<Matcher<'v>>),
    /// What this refuses.
    Not(Box<Matcher<'v>>),
    /// What a function of a program accepts.
    Function(Value<'v>),
}

/// The names of the native functions that are matchers, or that become matchers when their arguments are bound.
pub(super) const ALL: &str = "overlay.all";
pub(super) const INDEX: &str = "overlay.index";
pub(super) const KEY: &str = "overlay.map_key";
pub(super) const SUBSET: &str = "overlay.subset";
pub(super) const AND: &str = "overlay.and_op";
pub(super) const OR: &str = "overlay.or_op";
pub(super) const NOT: &str = "overlay.not_op";

/// An element that is judged.
#[derive(Clone, Copy)]
pub(super) struct Subject<'s, 'v> {
    /// The number of a document or item, the key of an entry.
    pub(super) index: Index<'s, 'v>,
    /// The value of the left.
    pub(super) left: &'s Arc<Node>,
    /// The value of the right.
    pub(super) right: &'s Arc<Node>,
}

/// What tells an element from the others.
#[derive(Clone, Copy)]
pub(super) enum Index<'s, 'v> {
    Number(usize),
    Key(&'s Arc<Node>),
    Value(Value<'v>),
}

impl<'v> Matcher<'v> {
    /// The matcher that a function is.
    pub(super) fn of(function: Value<'v>, caller: &Caller<'_, 'v>) -> Result<Matcher<'v>> {
        if function.native_name() == Some(ALL) {
            return Ok(Matcher::All);
        }
        let bound = function
            .as_bound()
            .and_then(|(function, arguments)| Some((function.native_name()?, arguments)));
        match bound {
            Some((name, arguments)) => Matcher::bound(name, &arguments, caller, function),
            None => Ok(Matcher::Function(function)),
        }
    }

    /// The matcher that a function of the module makes of its arguments.
    pub(super) fn bound(
        name: &str,
        arguments: &[Value<'v>],
        caller: &Caller<'_, 'v>,
        function: Value<'v>,
    ) -> Result<Matcher<'v>> {
        let each = || {
            arguments
                .iter()
                .map(|argument| Matcher::of(*argument, caller))
                .collect::<Result<Vec<_>>>()
        };
        Ok(match (name, arguments) {
            (INDEX, [index]) => index
                .as_integer()
                .map_or(Matcher::Function(function), Matcher::Index),
            (KEY, [key]) => key.as_str().map_or(Matcher::Function(function), |key| {
                Matcher::Key(key.to_owned())
            }),
            (SUBSET, [target]) => Matcher::Subset(caller.node(*target)?),
            (AND, _) => Matcher::And(each()?),
            (OR, _) => Matcher::Or(each()?),
            (NOT, [matcher]) => Matcher::Not(Box::new(Matcher::of(*matcher, caller)?)),
            _ => Matcher::Function(function),
        })
    }

    /// Whether it accepts an element.
    ///
    /// # Errors
    /// What a function fails with, and for a key an element that has none.
    pub(super) fn accepts(
        &self,
        subject: Subject<'_, 'v>,
        caller: &mut Caller<'_, 'v>,
    ) -> Result<bool> {
        Ok(match self {
            Matcher::All => true,
            Matcher::Index(index) => subject.index.is_number(*index),
            Matcher::Key(key) => same_below(key, subject)?,
            Matcher::Subset(target) => mismatch(subject.left, target).is_none(),
            Matcher::And(matchers) => {
                for matcher in matchers {
                    if !matcher.accepts(subject, caller)? {
                        return Ok(false);
                    }
                }
                true
            }
            Matcher::Or(matchers) => {
                for matcher in matchers {
                    if matcher.accepts(subject, caller)? {
                        return Ok(true);
                    }
                }
                false
            }
            Matcher::Not(matcher) => !matcher.accepts(subject, caller)?,
            Matcher::Function(function) => call(*function, subject, caller)?,
        })
    }

    /// The value that an element has to have all of, if that is what it asks for.
    pub(super) fn target(&self) -> Option<&Arc<Node>> {
        match self {
            Matcher::Subset(target) => Some(target),
            Matcher::And(matchers) => matchers.iter().find_map(Matcher::target),
            _ => None,
        }
    }
}

impl<'v> Index<'_, 'v> {
    fn is_number(self, number: i64) -> bool {
        match self {
            Index::Number(own) => i64::try_from(own) == Ok(number),
            Index::Key(key) => key.value() == Some(Scalar::Int(number)),
            Index::Value(value) => value.as_integer() == Some(number),
        }
    }

    fn value(self, caller: &Caller<'_, 'v>) -> Value<'v> {
        match self {
            Index::Number(number) => caller.integer(i64::try_from(number).unwrap_or(i64::MAX)),
            Index::Key(key) => caller.value(key),
            Index::Value(value) => value,
        }
    }
}

/// Asks a function of a program.
fn call<'v>(
    function: Value<'v>,
    subject: Subject<'_, 'v>,
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
        let found = a_type(answer);
        error(format!(
            "expected a matcher that returns a boolean, found one that returns {found}"
        ))
    })
}

/// Whether both sides have the same value under a key, which both need to have.
fn same_below(key: &str, subject: Subject<'_, '_>) -> Result<bool> {
    let left = below(key, subject.left)?;
    let right = below(key, subject.right)?;
    Ok(mismatch(left, right).is_none() && mismatch(right, left).is_none())
}

fn below<'a>(key: &str, node: &'a Arc<Node>) -> Result<&'a Arc<Node>> {
    let node = node.resolved();
    let Some(mapping) = node.as_mapping() else {
        let found = format!(
            "expected a mapping with the key `{key}` to match by, found {}",
            node.described()
        );
        return Err(error(found).at(node.location(), spelled(node)));
    };
    Lookup::new(mapping, 1)
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
            error(format!(
                "expected the key `{key}` to match by, found a mapping without it"
            ))
            .at(first.or_else(|| node.location()), "this mapping")
            .help_if(did_you_mean(key, keys))
            .help("to pass over elements without the key, match with `overlay.subset(…)`")
        })
}
