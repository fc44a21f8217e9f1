//! Finds the data values that the variables of an expression depend on.
//!
//! Reads of data values are recorded while an expression runs. A variable was computed before that,
//! so its assignment is looked up in the text of the template:
//!
//! ```text
//! #@ db = data.values.db          db is `db`
//! #@ for host in db.hosts:        host is from `db.hosts`
//! - #@ host                       reads nothing itself, but its value is from `db.hosts`
//! ```
//!
//! Scopes are ignored: a name that is assigned several times depends on the values of all its
//! assignments. The reads of functions of other files are recorded only while an expression calls
//! them.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;
use std::sync::Arc;

use crate::dialect::{AssignedName, NameChain, assigned_names, name_chains};
use crate::edit::PathStep;
use crate::source::Source;

/// The maximum number of variables that are looked up for one expression.
const MOST_NAMES: usize = 64;

/// The keys that lead to each data value that an expression reads, in order.
pub(super) type DataValuePaths = Rc<[Vec<PathStep>]>;

/// The assignments of the templates of a build. Each template is read once.
#[derive(Debug, Default)]
pub(super) struct TemplateVariables {
    /// By the address of the source, which is kept so that no other source gets its address.
    by_source: RefCell<HashMap<usize, ReadTemplate>>,
    /// The data values of expressions, by the address and length of their code. A loop needs the
    /// same expressions in each iteration.
    by_code: RefCell<HashMap<(usize, usize), DataValuePaths>>,
}

impl TemplateVariables {
    /// Returns the data values in an expression of a template and in the assignments of its
    /// variables, in order. `code` is a part of the text of the template, which is kept.
    pub(super) fn data_values_in(&self, source: &Arc<Source>, code: &str) -> DataValuePaths {
        let key = (code.as_ptr().addr(), code.len());
        if let Some(found) = self.by_code.borrow().get(&key) {
            return Rc::clone(found);
        }
        let assignments = self.of(source);
        let mut search = VariableSearch {
            assignments: &assignments,
            seen: BTreeSet::new(),
            found: Vec::new(),
        };
        for chain in name_chains(code) {
            search.follow(&texts(&chain));
        }
        let found: DataValuePaths = search.found.into();
        self.by_code.borrow_mut().insert(key, Rc::clone(&found));
        found
    }

    fn of(&self, source: &Arc<Source>) -> Rc<Assignments> {
        let mut by_source = self.by_source.borrow_mut();
        let address = Arc::as_ptr(source).addr();
        let (_, assignments) = by_source.entry(address).or_insert_with(|| {
            let assignments = Rc::new(Assignments::read(source));
            (Arc::clone(source), assignments)
        });
        Rc::clone(assignments)
    }
}

/// A template with its assignments.
type ReadTemplate = (Arc<Source>, Rc<Assignments>);

/// The assignments of a template, by name.
#[derive(Debug, Default)]
struct Assignments {
    by_name: BTreeMap<String, Vec<Assigned>>,
    /// The names of the module with the data values: `d` after `load("@ytt:data", d="data")`.
    data_names: BTreeSet<String>,
}

/// The right side of an assignment.
#[derive(Debug)]
struct Assigned {
    chains: Vec<NameChain>,
    /// Whether the name gets the value of the only chain.
    is_chain: bool,
}

impl Assignments {
    fn read(source: &Source) -> Assignments {
        let mut read = Assignments::default();
        for program in programs(source) {
            for AssignedName {
                name,
                value,
                is_value,
            } in assigned_names(&program)
            {
                let chains = name_chains(program.get(value.range()).unwrap_or_default());
                let is_whole = matches!(chains.as_slice(), [only] if only.is_whole);
                read.by_name.entry(name).or_default().push(Assigned {
                    chains,
                    is_chain: is_value && is_whole,
                });
            }
            for line in program.lines() {
                read.data_names.extend(data_name(line));
            }
        }
        read.data_names.insert("data".to_owned());
        read
    }

