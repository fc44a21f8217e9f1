//! `--output-file` and `--depfile`: what build systems need to call Inlay without a shell.

use std::io;
use std::path::{Path, PathBuf};

use super::arguments::OutputFileArguments;
use super::ending::CommandResult;
use super::output;
use crate::source::world::{Recording, Replacement, World, reason};
use crate::source::{Code, Diagnostic, Result};

/// Runs a command, and then lists the files that it read in the file of `--depfile`.
pub(super) fn with_depfile(
    world: &dyn World,
    arguments: &OutputFileArguments,
    command: impl FnOnce(&dyn World) -> CommandResult,
) -> CommandResult {
    let (Some(depfile), Some(target)) = (&arguments.depfile, &arguments.output_file) else {
        return command(world);
    };
    let recording = Recording::new(world);
    let ending = command(&recording)?;
    let mut files = recording.files();
    // The old output is read too, to be compared with the new one, but it is no input.
    let output = world.canonical(target).ok();
    files.retain(|file| output.is_none() || world.canonical(file).ok() != output);
    let rule = rule(target, &files)?;
    write_file(world, depfile, &rule)?;
    Ok(ending)
}

/// Prints a text in parts on standard output, or writes it to the file of `--output-file`.
///
/// # Errors
/// It cannot be written.
pub(super) fn deliver(
    world: &dyn World,
    arguments: &OutputFileArguments,
    parts: &[String],
) -> Result<()> {
    match &arguments.output_file {
        Some(path) => write_file(world, path, &parts.concat()),
        None => output::print_pieces(parts.iter().map(String::as_str)),
    }
}

/// Writes a file at once: a reader sees the old content or the new one. A file that has this content already is left
/// alone, with its time, so that a build system runs nothing that depends on it.
///
/// # Errors
/// The path names no file, or it cannot be written.
fn write_file(world: &dyn World, path: &Path, text: &str) -> Result<()> {
    let failed = |error: &io::Error| {
        let message = format!("cannot write `{}`: {}", path.display(), reason(error));
        Diagnostic::error(Code::File, message)
    };
    let place = match world.canonical(path) {
        Ok(place) => place,
        Err(_) => {
            let created = world.create(path, text.as_bytes());
            return created.map_err(|error| failed(&error));
        }
    };
    // Not a device, which a new file would take the place of.
    let before = world.read_regular(&place).map_err(|error| failed(&error))?;
    if before == text.as_bytes() {
        return Ok(());
    }
    // Replacing it keeps its permissions, and the link, if it is one.
    let replacement = Replacement {
        place: &place,
        before: &before,
        after: text.as_bytes(),
    };
    match world.replace(&[replacement]) {
        Ok(_) => Ok(()),
        Err(failure) => Err(failed(&failure.error)),
    }
}

/// Returns a rule of a makefile: `target` depends on `files`.
///
/// Each file also gets a rule of its own without anything, so that a build does not fail when a file is deleted (`gcc
/// -MP`). Both make and ninja read this form.
///
/// # Errors
/// A name contains a line break, which this form cannot express.
fn rule(target: &Path, files: &[PathBuf]) -> Result<String> {
    let mut rule = format!("{}:", escaped(target)?);
    let mut phony = String::new();
    for file in files {
        let name = escaped(file)?;
        rule.push_str(" \\\n  ");
        rule.push_str(&name);
        phony.push_str(&name);
        phony.push_str(":\n");
    }
    rule.push('\n');
    rule.push_str(&phony);
    Ok(rule)
}

/// Returns a path as makefiles write it: `a b$#.yml` is `a\ b$$\#.yml`.
fn escaped(path: &Path) -> Result<String> {
    let text = path.to_string_lossy();
    if text.contains(['\n', '\r']) {
        let message = format!("the name {text:?} has a line break, which a depfile cannot contain");
        return Err(Diagnostic::error(Code::Output, message)
            .help("rename the file, or leave out `--depfile`"));
    }
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            ' ' | '#' => escaped.push('\\'),
            '$' => escaped.push('$'),
            _ => {}
        }
        escaped.push(character);
    }
    Ok(escaped)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_names_every_file_and_survives_its_deletion() {
        let files = ["a.yml", "b c.yml", "d$#.yml"].map(PathBuf::from);
        assert_eq!(
            rule(Path::new("out.yaml"), &files).unwrap(),
            "out.yaml: \\\n  a.yml \\\n  b\\ c.yml \\\n  d$$\\#.yml\na.yml:\nb\\ c.yml:\nd$$\\#.yml:\n"
        );
        assert!(rule(Path::new("out.yaml"), &[PathBuf::from("a\nb")]).is_err());
    }
}
