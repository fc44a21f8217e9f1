//! The search for values of Secrets in the trees of a file, and in the lines of a file that cannot
//! be parsed.

use std::collections::HashSet;
use std::sync::Arc;

use super::{DEPTH, LAST_APPLIED, may_have_secrets};
use crate::edit::{decode_base64, parse_as};
use crate::source::{Result, Source, Span};
use crate::yaml::spelling::text_source;
use crate::yaml::{Content, Entry, Mapping, Node, Sequence, Stream, parse_data};

/// A search for values of Secrets in trees.
pub(super) struct SecretSearch<'m> {
    /// The places of the values.
    pub(super) spans: Vec<Span>,
    /// Receives a secret text, and the maximum nesting of documents to search in it.
    keep: &'m mut dyn FnMut(&str, usize),
    /// The collections that were searched, because code may put one value into many places.
    searched: HashSet<*const Node>,
    /// The collections inside secret values that were searched.
    searched_values: HashSet<*const Node>,
}

impl<'m> SecretSearch<'m> {
    pub(super) fn new(keep: &'m mut dyn FnMut(&str, usize)) -> SecretSearch<'m> {
        SecretSearch {
            spans: Vec::new(),
            keep,
            searched: HashSet::new(),
            searched_values: HashSet::new(),
        }
    }

    /// Searches for Secrets and generators of Secrets, at any depth.
    pub(super) fn visit(&mut self, node: &Arc<Node>) {
        if node.as_scalar().is_none() && !self.searched.insert(Arc::as_ptr(node)) {
            return;
        }
        match &node.content {
            Content::Mapping(mapping) => {
                let kind = mapping.get("kind").and_then(|kind| kind.text());
                self.object(kind, node);
                if mapping.get("op").is_some() && mapping.get("path").is_some() {
                    self.operation(node, None);
                }
                if mapping.get("targets").is_some_and(selects_secrets) {
                    self.replacement(node);
                }
                for entry in mapping.entries.iter() {
                    self.field(entry, mapping, kind);
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

    /// Searches a field of `mapping`, which has the kind `kind`.
    fn field(&mut self, field: &Entry, mapping: &Mapping, kind: Option<&str>) {
        match field.key.text() {
            Some("patch") => return self.patch(&field.value, kind_of_target(mapping)),
            // The key may be misspelled: `secretGenerators`.
            Some(key) if key.starts_with("secretGen") => self.generators(&field.value),
            // An overlay or a patch without a kind, or one that changes the kind. No other object
            // has this field.
            Some("stringData") if kind != Some("Secret") => self.values(&field.value, false),
            _ => {}
        }
        self.visit(&field.value);
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
        self.each_scalar(value, &mut |search, scalar| {
            let Some(text) = scalar.text() else { return };
            (search.keep)(text, DEPTH);
            if is_base64 && let Some(decoded) = decode_base64(text) {
                (search.keep)(&decoded, DEPTH);
            }
        });
    }

    /// Calls `visit` with every scalar in a secret value. A collection that is in several values is
    /// searched once.
    fn each_scalar(&mut self, value: &Arc<Node>, visit: &mut dyn FnMut(&mut Self, &Node)) {
        let value = value.resolved();
        if value.as_scalar().is_some() {
            return visit(self, value);
        }
        if !self.searched_values.insert(Arc::as_ptr(value)) {
            return;
        }
        match &value.content {
            Content::Mapping(mapping) => {
                for entry in mapping.entries.iter() {
                    self.each_scalar(&entry.value, visit);
                }
            }
            Content::Sequence(sequence) => {
                for item in sequence.items.iter() {
                    self.each_scalar(&item.value, visit);
                }
            }
            _ => visit(self, value),
        }
    }

    /// Hides the values of a patch, which may be a text, for an object of the kind `kind` (unknown
    /// if the target has none).
    pub(super) fn patch(&mut self, patch: &Arc<Node>, kind: Option<&str>) {
        let patch = patch.resolved();
        match &patch.content {
            Content::Mapping(_) => self.merge_patch(patch, kind),
            Content::Sequence(list) => self.patches(list, kind),
            Content::Scalar(_) | Content::Alias(_) => self.patch_text(patch, kind),
        }
    }

    /// Hides the values of a merge patch. It need not repeat the kind of its target. If neither has
    /// one, its target is a name, which may be the name of a Secret.
    fn merge_patch(&mut self, patch: &Arc<Node>, kind: Option<&str>) {
        let has_kind = kind.is_some() || patch.get("kind").is_some();
        if !has_kind || kind.is_some_and(may_be_secret) {
            self.secret(patch);
        }
        self.visit(patch);
    }

    /// Hides the values of a list: the operations of a JSON patch, or merge patches with a kind.
    fn patches(&mut self, list: &Sequence, kind: Option<&str>) {
        for item in list.items.iter() {
            let item = item.value.resolved();
            if item.get("kind").is_some() {
                self.visit(item);
            } else {
                self.operation(item, kind);
            }
        }
    }

    /// Hides the values of a patch that is a text.
    fn patch_text(&mut self, patch: &Arc<Node>, kind: Option<&str>) {
        let Some(text) = patch.as_str() else { return };
        match parse_text(&text_source(patch)) {
            Ok(stream) => {
                for document in &stream.documents {
                    // A text in a text is not a patch.
                    if document.root.resolved().as_scalar().is_none() {
                        self.patch(&document.root, kind);
                    }
                }
            }
            Err(_) => {
                if kind.is_some_and(may_be_secret) || may_have_secrets(text) {
                    self.hide_lines_of(patch);
                }
            }
        }
    }

    /// Hides the value of an operation of a JSON patch, also under a misspelled name. Without the
    /// kind of its object, the path decides.
    fn operation(&mut self, operation: &Arc<Node>, kind: Option<&str>) {
        let path = operation
            .get("path")
            .and_then(|path| path.resolved().text());
        let first = path.map(|path| path.split('/').nth(1).unwrap_or(""));
        let is_secret = match (first, kind) {
            (Some("stringData"), _) => true,
            (_, Some(kind)) => may_be_secret(kind),
            (first, None) => matches!(first, None | Some("" | "data")),
        };
        if is_secret {
            for field in fields_except(operation, &["op", "path", "from"]) {
                self.hide(field.value.resolved());
                self.keep_texts(&field.value, true);
            }
        }
    }

    /// Hides the values that a replacement writes into a Secret: everything except the fields that
    /// say where it reads and writes.
    fn replacement(&mut self, replacement: &Arc<Node>) {
        for field in fields_except(replacement, &["path", "source", "sources", "targets"]) {
            self.hide(field.value.resolved());
            self.keep_texts(&field.value, true);
        }
    }

    /// Hides the input of each generator. An entry that is not a mapping is a mistake, and may be a
    /// literal.
    fn generators(&mut self, entries: &Arc<Node>) {
        let Some(entries) = entries.resolved().as_sequence() else {
            return self.input_scalar(entries);
        };
        for item in entries.items.iter() {
            self.generator(&item.value);
            self.input_scalar(&item.value);
        }
    }

    /// Hides the input of a generator that is a scalar, where a list or a mapping is expected.
    fn input_scalar(&mut self, value: &Arc<Node>) {
        if value.resolved().as_scalar().is_some() {
            self.input(value);
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
                self.input(&field.value);
                continue;
            }
            let entries = field.value.resolved().as_sequence();
            for entry in entries.iter().flat_map(|entries| entries.items.iter()) {
                for field in fields_except(&entry.value, &SHOWN_IN_MERGE_VALUES) {
                    self.input(&field.value);
                }
            }
        }
    }

    /// Hides the scalars in the input of a generator. Each may be `key=value`.
    fn input(&mut self, value: &Arc<Node>) {
        self.each_scalar(value, &mut |search, scalar| {
            search.hide(scalar);
            if let Some(text) = scalar.text() {
                let value = text.split_once('=').map_or(text, |(_, value)| value);
                (search.keep)(value, DEPTH);
            }
        });
    }

    /// Hides values in the document of a string: a patch or a template in a string may contain a
    /// Secret.
    fn document_in_string(&mut self, node: &Arc<Node>) {
        let Some(text) = node.as_str() else { return };
        let is_document = text.contains('\n') || text.trim_start().starts_with(['{', '[']);
        if !is_document || !(text.contains("Secret") || text.contains("stringData")) {
            return;
        }
        match parse_text(&text_source(node)) {
            Ok(stream) => {
                for document in &stream.documents {
                    // A text that is a single scalar has no structure.
                    if document.root.resolved().as_scalar().is_some() {
                        self.hide_lines_of(node);
                    } else {
                        self.visit(&document.root);
                    }
                }
            }
            Err(_) => self.hide_lines_of(node),
        }
    }

    /// Hides the values in the lines of a string that has no structure.
    fn hide_lines_of(&mut self, node: &Node) {
        if let Some(location) = node.location() {
            let file = location.in_file();
            self.hide_lines(file.source.slice(file.span), file.span.start());
        }
    }

    /// Hides the bytes of a value.
    fn hide(&mut self, value: &Node) {
        if let Some(location) = value.location() {
            self.spans.push(location.in_file().span);
        }
    }

    /// Hides the text after the key on each line, and lines without a key.
    pub(super) fn hide_lines(&mut self, text: &str, start: usize) {
        const SHOWN: [&str; 6] = [
            "apiVersion",
            "kind",
            "name",
            "namespace",
            "metadata",
            "type",
        ];
        let mut offset = start;
        // The indentation of the field of values that contains the line. A field in flow style may
        // end anywhere, so it is taken to contain the rest: 0 is less than any indentation.
        let mut values: Option<usize> = None;
        for line in text.split_inclusive('\n') {
            let content = line.trim_end();
            let key_end = key_end(content);
            let key = content[..key_end].trim_matches(|c: char| !c.is_alphanumeric());
            let value = content[key_end..].trim();
            // The rest of a line in flow style has further keys: `{kind: Secret, stringData: {…`.
            let indent = content.len() - content.trim_start().len() + 1;
            if !content.is_empty() && values.is_some_and(|outer| indent <= outer) {
                values = None;
            }
            // Keys inside the field are names that the user chose, such as `name`.
            let is_inside = values.is_some();
            let is_field = |word: &str| matches!(word, "data" | "stringData");
            if !is_inside && is_field(key) && value.is_empty() {
                values = Some(indent);
            } else if !is_inside && content.split(|c: char| !c.is_alphanumeric()).any(is_field) {
                values = Some(0);
            }
            let is_shown = SHOWN.contains(&key) && !is_inside && !value.contains([',', '{', '[']);
            if !is_shown && !value.is_empty() && !matches!(value, "|" | "|-" | ">" | "---") {
                self.spans
                    .push(Span::new(offset + key_end, offset + content.len()));
                (self.keep)(value.trim_matches(['"', '\'']), 0);
            }
            offset += line.len();
        }
    }
}

/// Parses a text that may contain values of Secrets, in the format that it looks like, or else as
/// YAML.
///
/// # Errors
/// Fails for a text without structure. Then each of its lines may be a value of a Secret.
pub(super) fn parse_text(source: &Arc<Source>) -> Result<Stream> {
    parse_as(source, None).or_else(|_| parse_data(source))
}

/// Returns where the key of a line ends, with its colon or equals sign; 0 if there is no key.
///
/// A line of a value may look like one. The end of base64 is not the sign after a key, and neither
/// is the colon in `user:password`:
///
/// ```text
/// password: s3cret    "password":"s3cret"    password=s3cret    a key
/// czNjcmV0LXZhbHU=    user:s3cret    s3cret, next: 1            none
/// ```
fn key_end(line: &str) -> usize {
    let Some(end) = line.find([':', '=']) else {
        return 0;
    };
    let (key, rest) = (&line[..end], &line[end + 1..]);
    // In flow style, and in a text of several words, the value of an earlier key may come first.
    let word = key.trim_matches(|c: char| !c.is_alphanumeric());
    if word.contains([',', '{', '}', '[', ']', ' ']) {
        return 0;
    }
    let is_key = match line.as_bytes().get(end) {
        Some(b'=') => !rest.trim_start_matches('=').is_empty(),
        _ => rest.is_empty() || rest.starts_with([' ', '\t']) || key.ends_with(['"', '\'']),
    };
    if is_key { end + 1 } else { 0 }
}

/// Returns the kind in the target of a patch.
fn kind_of_target(patch: &Mapping) -> Option<&str> {
    let kind = patch.get("target")?.resolved().get("kind")?;
    kind.resolved().text()
}

/// Returns whether a kind in a target, which may be a pattern, may select Secrets.
pub(super) fn may_be_secret(kind: &str) -> bool {
    kind.contains("Secret") || !kind.chars().all(char::is_alphanumeric)
}

/// Returns whether some target of a replacement may be a Secret. Without a kind, the field paths
/// decide.
fn selects_secrets(targets: &Arc<Node>) -> bool {
    let targets = targets.resolved().as_sequence();
    let mut targets = targets.iter().flat_map(|targets| &targets.items);
    targets.any(|target| {
        let target = target.value.resolved();
        let kind = target.get_in(&["select", "kind"]);
        match kind.and_then(|kind| kind.resolved().text()) {
            Some(kind) => may_be_secret(kind),
            None => writes_secret_fields(target),
        }
    })
}

/// Returns whether a field path of a target leads to the values of a Secret.
fn writes_secret_fields(target: &Node) -> bool {
    let paths = target.get("fieldPaths");
    let paths = paths.and_then(|paths| paths.resolved().as_sequence());
    let mut paths = paths.iter().flat_map(|paths| &paths.items);
    paths.any(|path| {
        let path = path.value.resolved().text().unwrap_or("");
        path.starts_with("data.") || path.starts_with("stringData")
    })
}

/// Returns the fields of a mapping that do not have one of the names `shown`.
fn fields_except<'n>(mapping: &'n Arc<Node>, shown: &'n [&str]) -> impl Iterator<Item = &'n Entry> {
    let fields = mapping.resolved().as_mapping();
    let fields = fields.into_iter().flat_map(|fields| fields.entries.iter());
    fields.filter(|field| !field.key.text().is_some_and(|key| shown.contains(&key)))
}
