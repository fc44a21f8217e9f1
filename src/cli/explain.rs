//! `inlay explain`: where values of the output come from.

use std::sync::Arc;

use super::arguments::{
    ExplainArguments, ExplainCommand, ExplainFormat, ExplainQuestions, KustomizeBuildArguments,
};
use super::ending::{CommandResult, Ending};
use super::{build, kustomize, output, run};
use crate::explain::{BuiltObject, Explainer, Explanation, annotate, print_human, print_json};
use crate::provenance::{Journal, Recorder};
use crate::source::world::World;
use crate::source::{Code, Diagnostic, Diagnostics, Reported, Result};
use crate::yaml::{Node, is_empty};

/// Builds with a journal, and answers the questions from it.
pub(super) fn explain(
    world: &dyn World,
    arguments: &ExplainArguments,
    shows_secrets: bool,
    diagnostics: &mut Diagnostics,
) -> CommandResult {
    let journal = Journal::default();
    let command = &arguments.command;
    let objects = objects(world, command, journal.recorder(), diagnostics)?;
    let explainer = Explainer::new(journal.into_records());
    let questions = command.questions();
    let mut explanations: Vec<Explanation> = Vec::new();
    for question in questions.all() {
        explanations.extend(explainer.answer(question, &objects)?);
    }
    let text = match command.format()? {
        ExplainFormat::Human => print_human(&explanations, shows_secrets),
        ExplainFormat::Json => print_json(&explanations, shows_secrets)?,
    };
    output::print(text.as_bytes())?;
    Ok(Ending::Success)
}

/// Returns the printed output of a build with comments that name what made each value. `roots` are
/// its documents.
///
/// # Errors
/// The text is not YAML.
pub(super) fn annotated(
    text: &str,
    roots: impl IntoIterator<Item = Arc<Node>>,
    journal: Journal,
) -> Result<String> {
    let mut objects = Vec::new();
    for root in roots {
        if !is_empty(root.resolved()) {
            objects.push(BuiltObject::new(&root));
        }
    }
    annotate(text, &objects, &Explainer::new(journal.into_records()))
}

/// Returns the output of the command that is explained.
fn objects(
    world: &dyn World,
    command: &ExplainCommand,
    recorder: Recorder<'_>,
    diagnostics: &mut Diagnostics,
) -> std::result::Result<Vec<BuiltObject>, Reported> {
    let mut roots: Vec<Arc<Node>> = Vec::new();
    match command {
        ExplainCommand::Build { arguments, .. } => {
            let rendered = build::rendered(world, arguments, recorder, diagnostics)?;
            for file in rendered.yaml {
                roots.extend(file.documents);
            }
        }
        ExplainCommand::Run { config, inputs, .. } => {
            let resources = run::resources(world, config, inputs, recorder, diagnostics)?;
            roots.extend(resources.into_iter().map(|resource| resource.node));
        }
        ExplainCommand::Kustomize { arguments, .. } => {
            let resources = kustomize::resources(world, arguments, recorder, diagnostics)?;
            roots.extend(resources.into_iter().map(|resource| resource.node));
        }
    }
    roots.retain(|root| !is_empty(root.resolved()));
    Ok(roots.iter().map(BuiltObject::new).collect())
}

impl ExplainCommand {
    fn questions(&self) -> &ExplainQuestions {
        match self {
            ExplainCommand::Build { questions, .. }
            | ExplainCommand::Run { questions, .. }
            | ExplainCommand::Kustomize { questions, .. } => questions,
        }
    }

    /// Returns the format of the answers.
    ///
    /// # Errors
    /// A format of documents, or a file.
    fn format(&self) -> Result<ExplainFormat> {
        match self {
            ExplainCommand::Run { output, .. } => Ok(*output),
            ExplainCommand::Build { arguments, .. } => {
                let name = arguments.output.first();
                name.map_or(Ok(ExplainFormat::Human), |name| {
                    name.explain_format().ok_or_else(not_a_format)
                })
            }
            ExplainCommand::Kustomize { arguments, .. } => kustomize_format(arguments),
        }
    }
}

fn kustomize_format(arguments: &KustomizeBuildArguments) -> Result<ExplainFormat> {
    let Some(path) = &arguments.output else {
        return Ok(ExplainFormat::Human);
    };
    match path.to_str() {
        Some("json") => Ok(ExplainFormat::Json),
        _ => Err(not_a_format()),
    }
}

fn not_a_format() -> Box<Diagnostic> {
    let message = "expected `-o json`, or no `-o`";
    Diagnostic::error(Code::Flag, message).note("answers are trees for people, or JSON")
}
