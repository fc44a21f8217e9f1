//! The fields in which two versions of an object differ, including fields inside strings.
//!
//! If a string contains a document in both versions, the fields of the documents are compared like
//! those of the object. Objects are compared without aliases, so the work is limited by their size.

use std::collections::HashMap;
use std::sync::Arc;

use super::document::ObjectVersion;
use super::hidden_spans::HiddenSpans;
use super::path::Step;
use super::sequence;
use crate::edit::{DocumentFormat, Documents, Encoding, TextFields, decode_base64};
use crate::kubernetes::text_fields;
use crate::source::{Result, Source};
use crate::yaml::{Content, Mapping, Node, expand};

/// The maximum nesting of documents in strings that are compared. Deeper ones are compared as text.
const DEPTH: usize = 8;

/// A field that differs.
#[derive(Clone, Debug)]
pub(super) struct FieldChange {
    pub(super) path: Vec<Step>,
    pub(super) kind: ChangeKind,
}

/// The kind of a change.
#[derive(Clone, Debug)]
pub(super) enum ChangeKind {
    Added(ShownValue),
    Removed(ShownValue),
    Changed(ShownValue, ShownValue),
    /// The items of a list moved, or the keys of a mapping whose key order is significant.
    Reordered,
    /// The document in a string is written differently, but all of its values are the same.
    Layout(DocumentFormat),
}

/// A value, or a mark for a value that must not be shown.
#[derive(Clone, Debug)]
pub(super) enum ShownValue {
    Node(Arc<Node>),
    Hidden,
}

/// Returns the fields that differ, in the order of the object.
pub(super) fn compare(before: &ObjectVersion<'_>, after: &ObjectVersion<'_>) -> Vec<FieldChange> {
    let mut comparer = Comparer {
        changes: Vec::new(),
        path: Vec::new(),
        text_fields: text_fields(&after.root),
        object_path: Some(Vec::new()),
        before_hidden: &before.hidden,
        after_hidden: &after.hidden,
        depth: 0,
    };
    comparer.nodes(&before.root, &after.root);
    comparer.changes
}

struct Comparer<'h> {
    changes: Vec<FieldChange>,
    path: Vec<Step>,
    text_fields: TextFields,
    /// The keys from the root of the object; `None` inside a string.
    object_path: Option<Vec<String>>,
    before_hidden: &'h HiddenSpans,
    after_hidden: &'h HiddenSpans,
    /// The number of enclosing strings that were opened.
    depth: usize,
}

