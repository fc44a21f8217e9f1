//! Requests and their answers.

use std::path::Path;
use std::sync::Arc;

use lsp_server::{ErrorCode, Request, Response, ResponseError};
use lsp_types::request::{
    CodeActionRequest, Completion, DocumentSymbolRequest, FoldingRangeRequest, Formatting,
    GotoDefinition, HoverRequest, InlayHintRequest, PrepareRenameRequest, References, Rename,
    Request as RequestKind, SemanticTokensFullRequest, WorkspaceSymbolRequest,
};
use lsp_types::{
    CodeActionOrCommand, CodeActionParams, CompletionList, CompletionParams, CompletionResponse,
    DocumentFormattingParams, DocumentSymbolParams, DocumentSymbolResponse, FoldingRange,
    FoldingRangeParams, GotoDefinitionParams, GotoDefinitionResponse, Hover, HoverContents,
    HoverParams, InlayHint, InlayHintParams, Location as ProtocolLocation, MarkupContent,
    MarkupKind, PrepareRenameResponse, Range, ReferenceParams, RenameParams, SemanticTokens,
    SemanticTokensParams, SemanticTokensResult, TextDocumentPositionParams, TextEdit, Uri,
    WorkspaceEdit, WorkspaceSymbol, WorkspaceSymbolResponse,
};
use serde::Deserialize;
use serde_json::Value;

use super::actions::actions;
use super::completion::complete;
use super::hints::hints;
use super::hover::{Definition, define, describe};
use super::position::LineIndex;
use super::references::references;
use super::rename::{rename, renamed_span};
use super::structure::{folds, named_symbols, symbols};
use super::tokens::tokens;
use super::uri::{path_of, uri_of};
use super::view::View;
use crate::source::{Source, Span};
use crate::yaml::{differs_from_formatted, formatted, parse};

