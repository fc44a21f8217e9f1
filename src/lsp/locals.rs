//! The names that are local to a part of the code, and the values that they refer to.
//!
//! ```text
//! #@ def container(name):            name
//! #@ app = data.values.app           app: the data value `app`
//! #@ for port in data.values.ports:  port: an item of the data value `ports`
//! - name: #@ port.|
//! ```
//!
//! Code that is being typed does not parse, so it is read line by line. A name is known from the
//! line after the one that defines it to the `end` of the block around it.

use super::code::{CodeReader, begins_statement, lines};
use crate::dialect::{assigned_names, function_shape, name_chains};
use crate::source::Span;

/// A local name.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct LocalName<'t> {
    pub(super) name: String,
    pub(super) value: LocalValue<'t>,
    /// The offset at which its line begins. The names in its value are looked up from there.
    pub(super) line: usize,
}

/// The value that a local name refers to, if the text around it shows this.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum LocalValue<'t> {
    /// The value of a chain of names: `data.values.app`.
    Chain(Vec<&'t str>),
    /// An item of the value of a chain of names.
    ItemOf(Vec<&'t str>),
    Unknown,
}

/// Returns the names that code at an offset can use, the innermost last.
pub(super) fn locals_at<'t>(
    reader: &CodeReader,
    text: &'t str,
    offset: usize,
) -> Vec<LocalName<'t>> {
    let mut found = Vec::new();
    // The number of names that were known before each open block.
    let mut blocks = Vec::new();
    for line in lines(text).take_while(|line| line.end() < offset) {
        let Some(program) = statement(reader, text, line) else {
            continue;
        };
        if first_word(program) == "end" {
            if let Some(before) = blocks.pop() {
                found.truncate(before);
            }
            continue;
        }
        if opens_block(program) {
            blocks.push(found.len());
        }
        add_names(&mut found, program, line.start());
    }
    found
}

/// Returns the statement in a line of code; `None` for the value of a key.
fn statement<'t>(reader: &CodeReader, text: &'t str, line: Span) -> Option<&'t str> {
    let code = reader.in_line(text, line)?;
    if !begins_statement(text, Span::at(code.start())) {
        return None;
    }
    let mut content = text.get(code.range())?.trim();
    for opening in ["(@", "#@"] {
        content = content.strip_prefix(opening).unwrap_or(content);
    }
    content = content.strip_suffix("@)").unwrap_or(content);
    // `(@-` and `-@)` remove the space around them.
    Some(content.trim_matches('-').trim())
}

fn first_word(program: &str) -> &str {
    let is_end = |letter: char| !letter.is_ascii_alphabetic();
    &program[..program.find(is_end).unwrap_or(program.len())]
}

/// Returns whether a statement begins a block that ends with `end`. The block of `for/end` is the
/// node below.
fn opens_block(program: &str) -> bool {
    let word = first_word(program);
    let has_block = matches!(word, "def" | "if" | "for") && program.ends_with(':');
    has_block && !program[word.len()..].trim_start().starts_with('/')
}

fn add_names<'t>(found: &mut Vec<LocalName<'t>>, program: &'t str, line: usize) {
    let mut add = |name: String, value| found.push(LocalName { name, value, line });
    let word = first_word(program);
    if word == "def" {
        let shape = function_shape(program).unwrap_or_default();
        for parameter in shape.positional.into_iter().chain(shape.named) {
            add(parameter.name, LocalValue::Unknown);
        }
        return;
    }
    let assigned = assigned_names(program);
    let is_one = assigned.len() == 1;
    for assigned in assigned {
        let value = program.get(assigned.value.range()).unwrap_or_default();
        let value = match whole_chain(value) {
            Some(chain) if assigned.is_value => LocalValue::Chain(chain),
            Some(chain) if word == "for" && is_one => LocalValue::ItemOf(chain),
            _ => LocalValue::Unknown,
        };
        add(assigned.name, value);
    }
}

/// Returns the names of an expression that consists only of a chain of names.
fn whole_chain(expression: &str) -> Option<Vec<&str>> {
    let chain = name_chains(expression)
        .pop()
        .filter(|chain| chain.is_whole)?;
    let names = chain.names.iter();
    Some(names.map(|name| &expression[name.span.range()]).collect())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn at(path: &str, text: &str) -> Vec<String> {
        let reader = CodeReader::new(Path::new(path), text);
        let found = locals_at(&reader, text, text.len());
        let shown = found.into_iter().map(|local| match local.value {
            LocalValue::Chain(chain) => format!("{}={}", local.name, chain.join(".")),
            LocalValue::ItemOf(chain) => format!("{}:{}", local.name, chain.join(".")),
            LocalValue::Unknown => local.name,
        });
        shown.collect()
    }

    #[test]
    fn finds_names_in_the_blocks_around_a_place() {
        let table: [(&str, &str, &[&str]); 8] = [
            ("a.yml", "#@ def f(a, b=1, *, c):\nx: #@ ", &["a", "b", "c"]),
            ("a.yml", "#@ def f(a):\nx: 1\n#@ end\nx: #@ ", &[]),
            (
                "a.yml",
                "#@ x = data.values.a\n#@ for p in x.b[\"c\"]:\n- #@ ",
                &["x=data.values.a", "p:x.b.c"],
            ),
            ("a.yml", "#@ for k, v in d.items():\n- #@ ", &["k", "v"]),
            ("a.yml", "#@ for/end p in d:\n- #@ ", &["p:d"]),
            ("a.yml", "a: #@ b == 1\n#! c = 1\nd: #@ ", &[]),
            (
                "a.star",
                "def f(a):\n  if a:\n    b = a\n  end\n  c = 1 + a\n  ",
                &["a", "c"],
            ),
            ("a.txt", "(@ for p in d: -@)\n(@= ", &["p:d"]),
        ];
        for (path, text, expected) in table {
            assert_eq!(at(path, text), expected, "{text}");
        }
    }
}
