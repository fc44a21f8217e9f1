//! Reads the comments of a template. The options decide which comments are allowed.

use std::sync::Arc;

use crate::source::{Code, Diagnostic, Location, Result, Source, Span};

/// The options for reading templates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct TemplateOptions {
    /// Ignore comments that start with neither `#@` nor `#!`. Otherwise such a comment in a
    /// template is an error.
    pub ignore_unknown_comments: bool,
    /// Let a repeated key in a template replace the first one, as `@yaml/map-key-override` does for
    /// one key.
    pub implicit_map_key_overrides: bool,
    /// Write programs that record which data values each expression reads.
    pub records: bool,
}

/// A comment for the template engine.
///
/// ```text
/// #@overlay/match by="name"
///   ^^^^^^^^^^^^^ name: the kind is `Annotation`
///                 ^^^^^^^^^ content
/// ```
#[derive(Clone, Debug)]
pub(super) struct TemplateComment {
    /// The whole comment, from `#`.
    pub(super) span: Span,
    /// The code or the arguments, which follow the name.
    pub(super) content: Span,
    pub(super) kind: CommentKind,
}

/// The kinds of comments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CommentKind {
    /// `#@ …`: either the value of the node on its line, or code. Attaching decides which.
    Short,
    /// `#@template/code …`.
    Code,
    /// `#@template/value …`.
    Value,
    /// `#@name …`, with the span of the name.
    Annotation(Span),
}

impl TemplateComment {
    /// Returns the name of an annotation; `None` for code and values.
    pub(super) fn annotation_name<'a>(&self, source: &'a Source) -> Option<&'a str> {
        match self.kind {
            CommentKind::Annotation(name) => Some(source.slice(name)),
            _ => None,
        }
    }

    /// Returns whether this is a line of code.
    pub(super) fn is_code(&self) -> bool {
        matches!(self.kind, CommentKind::Code | CommentKind::Short)
    }

    /// Returns whether this is a line of code of `source` that may call a function when it runs.
    pub(super) fn may_call(&self, source: &Source) -> bool {
        let code = source.slice(self.content).trim_start();
        // Most lines of code with brackets load names or begin a function.
        let only_defines = code.starts_with("load(") || code.starts_with("def ");
        self.is_code() && code.contains('(') && (!only_defines || code.contains(';'))
    }
}

/// Returns whether the text of a comment is for the template engine.
pub(super) fn is_code(text: &str) -> bool {
    text.strip_prefix("#@")
        .is_some_and(|rest| name(rest) != "comment")
}

/// Returns the name after `#@`: everything up to the first space.
fn name(rest: &str) -> &str {
    rest.split(' ')
        .next()
        .unwrap_or_default()
        .trim_end_matches('\r')
}

/// Reads a comment. Returns `None` if it is not for the template engine.
///
/// # Errors
/// Fails for a comment that starts with neither `#@` nor `#!`, unless the options allow it.
pub(super) fn read(
    source: &Arc<Source>,
    span: Span,
    options: &TemplateOptions,
) -> Result<Option<TemplateComment>> {
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
    // Skip the space after the name, if there is one.
    let content = Span::new((name_span.end() + 1).min(span.end()), span.end());
    let content = trimmed(source, content);
    let kind = match name {
        "" => CommentKind::Short,
        "template/code" => CommentKind::Code,
        "template/value" => CommentKind::Value,
        "comment" => return Ok(None),
        _ => CommentKind::Annotation(name_span),
    };
    Ok(Some(TemplateComment {
        span,
        content,
        kind,
    }))
}

/// Returns the span without the whitespace at its ends.
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
