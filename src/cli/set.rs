//! `inlay set FILE PATH=VALUE…`

use std::sync::Arc;

use super::arguments::{LayoutName, Set, TypeName};
use super::output::Reporter;
use super::{Ending, Outcome, get, input, output};
use crate::edit::{Failure, FieldPath, Layout, Options, TypePolicy, fit, update};
use crate::kustomize::text_fields;
use crate::source::world::World;
use crate::source::{Code, Diagnostic, Result, Source};
use crate::yaml::{Node, faithful, parse_data};

/// Writes the values and prints the file, or writes it in place.
pub(super) fn set(world: &dyn World, arguments: &Set, _reporter: &Reporter) -> Outcome {
    let input = input::read(world, &arguments.file)?;
    let mut roots: Vec<Arc<Node>> = input.stream.documents.iter().map(|document| Arc::clone(&document.root)).collect();
    for assignment in &arguments.assignments {
        let (path, value) = split(assignment)?;
        let (path, value) = (FieldPath::parse(path)?, parse_value(value)?);
        assign(&mut roots, &path, &value, arguments, input.stream.has_aliases)?;
    }
    let text = faithful::print(&input.stream, &roots);
    if !arguments.in_place {
        output::print(text.as_bytes())?;
    } else if text != input.stream.source.text() {
        write(world, &input, &text)?;
    }
    Ok(Ending::Success)
}

/// Writes a file in place.
pub(super) fn write(world: &dyn World, input: &input::Input, text: &str) -> Result<()> {
    let path = &input.path;
    if path.as_os_str() == "-" {
        return Err(Diagnostic::error(Code::File, "standard input cannot be written in place")
            .help("leave `--in-place` out to print the outcome"));
    }
    world
        .write(path, text.as_bytes())
        .map_err(|error| Diagnostic::error(Code::File, format!("cannot write `{}`: {error}", path.display())))
}

/// The path and the value of an assignment: they meet at the first `=` that stands outside brackets.
fn split(assignment: &str) -> Result<(&str, &str)> {
    let mut depth = 0_usize;
    for (at, c) in assignment.char_indices() {
        match c {
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            '=' if depth == 0 => return Ok((&assignment[..at], &assignment[at + 1..])),
            _ => {}
        }
    }
    Err(Diagnostic::error(Code::PathSyntax, format!("expected PATH=VALUE, found `{assignment}`")))
}

/// A value as it is typed: YAML, so `3` is a number, `"3"` a string, and `{a: 1}` a mapping. Text that is no YAML is a
/// string.
fn parse_value(text: &str) -> Result<Arc<Node>> {
    let source = Source::new("<value>", text).map_err(|_| Diagnostic::error(Code::Limit, "the value is too long"))?;
    Ok(match parse_data(&source) {
        Ok(stream) => match &stream.documents[..] {
            [document] => Arc::clone(&document.root),
            _ => Node::string(text),
        },
        Err(_) => Node::string(text),
    })
}

/// Writes one value in every document that has the path; with `--create`, in every document.
fn assign(
    roots: &mut [Arc<Node>],
    path: &FieldPath,
    value: &Arc<Node>,
    arguments: &Set,
    has_aliases: bool,
) -> Result<()> {
    let policy = match arguments.type_policy {
        TypeName::Keep => TypePolicy::Keep,
        TypeName::String => TypePolicy::String,
        TypeName::Infer => TypePolicy::Infer,
    };
    let layout = match arguments.layout {
        LayoutName::Keep => Layout::Keep,
        LayoutName::Canonical => Layout::Canonical,
    };
    let mut found = false;
    let mut missing = None;
    for root in roots {
        let options = Options {
            create: arguments.create,
            format: arguments.format.map(get::format),
            layout,
            text_fields: text_fields(root),
            has_aliases,
        };
        let outcome =
            update(root, path, &options, &mut |target| Ok(Some(fit(value, target.current, policy, target.syntax))));
        match outcome {
            Ok(changed) => {
                found = true;
                *root = changed.unwrap_or_else(|| Arc::clone(root));
            }
            Err(Failure::Diagnostic(diagnostic)) => return Err(diagnostic),
            Err(failure) => missing = missing.or(Some(failure)),
        }
    }
    match missing {
        Some(failure) if !found => Err(failure
            .diagnostic(|| format!("unable to find field \"{path}\""))
            .help_if((!arguments.create).then(|| "give `--create` to make what is missing".to_owned()))),
        None if !found => Err(Diagnostic::error(Code::PathNotFound, "expected a document to write to, found none")),
        _ => Ok(()),
    }
}
