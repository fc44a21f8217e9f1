//! Templates and their output: one file of `testdata/rendered` per area of the language.
//!
//! In each case, `template` is `config.yml`, and `files` are beside it. The case either `gives`
//! documents, or `fails` with a message that contains these words.
//! `UPDATE=1 cargo test --test rendered` records the current output; `fails` is written by hand.

#![allow(
    clippy::expect_used,
    reason = "a test that cannot read its cases has failed"
)]

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use inlay::edit::{EditOptions, FieldPath, update};
use inlay::provenance::Recorder;
use inlay::source::world::Memory;
use inlay::source::{DiagnosticFormat, Diagnostics, Renderer, Source};
use inlay::workspace::output::OutputFormat;
use inlay::workspace::{BuildInput, BuildOptions, InputFile, VirtualPath, build};
use inlay::yaml::{self, Node, Stream};

#[test]
fn every_template_renders_as_recorded() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/rendered");
    let entries = fs::read_dir(folder).expect("the folder is there");
    let mut areas: Vec<PathBuf> = entries
        .map(|entry| entry.expect("an entry").path())
        .collect();
    areas.sort();
    let update = std::env::var_os("UPDATE").is_some_and(|value| value == "1");
    let mut faults = Vec::new();
    for area in &areas {
        if update {
            record(area);
        }
        for case in documents(area)
            .documents
            .into_iter()
            .map(|document| document.root)
        {
            let template = text(&case, "template").expect("each case has a template");
            let found = rendered(template, case.get("files"));
            let fits = match (text(&case, "gives"), text(&case, "fails"), &found) {
                (Some(expected), None, Ok(found)) => expected == found,
                (None, Some(words), Err(message)) => message.contains(words),
                _ => false,
            };
            if !fits {
                let found = found.unwrap_or_else(|message| message);
                faults.push(format!(
                    "{}:\n{template}--- gave ---\n{found}",
                    area.display()
                ));
            }
        }
    }
    assert!(!areas.is_empty());
    assert!(
        faults.is_empty(),
        "{} templates give another result:\n{}",
        faults.len(),
        faults.join("\n\n")
    );
}

/// Records the current output of a file's templates in it, and changes nothing else.
fn record(area: &Path) {
    let stream = documents(area);
    let roots: Vec<Arc<Node>> = stream
        .documents
        .iter()
        .map(|document| with_result(&document.root))
        .collect();
    fs::write(area, yaml::faithful::print(&stream, &roots)).expect("the file can be written");
}

/// Returns the case with its current `gives`; the case itself if it fails or is up to date.
fn with_result(case: &Arc<Node>) -> Arc<Node> {
    let template = text(case, "template").expect("each case has a template");
    let Ok(found) = rendered(template, case.get("files")) else {
        return Arc::clone(case);
    };
    if text(case, "gives").is_none_or(|recorded| recorded == found) {
        return Arc::clone(case);
    }
    let path = FieldPath::parse("gives").expect("a path");
    let value = Node::string(found);
    update(case, &path, &EditOptions::default(), &mut |_| {
        Ok(Some(Arc::clone(&value)))
    })
    .unwrap_or_else(|_| panic!("`gives` cannot be replaced"))
    .expect("`gives` is there")
}

fn documents(file: &Path) -> Stream {
    let source = Source::new(
        file.display().to_string(),
        fs::read_to_string(file).expect("a text"),
    )
    .expect("it is short");
    yaml::parse(&source).unwrap_or_else(|error| panic!("{}: {}", file.display(), error.message))
}

fn text<'a>(case: &'a Node, key: &str) -> Option<&'a str> {
    case.get(key)?.text()
}

fn rendered(template: &str, files: Option<&Arc<Node>>) -> Result<String, String> {
    let file = |path: &str, text: &str| {
        InputFile::in_memory(VirtualPath::new(path).expect("a path"), text)
    };
    let mut inputs = vec![file("config.yml", template)];
    for entry in files
        .and_then(|files| files.as_mapping())
        .into_iter()
        .flat_map(|files| files.entries.iter())
    {
        inputs.push(file(
            entry.key.text().unwrap_or_default(),
            entry.value.text().unwrap_or_default(),
        ));
    }
    let mut diagnostics = Diagnostics::default();
    let world = Memory::default();
    let input = BuildInput {
        files: &inputs,
        resources: &[],
        data_values: &[],
        world: &world,
        options: BuildOptions::default(),
        recorder: Recorder::off(),
        shared: None,
        findings: None,
    };
    let rendered = build(&input, &mut diagnostics);
    match rendered {
        Ok(rendered) => match rendered.text(OutputFormat::Yaml) {
            Ok(parts) => Ok(parts.concat()),
            Err(error) => Err(error.message),
        },
        Err(_) => Err(Renderer::new(DiagnosticFormat::Human).render(diagnostics.as_slice())),
    }
}
