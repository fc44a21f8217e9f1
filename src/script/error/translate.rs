//! Messages of the crate, reworded for authors of templates.
//!
//! The crate has no types for most of its errors, so this module matches their texts. A text that
//! is not known here is shown unchanged: a new version of the crate makes messages worse, not
//! wrong.

use starlark::{Error, ErrorKind};

use crate::dialect::RENAMED;
use crate::script::builtins::method_names;
use crate::script::failure::Failure;
use crate::script::value::{OBJECT, is_missed_struct_empty, missed_type};
use crate::source::suggest::{did_you_mean, is_near_in_go};
use crate::source::{Code, Diagnostic};

/// The modules of ytt, which programs often use without loading them.
const MODULES: [&str; 18] = [
    "assert", "base64", "data", "ip", "json", "library", "math", "md5", "module", "overlay",
    "regexp", "sha256", "struct", "template", "toml", "url", "version", "yaml",
];

/// Translates an error without adding places.
pub(in crate::script) fn without_places(error: &Error) -> Box<Diagnostic> {
    match carried(error) {
        Some(carried) => Box::new(carried.clone()),
        None => translated(error),
    }
}

/// Returns the diagnostic of the native function that failed.
pub(super) fn carried(error: &Error) -> Option<&Diagnostic> {
    let inner = match error.kind() {
        ErrorKind::Other(inner)
        | ErrorKind::Native(inner)
        | ErrorKind::Value(inner)
        | ErrorKind::Function(inner) => inner,
        _ => return None,
    };
    inner.downcast_ref::<Failure>().map(|failure| &*failure.0)
}

/// Returns whether the name that the crate suggests is similar to the wrong name, which is the last
/// name in the message before the suggestion. The crate also suggests names that are not similar.
fn is_near(text: &str, help: &str) -> bool {
    let last = |text: &str| text.rsplit('`').nth(1).unwrap_or_default().to_owned();
    let suggested = last(help);
    let wanted = text.split(", did you mean ").next().unwrap_or_default();
    did_you_mean(&last(wanted), [suggested.as_str()]).is_some()
}

/// Translates an error of the crate itself.
pub(super) fn translated(error: &Error) -> Box<Diagnostic> {
    let text = error.without_diagnostic().to_string();
    let code = match error.kind() {
        ErrorKind::Scope(_) => Code::UndefinedName,
        ErrorKind::StackOverflow(_) => Code::Limit,
        _ if text.contains("limit") && text.contains("exceeded") => Code::Limit,
        _ => Code::Script,
    };
    // Suggestions become help lines, as in our own errors.
    let (message, help) = divided(first_sentence(&text));
    let message = plain(&message);
    // Our own help is more specific than the crate's suggestion.
    let help = help_for(&message).or_else(|| match methods_for(&message) {
        // The crate also suggests methods that ytt lacks.
        Some((name, known)) => did_you_mean(name, known),
        None => help.filter(|help| is_near(&text, help)),
    });
    let caught = caught_attribute(&message, help.as_deref());
    let error = Diagnostic::error(code, message).help_if(help);
    match caught {
        Some(caught) => error.caught_as(caught),
        None => error,
    }
}

/// Returns the type and the name in a message about a missing attribute.
fn missing_attribute(message: &str) -> Option<(&str, &str)> {
    message
        .strip_suffix(" field or method")?
        .split_once(" has no .")
}

/// Returns the missing name, and all methods of the type, if a message is about a missing attribute
/// of a type whose methods are in our tables.
fn methods_for(message: &str) -> Option<(&str, impl Iterator<Item = &'static str>)> {
    let (kind, name) = missing_attribute(message)?;
    Some((name, method_names(kind)?))
}

/// Returns the message for a missing attribute together with its suggestion, which ytt puts into
/// one text.
fn caught_attribute(message: &str, help: Option<&str>) -> Option<String> {
    let (_, attribute) = missing_attribute(message)?;
    let near = help?.strip_prefix("did you mean `")?.split('`').next()?;
    is_near_in_go(attribute, near).then(|| format!("{message} (did you mean .{near}?)"))
}

/// Returns the first sentence. The crate adds advice that is meant for embedding programs.
fn first_sentence(text: &str) -> &str {
    text.lines()
        .next()
        .unwrap_or_default()
        .trim_end_matches('.')
}

/// Separates a suggestion from the message.
fn divided(text: &str) -> (String, Option<String>) {
    match text.split_once(", did you mean ") {
        Some((message, name)) => (message.to_owned(), Some(format!("did you mean {name}"))),
        None => (text.to_owned(), None),
    }
}

