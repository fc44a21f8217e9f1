//! Adds and removes members of lists in brackets and tables in braces, with their commas.

use crate::formats::lines::newline;
use crate::source::Span;
use crate::yaml::{TextEdit, apply};

/// A list `[ … ]` or an inline table `{ … }`.
#[derive(Debug)]
pub(super) struct Bracket {
    /// The bytes, including the brackets.
    pub(super) span: Span,
    /// The items of a list, or the key-value pairs of an inline table, in order.
    pub(super) members: Vec<BracketMember>,
}

/// A member of a bracket.
#[derive(Clone, Copy, Debug)]
pub(super) struct BracketMember {
    pub(super) span: Span,
    /// The offset of the comma after it.
    pub(super) comma: Option<usize>,
}

/// The changes to the members of a bracket.
#[derive(Debug)]
pub(super) struct BracketChanges {
    /// For each member the edits inside it; `None` if it is removed.
    pub(super) kept: Vec<Option<Vec<TextEdit>>>,
    /// The texts to add before the first member and after each member.
    pub(super) added: Vec<Vec<String>>,
}

impl BracketChanges {
    /// Creates changes that keep all members.
    pub(super) fn none(bracket: &Bracket) -> BracketChanges {
        let count = bracket.members.len();
        BracketChanges {
            kept: vec![Some(Vec::new()); count],
            added: vec![Vec::new(); count + 1],
        }
    }

    fn is_structural(&self) -> bool {
        self.kept.iter().any(Option::is_none) || self.added.iter().any(|added| !added.is_empty())
    }
}

/// A member of the new text.
struct BracketPart<'a> {
    /// The white space and comments before it; `None` to use the white space for its position.
    lead: Option<&'a str>,
    text: String,
    /// The text between the member and its comma, and the comment after the comma on the same line.
    tail: &'a str,
    after: &'a str,
}

impl Bracket {
    /// Returns the edits of `text` that apply `changes`. Members that stay keep their bytes, the
    /// comments before them, and the comments on their lines.
    pub(super) fn edits(&self, text: &str, changes: BracketChanges) -> Vec<TextEdit> {
        if !changes.is_structural() {
            return changes.kept.into_iter().flatten().flatten().collect();
        }
        let inside = Span::new(
            self.span.start() + 1,
            self.span.end().saturating_sub(1).max(self.span.start() + 1),
        );
        vec![TextEdit::replace(inside, self.content(text, changes))]
    }

    /// Returns the new text between the brackets.
    ///
    /// ```text
    /// [           [
    ///   1, # a      1, # a     a comment stays with the member on its line
    ///   2     ->    3,         a new member gets the white space of the others before it
    /// ]             2
    ///             ]            the white space before the closing bracket stays
    /// ```
    fn content(&self, text: &str, changes: BracketChanges) -> String {
        let is_table = text[self.span.range()].starts_with('{');
        let new = self.new_members(text, changes);
        let layout = self.layout(is_table, &new);
        let has_trailing_comma = self.members.last().is_some_and(|last| last.comma.is_some());
        let count = new.parts.len();
        let mut writer = ContentWriter {
            text: layout.head.to_owned(),
            is_comment_open: false,
            newline: newline(text),
        };
        for (index, part) in new.parts.into_iter().enumerate() {
            let space = if index == 0 {
                layout.first
            } else {
                layout.next
            };
            writer.push_space(part.lead.unwrap_or(space));
            writer.text.push_str(&part.text);
            writer.text.push_str(part.tail);
            if index + 1 < count || has_trailing_comma {
                writer.text.push(',');
            }
            writer.text.push_str(part.after);
            writer.is_comment_open = part.after.contains('#');
        }
        writer.push_space(layout.closing);
        writer.text
    }

