//! One value in several versions of an object.
//!
//! Steps that lead to a value in one version may lead to another value in the version before: an
//! inserted item moves the items after it. So the steps are translated.
//!
//! ```text
//! before                    after                       steps to the image of `web`
//! containers:               containers:                 after:   containers, 1, image
//! - {name: web, image: a}   - {name: proxy, image: p}   before:  containers, 0, image
//!                           - {name: web, image: b}
//! ```

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

use super::list_versions::ListVersions;
use crate::edit::{DocumentFormat, EditOptions, EditedString, FieldPath, PathStep, find, merged};
use crate::kubernetes::text_fields;
use crate::source::{Location, Source};
use crate::yaml::{Entry, Mapping, Node, is_equal};

/// The maximum number of strings, and of pairs of lists, that are cached.
pub(super) const MOST_REMEMBERED: usize = 4096;

/// The versions of the objects of a build.
///
/// There may be questions about many values of one string or one list. So a string is opened once,
/// and two lists are compared once.
#[derive(Debug, Default)]
pub(super) struct Versions {
    opened: RefCell<HashMap<usize, OpenedString>>,
    pub(super) lists: ListVersions,
    files: RefCell<HashMap<usize, ReadSource>>,
}

/// A file that was read; `None` if it has not exactly one document. It keeps its source, so that no
/// other source gets its address.
#[derive(Debug)]
struct ReadSource {
    _source: Arc<Source>,
    document: Option<Arc<Node>>,
}

/// A string that was opened. It keeps its node, so that no other node gets its address.
#[derive(Clone, Debug)]
struct OpenedString {
    scalar: Arc<Node>,
    document: Arc<Node>,
    format: DocumentFormat,
}

/// Returns the address of a node, which identifies it as long as something keeps the node.
pub(super) fn address(node: &Arc<Node>) -> usize {
    Arc::as_ptr(node).addr()
}

impl Versions {
    /// Returns the value that steps lead to, also inside strings. Returns `None` if there is none:
    /// a value that cannot be reached in an earlier version did not exist.
    pub(super) fn value_at(&self, root: &Arc<Node>, steps: &[PathStep]) -> Option<Arc<Node>> {
        // The root of the innermost text so far, and the number of steps to it.
        let (mut text, mut start) = (Arc::clone(root), 0);
        let mut text_format = None;
        let mut node = Arc::clone(root.resolved());
        for (depth, step) in steps.iter().enumerate() {
            if node.as_scalar().is_some() {
                let options = match text_format {
                    Some(text_format) => EditOptions {
                        text_format,
                        ..EditOptions::default()
                    },
                    None => EditOptions {
                        text_fields: text_fields(root),
                        ..EditOptions::default()
                    },
                };
                let Some(opened) = self.open(&text, &steps[start..depth], &node, &options) else {
                    // A string with several documents: the next step is the index of one of them.
                    let path = FieldPath::of_steps(&steps[start..]);
                    let found = find(&text, &path, &options).ok()?;
                    return found.into_iter().next().map(|found| found.node);
                };
                text_format = Some(opened.format);
                node = Arc::clone(opened.document.resolved());
                text = opened.document;
                start = depth;
            }
            let next = Arc::clone(child(&node, step)?.resolved());
            node = next;
        }
        Some(node)
    }

    /// Returns the document in the string `scalar`, if it has exactly one. `steps` lead to the
    /// string from the root of its text.
    fn open(
        &self,
        text: &Arc<Node>,
        steps: &[PathStep],
        scalar: &Arc<Node>,
        options: &EditOptions,
    ) -> Option<OpenedString> {
        let key = address(scalar);
        if let Some(opened) = self.opened.borrow().get(&key) {
            return Some(opened.clone());
        }
        if let Some(edited) = EditedString::of(scalar) {
            return Some(self.remember_edited(scalar, edited));
        }
        let path = FieldPath::of_steps(steps).document();
        let mut found = find(text, &path, options).ok()?.into_iter();
        let (Some(document), None) = (found.next(), found.next()) else {
            return None;
        };
        let opened = OpenedString {
            scalar: Arc::clone(scalar),
            document: document.node,
            format: document.format,
        };
        self.remember(opened.clone());
        Some(opened)
    }

