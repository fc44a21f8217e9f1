//! The order of the steps, and the single entry point for command line, KRM function and exec
//! plugin.
//!
//! A [`ConfigurationRun`] applies a [`Configuration`] in this order:
//! 1. generators, so that templates and overlays see the generated objects;
//! 2. templates and overlays ([`TemplateBuild`]), so that values can be copied from and to rendered
//!    objects;
//! 3. patches;
//! 4. replacements.
//!
//! [`finish`] runs once, after the last configuration. It appends the hash of an object to its
//! name, when the object does not change any more.

mod rendered;
mod template_build;
mod text_overlays;

use std::collections::HashSet;
use std::sync::Arc;

pub use self::template_build::TemplateBuild;
use self::template_build::render;
use self::text_overlays::YttOverlays;
use crate::kubernetes::{Resource, keep_secrets};
pub use crate::kustomize::generator::PluginRole;
use crate::kustomize::generator::{self, Generator, GeneratorContext};
use crate::kustomize::patch::{self, Patch, PatchRun};
use crate::kustomize::replacement::{self, Replacement, ReplacementRun};
use crate::kustomize::{EditRules, SuffixWriter, add_suffixes};
use crate::provenance::Recorder;
use crate::source::world::Folder;
use crate::source::{Diagnostics, Location, Reported};
use crate::yaml::Node;

/// The edits of a configuration, read from any kind of document.
///
/// Invariant: every path, pattern and patch in it was parsed, including those in files that the
/// configuration refers to.
#[derive(Clone, Debug, Default)]
pub struct Configuration {
    /// ConfigMaps and Secrets to create, or to merge values into.
    pub generators: Vec<Generator>,
    /// Templates and overlays.
    pub build: TemplateBuild,
    /// Changes to objects.
    pub patches: Vec<Patch>,
    /// Values to copy from field to field.
    pub replacements: Vec<Replacement>,
    /// The place of the field `kind`, for messages about the whole configuration.
    pub place: Option<Location>,
}

impl Configuration {
    /// Returns whether the configuration can create resources, and not only change existing ones.
    pub fn creates_resources(&self) -> bool {
        !self.generators.is_empty() || !self.build.is_empty()
    }

    /// Returns whether the configuration has no effect.
    pub fn is_empty(&self) -> bool {
        !self.creates_resources() && self.patches.is_empty() && self.replacements.is_empty()
    }
}

/// The application of a configuration: its steps need this in addition to the resources.
#[derive(Clone, Copy)]
pub struct ConfigurationRun<'r> {
    /// The configuration to apply.
    pub configuration: &'r Configuration,
    /// The role in which the host calls it, which determines the work that is left to the host.
    pub role: PluginRole,
    /// The folder that the files of the configuration are read from.
    pub folder: &'r Folder<'r>,
    /// Records every change of an object.
    pub recorder: Recorder<'r>,
}

impl ConfigurationRun<'_> {
    /// Applies the only configuration of a function or plugin call, from the first step to the
    /// last.
    ///
    /// # Errors
    /// Fails if any error was reported, including before this call.
    pub fn call(
        self,
        resources: Vec<Resource>,
        diagnostics: &mut Diagnostics,
    ) -> Result<Vec<Resource>, Reported> {
        let resources = self.apply(resources, diagnostics)?;
        match self.role {
            // The host finishes the objects: kustomize according to annotations, and a build at its
            // root.
            PluginRole::Generator | PluginRole::Build => Ok(resources),
            PluginRole::Transformer => finish(resources, self.recorder, diagnostics),
        }
    }

    /// Applies one of several configurations, and returns the resources. After the last one, call
    /// [`finish`].
    ///
    /// If a step fails, later steps are still tried, so that one run reports as many mistakes as
    /// possible.
    ///
    /// # Errors
    /// Fails if any error was reported, including before this call, because the readable parts of a
    /// faulty configuration are not what the user intended.
    pub fn apply(
        self,
        mut resources: Vec<Resource>,
        diagnostics: &mut Diagnostics,
    ) -> Result<Vec<Resource>, Reported> {
        diagnostics.outcome()?;
        // Keep the nodes alive, so that no new node gets the address of an old one.
        let nodes = resources.iter().map(|resource| &resource.node);
        let before: Vec<Arc<Node>> = nodes.map(Arc::clone).collect();
        let unchanged: HashSet<*const Node> = before.iter().map(Arc::as_ptr).collect();
        let is_changed = |resource: &&Resource| !unchanged.contains(&Arc::as_ptr(&resource.node));

        let generated = self.generate(&mut resources, diagnostics);
        resources = render(self, resources, diagnostics)?;
        for resource in resources.iter().filter(is_changed) {
            // The messages of later steps may quote values that templates created and that are in
            // no file.
            keep_secrets(&resource.node, diagnostics);
        }
        let patched = self.patch(&mut resources, diagnostics);
        let replaced = self.replace(&mut resources, diagnostics);

        warn_of_texts(resources.iter().filter(is_changed), diagnostics);
        generated.and(patched).and(replaced)?;
        Ok(resources)
    }

    /// Applies only the generators of the configuration.
    ///
    /// # Errors
    /// Reports the mistakes of every generator.
    pub fn generate(
        self,
        resources: &mut Vec<Resource>,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), Reported> {
        let context = GeneratorContext {
            role: self.role,
            folder: self.folder,
            overlays: &YttOverlays {
                world: self.folder.world(),
                options: self.configuration.build.options,
            },
        };
        generator::apply(
            &self.configuration.generators,
            &context,
            resources,
            self.recorder,
            diagnostics,
        )
    }

    fn patch(
        self,
        resources: &mut Vec<Resource>,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), Reported> {
        let mut run = PatchRun::new(resources).recorded(self.recorder);
        let outcome = patch::apply_all(&self.configuration.patches, &mut run, diagnostics);
        run.finish();
        outcome
    }

    fn replace(
        self,
        resources: &mut [Resource],
        diagnostics: &mut Diagnostics,
    ) -> Result<(), Reported> {
        let suffixes = match self.role {
            PluginRole::Transformer => SuffixWriter::ThisRun,
            PluginRole::Generator | PluginRole::Build => SuffixWriter::Host,
        };
        let run = ReplacementRun {
            rules: EditRules::Inlay,
            suffixes,
            recorder: self.recorder,
        };
        let replacements = &self.configuration.replacements;
        replacement::apply(replacements, run, resources, diagnostics)
    }
}

/// Ends a run: adds suffixes to names, and updates the references to them.
///
/// # Errors
/// Fails if any error was reported, including before this call.
pub fn finish(
    mut resources: Vec<Resource>,
    recorder: Recorder<'_>,
    diagnostics: &mut Diagnostics,
) -> Result<Vec<Resource>, Reported> {
    add_suffixes(&mut resources, recorder, diagnostics)?;
    Ok(resources)
}

/// Warns about edited texts in strings that other programs may read differently.
pub fn warn_of_texts<'r>(
    resources: impl Iterator<Item = &'r Resource>,
    diagnostics: &mut Diagnostics,
) {
    for resource in resources {
        for warning in resource.text_warnings() {
            diagnostics.push(warning);
        }
    }
}
