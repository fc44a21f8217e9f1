//! Quoted scalars whose continuation lines are not indented enough.
//!
//! libyaml, and so ytt, kustomize and `kubectl`, accept a quoted scalar whose second line is not
//! indented deeper than its key. YAML 1.2 and the parser crate do not. Such texts exist, mostly in
//! old custom resource definitions:
//!
//! ```text
//! key: "first line     ->     key: "first line
//! second line"         ->           second line"
//! ```
//!
//! Folding drops the white space at the start of a continuation line, so spaces can be inserted
//! there without changing the value. The parser reads the text with the spaces (right), and every
//! offset that it reports is converted back to the text without them (left).

/// The number of rounds of repair. Each round repairs one scalar and reads the text again from its
/// start.
pub(super) const REPAIR_LIMIT: usize = 256;

/// Spaces that are inserted into a text to make it readable.
#[derive(Debug, Default)]
pub(super) struct Repairs {
    /// In the order of their offsets.
    insertions: Vec<InsertedSpaces>,
}

/// Spaces at the start of one continuation line.
#[derive(Debug)]
struct InsertedSpaces {
    /// Their place in the original text.
    offset: usize,
    count: usize,
    /// The number of spaces that all earlier insertions add: this one is at `offset + before` in
    /// the repaired text.
    before: usize,
}

impl Repairs {
    /// Converts an offset in the repaired text to one in the original text. An offset inside
    /// inserted spaces becomes the place where they are inserted.
    pub(super) fn original(&self, repaired: usize) -> usize {
        // Nearly every text is read as it is, and this is called twice for each node.
        if self.insertions.is_empty() {
            return repaired;
        }
        let following = self
            .insertions
            .partition_point(|spaces| spaces.offset + spaces.before <= repaired);
        let Some(last) = following.checked_sub(1).map(|at| &self.insertions[at]) else {
            return repaired;
        };
        // text      |line                 `offset`
        // repaired  |    line             the spaces start at `offset + before`
        //              ^ behind = 2       still before the line, so it is converted to `offset`
        let behind = repaired - (last.offset + last.before);
        repaired - last.before - behind.min(last.count)
    }

    /// Returns `text` with the spaces inserted.
    pub(super) fn repaired(&self, text: &str) -> String {
        let added: usize = self.insertions.iter().map(|spaces| spaces.count).sum();
        let mut result = String::with_capacity(text.len() + added);
        let mut done = 0;
        for spaces in &self.insertions {
            result.push_str(text.get(done..spaces.offset).unwrap_or(""));
            result.extend(std::iter::repeat_n(' ', spaces.count));
            done = spaces.offset;
        }
        result.push_str(text.get(done..).unwrap_or(""));
        result
    }

    /// Indents the continuation lines of one quoted scalar deeper than its opening quote, which is
    /// deeper than YAML 1.2 asks in any context.
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

        // All lines of the scalar are indented at once. The parser reports only the first, and each
        // report costs a round.
        let mut added = Vec::new();
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
            if !is_blank && indent < depth && !self.is_indented(offset) {
                added.push(InsertedSpaces {
                    offset,
                    count: depth - indent,
                    before: 0,
                });
            }
        }
        let is_repaired = !added.is_empty();
        self.insert(added);
        is_repaired
    }

    fn is_indented(&self, offset: usize) -> bool {
        self.insertions
            .binary_search_by_key(&offset, |spaces| spaces.offset)
            .is_ok()
    }

    fn insert(&mut self, added: Vec<InsertedSpaces>) {
        self.insertions.extend(added);
        self.insertions.sort_unstable_by_key(|spaces| spaces.offset);
        let mut before = 0;
        for spaces in &mut self.insertions {
            spaces.before = before;
            before += spaces.count;
        }
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
}
