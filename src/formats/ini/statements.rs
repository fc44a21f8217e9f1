//! Divides an INI text into statements: headers, and keys with their values. A value may continue
//! on indented lines.

use crate::formats::key_values::KeyValueLine;
use crate::formats::lines::BYTE_ORDER_MARK;
use crate::source::Span;

pub(super) const BLANKS: [char; 2] = [' ', '\t'];

/// A header or a key with its value.
pub(super) enum Statement {
    Header { span: Span, name: Span },
    Line(KeyValueLine),
}

/// The reason why a text is not INI.
pub(super) struct Fault {
    pub(super) span: Span,
    pub(super) message: &'static str,
    pub(super) help: &'static str,
}

/// Returns the line of a text that consists of one key and its value.
pub(super) fn only_line(text: &str) -> Option<KeyValueLine> {
    match statements(text).ok()?.as_slice() {
        [Statement::Line(line)] => Some(*line),
        _ => None,
    }
}

/// A key that may be continued by lines with deeper indentation.
struct OpenKey {
    indentation: usize,
    has_separator: bool,
}

/// Finds the headers and the keys of a text.
pub(super) fn statements(text: &str) -> std::result::Result<Vec<Statement>, Fault> {
    let mut statements = Vec::new();
    let mut open: Option<OpenKey> = None;
    let mut header_indentation = None;
    let mut at = match text.starts_with(BYTE_ORDER_MARK) {
        true => BYTE_ORDER_MARK.len_utf8(),
        false => 0,
    };
    for line in text[at..].split_inclusive('\n') {
        let line_start = at;
        at += line.len();
        let own = indentation(line);
        let content = without_break(&line[own..]).trim_end_matches(BLANKS);
        let span = Span::new(line_start + own, line_start + own + content.len());
        // As in Python, comments and blank lines do not end a value: an indented line below them
        // still continues it.
        if content.is_empty() || is_comment(content) {
            continue;
        }
        if let Some(key) = &open
            && own > key.indentation
        {
            continue_value(&mut statements, key, span)?;
            continue;
        }
        // The first header decides the indentation of all headers.
        //
        // Invariant: no line is indented less than the headers. Otherwise removing a section could
        // make the next header a continuation of the key above it.
        let is_header = content.starts_with('[');
        if is_header {
            header_indentation.get_or_insert(own);
        }
        let is_wrong =
            header_indentation.is_some_and(|headers| own < headers || (is_header && own > headers));
        if is_wrong {
            return Err(Fault {
                span,
                message: "expected sections with the same indentation, and keys indented at least as deep",
                help: "give all section headers the same indentation",
            });
        }
        if is_header {
            statements.push(header(content, span)?);
            open = None;
        } else {
            let line = key_value(content, span)?;
            open = Some(OpenKey {
                indentation: own,
                has_separator: line.value.start() > line.key.end(),
            });
            statements.push(Statement::Line(line));
        }
    }
    Ok(statements)
}

/// Adds the line at `span` to the value of the last key, `key`, which is indented less.
fn continue_value(
    statements: &mut [Statement],
    key: &OpenKey,
    span: Span,
) -> std::result::Result<(), Fault> {
    if !key.has_separator {
        return Err(Fault {
            span,
            message: "expected a value to continue, found a deeper line below a key without `=`",
            help: "write `=` after the key, or give both lines the same indentation",
        });
    }
    if let Some(Statement::Line(line)) = statements.last_mut() {
        line.value = Span::new(line.value.start(), span.end());
    }
    Ok(())
}

/// Parses `[name]`, which may be followed by a comment.
fn header(content: &str, span: Span) -> std::result::Result<Statement, Fault> {
    let Some(close) = content.find(']') else {
        return Err(Fault {
            span,
            message: "expected `]` at the end of a section header",
            help: "write the section as `[name]`",
        });
    };
    let rest = content[close + 1..].trim_start_matches(BLANKS);
    if !rest.is_empty() && !is_comment(rest) {
        return Err(Fault {
            span,
            message: "expected the end of the line after a section header",
            help: "write keys on separate lines; a name cannot contain `]`",
        });
    }
    let inside = &content[1..close];
    let name = inside.trim_matches(BLANKS);
    if name.is_empty() {
        return Err(Fault {
            span,
            message: "expected a name between the brackets of a section header",
            help: "write the section as `[name]`",
        });
    }
    let name_start = span.start() + 1 + indentation(inside);
    Ok(Statement::Header {
        span: Span::new(span.start(), span.start() + close + 1),
        name: Span::new(name_start, name_start + name.len()),
    })
}

/// Parses the first line of a key and its value.
fn key_value(content: &str, span: Span) -> std::result::Result<KeyValueLine, Fault> {
    let start = span.start();
    // A byte order mark would be invisible in a key, and skipped once its line is the first.
    if content.starts_with(BYTE_ORDER_MARK) {
        return Err(Fault {
            span,
            message: "expected a key, found a byte order mark",
            help: "remove it: only the first line of a text can begin with one",
        });
    }
    let Some(at) = content.find(['=', ':']) else {
        // A key alone. Its value is empty and begins at the end of the key, which is how edits
        // recognize it.
        return Ok(KeyValueLine {
            start,
            key: span,
            value: Span::at(span.end()),
        });
    };
    let key = content[..at].trim_end_matches(BLANKS);
    if key.is_empty() {
        return Err(Fault {
            span,
            message: "expected a key before `=` or `:`",
            help: "write `key = value`, or indent the line deeper than the key whose value it continues",
        });
    }
    let value = at + 1 + indentation(&content[at + 1..]);
    Ok(KeyValueLine {
        start,
        key: Span::new(start, start + key.len()),
        value: Span::new(start + value, span.end()),
    })
}

/// Returns whether a line is a comment. The line is given without the blanks before it.
pub(super) fn is_comment(line: &str) -> bool {
    line.starts_with([';', '#'])
}

/// Returns the number of blanks at the start of a line.
pub(super) fn indentation(line: &str) -> usize {
    line.len() - line.trim_start_matches(BLANKS).len()
}

/// Returns a line without its line break.
pub(super) fn without_break(line: &str) -> &str {
    let line = line.strip_suffix('\n').unwrap_or(line);
    line.strip_suffix('\r').unwrap_or(line)
}
