//! Finds arguments of `inlay run` in the wrong order: the configuration comes before the files.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::arguments::RunInputArguments;
use super::input::{self, FilePath};
use crate::krm;
use crate::source::world::{Folder, World};
use crate::source::{Code, Diagnostic, Diagnostics, Result, Source};
use crate::yaml::{Stream, parse_data};

/// Checks that the configuration is not given after the files that it is for. `source` is the text
/// of the first argument, if it could be read: a folder cannot.
///
/// A ConfigMap is a configuration and an object to be edited, so `inlay run app.yaml inlay.yaml`
/// could do something, but not what was meant. Only files that the user named are looked at: a
/// folder may contain its configuration too.
///
/// # Errors
/// The first file is no configuration, but another is; or it is a ConfigMap that does nothing, or
/// all others are configurations.
pub(super) fn check_order(
    world: &dyn World,
    arguments: &RunInputArguments,
    source: Option<&Arc<Source>>,
    folder: &Folder<'_>,
) -> Result<()> {
    let is_configuration = |path: &&PathBuf| {
        // A pipe can be read only once.
        FilePath::named(world, path).real.is_some()
            && input::read(world, path).is_ok_and(|file| krm::is_surely_configuration(&file.stream))
    };
    let needs_all = match source.map(|source| (source, parse_data(source))) {
        // What is wrong with the text is reported when it is read as a configuration.
        Some((_, Err(_))) => return Ok(()),
        Some((_, Ok(stream))) if krm::is_surely_configuration(&stream) => return Ok(()),
        Some((source, Ok(stream))) => may_be_meant(source, &stream, folder),
        None if world.is_folder(&arguments.config) => false,
        None => return Ok(()),
    };
    let mut paths = arguments.paths.iter();
    let found = if needs_all {
        let all = paths.all(|path| is_configuration(&path));
        arguments.paths.first().filter(|_| all)
    } else {
        paths.find(is_configuration)
    };
    match found {
        Some(found) => Err(swapped(arguments, found)),
        None => Ok(()),
    }
}

/// Returns whether the first file consists of ConfigMaps that could be meant as a configuration of
/// other configurations.
fn may_be_meant(source: &Arc<Source>, stream: &Stream, folder: &Folder<'_>) -> bool {
    // This reading only answers the question. Its mistakes are reported by the one that follows.
    let mut unreported = Diagnostics::default();
    krm::is_only_config_maps(stream)
        && krm::read_configurations(source, folder, &mut unreported).is_ok()
}

fn swapped(arguments: &RunInputArguments, found: &Path) -> Box<Diagnostic> {
    let mut others = vec![arguments.config.display().to_string()];
    for path in &arguments.paths {
        if path != found {
            others.push(path.display().to_string());
        }
    }
    let (found, given) = (found.display(), arguments.config.display());
    let message = format!("the configuration comes first, but `{given}` is given before `{found}`");
    Diagnostic::error(Code::Config, message).help(format!(
        "swap them: `inlay run {found} {}`",
        others.join(" ")
    ))
}
