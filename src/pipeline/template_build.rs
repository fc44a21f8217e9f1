//! The templates and overlays of a configuration, as a ytt build that includes the resources.

use std::sync::Arc;

use super::{Configuration, ConfigurationRun, rendered};
use crate::kubernetes::{Resource, start_records};
use crate::source::suggest::list;
use crate::source::world::{Folder, RelativePath, SymlinkDestinations};
use crate::source::{Code, Diagnostic, Diagnostics, Reported, Result, Severity};
use crate::typed::Spanned;
use crate::workspace::{
    self, BuildInput, BuildOptions, DataValuesFlags, InputFile, InputReader, Rendered,
    RenderedText, ValuesDocument, report_repeated_keys,
};
use crate::yaml::{Node, is_empty};

/// The input of a build: templates, overlays, modules, schemas and data values. The annotations of
/// each file determine its role.
#[derive(Clone, Debug, Default)]
pub struct TemplateBuild {
    /// Data Values Files: plain YAML, below the folder of the configuration.
    pub values_files: Vec<Spanned<RelativePath>>,
    /// Additional data values, as a mapping. They are applied after those of the files.
    pub values: Option<Arc<Node>>,
    /// Data values of the caller, from flags. They are applied last.
    pub given_values: Vec<ValuesDocument>,
    /// Files and folders below the folder of the configuration. They come before `files`.
    pub paths: Vec<Spanned<RelativePath>>,
    /// Files that the configuration itself contains.
    pub files: Vec<InputFile>,
    /// The options for reading templates, including those in values of generators.
    pub options: BuildOptions,
}

impl TemplateBuild {
    /// Returns whether the build has no effect. Neither values alone nor data files that no
    /// template reads have an effect.
    pub fn is_empty(&self) -> bool {
        self.paths.is_empty() && !self.files.iter().any(InputFile::is_evaluated)
    }
}

/// Runs the build, and returns the resources together with the rendered ones.
///
/// The build gets the resources as documents that are not evaluated, so that overlays can match
/// them. A resource that no overlay changes keeps its node.
///
/// # Errors
/// Reports every mistake in the files, and documents that are not objects.
pub(super) fn render(
    run: ConfigurationRun<'_>,
    resources: Vec<Resource>,
    diagnostics: &mut Diagnostics,
) -> Result<Vec<Resource>, Reported> {
    let ConfigurationRun {
        configuration,
        recorder,
        ..
    } = run;
    if configuration.build.is_empty() {
        return Ok(resources);
    }
    // Generators may have failed before. Only errors of this step make it fail, so that the errors
    // of both are reported together.
    let errors_before = diagnostics.errors();
    let rendered = build_templates(run, &resources, diagnostics)?;
    if rendered.is_idle() {
        report_idle(configuration, &rendered.texts, diagnostics)?;
        return Ok(resources);
    }
    for text in &rendered.texts {
        diagnostics.push(ignored_text(text));
    }
    let (mut resources, mut added) =
        rendered::put_back(resources, rendered.resources, recorder, diagnostics);
    // The changes by overlays are already recorded, so record only changes from here on.
    start_records(&mut resources, recorder);
    for file in rendered.yaml {
        for document in file.documents {
            if !is_empty(document.resolved()) {
                added.push(document);
            }
        }
    }
    rendered::add(&mut resources, &added, recorder, diagnostics);
    if diagnostics.errors() > errors_before {
        diagnostics.outcome()?;
    }
    Ok(resources)
}

/// Runs the build of a configuration with the resources as its documents.
///
/// # Errors
/// Reports every mistake in the files.
fn build_templates(
    run: ConfigurationRun<'_>,
    resources: &[Resource],
    diagnostics: &mut Diagnostics,
) -> Result<Rendered, Reported> {
    let folder = run.folder;
    let build = &run.configuration.build;
    let files = input_files(build, folder, diagnostics)?;
    let values = data_values(build, folder, diagnostics)?;
    let roots = resources.iter().map(|resource| Arc::clone(&resource.node));
    let roots: Vec<Arc<Node>> = roots.collect();
    let input = BuildInput {
        resources: &roots,
        data_values: &values,
        options: build.options,
        recorder: run.recorder,
        ..BuildInput::of_files(&files, folder.world())
    };
    workspace::build(&input, diagnostics)
}

