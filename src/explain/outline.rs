//! The lines on which the values of a printed document begin.
//!
//! The tree of the document is known, so its text need not be parsed: each line is compared with the
//! key or item that is expected there.
//!
//! ```text
//! line                    expected in the tree
//! spec:                   spec, a mapping
//!   script: |             spec.script: a value, so its line is known
//!     set -e              deeper than `script`: the rest of its value
//!   ports:                spec.ports, a list
//!   - 80                  spec.ports[0]: a value
//! ```
//!
//! Only block style is read, with each value on its key's line. Everything else has to be parsed:
//! brackets, aliases, tags, quoted texts of several lines, and keys that are printed differently.
//!
//! Invariant: if there is an answer, the end of each of these lines is behind a value or a block
//! scalar's header, so that a comment there changes no value.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::Arc;

use crate::yaml::{Content, Entry, Mapping, Node, Sequence};

/// Returns the parts of a text between its lines `---`.
pub(super) fn documents(text: &str) -> Vec<Range<usize>> {
    let mut documents = Vec::new();
    let (mut start, mut at) = (0, 0);
    for line in text.split_inclusive('\n') {
        let end = at + line.len();
        if line.starts_with("---") && line.trim_end() == "---" {
            // The first document may begin with a marker too.
            if at > 0 {
                documents.push(start..at);
            }
            start = end;
        }
        at = end;
    }
    documents.push(start..at);
    documents
}

/// How a tree is printed.
#[derive(Debug, Default)]
pub(super) struct PrintedOrder {
    /// The positions of children in their collections, from the root down, in the order in which they
    /// are printed: kustomize sorts the keys of a mapping.
    pub(super) positions: Vec<usize>,
    /// Where the lines begin of the values that are not collections, or empty ones, in that order.
    pub(super) lines: Vec<usize>,
}

/// Returns how a tree is printed in a document; `None` if the document has to be parsed.
pub(super) fn printed_order(
    text: &str,
    document: Range<usize>,
    root: &Arc<Node>,
) -> Option<PrintedOrder> {
    let mut outline = Outline {
        text: text.get(..document.end)?,
        next: document.start,
        order: PrintedOrder::default(),
    };
    let first = outline.next_line()?;
    match &root.content {
        Content::Mapping(mapping) => outline.mapping(mapping, first)?,
        Content::Sequence(sequence) => outline.sequence(sequence, first)?,
        Content::Scalar(_) | Content::Alias(_) => return None,
    }
    outline.next_line().is_none().then_some(outline.order)
}

struct Outline<'t> {
    text: &'t str,
    /// Where the next line begins.
    next: usize,
    order: PrintedOrder,
}

/// What is left of a line.
#[derive(Clone, Copy)]
struct RestOfLine<'t> {
    /// Where the whole line begins.
    line: usize,
    /// The number of bytes before the text.
    column: usize,
    text: &'t str,
}

impl<'t> RestOfLine<'t> {
    /// Returns what comes after an indicator or a key, and the spaces behind it.
    fn after(self, length: usize) -> Option<RestOfLine<'t>> {
        let rest = self.text.get(length..)?;
        let text = rest.trim_start_matches(' ');
        // `-a` is no item, and `a:b` no entry.
        if !rest.is_empty() && text.len() == rest.len() {
            return None;
        }
        Some(RestOfLine {
            column: self.column + self.text.len() - text.len(),
            text,
            ..self
        })
    }
}

