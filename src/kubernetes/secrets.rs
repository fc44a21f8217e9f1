//! Hides the values of Secrets in everything that is printed about a run.
//!
//! A message quotes values, and an excerpt shows the lines around a mistake. Both end up in logs.
//! Before anything is printed, the files that it refers to are therefore searched again, by
//! structure:
//!
//! ```text
//! kind: Secret
//! stringData:
//!   config.json: |             the value, its lines and the values inside (`s3cret`)
//!     {"password": "s3cret"}
//! data:
//!   token: czNjcmV0            the value, and its decoded form
//!
//! secretGenerator:
//! - literals: [token=s3cret]   the text after the equals sign
//!
//! patches:
//! - target: {kind: Secret}
//!   patch: |                   the value of each operation, and the values of a merge patch
//!     - {op: add, path: /stringData/token, value: s3cret}
//!
//! replacements:
//! - sourceValue: s3cret        the value, and the text of a template
//!   targets: [{select: {kind: Secret}, fieldPaths: [stringData.token]}]
//! ```
//!
//! Values created by a template or a generator are in no file. These steps record their texts
//! ([`keep_secrets`]).
//!
//! Places are not hidden: file, line, object and key. A run without messages searches nothing.

mod mask;
mod search;

use std::sync::Arc;

use self::mask::Mask;
use self::search::{SecretSearch, may_be_secret, parse_text};
use crate::edit::{decode_base64, encode_base64, parse_as};
use crate::source::{Diagnostics, Location, Source, Span};
use crate::yaml::{Content, Node};

/// The annotation in which `kubectl apply` stores the whole object.
const LAST_APPLIED: &str = "kubectl.kubernetes.io/last-applied-configuration";

/// The maximum nesting of documents in values that are searched.
const DEPTH: usize = 8;

/// Hides every value of a Secret in the messages of a run, and in their excerpts.
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
        add_kept(location.source.slice(location.span), &mut mask);
    }
    let own = diagnostics.as_slice().iter();
    let own = own.flat_map(|diagnostic| &diagnostic.secret_texts);
    for text in diagnostics.secret_texts().iter().chain(own) {
        add_kept(text, &mut mask);
    }
    for file in &files {
        for span in secret_spans(file, &mut mask) {
            file.hide(span);
        }
    }
    for diagnostic in diagnostics.as_slice() {
        for label in &diagnostic.labels {
            hide_in_excerpt(&label.location.in_file(), &mask);
        }
    }
    for diagnostic in diagnostics.as_mut_slice() {
        mask.apply(&mut diagnostic.message);
        diagnostic
            .notes
            .iter_mut()
            .for_each(|note| mask.apply(note));
        diagnostic.help.iter_mut().for_each(|help| mask.apply(help));
        // A remedy with a masked text cannot be applied, so drop it.
        diagnostic.remedies.retain(|remedy| {
            let mut text = remedy.text().to_owned();
            mask.apply(&mut text);
            text == remedy.text()
        });
        for label in &mut diagnostic.labels {
            mask.apply(&mut label.text);
        }
    }
}

/// Records the values of the Secrets in a tree as secret. They need not be in any file.
pub fn keep_secrets(root: &Arc<Node>, diagnostics: &mut Diagnostics) {
    let mut keep = |text: &str, _| diagnostics.keep_secret_text(text);
    SecretSearch::new(&mut keep).visit(root);
}

/// Records the values of a patch in a file of its own as secret if its target, with the kind `kind`,
/// may be a Secret. The file alone does not show that.
pub fn keep_secrets_of_patch(
    source: &Arc<Source>,
    kind: Option<&str>,
    diagnostics: &mut Diagnostics,
) {
    if !kind.is_none_or(may_be_secret)
        || !source.text().contains("data") && !source.text().contains("stringData")
    {
        return;
    }
    let mut keep = |text: &str, _| diagnostics.keep_secret_text(text);
    let mut found = SecretSearch::new(&mut keep);
    match parse_text(source) {
        Ok(stream) => {
            for document in &stream.documents {
                if document.root.resolved().as_scalar().is_none() {
                    found.patch(&document.root, kind);
                }
            }
        }
        Err(_) => found.hide_lines(source.text(), 0),
    }
    for span in found.spans {
        diagnostics.keep_secret(Location::new(source, span));
    }
}

/// Adds a text that a step recorded. It comes from a file or from an object, where it may be in
/// base64.
fn add_kept(text: &str, mask: &mut Mask) {
    add_text(text, DEPTH, mask);
    mask.add(&encode_base64(text, ""));
    if let Some(decoded) = decode_base64(text) {
        add_text(&decoded, DEPTH, mask);
    }
}

