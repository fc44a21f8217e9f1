//! A text into which several sources are inserted: `https://${host}:${port}`.

use crate::source::suggest::did_you_mean;
use crate::source::{Code, Diagnostic, Result, Span};
use crate::typed::Spanned;

/// A text with places for values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TextTemplate {
    pub(super) parts: Vec<TemplatePart>,
}

/// A part of a template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum TemplatePart {
    /// Literal text.
    Text(String),
    /// The value of a source, by its index.
    Source(usize),
}

impl TextTemplate {
    /// Parses a template: `${name}` is a value, `$$` a dollar sign, and any other `$` is literal.
    ///
    /// # Errors
    /// [`Code::Config`] for a `${` without `}`, and for a name that is not among `names`.
    pub(super) fn parse(template: &Spanned<String>, names: &[&str]) -> Result<TextTemplate> {
        let text = template.value.as_str();
        let mut parts = Vec::new();
        let mut literal = String::new();
        let mut position = 0;
        while let Some(offset) = text[position..].find('$') {
            let dollar = position + offset;
            literal.push_str(&text[position..dollar]);
            let rest = &text[dollar + 1..];
            if !rest.starts_with('{') {
                literal.push('$');
                // `$$` is one dollar sign: its second `$` is skipped.
                position = dollar + 1 + usize::from(rest.starts_with('$'));
                continue;
            }
            let Some(brace) = rest.find('}') else {
                return Err(Diagnostic::error(
                    Code::Config,
                    "expected `}` after `${` in the template, found the end",
                )
                .at(template.location_of(Span::new(dollar, text.len())), "")
                .help("write `$$` for a dollar sign"));
            };
            let end = dollar + 1 + brace + 1;
            let name = &rest[1..brace];
            let Some(index) = names.iter().position(|known| *known == name) else {
                return Err(Diagnostic::error(
                    Code::Config,
                    format!("expected the name of a source, found `{name}`"),
                )
                .at(template.location_of(Span::new(dollar, end)), "")
                .help_if(did_you_mean(name, names.iter().copied()))
                .help("write `$${` for a literal `${`"));
            };
            if !literal.is_empty() {
                parts.push(TemplatePart::Text(std::mem::take(&mut literal)));
            }
            parts.push(TemplatePart::Source(index));
            position = end;
        }
        literal.push_str(&text[position..]);
        if !literal.is_empty() {
            parts.push(TemplatePart::Text(literal));
        }
        Ok(TextTemplate { parts })
    }

    /// Returns whether the template inserts the source with the index.
    pub(super) fn uses(&self, index: usize) -> bool {
        self.parts.contains(&TemplatePart::Source(index))
    }

    /// Returns the text with the values of the sources inserted, which are given by index.
    pub(super) fn fill(&self, values: &[String]) -> String {
        let mut text = String::new();
        for part in &self.parts {
            match part {
                TemplatePart::Text(literal) => text.push_str(literal),
                TemplatePart::Source(index) => text.push_str(&values[*index]),
            }
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<TextTemplate> {
        TextTemplate::parse(&Spanned::made(text.to_owned()), &["host", "port"])
    }

    #[test]
    fn replaces_names_in_braces_and_unescapes_dollar_signs() {
        let table = [
            ("", ""),
            ("${host}", "h"),
            ("a${port}${host}b", "aphb"),
            ("$$ $x $(VAR) 5$", "$ $x $(VAR) 5$"),
            ("$${host}", "${host}"),
        ];
        let values = ["h".to_owned(), "p".to_owned()];
        for (template, expected) in table {
            assert_eq!(
                parse(template).unwrap().fill(&values),
                expected,
                "{template}"
            );
        }
    }

    #[test]
    fn knows_which_sources_it_uses() {
        let template = parse("a ${port}").unwrap();
        assert_eq!((template.uses(0), template.uses(1)), (false, true));
    }

    #[test]
    fn refuses_a_name_that_no_source_has() {
        assert_eq!(
            parse("${hots}").unwrap_err().message,
            "expected the name of a source, found `hots`"
        );
        assert_eq!(parse("${host").unwrap_err().code, Code::Config);
    }
}
