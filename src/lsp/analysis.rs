//! Builds a target, and collects the results that the editor shows.
//!
//! There is no second evaluator for editors. A target is built as the command line builds it, but
//! with the texts of the editor instead of the files. So the server shows exactly the messages that
//! CI will show.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::evaluated::{EvaluatedValue, evaluated_values};
use super::target::{BuildTarget, ConfigurationTarget, Target, kustomization_in};
use super::unsaved::Unsaved;
use crate::kubernetes::{Resource, hide_secrets};
use crate::kustomization::{self, KustomizationOptions};
use crate::pipeline::{ConfigurationRun, PluginRole};
use crate::provenance::{Journal, OverlayMatch, OverlayMerge, Recorder};
use crate::schema::ValueOutline;
use crate::source::world::{Folder, SymlinkDestinations, World, read_found};
use crate::source::{Code, Diagnostic, Diagnostics, Reported};
use crate::template::is_template;
use crate::workspace::{self, BuildInput, DataValuesFlags, InputFile, InputReader, ValuesFindings};
use crate::yaml::{Stream, forget_unused, parse};

/// The result of building a target once.
#[derive(Default)]
pub(super) struct Analysis {
    pub(super) diagnostics: Vec<Diagnostic>,
    /// The data values of the build; `None` if they could not be computed.
    pub(super) values: Option<ValueOutline>,
    /// The objects that the target edits, before its own edits.
    pub(super) objects: Vec<Resource>,
    /// The kustomization or configuration that edits them.
    pub(super) edits_file: Option<PathBuf>,
    /// The values that the code of the templates returned.
    pub(super) evaluated: Vec<EvaluatedValue>,
    /// The elements that the overlays matched.
    pub(super) matches: Vec<OverlayMatch>,
    /// The values that the overlays were merged into.
    pub(super) merges: Vec<OverlayMerge>,
    /// The files of the build, by their paths in it.
    pub(super) files: Vec<TargetFile>,
}

impl Analysis {
    /// Keeps the results of an earlier build that this build does not have. After a mistake,
    /// completion continues to use them.
    pub(super) fn complete_from(&mut self, former: Analysis) {
        if self.values.is_none() {
            self.values = former.values;
        }
        if self.files.is_empty() {
            self.files = former.files;
        }
        if self.merges.is_empty() {
            self.merges = former.merges;
        }
        if self.objects.is_empty() {
            self.objects = former.objects;
        }
        // The file may be in a state in which it is not found by its name.
        self.edits_file = self.edits_file.take().or(former.edits_file);
    }
}

/// A file of a build.
#[derive(Clone, Debug)]
pub(super) struct TargetFile {
    /// The path by which code loads it.
    pub(super) path: String,
    /// The place of the file.
    pub(super) place: PathBuf,
}

/// Builds a target with `texts` in place of the files at these canonical paths.
pub(super) fn analyze(
    world: &dyn World,
    target: &Target,
    texts: BTreeMap<PathBuf, Arc<str>>,
) -> Analysis {
    // Of the texts that changed since the last build, the old trees are not needed any more.
    forget_unused();
    let world = Unsaved::new(world, texts);
    let mut diagnostics = Diagnostics::default();
    let mut analysis = Analysis::default();
    let outcome = match target {
        Target::Build(build) => analyze_build(&world, build, &mut analysis, &mut diagnostics),
        Target::Kustomization(folder) => {
            // The build reports the same mistakes.
            let mut ignored = Diagnostics::default();
            let objects = kustomization::included(&world, folder, &mut ignored);
            analysis.objects = objects.unwrap_or_default();
            analysis.edits_file = kustomization_in(&world, folder);
            let options = KustomizationOptions::default();
            let recorder = Recorder::off();
            kustomization::build(&world, folder, &options, recorder, &mut diagnostics).map(drop)
        }
        Target::Configuration(configuration) => {
            analysis.objects = objects_in(&world, &configuration.resources);
            analysis.edits_file = Some(configuration.file.clone());
            let objects = analysis.objects.clone();
            run_configuration(&world, configuration, objects, &mut diagnostics)
        }
        Target::Yaml(path) => read_yaml(&world, path, &mut diagnostics),
    };
    debug_assert_eq!(
        outcome.is_err(),
        diagnostics.failed(),
        "a failure is reported"
    );
    hide_secrets(&mut diagnostics);
    analysis.diagnostics = diagnostics.as_slice().to_vec();
    analysis
}

