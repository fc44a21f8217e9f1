//! kustomize's exec plugin: objects in, objects out, the configuration in a file.
//!
//! kustomize calls the program with the path of a temporary file that holds the configuration, in the folder of the
//! kustomization, and gives it all objects as one stream of documents. It knows the objects it gets back by their
//! annotations, which are kept like everything else that is not edited.

use std::sync::Arc;

use super::configuration::configuration;
use super::objects::Objects;
use crate::pipeline;
use crate::source::world::Folder;
use crate::source::{Code, Diagnostic, Result, Source};
use crate::yaml::{faithful, parse_data};

/// Carries out the configuration in `config` on the objects in `input` and returns them as they are afterwards.
///
/// # Errors
/// The first thing that is wrong.
pub fn transform(config: &Arc<Source>, input: &Arc<Source>, folder: &Folder<'_>) -> Result<String> {
    let stream = parse_data(config)?;
    let [document] = &stream.documents[..] else {
        let message = format!("expected one document in the configuration, found {}", stream.documents.len());
        return Err(Diagnostic::error(Code::Config, message));
    };
    let configuration = configuration(&document.root)?;
    let stream = parse_data(input)?;
    let (objects, mut resources) = Objects::find(&stream)?;
    pipeline::run(&configuration, folder, &mut resources)?;
    Ok(faithful::print(&stream, &objects.roots(&stream, &resources)))
}
