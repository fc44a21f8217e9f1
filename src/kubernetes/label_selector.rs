//! Kubernetes selector strings: `app=web,tier in (front,back),!legacy`.
//!
//! The grammar and meaning are those of `kubectl -l`
//! (<https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/#label-selectors>). kustomize reads both
//! `labelSelector` and `annotationSelector` this way.

use crate::source::{Code, Diagnostic, Result, Span};
use crate::typed::Spanned;

/// A selector: every requirement must hold. Without requirements it selects everything.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LabelSelector {
    requirements: Vec<Requirement>,
}

/// What one label must be.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Requirement {
    key: String,
    condition: Condition,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Condition {
    Exists,
    Absent,
    In(Vec<String>),
    /// Also holds where there is no such label.
    NotIn(Vec<String>),
    Above(i64),
    Below(i64),
}

impl LabelSelector {
    /// Reads a selector string.
    ///
    /// # Errors
    /// [`Code::Selector`] at the part that does not fit.
    pub fn parse(text: &Spanned<String>) -> Result<LabelSelector> {
        let mut parser = Parser { text, offset: 0 };
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

    /// Whether an object is selected whose labels `label` looks up.
    pub fn selects<'a>(&self, label: impl Fn(&str) -> Option<&'a str>) -> bool {
        self.requirements
            .iter()
            .all(|requirement| requirement.condition.holds(label(&requirement.key)))
    }
}

impl Condition {
    fn holds(&self, value: Option<&str>) -> bool {
        let number = || value.and_then(|value| value.parse::<i64>().ok());
        match self {
            Condition::Exists => value.is_some(),
            Condition::Absent => value.is_none(),
            Condition::In(values) => {
                value.is_some_and(|value| values.iter().any(|wanted| wanted == value))
            }
            Condition::NotIn(values) => {
                value.is_none_or(|value| values.iter().all(|unwanted| unwanted != value))
            }
            Condition::Above(limit) => number().is_some_and(|number| number > *limit),
            Condition::Below(limit) => number().is_some_and(|number| number < *limit),
        }
    }
}

/// Reads a selector from left to right. After each piece the blanks that follow are skipped.
struct Parser<'a> {
    text: &'a Spanned<String>,
    offset: usize,
}

impl<'a> Parser<'a> {
    fn requirement(&mut self) -> Result<Requirement> {
        let absent = self.eat("!");
        let key = self.word();
        if key.is_empty() {
            return Err(self.error(if absent {
                "a label name after `!`"
            } else {
                "a label name"
            }));
        }
        let condition = if absent {
            Condition::Absent
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
        if self.eat("!=") {
            return Ok(Condition::NotIn(vec![self.word().to_string()]));
        }
        if self.eat("==") || self.eat("=") {
            return Ok(Condition::In(vec![self.word().to_string()]));
        }
        if self.eat(">") {
            return self.number().map(Condition::Above);
        }
        if self.eat("<") {
            return self.number().map(Condition::Below);
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

    /// Reads `(a, b)`. A value may be empty; the list may not.
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

    fn eat(&mut self, expected: &str) -> bool {
        let found = self.rest().starts_with(expected);
        if found {
            self.offset += expected.len();
            self.skip_blanks();
        }
        found
    }

    fn expect(&mut self, expected: char, description: &str) -> Result<()> {
        let mut buffer = [0; 4];
        if self.eat(expected.encode_utf8(&mut buffer)) {
            Ok(())
        } else {
            Err(self.error(description))
        }
    }

    /// Reads a name or value; an empty one if none is next.
    fn word(&mut self) -> &'a str {
        let word = self.peek_word();
        self.offset += word.len();
        self.skip_blanks();
        word
    }

    fn peek_word(&self) -> &'a str {
        let rest = self.rest();
        let special =
            |c: char| c.is_whitespace() || matches!(c, '=' | '!' | '(' | ')' | ',' | '<' | '>');
        rest.get(..rest.find(special).unwrap_or(rest.len()))
            .unwrap_or("")
    }

    /// The error that `expected` is not what comes next.
    fn error(&self, expected: &str) -> Box<Diagnostic> {
        let next = match self.peek_word() {
            "" => self.rest().chars().next().map(String::from),
            word => Some(word.to_string()),
        };
        let found = next
            .as_ref()
            .map_or("the end".to_string(), |next| format!("`{next}`"));
        let span = Span::new(self.offset, self.offset + next.map_or(0, |next| next.len()));
        Diagnostic::error(
            Code::Selector,
            format!("expected {expected} in a label selector, found {found}"),
        )
        .at(self.text.location_of(span), "")
    }
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

    /// The labels of the object that is or is not selected below.
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
    fn a_selector_selects_what_kubectl_selects() {
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
    fn a_selector_that_cannot_be_read_is_shown_at_its_mistake() {
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
