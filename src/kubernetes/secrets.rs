//! Hides the values of Secrets in what is printed about a run.
//!
//! A message quotes values, and an excerpt shows the lines around a mistake. Both end up in logs. So
//! before anything is printed, the files that it is about are searched once more, by structure:
//!
//! ```text
//! kind: Secret
//! stringData:
//!   config.json: |             the value, its lines and the values inside (`s3cret`)
//!     {"password": "s3cret"}
//! data:
//!   token: czNjcmV0            the value, and what it decodes to
//!
//! secretGenerator:
//! - literals: [token=s3cret]   what is behind the equals sign
//! ```
//!
//! Places stay: which file, line, object and key. A run without messages searches nothing.

mod mask;

use std::sync::Arc;

use self::mask::Mask;
use crate::edit::{decode_base64, parse_as};
use crate::source::{Diagnostics, Source, Span};
use crate::yaml::{Content, Node, parse_data};

/// The annotation in which `kubectl apply` keeps the whole object.
const LAST_APPLIED: &str = "kubectl.kubernetes.io/last-applied-configuration";

/// How deep documents in values are searched.
const DEPTH: usize = 8;

/// Hides every value of a Secret in the messages of a run, and in the excerpts that they show.
pub fn hide_secrets(diagnostics: &mut Diagnostics) {
    if diagnostics.as_slice().is_empty() {
        return;
    }
    let mut files: Vec<Arc<Source>> = diagnostics.watched().to_vec();
    for diagnostic in diagnostics.as_slice() {
        for label in &diagnostic.labels {
            files.push(label.location.in_file().source);
        }
    }
    files.sort_by_key(|file| Arc::as_ptr(file).addr());
    files.dedup_by(|one, other| Arc::ptr_eq(one, other));
    let mut mask = Mask::default();
    for location in diagnostics.secrets() {
        let file = location.in_file();
        file.source.hide(file.span);
        add_text(location.source.slice(location.span), DEPTH, &mut mask);
    }
    for file in &files {
        for span in secret_spans(file, &mut mask) {
            file.hide(span);
        }
    }
    for diagnostic in diagnostics.as_mut_slice() {
        mask.apply(&mut diagnostic.message);
        diagnostic
            .notes
            .iter_mut()
            .for_each(|note| mask.apply(note));
        diagnostic.help.iter_mut().for_each(|help| mask.apply(help));
        for label in &mut diagnostic.labels {
            mask.apply(&mut label.text);
        }
    }
}

/// Marks what a diff or an excerpt of a file must not show.
pub fn hide_secrets_of(source: &Arc<Source>) {
    for span in secret_spans(source, &mut Mask::default()) {
        source.hide(span);
    }
}

/// Returns the spans of secret values in a file, and adds their texts to `mask`.
fn secret_spans(source: &Arc<Source>, mask: &mut Mask) -> Vec<Span> {
    let text = source.text();
    if !text.contains("Secret") && !text.contains("secretGenerator") {
        return Vec::new();
    }
    let mut found = Found {
        spans: Vec::new(),
        mask,
    };
    match parse_as(source, None).or_else(|_| parse_data(source)) {
        Ok(stream) => {
            for document in &stream.documents {
                found.visit(&document.root);
            }
        }
        // What cannot be parsed has no structure: every value of the file may be one of a Secret.
        Err(_) => found.hide_lines(text, 0),
    }
    found.spans
}

struct Found<'m> {
    spans: Vec<Span>,
    mask: &'m mut Mask,
}

