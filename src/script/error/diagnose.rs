//! Runtime errors of programs, with the places and calls that led to them.

use std::collections::HashSet;

use starlark::analysis::AstModuleLint;
use starlark::{Error, ErrorKind};

use super::arguments::ytt_message;
use super::frozen;
use super::misread;
use super::translate::{carried, name_help, translated};
use crate::dialect::{FILE_FUNCTION, LOAD, RENAMED, call_shape, function_shape};
use crate::script::limits::size::{CANCELLED, memory_exceeded, steps_exceeded};
use crate::script::program::{Program, file_span};
use crate::script::session::Session;
use crate::source::{Code, Diagnostic, Location};

/// The maximum number of stack frames in a message: the place of the error and its callers. The
/// last one is the file itself.
const FRAMES: usize = 5;

/// Translates a runtime error of a program.
///
/// The innermost place in the user's code becomes the label, and the calls that led there become
/// notes:
///
/// ```text
/// error: division by zero
///   --> lib.star:2          innermost place with a location in a program
///   = note: called in `f` at lib.star:7
///   = note: called by 12 more
///   = note: called in <toplevel> at config.yml:3
/// ```
///
/// A diagnostic of a native function may already have a place, for example in an embedded text or
/// in another library. In that case its place remains the label, and the innermost place becomes a
/// note.
pub(in crate::script) fn diagnose(error: Error, session: &Session) -> Box<Diagnostic> {
    let places = Places::of(&error, session);
    let mut diagnostic = match carried(&error) {
        Some(carried) => Box::new(carried.clone()),
        None => exceeded(&error, session).unwrap_or_else(|| translated(&error)),
    };
    if let Some(message) = argument_mismatch_of(&error, places.inner.as_ref(), session) {
        diagnostic.message = message;
    }
    if frozen::is_frozen(&diagnostic.message) {
        diagnostic = frozen::with_name(diagnostic, places.inner.as_ref());
    }
    let definition = definition(&error, session);
    if diagnostic.labels.is_empty() {
        diagnostic = diagnostic.at(places.inner.clone(), "");
    } else if let Some(place) = &places.inner {
        let frame = format!("{} at {}", places.name(0), shown(place));
        if diagnostic.notes.contains(&format!("called in {frame}")) {
            // A native function has called back into the program, and that call has failed. The
            // calls that led to the native function were added with that failure.
            return diagnostic;
        }
        diagnostic = diagnostic.note(format!("in {frame}"));
    }
    if let Some(definition) = definition {
        diagnostic = diagnostic.at(definition, "the function that is called");
    }
    let callers = places.callers.len();
    // Show the innermost callers, and the outermost one, which is the line of the template.
    let left_out = (callers + 1).saturating_sub(FRAMES);
    for (index, place) in places.callers.iter().enumerate() {
        if index + 1 == callers && left_out > 0 {
            diagnostic = diagnostic.note(format!("called by {left_out} more"));
        }
        if index + 2 < FRAMES || index + 1 == callers {
            diagnostic = diagnostic.note(format!(
                "called in {} at {}",
                places.name(index + 1),
                shown(place)
            ));
        }
    }
    diagnostic
}

/// Returns the failure of the limit that the program exceeds, if that is the error. Two counters
/// watch the memory, and two the steps. The user gets the same message, whichever notices first.
fn exceeded(error: &Error, session: &Session) -> Option<Box<Diagnostic>> {
    let message = error.without_diagnostic().to_string();
    let limits = session.limits;
    if message == CANCELLED {
        session.exceeded()
    } else if message.starts_with("Execution duration limit of ") {
        Some(steps_exceeded(limits.ticks).0)
    } else if message.starts_with("Heap memory limit of ") {
        Some(memory_exceeded(limits.memory).0)
    } else {
        None
    }
}

