//! The texts that the editor has open.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use lsp_types::{Range, TextDocumentContentChangeEvent};

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

    /// Applies changes in order. The positions of each change refer to the text after the change
    /// before it.
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
        document.text = changed(&document.text, changes, encoding).into();
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

/// Applies changes to a text.
///
/// A replacement of all places in a file is one change for each, usually from the last to the
/// first. As long as each change ends before the start of the previous one, its position refers to
/// lines of the original text. So the new text is written only once:
///
/// ```text
/// b: x\nc: x\nd: x      (2:3-2:4) → yy, (1:3-1:4) → yy, (0:3-0:4) → yy
/// ```
fn changed(
    text: &str,
    changes: Vec<TextDocumentContentChangeEvent>,
    encoding: ColumnEncoding,
) -> String {
    let mut text = text.to_owned();
    let mut changes = changes.into_iter().peekable();
    while let Some(first) = changes.next() {
        let Some(range) = first.range else {
            text = first.text;
            continue;
        };
        let lines = LineIndex::new(&text, encoding);
        let span = lines.span(range);
        let mut edits = vec![(span, first.text)];
        let mut earliest = span.start();
        let mut first_place = range.start.min(range.end);
        // On another line: line breaks in the new text would only change columns of their own line.
        while let Some(next) = changes.next_if(|next| {
            let last_line = |range: Range| range.start.max(range.end).line;
            next.range
                .is_some_and(|range| last_line(range) < first_place.line)
        }) {
            let Some(range) = next.range else { continue };
            let span = lines.span(range);
            earliest = earliest.min(span.start());
            first_place = range.start.min(range.end);
            edits.push((span, next.text));
        }
        let mut written = text[..earliest].to_owned();
        let mut at = earliest;
        for (span, new) in edits.iter().rev() {
            written.push_str(&text[at..span.start()]);
            written.push_str(new);
            at = span.end();
        }
        written.push_str(&text[at..]);
        text = written;
    }
    text
}

#[cfg(test)]
mod tests {
    use lsp_types::Position;

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

    #[test]
    fn changes_from_the_last_to_the_first_count_in_the_text_as_it_was() {
        let lines = 20_000;
        let text = "a: 1\n".repeat(lines);
        let mut changes = Vec::new();
        for line in (0..lines as u32).rev() {
            changes.push(replace((line, 3), (line, 4), "22\n#"));
        }
        // This one counts in the text after all of them.
        changes.push(replace((0, 0), (0, 1), "b"));
        let changed = changed(&text, changes, ColumnEncoding::Utf16);
        let expected = "a: 22\n#\n".repeat(lines).replacen('a', "b", 1);
        assert!(changed == expected);
    }
}
