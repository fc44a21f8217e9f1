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

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Deserialize;

use super::absorb::{GeneratedObject, ObjectBehavior};
use super::builtin::config_error;
use crate::kubernetes::Resource;
use crate::kustomization::place::Place;
use crate::kustomization::{KustomizationOptions, objects};
use crate::kustomize::output;
use crate::source::world::{ProgramCall, World, cleaned, reason, source_of};
use crate::source::{Diagnostics, Reported, Result};
use crate::typed::from_node;
use crate::yaml::{Entry, Node, parse_data};

/// The annotations that name a function.
const FUNCTION: [&str; 2] = ["config.kubernetes.io/function", "config.k8s.io/function"];

/// The annotation that identifies an object in the output of a program.
const ID: &str = "kustomize.config.k8s.io/id";

/// The annotations with which a generator specifies how an object is added.
const NEEDS_HASH: &str = "kustomize.config.k8s.io/needs-hash";
const BEHAVIOR: &str = "kustomize.config.k8s.io/behavior";

/// The texts that Go reads as true.
const GO_TRUE: [&str; 6] = ["1", "t", "T", "true", "TRUE", "True"];

/// The longest configuration that is passed in a variable; systems limit the length.
const VARIABLE_LIMIT: usize = 131_071;

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

#[derive(Clone, Copy, PartialEq, Eq)]
enum Protocol {
    /// The program reads and prints a ResourceList.
    Function,
    /// The program reads and prints objects, and its configuration is in a file.
    ExecPlugin,
}

/// The annotation of a function.
#[derive(Deserialize)]
struct FunctionConfig {
    exec: Option<ExecConfig>,
}

#[derive(Deserialize)]
struct ExecConfig {
    path: String,
    #[serde(default)]
    args: Vec<String>,
    #[serde(default)]
    envs: Vec<String>,
}

/// Finds the program of a configuration.
///
/// # Errors
/// Reports a configuration whose program may not run, cannot be found, or is of a kind that Inlay
/// does not run.
pub(super) fn find(
    world: &dyn World,
    options: &KustomizationOptions,
    configuration: &Resource,
    place: &Place,
    diagnostics: &mut Diagnostics,
) -> Result<ProgramPlugin, Reported> {
    let found = plugin(world, options, configuration, place);
    let mut plugin = diagnostics.check(found)?;
    plugin.configuration = diagnostics.check(output::print_object(configuration))?;
    Ok(plugin)
}

/// Returns the plugin of a configuration, without the text of its configuration.
fn plugin(
    world: &dyn World,
    options: &KustomizationOptions,
    configuration: &Resource,
    place: &Place,
) -> Result<ProgramPlugin> {
    if !options.enables_plugins {
        let kind = configuration.kind();
        let message = format!("external plugins disabled; unable to load external plugin '{kind}'");
        return Err(config_error(message, configuration)
            .help("a program runs with `--enable-alpha-plugins`, and a function also needs `--enable-exec`"));
    }
    let plugin = ProgramPlugin {
        program: PathBuf::new(),
        shown: String::new(),
        arguments: Vec::new(),
        variables: Vec::new(),
        protocol: Protocol::Function,
        configuration: String::new(),
        resource: Box::new(configuration.clone()),
        place: place.clone(),
    };
    match annotation(configuration) {
        Some(annotation) => function_plugin(world, options, annotation, plugin),
        None => exec_plugin(world, plugin),
    }
}

/// Completes the plugin of a configuration whose annotation names a program, as a KRM function.
fn function_plugin(
    world: &dyn World,
    options: &KustomizationOptions,
    annotation: &Arc<Node>,
    plugin: ProgramPlugin,
) -> Result<ProgramPlugin> {
    let configuration = &*plugin.resource;
    let exec = exec_of(annotation, configuration)?;
    if !options.enables_exec {
        let kind = configuration.kind();
        let message = format!("the function '{kind}' is a program, which may not run");
        return Err(config_error(message, configuration).help("add the flag `--enable-exec`"));
    }
    let folder = &plugin.place.shown;
    let program = cleaned(&folder.join(&exec.path));
    let shown = program.display().to_string();
    let program = world.canonical(&program).map_err(|error| {
        let message = format!("cannot run `{shown}`: {}", reason(&error));
        config_error(message, configuration)
    })?;
    let is_below = world
        .canonical(folder)
        .is_ok_and(|folder| program.starts_with(folder));
    if !is_below {
        let message = format!("the program `{}` is not below the kustomization", exec.path);
        return Err(config_error(message, configuration)
            .help("keep the program in the folder of the kustomization that runs it"));
    }
    let mut variables = Vec::with_capacity(exec.envs.len());
    for variable in exec.envs {
        // `NAME=value` sets a variable, and `NAME` passes on that of Inlay.
        variables.push(match variable.split_once('=') {
            Some((name, value)) => (name.to_owned(), value.to_owned()),
            None => {
                let value = world.variable(&variable).unwrap_or_default();
                (variable, value)
            }
        });
    }
    Ok(ProgramPlugin {
        program,
        shown,
        arguments: exec.args,
        variables,
        ..plugin
    })
}