impl<'t> Outline<'t> {
    /// Returns the next line that is neither blank nor a comment, without reading it.
    fn next_line(&mut self) -> Option<RestOfLine<'t>> {
        while let Some(line) = self.line_at(self.next) {
            if !line.text.is_empty() && !line.text.starts_with('#') {
                return Some(line);
            }
            self.next = self.end_of(line);
        }
        None
    }

    fn line_at(&self, start: usize) -> Option<RestOfLine<'t>> {
        let rest = self.text.get(start..).filter(|rest| !rest.is_empty())?;
        let length = rest.find('\n').unwrap_or(rest.len());
        let line = rest.get(..length)?;
        let text = line.trim_start_matches(' ');
        Some(RestOfLine {
            line: start,
            column: line.len() - text.len(),
            text: text.trim_end(),
        })
    }

    /// Returns where the line after `line` begins.
    fn end_of(&self, line: RestOfLine<'_>) -> usize {
        let rest = self.text.get(line.line..).unwrap_or_default();
        let length = rest.find('\n').map_or(rest.len(), |at| at + 1);
        line.line + length
    }

    /// Reads a mapping whose first entry is at `first`.
    fn mapping(&mut self, mapping: &Mapping, first: RestOfLine<'t>) -> Option<()> {
        // The entries before this one are printed in the order of the tree, and the others at any
        // place, each once.
        let mut in_order = mapping.entries.len();
        let mut moved = HashSet::new();
        for index in 0..mapping.entries.len() {
            let place = self.child(first, index)?;
            let (position, length) = match key_length(place.text, mapping.entries.get(index)?) {
                Some(length) if index < in_order => (index, length),
                _ => {
                    in_order = in_order.min(index);
                    let position = mapping.position(printed_key(place.text)?)?;
                    if position < in_order || !moved.insert(position) {
                        return None;
                    }
                    (
                        position,
                        key_length(place.text, mapping.entries.get(position)?)?,
                    )
                }
            };
            let entry = mapping.entries.get(position)?;
            self.order.positions.push(position);
            let after = place.after(length)?;
            let is_list = entry.value.as_sequence().is_some();
            // A list in a mapping may have the indentation of the mapping.
            let least = first.column + usize::from(!is_list);
            self.value(&entry.value, after, first.column, Some(least))?;
        }
        Some(())
    }

    /// Reads a list whose first item is at `first`.
    fn sequence(&mut self, sequence: &Sequence, first: RestOfLine<'t>) -> Option<()> {
        for (index, item) in sequence.items.iter().enumerate() {
            let place = self.child(first, index)?;
            let after = place.text.starts_with('-').then(|| place.after(1))??;
            self.order.positions.push(index);
            self.value(&item.value, after, first.column, None)?;
        }
        Some(())
    }

    /// Returns the place of a child of a collection: the first one may be on the line of what is
    /// around it, the others have its indentation.
    fn child(&mut self, first: RestOfLine<'t>, index: usize) -> Option<RestOfLine<'t>> {
        if index == 0 {
            return Some(first);
        }
        let line = self.next_line()?;
        (line.column == first.column).then_some(line)
    }

    /// Reads the value of a child that is indented by `column`. A collection begins here, or on the
    /// next line if that has the indentation `below`.
    fn value(
        &mut self,
        value: &Arc<Node>,
        place: RestOfLine<'t>,
        column: usize,
        below: Option<usize>,
    ) -> Option<()> {
        let is_full = match &value.content {
            Content::Mapping(mapping) => !mapping.entries.is_empty(),
            Content::Sequence(sequence) => !sequence.items.is_empty(),
            Content::Scalar(_) => false,
            Content::Alias(_) => return None,
        };
        if !is_full {
            return self.leaf(place, column);
        }
        let first = match below {
            Some(least) => {
                if !place.text.is_empty() {
                    return None;
                }
                self.next = self.end_of(place);
                self.next_line().filter(|line| line.column >= least)?
            }
            None => place,
        };
        match &value.content {
            Content::Mapping(mapping) => self.mapping(mapping, first),
            Content::Sequence(sequence) => self.sequence(sequence, first),
            Content::Scalar(_) | Content::Alias(_) => None,
        }
    }

    /// Reads a value that is not a collection, or an empty one.
    fn leaf(&mut self, place: RestOfLine<'t>, column: usize) -> Option<()> {
        let is_block = match place.text.as_bytes() {
            [b'|' | b'>', ..] => true,
            [quote @ (b'"' | b'\''), .., last] if quote == last => false,
            b"{}" | b"[]" => false,
            [b'"' | b'\'' | b'{' | b'[' | b'&' | b'*' | b'!' | b'?', ..] => return None,
            _ => false,
        };
        self.order.lines.push(place.line);
        self.next = self.end_of(place);
        while let Some(line) = self.line_at(self.next) {
            let is_more = !line.text.is_empty() && line.column > column;
            let is_comment = !is_block && line.text.starts_with('#');
            if is_more && !is_block && !is_comment {
                // A text of several lines.
                return None;
            }
            if !is_more && !line.text.is_empty() {
                break;
            }
            self.next = self.end_of(line);
        }
        Some(())
    }
}

/// Returns the key that a line begins with, if it is written without escapes.
fn printed_key(line: &str) -> Option<&str> {
    if let Some(quote) = line
        .chars()
        .next()
        .filter(|first| matches!(first, '"' | '\''))
    {
        return Some(line.get(1..)?.split_once(quote)?.0);
    }
    let end = line
        .find(": ")
        .or_else(|| Some(line.strip_suffix(':')?.len()))?;
    line.get(..end)
}

