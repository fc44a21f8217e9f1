//! The number of elements that a part may match.

use std::ops::RangeInclusive;

use super::annotations::AnnotationArguments;
use crate::overlay::element_kind::ElementKind;
use crate::overlay::error::{overlay_error, type_of};
use crate::script::{Arguments, Caller, Value};
use crate::source::{Diagnostic, Result};

/// The arguments that limit the number of matched elements: those of a part, or those that its
/// children inherit.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::overlay) struct MatchDefaults<'v> {
    expects: Option<Value<'v>>,
    missing_ok: Option<Value<'v>>,
    when: Option<Value<'v>>,
}

impl<'v> MatchDefaults<'v> {
    /// Reads the arguments of one annotation.
    pub(super) fn own(arguments: &AnnotationArguments<'v>) -> MatchDefaults<'v> {
        MatchDefaults {
            expects: arguments.named("expects"),
            missing_ok: arguments.named("missing_ok"),
            when: arguments.named("when"),
        }
    }

    /// Fills in the missing arguments from `inherited`.
    pub(super) fn or(self, inherited: &MatchDefaults<'v>) -> MatchDefaults<'v> {
        MatchDefaults {
            expects: self.expects.or(inherited.expects),
            missing_ok: self.missing_ok.or(inherited.missing_ok),
            when: self.when.or(inherited.when),
        }
    }
}

/// The number of elements that may match, and the consequence of any other number.
#[derive(Debug)]
pub(in crate::overlay) struct ExpectedCount<'v> {
    accepted: AcceptedCount<'v>,
    /// Whether any other number skips the part (`when=`). Otherwise it is an error.
    pub(in crate::overlay) skips: bool,
    /// Whether it also skips the part inside a part that is added, where nothing can match. A
    /// `when=` that the part inherits does not: it is about the elements that exist, and the added
    /// part would lose what is written in it.
    pub(in crate::overlay) skips_new: bool,
}

#[derive(Debug)]
enum AcceptedCount<'v> {
    Exactly(i64),
    AtLeast(i64),
    AnyOf(Vec<AcceptedCount<'v>>),
    Function(Value<'v>),
}

impl<'v> ExpectedCount<'v> {
    /// Returns the count that the arguments of a part describe, filled in from `inherited`; exactly 1
    /// if there are none.
    ///
    /// # Errors
    /// Fails if two of the arguments are given, or if one has a value of the wrong type.
    pub(super) fn of(
        own: MatchDefaults<'v>,
        inherited: &MatchDefaults<'v>,
    ) -> Result<ExpectedCount<'v>> {
        let given = own.or(inherited);
        refuse_conflicts(&given)?;
        if let Some(when) = given.when {
            return Ok(ExpectedCount {
                accepted: AcceptedCount::read("when", when)?,
                skips: true,
                skips_new: own.when.is_some(),
            });
        }
        let accepted = match (given.expects, given.missing_ok) {
            (Some(expects), _) => AcceptedCount::read("expects", expects)?,
            (None, Some(missing_ok)) => AcceptedCount::of_missing_ok(missing_ok)?,
            (None, None) => AcceptedCount::Exactly(1),
        };
        Ok(ExpectedCount {
            accepted,
            skips: false,
            skips_new: false,
        })
    }

    /// Returns whether `found` elements are accepted.
    pub(in crate::overlay) fn accepts(
        &self,
        found: usize,
        caller: &mut Caller<'_, 'v>,
    ) -> Result<bool> {
        self.accepted
            .accepts(i64::try_from(found).unwrap_or(i64::MAX), caller)
    }

    /// Returns the reason why `found` elements are not accepted, for a template that catches the
    /// error. `places` is the list of their places.
    pub(in crate::overlay) fn caught_message(&self, found: usize, places: &str) -> String {
        caught_reason(&self.accepted, found, places)
    }

    /// Adds the accepted numbers to `ranges`. Returns `false` if a function decides.
    pub(in crate::overlay) fn push_ranges(&self, ranges: &mut Vec<RangeInclusive<i64>>) -> bool {
        self.accepted.push_ranges(ranges)
    }

    /// Returns the words for a message, such as `1 matching document`.
    pub(in crate::overlay) fn expected(&self, kind: ElementKind) -> String {
        let many = kind.plural();
        match &self.accepted {
            AcceptedCount::Exactly(1) => format!("1 matching {}", kind.singular()),
            AcceptedCount::Function(_) => {
                format!("a number of matching {many} that the function accepts")
            }
            accepted => format!("{} matching {many}", accepted.words()),
        }
    }
}

/// Returns ytt's message for a `found` that is not accepted.
fn caught_reason(accepted: &AcceptedCount<'_>, found: usize, places: &str) -> String {
    let wanted = match accepted {
        AcceptedCount::Exactly(number) => number.to_string(),
        AcceptedCount::AtLeast(number) => format!(">= {number}"),
        // Of several alternatives, ytt shows the last one.
        AcceptedCount::AnyOf(alternatives) => match alternatives.last() {
            Some(last) => return caught_reason(last, found, places),
            None => "0".to_owned(),
        },
        AcceptedCount::Function(_) => {
            return "Expectation of number of matched nodes failed".to_owned();
        }
    };
    format!("Expected number of matched nodes to be {wanted}, but was {found}{places}")
}

/// Rejects arguments that exclude each other.
///
/// They are checked after inheritance, so `expects` of a part conflicts with `missing_ok` of its
/// parent (as in ytt).
fn refuse_conflicts(given: &MatchDefaults<'_>) -> Result<()> {
    match (given.expects, given.missing_ok, given.when) {
        (Some(_), Some(_), _) => Err(conflict("missing_ok", "expects")),
        (_, Some(_), Some(_)) => Err(conflict("missing_ok", "when")),
        (Some(_), _, Some(_)) => Err(conflict("when", "expects")),
        _ => Ok(()),
    }
}

fn conflict(one: &str, other: &str) -> Box<Diagnostic> {
    overlay_error(format!(
        "expected one of `expects`, `missing_ok` and `when`, found `{one}` and `{other}`"
    ))
    .help("`@overlay/match-child-defaults` of an outer part applies too")
}

impl<'v> AcceptedCount<'v> {
    /// Reads `missing_ok=`. If it is true, the part may match no element.
    fn of_missing_ok(missing_ok: Value<'v>) -> Result<AcceptedCount<'v>> {
        match missing_ok.as_bool() {
            Some(true) => Ok(AcceptedCount::AnyOf(vec![
                AcceptedCount::Exactly(0),
                AcceptedCount::Exactly(1),
            ])),
            Some(false) => Ok(AcceptedCount::Exactly(1)),
            None => Err(overlay_error(format!(
                "expected a boolean for `missing_ok`, found {}",
                type_of(missing_ok)
            ))),
        }
    }

    /// Reads `expects=` or `when=`.
    fn read(name: &str, value: Value<'v>) -> Result<AcceptedCount<'v>> {
        // A boolean is not a number of elements, even though Starlark converts it to an integer.
        if let Some(exactly) = value.as_integer().filter(|_| value.as_bool().is_none()) {
            return Ok(AcceptedCount::Exactly(exactly));
        }
        if let Some(text) = value.as_str() {
            // Without the plus sign, `digits` is empty and does not parse as a number, so `"1"` is
            // an error like `"x+"`.
            let digits = text.strip_suffix('+').unwrap_or_default();
            let message = format!(
                "expected a number with a plus sign such as \"1+\" for `{name}`, found \"{text}\""
            );
            return digits
                .parse()
                .map(AcceptedCount::AtLeast)
                .map_err(|_| overlay_error(message));
        }
        if value.is_function() {
            return Ok(AcceptedCount::Function(value));
        }
        if let Some(values) = value.as_list().or_else(|| value.as_tuple()) {
            let values: Result<Vec<AcceptedCount<'v>>> = values
                .into_iter()
                .map(|value| AcceptedCount::read(name, value))
                .collect();
            return values.map(AcceptedCount::AnyOf);
        }
        let found = type_of(value);
        let expected = "a number, a text such as \"1+\", a function or a list of these";
        Err(overlay_error(format!(
            "expected {expected} for `{name}`, found {found}"
        )))
    }

    fn accepts(&self, found: i64, caller: &mut Caller<'_, 'v>) -> Result<bool> {
        Ok(match self {
            AcceptedCount::Exactly(number) => found == *number,
            AcceptedCount::AtLeast(number) => found >= *number,
            AcceptedCount::AnyOf(alternatives) => {
                for alternative in alternatives {
                    if alternative.accepts(found, caller)? {
                        return Ok(true);
                    }
                }
                false
            }
            AcceptedCount::Function(function) => {
                let arguments = Arguments {
                    positional: vec![caller.integer(found)],
                    named: Vec::new(),
                };
                let answer = caller.call(*function, &arguments)?;
                answer.as_bool().ok_or_else(|| {
                    let found = type_of(answer);
                    overlay_error(format!(
                        "expected a function that returns a boolean for `expects`, found one that returns {found}"
                    ))
                })?
            }
        })
    }

    fn push_ranges(&self, ranges: &mut Vec<RangeInclusive<i64>>) -> bool {
        match self {
            AcceptedCount::Exactly(number) => ranges.push(*number..=*number),
            AcceptedCount::AtLeast(number) => ranges.push(*number..=i64::MAX),
            AcceptedCount::AnyOf(alternatives) => {
                let mut all = alternatives.iter();
                return all.all(|alternative| alternative.push_ranges(ranges));
            }
            AcceptedCount::Function(_) => return false,
        }
        true
    }

    fn words(&self) -> String {
        match self {
            AcceptedCount::Exactly(number) => number.to_string(),
            AcceptedCount::AtLeast(number) => format!("at least {number}"),
            AcceptedCount::Function(_) => "as many as the function accepts".to_owned(),
            AcceptedCount::AnyOf(alternatives) => {
                let words: Vec<String> = alternatives.iter().map(AcceptedCount::words).collect();
                match words.as_slice() {
                    [] => "no number of".to_owned(),
                    [only] => only.clone(),
                    [most @ .., last] => format!("{} or {last}", most.join(", ")),
                }
            }
        }
    }
}
