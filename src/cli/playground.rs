//! `inlay playground [DIR]`: the server, and the worker that renders for it.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use super::arguments::{
    Command, CommandLine, ExplainArguments, ExplainCommand, ExplainQuestions, KustomizeCommand,
    PlaygroundArguments,
};
use super::build::BuildCall;
use super::ending::{CommandFailure, CommandResult, Ending};
use super::output::{self, Reporter};
use super::run_command;
use crate::kubernetes::ObjectPath;
use crate::kubernetes::hide_secrets;
use crate::playground::{
    PlaygroundServer, PlaygroundSettings, ProjectFolder, RenderAnswer, RenderJob,
};
use crate::schema::Schema;
use crate::source::world::{Memory, World, open_in_browser, reason};
use crate::source::{Code, Diagnostic, Diagnostics, Result};
use crate::workspace::ValuesFindings;
use crate::workspace::output::{OutputFormat, print};
use crate::yaml::Node;

/// Serves the page until the process ends or is idle for too long. As a worker, executes the job on
/// standard input.
pub(super) fn playground(world: &dyn World, arguments: &PlaygroundArguments) -> CommandResult {
    if arguments.worker {
        return work(world);
    }
    let folder = arguments.folder.as_deref();
    let open = |folder: &Path| ProjectFolder::open(world, folder, arguments.read_only);
    let server = PlaygroundServer::start(
        world,
        PlaygroundSettings {
            port: arguments.port,
            time_limit: Duration::from_secs(arguments.time_limit.get()),
            idle_exit: arguments
                .idle_exit
                .map(|limit| Duration::from_secs(limit.get())),
            project: folder.map(open).transpose()?,
        },
    )?;
    let address = server.address();
    output::print(format!("{address}\n").as_bytes())?;
    output::remark("open this address in a browser; Ctrl-C ends the playground\n");
    if arguments.open
        && let Err(error) = open_in_browser(address)
    {
        let message = format!("cannot open a browser: {}", reason(&error));
        // The server keeps running, so the message must not wait for its end.
        let mut own = Diagnostics::default();
        own.push(Diagnostic::warning(Code::File, message));
        Reporter::plain(world).report(&mut own);
    }
    server.run();
    Ok(Ending::Success)
}

/// Reads a job from standard input, executes it in memory, and prints the answer.
fn work(world: &dyn World) -> CommandResult {
    let input = world.standard_input().map_err(|error| {
        let message = format!("cannot read standard input: {}", reason(&error));
        Diagnostic::error(Code::File, message)
    })?;
    // A worker that was started in advance and is not needed any more gets no input.
    if input.is_empty() {
        return Ok(Ending::Success);
    }
    let answer = answer(&RenderJob::read(&input)?);
    output::print(answer.to_json()?.as_bytes())?;
    Ok(Ending::Success)
}

fn answer(job: &RenderJob) -> RenderAnswer {
    let mut answer = RenderAnswer::default();
    let mut diagnostics = Diagnostics::default();
    let done = match &job.edit {
        Some(edit) => edit
            .apply()
            .map(|text| answer.output = text)
            .map_err(Into::into),
        None => render(job, &mut answer, &mut diagnostics),
    };
    let failure = match done {
        Ok(()) | Err(CommandFailure::Reported | CommandFailure::Summary(_)) => None,
        Err(CommandFailure::Error(error)) => Some(error),
        Err(CommandFailure::Usage(error)) => Some(usage_error(&error)),
        Err(CommandFailure::Bug(bug)) => Some(Diagnostic::error(Code::Internal, bug)),
    };
    if let Some(error) = failure {
        diagnostics.push(error);
    }
    answer.failed = diagnostics.failed();
    hide_secrets(&mut diagnostics);
    answer.add_diagnostics(job, diagnostics.as_slice());
    answer
}

