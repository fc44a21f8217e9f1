//! kustomize's exec plugin: objects in, objects out, the configuration in a file.
//!
//! kustomize calls the program with the path of a temporary file that holds the configuration, in the folder of the
//! kustomization, and gives it all objects as one stream of documents. It knows the objects it gets back by their
//! annotations, which are kept like everything else that is not edited.

use std::sync::Arc;

use super::configuration::configuration;
use super::objects;
use crate::pipeline;
use crate::source::world::Folder;
use crate::source::{Code, Diagnostic, Diagnostics, Result, Source};
use crate::yaml::{Stream, faithful, parse_data};

/// Carries out the configuration in `config` on the objects in `input` and returns them as they are afterwards, or
/// `None` after an error.
pub fn transform(
    config: &Arc<Source>,
    input: &Arc<Source>,
    folder: &Folder<'_>,
    diagnostics: &mut Diagnostics,
) -> Option<String> {
    let config = diagnostics.take(parse_data(config))?;
    let [document] = &config.documents[..] else {
        let message = format!("expected one document in the configuration, found {}", config.documents.len());
        diagnostics.push(Diagnostic::error(Code::Config, message));
        return None;
    };
    let configuration = configuration(&document.root, diagnostics);
    let stream = diagnostics.take(read(input))?;
    let resources = diagnostics.take(objects::find(&stream))?;
    let resources = pipeline::run(&configuration?, folder, resources, diagnostics)?;
    Some(faithful::print(&stream, &objects::roots(&stream, &resources)))
}

/// Reads the objects; kustomize gives a generator none, and takes an answer without objects for "delete everything".
fn read(input: &Arc<Source>) -> Result<Stream> {
    let stream = parse_data(input)?;
    if stream.documents.is_empty() {
        return Err(Diagnostic::error(Code::Resource, "expected objects on standard input, found none")
            .help("name the configuration under `transformers:` of the kustomization, not under `generators:`"));
    }
    Ok(stream)
}
