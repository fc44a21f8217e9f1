//! Reads code as text: the name at a position, the loads of a file, and its definitions.
//!
//! Completion is needed while a line is being typed, when neither the YAML nor the program parses.
//! So the code is read line by line, and the YAML around it is used only if it parses:
//!
//! ```text
//! replicas: #@ data.values.app.repl
//!           ^^ code begins     ^^^^ word
//!              ^^^^^^^^^^^^^^^ path
//! ```

use std::collections::BTreeSet;
use std::path::Path;

use super::code_places::code_comments;
use crate::dialect::name_chains;
use crate::source::Span;

/// The element at a position in code.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Cursor<'t> {
    /// The name of an annotation: `#@overlay/ma|tch`.
    Annotation { name: Span },
    /// A name in an expression. It may have others before it, and it may be in the arguments of an
    /// annotation.
    Name {
        /// The name of that annotation.
        annotation: Option<Span>,
        /// The names before the word: `data` and `values` in `data.values.app`.
        path: Vec<&'t str>,
        /// The word as a whole.
        word: Span,
    },
    /// The text in brackets after a name: `data.values["ap|p"]`.
    Subscript { path: Vec<&'t str>, word: Span },
    /// The first text of a `load`: `load("@ytt:|")`.
    LoadPath { path: Span },
    /// Another text of a `load`: `load("helpers.star", "|")`.
    LoadSymbol { path: &'t str, word: Span },
}

/// A `load` of a file.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Load<'t> {
    /// `helpers.star`, `@ytt:overlay`.
    pub(super) path: &'t str,
    /// The names in this file, each with the name in the other one.
    pub(super) symbols: Vec<(&'t str, &'t str)>,
}

/// Returns whether a whole file is code.
pub(super) fn is_starlark(path: &Path) -> bool {
    path.extension()
        .is_some_and(|extension| extension == "star")
}

/// Finds the parts of the lines of a file that are code.
///
/// If the text is YAML, it is read as a tree, so that text that only looks like a comment is left
/// out:
///
/// ```yaml
/// script: |
///   echo #@ data.values.port         text of a scalar
/// ```
///
/// A text that is being typed is not YAML, and is read line by line.
#[derive(Debug)]
pub(super) struct CodeReader {
    is_starlark: bool,
    /// The offsets of the comments with code; `None` if the text is not YAML.
    comments: Option<BTreeSet<usize>>,
}

impl CodeReader {
    pub(super) fn new(path: &Path, text: &str) -> CodeReader {
        let is_starlark = is_starlark(path);
        let comments = match is_starlark {
            true => None,
            false => code_comments(path, text),
        };
        CodeReader {
            is_starlark,
            comments: comments.map(|spans| spans.iter().map(|span| span.start()).collect()),
        }
    }

    /// Returns the code in a line: a comment that begins with `#@`, or the line of a program.
    pub(super) fn in_line(&self, text: &str, line: Span) -> Option<Span> {
        if self.is_starlark {
            return Some(line);
        }
        let comment = match &self.comments {
            Some(comments) => comments.range(line.start()..line.end()).next().copied(),
            None => comment_in_line(text, line),
        };
        // `(@ … @)` in a text template or a templated string.
        let inserted = || Some(line.start() + text.get(line.range())?.find("(@")?);
        let start = comment.or_else(inserted)?;
        Some(Span::new(start, line.end()))
    }
}

/// Returns where the comment with code begins in a line of a text that is not YAML.
fn comment_in_line(text: &str, line: Span) -> Option<usize> {
    let content = text.get(line.range())?;
    let mut quote = None;
    let mut before = None;
    for (offset, character) in content.char_indices() {
        match (quote, character) {
            (None, '#')
                if before.is_none_or(|before: char| before.is_whitespace())
                    && content[offset..].starts_with("#@") =>
            {
                return Some(line.start() + offset);
            }
            // A quote begins a scalar only where a value may begin. Elsewhere it is an ordinary
            // character: `it's`.
            (None, '"' | '\'') if before.is_none_or(|before| " \t[{,:-".contains(before)) => {
                quote = Some(character);
            }
            (Some(open), _) if open == character => quote = None,
            _ => {}
        }
        before = Some(character);
    }
    None
}

