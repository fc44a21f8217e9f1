//! kustomize's exec plugins: running as one, and being installed as one.

use std::ffi::OsString;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::arguments::{PluginArguments, PluginCommand};
use super::ending::{CommandResult, Ending};
use super::output;
use crate::krm;
use crate::kustomization::plugin_homes;
use crate::source::world::{Folder, Sandbox, World, read_source, reason};
use crate::source::{Code, Diagnostic, Diagnostics, quoted_name};

/// The variable in which kustomize passes a plugin the folder of its configuration.
const CONFIG_ROOT: &str = "KUSTOMIZE_PLUGIN_CONFIG_ROOT";
/// The prefix of the temporary files in which kustomize passes plugins their configuration.
const CONFIG_FILE: &str = "kust-plugin-config-";
/// The variable with the folder in which kustomize looks for plugins.
const PLUGIN_HOME: &str = "KUSTOMIZE_PLUGIN_HOME";
/// The path of the plugin for `inlay.dev/v1alpha1 Inlay`, relative to the plugin home.
pub(super) const PLUGIN_PATH: &str = "inlay.dev/v1alpha1/inlay/Inlay";

/// Returns the path of the configuration, if kustomize calls this program as a plugin.
///
/// The program's own name does not matter, because it may be installed under the name of any kind.
pub(super) fn invocation(world: &dyn World, arguments: &[OsString]) -> Option<PathBuf> {
    let config = PathBuf::from(arguments.get(1)?);
    let name = config.file_name()?.to_string_lossy();
    // Either sign is enough. The variable alone is not, because it may be set in a shell in which
    // the user runs commands of inlay.
    let is_temporary = name.starts_with(CONFIG_FILE);
    let has_root = world.variable(CONFIG_ROOT).is_some();
    (is_temporary || (has_root && config.is_absolute())).then_some(config)
}

/// Transforms the objects on standard input, as kustomize requests from a plugin.
pub(super) fn transform(
    world: &dyn World,
    config: &Path,
    diagnostics: &mut Diagnostics,
) -> CommandResult {
    let config = read_source(world, config)?;
    let input = read_source(world, Path::new("-"))?;
    let root = world.variable(CONFIG_ROOT).unwrap_or_default();
    let sandbox = Sandbox(world);
    let text = krm::transform(&config, &input, &Folder::new(&sandbox, root), diagnostics)?;
    output::print(text.as_bytes())?;
    Ok(Ending::Success)
}

/// `inlay plugin install`: links this program into the folder in which kustomize looks for plugins.
pub(super) fn install(world: &dyn World, arguments: &PluginArguments) -> CommandResult {
    let PluginCommand::Install { home, force } = &arguments.command;
    // The flag has precedence over the environment, as for every other setting.
    let default = plugin_home(world);
    let Some(home) = home.as_ref().or(default.as_ref()) else {
        let message = "the environment does not say where kustomize looks for plugins";
        return Err(Diagnostic::error(Code::File, message)
            .help("name the folder with `--home DIR`")
            .into());
    };
    let place = home.join(PLUGIN_PATH);
    world.link_program(&place, *force).map_err(|error| {
        let message = format!(
            "cannot install the plugin as `{}`: {}",
            place.display(),
            reason(&error)
        );
        let help = match error.kind() {
            ErrorKind::AlreadyExists => "to replace it, add `--force`",
            _ => "name another folder with `--home DIR`",
        };
        Diagnostic::error(Code::File, message).help(help)
    })?;
    let mut text = format!("installed {}\n", quoted_name(&place.to_string_lossy()));
    if default.as_ref() != Some(home) {
        let home = world.canonical(home).unwrap_or_else(|_| home.clone());
        text.push_str(&format!(
            "kustomize finds it with {PLUGIN_HOME}={}\n",
            quoted_name(&home.to_string_lossy())
        ));
    }
    output::print(text.as_bytes())?;
    Ok(Ending::Success)
}

/// Returns the folder in which kustomize looks for plugins. If none exists yet, returns the one
/// that it would try first.
pub(super) fn plugin_home(world: &dyn World) -> Option<PathBuf> {
    let homes = plugin_homes(world);
    let existing = homes.iter().find(|home| world.is_folder(home));
    existing.or(homes.first()).cloned()
}