impl Found<'_> {
    /// Looks for Secrets, and for generators of Secrets, at any depth.
    fn visit(&mut self, node: &Arc<Node>) {
        match &node.content {
            Content::Mapping(mapping) => {
                let kind = mapping.get("kind").and_then(|kind| kind.text());
                match kind {
                    Some("Secret") => self.secret(node),
                    Some("SecretGenerator") => self.generator(node),
                    _ => {}
                }
                for entry in mapping.entries.iter() {
                    if entry.key.text() == Some("secretGenerator")
                        && let Some(entries) = entry.value.resolved().as_sequence()
                    {
                        for item in entries.items.iter() {
                            self.generator(&item.value);
                        }
                    }
                    self.visit(&entry.value);
                }
            }
            Content::Sequence(sequence) => {
                for item in sequence.items.iter() {
                    self.visit(&item.value);
                }
            }
            _ => self.document_in_string(node),
        }
    }

    fn secret(&mut self, secret: &Arc<Node>) {
        for (field, is_base64) in [("data", true), ("stringData", false)] {
            let values = secret
                .get(field)
                .and_then(|values| values.resolved().as_mapping().cloned());
            for entry in values.iter().flat_map(|values| values.entries.iter()) {
                let value = entry.value.resolved();
                self.hide(value);
                if let Some(text) = value.text() {
                    add_text(text, DEPTH, self.mask);
                    if is_base64 && let Some(decoded) = decode_base64(text) {
                        add_text(&decoded, DEPTH, self.mask);
                    }
                }
            }
        }
        if let Some(applied) = secret.get_in(&["metadata", "annotations", LAST_APPLIED]) {
            self.hide(applied);
        }
    }

    fn generator(&mut self, generator: &Arc<Node>) {
        let literals = generator
            .get("literals")
            .and_then(|list| list.resolved().as_sequence().cloned());
        for item in literals.iter().flat_map(|list| list.items.iter()) {
            self.hide(item.value.resolved());
            if let Some(text) = item.value.text() {
                add_text(
                    text.split_once('=').map_or(text, |(_, value)| value),
                    DEPTH,
                    self.mask,
                );
            }
        }
    }

    /// A patch or a template in a string may contain a Secret.
    fn document_in_string(&mut self, node: &Arc<Node>) {
        let Some(text) = node.as_str() else { return };
        if text.contains('\n')
            && (text.contains("Secret") || text.contains("stringData"))
            && let Some(location) = node.location()
        {
            let file = location.in_file();
            self.hide_lines(file.source.slice(file.span), file.span.start());
        }
    }

    fn hide(&mut self, value: &Node) {
        if let Some(location) = value.location() {
            self.spans.push(location.in_file().span);
        }
    }

    /// Hides what is behind the key of each line.
    fn hide_lines(&mut self, text: &str, start: usize) {
        const SHOWN: [&str; 6] = [
            "apiVersion",
            "kind",
            "name",
            "namespace",
            "metadata",
            "type",
        ];
        let mut offset = start;
        for line in text.split_inclusive('\n') {
            let content = line.trim_end();
            let key_end = content.find([':', '=']).map_or(0, |end| end + 1);
            let key = content[..key_end].trim_matches(|c: char| !c.is_alphanumeric());
            let value = content[key_end..].trim();
            if !SHOWN.contains(&key)
                && !value.is_empty()
                && !matches!(value, "|" | "|-" | ">" | "---")
            {
                self.spans
                    .push(Span::new(offset + key_end, offset + content.len()));
                add_text(value.trim_matches(['"', '\'']), 0, self.mask);
            }
            offset += line.len();
        }
    }
}

/// Adds a secret text, its lines, and the values in the document that it may be.
fn add_text(text: &str, depth: usize, mask: &mut Mask) {
    mask.add(text);
    if text.contains('\n') {
        for line in text.lines() {
            mask.add(line.trim());
            let value = line.split_once('=').or_else(|| line.split_once(": "));
            mask.add(value.map_or("", |(_, value)| value.trim().trim_matches(['"', '\''])));
        }
    }
    if depth > 0
        && text.contains(['{', '[', '\n', ':'])
        && let Ok(source) = Source::new("", text)
        && let Ok(stream) = parse_as(&source, None)
    {
        for document in &stream.documents {
            add_values(&document.root, depth - 1, mask);
        }
    }
}

fn add_values(node: &Arc<Node>, depth: usize, mask: &mut Mask) {
    match &node.content {
        Content::Mapping(mapping) => {
            for entry in mapping.entries.iter() {
                add_values(&entry.value, depth, mask);
            }
        }
        Content::Sequence(sequence) => {
            for item in sequence.items.iter() {
                add_values(&item.value, depth, mask);
            }
        }
        _ => {
            if let Some(text) = node.text() {
                add_text(text, depth, mask);
            }
        }
    }
}