/// Returns the length of the key of an entry with its quotes and its colon, if a line begins with
/// it.
fn key_length(line: &str, entry: &Entry) -> Option<usize> {
    let key = entry.key.text()?;
    let quote = line
        .chars()
        .next()
        .filter(|first| matches!(first, '"' | '\''));
    let quotes = usize::from(quote.is_some());
    let rest = line.get(quotes..)?.strip_prefix(key)?;
    let rest = match quote {
        Some(quote) => rest.strip_prefix(quote)?,
        None => rest,
    };
    rest.starts_with(':').then_some(key.len() + 2 * quotes + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Source;
    use crate::yaml::parse_data;

    /// Returns the numbers of the lines of all values, from 1.
    fn lines(text: &str) -> Option<Vec<usize>> {
        Some(order(text, text)?.1)
    }

    /// Returns the positions, and the numbers of the lines, of what `tree` is printed as.
    fn order(tree: &str, text: &str) -> Option<(Vec<usize>, Vec<usize>)> {
        let stream = parse_data(&Source::new("a.yml", tree).unwrap()).unwrap();
        let found = printed_order(text, 0..text.len(), &stream.documents[0].root)?;
        let number = |at: usize| text[..at].matches('\n').count() + 1;
        Some((
            found.positions,
            found.lines.into_iter().map(number).collect(),
        ))
    }

    #[test]
    fn follows_keys_that_are_sorted() {
        let tree = "b: 1\na:\n  d: 2\n  c: 3\n";
        let found = order(tree, "a:\n  c: 3\n  d: 2\nb: 1\n");
        assert_eq!(found, Some((vec![1, 1, 0, 0], vec![2, 3, 4])));
        let found = order("a: 1\nc: 2\nb: 3\n", "a: 1\nb: 3\nc: 2\n");
        assert_eq!(found, Some((vec![0, 2, 1], vec![1, 2, 3])));
        // Not what the tree has.
        assert_eq!(order("a: 1\nb: 2\n", "a: 1\na: 2\n"), None);
        assert_eq!(order("a: 1\nb: 2\n", "b: 1\nb: 2\n"), None);
        assert_eq!(order("a: 1\nb: 2\n", "b: 1\n"), None);
    }

    #[test]
    fn finds_the_lines_of_values_in_block_style() {
        let table = [
            ("a: 1\nb: x\n", vec![1, 2]),
            ("a:\n  b: 1\n\n  # note\n  c: {}\nd: []\n", vec![2, 5, 6]),
            (
                "a:\n- 1\n- b: 2\n  c: 3\n- - 4\n  - 5\n",
                vec![2, 3, 4, 5, 6],
            ),
            ("a:\n  - 1\n  - x\nb: ''\n", vec![2, 3, 4]),
            ("a: |\n  # text\n   b: 1\n\n  c\nd: 2\n", vec![1, 6]),
            ("- >-\n  x\n- y\n", vec![1, 3]),
            ("\"80\": x\n'on': y # note\n", vec![1, 2]),
            ("a:\nb: ~\n", vec![1, 2]),
        ];
        for (text, expected) in table {
            assert_eq!(lines(text), Some(expected), "{text}");
        }
    }

    #[test]
    fn leaves_everything_else_to_the_parser() {
        for text in [
            "a: [1]\n",
            "a: {b: 1}\n",
            "a: \"x\n  b: 1\"\nb: 1\n",
            "a: 'x\n\n  y'\n",
            "a: x\n  y\n",
            "a: &b 1\n",
            "a: !!str 1\n",
            "a: 'x' # note\n",
            "? a\n: 1\n",
            "\"\\x61\": 1\n",
            "a: # note\n  b: 1\n",
            "-\n  a: 1\n",
            "text\n",
        ] {
            assert_eq!(lines(text), None, "{text}");
        }
    }

    #[test]
    fn divides_a_text_at_its_markers() {
        let parts = |text: &'static str| -> Vec<&str> {
            documents(text)
                .into_iter()
                .map(|part| &text[part])
                .collect()
        };
        assert_eq!(
            parts("a: 1\n---\nb: |\n  ---\n"),
            ["a: 1\n", "b: |\n  ---\n"]
        );
        assert_eq!(parts("---\na: 1\n"), ["a: 1\n"]);
        assert_eq!(parts("a: 1"), ["a: 1"]);
    }
}
