//! `-k DIR`: the objects of a kustomization as the input of another command.
//!
//! `inlay build -k DIR -f overlay.yml` is equivalent to
//! `kustomize build DIR | inlay build -f - -f overlay.yml`, with the same output bytes but in one
//! process.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::input::ParsedFile;
use crate::kustomization::{self, KustomizationOptions};
use crate::provenance::Recorder;
use crate::source::world::{World, source_of};
use crate::source::{Diagnostics, Reported, Result};
use crate::workspace::{Rendered, VirtualPath};
use crate::yaml::{Node, parse_data};

/// The path of the objects in an output folder.
const OUTPUT: &str = "kustomization.yaml";

/// Builds the kustomizations in `folders`, and returns each as a file with its objects. `recorder`
/// records the origin of each value.
///
/// # Errors
/// Reports every mistake that a build finds.
pub(super) fn files(
    world: &dyn World,
    folders: &[PathBuf],
    recorder: Recorder<'_>,
    diagnostics: &mut Diagnostics,
) -> Result<Vec<ParsedFile>, Reported> {
    let mut files = Vec::with_capacity(folders.len());
    for folder in folders {
        files.push(file(world, folder, recorder, diagnostics)?);
    }
    Ok(files)
}

fn file(
    world: &dyn World,
    folder: &Path,
    recorder: Recorder<'_>,
    diagnostics: &mut Diagnostics,
) -> Result<ParsedFile, Reported> {
    let options = KustomizationOptions::default();
    let resources = kustomization::build(world, folder, &options, recorder, diagnostics)?;
    let text = kustomization::print(&resources, diagnostics)?;
    let name = format!("the output of {}", folder.display());
    let source = diagnostics.check(source_of(name, text.into_bytes()))?;
    let stream = diagnostics.check(parse_data(&source))?;
    // Each object is printed as one document, in the same order.
    for (resource, document) in resources.iter().zip(&stream.documents) {
        recorder.rewritten(&resource.node, &document.root);
    }
    Ok(ParsedFile {
        path: folder.to_owned(),
        real: None,
        stream,
    })
}

/// Returns the documents of files, which overlays change.
pub(super) fn documents(files: &[ParsedFile]) -> Vec<Arc<Node>> {
    let mut documents = Vec::new();
    for file in files {
        for document in &file.stream.documents {
            documents.push(Arc::clone(&document.root));
        }
    }
    documents
}

/// Inserts the documents of kustomizations before those of the files of a build.
///
/// # Errors
/// Fails if the path of the documents is invalid, which never happens.
pub(super) fn put_first(rendered: &mut Rendered) -> Result<()> {
    let documents: Vec<Arc<Node>> = rendered.resources.drain(..).flatten().collect();
    if documents.is_empty() {
        return Ok(());
    }
    let path = VirtualPath::new(OUTPUT)?;
    rendered.put_first(path, documents);
    Ok(())
}
