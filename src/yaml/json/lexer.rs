//! Divides a JSON text into tokens.
//!
//! The lexer is lenient: any text that is neither punctuation nor a string becomes a
//! [`JsonTokenKind::Word`] or [`JsonTokenKind::Other`]. The parser knows what it expected there, so
//! it reports the mistake.

use std::sync::Arc;

use super::blank::{JsonComment, comment_at, text_start, white_space_end};
use super::number;
use crate::source::{Code, Diagnostic, Location, Result, Source, Span};
use crate::yaml::Text;

/// A token and its place.
pub(super) struct Token {
    pub(super) kind: JsonTokenKind,
    pub(super) span: Span,
}

/// The kinds of token.
pub(super) enum JsonTokenKind {
    OpenBrace,
    CloseBrace,
    OpenBracket,
    CloseBracket,
    Colon,
    Comma,
    /// A string in double quotes, with its content.
    String(Text),
    /// A number, `true`, `false` or `null`.
    Plain,
    /// Letters and digits that are none of the above, such as `yes`, `01` or `-Infinity`.
    Word,
    /// Any other character.
    Other,
    /// The end of the text.
    End,
}

/// Divides a text into tokens and collects the comments between them.
pub(super) struct JsonLexer<'s> {
    pub(super) source: &'s Arc<Source>,
    pub(super) text: &'s str,
    pub(super) comments: Vec<Span>,
    offset: usize,
}

impl<'s> JsonLexer<'s> {
    /// Creates a lexer at the start of a text, after a byte order mark.
    pub(super) fn new(source: &'s Arc<Source>) -> JsonLexer<'s> {
        let text = source.text();
        JsonLexer {
            source,
            text,
            comments: Vec::new(),
            offset: text_start(text),
        }
    }

    /// Returns the next token. At the end of the text, every call returns [`JsonTokenKind::End`].
    ///
    /// # Errors
    /// A comment or a string without an end, or a string with a wrong escape or a raw control
    /// character.
    pub(super) fn next(&mut self) -> Result<Token> {
        self.skip_blank()?;
        let start = self.offset;
        let (kind, end) = match self.text.get(start..).and_then(|rest| rest.chars().next()) {
            None => (JsonTokenKind::End, start),
            Some('"') => {
                let (text, end) = self.string(start)?;
                (JsonTokenKind::String(text), end)
            }
            Some(character) if is_word_character(character) => self.word(start),
            Some(character) => (punctuation(character), start + character.len_utf8()),
        };
        self.offset = end;
        Ok(Token {
            kind,
            span: Span::new(start, end),
        })
    }

    fn skip_blank(&mut self) -> Result<()> {
        loop {
            self.offset = white_space_end(self.text, self.offset);
            match comment_at(self.text, self.offset) {
                None => return Ok(()),
                Some(JsonComment::Closed(end)) => {
                    self.comments.push(Span::new(self.offset, end));
                    self.offset = end;
                }
                Some(JsonComment::Unterminated) => return Err(self.unterminated_comment()),
            }
        }
    }

    fn word(&self, start: usize) -> (JsonTokenKind, usize) {
        let rest = self.text.get(start..).unwrap_or("");
        let length = rest
            .find(|character| !is_word_character(character))
            .unwrap_or(rest.len());
        let word = rest.get(..length).unwrap_or("");
        let kind = if is_plain(word) {
            JsonTokenKind::Plain
        } else {
            JsonTokenKind::Word
        };
        (kind, start + length)
    }

    fn unterminated_comment(&self) -> Box<Diagnostic> {
        let place = Location::new(self.source, Span::new(self.offset, self.offset + 2));
        Diagnostic::error(
            Code::JsonSyntax,
            "expected `*/` at the end of the comment, found the end of the text",
        )
        .at(place, "the comment starts here")
        .help("close the comment with `*/`")
    }
}

/// Returns whether a JSON text may contain `word` as a value: a number, `true`, `false` or `null`.
pub(super) fn is_plain(word: &str) -> bool {
    matches!(word, "true" | "false" | "null") || number::is_json_number(word)
}

/// Returns whether a character can be in a word. This includes the characters that people write in
/// numbers and in keys without quotes.
fn is_word_character(character: char) -> bool {
    matches!(character, '0'..='9' | 'a'..='z' | 'A'..='Z' | '+' | '-' | '.' | '_' | '$')
        || (!character.is_ascii() && character.is_alphanumeric())
}

fn punctuation(character: char) -> JsonTokenKind {
    match character {
        '{' => JsonTokenKind::OpenBrace,
        '}' => JsonTokenKind::CloseBrace,
        '[' => JsonTokenKind::OpenBracket,
        ']' => JsonTokenKind::CloseBracket,
        ':' => JsonTokenKind::Colon,
        ',' => JsonTokenKind::Comma,
        _ => JsonTokenKind::Other,
    }
}
