//! Finds the owner of each comment.
//!
//! ```yaml
//! # belongs to `a`: the outermost that begins on the next line
//! a:
//!   - b: 1  # belongs to `b`: the innermost that begins on this line
//! # belongs to the end of the text: nothing begins below
//! ```
//!
//! An owner is a document (which begins at its marker), an entry (at its key) or an item (at its
//! dash).

use std::collections::HashMap;
use std::sync::Arc;

use crate::source::{Source, Span};
use crate::yaml::character;
use crate::yaml::node::{Content, Document, Node, Stream};

/// The comments of one owner.
#[derive(Debug, Default)]
pub(super) struct OwnedComments<'a> {
    /// The comments that are alone on their lines, from the top.
    pub(super) above: Vec<&'a str>,
    /// The comment on the owner's line.
    pub(super) inline: Option<&'a str>,
}

/// The identity of an owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Owner {
    /// A document, by the offset of its marker.
    Document(usize),
    /// An entry, by the address of its key. An offset would not distinguish it from an entry of its
    /// key: in `? a: 1`, both keys begin at `a`.
    Entry(*const Node),
    /// An item, by the offset of its dash.
    Item(u32),
}

impl Owner {
    /// Returns the entry with this key.
    pub(super) fn entry(key: &Arc<Node>) -> Owner {
        Owner::Entry(Arc::as_ptr(key))
    }
}

/// The comments of a text by their owners.
pub(super) struct Comments<'a> {
    owned: HashMap<Owner, OwnedComments<'a>>,
    /// The comments below everything.
    pub(super) trailing: Vec<&'a str>,
}

/// A line on which one or more owners begin.
struct StartingLine {
    number: usize,
    /// The owner of the comments above this line.
    above: Owner,
    /// The owner of the comment on this line.
    innermost: Owner,
    /// The owner of the comment on this line if `innermost` has one already.
    above_innermost: Owner,
}

impl<'a> Comments<'a> {
    /// Finds the owner of each comment.
    pub(super) fn attach(stream: &'a Stream) -> Comments<'a> {
        let mut comments = Comments {
            owned: HashMap::new(),
            trailing: Vec::new(),
        };
        if stream.comments.is_empty() {
            return comments;
        }
        let lines = lines(stream);
        // A comment on the line of a directive, or below it, is printed with the directives.
        let directives: Vec<Span> = stream
            .documents
            .iter()
            .flat_map(|document| directives(stream, document))
            .collect();
        let mut next = 0;
        for &span in &stream.comments {
            let after = directives.partition_point(|line| line.start() <= span.start());
            let line = after.checked_sub(1).and_then(|at| directives.get(at));
            if line.is_some_and(|line| line.range().contains(&span.start())) {
                continue;
            }
            // Only white space of YAML is cut off: `# x<U+00A0>` ends with a character that belongs
            // to the comment.
            let text = stream.source.slice(span).trim_ascii_end();
            let number = stream.source.line(span.start());
            while lines.get(next).is_some_and(|line| line.number < number) {
                next += 1;
            }
            match lines.get(next) {
                Some(line) if line.number == number => {
                    let inline = &mut comments.of(line.innermost).inline;
                    if inline.is_none() {
                        *inline = Some(text);
                    } else {
                        // `? key # one` and `: value # two` are two lines of one owner.
                        comments.of(line.above_innermost).above.push(text);
                    }
                }
                Some(line) => comments.of(line.above).above.push(text),
                None => comments.trailing.push(text),
            }
        }
        comments
    }

    fn of(&mut self, owner: Owner) -> &mut OwnedComments<'a> {
        self.owned.entry(owner).or_default()
    }

    /// Takes the comments of an owner; none for `None`, which has no place in the text.
    pub(super) fn take(&mut self, owner: Option<Owner>) -> OwnedComments<'a> {
        owner
            .and_then(|owner| self.owned.remove(&owner))
            .unwrap_or_default()
    }
}

