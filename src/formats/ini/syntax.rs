//! Spells the keys and values of INI. `key_values` calls these functions for its edits.

use super::statements::{BLANKS, indentation, is_comment, only_line, without_break};
use crate::formats::key_values::{KeyValueSyntax, LineStyle, SpelledText};
use crate::source::{OffsetMap, Span};

/// The separator of key and value if there is no neighbour to copy.
pub(super) const SEPARATOR: &str = " = ";

/// The indentation of continuation lines relative to the key, if there is no neighbour to copy.
const CONTINUATION: &str = "    ";

pub(super) static SYNTAX: KeyValueSyntax = KeyValueSyntax {
    is_comment,
    decode,
    spell_key: |key, _| key.to_owned(),
    spell_value: |value, style| {
        let spelled = spell_value(value, style).unwrap_or_else(|| spell_lines(value, style));
        match is_tight(style) && !value.is_empty() {
            true => format!(" {spelled}"),
            false => spelled,
        }
    },
    spell_part: spell_lines,
    separator,
    is_open: |_| false,
    continues_by_indentation: true,
};

/// Returns whether the blank after a separator is missing only because the value is empty: `key =`
/// becomes `key = value`.
fn is_tight(style: &LineStyle<'_>) -> bool {
    style.neighbour.is_empty() && matches!(style.separator, " =" | " :" | ":")
}

/// Returns the separator of a new line, which resembles that of its neighbour. Several blanks are
/// read as one, because an alignment would be wrong for a key of another length.
fn separator(between: &str) -> &'static str {
    let Some(at) = between.find(['=', ':']) else {
        return SEPARATOR;
    };
    let is_colon = between[at..].starts_with(':');
    match (is_colon, at > 0, at + 1 < between.len()) {
        (false, true, true) => " = ",
        (false, true, false) => " =",
        (false, false, true) => "= ",
        (false, false, false) => "=",
        (true, true, true) => " : ",
        (true, true, false) => " :",
        (true, false, true) => ": ",
        (true, false, false) => ":",
    }
}

/// Returns the quote around a value if it begins and ends with the same quote and has no other
/// quote of that kind inside.
fn quote_of(raw: &str) -> Option<char> {
    let quote = raw.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let inside = raw[1..].strip_suffix(quote)?;
    (!inside.contains([quote, '\n'])).then_some(quote)
}

/// Returns the text of a spelled value: the text between its quotes, or its lines without their
/// common indentation.
///
/// ```text
/// hosts = one          "one\n  two\n\nthree"
///       two            <- deeper than the least indented continuation line by two
///     ; a comment      <- spells nothing
///                      <- an empty line
///     three
/// ```
pub(super) fn decode(raw: &str, base: usize) -> Option<SpelledText> {
    let mut spelled = SpelledText {
        text: String::with_capacity(raw.len()),
        map: OffsetMap::default(),
    };
    if quote_of(raw).is_some() {
        let inside = &raw[1..raw.len() - 1];
        push_verbatim(&mut spelled, inside, base + 1);
        spelled.map.shrink();
        return Some(spelled);
    }
    let common = common_indentation(raw);
    let mut at = 0;
    let mut line_end = 0;
    for (index, line) in raw.split_inclusive('\n').enumerate() {
        let start = at;
        at += line.len();
        if index > 0 && is_comment(line.trim_start_matches(BLANKS)) {
            continue;
        }
        let content = without_break(line);
        let skipped = if index == 0 {
            0
        } else {
            common.min(indentation(content))
        };
        if index > 0 {
            // The line break in the text is spelled by all bytes from the end of the last line to
            // here: trailing blanks, the break, comment lines and indentation.
            let inner = spelled.text.len();
            spelled.text.push('\n');
            let outer = Span::new(base + line_end, base + start + skipped);
            spelled.map.push_spelled(Span::new(inner, inner + 1), outer);
        }
        let content = content[skipped..].trim_end_matches(BLANKS);
        push_verbatim(&mut spelled, content, base + start + skipped);
        line_end = start + skipped + content.len();
    }
    spelled.map.shrink();
    Some(spelled)
}

fn push_verbatim(spelled: &mut SpelledText, text: &str, base: usize) {
    spelled
        .map
        .push_verbatim(spelled.text.len(), base, text.len());
    spelled.text.push_str(text);
}

/// Returns the smallest indentation of those continuation lines of a value that are neither blank
/// nor comments.
fn common_indentation(raw: &str) -> usize {
    let mut least: Option<usize> = None;
    for line in raw.split('\n').skip(1) {
        let content = line.trim_start_matches(BLANKS);
        if content.trim_end().is_empty() || is_comment(content) {
            continue;
        }
        let own = line.len() - content.len();
        least = Some(least.map_or(own, |least| least.min(own)));
    }
    least.unwrap_or(0)
}

/// Spells a value like that of its neighbour, or in another way that reads back as the same text.
/// `None` if there is no such spelling.
pub(super) fn spell_value(text: &str, style: &LineStyle<'_>) -> Option<String> {
    let own = quote_of(style.neighbour);
    // Use quotes only if the neighbour has them or the text needs them, because some programs do
    // not remove them.
    for quote in [own, None, Some('"'), Some('\'')] {
        let spelled = match quote {
            Some(quote) => format!("{quote}{text}{quote}"),
            None => spell_lines(text, style),
        };
        if reads_back(&spelled, text) {
            return Some(spelled);
        }
    }
    None
}

/// Spells a text without quotes. Each line break is followed by the indentation of continuation
/// lines.
fn spell_lines(text: &str, style: &LineStyle<'_>) -> String {
    if !text.contains('\n') {
        return text.to_owned();
    }
    let indentation = match style.neighbour.split_once('\n') {
        Some(_) => {
            let common = common_indentation(style.neighbour);
            let lines = style.neighbour.split('\n').skip(1);
            let deep = lines
                .filter(|line| indentation(line) >= common)
                .find(|line| !line.trim().is_empty());
            deep.map_or("", |line| &line[..common]).to_owned()
        }
        None => format!("{}{CONTINUATION}", style.lead),
    };
    let mut spelled = String::with_capacity(text.len());
    for (index, line) in text.split('\n').enumerate() {
        if index > 0 {
            spelled.push_str(style.newline);
            if !line.is_empty() {
                spelled.push_str(&indentation);
            }
        }
        spelled.push_str(line);
    }
    spelled
}

/// Returns whether `spelled`, on the line of a key, reads back as a value with this text.
fn reads_back(spelled: &str, text: &str) -> bool {
    if text.contains('\r') {
        return false;
    }
    let line = format!("k={spelled}");
    let Some(found) = only_line(&line) else {
        return false;
    };
    // An empty value has no bytes, so blanks at the end of the line are not part of it.
    let raw = line.get(found.value.range()).unwrap_or("");
    line[found.value.end()..].is_empty()
        && decode(raw, 0).is_some_and(|spelled| spelled.text == text)
}

/// Returns whether a value can be spelled.
pub(super) fn can_spell(text: &str) -> bool {
    spell_value(text, &LineStyle::plain(SEPARATOR)).is_some()
}

/// Returns whether a line with this key reads back with the same key.
pub(super) fn can_spell_key(key: &str) -> bool {
    // Use the second line: at the start of a text a byte order mark would be skipped.
    let line = format!("\n{key}=");
    let found = only_line(&line);
    !key.contains('\r') && found.is_some_and(|found| line.get(found.key.range()) == Some(key))
}
