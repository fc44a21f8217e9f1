//! The data values that the variables of an expression were made from.
//!
//! An expression is recorded while it runs. A variable was computed before, so its line is looked
//! up in the text of the template:
//!
//! ```text
//! #@ db = data.values.db          db is `db`
//! #@ for host in db.hosts:        host is from `db.hosts`
//! - #@ host                       reads nothing itself, and has a value of `db.hosts`
//! ```
//!
//! This reads names and not scopes. A name that is assigned several times has the values of all
//! assignments. What functions of other files read is recorded only while an expression calls them.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::edit::PathStep;
use crate::source::Source;

/// How often the variables of an assignment are looked up in turn.
const MOST_NAMES: usize = 64;

/// Returns the data values in an expression and in the assignments of its variables, in order.
pub(super) fn data_values_in(source: &Arc<Source>, code: &str) -> Vec<Vec<PathStep>> {
    let mut search = VariableSearch {
        lines: code_lines(source),
        seen: BTreeSet::new(),
        found: Vec::new(),
    };
    for chain in chains(code) {
        search.follow(&chain.names);
    }
    search.found
}

struct VariableSearch<'t> {
    lines: Vec<&'t str>,
    seen: BTreeSet<String>,
    found: Vec<Vec<PathStep>>,
}

impl VariableSearch<'_> {
    /// Adds the data value that a chain of names is, or those of its first name.
    fn follow(&mut self, names: &[String]) {
        if let Some(path) = data_value(names) {
            if !path.is_empty() && !self.found.contains(&path) {
                self.found.push(path);
            }
            return;
        }
        let Some((first, rest)) = names.split_first() else {
            return;
        };
        // With what follows the name: `db.host` and `db.port` are two values of one variable.
        if self.seen.len() >= MOST_NAMES || !self.seen.insert(names.join(".")) {
            return;
        }
        for expression in assignments(&self.lines, first) {
            let chains = chains(&expression.code);
            let is_whole = matches!(chains.as_slice(), [only] if only.is_whole);
            for chain in chains {
                let mut names = chain.names;
                // `v = data.values.db` makes `v.port` the value `db.port`.
                if is_whole && !expression.is_loop {
                    names.extend_from_slice(rest);
                }
                self.follow(&names);
            }
        }
    }
}

/// Names with dots between them: `data.values.db.port`.
struct Chain {
    names: Vec<String>,
    /// Whether it is all of its expression.
    is_whole: bool,
}

/// The right side of an assignment.
struct Assigned {
    code: String,
    /// Whether the name gets the items of the value, and not the value.
    is_loop: bool,
}

/// Returns the data value that names lead to: `data.values` and what follows.
fn data_value(names: &[String]) -> Option<Vec<PathStep>> {
    match names {
        [data, values, rest @ ..] if data == "data" && values == "values" => Some(
            rest.iter()
                .map(|name| PathStep::Key(name.as_str().into()))
                .collect(),
        ),
        _ => None,
    }
}

/// Returns the lines of code in a text: all of a Starlark file, and what follows `#@` in others.
fn code_lines(source: &Source) -> Vec<&str> {
    let is_starlark = source.name().ends_with(".star");
    let mut lines = Vec::new();
    for line in source.text().lines() {
        let line = line.trim_start();
        match line.strip_prefix("#@") {
            Some(code) => lines.push(code.trim_start()),
            None if is_starlark => lines.push(line),
            None => {}
        }
    }
    lines
}

/// Returns what a name is assigned in lines of code.
fn assignments(lines: &[&str], name: &str) -> Vec<Assigned> {
    let mut found = Vec::new();
    for line in lines {
        if let Some((targets, expression)) = loop_parts(line) {
            if targets.split(',').any(|target| target.trim() == name) {
                found.push(Assigned {
                    code: expression.to_owned(),
                    is_loop: true,
                });
            }
        } else if let Some(rest) = line.strip_prefix(name) {
            let rest = rest.trim_start();
            if let Some(code) = rest.strip_prefix('=').filter(|code| !code.starts_with('=')) {
                found.push(Assigned {
                    code: code.trim().to_owned(),
                    is_loop: false,
                });
            }
        }
    }
    found
}

/// Returns the names and the expression of `for a, b in expression:`.
fn loop_parts(line: &str) -> Option<(&str, &str)> {
    let rest = line
        .strip_prefix("for/end ")
        .or_else(|| line.strip_prefix("for "))?;
    let (targets, expression) = rest.split_once(" in ")?;
    Some((targets, expression.trim_end().trim_end_matches(':')))
}

/// Returns the chains of names in code, without the text of strings.
fn chains(code: &str) -> Vec<Chain> {
    let code = code.trim();
    let mut found = Vec::new();
    let mut names: Vec<String> = Vec::new();
    let mut word = String::new();
    let mut quote: Option<char> = None;
    let mut is_plain = true;
    let mut continues = false;
    for character in code.chars().chain([' ']) {
        if let Some(open) = quote {
            if character == open {
                quote = None;
            }
            continue;
        }
        let is_word = character.is_alphanumeric() || character == '_';
        if is_word {
            word.push(character);
            continue;
        }
        if !word.is_empty() {
            if !continues {
                found.extend(finished(&mut names));
            }
            names.push(std::mem::take(&mut word));
        }
        continues = character == '.';
        if matches!(character, '"' | '\'') {
            quote = Some(character);
        }
        is_plain &= continues || character == ' ';
    }
    found.extend(finished(&mut names));
    let count = found.len();
    for chain in &mut found {
        chain.is_whole = is_plain && count == 1;
    }
    found
}

fn finished(names: &mut Vec<String>) -> Option<Chain> {
    let names = std::mem::take(names);
    let first = names.first()?;
    let is_name = first.starts_with(|c: char| c.is_alphabetic() || c == '_');
    is_name.then_some(Chain {
        names,
        is_whole: false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str, code: &str) -> Vec<String> {
        let source = Source::new("a.yml", text).unwrap();
        let paths = data_values_in(&source, code);
        let texts = paths.iter().map(|path| {
            let keys: Vec<&str> = path
                .iter()
                .map(|step| match step {
                    PathStep::Key(key) => &**key,
                    PathStep::Index(_) => "?",
                })
                .collect();
            keys.join(".")
        });
        texts.collect()
    }

    #[test]
    fn follows_variables_to_data_values() {
        let text = "\
#@ name = data.values.name
#@ db = data.values.db
#@ url = 'http://data.values.no/' + db.host + str(db.port)
#@ for host in db.hosts:
#@ x = y
#@ y = x
";
        let table: [(&str, &[&str]); 8] = [
            ("name", &["name"]),
            ("db.port", &["db.port"]),
            ("url", &["db.host", "db.port"]),
            ("host", &["db.hosts"]),
            ("host.name", &["db.hosts"]),
            ("x", &[]),
            ("data.values.a.b", &["a.b"]),
            ("name + db.user", &["name", "db.user"]),
        ];
        for (code, expected) in table {
            assert_eq!(found(text, code), expected, "{code}");
        }
    }
}
