//! Reads the arguments of `@schema/validation` and `@assert/validate` into rules.

use std::sync::Arc;

use regex::Regex;

use crate::modules::{AssertionKind, assertion};
use crate::regexp;
use crate::schema::constraints::{Constraints, OneNotNull};
use crate::schema::string_format::StringFormat;
use crate::schema::types::{TypeKind, ValueType};
use crate::script::fragments::Annotation;
use crate::script::{Arguments, Caller, Value};
use crate::source::suggest::{did_you_mean, list, with_article};
use crate::source::{Code, Diagnostic, Location, Result};
use crate::yaml::Node;

/// The keyword arguments of `@schema/validation` and `@assert/validate`.
pub const RULE_KEYWORDS: [&str; 10] = [
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

/// An example for help texts.
const EXAMPLE: &str = "for instance `(\"a port\", lambda v: 0 < v and v < 65536)` or `min=1`";

/// The kind of annotation that contains rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::schema) enum RuleSource {
    /// `@schema/validation`
    Schema,
    /// `@assert/validate`
    Values,
}

impl RuleSource {
    fn code(self) -> Code {
        match self {
            RuleSource::Schema => Code::Schema,
            RuleSource::Values => Code::Validation,
        }
    }
}

/// The rules of one annotation.
pub(in crate::schema) struct Rules<'v> {
    pub(super) source: RuleSource,
    pub(super) place: Location,
    /// The function that decides whether the rules apply.
    pub(super) when: Option<Value<'v>>,
    /// The rules in the order in which they are reported.
    pub(super) rules: Vec<ValidationRule<'v>>,
    pub(super) keywords: RuleKeywords<'v>,
}

/// The values of the keyword arguments.
#[derive(Default)]
pub(super) struct RuleKeywords<'v> {
    pub(super) min: Option<Value<'v>>,
    pub(super) max: Option<Value<'v>>,
    pub(super) min_len: Option<Value<'v>>,
    pub(super) max_len: Option<Value<'v>>,
    pub(super) not_null: bool,
    pub(super) one_not_null: Option<OneNotNull<Value<'v>>>,
    pub(super) one_of: Option<Vec<Value<'v>>>,
    pub(super) pattern: Option<RulePattern>,
    pub(super) format: Option<StringFormat>,
}

/// A regular expression with its original text.
pub(super) struct RulePattern {
    regex: Regex,
    text: String,
}

/// One rule.
pub(super) struct ValidationRule<'v> {
    /// A description of a valid value, for messages.
    pub(super) description: String,
    pub(super) test: RuleTest<'v>,
}

/// The test of a rule.
pub(super) enum RuleTest<'v> {
    /// A function that returns True for a valid value.
    Call(Value<'v>),
    Pattern(Regex),
    Format(StringFormat),
}

impl<'v> Rules<'v> {
    /// Reads the arguments of an annotation.
    ///
    /// # Errors
    /// Arguments that are not rules.
    pub(in crate::schema) fn read(
        annotation: &Annotation,
        source: RuleSource,
        caller: &Caller<'_, 'v>,
    ) -> Result<Rules<'v>> {
        let arguments = caller.arguments(annotation)?;
        let reader = RuleReader {
            annotation,
            source,
            caller,
        };
        let mut rules = reader.pairs(&arguments)?;
        let mut when = None;
        let mut keywords = RuleKeywords::default();
        for (name, value) in &arguments.named {
            if name == "when" {
                when = Some(reader.when(*value)?);
            } else {
                reader.keyword(name, *value, &mut keywords)?;
            }
        }
        // After the loop, because rules are reported in a fixed order and not in the order of the
        // arguments.
        reader.add_keyword_rules(&keywords, &mut rules)?;
        Ok(Rules {
            source,
            place: annotation.place.clone(),
            when,
            rules,
            keywords,
        })
    }

    /// Checks that rules for strings are on a type that can contain strings.
    ///
    /// # Errors
    /// A rule for strings on another type.
    pub(in crate::schema) fn check_fit(&self, expected: &ValueType) -> Result<()> {
        let name = match (&self.keywords.pattern, self.keywords.format) {
            (Some(_), _) => "pattern",
            (None, Some(_)) => "format",
            (None, None) => return Ok(()),
        };
        if matches!(expected.kind, TypeKind::Any | TypeKind::String) {
            return Ok(());
        }
        let found = expected.kind.name();
        let declared = format!("the schema says {} here", expected.expected());
        let help = format!("give a string as the default, or leave out `{name}=`");
        let message = format!("expected a string under `{name}=`, found {found}");
        Err(Diagnostic::error(Code::Schema, message)
            .at(self.place.clone(), "")
            .at(expected.place.clone(), declared)
            .help(help))
    }

    /// Returns the requirements of the rules that can be evaluated without running a program.
    /// Conditional rules have none.
    pub(in crate::schema) fn constraints(&self, caller: &Caller<'_, 'v>) -> Constraints {
        // A tool that reads the exported schema cannot evaluate the condition. A constraint that
        // applies only sometimes would refuse valid values, so it is left out.
        if self.when.is_some() {
            return Constraints::default();
        }
        let keywords = &self.keywords;
        Constraints {
            minimum: keywords.min.and_then(|bound| caller.node(bound).ok()),
            maximum: keywords.max.and_then(|bound| caller.node(bound).ok()),
            minimum_length: keywords.min_len.and_then(Value::as_integer),
            maximum_length: keywords.max_len.and_then(Value::as_integer),
            not_null: keywords.not_null,
            one_not_null: match &keywords.one_not_null {
                None => None,
                Some(OneNotNull::All) => Some(OneNotNull::All),
                Some(OneNotNull::Keys(keys)) => Some(OneNotNull::Keys(nodes(keys, caller))),
            },
            one_of: keywords.one_of.as_ref().map(|values| nodes(values, caller)),
            pattern: keywords
                .pattern
                .as_ref()
                .map(|pattern| pattern.text.clone()),
            format: keywords.format,
        }
    }
}

