//! The arguments of `inlay explain`: those of the command that is explained, and the values in
//! question.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::build::{BuildArguments, OutputName};
use super::kustomize::KustomizeBuildArguments;
use crate::explain::Question;

/// `inlay explain`
#[derive(Debug, Args)]
pub(in crate::cli) struct ExplainArguments {
    #[command(subcommand)]
    pub(in crate::cli) command: ExplainCommand,
}

/// The commands whose output can be explained.
#[derive(Debug, Subcommand)]
pub(in crate::cli) enum ExplainCommand {
    /// Explain values in the output of build
    #[command(after_help = FORMS)]
    Build {
        #[command(flatten)]
        arguments: Box<BuildArguments>,
        #[command(flatten)]
        questions: ExplainQuestions,
    },
    /// Explain values in the output of run
    #[command(after_help = FORMS)]
    Run {
        /// The configuration.
        #[arg(value_name = "CONFIG")]
        config: PathBuf,
        /// Files and folders, as for run.
        #[arg(value_name = "INPUT")]
        inputs: Vec<PathBuf>,
        /// Set the format of the answer.
        #[arg(short, long, value_name = "FORMAT", default_value = "human")]
        output: ExplainFormat,
        #[command(flatten)]
        questions: ExplainQuestions,
    },
    /// Explain values in the output of kustomize
    #[command(after_help = FORMS)]
    #[command(mut_arg("output", |output| output
        .value_name("FORMAT")
        .help("Set the format of the answer: json")))]
    Kustomize {
        #[command(flatten)]
        arguments: KustomizeBuildArguments,
        #[command(flatten)]
        questions: ExplainQuestions,
    },
}

/// The values in question.
#[derive(Debug, Args)]
pub(in crate::cli) struct ExplainQuestions {
    /// An object and a path to its values, or a path alone, for all documents.
    #[arg(
        last = true,
        value_name = "[OBJECT ]PATH",
        required_unless_present = "asked"
    )]
    questions: Vec<Question>,
    /// The same, without `--` before it.
    #[arg(id = "asked", long = "path", value_name = "[OBJECT ]PATH")]
    asked: Vec<Question>,
}

impl ExplainQuestions {
    /// Returns all questions, those of the flag first.
    pub(in crate::cli) fn all(&self) -> impl Iterator<Item = &Question> {
        self.asked.iter().chain(&self.questions)
    }
}

/// The formats of answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum ExplainFormat {
    /// A tree for people.
    Human,
    /// One JSON object; docs/explain.md describes it.
    Json,
}

impl OutputName {
    /// Returns the format of answers with this name.
    pub(in crate::cli) fn explain_format(self) -> Option<ExplainFormat> {
        match self {
            OutputName::Json => Some(ExplainFormat::Json),
            _ => None,
        }
    }
}

const FORMS: &str = "\
Objects are `Kind/name` or `Kind/namespace/name`, with `*` for any characters. Paths are those of
inlay get: `spec.replicas`, `spec.template.spec.containers.*.image`, `data.app\\.json.port` for a
value inside a string, or a JSONPath.";

pub(super) const EXPLAIN_EXAMPLES: &str = "\
Examples:
  inlay explain build -f config/ -d production.yml -- 'Deployment/web spec.replicas'
  inlay explain run inlay.yaml manifests/ -- 'ConfigMap/* data.app\\.json.port'
  inlay explain kustomize overlays/production --path '*/web metadata.name' -o json";
