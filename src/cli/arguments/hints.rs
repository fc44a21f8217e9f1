//! Tips in the errors of a wrong command line, where clap cannot know what was meant.

use std::path::Path;

use clap::CommandFactory;
use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};

use super::CommandLine;
use crate::kubernetes::KUSTOMIZATION_FILES;

/// Adds a hint to the error of an input that is given to a build without `-f`: `inlay config/` or
/// `inlay build config/`. Inputs are not taken without it, as in ytt: a misspelt command would be
/// a file. `inlay explain` takes no flags of the output, and says so.
pub(super) fn with_hint(error: clap::Error) -> clap::Error {
    let kind = match error.kind() {
        ErrorKind::InvalidSubcommand => ContextKind::InvalidSubcommand,
        ErrorKind::UnknownArgument => ContextKind::InvalidArg,
        _ => return error,
    };
    let Some(ContextValue::String(input)) = error.get(kind).cloned() else {
        return error;
    };
    if is_of(&error, "inlay explain") {
        let hint = explain_hint(&error, kind, &input);
        return with_tip(error, &hint);
    }
    if input == "-f" && is_of(&error, "inlay run") {
        return with_tip(
            error,
            "give files and folders without a flag, after the configuration",
        );
    }
    if kind == ContextKind::InvalidArg && input == "--output-directory" {
        return with_tip(error, "to write files into a folder, use '--output-files'");
    }
    let error = without_hidden_commands(error);
    let looks_like_a_path = input.contains(['/', '.', '\\']) || Path::new(&input).exists();
    let is_for_build = is_of(&error, "inlay build") || is_of(&error, "inlay [OPTIONS]");
    if input.starts_with('-') || !looks_like_a_path || !is_for_build {
        return error;
    }
    let folder = Path::new(&input);
    let hint = match KUSTOMIZATION_FILES
        .iter()
        .any(|name| folder.join(name).exists())
    {
        true => format!("to build the kustomization, use 'inlay kustomize {input}'"),
        false => format!("to build a file or a folder, use '-f {input}'"),
    };
    with_tip(error, &hint)
}

/// Returns the hint for a word that `inlay explain` does not take.
fn explain_hint(error: &clap::Error, kind: ContextKind, input: &str) -> String {
    if kind == ContextKind::InvalidSubcommand || is_of(error, "inlay explain [OPTIONS] <COMMAND>") {
        return "name the command whose output is explained, such as 'inlay explain build -f DIR -- PATH'"
            .to_owned();
    }
    if input.starts_with("--") {
        return format!("leave '{input}' out if it says what happens to the output");
    }
    if is_of(error, "inlay explain build") && Path::new(input).exists() {
        return format!("to build a file or a folder, use '-f {input}'");
    }
    format!("to ask about a value, write '--' before it: -- '{input}'")
}

/// Removes hidden names of commands from what clap suggests: `t` is there for scripts of ytt.
fn without_hidden_commands(mut error: clap::Error) -> clap::Error {
    let kind = ContextKind::SuggestedSubcommand;
    let Some(ContextValue::Strings(mut names)) = error.remove(kind) else {
        return error;
    };
    let program = CommandLine::command();
    names.retain(|name| {
        let mut commands = program.get_subcommands();
        !commands.any(|command| command.get_aliases().any(|alias| alias == name))
    });
    if names.is_empty() {
        // Without a name it is an empty line.
        error.remove(ContextKind::Suggested);
    } else {
        error.insert(kind, ContextValue::Strings(names));
    }
    error
}

/// Returns whether an error is one of a command, by its usage.
fn is_of(error: &clap::Error, command: &str) -> bool {
    match error.get(ContextKind::Usage) {
        Some(ContextValue::StyledStr(usage)) => usage.to_string().contains(command),
        _ => false,
    }
}

/// Replaces what clap suggests by a tip of our own.
fn with_tip(mut error: clap::Error, tip: &str) -> clap::Error {
    let mut styled = StyledStr::new();
    styled.push_str(tip);
    let styled = ContextValue::StyledStrs(vec![styled]);
    error.insert(ContextKind::Suggested, styled);
    for guess in [
        ContextKind::SuggestedArg,
        ContextKind::SuggestedSubcommand,
        ContextKind::SuggestedCommand,
    ] {
        error.remove(guess);
    }
    error
}