/// Returns the element at `offset`; `None` outside of code.
pub(super) fn cursor_at<'t>(
    reader: &CodeReader,
    text: &'t str,
    offset: usize,
) -> Option<Cursor<'t>> {
    let code = code_around(reader, text, offset)?;
    let content = text.get(code.range())?;
    let annotation = annotation_name(content)
        .map(|(start, end)| Span::new(code.start() + start, code.start() + end));
    if let Some(name) = annotation
        && (name.start()..=name.end()).contains(&offset)
    {
        return Some(Cursor::Annotation { name });
    }
    if let Some(string) = string_around(text, code, offset) {
        return load_text(text, code, string).or_else(|| subscript(text, code, string));
    }
    let word = word_around(text, code, offset);
    Some(Cursor::Name {
        annotation,
        path: path_before(text, code, word.start()),
        word,
    })
}

/// Returns the code around a position, including its `#@` or `(@`.
///
/// ```text
/// port (@= data.values.port @) and (@= x @)
///        ^^^^^^^^^^^^^^^^^^^ code for positions in it
/// ```
fn code_around(reader: &CodeReader, text: &str, offset: usize) -> Option<Span> {
    let mut code = reader.in_line(text, line_around(text, offset))?;
    let content = text.get(code.range())?;
    if content.starts_with("(@") {
        let before = text.get(code.start()..offset)?;
        let open = before.rfind("(@")?;
        if before[open..].contains("@)") {
            return None;
        }
        let rest = text.get(offset..code.end())?;
        let length = rest.find("@)").unwrap_or(rest.len());
        code = Span::new(code.start() + open, offset + length);
    }
    let begins = code.start() + marker_of(text, code).len();
    (offset >= begins).then_some(code)
}

/// Returns the marker of code in a text; an empty text for a program.
fn marker_of(text: &str, code: Span) -> &'static str {
    let content = text.get(code.range()).unwrap_or_default();
    let mut markers = ["#@", "(@"].into_iter();
    let found = markers.find(|marker| content.starts_with(marker));
    found.unwrap_or_default()
}

/// Returns whether a statement can begin at a word: the word is the first one in a line of code,
/// and is not the value of a key.
pub(super) fn begins_statement(text: &str, word: Span) -> bool {
    let line = line_around(text, word.start());
    let before = text.get(line.start()..word.start()).unwrap_or_default();
    let before = before.trim();
    matches!(before, "" | "#@" | "(@" | "(@-")
}

/// Returns the loads of a file.
pub(super) fn loads<'t>(reader: &CodeReader, text: &'t str) -> Vec<Load<'t>> {
    let mut loads = Vec::new();
    for line in lines(text) {
        let Some(code) = reader.in_line(text, line) else {
            continue;
        };
        let content = text.get(code.range()).unwrap_or_default();
        let Some((_, arguments)) = content.split_once("load(") else {
            continue;
        };
        // load("helpers.star", "image", tag="version")
        let mut texts = arguments.split(['"', '\'']);
        let mut before = texts.next();
        let Some(module) = texts.next() else { continue };
        let mut symbols = Vec::new();
        while before.is_some() {
            before = texts.next();
            let Some(symbol) = texts.next() else { break };
            let alias = before
                .and_then(|between| between.trim_end().strip_suffix('='))
                .map(|between| between.trim_start_matches([',', ' ']).trim_end());
            symbols.push((alias.unwrap_or(symbol), symbol));
        }
        loads.push(Load {
            path: module,
            symbols,
        });
    }
    loads
}

/// Returns the places at which a file defines names: functions, and variables of the file.
pub(super) fn definitions<'t>(reader: &CodeReader, text: &'t str) -> Vec<(&'t str, Span)> {
    let mut found = Vec::new();
    for line in lines(text) {
        let Some(code) = reader.in_line(text, line) else {
            continue;
        };
        let content = text.get(code.range()).unwrap_or_default();
        let program = content.strip_prefix("#@").unwrap_or(content);
        let start = code.end() - program.trim_start().len();
        let program = program.trim_start();
        let name = match program.strip_prefix("def ") {
            Some(rest) => rest.trim_start(),
            None => match program.split_once('=') {
                Some((name, value)) if !value.starts_with('=') => name,
                _ => continue,
            },
        };
        let length = name.bytes().take_while(|byte| is_word(*byte)).count();
        let is_definition = program.starts_with("def ") || name[length..].trim().is_empty();
        if length > 0 && is_definition {
            let start = start + (name.as_ptr() as usize - program.as_ptr() as usize);
            found.push((&name[..length], Span::new(start, start + length)));
        }
    }
    found
}

