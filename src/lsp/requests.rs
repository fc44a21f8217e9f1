//! Requests and their answers.

use std::path::Path;
use std::sync::Arc;

use lsp_server::{ErrorCode, Request, Response, ResponseError};
use lsp_types::request::{
    CodeActionRequest, Completion, DocumentSymbolRequest, FoldingRangeRequest, Formatting,
    GotoDefinition, HoverRequest, InlayHintRequest, PrepareRenameRequest, References, Rename,
    Request as RequestKind, SemanticTokensFullRequest,
};
use lsp_types::{
    CodeActionOrCommand, CompletionList, CompletionResponse, DocumentSymbolResponse,
    GotoDefinitionResponse, Hover, HoverContents, Location as ProtocolLocation, MarkupContent,
    MarkupKind, PrepareRenameResponse, Range, SemanticTokens, TextEdit, Uri,
};
use serde_json::Value;

use super::actions::actions;
use super::completion::complete;
use super::hints::hints;
use super::hover::{Definition, define, describe};
use super::position::LineIndex;
use super::references::references;
use super::rename::{rename, renamed_span};
use super::structure::{folds, symbols};
use super::tokens::tokens;
use super::uri::{path_of, uri_of};
use super::view::View;
use crate::source::{Source, Span};
use crate::yaml::{differs_from_formatted, formatted, parse};

