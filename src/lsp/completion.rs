//! Completes the text at a position.

use std::collections::BTreeSet;

use lsp_types::{
    CompletionItem, CompletionItemKind, CompletionTextEdit, Documentation, MarkupContent,
    MarkupKind, Position, TextEdit,
};

use super::code::{CodeReader, Cursor, begins_statement, cursor_at, definitions};
use super::configuration;
use super::locals::locals_at;
use super::overlays;
use super::values_document::key_at;
use super::view::{Meaning, View};
use super::vocabulary::{
    ANNOTATIONS, EXPRESSION_WORDS, INFIX_WORDS, KEYWORDS, MODULES, Word, find_annotation,
    find_module,
};
use crate::schema::ValueOutline;
use crate::source::Span;
use crate::yaml::canonical_node;

/// Returns the possible texts at a position.
pub(super) fn complete(view: &View<'_>, position: Position) -> Vec<CompletionItem> {
    let offset = view.lines.offset(position);
    let Some(cursor) = cursor_at(view.code(), view.text, offset) else {
        let found = keys(view, offset)
            .or_else(|| overlays::complete_keys(view, offset))
            .or_else(|| configuration::complete(view, offset));
        return found.unwrap_or_default();
    };
    match cursor {
        Cursor::Annotation { name } => {
            let mut items = Items::new(view, name);
            for annotation in &ANNOTATIONS {
                items.word(annotation, annotation.name, CompletionItemKind::EVENT);
            }
            items.found
        }
        Cursor::LoadPath { path } => load_paths(view, path),
        Cursor::LoadSymbol { path, word } => symbols(view, path, word),
        Cursor::Name {
            annotation,
            path,
            word,
        } if path.is_empty() => names(view, annotation, word),
        Cursor::Name { path, word, .. } => members(view, &path, word),
        Cursor::Subscript { path, word } => subscripts(view, &path, word),
    }
}

/// Collects items that all replace one span.
pub(super) struct Items<'v> {
    view: &'v View<'v>,
    replaced: Span,
    pub(super) found: Vec<CompletionItem>,
}

impl<'v> Items<'v> {
    pub(super) fn new(view: &'v View<'v>, replaced: Span) -> Items<'v> {
        Items {
            view,
            replaced,
            found: Vec::new(),
        }
    }

    /// Adds an item, which the caller describes further.
    pub(super) fn add(&mut self, label: &str, kind: CompletionItemKind) -> &mut CompletionItem {
        // Keep the order in which items are added. Otherwise editors sort them by their labels.
        let order = format!("{:05}", self.found.len());
        let index = self.found.len();
        self.found.push(CompletionItem {
            label: label.to_owned(),
            kind: Some(kind),
            sort_text: Some(order),
            text_edit: Some(CompletionTextEdit::Edit(TextEdit {
                range: self.view.lines.range(self.replaced),
                new_text: label.to_owned(),
            })),
            ..CompletionItem::default()
        });
        &mut self.found[index]
    }

    fn word(&mut self, word: &Word, label: &str, kind: CompletionItemKind) {
        let item = self.add(label, kind);
        item.detail =
            (!word.signature.is_empty()).then(|| format!("{}{}", word.name, word.signature));
        item.documentation = Some(markdown(word.summary.to_owned()));
    }
}

pub(super) fn markdown(value: String) -> Documentation {
    Documentation::MarkupContent(MarkupContent {
        kind: MarkupKind::Markdown,
        value,
    })
}

/// Returns the keys that the schema declares, in a document with data values.
fn keys(view: &View<'_>, offset: usize) -> Option<Vec<CompletionItem>> {
    let place = key_at(view, offset)?;
    let parent = place.parent_in(view.values()?)?;
    let mut items = Items::new(view, place.key);
    for child in &parent.children {
        describe(items.add(&child.key, CompletionItemKind::PROPERTY), child);
    }
    Some(items.found)
}

