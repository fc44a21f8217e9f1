//! Repairs texts that libyaml, and so ytt, kustomize and `kubectl`, accept although YAML 1.2 and
//! the parser crate do not:
//!
//! ```text
//! key: "first line     ->     key: "first line         a continuation line with too few spaces,
//! second line"         ->           second line"       mostly in old custom resource definitions
//!
//! key: "a"# note       ->     key: "a" # note          a comment without a blank before it
//! key: "it\'s"         ->     key: "it\x27s"           an escape that YAML 1.2 does not have
//! key: {               ->     key: {
//! <TAB>a: 1}           ->      a: 1}                   a tab before a continuation line
//! ---                  ->     ---                      a byte order mark below `---`, where files
//! <BOM>b: 1                   b: 1                     were joined
//! [-, a]               ->     ["-", a]                 a dash alone between brackets
//! *key: 1              ->     *key : 1                 an alias that is a key, without a blank
//! a: &x:y              ->     a: &x :y                 an anchor without a blank before the value
//! ```
//!
//! None of these changes a value that other readers have, since folding drops the white space at the
//! start of a continuation line. Only the alias and the anchor have another meaning in YAML 1.2,
//! where the `:` belongs to the name.
//!
//! The parser reads the repaired text (right), and every offset that it reports is converted back to
//! the original one (left). So the bytes of the text stay as they are.
//!
//! Each round repairs one scalar or comment, because only the parser knows what is inside quotes. A
//! text may have thousands of anchors and aliases, so the first one that is repaired repairs at once
//! all that look like it. Those are guesses. The parser reports the names that it has read, and a
//! guess that is none of them (`b: a text with &x:y`) is undone.

mod changes;
mod names;
#[cfg(test)]
mod tests;

use super::character;
use super::lenient_place::{LenientKind, LenientPlace};
use crate::source::Span;
use changes::{Change, Changes};
use names::{name_without_blank, names_without_blank};
use std::collections::{BTreeSet, HashSet};

pub(super) use names::is_alias_with_colon;

/// The maximum number of rounds of repair. Each round reads the text again from its start.
pub(super) const REPAIR_LIMIT: usize = 256;

/// The changes that make a text readable.
#[derive(Debug, Default)]
pub(super) struct Repairs {
    changes: Changes,
    /// Places that other readers might not accept, in the order in which they were found.
    lenient: Vec<LenientPlace>,
    /// The ends of the names that were repaired because they look like an anchor or an alias;
    /// `None` before the first anchor or alias is repaired.
    guesses: Option<BTreeSet<usize>>,
}

/// The text that replaces a dash alone between brackets.
pub(super) const QUOTED_DASH: &str = "\"-\"";

impl Repairs {
    /// Converts an offset in the repaired text to one in the original text. An offset inside
    /// inserted bytes becomes the place where they are inserted.
    pub(super) fn original(&self, repaired: usize) -> usize {
        self.changes.original(repaired)
    }

    /// Returns `text` with all changes.
    pub(super) fn repaired(&self, text: &str) -> String {
        self.changes.applied_to(text)
    }

    /// Returns the places at which the text is not YAML 1.2.
    pub(super) fn into_lenient(mut self) -> Vec<LenientPlace> {
        self.lenient.sort_unstable_by_key(|lenient| lenient.span);
        self.lenient
    }

    /// Inserts a space before the comment at `error`. Returns `false` if there is none.
    pub(super) fn separate_comment(&mut self, text: &str, error: usize) -> bool {
        let is_comment = text.get(error..).is_some_and(|rest| rest.starts_with('#'));
        if !is_comment || self.is_repaired(error) {
            return false;
        }
        let line = text[error..].lines().next().unwrap_or("").len();
        let comment = Span::new(error, error + line);
        let space = Change::new(error, 0, " ");
        self.repair(comment, LenientKind::CommentWithoutBlank, space);
        true
    }

    /// Skips a byte order mark on the line below `---`. Returns `false` if it is elsewhere.
    ///
    /// Files that were joined have a mark there, and kustomize skips it. Inside a document, the mark
    /// belongs to the key or value that it is before, or is an error, in kustomize as in ytt.
    pub(super) fn skip_byte_order_mark(&mut self, text: &str, error: usize) -> bool {
        const MARK: &str = "\u{feff}";
        let Some((before, rest)) = text.split_at_checked(error) else {
            return false;
        };
        let line_above = before.lines().next_back().unwrap_or("");
        let begins_document = before.ends_with('\n')
            && line_above.strip_prefix("---").is_some_and(|rest| {
                let rest = rest.trim_start_matches([' ', '\t']);
                rest.is_empty() || rest.starts_with('#')
            });
        let Some(content) = rest.strip_prefix(MARK) else {
            return false;
        };
        // Nothing could be added to an empty document between the mark and the next `---`.
        let is_empty = character::begins_with_document_marker(content);
        if !begins_document || is_empty || self.is_repaired(error) {
            return false;
        }
        let mark = Span::new(error, error + MARK.len());
        let removal = Change::new(error, MARK.len(), "");
        self.repair(mark, LenientKind::ByteOrderMark, removal);
        true
    }

