//! The arguments of an annotation with rules.

use regex::Regex;

use super::format::Format;
use crate::modules::{AssertionKind, assertion};
use crate::regexp;
use crate::schema::types::{Kind, Type};
use crate::script::fragments::Annotation;
use crate::script::{Arguments, Caller, Value};
use crate::source::suggest::{did_you_mean, list, with_article};
use crate::source::{Code, Diagnostic, Location, Result};

/// The keyword arguments.
const KEYWORDS: [&str; 10] = [
    "when",
    "min_len",
    "max_len",
    "min",
    "max",
    "not_null",
    "one_not_null",
    "one_of",
    "pattern",
    "format",
];

/// Which annotation it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::schema) enum Attachment {
    Schema,
    Values,
}

impl Attachment {
    fn code(self) -> Code {
        match self {
            Attachment::Schema => Code::Schema,
            Attachment::Values => Code::Validation,
        }
    }
}

/// The rules of one annotation.
pub(in crate::schema) struct Rules<'v> {
    pub(super) attachment: Attachment,
    pub(super) place: Location,
    /// Decides whether the rules count.
    pub(super) when: Option<Value<'v>>,
    /// In the order in which they are told.
    pub(super) rules: Vec<Rule<'v>>,
    pub(super) keywords: Keywords<'v>,
}

/// What keyword arguments ask for.
#[derive(Default)]
pub(super) struct Keywords<'v> {
    pub(super) min: Option<Value<'v>>,
    pub(super) max: Option<Value<'v>>,
    pub(super) min_len: Option<Value<'v>>,
    pub(super) max_len: Option<Value<'v>>,
    pub(super) not_null: bool,
    /// All keys, or those given.
    pub(super) one_not_null: Option<Option<Vec<Value<'v>>>>,
    pub(super) one_of: Option<Vec<Value<'v>>>,
    pub(super) pattern: Option<Regex>,
    /// The pattern as it was written.
    pub(super) pattern_text: Option<String>,
    pub(super) format: Option<Format>,
}

/// One rule.
pub(super) struct Rule<'v> {
    /// What the value must be.
    pub(super) says: String,
    pub(super) test: Test<'v>,
}

/// How a rule is tested.
pub(super) enum Test<'v> {
    /// A function that gives True for a value that keeps the rule.
    Call(Value<'v>),
    Pattern(Regex),
    Format(Format),
}

impl<'v> Rules<'v> {
    /// Reads the arguments of an annotation.
    ///
    /// # Errors
    /// Arguments that are no rules.
    pub(in crate::schema) fn read(
        annotation: &Annotation,
        attachment: Attachment,
        caller: &Caller<'_, 'v>,
    ) -> Result<Rules<'v>> {
        let arguments = caller.arguments(annotation)?;
        let reading = Reading {
            annotation,
            attachment,
            caller,
        };
        let mut rules = reading.pairs(&arguments)?;
        let (when, keywords) = reading.keywords(&arguments)?;
        reading.add_keywords(&keywords, &mut rules)?;
        Ok(Rules {
            attachment,
            place: annotation.place.clone(),
            when,
            rules,
            keywords,
        })
    }

    /// Makes sure that rules for texts are not on a value that cannot be one.
    ///
    /// # Errors
    /// A rule for texts on a value of another type.
    pub(in crate::schema) fn fit(&self, expected: &Type) -> Result<()> {
        let name = match (&self.keywords.pattern, self.keywords.format) {
            (Some(_), _) => "pattern",
            (None, Some(_)) => "format",
            (None, None) => return Ok(()),
        };
        if matches!(expected.kind, Kind::Any | Kind::String) {
            return Ok(());
        }
        let message = format!(
            "expected a string under `{name}=`, found {}",
            expected.kind.name()
        );
        Err(Diagnostic::error(Code::Schema, message)
            .at(self.place.clone(), "")
            .at(
                expected.place.clone(),
                format!("the schema says {} here", expected.expected()),
            )
            .help(format!(
                "give a string as the default, or leave out `{name}=`"
            )))
    }
}

