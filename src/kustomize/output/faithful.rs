//! Faithful output: the objects of a build as their authors wrote them.
//!
//! An object that was read from a file is printed with the comments, the order of keys, the quotes
//! and the layout of that file; only what the build changed is different. Generated objects have no
//! author, so they are printed as kustomize prints them.

use std::collections::HashMap;
use std::sync::Arc;

use super::aliases::with_aliases;
use super::print_object;
use crate::kubernetes::{Resource, SourceDocument};
use crate::source::{Diagnostics, Reported, Source};
use crate::yaml::faithful::SeparatedText;
use crate::yaml::{CollectionStyle, CoreValue, Node, Sequence, core_value};

/// Prints objects as one stream, each of them with the text of its file.
///
/// # Errors
/// As [`print()`](super::print()): what kustomize cannot print is an error here too.
pub fn print_faithfully(
    resources: &[Resource],
    diagnostics: &mut Diagnostics,
) -> Result<String, Reported> {
    let mut texts: Vec<Option<String>> = vec![None; resources.len()];
    for batch in batches(resources) {
        batch.print(&mut texts);
    }
    let mut output = String::new();
    let mut outcome = Ok(());
    for (resource, text) in resources.iter().zip(texts) {
        // An object that kustomize cannot print is a mistake in either form.
        match print_object(resource) {
            Ok(canonical) => {
                if !output.is_empty() {
                    output.push_str("---\n");
                }
                output.push_str(&text.unwrap_or(canonical));
            }
            Err(error) => outcome = Err(diagnostics.report(error)),
        }
    }
    outcome.map(|()| output)
}

/// Objects of one text, at most one for each place of it.
///
/// A text is compared with its edited version once for all its objects. If a build contains an
/// object of the text twice, the text has several edited versions.
#[derive(Default)]
struct Batch<'r> {
    objects: Vec<BatchedObject<'r>>,
}

struct BatchedObject<'r> {
    /// The position in the output.
    position: usize,
    resource: &'r Resource,
    source: &'r SourceDocument,
}

/// Divides the objects that have a text into batches.
fn batches(resources: &[Resource]) -> Vec<Batch<'_>> {
    let mut batches: Vec<Batch<'_>> = Vec::new();
    // The batches of each text, and the number of objects from each place.
    let mut of_text: HashMap<*const crate::yaml::Stream, Vec<usize>> = HashMap::new();
    let mut copies: HashMap<(*const crate::yaml::Stream, *const Node), usize> = HashMap::new();
    for (position, resource) in resources.iter().enumerate() {
        let Some(source) = &resource.history.source else {
            continue;
        };
        let stream = Arc::as_ptr(&source.stream);
        let copy = copies.entry((stream, place(source))).or_default();
        let own = of_text.entry(stream).or_default();
        if *copy == own.len() {
            own.push(batches.len());
            batches.push(Batch::default());
        }
        batches[own[*copy]].objects.push(BatchedObject {
            position,
            resource,
            source,
        });
        *copy += 1;
    }
    batches
}

/// Identifies the place of an object in its text.
fn place(source: &SourceDocument) -> *const Node {
    match (&source.item, source.stream.documents.get(source.document)) {
        (Some(item), _) => Arc::as_ptr(item),
        (None, Some(document)) => Arc::as_ptr(&document.root),
        (None, None) => std::ptr::null(),
    }
}

impl Batch<'_> {
    /// Puts the text of each object in its position. An object that is not found in its text,
    /// because its aliases were written out, gets no text.
    fn print(&self, texts: &mut [Option<String>]) {
        let Some(first) = self.objects.first() else {
            return;
        };
        let stream = &*first.source.stream;
        let mut roots: Vec<Arc<Node>> = Vec::with_capacity(stream.documents.len());
        let mut items: HashMap<*const Node, Arc<Node>> = HashMap::new();
        for document in &stream.documents {
            roots.push(Arc::clone(&document.root));
        }
        for object in &self.objects {
            let node = &object.resource.node;
            let own = node.origin.as_ref().map(|origin| &origin.source);
            let settled = WrittenScalars { own }.settled(node, false);
            let node = settled.unwrap_or_else(|| Arc::clone(node));
            match &object.source.item {
                Some(item) => {
                    items.insert(Arc::as_ptr(item), node);
                }
                None if stream.has_aliases => {
                    let root = &mut roots[object.source.document];
                    *root = with_aliases(root, &node);
                }
                None => roots[object.source.document] = node,
            }
        }
        if !items.is_empty() {
            for root in &mut roots {
                *root = with_items(root, &items);
            }
        }
        let mut places = HashMap::new();
        if !items.is_empty() {
            for document in &stream.documents {
                find_items(&document.root, &mut places);
            }
        }
        let text = SeparatedText::new(stream, &roots);
        for object in &self.objects {
            texts[object.position] = object.text(&text, &places);
        }
    }
}

