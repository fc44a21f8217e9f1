//! Finds the program of a plugin, with its arguments and variables.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Deserialize;

use super::{ProgramPlugin, Protocol};
use crate::kubernetes::Resource;
use crate::kustomization::KustomizationOptions;
use crate::kustomization::place::Place;
use crate::kustomization::plugins::builtin::config_error;
use crate::kustomize::output;
use crate::source::world::{World, cleaned, reason, source_of};
use crate::source::{Diagnostics, Reported, Result};
use crate::typed::from_node;
use crate::yaml::{Node, parse_data};

/// The annotations that name a function.
const FUNCTION: [&str; 2] = ["config.kubernetes.io/function", "config.k8s.io/function"];

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
pub(in crate::kustomization::plugins) fn find(
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

/// Returns the plugin of a configuration; [`find`] adds the text of the configuration.
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
    Ok(ProgramPlugin {
        program,
        shown,
        arguments: exec.args,
        variables: variables(exec.envs, world),
        ..plugin
    })
}

/// Returns the variables of a function: `NAME=value` sets a variable, and `NAME` passes on the one
/// of this process.
fn variables(entries: Vec<String>, world: &dyn World) -> Vec<(String, String)> {
    let mut variables = Vec::with_capacity(entries.len());
    for entry in entries {
        variables.push(match entry.split_once('=') {
            Some((name, value)) => (name.to_owned(), value.to_owned()),
            None => {
                let value = world.variable(&entry).unwrap_or_default();
                (entry, value)
            }
        });
    }
    variables
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
    let kind = id.kind.to_owned();
    let folder = Path::new(id.group)
        .join(id.version)
        .join(kind.to_lowercase())
        .join(&kind);
    let homes = plugin_homes(world);
    let home = homes.into_iter().find(|home| world.is_folder(home));
    let program = home.map(|home| home.join(&folder));
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
    let line = plugin.resource.node.get("argsOneLiner");
    if let Some(line) = line.and_then(|line| line.text()) {
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
    // `None` between two words: an empty word needs quotes.
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
