//! Kubernetes selector strings: `app=web,tier in (front,back),!legacy`.
//!
//! The grammar and meaning are those of `kubectl -l`
//! (<https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/#label-selectors>).
//! kustomize reads both `labelSelector` and `annotationSelector` this way.

use super::selector_index::HintValues;
use crate::source::{Code, Diagnostic, Result, Span};
use crate::typed::Spanned;

/// A selector that matches an object if all its requirements are met. Without requirements, it
/// matches every object.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LabelSelector {
    requirements: Vec<Requirement>,
}

/// A condition on one label.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Requirement {
    key: String,
    condition: Condition,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Condition {
    Exists,
    DoesNotExist,
    In(Vec<String>),
    /// Also met if the label is missing.
    NotIn(Vec<String>),
    GreaterThan(i64),
    LessThan(i64),
}

impl LabelSelector {
    /// Parses a selector string.
    ///
    /// # Errors
    /// Fails with [`Code::Selector`] at the first token that the grammar does not allow.
    pub fn parse(text: &Spanned<String>) -> Result<LabelSelector> {
        let mut parser = LabelSelectorParser { text, offset: 0 };
        let mut requirements = Vec::new();
        parser.skip_blanks();
        if !parser.rest().is_empty() {
            requirements.push(parser.requirement()?);
            while !parser.rest().is_empty() {
                parser.expect(',', "`,` or the end")?;
                requirements.push(parser.requirement()?);
            }
        }
        Ok(LabelSelector { requirements })
    }

    /// Returns the labels that every selected object has, with the values that they can have. Those
    /// that can have any value come last.
    pub fn wanted(&self) -> Vec<(&str, HintValues<'_>)> {
        let mut wanted = Vec::new();
        let mut present = Vec::new();
        for Requirement { key, condition } in &self.requirements {
            match condition {
                Condition::In(values) => wanted.push((key.as_str(), HintValues::OneOf(values))),
                Condition::Exists | Condition::GreaterThan(_) | Condition::LessThan(_) => {
                    present.push((key.as_str(), HintValues::Any));
                }
                Condition::DoesNotExist | Condition::NotIn(_) => {}
            }
        }
        wanted.append(&mut present);
        wanted
    }

    /// Returns whether the selector matches an object whose labels are looked up by `label`.
    pub fn selects<'a>(&self, label: impl Fn(&str) -> Option<&'a str>) -> bool {
        self.requirements
            .iter()
            .all(|requirement| requirement.condition.is_met(label(&requirement.key)))
    }
}

impl Condition {
    fn is_met(&self, value: Option<&str>) -> bool {
        match self {
            Condition::Exists => value.is_some(),
            Condition::DoesNotExist => value.is_none(),
            Condition::In(allowed) => {
                value.is_some_and(|value| allowed.iter().any(|allowed| allowed == value))
            }
            Condition::NotIn(excluded) => {
                value.is_none_or(|value| excluded.iter().all(|excluded| excluded != value))
            }
            Condition::GreaterThan(limit) => whole_number(value).is_some_and(|n| n > *limit),
            Condition::LessThan(limit) => whole_number(value).is_some_and(|n| n < *limit),
        }
    }
}

fn whole_number(value: Option<&str>) -> Option<i64> {
    value?.parse().ok()
}

/// Parses a selector from left to right.
///
/// Invariant: `offset` is never before whitespace, because every method skips the whitespace after
/// the text that it read.
struct LabelSelectorParser<'a> {
    text: &'a Spanned<String>,
    offset: usize,
}

impl<'a> LabelSelectorParser<'a> {
    fn requirement(&mut self) -> Result<Requirement> {
        let is_negated = self.eat("!");
        let key = self.word();
        if key.is_empty() {
            return Err(self.error(if is_negated {
                "a label name after `!`"
            } else {
                "a label name"
            }));
        }
        let condition = if is_negated {
            Condition::DoesNotExist
        } else {
            self.condition()?
        };
        Ok(Requirement {
            key: key.to_string(),
            condition,
        })
    }

    fn condition(&mut self) -> Result<Condition> {
        if self.rest().is_empty() || self.rest().starts_with(',') {
            return Ok(Condition::Exists);
        }
        // Try the longer operator first, because `==` also begins with `=`.
        if self.eat("!=") {
            return Ok(Condition::NotIn(vec![self.word().to_string()]));
        }
        if self.eat("==") || self.eat("=") {
            return Ok(Condition::In(vec![self.word().to_string()]));
        }
        if self.eat(">") {
            return self.number().map(Condition::GreaterThan);
        }
        if self.eat("<") {
            return self.number().map(Condition::LessThan);
        }
        let start = self.offset;
        match self.word() {
            "in" => self.values().map(Condition::In),
            "notin" => self.values().map(Condition::NotIn),
            _ => {
                self.offset = start;
                Err(self.error(
                    "an operator (`=`, `==`, `!=`, `in`, `notin`, `>`, `<`), `,` or the end",
                ))
            }
        }
    }

    /// Reads `(a, b)`. A value may be empty, as in `(,a)`, but the list may not.
    fn values(&mut self) -> Result<Vec<String>> {
        self.expect('(', "`(`")?;
        if self.rest().starts_with(')') {
            return Err(self.error("at least one value"));
        }
        let mut values = vec![self.word().to_string()];
        while self.eat(",") {
            values.push(self.word().to_string());
        }
        self.expect(')', "`,` or `)`")?;
        Ok(values)
    }

