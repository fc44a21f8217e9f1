//! Folding: a string on one line is continued on the next one at the first space after column 80.
//!
//! ```text
//!   description: the quick brown fox jumps over the lazy dog and the quick brown fox
//!     jumps over the lazy dog again
//!                                                                                ^ column 80
//! ```
//!
//! A line break in a folded string is read as a space, so the space itself is left out. Only a
//! space without another space next to it can be replaced.

use crate::yaml::canonical::string::{Escapes, StringStyle};

/// The column after which lines are folded.
const WIDTH: usize = 80;

/// Adds a string in the given style, which is not literal, and continues its lines at `indent`. If
/// `indent` is `None`, the string is not folded.
pub(super) fn push_folded(
    text: &str,
    style: StringStyle,
    indent: Option<usize>,
    output: &mut String,
) {
    let quote = match style {
        StringStyle::SingleQuoted => "'",
        StringStyle::DoubleQuoted => "\"",
        StringStyle::Plain | StringStyle::Literal => "",
    };
    output.push_str(quote);
    if style == StringStyle::Plain && (indent.is_none() || stays_on_line(text, output)) {
        output.push_str(text);
    } else {
        push_characters(text, style, indent, output);
    }
    output.push_str(quote);
}

/// Returns whether the text ends before column 80, or cannot be folded.
///
/// Bytes are counted, which are at least as many as characters.
fn stays_on_line(text: &str, output: &str) -> bool {
    let Some(room) = WIDTH.checked_sub(text.len()) else {
        return !text.contains(' ');
    };
    // Most lines are short, so the search for the start of the line is short too.
    let before = &output.as_bytes()[output.len().saturating_sub(room)..];
    before.contains(&b'\n') || output.len() <= room || !text.contains(' ')
}

/// Adds the characters of a string without its quotes.
fn push_characters(text: &str, style: StringStyle, indent: Option<usize>, output: &mut String) {
    let escapes = Escapes::of(text);
    let last = text.len().saturating_sub(1);
    let mut column = column(output);
    let mut after_space = false;
    for (at, c) in text.char_indices() {
        if c != ' ' {
            let length = output.len();
            match (style, c) {
                (StringStyle::DoubleQuoted, c) => escapes.push(c, output),
                (StringStyle::SingleQuoted, '\'') => output.push_str("''"),
                _ => output.push(c),
            }
            column += characters(&output[length..]);
            after_space = false;
            continue;
        }
        let before_space = text.as_bytes().get(at + 1) == Some(&b' ');
        let is_inside = style == StringStyle::Plain || (at > 0 && at < last);
        // A space at the start or end of a quoted string stays. The first of several spaces is
        // replaced only in double quotes, where a backslash protects the others, which are then at
        // the start of the next line.
        let can_break = is_inside && (!before_space || style == StringStyle::DoubleQuoted);
        match indent {
            Some(indent) if column > WIDTH && !after_space && can_break => {
                output.push('\n');
                output.extend(std::iter::repeat_n(' ', indent));
                column = indent;
                if before_space {
                    output.push('\\');
                    column += 1;
                }
            }
            _ => {
                output.push(' ');
                column += 1;
            }
        }
        after_space = true;
    }
}

/// Returns the number of characters on the last line.
fn column(output: &str) -> usize {
    let start = output.rfind('\n').map_or(0, |end| end + 1);
    characters(&output[start..])
}

fn characters(text: &str) -> usize {
    if text.is_ascii() {
        text.len()
    } else {
        text.chars().count()
    }
}