/// Returns the spans of the lines of a text, without their breaks.
pub(super) fn lines(text: &str) -> impl Iterator<Item = Span> {
    let mut start = 0;
    text.split_inclusive('\n').map(move |line| {
        let span = Span::new(start, start + line.trim_end_matches(['\n', '\r']).len());
        start += line.len();
        span
    })
}

pub(super) fn line_around(text: &str, offset: usize) -> Span {
    let start = text[..offset].rfind('\n').map_or(0, |at| at + 1);
    let end = text[offset..]
        .find('\n')
        .map_or(text.len(), |at| offset + at);
    Span::new(start, end)
}

/// Returns the span of the name of an annotation in `#@name arguments`.
fn annotation_name(code: &str) -> Option<(usize, usize)> {
    let name = code.strip_prefix("#@")?;
    let length = name.find(char::is_whitespace).unwrap_or(name.len());
    // `#@ code` has no name, and `#@` alone may get one.
    (length > 0 || name.is_empty()).then_some((2, 2 + length))
}

/// Returns the content of the text literal around `offset`.
fn string_around(text: &str, code: Span, offset: usize) -> Option<Span> {
    let content = text.get(code.range())?;
    let mut open: Option<(char, usize)> = None;
    for (at, character) in content.char_indices() {
        let at = code.start() + at;
        match open {
            None if at >= offset => return None,
            None if matches!(character, '"' | '\'') => open = Some((character, at + 1)),
            Some((quote, start)) if quote == character => {
                if (start..=at).contains(&offset) {
                    return Some(Span::new(start, at));
                }
                open = None;
            }
            _ => {}
        }
    }
    // A literal that is being typed has no end yet.
    open.map(|(_, start)| Span::new(start, code.end()))
}

/// Returns the meaning of a text literal in a `load`; `None` anywhere else.
fn load_text(text: &str, code: Span, string: Span) -> Option<Cursor<'_>> {
    let before = text.get(code.start()..string.start())?;
    let arguments = before.rsplit_once("load(")?.1;
    let mut texts = arguments.split(['"', '\'']);
    texts.next();
    match texts.next() {
        Some(path) if texts.next().is_some() => Some(Cursor::LoadSymbol { path, word: string }),
        _ => Some(Cursor::LoadPath { path: string }),
    }
}

fn word_around(text: &str, code: Span, offset: usize) -> Span {
    let bytes = text.as_bytes();
    let mut start = offset;
    while start > code.start() && is_word(bytes[start - 1]) {
        start -= 1;
    }
    let mut end = offset;
    while end < code.end() && is_word(bytes[end]) {
        end += 1;
    }
    Span::new(start, end)
}

/// Returns a text in brackets, and the names before them; `None` if the text is something else.
fn subscript(text: &str, code: Span, string: Span) -> Option<Cursor<'_>> {
    let program = code.start() + marker_of(text, code).len();
    // The quote is one byte.
    let before = text.get(program..string.start() - 1)?;
    let path = chain_at_end(before.strip_suffix('[')?)?;
    Some(Cursor::Subscript { path, word: string })
}

/// Returns the names before a word, which are separated by dots. A part that is not a name is
/// empty: `f(x).y`.
fn path_before(text: &str, code: Span, word: usize) -> Vec<&str> {
    let program = code.start() + marker_of(text, code).len();
    let before = text.get(program..word).unwrap_or_default();
    match before.strip_suffix('.') {
        Some(before) => chain_at_end(before).unwrap_or_else(|| vec![""]),
        None => Vec::new(),
    }
}

