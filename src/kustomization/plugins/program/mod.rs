//! Plugins that are programs: KRM functions, and the older exec plugins of kustomize.
//!
//! A configuration names a function in an annotation. The program reads a ResourceList and prints
//! another one:
//!
//! ```yaml
//! metadata:
//!   annotations:
//!     config.kubernetes.io/function: |
//!       exec: {path: ./add-label, args: [--fast]}
//! ```
//!
//! An exec plugin is found by the `apiVersion` and `kind` of its configuration, in a folder of the
//! user. It reads and prints a stream of objects.

mod annotations;
mod find;

use std::path::PathBuf;

use super::absorb::GeneratedObject;
use super::builtin::config_error;
use crate::kubernetes::Resource;
use crate::kustomization::objects;
use crate::kustomization::place::Place;
use crate::kustomize::output;
use crate::source::world::{ProgramCall, World, reason, source_of};
use crate::source::{Diagnostics, Reported, Result};
use annotations::{id_of, take_generator_annotations, with_id, without_id};

pub(super) use find::find;
pub use find::plugin_homes;

/// The longest configuration that is passed in a variable; systems limit the length.
const VARIABLE_LIMIT: usize = 131_071;

/// The maximum number of lines of a program's standard error that a message shows.
const LONGEST_ERROR: usize = 20;

/// A plugin that is a program.
#[derive(Clone)]
pub(in crate::kustomization) struct ProgramPlugin {
    program: PathBuf,
    /// The path as a user would write it.
    shown: String,
    arguments: Vec<String>,
    variables: Vec<(String, String)>,
    protocol: Protocol,
    /// The text of the configuration.
    configuration: String,
    /// The configuration, for messages.
    resource: Box<Resource>,
    /// The place of the kustomization that lists it.
    place: Place,
}

/// The way in which a program gets its configuration and the objects.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Protocol {
    /// The program reads and prints a ResourceList.
    Function,
    /// The program reads and prints objects, and its configuration is in a file.
    ExecPlugin,
}

impl ProgramPlugin {
    /// Runs the program as a generator, and returns the objects that it prints.
    ///
    /// # Errors
    /// Reports a program that fails, and output that is not a stream of objects.
    pub(super) fn generate(
        &self,
        world: &dyn World,
        diagnostics: &mut Diagnostics,
    ) -> Result<Vec<GeneratedObject>, Reported> {
        let mut generated = Vec::new();
        for mut resource in self.call(world, &[], diagnostics)? {
            let behavior = diagnostics.check(take_generator_annotations(&mut resource))?;
            generated.push(GeneratedObject { resource, behavior });
        }
        Ok(generated)
    }

    /// Runs the program on objects. Those that do not come back are removed, and new ones are added
    /// at the end.
    ///
    /// # Errors
    /// Reports a program that fails, and output that is not a stream of objects.
    pub(in crate::kustomization) fn transform(
        &self,
        world: &dyn World,
        resources: &mut Vec<Resource>,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), Reported> {
        // An id in an annotation says which object an answer belongs to, since a program may change
        // the name.
        let mut sent = Vec::with_capacity(resources.len());
        for (index, resource) in resources.iter().enumerate() {
            let mut resource = resource.clone();
            resource.node = with_id(&resource.node, index);
            sent.push(resource);
        }
        let received = self.call(world, &sent, diagnostics)?;
        let mut kept: Vec<Option<Resource>> = Vec::new();
        kept.resize_with(resources.len(), || None);
        let mut added = Vec::new();
        for mut resource in received {
            let index = id_of(&resource.node).filter(|index| *index < resources.len());
            resource.node = without_id(&resource.node);
            match index {
                Some(index) if kept[index].is_none() => {
                    kept[index] = Some(Resource {
                        node: resource.node,
                        ..resources[index].clone()
                    });
                }
                // A new object, or a copy of one.
                _ => added.push(resource),
            }
        }
        *resources = kept.into_iter().flatten().chain(added).collect();
        Ok(())
    }

    /// Sends objects to the program, and returns those that it prints.
    ///
    /// # Errors
    /// Reports a program that cannot run or that fails, and output that is not a stream of objects.
    fn call(
        &self,
        world: &dyn World,
        objects: &[Resource],
        diagnostics: &mut Diagnostics,
    ) -> Result<Vec<Resource>, Reported> {
        let is_function = self.protocol == Protocol::Function;
        let input = match self.protocol {
            Protocol::Function => resource_list(objects, &self.configuration, diagnostics)?,
            Protocol::ExecPlugin => output::print(objects, diagnostics)?,
        };
        let mut variables = self.variables.clone();
        if !is_function && self.configuration.len() <= VARIABLE_LIMIT {
            let name = "KUSTOMIZE_PLUGIN_CONFIG_STRING".to_owned();
            variables.push((name, self.configuration.clone()));
        }
        let call = ProgramCall {
            program: &self.program,
            arguments: &self.arguments,
            variables: &variables,
            file: (!is_function).then_some(&*self.configuration),
            folder: &self.place.shown,
            input: &input,
        };
        let output = diagnostics.check(self.run(&call, world))?;
        let name = format!("the output of {}", self.shown);
        let source = diagnostics.check(source_of(name, output))?;
        // The kind of a ResourceList ends in `List`, so its items are read like those of any list.
        objects::read(&source, diagnostics)
    }

    /// Runs the program, and returns what it prints.
    ///
    /// # Errors
    /// The program cannot run, or it fails. What it prints on standard error is in the notes.
    fn run(&self, call: &ProgramCall<'_>, world: &dyn World) -> Result<Vec<u8>> {
        let shown = &self.shown;
        let output = world.run_program(call).map_err(|error| {
            let message = format!("cannot run `{shown}`: {}", reason(&error));
            config_error(message, &self.resource)
        })?;
        if output.is_success {
            return Ok(output.output);
        }
        let message = format!("the program `{shown}` failed: {}", output.status);
        let mut error = config_error(message, &self.resource);
        let errors = String::from_utf8_lossy(&output.errors);
        for line in errors.lines().take(LONGEST_ERROR) {
            error = error.note(format!("it printed: {line}"));
        }
        Err(error)
    }
}

/// Returns the ResourceList of objects and a printed configuration.
fn resource_list(
    objects: &[Resource],
    configuration: &str,
    diagnostics: &mut Diagnostics,
) -> Result<String, Reported> {
    let mut text = String::from("apiVersion: config.kubernetes.io/v1\nkind: ResourceList\n");
    text.push_str(if objects.is_empty() {
        "items: []\n"
    } else {
        "items:\n"
    });
    for object in objects {
        let printed = diagnostics.check(output::print_object(object))?;
        push_indented(&mut text, "- ", &printed);
    }
    text.push_str("functionConfig:\n");
    push_indented(&mut text, "  ", configuration);
    Ok(text)
}

/// Adds lines two columns to the right, with `first` before the first one.
fn push_indented(text: &mut String, first: &str, lines: &str) {
    let mut margin = first;
    for line in lines.lines() {
        if !line.is_empty() {
            text.push_str(margin);
        }
        text.push_str(line);
        text.push('\n');
        margin = "  ";
    }
}
