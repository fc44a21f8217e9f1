//! A text as an overlay on documents that are no files: those inside of a string.
//!
//! The text is evaluated like a file that stands alone, and can load the modules of ytt. The strings that it is meant for
//! belong to no workspace, so that there are no data values and no other files.

use std::sync::Arc;

use super::Options;
use super::evaluate::{Outcome, evaluate_file, print};
use super::parse::{content, parse};
use super::programs::Programs;
use crate::overlay::{self, apply_to_all, apply_to_one, is_overlay};
use crate::script::build::Built;
use crate::script::{Library, Limits, Session, on_large_stack};
use crate::source::world::{World, reason};
use crate::source::{Code, Diagnostic, Diagnostics, Result, Source};
use crate::template;
use crate::workspace::file::InputFile;
use crate::workspace::library::LibraryTree;
use crate::workspace::virtual_path::VirtualPath;
use crate::yaml::{Node, parse as parse_with_comments};

/// Whether code stands in the comments of a text, so that it is an overlay and not a value.
pub fn has_annotations(text: &Arc<Source>) -> bool {
    text.text().contains("#@") && parse_with_comments(text).is_ok_and(|stream| template::is_template(&stream))
}

/// Applies the documents of `text`, one after the other, to `documents`: to all that `@overlay/match` says, or without it
/// to the only one there is.
///
/// `None` where that failed, and `diagnostics` says why.
pub fn apply_text(
    text: &Arc<Source>,
    documents: &[Arc<Node>],
    world: &dyn World,
    diagnostics: &mut Diagnostics,
) -> Option<Vec<Arc<Node>>> {
    let applied = on_large_stack(|| {
        let outcome = apply(text, documents, world, diagnostics);
        diagnostics.take(outcome).flatten()
    });
    applied.unwrap_or_else(|error| {
        let message = format!("expected room for a large stack, found none: {}", reason(&error));
        diagnostics.push(Diagnostic::error(Code::Limit, message));
        None
    })
}

fn apply(
    text: &Arc<Source>,
    documents: &[Arc<Node>],
    world: &dyn World,
    diagnostics: &mut Diagnostics,
) -> Result<Option<Vec<Arc<Node>>>> {
    let file = InputFile::part(VirtualPath::new("overlay.yml")?, Arc::clone(text));
    content(&file, world)?;
    let files = [file];
    let [file] = &files;
    let tree = LibraryTree::new(&files);
    let Some(parsed) = parse(&files, &tree.accessible(), world, Options::default(), diagnostics) else {
        return Ok(None);
    };
    let session = Session::new(Limits::default(), print).with_module(overlay::module());
    let programs = Programs::new(&files, &tree, parsed, world, Options::default());
    let library = Library::new(&session, &programs, &Node::mapping(Vec::new()))?;
    let Outcome::Yaml(_, overlays) = evaluate_file(0, file, &programs, &library)? else { return Ok(None) };
    let plain = |root: &Arc<Node>| Built { root: Arc::clone(root), place: root.location(), annotations: Vec::new() };
    let mut built: Vec<Built> = documents.iter().map(plain).collect();
    library.with_caller(|caller| {
        for overlay in &overlays.documents {
            built = if is_overlay(overlay) {
                let Some(files) = apply_to_all(caller, vec![std::mem::take(&mut built)], overlay, diagnostics) else {
                    return Ok(None);
                };
                files.into_iter().flatten().collect()
            } else {
                let [_] = &built[..] else { return Err(which_one(overlay, built.len())) };
                let Some(left) = built.pop() else { return Ok(None) };
                let overlays = std::slice::from_ref(overlay);
                let Some(document) = apply_to_one(caller, left, overlays, diagnostics) else { return Ok(None) };
                vec![document]
            };
        }
        Ok(Some(built.iter().map(|document| Arc::clone(&document.root)).collect()))
    })
}

fn which_one(overlay: &Built, count: usize) -> Box<Diagnostic> {
    Diagnostic::error(Code::Overlay, format!("expected one document to change, found {count}"))
        .at(overlay.place.clone(), "the overlay does not say which one it changes")
        .help("say it with `#@overlay/match by=…` above the `---` of the overlay")
}
