//! kustomize's exec plugin: objects in, objects out, with the configuration in a file.
//!
//! kustomize calls the program in the folder of the kustomization, with the path of a temporary
//! file that contains the configuration, and passes all objects as one stream of documents. It
//! recognizes the returned objects by their annotations, which are kept like everything else that
//! is not edited.

use std::sync::Arc;

use super::configuration::read_configuration;
use super::objects::{self, EditedObjects};
use super::result_place::name_objects_of_standard_input;
use crate::pipeline::{ConfigurationRun, PluginRole};
use crate::provenance::Recorder;
use crate::source::world::Folder;
use crate::source::{Code, Diagnostic, Diagnostics, Reported, Source};
use crate::yaml::{faithful, parse_data};

/// Applies the configuration in `config` to the objects in `input`, and returns the text with the
/// edited objects. Files that the configuration refers to are read from `folder`.
///
/// # Errors
/// Fails if any error was reported.
pub fn transform(
    config: &Arc<Source>,
    input: &Arc<Source>,
    folder: &Folder<'_>,
    diagnostics: &mut Diagnostics,
) -> Result<String, Reported> {
    let result = edit(config, input, folder, diagnostics);
    name_objects_of_standard_input(diagnostics);
    result
}

fn edit(
    config: &Arc<Source>,
    input: &Arc<Source>,
    folder: &Folder<'_>,
    diagnostics: &mut Diagnostics,
) -> Result<String, Reported> {
    let config = diagnostics.check(parse_data(config))?;
    let [document] = &config.documents[..] else {
        let found = config.documents.len();
        let message = format!("expected one document in the configuration, found {found}");
        return Err(diagnostics.report(Diagnostic::error(Code::Config, message)));
    };
    // Read the objects even if the configuration has mistakes, so that one run reports the mistakes
    // of both.
    let configuration = read_configuration(&document.root, folder, diagnostics);
    let stream = diagnostics.check(parse_data(input))?;
    for warning in stream.warnings() {
        diagnostics.push(warning);
    }
    let resources = objects::find(&stream, 0, diagnostics);
    let (configuration, resources) = (configuration?, resources?);

    // kustomize passes no objects to a generator, and treats an answer without objects as "delete
    // everything".
    let has_objects = !stream.documents.is_empty();
    if !has_objects && !configuration.creates_resources() {
        let message = "expected objects on standard input, found none";
        return Err(diagnostics.report(Diagnostic::error(Code::Resource, message).help(
            "list the configuration under `transformers:` of the kustomization, not under `generators:`",
        )));
    }
    let role = if has_objects {
        PluginRole::Transformer
    } else {
        PluginRole::Generator
    };
    let slots = resources.len();
    let run = ConfigurationRun {
        configuration: &configuration,
        role,
        folder,
        recorder: Recorder::off(),
    };
    let resources = run.call(resources, diagnostics)?;
    let edited = EditedObjects::new(&resources, slots);
    let mut text = diagnostics.check(edited.text(&stream, 0))?;
    for document in diagnostics.check(edited.added_documents())? {
        faithful::add_documents(&mut text, &document);
    }
    Ok(text)
}
