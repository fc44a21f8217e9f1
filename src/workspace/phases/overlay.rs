//! The last phase: documents that are overlays are taken out, and applied to all others.
//!
//! Overlays are applied one after the other, in the order of the files and of the documents in them, each to what those
//! before it have made. Files keep their order and their documents; a file of overlays alone gives nothing.

use crate::overlay::{apply_to_all, is_overlay};
use crate::script::Library;
use crate::script::build::Built;
use crate::source::Diagnostics;
use crate::workspace::phases::RenderedYaml;
use crate::workspace::virtual_path::VirtualPath;
use crate::yaml::is_empty;

/// The documents of one file, with their annotations.
pub(super) struct BuiltFile {
    pub(super) path: VirtualPath,
    pub(super) documents: Vec<Built>,
}

/// Applies the overlays among the documents of `files`, which are in order. `None` where that failed, and `diagnostics`
/// says all that is wrong with the first overlay that fails: what comes after it may only follow from that.
pub(super) fn apply_overlays(
    library: &Library<'_>,
    files: Vec<BuiltFile>,
    diagnostics: &mut Diagnostics,
) -> Option<Vec<RenderedYaml>> {
    let mut overlays = Vec::new();
    let mut rest = Vec::with_capacity(files.len());
    for BuiltFile { path, documents } in files {
        let (own, documents): (Vec<Built>, Vec<Built>) = documents.into_iter().partition(is_overlay);
        // A file that holds nothing but overlays is not part of the output, so that nothing is added to it either.
        if own.is_empty() || !documents.iter().all(|document| is_empty(document.root.resolved())) {
            rest.push(BuiltFile { path: path.clone(), documents });
        }
        overlays.extend(own.into_iter().map(|overlay| (path.clone(), overlay)));
    }
    if overlays.is_empty() {
        return Some(rest.into_iter().map(rendered).collect());
    }
    let mut paths: Vec<VirtualPath> = rest.iter().map(|file| file.path.clone()).collect();
    let has_content = |document: &Built| !is_empty(document.root.resolved());
    let mut documents: Vec<Vec<Built>> =
        rest.into_iter().map(|file| file.documents.into_iter().filter(has_content).collect()).collect();
    let applied = library.with_caller(|caller| {
        for (path, overlay) in &overlays {
            let Some(changed) = apply_to_all(caller, std::mem::take(&mut documents), overlay, diagnostics) else {
                return Ok(None);
            };
            documents = changed;
            // What is added where there is no file at all is written to the file of the overlay.
            paths.extend((paths.len()..documents.len()).map(|_| path.clone()));
        }
        Ok(Some(()))
    });
    diagnostics.take(applied)??;
    let files = paths.into_iter().zip(documents).map(|(path, documents)| BuiltFile { path, documents });
    Some(files.map(rendered).collect())
}

fn rendered(file: BuiltFile) -> RenderedYaml {
    let documents = file.documents.into_iter().map(|document| document.root).collect();
    RenderedYaml { path: file.path, documents }
}
