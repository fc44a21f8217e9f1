//! The objects in one version of the files, and the keys that identify an object in both versions.
//!
//! `pairs` finds the two versions of an object by their key, and `semantic` compares them.

use std::sync::Arc;

use super::hidden_spans::HiddenSpans;
use super::style::DiffStyle;
use crate::edit::parse_as;
use crate::kubernetes::{hide_secrets_of, split_api_version};
use crate::source::Source;
use crate::yaml::{Node, Stream, expand};

/// The key that two versions of an object have in common. The API version is not part of it,
/// because a newer one is a change of the object.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum ObjectKey {
    /// A Kubernetes object.
    Object {
        group: String,
        kind: String,
        namespace: String,
        name: String,
    },
    /// Another document: its file, and its index among the documents of the file that are not
    /// objects.
    Document { file: String, index: usize },
}

/// An object in one version of the files.
#[derive(Clone, Debug)]
pub(super) struct ObjectVersion<'t> {
    pub(super) key: ObjectKey,
    pub(super) title: String,
    pub(super) file: String,
    /// The tree without aliases and merge keys.
    pub(super) root: Arc<Node>,
    /// The bytes of the object in its file.
    pub(super) text: &'t str,
    pub(super) hidden: HiddenSpans,
}

impl ObjectVersion<'_> {
    /// Returns the file of an object; `None` for a document that is not an object.
    pub(super) fn object_file(&self) -> Option<&str> {
        matches!(self.key, ObjectKey::Object { .. }).then_some(&*self.file)
    }
}

/// Parses a text of documents; `None` if it is neither YAML nor JSON.
pub(super) fn parse_documents(text: &str) -> Option<Stream> {
    let source = Source::new("", text).ok()?;
    parse_as(&source, None).ok()
}

/// Returns the objects of a text; `None` if it is neither YAML nor JSON, or if its aliases expand
/// to too many nodes.
pub(super) fn objects<'t>(
    file: &str,
    text: &'t str,
    style: DiffStyle,
) -> Option<Vec<ObjectVersion<'t>>> {
    let stream = parse_documents(text)?;
    if !style.shows_secrets {
        hide_secrets_of(&stream.source);
    }
    let hidden = HiddenSpans::new(&stream.source);
    let mut nodes = Vec::new();
    for document in &stream.documents {
        let own = match stream.documents.len() {
            1 => text,
            _ => text.get(document.span.range())?,
        };
        collect(&expand(&document.root).ok()?, own, text, &mut nodes);
    }
    let mut objects = Vec::with_capacity(nodes.len());
    let mut others = 0;
    for (root, text) in nodes {
        let (key, title) = match object_title(&root) {
            Some(title) => (object_key(&root), title),
            // A document that is not an object is identified by its position among those of its
            // file.
            None => {
                let index = others;
                others += 1;
                let title = match index {
                    0 => file.to_owned(),
                    _ => format!("{file}, document {}", index + 1),
                };
                let file = file.to_owned();
                (ObjectKey::Document { file, index }, title)
            }
        };
        objects.push(ObjectVersion {
            key,
            title,
            file: file.to_owned(),
            root,
            text,
            hidden: hidden.clone(),
        });
    }
    Some(objects)
}

/// Adds a document, or the objects of a list. `own` is its part of the text.
fn collect<'t>(
    root: &Arc<Node>,
    own: &'t str,
    text: &'t str,
    found: &mut Vec<(Arc<Node>, &'t str)>,
) {
    let items = root.get("items").and_then(|items| items.as_sequence());
    let is_list = text_at(root, &["kind"]).ends_with("List");
    let Some(items) = items.filter(|_| is_list) else {
        found.push((Arc::clone(root), own));
        return;
    };
    for item in &items.items {
        let place = item.value.location();
        let own = place.and_then(|place| text.get(place.span.range()));
        collect(&item.value, own.unwrap_or_default(), text, found);
    }
}

/// Returns the title of an object, such as `apps/v1 Deployment shop/web`; `None` if it has no kind
/// or no name.
pub(super) fn object_title(node: &Node) -> Option<String> {
    let kind = text_at(node, &["kind"]);
    let name = text_at(node, &["metadata", "name"]);
    if kind.is_empty() || name.is_empty() {
        return None;
    }
    let mut title = text_at(node, &["apiVersion"]).to_owned();
    if !title.is_empty() {
        title.push(' ');
    }
    title.push_str(kind);
    title.push(' ');
    let namespace = text_at(node, &["metadata", "namespace"]);
    if !namespace.is_empty() {
        title.push_str(namespace);
        title.push('/');
    }
    title.push_str(name);
    Some(title)
}

fn object_key(node: &Node) -> ObjectKey {
    let own = |path: &[&str]| text_at(node, path).to_owned();
    ObjectKey::Object {
        group: split_api_version(text_at(node, &["apiVersion"]))
            .0
            .to_owned(),
        kind: own(&["kind"]),
        namespace: own(&["metadata", "namespace"]),
        name: own(&["metadata", "name"]),
    }
}

fn text_at<'n>(node: &'n Node, path: &[&str]) -> &'n str {
    let found = node.get_in(path).and_then(|found| found.resolved().text());
    found.unwrap_or("")
}
