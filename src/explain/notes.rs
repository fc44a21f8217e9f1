//! Adds comments to a printed text.

/// A comment on a line of the text, or above it.
pub(super) struct Note {
    /// The offset of the start of the line.
    pub(super) line: usize,
    pub(super) position: NotePosition,
    pub(super) text: String,
}

/// The position of a comment relative to its line. Those above a line are written first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum NotePosition {
    Above,
    AtEnd,
}

/// The space for the indentation of a comment, its ` # ` and its line break.
const AROUND_NOTE: usize = 16;

/// Returns a text with comments. Comments with the same position keep their order.
///
/// ```text
/// notes on the second line           text
/// above   a: patch.yml:2             data:
/// above   b: patch.yml:3               # a: patch.yml:2
/// at end  values.yml:1                 # b: patch.yml:3
///                                      app.json: '{"a": 1, "b": 2}' # values.yml:1
/// ```
pub(super) fn with_notes(text: &str, mut notes: Vec<Note>) -> String {
    // In parsed documents, values may be found in another order than that of the lines.
    notes.sort_by_key(|note| (note.line, note.position));
    let added: usize = notes.iter().map(|note| note.text.len() + AROUND_NOTE).sum();
    let mut written = String::with_capacity(text.len() + added);
    let mut copied = 0;
    for notes in notes.chunk_by(|one, other| one.line == other.line) {
        let start = notes.first().map_or(copied, |note| note.line);
        let rest = text.get(start..).unwrap_or_default();
        let line = rest.lines().next().unwrap_or_default();
        let indent = line.len() - line.trim_start_matches(' ').len();

        written.push_str(text.get(copied..start).unwrap_or_default());
        let above = notes.partition_point(|note| note.position == NotePosition::Above);
        let (above, at_end) = notes.split_at(above);
        for note in above {
            push_line(&mut written, indent, &note.text);
        }
        written.push_str(line);
        for (index, note) in at_end.iter().enumerate() {
            written.push_str(if index == 0 { " # " } else { "; " });
            written.push_str(&note.text);
        }
        copied = start + line.len();
    }
    written.push_str(text.get(copied..).unwrap_or_default());
    written
}

fn push_line(text: &mut String, indent: usize, note: &str) {
    text.extend(std::iter::repeat_n(' ', indent));
    text.push_str("# ");
    text.push_str(note);
    text.push('\n');
}