    /// Returns the document in an edited string, and caches it together with the document before
    /// the edits, which is needed next. The node of an edited string contains both, so neither has
    /// to be parsed again.
    fn remember_edited(&self, scalar: &Arc<Node>, edited: EditedString<'_>) -> OpenedString {
        self.remember(OpenedString {
            scalar: Arc::clone(edited.before),
            document: edited.document_before,
            format: edited.format,
        });
        let opened = OpenedString {
            scalar: Arc::clone(scalar),
            document: Arc::clone(edited.document),
            format: edited.format,
        };
        self.remember(opened.clone());
        opened
    }

    fn remember(&self, opened: OpenedString) {
        let mut all = self.opened.borrow_mut();
        if all.len() >= MOST_REMEMBERED {
            all.clear();
        }
        all.insert(address(&opened.scalar), opened);
    }

    /// Returns the document in the string that steps lead to; `None` if it has none, or several.
    pub(super) fn document_at(&self, root: &Arc<Node>, steps: &[PathStep]) -> Option<Arc<Node>> {
        let scalar = self.value_at(root, steps)?;
        let key = address(&scalar);
        if let Some(opened) = self.opened.borrow().get(&key) {
            return Some(Arc::clone(&opened.document));
        }
        let opened = match EditedString::of(&scalar) {
            Some(edited) => self.remember_edited(&scalar, edited),
            None => {
                let options = EditOptions {
                    text_fields: text_fields(root),
                    ..EditOptions::default()
                };
                self.open(root, steps, &scalar, &options)?
            }
        };
        // Any text is a document that is one scalar.
        let is_collection = opened.document.resolved().as_scalar().is_none();
        is_collection.then_some(opened.document)
    }

    /// Returns the steps to a value in another version; `None` if it is not there.
    pub(super) fn steps_in(
        &self,
        other: &Arc<Node>,
        root: &Arc<Node>,
        steps: &[PathStep],
    ) -> Option<Vec<PathStep>> {
        let mut found: Vec<PathStep> = Vec::with_capacity(steps.len());
        let mut here = Arc::clone(root.resolved());
        let mut there = Arc::clone(other.resolved());
        for (depth, step) in steps.iter().enumerate() {
            let step_there = match step {
                PathStep::Key(key) => key_in(&there, &here, key)?,
                PathStep::Index(index) => self.index_in(&there, &here, *index)?,
            };
            let next = (child(&here, step), child(&there, &step_there));
            found.push(step_there);
            if depth + 1 == steps.len() {
                // The text of another version may not contain the value.
                if there.as_scalar().is_some() {
                    self.value_at(other, &found)?;
                }
                break;
            }
            (here, there) = match next {
                (Some(here), Some(there)) => {
                    (Arc::clone(here.resolved()), Arc::clone(there.resolved()))
                }
                // A step into a string: all steps from the root decide what the string contains.
                _ => (
                    self.value_at(root, &steps[..=depth])?,
                    self.value_at(other, &found)?,
                ),
            };
        }
        Some(found)
    }

    /// Returns the place of the value that steps lead to in a tree of the same shape, such as a
    /// patch. If the value has no place there, returns the place of the innermost node around it
    /// that has one.
    pub(super) fn deepest_place_in(
        &self,
        tree: &Arc<Node>,
        root: &Arc<Node>,
        steps: &[PathStep],
    ) -> Option<Location> {
        for depth in (1..=steps.len()).rev() {
            let found = self.steps_in(tree, root, &steps[..depth]);
            let node = found.and_then(|found| self.value_at(tree, &found));
            if let Some(place) = node.and_then(|node| node.location()) {
                return Some(place);
            }
        }
        tree.location()
    }

