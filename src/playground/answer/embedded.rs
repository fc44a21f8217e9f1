//! The documents inside the strings of a document, to any depth.
//!
//! ```text
//! data:
//!   app.json: '{"log": "level: debug\n"}'     data › app.json      json
//!                                               └ log              yaml
//! ```

use std::sync::Arc;

use serde::Serialize;

use crate::edit::{DocumentFormat, Encoding, StringDocument, decode_base64};
use crate::kubernetes::text_fields;
use crate::yaml::{Content, Node};

/// The maximum nesting of strings that are shown.
const DEPTH: usize = 6;

/// The maximum number of strings of one document that are opened.
const OPENED: usize = 500;

/// A string that contains a document.
#[derive(Debug, Serialize)]
pub(super) struct EmbeddedText {
    /// The keys that lead to the string, from the root of the document that contains it.
    path: Vec<String>,
    /// The name of the format.
    format: &'static str,
    /// The decoded text.
    text: String,
    /// The documents in the strings of this one.
    embedded: Vec<EmbeddedText>,
}

/// Returns the documents in the strings of `root`.
pub(super) fn embedded(root: &Arc<Node>) -> Vec<EmbeddedText> {
    let mut left = OPENED;
    below(root, DocumentFormat::YAML, DEPTH, &mut left)
}

fn below(
    root: &Arc<Node>,
    holder: DocumentFormat,
    depth: usize,
    left: &mut usize,
) -> Vec<EmbeddedText> {
    let fields = text_fields(root);
    let mut found = Vec::new();
    // A stack instead of recursion: documents may nest deeper than the stack of a thread.
    let mut open: Vec<(Vec<String>, &Arc<Node>)> = vec![(Vec::new(), root)];
    while let Some((path, node)) = open.pop() {
        match &node.content {
            Content::Mapping(mapping) => {
                let from = open.len();
                for entry in mapping.entries.iter() {
                    if let Some(key) = entry.key.text() {
                        let mut inner = path.clone();
                        inner.push(key.to_owned());
                        open.push((inner, &entry.value));
                    }
                }
                // The string that was pushed last is visited first.
                open[from..].reverse();
            }
            Content::Sequence(sequence) => {
                let from = open.len();
                for (at, item) in sequence.items.iter().enumerate() {
                    let mut inner = path.clone();
                    inner.push(at.to_string());
                    open.push((inner, &item.value));
                }
                open[from..].reverse();
            }
            Content::Scalar(_) if *left > 0 => {
                let keys: Vec<&str> = path.iter().map(String::as_str).collect();
                let encoding = fields.encoding(&keys).unwrap_or(Encoding::Plain);
                if let Some(text) = open_string(node, path, encoding, holder, depth, left) {
                    found.push(text);
                }
            }
            _ => {}
        }
    }
    found
}

/// Opens a string, if it looks like a document and is one.
fn open_string(
    node: &Arc<Node>,
    path: Vec<String>,
    encoding: Encoding,
    holder: DocumentFormat,
    depth: usize,
    left: &mut usize,
) -> Option<EmbeddedText> {
    let written = node.as_str()?;
    let text = match encoding {
        Encoding::Plain => written.to_owned(),
        Encoding::Base64 => decode_base64(written)?,
    };
    let key = path.last().map_or("", String::as_str);
    let format = DocumentFormat::of_text_under(key);
    if format.is_none() && !looks_like_a_document(&text) {
        return None;
    }
    *left -= 1;
    let document = StringDocument::open(node, encoding, holder, Some(key), format).ok()?;
    let root = document.root();
    let is_collection = root.as_mapping().is_some() || root.as_sequence().is_some();
    if !is_collection || root.is_empty_collection() {
        return None;
    }
    let embedded = match depth {
        0 => Vec::new(),
        _ => below(root, document.format(), depth - 1, left),
    };
    Some(EmbeddedText {
        path,
        format: document.format().name(),
        text,
        embedded,
    })
}

/// Returns whether a text is likely to be a document: JSON, or a line that could be an entry of
/// YAML.
fn looks_like_a_document(text: &str) -> bool {
    let trimmed = text.trim_start();
    trimmed.starts_with(['{', '[']) || (text.contains('\n') && text.contains(':'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Source;
    use crate::yaml::parse;

    fn found(text: &str) -> Vec<String> {
        let source = Source::new("x", text).unwrap();
        let stream = parse(&source).unwrap();
        let mut lines = Vec::new();
        list(&embedded(&stream.documents[0].root), "", &mut lines);
        lines
    }

    fn list(texts: &[EmbeddedText], indent: &str, lines: &mut Vec<String>) {
        for text in texts {
            lines.push(format!("{indent}{}: {}", text.path.join("/"), text.format));
            list(&text.embedded, &format!("{indent} "), lines);
        }
    }

    #[test]
    fn opens_strings_in_their_order_and_strings_in_strings() {
        let text = r#"
kind: ConfigMap
data:
  b.json: '{"inner": "x: 1\ny: 2\n", "port": 80}'
  a.yaml: |
    a: 1
  app.properties: |
    a=b
  note: just a text
"#;
        let expected = [
            "data/b.json: json",
            " inner: yaml",
            "data/a.yaml: yaml",
            "data/app.properties: properties",
        ];
        assert_eq!(found(text), expected);
    }

    #[test]
    fn decodes_the_data_of_a_secret() {
        let text = "kind: Secret\napiVersion: v1\ndata:\n  app.json: eyJhIjogMX0=\n  other: e30=\n";
        assert_eq!(found(text), ["data/app.json: json"]);
    }

    #[test]
    fn many_strings_end_somewhere() {
        let mut text = String::from("kind: X\nlist:\n");
        text.push_str(&"- '{\"a\": 1}'\n".repeat(OPENED + 100));
        assert_eq!(found(&text).len(), OPENED);
    }
}