/// Returns the names that an expression can begin with. In the arguments of an annotation, the
/// names of its possible arguments come first. Keywords of blocks are left out where no statement
/// can begin.
fn names(view: &View<'_>, annotation: Option<Span>, word: Span) -> Vec<CompletionItem> {
    let mut items = Items::new(view, word);
    if let Some(annotation) = annotation {
        add_arguments(&mut items, annotation, word);
    }
    let mut seen = BTreeSet::new();
    // The innermost name hides the others.
    for local in locals_at(view.code(), view.text, word.start()).iter().rev() {
        if seen.insert(local.name.clone()) {
            items.add(&local.name, CompletionItemKind::VARIABLE);
        }
    }
    for load in view.loads() {
        for (local, _) in load.symbols {
            if seen.insert(local.to_owned()) {
                items.add(local, CompletionItemKind::MODULE).detail = Some(load.path.to_owned());
            }
        }
    }
    for (name, span) in definitions(view.code(), view.text) {
        if span != word && seen.insert(name.to_owned()) {
            items.add(name, CompletionItemKind::FUNCTION);
        }
    }
    for keyword in words_at(view, annotation, word) {
        items.add(keyword, CompletionItemKind::KEYWORD);
    }
    items.found
}

/// Returns the words of the language that can be written at a place.
fn words_at(view: &View<'_>, annotation: Option<Span>, word: Span) -> Vec<&'static str> {
    if annotation.is_some() {
        return EXPRESSION_WORDS.to_vec();
    }
    if begins_statement(view.text, word) {
        return KEYWORDS.to_vec();
    }
    let mut words = EXPRESSION_WORDS.to_vec();
    let before = view.text[..word.start()].trim_end();
    // These words follow an expression, and none is written yet at the start of a value.
    if !before.ends_with("#@") && !before.ends_with("(@=") {
        words.extend(INFIX_WORDS);
    }
    words
}

/// Adds the keyword arguments of an annotation that are not written yet, if one can begin at
/// `word`.
///
/// ```text
/// #@overlay/match by=overlay.subset({"a": 1}), |            expects=, missing_ok=, when=
/// #@overlay/match by=overlay.subset(|                       none: it is inside of a call
/// ```
fn add_arguments(items: &mut Items<'_>, annotation: Span, word: Span) {
    let text = items.view.text;
    let name = text.get(annotation.range()).and_then(find_annotation);
    let before = text.get(annotation.end()..word.start());
    let (Some(annotation), Some(before)) = (name, before) else {
        return;
    };
    let Some(written) = arguments_before(before) else {
        return;
    };
    for argument in annotation.arguments {
        if !written.contains(&argument.name) {
            let item = items.add(&format!("{}=", argument.name), CompletionItemKind::PROPERTY);
            item.documentation = Some(markdown(argument.summary.to_owned()));
        }
    }
}

/// Returns the names of the keyword arguments in the text before a position; `None` if no argument
/// can begin there.
fn arguments_before(text: &str) -> Option<Vec<&str>> {
    let mut names = Vec::new();
    let (mut depth, mut quote, mut start) = (0usize, None, 0);
    for (at, character) in text.char_indices() {
        match (quote, character) {
            (Some(open), _) if open == character => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(character),
            (None, '(' | '[' | '{') => depth += 1,
            (None, ')' | ']' | '}') => depth = depth.saturating_sub(1),
            (None, ',') if depth == 0 => {
                names.extend(argument_name(&text[start..at]));
                start = at + 1;
            }
            _ => {}
        }
    }
    let is_start = depth == 0 && quote.is_none() && text[start..].trim().is_empty();
    is_start.then_some(names)
}

/// Returns `name` of `name=value`.
fn argument_name(argument: &str) -> Option<&str> {
    let (name, value) = argument.split_once('=')?;
    let is_keyword = !value.starts_with('=');
    is_keyword.then_some(name.trim())
}

/// Returns the names that can follow `path.`.
fn members(view: &View<'_>, path: &[&str], word: Span) -> Vec<CompletionItem> {
    let mut items = Items::new(view, word);
    match view
        .meaning(path, word.start())
        .or_else(|| unloaded_module(view, path))
    {
        Some(Meaning::Module(module)) => {
            for member in module.members {
                let kind = match member.signature.is_empty() {
                    true => CompletionItemKind::CONSTANT,
                    false => CompletionItemKind::FUNCTION,
                };
                items.word(member, member.name, kind);
            }
        }
        Some(Meaning::Value(value)) => {
            for child in &value.children {
                add_value(&mut items, child);
            }
        }
        Some(Meaning::Symbol { .. }) | None => {}
    }
    items.found
}

/// Returns the module that is probably intended by a name without a `load`. The diagnostic about
/// the name offers to add the `load`.
fn unloaded_module<'v>(view: &View<'v>, path: &[&str]) -> Option<Meaning<'v>> {
    let [name] = path else { return None };
    let defined = definitions(view.code(), view.text);
    let is_defined = defined.iter().any(|(defined, _)| defined == name);
    let loads = view.loads();
    let is_loaded = loads
        .iter()
        .any(|load| load.symbols.iter().any(|(local, _)| local == name));
    let module = find_module(name).filter(|_| !is_defined && !is_loaded)?;
    Some(Meaning::Module(module))
}