    /// Returns the format of the document in the string that the first `depth` steps lead to.
    pub(super) fn format_of(
        &self,
        root: &Arc<Node>,
        steps: &[PathStep],
        depth: usize,
    ) -> Option<DocumentFormat> {
        let scalar = self.value_at(root, steps.get(..depth)?)?;
        self.value_at(root, steps)?;
        let opened = self.opened.borrow();
        opened.get(&address(&scalar)).map(|opened| opened.format)
    }

    /// Returns the document of a file. `read` is called only the first time.
    pub(super) fn file(
        &self,
        source: &Arc<Source>,
        read: impl FnOnce() -> Option<Arc<Node>>,
    ) -> Option<Arc<Node>> {
        let key = Arc::as_ptr(source).addr();
        if let Some(file) = self.files.borrow().get(&key) {
            return file.document.clone();
        }
        let document = read();
        let file = ReadSource {
            _source: Arc::clone(source),
            document: document.clone(),
        };
        self.files.borrow_mut().insert(key, file);
        document
    }

    /// Returns the step to an item in another version of a list, or to a document in a string with
    /// several.
    fn index_in(&self, other: &Arc<Node>, list: &Arc<Node>, index: usize) -> Option<PathStep> {
        let are_lists = list.as_sequence().is_some() && other.as_sequence().is_some();
        let index = match are_lists {
            true => self.lists.item_in(other, list, index)?,
            false => index,
        };
        Some(PathStep::Index(index))
    }
}

/// Returns whether both trees share a node along `steps`, so that the value is the same in both.
pub(super) fn is_shared(root: &Arc<Node>, other: &Arc<Node>, steps: &[PathStep]) -> bool {
    let (mut one, mut two) = (root.resolved(), other.resolved());
    for step in steps {
        if Arc::ptr_eq(one, two) {
            return true;
        }
        match (child(one, step), child(two, step)) {
            (Some(first), Some(second)) => {
                one = first.resolved();
                two = second.resolved();
            }
            _ => return false,
        }
    }
    Arc::ptr_eq(one, two)
}

/// Returns the number of steps to the outermost string that contains a value; `None` for a value
/// outside of strings.
pub(super) fn string_depth(root: &Arc<Node>, steps: &[PathStep]) -> Option<usize> {
    let mut node = root.resolved();
    for (depth, step) in steps.iter().enumerate() {
        if node.as_scalar().is_some() {
            return Some(depth);
        }
        node = child(node, step)?.resolved();
    }
    None
}

/// Returns the child of a collection.
pub(super) fn child<'n>(node: &'n Arc<Node>, step: &PathStep) -> Option<&'n Arc<Node>> {
    match step {
        PathStep::Key(key) => {
            let mapping = node.as_mapping()?;
            mapping.get(key).or_else(|| merged(mapping, key))
        }
        PathStep::Index(index) => Some(&node.as_sequence()?.items.at(*index)?.value),
    }
}

/// Returns the step to the value of a key in another version of a mapping. A key that was renamed
/// is found by its value.
fn key_in(other: &Arc<Node>, mapping: &Arc<Node>, key: &str) -> Option<PathStep> {
    if other.get(key).is_some() || mapping.as_scalar().is_some() {
        return Some(PathStep::Key(key.into()));
    }
    let renamed = renamed_entry(other.as_mapping()?, mapping.get(key)?)?;
    let entry = other.as_mapping()?.entries.at(renamed)?;
    Some(PathStep::Key(entry.key.resolved().text()?.into()))
}

