//! What a comment in a template is.

use super::Options;
use crate::source::{Code, Diagnostic, Location, Result, Source, Span};
use std::sync::Arc;

/// A comment that is for the template engine.
#[derive(Clone, Debug)]
pub(super) struct Comment {
    /// From `#` to its end.
    pub(super) span: Span,
    /// What follows the name.
    pub(super) content: Span,
    pub(super) kind: CommentKind,
}

/// The kinds of comment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CommentKind {
    /// `#@ …`: the value of the node on its line, or else code.
    Short,
    /// `#@template/code …`.
    Code,
    /// `#@template/value …`.
    Value,
    /// `#@name …`, with the bytes of the name.
    Annotation(Span),
}

impl Comment {
    /// The name of an annotation.
    pub(super) fn annotation_name<'a>(&self, source: &'a Source) -> Option<&'a str> {
        match self.kind {
            CommentKind::Annotation(name) => Some(source.slice(name)),
            _ => None,
        }
    }
}

/// Whether the text of a comment is for the template engine.
pub(super) fn is_code(text: &str) -> bool {
    text.strip_prefix("#@")
        .is_some_and(|rest| name(rest) != "comment")
}

/// The name that follows `#@`: all up to the first space.
fn name(rest: &str) -> &str {
    rest.split(' ')
        .next()
        .unwrap_or_default()
        .trim_end_matches('\r')
}

/// Reads a comment; `None` for one that is for people.
///
/// # Errors
/// A comment of neither kind, unless the options allow it.
pub(super) fn read(source: &Arc<Source>, span: Span, options: &Options) -> Result<Option<Comment>> {
    let text = source.slice(span);
    let Some(rest) = text.strip_prefix("#@") else {
        if text.starts_with("#!") || options.ignore_unknown_comments {
            return Ok(None);
        }
        return Err(unknown(source, span));
    };
    let name = name(rest);
    let start = span.start() + 2;
    let name_span = Span::new(start, start + name.len());
    let content = Span::new((name_span.end() + 1).min(span.end()), span.end());
    let content = trimmed(source, content);
    let kind = match name {
        "" => CommentKind::Short,
        "template/code" => CommentKind::Code,
        "template/value" => CommentKind::Value,
        "comment" => return Ok(None),
        _ => CommentKind::Annotation(name_span),
    };
    Ok(Some(Comment {
        span,
        content,
        kind,
    }))
}

/// Code without the blanks around it.
fn trimmed(source: &Source, span: Span) -> Span {
    let text = source.slice(span);
    let start = span.start() + (text.len() - text.trim_start().len());
    Span::new(start, (start + text.trim().len()).max(start))
}

fn unknown(source: &Arc<Source>, span: Span) -> Box<Diagnostic> {
    let place = Location::new(source, span);
    Diagnostic::error(Code::ScriptSyntax, "expected `#@` or `#!` at the start of a comment in a template")
        .at(place, "")
        .help("use `#@` for code and annotations and `#!` for comments, or pass --ignore-unknown-comments")
}
