//! The texts that the editor has open.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use lsp_types::TextDocumentContentChangeEvent;

use super::position::{ColumnEncoding, LineIndex};

/// A text that the editor has open.
pub(super) struct OpenDocument {
    pub(super) text: Arc<str>,
    pub(super) version: i32,
}

/// The open texts by path.
#[derive(Default)]
pub(super) struct OpenDocuments {
    by_path: BTreeMap<PathBuf, OpenDocument>,
}

impl OpenDocuments {
    pub(super) fn open(&mut self, path: PathBuf, text: String, version: i32) {
        let text = text.into();
        self.by_path.insert(path, OpenDocument { text, version });
    }

    pub(super) fn close(&mut self, path: &Path) {
        self.by_path.remove(path);
    }

    pub(super) fn get(&self, path: &Path) -> Option<&OpenDocument> {
        self.by_path.get(path)
    }

    /// Applies changes in their order: each counts in the text that the one before it left.
    pub(super) fn change(
        &mut self,
        path: &Path,
        version: i32,
        changes: Vec<TextDocumentContentChangeEvent>,
        encoding: ColumnEncoding,
    ) {
        let Some(document) = self.by_path.get_mut(path) else {
            return;
        };
        let mut text = document.text.to_string();
        for change in changes {
            match change.range {
                None => text = change.text,
                Some(range) => {
                    let span = LineIndex::new(&text, encoding).span(range);
                    text.replace_range(span.range(), &change.text);
                }
            }
        }
        document.text = text.into();
        document.version = version;
    }

    /// Returns the texts of all open files.
    pub(super) fn texts(&self) -> BTreeMap<PathBuf, Arc<str>> {
        let mut texts = BTreeMap::new();
        for (path, document) in &self.by_path {
            texts.insert(path.clone(), Arc::clone(&document.text));
        }
        texts
    }

    pub(super) fn paths(&self) -> impl Iterator<Item = &Path> {
        self.by_path.keys().map(PathBuf::as_path)
    }
}

#[cfg(test)]
mod tests {
    use lsp_types::{Position, Range};

    use super::*;

    fn replace(from: (u32, u32), to: (u32, u32), text: &str) -> TextDocumentContentChangeEvent {
        let (start, end) = (Position::new(from.0, from.1), Position::new(to.0, to.1));
        TextDocumentContentChangeEvent {
            range: Some(Range::new(start, end)),
            range_length: None,
            text: text.to_owned(),
        }
    }

    #[test]
    fn applies_changes_one_after_the_other() {
        let path = Path::new("/a.yml");
        let mut documents = OpenDocuments::default();
        documents.open(path.to_owned(), "a: 😀\nb: 2\n".to_owned(), 1);
        let changes = vec![
            replace((0, 3), (0, 5), "1"),
            replace((0, 4), (1, 0), ""),
            replace((0, 4), (0, 4), "\nc: "),
        ];
        documents.change(path, 2, changes, ColumnEncoding::Utf16);
        let document = documents.get(path).unwrap();
        assert_eq!((&*document.text, document.version), ("a: 1\nc: b: 2\n", 2));
    }
}
