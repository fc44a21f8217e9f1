//! Finds the lines on which the values of a printed document begin.
//!
//! The tree of the document is known, so its text is not parsed. Each line is compared with the key
//! or item that is expected there.
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
//! Invariant: each line that is found ends after a value or after the header of a block scalar, so
//! that a comment there changes no value.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::Arc;

use memchr::memchr_iter;

use crate::yaml::{Content, Entry, Mapping, Node, Sequence};

/// A text and the starts of its lines, which are found by one pass over the bytes.
pub(super) struct Lines<'t> {
    text: &'t str,
    starts: Vec<usize>,
}

/// The lines of one document of a text, counted from 0.
pub(super) type DocumentLines = Range<usize>;

impl<'t> Lines<'t> {
    pub(super) fn new(text: &'t str) -> Lines<'t> {
        let mut starts = Vec::with_capacity(text.len() / 16 + 1);
        starts.push(0);
        starts.extend(memchr_iter(b'\n', text.as_bytes()).map(|end| end + 1));
        // No line begins after the last line break.
        if starts.last() == Some(&text.len()) {
            starts.pop();
        }
        Lines { text, starts }
    }

    /// Returns the parts of the text between its lines `---`.
    pub(super) fn documents(&self) -> Vec<DocumentLines> {
        let mut documents = Vec::new();
        let mut first = 0;
        for index in 0..self.starts.len() {
            let line = self.line(index);
            if line.starts_with("---") && line.trim_end() == "---" {
                // The first document may begin with a marker too.
                if index > 0 {
                    documents.push(first..index);
                }
                first = index + 1;
            }
        }
        documents.push(first..self.starts.len());
        documents
    }

    /// Returns the bytes of a document in the text.
    pub(super) fn range(&self, document: &DocumentLines) -> Range<usize> {
        self.start(document.start)..self.start(document.end)
    }

    /// Returns the start of a line, or the end of the text if there is no such line.
    fn start(&self, index: usize) -> usize {
        self.starts.get(index).copied().unwrap_or(self.text.len())
    }

    /// Returns a line with its line break.
    fn line(&self, index: usize) -> &'t str {
        let range = self.start(index)..self.start(index + 1);
        self.text.get(range).unwrap_or_default()
    }
}

/// The order in which a tree is printed, and the lines of its values.
#[derive(Debug, Default)]
pub(super) struct PrintedOrder {
    /// The positions of children in their collections, from the root down, in the order in which
    /// they are printed: kustomize sorts the keys of a mapping.
    pub(super) positions: Vec<usize>,
    /// The starts of the lines of scalars and empty collections, in that order.
    pub(super) lines: Vec<usize>,
}

/// Finds the lines of a tree in its printed document; `None` if the document has to be parsed.
pub(super) fn printed_order(
    lines: &Lines<'_>,
    document: DocumentLines,
    root: &Arc<Node>,
) -> Option<PrintedOrder> {
    let mut outline = Outline {
        lines,
        next: document.start,
        end: document.end,
        read: None,
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
    lines: &'t Lines<'t>,
    /// The number of the next line.
    next: usize,
    /// The number of the first line that is not in the document.
    end: usize,
    /// The next line, if it was already inspected.
    read: Option<RestOfLine<'t>>,
    order: PrintedOrder,
}

/// The rest of a line.
#[derive(Clone, Copy)]
struct RestOfLine<'t> {
    /// The number of the whole line.
    line: usize,
    /// The number of bytes before the text.
    column: usize,
    text: &'t str,
}

impl<'t> RestOfLine<'t> {
    /// Returns the rest after an indicator or a key of this length and the spaces that follow it.
    fn after(self, length: usize) -> Option<RestOfLine<'t>> {
        let rest = self.text.get(length..)?;
        let text = rest.get(leading_spaces(rest)..)?;
        // `-a` and `a:b` are scalars: an indicator must be followed by a space.
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
    /// Returns the next line that is neither blank nor a comment, without consuming it.
    fn next_line(&mut self) -> Option<RestOfLine<'t>> {
        while let Some(line) = self.look_ahead() {
            if !matches!(line.text.as_bytes().first(), None | Some(b'#')) {
                return Some(line);
            }
            self.next = line.line + 1;
        }
        None
    }

    /// Returns the next line, without consuming it.
    fn look_ahead(&mut self) -> Option<RestOfLine<'t>> {
        if let Some(line) = self.read.filter(|line| line.line == self.next) {
            return Some(line);
        }
        if self.next >= self.end {
            return None;
        }
        let line = self.lines.line(self.next);
        let column = leading_spaces(line);
        self.read = Some(RestOfLine {
            line: self.next,
            column,
            text: line.get(column..)?.trim_end(),
        });
        self.read
    }

    /// Reads a mapping whose first entry is at `first`.
    fn mapping(&mut self, mapping: &Mapping, first: RestOfLine<'t>) -> Option<()> {
        // The entries before this index are printed in the order of the tree. The others may be
        // printed in any order, each of them once.
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

    /// Returns the place of a child of a collection. The first child may be on the line of its
    /// parent. The others have the same indentation as the first.
    fn child(&mut self, first: RestOfLine<'t>, index: usize) -> Option<RestOfLine<'t>> {
        if index == 0 {
            return Some(first);
        }
        let line = self.next_line()?;
        (line.column == first.column).then_some(line)
    }

    /// Reads the value of a child that is indented by `column`. A collection begins at `place`;
    /// with `below`, it begins on the next line, which has at least this indentation.
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
                self.next = place.line + 1;
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
        self.order.lines.push(self.lines.start(place.line));
        self.next = place.line + 1;
        while let Some(line) = self.look_ahead() {
            let is_more = !line.text.is_empty() && line.column > column;
            let is_comment = !is_block && line.text.starts_with('#');
            if is_more && !is_block && !is_comment {
                // A scalar of several lines.
                return None;
            }
            if !is_more && !line.text.is_empty() {
                break;
            }
            self.next = line.line + 1;
        }
        Some(())
    }
}

fn leading_spaces(text: &str) -> usize {
    text.bytes().take_while(|&byte| byte == b' ').count()
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
    let line = line.as_bytes();
    let quote = line.first().filter(|first| matches!(first, b'"' | b'\''));
    let quotes = usize::from(quote.is_some());
    let rest = line.get(quotes..)?.strip_prefix(key.as_bytes())?;
    let rest = match quote {
        Some(&quote) => rest.strip_prefix(&[quote])?,
        None => rest,
    };
    (rest.first() == Some(&b':')).then_some(key.len() + 2 * quotes + 1)
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
        let printed = Lines::new(text);
        let all = 0..printed.starts.len();
        let found = printed_order(&printed, all, &stream.documents[0].root)?;
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
            let lines = Lines::new(text);
            let documents = lines.documents();
            let parts = documents.iter().map(|part| &text[lines.range(part)]);
            parts.collect()
        };
        assert_eq!(
            parts("a: 1\n---\nb: |\n  ---\n"),
            ["a: 1\n", "b: |\n  ---\n"]
        );
        assert_eq!(parts("---\na: 1\n"), ["a: 1\n"]);
        assert_eq!(parts("a: 1"), ["a: 1"]);
    }
}
