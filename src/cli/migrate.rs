//! `inlay migrate [DIR]`

use super::arguments::MigrateArguments;
use super::ending::{CommandResult, Ending};
use super::output;
use crate::kustomization;
use crate::source::world::World;
use crate::source::{Diagnostics, visible_line};

/// Prints a configuration that replaces what is in the folder, and the command that applies it.
pub(super) fn migrate(
    world: &dyn World,
    arguments: &MigrateArguments,
    diagnostics: &mut Diagnostics,
) -> CommandResult {
    let migration = kustomization::migrate(world, &arguments.folder, diagnostics)?;
    output::print(migration.text(&arguments.name).as_bytes())?;
    let mut command = "inlay run inlay.yaml".to_owned();
    for resource in &migration.resources {
        command.push_str(&format!(" {}", resource.display()));
    }
    let line = visible_line(&command);
    output::remark(&format!("# save it as inlay.yaml, and run `{line}`\n"));
    Ok(Ending::Success)
}
