//! A text as an overlay on documents that are no files: those inside of a string.
//!
//! The text is evaluated like a file that stands alone, and can load the modules of ytt. The strings that it is meant for
//! belong to no workspace, so that there are no data values and no other files.

use std::rc::Rc;
use std::sync::Arc;

use super::evaluate::{Outcome, evaluate_file};
use super::instance::Instance;
use super::run::Run;
use super::{Input, Options};
use crate::overlay::{Same, apply_to_all, apply_to_one, is_overlay};
use crate::script::fragments::Built;
use crate::source::world::World;
use crate::source::{Code, Diagnostic, Diagnostics, Result, Source};
use crate::template;
use crate::workspace::file::InputFile;
use crate::workspace::library::Place;
use crate::workspace::virtual_path::VirtualPath;
use crate::yaml::{Node, parse as parse_with_comments};

/// Whether code stands in the comments of a text, so that it is an overlay and not a value.
pub fn has_annotations(text: &Arc<Source>) -> bool {
    text.text().contains("#@")
        && parse_with_comments(text).is_ok_and(|stream| template::is_template(&stream))
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
    let file = diagnostics.take(VirtualPath::new("overlay.yml"))?;
    let files = [InputFile::part(file, Arc::clone(text))];
    let input = Input {
        files: &files,
        resources: &[],
        values: &[],
        world,
        options: Options::default(),
    };
    super::run(&input, diagnostics, |run, instance, diagnostics| {
        let outcome = apply(run, instance, documents, diagnostics);
        run.take(outcome, diagnostics).flatten()
    })
}

fn apply(
    run: &Run<'_>,
    instance: &Rc<Instance>,
    documents: &[Arc<Node>],
    diagnostics: &mut Diagnostics,
) -> Result<Option<Vec<Arc<Node>>>> {
    let Some(prepared) = instance.prepare(run, None, diagnostics) else {
        return Ok(None);
    };
    let library = run.library(instance, &prepared.values.exported);
    let place = Place {
        file: 0,
        root: instance.root,
    };
    let Outcome::Yaml(overlays) = evaluate_file(run, instance, place, &library)? else {
        return Ok(None);
    };
    let plain = |root: &Arc<Node>| Built {
        root: Arc::clone(root),
        place: root.location(),
        annotations: Vec::new(),
    };
    let mut built: Vec<Built> = documents.iter().map(plain).collect();
    library.with_caller(|caller| {
        for overlay in &overlays.documents {
            built = if is_overlay(overlay) {
                let Some(files) = apply_to_all(
                    caller,
                    vec![std::mem::take(&mut built)],
                    overlay,
                    diagnostics,
                ) else {
                    return Ok(None);
                };
                files.into_iter().flatten().collect()
            } else {
                let [_] = &built[..] else {
                    return Err(which_one(overlay, built.len()));
                };
                let Some(left) = built.pop() else {
                    return Ok(None);
                };
                let overlays = std::slice::from_ref(overlay);
                let Some(document) = apply_to_one(caller, left, overlays, Same::Left, diagnostics)
                else {
                    return Ok(None);
                };
                vec![document]
            };
        }
        Ok(Some(
            built
                .iter()
                .map(|document| Arc::clone(&document.root))
                .collect(),
        ))
    })
}

fn which_one(overlay: &Built, count: usize) -> Box<Diagnostic> {
    Diagnostic::error(
        Code::Overlay,
        format!("expected one document to change, found {count}"),
    )
    .at(
        overlay.place.clone(),
        "the overlay does not say which one it changes",
    )
    .help("say it with `#@overlay/match by=…` above the `---` of the overlay")
}
