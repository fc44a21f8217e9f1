//! Carrying out replacements: one value read, and written to every target.

use std::sync::Arc;

use super::options::Options;
use super::read::read;
use super::{Replacement, Target, value};
use crate::edit::{self, EditFailure, FieldPath, TypePolicy};
use crate::kubernetes::{Names, Resource, near_miss, text_fields};
use crate::source::{Code, Diagnostic, Diagnostics, Result};
use crate::typed::Spanned;
use crate::yaml::{Node, measure};

/// Carries out the replacements in order; each sees what those before it did.
///
/// Every replacement, target and field path that fails adds an error, and the others go on. After an error `resources`
/// is to be thrown away. `names` are those of `resources`.
pub fn apply(
    replacements: &[Replacement],
    resources: &mut [Resource],
    names: &mut Names,
    diagnostics: &mut Diagnostics,
) {
    for replacement in replacements {
        if diagnostics.is_full() {
            return;
        }
        let Some(value) = read(&replacement.source, resources, names, diagnostics) else {
            continue;
        };
        for target in &replacement.targets {
            write_target(&value, target, resources, names, diagnostics);
        }
    }
}

/// Writes `value` at every path of every object that `target` chooses.
fn write_target(
    value: &Arc<Node>,
    target: &Target,
    resources: &mut [Resource],
    names: &mut Names,
    diagnostics: &mut Diagnostics,
) {
    let mut paths = Vec::with_capacity(target.field_paths.len());
    for written in &target.field_paths {
        paths.extend(
            diagnostics
                .take(parse_path(written))
                .map(|path| (path, written)),
        );
    }
    let mut found = false;
    for at in names.candidates(target.select.name(), resources) {
        let Some(resource) = resources
            .get_mut(at)
            .filter(|resource| target.selects(resource))
        else {
            continue;
        };
        found = true;
        for (path, written) in &paths {
            let written_to = write(value, path, target, resource, diagnostics);
            let is_absent = written_to.as_ref().is_err_and(EditFailure::is_absent);
            if is_absent && target.options.ignores_missing() {
                continue;
            }
            let message = || {
                let verb = if target.options.create() {
                    "find or create"
                } else {
                    "find"
                };
                format!("unable to {verb} field \"{path}\" in replacement target")
            };
            let outcome = written_to
                .map_err(|failure| failure.diagnostic(message))
                .map_err(|error| {
                    error
                        .about(resource.object_reference())
                        .in_field(&*written.value)
                        .at(written.location.clone(), "the field path")
                });
            diagnostics.take(outcome);
        }
        names.changed(at, resource);
        if diagnostics.is_full() {
            return;
        }
    }
    if !found && !target.options.ignores_missing() {
        diagnostics.push(nothing_written(target, resources));
    }
}

/// What to say of a target that writes to no object: an edit that matches nothing is an error, unless `reject` says
/// that it shall not match.
fn nothing_written(target: &Target, resources: &[Resource]) -> Box<Diagnostic> {
    let rejected = resources
        .iter()
        .filter(|resource| target.select.selects(resource))
        .count();
    if rejected > 0 {
        let objects = if rejected == 1 {
            "the only object"
        } else {
            "every object"
        };
        let message = format!("nothing is written: {objects} that the target selects is rejected");
        return Diagnostic::warning(Code::Selector, message)
            .at(target.location.clone(), "the target");
    }
    let message = format!("nothing selected by target `{}`", target.select);
    let diagnostic = Diagnostic::error(Code::Selector, message)
        .at(target.select_location.clone(), "the selector");
    near_miss::explain(diagnostic, &target.select.parts(), resources)
}

pub(super) fn parse_path(path: &Spanned<String>) -> Result<FieldPath> {
    FieldPath::parse(&path.value).map_err(|error| error.at(path.location.clone(), ""))
}

/// Writes `value` at one path of one resource.
fn write(
    value: &Arc<Node>,
    path: &FieldPath,
    target: &Target,
    resource: &mut Resource,
    diagnostics: &mut Diagnostics,
) -> std::result::Result<(), EditFailure> {
    let options = edit::EditOptions {
        create: target.options.create(),
        format: target.options.format(),
        layout: target.options.layout(),
        text_fields: text_fields(&resource.node),
        text_format: resource.syntax.into(),
        has_aliases: resource.has_aliases,
    };
    measure(value, path.segments().len())?;
    let mut is_mistyped = false;
    let changed = edit::update(&resource.node, path, &options, &mut |found| {
        let new = value::put(value, &found, &target.options)?;
        let keeps_number = is_new_text(&found, &target.options)
            && value.text().is_some()
            && value.as_str().is_none();
        is_mistyped |= keeps_number;
        Ok(Some(if keeps_number {
            Node::plain(value.text().unwrap_or_default())
        } else {
            new
        }))
    });
    if is_mistyped {
        diagnostics.push(mistyped(value, path, target, resource));
    }
    if let Some(node) = changed? {
        if node.resolved().as_mapping().is_none() {
            let message = format!(
                "expected a mapping to write over the whole object, found {}",
                node.described()
            );
            return Err(Diagnostic::error(Code::ValueDoesNotFit, message)
                .at(value.location(), "the value")
                .into());
        }
        resource.node = node;
    }
    Ok(())
}

/// Whether a value is made in a text field, in the type that it has.
fn is_new_text(found: &edit::EditTarget<'_>, options: &Options) -> bool {
    let keeps = options.value_type() == TypePolicy::Keep && !options.makes_text();
    keeps && found.current.is_none() && found.text_field.is_some()
}

/// kustomize writes a number as one where the API server takes only strings; so does Inlay, but says so.
fn mistyped(
    value: &Node,
    path: &FieldPath,
    target: &Target,
    resource: &Resource,
) -> Box<Diagnostic> {
    let message = format!(
        "{} is made where only strings are accepted: `{path}`",
        value.described()
    );
    Diagnostic::warning(Code::ValueDoesNotFit, message)
        .at(target.location.clone(), "by this target")
        .at(value.location(), "the value")
        .help("write `type: string` into the `options` of the target")
        .about(resource.object_reference())
        .in_field(path.to_string())
}
