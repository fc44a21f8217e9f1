//! kustomize's exec plugin: objects in, objects out, the configuration in a file.
//!
//! kustomize calls the program with the path of a temporary file that holds the configuration, in the folder of the
//! kustomization, and gives it all objects as one stream of documents. It knows the objects it gets back by their
//! annotations, which are kept like everything else that is not edited.

use std::sync::Arc;

use super::configuration::configuration;
use super::objects::{self, Edited};
use crate::pipeline::{self, Role};
use crate::source::world::Folder;
use crate::source::{Code, Diagnostic, Diagnostics, Source};
use crate::yaml::{faithful, parse_data};

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
        let message = format!(
            "expected one document in the configuration, found {}",
            config.documents.len()
        );
        diagnostics.push(Diagnostic::error(Code::Config, message));
        return None;
    };
    let configuration = configuration(&document.root, diagnostics);
    let stream = diagnostics.take(parse_data(input))?;
    let resources = objects::find(&stream, 0, diagnostics);
    let configuration = configuration?;
    // kustomize gives a generator no objects, and takes an answer without any for "delete everything".
    if stream.documents.is_empty() && !configuration.makes_resources() {
        diagnostics.push(
            Diagnostic::error(Code::Resource, "expected objects on standard input, found none")
                .help("name the configuration under `transformers:` of the kustomization, not under `generators:`"),
        );
        return None;
    }
    let slots = resources.len();
    let role = if stream.documents.is_empty() {
        Role::Generator
    } else {
        Role::Transformer
    };
    let resources = pipeline::answer(&configuration, role, folder, resources, diagnostics)?;
    let edited = Edited::new(&resources, slots);
    let mut text = edited.text(&stream, 0);
    for document in diagnostics.take(edited.added_documents())? {
        faithful::add_documents(&mut text, &document);
    }
    Some(text)
}
