//! Where a block scalar begins and ends, and what its header says.

use crate::source::Span;

/// What to do with the line breaks at the end of a block scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Chomping {
    /// `-`: none is kept.
    Strip,
    /// One is kept.
    Clip,
    /// `+`: all are kept.
    Keep,
}

/// The parts of a block scalar as it is written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Header {
    /// How its final line breaks are read.
    pub(super) chomping: Chomping,
    /// The indentation indicator, counted from the indentation of the parent; `None` where the first line decides.
    pub(super) indicator: Option<u8>,
    /// The length of the indicators: without the comment that may follow them.
    pub(super) length: usize,
    /// Where the content lines start: after the line break of the header line.
    pub(super) content_start: usize,
}

/// Reads the header that starts at `raw`'s first byte (`|` or `>`).
pub(super) fn header(raw: &str) -> Header {
    let line_end = raw.find('\n').unwrap_or(raw.len());
    let mut header = Header {
        chomping: Chomping::Clip,
        indicator: None,
        length: 1,
        content_start: (line_end + 1).min(raw.len()),
    };
    for byte in raw.bytes().skip(1) {
        match byte {
            b'-' => header.chomping = Chomping::Strip,
            b'+' => header.chomping = Chomping::Keep,
            b'1'..=b'9' => header.indicator = Some(byte - b'0'),
            _ => break,
        }
        header.length += 1;
    }
    header
}

/// The bytes of the block scalar whose header stands at or after `from` and whose content begins at `content`: from the
/// header through the line break of the last line that is its own. `content` is `None` for a scalar of blank lines only.
///
/// Lines that are only blank at the end belong to it where they are part of its value (`+`), and are left out otherwise,
/// so that they stay what they look like: distance to the next thing.
pub(super) fn span(text: &str, from: usize, content: Option<usize>) -> Span {
    let start = find_header(text, from).or(content).unwrap_or(from);
    let raw = text.get(start..).unwrap_or("");
    let Header {
        chomping,
        content_start,
        ..
    } = header(raw);
    let first = start + content_start;
    let line_start = |offset: usize| {
        text.get(..offset)
            .and_then(|before| before.rfind('\n'))
            .map_or(0, |at| at + 1)
    };
    let indent = content.map_or(0, |content| content - line_start(content));
    let mut end = first;
    let mut at = first;
    let mut seen = false;
    for line in text.get(first..).unwrap_or("").split_inclusive('\n') {
        let spaces = line.len() - line.trim_start_matches(' ').len();
        let blank = line[spaces..].trim_end_matches(['\n', '\r']).is_empty();
        let marker = indent == 0 && is_document_marker(line);
        // The first line of the content may be one of spaces only, if they are more than its indentation.
        seen |= content.is_some_and(|content| (at..at + line.len()).contains(&content));
        if !blank && (spaces < indent || marker || !seen) {
            break;
        }
        at += line.len();
        let is_content = seen && (!blank || spaces > indent);
        if is_content || chomping == Chomping::Keep {
            end = at;
        }
    }
    Span::new(start, end)
}

fn is_document_marker(line: &str) -> bool {
    ["---", "..."].iter().any(|marker| {
        line.strip_prefix(marker)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\t', '\n', '\r']))
    })
}

/// The first `|` or `>` at or after `from`, outside comments, tags and anchors.
fn find_header(text: &str, from: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut at = from;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'|' | b'>' => return Some(at),
            b'#' => at += bytes[at..].iter().position(|&byte| byte == b'\n')?,
            b'&' | b'!' => {
                at += bytes[at..]
                    .iter()
                    .position(|&byte| byte.is_ascii_whitespace())?
            }
            _ => at += 1,
        }
    }
    None
}
