//! Templates and what they render to, one area a file of `testdata/rendered`: `template` is `config.yml`, `files` stand
//! beside it, and it `gives` documents or `fails` with a message that holds the words.

#![allow(
    clippy::expect_used,
    reason = "a test that cannot read its cases has failed"
)]

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use inlay::source::world::Memory;
use inlay::source::{DiagnosticFormat, Diagnostics, Renderer, Source};
use inlay::workspace::output::OutputFormat;
use inlay::workspace::{BuildInput, BuildOptions, InputFile, VirtualPath, build};
use inlay::yaml::{self, Node};

#[test]
fn every_template_renders_as_recorded() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/rendered");
    let entries = fs::read_dir(folder).expect("the folder is there");
    let mut areas: Vec<PathBuf> = entries
        .map(|entry| entry.expect("an entry").path())
        .collect();
    areas.sort();
    let mut faults = Vec::new();
    for area in &areas {
        for case in documents(area) {
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
        "{} templates rendered otherwise:\n{}",
        faults.len(),
        faults.join("\n\n")
    );
}

fn documents(file: &Path) -> Vec<Arc<Node>> {
    let source = Source::new(
        file.display().to_string(),
        fs::read_to_string(file).expect("a text"),
    )
    .expect("it is short");
    let stream = yaml::parse(&source)
        .unwrap_or_else(|error| panic!("{}: {}", file.display(), error.message));
    stream
        .documents
        .into_iter()
        .map(|document| document.root)
        .collect()
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
    };
    let rendered = build(&input, &mut diagnostics);
    match rendered.map(|rendered| rendered.text(OutputFormat::Yaml)) {
        Ok(Ok(text)) => Ok(text),
        Ok(Err(error)) => Err(error.message),
        Err(_) => Err(Renderer::new(DiagnosticFormat::Human).render(diagnostics.as_slice())),
    }
}