/// Returns the index of an entry in another version of a mapping. A renamed entry is found by its
/// value.
pub(super) fn entry_in(other: &Arc<Node>, mapping: &Arc<Node>, index: usize) -> Option<usize> {
    let entry = mapping.as_mapping()?.entries.at(index)?;
    let others = other.as_mapping()?;
    // The usual case: an edit keeps the keys.
    let here = others.entries.at(index);
    if here.is_some_and(|here| Arc::ptr_eq(&here.key, &entry.key)) {
        return Some(index);
    }
    let same_key = others.position(entry.key.resolved().text()?);
    same_key.or_else(|| renamed_entry(others, &entry.value))
}

fn renamed_entry(mapping: &Mapping, value: &Arc<Node>) -> Option<usize> {
    let same = |entry: &Entry| Arc::ptr_eq(entry.value.resolved(), value.resolved());
    mapping.entries.iter().position(same)
}

/// Returns whether a step replaced the value. An equal value that is written at another place is
/// also a replacement, because from then on only the new place matters.
pub(super) fn is_changed(before: &Arc<Node>, after: &Arc<Node>) -> bool {
    if Arc::ptr_eq(before, after) {
        return false;
    }
    if !is_equal(before, after) {
        return true;
    }
    let place = |node: &Arc<Node>| node.location().map(|location| location.in_file());
    match (place(before), place(after)) {
        (Some(before), Some(after)) => before != after,
        (None, Some(_)) => true,
        (_, None) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::yaml::parse_data;

    fn tree(text: &str) -> Arc<Node> {
        let stream = parse_data(&Source::new("a.yml", text).unwrap()).unwrap();
        Arc::clone(&stream.documents[0].root)
    }

    fn steps(root: &Arc<Node>, path: &str) -> Vec<PathStep> {
        let path = FieldPath::parse(path).unwrap();
        let options = EditOptions::default();
        let mut places = crate::edit::find_places(root, &path, &options).unwrap();
        places.remove(0).steps
    }

    #[test]
    fn finds_values_below_strings_at_any_depth() {
        let root = tree("a.json: '{\"b\": \"c: [1, {d: 2}]\"}'\nmany: \"x: 1\\n---\\nx: 2\\n\"\n");
        let versions = Versions::default();
        for (path, text) in [
            ("a\\.json.b.c.1.d", "2"),
            ("a\\.json.b.c.0", "1"),
            ("many.1.x", "2"),
        ] {
            let steps = steps(&root, path);
            let found = versions.value_at(&root, &steps).unwrap();
            assert_eq!(found.text(), Some(text), "{path}");
        }
        let missing = [PathStep::Key("a.json".into()), PathStep::Key("x".into())];
        assert!(versions.value_at(&root, &missing).is_none());
    }

    #[test]
    fn follows_items_that_move_by_name() {
        let before = tree("l: [{name: a, n: 1}, {name: b, n: 2}]");
        let after = tree("l: [{name: c, n: 0}, {name: b, n: 3}, {name: a, n: 1}]");
        let versions = Versions::default();
        let table = [
            ("l.0.n", None),
            ("l.1.n", Some("l.1.n")),
            ("l.2.n", Some("l.0.n")),
        ];
        for (path, expected) in table {
            let found = versions.steps_in(&before, &after, &steps(&after, path));
            let found = found.map(|steps| FieldPath::of_steps(&steps).to_string());
            assert_eq!(found.as_deref(), expected, "{path}");
        }
    }

    #[test]
    fn does_not_confuse_an_item_with_one_that_still_exists() {
        let before = tree("l: [{name: a, n: 1}]");
        let kept = Arc::clone(before.get("l").unwrap().children()[0]);
        let new = tree("{name: a, n: 2}");
        let after = Node::mapping(vec![Entry::new("l", Node::sequence([new, kept]))]);
        let versions = Versions::default();
        let found = |path| versions.steps_in(&before, &after, &steps(&after, path));
        assert!(found("l.0.n").is_none());
        assert_eq!(found("l.1.n"), Some(steps(&before, "l.0.n")));
    }
}
