//! Translates syntax errors of YAML to libyaml's messages.
//!
//! `yaml.decode` fails in ytt with a message of libyaml, which templates can read through
//! `assert.try_to`. The parser here words most mistakes differently, and finds some of them
//! earlier. Its message is therefore translated to libyaml's message for the same mistake, with the
//! line that libyaml names.
//!
//! libyaml counts lines from 0. Its scanner adds one before it reports a mistake, but its parser
//! does not. A line from the parser is therefore one too small, as it is in ytt:
//!
//! ```text
//! a: b: c          scanner, at the second `:`    yaml: line 1: mapping values are not allowed …
//! a: [x] y         parser, at the `y`            yaml: line 0: did not find expected key
//! ```

use crate::source::{Diagnostic, Source};

/// The line in libyaml's report of a mistake.
#[derive(Clone, Copy)]
enum ReportedLine {
    /// The line of the mistake.
    Own,
    /// The line above, because the parser finds the mistake.
    Above,
    /// The line below, because the mistake is found after the line has ended.
    Below,
    /// The next line that begins with a tab.
    Tab,
    /// The last line.
    Last,
    /// The number of lines, because the parser finds the mistake at the end, which starts another
    /// line.
    End,
    /// No line.
    None,
}

use ReportedLine::{Above, Below, End, Last, Own, Tab};

const CONTENT: &str = "did not find expected node content";
const KEY: &str = "did not find expected key";
const NO_TOKEN: &str = "found character that cannot start any token";
const OPEN_END: &str = "found unexpected end of stream";

/// The mistakes that can be translated without the text: a part of our parser's message, libyaml's
/// message, and the line.
const MISTAKES: &[(&str, &str, ReportedLine)] = &[
    (
        "simple key expected ':'",
        "could not find expected ':'",
        Below,
    ),
    ("unclosed quote", OPEN_END, Last),
    (
        "invalid indentation in multiline quoted scalar",
        OPEN_END,
        Last,
    ),
    ("tabs disallowed", NO_TOKEN, Own),
    ("must be followed by a valid YAML whitespace", NO_TOKEN, Own),
    (
        "found a tab",
        "found a tab character that violates indentation",
        Tab,
    ),
    (
        "content cannot start with a tab",
        "found a tab character where an indentation space is expected",
        Tab,
    ),
    ("wrongly indented line in block scalar", KEY, Above),
    (
        // A flow mapping, a block sequence or a block mapping.
        "unexpected EOF while parsing",
        CONTENT,
        Above,
    ),
    ("is only valid inside a block", CONTENT, Above),
    (
        "the handle wasn't declared",
        "found undefined tag handle",
        Above,
    ),
    (
        "unsupported YAML major version",
        "found incompatible YAML document",
        Above,
    ),
    (
        "TAG directive must only be given",
        "found duplicate %TAG directive",
        Above,
    ),
    (
        "YAML directive must only be given",
        "found duplicate %YAML directive",
        Above,
    ),
    (
        "did not find expected hexadecimal number",
        // libyaml spells it this way.
        "did not find expected hexdecimal number",
        Own,
    ),
    (
        "low surrogate",
        "found invalid Unicode character escape code",
        Own,
    ),
];

/// Returns ytt's message for a text that the parser rejects.
pub(super) fn as_in_libyaml(source: &Source, error: &Diagnostic) -> String {
    let text = source.text();
    let at = error
        .labels
        .first()
        .map_or(text.len(), |label| label.location.span.start());
    let (message, line) = mistake(text, at, &error.message);
    let own = source.line(at);
    let line = match line {
        Own => Some(own),
        Above => Some(own.saturating_sub(1)),
        Below => Some(own + 1),
        Tab => Some(tab_line(source, at)),
        Last => Some(text.matches('\n').count() + 1),
        End => Some(text.lines().count()),
        ReportedLine::None => None,
    };
    // ytt puts a `---` before a text that has none. So only in a text with a marker can libyaml
    // find a mistake on the first line, and it never names that line.
    let is_first = own == 1 && has_marker(text);
    match line.filter(|line| *line > 1 || !is_first) {
        Some(line) => format!("yaml: line {line}: {message}"),
        None => format!("yaml: {message}"),
    }
}

/// Returns whether a text begins with a document marker.
fn has_marker(text: &str) -> bool {
    let rest = text.trim_start().strip_prefix("---");
    rest.is_some_and(|rest| rest.starts_with(char::is_whitespace))
}

/// Returns the first line after the line at `at` that begins with a tab; the line at `at` if there
/// is none.
fn tab_line(source: &Source, at: usize) -> usize {
    let rest = source.text().get(at..).unwrap_or_default();
    let mut line = source.line(at);
    for next in rest.split('\n').skip(1) {
        line += 1;
        if next.trim_start_matches(' ').starts_with('\t') {
            return line;
        }
    }
    source.line(at)
}

