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

use super::character;
use super::events::is_in_name;
use crate::source::{Code, Diagnostic, Location, Source, Span};
use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

/// The maximum number of rounds of repair. Each round reads the text again from its start.
pub(super) const REPAIR_LIMIT: usize = 256;

/// The changes that make a text readable.
#[derive(Debug, Default)]
pub(super) struct Repairs {
    /// The changes in the order of their offsets.
    changes: Vec<Repair>,
    /// Places that other readers might not accept, in the order in which they were found.
    lenient: Vec<LenientPlace>,
    /// The ends of the names that were repaired because they look like an anchor or an alias;
    /// `None` before the first anchor or alias is repaired.
    guesses: Option<BTreeSet<usize>>,
}

/// A few bytes of the text that are read as other bytes.
#[derive(Debug)]
struct Repair {
    /// The place of the bytes in the original text.
    offset: usize,
    /// The number of these bytes; 0 if bytes are inserted.
    removed: usize,
    /// The bytes that are read instead.
    text: String,
    /// The place of the bytes in the repaired text.
    repaired_offset: usize,
}

/// A place at which a text is not YAML 1.2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LenientPlace {
    /// The bytes in the original text.
    pub span: Span,
    /// The kind of deviation.
    pub kind: LenientKind,
}

/// The ways in which a text can deviate from YAML 1.2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LenientKind {
    /// `"a"# note`.
    CommentWithoutBlank,
    /// `"it\'s"`.
    EscapedSingleQuote,
    /// A tab before a continuation line.
    TabBeforeLine,
    /// A byte order mark on the line below `---`.
    ByteOrderMark,
    /// A dash alone between brackets.
    DashInBrackets,
    /// `&a:b`, an anchor without a blank before its value.
    AnchorWithoutBlank,
    /// `*a: b`, an alias without a blank before its colon.
    AliasWithoutBlank,
}

/// The text that replaces a dash alone between brackets.
pub(super) const QUOTED_DASH: &str = "\"-\"";

impl LenientPlace {
    /// Returns the warning about the place.
    pub(super) fn warning(self, source: &Arc<Source>) -> Box<Diagnostic> {
        let (message, help) = match self.kind {
            LenientKind::CommentWithoutBlank => (
                "this comment is not valid YAML: there is no blank before it",
                "put a blank before the `#`",
            ),
            LenientKind::EscapedSingleQuote => (
                "this escape is not valid YAML: `\\'`",
                "write `'` without the backslash",
            ),
            LenientKind::TabBeforeLine => (
                "this tab is not valid YAML: it indents a line",
                "indent the line with spaces",
            ),
            LenientKind::ByteOrderMark => (
                "this byte order mark is not valid YAML: it is not at the start of the text",
                "remove it: files that were joined often contain one",
            ),
            LenientKind::DashInBrackets => (
                "this `-` is not valid YAML: between brackets it needs quotes",
                "write `\"-\"`",
            ),
            LenientKind::AnchorWithoutBlank => (
                "in YAML 1.2, the name of this anchor includes what follows it",
                "put a blank after the name",
            ),
            LenientKind::AliasWithoutBlank => (
                "this alias is not valid YAML: there is no blank before its colon",
                "put a blank before the `:`",
            ),
        };
        let note = match self.kind {
            LenientKind::ByteOrderMark => "kustomize accepts it; other programs may not",
            LenientKind::AnchorWithoutBlank => {
                "ytt and kustomize end the name here; other programs may not"
            }
            _ => "ytt and kustomize accept it; other programs may not",
        };
        Diagnostic::warning(Code::YamlSyntax, message)
            .at(Location::new(source, self.span), "")
            .note(note)
            .help(help)
    }
}

