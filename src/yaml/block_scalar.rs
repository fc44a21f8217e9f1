//! Finds where a block scalar starts and ends in its text, and reads its header.

use super::character;
use crate::source::Span;

/// The treatment of the line breaks at the end of a block scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Chomping {
    /// `-`: no line break is part of the value.
    Strip,
    /// No indicator: one line break is part of the value.
    Clip,
    /// `+`: all line breaks are part of the value.
    Keep,
}

/// The first line of a block scalar, from its `|` or `>`:
///
/// ```text
/// script: |2-  # a comment
///         ^~~             `length` counts the indicators
///   set -e                `content_start` is the start of this line
/// ```
#[derive(Clone, Copy, Debug)]
pub(super) struct BlockHeader {
    /// The treatment of the final line breaks.
    pub(super) chomping: Chomping,
    /// The indentation indicator, counted from the indentation of the parent; `None` if the first
    /// line decides.
    pub(super) indicator: Option<u8>,
    /// The length of `|` or `>` with its indicators, without the comment that may follow them.
    pub(super) length: usize,
    /// The offset of the content lines, after the line break of the header line.
    pub(super) content_start: usize,
}

/// Reads the header that starts at `raw`'s first byte (`|` or `>`).
pub(super) fn header(raw: &str) -> BlockHeader {
    let line_end = raw.find('\n').unwrap_or(raw.len());
    let mut header = BlockHeader {
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

/// Returns the span of a block scalar: its header and every line that belongs to it.
///
/// ```text
/// script: |        <- header, found at or after `from`
///                  <- blank before the content: belongs to the value
///   set -e         <- first content line; `content` is its first byte after the spaces
///                  <- blank inside the content: belongs to the value
///   run            <- last content line: the span ends after its line break
///                  <- trailing blank line: part of the span only with `|+`
/// next: 1
/// ```
///
/// Trailing blank lines are excluded unless the header has a `+`. They separate the scalar from
/// the next node, and an edit of the scalar must not delete them. With `+` they are part of the
/// value.
///
/// The parser reports where the content starts but not exactly where it ends, so the end is found
/// here, by indentation. `content` is `None` if the scalar has only blank lines.
pub(super) fn span(text: &str, from: usize, content: Option<usize>) -> Span {
    let start = find_header(text, from).or(content).unwrap_or(from);
    let header = header(text.get(start..).unwrap_or(""));
    let indent = content.map_or(0, |content| content - line_start(text, content));

    let mut line_start = start + header.content_start;
    let mut end = line_start;
    let mut in_content = false;
    for line in text.get(line_start..).unwrap_or("").split_inclusive('\n') {
        let line_end = line_start + line.len();
        let spaces = line.len() - line.trim_start_matches(' ').len();
        let is_blank = line[spaces..].trim_end_matches(['\n', '\r']).is_empty();
        // The first content line may consist of spaces, if it has more of them than the
        // indentation. So it is recognized by its offset and not by its content.
        in_content |= content.is_some_and(|content| (line_start..line_end).contains(&content));

        if !is_blank && (!in_content || spaces < indent || ends_document(line, indent)) {
            break;
        }
        // The end moves only after a line that is surely part of the value. Blank lines between
        // two such lines are then in the span, and those after the last one are not.
        let is_content = in_content && (!is_blank || spaces > indent);
        // Blanks at the end of the text are not a line that `+` keeps: `a: |+⏎  x⏎  ` is `x⏎`.
        let is_kept = header.chomping == Chomping::Keep && line.ends_with('\n');
        if is_content || is_kept {
            end = line_end;
        }
        line_start = line_end;
    }
    Span::new(start, end)
}

/// Removes the line break that the parser crate adds to the text of a block scalar if its last line
/// has none. libyaml adds none.
///
/// `raw` is the scalar with its header, and `is_last` says that the source ends with it.
///
/// ```text
/// a: |+      "x"        the last line has no line break
///   x
/// a: |+      ""         there is no line, only blanks after the header
///   ⎵
/// ```
pub(super) fn without_added_break<'t>(text: &'t str, raw: &str, is_last: bool) -> &'t str {
    if text.trim_matches('\n').is_empty() {
        let header_and_lines = raw.matches('\n').count();
        let length = text.len().min(header_and_lines.saturating_sub(1));
        return &text[..length];
    }
    let is_unended = is_last && !raw.ends_with('\n');
    match text.strip_suffix('\n') {
        Some(text) if is_unended => text,
        _ => text,
    }
}

fn line_start(text: &str, offset: usize) -> usize {
    let before = text.get(..offset).unwrap_or("");
    before.rfind('\n').map_or(0, |at| at + 1)
}

/// Returns whether a line is a `---` or `...` without indentation after a block scalar. Only a
/// scalar that is a whole document can have no indentation, and only such a marker ends it.
fn ends_document(line: &str, indent: usize) -> bool {
    indent == 0 && character::begins_with_document_marker(line)
}

/// Returns the offset of the first `|` or `>` at or after `from`, outside comments, tags and
/// anchors.
fn find_header(text: &str, from: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut at = from;
    while let Some(&byte) = bytes.get(at) {
        let rest = &bytes[at..];
        match byte {
            b'|' | b'>' => return Some(at),
            b'#' => at += rest.iter().position(|&byte| byte == b'\n')?,
            // The name of an anchor can contain the indicators: `&a|b |`.
            b'&' | b'!' => at += rest.iter().position(|&byte| byte.is_ascii_whitespace())?,
            _ => at += 1,
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the bytes of the block scalar in `text` whose content starts with `first`.
    fn scalar<'a>(text: &'a str, first: &str) -> &'a str {
        let content = (!first.is_empty()).then(|| text.find(first).unwrap());
        &text[span(text, 2, content).range()]
    }

    #[test]
    fn ends_after_the_last_content_line() {
        assert_eq!(scalar("a: |\n  x\n\n  y\nb: 1\n", "x"), "|\n  x\n\n  y\n");
        assert_eq!(scalar("a: | # |\n  x\n # b\n", "x"), "| # |\n  x\n");
        assert_eq!(scalar("a: # >\n  |\n  x", "x"), "|\n  x");
    }

    #[test]
    fn includes_trailing_blank_lines_only_if_they_are_kept() {
        assert_eq!(scalar("a: |\n  x\n\n\nb: 1\n", "x"), "|\n  x\n");
        assert_eq!(scalar("a: |+\n  x\n\n\nb: 1\n", "x"), "|+\n  x\n\n\n");
        assert_eq!(scalar("a: |+\n\n\nb: 1\n", ""), "|+\n\n\n");
        assert_eq!(scalar("a: |+\n  x\n\n  ", "x"), "|+\n  x\n\n");
        assert_eq!(scalar("a: |\n\n\nb: 1\n", ""), "|\n");
    }

    #[test]
    fn counts_a_line_with_more_spaces_than_the_indentation_as_content() {
        assert_eq!(scalar("a: |\n  x\n   \n\nb: 1\n", "x"), "|\n  x\n   \n");
        assert_eq!(scalar("a: |1\n   \nb: 1\n", "  \nb"), "|1\n   \n");
    }

    #[test]
    fn ends_a_scalar_without_indentation_at_a_document_marker() {
        assert_eq!(scalar("--- |\nx\n---y\n---\nb\n", "x"), "|\nx\n---y\n");
        assert_eq!(scalar("--- |\nx\n... # end\n", "x"), "|\nx\n");
    }
}
