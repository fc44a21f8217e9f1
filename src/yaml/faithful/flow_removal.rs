//! Removes children from a flow collection, with the comments that belong to them.
//!
//! The gap between two children contains a comma, white space and comments. Each comment belongs to
//! one child or to none:
//!
//! ```text
//! {
//!   // about all                  separated by a blank line: belongs to none
//!
//!   // about a                    directly above `a`: belongs to `a`
//!   "a": 1, // on a               on the line on which `a` ends: belongs to `a`
//!   "b": 2, /* on c */ "c": 3     after the comma, and before `c` on its line: belongs to `c`
//!   // at the end                 belongs to none
//! }
//! ```
//!
//! A child is removed with its comments, its comma, and the lines that then contain nothing else.
//! If the last child is removed, the child before it loses its comma too, because not every reader
//! accepts a comma at the end.

use std::sync::Arc;

use super::align::Child;
use super::printer::FaithfulPrinter;
use crate::source::Span;
use crate::yaml::character;
use crate::yaml::node::{Node, Syntax};

/// The treatment of the comma after the last child that stays.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum LastComma {
    /// It stays, because another child is going to follow.
    Needed,
    /// It is removed with the children after it, unless the collection ended with a comma before.
    AsBefore,
}

/// The neighbours of a gap.
#[derive(Clone, Copy)]
struct GapSides {
    /// Whether there is a child before the gap, and not the opening bracket.
    has_previous: bool,
    /// Whether there is a child after the gap, and not the closing bracket.
    has_next: bool,
}

/// The comma and the comments between the children `i - 1` and `i` of a flow collection.
#[derive(Default)]
pub(super) struct FlowGap {
    pub(super) comma: Option<Span>,
    /// The comments that belong to the child before the gap.
    pub(super) on_previous: Vec<Span>,
    /// The comments that belong to no child.
    pub(super) free: Vec<Span>,
    /// The comments that belong to the child after the gap.
    above_next: Vec<Span>,
}

