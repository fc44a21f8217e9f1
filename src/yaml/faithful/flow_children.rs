//! The texts of new children of a flow collection: their style, and the separators between them.
//!
//! New children follow the children that the collection has. A collection without any follows the
//! example of its siblings, or the style of the whole text.

use super::align::Child;
use super::flow::{BLANKS, FlowChildren};
use super::printer::FaithfulPrinter;
use super::shape::FlowLines;
use super::write::{on_one_line, spread};
use crate::source::Span;
use crate::yaml::node::{Node, ScalarStyle, Syntax};

/// The style in which the new children of one collection are written.
pub(super) struct NewChildren {
    /// The quotes that strings get.
    pub(super) quotes: Option<ScalarStyle>,
    /// The indentation of the lines of the children; `None` if they are on one line.
    pub(super) indent: Option<String>,
}

impl FaithfulPrinter<'_> {
    /// Writes everything between the brackets of a collection, if no child stays:
    ///
    /// ```text
    /// ["a", "b"]     ->     ["x"]
    ///  ^^^^^^^^ `inside`, which is replaced as a whole
    /// ```
    pub(super) fn fill(&mut self, flow: &FlowChildren<'_>, added: &[&Child<'_>]) {
        let Some(origin) = &flow.collection.origin else {
            return;
        };
        let start = origin.span.start() + 1;
        let inside = Span::new(start, origin.span.end().saturating_sub(1).max(start));
        let indent = self.fill_indent(flow).map(str::to_owned);
        let lines = FlowLines {
            indent: indent.as_deref(),
            example: flow.example,
        };
        let inner = self.child_lines_of(lines);
        let style = NewChildren {
            quotes: self.habitual_quotes(flow.old),
            indent: inner.clone(),
        };
        let mut children = Vec::with_capacity(added.len());
        for child in added {
            // On one line, no comment ends with its line, so a comma can follow it.
            children.push(match self.transferred_unit(flow, child, &style, ", ") {
                Some(unit) => unit.text + &unit.trailing,
                None => self.child_text(flow, child, &style),
            });
        }
        let text = match (&inner, lines.indent) {
            (Some(inner), Some(indent)) => spread(&children, inner, indent, self.layout.newline()),
            _ if children.is_empty() => String::new(),
            _ => self.between_brackets(flow, &children),
        };
        self.replace_text(inside, text);
    }

    /// Returns children on one line, with the blanks that the collection gets inside its brackets:
    /// `{a: 1}` or `{ a: 1 }`.
    fn between_brackets(&self, flow: &FlowChildren<'_>, children: &[String]) -> String {
        let open = match flow.collection.as_mapping() {
            Some(_) => '{',
            None => '[',
        };
        let gap = self.gap_in(open, flow.example);
        format!("{gap}{}{gap}", on_one_line(children, self.layout.flow()))
    }

    /// Returns the indentation of the line of a collection whose children are all new; `None` if
    /// they have to be on its line.
    fn fill_indent(&self, flow: &FlowChildren<'_>) -> Option<&str> {
        // In YAML, the lines would need more indentation than the parent.
        let can_spread = self.syntax == Syntax::Json && !flow.is_on_one_line;
        can_spread.then(|| self.text.indentation(flow.collection.content_start()))
    }

    /// Returns the text between two children of this collection: the text between its first two
    /// children or, without them, the style of its layout or of the whole text.
    pub(super) fn separator(&self, collection: &Node, old: &[Child<'_>]) -> String {
        if let [first, second, ..] = old {
            let gap = self.text.slice(first.end, second.start);
            // Any other text in the gap is a comment, which must not be repeated.
            if gap.trim() == "," {
                return gap.trim_start_matches(BLANKS).to_owned();
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

    /// Returns the style in which new children of a collection are written.
    pub(super) fn new_children(&self, flow: &FlowChildren<'_>) -> NewChildren {
        let first = flow.old.first().filter(|_| !flow.siblings.is_one_line);
        NewChildren {
            quotes: self.habitual_quotes(flow.old),
            indent: first.map(|first| self.text.indentation(first.start).to_owned()),
        }
    }

    /// Writes a new child: `value` or `key: value`.
    pub(super) fn child_text(
        &self,
        flow: &FlowChildren<'_>,
        child: &Child<'_>,
        style: &NewChildren,
    ) -> String {
        let value = match self.quoted(child.value, style.quotes, &self.flow_place()) {
            Some(value) => value,
            None => {
                let lines = FlowLines {
                    indent: style.indent.as_deref(),
                    example: flow.siblings.example(child.value.resolved()),
                };
                self.inline(child.value, &self.flow_place(), lines)
            }
        };
        let Some(key) = child.key else {
            return value;
        };
        let neighbour = flow.old.last();
        let key = self.key(key, neighbour.and_then(|last| last.key), true);
        format!("{key}:{}{value}", self.space_of(flow))
    }

    /// Returns the text between colon and value of new entries of a collection.
    pub(super) fn space_of(&self, flow: &FlowChildren<'_>) -> &'static str {
        match flow.old.last() {
            Some(last) => self.space_after_colon(last),
            None => self.after_colon(),
        }
    }

    /// Returns the text between colon and value of a new entry, if `neighbour` is in the same
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
