//! Syntax errors of a program, which the crate reports before the program runs.

use starlark::Error;

use super::misread::annotation_help;
use super::translate::plain;
use crate::source::{Code, Diagnostic, Location};

/// Translates an error of the parser. `place` is in the user's text.
pub(in crate::script) fn syntax(error: &Error, place: Option<Location>) -> Box<Diagnostic> {
    let reported = plain(&error.without_diagnostic().to_string());
    let reason = reported.strip_prefix("parse error: ").unwrap_or(&reported);
    let message = in_the_users_text(reason, place.as_ref());
    let help = syntax_help(&message, place.as_ref()).or_else(|| annotation_help(place.as_ref()?));
    Diagnostic::error(Code::ScriptSyntax, message)
        .at(place, "")
        .help_if(help)
}

/// Removes from a message the brackets that the template compiler puts around an expression:
///
/// ```text
/// a: #@ 1 +        the program is `__ytt("set", 0, (1 +))`
///                  the crate says: unexpected symbol ')' here, expected an expression
///                  the user reads: unexpected end of the code here, expected an expression
/// ```
fn in_the_users_text(message: &str, place: Option<&Location>) -> String {
    let found = place.map(|place| place.source.slice(place.span));
    match message.strip_prefix("unexpected symbol ')'") {
        // The user's text has no bracket at this place, so the compiler wrote it.
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

/// Returns the line of the user's text that contains a place.
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
    // The parser stops at the first `&` and reports a missing operand. The line shows the
    // intention.
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
