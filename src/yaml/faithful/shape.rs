//! Chooses the shape of a new collection: the shape of the collections next to it.
//!
//! ```text
//! - {id: 1}              - {id: 1}
//! - {id: 2}        ->    - {id: 2}
//!                        - {id: 3}        in braces, as the other items
//!
//! a:                     a:
//!   x: 1           ->      x: 1
//!                        b:
//!                          x: 2           on lines of its own, as the other member
//! ```
//!
//! In YAML the shape is block or flow. In JSON it is one line, or one line for each child. A JSON
//! collection inside the new one copies the collection with the same key in the example.

use std::sync::Arc;

use super::align::Child;
use super::printer::FaithfulPrinter;
use crate::yaml::node::{CollectionStyle, Content, Node, Syntax};

/// The maximum length of a new collection in braces, unless its example has at least half of its
/// length. Few people write longer lines.
const LONGEST_LINE: usize = 100;

/// The collections among the children of one collection. New ones copy their shape.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Siblings<'p> {
    /// Whether the children are alike: the items of a list, or members that are all collections of
    /// one kind. Otherwise a collection is an example only if it resembles the new one.
    is_table: bool,
    /// Whether two members need nothing in common if both contain only scalars. In YAML this is
    /// false, because many people write `metadata: {name: a}` in braces and everything else on
    /// lines, so such braces are not a habit of the text.
    copies_small: bool,
    /// Whether the children of a flow collection are on the line of its bracket.
    pub(super) is_one_line: bool,
    mappings: Examples<'p>,
    sequences: Examples<'p>,
}

/// The last collections of one kind.
#[derive(Clone, Copy, Debug, Default)]
struct Examples<'p> {
    /// The last one that contains only scalars.
    flat: Option<&'p Arc<Node>>,
    /// The last one that contains other collections.
    nested: Option<&'p Arc<Node>>,
}

impl<'p> Siblings<'p> {
    /// Finds the collections among `children`, whose nodes are in the text.
    fn of(children: &[Child<'p>]) -> Siblings<'p> {
        let mut siblings = Siblings::default();
        let mut scalars = 0;
        for child in children {
            let value = child.value;
            let examples = match &value.content {
                Content::Mapping(_) => &mut siblings.mappings,
                Content::Sequence(_) => &mut siblings.sequences,
                Content::Scalar(_) | Content::Alias(_) => {
                    scalars += 1;
                    continue;
                }
            };
            if value.is_empty_collection() {
                continue;
            }
            if is_flat(value) {
                examples.flat = Some(value);
            } else {
                examples.nested = Some(value);
            }
        }
        let is_list = children.first().is_some_and(|child| child.key.is_none());
        let is_one_kind = siblings.mappings.any().is_none() || siblings.sequences.any().is_none();
        siblings.is_table = is_list || scalars == 0 && is_one_kind;
        siblings
    }

    /// Returns the collection whose shape `value` copies. `None` if no collection resembles it.
    pub(super) fn example(&self, value: &Node) -> Option<&'p Arc<Node>> {
        let examples = match &value.content {
            Content::Mapping(_) => self.mappings,
            Content::Sequence(_) => self.sequences,
            Content::Scalar(_) | Content::Alias(_) => return None,
        };
        let (like, unlike) = if is_flat(value) {
            (examples.flat, examples.nested)
        } else {
            (examples.nested, examples.flat)
        };
        if self.is_table {
            return like.or(unlike);
        }
        let is_small = is_flat(value) && self.copies_small;
        like.filter(|like| is_small || shares_key(like, value))
    }
}

impl<'p> Examples<'p> {
    fn any(self) -> Option<&'p Arc<Node>> {
        self.flat.or(self.nested)
    }
}

