//! `inlay get FILE PATH`

use super::arguments::Get;
use super::{Ending, Outcome, input, output};
use crate::edit::{EditFailure, EditOptions, FoundValue, find};
use crate::kubernetes::text_fields;
use crate::source::world::World;
use crate::source::{Code, Diagnostic};

/// Prints each value that the path leads to: a scalar's text as it is, anything else as it is written.
pub(super) fn get(world: &dyn World, arguments: &Get) -> Outcome {
    let input = input::read(world, &arguments.file)?;
    let path = &arguments.path;
    let mut text = String::new();
    let mut missing: Option<EditFailure> = None;
    for document in &input.stream.documents {
        let options = EditOptions {
            format: arguments.format,
            text_fields: text_fields(&document.root),
            ..EditOptions::default()
        };
        match find(&document.root, path, &options) {
            Ok(found) => found.iter().for_each(|value| add_line(&mut text, value)),
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
        Some(missing) if text.is_empty() => {
            return Err(missing.diagnostic(|| format!("unable to find field \"{path}\"")));
        }
        None if text.is_empty() => {
            let message = format!(
                "expected a document in `{}`, found none",
                input.stream.source.name()
            );
            return Err(Diagnostic::error(Code::PathNotFound, message));
        }
        _ => {}
    }
    output::print(text.as_bytes())?;
    Ok(Ending::Success)
}

/// Adds a value, on a line of its own unless it ends one itself.
fn add_line(text: &mut String, found: &FoundValue) {
    let value = found
        .node
        .text()
        .map_or_else(|| found.format.excerpt(&found.node), str::to_owned);
    text.push_str(&value);
    if !value.ends_with('\n') {
        text.push('\n');
    }
}
