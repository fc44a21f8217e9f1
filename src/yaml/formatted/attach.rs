//! Which comment belongs to what.
//!
//! A comment belongs to what begins on its line, the innermost; else to what begins on the next line below on which
//! anything begins, the outermost. What begins is a document (at its marker), an entry (at its key) or an item (at its
//! dash). A comment with nothing below it stands at the end.

use std::collections::HashMap;

use crate::source::Source;
use crate::yaml::node::Stream;
use crate::yaml::node::{Content, Node};

/// The comments of one owner.
#[derive(Debug, Default)]
pub(super) struct Owned<'a> {
    /// Those on lines of their own, from the top.
    pub(super) above: Vec<&'a str>,
    /// The one on the owner's line.
    pub(super) inline: Option<&'a str>,
}

/// The comments of a text by their owners. An owner is known by the offset of its marker, key or dash.
pub(super) struct Comments<'a> {
    owned: HashMap<usize, Owned<'a>>,
    /// What stands below everything.
    pub(super) trailing: Vec<&'a str>,
}

/// What begins on a line: the outermost thing and the innermost.
struct Line {
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

    fn of(&mut self, owner: usize) -> &mut Owned<'a> {
        self.owned.entry(owner).or_default()
    }

    /// Takes the comments of the owner at `offset`. Of two owners at one place, an entry and an empty key in it, the outer
    /// comes first and has them.
    pub(super) fn take(&mut self, offset: Option<usize>) -> Owned<'a> {
        offset
            .and_then(|offset| self.owned.remove(&offset))
            .unwrap_or_default()
    }
}

/// The lines on which something begins, from the top.
fn lines(stream: &Stream) -> Vec<Line> {
    let mut offsets = Vec::new();
    for document in &stream.documents {
        offsets.extend(document.marker.map(|marker| marker.start()));
        collect(&document.root, &mut offsets);
    }
    let mut lines: Vec<Line> = Vec::with_capacity(offsets.len());
    for offset in offsets {
        add(&mut lines, &stream.source, offset);
    }
    lines
}

fn add(lines: &mut Vec<Line>, source: &Source, offset: usize) {
    let number = source.line(offset);
    match lines.last_mut() {
        Some(line) if line.number >= number => line.innermost = offset,
        _ => lines.push(Line {
            number,
            outermost: offset,
            innermost: offset,
        }),
    }
}

/// Where entries and items begin, in the order of the text. The depth is that of a parsed tree.
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

/// Where a key begins.
pub(super) fn start(key: &Node) -> Option<usize> {
    key.origin.as_ref().map(|origin| origin.span.start())
}
