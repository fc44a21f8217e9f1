//! Literal (`|`) and folded (`>`) scalars. YAML 1.2.2, section 8.1.
//!
//! A literal scalar keeps its line breaks. In a folded one, a single line break between two lines
//! of text becomes a space, and of several line breaks the first is dropped. Lines that start with
//! white space are not folded:
//!
//! ```text
//! >                     text
//!   one                 one two⏎
//!   two                 three⏎
//!                         four⏎
//!   three
//!     four
//! ```

use super::decode::DecodedText;
use super::encode::ScalarPlace;
use crate::source::Span;
use crate::yaml::block_scalar::{self, Chomping};
use crate::yaml::node::ScalarStyle;

/// Decodes a block scalar whose content lines are indented by `indent`. `base` is the offset of
/// `raw`'s first byte.
pub(super) fn decode(raw: &str, style: ScalarStyle, base: usize, indent: usize) -> DecodedText {
    let header = block_scalar::header(raw);
    let mut reader = BlockReader {
        spelled: DecodedText::default(),
        base,
        folded: style == ScalarStyle::Folded,
        breaks: Vec::new(),
        last: None,
    };
    let mut at = header.content_start;
    for line in raw.get(at..).unwrap_or("").split_inclusive('\n') {
        reader.line(line, at, indent);
        at += line.len();
    }
    reader.finish(header.chomping)
}

/// Decodes the lines of a block scalar.
struct BlockReader {
    spelled: DecodedText,
    base: usize,
    folded: bool,
    /// The line breaks since the last line with text. They are written when the next line shows how
    /// they fold, or at the end according to the chomping indicator.
    breaks: Vec<LineBreak>,
    /// The kind of the last line with text; `None` before the first.
    last: Option<LineKind>,
}

/// The raw offsets of a line break with the indentation of the next line.
struct LineBreak {
    start: usize,
    end: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum LineKind {
    /// Starts at the indentation: its line break becomes a space.
    Text,
    /// Starts with more white space: its line breaks are kept.
    Indented,
}

impl BlockReader {
    /// Reads one line, which starts at `at`. Its text does not include the indentation of the
    /// scalar. Its line break waits until the next line with text shows how it is folded.
    ///
    /// ```text
    ///     two⏎       with `indent` 2
    /// ^^             added to the line break before it
    ///   ^^^^^        `text`: more spaces than the indentation belong to it
    ///        ^       waits in `breaks`
    /// ```
    fn line(&mut self, line: &str, at: usize, indent: usize) {
        // A carriage return is only part of a line break; without a line feed it is text.
        let body = line.trim_end_matches('\n');
        let body = if line.ends_with('\n') {
            body.strip_suffix('\r').unwrap_or(body)
        } else {
            body
        };
        let spaces = (body.len() - body.trim_start_matches(' ').len()).min(indent);
        let text = &body[spaces..];
        let text_start = at + spaces;
        // The indentation belongs to the line break before it: an edit that removes the break
        // removes both.
        if let Some(last) = self.breaks.last_mut() {
            last.end = text_start;
        }
        if !text.is_empty() {
            let kind = if text.starts_with([' ', '\t']) {
                LineKind::Indented
            } else {
                LineKind::Text
            };
            self.join(kind, text_start);
            let inner = self.spelled.text.len();
            self.spelled.text.push_str(text);
            self.spelled
                .map
                .push_verbatim(inner, self.base + text_start, text.len());
            self.last = Some(kind);
        }
        if line.ends_with('\n') {
            self.breaks.push(LineBreak {
                start: at + body.len(),
                end: at + line.len(),
            });
        }
    }

    /// Writes the line breaks before a line with text, folded if the style requires it. Each
    /// character of the text is mapped to the bytes that express it:
    ///
    /// ```text
    /// >            text    bytes
    ///   a⏎         ` `     `⏎` and the indentation of `b`
    ///   b⏎
    ///   ⏎          `⏎`     both line breaks before `c`, and its indentation
    ///   c
    /// ```
    fn join(&mut self, kind: LineKind, text_start: usize) {
        let breaks = std::mem::take(&mut self.breaks);
        let folds = self.folded && self.last == Some(LineKind::Text) && kind == LineKind::Text;
        let Some(first) = breaks.first() else { return };
        if !folds {
            for one in &breaks {
                self.spell("\n", one.start, one.end);
            }
        } else if breaks.len() == 1 {
            self.spell(" ", first.start, text_start);
        } else {
            // Folding drops the first break. It has no character in the text, so its bytes belong
            // to the second break: replacing the second must replace both.
            let mut start = first.start;
            for one in &breaks[1..] {
                self.spell("\n", start, one.end);
                start = one.end;
            }
        }
    }

