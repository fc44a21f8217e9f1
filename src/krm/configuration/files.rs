//! `values`, `paths` and `files` of a configuration: what a build is made of.

use std::sync::Arc;

use crate::source::world::RelativePath;
use crate::source::{Code, Diagnostic, Diagnostics, Result};
use crate::typed::{RawNode, Spanned};
use crate::workspace::{InputFile, VirtualPath};
use crate::yaml::{Entry, Node, spelling};

/// The values, if they are a mapping.
pub(super) fn values(values: Option<RawNode>, diagnostics: &mut Diagnostics) -> Option<Arc<Node>> {
    let node = values?.0;
    match node.as_mapping() {
        Some(_) => Some(node),
        None => {
            let found = node.described();
            let error = Diagnostic::error(
                Code::Config,
                format!("expected a mapping of data values, found {found}"),
            );
            diagnostics.push(error.at(node.location(), "").note("in `spec.values`"));
            None
        }
    }
}

/// The paths, all of which lead to places below the folder of the configuration.
pub(super) fn paths(
    paths: Option<Vec<Spanned<String>>>,
    diagnostics: &mut Diagnostics,
) -> Vec<Spanned<RelativePath>> {
    let read = |Spanned { value, location }: Spanned<String>| {
        let path = RelativePath::new(&value).map_err(|error| error.at(location.clone(), ""));
        Some(Spanned {
            value: diagnostics.take(path)?,
            location,
        })
    };
    paths
        .unwrap_or_default()
        .into_iter()
        .filter_map(read)
        .collect()
}

/// The files of a mapping from names to texts.
pub(super) fn files(files: Option<RawNode>, diagnostics: &mut Diagnostics) -> Vec<InputFile> {
    let Some(RawNode(node)) = files else {
        return Vec::new();
    };
    let Some(mapping) = node.as_mapping() else {
        let found = node.described();
        let error = Diagnostic::error(
            Code::Config,
            format!("expected a mapping of files, found {found}"),
        );
        diagnostics.push(
            error
                .at(node.location(), "")
                .note("in `spec.files`")
                .help("write `NAME.yml: |` and the text of the file below"),
        );
        return Vec::new();
    };
    let mut seen: Vec<(VirtualPath, &Entry)> = Vec::new();
    let mut files = Vec::new();
    for entry in &mapping.entries {
        let Some(file) = diagnostics.take(file(entry)) else {
            continue;
        };
        match seen.iter().find(|(path, _)| *path == file.path) {
            Some((path, first)) => diagnostics.push(
                Diagnostic::error(
                    Code::Config,
                    format!("expected each file once, found `{path}` twice"),
                )
                .at(entry.key.location(), "given again here")
                .at(first.key.location(), "given first here"),
            ),
            None => seen.push((file.path.clone(), entry)),
        }
        files.push(file);
    }
    files
}

/// A file as it is written in a configuration: the key is its path, the value its text.
pub(super) fn file(entry: &Entry) -> Result<InputFile> {
    let name = entry.key.resolved().text().ok_or_else(|| {
        let found = entry.key.described();
        Diagnostic::error(
            Code::Config,
            format!("expected the name of a file as key, found {found}"),
        )
        .at(entry.key.location(), "")
    })?;
    let path = VirtualPath::new(name).map_err(|error| error.at(entry.key.location(), ""))?;
    let value = entry.value.resolved();
    if value.as_str().is_none() {
        let message = format!(
            "expected the text of the file `{name}`, found {}",
            value.described()
        );
        return Err(Diagnostic::error(Code::Config, message)
            .at(value.location(), "")
            .help("write the text as a block: `|` behind the name, and the lines below"));
    }
    Ok(InputFile::part(path, spelling::text_source(value)))
}