/// Reports a build that renders no objects and changes none.
///
/// # Errors
/// Fails if the rest of the configuration has no effect either.
fn report_idle(
    configuration: &Configuration,
    texts: &[RenderedText],
    diagnostics: &mut Diagnostics,
) -> Result<(), Reported> {
    let message = idle(configuration, texts);
    if message.severity == Severity::Error {
        return Err(diagnostics.report(message));
    }
    diagnostics.push(message);
    Ok(())
}

/// Returns the message about files that neither render documents nor change resources: modules,
/// data values, texts. It is an error if the rest of the configuration has no effect either.
fn idle(configuration: &Configuration, texts: &[RenderedText]) -> Box<Diagnostic> {
    let edits_more = !configuration.generators.is_empty()
        || !configuration.patches.is_empty()
        || !configuration.replacements.is_empty();
    let diagnostic = if edits_more {
        let message = "the files of the configuration have no effect";
        Diagnostic::warning(Code::Config, message)
    } else {
        Diagnostic::error(Code::Config, "the configuration does nothing")
    };
    let names: Vec<String> = texts.iter().map(|text| text.path.to_string()).collect();
    let found = match names.as_slice() {
        [] => "modules and data values".to_owned(),
        _ => format!("texts: {}", list(names.iter().map(String::as_str))),
    };
    diagnostic
        .at(configuration.place.clone(), "")
        .note(format!(
            "no file renders objects or changes them; there are only {found}"
        ))
        .help("add a template, or an overlay: YAML with `#@overlay/match`")
}

/// Returns the data values in the order in which they are applied.
///
/// # Errors
/// Reports files that cannot be read, or are not plain YAML.
fn data_values(
    build: &TemplateBuild,
    folder: &Folder<'_>,
    diagnostics: &mut Diagnostics,
) -> Result<Vec<ValuesDocument>, Reported> {
    let files = files_of(&build.values_files, folder, diagnostics)?;
    let reader = InputReader::new(folder.world(), SymlinkDestinations::All);
    let flags = DataValuesFlags::default();
    let mut values = flags.read(&files, &reader, folder.world(), false, diagnostics)?;
    if let Some(node) = &build.values {
        report_repeated_keys(node, diagnostics);
        values.push(diagnostics.check(ValuesDocument::plain(node))?);
    }
    values.extend(build.given_values.iter().cloned());
    Ok(values)
}

/// Reads the files of `paths`, and adds those that the configuration itself contains.
///
/// # Errors
/// Reports each path that cannot be read.
fn input_files(
    build: &TemplateBuild,
    folder: &Folder<'_>,
    diagnostics: &mut Diagnostics,
) -> Result<Vec<InputFile>, Reported> {
    let mut files = files_of(&build.paths, folder, diagnostics)?;
    files.extend(build.files.iter().cloned());
    Ok(files)
}

/// Returns the files at the paths of a configuration.
///
/// # Errors
/// Reports each path that cannot be read.
fn files_of(
    paths: &[Spanned<RelativePath>],
    folder: &Folder<'_>,
    diagnostics: &mut Diagnostics,
) -> Result<Vec<InputFile>, Reported> {
    let mut files = Vec::new();
    let mut outcome = Ok(());
    for path in paths {
        match files_at(&path.value, folder) {
            Ok(found) => files.extend(found),
            Err(error) => {
                outcome = Err(diagnostics.report(error.at(path.location.clone(), "named here")));
            }
        }
    }
    outcome.map(|()| files)
}

/// Returns the files at a path of the configuration: one file, or all files of a folder.
///
/// # Errors
/// Fails if nothing exists at the path, or if a file is not a regular file below a folder that the
/// configuration may read.
fn files_at(path: &RelativePath, folder: &Folder<'_>) -> Result<Vec<InputFile>> {
    let place = folder.place(path)?;
    let files = InputReader::new(folder.world(), SymlinkDestinations::All).at(&place)?;
    for file in &files {
        // A link in a folder may lead out of it.
        let place = file.place().unwrap_or(&place);
        let Some(real) = file.real() else {
            let message = format!(
                "cannot read `{}`: it is not a regular file",
                place.display()
            );
            return Err(Diagnostic::error(Code::File, message));
        };
        folder.check(place, real)?;
    }
    Ok(files)
}

/// Returns the warning about a text that templates rendered, because a stream of objects cannot
/// contain it.
fn ignored_text(text: &RenderedText) -> Box<Diagnostic> {
    let name = text.path.name();
    let stem = name.strip_suffix(".txt").unwrap_or(name);
    let message = format!("`{}` renders text, which is ignored here", text.path);
    Diagnostic::warning(Code::Output, message)
        .help(format!("if other files load it, name it `{stem}.lib.txt`"))
}
