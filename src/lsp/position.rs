//! Positions of the protocol, and offsets in a text.
//!
//! The protocol counts lines from 0, and columns in units of the encoding that client and server
//! have agreed on. Every client supports UTF-16:
//!
//! ```text
//! text          é 😀 x
//! bytes         0 2  6      UTF-8
//! characters    0 1  3      UTF-16: the smiley has two units
//! ```
//!
//! A wrong column is worse than none, because a rename would then destroy text. So only this file
//! converts positions.

use lsp_types::{Position, PositionEncodingKind, Range};

use crate::source::Span;

/// The unit of columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ColumnEncoding {
    Utf8,
    Utf16,
}

impl ColumnEncoding {
    /// Chooses UTF-8, which needs no conversion, if the client offers it.
    pub(super) fn among(offered: Option<&[PositionEncodingKind]>) -> ColumnEncoding {
        match offered {
            Some(kinds) if kinds.contains(&PositionEncodingKind::UTF8) => ColumnEncoding::Utf8,
            _ => ColumnEncoding::Utf16,
        }
    }

    /// Returns the name that the protocol has for it.
    pub(super) fn kind(self) -> PositionEncodingKind {
        match self {
            ColumnEncoding::Utf8 => PositionEncodingKind::UTF8,
            ColumnEncoding::Utf16 => PositionEncodingKind::UTF16,
        }
    }

    fn units(self, character: char) -> usize {
        match self {
            ColumnEncoding::Utf8 => character.len_utf8(),
            ColumnEncoding::Utf16 => character.len_utf16(),
        }
    }
}

/// The lines of one text.
pub(super) struct LineIndex<'t> {
    text: &'t str,
    encoding: ColumnEncoding,
    /// The offset at which each line starts.
    starts: Vec<usize>,
}

impl<'t> LineIndex<'t> {
    pub(super) fn new(text: &'t str, encoding: ColumnEncoding) -> LineIndex<'t> {
        let bytes = text.as_bytes();
        let mut starts = vec![0];
        for (offset, &byte) in bytes.iter().enumerate() {
            // The protocol has three line breaks: `\n`, `\r\n`, and `\r` alone.
            let ends_line = match byte {
                b'\n' => true,
                b'\r' => bytes.get(offset + 1) != Some(&b'\n'),
                _ => false,
            };
            if ends_line {
                starts.push(offset + 1);
            }
        }
        LineIndex {
            text,
            encoding,
            starts,
        }
    }

    pub(super) fn encoding(&self) -> ColumnEncoding {
        self.encoding
    }

    /// Returns the offset of a position. A position beyond the end of a line or of the text means
    /// that end, as the protocol says.
    pub(super) fn offset(&self, position: Position) -> usize {
        let Some(&start) = self.starts.get(position.line as usize) else {
            return self.text.len();
        };
        let mut units = 0;
        for (offset, character) in self.text[start..].char_indices() {
            if matches!(character, '\n' | '\r') || units >= position.character as usize {
                return start + offset;
            }
            units += self.encoding.units(character);
        }
        self.text.len()
    }

    /// Returns the position of an offset.
    pub(super) fn position(&self, offset: usize) -> Position {
        let line = self.starts.partition_point(|&start| start <= offset) - 1;
        let before = self.text.get(self.starts[line]..offset).unwrap_or("");
        let units: usize = before
            .chars()
            .map(|character| self.encoding.units(character))
            .sum();
        Position::new(line as u32, units as u32)
    }

    /// Returns the range of a span.
    pub(super) fn range(&self, span: Span) -> Range {
        Range::new(self.position(span.start()), self.position(span.end()))
    }

    /// Returns the span of a range.
    pub(super) fn span(&self, range: Range) -> Span {
        let start = self.offset(range.start);
        Span::new(start, self.offset(range.end).max(start))
    }

    /// Returns the range of the whole text.
    pub(super) fn whole(&self) -> Range {
        self.range(Span::new(0, self.text.len()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "é😀x\r\n漢字\rlast\n";

    #[test]
    fn converts_every_offset_there_and_back() {
        for encoding in [ColumnEncoding::Utf8, ColumnEncoding::Utf16] {
            let index = LineIndex::new(TEXT, encoding);
            for (offset, character) in TEXT.char_indices() {
                // Between `\r` and `\n` there is no position.
                if character != '\n' || !TEXT[..offset].ends_with('\r') {
                    assert_eq!(index.offset(index.position(offset)), offset, "{encoding:?}");
                }
            }
        }
    }

    #[test]
    fn counts_the_units_of_the_encoding() {
        let x = TEXT.find('x').unwrap();
        let position = |encoding, offset| LineIndex::new(TEXT, encoding).position(offset);
        assert_eq!(position(ColumnEncoding::Utf8, x), Position::new(0, 6));
        assert_eq!(position(ColumnEncoding::Utf16, x), Position::new(0, 3));
        let last = TEXT.find("last").unwrap();
        assert_eq!(position(ColumnEncoding::Utf16, last), Position::new(2, 0));
    }

    #[test]
    fn takes_a_position_beyond_the_end_as_the_end() {
        let index = LineIndex::new(TEXT, ColumnEncoding::Utf16);
        assert_eq!(index.offset(Position::new(0, 99)), TEXT.find('\r').unwrap());
        assert_eq!(index.offset(Position::new(99, 0)), TEXT.len());
    }
}
