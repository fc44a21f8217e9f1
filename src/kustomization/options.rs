//! The options of a build, which are flags of the command line.

pub use super::helm::HelmOptions;
use crate::source::world::FolderReach;

/// The options of a build.
#[derive(Clone, Debug)]
pub struct KustomizationOptions {
    /// The files that a kustomization may read: `--load-restrictor`.
    pub reach: FolderReach,
    /// Whether plugins may run: `--enable-alpha-plugins`.
    pub enables_plugins: bool,
    /// Whether plugins may be programs: `--enable-exec`.
    pub enables_exec: bool,
    /// How charts are rendered.
    pub helm: HelmOptions,
    /// Whether objects get a label that names the program: `--enable-managedby-label`.
    pub adds_managed_by_label: bool,
    /// The order of the flag `--reorder`, which `sortOptions` overrides.
    pub keeps_order: bool,
}

impl Default for KustomizationOptions {
    fn default() -> KustomizationOptions {
        KustomizationOptions {
            reach: FolderReach::BelowWhenResolved,
            enables_plugins: false,
            enables_exec: false,
            helm: HelmOptions::default(),
            adds_managed_by_label: false,
            keeps_order: false,
        }
    }
}
