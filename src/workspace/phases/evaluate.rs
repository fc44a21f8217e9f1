//! The evaluation phase: each file becomes documents, text, or definitions.
//!
//! A file without code is done when it is parsed. One with code is compiled and run by the rooms `template` and `script`,
//! in a [`Library`] that finds the other files of this build for it.

use std::rc::Rc;
use std::sync::Arc;

use super::instance::{Instance, Prepared};
use super::overlay::{BuiltFile, apply_overlays};
use super::parse::{Content, is_module};
use super::run::Run;
use super::{Rendered, RenderedText};
use crate::script::{Definitions, Evaluated, Library, Program};
use crate::source::{Code, Diagnostic, Diagnostics, Result};
use crate::template;
use crate::workspace::file::{InputFile, Role};
use crate::workspace::library::Place;
use crate::yaml::Node;

/// What the files of an instance give.
#[derive(Default)]
pub(super) struct Evaluation {
    pub(super) rendered: Rendered,
    /// What each library file defines, in the order of the tree, by its index.
    pub(super) definitions: Vec<(usize, Definitions)>,
}

/// What one file gives.
pub(super) enum Outcome {
    Yaml(BuiltFile),
    Text(RenderedText),
    Definitions(Definitions),
    /// The file is evaluated for what its code does.
    Nothing,
}

/// Evaluates the files of an instance, and applies its overlays to them and to `resources`. `None` where that failed, and `diagnostics` says what is wrong in all files.
pub(super) fn evaluate(
    run: &Run<'_>,
    instance: &Rc<Instance>,
    prepared: &Prepared,
    resources: &[Arc<Node>],
    diagnostics: &mut Diagnostics,
) -> Option<Evaluation> {
    let library = run.library(instance, &prepared.values.exported);
    let mut evaluation = Evaluation::default();
    let mut yaml = Vec::new();
    for &index in &prepared.order {
        let place = Place {
            file: index,
            root: instance.root,
        };
        match run.take(evaluate_file(run, instance, place, &library), diagnostics) {
            Some(Outcome::Yaml(documents)) => yaml.push((index, documents)),
            Some(Outcome::Text(text)) => evaluation.rendered.texts.push(text),
            Some(Outcome::Definitions(definitions)) => {
                evaluation.definitions.push((index, definitions))
            }
            Some(Outcome::Nothing) | None => {}
        }
    }
    if !diagnostics.failed() {
        instance.check_addressed(diagnostics);
    }
    if diagnostics.failed() {
        return None;
    }
    yaml.sort_by_key(|(index, _)| *index);
    let yaml = yaml.into_iter().map(|(_, documents)| documents).collect();
    let rendered = &mut evaluation.rendered;
    (rendered.resources, rendered.yaml) = apply_overlays(&library, resources, yaml, diagnostics)?;
    Some(evaluation)
}

/// Evaluates one file.
pub(super) fn evaluate_file(
    run: &Run<'_>,
    instance: &Instance,
    place: Place,
    library: &Library<'_>,
) -> Result<Outcome> {
    let file = run.programs.file(place.file)?;
    let path = file.path.clone();
    let content = run.programs.content(place.file)?;
    let plain = match (&*content, file.role()) {
        (Content::Yaml(stream), _) => {
            let file = |documents| BuiltFile {
                path: path.clone(),
                documents,
                plain: Some(Arc::clone(stream)),
            };
            (!template::is_template(stream))
                .then(|| Outcome::Yaml(file(template::plain_documents(stream))))
        }
        (Content::Bytes(_), Role::Data) => {
            let message = format!("expected YAML or text for output, found data in `{path}`");
            return Err(Diagnostic::error(Code::Flag, message).help(format!(
                "give it a type as well: `--file-mark {path}:type=text-plain`"
            )));
        }
        (Content::Bytes(content), _) => Some(Outcome::Text(RenderedText {
            path: path.clone(),
            content: content.clone(),
        })),
        (Content::Text(_), _) => None,
    };
    let program = || run.programs.program(place, instance.options);
    let outcome = match plain {
        Some(outcome) => outcome,
        None if is_module(file) && !file.is_output() => library
            .definitions(&program()?)?
            .map_or(Outcome::Nothing, Outcome::Definitions),
        None => match evaluate_program(file, &program()?, library)? {
            Evaluated::Documents(documents) => Outcome::Yaml(BuiltFile {
                path,
                documents,
                plain: None,
            }),
            Evaluated::Text(text) => Outcome::Text(RenderedText {
                path,
                content: text.into_bytes(),
            }),
            Evaluated::Names | Evaluated::LeftOut => Outcome::Nothing,
        },
    };
    Ok(match outcome {
        Outcome::Definitions(_) => outcome,
        _ if file.is_output() => outcome,
        _ => Outcome::Nothing,
    })
}

fn evaluate_program(
    file: &InputFile,
    program: &Arc<Program>,
    library: &Library<'_>,
) -> Result<Evaluated> {
    if file.is_library() {
        library.evaluate_module(program)
    } else {
        library.evaluate(program)
    }
}