    /// Returns the path of the data value in a chain of names that begins with `data.values`.
    fn data_value(&self, names: &[String]) -> Option<Vec<PathStep>> {
        match names {
            [data, values, rest @ ..] if values == "values" && self.data_names.contains(data) => {
                let steps = rest.iter().map(|name| PathStep::Key(name.as_str().into()));
                Some(steps.collect())
            }
            _ => None,
        }
    }
}

/// Returns the name that `load("@ytt:data", name="data")` gives the module.
fn data_name(line: &str) -> Option<String> {
    let arguments = line.trim_start().strip_prefix("load(")?;
    let mut texts = arguments.split(['"', '\'']);
    if texts.nth(1)? != "@ytt:data" {
        return None;
    }
    // `, name=` is before the text `data`.
    let before = texts.next()?.trim_start_matches([',', ' ']);
    let name = before.trim_end().strip_suffix('=')?.trim_end();
    Some(name.to_owned())
}

struct VariableSearch<'t> {
    assignments: &'t Assignments,
    seen: BTreeSet<String>,
    found: Vec<Vec<PathStep>>,
}

impl VariableSearch<'_> {
    /// Adds the data value that a chain of names reads, or else the data values that its first name
    /// depends on.
    fn follow(&mut self, names: &[String]) {
        if let Some(path) = self.assignments.data_value(names) {
            if !path.is_empty() && !self.found.contains(&path) {
                self.found.push(path);
            }
            return;
        }
        let Some((first, rest)) = names.split_first() else {
            return;
        };
        // The whole chain is remembered: `db.host` and `db.port` are two values of one variable.
        if self.seen.len() >= MOST_NAMES || !self.seen.insert(names.join(".")) {
            return;
        }
        for assigned in self.assignments.by_name.get(first).into_iter().flatten() {
            for chain in &assigned.chains {
                let mut names = texts(chain);
                // `v = data.values.db` makes `v.port` the value `db.port`.
                if assigned.is_chain {
                    names.extend_from_slice(rest);
                }
                self.follow(&names);
            }
        }
    }
}

fn texts(chain: &NameChain) -> Vec<String> {
    chain.names.iter().map(|name| name.text.clone()).collect()
}

/// Returns the programs in a text. A Starlark file is one program. In other files, consecutive
/// lines with `#@` are one program, because a statement may continue on the next line.
fn programs(source: &Source) -> Vec<String> {
    if source.name().ends_with(".star") {
        return vec![source.text().to_owned()];
    }
    let mut programs = Vec::new();
    let mut program = String::new();
    for line in source.text().lines() {
        // `#@overlay/match by="x"` is an annotation.
        let code = line.trim_start().strip_prefix("#@");
        match code.filter(|code| code.starts_with([' ', '\t'])) {
            Some(code) => {
                program.push_str(code.trim_start());
                program.push('\n');
            }
            None if !program.is_empty() => programs.push(std::mem::take(&mut program)),
            None => {}
        }
    }
    programs.push(program);
    programs
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str, code: &str) -> Vec<String> {
        let source = Source::new("a.yml", text).unwrap();
        let paths = TemplateVariables::default().data_values_in(&source, code);
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

    #[test]
    fn reads_assignments_as_the_language_does() {
        let text = "\
#@ load('@ytt:data', d='data')
#@ quoted = 'it\\'s data.values.no'
#@ noted = 1 # data.values.no
#@ sum = 1
#@ sum += data.values.b
#@ one, two = data.values.c, d.values.e
#@ call = f(name=1)
#@ name = data.values.no
#@ long = f(
#@   data.values[\"in\"].a)
#@overlay/match by=data.values.no
";
        let table: [(&str, &[&str]); 9] = [
            ("quoted", &[]),
            ("noted", &[]),
            ("sum", &["b"]),
            ("one.x", &["c.x"]),
            ("two", &["e"]),
            ("d.values.f", &["f"]),
            ("call", &[]),
            ("long", &["in.a"]),
            ("by", &[]),
        ];
        for (code, expected) in table {
            assert_eq!(found(text, code), expected, "{code}");
        }
    }
}
