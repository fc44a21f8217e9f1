//! The functions of the `@ytt:` modules, each called in a template, compared with ytt v0.49.0.
//!
//! `testdata/modules` has one file per module. `gives` and `fails` are ytt's results; if Inlay
//! differs deliberately, or ytt crashes, `here` is Inlay's result. docs/differences-ytt.md gives
//! the reasons.

#![cfg(test)]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use inlay::modules::MODULES;
use inlay::script::{Evaluated, Library, Limits, Loader, Program, Session};
use inlay::source::{Code, Diagnostic, Result, Source, on_large_stack};
use inlay::template::{self, TemplateOptions};
use inlay::yaml::{self, Node};

/// Modules without a file. Each has its own tests, beside its code or in the schema and library
/// tests.
const TESTED_ELSEWHERE: [&str; 4] = ["assert", "data", "struct", "template"];

/// Returns the modules with a file in `testdata/modules`.
fn modules() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/modules");
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).expect("the folder can be read") {
        let path = entry.expect("an entry can be read").path();
        let name = path.file_stem().expect("a file has a name");
        names.push(name.to_string_lossy().into_owned());
    }
    names.sort();
    names
}

#[test]
fn every_module_has_a_file() {
    let files = modules();
    let missing: Vec<&str> = MODULES
        .iter()
        .map(|module| module.name)
        .filter(|name| !files.iter().any(|file| file == *name))
        .filter(|name| !TESTED_ELSEWHERE.contains(name))
        .collect();
    assert!(
        missing.is_empty(),
        "modules without a file in testdata/modules: {missing:?}"
    );
}

#[test]
fn every_function_answers_as_recorded() {
    let mut faults = Vec::new();
    for module in &modules() {
        for case in cases(module) {
            let call = case
                .get("call")
                .and_then(|call| call.as_str())
                .expect("each case has a call");
            let (key, expected) = case_outcome(&case);
            let found = on_large_stack(|| outcome(call)).expect("a thread can be started");
            let matches = match (key, &found) {
                ("gives", Ok(text)) => *text == expected,
                ("fails", Err(message)) => message.contains(expected.trim_end()),
                _ => false,
            };
            if !matches {
                faults.push(format!("{call}\n{key}: {expected}found: {found:?}"));
            }
        }
    }
    assert!(
        faults.is_empty(),
        "{} calls give another result:\n{}",
        faults.len(),
        faults.join("\n\n")
    );
}

#[test]
fn every_function_is_called() {
    let modules = modules();
    let missing: Vec<String> = modules
        .iter()
        .flat_map(|module| {
            let calls: Vec<String> = cases(module)
                .iter()
                .filter_map(|case| case.get("call")?.as_str().map(str::to_owned))
                .collect();
            let names = names(module);
            let is_called =
                move |name: &String| calls.iter().any(|call| call.contains(name.as_str()));
            names
                .into_iter()
                .map(move |name| format!("{module}.{name}"))
                .filter(move |name| !is_called(name))
        })
        .collect();
    assert_eq!(missing, Vec::<String>::new());
}

/// Returns the names that a module exports.
fn names(module: &str) -> BTreeSet<String> {
    let listed = outcome(&format!("\" \".join(dir({module}))")).expect("a module lists its names");
    listed.split_whitespace().map(str::to_owned).collect()
}

fn cases(module: &str) -> Vec<Arc<Node>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("testdata/modules")
        .join(format!("{module}.yml"));
    let source = Source::new(
        format!("{module}.yml"),
        fs::read_to_string(path).expect("the file can be read"),
    );
    let stream = yaml::parse(&source.expect("the file is short")).expect("the file is YAML");
    let root = &stream
        .documents
        .first()
        .expect("the file has a document")
        .root;
    root.as_sequence()
        .expect("the file is a list")
        .items
        .iter()
        .map(|item| Arc::clone(&item.value))
        .collect()
}

/// Returns `gives` or `fails`, and its printed value.
fn case_outcome(case: &Arc<Node>) -> (&'static str, String) {
    let case = case.get("here").unwrap_or(case);
    for key in ["gives", "fails"] {
        if let Some(value) = case.get(key) {
            let printed = match (key, value.as_str()) {
                ("fails", Some(text)) => format!("{text}\n"),
                _ => yaml::canonical_node(value).expect("the value can be printed"),
            };
            return (key, printed);
        }
    }
    panic!(
        "expected `gives` or `fails` in {}",
        yaml::canonical_node(case).expect("the case can be printed")
    );
}

/// Returns the printed result of a call, or the message of its failure as a template can catch it,
/// followed by the help.
fn outcome(call: &str) -> std::result::Result<String, String> {
    let mut text = "#@ load(\"@ytt:struct\", \"struct\")\n".to_owned();
    for name in modules() {
        text.push_str(&format!("#@ load(\"@ytt:{name}\", \"{name}\")\n"));
    }
    text.push_str(&format!("a: #@ {call}\n"));
    evaluate(&text).map_err(|diagnostic| {
        let help = diagnostic
            .help
            .iter()
            .map(|help| format!(" (hint: {help})"));
        format!(
            "{}{}",
            diagnostic.caught_message(),
            help.collect::<String>()
        )
    })
}

fn evaluate(text: &str) -> Result<String> {
    let source = Source::new("t.yml", text).expect("the text is short");
    let program = Arc::new(template::compile(
        &yaml::parse(&source)?,
        &TemplateOptions::default(),
    )?);
    let session = Session::new(Limits::default(), |_| ()).with_modules(&inlay::modules::MODULES);
    let library = Library::new(&session, &NoFiles, &Node::mapping(Vec::new()))?;
    let Evaluated::Documents(documents) = library.evaluate(&program)? else {
        panic!("a template gives documents")
    };
    yaml::canonical_node(
        documents[0]
            .root
            .get("a")
            .expect("the document has the key"),
    )
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
