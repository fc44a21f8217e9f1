//! Lists in brackets and tables in braces: adding and removing members.

use crate::source::Span;
use crate::yaml::{TextEdit, apply};

/// `[ … ]` or `{ … }`.
#[derive(Debug)]
pub(super) struct Bracket {
    /// The bytes with the brackets.
    pub(super) span: Span,
    /// The items, or what is between two commas of an inline table, in order.
    pub(super) members: Vec<BracketMember>,
}

/// A member of a bracket.
#[derive(Clone, Copy, Debug)]
pub(super) struct BracketMember {
    pub(super) span: Span,
    /// The offset of the comma after it.
    pub(super) comma: Option<usize>,
}

/// The changes of the members of a bracket.
#[derive(Debug)]
pub(super) struct BracketChanges {
    /// For each member the changes within it; `None` for one that is removed.
    pub(super) kept: Vec<Option<Vec<TextEdit>>>,
    /// The texts that are added before the first member, and after each.
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
    /// The white space and comments before it; `None` for white space that suits its position.
    lead: Option<&'a str>,
    text: String,
    /// The text between the member and its comma, and the comment after the comma on the same line.
    tail: &'a str,
    after: &'a str,
}

impl Bracket {
    /// Returns the edits of `text` that carry out `changes`. Members that stay keep their bytes, the comments
    /// before them, and the comments on their lines.
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

    fn content(&self, text: &str, changes: BracketChanges) -> String {
        let slice = |start: usize, end: usize| text.get(start..end).unwrap_or("");
        let is_table = slice(self.span.start(), self.span.end()).starts_with('{');
        let mut parts = Vec::new();
        let mut blanks = Vec::new();
        let mut at = self.span.start() + 1;
        let BracketChanges { kept, mut added } = changes;
        let mut added = added.iter_mut().map(std::mem::take);
        let new = |texts: Option<Vec<String>>| {
            texts.into_iter().flatten().map(|text| BracketPart {
                lead: None,
                text,
                tail: "",
                after: "",
            })
        };
        parts.extend(new(added.next()));
        for (member, edits) in self.members.iter().zip(kept) {
            let (start, end) = (member.span.start(), member.span.end());
            let lead = slice(at, start);
            blanks.push(blank(lead));
            let comma = member.comma.unwrap_or(end);
            let behind = comma + usize::from(member.comma.is_some());
            let after = rest_of_line(slice(behind, self.span.end() - 1));
            at = behind + after.len();
            if let Some(mut edits) = edits {
                edits.iter_mut().for_each(|edit| {
                    edit.span = Span::new(edit.span.start() - start, edit.span.end() - start);
                });
                let lead = Some(lead).filter(|lead| lead.contains('\n') || lead.contains('#'));
                parts.push(BracketPart {
                    lead,
                    text: apply(slice(start, end), &edits),
                    tail: slice(end, comma),
                    after,
                });
            }
            parts.extend(new(added.next()));
        }
        let closing = slice(at, self.span.end() - 1);
        let first = blanks
            .first()
            .copied()
            .unwrap_or(if is_table { " " } else { "" });
        let next = blanks
            .get(1)
            .copied()
            .unwrap_or(if first.contains('\n') { first } else { " " });
        let trailing_comma = self
            .members
            .last()
            .is_some_and(|member| member.comma.is_some());
        let mut result = String::new();
        let count = parts.len();
        // A comment in an empty bracket stays where it is, and the members come below it.
        let below = closing
            .rfind('\n')
            .filter(|_| self.members.is_empty() && closing.contains('#'));
        let (head, closing) = closing.split_at(below.unwrap_or(0));
        let (first, next) = if head.is_empty() {
            (first, next)
        } else {
            (blank(closing), blank(closing))
        };
        result.push_str(head);
        let mut open_comment = false;
        for (index, part) in parts.into_iter().enumerate() {
            let lead = part.lead.unwrap_or(if index == 0 { first } else { next });
            if open_comment && !lead.trim_start_matches([' ', '\t', '\r']).starts_with('\n') {
                result.push('\n');
            }
            result.push_str(lead);
            result.push_str(&part.text);
            result.push_str(part.tail);
            if index + 1 < count || trailing_comma {
                result.push(',');
            }
            result.push_str(part.after);
            open_comment = part.after.contains('#');
        }
        let closing = match (count, self.members.is_empty()) {
            (0, _) if !closing.contains('#') => "",
            (_, true) if is_table && closing.is_empty() => " ",
            _ => closing,
        };
        if open_comment
            && !closing
                .trim_start_matches([' ', '\t', '\r'])
                .starts_with('\n')
        {
            result.push('\n');
        }
        result.push_str(closing);
        result
    }
}

/// White space like that in `lead`: its last line break and what follows, or its blanks.
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

/// Returns the comment at the start of `text`, with the blanks before it; nothing if the line has none.
fn rest_of_line(text: &str) -> &str {
    let line = text.split('\n').next().unwrap_or("");
    let line = line.strip_suffix('\r').unwrap_or(line);
    if line.trim_start_matches([' ', '\t']).starts_with('#') {
        line
    } else {
        ""
    }
}