    fn spell(&mut self, text: &str, start: usize, end: usize) {
        let inner = self.spelled.text.len();
        self.spelled.text.push_str(text);
        let outer = Span::new(self.base + start, self.base + end);
        self.spelled
            .map
            .push_spelled(Span::new(inner, inner + text.len()), outer);
    }

    fn finish(mut self, chomping: Chomping) -> DecodedText {
        let breaks = std::mem::take(&mut self.breaks);
        let kept = match chomping {
            Chomping::Strip => 0,
            Chomping::Clip => usize::from(self.last.is_some()),
            Chomping::Keep => breaks.len(),
        };
        for one in breaks.iter().take(kept) {
            self.spell("\n", one.start, one.end);
        }
        self.spelled
    }
}

/// Appends the lines of `text` as content of a block scalar, indented by `indent`. Empty lines get
/// no spaces.
///
/// The first line is not indented, because a piece of text can begin in the middle of a line.
pub(super) fn indent_lines(text: &str, indent: usize, newline: &str, result: &mut String) {
    for (index, line) in text.split('\n').enumerate() {
        if index > 0 {
            result.push_str(newline);
            if !line.is_empty() {
                result.extend(std::iter::repeat_n(' ', indent));
            }
        }
        result.push_str(line);
    }
}

/// Returns a piece of the content of a block scalar. `starts_line` is whether it begins at the
/// start of a line, and `ends_line` whether it ends at the end of one.
pub(super) fn piece(
    text: &str,
    indent: usize,
    newline: &str,
    starts_line: bool,
    ends_line: bool,
) -> String {
    let mut result = String::with_capacity(text.len());
    let is_text = !text.is_empty() && !text.starts_with('\n');
    if starts_line && is_text {
        result.extend(std::iter::repeat_n(' ', indent));
    }
    indent_lines(text, indent, newline, &mut result);
    // The text after the piece continues on its last line, so this line needs its indentation.
    if !ends_line && (text.ends_with('\n') || text.is_empty() && starts_line) {
        result.extend(std::iter::repeat_n(' ', indent));
    }
    result
}

/// Encodes `text` as a literal scalar.
///
/// ```text
/// text      scalar with a step of 2
/// a⏎b⏎      |⏎  a⏎  b⏎
/// a⏎b       |-⏎  a⏎  b
/// a⏎⏎       |+⏎  a⏎⏎
///  a⏎       |2⏎   a⏎        the text begins with a space, so the indentation is given
/// ```
///
/// Returns `None` if a literal cannot express the text: it contains an unprintable character or a
/// carriage return, it has only line breaks, or the lines after it would become part of it.
///
/// The last line has its line break only if that belongs to the text.
pub(super) fn literal(text: &str, place: &ScalarPlace<'_>) -> Option<String> {
    let ScalarPlace {
        parent_indent,
        step,
        newline,
        rest,
        ..
    } = *place;
    let unprintable = |c: char| c != '\n' && c != '\t' && !crate::yaml::character::is_printable(c);
    let body = text.trim_end_matches('\n');
    let chomping = match text.len() - body.len() {
        0 => Chomping::Strip,
        1 => Chomping::Clip,
        _ => Chomping::Keep,
    };
    let first = text.split('\n').find(|line| !line.is_empty()).unwrap_or("");
    // Readers take the indentation from the first line with text. Spaces at the start of its text
    // would count as indentation, so an indicator is needed, which is a single digit.
    let needs_indicator = text.starts_with('\n') || first.starts_with([' ', '\t']);
    let step = if needs_indicator { step.min(9) } else { step };
    let indent = parent_indent + step;
    if text.contains(unprintable)
        || body.is_empty()
        || step == 0
        || !ends_before(rest, indent, chomping)
    {
        return None;
    }
    let mut result = String::from("|");
    if needs_indicator {
        result.push_str(&step.to_string());
    }
    result.push_str(match chomping {
        Chomping::Strip => "-",
        Chomping::Clip => "",
        Chomping::Keep => "+",
    });
    result.push_str(newline);
    if !text.starts_with('\n') {
        result.extend(std::iter::repeat_n(' ', indent));
    }
    indent_lines(text, indent, newline, &mut result);
    Some(result)
}

/// Returns whether a block scalar with its content at `indent` ends before the lines `rest`. Blank
/// lines could become part of it, and so could a comment that is indented as deep as its content.
fn ends_before(rest: &str, indent: usize, chomping: Chomping) -> bool {
    for line in rest.split_inclusive('\n') {
        let text = line.trim_start_matches(' ');
        let spaces = line.len() - text.len();
        if !text.trim_end().is_empty() {
            return spaces < indent;
        }
        let tabs = !text.trim_end_matches(['\r', '\n']).is_empty();
        if tabs || spaces > indent || chomping == Chomping::Keep {
            return false;
        }
    }
    true
}
