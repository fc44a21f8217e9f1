//! The functions of the `@ytt:` modules, each called in a template, against what ytt v0.49.0 answers.
//!
//! `testdata/modules` has a file for each module. `gives` and `fails` are what ytt prints; where Inlay does otherwise on
//! purpose, or ytt crashes, `here` says what. docs/differences.md says why.

#![cfg(test)]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use inlay::script::{Evaluated, Library, Limits, Loader, Program, Session, on_large_stack};
use inlay::source::{Code, Diagnostic, Result, Source};
use inlay::template::{self, TemplateOptions};
use inlay::yaml::{self, Node};

const MODULES: [&str; 11] = [
    "base64", "ip", "json", "math", "md5", "regexp", "sha256", "toml", "url", "version", "yaml",
];

#[test]
fn every_function_answers_as_recorded() {
    let mut faults = Vec::new();
    for module in MODULES {
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
        "{} calls answered otherwise:\n{}",
        faults.len(),
        faults.join("\n\n")
    );
}

#[test]
fn every_function_is_called() {
    let missing: Vec<String> = MODULES
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

/// The names in a module.
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

/// `gives` or `fails`, and its value, printed.
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

/// What a call gives, printed, or the message and help of its failure.
fn outcome(call: &str) -> std::result::Result<String, String> {
    let loads = MODULES
        .iter()
        .chain(&["struct"])
        .map(|name| format!("#@ load(\"@ytt:{name}\", \"{name}\")\n"));
    let text = format!("{}a: #@ {call}\n", loads.collect::<String>());
    evaluate(&text).map_err(|diagnostic| {
        let help = diagnostic
            .help
            .iter()
            .map(|help| format!(" (hint: {help})"));
        format!("{}{}", diagnostic.message, help.collect::<String>())
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
