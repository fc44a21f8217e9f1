//! kustomize's exec plugins: being one, and being installed as one.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::arguments::{Plugin, PluginCommand};
use super::output::{self, Reporter};
use super::{Ending, Outcome};
use crate::krm;
use crate::source::world::{Folder, Sandbox, World, read_source};
use crate::source::{Code, Diagnostic, Result};

/// The variable by which kustomize tells a plugin its folder.
const CONFIG_ROOT: &str = "KUSTOMIZE_PLUGIN_CONFIG_ROOT";
/// How kustomize names the files that hold the configurations of plugins.
const CONFIG_FILE: &str = "kust-plugin-config-";

/// The path of the configuration, if kustomize calls this program as a plugin. The program's own name does not count:
/// it is installed under the name of a kind, or any other.
pub(super) fn invocation(world: &dyn World, arguments: &[OsString]) -> Option<PathBuf> {
    let config = PathBuf::from(arguments.get(1)?);
    let temporary = config.file_name()?.to_string_lossy().starts_with(CONFIG_FILE);
    let called = world.variable(CONFIG_ROOT).is_some() && config.is_absolute();
    (temporary || called).then_some(config)
}

/// Transforms the objects on standard input.
pub(super) fn transform(world: &dyn World, config: &Path, _reporter: &Reporter) -> Outcome {
    let config = read_source(world, config)?;
    let input = read_source(world, Path::new("-"))?;
    let root = world.variable(CONFIG_ROOT).unwrap_or_default();
    let sandbox = Sandbox(world);
    let text = krm::transform(&config, &input, &Folder::new(&sandbox, root))?;
    output::print(text.as_bytes())?;
    Ok(Ending::Success)
}

/// `inlay plugin …`
pub(super) fn command(world: &dyn World, arguments: &Plugin) -> Outcome {
    let PluginCommand::Install { home } = &arguments.command;
    let home = match home {
        Some(home) => home.clone(),
        None => default_home(world)?,
    };
    let place = home.join("inlay.dev/v1alpha1/inlay/Inlay");
    install(&place).map_err(|error| {
        Diagnostic::error(Code::File, format!("cannot install the plugin as `{}`: {error}", place.display()))
    })?;
    output::print(format!("installed {}\n", place.display()).as_bytes())?;
    Ok(Ending::Success)
}

/// Where kustomize looks for plugins.
fn default_home(world: &dyn World) -> Result<PathBuf> {
    let variable = |name: &str| world.variable(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    variable("KUSTOMIZE_PLUGIN_HOME")
        .or_else(|| variable("XDG_CONFIG_HOME").map(|folder| folder.join("kustomize/plugin")))
        .or_else(|| variable("HOME").map(|folder| folder.join(".config/kustomize/plugin")))
        .ok_or_else(|| {
            Diagnostic::error(Code::File, "expected a home for the plugin, found none in the environment")
                .help("give one with `--home DIR`")
        })
}

/// Puts a link to this program at `place`, or a copy where links are not to be had.
fn install(place: &Path) -> std::io::Result<()> {
    let program = std::env::current_exe()?;
    if let Some(folder) = place.parent() {
        std::fs::create_dir_all(folder)?;
    }
    match std::fs::remove_file(place) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    link(&program, place).or_else(|_| std::fs::copy(&program, place).map(|_| ()))
}

#[cfg(unix)]
fn link(program: &Path, place: &Path) -> std::io::Result<()> {
    std::os::unix::fs::symlink(program, place)
}

#[cfg(not(unix))]
fn link(_program: &Path, _place: &Path) -> std::io::Result<()> {
    Err(std::io::ErrorKind::Unsupported.into())
}