/// The data that requests need.
pub(super) trait Views {
    /// Calls `answer` with the file, if the editor has it open.
    fn with_view(&self, path: &Path, answer: &mut dyn FnMut(&View<'_>));

    /// Calls `answer` with each file that is open or that a build has read, in the order of their
    /// paths.
    fn with_each_view(&self, answer: &mut dyn FnMut(&View<'_>));

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

/// Returns the result of a request, by its method.
fn result(request: Request, views: &dyn Views) -> Result<Value, ResponseError> {
    match request.method.as_str() {
        Completion::METHOD => ask::<Completion>(request, views, completion),
        HoverRequest::METHOD => ask::<HoverRequest>(request, views, hover),
        GotoDefinition::METHOD => ask::<GotoDefinition>(request, views, definition),
        References::METHOD => ask::<References>(request, views, uses),
        PrepareRenameRequest::METHOD => ask::<PrepareRenameRequest>(request, views, renamed_range),
        Rename::METHOD => try_ask::<Rename>(request, views, new_name),
        SemanticTokensFullRequest::METHOD => {
            ask::<SemanticTokensFullRequest>(request, views, colors)
        }
        InlayHintRequest::METHOD => ask::<InlayHintRequest>(request, views, inlay_hints),
        DocumentSymbolRequest::METHOD => {
            ask::<DocumentSymbolRequest>(request, views, document_symbols)
        }
        FoldingRangeRequest::METHOD => ask::<FoldingRangeRequest>(request, views, folding_ranges),
        Formatting::METHOD => ask::<Formatting>(request, views, formatting),
        CodeActionRequest::METHOD => {
            ask::<CodeActionRequest>(request, views, |view, parameters| {
                Some(code_actions(view, &parameters, views))
            })
        }
        WorkspaceSymbolRequest::METHOD => workspace_symbols(request, views),
        #[cfg(test)]
        "inlay/panic" => panic!("a test asks for it"),
        method => Err(ResponseError {
            code: ErrorCode::MethodNotFound as i32,
            message: format!("the server has no method `{method}`"),
            data: None,
        }),
    }
}

/// Answers a request about an open file. For any other file, the answer is empty and not an error:
/// an editor may ask while it closes a file.
fn ask<R: RequestKind>(
    request: Request,
    views: &dyn Views,
    answer: impl Fn(&View<'_>, R::Params) -> R::Result,
) -> Result<Value, ResponseError>
where
    R::Result: Default,
{
    try_ask::<R>(request, views, |view, parameters| {
        Ok(answer(view, parameters))
    })
}

/// As [`ask`], for an answer that may be a refusal.
fn try_ask<R: RequestKind>(
    request: Request,
    views: &dyn Views,
    answer: impl Fn(&View<'_>, R::Params) -> Result<R::Result, ResponseError>,
) -> Result<Value, ResponseError>
where
    R::Result: Default,
{
    // All requests name their file in the same place, which the types of their parameters do not show.
    let uri = request.params.pointer("/textDocument/uri");
    let path = uri.and_then(|uri| path_of(&Uri::deserialize(uri).ok()?));
    let mut parameters = Some(read::<R>(request)?);
    let mut result = Ok(R::Result::default());
    if let Some(path) = path {
        views.with_view(&path, &mut |view| {
            if let Some(parameters) = parameters.take() {
                result = answer(view, parameters);
            }
        });
    }
    // This cannot fail, because all keys of the types of the protocol are texts.
    result.map(|result| serde_json::to_value(result).unwrap_or(Value::Null))
}

fn completion(view: &View<'_>, parameters: CompletionParams) -> Option<CompletionResponse> {
    Some(CompletionResponse::List(CompletionList {
        is_incomplete: false,
        items: complete(view, parameters.text_document_position.position),
    }))
}

fn hover(view: &View<'_>, parameters: HoverParams) -> Option<Hover> {
    let position = parameters.text_document_position_params.position;
    describe(view, position).map(|description| Hover {
        contents: HoverContents::Markup(MarkupContent {
            kind: MarkupKind::Markdown,
            value: description.text,
        }),
        range: Some(view.lines.range(description.span)),
    })
}

fn definition(view: &View<'_>, parameters: GotoDefinitionParams) -> Option<GotoDefinitionResponse> {
    let position = parameters.text_document_position_params.position;
    let found = define(view, position).into_iter();
    let places: Vec<ProtocolLocation> = found
        .filter_map(|definition| definition_location(view, definition))
        .collect();
    // Clients go at once to a place that is not in a list.
    match <[ProtocolLocation; 1]>::try_from(places) {
        Ok([place]) => Some(GotoDefinitionResponse::Scalar(place)),
        Err(places) if places.is_empty() => None,
        Err(places) => Some(GotoDefinitionResponse::Array(places)),
    }
}

fn uses(view: &View<'_>, parameters: ReferenceParams) -> Option<Vec<ProtocolLocation>> {
    let position = parameters.text_document_position.position;
    let found = references(view, position).into_iter();
    let places = found.filter_map(|(path, span)| span_location(view, &path, span));
    Some(places.collect())
}

fn renamed_range(
    view: &View<'_>,
    parameters: TextDocumentPositionParams,
) -> Option<PrepareRenameResponse> {
    let span = renamed_span(view, parameters.position);
    span.map(|span| PrepareRenameResponse::Range(view.lines.range(span)))
}

fn new_name(
    view: &View<'_>,
    parameters: RenameParams,
) -> Result<Option<WorkspaceEdit>, ResponseError> {
    let position = parameters.text_document_position.position;
    let renamed = rename(view, position, &parameters.new_name);
    renamed.map(Some).map_err(|message| ResponseError {
        code: ErrorCode::RequestFailed as i32,
        message,
        data: None,
    })
}

fn colors(view: &View<'_>, _: SemanticTokensParams) -> Option<SemanticTokensResult> {
    Some(SemanticTokensResult::Tokens(SemanticTokens {
        result_id: None,
        data: tokens(view),
    }))
}

fn inlay_hints(view: &View<'_>, parameters: InlayHintParams) -> Option<Vec<InlayHint>> {
    Some(hints(view, parameters.range))
}

fn document_symbols(view: &View<'_>, _: DocumentSymbolParams) -> Option<DocumentSymbolResponse> {
    Some(DocumentSymbolResponse::Nested(symbols(view)))
}

/// Answers a request about all files.
fn workspace_symbols(request: Request, views: &dyn Views) -> Result<Value, ResponseError> {
    let query = read::<WorkspaceSymbolRequest>(request)?.query;
    let mut found: Vec<WorkspaceSymbol> = Vec::new();
    views.with_each_view(&mut |view| found.extend(named_symbols(view, &query)));
    let result = Some(WorkspaceSymbolResponse::Nested(found));
    Ok(serde_json::to_value(result).unwrap_or(Value::Null))
}

fn folding_ranges(view: &View<'_>, _: FoldingRangeParams) -> Option<Vec<FoldingRange>> {
    Some(folds(view))
}

fn formatting(view: &View<'_>, _: DocumentFormattingParams) -> Option<Vec<TextEdit>> {
    format(view)
}

fn code_actions(
    view: &View<'_>,
    parameters: &CodeActionParams,
    views: &dyn Views,
) -> Vec<CodeActionOrCommand> {
    let uri = &parameters.text_document.uri;
    let published = views.published(view.path);
    let found = actions(view, uri, parameters.range, &published).into_iter();
    found.map(CodeActionOrCommand::CodeAction).collect()
}

/// Reads the parameters of a request.
pub(super) fn read<R: RequestKind>(request: Request) -> Result<R::Params, ResponseError> {
    serde_json::from_value(request.params).map_err(|error| ResponseError {
        code: ErrorCode::InvalidParams as i32,
        message: format!("`{}`: {error}", request.method),
        data: None,
    })
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
    // As in `inlay fmt`, the new text must have the same values as the old text.
    let after = parse(&Source::new(&*name, text.as_str()).ok()?).ok()?;
    if differs_from_formatted(std::iter::once(&before), &after).is_some() {
        return None;
    }
    Some(vec![TextEdit {
        range: view.lines.whole(),
        new_text: text,
    }])
}
