//! `inlay migrate [DIR]`: prints a configuration of kind Inlay that is equivalent to the
//! configurations of other tools in a folder.

use std::path::Path;

use super::arguments::MigrateArguments;
use super::ending::{CommandResult, Ending};
use super::output;
use crate::kustomization;
use crate::source::world::World;
use crate::source::{Diagnostics, quoted_name, visible_line};

/// Prints a configuration that replaces those in the folder, and the command that applies it.
pub(super) fn migrate(
    world: &dyn World,
    arguments: &MigrateArguments,
    diagnostics: &mut Diagnostics,
) -> CommandResult {
    let migration = kustomization::migrate(world, &arguments.folder, diagnostics)?;
    output::print(migration.text(&arguments.name).as_bytes())?;
    let mut command = format!("inlay run {}", shell_word(&migration.path));
    for resource in &migration.resources {
        command.push_str(&format!(" {}", shell_word(resource)));
    }
    let line = visible_line(&command);
    let path = migration.path.display().to_string();
    let path = quoted_name(&path);
    output::remark(&format!("# save it as {path}, and run `{line}`\n"));
    Ok(Ending::Success)
}

/// Returns a path as a word of a command line: `'my app.yaml'`, and `./-f` for a name that would be
/// a flag.
fn shell_word(path: &Path) -> String {
    let mut text = path.display().to_string();
    if text.starts_with('-') {
        text.insert_str(0, "./");
    }
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "_-./+:@%,=".contains(letter);
    match !text.is_empty() && text.chars().all(is_plain) {
        true => text,
        false => format!("'{}'", text.replace('\'', r"'\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_one_word_of_a_command_line() {
        let word = |path: &str| shell_word(Path::new(path));
        assert_eq!(word("a/b-1.yaml"), "a/b-1.yaml");
        assert_eq!(word("my app.yaml"), "'my app.yaml'");
        assert_eq!(word("it's $HOME"), r"'it'\''s $HOME'");
        assert_eq!(word("-f"), "./-f");
    }
}