/// Runs the command of a job like the command line, in a world that contains only the files of the
/// job.
fn render(
    job: &RenderJob,
    answer: &mut RenderAnswer,
    diagnostics: &mut Diagnostics,
) -> Result<(), CommandFailure> {
    let typed = job.command_line().into_iter().map(Into::into).collect();
    let mut command_line = CommandLine::parse_from_typed(typed)?;
    check_limits(&command_line)?;
    if let Some(question) = &job.explain {
        command_line.command = Some(explaining(command_line.command, question)?);
    }
    let world = job.world();
    let findings = ValuesFindings::default();
    let (result, output) = run(&world, &command_line, &findings, diagnostics);
    answer.add_output(job, output, &world);

    // A list of files and a matrix do not evaluate data values, but the form shows them.
    if let Some(Command::Build(build)) = &mut command_line.command
        && result.is_ok()
        && findings.values().is_none()
    {
        build.inspect_values();
        let mut ignored = Diagnostics::default();
        drop(run(&job.world(), &command_line, &findings, &mut ignored));
    }
    add_form(&findings, answer);
    result.map(|_| ())
}

/// Adds the contents of the data values form. They are available even if a template is wrong.
fn add_form(findings: &ValuesFindings, answer: &mut RenderAnswer) {
    let in_format = |root: Arc<Node>, format| print(&[root], format).ok();
    let schema = findings.schema().map(Schema::json_schema);
    if let Some(schema) = schema.and_then(|root| in_format(root, OutputFormat::Yaml)) {
        answer.add_schema(&schema);
    }
    let values = findings.values().map(Arc::clone);
    let values = values.and_then(|root| in_format(root, OutputFormat::Json));
    answer.values = values.and_then(|values| serde_json::from_str(&values).ok());
}

/// Returns the command that answers a question about the output of a command. The input is the
/// same, and the destination of the output does not matter.
fn explaining(command: Option<Command>, question: &str) -> Result<Command> {
    let questions = ExplainQuestions::in_json(ObjectPath::parse(question)?);
    let command = match command {
        Some(Command::Build(build)) => ExplainCommand::Build {
            input: Box::new(build.input),
            questions,
        },
        Some(Command::Run(run)) => ExplainCommand::Run {
            input: Box::new(run.input),
            questions,
        },
        Some(Command::Kustomize(kustomize)) => ExplainCommand::Kustomize {
            input: Box::new(match kustomize.command {
                Some(KustomizeCommand::Build(build)) => build.input,
                _ => kustomize.build.input,
            }),
            questions,
        },
        _ => return Err(unknown_command()),
    };
    Ok(Command::Explain(Box::new(ExplainArguments { command })))
}

/// Runs a command. A build stores its schema and data values in `findings`.
fn run(
    world: &Memory,
    command_line: &CommandLine,
    findings: &ValuesFindings,
    diagnostics: &mut Diagnostics,
) -> (CommandResult, String) {
    let reporter = Reporter::plain(world);
    output::captured(|| match &command_line.command {
        Some(Command::Build(arguments)) => {
            let call = BuildCall::new(world, arguments, &reporter);
            call.with_findings(findings).run(diagnostics)
        }
        _ => run_command(world, command_line, &reporter, diagnostics),
    })
}

/// Rejects commands that the page does not support, and flags that would raise the limits of a
/// render, because a link from another person can contain them.
fn check_limits(command_line: &CommandLine) -> Result<()> {
    let is_known = match &command_line.command {
        Some(Command::Build(_) | Command::Run(_)) => true,
        Some(Command::Kustomize(kustomize)) => {
            !matches!(kustomize.command, Some(KustomizeCommand::Fix(_)))
        }
        _ => false,
    };
    if !is_known {
        return Err(unknown_command());
    }
    let global = &command_line.global;
    if !global.limits.is_empty() || global.threads.is_some() || command_line.watches() {
        let message = "the playground takes no `--limit`, no `--threads` and no `--watch`";
        return Err(Diagnostic::error(Code::Flag, message)
            .help("use them in a terminal: the page shows the command line"));
    }
    Ok(())
}

fn unknown_command() -> Box<Diagnostic> {
    let message = "the playground runs `build`, `run` and `kustomize build`";
    Diagnostic::error(Code::Flag, message)
}

/// Converts a message of clap, whose first line describes the mistake.
fn usage_error(error: &clap::Error) -> Box<Diagnostic> {
    let text = error.render().to_string();
    let message = text.trim_start_matches("error: ");
    let (first, rest) = message.split_once('\n').unwrap_or((message, ""));
    let mut diagnostic = Diagnostic::error(Code::Flag, first.trim());
    for line in rest.lines().map(str::trim).filter(|line| !line.is_empty()) {
        diagnostic = diagnostic.note(line);
    }
    diagnostic
}
