//! The templates and overlays of a configuration, and what they make of the resources.

use std::sync::Arc;

use super::rendered;
use crate::kubernetes::Resource;
use crate::source::world::{Folder, RelativePath};
use crate::source::{Code, Diagnostic, Diagnostics, Result};
use crate::typed::Spanned;
use crate::workspace::{
    self, BuildInput, BuildOptions, InputFile, InputReader, RenderedText, SymlinkDestinations,
    ValuesDocument,
};
use crate::yaml::{Node, is_empty};

/// What is built: templates, overlays, modules, schemas and data values, as the annotations of each file say.
#[derive(Clone, Debug, Default)]
pub struct Build {
    /// One more Data Values File: a mapping.
    pub values: Option<Arc<Node>>,
    /// Files and folders below the folder of the configuration; they come before `files`.
    pub paths: Vec<Spanned<RelativePath>>,
    /// Files that are written in the configuration.
    pub files: Vec<InputFile>,
}

impl Build {
    /// Whether nothing can come of it. Values alone do nothing.
    pub(super) fn is_empty(&self) -> bool {
        self.paths.is_empty() && self.files.is_empty()
    }
}

/// Builds, and returns the resources with those that templates render, or `None` after an error.
pub(super) fn build(
    build: &Build,
    folder: &Folder<'_>,
    resources: Vec<Resource>,
    diagnostics: &mut Diagnostics,
) -> Option<Vec<Resource>> {
    if build.is_empty() {
        return Some(resources);
    }
    let before = diagnostics.errors();
    let mut files: Vec<InputFile> = Vec::new();
    for path in &build.paths {
        let found = find(&path.value, folder);
        let named_here = |error: Box<Diagnostic>| error.at(path.location.clone(), "named here");
        files.extend(
            diagnostics
                .take(found.map_err(named_here))
                .unwrap_or_default(),
        );
    }
    files.extend(build.files.iter().cloned());
    if diagnostics.errors() > before {
        return None;
    }
    let roots: Vec<Arc<Node>> = resources
        .iter()
        .map(|resource| Arc::clone(&resource.node))
        .collect();
    let values = diagnostics.take(
        build
            .values
            .iter()
            .map(ValuesDocument::plain)
            .collect::<Result<Vec<_>>>(),
    )?;
    let input = BuildInput {
        files: &files,
        resources: &roots,
        data_values: &values,
        world: folder.world(),
        options: BuildOptions::default(),
    };
    let rendered = workspace::build(&input, diagnostics).ok()?;
    rendered
        .texts
        .iter()
        .for_each(|text| diagnostics.push(left_out(text)));
    let (mut resources, mut added) = rendered::put_back(resources, rendered.resources, diagnostics);
    let documents = rendered.yaml.into_iter().flat_map(|file| file.documents);
    added.extend(documents.filter(|document| !is_empty(document.resolved())));
    rendered::add(&mut resources, &added, diagnostics);
    (diagnostics.errors() == before).then_some(resources)
}

/// The files that a path of the configuration names: a file, or all files of a folder.
fn find(path: &RelativePath, folder: &Folder<'_>) -> Result<Vec<InputFile>> {
    let place = folder.place(path)?;
    let files = InputReader::new(folder.world(), SymlinkDestinations::All, false).at(&place)?;
    files
        .iter()
        .filter_map(InputFile::place)
        .try_for_each(|place| folder.check(place))?;
    Ok(files)
}

fn left_out(text: &RenderedText) -> Box<Diagnostic> {
    let name = text.path.name();
    let stem = name.strip_suffix(".txt").unwrap_or(name);
    Diagnostic::warning(
        Code::Output,
        format!("text is no resource: `{}` is left out", text.path),
    )
    .help(format!(
        "name it `{stem}.lib.txt` where other files load it or read it"
    ))
}
