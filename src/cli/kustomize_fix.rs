//! `inlay kustomize fix`: rewrites the deprecated fields of a kustomization file.

use super::arguments::KustomizeFixArguments;
use super::comparison;
use super::ending::{CommandResult, Ending};
use super::output::{self, FileText, Reporter};
use crate::diff::{OutputChange, OutputComparison};
use crate::kustomization;
use crate::source::Diagnostics;
use crate::source::world::World;

/// Rewrites the file in place, or shows the changes.
pub(super) fn fix(
    world: &dyn World,
    arguments: &KustomizeFixArguments,
    reporter: &Reporter,
    diagnostics: &mut Diagnostics,
) -> CommandResult {
    let fixed = kustomization::fix(world, &arguments.folder, diagnostics)?;
    let before = fixed.before.text();
    let is_changed = fixed.text != before;
    if arguments.comparison.is_on() {
        let name = fixed.path.display().to_string();
        let change = OutputChange::text(name, before, &fixed.text);
        return comparison::show(
            &OutputComparison::new([change]),
            &arguments.comparison,
            reporter,
        );
    }
    if is_changed {
        let real = world.canonical(&fixed.path).ok();
        let file = FileText {
            path: &fixed.path,
            real: real.as_deref(),
            before,
            text: &fixed.text,
        };
        output::write_files(world, &[file], diagnostics)?;
    }
    Ok(Ending::Success)
}