/// Returns the lines on which owners begin, from the top.
fn lines(stream: &Stream) -> Vec<StartingLine> {
    let mut starts = Vec::new();
    for document in &stream.documents {
        starts.extend(document.marker.map(|marker| Start {
            offset: marker.start(),
            owner: Owner::Document(marker.start()),
            above: Owner::Document(marker.start()),
        }));
        collect(&document.root, None, &stream.source, &mut starts);
    }
    let mut lines: Vec<StartingLine> = Vec::with_capacity(starts.len());
    for start in starts {
        add(&mut lines, &stream.source, start);
    }
    lines
}

/// The place at which an owner begins.
struct Start {
    offset: usize,
    owner: Owner,
    /// The owner of the comments above. It is another one for the first entry or item of an
    /// explicit key: its comments are printed above the entry that the key belongs to, because that
    /// is how a comment above `? ? a` is read.
    above: Owner,
}

fn add(lines: &mut Vec<StartingLine>, source: &Source, start: Start) {
    let number = source.line(start.offset);
    match lines.last_mut() {
        Some(line) if line.number >= number => {
            line.innermost = start.owner;
            line.above_innermost = start.above;
        }
        _ => lines.push(StartingLine {
            number,
            above: start.above,
            innermost: start.owner,
            above_innermost: start.above,
        }),
    }
}

/// Collects the places at which entries and items begin, in the order of the text. `key_of` is the
/// outermost entry that begins with this node, if the node is a key. It is recursive; the parser
/// limits the depth.
fn collect(node: &Node, mut key_of: Option<Owner>, source: &Source, starts: &mut Vec<Start>) {
    match &node.content {
        Content::Mapping(mapping) => {
            for entry in &mapping.entries {
                let owner = Owner::entry(&entry.key);
                let above = key_of.take().unwrap_or(owner);
                let start = |offset| Start {
                    offset,
                    owner,
                    above,
                };
                starts.extend(key_offset(&entry.key).map(start));
                collect(&entry.key, Some(above), source, starts);
                starts.extend(colon_offset(&entry.key, source).map(start));
                collect(&entry.value, None, source, starts);
            }
        }
        Content::Sequence(sequence) => {
            for item in &sequence.items {
                starts.extend(item.start.map(|dash| Start {
                    offset: dash as usize,
                    owner: Owner::Item(dash),
                    above: key_of.take().unwrap_or(Owner::Item(dash)),
                }));
                collect(&item.value, None, source, starts);
            }
        }
        Content::Scalar(_) | Content::Alias(_) => {}
    }
}

/// Returns the offset of the key of an entry.
fn key_offset(key: &Arc<Node>) -> Option<usize> {
    Some(key.origin.as_ref()?.span.start())
}

/// Returns the offset of the colon of a key that has several lines, or items or entries of its own.
/// The entry continues at this colon, and a comment on its line is one on the entry:
///
/// ```yaml
/// ? |
///   key
/// : value  # belongs to the entry
/// [a, b]: value  # belongs to the entry, not to the item `b`
/// ```
fn colon_offset(key: &Arc<Node>, source: &Source) -> Option<usize> {
    let start = key_offset(key)?;
    let colon = character::colon(source.text(), key.full_end())?;
    let has_owners = !matches!(key.content, Content::Scalar(_) | Content::Alias(_));
    let is_after = has_owners || source.line(colon) > source.line(start);
    is_after.then_some(colon)
}

/// Returns the lines `%YAML …` and `%TAG …` before the marker of a document, each with the comment
/// after it, and the lines with comments below the first of them.
pub(super) fn directives(stream: &Stream, document: &Document) -> Vec<Span> {
    let start = document.span.start();
    let end = document.marker.map_or(start, |marker| marker.start());
    let head = stream.source.text().get(start..end).unwrap_or_default();
    let mut found = Vec::new();
    let mut line_start = start;
    for line in head.split_inclusive('\n') {
        let text = line.trim_start_matches('\u{feff}');
        let comment = text.trim_start_matches([' ', '\t']);
        let is_comment = !found.is_empty() && comment.starts_with('#');
        let text = if is_comment { comment } else { text };
        if is_comment || text.starts_with('%') {
            let from = line_start + line.len() - text.len();
            found.push(Span::new(from, from + text.trim_ascii_end().len()));
        }
        line_start += line.len();
    }
    found
}
