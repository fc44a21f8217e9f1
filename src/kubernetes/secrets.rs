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
//! ```
//!
//! Values created by a template or a generator are in no file. These steps record their texts
//! ([`keep_secrets`]).
//!
//! Places are not hidden: file, line, object and key. A run without messages searches nothing.

mod mask;

use std::collections::HashSet;
use std::sync::Arc;

use self::mask::Mask;
use crate::edit::{decode_base64, encode_base64, parse_as};
use crate::source::{Diagnostics, Location, Source, Span};
use crate::yaml::{Content, Entry, Node, parse_data};

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
    Found::new(&mut keep).visit(root);
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
    // These words cover the fields of a Secret, and misspelled names of its generators.
    if !["Secret", "secretGen", "stringData"]
        .iter()
        .any(|word| text.contains(word))
    {
        return Vec::new();
    }
    let mut keep = |text: &str, depth| add_text(text, depth, mask);
    let mut found = Found::new(&mut keep);
    match parse_as(source, None).or_else(|_| parse_data(source)) {
        Ok(stream) => {
            for document in &stream.documents {
                found.visit(&document.root);
            }
        }
        // A file that cannot be parsed has no structure: each of its values may be a value of a
        // Secret.
        Err(_) => found.hide_lines(text, 0),
    }
    found.spans
}

struct Found<'m> {
    spans: Vec<Span>,
    /// Receives a secret text, and the maximum nesting of documents to search in it.
    keep: &'m mut dyn FnMut(&str, usize),
    /// The collections that were searched, because code may put one value into many places.
    searched: HashSet<*const Node>,
    /// The collections inside secret values that were searched.
    given: HashSet<*const Node>,
}

