//! What the real kustomize needs to run the plugins that a kustomization lists.
//!
//! ```text
//! transformers: [inlay.yaml]     inlay.yaml has the annotation of a function that is a program:
//!                                `--enable-alpha-plugins --enable-exec`; with the first alone,
//!                                kustomize leaves it out without a message
//!                                inlay.yaml has none: an exec plugin in the plugin home
//! ```

use std::path::{Path, PathBuf};

use super::file;
use crate::kubernetes::Resource;
use crate::source::world::{World, cleaned, read_source};
use crate::source::{Diagnostics, Reported, Result, Source};
use crate::typed::RawNode;
use crate::yaml::{Node, parse_data};

/// The annotation that makes a configuration a function.
const FUNCTION: &str = "config.kubernetes.io/function";

/// How the real kustomize runs a plugin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PluginForm {
    /// A function that is this program.
    Program(String),
    /// A function in a container.
    Container,
    /// A program in the plugin home, below a path of `apiVersion` and `kind`.
    InHome(String),
}

/// A plugin that a kustomization lists, and that is not built in.
#[derive(Clone, Debug)]
pub struct PluginNeed {
    /// The file of its configuration.
    pub file: PathBuf,
    /// How it is run.
    pub form: PluginForm,
}

/// Returns the plugins that the kustomization of a folder lists in files, without those of other
/// kustomizations that it includes.
///
/// # Errors
/// Reports a kustomization file, or a file that it lists, that cannot be read.
pub fn plugin_needs(
    world: &dyn World,
    folder: &Path,
    diagnostics: &mut Diagnostics,
) -> Result<Vec<PluginNeed>, Reported> {
    let file = file::read(world, folder, diagnostics)?;
    let config = &file.config;
    let lists = [&config.generators, &config.transformers, &config.validators];
    let mut needs = Vec::new();
    let mut outcome = Ok(());
    for RawNode(entry) in lists.into_iter().flatten().flatten() {
        // An entry may also be a folder of more of them, or a configuration of several lines.
        let Some(name) = entry.as_str().filter(|name| !name.contains('\n')) else {
            continue;
        };
        let path = cleaned(&folder.join(name));
        if world.is_folder(&path) {
            continue;
        }
        match needs_of(world, &path) {
            Ok(own) => needs.extend(own),
            Err(error) => outcome = Err(diagnostics.report(error)),
        }
    }
    outcome.map(|()| needs)
}

fn needs_of(world: &dyn World, path: &Path) -> Result<Vec<PluginNeed>> {
    let source = read_source(world, path)?;
    let mut needs = Vec::new();
    for document in &parse_data(&source)?.documents {
        let Ok(resource) = Resource::new(document.root.clone()) else {
            continue;
        };
        if resource.api_version() == "builtin" {
            continue;
        }
        needs.push(PluginNeed {
            file: path.to_owned(),
            form: form(&resource),
        });
    }
    Ok(needs)
}

fn form(resource: &Resource) -> PluginForm {
    let Some(function) = resource.annotation(FUNCTION) else {
        let kind = resource.kind();
        let place = format!("{}/{}/{kind}", resource.api_version(), kind.to_lowercase());
        return PluginForm::InHome(place);
    };
    let program = Source::new("", function)
        .ok()
        .and_then(|source| parse_data(&source).ok())
        .and_then(|stream| program_of(&stream.documents.first()?.root));
    match program {
        Some(program) => PluginForm::Program(program),
        None => PluginForm::Container,
    }
}

fn program_of(function: &Node) -> Option<String> {
    let path = function.get_in(&["exec", "path"])?.resolved();
    path.text().map(str::to_owned)
}
