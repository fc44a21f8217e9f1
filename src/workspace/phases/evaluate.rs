//! The evaluation phase: each file becomes documents, a text, or definitions.
//!
//! A file without code is finished after parsing. A file with code is compiled by `template` and
//! run by `script`, in a [`Library`] that finds the other files of the build.

use std::sync::Arc;

use super::content::FileContent;
use super::library_build::LibraryBuild;
use super::overlay::{BuiltFile, DeferredFile};
use crate::script::{Definitions, Evaluated, Library};
use crate::source::{Code, Diagnostic, Reported, Result};
use crate::template;
use crate::workspace::file::{FileRole, InputFile};
use crate::workspace::rendered::RenderedText;

/// The output of the files of a library.
#[derive(Default)]
pub(super) struct EvaluatedFiles {
    /// The documents, in the order of the files.
    pub(super) yaml: Vec<BuiltFile>,
    /// The texts, in the order of the tree.
    pub(super) texts: Vec<RenderedText>,
    /// The definitions, in the order of the tree.
    pub(super) definitions: Vec<FileDefinitions>,
}

/// The names that a module defines.
pub(super) struct FileDefinitions {
    /// The index of the file.
    pub(super) index: usize,
    pub(super) definitions: Definitions,
}

/// The output of one file.
pub(super) enum FileOutput {
    Yaml(BuiltFile),
    Text(RenderedText),
    Definitions(Definitions),
    /// The file is only evaluated for the effects of its code.
    Nothing,
}

/// Evaluates files of a library, which are in the order of the tree.
///
/// # Errors
/// Reports the mistakes of all files, and values for private libraries that no file evaluates.
pub(super) fn evaluate(
    build: &mut LibraryBuild<'_, '_>,
    library: &Library<'_>,
    files: &[usize],
) -> Result<EvaluatedFiles, Reported> {
    let mut evaluated = EvaluatedFiles::default();
    let mut yaml = Vec::new();
    let mut outcome = Ok(());
    for &index in files {
        let output = evaluate_file(build, library, index);
        match build.context.check_evaluation(output, build.diagnostics) {
            Ok(FileOutput::Yaml(file)) => yaml.push((index, file)),
            Ok(FileOutput::Text(text)) => evaluated.texts.push(text),
            Ok(FileOutput::Definitions(definitions)) => {
                evaluated
                    .definitions
                    .push(FileDefinitions { index, definitions });
            }
            Ok(FileOutput::Nothing) => {}
            Err(reported) => outcome = Err(reported),
        }
    }
    // Only check this if all files were evaluated, because a file that failed might have used the
    // values.
    outcome = outcome.and_then(|()| build.instance.check_forwarded(build.diagnostics));
    if let Err(reported) = outcome {
        // No later phase will read the deferred files.
        let deferred = yaml.iter().filter_map(|(_, file)| file.deferred.as_ref());
        for DeferredFile { index, source } in deferred {
            build.context.contents.warn_about_deferred(*index, source);
        }
        return Err(reported);
    }

    // Files are evaluated in the order of the tree, but printed in the order in which they were
    // given.
    yaml.sort_by_key(|(index, _)| *index);
    evaluated.yaml = yaml.into_iter().map(|(_, file)| file).collect();
    Ok(evaluated)
}

/// Evaluates one file.
pub(super) fn evaluate_file(
    build: &LibraryBuild<'_, '_>,
    library: &Library<'_>,
    index: usize,
) -> Result<FileOutput> {
    let file = build.context.contents.file(index)?;
    let content = build.context.contents.content(index)?;
    let output = match &*content {
        // Invariant: a file without code never enters Starlark.
        FileContent::Yaml(stream) if !template::is_template(stream) => {
            if file.is_output() {
                build.context.contents.warn_about_repeated_keys(stream);
            }
            FileOutput::Yaml(BuiltFile {
                path: file.path.clone(),
                documents: template::plain_documents(stream),
                plain: Some(Arc::clone(stream)),
                printed: None,
                deferred: None,
            })
        }
        FileContent::Printed(printed) => FileOutput::Yaml(BuiltFile {
            path: file.path.clone(),
            documents: Vec::new(),
            plain: None,
            printed: Some(Arc::clone(printed)),
            deferred: None,
        }),
        FileContent::Deferred(source) => FileOutput::Yaml(BuiltFile {
            path: file.path.clone(),
            documents: Vec::new(),
            plain: None,
            printed: None,
            deferred: Some(DeferredFile {
                index,
                source: Arc::clone(source),
            }),
        }),
        FileContent::Bytes(_) if file.role() == FileRole::Data => return Err(data_as_output(file)),
        FileContent::Bytes(content) => FileOutput::Text(RenderedText {
            path: file.path.clone(),
            content: content.clone(),
        }),
        FileContent::Yaml(_) | FileContent::Text(_) => run(build, library, file, index)?,
    };
    // A file that is not output may still be evaluated for its definitions or effects.
    match output {
        FileOutput::Definitions(_) => Ok(output),
        _ if file.is_output() => Ok(output),
        _ => Ok(FileOutput::Nothing),
    }
}

/// Runs the program of a file.
fn run(
    build: &LibraryBuild<'_, '_>,
    library: &Library<'_>,
    file: &InputFile,
    index: usize,
) -> Result<FileOutput> {
    let program = build.program(index)?;
    if file.is_module() && !file.is_output() {
        return Ok(match library.definitions(&program)? {
            Some(definitions) => FileOutput::Definitions(definitions),
            None => FileOutput::Nothing,
        });
    }
    // A module that is also output runs only once, whether it is loaded before or after.
    let evaluated = if file.is_library() {
        library.evaluate_module(&program)?
    } else {
        library.evaluate(&program)?
    };
    Ok(match evaluated {
        Evaluated::Documents(documents) => FileOutput::Yaml(BuiltFile {
            path: file.path.clone(),
            documents,
            plain: None,
            printed: None,
            deferred: None,
        }),
        Evaluated::Text(text) => FileOutput::Text(RenderedText {
            path: file.path.clone(),
            content: text.into_bytes(),
        }),
        Evaluated::Names | Evaluated::LeftOut => FileOutput::Nothing,
    })
}

fn data_as_output(file: &InputFile) -> Box<Diagnostic> {
    let path = &file.path;
    let message = format!("expected YAML or text for output, found data in `{path}`");
    Diagnostic::error(Code::Flag, message).help(format!(
        "give it a type as well: `--file-mark {path}:type=text-plain`"
    ))
}