/// Returns the values that can be written as nodes.
fn nodes<'v>(values: &[Value<'v>], caller: &Caller<'_, 'v>) -> Vec<Arc<Node>> {
    values
        .iter()
        .filter_map(|value| caller.node(*value).ok())
        .collect()
}

struct RuleReader<'a, 'c, 'v> {
    annotation: &'a Annotation,
    source: RuleSource,
    caller: &'a Caller<'c, 'v>,
}

impl<'v> RuleReader<'_, '_, 'v> {
    fn wrong(&self, expected: &str, found: &str) -> Box<Diagnostic> {
        let name = &self.annotation.name;
        let message = format!("expected {expected} in `@{name}`, found {found}");
        Diagnostic::error(self.source.code(), message).at(self.annotation.place.clone(), "")
    }

    /// Reads the rules that the author describes, which are pairs of a description and a test
    /// function.
    fn pairs(&self, arguments: &Arguments<'v>) -> Result<Vec<ValidationRule<'v>>> {
        if arguments.positional.is_empty() && arguments.named.is_empty() {
            return Err(self.wrong("rules", "no argument").help(EXAMPLE));
        }
        let mut rules = Vec::with_capacity(arguments.positional.len());
        for value in &arguments.positional {
            rules.push(self.pair(*value)?);
        }
        Ok(rules)
    }

    fn pair(&self, value: Value<'v>) -> Result<ValidationRule<'v>> {
        let expected = "pairs `(description, function)`";
        let Some(pair) = value.as_tuple() else {
            let found = format!("{} `{}`", found(value), value.repr());
            return Err(self.wrong(expected, &found).help(EXAMPLE));
        };
        let [description, test] = pair.as_slice() else {
            let found = format!("a tuple of {}", pair.len());
            return Err(self.wrong(expected, &found).help(EXAMPLE));
        };
        let Some(text) = description.as_str() else {
            let found = format!("{} `{}`", found(*description), description.repr());
            return Err(self
                .wrong("a string that describes a valid value", &found)
                .help(EXAMPLE));
        };
        Ok(ValidationRule {
            description: text.to_owned(),
            test: RuleTest::Call(self.function(*test)?),
        })
    }

    /// Returns a function, or the method `check` of an object such as those of `@ytt:assert`.
    fn function(&self, test: Value<'v>) -> Result<Value<'v>> {
        if test.is_function() {
            return Ok(test);
        }
        match self.caller.attribute(test, "check")? {
            // `assert.min_len(1)` returns a struct with a method `check`, which programs can also
            // call directly.
            Some(check) if check.is_function() => Ok(check),
            _ => Err(self
                .wrong(
                    "a function, or an object with a method `check`, after the description",
                    &found(test),
                )
                .help("a function gets the value, and returns True or fails with the reason")),
        }
    }

    fn when(&self, value: Value<'v>) -> Result<Value<'v>> {
        if value.is_function() {
            Ok(value)
        } else {
            Err(self.wrong("a function for `when=`", &found(value)))
        }
    }

    fn keyword(&self, name: &str, value: Value<'v>, keywords: &mut RuleKeywords<'v>) -> Result<()> {
        match name {
            // Any value that has an order: strings can have bounds too.
            "min" => keywords.min = Some(value),
            "max" => keywords.max = Some(value),
            "min_len" => keywords.min_len = Some(self.length(name, value)?),
            "max_len" => keywords.max_len = Some(self.length(name, value)?),
            "not_null" => {
                keywords.not_null = value
                    .as_bool()
                    .ok_or_else(|| self.wrong("True or False for `not_null=`", &found(value)))?;
            }
            "one_not_null" => keywords.one_not_null = Some(self.one_not_null(value)?),
            "one_of" => {
                let values = self.caller.sequence(value)?;
                let values = values
                    .ok_or_else(|| self.wrong("a list of values for `one_of=`", &found(value)))?;
                keywords.one_of = Some(values);
            }
            "pattern" => keywords.pattern = Some(self.pattern(self.text(name, value)?)?),
            "format" => keywords.format = Some(self.format(self.text(name, value)?)?),
            other => {
                let help = did_you_mean(other, RULE_KEYWORDS)
                    .unwrap_or_else(|| format!("use {}", list(RULE_KEYWORDS)));
                return Err(self
                    .wrong("a keyword argument for a rule", &format!("`{other}=`"))
                    .help(help));
            }
        }
        Ok(())
    }

    /// Returns a length. Like ytt, this accepts any number and drops its fraction.
    fn length(&self, name: &str, value: Value<'v>) -> Result<Value<'v>> {
        if value.as_integer().is_some() {
            return Ok(value);
        }
        match value.as_number().filter(|number| number.is_finite()) {
            Some(number) => Ok(self.caller.integer(number as i64)),
            None => Err(self.wrong(&format!("a number for `{name}=`"), &found(value))),
        }
    }

    fn one_not_null(&self, value: Value<'v>) -> Result<OneNotNull<Value<'v>>> {
        let expected = "True or a list of keys for `one_not_null=`";
        match value.as_bool() {
            Some(true) => Ok(OneNotNull::All),
            // ytt refuses False too: "not exactly one" would not be a useful rule.
            Some(false) => Err(self.wrong(expected, "False").help("leave the rule out")),
            None => match self.caller.sequence(value)? {
                Some(keys) => Ok(OneNotNull::Keys(keys)),
                None => Err(self.wrong(expected, &found(value))),
            },
        }
    }

    fn text(&self, name: &str, value: Value<'v>) -> Result<&'v str> {
        value
            .as_str()
            .ok_or_else(|| self.wrong(&format!("a string for `{name}=`"), &found(value)))
    }

    fn pattern(&self, text: &str) -> Result<RulePattern> {
        match regexp::compile(text) {
            Ok(regex) => Ok(RulePattern {
                regex,
                text: text.to_owned(),
            }),
            Err(error) => Err(self
                .wrong("a regular expression for `pattern=`", &format!("`{text}`"))
                .note(error.to_string())
                .help("the syntax is that of Go: https://pkg.go.dev/regexp/syntax")),
        }
    }

    fn format(&self, name: &str) -> Result<StringFormat> {
        StringFormat::named(name).ok_or_else(|| {
            let help = did_you_mean(name, StringFormat::names())
                .unwrap_or_else(|| format!("use {}", list(StringFormat::names())));
            self.wrong("the name of a format for `format=`", &format!("`{name}`"))
                .help(help)
        })
    }

    /// Adds the rules of keyword arguments in the fixed order of ytt's messages. `not_null` is not
    /// included, because it is tested before all others.
    fn add_keyword_rules(
        &self,
        keywords: &RuleKeywords<'v>,
        rules: &mut Vec<ValidationRule<'v>>,
    ) -> Result<()> {
        // Lengths come before values, as in ytt. Each rule is an assertion of `@ytt:assert`, so
        // that both have the same verdicts and messages.
        let bounds = [
            (keywords.min_len, AssertionKind::MinLength, "length >="),
            (keywords.max_len, AssertionKind::MaxLength, "length <="),
            (keywords.min, AssertionKind::Min, "a value >="),
            (keywords.max, AssertionKind::Max, "a value <="),
        ];
        for (bound, kind, words) in bounds {
            if let Some(bound) = bound {
                let description = format!("{words} {}", bound.repr());
                rules.push(self.asserted(kind, description, &[bound])?);
            }
        }
        match &keywords.one_not_null {
            None => {}
            Some(OneNotNull::All) => {
                let description = "exactly one of all children to be not null".to_owned();
                rules.push(self.asserted(AssertionKind::OneOfAllNotNull, description, &[])?);
            }
            Some(OneNotNull::Keys(keys)) => {
                let shown = self.caller.list(keys).repr();
                let description = format!("exactly one of {shown} to be not null");
                rules.push(self.asserted(AssertionKind::OneNotNull, description, keys)?);
            }
        }
        if let Some(values) = &keywords.one_of {
            let description = format!("one of {}", self.caller.list(values).repr());
            rules.push(self.asserted(AssertionKind::OneOf, description, values)?);
        }
        // Patterns and formats are extensions and come last, so that ytt's order is unchanged.
        if let Some(pattern) = &keywords.pattern {
            rules.push(ValidationRule {
                description: format!("a string that matches `{}`", pattern.text),
                test: RuleTest::Pattern(pattern.regex.clone()),
            });
        }
        if let Some(format) = keywords.format {
            rules.push(ValidationRule {
                description: format.describe().to_owned(),
                test: RuleTest::Format(format),
            });
        }
        Ok(())
    }

    /// Returns a rule that is tested by an assertion of `@ytt:assert`.
    fn asserted(
        &self,
        kind: AssertionKind,
        description: String,
        values: &[Value<'v>],
    ) -> Result<ValidationRule<'v>> {
        let check = self.function(assertion(self.caller, kind, values))?;
        Ok(ValidationRule {
            description,
            test: RuleTest::Call(check),
        })
    }
}

/// Returns the type of a value with its article.
fn found(value: Value<'_>) -> String {
    with_article(value.type_name())
}
