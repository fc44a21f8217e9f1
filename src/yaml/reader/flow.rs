//! Flow collections without line breaks: `[a, "b"]`, `{c: 1}`.

use std::sync::Arc;

use super::{Handled, Reader, Unhandled};
use crate::yaml::node::{
    CollectionStyle, Content, Entry, Item, Mapping, Node, ScalarStyle, Sequence, Text,
};

impl Reader<'_> {
    /// Reads the flow collection at `at`, including its closing bracket. Only a comment may follow
    /// it, which the caller checks.
    pub(super) fn flow_node(&mut self) -> Handled<Arc<Node>> {
        match self.bytes.get(self.at) {
            Some(b'[') => self.flow_sequence(),
            Some(b'{') => self.flow_mapping(),
            Some(quote @ (b'"' | b'\'')) => {
                let line_start = self.line_start;
                let scalar = self.quoted(*quote)?;
                // The quoted scalar continues on another line.
                if self.line_start != line_start {
                    return Err(Unhandled);
                }
                Ok(self.node_of(&scalar))
            }
            _ => {
                let (start, end) = self.flow_plain()?;
                Ok(self.scalar(start, end, ScalarStyle::Plain, Text::Verbatim))
            }
        }
    }

    fn flow_sequence(&mut self) -> Handled<Arc<Node>> {
        self.enter()?;
        let start = self.at;
        let first_item = self.items.len();
        self.at += 1;
        self.skip_spaces();
        while self.bytes.get(self.at) != Some(&b']') {
            let value = self.flow_node()?;
            let item_start = value.content_start() as u32;
            self.items.push(Item {
                start: Some(item_start),
                value,
            });
            self.separator(b']')?;
        }
        self.at += 1;
        self.depth -= 1;
        let items: Vec<Item> = self.items.drain(first_item..).collect();
        let content = Content::Sequence(Sequence {
            is_computed: false,
            style: CollectionStyle::Flow,
            items: items.into(),
        });
        Ok(self.node(start, self.at, content))
    }

    fn flow_mapping(&mut self) -> Handled<Arc<Node>> {
        self.enter()?;
        let start = self.at;
        let first_entry = self.entries.len();
        self.at += 1;
        self.skip_spaces();
        while self.bytes.get(self.at) != Some(&b'}') {
            // A collection as a key is legal and rare; the parser crate reads it.
            if matches!(self.bytes.get(self.at), Some(b'[' | b'{')) {
                return Err(Unhandled);
            }
            let key = self.flow_node()?;
            self.skip_spaces();
            // A key without a value, and a value that is not written, are rare.
            let has_value = self.bytes.get(self.at) == Some(&b':')
                && self.bytes.get(self.at + 1) == Some(&b' ');
            if !has_value {
                return Err(Unhandled);
            }
            self.at += 1;
            self.skip_spaces();
            let value = self.flow_node()?;
            self.entries.push(Entry { key, value });
            self.separator(b'}')?;
        }
        self.at += 1;
        self.depth -= 1;
        let entries: Vec<Entry> = self.entries.drain(first_entry..).collect();
        let content = Content::Mapping(Mapping {
            is_computed: false,
            style: CollectionStyle::Flow,
            entries: entries.into(),
        });
        Ok(self.node(start, self.at, content))
    }

    /// Reads the comma after an element, or stops before the closing bracket.
    fn separator(&mut self, close: u8) -> Handled<()> {
        self.skip_spaces();
        match self.bytes.get(self.at) {
            Some(b',') => {
                self.at += 1;
                self.skip_spaces();
                Ok(())
            }
            Some(byte) if *byte == close => Ok(()),
            _ => Err(Unhandled),
        }
    }

    /// Reads a plain scalar in a flow collection, and returns its offsets.
    fn flow_plain(&mut self) -> Handled<(usize, usize)> {
        let start = self.at;
        let mut end = start;
        while let Some(&byte) = self.bytes.get(self.at) {
            match byte {
                b',' | b']' | b'}' => break,
                b':' if self.bytes.get(self.at + 1) == Some(&b' ') => break,
                b' ' => self.at += 1,
                // Letters, digits and the characters of names, versions, paths and patterns. Any
                // other character is left to the parser crate.
                b'a'..=b'z'
                | b'A'..=b'Z'
                | b'0'..=b'9'
                | b'_'
                | b'.'
                | b'/'
                | b'$'
                | b'('
                | b')'
                | b'+'
                | b'='
                | b'^'
                | b'~'
                | b';' => {
                    self.at += 1;
                    end = self.at;
                }
                // These are indicators at the start of a scalar, and ordinary characters inside a
                // word. After a space they are rare.
                b'-' | b'*' | b'@' | b'%' if self.at > start && end == self.at => {
                    self.at += 1;
                    end = self.at;
                }
                // A colon inside a word, as in `nginx:1.27`.
                b':' if end == self.at
                    && self.at > start
                    && self
                        .bytes
                        .get(self.at + 1)
                        .is_some_and(u8::is_ascii_alphanumeric) =>
                {
                    self.at += 1;
                    end = self.at;
                }
                _ => return Err(Unhandled),
            }
        }
        if end == start {
            return Err(Unhandled);
        }
        self.at = end;
        Ok((start, end))
    }

    fn skip_spaces(&mut self) {
        while self.bytes.get(self.at) == Some(&b' ') {
            self.at += 1;
        }
    }
}
