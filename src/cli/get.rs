//! `inlay get FILE… PATH`: prints the values at a path, for scripts and for trying out paths.

use std::sync::Arc;

use super::arguments::{GetArguments, ValueOutput};
use super::chosen_documents::{ChosenDocuments, object};
use super::ending::{CommandResult, Ending};
use super::open_file::{OpenFile, open};
use super::output;
use crate::edit::{EditFailure, FoundValue, find};
use crate::kubernetes::Resource;
use crate::source::limits::check_output;
use crate::source::world::World;
use crate::source::{Code, Diagnostic, Diagnostics, Result};
use crate::yaml::{Node, Value, canonical, canonical_json, expand_by_spelling};

/// Prints each value at the path, in the order of the files: a scalar as its text, any other value
/// as it is written.
///
/// # Errors
/// Reports each file that cannot be read, or in which no document has the path. In that case,
/// nothing is printed.
pub(super) fn get(
    world: &dyn World,
    arguments: &GetArguments,
    diagnostics: &mut Diagnostics,
) -> CommandResult {
    let mut values = Vec::new();
    for path in &arguments.files {
        let Ok(file) = diagnostics.check(open(world, path, arguments.format)) else {
            continue;
        };
        for warning in file.documents.warnings() {
            diagnostics.push(warning);
        }
        if let Ok(found) = diagnostics.check(find_values(&file, arguments)) {
            values.extend(found);
        }
    }
    diagnostics.outcome()?;
    let text = match arguments.output {
        ValueOutput::Raw => raw(&values)?,
        ValueOutput::Json => json(&values)?,
        ValueOutput::Yaml => {
            let nodes: Vec<Arc<Node>> = values.into_iter().map(|value| value.node).collect();
            canonical(&nodes)?
        }
    };
    output::print(text.as_bytes())?;
    Ok(Ending::Success)
}

/// Returns the values as they are written, each on a separate line.
///
/// # Errors
/// Fails if the text exceeds the limit of the output, which is possible because several aliases of
/// one long text are several values.
fn raw(values: &[FoundValue]) -> Result<String> {
    let mut text = String::new();
    for value in values {
        add_line(&mut text, value);
        check_output(text.len())?;
    }
    Ok(text)
}

/// Returns the values as JSON, one on each line.
///
/// # Errors
/// Fails for a value that JSON cannot represent.
fn json(values: &[FoundValue]) -> Result<String> {
    let mut text = String::new();
    for value in values {
        // JSON has no merge keys, so expand them. Its keys are text: `y` and `true` are two keys.
        text.push_str(canonical_json(&expand_by_spelling(&value.node)?)?.trim_end());
        text.push('\n');
        check_output(text.len())?;
    }
    Ok(text)
}

/// Finds the values in all documents of a file. At least one document must have the path.
fn find_values(file: &OpenFile, arguments: &GetArguments) -> Result<Vec<FoundValue>> {
    let path = &arguments.path.path;
    let roots = file.documents.roots();
    let chosen = ChosenDocuments::new(&roots, &arguments.path, file)?;
    let mut values = Vec::new();
    let mut missing: Option<EditFailure> = None;
    for at in chosen.indices() {
        let root = &roots[at];
        match find(root, path, &file.edit_options(root)) {
            Ok(found) => values.extend(found),
            Err(failure) => missing = Some(deeper(missing, chosen.check(at, failure)?)),
        }
    }
    match missing {
        // A path that is missing in some documents is not an error, because objects of several
        // kinds may share a file.
        _ if !values.is_empty() => Ok(values),
        Some(missing) => {
            let error = missing.diagnostic(|| format!("unable to find field \"{path}\""));
            let objects: Vec<Resource> = roots.iter().filter_map(object).collect();
            let is_object = arguments
                .path
                .is_object_alone(objects.iter().map(Resource::id));
            let help = is_object.then(|| format!("add a path: `{path} metadata.name`"));
            Err(error.help_if(help))
        }
        None => {
            let name = file.documents.source().shown_name();
            let message = format!("expected a document in `{name}`, found none");
            Err(Diagnostic::error(Code::PathNotFound, message))
        }
    }
}

/// Returns the more helpful of two failures: the one that was reached by more of the path.
pub(super) fn deeper(earlier: Option<EditFailure>, failure: EditFailure) -> EditFailure {
    match earlier {
        Some(earlier) => earlier.or_deeper(failure),
        None => failure,
    }
}

/// Adds a value on a separate line.
fn add_line(text: &mut String, found: &FoundValue) {
    // TOML spells infinity and NaN differently from YAML.
    let is_finite = !matches!(found.node.value(), Some(Value::Float(value)) if !value.is_finite());
    let value = match found.node.text() {
        Some(value) if is_finite => value.to_owned(),
        _ => found.format.excerpt(&found.node),
    };
    text.push_str(&value);
    // An empty value is an empty line.
    if !value.ends_with('\n') {
        text.push('\n');
    }
}
