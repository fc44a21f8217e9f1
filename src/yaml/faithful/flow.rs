//! Adds children to a flow collection and removes them, with their commas.
//!
//! ```text
//! [a, b, c]     inserting x behind b inserts `, x`
//! ```
//!
//! A comment can be between a child and its comma, or behind the comma. So an inserted child goes
//! before the comma, unless the line ends with a comment on the child before it. `flow_removal`
//! removes children.

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
        if steps.is_empty() || kept.len() == old.len() && inserts.is_empty() {
            return;
        }
        let gaps = self.gaps(collection, old);
        if kept.is_empty() {
            let has_free_comments = gaps.iter().any(|gap| !gap.free.is_empty());
            if inserts.is_empty() && has_free_comments {
                self.remove_children(collection, old, &gaps, &kept, false);
                return;
            }
            let added: Vec<&Child<'_>> = inserts.into_iter().map(|(child, _)| child).collect();
            self.fill(collection, old, &added);
            return;
        }
        let separator = self.separator(collection, old);
        let last = kept[kept.len() - 1];
        let is_followed = inserts
            .iter()
            .any(|(_, after)| after.is_some_and(|after| after >= last));
        let keeps_comma = is_followed && self.line_behind(&old[last], &separator).is_some();
        self.remove_children(collection, old, &gaps, &kept, keeps_comma);

        // New children join the last one that stays before them, by its place in `kept`.
        //   [a, b, c]     remove b, insert x behind b
        //      ^^          `b,` is removed, and `, x` is inserted behind `a`
        let mut added: BTreeMap<Option<usize>, Vec<String>> = BTreeMap::new();
        for (child, after) in inserts {
            let previous =
                after.and_then(|after| kept.partition_point(|&kept| kept <= after).checked_sub(1));
            let text = self.child_text(collection, old, child);
            added.entry(previous).or_default().push(text);
        }
        let ends_with_comma = self.has_comma_behind(&old[old.len() - 1]);
        for (previous, texts) in added {
            let text = texts.join(&separator);
            match previous {
                None => {
                    let start = Self::start_with_comments(&gaps[kept[0]], &old[kept[0]]);
                    self.insert_text(start, format!("{text}{separator}"));
                }
                Some(at) => {
                    let is_last = at + 1 == kept.len();
                    let wants_comma = !is_last || ends_with_comma;
                    self.insert_after(&old[kept[at]], &text, &separator, wants_comma);
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
    /// `wants_comma` is whether a comma comes behind the last new child.
    fn insert_after(
        &mut self,
        previous: &Child<'_>,
        text: &str,
        separator: &str,
        wants_comma: bool,
    ) {
        match self.line_behind(previous, separator) {
            Some((line_end, gap)) => {
                // The last child has no comma. It gets one, and the new last child has none.
                if !self.has_comma_behind(previous) {
                    self.insert_text(previous.end, ",");
                }
                let comma = if wants_comma { "," } else { "" };
                self.insert_text(line_end, format!("{gap}{text}{comma}"));
            }
            None => self.insert_text(previous.end, format!("{separator}{text}")),
        }
    }

    /// Returns the end of the line on which `previous` ends, if new children have lines of their own
    /// and a comment ends this line; and what comes before them there.
    fn line_behind<'s>(
        &self,
        previous: &Child<'_>,
        separator: &'s str,
    ) -> Option<(usize, &'s str)> {
        let line_end = self.text.line_end(previous.end);
        let tail = self.text.slice(previous.end, line_end).trim();
        let tail = tail.strip_prefix(',').unwrap_or(tail).trim_start();
        let gap = separator.strip_prefix(',')?;
        (gap.contains('\n') && is_comment(tail)).then_some((line_end, gap))
    }

    /// Whether a comma follows a child on its line.
    fn has_comma_behind(&self, child: &Child<'_>) -> bool {
        let behind = self.text.from(child.end);
        behind.trim_start_matches([' ', '\t']).starts_with(',')
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