/// Returns the annotation that makes a configuration one of a KRM function.
fn annotation(configuration: &Resource) -> Option<&Arc<Node>> {
    let mut annotations = FUNCTION.iter();
    annotations.find_map(|name| {
        configuration
            .node
            .get_in(&["metadata", "annotations", name])
    })
}

/// Reads the annotation of a function.
fn exec_of(annotation: &Arc<Node>, configuration: &Resource) -> Result<ExecConfig> {
    let text = annotation.resolved().text().unwrap_or_default();
    let source = source_of("the annotation of the function".to_owned(), text.into())?;
    let stream = parse_data(&source)?;
    let root = stream.documents.first().map(|document| &document.root);
    let config: Option<FunctionConfig> = root.map(from_node).transpose()?;
    config.and_then(|config| config.exec).ok_or_else(|| {
        let message = "Inlay runs functions that are programs, and no containers";
        config_error(message, configuration)
            .help("name a program: `exec: {path: ./program}`, or list the output under `resources`")
    })
}

/// Finds an exec plugin in the folder of plugins.
fn exec_plugin(world: &dyn World, plugin: ProgramPlugin) -> Result<ProgramPlugin> {
    let id = plugin.resource.id();
    let home = plugin_homes(world)
        .into_iter()
        .find(|home| world.is_folder(home));
    let kind = id.kind.to_owned();
    let program = home.as_ref().map(|home| {
        home.join(id.group)
            .join(id.version)
            .join(kind.to_lowercase())
            .join(&kind)
    });
    let Some(program) = program.filter(|program| world.canonical(program).is_ok()) else {
        let message = format!("unable to find the program of the plugin '{kind}'");
        let folder = format!("{}/{}/{}/{kind}", id.group, id.version, kind.to_lowercase());
        return Err(config_error(message, &plugin.resource)
            .note("programs that run are looked up below `$KUSTOMIZE_PLUGIN_HOME`; plugins in Go are not run")
            .help(format!("install it as `{folder}`, or name a program in the annotation `{}`", FUNCTION[0])));
    };
    let root = world
        .canonical(&plugin.place.shown)
        .unwrap_or_else(|_| plugin.place.shown.clone());
    let mut arguments = Vec::new();
    if let Some(line) = plugin
        .resource
        .node
        .get("argsOneLiner")
        .and_then(|line| line.text())
    {
        arguments.extend(words(line));
    }
    arguments.extend(lines_of_file(world, &plugin)?);
    let root_variable = "KUSTOMIZE_PLUGIN_CONFIG_ROOT".to_owned();
    Ok(ProgramPlugin {
        shown: program.display().to_string(),
        program,
        arguments,
        variables: vec![(root_variable, root.to_string_lossy().into_owned())],
        protocol: Protocol::ExecPlugin,
        ..plugin
    })
}

/// Returns the arguments in the file of `argsFromFile`, which has one argument per line.
fn lines_of_file(world: &dyn World, plugin: &ProgramPlugin) -> Result<Vec<String>> {
    let Some(path) = plugin.resource.node.get("argsFromFile").map(Node::resolved) else {
        return Ok(Vec::new());
    };
    let folder = plugin.place.folder(world);
    let source = folder
        .path(path.text().unwrap_or_default())
        .and_then(|path| folder.read(&path))
        .map_err(|error| error.at(path.location(), "named here"))?;
    let mut arguments = Vec::new();
    for line in source.text().split('\n') {
        let argument = line.trim_start_matches(' ');
        if !argument.is_empty() {
            arguments.push(argument.to_owned());
        }
    }
    Ok(arguments)
}

/// Returns the folders in which kustomize looks for plugins, in its order. The first that exists
/// is used. An empty variable is treated as not set.
pub fn plugin_homes(world: &dyn World) -> Vec<PathBuf> {
    let candidates = [
        ("KUSTOMIZE_PLUGIN_HOME", ""),
        ("XDG_CONFIG_HOME", "kustomize/plugin"),
        ("HOME", ".config/kustomize/plugin"),
        ("HOME", "kustomize/plugin"),
    ];
    let mut homes = Vec::with_capacity(candidates.len());
    for (variable, below) in candidates {
        let value = world.variable(variable);
        let value = value.filter(|value| !value.is_empty());
        homes.extend(value.map(|value| Path::new(&value).join(below)));
    }
    homes
}

/// Splits a line as a shell does, with quotes.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for character in line.chars() {
        match (character, quote) {
            (_, Some(open)) if character == open => quote = None,
            (_, Some(_)) => word.get_or_insert_default().push(character),
            ('\'' | '"', None) => {
                quote = Some(character);
                word.get_or_insert_default();
            }
            (' ' | '\t' | '\n', None) => words.extend(word.take()),
            _ => word.get_or_insert_default().push(character),
        }
    }
    words.extend(word);
    words
}