impl Repairs {
    /// Converts an offset in the repaired text to one in the original text. An offset inside
    /// inserted bytes becomes the place where they are inserted.
    pub(super) fn original(&self, repaired: usize) -> usize {
        // Nearly every text is read as it is, and this is called twice for each node.
        if self.changes.is_empty() {
            return repaired;
        }
        let following = self
            .changes
            .partition_point(|repair| repair.repaired_offset <= repaired);
        let Some(last) = following.checked_sub(1).map(|at| &self.changes[at]) else {
            return repaired;
        };
        // text      |line                 `offset`
        // repaired  |    line             the spaces start at `repaired_offset`
        //              ^ distance = 2     still before the line, so it is converted to `offset`
        let distance = repaired - last.repaired_offset;
        match distance.checked_sub(last.text.len()) {
            Some(rest) => last.offset + last.removed + rest,
            None => last.offset + distance.min(last.removed),
        }
    }

    /// Returns `text` with all changes.
    pub(super) fn repaired(&self, text: &str) -> String {
        let added: usize = self.changes.iter().map(|repair| repair.text.len()).sum();
        let mut result = String::with_capacity(text.len() + added);
        let mut done = 0;
        for repair in &self.changes {
            result.push_str(text.get(done..repair.offset).unwrap_or(""));
            result.push_str(&repair.text);
            done = repair.offset + repair.removed;
        }
        result.push_str(text.get(done..).unwrap_or(""));
        result
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
        self.lenient.push(LenientPlace {
            span: Span::new(error, error + line),
            kind: LenientKind::CommentWithoutBlank,
        });
        self.insert(vec![Repair::new(error, 0, " ")]);
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
        self.lenient.push(LenientPlace {
            span: Span::new(error, error + MARK.len()),
            kind: LenientKind::ByteOrderMark,
        });
        self.insert(vec![Repair::new(error, MARK.len(), "")]);
        true
    }

    /// Reads the dash at `error`, which is alone between brackets, as a string in quotes. Returns
    /// `false` if there is no dash.
    pub(super) fn quote_dash(&mut self, text: &str, error: usize) -> bool {
        let is_dash = text.get(error..).is_some_and(|rest| rest.starts_with('-'));
        if !is_dash || self.is_repaired(error) {
            return false;
        }
        self.lenient.push(LenientPlace {
            span: Span::new(error, error + 1),
            kind: LenientKind::DashInBrackets,
        });
        self.insert(vec![Repair::new(error, 1, QUOTED_DASH)]);
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
            let guessed = names_without_blank(text, name.span.end());
            let guessed = guessed.filter(|guess| !self.is_repaired(guess.span.end()));
            names.extend(guessed);
            let guesses = names[1..].iter().map(|guess| guess.span.end());
            self.guesses = Some(guesses.collect());
        }
        let blank = |name: &LenientPlace| Repair::new(name.span.end(), 0, " ");
        let added = names.iter().map(blank).collect();
        self.lenient.extend(names);
        self.insert(added);
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
        self.changes
            .retain(|repair| !wrong.contains(&repair.offset));
        self.lenient
            .retain(|place| !wrong.contains(&place.span.end()));
        self.insert(Vec::new());
        true
    }

    /// Returns whether the scalar at an offset of the original text is a dash that was read in
    /// quotes.
    pub(super) fn is_quoted_dash(&self, offset: usize) -> bool {
        let place = self.position(offset);
        place.is_ok_and(|at| self.changes[at].text == QUOTED_DASH)
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
                added.push(Repair::new(escaped, 1, "x27"));
            }
            at = escaped + text[escaped..].chars().next().map_or(1, char::len_utf8);
        }
        let is_repaired = !added.is_empty();
        self.insert(added);
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
                    added.push(Repair::new(start + at, 1, " "));
                }
            }
            start += line.len();
        }
        let is_repaired = !added.is_empty();
        self.insert(added);
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
        for (at, byte) in text[opening..closing_quote(text, opening)]
            .bytes()
            .enumerate()
        {
            if byte != b'\n' {
                continue;
            }
            let offset = opening + at + 1;
            let line = text.get(offset..).unwrap_or("");
            let indent = line.len() - line.trim_start_matches(' ').len();
            let is_blank = line[indent..].is_empty() || line[indent..].starts_with(['\n', '\r']);
            if is_blank || indent >= depth {
                continue;
            }
            match self.position(offset) {
                Err(_) => added.push(Repair::new(offset, 0, &" ".repeat(depth - indent))),
                // The line begins with a tab that was replaced by one space and now needs more.
                Ok(tab) if self.changes[tab].text == " " => {
                    self.changes[tab].text = " ".repeat(depth);
                    is_widened = true;
                }
                Ok(_) => {}
            }
        }
        let is_repaired = is_widened || !added.is_empty();
        self.insert(added);
        is_repaired
    }

    fn is_repaired(&self, offset: usize) -> bool {
        self.position(offset).is_ok()
    }

    /// Returns the index of the repair at an offset, or of the first after it.
    fn position(&self, offset: usize) -> Result<usize, usize> {
        self.changes
            .binary_search_by_key(&offset, |repair| repair.offset)
    }

    fn insert(&mut self, added: Vec<Repair>) {
        self.changes.extend(added);
        self.changes.sort_unstable_by_key(|repair| repair.offset);
        let (mut inserted, mut removed) = (0, 0);
        for repair in &mut self.changes {
            repair.repaired_offset = repair.offset + inserted - removed;
            inserted += repair.text.len();
            removed += repair.removed;
        }
    }
}

