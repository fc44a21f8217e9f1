//! `inlay kustomize`: builds a kustomization.

use super::arguments::{
    KustomizeArguments, KustomizeBuildArguments, KustomizeCommand, LoadRestrictor, Reorder,
};
use super::ending::{CommandResult, Ending};
use super::kustomize_fix;
use super::output::{self, Reporter};
use crate::kustomization::{self, KustomizationOptions};
use crate::source::Diagnostics;
use crate::source::world::{FolderReach, World};

/// Builds a kustomization, and prints or writes its objects.
pub(super) fn kustomize(
    world: &dyn World,
    arguments: &KustomizeArguments,
    reporter: &Reporter,
    diagnostics: &mut Diagnostics,
) -> CommandResult {
    let arguments = match &arguments.command {
        Some(KustomizeCommand::Fix(fix)) => {
            return kustomize_fix::fix(world, fix, reporter, diagnostics);
        }
        Some(KustomizeCommand::Build(build)) => build,
        None => &arguments.build,
    };
    let options = options(arguments);
    let resources = kustomization::build(world, &arguments.folder, &options, diagnostics)?;
    diagnostics.outcome()?;
    let text = if arguments.faithful {
        kustomization::print_faithfully(&resources, diagnostics)?
    } else {
        kustomization::print(&resources, diagnostics)?
    };
    output::print(text.as_bytes())?;
    Ok(Ending::Success)
}

fn options(arguments: &KustomizeBuildArguments) -> KustomizationOptions {
    KustomizationOptions {
        reach: match arguments.load_restrictor {
            LoadRestrictor::RootOnly => FolderReach::BelowWhenResolved,
            LoadRestrictor::Anywhere => FolderReach::Anywhere,
        },
        enables_plugins: arguments.enable_alpha_plugins,
        enables_exec: arguments.enable_exec,
        enables_helm: arguments.enable_helm,
        adds_managed_by_label: arguments.enable_managedby_label,
        keeps_order: arguments.reorder == Some(Reorder::None),
    }
}