    fn number(&mut self) -> Result<i64> {
        let start = self.offset;
        self.word().parse().map_err(|_| {
            self.offset = start;
            self.error("a whole number")
        })
    }

    fn rest(&self) -> &'a str {
        self.text.value.get(self.offset..).unwrap_or("")
    }

    fn skip_blanks(&mut self) {
        self.offset = self.text.value.len() - self.rest().trim_start().len();
    }

    /// Skips `expected` if it comes next, and returns whether it did.
    fn eat(&mut self, expected: &str) -> bool {
        let is_next = self.rest().starts_with(expected);
        if is_next {
            self.offset += expected.len();
            self.skip_blanks();
        }
        is_next
    }

    fn expect(&mut self, expected: char, description: &str) -> Result<()> {
        let mut buffer = [0; 4];
        if self.eat(expected.encode_utf8(&mut buffer)) {
            Ok(())
        } else {
            Err(self.error(description))
        }
    }

    /// Reads a name or value; returns an empty text if none comes next.
    fn word(&mut self) -> &'a str {
        let word = self.peek_word();
        self.offset += word.len();
        self.skip_blanks();
        word
    }

    fn peek_word(&self) -> &'a str {
        let rest = self.rest();
        let end = rest.find(ends_word).unwrap_or(rest.len());
        rest.get(..end).unwrap_or("")
    }

    /// Returns the error for a missing `expected`.
    fn error(&self, expected: &str) -> Box<Diagnostic> {
        let next = match self.peek_word() {
            "" => self.rest().chars().next().map(String::from),
            word => Some(word.to_string()),
        };
        let found = match &next {
            Some(next) => format!("`{next}`"),
            None => "the end".to_string(),
        };
        let span = Span::new(self.offset, self.offset + next.map_or(0, |next| next.len()));
        Diagnostic::error(
            Code::Selector,
            format!("expected {expected} in a label selector, found {found}"),
        )
        .at(self.text.location_of(span), "")
    }
}

fn ends_word(c: char) -> bool {
    c.is_whitespace() || matches!(c, '=' | '!' | '(' | ')' | ',' | '<' | '>')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{Location, Source};

    fn parse(text: &str) -> Result<LabelSelector> {
        let source = Source::new("config.yaml", format!("'{text}'")).unwrap();
        let location = Location::new(&source, Span::new(0, text.len() + 2));
        LabelSelector::parse(&Spanned {
            value: text.to_string(),
            location: Some(location),
        })
    }

    /// Returns a label of the object that the selectors below are applied to.
    fn label(key: &str) -> Option<&'static str> {
        match key {
            "app" => Some("web"),
            "example.com/size" => Some("7"),
            "empty" => Some(""),
            "in" => Some("x"),
            _ => None,
        }
    }

    #[test]
    fn selects_what_kubectl_selects() {
        let cases = [
            ("", true),
            ("app", true),
            ("!app", false),
            ("none", false),
            ("!none", true),
            ("app=web", true),
            ("app==db", false),
            (" app = web , example.com/size = 7 ", true),
            ("app=web,example.com/size=8", false),
            ("app!=web", false),
            ("none!=web", true),
            ("app in (db, web)", true),
            ("app in(web)", true),
            ("app notin (db,web)", false),
            ("none notin (db)", true),
            ("none in (db)", false),
            ("empty=", true),
            ("empty in (,a)", true),
            ("app=", false),
            ("in in (x)", true),
            ("example.com/size>6", true),
            ("example.com/size < 7", false),
            ("app>1", false),
        ];
        for (text, expected) in cases {
            assert_eq!(parse(text).unwrap().selects(label), expected, "{text}");
        }
    }

    #[test]
    fn reports_the_place_of_a_syntax_error() {
        let operator = "an operator (`=`, `==`, `!=`, `in`, `notin`, `>`, `<`), `,` or the end";
        let cases = [
            ("app web", format!("{operator}|found `web`|5")),
            ("app=web db", "`,` or the end|found `db`|9".to_string()),
            ("app,", "a label name|found the end|5".to_string()),
            (",app", "a label name|found `,`|1".to_string()),
            ("!", "a label name after `!`|found the end|2".to_string()),
            ("=web", "a label name|found `=`|1".to_string()),
            ("app in web", "`(`|found `web`|8".to_string()),
            ("app in (web", "`,` or `)`|found the end|12".to_string()),
            ("app in ()", "at least one value|found `)`|9".to_string()),
            ("app>many", "a whole number|found `many`|5".to_string()),
            ("app !web", format!("{operator}|found `!`|5")),
        ];
        for (text, expected) in cases {
            let error = parse(text).unwrap_err();
            let [expected, found, offset] =
                expected.split('|').collect::<Vec<_>>().try_into().unwrap();
            assert_eq!(
                error.message,
                format!("expected {expected} in a label selector, {found}"),
                "{text}"
            );
            assert_eq!(
                error.labels[0].location.span.start().to_string(),
                offset,
                "{text}"
            );
        }
    }
}