/// Returns the reason why the arguments of a call do not fit, if that is the error.
fn argument_mismatch_of(
    error: &Error,
    place: Option<&Location>,
    session: &Session,
) -> Option<String> {
    let ErrorKind::Function(inner) = error.kind() else {
        return None;
    };
    let text = place.and_then(|place| place.source.text().get(place.span.range()));
    let call = text.and_then(call_shape);
    let message = inner.to_string();
    if let Some(argument) = message.strip_prefix("Argument `") {
        let argument = argument.split('`').next()?;
        let call = call?;
        // The callee may be a lambda: `(lambda a: a)(1, a=2)`.
        let name = match call.callee.ends_with(')') || call.callee.contains("lambda") {
            true => "lambda",
            false => &call.callee,
        };
        return Some(format!(
            "function {name} got multiple values for parameter \"{argument}\""
        ));
    }
    let (_, function) = message.split_once("call to ")?;
    let (_, name) = function.trim_matches('`').split_once('.')?;
    let shape = match definition(error, session) {
        Some(place) => {
            let header = place.source.text().get(place.span.range());
            header.and_then(function_shape)
        }
        None => None,
    };
    let name = written(name);
    // If a native function called the function, this place shows another call, which is ignored.
    let call = call.filter(|call| call.callee == name || name == "lambda");
    ytt_message(&message, &name, shape.as_ref(), call.as_ref())
}

/// Returns the definition of the function whose arguments do not fit. The crate provides only its
/// name, in the text of the message: `… for call to 7.name`.
fn definition(error: &Error, session: &Session) -> Option<Location> {
    let ErrorKind::Function(inner) = error.kind() else {
        return None;
    };
    let message = inner.to_string();
    let (_, function) = message.split_once("call to ")?;
    let (id, name) = function.trim_matches('`').split_once('.')?;
    session.definition(id.parse().ok()?, name)
}

/// The place of an error and the calls that led there.
struct Places {
    inner: Option<Location>,
    /// The callers, from the innermost outwards.
    callers: Vec<Location>,
    /// The names of the functions that contain `inner` and the callers.
    names: Vec<String>,
}

impl Places {
    fn of(error: &Error, session: &Session) -> Places {
        let mut inner = error.span().and_then(|span| session.locate(span));
        let mut callers = Vec::new();
        let mut names = Vec::new();
        // From the innermost frame outwards.
        let frames = error.call_stack().frames.iter().rev();
        for frame in frames.filter(|frame| is_written(&frame.name)) {
            let Some(place) = frame
                .location
                .as_ref()
                .and_then(|span| session.locate(span))
            else {
                continue;
            };
            // The frame of a native function has the place of its call, which is the place of the
            // error.
            if inner.as_ref() == Some(&place) {
                continue;
            }
            names.push(written(&frame.name));
            match inner {
                None => inner = Some(place),
                Some(_) => callers.push(place),
            }
        }
        Places {
            inner,
            callers,
            names,
        }
    }

    /// Returns the name of the function that contains a place: 0 for `inner`, 1 for the first
    /// caller.
    fn name(&self, index: usize) -> String {
        self.names
            .get(index)
            .map_or_else(|| "<toplevel>".to_owned(), |name| format!("`{name}`"))
    }
}

/// Returns whether the user wrote the call of a function: not that of the function around a program,
/// and not that of the function that executes a `load`.
fn is_written(name: &str) -> bool {
    !name.ends_with(FILE_FUNCTION) && !name.contains(LOAD)
}

fn shown(place: &Location) -> String {
    let place = place.in_file();
    format!(
        "{}:{}",
        place.source.shown_name(),
        place.source.line(place.span.start())
    )
}

fn written(name: &str) -> String {
    let name = name.rsplit('.').next().unwrap_or(name);
    name.replace(RENAMED, "")
}

/// Adds an error for every other undefined name of a program, so that one run reports all of them.
/// The crate stops at the first.
pub(in crate::script) fn with_undefined(
    diagnostic: Box<Diagnostic>,
    program: &Program,
    known: &[String],
) -> Box<Diagnostic> {
    let known: HashSet<String> = known.iter().cloned().collect();
    let lints = program.ast().lint(Some(&known)).into_iter();
    let first = diagnostic.labels.first().map(|label| &label.location);
    let help = first.and_then(misread::help);
    let mut diagnostic = diagnostic.help_if(help);
    let mut reported = HashSet::from([diagnostic.message.clone()]);
    for lint in lints.filter(|lint| lint.short_name == "using-undefined") {
        let name = lint.original.replace(RENAMED, "");
        let message = format!("undefined name `{name}`");
        // A name that is used in many places is one mistake.
        if reported.insert(message.clone()) {
            let place = program.locate(file_span(&lint.location));
            let help = name_help(&name).or_else(|| misread::help(&place));
            let other = Diagnostic::error(Code::UndefinedName, message)
                .at(place, "")
                .help_if(help);
            diagnostic.further_errors.push(*other);
        }
    }
    diagnostic
}