impl<'m> Found<'m> {
    fn new(keep: &'m mut dyn FnMut(&str, usize)) -> Found<'m> {
        Found {
            spans: Vec::new(),
            keep,
            searched: HashSet::new(),
            given: HashSet::new(),
        }
    }

    /// Searches for Secrets and generators of Secrets, at any depth.
    fn visit(&mut self, node: &Arc<Node>) {
        if node.as_scalar().is_none() && !self.searched.insert(Arc::as_ptr(node)) {
            return;
        }
        match &node.content {
            Content::Mapping(mapping) => {
                let kind = mapping.get("kind").and_then(|kind| kind.text());
                self.object(kind, node);
                for entry in mapping.entries.iter() {
                    match entry.key.text() {
                        // The key may be misspelled: `secretGenerators`.
                        Some(key) if key.starts_with("secretGen") => self.generators(&entry.value),
                        // An overlay or a patch without a kind, or one that changes the kind. No
                        // other object has this field.
                        Some("stringData") if kind != Some("Secret") => {
                            self.values(&entry.value, false);
                        }
                        _ => {}
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

    /// Hides the values of an object if it is a Secret, a list of Secrets, or a generator of
    /// Secrets.
    fn object(&mut self, kind: Option<&str>, node: &Arc<Node>) {
        match kind {
            Some("Secret") => self.secret(node),
            Some("SecretGenerator") => self.generator(node),
            // The items of this list need no kind.
            Some("SecretList") => {
                let items = node.get("items").map(|items| items.resolved());
                let items = items.and_then(|items| items.as_sequence());
                for item in items.iter().flat_map(|items| items.items.iter()) {
                    self.secret(item.value.resolved());
                }
            }
            _ => {}
        }
    }

    /// Hides the values of a Secret, also in the annotation in which `kubectl apply` repeats them.
    fn secret(&mut self, secret: &Arc<Node>) {
        // Everything else may be a misspelled field with values: `stringdata`.
        const SHOWN: [&str; 5] = ["apiVersion", "immutable", "kind", "metadata", "type"];
        for field in fields_except(secret, &SHOWN) {
            let name = field.key.text().unwrap_or_default();
            // The directives of a patch contain words, which must not be hidden elsewhere:
            // `$patch: delete`.
            if !name.starts_with('$') {
                self.values(&field.value, name != "stringData");
            }
        }
        if let Some(applied) = secret.get_in(&["metadata", "annotations", LAST_APPLIED]) {
            self.hide(applied);
        }
    }

    /// Hides every value of a field of a Secret. The field may be malformed, which may be the
    /// reason for the message: `stringData: [s3cret]`.
    fn values(&mut self, values: &Arc<Node>, is_base64: bool) {
        let values = values.resolved();
        match values.as_mapping() {
            Some(mapping) => {
                for entry in mapping.entries.iter() {
                    self.hide(entry.value.resolved());
                    self.keep_texts(&entry.value, is_base64);
                }
            }
            None => {
                self.hide(values);
                self.keep_texts(values, is_base64);
            }
        }
    }

    /// Records the texts in a value as secret.
    fn keep_texts(&mut self, value: &Arc<Node>, is_base64: bool) {
        let value = value.resolved();
        if value.as_scalar().is_none() && !self.given.insert(Arc::as_ptr(value)) {
            return;
        }
        match &value.content {
            Content::Mapping(mapping) => {
                for entry in mapping.entries.iter() {
                    self.keep_texts(&entry.value, is_base64);
                }
            }
            Content::Sequence(sequence) => {
                for item in sequence.items.iter() {
                    self.keep_texts(&item.value, is_base64);
                }
            }
            _ => {
                let Some(text) = value.text() else { return };
                (self.keep)(text, DEPTH);
                if is_base64 && let Some(decoded) = decode_base64(text) {
                    (self.keep)(&decoded, DEPTH);
                }
            }
        }
    }

    fn generators(&mut self, entries: &Arc<Node>) {
        if let Some(entries) = entries.resolved().as_sequence() {
            for item in entries.items.iter() {
                self.generator(&item.value);
            }
        }
    }

    /// Hides the input of a generator: everything except the fields that contain no values, because
    /// a mistake in the name or the form of `literals` must not print them.
    fn generator(&mut self, generator: &Arc<Node>) {
        const SHOWN: [&str; 11] = [
            "apiVersion",
            "behavior",
            "env",
            "envs",
            "files",
            "kind",
            "metadata",
            "name",
            "namespace",
            "options",
            "type",
        ];
        // These entries say how to merge values, and contain none themselves.
        const SHOWN_IN_MERGE_VALUES: [&str; 4] = ["format", "key", "lists", "nulls"];
        for field in fields_except(generator, &SHOWN) {
            if field.key.text() != Some("mergeValues") {
                self.given(&field.value);
                continue;
            }
            let entries = field.value.resolved().as_sequence();
            for entry in entries.iter().flat_map(|entries| entries.items.iter()) {
                for field in fields_except(&entry.value, &SHOWN_IN_MERGE_VALUES) {
                    self.given(&field.value);
                }
            }
        }
    }

    /// Hides the scalars of a value, each of which may be `key=value`.
    fn given(&mut self, value: &Arc<Node>) {
        let value = value.resolved();
        if value.as_scalar().is_none() && !self.given.insert(Arc::as_ptr(value)) {
            return;
        }
        match &value.content {
            Content::Mapping(mapping) => {
                for entry in mapping.entries.iter() {
                    self.given(&entry.value);
                }
            }
            Content::Sequence(sequence) => {
                for item in sequence.items.iter() {
                    self.given(&item.value);
                }
            }
            _ => {
                self.hide(value);
                if let Some(text) = value.text() {
                    let value = text.split_once('=').map_or(text, |(_, value)| value);
                    (self.keep)(value, DEPTH);
                }
            }
        }
    }

    /// Hides values in the document of a string: a patch or a template in a string may contain a
    /// Secret.
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

    /// Hides the text after the key on each line, and lines without a key.
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
        // The indentation of a field whose lines below are all values, also one with the key `name`.
        let mut values_below: Option<usize> = None;
        for line in text.split_inclusive('\n') {
            let content = line.trim_end();
            let indentation = content.len() - content.trim_start().len();
            if !content.is_empty() && values_below.is_some_and(|outer| indentation <= outer) {
                values_below = None;
            }
            let key_end = key_end(content);
            let key = content[..key_end].trim_matches(|c: char| !c.is_alphanumeric());
            let value = content[key_end..].trim();
            // The rest of a line in flow style has further keys: `{kind: Secret, stringData: {…`.
            let is_shown =
                SHOWN.contains(&key) && values_below.is_none() && !value.contains([',', '{', '[']);
            if matches!(key, "data" | "stringData") && values_below.is_none() {
                values_below = Some(indentation);
            }
            if !is_shown && !value.is_empty() && !matches!(value, "|" | "|-" | ">" | "---") {
                self.spans
                    .push(Span::new(offset + key_end, offset + content.len()));
                (self.keep)(value.trim_matches(['"', '\'']), 0);
            }
            offset += line.len();
        }
    }
}

/// Returns where the key of a line ends, with its colon or equals sign; 0 if there is no key.
///
/// A line of a value may look like one. The end of base64 is not the sign after a key, and neither
/// is the colon in `user:password`:
///
/// ```text
/// password: s3cret    "password":"s3cret"    password=s3cret    a key
/// czNjcmV0LXZhbHU=    user:s3cret                               none
/// ```
fn key_end(line: &str) -> usize {
    let Some(end) = line.find([':', '=']) else {
        return 0;
    };
    let (key, rest) = (&line[..end], &line[end + 1..]);
    let is_key = match line.as_bytes().get(end) {
        Some(b'=') => !rest.trim_start_matches('=').is_empty(),
        _ => rest.is_empty() || rest.starts_with([' ', '\t']) || key.ends_with(['"', '\'']),
    };
    if is_key { end + 1 } else { 0 }
}

/// Returns the fields of a mapping that do not have one of the names `shown`.
fn fields_except<'n>(mapping: &'n Arc<Node>, shown: &'n [&str]) -> impl Iterator<Item = &'n Entry> {
    let fields = mapping.resolved().as_mapping();
    let fields = fields.into_iter().flat_map(|fields| fields.entries.iter());
    fields.filter(|field| !field.key.text().is_some_and(|key| shown.contains(&key)))
}

/// Adds a secret text, its lines, and the values inside it if it is a document.
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
