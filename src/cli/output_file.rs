//! `--output-file` and `--depfile`: the flags with which build systems call Inlay without a shell.

use std::borrow::Cow;
use std::io;
use std::path::{Path, PathBuf};

use super::arguments::OutputFileArguments;
use super::ending::CommandResult;
use super::input_places::InputPlaces;
use super::output::{self, Reporter};
use super::progress;
use crate::source::world::{
    HAS_WINDOWS_PATHS, Recording, Replacement, World, folder_of, real_place, reason,
};
use crate::source::{Code, Diagnostic, Result, quoted_name};

/// The destination of a command's text: standard output, or the file of `--output-file`.
pub(super) struct Delivery<'d> {
    world: &'d dyn World,
    reporter: &'d Reporter,
    file: Option<DeliveredFile<'d>>,
}

/// The file of `--output-file`.
struct DeliveredFile<'d> {
    path: &'d Path,
    depfile: Option<&'d Path>,
    /// The files that were read so far.
    recording: &'d Recording<'d>,
}

/// Runs a command that delivers its text to the file of `--output-file`, together with the list of
/// the files that it read to that of `--depfile`.
pub(super) fn with_depfile(
    world: &dyn World,
    arguments: &OutputFileArguments,
    reporter: &Reporter,
    command: impl FnOnce(&dyn World, &Delivery<'_>) -> CommandResult,
) -> CommandResult {
    let Some(target) = &arguments.output_file else {
        let delivery = Delivery {
            world,
            reporter,
            file: None,
        };
        return command(world, &delivery);
    };
    let recording = Recording::new(world);
    let delivery = Delivery {
        world,
        reporter,
        file: Some(DeliveredFile {
            path: target,
            depfile: arguments.depfile.as_deref(),
            recording: &recording,
        }),
    };
    command(&recording, &delivery)
}

/// Writes the list of files that were read for `target` to `depfile`.
///
/// Call this before the target is written. If the list cannot be written, the target is still
/// older than its inputs. Otherwise a build system would take it for complete, without knowing the
/// inputs whose changes it depends on.
///
/// # Errors
/// Fails if the depfile is the target, one of the files or a folder, if a rule cannot contain a name,
/// or if the depfile cannot be written.
pub(super) fn list_inputs(
    world: &dyn World,
    recording: &Recording<'_>,
    target: &Path,
    depfile: &Path,
) -> Result<()> {
    let files = recording.files();
    refuse_overwriting(world, depfile, target, &files)?;
    if world.is_folder(depfile) {
        let message = format!("the depfile `{}` is a folder", depfile.display());
        return Err(Diagnostic::error(Code::Output, message).help("name a file with `--depfile`"));
    }
    let rule = rule(target, &files)?;
    write_file(world, depfile, &rule)?;
    Ok(())
}

/// Rejects a depfile at the place of the output or of a file that was read, because its rule would
/// replace that file.
fn refuse_overwriting(
    world: &dyn World,
    depfile: &Path,
    target: &Path,
    files: &[PathBuf],
) -> Result<()> {
    let output = real_place(world, target);
    let is_output = output.is_some() && real_place(world, depfile) == output;
    let inputs = InputPlaces::new(world, files.iter().map(PathBuf::as_path));
    if !is_output && !inputs.contains(world, depfile) {
        return Ok(());
    }
    let of = if is_output { "the output" } else { "an input" };
    let message = format!("the depfile `{}` is {of}", depfile.display());
    Err(Diagnostic::error(Code::Output, message).help("name another file with `--depfile`"))
}

impl Delivery<'_> {
    /// Prints the list of the files that the command has written.
    ///
    /// # Errors
    /// Fails if standard output cannot be written.
    pub(super) fn list_written(&self, list: &str) -> Result<()> {
        self.reporter.list_written(list)
    }

    /// Prints a text in parts on standard output, or writes it to the file of `--output-file`.
    ///
    /// # Errors
    /// Fails if the text cannot be written, or if the command has read the file.
    pub(super) fn deliver(&self, parts: &[Cow<'_, str>]) -> Result<()> {
        let Some(file) = &self.file else {
            return output::print_pieces(parts.iter().map(|part| &**part));
        };
        let path = file.path;
        // Collect these before the old output is compared with the new one, which reads it.
        let read = file.recording.files();
        let inputs = InputPlaces::new(self.world, read.iter().map(PathBuf::as_path));
        inputs.refuse(self.world, path, "name another file with `--output-file`")?;
        if let Some(depfile) = file.depfile {
            list_inputs(self.world, file.recording, path, depfile)?;
        }
        let is_new = write_file(self.world, path, &parts.concat())?;
        let word = if is_new { "creating" } else { "unchanged" };
        let name = quoted_name(&path.to_string_lossy()).into_owned();
        self.list_written(&format!("{word}: {name}\n"))
    }
}

/// Writes a file atomically: a reader sees either the old or the new content. A file that already
/// has this content is not touched and keeps its time, so that a build system runs nothing that
/// depends on it. Returns whether it was written.
///
/// # Errors
/// Fails if the path is not that of a file, if it is a link that leads to none, or if it cannot be
/// written.
pub(super) fn write_file(world: &dyn World, path: &Path, text: &str) -> Result<bool> {
    let failed = |error: &io::Error| {
        let message = format!("cannot write `{}`: {}", path.display(), reason(error));
        Diagnostic::error(Code::File, message)
    };
    let place = match world.canonical(path) {
        Ok(place) => place,
        // Something without a canonical path is there: a link to nothing, to a pipe or to a socket. A
        // new file would replace it, and `/dev/stdout` is such a link.
        Err(_) if world.kind(path).is_ok() => {
            let message = format!("`{}` is a link that leads to no file", path.display());
            return Err(Diagnostic::error(Code::File, message)
                .help("name the file itself, or remove the link"));
        }
        Err(_) => {
            let created = world.create(path, text.as_bytes());
            return created.map(|()| true).map_err(|error| failed(&error));
        }
    };
    // This rejects a device, which a new file would replace.
    let before = world.read_regular(&place).map_err(|error| failed(&error))?;
    if before == text.as_bytes() {
        return Ok(false);
    }
    // Replacing the file keeps its permissions, and the link if it is one.
    let replacement = Replacement {
        place: &place,
        before: &before,
        after: text.as_bytes(),
    };
    let on_wait = |_: &Path| {
        progress::show_wait(folder_of(path));
        Ok(())
    };
    match world.replace(&[replacement], &on_wait) {
        Ok(_) => Ok(true),
        Err(failure) => Err(failed(&failure.error)),
    }
}

/// Returns a rule of a makefile: `target` depends on `files`.
///
/// Each file also gets an empty rule, so that a build does not fail when a file is deleted
/// (`gcc -MP`). Both make and ninja accept this form.
///
/// # Errors
/// Fails if a name contains a line break or a tab, which this form cannot represent, or if the
/// target contains `%`, with which make would take the rule for a pattern.
fn rule(target: &Path, files: &[PathBuf]) -> Result<String> {
    if target.to_string_lossy().contains('%') {
        return Err(unrepresentable(target, "`%` in the target"));
    }
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

fn unrepresentable(path: &Path, what: &str) -> Box<Diagnostic> {
    let message = format!("a depfile cannot contain {what}, as in {path:?}");
    Diagnostic::error(Code::Output, message).help("rename the file, or leave out `--depfile`")
}

/// Returns a path in the syntax of makefiles: `a b$#:.yml` becomes `a\ b$$\#\:.yml`. On Windows, `/`
/// separates folders in it, because a backslash escapes the next character, and the colon after the
/// letter of a drive stays.
fn escaped(path: &Path) -> Result<String> {
    let text = path.to_string_lossy();
    if text.contains(['\n', '\r', '\t']) {
        return Err(unrepresentable(path, "a line break or a tab"));
    }
    let mut escaped = String::with_capacity(text.len());
    for (index, character) in text.chars().enumerate() {
        match character {
            ':' if HAS_WINDOWS_PATHS && index == 1 => escaped.push(':'),
            ' ' | '#' | ':' => escaped.extend(['\\', character]),
            '$' => escaped.push_str("$$"),
            '\\' if HAS_WINDOWS_PATHS => escaped.push('/'),
            _ => escaped.push(character),
        }
    }
    Ok(escaped)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_names_every_file_and_survives_its_deletion() {
        let files = ["a.yml", "b c.yml", "d$#:e.yml"].map(PathBuf::from);
        assert_eq!(
            rule(Path::new("out.yaml"), &files).unwrap(),
            "out.yaml: \\\n  a.yml \\\n  b\\ c.yml \\\n  d$$\\#\\:e.yml\na.yml:\nb\\ c.yml:\nd$$\\#\\:e.yml:\n"
        );
        for name in ["a\nb", "a\tb"] {
            assert!(rule(Path::new("out.yaml"), &[PathBuf::from(name)]).is_err());
        }
        assert!(rule(Path::new("o%t.yaml"), &files).is_err());
    }
}
