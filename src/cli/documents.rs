//! `inlay version`, and `inlay completions SHELL` and `inlay man`, both written from the table of arguments.

use clap::error::ErrorKind;

use super::arguments::Arguments;
use super::{Ending, Outcome, output};
use crate::source::{Code, Diagnostic};

/// Prints the version.
pub(super) fn version() -> Outcome {
    output::print(concat!("inlay version ", env!("CARGO_PKG_VERSION"), "\n").as_bytes())?;
    Ok(Ending::Success)
}

/// Prints the completions of a shell.
pub(super) fn completions(shell: clap_complete::Shell) -> Outcome {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut Arguments::program(), "inlay", &mut text);
    output::print(&text)?;
    Ok(Ending::Success)
}

/// Prints the manual page of the program, or of the command that `commands` lead to.
pub(super) fn man(commands: &[String]) -> Outcome {
    let mut program = Arguments::program();
    let page = commands.iter().try_fold(&mut program, |command, name| {
        command.find_subcommand_mut(name)
    });
    let Some(page) = page else {
        let message = format!("inlay has no command `{}`", commands.join(" "));
        return Ok(Ending::Usage(
            Arguments::program().error(ErrorKind::InvalidSubcommand, message),
        ));
    };
    let name = page
        .get_display_name()
        .unwrap_or(page.get_name())
        .to_owned();
    let mut text = Vec::new();
    clap_mangen::Man::new(page.clone())
        .title(name)
        .render(&mut text)
        .map_err(|error| {
            Diagnostic::error(Code::Internal, format!("cannot write the manual: {error}"))
        })?;
    output::print(&text)?;
    Ok(Ending::Success)
}