impl Repair {
    fn new(offset: usize, removed: usize, text: &str) -> Repair {
        Repair {
            offset,
            removed,
            text: text.to_owned(),
            repaired_offset: offset,
        }
    }
}

/// Returns the anchor or alias at an offset, if libyaml ends its name where YAML 1.2 does not.
fn name_without_blank(text: &str, start: usize) -> Option<LenientPlace> {
    let written = text.get(start..)?;
    let name = written.strip_prefix(['&', '*'])?;
    let rest = name.trim_start_matches(is_in_name);
    let is_anchor = written.starts_with('&');
    let is_end = match rest.strip_prefix(':') {
        // An alias is a key only if its colon ends a key in every other place too.
        Some(value) => is_anchor || value.is_empty() || value.starts_with([' ', '\t', '\r', '\n']),
        None => is_anchor && rest.starts_with('?'),
    };
    let kind = if is_anchor {
        LenientKind::AnchorWithoutBlank
    } else {
        LenientKind::AliasWithoutBlank
    };
    (is_end && rest.len() < name.len()).then(|| LenientPlace {
        span: Span::new(start, text.len() - rest.len()),
        kind,
    })
}

/// Returns all of these from an offset on, and what looks like them inside texts and comments.
fn names_without_blank(text: &str, from: usize) -> impl Iterator<Item = LenientPlace> {
    let bytes = text.as_bytes();
    let marks = memchr::memchr2_iter(b'&', b'*', &bytes[from..]).map(move |at| from + at);
    let starts = marks.filter(|start| {
        let before = start.checked_sub(1).map(|before| bytes[before]);
        before.is_none_or(|byte| b" \t\r\n[{,".contains(&byte))
    });
    starts.filter_map(|start| name_without_blank(text, start))
}