/// What the requests of one file need.
pub(super) trait Views {
    /// Calls `answer` with the file; `None` if the editor has not opened it.
    fn with_view(&self, path: &Path, answer: &mut dyn FnMut(&View<'_>) -> Value) -> Option<Value>;

    /// Returns the diagnostics that were sent for a file.
    fn published(&self, path: &Path) -> Vec<lsp_types::Diagnostic>;
}

/// Answers a request.
pub(super) fn answer(request: Request, views: &dyn Views) -> Response {
    let id = request.id.clone();
    match result(request, views) {
        Ok(value) => Response::new_ok(id, value),
        Err(error) => Response {
            id,
            response_result: Err(error),
        },
    }
}

fn result(request: Request, views: &dyn Views) -> Result<Value, ResponseError> {
    match request.method.as_str() {
        Completion::METHOD => {
            let parameters = read::<Completion>(request)?.text_document_position;
            on(views, &parameters.text_document.uri, &mut |view| {
                let list = CompletionList {
                    is_incomplete: false,
                    items: complete(view, parameters.position),
                };
                value(CompletionResponse::List(list))
            })
        }
        HoverRequest::METHOD => {
            let parameters = read::<HoverRequest>(request)?.text_document_position_params;
            on(views, &parameters.text_document.uri, &mut |view| {
                let description = describe(view, parameters.position);
                value(description.map(|description| Hover {
                    contents: HoverContents::Markup(MarkupContent {
                        kind: MarkupKind::Markdown,
                        value: description.text,
                    }),
                    range: Some(view.lines.range(description.span)),
                }))
            })
        }
        GotoDefinition::METHOD => {
            let parameters = read::<GotoDefinition>(request)?.text_document_position_params;
            on(views, &parameters.text_document.uri, &mut |view| {
                let found = define(view, parameters.position).into_iter();
                let places: Vec<_> = found
                    .filter_map(|definition| definition_location(view, definition))
                    .collect();
                // Clients go at once to a place that is not in a list.
                value(match <[ProtocolLocation; 1]>::try_from(places) {
                    Ok([place]) => Some(GotoDefinitionResponse::Scalar(place)),
                    Err(places) if places.is_empty() => None,
                    Err(places) => Some(GotoDefinitionResponse::Array(places)),
                })
            })
        }
        References::METHOD => {
            let parameters = read::<References>(request)?.text_document_position;
            on(views, &parameters.text_document.uri, &mut |view| {
                let found = references(view, parameters.position).into_iter();
                let places = found.filter_map(|(path, span)| span_location(view, &path, span));
                value(places.collect::<Vec<ProtocolLocation>>())
            })
        }
        PrepareRenameRequest::METHOD => {
            let parameters = read::<PrepareRenameRequest>(request)?;
            on(views, &parameters.text_document.uri, &mut |view| {
                let span = renamed_span(view, parameters.position);
                value(span.map(|span| PrepareRenameResponse::Range(view.lines.range(span))))
            })
        }
        Rename::METHOD => {
            let parameters = read::<Rename>(request)?;
            let place = parameters.text_document_position;
            let mut refusal = None;
            let answer = on(views, &place.text_document.uri, &mut |view| match rename(
                view,
                place.position,
                &parameters.new_name,
            ) {
                Ok(edit) => value(edit),
                Err(reason) => {
                    refusal = Some(reason);
                    Value::Null
                }
            });
            match refusal {
                None => answer,
                Some(message) => Err(ResponseError {
                    code: ErrorCode::RequestFailed as i32,
                    message,
                    data: None,
                }),
            }
        }
        SemanticTokensFullRequest::METHOD => {
            let parameters = read::<SemanticTokensFullRequest>(request)?;
            on(views, &parameters.text_document.uri, &mut |view| {
                value(SemanticTokens {
                    result_id: None,
                    data: tokens(view),
                })
            })
        }
        InlayHintRequest::METHOD => {
            let parameters = read::<InlayHintRequest>(request)?;
            on(views, &parameters.text_document.uri, &mut |view| {
                value(hints(view, parameters.range))
            })
        }
        DocumentSymbolRequest::METHOD => {
            let parameters = read::<DocumentSymbolRequest>(request)?;
            on(views, &parameters.text_document.uri, &mut |view| {
                value(DocumentSymbolResponse::Nested(symbols(view)))
            })
        }
        FoldingRangeRequest::METHOD => {
            let parameters = read::<FoldingRangeRequest>(request)?;
            on(views, &parameters.text_document.uri, &mut |view| {
                value(folds(view))
            })
        }
        Formatting::METHOD => {
            let parameters = read::<Formatting>(request)?;
            on(views, &parameters.text_document.uri, &mut |view| {
                value(format(view))
            })
        }
        CodeActionRequest::METHOD => {
            let parameters = read::<CodeActionRequest>(request)?;
            let uri = &parameters.text_document.uri;
            let published = path_of(uri).map(|path| views.published(&path));
            on(views, uri, &mut |view| {
                let published = published.as_deref().unwrap_or_default();
                let actions = actions(view, uri, parameters.range, published).into_iter();
                value(
                    actions
                        .map(CodeActionOrCommand::CodeAction)
                        .collect::<Vec<_>>(),
                )
            })
        }
        method => Err(ResponseError {
            code: ErrorCode::MethodNotFound as i32,
            message: format!("the server has no method `{method}`"),
            data: None,
        }),
    }
}

/// Reads the parameters of a request.
pub(super) fn read<R: RequestKind>(request: Request) -> Result<R::Params, ResponseError> {
    serde_json::from_value(request.params).map_err(|error| ResponseError {
        code: ErrorCode::InvalidParams as i32,
        message: format!("`{}`: {error}", request.method),
        data: None,
    })
}

/// Answers about an open file. About others there is nothing to say, which is no error: an editor may ask while it
/// closes a file.
fn on(
    views: &dyn Views,
    uri: &Uri,
    answer: &mut dyn FnMut(&View<'_>) -> Value,
) -> Result<Value, ResponseError> {
    let found = path_of(uri).and_then(|path| views.with_view(&path, answer));
    Ok(found.unwrap_or(Value::Null))
}

fn value(answer: impl serde::Serialize) -> Value {
    // The types of the protocol have texts as keys, which is all that could fail.
    serde_json::to_value(answer).unwrap_or(Value::Null)
}

fn definition_location(view: &View<'_>, definition: Definition) -> Option<ProtocolLocation> {
    match definition {
        Definition::Place(place) => {
            let place = place.in_file();
            let path = Path::new(place.source.shown_name());
            let lines = LineIndex::new(place.source.text(), view.lines.encoding());
            location(path, lines.range(place.span))
        }
        Definition::Span(path, span) => span_location(view, &path, span),
    }
}

fn span_location(view: &View<'_>, path: &Path, span: Span) -> Option<ProtocolLocation> {
    if path == view.path {
        return location(path, view.lines.range(span));
    }
    let text: Arc<str> = (view.read)(path)?;
    location(
        path,
        LineIndex::new(&text, view.lines.encoding()).range(span),
    )
}

fn location(path: &Path, range: Range) -> Option<ProtocolLocation> {
    uri_of(path).map(|uri| ProtocolLocation { uri, range })
}

/// Returns the edit that brings a file into the standard layout; `None` if it cannot be formatted.
fn format(view: &View<'_>) -> Option<Vec<TextEdit>> {
    if super::code::is_starlark(view.path) {
        return None;
    }
    let name = view.path.to_string_lossy();
    let before = parse(&Source::new(&*name, view.text).ok()?).ok()?;
    let text = formatted(&before).ok()?;
    if text == view.text {
        return Some(Vec::new());
    }
    // As `inlay fmt`: what is written must read as what was there.
    let after = parse(&Source::new(&*name, text.as_str()).ok()?).ok()?;
    if differs_from_formatted(std::iter::once(&before), &after).is_some() {
        return None;
    }
    Some(vec![TextEdit {
        range: view.lines.whole(),
        new_text: text,
    }])
}
