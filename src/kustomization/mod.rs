//! Builds kustomizations as `kustomize build` does, on our tree.
//!
//! - [`build`] is the whole build; `accumulate` is the order in which a kustomization and
//!   everything that it includes run; `finish` contains the steps that run once at the root.
//! - `file`, `config` and `deprecated` read a kustomization file.
//! - `place` and `objects` load the folders and files that it names.
//!
//! A kustomization is built as kustomize builds it. Where kustomize silently ignores something,
//! there is a warning here, and where it loses data, there is an error. `docs/kustomize.md` lists
//! the differences.

mod accumulate;
mod accumulator;
mod config;
mod deprecated;
mod field_specs;
mod file;
mod finish;
mod fix;
mod generators;
mod helm;
mod kpt_steps;
mod migrate;
mod objects;
mod openapi;
mod options;
mod origins;
mod own_fields;
mod patches;
mod place;
mod plugin_needs;
mod plugins;
mod remote;
mod resources;
mod target;
mod transformers;
mod variable_uses;

use std::path::Path;

use serde_json::Value;

pub use self::file::has_kustomization;
pub use self::fix::{FixedKustomization, fix};
pub use self::kpt_steps::{KptForm, KptStep, find_kptfile, kpt_steps};
pub use self::migrate::{Migration, migrate};
pub use self::options::{HelmOptions, KustomizationOptions};
pub use self::own_fields::OwnField;
pub use self::plugin_needs::{KustomizationNeeds, PluginForm, PluginNeed, kustomization_needs};
pub use self::plugins::plugin_homes;
pub use crate::kustomize::output::{file_names, print, print_faithfully, print_object};

use self::accumulate::KustomizationBuild;
use self::accumulator::Accumulator;
use self::config::{DOCUMENTED, KustomizationConfig};
use self::place::Place;
use crate::kubernetes::Resource;
use crate::provenance::Recorder;
use crate::source::world::World;
use crate::source::{Diagnostics, Reported};
use crate::typed::json_schema;

/// Builds the kustomization in a folder, and returns its objects in the order in which they are
/// printed. `recorder` gets every change of an object.
///
/// # Errors
/// Reports every mistake that is found.
pub fn build(
    world: &dyn World,
    folder: &Path,
    options: &KustomizationOptions,
    recorder: Recorder<'_>,
    diagnostics: &mut Diagnostics,
) -> Result<Vec<Resource>, Reported> {
    let place = diagnostics.check(Place::root(world, folder, options.reach))?;
    let file = file::read(world, &place.shown, diagnostics)?;
    let settings = finish::RootSettings::read(&file, options, diagnostics)?;
    let origins = settings.origins(&place);
    let mut build = KustomizationBuild::new(world, options, origins, recorder, diagnostics);
    let accumulated = build.accumulate(&place, &file, Accumulator::default())?;
    finish::finish(accumulated, &settings, recorder, diagnostics)
}

/// Returns the objects that the kustomization in a folder edits: those that it includes or
/// generates, before its own patches, replacements and other edits.
///
/// # Errors
/// Reports every mistake that is found.
pub fn included(
    world: &dyn World,
    folder: &Path,
    diagnostics: &mut Diagnostics,
) -> Result<Vec<Resource>, Reported> {
    let options = KustomizationOptions::default();
    let place = diagnostics.check(Place::root(world, folder, options.reach))?;
    let mut file = file::read(world, &place.shown, diagnostics)?;
    file.config = file.config.without_edits();
    let settings = finish::RootSettings::read(&file, &options, diagnostics)?;
    let origins = settings.origins(&place);
    let mut build = KustomizationBuild::new(world, &options, origins, Recorder::off(), diagnostics);
    let accumulated = build.accumulate(&place, &file, Accumulator::default())?;
    Ok(accumulated.resources)
}

/// Returns the JSON Schema of a kustomization file.
pub fn file_schema() -> Value {
    json_schema::<KustomizationConfig>(&DOCUMENTED)
}
