//! The arguments of `inlay explain`: those of the command that is explained, and the values in
//! question.

use clap::{Args, Subcommand, ValueEnum};

use super::build::BuildInputArguments;
use super::edit::RunInputArguments;
use super::kustomize::KustomizeInputArguments;
use crate::kubernetes::ObjectPath;

// `inlay explain`
#[derive(Debug, Args)]
pub(in crate::cli) struct ExplainArguments {
    #[command(subcommand)]
    pub(in crate::cli) command: ExplainCommand,
}

// The commands whose output can be explained. Each takes the flags that describe its input, and
// none of those that say what happens to its output.
#[derive(Debug, Subcommand)]
pub(in crate::cli) enum ExplainCommand {
    /// Explain values in the output of build
    #[command(after_help = FORMS)]
    Build {
        #[command(flatten)]
        input: Box<BuildInputArguments>,
        #[command(flatten)]
        questions: ExplainQuestions,
    },
    /// Explain values in the output of run
    #[command(after_help = FORMS)]
    Run {
        #[command(flatten)]
        input: Box<RunInputArguments>,
        #[command(flatten)]
        questions: ExplainQuestions,
    },
    /// Explain values in the output of kustomize
    #[command(after_help = FORMS)]
    Kustomize {
        #[command(flatten)]
        input: Box<KustomizeInputArguments>,
        #[command(flatten)]
        questions: ExplainQuestions,
    },
}

// The values in question, and how the answer is printed.
#[derive(Debug, Args)]
pub(in crate::cli) struct ExplainQuestions {
    /// An object and a path to its values, or a path alone, for all documents.
    #[arg(
        last = true,
        value_name = "[OBJECT ]PATH",
        required_unless_present = "asked"
    )]
    questions: Vec<ObjectPath>,
    /// The same, without `--` before it.
    #[arg(id = "asked", long = "path", value_name = "[OBJECT ]PATH")]
    asked: Vec<ObjectPath>,
    /// Set the format of the answer.
    #[arg(short, long, value_name = "FORMAT", default_value = "human")]
    pub(in crate::cli) output: ExplainFormat,
}

impl ExplainQuestions {
    /// Returns one question whose answer is JSON.
    pub(in crate::cli) fn in_json(question: ObjectPath) -> ExplainQuestions {
        ExplainQuestions {
            questions: vec![question],
            asked: Vec::new(),
            output: ExplainFormat::Json,
        }
    }

    /// Returns the words after `--`.
    pub(in crate::cli) fn typed(&self) -> &[ObjectPath] {
        &self.questions
    }

    /// Returns all questions, those of the flag first.
    pub(in crate::cli) fn all(&self) -> impl Iterator<Item = &ObjectPath> {
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

const FORMS: &str = "\
Objects are `Kind/name` or `Kind/namespace/name`, with `*` for any characters. Paths are those of
inlay get: `spec.replicas`, `spec.template.spec.containers.*.image`, `data.app\\.json.port` for a
value inside a string, or a JSONPath.";

pub(super) const EXPLAIN_EXAMPLES: &str = "\
Examples:
  inlay explain build -f config/ -d production.yml -- 'Deployment/web spec.replicas'
  inlay explain run inlay.yaml manifests/ -- 'ConfigMap/* data.app\\.json.port'
  inlay explain kustomize overlays/production --path '*/web metadata.name' -o json";
