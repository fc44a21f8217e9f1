//! A text put together from several sources: `https://${host}:${port}`.

use std::collections::BTreeMap;

use super::SourceField;
use super::check::{check_source, config_error};
use super::config::SourceConfig;
use crate::source::suggest::did_you_mean;
use crate::source::{Code, Diagnostic, Diagnostics, Location, Result, Span};
use crate::typed::Spanned;

/// A text with places for values.
#[derive(Clone, Debug)]
pub struct Template {
    /// Where the values come from, in order of their names.
    pub(super) sources: Vec<(String, SourceField)>,
    pub(super) parts: Vec<Part>,
}

/// A part of a template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// As it is.
    Text(String),
    /// The value of a source, by its index.
    Source(usize),
}

/// Makes of `sources` and `template` what can be carried out. `None` after a mistake, of which all are told: one without
/// the other, a name that no source has, and a source that the text does not name.
pub(super) fn check(
    sources: Option<BTreeMap<String, Spanned<SourceConfig>>>,
    template: Option<Spanned<String>>,
    location: Option<Location>,
    diagnostics: &mut Diagnostics,
) -> Option<Box<Template>> {
    let (Some(sources), Some(template)) = (sources, template) else {
        let message = "expected `sources` and `template` together, found one of them";
        diagnostics.push(
            config_error(message, location)
                .help("`template: https://${host}` has a source named `host`"),
        );
        return None;
    };
    let places: Vec<Option<Location>> = sources
        .values()
        .map(|source| source.location.clone())
        .collect();
    let checked: Vec<(String, Option<SourceField>)> = sources
        .into_iter()
        .map(|(name, source)| (name, check_source(source, diagnostics)))
        .collect();
    let names: Vec<&str> = checked.iter().map(|(name, _)| &**name).collect();
    let parts = diagnostics.take(parts(&template, &names));
    for (index, (name, place)) in names.iter().zip(places).enumerate() {
        if parts
            .as_ref()
            .is_some_and(|parts| !parts.contains(&Part::Source(index)))
        {
            let message = format!("the template does not name the source `{name}`");
            diagnostics.push(
                config_error(&message, place)
                    .at(template.location.clone(), "the template")
                    .help(format!("write `${{{name}}}` into it, or remove the source")),
            );
        }
    }
    let sources: Option<Vec<_>> = checked
        .into_iter()
        .map(|(name, source)| Some((name, source?)))
        .collect();
    let (sources, parts) = (sources?, parts?);
    let is_named = |index: usize| parts.contains(&Part::Source(index));
    (0..sources.len())
        .all(is_named)
        .then(|| Box::new(Template { sources, parts }))
}

/// The parts of a template: `${name}` is a value, `$$` a dollar sign, any other `$` stands for itself.
fn parts(template: &Spanned<String>, names: &[&str]) -> Result<Vec<Part>> {
    let text = template.value.as_str();
    let mut parts = Vec::new();
    let mut plain = String::new();
    let mut at = 0;
    while let Some(dollar) = text[at..].find('$').map(|offset| at + offset) {
        plain.push_str(&text[at..dollar]);
        let rest = &text[dollar + 1..];
        if !rest.starts_with('{') {
            plain.push('$');
            at = dollar + 1 + usize::from(rest.starts_with('$'));
            continue;
        }
        let Some(end) = rest.find('}') else {
            let place = template.location_of(Span::new(dollar, text.len()));
            return Err(Diagnostic::error(
                Code::Config,
                "expected `}` after `${` in the template, found the end",
            )
            .at(place, "")
            .help("write `$$` for a dollar sign"));
        };
        let name = &rest[1..end];
        let Some(index) = names.iter().position(|known| *known == name) else {
            let place = template.location_of(Span::new(dollar, dollar + end + 2));
            return Err(Diagnostic::error(
                Code::Config,
                format!("expected the name of a source, found `{name}`"),
            )
            .at(place, "")
            .help_if(did_you_mean(name, names.iter().copied()))
            .help("write `$${` for `${` itself"));
        };
        if !plain.is_empty() {
            parts.push(Part::Text(std::mem::take(&mut plain)));
        }
        parts.push(Part::Source(index));
        at = dollar + end + 2;
    }
    plain.push_str(&text[at..]);
    if !plain.is_empty() {
        parts.push(Part::Text(plain));
    }
    Ok(parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<Part>> {
        parts(&Spanned::made(text.to_owned()), &["host", "port"])
    }

    #[test]
    fn names_in_braces_are_values_and_two_dollars_are_one() {
        let text = |text: &str| Part::Text(text.to_owned());
        let table = [
            ("", vec![]),
            ("${host}", vec![Part::Source(0)]),
            (
                "a${port}${host}b",
                vec![text("a"), Part::Source(1), Part::Source(0), text("b")],
            ),
            ("$$ $x $(VAR) 5$", vec![text("$ $x $(VAR) 5$")]),
            ("$${host}", vec![text("${host}")]),
        ];
        for (template, expected) in table {
            assert_eq!(read(template).unwrap(), expected, "{template}");
        }
    }

    #[test]
    fn a_name_that_no_source_has_is_refused() {
        assert_eq!(
            read("${hots}").unwrap_err().message,
            "expected the name of a source, found `hots`"
        );
        assert_eq!(read("${host").unwrap_err().code, Code::Config);
    }
}
