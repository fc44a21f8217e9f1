//! Literal (`|`) and folded (`>`) scalars. YAML 1.2.2, section 8.1.

use super::decode::Spelled;
use super::encode::Place;
use crate::source::Span;
use crate::yaml::block_scalar::{self, Chomping};
use crate::yaml::node::ScalarStyle;

/// Decodes a block scalar whose content lines are indented by `indent`. `base` is the offset of `raw`'s first byte.
pub(super) fn decode(raw: &str, style: ScalarStyle, base: usize, indent: usize) -> Spelled {
    let header = block_scalar::header(raw);
    let mut reader = Reader {
        spelled: Spelled::default(),
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

/// Collects lines into text.
struct Reader {
    spelled: Spelled,
    base: usize,
    folded: bool,
    /// The line breaks since the last line with text: the raw offset where each starts.
    breaks: Vec<Break>,
    /// Whether the last line with text is one that folds; `None` before the first.
    last: Option<LineKind>,
}

/// A line break and the raw offsets around it, up to the start of the text of the next line.
struct Break {
    start: usize,
    end: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum LineKind {
    /// Starts at the indentation: its line break folds into a space.
    Text,
    /// Starts with more white space: its line breaks stay.
    Indented,
}

impl Reader {
    fn line(&mut self, line: &str, at: usize, indent: usize) {
        let body = line.trim_end_matches('\n');
        let body = if line.ends_with('\n') {
            body.strip_suffix('\r').unwrap_or(body)
        } else {
            body
        };
        let spaces = (body.len() - body.trim_start_matches(' ').len()).min(indent);
        let text = &body[spaces..];
        let text_start = at + spaces;
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
            self.breaks.push(Break {
                start: at + body.len(),
                end: at + line.len(),
            });
        }
    }

    /// Writes the breaks before a line with text, folding them where the style says so.
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
            // The first break is what folding drops; it is spelled together with the second.
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

    fn finish(mut self, chomping: Chomping) -> Spelled {
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

/// The lines of `text` as the content of a block scalar, each but an empty one after `indent` spaces.
///
/// `text` may be a piece from the middle of a line to the middle of another: the first line is not indented.
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

/// A piece of the content of a block scalar: from the start of a line or the middle of one, to the end of one or the middle.
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
    // What follows on the last line stands at the indentation.
    if !ends_line && (text.ends_with('\n') || text.is_empty() && starts_line) {
        result.extend(std::iter::repeat_n(' ', indent));
    }
    result
}

/// Spells `text` as a literal scalar, or `None` where a literal cannot hold it: a character that YAML does not print, a
/// carriage return, nothing but line breaks, or what follows would become a part of it.
///
/// The last line has its line break only where that belongs to the text.
pub(super) fn literal(text: &str, place: &Place<'_>) -> Option<String> {
    let Place {
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
    let indent = parent_indent + step;
    if text.contains(unprintable)
        || body.is_empty()
        || !(1..=9).contains(&step)
        || !ends_before(rest, indent, chomping)
    {
        return None;
    }
    let mut result = String::from("|");
    let first = text.split('\n').find(|line| !line.is_empty()).unwrap_or("");
    if text.starts_with('\n') || first.starts_with([' ', '\t']) {
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

/// Whether a block scalar with its content at `indent` ends before the lines `rest`: blank lines can be a part of it,
/// and so can a comment that stands as deep as its content.
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
