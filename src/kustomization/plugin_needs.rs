//! The requirements of the real kustomize for building a kustomization as Inlay does: flags for the
//! plugins that it lists, and the absence of fields that only Inlay reads.
//!
//! ```text
//! transformers: [inlay.yaml]     inlay.yaml has the annotation of a function that is a program:
//!                                `--enable-alpha-plugins --enable-exec`; with only the first,
//!                                kustomize ignores it without a message
//!                                inlay.yaml has none: an exec plugin in the plugin home
//! ```

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::config::KustomizationConfig;
use super::file;
use super::own_fields::{OwnField, OwnFields, Reading};
use super::patches::is_inline;
use crate::kubernetes::Resource;
use crate::source::world::{World, cleaned, read_found};
use crate::source::{Diagnostics, Reported, Result, Source};
use crate::typed::Spanned;
use crate::yaml::spelling::text_source;
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
    /// The folder of the kustomization that lists it.
    pub folder: PathBuf,
    /// The file of its configuration.
    pub file: PathBuf,
    /// How it is run.
    pub form: PluginForm,
}

/// The parts of a kustomization that the real kustomize builds differently or not at all.
#[derive(Clone, Debug, Default)]
pub struct KustomizationNeeds {
    /// The plugins that are not built in.
    pub plugins: Vec<PluginNeed>,
    /// The fields that only Inlay reads.
    pub own_fields: Vec<OwnField>,
}

/// Returns the requirements of the kustomization in a folder and of those that it includes.
///
/// Nothing is built, so the result does not contain plugins that are known only during a build:
/// configurations that a generator creates, and remote resources.
///
/// # Errors
/// Reports a kustomization file, or a file that it lists, that cannot be read.
pub fn kustomization_needs(
    world: &dyn World,
    folder: &Path,
    diagnostics: &mut Diagnostics,
) -> Result<KustomizationNeeds, Reported> {
    let mut search = NeedSearch {
        world,
        seen: HashSet::new(),
        needs: KustomizationNeeds::default(),
    };
    search.add_kustomization(folder, diagnostics)?;
    Ok(search.needs)
}

struct NeedSearch<'w> {
    world: &'w dyn World,
    /// The canonical paths of the folders that were visited.
    seen: HashSet<PathBuf>,
    needs: KustomizationNeeds,
}

impl NeedSearch<'_> {
    /// Adds the requirements of a kustomization and of those that it includes.
    fn add_kustomization(
        &mut self,
        folder: &Path,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), Reported> {
        if self.is_known(folder) {
            return Ok(());
        }
        let file = file::read(self.world, folder, diagnostics)?;
        let config = &file.config;
        if let Some(root) = file.root() {
            self.own_fields(&file.path, Reading::Strict)
                .add_kustomization(root);
        }
        let mut outcome = Ok(());
        for replacement in config.replacements.iter().flatten() {
            if let Some(path) = replacement.value.path() {
                let path = cleaned(&folder.join(&path.value));
                outcome = outcome.and(diagnostics.check(self.add_replacements(&path)));
            }
        }
        let lists = [&config.generators, &config.transformers, &config.validators];
        for entry in lists.into_iter().flatten().flatten() {
            if is_inline(entry) {
                let source = text_source(entry.0.resolved());
                let added = self.add_configurations(&source, folder, &file.path);
                outcome = outcome.and(diagnostics.check(added));
            } else if let Some(name) = entry.0.as_str() {
                let path = cleaned(&folder.join(name));
                outcome = outcome.and(self.add_entry(&path, folder, diagnostics));
            }
        }
        for name in included(config) {
            let path = cleaned(&folder.join(&name.value));
            if self.world.is_folder(&path) {
                outcome = outcome.and(self.add_kustomization(&path, diagnostics));
            }
        }
        outcome
    }

    /// Adds the plugins of an entry in a list of plugins. The entry names a file with
    /// configurations, or a folder with a kustomization whose objects are configurations. `lister`
    /// is the folder of the list.
    fn add_entry(
        &mut self,
        path: &Path,
        lister: &Path,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), Reported> {
        if !self.world.is_folder(path) {
            let source = diagnostics.check(read_found(self.world, path))?;
            return diagnostics.check(self.add_configurations(&source, lister, path));
        }
        if self.is_known(path) {
            return Ok(());
        }
        let file = file::read(self.world, path, diagnostics)?;
        let mut outcome = Ok(());
        for name in included(&file.config) {
            let path = cleaned(&path.join(&name.value));
            outcome = outcome.and(self.add_entry(&path, lister, diagnostics));
        }
        outcome
    }

    /// Adds the plugins that the documents of a text configure.
    fn add_configurations(
        &mut self,
        source: &Arc<Source>,
        lister: &Path,
        file: &Path,
    ) -> Result<()> {
        for document in &parse_data(source)?.documents {
            let Ok(resource) = Resource::new(document.root.clone()) else {
                continue;
            };
            if resource.api_version() == "builtin" {
                let root = document.root.resolved();
                let mut fields = self.own_fields(file, Reading::Lax);
                fields.add_plugin(resource.kind(), root);
                continue;
            }
            self.needs.plugins.push(PluginNeed {
                folder: lister.to_owned(),
                file: file.to_owned(),
                form: form(&resource),
            });
        }
        Ok(())
    }

    /// Adds the fields of a file with replacements, which a kustomization names.
    fn add_replacements(&mut self, path: &Path) -> Result<()> {
        let source = read_found(self.world, path)?;
        for document in &parse_data(&source)?.documents {
            let mut fields = self.own_fields(path, Reading::Lax);
            fields.add_replacements(document.root.resolved());
        }
        Ok(())
    }

    fn own_fields<'f>(&'f mut self, file: &'f Path, reading: Reading) -> OwnFields<'f> {
        OwnFields {
            file,
            reading,
            found: &mut self.needs.own_fields,
        }
    }

    /// Returns whether a folder was visited before, and marks it as visited.
    fn is_known(&mut self, folder: &Path) -> bool {
        let real = self.world.canonical(folder);
        let real = real.unwrap_or_else(|_| folder.to_owned());
        !self.seen.insert(real)
    }
}

/// Returns the paths that a kustomization includes.
fn included(config: &KustomizationConfig) -> impl Iterator<Item = &Spanned<String>> {
    let lists = [&config.resources, &config.bases, &config.components];
    lists.into_iter().flatten().flatten()
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
