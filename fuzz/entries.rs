//! Properties of what comes in through the entry points: overlays, schemas, ResourceLists, paths, texts of other formats,
//! arguments, and files to format.
//!
//! A property that needs two texts splits its input at the first line `%%`.

#![allow(dead_code, reason = "each fuzz target calls one of them")]

use std::path::Path;
use std::sync::Arc;

use inlay::edit::{DocumentFormat, FieldPath, find};
use inlay::kubernetes::hide_secrets;
use inlay::kustomization::{self, KustomizationOptions};
use inlay::provenance::Recorder;
use inlay::source::world::{Memory, SymlinkDestinations};
use inlay::source::{DiagnosticFormat, Diagnostics, Renderer, Source};
use inlay::workspace::{
    BuildInput, BuildOptions, DataValuesFlags, InputFile, InputReader, VirtualPath, build,
    data_values,
};
use inlay::yaml::reader::disagreement;
use inlay::yaml::{Node, Stream, differs_from_formatted, formatted, json_string, parse};

use crate::properties::{edited, source};

/// An overlay is applied, or rejected with a message that can be printed. One that matches nothing leaves every byte.
pub(crate) fn overlay(data: &[u8]) {
    let Some((left, right)) = two_texts(data) else {
        return;
    };
    // A loop may run until the limits of a build stop it, which is longer than a fuzzer waits.
    if ["for ", "while", "def "]
        .iter()
        .any(|word| right.contains(word))
    {
        return;
    }
    let overlay = format!(
        "#@ load(\"@ytt:overlay\", \"overlay\")\n#@overlay/match by=overlay.all, expects=\"0+\"\n---\n{right}"
    );
    let _ = built(&[("left.yml", left), ("overlay.yml", &overlay)]);
}

/// Data values fit a schema, or are rejected with a message that can be printed.
pub(crate) fn schema(data: &[u8]) {
    let Some((schema, values)) = two_texts(data) else {
        return;
    };
    if ["for ", "while", "def "]
        .iter()
        .any(|word| data_contains(data, word))
    {
        return;
    }
    let schema = format!("#@data/values-schema\n---\n{schema}");
    let values = format!("#@data/values\n---\n{values}");
    let files = files(&[("schema.yml", &schema), ("values.yml", &values)]);
    let mut diagnostics = Diagnostics::default();
    let world = Memory::default();
    let _ = data_values(&input(&files, &world), &mut diagnostics);
    show(&mut diagnostics);
}

/// The answer to a text is a ResourceList, or nothing and an error.
pub(crate) fn resource_list(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    answered(text);
    if let Some((item, config)) = two_texts(data) {
        answered(&format!(
            "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n- {}\nfunctionConfig:\n  {}\n",
            item.replace('\n', "\n  "),
            config.replace('\n', "\n  ")
        ));
    }
}

fn answered(text: &str) {
    let Ok(source) = Source::new("list.yaml", text) else {
        return;
    };
    let mut diagnostics = Diagnostics::default();
    let answer = inlay::krm::call(&source, &Memory::default(), &mut diagnostics);
    let answer: String = answer.pieces().collect();
    if answer.is_empty() {
        assert!(diagnostics.failed(), "no answer and no error: {text}");
    } else {
        let stream = parse(&Source::new("answer.yaml", answer.as_str()).expect("a short text"));
        let stream = stream.unwrap_or_else(|error| panic!("{}\n{answer}", error.message));
        let kind = stream
            .documents
            .first()
            .and_then(|list| list.root.get("kind"));
        assert_eq!(
            kind.and_then(|kind| kind.as_str()),
            Some("ResourceList"),
            "{answer}"
        );
    }
    show(&mut diagnostics);
}

/// A path is parsed, or rejected with a message that can be printed, and finds values or nothing.
pub(crate) fn path(data: &[u8]) {
    let Some((path, text)) = two_texts(data) else {
        return;
    };
    let mut diagnostics = Diagnostics::default();
    match FieldPath::parse(path.trim_end_matches('\n')) {
        Ok(path) => {
            let Some(stream) = parsed(text) else { return };
            for document in &stream.documents {
                let _ = find(&document.root, &path, &Default::default());
            }
        }
        Err(error) => diagnostics.push(error),
    }
    show(&mut diagnostics);
    let pattern = json_string(path.trim_end_matches('\n'));
    let config = format!(
        "apiVersion: inlay.dev/v1alpha1\nkind: Inlay\nmetadata: {{name: c}}\nspec:\n  replacements:\n  - sourceValue: x\n    \
         targets: [{{select: {{kind: {pattern}, name: {pattern}, labelSelector: {pattern}}}, fieldPaths: [{pattern}]}}]\n"
    );
    let item = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: m, labels: {a: b}}\ndata: {a: '{\"b\": [1]}'}\n";
    resource_list(format!("{item}%%\n{config}").as_bytes());
}

/// A value written into a text of another format is read back, and writing the same value changes nothing.
pub(crate) fn text(data: &[u8]) {
    let Ok(inner) = std::str::from_utf8(data) else {
        return;
    };
    let outer = format!("text: {}\n", json_string(inner));
    let Some(stream) = parsed(&outer) else { return };
    let Some(document) = stream.documents.first() else {
        return;
    };
    for format in DocumentFormat::ALL {
        for path in ["text.a", "text.a.b", "text.server.port", "text.list.0"] {
            edited(&stream, &document.root, path, Some(format));
        }
    }
}

