//! Templates and their output: one file of `testdata/rendered` per area of the language.
//!
//! In each case, `template` is `config.yml`, and `files` are beside it. The case either `gives`
//! documents, or `fails` with a message that contains these words. If `ytt` is on `PATH`, it must
//! print the same documents, or fail, except where the case says why it `differs`.
//! `UPDATE=1 cargo test --test rendered` records the current output; the rest is written by hand.

#![allow(
    clippy::expect_used,
    reason = "a test that cannot read its cases has failed"
)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use common::clients::lacks_a_client;
use inlay::edit::{EditOptions, FieldPath, update};
use inlay::provenance::Recorder;
use inlay::source::world::Memory;
use inlay::source::{DiagnosticFormat, Diagnostics, Renderer, Source};
use inlay::workspace::output::OutputFormat;
use inlay::workspace::{BuildInput, BuildOptions, InputFile, VirtualPath, build};
use inlay::yaml::{self, Node, Stream};

#[allow(dead_code, reason = "each test uses what it needs of them")]
mod common {
    pub(crate) mod clients;
}

#[test]
fn every_template_renders_as_recorded() {
    let areas = areas();
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

#[test]
fn ytt_renders_every_template_alike() {
    if lacks_a_client("ytt") {
        return;
    }
    let mut faults = Vec::new();
    for area in areas() {
        for document in documents(&area).documents {
            let case = document.root;
            let printed = printed_by_ytt(&case);
            let is_equal = match text(&case, "gives") {
                Some(expected) => printed.as_deref() == Some(expected),
                None => printed.is_none(),
            };
            if is_equal == text(&case, "differs").is_some() {
                let template = text(&case, "template").expect("each case has a template");
                let printed = printed.unwrap_or_else(|| "it fails\n".to_owned());
                let area = area.display();
                faults.push(format!("{area}:\n{template}--- ytt ---\n{printed}"));
            }
        }
    }
    assert!(
        faults.is_empty(),
        "{} cases differ without a reason, or have one and do not differ:\n{}",
        faults.len(),
        faults.join("\n\n")
    );
}

/// Returns what ytt prints for a case; `None` if it fails.
fn printed_by_ytt(case: &Node) -> Option<String> {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let mut files = vec![("config.yml", text(case, "template").unwrap_or_default())];
    let beside = case.get("files").and_then(|files| files.as_mapping());
    for entry in beside.into_iter().flat_map(|files| &files.entries) {
        let name = entry.key.text().unwrap_or_default();
        files.push((name, entry.value.text().unwrap_or_default()));
    }
    for (name, content) in files {
        let path = folder.path().join(name);
        let parent = path.parent().expect("a file is in a folder");
        fs::create_dir_all(parent).expect("a folder can be made");
        fs::write(path, content).expect("a file can be written");
    }
    let output = Command::new("ytt")
        .args(["-f", "."])
        .current_dir(folder.path())
        .output()
        .expect("ytt runs");
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    output.status.success().then_some(printed)
}

/// Returns the files of `testdata/rendered`, in order.
fn areas() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/rendered");
    let entries = fs::read_dir(folder).expect("the folder is there");
    let mut areas: Vec<PathBuf> = entries
        .map(|entry| entry.expect("an entry").path())
        .collect();
    areas.sort();
    areas
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
