//! `values`, `paths` and `files` of a configuration: the input of a build.

use std::collections::HashMap;
use std::sync::Arc;

use crate::source::world::{Folder, RelativePath};
use crate::source::{Code, Diagnostic, Diagnostics, Reported, Result, collect_all};
use crate::typed::{RawNode, Spanned};
use crate::workspace::{InputFile, VirtualPath, mapping_of_values};
use crate::yaml::{Entry, Node, spelling};

/// Checks `values`, which must be a mapping.
pub(super) fn check_values(
    values: Option<RawNode>,
    diagnostics: &mut Diagnostics,
) -> Result<Option<Arc<Node>>, Reported> {
    let values = mapping_of_values(values);
    diagnostics.check(values.map_err(|error| error.note("in `spec.values`")))
}

/// Checks `paths` or `valuesFiles`. Each path must be below the folder of the configuration.
pub(super) fn check_paths(
    paths: Vec<Spanned<String>>,
    folder: &Folder<'_>,
    diagnostics: &mut Diagnostics,
) -> Result<Vec<Spanned<RelativePath>>, Reported> {
    collect_all(paths.into_iter().map(|path| {
        let value = folder.path(&path.value);
        let value = value.map_err(|error| error.at(path.location.clone(), ""));
        Ok(Spanned {
            value: diagnostics.check(value)?,
            location: path.location,
        })
    }))
}

/// Checks `files`, which must be a mapping from names to texts.
pub(super) fn check_files(
    files: Option<RawNode>,
    diagnostics: &mut Diagnostics,
) -> Result<Vec<InputFile>, Reported> {
    let Some(RawNode(node)) = files else {
        return Ok(Vec::new());
    };
    let Some(mapping) = node.as_mapping() else {
        let found = node.described();
        let message = format!("expected a mapping of files, found {found}");
        return Err(diagnostics.report(
            Diagnostic::error(Code::Config, message)
                .at(node.location(), "")
                .note("in `spec.files`")
                .help("write `NAME.yml: |`, with the text of the file below it"),
        ));
    };
    let mut first_entries: HashMap<VirtualPath, &Entry> = HashMap::new();
    collect_all(mapping.entries.iter().map(|entry| {
        let file = diagnostics.check(read_file(entry))?;
        // Two keys may be the same path, such as `a.yml` and `./a.yml`.
        if let Some(first) = first_entries.insert(file.path.clone(), entry) {
            return Err(diagnostics.report(repeated_file(&file.path, first, entry)));
        }
        Ok(file)
    }))
}

fn repeated_file(path: &VirtualPath, first: &Entry, again: &Entry) -> Box<Diagnostic> {
    let message = format!("expected each file once, found `{path}` twice");
    Diagnostic::error(Code::Config, message)
        .at(again.key.location(), "given again here")
        .at(first.key.location(), "given first here")
}

/// Reads a file that a configuration contains: the key is its path, the value its text.
///
/// # Errors
/// Fails with [`Code::Config`] for a key or a value that is not a string, and with [`Code::File`]
/// for a key that is not a path.
pub(super) fn read_file(entry: &Entry) -> Result<InputFile> {
    let Some(name) = entry.key.resolved().text() else {
        let found = entry.key.described();
        let message = format!("expected the name of a file as key, found {found}");
        return Err(Diagnostic::error(Code::Config, message).at(entry.key.location(), ""));
    };
    let path = VirtualPath::new(name).map_err(|error| error.at(entry.key.location(), ""))?;
    let value = entry.value.resolved();
    if value.as_str().is_none() {
        let found = value.described();
        let message = format!("expected the text of the file `{name}`, found {found}");
        return Err(Diagnostic::error(Code::Config, message)
            .at(value.location(), "")
            .help("write the text as a block: `|` after the name, and the lines below it"));
    }
    Ok(InputFile::part(path, spelling::text_source(value)))
}
