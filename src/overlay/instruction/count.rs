//! How many elements a part may mean.

use super::annotations::OwnArguments;
use super::{a_type, error};
use crate::script::{Arguments, Caller, Value};
use crate::source::Result;

/// The arguments that say how many, each given or not: those of a part, and those that its children inherit.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::overlay) struct Defaults<'v> {
    expects: Option<Value<'v>>,
    missing_ok: Option<Value<'v>>,
    when: Option<Value<'v>>,
}

impl<'v> Defaults<'v> {
    pub(super) fn own(arguments: &OwnArguments<'v>) -> Defaults<'v> {
        Defaults {
            expects: arguments.named("expects"),
            missing_ok: arguments.named("missing_ok"),
            when: arguments.named("when"),
        }
    }

    /// The same, with what is not given taken from `inherited`.
    pub(super) fn or(self, inherited: &Defaults<'v>) -> Defaults<'v> {
        Defaults {
            expects: self.expects.or(inherited.expects),
            missing_ok: self.missing_ok.or(inherited.missing_ok),
            when: self.when.or(inherited.when),
        }
    }
}

/// How many elements there may be, and what another number means.
#[derive(Debug)]
pub(in crate::overlay) struct Count<'v> {
    accepted: Accepted<'v>,
    /// Whether the part is passed over where the number is another; without it that is an error.
    pub(in crate::overlay) skips: bool,
}

#[derive(Debug)]
enum Accepted<'v> {
    Exactly(i64),
    AtLeast(i64),
    AnyOf(Vec<Accepted<'v>>),
    Function(Value<'v>),
}

impl<'v> Count<'v> {
    pub(super) fn of(given: &Defaults<'v>) -> Result<Count<'v>> {
        let both = |one: &str, other: &str| {
            Err(error(format!(
                "expected one of `expects`, `missing_ok` and `when`, found `{one}` and `{other}`"
            ))
            .help("`@overlay/match-child-defaults` of a part further out counts too"))
        };
        match (given.expects, given.missing_ok, given.when) {
            (Some(_), Some(_), _) => both("missing_ok", "expects"),
            (_, Some(_), Some(_)) => both("missing_ok", "when"),
            (Some(_), _, Some(_)) => both("when", "expects"),
            (Some(value), ..) => Ok(Count {
                accepted: Accepted::read("expects", value)?,
                skips: false,
            }),
            (.., Some(value)) => Ok(Count {
                accepted: Accepted::read("when", value)?,
                skips: true,
            }),
            (_, Some(value), _) => match value.as_bool() {
                Some(true) => {
                    let accepted =
                        Accepted::AnyOf(vec![Accepted::Exactly(0), Accepted::Exactly(1)]);
                    Ok(Count {
                        accepted,
                        skips: false,
                    })
                }
                Some(false) => Ok(Count {
                    accepted: Accepted::Exactly(1),
                    skips: false,
                }),
                None => Err(error(format!(
                    "expected a boolean for `missing_ok`, found {}",
                    a_type(value)
                ))),
            },
            (None, None, None) => Ok(Count {
                accepted: Accepted::Exactly(1),
                skips: false,
            }),
        }
    }

    /// Whether `found` elements are accepted.
    pub(in crate::overlay) fn accepts(
        &self,
        found: usize,
        caller: &mut Caller<'_, 'v>,
    ) -> Result<bool> {
        self.accepted
            .accepts(i64::try_from(found).unwrap_or(i64::MAX), caller)
    }

    /// What was expected, such as ``1 matching document``.
    pub(in crate::overlay) fn expected(&self, one: &str, many: &str) -> String {
        match &self.accepted {
            Accepted::Exactly(1) => format!("1 matching {one}"),
            Accepted::Function(_) => {
                format!("a number of matching {many} that the function accepts")
            }
            accepted => format!("{} matching {many}", accepted.words()),
        }
    }
}

impl<'v> Accepted<'v> {
    fn read(name: &str, value: Value<'v>) -> Result<Accepted<'v>> {
        if let Some(exactly) = value.as_integer().filter(|_| value.as_bool().is_none()) {
            return Ok(Accepted::Exactly(exactly));
        }
        if let Some(text) = value.as_str() {
            let digits = text.strip_suffix('+').unwrap_or_default();
            let message = format!(
                "expected a number with a plus sign such as \"1+\" for `{name}`, found \"{text}\""
            );
            return digits
                .parse()
                .map(Accepted::AtLeast)
                .map_err(|_| error(message));
        }
        if value.is_function() {
            return Ok(Accepted::Function(value));
        }
        if let Some(values) = value.as_list().or_else(|| value.as_tuple()) {
            let values: Result<Vec<Accepted<'v>>> = values
                .into_iter()
                .map(|value| Accepted::read(name, value))
                .collect();
            return values.map(Accepted::AnyOf);
        }
        let found = a_type(value);
        let expected = "a number, a text such as \"1+\", a function or a list of these";
        Err(error(format!(
            "expected {expected} for `{name}`, found {found}"
        )))
    }

    fn accepts(&self, found: i64, caller: &mut Caller<'_, 'v>) -> Result<bool> {
        Ok(match self {
            Accepted::Exactly(number) => found == *number,
            Accepted::AtLeast(number) => found >= *number,
            Accepted::AnyOf(alternatives) => {
                for alternative in alternatives {
                    if alternative.accepts(found, caller)? {
                        return Ok(true);
                    }
                }
                false
            }
            Accepted::Function(function) => {
                let arguments = Arguments {
                    positional: vec![caller.integer(found)],
                    named: Vec::new(),
                };
                let answer = caller.call(*function, &arguments)?;
                answer.as_bool().ok_or_else(|| {
                    let found = a_type(answer);
                    error(format!(
                        "expected a function that returns a boolean for `expects`, found one that returns {found}"
                    ))
                })?
            }
        })
    }

    fn words(&self) -> String {
        match self {
            Accepted::Exactly(number) => number.to_string(),
            Accepted::AtLeast(number) => format!("at least {number}"),
            Accepted::Function(_) => "as many as the function accepts".to_owned(),
            Accepted::AnyOf(alternatives) => {
                let words: Vec<String> = alternatives.iter().map(Accepted::words).collect();
                match words.as_slice() {
                    [] => "no number of".to_owned(),
                    [only] => only.clone(),
                    [most @ .., last] => format!("{} or {last}", most.join(", ")),
                }
            }
        }
    }
}
