//! Writes a flow collection in which children changed places.
//!
//! A child moves with its bytes and with the comments that belong to it. The white space between
//! the children stays where it is:
//!
//! ```text
//! [                      [
//!   // about a             // about b
//!   {"id": 1}, // one      {"id": 2}, // two
//!   // about b             // about a
//!   {"id": 2}  // two      {"id": 1}  // one
//! ]                      ]
//! ```

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use super::align::{AlignStep, Child};
use super::flow::FlowChildren;
use super::flow_removal::FlowGap;
use super::printer::FaithfulPrinter;
use crate::source::Span;
use crate::yaml::character;
use crate::yaml::node::{CollectionStyle, Node};
use crate::yaml::repair::QUOTED_DASH;
use crate::yaml::text_edit::{self, TextEdit};

/// A child with the comments that belong to it.
pub(super) struct CommentedChild {
    /// The comments above it, its bytes, and the comments between it and its comma.
    pub(super) text: String,
    /// The comments after its comma.
    pub(super) trailing: String,
}

impl CommentedChild {
    /// Returns the gap to write before the child. If the child begins the next line, the gap has no
    /// blanks at the end of its own line.
    pub(super) fn gap_before<'g>(&self, gap: &'g str) -> &'g str {
        if self.text.starts_with(['\r', '\n']) {
            gap.trim_end_matches([' ', '\t'])
        } else {
            gap
        }
    }

    /// Prepares the child for the start of a line after `before`. Without indentation, a child `...`
    /// would be the end of the document there.
    pub(super) fn indent_marker(&mut self, before: &str) {
        if before.ends_with('\n') && character::begins_with_document_marker(&self.text) {
            self.text.insert(0, ' ');
        }
    }
}