impl FaithfulPrinter<'_> {
    /// Returns the collection whose shape a value copies when it replaces `before`: `before` itself
    /// if it is of the same kind, otherwise a collection next to it.
    pub(super) fn example_for<'p>(
        before: &'p Arc<Node>,
        after: &Node,
        siblings: &Siblings<'p>,
    ) -> Option<&'p Arc<Node>> {
        let is_example = before.is_same_kind_of_collection(after) && !before.is_empty_collection();
        if is_example {
            Some(before)
        } else {
            siblings.example(after)
        }
    }

    /// Finds the collections among the children of a collection of the text.
    pub(super) fn siblings_in<'p>(
        &self,
        collection: &Node,
        children: &[Child<'p>],
    ) -> Siblings<'p> {
        let is_flow = collection.collection_style() == Some(CollectionStyle::Flow);
        let start = collection.content_start();
        let first = children.first();
        Siblings {
            is_one_line: is_flow
                && first.is_some_and(|first| self.text.same_line(start, first.start)),
            copies_small: self.syntax == Syntax::Json,
            ..Siblings::of(children)
        }
    }

    /// Returns whether the children of a collection of the text are on other lines than its
    /// brackets.
    pub(super) fn is_spread(&self, example: &Node) -> bool {
        !self
            .text
            .same_line(example.content_start(), example.full_end())
    }

    /// Returns a new value in the style of an example, block or flow. In JSON it stays as it is.
    pub(super) fn in_shape_of(&self, value: &Arc<Node>, example: Option<&Arc<Node>>) -> Arc<Node> {
        let (Some(example), Syntax::Yaml) = (example, self.syntax) else {
            return Arc::clone(value);
        };
        match example.collection_style() {
            Some(CollectionStyle::Block) => value.resolved().in_style(CollectionStyle::Block),
            Some(CollectionStyle::Flow) if !has_line_breaks(value) => {
                let flow = value.resolved().in_style(CollectionStyle::Flow);
                let longest = LONGEST_LINE.max(2 * (example.full_end() - example.content_start()));
                let line = self.inline(&flow, &self.flow_place(), FlowLines::ONE);
                if line.len() > longest {
                    return Arc::clone(value);
                }
                flow
            }
            _ => Arc::clone(value),
        }
    }

    /// Returns the lines of the children of a flow collection if each child has its own line. This
    /// copies the example or, without an example, other collections of the text. Without an
    /// example, only JSON is laid out that way.
    pub(super) fn child_lines_of(&self, lines: FlowLines<'_>) -> Option<String> {
        let step = self.layout.flow().step.as_deref()?;
        let indent = lines.indent?;
        let is_spread = match lines.example {
            Some(example) => self.is_spread(example),
            None => self.syntax == Syntax::Json,
        };
        is_spread.then(|| format!("{indent}{step}"))
    }
}

/// The lines that a new flow collection may have.
#[derive(Clone, Copy, Debug)]
pub(super) struct FlowLines<'l> {
    /// The indentation of the line that the collection starts on; `None` if everything has to be on
    /// that line.
    pub(super) indent: Option<&'l str>,
    /// The collection whose shape it copies.
    pub(super) example: Option<&'l Arc<Node>>,
}

impl<'l> FlowLines<'l> {
    /// The setting that puts everything on one line.
    pub(super) const ONE: FlowLines<'static> = FlowLines {
        indent: None,
        example: None,
    };

    /// Returns the lines of a child with this key, or of an item, if the child starts on a line
    /// with the given indentation.
    pub(super) fn child(
        self,
        indent: Option<&'l str>,
        key: Option<&Arc<Node>>,
        value: &Node,
    ) -> FlowLines<'l> {
        FlowLines {
            indent,
            example: self
                .example
                .and_then(|example| inner_example(example, key, value)),
        }
    }
}

/// Returns the collection in `example` whose shape a collection under `key`, or an item, copies.
fn inner_example<'e>(
    example: &'e Arc<Node>,
    key: Option<&Arc<Node>>,
    value: &Node,
) -> Option<&'e Arc<Node>> {
    let inner = match (&example.content, key) {
        (Content::Mapping(mapping), Some(key)) => mapping.get(key.resolved().text()?)?,
        (Content::Sequence(sequence), None) => {
            let mut items = sequence.items.iter().map(|item| &item.value);
            items.find(|item| item.is_same_kind_of_collection(value))?
        }
        _ => return None,
    };
    let is_example = inner.is_same_kind_of_collection(value) && !inner.is_empty_collection();
    is_example.then_some(inner)
}

/// Returns whether a collection contains no collection that has children.
fn is_flat(collection: &Node) -> bool {
    let is_leaf = |value: &Arc<Node>| {
        let value = value.resolved();
        value.as_scalar().is_some() || value.is_empty_collection()
    };
    match &collection.content {
        Content::Mapping(mapping) => mapping.entries.iter().all(|entry| is_leaf(&entry.value)),
        Content::Sequence(sequence) => sequence.items.iter().all(|item| is_leaf(&item.value)),
        Content::Scalar(_) | Content::Alias(_) => true,
    }
}

