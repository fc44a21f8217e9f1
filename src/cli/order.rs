//! Detects arguments of `inlay run` in the wrong order: the configuration must come before the
//! files.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::arguments::RunInputArguments;
use super::input::{self, FilePath};
use crate::krm;
use crate::source::world::{Folder, World};
use crate::source::{Code, Diagnostic, Diagnostics, Result, Source};
use crate::yaml::{Stream, parse_data};

/// Checks that the configuration does not come after the files that it applies to. `source` is the
/// text of the first argument, if it could be read: a folder cannot.
///
/// A ConfigMap is both a configuration and an object that can be edited, so
/// `inlay run app.yaml inlay.yaml` could have an effect, but not the intended one. Only files that
/// the user named are checked, because a folder may contain its configuration too.
///
/// # Errors
/// Fails if the first file is not a configuration but another one is. Also fails if the first file
/// is a ConfigMap without an effect, or if all other files are configurations.
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
        // The mistakes in the text are reported when it is read as a configuration.
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

/// Returns whether the first file consists of ConfigMaps that could be meant as a configuration for
/// other configurations.
fn may_be_meant(source: &Arc<Source>, stream: &Stream, folder: &Folder<'_>) -> bool {
    // This only answers the question. The mistakes are reported when the file is read again.
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
