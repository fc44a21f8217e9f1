//! `inlay kustomize fix`: rewrites the deprecated fields of a kustomization file.

use super::arguments::KustomizeFixArguments;
use super::ending::{CommandResult, Ending};
use super::output::{self, FileText, Reporter};
use crate::kustomization;
use crate::source::Diagnostics;
use crate::source::world::World;

/// Rewrites the file in place, or shows what would change.
pub(super) fn fix(
    world: &dyn World,
    arguments: &KustomizeFixArguments,
    reporter: &Reporter,
    diagnostics: &mut Diagnostics,
) -> CommandResult {
    let fixed = kustomization::fix(world, &arguments.folder, diagnostics)?;
    let before = fixed.before.text();
    let is_changed = fixed.text != before;
    let name = fixed.path.display().to_string();
    if arguments.diff {
        let diff = reporter.diff_style().unified(&name, before, &fixed.text);
        output::print(diff.as_bytes())?;
    } else if arguments.check {
        if is_changed {
            output::print(format!("would change {name}\n").as_bytes())?;
        }
    } else if is_changed {
        let real = world.canonical(&fixed.path).ok();
        let file = FileText {
            path: &fixed.path,
            real: real.as_deref(),
            before,
            text: &fixed.text,
        };
        output::write_files(world, &[file], diagnostics)?;
    }
    if arguments.check && is_changed {
        return Ok(Ending::Difference);
    }
    Ok(Ending::Success)
}
