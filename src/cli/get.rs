//! `inlay get FILE PATH`

use super::arguments::{FormatName, Get};
use super::{Ending, Outcome, input, output};
use crate::edit::{Format, Options, find};
use crate::kustomize::text_fields;
use crate::source::world::World;
use crate::source::{Code, Diagnostic};
use crate::yaml::faithful;

/// Prints each value that the path leads to: a scalar's text as it is, anything else as it is written.
pub(super) fn get(world: &dyn World, arguments: &Get) -> Outcome {
    let input = input::read(world, &arguments.file)?;
    let path = &arguments.path;
    let mut text = String::new();
    let mut missing = None;
    for document in &input.stream.documents {
        let options = Options {
            format: arguments.format.map(format),
            text_fields: text_fields(&document.root),
            ..Options::default()
        };
        match find(&document.root, path, &options) {
            Ok(found) => {
                for value in found {
                    match value.node.text() {
                        Some(scalar) => text.push_str(scalar),
                        None => text.push_str(&faithful::excerpt(&value.node)),
                    }
                    if !text.ends_with('\n') {
                        text.push('\n');
                    }
                }
            }
            Err(failure) => {
                missing.get_or_insert_with(|| failure.diagnostic(|| format!("unable to find field \"{path}\"")));
            }
        }
    }
    match missing {
        Some(missing) if text.is_empty() => return Err(missing),
        None if text.is_empty() => {
            let message = format!("expected a document in `{}`, found none", arguments.file.display());
            return Err(Diagnostic::error(Code::PathNotFound, message));
        }
        _ => {}
    }
    output::print(text.as_bytes())?;
    Ok(Ending::Success)
}

/// The format that a flag names.
pub(super) fn format(name: FormatName) -> Format {
    match name {
        FormatName::Json => Format::Json,
        FormatName::Yaml => Format::Yaml,
    }
}
