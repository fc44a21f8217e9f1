//! Adds children to a flow collection and removes them, with their commas.
//!
//! ```text
//! [a, b, c]     inserting x after b inserts `, x`
//! ```
//!
//! A comment can be between a child and its comma, or after the comma. So an inserted child goes
//! before the comma, unless the line ends with a comment on the child before it. `flow_removal`
//! removes children.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::align::{AlignStep, Child};
use super::flow_children::NewChildren;
use super::flow_moves::CommentedChild;
use super::flow_removal::{FlowGap, LastComma};
use super::printer::FaithfulPrinter;
use super::shape::Siblings;
use crate::source::Span;
use crate::yaml::node::Node;

/// White space within a line.
pub(super) const BLANKS: [char; 2] = [' ', '\t'];

/// A flow collection that was edited.
pub(super) struct FlowChildren<'p> {
    /// The collection before the edit.
    pub(super) collection: &'p Arc<Node>,
    /// The collection whose shape is copied if no child stays.
    pub(super) example: Option<&'p Arc<Node>>,
    /// Whether the collection is inside a flow collection whose children are on one line.
    pub(super) is_on_one_line: bool,
    /// The children before the edit.
    pub(super) old: &'p [Child<'p>],
    /// The collections among these children.
    pub(super) siblings: &'p Siblings<'p>,
}

/// A child that is inserted into a flow collection.
#[derive(Clone, Copy)]
struct FlowInsert<'e> {
    child: &'e Child<'e>,
    /// The position of the old child that it comes after; `None` if it comes before the first. That
    /// child may be removed at the same time.
    after: Option<usize>,
}

/// The changes to the children of a flow collection.
struct FlowEdit<'e> {
    /// The positions of the old children that stay, in ascending order.
    kept: Vec<usize>,
    /// The new children, in their order.
    inserts: Vec<FlowInsert<'e>>,
}

impl<'e> FlowEdit<'e> {
    fn new(new: &'e [Child<'e>], steps: &[AlignStep]) -> FlowEdit<'e> {
        let mut edit = FlowEdit {
            kept: Vec::new(),
            inserts: Vec::new(),
        };
        for step in steps {
            match *step {
                AlignStep::Keep { old, .. } => edit.kept.push(old),
                AlignStep::Insert { new: index, after } => edit.inserts.push(FlowInsert {
                    child: &new[index],
                    after,
                }),
                AlignStep::Remove { .. } => {}
            }
        }
        edit
    }

    /// Returns the last of the kept children that is not after `after`, as an index into `kept`. A
    /// new child follows this one once the removed ones are gone.
    fn kept_before(&self, after: Option<usize>) -> Option<usize> {
        let after = after?;
        let count = self.kept.partition_point(|&kept| kept <= after);
        count.checked_sub(1)
    }
}

/// The commas around new children.
struct CommaPlace {
    /// Whether the child before them keeps the comma after it.
    previous_keeps_comma: bool,
    /// Whether the last of them needs a comma after it.
    is_wanted: bool,
}

/// Returns the part of a separator that is after its comma: blanks, or a line break with
/// indentation.
fn gap_after_comma(separator: &str) -> &str {
    separator.strip_prefix(',').unwrap_or(" ")
}

/// Returns whether a tag or an anchor without a value ends at `end`, in a node or in the only entry
/// of a pair (`[a: !!null ]`).
fn ends_with_properties(node: &Node, end: usize) -> bool {
    let ends_here = |node: &Node| {
        let properties = node.properties.as_ref();
        properties.is_some_and(|properties| properties.span.end() == end)
    };
    match node.as_mapping().and_then(|pair| pair.entries.last()) {
        Some(entry) if ends_here(&entry.key) || ends_here(&entry.value) => true,
        _ => ends_here(node),
    }
}

/// Joins new children into one, with the commas between them.
fn joined(units: Vec<CommentedChild>, separator: &str) -> CommentedChild {
    let gap = gap_after_comma(separator);
    let mut joined = CommentedChild {
        text: String::new(),
        trailing: String::new(),
    };
    for (number, unit) in units.into_iter().enumerate() {
        if number > 0 {
            joined.text.push(',');
            joined.text.push_str(&joined.trailing);
            joined.text.push_str(unit.gap_before(gap));
        }
        joined.text.push_str(&unit.text);
        joined.trailing = unit.trailing;
    }
    joined
}

