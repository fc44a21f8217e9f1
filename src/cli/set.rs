//! `inlay set FILE PATH=VALUE…`

use std::sync::Arc;

use super::arguments::{LayoutName, Set, TypeName};
use super::assignment::Assignment;
use super::{Ending, Outcome, input, output};
use crate::edit::{DocumentLayout, EditFailure, EditOptions, TypePolicy, fit, update};
use crate::kubernetes::text_fields;
use crate::source::world::World;
use crate::source::{Code, Diagnostic, Diagnostics, Result};
use crate::yaml::{Node, Stream, faithful, measure};

/// Writes the values and prints the file, or writes it in place.
pub(super) fn set(world: &dyn World, arguments: &Set, diagnostics: &mut Diagnostics) -> Outcome {
    let input = input::read(world, &arguments.file)?;
    let mut roots: Vec<Arc<Node>> = input
        .stream
        .documents
        .iter()
        .map(|document| Arc::clone(&document.root))
        .collect();
    for assignment in &arguments.assignments {
        diagnostics.take(assign(&mut roots, assignment, arguments, &input.stream));
    }
    if diagnostics.failed() {
        return Ok(Ending::Success);
    }
    let text = faithful::print(&input.stream, &roots);
    if !arguments.in_place {
        output::print(text.as_bytes())?;
    } else if text != input.stream.source.text() {
        output::write_files(world, &[(&input.path, &text)])?;
    }
    Ok(Ending::Success)
}

/// Writes one value in every document that has the path; with `--create`, in every document.
fn assign(
    roots: &mut [Arc<Node>],
    assignment: &Assignment,
    arguments: &Set,
    stream: &Stream,
) -> Result<()> {
    let Assignment { path, value } = assignment;
    let policy = match arguments.type_policy {
        TypeName::Keep => TypePolicy::Keep,
        TypeName::String => TypePolicy::String,
        TypeName::Infer => TypePolicy::Infer,
    };
    let layout = match arguments.layout {
        LayoutName::Keep => DocumentLayout::Keep,
        LayoutName::Canonical => DocumentLayout::Canonical,
    };
    measure(value, path.segments().len())?;
    let write = |root: &Arc<Node>, create: bool| {
        let options = EditOptions {
            create,
            format: arguments.format,
            layout,
            text_fields: text_fields(root),
            text_format: stream.syntax.into(),
            has_aliases: stream.has_aliases,
        };
        update(root, path, &options, &mut |target| {
            fit(value, &target, policy).map(Some)
        })
    };
    let mut found = false;
    let mut missing: Option<EditFailure> = None;
    for root in &mut *roots {
        match write(root, arguments.create) {
            Ok(changed) => {
                found = true;
                *root = changed.unwrap_or_else(|| Arc::clone(root));
            }
            Err(EditFailure::Diagnostic(diagnostic)) => return Err(diagnostic),
            Err(failure) => {
                missing = Some(match missing {
                    Some(earlier) => earlier.or_deeper(failure),
                    None => failure,
                });
            }
        }
    }
    match missing {
        Some(failure) if !found => {
            let diagnostic = failure.diagnostic(|| format!("unable to find field \"{path}\""));
            let makeable = !arguments.create && roots.iter().any(|root| write(root, true).is_ok());
            Err(diagnostic
                .help_if(makeable.then(|| "give `--create` to make what is missing".to_owned())))
        }
        None if !found => Err(Diagnostic::error(
            Code::PathNotFound,
            "expected a document to write to, found none",
        )),
        _ => Ok(()),
    }
}
