//! The flags that compare with what is there, instead of writing or printing the output.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

/// The heading of the flags in the help.
const HEADING: &str = "Comparison";

// The flags by which a command shows what it would write.
#[derive(Clone, Debug, Default, PartialEq, Eq, Args)]
pub(in crate::cli) struct ComparisonArguments {
    /// Print what would change, and write nothing.
    #[arg(help_heading = HEADING, long, value_name = "FORM", num_args = 0..=1, require_equals = true)]
    #[arg(default_missing_value = "unified")]
    pub(in crate::cli) diff: Option<DiffForm>,
    /// Print the objects that would change, with the number of their changed fields, and write
    /// nothing.
    #[arg(help_heading = HEADING, long)]
    pub(in crate::cli) stat: bool,
    /// Exit with 1 if something would change, and with 3 if there is an error. Nothing is written.
    /// Without --diff and --stat, print which files.
    #[arg(help_heading = HEADING, long)]
    pub(in crate::cli) check: bool,
}

/// The forms of `--diff`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum DiffForm {
    /// Lines, for people and for `patch -p0`.
    Unified,
    /// Fields by object, with their paths, also inside strings.
    Semantic,
}

// Another version of the files that are compared with.
#[derive(Clone, Debug, Default, PartialEq, Eq, Args)]
pub(in crate::cli) struct BaseArguments {
    /// Compare with the output of the same command on another copy of the working folder, such as
    /// a checkout of another revision. Relative paths, and paths below the working folder, lead
    /// there. Without --stat and --check, this is --diff.
    #[arg(help_heading = HEADING, long, value_name = "DIR")]
    pub(in crate::cli) against: Option<PathBuf>,
}

impl ComparisonArguments {
    /// Returns whether the command compares, and does not write or print its output.
    pub(in crate::cli) fn is_on(&self) -> bool {
        self.diff.is_some() || self.stat || self.check
    }

    /// Returns the flags, and those that `--against` implies.
    pub(in crate::cli) fn with_base(&self, base: &BaseArguments) -> ComparisonArguments {
        let mut all = self.clone();
        if base.against.is_some() && !all.is_on() {
            all.diff = Some(DiffForm::Unified);
        }
        all
    }
}

// Running again when the input changes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Args)]
pub(in crate::cli) struct WatchArguments {
    /// Run again whenever a file of the input changes, and print what that changes in the output.
    #[arg(help_heading = HEADING, long)]
    #[arg(conflicts_with_all = ["stat", "check", "against"])]
    pub(in crate::cli) watch: bool,
    /// End after this many runs, for tests.
    #[arg(long, hide = true, value_name = "N", requires = "watch")]
    pub(in crate::cli) watch_runs: Option<u64>,
}
