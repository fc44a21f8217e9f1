//! Collects the comments of a child that moves to a place where its lines cannot be: from a block
//! collection to one in brackets, or the other way round.
//!
//! The value is written from scratch, and the comments inside it have no place any more. So all of
//! them are written above it, except for one on the line of a scalar:
//!
//! ```text
//! a:                           a: {}
//!   # about x                  b: {q: 1,
//!   x:  # on x                   # about x
//!     k: 1  # one        ->      # on x
//! b: {q: 1}                      # one
//!                                x: {k: 1}}
//! ```

use super::align::{Child, ChildList};
use super::printer::FaithfulPrinter;
use super::removed_children::RemovedChild;
use crate::source::Span;
use crate::yaml::block_scalar;
use crate::yaml::node::{CollectionStyle, Content, Node};

/// The comments of a child, each from its `#` to the end of its line.
#[derive(Default)]
pub(super) struct MovedComments<'t> {
    /// The comments to write above the child.
    pub(super) above: Vec<&'t str>,
    /// The comment on the line of the child, if its value is a scalar.
    pub(super) trailing: Option<&'t str>,
}

impl MovedComments<'_> {
    /// Returns whether there are no comments to move.
    pub(super) fn is_empty(&self) -> bool {
        self.above.is_empty() && self.trailing.is_none()
    }

    /// Moves all comments above the child.
    pub(super) fn all_above(mut self) -> Self {
        self.above.extend(self.trailing.take());
        self
    }
}

impl<'t> FaithfulPrinter<'t> {
    /// Returns the comments of a removed child of YAML text, which is the child `old` of `list`.
    pub(super) fn moved_comments(
        &self,
        removed: &RemovedChild,
        list: &ChildList<'_>,
        old: &Child<'_>,
    ) -> MovedComments<'t> {
        let mut comments = MovedComments::default();
        let is_plain_line = old.value.as_scalar().is_some() && !old.value.is_block_scalar();
        for comment in self.comments_in(self.span_with_comments(removed, list, old), old) {
            let is_on_line = self.text.same_line(old.end, comment.start());
            let text = self.text.slice(comment.start(), comment.end());
            if is_plain_line && is_on_line && comment.start() >= old.end {
                comments.trailing = Some(text);
            } else {
                comments.above.push(text);
            }
        }
        comments
    }

    /// Returns the bytes of a child with the comments that belong to it.
    fn span_with_comments(
        &self,
        removed: &RemovedChild,
        list: &ChildList<'_>,
        old: &Child<'_>,
    ) -> Span {
        if list.style == CollectionStyle::Block {
            let indent = self.text.column(old.start);
            let start = if self.begins_line(old.start) {
                self.start_of_removal(old, indent)
            } else {
                old.start
            };
            return Span::new(start, self.end_with_comments(old, indent));
        }
        if !self.has_brackets(&removed.collection) {
            return Span::new(old.start, old.end);
        }
        let gaps = self.gaps(&removed.collection, &list.children);
        let start = Self::start_with_comments(&gaps[removed.place], old);
        let trailing = gaps[removed.place + 1].on_previous.last();
        Span::new(start, trailing.map_or(old.end, |comment| comment.end()))
    }

    /// Returns the comments in `span`, in order. A `#` starts a comment unless it is inside a
    /// scalar of `child`.
    fn comments_in(&self, span: Span, child: &Child<'_>) -> Vec<Span> {
        let mut tokens = Vec::new();
        if let Some(key) = child.key {
            self.collect_tokens(key, &mut tokens);
        }
        self.collect_tokens(child.value, &mut tokens);
        tokens.push(Span::at(span.end()));

        let mut comments = Vec::new();
        let mut from = span.start();
        for token in tokens {
            while let Some(at) = self.text.slice(from, token.start()).find('#') {
                let start = from + at;
                let end = self.text.line_end(start).min(span.end());
                comments.push(Span::new(start, end));
                from = end;
            }
            from = from.max(token.end());
        }
        comments
    }

    /// Adds the bytes of scalars, aliases, tags and anchors, in order.
    fn collect_tokens(&self, node: &Node, tokens: &mut Vec<Span>) {
        let (start, end) = (node.full_start(), node.full_end());
        match &node.content {
            Content::Scalar(_) if node.is_block_scalar() => {
                // A comment can be between the indicators and the content.
                let content = node.content_start();
                let header = block_scalar::header(self.text.slice(content, end));
                tokens.push(Span::new(start, content + header.length));
                tokens.push(Span::new(self.text.line_end(content).min(end), end));
            }
            Content::Scalar(_) | Content::Alias(_) => tokens.push(Span::new(start, end)),
            Content::Sequence(sequence) => {
                tokens.extend(node.properties.as_ref().map(|properties| properties.span));
                for item in &sequence.items {
                    self.collect_tokens(&item.value, tokens);
                }
            }
            Content::Mapping(mapping) => {
                tokens.extend(node.properties.as_ref().map(|properties| properties.span));
                for entry in &mapping.entries {
                    self.collect_tokens(&entry.key, tokens);
                    self.collect_tokens(&entry.value, tokens);
                }
            }
        }
    }
}
