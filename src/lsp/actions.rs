//! Code actions: the fixes that diagnostics suggest.

use std::collections::HashMap;

use lsp_types::{CodeAction, CodeActionKind, Range, TextEdit, Uri, WorkspaceEdit};

use super::diagnostics::PublishedFix;
use super::view::View;

/// Returns the fixes for the published diagnostics in a range. A fix is left out if its text has
/// changed since the build.
pub(super) fn actions(
    view: &View<'_>,
    uri: &Uri,
    range: Range,
    published: &[lsp_types::Diagnostic],
) -> Vec<CodeAction> {
    let mut actions = Vec::new();
    for diagnostic in published {
        if diagnostic.range.start > range.end || range.start > diagnostic.range.end {
            continue;
        }
        for (index, fix) in published_fixes(diagnostic).into_iter().enumerate() {
            let span = view.lines.span(fix.range);
            if view.text.get(span.range()) == Some(fix.before.as_str()) {
                let mut action = action(uri, fix, diagnostic);
                action.is_preferred = Some(index == 0);
                actions.push(action);
            }
        }
    }
    actions
}

fn action(uri: &Uri, fix: PublishedFix, diagnostic: &lsp_types::Diagnostic) -> CodeAction {
    let title = capitalized(&fix.title);
    let edit = TextEdit {
        range: fix.range,
        new_text: fix.after,
    };
    CodeAction {
        title,
        kind: Some(CodeActionKind::QUICKFIX),
        diagnostics: Some(vec![diagnostic.clone()]),
        edit: Some(WorkspaceEdit {
            changes: Some(HashMap::from([(uri.clone(), vec![edit])])),
            ..WorkspaceEdit::default()
        }),
        ..CodeAction::default()
    }
}

/// Returns a title as the menus of editors spell it: ``Change to `name` ``.
fn capitalized(title: &str) -> String {
    let mut characters = title.chars();
    let first = characters.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(characters).collect()
}

fn published_fixes(diagnostic: &lsp_types::Diagnostic) -> Vec<PublishedFix> {
    let data = diagnostic.data.clone();
    data.and_then(|data| serde_json::from_value(data).ok())
        .unwrap_or_default()
}