/// Returns the old positions of children that changed their place, by their new positions.
///
/// The versions of a child are found by their identity. A JSON patch removes an item and adds its
/// value elsewhere, which leaves the item without an identity. Then it is found by its value.
pub(super) fn moved_children(
    old: &[Child<'_>],
    new: &[Child<'_>],
    steps: &[AlignStep],
) -> BTreeMap<usize, usize> {
    let mut by_identity = HashMap::new();
    let mut by_value = HashMap::new();
    for step in steps {
        if let AlignStep::Remove { old: place } = *step {
            let child = &old[place];
            by_identity.extend(child.identity().map(|identity| (identity, place)));
            if child.key.is_none() {
                by_value.insert(Arc::as_ptr(child.value), place);
            }
        }
    }
    let mut moved = BTreeMap::new();
    if by_identity.is_empty() && by_value.is_empty() {
        return moved;
    }
    for step in steps {
        if let AlignStep::Insert { new: place, .. } = *step {
            let child = &new[place];
            let known = child
                .identity()
                .and_then(|identity| by_identity.get(&identity))
                .or_else(|| by_value.get(&Arc::as_ptr(child.value)));
            moved.extend(known.map(|&known| (place, known)));
        }
    }
    moved
}

impl FaithfulPrinter<'_> {
    /// Writes the children of a flow collection if some of them changed places. Returns `false` and
    /// does nothing if none did, or if they cannot be moved.
    pub(super) fn rearrange(
        &mut self,
        flow: &FlowChildren<'_>,
        new: &[Child<'_>],
        steps: &[AlignStep],
    ) -> bool {
        let old = flow.old;
        // The old position of each new child, both of those that moved and of those that stay. A
        // child without one is new.
        let mut places = moved_children(old, new, steps);
        if places.is_empty() {
            return false;
        }
        for step in steps {
            if let AlignStep::Keep { old, new } = *step {
                places.insert(new, old);
            }
        }
        let gaps = self.gaps(flow.collection, old);
        // A separate comment before a comma is rare, and would have no place in the result.
        let is_before_comma = |gap: &FlowGap| match (gap.free.first(), gap.comma) {
            (Some(comment), Some(comma)) => comment.start() < comma.start(),
            _ => false,
        };
        if gaps.iter().any(is_before_comma) {
            return false;
        }
        let style = self.new_children(flow);
        let mut units = Vec::with_capacity(new.len());
        for (place, child) in new.iter().enumerate() {
            units.push(match places.get(&place) {
                Some(&old_place) => {
                    let gets_comma = place + 1 < new.len();
                    self.unit(flow, &gaps, old_place, child.value, gets_comma)
                }
                None => CommentedChild {
                    text: self.child_text(flow, child, &style),
                    trailing: String::new(),
                },
            });
        }
        let inside = Span::new(
            flow.collection.content_start() + 1,
            flow.collection.full_end() - 1,
        );
        let text = self.joined(flow, &gaps, units);
        self.replace_text(inside, text);
        true
    }

    /// Returns an old child with its comments and a new value:
    ///
    /// ```text
    /// // about a
    /// {"a": 1} /* on a */, // one
    ///
    /// text       // about a⏎{"a": 1} /* on a */
    /// trailing   the bytes after the comma: a blank and `// one`
    /// ```
    ///
    /// `gets_comma` is whether a comma certainly follows it at its new place.
    pub(super) fn unit(
        &mut self,
        flow: &FlowChildren<'_>,
        gaps: &[FlowGap],
        place: usize,
        value: &Arc<Node>,
        gets_comma: bool,
    ) -> CommentedChild {
        let child = &flow.old[place];
        let start = Self::start_with_comments(&gaps[place], child);
        let parent = self.parent_of(CollectionStyle::Flow, child);
        let span = Span::new(start, child.end);
        let outer = std::mem::take(&mut self.edits);
        self.compare(child.value, value, parent, flow.siblings);
        let mut edits = std::mem::replace(&mut self.edits, outer);
        // Without a comma, a blank or a line may follow the dash.
        if !gets_comma
            && edits.is_empty()
            && let Some(dash) = self.bare_dash(child.end)
        {
            edits.push(TextEdit::replace(dash, QUOTED_DASH));
        }
        let blank = match edits.is_empty() {
            true => self.gap_before_comma(child),
            false => "",
        };
        let mut text = match text_edit::apply_within(self.text.text(), span, edits) {
            Some(text) => text,
            None => self.text.slice(start, child.end).to_owned(),
        };
        text.push_str(blank);
        let gap = &gaps[place + 1];
        let comma = gap.comma.map_or(child.end, |comma| comma.end());
        let mut trailing = String::new();
        let mut done = child.end;
        for comment in &gap.on_previous {
            // A comment that extends to the end of its line has to come after the comma.
            let is_closed = self.text.from(comment.start()).starts_with("/*");
            let is_before_comma = gap.comma.is_none() || comment.end() < comma;
            let target = if is_closed && is_before_comma {
                &mut text
            } else {
                // The blank before a comment stays, and the comma is written elsewhere.
                if !is_before_comma {
                    done = done.max(comma);
                }
                &mut trailing
            };
            target.push_str(self.text.slice(done.min(comment.start()), comment.end()));
            done = comment.end();
        }
        CommentedChild { text, trailing }
    }

    /// Joins units with commas. The white space between the children stays in its place.
    fn joined(
        &self,
        flow: &FlowChildren<'_>,
        gaps: &[FlowGap],
        units: Vec<CommentedChild>,
    ) -> String {
        let old = flow.old;
        let newline = self.layout.newline();
        let own_line = format!("{newline}{}", self.line_indent(flow));
        let separator = self.separator(flow.collection, old);
        let usual = separator.strip_prefix(',').unwrap_or(" ");
        let ends_with_comma = gaps.last().is_some_and(|gap| gap.comma.is_some());

        let mut text = String::new();
        let mut ends_with_comment = false;
        let count = units.len();
        for (place, mut unit) in units.into_iter().enumerate() {
            let blank = match gaps.get(place) {
                Some(_) if place < old.len() => self.blank_before(flow, gaps, place),
                _ => usual,
            };
            // Nothing can follow a comment that extends to the end of its line.
            if ends_with_comment && !blank.contains('\n') {
                text.push_str(&own_line);
            } else {
                text.push_str(blank);
            }
            unit.indent_marker(&text);
            text.push_str(&unit.text);
            if place + 1 < count || ends_with_comma {
                text.push(',');
            }
            text.push_str(&unit.trailing);
            ends_with_comment =
                unit.trailing.contains(['#', '/']) && !unit.trailing.ends_with("*/");
        }
        let blank = self.blank_before(flow, gaps, old.len());
        if ends_with_comment && !blank.contains('\n') {
            text.push_str(&own_line);
        }
        text.push_str(blank);
        text
    }

    /// Returns the indentation of a child that begins a line: deeper than the collection around the
    /// bracket, as YAML requires. That collection may begin after a dash on the same line.
    pub(super) fn line_indent(&self, flow: &FlowChildren<'_>) -> String {
        let start = flow.collection.content_start();
        let mut starts = flow.old.iter().map(|child| child.start);
        match starts.find(|&child| !self.text.same_line(start, child)) {
            Some(child) => self.text.indentation(child).to_owned(),
            None => {
                let before = self.text.slice(self.text.line_start(start), start);
                let parent = before.len() - before.trim_start_matches([' ', '\t', '-']).len();
                format!("{}  ", before[..parent].replace('-', " "))
            }
        }
    }

    /// Returns the white space before the child at a place, with the comments that belong to no
    /// child. At the end, returns the white space before the closing bracket.
    fn blank_before(&self, flow: &FlowChildren<'_>, gaps: &[FlowGap], place: usize) -> &str {
        let gap = &gaps[place];
        let start = match place.checked_sub(1) {
            None => flow.collection.content_start() + 1,
            Some(previous) => flow.old[previous].end,
        };
        let comma = gap.comma.map_or(start, |comma| comma.end());
        let comments = gap.on_previous.last().map_or(start, |last| last.end());
        let end = match flow.old.get(place) {
            Some(child) => Self::start_with_comments(gap, child),
            None => flow.collection.full_end() - 1,
        };
        self.text.slice(start.max(comma).max(comments), end)
    }
}

#[cfg(test)]
mod tests {
    use crate::source::Source;
    use crate::yaml::faithful::print;
    use crate::yaml::{parse, parse_json};

    /// Prints a list with its items in another order.
    fn reordered(text: &str, order: &[usize]) -> String {
        let source = Source::new("test", text).unwrap();
        let stream = if text.contains('#') {
            parse(&source).unwrap()
        } else {
            parse_json(&source).unwrap()
        };
        let root = &stream.documents[0].root;
        let items = root.as_sequence().unwrap().items.to_vec();
        let items: Vec<_> = order.iter().map(|&place| items[place].clone()).collect();
        let text = print(&stream, &[root.with_items(items)]);
        // The result must be readable, also where a comment ends a line.
        let source = Source::new("test", text.clone()).unwrap();
        assert!(
            parse(&source).is_ok() || parse_json(&source).is_ok(),
            "{text}"
        );
        text
    }

    #[test]
    fn items_move_with_their_bytes_and_comments() {
        let lines = "[\n  // about a\n  {\"a\":  1}, // on a\n\n  // free\n\n  \"b\", /* on b */\n  // about c\n  3 /* on c */\n]";
        let table: [(&str, &[usize], &str); 15] = [
            (
                lines,
                &[1, 0, 2],
                "[\n  \"b\", /* on b */\n\n  // free\n\n  // about a\n  {\"a\":  1}, // on a\n  // about c\n  3 /* on c */\n]",
            ),
            (
                lines,
                &[2, 0, 1],
                "[\n  // about c\n  3 /* on c */,\n\n  // free\n\n  // about a\n  {\"a\":  1}, // on a\n  \"b\" /* on b */\n]",
            ),
            ("[1,2 /* two */, 3]", &[1, 0, 2], "[2 /* two */,1, 3]"),
            ("[ 1, 2,3, ]", &[2, 0, 1], "[ 3, 1,2, ]"),
            ("[1, 2, 3]", &[2, 1, 0], "[3, 2, 1]"),
            ("[a, # on a\n  b, c]", &[1, 2, 0], "[b,\n  c, a # on a\n  ]"),
            ("[1, 2, 3, 4]", &[3, 1], "[4, 2]"),
            // The commas begin the lines, so the comments are before them.
            (
                "[ a # on a\n, b # on b\n, c ]",
                &[1, 0, 2],
                "[ b, # on b\na, # on a\nc ]",
            ),
            // A child without a value keeps the blank after it.
            ("[ a: , b, c ] # d", &[1, 0, 2], "[ b, a: , c ] # d"),
            ("[a: , !t , b] # d", &[2, 1, 0], "[b, !t , a: ] # d"),
            // A dash that is alone between brackets must not be before a blank.
            ("[ -, a ] # b", &[1, 0], "[ a, \"-\" ] # b"),
            ("[ b: -, a ] # b", &[1, 0], "[ a, b: \"-\" ] # b"),
            ("[ a, -, b ] # b", &[1, 0, 2], "[ -, a, b ] # b"),
            // Without indentation, `...` would end the document.
            ("[ a, ...,\nb ] # b", &[0, 2, 1], "[ a, b,\n ... ] # b"),
            ("[\na, --- b ] # b", &[1, 0], "[\n --- b, a ] # b"),
        ];
        for (text, order, expected) in table {
            assert_eq!(reordered(text, order), expected, "{order:?} of {text}");
        }
    }
}
