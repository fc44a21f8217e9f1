//! What the cases do: calls of the library with inputs in memory.

use std::path::Path;

use inlay::diff::{DiffStyle, OutputChange, OutputComparison};
use inlay::krm;
use inlay::kustomization::{self, KustomizationOptions};
use inlay::provenance::Recorder;
use inlay::source::world::{Memory, SymlinkDestinations};
use inlay::source::{DiagnosticFormat, Diagnostics, Renderer, Source, steps};
use inlay::workspace::output::OutputFormat;
use inlay::workspace::{
    BuildInput, BuildOptions, DataValuesFlags, InputFile, InputReader, VirtualPath, build,
};
use inlay::yaml::{faithful, parse_json};

use crate::SMALL;
use crate::inputs::indented;

/// The work of a case.
pub(crate) enum Work {
    /// A KRM function: the `spec` of its functionConfig, and its items.
    Function { spec: String, items: Vec<String> },
    /// A build of files, with data values files and flags.
    Build {
        files: Vec<(&'static str, String)>,
        values: Vec<String>,
        flags: Vec<String>,
        format: OutputFormat,
    },
    /// A kustomization in the folder `app`.
    Kustomization { files: Vec<(&'static str, String)> },
    /// The texts of the items of a JSON list, as `inlay get` prints them.
    Excerpts { text: String },
    /// The unified diff of a file.
    Difference { before: String, after: String },
}

impl Work {
    /// Returns a build of files without data values.
    pub(crate) fn of_files(files: Vec<(&'static str, String)>) -> Work {
        Work::Build {
            files,
            values: Vec::new(),
            flags: Vec::new(),
            format: OutputFormat::Yaml,
        }
    }

    /// Does the work, and checks that it succeeds.
    pub(crate) fn run(self) {
        match self {
            Work::Function { spec, items } => call(&spec, &items),
            Work::Build {
                files,
                values,
                flags,
                format,
            } => render(&files, &values, &flags, format),
            Work::Kustomization { files } => kustomize(&files),
            Work::Excerpts { text } => excerpts(text),
            Work::Difference { before, after } => difference(&before, &after),
        }
    }
}

fn call(spec: &str, items: &[String]) {
    let mut text = "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\n".to_owned();
    text.push_str("functionConfig:\n  apiVersion: inlay.dev/v1alpha1\n  kind: Inlay\n");
    text.push_str("  metadata: {name: scale}\n  spec:\n");
    text.push_str(&indented(spec, "    "));
    text.push_str("items:\n");
    for item in items {
        let lines = indented(item, "  ");
        text.push_str(&format!("-{}", &lines[1..]));
    }
    let source = Source::new("input", text).expect("the text is short");
    let mut diagnostics = Diagnostics::default();
    let answer = krm::call(&source, &Memory::default(), &mut diagnostics);
    let pieces = answer.pieces().count();
    assert!(
        pieces > 1 && diagnostics.outcome().is_ok(),
        "{}",
        shown(&diagnostics)
    );
}

fn kustomize(files: &[(&'static str, String)]) {
    let files = files.iter().map(|(path, text)| (*path, text.as_str()));
    let world = Memory::with_files(files);
    let mut diagnostics = Diagnostics::default();
    let options = KustomizationOptions::default();
    let folder = Path::new("app");
    let built = kustomization::build(&world, folder, &options, Recorder::off(), &mut diagnostics);
    let printed = built.and_then(|resources| kustomization::print(&resources, &mut diagnostics));
    assert!(printed.is_ok(), "{}", shown(&diagnostics));
}

fn render(
    files: &[(&'static str, String)],
    values: &[String],
    flags: &[String],
    format: OutputFormat,
) {
    let file = |(path, text): &(&'static str, String)| {
        InputFile::in_memory(VirtualPath::new(path).expect("a path"), text.as_str())
    };
    let inputs: Vec<InputFile> = files.iter().map(file).collect();
    let own = |text: &String| {
        InputFile::in_memory(
            VirtualPath::new("values.yml").expect("a path"),
            text.as_str(),
        )
    };
    let own: Vec<InputFile> = values.iter().map(own).collect();
    let world = Memory::default();
    let mut diagnostics = Diagnostics::default();
    let reader = InputReader::new(&world, SymlinkDestinations::All);
    let given = DataValuesFlags {
        data_values: flags.to_vec(),
        ..DataValuesFlags::default()
    };
    let data_values = given.read(&own, &reader, &world, false, &mut diagnostics);
    let input = BuildInput {
        files: &inputs,
        resources: &[],
        data_values: &data_values.expect("the values can be read"),
        world: &world,
        options: BuildOptions::default(),
        recorder: Recorder::off(),
        shared: None,
        findings: None,
    };
    match build(&input, &mut diagnostics) {
        Ok(rendered) => assert!(!rendered.text(format).expect("a text").concat().is_empty()),
        // One case tests a large number of mistakes.
        Err(_) => assert!(
            diagnostics.as_slice().len() >= SMALL,
            "{}",
            shown(&diagnostics)
        ),
    }
}

fn excerpts(text: String) {
    let source = Source::new("a.json", text).expect("the text is short");
    let stream = parse_json(&source).expect("a JSON text");
    let list = stream.documents[0].root.as_sequence().expect("a list");
    for item in &list.items {
        steps::count(1);
        assert!(!faithful::excerpt(&item.value).is_empty());
    }
}

fn difference(before: &str, after: &str) {
    let style = DiffStyle {
        color: false,
        shows_secrets: false,
    };
    let change = OutputChange::text("a.yaml", before, after);
    let shown = OutputComparison::new([change]).unified(style);
    assert!(!shown.is_empty());
}

fn shown(diagnostics: &Diagnostics) -> String {
    Renderer::new(DiagnosticFormat::Short).render(diagnostics.as_slice())
}
