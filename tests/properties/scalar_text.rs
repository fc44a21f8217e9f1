//! YAML scalars in every style that can represent them.

use crate::choices::Choices;

/// The position of a scalar.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    /// Whether the scalar has to be on one line, because it is a key or for another reason.
    pub(crate) one_line: bool,
    /// The minimum indentation of its continuation lines.
    pub(crate) indent: usize,
}

/// Writes a string in one of the styles other than block scalars.
pub(crate) fn inline(text: &str, place: Place, choices: &mut Choices) -> String {
    let wraps = !place.one_line && choices.once_in(3);
    let margin = format!("\n{}", " ".repeat(place.indent.max(1) + choices.pick(3)));
    match choices.pick(3) {
        0 if is_plain(text) => {
            if wraps {
                break_lines(text, &margin)
            } else {
                text.to_owned()
            }
        }
        1 if is_single_line(text) => {
            let text = text.replace('\'', "''");
            format!(
                "'{}'",
                if wraps {
                    break_lines(&text, &margin)
                } else {
                    text
                }
            )
        }
        1 if wraps && folds(text) => {
            format!(
                "'{}'",
                text.replace('\'', "''").replace(
                    '\n',
                    &format!("{}{margin}", choices.one_of(&["\n", "\n  "]))
                )
            )
        }
        _ => double_quoted(text, wraps.then_some(&*margin), choices),
    }
}

/// Breaks the line at the first space between two letters, and only there.
fn break_lines(text: &str, margin: &str) -> String {
    let bytes = text.as_bytes();
    let letter = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_alphabetic);
    match (1..bytes.len()).find(|&at| bytes[at] == b' ' && letter(at - 1) && letter(at + 1)) {
        Some(at) => format!("{}{margin}{}", &text[..at], &text[at + 1..]),
        None => text.to_owned(),
    }
}

/// Returns whether every reader reads the text as a plain string: it consists of letters, and
/// little else.
fn is_plain(text: &str) -> bool {
    let words = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"];
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && !text.ends_with(' ')
        && text
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || " ./-_'\"\\é".contains(c))
        && !words.contains(&text.to_ascii_lowercase().as_str())
}

fn is_single_line(text: &str) -> bool {
    text.chars().all(is_printable)
}

fn is_printable(c: char) -> bool {
    matches!(c, ' '..='~' | '\u{c0}'..='\u{ff}' | '\u{1f300}'..='\u{1f6ff}')
}

/// Returns whether each line break is single and between two visible characters.
fn folds(text: &str) -> bool {
    let chars: Vec<char> = text.chars().collect();
    let visible = |at: usize| chars.get(at).is_some_and(|c| !c.is_whitespace());
    chars.iter().enumerate().all(|(at, &c)| match c {
        '\n' => at > 0 && visible(at - 1) && visible(at + 1),
        c => is_printable(c),
    })
}

fn double_quoted(text: &str, margin: Option<&str>, choices: &mut Choices) -> String {
    let mut result = String::from("\"");
    let mut after_break = false;
    for c in text.chars() {
        let broken = margin.filter(|_| choices.once_in(8));
        if let Some(margin) = broken {
            result.push_str(&format!("\\{margin}"));
        }
        match c {
            ' ' | '\t' if after_break || broken.is_some() => {
                result.extend(['\\', if c == ' ' { ' ' } else { 't' }])
            }
            '"' | '\\' => result.extend(['\\', c]),
            '\n' => result.push_str("\\n"),
            '\t' => result.push_str("\\t"),
            '\r' => result.push_str("\\r"),
            c if !is_printable(c) || choices.once_in(30) => match u32::from(c) {
                code @ ..=0xff => result.push_str(&format!("\\x{code:02x}")),
                code @ ..=0xffff => result.push_str(&format!("\\u{code:04x}")),
                code => result.push_str(&format!("\\U{code:08x}")),
            },
            c => result.push(c),
        }
        after_break = broken.is_some();
    }
    result.push('"');
    result
}

/// Writes a literal or folded scalar: the header, a line break, and the lines, including the last
/// line break. `parent` is the indentation of the collection around it. The second value is whether
/// blank lines after it would belong to it.
pub(crate) fn block(
    text: &str,
    parent: Option<usize>,
    choices: &mut Choices,
) -> Option<(String, bool)> {
    let printable = text
        .chars()
        .all(|c| c == '\n' || c == '\t' || is_printable(c));
    let body = text.trim_end_matches('\n');
    if !printable || body.is_empty() {
        return None;
    }
    let least = parent.map_or(1, |parent| parent + 1);
    let indent = least + choices.one_of(&[1, 1, 0, 3]);
    let step = indent - parent.unwrap_or(0);
    let first = body.split('\n').find(|line| !line.is_empty())?;
    let needs_indicator = first.starts_with([' ', '\t']);
    let blank_lines = body
        .split('\n')
        .any(|line| line.trim_matches(' ').is_empty());
    if needs_indicator && step > 9 {
        return None;
    }
    let indicator = if needs_indicator || choices.once_in(5) {
        step.to_string()
    } else {
        String::new()
    };
    let (chomping, keeps) = match text.len() - body.len() {
        0 => ("-", false),
        1 if choices.once_in(5) => ("+", true),
        1 => ("", false),
        _ => ("+", true),
    };
    let folded = choices.once_in(3);
    let lines = if folded {
        fold(body, choices)
    } else {
        body.to_owned()
    };
    let style = if folded { '>' } else { '|' };
    let comment = choices.one_of(&["", "", "", " # | note", "  "]);
    let header = if choices.once_in(2) {
        format!("{indicator}{chomping}")
    } else {
        format!("{chomping}{indicator}")
    };
    let margin = " ".repeat(indent);
    let mut result = format!("{style}{header}{comment}\n");
    for line in lines.split('\n') {
        if !line.is_empty() {
            result.push_str(&margin);
        } else if blank_lines && choices.once_in(5) && !indicator.is_empty() {
            result.push_str(&margin[..indent / 2]);
        }
        result.push_str(line);
        result.push('\n');
    }
    result.push_str(&"\n".repeat((text.len() - body.len()).saturating_sub(1)));
    Some((result, keeps))
}

/// Returns the lines of a folded scalar whose value is `text`.
fn fold(text: &str, choices: &mut Choices) -> String {
    let lines: Vec<&str> = text.split('\n').collect();
    let folds = |line: &str| !line.is_empty() && !line.starts_with([' ', '\t']);
    let mut result = String::new();
    let mut last: Option<&str> = None;
    for (index, line) in lines.iter().enumerate() {
        if index > 0 {
            result.push('\n');
        }
        if line.is_empty() {
            continue;
        }
        if last.is_some_and(folds) && folds(line) {
            result.push('\n');
        }
        let broken = if folds(line) && choices.once_in(2) {
            break_lines(line, "\n")
        } else {
            (*line).to_owned()
        };
        result.push_str(&broken);
        last = Some(line);
    }
    result
}