/// Returns the keys that can be in the brackets of `path["…"]`, including keys that are not names.
fn subscripts(view: &View<'_>, path: &[&str], word: Span) -> Vec<CompletionItem> {
    let mut items = Items::new(view, word);
    if let Some(Meaning::Value(value)) = view.meaning(path, word.start()) {
        for child in &value.children {
            describe(items.add(&child.key, CompletionItemKind::FIELD), child);
        }
    }
    items.found
}

fn add_value(items: &mut Items<'_>, value: &ValueOutline) {
    // Other keys are read as `data.values["my-key"]`.
    let is_name = value
        .key
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        && !value.key.starts_with(|first: char| first.is_ascii_digit());
    if !is_name {
        return;
    }
    describe(items.add(&value.key, CompletionItemKind::FIELD), value);
}

fn describe(item: &mut CompletionItem, value: &ValueOutline) {
    item.detail = Some(value.expected.clone());
    item.documentation = Some(markdown(describe_value(value)));
    item.deprecated = Some(value.deprecated.is_some());
}

/// Describes a data value: its type, default and documentation.
pub(super) fn describe_value(value: &ValueOutline) -> String {
    let mut text = value.expected.clone();
    if value.children.is_empty()
        && let Ok(default) = canonical_node(&value.default)
    {
        text.push_str(&format!("; default:\n```yaml\n{}\n```", default.trim_end()));
    }
    if !value.description.is_empty() {
        text.push_str(&format!("\n\n{}", value.description));
    }
    if let Some(reason) = &value.deprecated {
        text.push_str(&format!("\n\nDeprecated: {reason}"));
    }
    text
}

/// Returns the paths that can be loaded: modules, and the files of the build that others can load.
fn load_paths(view: &View<'_>, path: Span) -> Vec<CompletionItem> {
    let mut items = Items::new(view, path);
    for module in &MODULES {
        let item = items.add(&format!("@ytt:{}", module.name), CompletionItemKind::MODULE);
        item.documentation = Some(markdown(module.summary.to_owned()));
    }
    let typed = view.text.get(path.range()).unwrap_or_default();
    let own = view.files().find(|file| file.place == view.path);
    let folder = own.and_then(|file| file.path.rsplit_once('/'));
    let folder = folder.map_or(String::new(), |(folder, _)| format!("{folder}/"));
    for file in view.files() {
        let is_library = file.path.ends_with(".star") || file.path.contains(".lib.");
        if !is_library || file.place == view.path {
            continue;
        }
        // Editors offer only items that begin with the typed text.
        let below = file.path.strip_prefix(&folder);
        let label = match below.filter(|_| !typed.starts_with('/')) {
            Some(path) => path.to_owned(),
            None => format!("/{}", file.path),
        };
        items.add(&label, CompletionItemKind::FILE);
    }
    items.found
}

/// Returns the names that a file or module defines.
fn symbols(view: &View<'_>, path: &str, word: Span) -> Vec<CompletionItem> {
    let mut items = Items::new(view, word);
    if let Some(module) = path.strip_prefix("@ytt:") {
        if let Some(module) = find_module(module) {
            let item = items.add(module.name, CompletionItemKind::MODULE);
            item.documentation = Some(markdown(module.summary.to_owned()));
        }
        return items.found;
    }
    let Some(place) = view.loaded(path) else {
        return Vec::new();
    };
    let Some(text) = (view.read)(&place) else {
        return Vec::new();
    };
    for (name, _) in definitions(&CodeReader::new(&place, &text), &text) {
        // Names that begin with `_` are private to their file.
        if !name.starts_with('_') {
            items.add(name, CompletionItemKind::FUNCTION);
        }
    }
    items.found
}
