//! Errors of the `starlark` crate as diagnostics.

use std::collections::HashSet;

use starlark::analysis::AstModuleLint;
use starlark::{Error, ErrorKind};

use super::failure::Failure;
use super::memory::full_heap;
use super::program::{Program, file_span};
use super::session::Session;
use super::value::article;
use crate::dialect::RENAMED;
use crate::source::suggest::did_you_mean;
use crate::source::{Code, Diagnostic, Location};

/// This many frames of the stack are named: where the error is, and callers, of which the last is the file itself.
const FRAMES: usize = 5;

/// A program that the crate cannot read.
pub(super) fn syntax(error: &Error, place: Option<Location>) -> Box<Diagnostic> {
    let message = plain(&error.without_diagnostic().to_string());
    let message = message.strip_prefix("parse error: ").unwrap_or(&message);
    let message = in_the_users_text(message, place.as_ref());
    let help = syntax_help(&message, place.as_ref());
    Diagnostic::error(Code::ScriptSyntax, message)
        .at(place, "")
        .help_if(help)
}

/// An expression of a template stands in brackets that its author did not write.
fn in_the_users_text(message: &str, place: Option<&Location>) -> String {
    let found = place.map(|place| place.source.slice(place.span));
    match message.strip_prefix("unexpected symbol ')'") {
        Some(expected) if found.is_some_and(|found| found != ")") => {
            format!("unexpected end of the code{expected}")
        }
        Some(_) => message.to_owned(),
        None => match message.strip_suffix(", expected symbol ')'") {
            Some(unexpected) if !line_of(place).contains('(') => unexpected.to_owned(),
            _ => message.to_owned(),
        },
    }
}

/// The line of the user's text that a place stands on.
fn line_of(place: Option<&Location>) -> &str {
    let line = place.map(|place| {
        let line = place.source.line(place.span.start());
        place.source.slice(place.source.line_span(line))
    });
    line.unwrap_or_default()
}

fn syntax_help(message: &str, place: Option<&Location>) -> Option<String> {
    let line = line_of(place);
    if message == "invalid input `!`" {
        return Some("use `not` instead of `!`".to_owned());
    }
    if line.contains("&&") {
        return Some("use `and` instead of `&&`".to_owned());
    }
    if line.contains("||") {
        return Some("use `or` instead of `||`".to_owned());
    }
    let wants_colon = message.contains("expected symbol ':'") || message.contains("':'");
    let opens = ["if", "for", "def", "elif", "else", "while"];
    let opens = line
        .split_whitespace()
        .any(|word| opens.contains(&word.trim_start_matches("#@")));
    (wants_colon && opens)
        .then(|| "is a colon missing at the end of the `if`, `for` or `def`?".to_owned())
}

