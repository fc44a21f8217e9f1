//! Rewrites old fields inside of entries: `env` of generators, and the fields of
//! `helmChartInflationGenerator`.

use std::sync::Arc;

use super::sections::{Section, Sections, span};
use crate::source::{Result, Source};
use crate::yaml::{CollectionStyle, Mapping, Node, TextEdit, apply};

/// The old and the new names of the fields of a chart.
const CHART_FIELDS: [(&str, &str); 5] = [
    ("chartName", "name"),
    ("chartVersion", "version"),
    ("chartRepoUrl", "repo"),
    ("values", "valuesFile"),
    ("valuesLocal", "valuesInline"),
];

/// Returns the text with the new fields.
///
/// # Errors
/// The file is not lines of fields.
pub(super) fn fix(source: &Arc<Source>) -> Result<String> {
    let file = Sections::read(source)?;
    let mut edits = Vec::new();
    for name in ["configMapGenerator", "secretGenerator"] {
        for generator in entries(file.find(name)) {
            fix_env(generator, file.text(), &mut edits);
        }
    }
    for chart in entries(file.find("helmChartInflationGenerator")) {
        for (old, new) in CHART_FIELDS {
            if let Some(key) = find_key(chart, old) {
                edits.push(TextEdit::replace(span(key), new));
            }
        }
    }
    edits.sort_by_key(|edit| edit.span);
    Ok(apply(file.text(), &edits))
}

/// Returns the entries of a list.
fn entries(section: Option<&Section>) -> Vec<&Mapping> {
    let list = section.and_then(|section| section.entry.value.as_sequence());
    let items = list.into_iter().flat_map(|list| &list.items);
    items.filter_map(|item| item.value.as_mapping()).collect()
}

fn find_key<'m>(mapping: &'m Mapping, name: &str) -> Option<&'m Arc<Node>> {
    let mut keys = mapping.entries.iter().map(|entry| &entry.key);
    keys.find(|key| {
        key.text()
            .is_some_and(|text| text.eq_ignore_ascii_case(name))
    })
}

/// Makes a list of `env`, or adds it to `envs`:
///
/// ```text
/// env: a.env  # why      ->      envs: [a.env]  # why
/// ```
fn fix_env(generator: &Mapping, text: &str, edits: &mut Vec<TextEdit>) {
    let Some(key) = find_key(generator, "env") else {
        return;
    };
    let Some(value) = generator.get(key.text().unwrap_or_default()) else {
        return;
    };
    let own = span(value);
    let name = text.get(own.start()..own.end()).unwrap_or_default();
    let envs = find_key(generator, "envs").and_then(|envs| generator.get(envs.text()?));
    let Some(list) = envs.and_then(|envs| envs.as_sequence()) else {
        edits.push(TextEdit::replace(span(key), "envs"));
        edits.push(TextEdit::replace(own, format!("[{name}]")));
        return;
    };
    let Some(last) = list.items.iter().last() else {
        return;
    };
    let end = span(&last.value).end();
    let added = match (list.style, last.start) {
        (CollectionStyle::Block, Some(dash)) => {
            let dash = dash as usize;
            let line = text[..dash].rfind('\n').map_or(0, |end| end + 1);
            format!("\n{}- {name}", " ".repeat(dash - line))
        }
        _ => format!(", {name}"),
    };
    edits.push(TextEdit::insert(end, added));
    // Remove the line of `env` with its line break.
    let line = text[..span(key).start()]
        .rfind('\n')
        .map_or(0, |end| end + 1);
    let is_own_line = text[line..span(key).start()].trim().is_empty();
    if is_own_line {
        let end = super::sections::line_end(text, own.end());
        edits.push(TextEdit::replace(crate::source::Span::new(line, end), ""));
    }
}
