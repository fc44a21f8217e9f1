//! The order of the steps: what every door calls.
//!
//! Generators come first, so that templates and overlays see what they make; templates and overlays come before patches
//! and replacements, so that values can be copied out of what was rendered and into it. Names that follow from what objects
//! hold are given at the end, when nothing changes any more.

mod build;
mod rendered;
mod text_overlays;

use std::sync::Arc;

pub use self::build::Build;
use self::text_overlays::Overlays;
use crate::kubernetes::{Names, Resource};
use crate::kustomize::add_suffixes;
pub use crate::kustomize::generator::Role;
use crate::kustomize::generator::{self, Generator, Host};
use crate::kustomize::patch::{self, Patch, PatchContent, Patcher};
use crate::kustomize::replacement::{self, Entry, Replacement};
use crate::source::world::{Folder, RelativePath};
use crate::source::{Code, Diagnostic, Diagnostics};
use crate::typed::Spanned;
use crate::yaml::{Node, parse_data};

/// What is to be done, whatever kind of configuration said so.
#[derive(Clone, Debug, Default)]
pub struct Configuration {
    /// ConfigMaps and Secrets to make, or to merge values into.
    pub generators: Vec<Generator>,
    /// Templates and overlays.
    pub build: Build,
    /// Changes to objects.
    pub patches: Vec<Patch>,
    /// Values to copy from field to field.
    pub replacements: Vec<Entry>,
}

impl Configuration {
    /// Whether it can make resources where there are none, and not only change those that there are.
    pub fn makes_resources(&self) -> bool {
        !self.generators.is_empty() || !self.build.is_empty()
    }

    /// Whether it asks for nothing.
    pub fn is_empty(&self) -> bool {
        self.generators.is_empty()
            && self.build.is_empty()
            && self.patches.is_empty()
            && self.replacements.is_empty()
    }
}

/// Carries out a configuration on resources and returns them as they are afterwards, or `None` after an error: also one
/// that `diagnostics` holds already, since what could be read of a configuration with a mistake is not what was meant.
///
/// `folder` is where the configuration's own files are read from. A step that fails does not keep the next one from
/// being tried, so that `diagnostics` tells of all that is wrong. After the last configuration comes [`finish`].
pub fn run(
    configuration: &Configuration,
    folder: &Folder<'_>,
    resources: Vec<Resource>,
    diagnostics: &mut Diagnostics,
) -> Option<Vec<Resource>> {
    steps(
        configuration,
        Role::Transformer,
        folder,
        resources,
        diagnostics,
    )
}

/// The end of a run: names get the suffixes that follow from what their objects hold, and references follow the names.
pub fn finish(
    mut resources: Vec<Resource>,
    diagnostics: &mut Diagnostics,
) -> Option<Vec<Resource>> {
    add_suffixes(&mut resources, diagnostics);
    (!diagnostics.failed()).then_some(resources)
}

/// Carries out the one configuration with which a host calls a function or a plugin, from the first step to the end.
///
/// kustomize finishes what a generator makes itself: annotations tell it how.
pub fn answer(
    configuration: &Configuration,
    role: Role,
    folder: &Folder<'_>,
    resources: Vec<Resource>,
    diagnostics: &mut Diagnostics,
) -> Option<Vec<Resource>> {
    let resources = steps(configuration, role, folder, resources, diagnostics)?;
    match role {
        Role::Generator => Some(resources),
        Role::Transformer => finish(resources, diagnostics),
    }
}

fn steps(
    configuration: &Configuration,
    role: Role,
    folder: &Folder<'_>,
    mut resources: Vec<Resource>,
    diagnostics: &mut Diagnostics,
) -> Option<Vec<Resource>> {
    if diagnostics.failed() {
        return None;
    }
    let host = Host {
        role,
        folder,
        overlays: &Overlays {
            world: folder.world(),
        },
    };
    generator::apply(
        &configuration.generators,
        &host,
        &mut resources,
        diagnostics,
    );
    resources = build::build(&configuration.build, folder, resources, diagnostics)?;
    let mut patcher = Patcher::new(&mut resources);
    for patch in &configuration.patches {
        apply_patch(patch, folder, &mut patcher, diagnostics);
    }
    patcher.finish();
    let mut names = Names::default();
    for entry in &configuration.replacements {
        match entry {
            Entry::Inline(one) => replacement::apply(
                std::slice::from_ref(one),
                &mut resources,
                &mut names,
                diagnostics,
            ),
            Entry::Path(path) => {
                if let Some(replacements) = read_replacements(path, folder, diagnostics) {
                    replacement::apply(&replacements, &mut resources, &mut names, diagnostics);
                }
            }
        }
    }
    (!diagnostics.failed()).then_some(resources)
}

/// Applies a patch, which may be in a file.
fn apply_patch(
    patch: &Patch,
    folder: &Folder<'_>,
    patcher: &mut Patcher<'_>,
    diagnostics: &mut Diagnostics,
) {
    match &patch.content {
        PatchContent::Inline(content) => {
            patch::apply(&patch.settings, content, patcher, diagnostics)
        }
        PatchContent::Path(path) => {
            let source = RelativePath::new(&path.value).and_then(|file| folder.read(&file));
            let source =
                source.map_err(|error| error.at(path.location.clone(), "the file is named here"));
            let Some(source) = diagnostics.take(source) else {
                return;
            };
            if let Some(content) = patch::read(&patch.settings, &source, diagnostics) {
                patch::apply(&patch.settings, &content, patcher, diagnostics);
            }
        }
    }
}

/// Reads the file that an entry of `replacements` names.
fn read_replacements(
    path: &Spanned<String>,
    folder: &Folder<'_>,
    diagnostics: &mut Diagnostics,
) -> Option<Vec<Replacement>> {
    let read = || {
        let stream = parse_data(&folder.read(&RelativePath::new(&path.value)?)?)?;
        match &stream.documents[..] {
            [document] => Ok(Arc::clone(&document.root)),
            documents => {
                let message = format!(
                    "expected one document in `{}`, found {}",
                    path.value,
                    documents.len()
                );
                Err(Diagnostic::error(Code::Config, message))
            }
        }
    };
    let named_here =
        |error: Box<Diagnostic>| error.at(path.location.clone(), "the file is named here");
    let root: Arc<Node> = diagnostics.take(read().map_err(named_here))?;
    let mut found = Diagnostics::default();
    let replacements = replacement::read_file(&root, &mut found);
    found
        .as_slice()
        .iter()
        .for_each(|error| diagnostics.push(named_here(Box::new(error.clone()))));
    replacements
}
