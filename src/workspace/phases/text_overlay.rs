//! A text as an overlay on documents in a string.
//!
//! The text is evaluated like the only file of a build. It can load ytt's modules, but there are no
//! data values and no other files, because the strings that it changes belong to no workspace.

use std::sync::Arc;

use super::evaluate::{FileOutput, evaluate_file};
use super::input::{BuildInput, BuildOptions};
use super::library_build::LibraryBuild;
use super::order::prepare;
use super::overlay::{plain_document, roots};
use super::root::build_root;
use crate::formats::DocumentFormat;
use crate::overlay::{DocumentGroups, EqualValues, OverlayOptions, apply_to_one, is_overlay};
use crate::script::Caller;
use crate::script::fragments::Built;
use crate::source::world::World;
use crate::source::{Code, Diagnostic, Diagnostics, Reported, Source};
use crate::template;
use crate::workspace::file::InputFile;
use crate::workspace::virtual_path::VirtualPath;
use crate::yaml::{Node, parse as parse_with_comments};

/// Returns whether the comments of a text contain code, which makes it an overlay and not a value.
pub fn has_annotations(text: &Arc<Source>) -> bool {
    template::may_contain_code(text)
        && parse_with_comments(text).is_ok_and(|stream| template::is_template(&stream))
}

/// The documents of a string that a text is applied to.
#[derive(Clone, Copy, Debug)]
pub struct OverlaidText<'d> {
    /// The roots of the documents.
    pub roots: &'d [Arc<Node>],
    /// The format of the string.
    pub format: DocumentFormat,
}

/// Applies the documents of `text`, one after another, to `documents`, and returns the new roots.
///
/// A document with `@overlay/match` changes all documents that it matches. One without it changes
/// the only document.
///
/// # Errors
/// Reports the mistakes in the text, and overlays that do not fit the documents.
pub fn apply_text(
    text: &Arc<Source>,
    documents: OverlaidText<'_>,
    world: &dyn World,
    options: BuildOptions,
    diagnostics: &mut Diagnostics,
) -> Result<Vec<Arc<Node>>, Reported> {
    let path = diagnostics.check(VirtualPath::new("overlay.yml"))?;
    let files = [InputFile::part(path, Arc::clone(text))];
    let input = BuildInput {
        options,
        ..BuildInput::of_files(&files, world)
    };
    build_root(&input, diagnostics, |build| apply(build, documents))
}

fn apply(
    build: &mut LibraryBuild<'_, '_>,
    documents: OverlaidText<'_>,
) -> Result<Vec<Arc<Node>>, Reported> {
    let prepared = prepare(build)?;
    let library = build.library(&prepared.values.exported);
    let output = evaluate_file(build, &library, 0);
    let output = build.context.check_evaluation(output, build.diagnostics)?;
    // The path ends in `.yml`, so the text is a YAML template.
    let FileOutput::Yaml(overlays) = output else {
        let message = "expected a YAML template as the overlay";
        let error = Diagnostic::error(Code::Internal, message);
        return Err(build.diagnostics.report(error));
    };
    let options = OverlayOptions {
        equal_values: EqualValues::KeepLeft,
        format: documents.format,
    };
    build.with_caller(&library, |caller, diagnostics| {
        let mut built: Vec<Built> = documents.roots.iter().map(plain_document).collect();
        for overlay in &overlays.documents {
            built = apply_document(caller, built, overlay, options, diagnostics)?;
        }
        Ok(roots(built))
    })
}

/// Applies one document of the text to `documents`.
fn apply_document(
    caller: &mut Caller<'_, '_>,
    documents: Vec<Built>,
    overlay: &Built,
    options: OverlayOptions,
    diagnostics: &mut Diagnostics,
) -> Result<Vec<Built>, Reported> {
    if is_overlay(overlay) {
        let mut groups = DocumentGroups::new(vec![documents]);
        groups.apply(caller, overlay, options, diagnostics)?;
        return Ok(groups.into_files().into_iter().flatten().collect());
    }
    match <[Built; 1]>::try_from(documents) {
        Ok([only]) => {
            let overlays = std::slice::from_ref(overlay);
            let changed = apply_to_one(caller, only, overlays, options, diagnostics)?;
            Ok(vec![changed])
        }
        Err(several) => Err(diagnostics.report(ambiguous(overlay, several.len()))),
    }
}

fn ambiguous(overlay: &Built, count: usize) -> Box<Diagnostic> {
    let message = format!("expected one document to change, found {count}");
    Diagnostic::error(Code::Overlay, message)
        .at(
            overlay.place.clone(),
            "the overlay does not say which one it changes",
        )
        .help("say it with `#@overlay/match by=…` above the `---` of the overlay")
}
