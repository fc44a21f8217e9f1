//! Adds children to a flow collection and removes them, with their commas.
//!
//! ```text
//! [a, b, c]     removing b removes `, b`: a child goes with the comma before it
//! [a, b, c]     removing a removes `a, `: the first child goes with the comma behind it
//! [a, b, c]     inserting x behind b inserts `, x`
//! ```
//!
//! A comment can be between a child and its comma, or behind the comma. So an inserted child goes
//! before the comma, unless the line ends with a comment on the child before it.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::align::{AlignStep, Child};
use super::printer::FaithfulPrinter;
use super::write::{on_one_line, spread};
use crate::source::Span;
use crate::yaml::node::{Node, Syntax};

impl FaithfulPrinter<'_> {
    /// Adds and removes the children of an edited flow collection. The values of those that stay
    /// were compared already.
    pub(super) fn flow_steps(
        &mut self,
        collection: &Arc<Node>,
        old: &[Child<'_>],
        new: &[Child<'_>],
        steps: &[AlignStep],
    ) {
        let mut kept = Vec::new();
        let mut inserts = Vec::new();
        for step in steps {
            match *step {
                AlignStep::Keep { old, .. } => kept.push(old),
                AlignStep::Insert { new: index, after } => inserts.push((&new[index], after)),
                AlignStep::Remove { .. } => {}
            }
        }
        if kept.is_empty() && !steps.is_empty() {
            let added: Vec<&Child<'_>> = inserts.into_iter().map(|(child, _)| child).collect();
            self.fill(collection, old, &added);
            return;
        }
        self.remove_children(old, &kept);

        // A removed child takes the comma before it along, so new children join the last one that
        // stays, by its place in `kept`.
        //   [a, b, c]     remove b, insert x behind b
        //     ^^^          `, b` is removed, and `, x` is inserted behind `a`
        let mut added: BTreeMap<Option<usize>, Vec<String>> = BTreeMap::new();
        for (child, after) in inserts {
            let previous =
                after.and_then(|after| kept.partition_point(|&kept| kept <= after).checked_sub(1));
            let text = self.child_text(collection, old, child);
            added.entry(previous).or_default().push(text);
        }
        let separator = self.separator(collection, old);
        for (previous, texts) in added {
            let text = texts.join(&separator);
            match previous {
                None => {
                    let first = &old[kept[0]];
                    self.insert_text(first.start, format!("{text}{separator}"));
                }
                Some(at) => {
                    let next_stays = kept.get(at + 1).copied().unwrap_or(old.len()) == kept[at] + 1;
                    self.insert_after(&old[kept[at]], &text, &separator, next_stays);
                }
            }
        }
    }

    /// Inserts children behind `previous`. If children have lines of their own, a comment on
    /// `previous` stays on its line:
    ///
    /// ```text
    /// [                   [
    ///   a,  # about a       a,  # about a
    ///   b,                  new,
    /// ]                     b,
    ///                     ]
    /// ```
    ///
    /// `next_stays` is whether the children behind `previous` were not removed; a removed one takes
    /// this line's end along.
    fn insert_after(
        &mut self,
        previous: &Child<'_>,
        text: &str,
        separator: &str,
        next_stays: bool,
    ) {
        let line_end = self.text.line_end(previous.end);
        let tail = self.text.slice(previous.end, line_end).trim();
        let (has_comma, tail) = match tail.strip_prefix(',') {
            Some(tail) => (true, tail.trim_start()),
            None => (false, tail),
        };
        match separator.strip_prefix(',') {
            Some(gap) if gap.contains('\n') && next_stays && is_comment(tail) => {
                // The last child has no comma. It gets one, and the new last child has none.
                if !has_comma {
                    self.insert_text(previous.end, ",");
                }
                let comma = if has_comma { "," } else { "" };
                self.insert_text(line_end, format!("{gap}{text}{comma}"));
            }
            _ => self.insert_text(previous.end, format!("{separator}{text}")),
        }
    }

    /// Removes every child that is not in `kept`, each with one comma.
    ///
    /// ```text
    /// [a, b, c, d]     c stays:  `a, b, ` goes, which is before the first that stays,
    ///                            and `, d`, which is behind one that stays
    /// ```
    fn remove_children(&mut self, old: &[Child<'_>], kept: &[usize]) {
        let Some((&first, others)) = kept.split_first() else {
            return;
        };
        if first > 0 {
            self.replace_text(Span::new(old[0].start, old[first].start), "");
        }
        // From behind each child that stays to the end of the last one removed after it: their
        // commas are in between, and the comma before the next child that stays is not.
        let mut previous = first;
        for &next in others.iter().chain([&old.len()]) {
            if next > previous + 1 {
                self.replace_text(Span::new(old[previous].end, old[next - 1].end), "");
            }
            previous = next;
        }
    }

    /// Writes everything between the brackets of a collection, if no child stays.
    fn fill(&mut self, collection: &Arc<Node>, old: &[Child<'_>], added: &[&Child<'_>]) {
        let Some(origin) = &collection.origin else {
            return;
        };
        let start = origin.span.start() + 1;
        let inside = Span::new(start, origin.span.end().saturating_sub(1).max(start));
        let mut children = Vec::with_capacity(added.len());
        for child in added {
            children.push(self.child_text(collection, old, child));
        }
        let habits = self.layout.flow();
        let text = if self.spreads() {
            let indent = self.text.indentation(origin.span.start());
            spread(&children, habits, indent, self.layout.newline())
        } else {
            on_one_line(&children, habits)
        };
        self.replace_text(inside, text);
    }

    /// Whether a new flow collection has one child a line: only in JSON, if other collections of
    /// the text do.
    fn spreads(&self) -> bool {
        self.syntax == Syntax::Json && self.layout.flow().step.is_some()
    }

    /// Returns what is between two children of this collection: what is between its first two, else
    /// what its layout or the layout of the text suggests.
    fn separator(&self, collection: &Node, old: &[Child<'_>]) -> String {
        if let [first, second, ..] = old {
            let gap = self.text.slice(first.end, second.start);
            // Anything else in the gap is a comment, which must not be repeated.
            if gap.trim() == "," {
                return gap.trim_start_matches([' ', '\t']).to_owned();
            }
        }
        if let Some(first) = old.first() {
            let before_first = self.text.slice(collection.content_start() + 1, first.start);
            if before_first.contains('\n') {
                let indent = self.text.indentation(first.start);
                return format!(",{}{indent}", self.layout.newline());
            }
        }
        format!(",{}", self.layout.flow().after_comma)
    }

    /// Writes a new child: `value` or `key: value`.
    fn child_text(&self, collection: &Node, old: &[Child<'_>], child: &Child<'_>) -> String {
        let quotes = self.habitual_quotes(old);
        let value = match self.quoted(child.value, quotes, &self.flow_place()) {
            Some(value) => value,
            None => {
                let indent = self.child_indent(collection, old);
                self.inline(child.value, &self.flow_place(), indent.as_deref())
            }
        };
        let Some(key) = child.key else {
            return value;
        };
        let neighbour = old.last();
        let key = self.key(key, neighbour.and_then(|last| last.key), true);
        let space = match neighbour {
            Some(last) => self.space_after_colon(last),
            None => self.after_colon(),
        };
        format!("{key}:{space}{value}")
    }

    /// Returns the indentation of the lines of the children, if a child that is a collection is
    /// spread over lines too: `None` if the children are on one line.
    fn child_indent(&self, collection: &Node, old: &[Child<'_>]) -> Option<String> {
        if !self.spreads() {
            return None;
        }
        let start = collection.content_start();
        match old.first() {
            Some(first) if self.text.same_line(start, first.start) => None,
            Some(first) => Some(self.text.indentation(first.start).to_owned()),
            None => {
                let step = self.layout.flow().step.as_deref().unwrap_or("");
                Some(format!("{}{step}", self.text.indentation(start)))
            }
        }
    }

    /// Returns what a new entry has between colon and value, if `neighbour` is in the same
    /// collection.
    fn space_after_colon(&self, neighbour: &Child<'_>) -> &'static str {
        let Some(start) = neighbour.value_start else {
            return self.after_colon();
        };
        if self.syntax == Syntax::Yaml {
            return self.after_colon();
        }
        if self
            .text
            .slice(start, neighbour.end)
            .starts_with([' ', '\t'])
        {
            " "
        } else {
            ""
        }
    }
}

/// Whether the rest of a line is one comment that ends with it.
fn is_comment(tail: &str) -> bool {
    if let Some(body) = tail.strip_prefix("/*") {
        return body.find("*/").is_some_and(|at| at + 2 == body.len());
    }
    tail.starts_with('#') || tail.starts_with("//")
}