    /// Returns the white space of the new text, which resembles that of the old one.
    fn layout<'a>(&self, is_table: bool, new: &NewMembers<'a>) -> BracketLayout<'a> {
        let was_empty = self.members.is_empty();
        // A comment in an empty bracket stays in its place, and the members go below it.
        let line_of_closing = new.closing.rfind('\n');
        let (head, closing) = match line_of_closing {
            Some(at) if was_empty && new.closing.contains('#') => new.closing.split_at(at),
            _ => ("", new.closing),
        };
        let (first, next) = if head.is_empty() {
            space_between(is_table, &new.blanks)
        } else {
            (blank(closing), blank(closing))
        };
        let closing = if new.parts.is_empty() && !closing.contains('#') {
            // Without members and comments the bracket is written as `[]`.
            ""
        } else if was_empty && is_table && closing.is_empty() {
            " "
        } else {
            closing
        };
        BracketLayout {
            head,
            first,
            next,
            closing,
        }
    }

    /// Collects the members of the new text, in order, and the white space of the old ones.
    ///
    /// ```text
    /// [
    ///   # about a      `lead`: the comments above, with the line breaks
    ///   1 , # one      `text` is `1`, `tail` is the blank before the comma, and `after` the comment
    /// ]
    /// ```
    fn new_members<'a>(&self, text: &'a str, changes: BracketChanges) -> NewMembers<'a> {
        let BracketChanges { kept, added } = changes;
        let mut added = added.into_iter();
        let end = self.span.end() - 1;
        let mut at = self.span.start() + 1;
        let mut new = NewMembers::default();
        new.add(added.next());
        for (member, edits) in self.members.iter().zip(kept) {
            let (start, member_end) = (member.span.start(), member.span.end());
            let lead = slice(text, at, start);
            new.blanks.push(blank(lead));
            let comma = member.comma.unwrap_or(member_end);
            let after_comma = comma + usize::from(member.comma.is_some());
            let after = rest_of_line(slice(text, after_comma, end));
            at = after_comma + after.len();
            if let Some(mut edits) = edits {
                for edit in &mut edits {
                    edit.span = Span::new(edit.span.start() - start, edit.span.end() - start);
                }
                new.parts.push(BracketPart {
                    lead: Some(lead).filter(|lead| lead.contains(['\n', '#'])),
                    text: apply(slice(text, start, member_end), &edits),
                    tail: slice(text, member_end, comma),
                    after,
                });
            }
            new.add(added.next());
        }
        new.closing = slice(text, at, end);
        new
    }
}

/// Returns the white space before the first new member and before the others. `blanks` is the white
/// space before the old members.
fn space_between<'a>(is_table: bool, blanks: &[&'a str]) -> (&'a str, &'a str) {
    let default = if is_table { " " } else { "" };
    let first = blanks.first().copied().unwrap_or(default);
    let next = match blanks.get(1) {
        Some(next) => next,
        None if first.contains('\n') => first,
        None => " ",
    };
    (first, next)
}

/// The white space inside a bracket.
struct BracketLayout<'a> {
    /// The comment in an empty bracket, which stays before the new members.
    head: &'a str,
    /// The space before the first member.
    first: &'a str,
    /// The space before each other member.
    next: &'a str,
    /// The space before the closing bracket.
    closing: &'a str,
}

/// Writes the text between two brackets.
struct ContentWriter {
    text: String,
    /// Whether the text ends with a comment.
    is_comment_open: bool,
    newline: &'static str,
}

impl ContentWriter {
    /// Adds white space. After a comment it includes a line break, because otherwise the comment
    /// would contain the following text.
    fn push_space(&mut self, space: &str) {
        if self.is_comment_open && !begins_line(space) {
            self.text.push_str(self.newline);
        }
        self.text.push_str(space);
    }
}

/// The members of the new text.
#[derive(Default)]
struct NewMembers<'a> {
    parts: Vec<BracketPart<'a>>,
    /// The white space before each old member.
    blanks: Vec<&'a str>,
    /// The text between the last old member and the closing bracket.
    closing: &'a str,
}

impl NewMembers<'_> {
    fn add(&mut self, texts: Option<Vec<String>>) {
        for text in texts.unwrap_or_default() {
            self.parts.push(BracketPart {
                lead: None,
                text,
                tail: "",
                after: "",
            });
        }
    }
}

fn slice(text: &str, start: usize, end: usize) -> &str {
    text.get(start..end).unwrap_or("")
}

/// Returns whether a text begins with a line break, after blanks.
fn begins_line(text: &str) -> bool {
    text.trim_start_matches([' ', '\t', '\r']).starts_with('\n')
}

/// Returns white space like that in `lead`: its last line break and the blanks after it, or its
/// blanks.
fn blank(lead: &str) -> &str {
    let start = lead.rfind('\n').map_or(0, |at| {
        if lead[..at].ends_with('\r') {
            at - 1
        } else {
            at
        }
    });
    let blank = &lead[start..];
    if blank.trim().is_empty() { blank } else { " " }
}

/// Returns the comment at the start of `text` with the blanks before it. Returns an empty text if
/// the line has no comment.
fn rest_of_line(text: &str) -> &str {
    let line = text.split('\n').next().unwrap_or("");
    let line = line.strip_suffix('\r').unwrap_or(line);
    if line.trim_start_matches([' ', '\t']).starts_with('#') {
        line
    } else {
        ""
    }
}
