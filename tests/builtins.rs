//! Operators, literals, functions and methods of Starlark, compared with the answers of
//! go.starlark.net in the version that ytt uses.
//!
//! A case of `testdata/builtins` is an expression (`code`), optionally after statements (`first`).
//! `gives` is the `repr` of its value; `fails` is the message of its failure, as templates see it
//! through `assert.try_to`. If Inlay differs, `here` is its own answer; docs/differences-ytt.md
//! gives the reasons.

#![cfg(test)]

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use inlay::script::{Evaluated, Library, Limits, Loader, Program, Session};
use inlay::source::{Code, Diagnostic, Result, Source, on_large_stack};
use inlay::template::{self, TemplateOptions};
use inlay::yaml::{self, Node};

#[test]
fn every_expression_answers_as_recorded() {
    let mut faults = Vec::new();
    let mut count = 0;
    for path in files() {
        for case in cases(&path) {
            count += 1;
            let found = on_large_stack(|| outcome(&case)).expect("a thread can be started");
            let expected = expected(&case);
            if found != expected {
                let code = text(&case, "code").unwrap_or_default();
                faults.push(format!(
                    "{code}\nexpected: {expected:?}\nfound:    {found:?}"
                ));
            }
        }
    }
    assert!(count > 500, "only {count} cases");
    assert!(
        faults.is_empty(),
        "{} of {count} expressions answer otherwise:\n{}",
        faults.len(),
        faults.join("\n\n")
    );
}

#[test]
fn no_message_shows_how_the_program_is_built() {
    for path in files() {
        for case in cases(&path) {
            let Err(message) = expected(&case) else {
                continue;
            };
            for word in ["(repr:", "type of parameter", "__ytt", "0."] {
                let code = text(&case, "code").unwrap_or_default();
                assert!(!message.contains(word), "{code}: {message}");
            }
        }
    }
}

fn files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/builtins");
    let entries = fs::read_dir(folder).expect("the folder can be read");
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.expect("an entry can be read").path())
        .collect();
    files.sort();
    files
}

fn cases(path: &Path) -> Vec<Arc<Node>> {
    let name = path.display().to_string();
    let source = Source::new(
        name,
        fs::read_to_string(path).expect("the file can be read"),
    );
    let stream = yaml::parse(&source.expect("the file is short")).expect("the file is YAML");
    let document = stream.documents.first().expect("the file has a document");
    let items = document.root.as_sequence().expect("the file is a list");
    items
        .items
        .iter()
        .map(|item| Arc::clone(&item.value))
        .collect()
}

fn text(case: &Arc<Node>, key: &str) -> Option<String> {
    Some(case.get(key)?.as_str()?.to_owned())
}

fn expected(case: &Arc<Node>) -> std::result::Result<String, String> {
    let case = case.get("here").unwrap_or(case);
    match (text(case, "gives"), text(case, "fails")) {
        (Some(value), _) => Ok(value),
        (None, Some(message)) => Err(message),
        (None, None) => panic!("expected `gives` or `fails`"),
    }
}

/// Returns the representation of the value of a case, or the message of its failure.
fn outcome(case: &Arc<Node>) -> std::result::Result<String, String> {
    let mut program = "#@ load(\"@ytt:assert\", \"assert\")\n".to_owned();
    for line in text(case, "first").unwrap_or_default().lines() {
        program.push_str(&format!("#@ {line}\n"));
    }
    let code = text(case, "code").expect("each case has code");
    program.push_str(&format!(
        "#@ value, message = assert.try_to(lambda: {code})\n"
    ));
    program.push_str("gives: #@ repr(value)\nfails: #@ message\n");
    let result = evaluate(&program).map_err(|diagnostic| diagnostic.message)?;
    match text(&result, "fails") {
        Some(message) => Err(message),
        None => Ok(text(&result, "gives").unwrap_or_default()),
    }
}

fn evaluate(text: &str) -> Result<Arc<Node>> {
    let source = Source::new("t.yml", text).expect("the text is short");
    let options = TemplateOptions::default();
    let program = Arc::new(template::compile(&yaml::parse(&source)?, &options)?);
    let session = Session::new(Limits::default(), |_| ()).with_modules(&inlay::modules::MODULES);
    let library = Library::new(&session, &NoFiles, &Node::mapping(Vec::new()))?;
    let Evaluated::Documents(documents) = library.evaluate(&program)? else {
        panic!("a template gives documents")
    };
    let document = documents.first().expect("there is a document");
    Ok(Arc::clone(&document.root))
}

struct NoFiles;

impl Loader for NoFiles {
    fn find(&self, path: &str, _: &Program) -> Result<Arc<Program>> {
        Err(Diagnostic::error(Code::File, format!("no file {path}")))
    }

    fn read(&self, path: &str, _: &Program) -> Result<String> {
        Err(Diagnostic::error(Code::File, format!("no file {path}")))
    }

    fn list(&self, _: Option<&str>, _: &Program) -> Result<Vec<String>> {
        Ok(Vec::new())
    }
}
