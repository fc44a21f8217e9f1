//! The error type of the conversion.

use crate::source::{Code, Span};

/// The reason why a program cannot be converted.
#[derive(Debug)]
pub struct DialectError {
    /// The code of the diagnostic.
    pub code: Code,
    /// The message, in one line.
    pub message: String,
    /// Advice on how to fix it.
    pub help: Option<&'static str>,
    /// The place in the original program.
    pub span: Span,
}

impl DialectError {
    /// Returns the error about a mistake in the syntax of a program.
    pub(super) fn syntax(message: impl Into<String>, span: Span) -> DialectError {
        DialectError {
            code: Code::ScriptSyntax,
            message: message.into(),
            help: None,
            span,
        }
    }

    /// Returns the error of a program that is too large or nests too deep.
    pub(super) fn limit(message: String, help: &'static str, span: Span) -> DialectError {
        DialectError {
            code: Code::Limit,
            message,
            help: Some(help),
            span,
        }
    }

    /// Adds advice on how to fix it.
    pub(super) fn help(self, help: &'static str) -> DialectError {
        DialectError {
            help: Some(help),
            ..self
        }
    }
}