impl FaithfulPrinter<'_> {
    /// Returns the gaps of a flow collection with brackets: before the first child, between two
    /// children, and after the last.
    pub(super) fn gaps(&self, collection: &Arc<Node>, children: &[Child<'_>]) -> Vec<FlowGap> {
        let (start, end) = (collection.content_start() + 1, collection.full_end() - 1);
        let mut gaps = Vec::with_capacity(children.len() + 1);
        let mut from = start;
        for child in children {
            let sides = GapSides {
                has_previous: from > start,
                has_next: true,
            };
            gaps.push(self.gap(Span::new(from, child.start.max(from)), sides));
            from = child.end;
        }
        let sides = GapSides {
            has_previous: from > start,
            has_next: false,
        };
        gaps.push(self.gap(Span::new(from, end.max(from)), sides));
        gaps
    }

    /// Finds the comma and the comments in `span` and decides which child each comment belongs to.
    fn gap(&self, span: Span, sides: GapSides) -> FlowGap {
        let (comma, mut comments) = self.comma_and_comments(span);
        let mut gap = FlowGap {
            comma,
            ..FlowGap::default()
        };
        // Start at the next child and go upwards, until a blank line or a comma.
        let mut next = span.end();
        while sides.has_next
            && let Some(&comment) = comments.last()
            && self.is_directly_above(comment, next)
            && !self.is_on_line_of(sides.has_previous, span, &gap, comment)
        {
            gap.above_next.insert(0, comment);
            next = comment.start();
            comments.pop();
        }
        for comment in comments {
            if sides.has_previous && self.text.same_line(span.start(), comment.start()) {
                gap.on_previous.push(comment);
            } else {
                gap.free.push(comment);
            }
        }
        gap
    }

    /// Finds the comma and the comments in the text between two children.
    fn comma_and_comments(&self, span: Span) -> (Option<Span>, Vec<Span>) {
        let mut comma = None;
        let mut comments = Vec::new();
        let mut at = span.start();
        while at < span.end() {
            let rest = self.text.slice(at, span.end());
            let length = self.comment_length(rest);
            if length > 0 {
                comments.push(Span::new(at, at + length));
            } else if rest.starts_with(',') {
                comma = Some(Span::new(at, at + 1));
            }
            at += length.max(rest.chars().next().map_or(1, char::len_utf8));
        }
        (comma, comments)
    }

    /// Returns whether a comment belongs to the line before the gap, where the previous child or the
    /// opening bracket ends:
    ///
    /// ```text
    /// [a, # one            yes: the next child begins on another line
    ///  b]
    /// [a, /* one */ b]     no: the next child is on this line
    /// [a /* one */, b]     yes: the comment is before the comma
    /// ```
    fn is_on_line_of(
        &self,
        has_previous: bool,
        gap_span: Span,
        gap: &FlowGap,
        comment: Span,
    ) -> bool {
        if !self.text.same_line(gap_span.start(), comment.start()) {
            return false;
        }
        let is_before_comma = gap
            .comma
            .is_some_and(|comma| comment.end() <= comma.start());
        !self.text.same_line(comment.end(), gap_span.end()) || has_previous && is_before_comma
    }

    /// Returns whether a comment is on the line of `next` or on the line above it, with nothing else
    /// between them.
    fn is_directly_above(&self, comment: Span, next: usize) -> bool {
        let between = self.text.slice(comment.end(), next);
        between.matches('\n').count() <= 1 && between.trim_ascii().is_empty()
    }

    /// Returns the length of the comment at the start of `text`; 0 if there is none.
    fn comment_length(&self, text: &str) -> usize {
        let line = text.find(['\n', '\r']).unwrap_or(text.len());
        match self.syntax {
            Syntax::Yaml if text.starts_with('#') => line,
            Syntax::Json if text.starts_with("//") => line,
            Syntax::Json if text.starts_with("/*") => {
                text.find("*/").map_or(text.len(), |at| at + 2)
            }
            _ => 0,
        }
    }

    /// Returns the start of a child with the comments above it.
    pub(super) fn start_with_comments(gap: &FlowGap, child: &Child<'_>) -> usize {
        gap.above_next
            .first()
            .map_or(child.start, |first| first.start())
    }

    /// Removes every child that is not in `kept`, with its comma and its comments.
    pub(super) fn remove_children(
        &mut self,
        collection: &Arc<Node>,
        old: &[Child<'_>],
        gaps: &[FlowGap],
        kept: &[usize],
        last_comma: LastComma,
    ) {
        if kept.len() == old.len() {
            return;
        }
        let ends_with_comma = gaps.last().is_some_and(|gap| gap.comma.is_some());
        // A blank would follow the dash in `[-, a ]` without its comma.
        let ends_with_dash = |&index: &usize| self.bare_dash(old[index].end).is_some();
        let keeps_last_comma = ends_with_comma
            || last_comma == LastComma::Needed
            || kept.last().is_some_and(ends_with_dash);
        let mut removed: Vec<Span> = Vec::new();
        for (index, child) in old.iter().enumerate() {
            let (before, after) = (&gaps[index], &gaps[index + 1]);
            if kept.binary_search(&index).is_err() {
                removed.extend(&before.above_next);
                removed.push(Span::new(child.start, child.end));
                removed.extend(after.comma);
                removed.extend(&after.on_previous);
            } else if kept.last() == Some(&index) && index + 1 < old.len() && !keeps_last_comma {
                removed.extend(after.comma);
            }
        }
        let inside = Span::new(collection.content_start() + 1, collection.full_end() - 1);
        for run in self.joined_runs(removed) {
            self.remove_flow_run(run, inside, old);
        }
    }

    /// Joins spans that only white space separates, so that it is removed too and they become one
    /// edit.
    fn joined_runs(&self, mut spans: Vec<Span>) -> Vec<Span> {
        spans.sort_unstable();
        let mut runs: Vec<Span> = Vec::new();
        for span in spans {
            match runs.last_mut() {
                Some(run) if self.is_blank(run.end(), span.start()) => *run = run.to(span),
                _ => runs.push(span),
            }
        }
        runs
    }

    /// Removes `run` with the white space around it. `inside` is the span between the brackets, and
    /// `old` are the children before the removal.
    fn remove_flow_run(&mut self, run: Span, inside: Span, old: &[Child<'_>]) {
        let mut span = self.with_white_space(run, inside);
        // `{a: , b: 1}` becomes `{a: }`: readers based on libyaml find no value in `{a:}`.
        let previous = old.partition_point(|child| child.end < span.start());
        let is_blank_needed = old.get(previous).is_some_and(|child| {
            child.end == span.start() && !self.gap_before_comma(child).is_empty()
        });
        let is_blank_removed = span.start() < run.start()
            && !self.text.from(span.end()).starts_with([' ', '\t', '\n']);
        if is_blank_needed && is_blank_removed {
            span = Span::new(span.start() + 1, span.end());
        }
        let before = self.text.slice(inside.start(), span.start());
        let rest = self.text.from(span.end());
        // At the start of a line, the next child would be the end of the document.
        let is_cut_off = before.ends_with('\n') && character::begins_with_document_marker(rest);
        let gap = match is_cut_off {
            true => " ",
            false => self.gap_before_comment(before, span.end()),
        };
        self.replace_text(span, gap);
    }

    fn is_blank(&self, start: usize, end: usize) -> bool {
        self.text.slice(start, end).trim_ascii().is_empty()
    }

    /// Extends the bytes to remove by the white space around them. `inside` is the span between the
    /// brackets.
    ///
    /// ```text
    /// [a, b, c]       removing `b,`: the space after it is removed
    /// [ a, b ]        removing `, b`: the space after it stays
    /// [a,             removing `a,`: everything up to `b` is removed
    ///  b]
    /// ```
    fn with_white_space(&self, run: Span, inside: Span) -> Span {
        let before = self.text.slice(inside.start(), run.start());
        let left = inside.start() + before.trim_ascii_end().len();
        let after = self.text.slice(run.end(), inside.end());
        let right = inside.end() - after.trim_ascii_start().len();
        let (is_first, is_last) = (left == inside.start(), right == inside.end());
        let begins_line = self.text.slice(left, run.start()).contains('\n');
        let ends_line = self.text.slice(run.end(), right).contains('\n');
        match (begins_line, ends_line) {
            // Whole lines: the blank lines above are removed too if there are also blank lines
            // below, or if nothing is below.
            (true, true) => {
                let above = self.text.slice(left, run.start());
                let below = self.text.slice(run.end(), right);
                let is_apart = |gap: &str| gap.matches('\n').count() > 1;
                if is_first && is_apart(below) {
                    let line = self.text.line_start(right);
                    Span::new(self.text.line_start(run.start()), line)
                } else if is_apart(above) && (is_apart(below) || is_last) {
                    Span::new(self.text.line_end(left), self.text.line_end(run.end()))
                } else {
                    let from = self.text.before_break(self.text.line_start(run.start()));
                    Span::new(from, self.text.line_end(run.end()))
                }
            }
            // The end of a line.
            (false, true) => {
                let next_is_comment = self.comment_length(self.text.from(right)) > 0;
                if is_first && !is_last && !next_is_comment {
                    Span::new(run.start(), right)
                } else {
                    Span::new(left, run.end())
                }
            }
            // The bracket follows on the same line, and can move up to the line above.
            (true, false) if is_last && !is_first && !self.ends_with_line_comment(left) => {
                Span::new(left, run.end())
            }
            // A part of a line: remove the white space before it or after it.
            (false, _) if is_last || self.text.from(run.start()).starts_with(',') => {
                Span::new(left, run.end())
            }
            _ => Span::new(run.start(), right),
        }
    }

    /// Returns whether a line comment extends to `end`, so that nothing can follow it.
    fn ends_with_line_comment(&self, end: usize) -> bool {
        let line = self.text.slice(self.text.line_start(end), end);
        match self.syntax {
            Syntax::Yaml => line.contains('#'),
            Syntax::Json => line.contains("//"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Source;
    use crate::yaml::faithful::print;
    use crate::yaml::{Content, Entry, Item, parse, parse_json};

    /// Prints a collection after the children with these numbers were removed and, if `added` is
    /// given, a new one was added after the others.
    fn without(text: &str, removed: &[usize], added: Option<&str>) -> String {
        let source = Source::new("test", text).unwrap();
        let stream = if text.contains('#') {
            parse(&source).unwrap()
        } else {
            parse_json(&source).unwrap()
        };
        let root = &stream.documents[0].root;
        let content = match &root.content {
            Content::Mapping(mapping) => {
                let mut mapping = mapping.clone();
                let mut entries: Vec<Entry> = mapping.entries.to_vec();
                for &number in removed.iter().rev() {
                    entries.remove(number);
                }
                entries.extend(added.map(|key| Entry::new(key, Node::plain("0"))));
                mapping.entries = entries.into();
                Content::Mapping(mapping)
            }
            Content::Sequence(sequence) => {
                let mut sequence = sequence.clone();
                let mut items: Vec<Item> = sequence.items.to_vec();
                for &number in removed.iter().rev() {
                    items.remove(number);
                }
                sequence.items = items.into();
                Content::Sequence(sequence)
            }
            _ => unreachable!(),
        };
        print(&stream, &[root.with_content(content)])
    }

    #[test]
    fn a_child_without_a_value_keeps_a_blank() {
        let table = [
            ("{a: , b: 1} # c", "{a: } # c"),
            ("[a: , b] # c", "[a: ] # c"),
            ("[!t , b] # c", "[!t ] # c"),
            ("{!t , b: 1} # c", "{!t } # c"),
            ("{? , b: 1} # c", "{? } # c"),
            ("[? , b] # c", "[? ] # c"),
            ("{a?, b: 1} # c", "{a?} # c"),
            ("{ a: , b: 1 } # c", "{ a: } # c"),
            ("{a:\n, b: 1} # c", "{a:\n} # c"),
        ];
        for (text, expected) in table {
            assert_eq!(without(text, &[1], None), expected, "{text}");
        }
    }

    #[test]
    fn a_marker_of_documents_stays_inside_its_line() {
        let table = [
            ("[\na, ... # b\n]", "[\n ... # b\n]"),
            ("[\na, --- b] # b", "[\n --- b] # b"),
            ("{\na, ...: b} # b", "{\n...: b} # b"),
        ];
        for (text, expected) in table {
            assert_eq!(without(text, &[0], None), expected, "{text}");
        }
    }

    #[test]
    fn a_dash_keeps_its_comma() {
        // JSON has no such item, and only texts with a comment are read as YAML here.
        assert_eq!(without("[ -, a ] # b", &[1], None), "[ -, ] # b");
        assert_eq!(without("[ a, -, b] # c", &[0, 2], None), "[ -,] # c");
        assert_eq!(without("{ a: -, b: 1 } # c", &[1], None), "{ a: -, } # c");
        assert_eq!(without("[ b: -, a ] # c", &[1], None), "[ b: -, ] # c");
        // A dash at the end of another scalar is not alone.
        assert_eq!(without("[ a -, b ] # c", &[1], None), "[ a - ] # c");
    }

    #[test]
    fn comments_are_removed_with_their_child_and_the_others_stay() {
        let lines = "{\n  // all\n\n  // above a\n  \"a\": 1, // on a\n  /* above\n     b */\n  \"b\": 2 /* on b */,\n  // above c\n  \"c\": 3 // on c\n  // end\n}";
        let mixed = "[ // open\n  1, 2, // on 2\n  3 /* on 3 */, /* before 4 */ 4\n]";
        let yaml = "{\n  # above a\n  a: 1, # on a\n  # above b\n  b: 2, # on b\n}";
        let table: [(&str, &[usize], &str); 11] = [
            (
                lines,
                &[0],
                "{\n  // all\n\n  /* above\n     b */\n  \"b\": 2 /* on b */,\n  // above c\n  \"c\": 3 // on c\n  // end\n}",
            ),
            (
                lines,
                &[1],
                "{\n  // all\n\n  // above a\n  \"a\": 1, // on a\n  // above c\n  \"c\": 3 // on c\n  // end\n}",
            ),
            (
                lines,
                &[2],
                "{\n  // all\n\n  // above a\n  \"a\": 1, // on a\n  /* above\n     b */\n  \"b\": 2 /* on b */\n  // end\n}",
            ),
            (
                lines,
                &[1, 2],
                "{\n  // all\n\n  // above a\n  \"a\": 1 // on a\n  // end\n}",
            ),
            (
                mixed,
                &[0],
                "[ // open\n  2, // on 2\n  3 /* on 3 */, /* before 4 */ 4\n]",
            ),
            (
                mixed,
                &[1],
                "[ // open\n  1,\n  3 /* on 3 */, /* before 4 */ 4\n]",
            ),
            (
                mixed,
                &[2],
                "[ // open\n  1, 2, // on 2\n  /* before 4 */ 4\n]",
            ),
            (mixed, &[3], "[ // open\n  1, 2, // on 2\n  3 /* on 3 */\n]"),
            (yaml, &[0], "{\n  # above b\n  b: 2, # on b\n}"),
            (yaml, &[1], "{\n  # above a\n  a: 1, # on a\n}"),
            (
                "[\n  // above\n  1, // on\n  // end\n]",
                &[0],
                "[\n  // end\n]",
            ),
        ];
        for (text, removed, expected) in table {
            assert_eq!(
                without(text, removed, None),
                expected,
                "{removed:?} of {text}"
            );
        }
    }

    #[test]
    fn white_space_between_the_other_children_stays() {
        let table: [(&str, &[usize], &str); 12] = [
            ("[1, 2, 3]", &[0], "[2, 3]"),
            ("[1, 2, 3]", &[1], "[1, 3]"),
            ("[1, 2, 3]", &[2], "[1, 2]"),
            ("[ 1,2 ,3 ]", &[0, 2], "[ 2 ]"),
            ("[1, 2, 3,]", &[1, 2], "[1,]"),
            ("[\r\n  1,\r\n  2\r\n]", &[1], "[\r\n  1\r\n]"),
            ("[\r\n  1,\r\n  2\r\n]", &[0], "[\r\n  2\r\n]"),
            ("[1,\n 2,\n 3]", &[0], "[2,\n 3]"),
            ("[1,\n 2,\n 3]", &[2], "[1,\n 2]"),
            ("[\n  1,\n\n  2,\n\n  3\n]", &[0], "[\n  2,\n\n  3\n]"),
            ("[\n  1,\n\n  2,\n\n  3\n]", &[1], "[\n  1,\n\n  3\n]"),
            ("[\n  1,\n\n  2,\n\n  3\n]", &[2], "[\n  1,\n\n  2\n]"),
        ];
        for (text, removed, expected) in table {
            assert_eq!(
                without(text, removed, None),
                expected,
                "{removed:?} of {text}"
            );
        }
    }

    #[test]
    fn a_new_child_after_removed_children_gets_no_comment() {
        let table: [(&str, &[usize], &str); 3] = [
            ("{\"a\": 1, \"b\": 2}", &[1], "{\"a\": 1, \"x\": 0}"),
            (
                "{\n  \"a\": 1, // on a\n  \"b\": 2 // on b\n}",
                &[1],
                "{\n  \"a\": 1, // on a\n  \"x\": 0\n}",
            ),
            (
                "{\n  \"a\": 1, // on a\n  \"b\": 2 // on b\n}",
                &[0],
                "{\n  \"b\": 2, // on b\n  \"x\": 0\n}",
            ),
        ];
        for (text, removed, expected) in table {
            assert_eq!(
                without(text, removed, Some("x")),
                expected,
                "{removed:?} of {text}"
            );
        }
    }
}