fn analyze_build(
    world: &dyn World,
    target: &BuildTarget,
    analysis: &mut Analysis,
    diagnostics: &mut Diagnostics,
) -> Result<(), Reported> {
    let reader = InputReader::new(world, SymlinkDestinations::default());
    let mut files: Vec<InputFile> = Vec::new();
    for place in &target.files {
        files.extend(diagnostics.check(reader.at(place))?);
    }
    for file in &files {
        if let Some(place) = file.place() {
            analysis.files.push(TargetFile {
                path: file.path.to_string(),
                place: place.to_owned(),
            });
        }
    }
    let names = target.data_values_files.iter();
    let flags = DataValuesFlags {
        data_values_files: names
            .map(|place| place.to_string_lossy().into_owned())
            .collect(),
        ..DataValuesFlags::default()
    };
    let data_values = flags.read(&[], &reader, world, false, diagnostics)?;
    reader.report_warnings(diagnostics);
    let journal = Journal::of_matches();
    let findings = ValuesFindings::default();
    let input = BuildInput {
        data_values: &data_values,
        recorder: journal.recorder(),
        findings: Some(&findings),
        ..BuildInput::of_files(&files, world)
    };
    let rendered = workspace::build(&input, diagnostics);
    // A failed build may still have computed the values and applied the overlays before the mistake.
    analysis.values = outline(&findings);
    let records = journal.into_records();
    (analysis.matches, analysis.merges) = (records.matches, records.merges);
    analysis.evaluated = evaluated_values(&rendered?);
    Ok(())
}

/// Returns the data values as the schema declares them. Without a schema, returns their values.
fn outline(findings: &ValuesFindings) -> Option<ValueOutline> {
    match findings.schema() {
        Some(schema) if schema.is_declared() => Some(schema.outline()),
        _ => findings.values().map(ValueOutline::of_values),
    }
}

/// Returns the objects in files and folders that a configuration would edit. Files that cannot be
/// read are left out: they are inputs of other programs, or are being typed.
fn objects_in(world: &dyn World, places: &[PathBuf]) -> Vec<Resource> {
    let reader = InputReader::new(world, SymlinkDestinations::default());
    let mut objects = Vec::new();
    for place in places {
        let Ok(files) = reader.at(place) else {
            continue;
        };
        for file in files {
            if let Some(stream) = stream_of(world, &file) {
                add_objects(&stream, &mut objects);
            }
        }
    }
    objects
}

/// Parses a file of YAML; `None` if that is not possible.
fn stream_of(world: &dyn World, file: &InputFile) -> Option<Stream> {
    if !is_yaml(&file.path.to_string()) {
        return None;
    }
    let source = read_found(world, file.place()?).ok()?;
    parse(&source).ok()
}

fn add_objects(stream: &Stream, objects: &mut Vec<Resource>) {
    if is_template(stream) || crate::krm::is_surely_configuration(stream) {
        return;
    }
    for document in &stream.documents {
        if document.root.get("kind").is_some()
            && let Ok(object) = Resource::new(Arc::clone(&document.root))
        {
            objects.push(object);
        }
    }
}

fn is_yaml(path: &str) -> bool {
    path.ends_with(".yaml") || path.ends_with(".yml")
}

/// The mistakes in templates and their data values, which do not depend on the objects.
const TEMPLATE_CODES: [Code; 9] = [
    Code::ScriptSyntax,
    Code::UndefinedName,
    Code::Script,
    Code::Annotation,
    Code::Schema,
    Code::DataValue,
    Code::DataValues,
    Code::Load,
    Code::Library,
];

/// Reads a configuration, and applies it to the objects. If no settings mention the configuration,
/// there may be other objects elsewhere, so mistakes that depend on the objects are left out.
fn run_configuration(
    world: &dyn World,
    target: &ConfigurationTarget,
    mut objects: Vec<Resource>,
    diagnostics: &mut Diagnostics,
) -> Result<(), Reported> {
    let folder = Folder::new(world, target.file.parent().unwrap_or(Path::new("")));
    let source = diagnostics.check(read_found(world, &target.file))?;
    let configurations = crate::krm::read_configurations(&source, &folder, diagnostics)?;
    let mut found = Diagnostics::default();
    for configuration in &configurations {
        let run = ConfigurationRun {
            configuration,
            role: PluginRole::Transformer,
            folder: &folder,
            recorder: Recorder::off(),
        };
        let Ok(edited) = run.apply(objects, &mut found) else {
            break;
        };
        objects = edited;
    }
    if !target.has_all_resources {
        found.retain(|diagnostic| TEMPLATE_CODES.contains(&diagnostic.code));
    }
    diagnostics.append(found);
    diagnostics.outcome()
}

fn read_yaml(
    world: &dyn World,
    path: &Path,
    diagnostics: &mut Diagnostics,
) -> Result<(), Reported> {
    let source = diagnostics.check(read_found(world, path))?;
    // Files with other templates in them (`{{ … }}`) are not YAML yet, and not this program's.
    if source.text().contains("{{") {
        return Ok(());
    }
    let stream = diagnostics.check(parse(&source))?;
    for warning in stream.warnings() {
        diagnostics.push(warning);
    }
    Ok(())
}