/// The scalars of an object that steps of the build wrote, in the form in which kustomize prints
/// them. A scalar of the object's file keeps its spelling.
struct WrittenScalars<'o> {
    /// The text of the object.
    own: Option<&'o Arc<Source>>,
}

impl WrittenScalars<'_> {
    /// Returns a node with quotes around each written string that needs them, or `None` if there is
    /// none:
    ///
    /// ```text
    /// {a: }      ->   {a: ""}      an empty text between braces
    /// a: yes     ->   a: "yes"     a string to kustomize, but true to many readers
    /// ```
    ///
    /// It recurses once per level, whose number the parser limits.
    fn settled(&self, node: &Arc<Node>, in_flow: bool) -> Option<Arc<Node>> {
        if let Some(text) = node.text().filter(|_| node.tag().is_none()) {
            let is_made = node.origin.is_none();
            let is_empty = text.is_empty() && is_made && in_flow;
            if is_empty || (self.is_written(node) && is_plain_word(node)) {
                return Some(Node::string(text));
            }
        }
        let in_flow = in_flow || node.collection_style() == Some(CollectionStyle::Flow);
        node.map_values(|child| self.settled(child, in_flow))
    }

    /// Returns whether a node does not come from the text of the object.
    fn is_written(&self, node: &Node) -> bool {
        let source = node.origin.as_ref().map(|origin| &origin.source);
        match (source, self.own) {
            (Some(source), Some(own)) => !Arc::ptr_eq(source, own),
            _ => true,
        }
    }
}

/// Returns whether a scalar is a string in YAML 1.2, which kustomize reads, and has another type in
/// YAML 1.1.
fn is_plain_word(node: &Node) -> bool {
    node.as_str().is_none() && matches!(core_value(node), Ok(CoreValue::String(_)))
}

/// The item of a list, in the text before the edits.
#[derive(Clone, Copy)]
struct ListItem<'n> {
    list: &'n Sequence,
    number: usize,
}

impl BatchedObject<'_> {
    fn text(
        &self,
        text: &SeparatedText<'_>,
        places: &HashMap<*const Node, ListItem<'_>>,
    ) -> Option<String> {
        // An object that a generator replaced no longer has the text of its file.
        self.resource.node.origin.as_ref()?;
        match &self.source.item {
            None => text.document(self.source.document),
            Some(item) => {
                let place = places.get(&Arc::as_ptr(item))?;
                text.item(place.list, place.number)
            }
        }
    }
}

/// Returns the items of a list of objects.
fn list_items(node: &Node) -> Option<&Sequence> {
    node.get("items")?.resolved().as_sequence()
}

/// Adds the place of each object in a list, and in the lists inside of it.
fn find_items<'n>(root: &'n Arc<Node>, places: &mut HashMap<*const Node, ListItem<'n>>) {
    let Some(list) = list_items(root.resolved()) else {
        return;
    };
    for (number, item) in list.items.iter().enumerate() {
        let object = item.value.resolved();
        places.insert(Arc::as_ptr(object), ListItem { list, number });
        find_items(object, places);
    }
}

/// Returns a list of objects with new versions of some.
fn with_items(root: &Arc<Node>, new: &HashMap<*const Node, Arc<Node>>) -> Arc<Node> {
    let (Some(list), Some(mapping)) = (list_items(root), root.as_mapping()) else {
        return Arc::clone(root);
    };
    let mut items = list.items.to_vec();
    for item in &mut items {
        item.value = match new.get(&Arc::as_ptr(&item.value)) {
            Some(version) => Arc::clone(version),
            None => with_items(&item.value, new),
        };
    }
    let Some(position) = mapping.position("items") else {
        return Arc::clone(root);
    };
    let mut entries = mapping.entries.to_vec();
    entries[position].value = entries[position].value.with_items(items);
    root.with_entries(entries)
}
