//! What clap cannot check: arguments that exclude each other by their values, or are of different
//! places.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::error::ErrorKind;

use super::{
    BaseArguments, BuildArguments, CommandLine, ComparisonArguments, KustomizeBuildArguments,
    OutputName, WatchArguments,
};

/// Checks that a build that compares has something to compare with.
pub(super) fn check_build_comparison(build: &BuildArguments) -> Result<(), clap::Error> {
    let has_output = build.output_files.is_some()
        || build.dangerous_emptied_output_directory.is_some()
        || build.output_file.output_file.is_some();
    let targets = "`--output-files DIR`, `--output-file FILE` or `--against DIR`";
    if build.output.first() == Some(&OutputName::Annotated) {
        return check_annotated("build", &build.comparison, &build.base, &build.watch);
    }
    if build.watch.watch {
        return check_watch("build", has_output || build.bulk_out);
    }
    // The matrix says where each output is written.
    if build.matrix.is_some() {
        return Ok(());
    }
    check_target("build", &build.comparison, &build.base, has_output, targets)
}

/// Checks that a build of a kustomization that compares has something to compare with.
pub(super) fn check_kustomize_comparison(
    build: &KustomizeBuildArguments,
) -> Result<(), clap::Error> {
    let has_output = build.output.is_some();
    let targets = "`--output PATH` or `--against DIR`";
    if build.output.as_deref() == Some(Path::new("annotated")) {
        return check_annotated("kustomize", &build.comparison, &build.base, &build.watch);
    }
    if build.watch.watch {
        return check_watch("kustomize", has_output);
    }
    check_target(
        "kustomize",
        &build.comparison,
        &build.base,
        has_output,
        targets,
    )
}

/// Checks that a command that watches only prints.
fn check_watch(command: &str, has_output: bool) -> Result<(), clap::Error> {
    if has_output {
        let message = "`--watch` prints what changes, and writes no files";
        return Err(conflict(command, message));
    }
    Ok(())
}

/// Checks that annotated output, which is for reading, is only printed.
fn check_annotated(
    command: &str,
    comparison: &ComparisonArguments,
    base: &BaseArguments,
    watch: &WatchArguments,
) -> Result<(), clap::Error> {
    if comparison.is_on() || base.against.is_some() || watch.watch {
        let message = "`-o annotated` is printed, and not compared or watched";
        return Err(conflict(command, message));
    }
    Ok(())
}

fn check_target(
    command: &str,
    comparison: &ComparisonArguments,
    base: &BaseArguments,
    has_output: bool,
    targets: &str,
) -> Result<(), clap::Error> {
    if comparison.is_on() && !has_output && base.against.is_none() {
        let message = format!("there is nothing to compare with: add {targets}");
        return Err(conflict(command, &message));
    }
    if has_output && base.against.is_some() {
        let message = format!("the output is compared with one thing: give one of {targets}");
        return Err(conflict(command, &message));
    }
    Ok(())
}

pub(super) const INPUT_TWICE: &str = "`-` is given twice, but standard input can be read only once";

/// Returns whether a path means standard input or output.
pub(super) fn is_dash(path: &Path) -> bool {
    path == Path::new("-")
}

/// Returns whether one of the files is standard input.
///
/// # Errors
/// Several are.
pub(super) fn check_one_dash<'f>(
    command: &str,
    files: impl Iterator<Item = &'f PathBuf>,
) -> Result<bool, clap::Error> {
    match files.filter(|file| is_dash(file)).count() {
        0 => Ok(false),
        1 => Ok(true),
        _ => Err(conflict(command, INPUT_TWICE)),
    }
}

/// Refuses `--in-place` with standard input, which has no place to write to.
pub(super) fn check_in_place(
    command: &str,
    in_place: bool,
    has_dash: bool,
) -> Result<(), clap::Error> {
    if in_place && has_dash {
        let message = "standard input cannot be written in place; without `--in-place`, the output is printed";
        return Err(conflict(command, message));
    }
    Ok(())
}

/// Returns the error for arguments of `command` that exclude each other.
pub(super) fn conflict(command: &str, message: &str) -> clap::Error {
    let mut program = CommandLine::program();
    let command = program.find_subcommand_mut(command).cloned();
    command
        .unwrap_or(program)
        .error(ErrorKind::ArgumentConflict, message)
}

/// The commands of kustomize that Inlay does not have, and what to use instead.
const OTHER_KUSTOMIZE_COMMANDS: [(&str, &str); 8] = [
    (
        "edit",
        "use `inlay set kustomization.yaml PATH=VALUE --in-place`, or call `kustomize edit`",
    ),
    ("localize", "call `kustomize localize`"),
    ("create", "call `kustomize create`"),
    ("cfg", "call `kustomize cfg`"),
    ("fn", "call `kustomize fn`"),
    ("openapi", "call `kustomize openapi`"),
    ("completion", "use `inlay completions`"),
    ("version", "use `inlay version`"),
];

/// Checks that `inlay kustomize` is not called with a command that only kustomize has. A folder of
/// that name is built if nothing but flags follows.
pub(super) fn check_kustomize_command(typed: &[OsString]) -> Result<(), clap::Error> {
    let [_, command, name, rest @ ..] = typed else {
        return Ok(());
    };
    let mut others = OTHER_KUSTOMIZE_COMMANDS.iter();
    let Some((name, instead)) = others.find(|(other, _)| name == other) else {
        return Ok(());
    };
    let has_arguments = rest
        .iter()
        .any(|next| !next.to_string_lossy().starts_with('-'));
    if command != "kustomize" || (Path::new(name).is_dir() && !has_arguments) {
        return Ok(());
    }
    let instead = match rest.first() {
        Some(next) if next == "fix" => "use `inlay kustomize fix`",
        _ => *instead,
    };
    let message = format!(
        "`kustomize {name}` is not in Inlay, which has `kustomize build` and `kustomize fix`: {instead}"
    );
    Err(conflict("kustomize", &message))
}
