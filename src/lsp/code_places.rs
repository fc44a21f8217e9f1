//! Finds the code in a whole file, and the data values that it names.
//!
//! A rename edits these places, so lines that only look like code are left out:
//!
//! ```yaml
//! port: #@ data.values.port          a comment: code
//! script: |
//!   echo #@ data.values.port         text of a scalar
//! note: "x\" #@ data.values.port"    text of a scalar
//! ```

use std::path::Path;

use super::code::{CodeReader, is_starlark, loads};
use crate::dialect::name_chains;
use crate::source::{Source, Span};
use crate::yaml::{Content, Node, Stream, parse};

/// A name of a data value in code.
pub(super) struct ValueUse {
    /// The keys that lead to it.
    pub(super) keys: Vec<String>,
    /// The span of the last key, without quotes.
    pub(super) span: Span,
}

/// Returns the spans of the code in a file, in order; `None` if it is not YAML.
pub(super) fn code_spans(path: &Path, text: &str) -> Option<Vec<Span>> {
    if is_starlark(path) {
        return Some(vec![Span::new(0, text.len())]);
    }
    let extension = path.extension().and_then(|extension| extension.to_str());
    if !matches!(extension, Some("yaml" | "yml")) {
        return Some(inserted(text, Span::new(0, text.len())));
    }
    let stream = parsed(path, text)?;
    let mut spans = Vec::new();
    for comment in comments_of(&stream, text) {
        spans.push(Span::new(comment.start() + 2, comment.end()));
    }
    if text.contains("yaml/text-templated-strings") {
        for document in &stream.documents {
            add_inserted(text, &document.root, &mut spans);
        }
        spans.sort_by_key(|span| span.start());
    }
    Some(spans)
}

/// Returns the comments with code in a YAML file, in order; `None` if it is not YAML.
pub(super) fn code_comments(path: &Path, text: &str) -> Option<Vec<Span>> {
    let extension = path.extension().and_then(|extension| extension.to_str());
    if !matches!(extension, Some("yaml" | "yml")) {
        return None;
    }
    Some(comments_of(&parsed(path, text)?, text))
}

fn parsed(path: &Path, text: &str) -> Option<Stream> {
    let source = Source::new(&*path.to_string_lossy(), text).ok()?;
    parse(&source).ok()
}

fn comments_of(stream: &Stream, text: &str) -> Vec<Span> {
    let is_code = |comment: &&Span| {
        let content = text.get(comment.range());
        content.is_some_and(|content| content.starts_with("#@"))
    };
    stream.comments.iter().filter(is_code).copied().collect()
}

/// Adds the code in the strings of a node. Recursive: the parser bounds the depth.
fn add_inserted(text: &str, node: &Node, spans: &mut Vec<Span>) {
    match &node.content {
        Content::Mapping(mapping) => {
            for entry in &mapping.entries {
                add_inserted(text, &entry.key, spans);
                add_inserted(text, &entry.value, spans);
            }
        }
        Content::Sequence(sequence) => {
            for item in &sequence.items {
                add_inserted(text, &item.value, spans);
            }
        }
        Content::Scalar(_) => {
            let origin = node.origin.as_ref();
            spans.extend(
                origin
                    .map(|origin| inserted(text, origin.span))
                    .into_iter()
                    .flatten(),
            );
        }
        Content::Alias(_) => {}
    }
}

/// Returns the code between `(@` and `@)` in a part of a text.
fn inserted(text: &str, part: Span) -> Vec<Span> {
    let mut spans = Vec::new();
    let mut at = part.start();
    while let Some(rest) = text.get(at..part.end())
        && let Some(open) = rest.find("(@")
        && let Some(length) = rest[open + 2..].find("@)")
    {
        let start = at + open + 2;
        spans.push(Span::new(start, start + length));
        at = start + length + 2;
    }
    spans
}

/// Returns every name of a data value in a file, and of the maps that contain it: for
/// `data.values.app.name` the names `app` and `app.name`. `None` if the file is not YAML.
pub(super) fn value_uses(path: &Path, text: &str) -> Option<Vec<ValueUse>> {
    let loads = loads(&CodeReader::new(path, text), text);
    let modules = loads.iter().filter(|load| load.path == "@ytt:data");
    let modules: Vec<&str> = modules
        .flat_map(|load| &load.symbols)
        .filter(|(_, symbol)| *symbol == "data")
        .map(|(local, _)| *local)
        .collect();
    let mut found = Vec::new();
    for code in code_spans(path, text)? {
        for chain in name_chains(text.get(code.range())?) {
            let [module, values, keys @ ..] = chain.names.as_slice() else {
                continue;
            };
            if values.text != "values" || !modules.contains(&module.text.as_str()) {
                continue;
            }
            for (index, key) in keys.iter().enumerate() {
                let above = keys[..=index].iter().map(|key| key.text.clone());
                let start = code.start() + key.span.start();
                found.push(ValueUse {
                    keys: above.collect(),
                    span: Span::new(start, start + key.span.len()),
                });
            }
        }
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn uses(path: &str, text: &str) -> Vec<String> {
        let text = format!("#@ load(\"@ytt:data\", d=\"data\")\n{text}");
        let uses = value_uses(Path::new(path), &text).unwrap_or_default();
        let texts = uses.iter().map(|found| {
            assert_eq!(&text[found.span.range()], found.keys[found.keys.len() - 1]);
            found.keys.join(".")
        });
        texts.collect()
    }

    #[test]
    fn only_code_names_data_values() {
        let none: [&str; 0] = [];
        assert_eq!(uses("a.yml", "a: #@ d.values.b"), ["b"]);
        assert_eq!(uses("a.yml", "a: |\n  echo #@ d.values.b\n"), none);
        assert_eq!(uses("a.yml", "a: \"x\\\" #@ d.values.b\"\n"), none);
        assert_eq!(
            uses("a.yml", "a: #@ 'it\\'s d.values.b' # d.values.c\n"),
            none
        );
        let subscript = "a: #@ d.values[\"b\"]['c-d'].e\n";
        assert_eq!(uses("a.yml", subscript), ["b", "b.c-d", "b.c-d.e"]);
        let templated = "#@yaml/text-templated-strings\na: x (@= d.values.b @)\n";
        assert_eq!(uses("a.yml", templated), ["b"]);
        assert_eq!(uses("a.yml", "a: x (@= d.values.b @)\n"), none);
        assert_eq!(uses("a.yml", "a: [ #@ d.values.b"), none, "no YAML");
        assert_eq!(uses("a.txt", "x (@= d.values.b @) d.values.c"), ["b"]);
    }
}