    /// Reads the dash at `error`, which is alone between brackets, as a string in quotes. Returns
    /// `false` if there is no dash.
    pub(super) fn quote_dash(&mut self, text: &str, error: usize) -> bool {
        let is_dash = text.get(error..).is_some_and(|rest| rest.starts_with('-'));
        if !is_dash || self.is_repaired(error) {
            return false;
        }
        let dash = Span::new(error, error + 1);
        let quoted = Change::new(error, 1, QUOTED_DASH);
        self.repair(dash, LenientKind::DashInBrackets, quoted);
        true
    }

    /// Inserts a space after the name of the anchor at `error`, which continues with `:` or `?`.
    /// Returns `false` if there is none.
    pub(super) fn end_anchor(&mut self, text: &str, error: usize) -> bool {
        text.as_bytes().get(error) == Some(&b'&') && self.end_name(text, error)
    }

    /// Inserts a space after the name of the alias at `error`, which is a key with its colon after
    /// it. Returns `false` if there is none.
    pub(super) fn end_alias(&mut self, text: &str, error: usize) -> bool {
        text.as_bytes().get(error) == Some(&b'*') && self.end_name(text, error)
    }

    /// Inserts a space after the name at `start`, and on the first call also after all later ones
    /// that look like an anchor or an alias.
    fn end_name(&mut self, text: &str, start: usize) -> bool {
        let Some(name) = name_without_blank(text, start) else {
            return false;
        };
        if self.is_repaired(name.span.end()) {
            return false;
        }
        let mut names = vec![name];
        if self.guesses.is_none() {
            let similar = names_without_blank(text, name.span.end())
                .filter(|guess| !self.is_repaired(guess.span.end()));
            let guesses: Vec<LenientPlace> = similar.collect();
            self.guesses = Some(guesses.iter().map(|guess| guess.span.end()).collect());
            names.extend(guesses);
        }
        let spaces = names
            .iter()
            .map(|name| Change::new(name.span.end(), 0, " "))
            .collect();
        self.changes.insert(spaces);
        self.lenient.extend(names);
        true
    }

    /// Returns whether anchors or aliases were repaired that might be none.
    pub(super) fn has_guesses(&self) -> bool {
        self.guesses
            .as_ref()
            .is_some_and(|guesses| !guesses.is_empty())
    }

    /// Undoes the guesses before `end` that are not the end of a name. `names` are the ends of the
    /// anchors outside of brackets and of the aliases that the parser has read, and `end` is where
    /// it stopped. Returns `false` if there are none.
    pub(super) fn undo_wrong_guesses(&mut self, names: &HashSet<usize>, end: usize) -> bool {
        let Some(guesses) = &mut self.guesses else {
            return false;
        };
        let read = guesses.range(..end).copied();
        let wrong: HashSet<usize> = read.filter(|guess| !names.contains(guess)).collect();
        if wrong.is_empty() {
            return false;
        }
        guesses.retain(|guess| !wrong.contains(guess));
        self.changes.retain(|offset| !wrong.contains(&offset));
        self.lenient
            .retain(|place| !wrong.contains(&place.span.end()));
        true
    }

    /// Returns whether the scalar at an offset of the original text is a dash that was read in
    /// quotes.
    pub(super) fn is_quoted_dash(&self, offset: usize) -> bool {
        self.changes
            .at(offset)
            .is_some_and(|change| change.text == QUOTED_DASH)
    }

    /// Spells each `\'` of the double-quoted scalar that begins at or after `error` as an escape
    /// that YAML 1.2 has: `"it\'s"` is read as `"it\x27s"`. Returns `false` if there are none.
    pub(super) fn spell_escapes(&mut self, text: &str, error: usize) -> bool {
        let Some(opening) = text.get(error..).and_then(|rest| rest.find('"')) else {
            return false;
        };
        let opening = error + opening;
        let end = closing_quote(text, opening);
        let mut added = Vec::new();
        let mut at = opening + 1;
        while let Some(escape) = text.get(at..end).and_then(|rest| rest.find('\\')) {
            let escaped = at + escape + 1;
            if text[escaped..].starts_with('\'') && !self.is_repaired(escaped) {
                self.lenient.push(LenientPlace {
                    span: Span::new(escaped - 1, escaped + 1),
                    kind: LenientKind::EscapedSingleQuote,
                });
                added.push(Change::new(escaped, 1, "x27"));
            }
            at = escaped + text[escaped..].chars().next().map_or(1, char::len_utf8);
        }
        let is_repaired = !added.is_empty();
        self.changes.insert(added);
        is_repaired
    }

