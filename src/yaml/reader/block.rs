//! Block mappings and sequences.
//!
//! Each function reads one node that begins at the current token, and moves to the token after it.

use std::sync::Arc;

use super::{Handled, KEY_LENGTH, LineScalar, Reader, Unhandled};
use crate::yaml::node::{CollectionStyle, Content, Entry, Item, Mapping, Node, Sequence};

impl Reader<'_> {
    /// Reads the node at the current token, which is the first of its line or comes after a dash,
    /// and moves to the token after it. `parent` is the column of the collection that contains the
    /// node.
    pub(super) fn block_node(&mut self, parent: isize) -> Handled<Arc<Node>> {
        let column = self.column;
        match self.bytes[self.at] {
            b'-' if self.is_blank(self.at + 1) => return self.block_sequence(column),
            b'[' | b'{' => {
                let node = self.flow_node()?;
                self.end_line()?;
                return Ok(node);
            }
            b'|' | b'>' => return self.block_text(parent),
            _ => {}
        }
        let scalar = self.scalar_on_line()?;
        match self.colon() {
            Some(colon) => self.block_mapping(column, scalar, colon),
            None => self.rest_of_scalar(scalar, parent),
        }
    }

    /// Reads a mapping. Its first key was already read, up to its colon.
    fn block_mapping(
        &mut self,
        column: isize,
        first: LineScalar,
        first_colon: usize,
    ) -> Handled<Arc<Node>> {
        self.enter()?;
        let first_entry = self.entries.len();
        let start = first.start;
        let (mut key, mut colon) = (first, first_colon);
        loop {
            // A key has to end on the line on which it starts. A quoted scalar may have advanced
            // `line_start`.
            if key.end - key.start > KEY_LENGTH || key.line_start != self.line_start {
                return Err(Unhandled);
            }
            let key_node = self.node_of(&key);
            self.at = colon + 1;
            let value = self.entry_value(column)?;
            self.entries.push(Entry {
                key: key_node,
                value,
            });
            // A token further left ends this mapping. The caller decides what it belongs to.
            if self.column < column {
                break;
            }
            // If the token is further right, or is not a key, the indentation is wrong.
            if self.column > column || matches!(self.bytes[self.at], b'[' | b'{' | b'|' | b'>') {
                return Err(Unhandled);
            }
            key = self.scalar_on_line()?;
            colon = self.colon().ok_or(Unhandled)?;
        }
        self.depth -= 1;

        // Inner mappings have taken their entries off the stack, so all entries from `first_entry`
        // on belong to this one.
        let entries: Vec<Entry> = self.entries.drain(first_entry..).collect();
        let end = entries.last().map_or(start, |last| last.value.full_end());
        let content = Content::Mapping(Mapping {
            is_computed: false,
            style: CollectionStyle::Block,
            entries: entries.into(),
        });
        Ok(self.node(start, end, content))
    }

    /// Reads the value of an entry in a mapping at `column`, starting after the colon.
    fn entry_value(&mut self, column: isize) -> Handled<Arc<Node>> {
        let after_colon = self.at;
        let line_start = self.line_start;
        self.next_token()?;
        let is_on_line = self.line_start == line_start && self.at < self.bytes.len();
        if is_on_line {
            return self.value_on_line(column);
        }
        if self.column > column {
            return self.block_node(column);
        }
        // The items of a sequence may be in the same column as their key:
        //
        //     ports:
        //     - 80
        let is_sequence =
            self.column == column && self.bytes[self.at] == b'-' && self.is_blank(self.at + 1);
        if is_sequence {
            return self.block_sequence(column);
        }
        Ok(self.empty(after_colon))
    }

    /// Reads a value that starts on the line of its key.
    fn value_on_line(&mut self, parent: isize) -> Handled<Arc<Node>> {
        match self.bytes[self.at] {
            b'|' | b'>' => self.block_text(parent),
            b'[' | b'{' => {
                let node = self.flow_node()?;
                self.end_line()?;
                Ok(node)
            }
            _ => {
                let scalar = self.scalar_on_line()?;
                if self.colon().is_some() {
                    return Err(Unhandled);
                }
                self.rest_of_scalar(scalar, parent)
            }
        }
    }

    /// Reads a sequence whose first dash is the current token.
    fn block_sequence(&mut self, column: isize) -> Handled<Arc<Node>> {
        self.enter()?;
        let first_item = self.items.len();
        let start = self.at;
        loop {
            let dash = self.at;
            self.at += 1;
            let line_start = self.line_start;
            self.next_token()?;
            let is_on_line = self.line_start == line_start && self.at < self.bytes.len();
            // The value may start on the line of its dash or below it. A token that is not further
            // right starts the next item or ends the sequence, and then the value is null.
            let value = if is_on_line || self.column > column {
                self.block_node(column)?
            } else {
                self.empty(dash + 1)
            };
            self.items.push(Item {
                start: Some(dash as u32),
                value,
            });
            let is_item =
                self.column == column && self.bytes[self.at] == b'-' && self.is_blank(self.at + 1);
            if !is_item {
                break;
            }
        }
        self.depth -= 1;
        // In the same column, only the next key of the surrounding mapping can follow, which the
        // caller checks.
        if self.column > column {
            return Err(Unhandled);
        }

        let items: Vec<Item> = self.items.drain(first_item..).collect();
        let end = items.last().map_or(start, end_of_item);
        let content = Content::Sequence(Sequence {
            is_computed: false,
            style: CollectionStyle::Block,
            items: items.into(),
        });
        Ok(self.node(start, end, content))
    }
}

fn end_of_item(item: &Item) -> usize {
    let start = item.start.unwrap_or_default() as usize;
    item.value.full_end().max(start + 1)
}
