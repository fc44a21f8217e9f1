//! `inlay explain`: shows the origins of values in the output.

use std::sync::Arc;

use super::arguments::{ExplainArguments, ExplainCommand, ExplainFormat, ExplainQuestions};
use super::build_input::rendered;
use super::chosen_documents::with_quotes;
use super::ending::{CommandResult, Ending};
use super::{kustomize, output, run};
use crate::explain::{BuiltObject, Explainer, Explanation, annotate, print_human, print_json};
use crate::provenance::{Journal, Recorder};
use crate::source::world::World;
use crate::source::{Diagnostics, Reported, Result};
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
        let answer = explainer.answer(question, &objects);
        explanations.extend(answer.map_err(|error| with_quotes(error, questions.typed()))?);
    }
    let text = match questions.output {
        ExplainFormat::Human => print_human(&explanations, shows_secrets),
        ExplainFormat::Json => print_json(&explanations, shows_secrets)?,
    };
    output::print(text.as_bytes())?;
    Ok(Ending::Success)
}

/// Returns the printed output of a build with comments about the origin of each value. `roots` are
/// its documents.
///
/// # Errors
/// Fails if the text is not YAML.
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
    let explainer = Explainer::new(journal.into_records());
    let text = annotate(text, &objects, &explainer)?;
    // The process ends here and returns its memory. Freeing all versions of all objects would only
    // take time.
    std::mem::forget((objects, explainer));
    Ok(text)
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
        ExplainCommand::Build { input, .. } => {
            let rendered = rendered(world, input, recorder, diagnostics)?;
            for file in rendered.yaml {
                roots.extend(file.documents);
            }
        }
        ExplainCommand::Run { input, .. } => {
            let resources = run::resources(world, input, recorder, diagnostics)?;
            roots.extend(resources.into_iter().map(|resource| resource.node));
        }
        ExplainCommand::Kustomize { input, .. } => {
            let resources = kustomize::resources(world, input, recorder, diagnostics)?;
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
}
