//! The evaluation phase: each file becomes documents or text.
//!
//! A file without code is done when it is parsed. One with code is a template.

use std::sync::Arc;

use super::parse::{Content, Parsed};
use super::{Rendered, RenderedText, RenderedYaml};
use crate::source::{Code, Diagnostic, Diagnostics, Location, Result, Source, Span};
use crate::workspace::file::{InputFile, Role};
use crate::yaml::{Node, Stream};

/// What one file gives.
enum Outcome {
    Yaml(usize, RenderedYaml),
    Text(RenderedText),
    /// The file is evaluated for what it defines.
    Nothing,
}

/// Evaluates the files in their order. `None` where that failed, and `diagnostics` says what is wrong in all files.
pub(super) fn evaluate(files: &[InputFile], parsed: Vec<Parsed>, diagnostics: &mut Diagnostics) -> Option<Rendered> {
    let mut rendered = Rendered::default();
    let mut yaml = Vec::new();
    for parsed in parsed {
        let Some(file) = files.get(parsed.file) else { continue };
        match diagnostics.take(evaluate_file(file, parsed)) {
            Some(Outcome::Yaml(index, documents)) => yaml.push((index, documents)),
            Some(Outcome::Text(text)) => rendered.texts.push(text),
            Some(Outcome::Nothing) | None => {}
        }
    }
    yaml.sort_by_key(|(index, _)| *index);
    rendered.yaml = yaml.into_iter().map(|(_, documents)| documents).collect();
    (!diagnostics.failed()).then_some(rendered)
}

fn evaluate_file(file: &InputFile, parsed: Parsed) -> Result<Outcome> {
    let path = file.path.clone();
    let outcome = match (parsed.content, file.role()) {
        (Content::Yaml(stream), Role::YamlTemplate) => {
            Outcome::Yaml(parsed.file, RenderedYaml { path, documents: yaml_template(&stream)? })
        }
        (Content::Yaml(stream), _) => Outcome::Yaml(parsed.file, RenderedYaml { path, documents: documents(&stream) }),
        (Content::Text(source), Role::TextTemplate) => {
            Outcome::Text(RenderedText { path, content: text_template(&source)?.into_bytes() })
        }
        (Content::Text(source), _) => return Err(unsupported(&source, Span::at(0), "a Starlark module")),
        (Content::Bytes(_), Role::Data) => {
            let message = format!("expected YAML or text for output, found data in `{path}`");
            return Err(Diagnostic::error(Code::Flag, message)
                .help(format!("give it a type as well: `--file-mark {path}:type=text-plain`")));
        }
        (Content::Bytes(content), _) => Outcome::Text(RenderedText { path, content }),
    };
    Ok(if file.is_output() { outcome } else { Outcome::Nothing })
}

fn documents(stream: &Stream) -> Vec<Arc<Node>> {
    stream.documents.iter().map(|document| Arc::clone(&document.root)).collect()
}

/// The documents of a YAML template.
fn yaml_template(stream: &Stream) -> Result<Vec<Arc<Node>>> {
    match first_code(stream) {
        Some(span) => Err(unsupported(&stream.source, span, "a template")),
        None => Ok(documents(stream)),
    }
}

/// The text of a text template.
fn text_template(source: &Source) -> Result<String> {
    match source.text().find("(@") {
        Some(at) => Err(Diagnostic::error(
            Code::Template,
            format!("expected text without code, found a template in `{}` on line {}", source.name(), source.line(at)),
        )),
        None => Ok(source.text().to_owned()),
    }
}

/// The first comment that holds code or an annotation. A file without any is plain: its other comments mean nothing.
fn first_code(stream: &Stream) -> Option<Span> {
    let is_code = |span: &&Span| {
        let annotation = stream.source.slice(**span).strip_prefix("#@");
        annotation.is_some_and(|rest| rest.split(' ').next() != Some("comment"))
    };
    stream.comments.iter().find(is_code).copied()
}

/// The complaint about what this version does not evaluate.
fn unsupported(source: &Arc<Source>, span: Span, what: &str) -> Box<Diagnostic> {
    Diagnostic::error(Code::Template, format!("expected plain YAML or text, found {what} in `{}`", source.name()))
        .at(Location::new(source, span), "templates are not evaluated by this version")
}
