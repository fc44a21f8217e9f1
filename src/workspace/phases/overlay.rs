//! The last phase: documents that are overlays are taken out, and applied to all others.
//!
//! Overlays are applied one after the other, in the order of the files and of the documents in them, each to what those
//! before it have made. Files keep their order and their documents; a file of overlays alone gives nothing. Resources stand
//! before the files, each as a file of its own, so that it is known what became of which.

use std::sync::Arc;

use crate::overlay::{apply_to_all, is_overlay};
use crate::script::Library;
use crate::script::fragments::Built;
use crate::source::Diagnostics;
use crate::workspace::phases::RenderedYaml;
use crate::workspace::virtual_path::VirtualPath;
use crate::yaml::{Node, Stream, is_empty};

/// The documents of one file, with their annotations.
pub(super) struct BuiltFile {
    pub(super) path: VirtualPath,
    pub(super) documents: Vec<Built>,
    /// The text that they were read from, if nothing in it is code.
    pub(super) plain: Option<Arc<Stream>>,
}

/// What became of each resource, and of each file.
type Applied = (Vec<Vec<Arc<Node>>>, Vec<RenderedYaml>);

/// Applies the overlays among the documents of `files`, which are in order, to `resources` and to all other documents.
/// `None` where that failed, and `diagnostics` says all that is wrong with the first overlay that fails: what comes after
/// it may only follow from that.
pub(super) fn apply_overlays(
    library: &Library<'_>,
    resources: &[Arc<Node>],
    files: Vec<BuiltFile>,
    diagnostics: &mut Diagnostics,
) -> Option<Applied> {
    let mut overlays = Vec::new();
    let mut rest = Vec::with_capacity(files.len());
    for BuiltFile {
        path,
        documents,
        plain,
    } in files
    {
        let (own, documents): (Vec<Built>, Vec<Built>) =
            documents.into_iter().partition(is_overlay);
        // A file that holds nothing but overlays is not part of the output, so that nothing is added to it either.
        if own.is_empty()
            || !documents
                .iter()
                .all(|document| is_empty(document.root.resolved()))
        {
            rest.push(BuiltFile {
                path: path.clone(),
                documents,
                plain,
            });
        }
        overlays.extend(own.into_iter().map(|overlay| (path.clone(), overlay)));
    }
    if overlays.is_empty() {
        let resources = resources
            .iter()
            .map(|root| vec![Arc::clone(root)])
            .collect();
        return Some((resources, rest.into_iter().map(rendered).collect()));
    }
    let mut places: Vec<(VirtualPath, Option<Arc<Stream>>)> = rest
        .iter()
        .map(|file| (file.path.clone(), file.plain.clone()))
        .collect();
    let has_content = |document: &Built| !is_empty(document.root.resolved());
    let of_files = rest
        .into_iter()
        .map(|file| file.documents.into_iter().filter(has_content).collect());
    let mut documents: Vec<Vec<Built>> = resources
        .iter()
        .map(|root| vec![plain_document(root)])
        .chain(of_files)
        .collect();
    let applied = library.with_caller(|caller| {
        for (path, overlay) in &overlays {
            let Some(changed) =
                apply_to_all(caller, std::mem::take(&mut documents), overlay, diagnostics)
            else {
                return Ok(None);
            };
            documents = changed;
            // What is added where there is no file at all is written to the file of the overlay.
            places.extend(
                (resources.len() + places.len()..documents.len()).map(|_| (path.clone(), None)),
            );
        }
        Ok(Some(()))
    });
    diagnostics.take(applied)??;
    let of_files = documents.split_off(resources.len().min(documents.len()));
    let resources = documents.into_iter().map(|documents| {
        documents
            .into_iter()
            .map(|document| document.root)
            .collect()
    });
    let files = places.into_iter().zip(of_files);
    let files = files.map(|((path, plain), documents)| {
        rendered(BuiltFile {
            path,
            documents,
            plain,
        })
    });
    Some((resources.collect(), files.collect()))
}

fn plain_document(root: &Arc<Node>) -> Built {
    Built {
        root: Arc::clone(root),
        place: root.location(),
        annotations: Vec::new(),
    }
}

fn rendered(file: BuiltFile) -> RenderedYaml {
    let documents = file
        .documents
        .into_iter()
        .map(|document| document.root)
        .collect();
    RenderedYaml {
        path: file.path,
        documents,
        plain: file.plain,
    }
}
