//! Quoted scalars whose continuation lines stand too far left.
//!
//! libyaml, and so ytt, kustomize and `kubectl`, accept a quoted scalar whose second line is not indented deeper than
//! its key; YAML 1.2 and the parser crate do not. Such texts exist (old custom resource definitions). Folding drops the
//! white space at the start of a continuation line, so spaces can be put there without changing the value: the text is
//! read with the spaces, and every offset is taken back to the text without them.

/// Spaces that were put into a text to make it readable.
#[derive(Debug, Default)]
pub(super) struct Repairs {
    /// The offset in the original text, and how many spaces stand before it in the repaired one, in order.
    inserted: Vec<(usize, usize)>,
}

/// More scalars than this are not repaired: each repair reads the text again.
pub(super) const REPAIR_LIMIT: usize = 256;

impl Repairs {
    /// The offset in the original text that `repaired` stands for.
    pub(super) fn original(&self, repaired: usize) -> usize {
        let mut shift = 0;
        for &(offset, count) in &self.inserted {
            if repaired < offset + shift {
                break;
            }
            shift += count.min(repaired - (offset + shift));
        }
        repaired - shift
    }

    /// The repaired form of `text`.
    pub(super) fn repaired(&self, text: &str) -> String {
        let mut result = String::with_capacity(
            text.len() + self.inserted.iter().map(|&(_, count)| count).sum::<usize>(),
        );
        let mut done = 0;
        for &(offset, count) in &self.inserted {
            result.push_str(text.get(done..offset).unwrap_or(""));
            result.extend(std::iter::repeat_n(' ', count));
            done = offset;
        }
        result.push_str(text.get(done..).unwrap_or(""));
        result
    }

    /// Adds what the quoted scalar needs whose continuation line at `error` stands too far left; `token` is where the
    /// last thing before the scalar ended. Returns whether anything could be added.
    pub(super) fn mend(&mut self, text: &str, token: usize, error: usize) -> bool {
        let Some(opening) = text
            .get(token..error)
            .and_then(|gap| gap.find(['"', '\'']))
            .map(|at| token + at)
        else {
            return false;
        };
        let line_start = text[..opening].rfind('\n').map_or(0, |at| at + 1);
        let depth = opening - line_start + 1;
        let before = self.inserted.len();
        let closing = closing_quote(text, opening);
        let breaks = text[opening..closing]
            .bytes()
            .enumerate()
            .filter(|&(_, byte)| byte == b'\n');
        for start in breaks.map(|(at, _)| opening + at + 1) {
            let line = text.get(start..).unwrap_or("");
            let indent = line.len() - line.trim_start_matches(' ').len();
            let blank = line[indent..].starts_with(['\n', '\r']) || line.len() == indent;
            let known = self.inserted.iter().any(|&(offset, _)| offset == start);
            if !blank && indent < depth && !known {
                self.inserted.push((start, depth - indent));
            }
        }
        self.inserted.sort_unstable();
        self.inserted.len() > before
    }
}

/// The offset of the quote that closes the one at `opening`, or the end of the text.
fn closing_quote(text: &str, opening: usize) -> usize {
    let bytes = text.as_bytes();
    let quote = bytes.get(opening).copied().unwrap_or(b'"');
    let mut at = opening + 1;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'\\' if quote == b'"' => at += 1,
            b'\'' if quote == b'\'' && bytes.get(at + 1) == Some(&b'\'') => at += 1,
            _ if byte == quote => return at,
            _ => {}
        }
        at += 1;
    }
    bytes.len()
}