/// An error of a program that ran.
pub(super) fn diagnose(error: Error, session: &Session) -> Box<Diagnostic> {
    let places = Places::of(&error, session);
    let mut diagnostic = match carried(&error) {
        Some(carried) => Box::new(carried.clone()),
        None => translated(&error),
    };
    let definition = definition(&error, session);
    if diagnostic.labels.is_empty() {
        diagnostic = diagnostic.at(places.inner.clone(), "");
    } else if let Some(place) = &places.inner {
        diagnostic = diagnostic.note(format!("in {} at {}", places.name(0), shown(place)));
    }
    if let Some(definition) = definition {
        diagnostic = diagnostic.at(definition, "the function that is called");
    }
    let callers = places.callers.len();
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

/// A diagnostic that points only where the failure itself does.
pub(super) fn without_places(error: &Error) -> Box<Diagnostic> {
    match carried(error) {
        Some(carried) => Box::new(carried.clone()),
        None => translated(error),
    }
}

/// What went wrong, without where.
pub(super) fn message(error: &Error) -> String {
    match carried(error) {
        Some(carried) => carried.message.clone(),
        None => translated(error).message,
    }
}

/// The diagnostic that a native function gave.
fn carried(error: &Error) -> Option<&Diagnostic> {
    let inner = match error.kind() {
        ErrorKind::Other(inner)
        | ErrorKind::Native(inner)
        | ErrorKind::Value(inner)
        | ErrorKind::Function(inner) => inner,
        _ => return None,
    };
    inner.downcast_ref::<Failure>().map(|failure| &*failure.0)
}

/// Where the function is defined whose arguments do not fit, with the start of its body.
fn definition(error: &Error, session: &Session) -> Option<Location> {
    let ErrorKind::Function(inner) = error.kind() else {
        return None;
    };
    let message = inner.to_string();
    let (_, function) = message.split_once("call to ")?;
    let (id, name) = function.trim_matches('`').split_once('.')?;
    session.definition(id.parse().ok()?, name)
}

/// Where an error happened, and from where its functions were called.
struct Places {
    inner: Option<Location>,
    /// From the innermost out.
    callers: Vec<Location>,
    /// The functions that `inner` and the callers are in.
    names: Vec<String>,
}

impl Places {
    fn of(error: &Error, session: &Session) -> Places {
        let mut inner = error.span().and_then(|span| session.locate(span));
        let mut callers = Vec::new();
        let mut names = Vec::new();
        for frame in error.call_stack().frames.iter().rev() {
            let Some(place) = frame
                .location
                .as_ref()
                .and_then(|span| session.locate(span))
            else {
                continue;
            };
            // The frame of a native function is where it was called, which is where the error is.
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

    /// The name of the function of a place, as a template's author knows it.
    fn name(&self, index: usize) -> String {
        self.names
            .get(index)
            .map_or_else(|| "<toplevel>".to_owned(), |name| format!("`{name}`"))
    }
}

fn shown(place: &Location) -> String {
    let place = place.in_file();
    format!(
        "{}:{}",
        place.source.name(),
        place.source.line(place.span.start())
    )
}

fn written(name: &str) -> String {
    let name = name.rsplit('.').next().unwrap_or(name);
    name.replace(RENAMED, "")
}

/// Whether the name that the crate suggests is near the one in the message.
fn is_near(message: &str, help: &str) -> bool {
    let last = |text: &str| {
        text.trim_end_matches(['`', '?'])
            .rsplit('`')
            .next()
            .unwrap_or_default()
            .to_owned()
    };
    let suggested = last(help);
    did_you_mean(&last(message), [suggested.as_str()]).is_some()
}

/// The crate's message in the words of Inlay.
fn translated(error: &Error) -> Box<Diagnostic> {
    let text = error.without_diagnostic().to_string();
    let code = match error.kind() {
        ErrorKind::Scope(_) => Code::UndefinedName,
        ErrorKind::StackOverflow(_) => Code::Limit,
        _ if text.contains("limit") && text.contains("exceeded") => Code::Limit,
        _ => Code::Script,
    };
    let (message, help) = divided(&plain(first_sentence(&text)));
    if let Some(Failure(diagnostic)) = full_heap(&message) {
        return diagnostic;
    }
    let help = help_for(&message).or(help.filter(|help| is_near(&message, help)));
    Diagnostic::error(code, message).help_if(help)
}

/// The crate adds advice for those who embed it.
fn first_sentence(text: &str) -> &str {
    text.lines()
        .next()
        .unwrap_or_default()
        .trim_end_matches('.')
}

/// Divides a suggestion from the message.
fn divided(text: &str) -> (String, Option<String>) {
    match text.split_once(", did you mean ") {
        Some((message, name)) => (message.to_owned(), Some(format!("did you mean {name}"))),
        None => (text.to_owned(), None),
    }
}

fn plain(text: &str) -> String {
    if let Some((before, function)) = text.split_once("call to ")
        && let Some((id, name)) = function.trim_matches('`').split_once('.')
        && id.parse::<usize>().is_ok()
    {
        return plain(&format!("{before}call to `{name}`"));
    }
    let text = without_numbers(&text.replace(RENAMED, ""));
    if let Some(rest) = text.strip_prefix("Operation `")
        && let Some((operator, types)) = rest.split_once("` not supported for types `")
        && let Some((left, right)) = types.trim_end_matches('`').split_once("` and `")
    {
        return format!("unknown operation: {left} {operator} {right}");
    }
    if let Some(rest) = text.strip_prefix("Variable `")
        && let Some((name, rest)) = rest.split_once("` not found")
    {
        return format!("undefined name `{name}`{rest}");
    }
    if let Some(rest) = text.strip_prefix("Object of type `")
        && let Some((kind, attribute)) = rest.split_once("` has no attribute `")
    {
        return format!("{kind} has no field or method `{attribute}");
    }
    if let Some(kind) = text.strip_prefix("Operation `(iter)` not supported on type `") {
        return format!(
            "expected a value with items to go through, found {}",
            article(kind.trim_end_matches('`'))
        );
    }
    let mut characters = text.chars();
    match characters.next() {
        Some(first) => first.to_lowercase().chain(characters).collect(),
        None => text,
    }
}

/// Functions are known by the number of their program and their name; only the name says something.
fn without_numbers(text: &str) -> String {
    let mut parts = text.split('`');
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let name = part.trim_start_matches(|digit: char| digit.is_ascii_digit());
        let name = if name.len() < part.len() {
            name.strip_prefix('.')
        } else {
            None
        };
        out.push('`');
        out.push_str(name.unwrap_or(part));
    }
    out
}

fn help_for(message: &str) -> Option<String> {
    if let Some(name) = message.strip_prefix("undefined name `") {
        return name_help(name.trim_end_matches('`'));
    }
    if message.starts_with("unknown operation:") {
        let operator = message.split(' ').nth(3);
        return match operator {
            Some("|") => Some("use `or` instead of `|`".to_owned()),
            Some("&") => Some("use `and` instead of `&`".to_owned()),
            _ => None,
        };
    }
    if message.ends_with("to go through, found a string") {
        return Some("`elems()` gives the characters of a string".to_owned());
    }
    if message.starts_with("yamlfragment has no field") {
        return Some("use an index: `value[\"key\"]`".to_owned());
    }
    None
}

fn name_help(name: &str) -> Option<String> {
    Some(match name {
        "true" => "use `True`".to_owned(),
        "false" => "use `False`".to_owned(),
        "null" | "nil" | "none" => "use `None`".to_owned(),
        _ => return None,
    })
}

/// Points at every other name of a program that nothing defines.
pub(super) fn with_undefined(
    diagnostic: Box<Diagnostic>,
    program: &Program,
    known: &[String],
) -> Box<Diagnostic> {
    let known: HashSet<String> = known.iter().cloned().collect();
    let lints = program.ast().lint(Some(&known)).into_iter();
    let mut diagnostic = diagnostic;
    for lint in lints.filter(|lint| lint.short_name == "using-undefined") {
        let place = program.locate(file_span(&lint.location));
        if diagnostic
            .labels
            .iter()
            .all(|label| label.location != place)
        {
            let name = lint.original.replace(RENAMED, "");
            let hint = name_help(&name).map_or_else(String::new, |help| format!(": {help}"));
            diagnostic = diagnostic.at(place, format!("undefined name `{name}`{hint}"));
        }
    }
    diagnostic
}