/// The number of lines that an excerpt may show before and after a label.
const EXCERPT_LINES: usize = 3;

/// Hides secret texts in the lines of an excerpt, regardless of the structure around them: for
/// example, a data value that a template writes into a Secret, or a second file with the same
/// password.
fn hide_in_excerpt(location: &Location, mask: &Mask) {
    let source = &location.source;
    let first = source.line(location.span.start());
    let last = source.line(location.span.end());
    let start = source.line_span(first.saturating_sub(EXCERPT_LINES).max(1));
    let end = source.line_span(last + EXCERPT_LINES);
    let shown = Span::new(start.start(), end.end());
    for span in mask.found_in(source.slice(shown)) {
        let start = shown.start() + span.start();
        source.hide(Span::new(start, start + span.len()));
    }
}

/// Marks the parts of a file that a diff or an excerpt must not show.
pub fn hide_secrets_of(source: &Arc<Source>) {
    for span in secret_spans(source, &mut Mask::default()) {
        source.hide(span);
    }
}

/// Returns the spans of secret values in a file, and adds their texts to `mask`.
fn secret_spans(source: &Arc<Source>, mask: &mut Mask) -> Vec<Span> {
    let text = source.text();
    if !may_have_secrets(text) && !text.contains("patch") {
        return Vec::new();
    }
    let mut keep = |text: &str, depth| add_text(text, depth, mask);
    let mut found = SecretSearch::new(&mut keep);
    match parse_text(source) {
        Ok(stream) => {
            for document in &stream.documents {
                found.visit(&document.root);
            }
        }
        // A file that cannot be parsed has no structure: each of its values may be a value of a
        // Secret.
        Err(_) if may_have_secrets(text) => found.hide_lines(text, 0),
        Err(_) => {}
    }
    found.spans
}

/// Returns whether a text contains a word that only values of Secrets need: a field of a Secret, a
/// generator of Secrets even if its name is misspelled, or an operation on `data`.
fn may_have_secrets(text: &str) -> bool {
    let words = ["Secret", "secretGen", "stringData"];
    words.iter().any(|word| text.contains(word)) || {
        let is_punctuation = |c: char| matches!(c, '"' | '\'' | ' ' | ':' | '\\');
        text.match_indices("/data/").any(|(start, _)| {
            let before = text[..start].trim_end_matches(is_punctuation);
            before.ends_with("path")
        })
    }
}

/// Adds a secret text, its lines, and the values inside it if it is a document.
///
/// A message about a broken document can quote any of its words:
///
/// ```text
/// {"password": s3cret          expected a value, found `s3cret`
/// ```
fn add_text(text: &str, depth: usize, mask: &mut Mask) {
    mask.add(text);
    let roots = roots_in(text);
    for line in text.lines() {
        let value = line.split_once('=').or_else(|| line.split_once(": "));
        mask.add(line.trim());
        mask.add(value.map_or("", |(_, value)| value.trim().trim_matches(['"', '\''])));
        if roots.is_none() {
            let value = value.map_or(line, |(_, value)| value);
            add_words(value, "", mask);
            add_words(value, "\"'`:;=()<>&*!|#\\", mask);
        }
    }
    if depth > 0 {
        for root in roots.iter().flatten() {
            add_values(root, depth - 1, mask);
        }
    }
}

/// Returns the roots of the documents in a text, except for one that is the text itself; `None` if
/// the text is a broken document.
fn roots_in(text: &str) -> Option<Vec<Arc<Node>>> {
    if !text.contains(['{', '[', '\n', ':']) {
        return Some(Vec::new());
    }
    let stream = parse_as(&Source::new("", text).ok()?, None).ok()?;
    let mut roots = Vec::with_capacity(stream.documents.len());
    for document in stream.documents {
        if document.root.text() != Some(text) {
            roots.push(document.root);
        }
    }
    Some(roots)
}

/// Adds the words of a text, which white space, brackets and the characters in `between` separate.
/// A word before a colon is a key, and keys are no secrets.
fn add_words(text: &str, between: &str, mask: &mut Mask) {
    let ends_word = |c: char| c.is_whitespace() || ",{}[]".contains(c) || between.contains(c);
    let mut rest = text;
    while !rest.is_empty() {
        let (word, after) = rest.split_at(rest.find(ends_word).unwrap_or(rest.len()));
        let next = after.trim_start_matches(['"', '\'', ' ']);
        if !word.ends_with(':') && !next.starts_with(':') {
            mask.add(word.trim_matches(['"', '\'', '`']));
        }
        rest = after.strip_prefix(ends_word).unwrap_or_default();
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
