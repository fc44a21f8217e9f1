//! The evaluation phase: each file becomes documents or text.
//!
//! A file without code is done when it is parsed. One with code is compiled and run by the rooms `template` and `script`,
//! in a [`Library`] that finds the other files of this build for it.

use std::io::Write;
use std::sync::Arc;

use super::overlay::{BuiltFile, apply_overlays};
use super::parse::{Content, Parsed};
use super::programs::{Programs, plain_documents};
use super::{Input, Rendered, RenderedText};
use crate::overlay;
use crate::script::{Evaluated, Library, Limits, Session};
use crate::source::{Code, Diagnostic, Diagnostics, Result};
use crate::workspace::file::{InputFile, Role};
use crate::workspace::library::LibraryTree;
use crate::yaml::Node;

/// What one file gives.
pub(super) enum Outcome {
    Yaml(usize, BuiltFile),
    Text(RenderedText),
    /// The file is evaluated for what it defines.
    Nothing,
}

/// Evaluates the files in their order. `None` where that failed, and `diagnostics` says what is wrong in all files.
pub(super) fn evaluate(
    input: &Input<'_>,
    tree: &LibraryTree<'_>,
    parsed: Vec<Parsed>,
    diagnostics: &mut Diagnostics,
) -> Option<Rendered> {
    let Input { files, resources, values, world, options } = *input;
    let session = Session::new(Limits::default(), print).with_module(overlay::module());
    let order: Vec<usize> = parsed.iter().map(|parsed| parsed.file).collect();
    let programs = Programs::new(files, tree, parsed, world, options);
    let values = values.map_or_else(|| Node::mapping(Vec::new()), Arc::clone);
    let library = diagnostics.take(Library::new(&session, &programs, &values))?;
    let mut rendered = Rendered::default();
    let mut yaml: Vec<(usize, BuiltFile)> = Vec::new();
    for index in order {
        let Some(file) = files.get(index) else { continue };
        match diagnostics.take(evaluate_file(index, file, &programs, &library)) {
            Some(Outcome::Yaml(index, documents)) => yaml.push((index, documents)),
            Some(Outcome::Text(text)) => rendered.texts.push(text),
            Some(Outcome::Nothing) | None => {}
        }
    }
    yaml.sort_by_key(|(index, _)| *index);
    if diagnostics.failed() {
        return None;
    }
    let yaml = yaml.into_iter().map(|(_, documents)| documents).collect();
    (rendered.resources, rendered.yaml) = apply_overlays(&library, resources, yaml, diagnostics)?;
    Some(rendered)
}

/// Shows what code prints. Nothing can be done where standard error itself is gone.
pub(super) fn print(text: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{text}");
}

/// Evaluates one file.
pub(super) fn evaluate_file(
    index: usize,
    file: &InputFile,
    programs: &Programs<'_>,
    library: &Library<'_>,
) -> Result<Outcome> {
    let path = file.path.clone();
    let plain = programs.content(index, |content| match (content, file.role()) {
        (Content::Yaml(stream), _) => Ok(plain_documents(stream).map(|documents| {
            Outcome::Yaml(index, BuiltFile { path: path.clone(), documents, plain: Some(Arc::clone(stream)) })
        })),
        (Content::Bytes(_), Role::Data) => {
            let message = format!("expected YAML or text for output, found data in `{path}`");
            Err(Diagnostic::error(Code::Flag, message)
                .help(format!("give it a type as well: `--file-mark {path}:type=text-plain`")))
        }
        (Content::Bytes(content), _) => {
            Ok(Some(Outcome::Text(RenderedText { path: path.clone(), content: content.clone() })))
        }
        (Content::Text(_), _) => Ok(None),
    })?;
    let outcome = match plain {
        Some(outcome) => outcome,
        None => match library.evaluate(&programs.program(programs.place(index))?)? {
            Evaluated::Documents(documents) => Outcome::Yaml(index, BuiltFile { path, documents, plain: None }),
            Evaluated::Text(text) => Outcome::Text(RenderedText { path, content: text.into_bytes() }),
            Evaluated::Names => Outcome::Nothing,
        },
    };
    Ok(if file.is_output() { outcome } else { Outcome::Nothing })
}
