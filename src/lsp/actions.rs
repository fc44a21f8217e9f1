//! Code actions: the fixes that diagnostics suggest.

use std::collections::HashMap;

use lsp_types::{CodeAction, CodeActionKind, Range, TextEdit, Uri, WorkspaceEdit};

use super::view::View;

/// Returns the fixes for the diagnostics in a range.
///
/// A help line such as "did you mean `replicas`?" names the word that was meant. It replaces the most similar word in
/// the text that the diagnostic underlines.
pub(super) fn actions(
    view: &View<'_>,
    uri: &Uri,
    range: Range,
    published: &[lsp_types::Diagnostic],
) -> Vec<CodeAction> {
    let mut actions = Vec::new();
    for diagnostic in published {
        let overlaps = diagnostic.range.start <= range.end && range.start <= diagnostic.range.end;
        let Some(meant) = meant(&diagnostic.message).filter(|_| overlaps) else {
            continue;
        };
        let Some(edit) = replacement(view, diagnostic.range, meant) else {
            continue;
        };
        let title = format!("Change to `{meant}`");
        actions.push(CodeAction {
            title,
            kind: Some(CodeActionKind::QUICKFIX),
            diagnostics: Some(vec![diagnostic.clone()]),
            edit: Some(WorkspaceEdit {
                changes: Some(HashMap::from([(uri.clone(), vec![edit])])),
                ..WorkspaceEdit::default()
            }),
            is_preferred: Some(true),
            ..CodeAction::default()
        });
    }
    actions
}

/// Returns the word that a help line suggests.
fn meant(message: &str) -> Option<&str> {
    let (_, rest) = message.split_once("\nhelp: did you mean `")?;
    Some(rest.split_once('`')?.0.trim_start_matches('@'))
}

/// Returns the edit that puts `meant` in place of the most similar word in `range`.
fn replacement(view: &View<'_>, range: Range, meant: &str) -> Option<TextEdit> {
    let span = view.lines.span(range);
    let text = view.text.get(span.range())?;
    let is_separator =
        |character: char| character.is_whitespace() || "\"'#@(),=[]{}".contains(character);
    let mut best: Option<(f64, &str)> = None;
    for word in text.split(is_separator) {
        // `data.values.replica` is meant to be `data.values.replicas`: only the last name is wrong.
        let name = match meant.contains('.') {
            true => word,
            false => word.rsplit('.').next().unwrap_or(word),
        };
        let similarity = strsim::normalized_damerau_levenshtein(name, meant);
        if !name.is_empty() && best.is_none_or(|(best, _)| similarity > best) {
            best = Some((similarity, name));
        }
    }
    let (similarity, word) = best?;
    if similarity < 0.4 {
        return None;
    }
    let start = span.start() + (word.as_ptr() as usize - text.as_ptr() as usize);
    let span = crate::source::Span::new(start, start + word.len());
    Some(TextEdit {
        range: view.lines.range(span),
        new_text: meant.to_owned(),
    })
}