    /// Reads the tabs at the start of the line of `error`, and of the following lines that begin
    /// with a tab, as spaces. Returns `false` if there are none.
    ///
    /// Invariant: these lines continue a quoted scalar or a collection in brackets. Elsewhere a tab
    /// is wrong for every reader.
    pub(super) fn expand_tabs(&mut self, text: &str, error: usize) -> bool {
        let before = text.get(..error).unwrap_or(text);
        let mut start = before.rfind('\n').map_or(0, |at| at + 1);
        let mut added = Vec::new();
        for line in text[start..].split_inclusive('\n') {
            let indent = line.len() - line.trim_start_matches([' ', '\t']).len();
            if !line[..indent].contains('\t') {
                break;
            }
            for (at, byte) in line[..indent].bytes().enumerate() {
                if byte == b'\t' && !self.is_repaired(start + at) {
                    self.lenient.push(LenientPlace {
                        span: Span::new(start + at, start + at + 1),
                        kind: LenientKind::TabBeforeLine,
                    });
                    added.push(Change::new(start + at, 1, " "));
                }
            }
            start += line.len();
        }
        let is_repaired = !added.is_empty();
        self.changes.insert(added);
        is_repaired
    }

    /// Indents the continuation lines of one quoted scalar deeper than its opening quote, which is
    /// deeper than YAML 1.2 requires in any context.
    ///
    /// The parser reports the scalar by the place `error` of a line that is not indented enough;
    /// `from` is the end of the last token before the scalar. Both are offsets into the original
    /// `text`. Returns `false` if there is nothing to indent, so that another round would fail in
    /// the same way.
    pub(super) fn indent_scalar(&mut self, text: &str, from: usize, error: usize) -> bool {
        let before_error = text.get(from..error).unwrap_or("");
        let Some(opening) = before_error.find(['"', '\'']) else {
            return false;
        };
        let opening = from + opening;
        let line_start = text[..opening].rfind('\n').map_or(0, |at| at + 1);
        let depth = opening - line_start + 1;

        // All lines of the scalar are indented together. The parser reports only the first, and
        // each report costs a round.
        let mut added = Vec::new();
        let mut is_widened = false;
        let scalar = &text[opening..closing_quote(text, opening)];
        for (line_break, _) in scalar.match_indices('\n') {
            let offset = opening + line_break + 1;
            let line = text.get(offset..).unwrap_or("");
            let indent = line.len() - line.trim_start_matches(' ').len();
            let is_blank = line[indent..].is_empty() || line[indent..].starts_with(['\n', '\r']);
            if is_blank || indent >= depth {
                continue;
            }
            match self.changes.at_mut(offset) {
                None => added.push(Change::new(offset, 0, &" ".repeat(depth - indent))),
                // The line begins with a tab that was replaced by one space and now needs more.
                Some(tab) if tab.text == " " => {
                    tab.text = " ".repeat(depth);
                    is_widened = true;
                }
                Some(_) => {}
            }
        }
        let is_repaired = is_widened || !added.is_empty();
        self.changes.insert(added);
        is_repaired
    }

    /// Makes one change at a lenient place.
    fn repair(&mut self, span: Span, kind: LenientKind, change: Change) {
        self.lenient.push(LenientPlace { span, kind });
        self.changes.insert(vec![change]);
    }

    fn is_repaired(&self, offset: usize) -> bool {
        self.changes.at(offset).is_some()
    }
}

/// Returns the offset of the quote that closes the one at `opening`, or the end of the text.
fn closing_quote(text: &str, opening: usize) -> usize {
    let bytes = text.as_bytes();
    let quote = bytes.get(opening).copied().unwrap_or(b'"');
    let mut at = opening + 1;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            // An escape: the next byte closes nothing.
            b'\\' if quote == b'"' => at += 1,
            // A doubled quote is one quote of the text.
            b'\'' if quote == b'\'' && bytes.get(at + 1) == Some(&b'\'') => at += 1,
            _ if byte == quote => return at,
            _ => {}
        }
        at += 1;
    }
    bytes.len()
}