/// Returns a message of the crate in the words of starlark-go, which ytt shows.
pub(super) fn plain(text: &str) -> String {
    if let Some((before, function)) = text.split_once("call to ")
        && let Some((id, name)) = function.trim_matches('`').split_once('.')
        // The names of our functions are preceded by the number of their program; the names of the
        // crate's functions are not.
        && id.parse::<usize>().is_ok()
    {
        return plain(&format!("{before}call to `{name}`"));
    }
    // Methods and stores have their own messages, so this one is about a list on the left of `+=`.
    if text == "Immutable" {
        return "cannot apply += to frozen list".to_owned();
    }
    if let Some(key) = text.strip_prefix("Dictionary key repeated for `") {
        return format!("duplicate key: {}", key.trim_end_matches('`'));
    }
    let text = without_numbers(&text.replace(RENAMED, ""));
    if let Some(message) = operation(&text) {
        return message;
    }
    if let Some(rest) = text.strip_prefix("Variable `")
        && let Some((name, rest)) = rest.split_once("` not found")
    {
        return format!("undefined name `{name}`{rest}");
    }
    if let Some(rest) = text.strip_prefix("Object of type `")
        && let Some((kind, attribute)) = rest.split_once("` has no attribute `")
    {
        let kind = if kind == OBJECT { missed_type() } else { kind };
        let attribute = attribute.trim_end_matches('`');
        return format!("{kind} has no .{attribute} field or method");
    }
    if let Some(rest) = text.strip_prefix("Wrong number of positional arguments, expected ")
        && let Some((expected, found)) = rest.split_once(", got ")
    {
        return format!("got {found} arguments, want {}", argument_count(expected));
    }
    if let Some(counts) = text.strip_prefix("Unpacked ")
        && let Some((found, wanted)) = counts.split_once(" values but expected ")
    {
        let is_few = found.len() < wanted.len() || found.len() == wanted.len() && found < wanted;
        let amount = if is_few { "few" } else { "many" };
        return format!("too {amount} values to unpack (got {found}, want {wanted})");
    }
    if let Some(kind) = text.strip_prefix("Value of type `")
        && let Some(kind) = kind.strip_suffix("` is not hashable")
    {
        return format!("unhashable type: {kind}");
    }
    let mut characters = text.chars();
    match characters.next() {
        Some(first) => first.to_lowercase().chain(characters).collect(),
        None => text,
    }
}

/// Returns the message for an operation that a value does not support; `None` if the text is about
/// something else.
fn operation(text: &str) -> Option<String> {
    let (operation, rest) = text
        .strip_prefix("Operation `")?
        .split_once("` not supported ")?;
    if let Some((left, right)) = rest
        .strip_prefix("for types `")
        .and_then(|types| types.trim_end_matches('`').split_once("` and `"))
    {
        return Some(match operation {
            "[]" => format!("unhandled index operation {left}[{right}]"),
            _ => format!("unknown binary op: {left} {operation} {right}"),
        });
    }
    let kind = rest.strip_prefix("on type `")?.trim_end_matches('`');
    Some(match operation {
        "(iter)" => format!("{kind} value is not iterable"),
        "call()" => format!("invalid call of non-function ({kind})"),
        // The crate computes the length of a value that is unpacked: `a, b = 1`.
        "len()" => format!("got {kind} in sequence assignment"),
        "-" | "+" | "~" => format!("unknown unary op: {operation} {kind}"),
        _ => match operation
            .strip_prefix('.')
            .map(|name| name.strip_suffix('='))
        {
            Some(Some(field)) => format!("can't assign to .{field} field of {kind}"),
            Some(None) => format!("{kind} has no {operation} field or method"),
            None => format!("unknown binary op: {kind} {operation}"),
        },
    })
}

/// Returns the number of arguments of a function in ytt's words: `between 1 and 2` becomes
/// `at most 2`.
fn argument_count(expected: &str) -> String {
    match expected.split_once(" and ") {
        Some((_, most)) => format!("at most {most}"),
        None => expected.to_owned(),
    }
}

/// Removes the numbers of programs from the names of functions: `7.name` becomes `name`.
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
    if message.starts_with("struct has no .") && is_missed_struct_empty() {
        return Some(
            "the struct is empty: are data values given, and does their schema declare the field? \
             A file that contains them or their schema is evaluated before they are known"
                .to_owned(),
        );
    }
    if message == "string value is not iterable" {
        return Some("`elems()` gives the characters of a string".to_owned());
    }
    if message.starts_with("yamlfragment has no .") {
        return Some("use an index: `value[\"key\"]`".to_owned());
    }
    None
}

/// Returns a help line for an undefined name that looks like a name of another language, or like a
/// module that is not loaded.
pub(super) fn name_help(name: &str) -> Option<String> {
    Some(match name {
        "true" => "use `True`".to_owned(),
        "false" => "use `False`".to_owned(),
        "null" | "nil" | "none" => "use `None`".to_owned(),
        _ if MODULES.contains(&name) => format!("load it: `load(\"@ytt:{name}\", \"{name}\")`"),
        _ => return None,
    })
}