/// Returns whether the text at an offset is an alias of a name that is an anchor before it, with a
/// `:` directly after the name.
pub(super) fn is_alias_with_colon(text: &str, start: usize) -> bool {
    let Some((before, written)) = text.split_at_checked(start) else {
        return false;
    };
    let Some(name) = written.strip_prefix('*') else {
        return false;
    };
    let rest = name.trim_start_matches(is_in_name);
    let name = &name[..name.len() - rest.len()];
    let mut anchors = before.split('&').skip(1);
    rest.starts_with(':')
        && !name.is_empty()
        && anchors.any(|anchor| {
            let after = anchor.strip_prefix(name);
            after.is_some_and(|after| !after.starts_with(is_in_name))
        })
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

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "a: 'x\ny\n\n  z'\nb: 1\n";
    const REPAIRED: &str = "a: 'x\n    y\n\n    z'\nb: 1\n";

    fn repairs() -> Repairs {
        let mut repairs = Repairs::default();
        assert!(repairs.indent_scalar(TEXT, 2, 6));
        repairs
    }

    #[test]
    fn indents_continuation_lines_deeper_than_the_quote() {
        assert_eq!(repairs().repaired(TEXT), REPAIRED);
    }

    #[test]
    fn converts_every_offset_back() {
        let repairs = repairs();
        for (offset, c) in REPAIRED.char_indices() {
            let original = repairs.original(offset);
            assert!(
                c == ' ' || TEXT[original..].starts_with(c),
                "{offset} is not {original}"
            );
        }
        assert_eq!(repairs.original(REPAIRED.len()), TEXT.len());
    }

    #[test]
    fn repairs_nothing_twice() {
        assert!(!repairs().indent_scalar(TEXT, 2, 6));
        assert!(!Repairs::default().indent_scalar(TEXT, 6, 6));
    }

    /// Parses a text that only libyaml accepts. Returns its canonical form and the kinds of its
    /// lenient places.
    fn read(text: &str) -> Option<(String, Vec<LenientKind>)> {
        let source = Source::new("test", text).unwrap();
        let stream = crate::yaml::parse(&source).ok()?;
        let root = &stream.documents[0].root;
        // Not a byte changes unless it is edited.
        assert_eq!(
            crate::yaml::faithful::print(&stream, &[Arc::clone(root)]),
            text
        );
        let kinds = stream.lenient.iter().map(|lenient| lenient.kind).collect();
        Some((crate::yaml::canonical_node(root).unwrap(), kinds))
    }

    #[test]
    fn accepts_what_libyaml_accepts_and_reports_it() {
        use LenientKind::{
            AliasWithoutBlank, AnchorWithoutBlank, ByteOrderMark, CommentWithoutBlank,
            EscapedSingleQuote, TabBeforeLine,
        };
        let table: [(&str, &str, &[LenientKind]); 17] = [
            (
                "---\n\u{feff}a: 1\nb: 2\n",
                "a: 1\nb: 2\n",
                &[ByteOrderMark],
            ),
            ("a:\n  b: 'x\n\ty'\n", "a:\n  b: x y\n", &[TabBeforeLine]),
            (
                "a:\n- b: \"x\n\ty\n  z\"\n",
                "a:\n- b: x y z\n",
                &[TabBeforeLine],
            ),
            (
                "a: \"x\"# c\nb: 1\n",
                "a: x\nb: 1\n",
                &[CommentWithoutBlank],
            ),
            ("a: 'x'#c\n", "a: x\n", &[CommentWithoutBlank]),
            ("a: [b, ]#c\n", "a:\n- b\n", &[CommentWithoutBlank]),
            (
                "- \"a\"#c\n- {b: 1}#d\n",
                "- a\n- b: 1\n",
                &[CommentWithoutBlank, CommentWithoutBlank],
            ),
            (
                "a: \"it\\'s \\\"x\\\\\"\n",
                "a: it's \"x\\\n",
                &[EscapedSingleQuote],
            ),
            ("a: \"b\n\tc\"\n", "a: b c\n", &[TabBeforeLine]),
            ("a: 'b\n \t c'\n", "a: b c\n", &[]),
            ("a: {\n\tb: 1\n}\n", "a:\n  b: 1\n", &[TabBeforeLine]),
            ("a: &x:y z\n", "a: :y z\n", &[AnchorWithoutBlank]),
            ("a: &x?y\nb: *x\n", "a: ?y\nb: ?y\n", &[AnchorWithoutBlank]),
            ("&x: a\n", "null: a\n", &[AnchorWithoutBlank]),
            ("a: &x b\n*x: c\n", "a: b\nb: c\n", &[AliasWithoutBlank]),
            ("{a: &x b, *x: c}\n", "a: b\nb: c\n", &[AliasWithoutBlank]),
            (
                "a: \"b\nc\td\"# e\n",
                "a: \"b c\\td\"\n",
                &[CommentWithoutBlank],
            ),
        ];
        for (text, value, kinds) in table {
            let expected = Some((value.to_owned(), kinds.to_vec()));
            assert_eq!(read(text), expected, "{text}");
        }
    }

    #[test]
    fn repairs_any_number_of_anchors_and_aliases() {
        use LenientKind::{AliasWithoutBlank, AnchorWithoutBlank};
        let mut text = String::new();
        let mut value = String::new();
        for number in 0..1500 {
            text.push_str(&format!("- &a{number}:y\n- *a{number}: b\n"));
            value.push_str("- :y\n- :y: b\n");
        }
        let kinds = [AnchorWithoutBlank, AliasWithoutBlank].repeat(1500);
        assert_eq!(read(&text), Some((value, kinds)));
    }

    #[test]
    fn repairs_nothing_that_only_looks_like_an_anchor() {
        let text = "a: &x:y\nb: |\n  k &z:y\nc: 'q &z:y'\nd: p &z:y\n# &z:y\ne: &w:v # *x: c\n";
        let value = "a: :y\nb: |\n  k &z:y\nc: q &z:y\nd: p &z:y\ne: :v\n";
        let kinds = vec![LenientKind::AnchorWithoutBlank; 2];
        assert_eq!(read(text), Some((value.to_owned(), kinds)));
    }

    #[test]
    fn the_error_for_an_alias_with_a_colon_suggests_a_blank() {
        let help = |text: &str| {
            let source = Source::new("test", text).unwrap();
            crate::yaml::parse(&source).unwrap_err().help
        };
        let expected = ["put a blank before the `:`"];
        for text in ["- &x a\n- {*x:1}\n", "- &x a\n- {*x:, d: 1}\n"] {
            assert_eq!(help(text), expected, "{text}");
        }
        assert!(help("- &xy a\n- {*x:1}\n").is_empty());
        assert!(help("- &x a\n- {*y: 1}\n").is_empty());
    }

    #[test]
    fn refuses_what_libyaml_refuses() {
        let table = [
            "a:\n\tb: 1\n",
            "a: \"b\" # c\n\tb: 1\n",
            "a: \"\\d\"\n",
            "# it's\na:\n\tb: 1\n",
            // Inside a document, a byte order mark is no white space for ytt and kustomize.
            "a: 1\n\u{feff}b: 2\n",
            "a: [1]\n\u{feff}\n",
            "a: {b: [1]\n\u{feff}}\n",
            "--- ['x'\n\u{feff}, y]\n",
            "---\n# c\n\u{feff}a: 1\n",
            "---\n\u{feff}---\na: 1\n",
            "# c\n\u{feff}a: 1\n",
            "# c\n\u{feff}? \n",
            "\n\u{feff}a: 1\n",
            "\u{feff}\u{feff}a: 1\n",
            "# c\n\u{feff}---\na: 1\n",
            "# c\n\u{feff}[a]\n",
            "a: 1\n...\n\u{feff}b: 1\n",
            // An anchor between brackets, also after one that is repaired.
            "a: &x:y\nb: [&z:y]\n",
            // An anchor or an alias and a value that is not a key.
            "a: &x: y\n",
            "a: &x:\n",
            "a: {&x:y z: 1}\n",
            "a: &x b\nc: *x:y\n",
        ];
        for text in table {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn an_edit_keeps_a_comment_without_a_blank_a_comment() {
        let table = [
            ("a: \"x\"# c\n", "a: 5 # c\n"),
            ("a: [\"x\"]#c\n", "a: 5 #c\n"),
            ("a: {b: 1}#c\n", "a: 5 #c\n"),
        ];
        for (text, expected) in table {
            let source = Source::new("test", text).unwrap();
            let stream = crate::yaml::parse(&source).unwrap();
            let root = &stream.documents[0].root;
            let mut entries = root.as_mapping().unwrap().entries.to_vec();
            entries[0].value = crate::yaml::Node::plain("5");
            let edited = root.with_entries(entries);
            let printed = crate::yaml::faithful::print(&stream, &[edited]);
            assert_eq!(printed, expected);
        }
    }
}