impl Comparer<'_> {
    /// Compares two values. The recursion is safe because the parser limits the depth.
    fn nodes(&mut self, before: &Arc<Node>, after: &Arc<Node>) {
        match (&before.content, &after.content) {
            (Content::Mapping(before), Content::Mapping(after)) => self.mappings(before, after),
            (Content::Sequence(before), Content::Sequence(after)) => {
                let paired = sequence::pair(&before.items, &after.items);
                if paired.is_reordered {
                    self.push(ChangeKind::Reordered);
                }
                for pair in paired.pairs {
                    self.child(pair.step, pair.before, pair.after);
                }
            }
            _ if before.value() == after.value() && before.value().is_some() => {}
            _ => self.values(before, after),
        }
    }

    fn mappings(&mut self, before: &Mapping, after: &Mapping) {
        let mut left: HashMap<&str, &Arc<Node>> = HashMap::with_capacity(before.entries.len());
        for entry in &before.entries {
            left.insert(entry.key.text().unwrap_or_default(), &entry.value);
        }
        let mut new: HashMap<&str, ()> = HashMap::with_capacity(after.entries.len());
        for entry in &after.entries {
            let key = entry.key.text().unwrap_or_default();
            new.insert(key, ());
            self.child(
                Step::Key(key.to_owned()),
                left.get(key).copied(),
                Some(&entry.value),
            );
        }
        for entry in &before.entries {
            let key = entry.key.text().unwrap_or_default();
            if !new.contains_key(key) {
                self.child(Step::Key(key.to_owned()), Some(&entry.value), None);
            }
        }
    }

    /// Compares the values of one entry or item.
    fn child(&mut self, step: Step, before: Option<&Arc<Node>>, after: Option<&Arc<Node>>) {
        if let Some(path) = &mut self.object_path {
            path.push(match &step {
                Step::Key(key) => key.clone(),
                Step::Named(_) | Step::Index(_) => crate::edit::ITEM.to_owned(),
            });
        }
        self.path.push(step);
        match (before, after) {
            (Some(before), Some(after)) => self.nodes(before, after),
            (Some(before), None) => {
                let before = self.shown(before, self.before_hidden);
                self.push(ChangeKind::Removed(before));
            }
            (None, Some(after)) => {
                let after = self.shown(after, self.after_hidden);
                self.push(ChangeKind::Added(after));
            }
            (None, None) => {}
        }
        self.path.pop();
        if let Some(path) = &mut self.object_path {
            path.pop();
        }
    }

    /// Compares two values, at least one of which is a scalar.
    fn values(&mut self, before: &Arc<Node>, after: &Arc<Node>) {
        let (old, new) = (
            self.shown(before, self.before_hidden),
            self.shown(after, self.after_hidden),
        );
        let is_shown = matches!((&old, &new), (ShownValue::Node(_), ShownValue::Node(_)));
        if is_shown && self.depth < DEPTH && self.documents(before, after) {
            return;
        }
        self.push(ChangeKind::Changed(old, new));
    }

    /// Compares the documents in two strings. Returns false if one of them contains none.
    fn documents(&mut self, before: &Node, after: &Node) -> bool {
        let encoding = self.encoding();
        let key = match self.path.last() {
            Some(Step::Key(key)) => key.clone(),
            _ => String::new(),
        };
        let (Some(before), Some(after)) =
            (open(before, &key, encoding), open(after, &key, encoding))
        else {
            return false;
        };
        if before.roots.len() != after.roots.len() {
            return false;
        }
        let changes = self.changes.len();
        let is_several = after.roots.len() > 1;
        let object_path = self.object_path.take();
        self.depth += 1;
        for (index, (before, after)) in before.roots.iter().zip(&after.roots).enumerate() {
            if is_several {
                self.path.push(Step::Index(index));
            }
            self.nodes(before, after);
            if is_several {
                self.path.pop();
            }
        }
        self.depth -= 1;
        self.object_path = object_path;
        if self.changes.len() == changes {
            self.push(ChangeKind::Layout(after.format));
        }
        true
    }

    /// Returns the encoding of the string at the current path.
    fn encoding(&self) -> Encoding {
        let Some(path) = &self.object_path else {
            return Encoding::Plain;
        };
        let path: Vec<&str> = path.iter().map(String::as_str).collect();
        self.text_fields.encoding(&path).unwrap_or(Encoding::Plain)
    }

    /// Returns the printable form of a value. A string with a hidden part is hidden as a whole and
    /// was not opened, so values inside a string may be shown.
    fn shown(&self, node: &Arc<Node>, hidden: &HiddenSpans) -> ShownValue {
        if self.depth == 0 && hidden.touch(node) {
            ShownValue::Hidden
        } else {
            ShownValue::Node(Arc::clone(node))
        }
    }

    fn push(&mut self, kind: ChangeKind) {
        self.changes.push(FieldChange {
            path: self.path.clone(),
            kind,
        });
    }
}

/// The documents in a string.
struct OpenString {
    format: DocumentFormat,
    roots: Vec<Arc<Node>>,
}

/// Opens a string; `None` if it contains no mapping and no list.
fn open(node: &Node, key: &str, encoding: Encoding) -> Option<OpenString> {
    let text = node.as_str()?;
    let text = match encoding {
        Encoding::Plain => text.to_owned(),
        Encoding::Base64 => decode_base64(text)?,
    };
    let source = Source::new("", text).ok()?;
    let documents = Documents::read(&source, DocumentFormat::of_text_under(key)).ok()?;
    let roots: Result<Vec<Arc<Node>>> = documents.roots().iter().map(expand).collect();
    let roots = roots.ok()?;
    let are_collections = roots.iter().all(|root| root.as_scalar().is_none());
    (are_collections && !roots.is_empty()).then_some(OpenString {
        format: documents.format(),
        roots,
    })
}
