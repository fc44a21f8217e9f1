//! `inlay version`, and the documents that clap generates from the table of arguments: completions
//! and manual pages.

use clap::error::ErrorKind;

use super::arguments::CommandLine;
use super::ending::{CommandResult, Ending};
use super::output;
use crate::source::limits::LIMITS;
use crate::source::{Code, Diagnostic};

/// Prints the version.
pub(super) fn version() -> CommandResult {
    output::print(concat!("inlay version ", env!("CARGO_PKG_VERSION"), "\n").as_bytes())?;
    Ok(Ending::Success)
}

/// The commit that the program was built from, which is known only in releases.
const COMMIT: Option<&str> = option_env!("INLAY_COMMIT");

/// Prints the version, the commit, the programs whose behavior Inlay reproduces, and the limits.
pub(super) fn version_verbose() -> CommandResult {
    let mut text = format!("inlay version {}\n", env!("CARGO_PKG_VERSION"));
    text.push_str(&format!(
        "commit      {}\n",
        COMMIT.unwrap_or("unknown: not a release")
    ));
    text.push_str("ytt         v0.49 (docs/differences-ytt.md)\n");
    text.push_str("kustomize   v5.8.2 (docs/differences.md)\n");
    text.push_str("limits      (docs/limits.md)\n");
    for row in &LIMITS {
        text.push_str(&format!("  {:<16} {}\n", row.name, row.limit.value()));
    }
    output::print(text.as_bytes())?;
    Ok(Ending::Success)
}

/// Prints the completions of a shell.
pub(super) fn completions(shell: clap_complete::Shell) -> CommandResult {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut CommandLine::program(), "inlay", &mut text);
    output::print(&text)?;
    Ok(Ending::Success)
}

/// Prints the manual page of the command with these names, or of the program if there are none.
pub(super) fn man(commands: &[String]) -> CommandResult {
    let mut program = CommandLine::program();
    let mut page = &mut program;
    // Descend the tree: `man plugin install` is the page of a nested command.
    for name in commands {
        let Some(command) = page.find_subcommand_mut(name) else {
            let message = format!("inlay has no command `{}`", commands.join(" "));
            let error = CommandLine::program().error(ErrorKind::InvalidSubcommand, message);
            return Err(error.into());
        };
        page = command;
    }
    let title = page.get_display_name().unwrap_or(page.get_name());
    let title = title.to_owned();
    let mut text = Vec::new();
    clap_mangen::Man::new(page.clone())
        .title(title)
        .source(concat!("inlay ", env!("CARGO_PKG_VERSION")))
        .render(&mut text)
        .map_err(|error| {
            Diagnostic::error(Code::Internal, format!("cannot write the manual: {error}"))
        })?;
    output::print(&text)?;
    Ok(Ending::Success)
}
