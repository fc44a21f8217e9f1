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

use crate::source::Source;
use crate::yaml::node::Stream;
use crate::yaml::node::{Content, Node};

/// The comments of one owner.
#[derive(Debug, Default)]
pub(super) struct OwnedComments<'a> {
    /// The comments on lines of their own, from the top.
    pub(super) above: Vec<&'a str>,
    /// The comment on the owner's line.
    pub(super) inline: Option<&'a str>,
}

/// The comments of a text by their owners. An owner is known by the offset of its marker, key or
/// dash.
pub(super) struct Comments<'a> {
    owned: HashMap<usize, OwnedComments<'a>>,
    /// The comments below everything.
    pub(super) trailing: Vec<&'a str>,
}

/// A line on which owners begin.
struct StartingLine {
    number: usize,
    outermost: usize,
    innermost: usize,
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
        let mut next = 0;
        for &span in &stream.comments {
            let text = stream.source.slice(span).trim_end();
            let number = stream.source.line(span.start());
            while lines.get(next).is_some_and(|line| line.number < number) {
                next += 1;
            }
            match lines.get(next) {
                Some(line) if line.number == number => {
                    comments.of(line.innermost).inline = Some(text)
                }
                Some(line) => comments.of(line.outermost).above.push(text),
                None => comments.trailing.push(text),
            }
        }
        comments
    }

    fn of(&mut self, owner: usize) -> &mut OwnedComments<'a> {
        self.owned.entry(owner).or_default()
    }

    /// Takes the comments of the owner at `offset`. Of two owners at one place, an entry and an
    /// empty key in it, the outer comes first and has them.
    pub(super) fn take(&mut self, offset: Option<usize>) -> OwnedComments<'a> {
        offset
            .and_then(|offset| self.owned.remove(&offset))
            .unwrap_or_default()
    }
}

/// Returns the lines on which owners begin, from the top.
fn lines(stream: &Stream) -> Vec<StartingLine> {
    let mut offsets = Vec::new();
    for document in &stream.documents {
        offsets.extend(document.marker.map(|marker| marker.start()));
        collect(&document.root, &mut offsets);
    }
    let mut lines: Vec<StartingLine> = Vec::with_capacity(offsets.len());
    for offset in offsets {
        add(&mut lines, &stream.source, offset);
    }
    lines
}

fn add(lines: &mut Vec<StartingLine>, source: &Source, offset: usize) {
    let number = source.line(offset);
    match lines.last_mut() {
        Some(line) if line.number >= number => line.innermost = offset,
        _ => lines.push(StartingLine {
            number,
            outermost: offset,
            innermost: offset,
        }),
    }
}

/// Collects the offsets at which entries and items begin, in the order of the text. It recurses;
/// the parser limits the depth.
fn collect(node: &Node, offsets: &mut Vec<usize>) {
    match &node.content {
        Content::Mapping(mapping) => {
            for entry in &mapping.entries {
                offsets.extend(start(&entry.key));
                collect(&entry.key, offsets);
                collect(&entry.value, offsets);
            }
        }
        Content::Sequence(sequence) => {
            for item in &sequence.items {
                offsets.extend(item.start.map(|start| start as usize));
                collect(&item.value, offsets);
            }
        }
        Content::Scalar(_) | Content::Alias(_) => {}
    }
}

/// Returns the offset at which a key begins.
pub(super) fn start(key: &Node) -> Option<usize> {
    key.origin.as_ref().map(|origin| origin.span.start())
}