struct Reading<'a, 'c, 'v> {
    annotation: &'a Annotation,
    attachment: Attachment,
    caller: &'a Caller<'c, 'v>,
}

impl<'v> Reading<'_, '_, 'v> {
    fn wrong(&self, expected: &str, found: &str) -> Box<Diagnostic> {
        let message = format!(
            "expected {expected} in `@{}`, found {found}",
            self.annotation.name
        );
        Diagnostic::error(self.attachment.code(), message).at(self.annotation.place.clone(), "")
    }

    /// The rules that the author words: pairs of what a value must be, and a function that tests it.
    fn pairs(&self, arguments: &Arguments<'v>) -> Result<Vec<Rule<'v>>> {
        let example = "for instance `(\"a port\", lambda v: 0 < v and v < 65536)` or `min=1`";
        if arguments.positional.is_empty() && arguments.named.is_empty() {
            return Err(self.wrong("rules", "no argument").help(example));
        }
        let pairs = arguments.positional.iter().map(|value| {
            let expected = "pairs `(description, function)`";
            let Some(pair) = value.as_tuple() else {
                return Err(self
                    .wrong(expected, &format!("{} `{}`", found(*value), value.repr()))
                    .help(example));
            };
            let [description, test] = pair.as_slice() else {
                return Err(self
                    .wrong(expected, &format!("a tuple of {}", pair.len()))
                    .help(example));
            };
            let Some(says) = description.as_str() else {
                let found = format!("{} `{}`", found(*description), description.repr());
                return Err(self
                    .wrong("a string that describes a valid value", &found)
                    .help(example));
            };
            Ok(Rule {
                says: says.to_owned(),
                test: Test::Call(self.function(*test)?),
            })
        });
        pairs.collect()
    }

    /// A function, or the method `check` of an object.
    fn function(&self, test: Value<'v>) -> Result<Value<'v>> {
        if test.is_function() {
            return Ok(test);
        }
        match self.caller.attribute(test, "check")? {
            Some(check) if check.is_function() => Ok(check),
            _ => Err(self
                .wrong(
                    "a function, or an object with a method `check`, after the description",
                    &found(test),
                )
                .help("a function gets the value, and returns True or fails with why not")),
        }
    }

    fn keywords(&self, arguments: &Arguments<'v>) -> Result<(Option<Value<'v>>, Keywords<'v>)> {
        let mut when = None;
        let mut keywords = Keywords::default();
        for (name, value) in &arguments.named {
            let value = *value;
            match name.as_str() {
                "when" => when = Some(self.when(value)?),
                "min" => keywords.min = Some(value),
                "max" => keywords.max = Some(value),
                "min_len" => keywords.min_len = Some(self.length(name, value)?),
                "max_len" => keywords.max_len = Some(self.length(name, value)?),
                "not_null" => {
                    let flag = value.as_bool();
                    keywords.not_null = flag.ok_or_else(|| {
                        self.wrong("True or False for `not_null=`", &found(value))
                    })?;
                }
                "one_not_null" => keywords.one_not_null = Some(self.one_not_null(value)?),
                "one_of" => {
                    let values = self.caller.sequence(value)?;
                    let values = values.ok_or_else(|| {
                        self.wrong("a list of values for `one_of=`", &found(value))
                    })?;
                    keywords.one_of = Some(values);
                }
                "pattern" => {
                    let text = self.text(name, value)?;
                    keywords.pattern = Some(self.pattern(text)?);
                    keywords.pattern_text = Some(text.to_owned());
                }
                "format" => keywords.format = Some(self.format(self.text(name, value)?)?),
                other => {
                    let help = did_you_mean(other, KEYWORDS);
                    let help = help.unwrap_or_else(|| format!("use {}", list(KEYWORDS)));
                    return Err(self
                        .wrong("a keyword argument for a rule", &format!("`{other}=`"))
                        .help(help));
                }
            }
        }
        Ok((when, keywords))
    }

    fn when(&self, value: Value<'v>) -> Result<Value<'v>> {
        if !value.is_function() {
            return Err(self.wrong("a function for `when=`", &found(value)));
        }
        Ok(value)
    }

    fn length(&self, name: &str, value: Value<'v>) -> Result<Value<'v>> {
        match value.as_integer() {
            Some(_) => Ok(value),
            None => Err(self.wrong(&format!("an integer for `{name}=`"), &found(value))),
        }
    }

    fn one_not_null(&self, value: Value<'v>) -> Result<Option<Vec<Value<'v>>>> {
        if value.as_bool() == Some(true) {
            return Ok(None);
        }
        match self.caller.sequence(value)? {
            Some(keys) => Ok(Some(keys)),
            None if value.as_bool().is_some() => Err(self
                .wrong("True or a list of keys for `one_not_null=`", "False")
                .help("leave the rule out")),
            None => Err(self.wrong("True or a list of keys for `one_not_null=`", &found(value))),
        }
    }

    fn text(&self, name: &str, value: Value<'v>) -> Result<&'v str> {
        value
            .as_str()
            .ok_or_else(|| self.wrong(&format!("a string for `{name}=`"), &found(value)))
    }

    fn pattern(&self, text: &str) -> Result<Regex> {
        regexp::compile(text).map_err(|error| {
            let error = self
                .wrong("a regular expression for `pattern=`", &format!("`{text}`"))
                .note(error.to_string());
            error.help("the syntax is that of Go: https://pkg.go.dev/regexp/syntax")
        })
    }

    fn format(&self, name: &str) -> Result<Format> {
        Format::named(name).ok_or_else(|| {
            let help = did_you_mean(name, Format::names());
            let help = help.unwrap_or_else(|| format!("use {}", list(Format::names())));
            self.wrong("the name of a format for `format=`", &format!("`{name}`"))
                .help(help)
        })
    }

    /// Adds the rules of keyword arguments, in an order of their own; that a value is not null comes before all others.
    fn add_keywords(&self, keywords: &Keywords<'v>, rules: &mut Vec<Rule<'v>>) -> Result<()> {
        let asserted = |kind, says, values: &[Value<'v>]| -> Result<Rule<'v>> {
            let check = self.function(assertion(self.caller, kind, values))?;
            Ok(Rule {
                says,
                test: Test::Call(check),
            })
        };
        if let Some(length) = keywords.min_len {
            rules.push(asserted(
                AssertionKind::MinLength,
                format!("length >= {}", length.repr()),
                &[length],
            )?);
        }
        if let Some(length) = keywords.max_len {
            rules.push(asserted(
                AssertionKind::MaxLength,
                format!("length <= {}", length.repr()),
                &[length],
            )?);
        }
        if let Some(bound) = keywords.min {
            rules.push(asserted(
                AssertionKind::Min,
                format!("a value >= {}", bound.repr()),
                &[bound],
            )?);
        }
        if let Some(bound) = keywords.max {
            rules.push(asserted(
                AssertionKind::Max,
                format!("a value <= {}", bound.repr()),
                &[bound],
            )?);
        }
        match &keywords.one_not_null {
            None => {}
            Some(None) => {
                let says = "exactly one of all children to be not null".to_owned();
                rules.push(asserted(AssertionKind::OneOfAllNotNull, says, &[])?);
            }
            Some(Some(keys)) => {
                let says = format!(
                    "exactly one of {} to be not null",
                    self.caller.list(keys).repr()
                );
                rules.push(asserted(AssertionKind::OneNotNull, says, keys)?);
            }
        }
        if let Some(values) = &keywords.one_of {
            let says = format!("one of {}", self.caller.list(values).repr());
            rules.push(asserted(AssertionKind::OneOf, says, values)?);
        }
        if let (Some(pattern), Some(text)) = (&keywords.pattern, &keywords.pattern_text) {
            rules.push(Rule {
                says: format!("a string that matches `{text}`"),
                test: Test::Pattern(pattern.clone()),
            });
        }
        if let Some(format) = keywords.format {
            rules.push(Rule {
                says: format.describe().to_owned(),
                test: Test::Format(format),
            });
        }
        Ok(())
    }
}

/// A value that is not what was expected.
fn found(value: Value<'_>) -> String {
    with_article(value.type_name())
}