impl ProgramPlugin {
    /// Runs the program as a generator, and returns the objects that it prints.
    ///
    /// # Errors
    /// Reports a program that fails, and output that is no stream of objects.
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
    /// Reports a program that fails, and output that is no stream of objects.
    pub(in crate::kustomization) fn transform(
        &self,
        world: &dyn World,
        resources: &mut Vec<Resource>,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), Reported> {
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
            resource.node = without_annotations(&resource.node, &[ID]);
            match index {
                Some(index) if kept[index].is_none() => {
                    kept[index] = Some(Resource {
                        node: resource.node,
                        ..resources[index].clone()
                    });
                }
                _ => added.push(resource),
            }
        }
        *resources = kept.into_iter().flatten().chain(added).collect();
        Ok(())
    }

    /// Sends objects to the program, and returns those that it prints.
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
        let shown = &self.shown;
        let output = world.run_program(&call).map_err(|error| {
            config_error(
                format!("cannot run `{shown}`: {}", reason(&error)),
                &self.resource,
            )
        });
        let output = diagnostics.check(output)?;
        if !output.is_success {
            let message = format!("the program `{shown}` failed: {}", output.status);
            let mut error = config_error(message, &self.resource);
            let errors = String::from_utf8_lossy(&output.errors);
            for line in errors.lines().take(20) {
                error = error.note(format!("it printed: {line}"));
            }
            return Err(diagnostics.report(error));
        }
        let name = format!("the output of {shown}");
        let source = diagnostics.check(source_of(name, output.output))?;
        // The kind of a ResourceList ends in `List`, so its items are read like those of any list.
        objects::read(&source, diagnostics)
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

/// Reads the annotations by which a generator says how kustomize adds an object, and removes them.
fn take_generator_annotations(resource: &mut Resource) -> Result<ObjectBehavior> {
    let text = |name: &str| {
        let value = resource.node.get_in(&["metadata", "annotations", name]);
        value.and_then(|value| value.resolved().text())
    };
    let behavior = match text(BEHAVIOR) {
        None | Some("" | "create") => ObjectBehavior::Create,
        Some("merge") => ObjectBehavior::Merge,
        Some("replace") => ObjectBehavior::Replace,
        Some(unknown) => {
            let message = format!("a program generates an object with the behavior `{unknown}`");
            return Err(
                config_error(message, resource).help("there are `create`, `merge` and `replace`")
            );
        }
    };
    let needs_hash = text(NEEDS_HASH);
    resource.needs_hash = needs_hash.is_some_and(|text| GO_TRUE.contains(&text));
    resource.node = without_annotations(&resource.node, &[NEEDS_HASH, BEHAVIOR]);
    Ok(behavior)
}

fn with_id(object: &Arc<Node>, index: usize) -> Arc<Node> {
    edit_annotations(object, &[ID], |annotations| {
        annotations.push(Entry::new(ID, Node::string(index.to_string())));
    })
}

fn without_annotations(object: &Arc<Node>, names: &[&str]) -> Arc<Node> {
    edit_annotations(object, names, |_| {})
}

fn id_of(object: &Arc<Node>) -> Option<usize> {
    object
        .get_in(&["metadata", "annotations", ID])?
        .text()?
        .parse()
        .ok()
}

/// Removes annotations of an object, and changes the others. An empty mapping is removed.
fn edit_annotations(
    object: &Arc<Node>,
    removed: &[&str],
    edit: impl FnOnce(&mut Vec<Entry>),
) -> Arc<Node> {
    let Some(mapping) = object.as_mapping() else {
        return Arc::clone(object);
    };
    let entries_at = |keys: &[&str]| {
        let found = object
            .get_in(keys)
            .and_then(|node| node.resolved().as_mapping());
        found.map_or_else(Vec::new, |mapping| mapping.entries.to_vec())
    };
    let mut annotations = entries_at(&["metadata", "annotations"]);
    annotations.retain(|entry| !entry.key.text().is_some_and(|key| removed.contains(&key)));
    edit(&mut annotations);
    let mut metadata = entries_at(&["metadata"]);
    metadata.retain(|entry| entry.key.text() != Some("annotations"));
    if !annotations.is_empty() {
        metadata.push(Entry::new("annotations", Node::mapping(annotations)));
    }
    let mut fields = mapping.entries.to_vec();
    for field in &mut fields {
        if field.key.text() == Some("metadata") {
            field.value = Node::mapping(metadata.clone());
        }
    }
    object.with_entries(fields)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splits_a_line_as_a_shell_does() {
        assert_eq!(
            words("a1 'a 2'  --x=\"y z\" ''"),
            ["a1", "a 2", "--x=y z", ""]
        );
        assert!(words(" ").is_empty());
    }
}