/// Arguments give data values, or are rejected with a message that can be printed.
pub(crate) fn arguments(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    let lines: Vec<String> = text.lines().take(20).map(str::to_owned).collect();
    let flags = DataValuesFlags {
        data_values_files: Vec::new(),
        data_values_env: lines.clone(),
        data_values_env_yaml: lines.clone(),
        data_values: lines.clone(),
        data_values_yaml: lines.clone(),
        data_value_files: lines,
    };
    let world = Memory::default();
    let reader = InputReader::new(&world, SymlinkDestinations::default());
    let mut diagnostics = Diagnostics::default();
    let _ = flags.read(&[], &reader, &world, false, &mut diagnostics);
    show(&mut diagnostics);
}

/// The fast reader reads what the parser crate reads, or gives up.
pub(crate) fn reader(data: &[u8]) {
    let Some(source) = source("fuzz.yml", data) else {
        return;
    };
    let difference = disagreement(&source, &mut false);
    assert_eq!(difference, None, "{}", source.text());
}

/// The files of a kustomization, in the order of the texts in the input.
const KUSTOMIZATION_FILES: [&str; 4] = [
    "app/kustomization.yaml",
    "app/objects.yaml",
    "app/other.yaml",
    "base/kustomization.yaml",
];

/// A kustomization is built, or rejected with a message that can be printed. What is printed are the objects, with the
/// same values in both layouts.
pub(crate) fn kustomization(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    let texts = text.split("%%\n");
    let world = Memory::with_files(KUSTOMIZATION_FILES.into_iter().zip(texts));
    let mut diagnostics = Diagnostics::default();
    let options = KustomizationOptions::default();
    let built = kustomization::build(
        &world,
        Path::new("app"),
        &options,
        Recorder::off(),
        &mut diagnostics,
    );
    let Ok(resources) = built else {
        assert!(diagnostics.failed(), "a failure without an error");
        return show(&mut diagnostics);
    };
    let printed = kustomization::print(&resources, &mut diagnostics);
    let faithful = kustomization::print_faithfully(&resources, &mut diagnostics);
    assert_eq!(printed.is_ok(), faithful.is_ok());
    if let (Ok(printed), Ok(faithful)) = (printed, faithful) {
        let count = |text: &str| {
            let stream = parsed(text).unwrap_or_else(|| panic!("not YAML\n{text}"));
            stream.documents.len()
        };
        assert_eq!(count(&printed), count(&faithful), "{printed}\n{faithful}");
    }
    show(&mut diagnostics);
}

/// A formatted text has the same values, and is formatted already.
pub(crate) fn formatting(data: &[u8]) {
    let Some(source) = source("fuzz.yml", data) else {
        return;
    };
    let Ok(stream) = parse(&source) else { return };
    let Ok(once) = formatted(&stream) else { return };
    let again = parse(&Source::new("once.yml", once.as_str()).expect("a short text"));
    let again = again.unwrap_or_else(|error| panic!("{}\n{once}", error.message));
    assert_eq!(
        differs_from_formatted(std::iter::once(&stream), &again),
        None,
        "{once}"
    );
    let twice = formatted(&again).unwrap_or_else(|error| panic!("{}\n{once}", error.message));
    assert_eq!(twice, once, "formatted twice");
}

fn data_contains(data: &[u8], word: &str) -> bool {
    String::from_utf8_lossy(data).contains(word)
}

fn two_texts(data: &[u8]) -> Option<(&str, &str)> {
    std::str::from_utf8(data).ok()?.split_once("%%\n")
}

fn parsed(text: &str) -> Option<Stream> {
    parse(&Source::new("fuzz.yml", text).ok()?).ok()
}

fn files(texts: &[(&str, &str)]) -> Vec<InputFile> {
    let files = texts
        .iter()
        .map(|(name, text)| InputFile::in_memory(VirtualPath::new(name).expect("a path"), *text));
    files.collect()
}

fn input<'i>(files: &'i [InputFile], world: &'i Memory) -> BuildInput<'i> {
    let no_resources: &'i [Arc<Node>] = &[];
    BuildInput {
        files,
        resources: no_resources,
        data_values: &[],
        world,
        options: BuildOptions::default(),
        recorder: Recorder::off(),
        shared: None,
        findings: None,
    }
}

fn built(texts: &[(&str, &str)]) -> bool {
    let (files, world) = (files(texts), Memory::default());
    let mut diagnostics = Diagnostics::default();
    let built = build(&input(&files, &world), &mut diagnostics).is_ok();
    assert!(built || diagnostics.failed(), "a failure without an error");
    show(&mut diagnostics);
    built
}

/// Prints the diagnostics in every format, to check that this does not panic.
fn show(diagnostics: &mut Diagnostics) {
    hide_secrets(diagnostics);
    for format in DiagnosticFormat::ALL {
        let text = Renderer::new(format).render(diagnostics.as_slice());
        // A log of SARIF is a document, also if it has no results.
        let is_document = format == DiagnosticFormat::Sarif;
        assert!(is_document || text.is_empty() == diagnostics.as_slice().is_empty());
    }
}