/// Returns libyaml's message for a mistake of the parser at `at`, and the line that libyaml reports
/// with it.
///
/// First come the messages in [`MISTAKES`], then the ones that contain a name of the text, and last
/// the ones that depend on the brackets or the line before the mistake.
fn mistake(text: &str, at: usize, message: &str) -> (String, ReportedLine) {
    let known = MISTAKES.iter().find(|(own, _, _)| message.contains(own));
    if let Some((_, said, line)) = known {
        return ((*said).to_owned(), *line);
    }
    if message.contains("found unknown anchor") {
        let name = text.get(at..).unwrap_or_default().trim_start_matches('*');
        let end = name.find(|next: char| !next.is_alphanumeric() && next != '_' && next != '-');
        let name = name.get(..end.unwrap_or(name.len())).unwrap_or_default();
        return (
            format!("unknown anchor '{name}' referenced"),
            ReportedLine::None,
        );
    }
    if let Some(name) = message.strip_suffix("` contains itself") {
        let name = name.rsplit('`').next().unwrap_or_default();
        return (
            format!("anchor '{name}' value contains itself"),
            ReportedLine::None,
        );
    }
    if message.contains("unexpected character: `\\u{") {
        return (
            "control characters are not allowed".to_owned(),
            ReportedLine::None,
        );
    }
    let (said, line) = match message {
        _ if message.contains("unexpected character") => (NO_TOKEN, Own),
        _ if message.contains("unclosed bracket '['") => (unclosed(text, ']'), End),
        _ if message.contains("unclosed bracket '{'") => (unclosed(text, '}'), End),
        _ if message.contains("mismatched bracket '['") => (mismatched(text, at, ']'), Above),
        _ if message.contains("mismatched bracket '{'") => (mismatched(text, at, '}'), Above),
        _ if message.contains("illegal placement") => {
            let closing = open_bracket(before(text, at)).unwrap_or(']');
            (unclosed(before(text, at), closing), Above)
        }
        _ if message.contains("misplaced bracket") => (misplaced(before(text, at)), Above),
        _ if message.contains("invalid trailing content") => trailing(before(text, at)),
        _ if message.contains("<document start>") && text.starts_with('%') => {
            ("found unknown directive name", Own)
        }
        _ if message.contains("did not find expected ',' or") => (
            separator(open_bracket(before(text, at)).unwrap_or('}')),
            Above,
        ),
        // The remaining messages are libyaml's own, after a description of the context.
        _ => return own_words(message),
    };
    (said.to_owned(), line)
}

/// Returns the message of a mistake that is already in libyaml's words.
fn own_words(message: &str) -> (String, ReportedLine) {
    let said = message.strip_prefix("not valid YAML: ").unwrap_or(message);
    let said = match said.strip_prefix("while ") {
        Some(context) => context.split_once(", ").map_or(said, |(_, reason)| reason),
        None => said,
    };
    // The parser expects a key, an indicator or the start of a document. All other messages come
    // from the scanner.
    let is_of_parser = [
        KEY,
        "did not find expected '-' indicator",
        "<document start>",
    ]
    .iter()
    .any(|own| said.contains(own));
    (said.to_owned(), if is_of_parser { Above } else { Own })
}

fn before(text: &str, at: usize) -> &str {
    text.get(..at).unwrap_or(text)
}

fn separator(closing: char) -> &'static str {
    match closing {
        ']' => "did not find expected ',' or ']'",
        _ => "did not find expected ',' or '}'",
    }
}

/// Returns the message for a collection that ends after `text` and should end with `closing`:
/// either a value or a separator is missing.
fn unclosed(text: &str, closing: char) -> &'static str {
    match text.trim_end().chars().next_back() {
        Some('[' | '{' | ',' | ':') => CONTENT,
        _ => separator(closing),
    }
}

/// Returns the message for the collection that begins at `at`, should end with `closing`, and ends
/// with the other bracket.
fn mismatched(text: &str, at: usize, closing: char) -> &'static str {
    let other = if closing == ']' { '}' } else { ']' };
    let rest = text.get(at..).unwrap_or_default();
    unclosed(rest.split(other).next().unwrap_or_default(), closing)
}

/// Returns the bracket that ends the innermost open collection at the end of `text`. Brackets in
/// quotes and comments count too, because they are rare in a text with a mistake.
fn open_bracket(text: &str) -> Option<char> {
    let mut open = Vec::new();
    for character in text.chars() {
        match character {
            '[' => open.push(']'),
            '{' => open.push('}'),
            ']' | '}' if open.last() == Some(&character) => {
                open.pop();
            }
            _ => {}
        }
    }
    open.pop()
}

/// Returns the message for a closing bracket without an opening one.
fn misplaced(before: &str) -> &'static str {
    let before = before.trim_end();
    match before.chars().next_back() {
        None | Some(':' | '-' | '?' | ',') => CONTENT,
        _ if before.starts_with(['[', '{']) => "did not find expected <document start>",
        _ => KEY,
    }
}

/// Returns the message and the line for text after a quoted scalar.
fn trailing(before: &str) -> (&'static str, ReportedLine) {
    let before = before.trim_end();
    let quote = before.chars().next_back().unwrap_or('"');
    let content = before.strip_suffix(quote).unwrap_or(before);
    let line = content
        .rfind(quote)
        .and_then(|opening| content.get(..opening));
    let line = line.unwrap_or_default().rsplit('\n').next();
    let indicators = line.unwrap_or_default().trim();
    match indicators {
        // The quoted scalar would be a key.
        "" => ("could not find expected ':'", Below),
        _ if indicators.chars().all(|next| matches!(next, '-' | ' ')) => {
            ("did not find expected '-' indicator", Above)
        }
        _ => (KEY, Above),
    }
}
