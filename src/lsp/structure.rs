//! The structure of a file: symbols of documents and functions, and parts that can be folded.

use std::sync::Arc;

use lsp_types::{
    DocumentSymbol, FoldingRange, FoldingRangeKind, Location, OneOf, SymbolKind, WorkspaceSymbol,
};

use super::code::definitions;
use super::uri::uri_of;
use super::view::View;
use crate::source::{Source, Span};
use crate::yaml::{Content, Document, Node, Stream, parse};

/// The number of levels of keys that are symbols. Deeper keys would make the overview of a file
/// unclear.
const SYMBOL_LEVELS: usize = 3;

/// Returns the documents of a file with their first keys, and its functions.
pub(super) fn symbols(view: &View<'_>) -> Vec<DocumentSymbol> {
    let mut symbols = Vec::new();
    if let Some(stream) = parsed(view) {
        for document in &stream.documents {
            symbols.push(document_symbol(view, document));
        }
    }
    for (name, span) in definitions(view.code(), view.text) {
        symbols.push(symbol(
            view,
            name.to_owned(),
            SymbolKind::FUNCTION,
            span,
            span,
        ));
    }
    symbols
}

/// Returns the documents and functions of a file whose names contain the letters of a query in
/// their order, as the protocol recommends: the editor sorts them. The keys inside documents are
/// left out, because there are too many.
pub(super) fn named_symbols(view: &View<'_>, query: &str) -> Vec<WorkspaceSymbol> {
    let Some(uri) = uri_of(view.path) else {
        return Vec::new();
    };
    let named = |symbol: DocumentSymbol| WorkspaceSymbol {
        name: symbol.name,
        kind: symbol.kind,
        tags: None,
        container_name: None,
        location: OneOf::Left(Location {
            uri: uri.clone(),
            range: symbol.selection_range,
        }),
        data: None,
    };
    let found = symbols(view).into_iter();
    found
        .filter(|symbol| has_letters(&symbol.name, query))
        .map(named)
        .collect()
}

/// Returns whether a name contains the letters of a query in their order, in upper or lower case.
fn has_letters(name: &str, query: &str) -> bool {
    let mut letters = name.chars().flat_map(char::to_lowercase);
    let mut wanted = query.chars().flat_map(char::to_lowercase);
    wanted.all(|wanted| letters.any(|letter| letter == wanted))
}

fn parsed(view: &View<'_>) -> Option<Stream> {
    if super::code::is_starlark(view.path) {
        return None;
    }
    let source = Source::new(view.path.to_string_lossy(), view.text).ok()?;
    parse(&source).ok()
}

fn document_symbol(view: &View<'_>, document: &Document) -> DocumentSymbol {
    let text_at = |keys: &[&str]| {
        let mut node = &document.root;
        for key in keys {
            node = entry(node, key)?;
        }
        // `name: #@ data.values.name` has no name before it is evaluated.
        node.text()
            .filter(|text| !text.is_empty())
            .map(str::to_owned)
    };
    let kind = text_at(&["kind"]);
    let name = text_at(&["metadata", "name"]);
    let name = match (kind, name) {
        (Some(kind), Some(name)) => format!("{kind}/{name}"),
        (Some(only), None) | (None, Some(only)) => only,
        (None, None) => "document".to_owned(),
    };
    let start = document.marker.unwrap_or(Span::at(document.span.start()));
    let mut symbol = symbol(view, name, SymbolKind::OBJECT, document.span, start);
    symbol.children = Some(entries(view, &document.root, SYMBOL_LEVELS));
    symbol
}

fn entry<'n>(node: &'n Arc<Node>, key: &str) -> Option<&'n Arc<Node>> {
    let Content::Mapping(mapping) = &node.content else {
        return None;
    };
    let entry = mapping
        .entries
        .iter()
        .find(|entry| entry.key.text() == Some(key))?;
    Some(&entry.value)
}

fn entries(view: &View<'_>, node: &Arc<Node>, levels: usize) -> Vec<DocumentSymbol> {
    let (Content::Mapping(mapping), true) = (&node.content, levels > 0) else {
        return Vec::new();
    };
    let mut symbols = Vec::new();
    for entry in &mapping.entries {
        let (Some(name), Some(key)) = (entry.key.text(), span_of(&entry.key)) else {
            continue;
        };
        let whole = span_of(&entry.value).map_or(key, |value| key.to(value));
        let kind = match &entry.value.content {
            Content::Sequence(_) => SymbolKind::ARRAY,
            Content::Mapping(_) => SymbolKind::OBJECT,
            _ => SymbolKind::FIELD,
        };
        let mut symbol = symbol(view, name.to_owned(), kind, whole, key);
        symbol.children = Some(entries(view, &entry.value, levels - 1));
        symbols.push(symbol);
    }
    symbols
}

fn span_of(node: &Arc<Node>) -> Option<Span> {
    node.origin.as_ref().map(|origin| origin.span)
}

fn symbol(
    view: &View<'_>,
    name: String,
    kind: SymbolKind,
    whole: Span,
    selection: Span,
) -> DocumentSymbol {
    // Editors refuse a symbol without a name.
    let name = if name.is_empty() {
        "\"\"".to_owned()
    } else {
        name
    };
    #[expect(deprecated, reason = "the struct has no constructor without the field")]
    DocumentSymbol {
        name,
        detail: None,
        kind,
        tags: None,
        deprecated: None,
        range: view.lines.range(whole),
        selection_range: view.lines.range(selection),
        children: None,
    }
}

/// Returns the parts of a file that can be folded: documents, and values of several lines.
pub(super) fn folds(view: &View<'_>) -> Vec<FoldingRange> {
    let mut folds = Vec::new();
    if let Some(stream) = parsed(view) {
        for document in &stream.documents {
            if stream.documents.len() > 1 {
                push_fold(view, document.span, &mut folds);
            }
            push_folds(view, &document.root, &mut folds);
        }
    }
    folds
}

/// Recursive: the parser bounds how deep a document nests.
fn push_folds(view: &View<'_>, node: &Arc<Node>, folds: &mut Vec<FoldingRange>) {
    match &node.content {
        Content::Mapping(mapping) => {
            for entry in &mapping.entries {
                if let (Some(key), Some(value)) = (span_of(&entry.key), span_of(&entry.value)) {
                    push_fold(view, key.to(value), folds);
                }
                push_folds(view, &entry.value, folds);
            }
        }
        Content::Sequence(sequence) => {
            for item in &sequence.items {
                if let Some(span) = span_of(&item.value) {
                    push_fold(view, span, folds);
                }
                push_folds(view, &item.value, folds);
            }
        }
        Content::Scalar(_) | Content::Alias(_) => {}
    }
}

fn push_fold(view: &View<'_>, span: Span, folds: &mut Vec<FoldingRange>) {
    let content = view.text.get(span.range()).unwrap_or_default().trim_end();
    let start = view.lines.position(span.start()).line;
    let end = view.lines.position(span.start() + content.len()).line;
    if end > start {
        folds.push(FoldingRange {
            start_line: start,
            end_line: end,
            kind: Some(FoldingRangeKind::Region),
            ..FoldingRange::default()
        });
    }
}