/// Returns whether two mappings have a key in common, or two sequences begin with the same kind of
/// item.
fn shares_key(example: &Node, value: &Node) -> bool {
    match (&example.content, &value.content) {
        (Content::Mapping(old), Content::Mapping(new)) => new.entries.iter().any(|entry| {
            let key = entry.key.resolved().text();
            key.is_some_and(|key| old.get(key).is_some())
        }),
        (Content::Sequence(old), Content::Sequence(new)) => {
            match (old.items.first(), new.items.first()) {
                (Some(old), Some(new)) => {
                    let are_scalars =
                        old.value.as_scalar().is_some() && new.value.as_scalar().is_some();
                    are_scalars || old.value.is_same_kind_of_collection(&new.value)
                }
                _ => false,
            }
        }
        _ => false,
    }
}

/// Returns whether a value contains a text of several lines, which is hard to read in brackets.
fn has_line_breaks(value: &Node) -> bool {
    match &value.content {
        Content::Scalar(_) => value.as_str().is_some_and(|text| text.contains('\n')),
        Content::Alias(alias) => has_line_breaks(&alias.target),
        Content::Mapping(mapping) => {
            let mut entries = mapping.entries.iter();
            entries.any(|entry| has_line_breaks(&entry.value))
        }
        Content::Sequence(sequence) => {
            let mut items = sequence.items.iter();
            items.any(|item| has_line_breaks(&item.value))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Source;
    use crate::yaml::faithful::print;
    use crate::yaml::{Stream, parse_json};

    fn read(text: &str) -> Stream {
        parse_json(&Source::new("test", text).unwrap()).unwrap()
    }

    /// Prints a text after a value was added to the collection under `key`.
    fn with_added(text: &str, key: &str, value: &str) -> String {
        let stream = read(text);
        let root = &stream.documents[0].root;
        let value = Arc::clone(&read(value).documents[0].root);
        let old = root.get(key).unwrap();
        let new = match &old.content {
            Content::Mapping(mapping) => {
                let mut entries = mapping.entries.to_vec();
                entries.push(crate::yaml::Entry::new("new", value));
                old.with_entries(entries)
            }
            Content::Sequence(sequence) => {
                let mut items = sequence.items.to_vec();
                items.push(crate::yaml::Item { start: None, value });
                old.with_items(items)
            }
            _ => unreachable!(),
        };
        let mut entries = root.as_mapping().unwrap().entries.to_vec();
        for entry in &mut entries {
            if entry.key.text() == Some(key) {
                entry.value = Arc::clone(&new);
            }
        }
        print(&stream, &[root.with_entries(entries)])
    }

    #[test]
    fn new_json_is_on_one_line_or_on_several_as_what_is_beside_it() {
        let text = r#"{
  "one": [
    {"a": {"x": 1}}
  ],
  "many": [
    {
      "a": 1,
      "b": {"x": 1}
    }
  ],
  "members": {
    "a": {"x": 1}
  },
  "line": {"a": {}, "b": 1},
  "empty": []
}"#;
        let table = [
            (
                "one",
                r#"{"b": [1, {"c": 2}]}"#,
                r#"{"a": {"x": 1}}"#,
                ",\n    {\"b\": [1, {\"c\": 2}]}",
            ),
            (
                "many",
                r#"{"a": [2], "b": {"y": 2}}"#,
                "\"b\": {\"x\": 1}\n    }",
                ",\n    {\n      \"a\": [\n        2\n      ],\n      \"b\": {\"y\": 2}\n    }",
            ),
            (
                "members",
                r#"{"y": [2]}"#,
                r#"    "a": {"x": 1}"#,
                ",\n    \"new\": {\"y\": [2]}",
            ),
            (
                "line",
                r#"{"y": [2]}"#,
                r#""b": 1"#,
                r#", "new": {"y": [2]}"#,
            ),
            (
                "empty",
                r#"{"y": 2}"#,
                r#""empty": ["#,
                "\n    {\n      \"y\": 2\n    }\n  ",
            ),
        ];
        for (key, value, before, added) in table {
            let end = text.rfind(before).unwrap() + before.len();
            let expected = format!("{}{added}{}", &text[..end], &text[end..]);
            assert_eq!(with_added(text, key, value), expected, "{key}");
        }
    }
}
