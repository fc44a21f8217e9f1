//! kustomize's exec plugins: being one, and being installed as one.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::arguments::{Plugin, PluginCommand};
use super::{Ending, Outcome, output};
use crate::krm;
use crate::source::world::{Folder, Sandbox, World, read_source, reason};
use crate::source::{Code, Diagnostic, Diagnostics, Result};

/// The variable by which kustomize tells a plugin its folder.
const CONFIG_ROOT: &str = "KUSTOMIZE_PLUGIN_CONFIG_ROOT";
/// How kustomize names the files that hold the configurations of plugins.
const CONFIG_FILE: &str = "kust-plugin-config-";
/// The variable by which kustomize is told where plugins are.
const PLUGIN_HOME: &str = "KUSTOMIZE_PLUGIN_HOME";

/// The path of the configuration, if kustomize calls this program as a plugin. The program's own name does not count:
/// it is installed under the name of a kind, or any other.
pub(super) fn invocation(world: &dyn World, arguments: &[OsString]) -> Option<PathBuf> {
    let config = PathBuf::from(arguments.get(1)?);
    let temporary = config
        .file_name()?
        .to_string_lossy()
        .starts_with(CONFIG_FILE);
    let called = world.variable(CONFIG_ROOT).is_some() && config.is_absolute();
    (temporary || called).then_some(config)
}

/// Transforms the objects on standard input.
pub(super) fn transform(
    world: &dyn World,
    config: &Path,
    diagnostics: &mut Diagnostics,
) -> Outcome {
    let config = read_source(world, config)?;
    let input = read_source(world, Path::new("-"))?;
    let root = world.variable(CONFIG_ROOT).unwrap_or_default();
    let sandbox = Sandbox(world);
    if let Ok(text) = krm::transform(&config, &input, &Folder::new(&sandbox, root), diagnostics) {
        output::print(text.as_bytes())?;
    }
    Ok(Ending::Success)
}

/// `inlay plugin …`
pub(super) fn command(world: &dyn World, arguments: &Plugin) -> Outcome {
    let PluginCommand::Install { home, force } = &arguments.command;
    let found = default_home(world);
    let home = match (home, &found) {
        (Some(home), _) | (None, Some(home)) => home,
        (None, None) => {
            return Err(Diagnostic::error(
                Code::File,
                "expected a home for the plugin, found none in the environment",
            )
            .help("give one with `--home DIR`"));
        }
    };
    install(world, home, *force)?;
    let hint = match &found {
        Some(found) if found == home => String::new(),
        _ => {
            let home = world.canonical(home).unwrap_or_else(|_| home.clone());
            format!("kustomize finds it with {PLUGIN_HOME}={}\n", home.display())
        }
    };
    let place = home.join(PLACE);
    output::print(format!("installed {}\n{hint}", place.display()).as_bytes())?;
    Ok(Ending::Success)
}

/// Where kustomize looks for the plugin of `inlay.dev/v1alpha1 Inlay`, below its home.
const PLACE: &str = "inlay.dev/v1alpha1/inlay/Inlay";

fn install(world: &dyn World, home: &Path, force: bool) -> Result<()> {
    let place = home.join(PLACE);
    world.link_program(&place, force).map_err(|error| {
        let message = format!(
            "cannot install the plugin as `{}`: {}",
            place.display(),
            reason(&error)
        );
        let help = match error.kind() {
            std::io::ErrorKind::AlreadyExists => "give `--force` to replace it",
            _ => "give another folder with `--home DIR`",
        };
        Diagnostic::error(Code::File, message).help(help)
    })
}

/// Where kustomize looks for plugins.
fn default_home(world: &dyn World) -> Option<PathBuf> {
    let variable = |name: &str| {
        world
            .variable(name)
            .filter(|value| !value.is_empty())
            .map(PathBuf::from)
    };
    variable(PLUGIN_HOME)
        .or_else(|| variable("XDG_CONFIG_HOME").map(|folder| folder.join("kustomize/plugin")))
        .or_else(|| variable("HOME").map(|folder| folder.join(".config/kustomize/plugin")))
}