impl FaithfulPrinter<'_> {
    /// Adds and removes the children of an edited flow collection. The values of the children that
    /// stay were already compared.
    pub(super) fn flow_steps(
        &mut self,
        flow: &FlowChildren<'_>,
        new: &[Child<'_>],
        steps: &[AlignStep],
    ) {
        let FlowChildren {
            collection, old, ..
        } = *flow;
        let edit = FlowEdit::new(new, steps);
        let is_unchanged = edit.kept.len() == old.len() && edit.inserts.is_empty();
        if steps.is_empty() || is_unchanged {
            return;
        }
        let gaps = self.gaps(collection, old);
        match edit.kept.last() {
            Some(&last) => self.edit_around_kept(flow, &gaps, &edit, last),
            None => self.replace_children(flow, &gaps, &edit),
        }
    }

    /// Replaces all children. The comments that belong to no child stay:
    ///
    /// ```text
    /// [                     [                     [
    ///   // all ports     ->   // all ports     ->   // all ports
    ///                                               443
    ///   80                  ]                     ]
    /// ]
    /// ```
    fn replace_children(&mut self, flow: &FlowChildren<'_>, gaps: &[FlowGap], edit: &FlowEdit<'_>) {
        let added: Vec<&Child<'_>> = edit.inserts.iter().map(|insert| insert.child).collect();
        let Some(&comment) = gaps.iter().filter_map(|gap| gap.free.last()).next_back() else {
            self.fill(flow, &added);
            return;
        };
        self.remove_children(flow.collection, flow.old, gaps, &[], LastComma::AsBefore);
        if !added.is_empty() {
            self.add_below_comment(flow, &added, comment);
        }
    }

    /// Writes the new children of a collection in which only comments stay, after the last of them.
    /// They are on lines of their own if the closing bracket is.
    fn add_below_comment(&mut self, flow: &FlowChildren<'_>, added: &[&Child<'_>], comment: Span) {
        let end = flow.collection.full_end() - 1;
        let has_lines = self.text.slice(comment.end(), end).contains('\n');
        let indent = has_lines.then(|| {
            if self.begins_line(comment.start()) {
                self.text.indentation(comment.start()).to_owned()
            } else {
                let step = self.layout.flow().step.as_deref().unwrap_or("  ");
                self.text.indentation(end).to_owned() + step
            }
        });
        let gap = match &indent {
            Some(indent) => format!("{}{indent}", self.layout.newline()),
            None => " ".to_owned(),
        };
        let separator = format!(",{gap}");
        let style = NewChildren {
            quotes: self.habitual_quotes(flow.old),
            indent,
        };
        let mut units = Vec::with_capacity(added.len());
        for child in added {
            units.push(
                match self.transferred_unit(flow, child, &style, &separator) {
                    Some(unit) => unit,
                    None => CommentedChild {
                        text: self.child_text(flow, child, &style),
                        trailing: String::new(),
                    },
                },
            );
        }
        let CommentedChild { text, trailing } = joined(units, &separator);
        self.insert_text(comment.end(), format!("{gap}{text}{trailing}"));
    }

    /// Removes and inserts children around those that stay. `last` is the position of the last of
    /// these.
    ///
    /// ```text
    /// [a, b, c]     ->     [x, a, y]      keep a, remove b and c, insert x and y
    ///                       ^^^           `x, ` before the first kept child
    ///                           ^^^       `, y` after the kept child before it
    /// ```
    fn edit_around_kept(
        &mut self,
        flow: &FlowChildren<'_>,
        gaps: &[FlowGap],
        edit: &FlowEdit<'_>,
        last: usize,
    ) {
        let FlowChildren {
            collection, old, ..
        } = *flow;
        let FlowEdit { kept, inserts } = edit;
        let separator = self.separator(collection, old);
        // A child that is inserted below a comment on the last kept child relies on the comma of
        // that child. So the comma stays, even if all old children after it are removed.
        let is_followed = inserts.iter().any(|insert| insert.after >= Some(last));
        let keeps_comma = is_followed && self.commented_line_end(&old[last], &separator).is_some();
        let last_comma = match keeps_comma {
            true => LastComma::Needed,
            false => LastComma::AsBefore,
        };
        self.remove_children(collection, old, gaps, kept, last_comma);

        let ends_with_comma = self.has_comma_after(&old[old.len() - 1]);
        for (previous, units) in self.added_units(flow, edit, &separator) {
            let mut unit = joined(units, &separator);
            let Some(at) = previous else {
                let start = Self::start_with_comments(&gaps[kept[0]], &old[kept[0]]);
                unit.indent_marker(self.text.slice(0, start));
                let gap = gap_after_comma(&separator);
                self.insert_text(start, format!("{},{}{gap}", unit.text, unit.trailing));
                continue;
            };
            let is_last = at + 1 == kept.len();
            // The comma of the last kept child is removed with the children after it.
            let loses_comma = is_last && last + 1 < old.len() && !ends_with_comma && !keeps_comma;
            let place = CommaPlace {
                previous_keeps_comma: !loses_comma && self.has_comma_after(&old[kept[at]]),
                is_wanted: !is_last || ends_with_comma,
            };
            self.insert_after(&old[kept[at]], &unit, &separator, place);
        }
    }

    /// Adds entries to a pair in a list, which is a mapping without braces. It gets braces, and its
    /// entry stays:
    ///
    /// ```text
    /// [a: 1, c]     ->     [{a: 1, b: 2}, c]
    /// ```
    pub(super) fn add_to_pair(
        &mut self,
        flow: &FlowChildren<'_>,
        new: &[Child<'_>],
        steps: &[AlignStep],
    ) {
        let style = self.new_children(flow);
        // The text of the new entries before and after the old one.
        let mut head = String::new();
        let mut tail = String::new();
        for step in steps {
            // The only old child is the entry that stays.
            let AlignStep::Insert { new: index, after } = *step else {
                continue;
            };
            let text = self.child_text(flow, &new[index], &style);
            if after.is_none() {
                head.extend([&*text, ", "]);
            } else {
                tail.extend([", ", &*text]);
            }
        }
        let (Some(first), Some(last)) = (flow.old.first(), flow.old.last()) else {
            return;
        };
        if head.is_empty() && tail.is_empty() {
            return;
        }
        self.insert_text(
            flow.collection.content_start().min(first.start),
            format!("{{{head}"),
        );
        let gap = self.gap_before_comma(last);
        self.insert_text(last.end, format!("{gap}{tail}}}"));
    }

    /// Writes the new children. The result is grouped by the kept child before them, as an index
    /// into `kept`:
    ///
    /// ```text
    /// [a, b, c]     remove b, insert x after b
    ///    ^^          `b,` is removed, and `, x` is inserted after `a`
    /// ```
    fn added_units(
        &mut self,
        flow: &FlowChildren<'_>,
        edit: &FlowEdit<'_>,
        separator: &str,
    ) -> BTreeMap<Option<usize>, Vec<CommentedChild>> {
        let style = self.new_children(flow);
        let mut added: BTreeMap<Option<usize>, Vec<CommentedChild>> = BTreeMap::new();
        for &FlowInsert { child, after } in &edit.inserts {
            // A child that exists elsewhere in the text is moved with its bytes and comments.
            let unit = match self.transferred_unit(flow, child, &style, separator) {
                Some(unit) => unit,
                None => CommentedChild {
                    text: self.child_text(flow, child, &style),
                    trailing: String::new(),
                },
            };
            let previous = edit.kept_before(after);
            added.entry(previous).or_default().push(unit);
        }
        added
    }

    /// Inserts children after `previous`. If children have lines of their own, a comment on
    /// `previous` stays on its line:
    ///
    /// ```text
    /// [                   [
    ///   a,  # about a       a,  # about a
    ///   b,                  new,
    /// ]                     b,
    ///                     ]
    /// ```
    fn insert_after(
        &mut self,
        previous: &Child<'_>,
        unit: &CommentedChild,
        separator: &str,
        comma: CommaPlace,
    ) {
        let CommentedChild { text, trailing } = unit;
        match self.commented_line_end(previous, separator) {
            Some((line_end, gap)) => {
                // The last child has no comma. It gets one, and the new last child has none.
                if !self.has_comma_after(previous) {
                    let before = self.gap_before_comma(previous);
                    let is_comment = self.text.from(previous.end).starts_with('#');
                    let after = if is_comment { " " } else { "" };
                    self.insert_text(previous.end, format!("{before},{after}"));
                }
                let comma = if comma.is_wanted { "," } else { "" };
                self.insert_text(line_end, format!("{gap}{text}{comma}{trailing}"));
            }
            // The comments of the new child come after the comma.
            None if !trailing.is_empty() && comma.previous_keeps_comma => {
                let blanks = self.text.from(previous.end);
                let blanks = blanks.len() - blanks.trim_start_matches(BLANKS).len();
                let gap = gap_after_comma(separator);
                let offset = previous.end + blanks + 1;
                self.insert_text(offset, format!("{gap}{text},{trailing}"));
            }
            None => {
                let before = self.gap_before_comma(previous);
                let after = self.gap_before_comment(text, previous.end);
                // A comma at the start of the next line would leave a dash at the end of this one,
                // or a text `?`, which would become a mark.
                let needs_comma =
                    self.bare_dash(previous.end).is_some() || self.is_bare_question_mark(previous);
                let separator = match needs_comma {
                    true => separator.trim_start(),
                    false => separator,
                };
                let separator = unit.gap_before(separator);
                self.insert_text(
                    previous.end,
                    format!("{before}{separator}{text}{trailing}{after}"),
                );
            }
        }
    }

    /// Returns the end of the line on which `previous` ends, if new children have lines of their
    /// own and a comment ends that line. Also returns the white space to write before the children.
    fn commented_line_end<'s>(
        &self,
        previous: &Child<'_>,
        separator: &'s str,
    ) -> Option<(usize, &'s str)> {
        let gap = separator.strip_prefix(',')?;
        if !gap.contains('\n') {
            return None;
        }
        let rest = self.text.from(previous.end).trim_start_matches(BLANKS);
        let rest = rest.strip_prefix(',').unwrap_or(rest);
        let comment = rest.trim_start_matches(BLANKS);
        let start = self.text.len() - comment.len();
        // Search for the end of the line only if a comment shows that it is near. Otherwise a
        // collection of a thousand children on one line would be read a thousand times.
        if comment.starts_with('#') || comment.starts_with("//") {
            return Some((self.text.line_end(start), gap));
        }
        // A comment in `/* */` only counts if it ends the line.
        let body = comment.strip_prefix("/*")?;
        let end = start + "/*".len() + body.find("*/")? + "*/".len();
        let rest = self.text.from(end).trim_start_matches(BLANKS);
        let line_end = self.text.len() - rest.len();
        let ends_line = rest.is_empty() || rest.starts_with(['\n', '\r']);
        (ends_line && self.text.same_line(start, end)).then_some((line_end, gap))
    }

    /// Returns the blank before a comma that is inserted after a child without a value. Without it,
    /// the comma would become part of the colon, the question mark or the tag to readers based on
    /// libyaml:
    ///
    /// ```text
    /// {a: }           ->     {a: , b: 1 }            not {a:, b: 1 }
    /// {? }            ->     {? , b: 1 }             not {?, b: 1 }
    /// {?}             ->     {?, b: 1}               not {? , b: 1}
    /// {a: !!null }    ->     {a: !!null , b: 1 }     not {a: !!null, b: 1 }
    /// ```
    pub(super) fn gap_before_comma(&self, child: &Child<'_>) -> &'static str {
        let text = self.text.slice(child.start, child.end);
        let ends_with_tag = ends_with_properties(child.value, child.end)
            || child
                .key
                .is_some_and(|key| ends_with_properties(key, child.end));
        let is_mark = text == "?" && !self.is_bare_question_mark(child);
        if text.ends_with(':') || is_mark || ends_with_tag {
            " "
        } else {
            ""
        }
    }

    /// Returns whether a child is the text `?`, which it is directly before a comma or a bracket.
    fn is_bare_question_mark(&self, child: &Child<'_>) -> bool {
        let is_text = child.key.unwrap_or(child.value).text() == Some("?");
        is_text && self.text.slice(child.start, child.end) == "?"
    }

    /// Returns whether a comma follows a child on its line.
    fn has_comma_after(&self, child: &Child<'_>) -> bool {
        let rest = self.text.from(child.end);
        rest.trim_start_matches(BLANKS).starts_with(',')
    }
}