/// Returns the names at the end of a program: `data`, `values` and `app` of `x +
/// data.values["app"]`.
fn chain_at_end(program: &str) -> Option<Vec<&str>> {
    let chain = name_chains(program).pop()?;
    let last = chain.names.last()?;
    let rest = program.get(last.span.end()..)?;
    let names = chain.names.iter();
    matches!(rest, "" | "\"]" | "']")
        .then(|| names.map(|name| &program[name.span.range()]).collect())
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the element at the `|` of a line.
    fn at(path: &str, marked: &str) -> Option<String> {
        let offset = marked.find('|').unwrap();
        let text = marked.replacen('|', "", 1);
        let cursor = cursor_at(&CodeReader::new(Path::new(path), &text), &text, offset)?;
        Some(match cursor {
            Cursor::Annotation { name } => format!("annotation {}", &text[name.range()]),
            Cursor::Name {
                annotation,
                path,
                word,
            } => format!(
                "name {:?} {} [{}]",
                annotation.map_or("-", |name| &text[name.range()]),
                path.join("."),
                &text[word.range()]
            ),
            Cursor::Subscript { path, word } => {
                format!("subscript {} [{}]", path.join("."), &text[word.range()])
            }
            Cursor::LoadPath { path } => format!("load {}", &text[path.range()]),
            Cursor::LoadSymbol { path, word } => {
                format!("symbol of {path} {}", &text[word.range()])
            }
        })
    }

    #[test]
    fn finds_what_is_at_a_place() {
        let cases = [
            ("a.yml", "a: 1 | # b", None),
            ("a.yml", "a: '#@ x|'", None),
            ("a.yml", "a: |\n  echo #@ x|", None),
            ("a.yml", "a: 'b\n  c #@ x|'", None),
            ("a.yml", "a: \"b\\\" #@ x|\"", None),
            // Not YAML yet: by the line alone.
            ("a.yml", "a: [\nb: #@ x|", Some("name \"-\"  [x]")),
            ("a.yml", "a: it's #@ x|", Some("name \"-\"  [x]")),
            ("a.yml", "#@|", Some("annotation ")),
            (
                "a.yml",
                "  #@overlay/ma|tch by=1",
                Some("annotation overlay/match"),
            ),
            (
                "a.yml",
                "#@overlay/match m|",
                Some("name \"overlay/match\"  [m]"),
            ),
            (
                "a.yml",
                "a: #@ data.values.app.na|me + 1",
                Some("name \"-\" data.values.app [name]"),
            ),
            (
                "a.yml",
                "a: #@ data.values.|",
                Some("name \"-\" data.values []"),
            ),
            ("a.yml", "a: #@ f(x).|", Some("name \"-\"  []")),
            ("a.yml", "a: |#@ x", None),
            ("a.yml", "a: #|@ x", None),
            (
                "a.yml",
                "a: #@ data.values[\"a|p\"].b",
                Some("subscript data.values [ap]"),
            ),
            (
                "a.yml",
                "a: #@ 1 + data.values['app'][\"|",
                Some("subscript data.values.app []"),
            ),
            (
                "a.yml",
                "a: #@ data.values[\"app\"].na|",
                Some("name \"-\" data.values.app [na]"),
            ),
            ("a.yml", "#@ load(\"@ytt:|", Some("load @ytt:")),
            (
                "a.yml",
                "#@ load(\"a.star\", \"f|\")",
                Some("symbol of a.star f"),
            ),
            ("a.yml", "a: #@ g(\"f|\")", None),
            ("a.star", "x = data.va|", Some("name \"-\" data [va]")),
            (
                "a.txt",
                "port (@= data.values.p|ort @)",
                Some("name \"-\" data.values [port]"),
            ),
            ("a.txt", "port (@= x @) a|nd (@= y @)", None),
            ("a.txt", "(@= x @) (@= y.|z @)", Some("name \"-\" y [z]")),
        ];
        for (path, marked, expected) in cases {
            assert_eq!(at(path, marked).as_deref(), expected, "{marked}");
        }
    }

    #[test]
    fn finds_loads_and_definitions() {
        let text = "#@ load(\"@ytt:data\", \"data\")\n#@ load('h.star', 'f', g = \"h\")\n#@ def name(x):\n#@ x == 1\n#@ end\n#@ y = 2\n";
        let reader = CodeReader::new(Path::new("a.yml"), text);
        let expected = [
            Load {
                path: "@ytt:data",
                symbols: vec![("data", "data")],
            },
            Load {
                path: "h.star",
                symbols: vec![("f", "f"), ("g", "h")],
            },
        ];
        assert_eq!(loads(&reader, text), expected);
        let names: Vec<&str> = definitions(&reader, text)
            .into_iter()
            .inspect(|(name, span)| assert_eq!(&text[span.range()], *name))
            .map(|(name, _)| name)
            .collect();
        assert_eq!(names, ["name", "y"]);
    }
}
