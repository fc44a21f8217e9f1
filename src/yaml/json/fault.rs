//! The messages about an unexpected token: what was expected, what was found, and how to fix it.

use std::fmt;

use super::lexer::{JsonTokenKind, Token};
use super::number;
use crate::source::Span;

/// The maximum length of a quoted excerpt of the text, in characters.
const EXCERPT_LENGTH: usize = 32;

/// The tokens that the grammar allows at a place.
#[derive(Clone, Copy)]
pub(super) enum Expected {
    /// After a `:`.
    Value,
    /// After `[`, or after a comma in an array.
    ValueOrBracket,
    /// After `{`, or after a comma in an object.
    KeyOrBrace,
    /// After a key.
    Colon,
    /// After a value in an object.
    CommaOrBrace,
    /// After a value in an array.
    CommaOrBracket,
    /// At the top level.
    ValueOrEnd,
    /// Right after a value at the top level, where another one is allowed only after white space.
    SpaceOrEnd,
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Expected::Value => "a value",
            Expected::ValueOrBracket => "a value or `]`",
            Expected::KeyOrBrace => "a key in double quotes or `}`",
            Expected::Colon => "`:` after a key",
            Expected::CommaOrBrace => "`,` or `}` after a value",
            Expected::CommaOrBracket => "`,` or `]` after a value",
            Expected::ValueOrEnd => "a value or the end of the text",
            Expected::SpaceOrEnd => "white space or the end of the text after a value",
        })
    }
}

/// Returns the description of a token in a message.
pub(super) fn describe_token(token: &Token, text: &str) -> String {
    let excerpt = text.get(token.span.range()).unwrap_or("");
    match token.kind {
        JsonTokenKind::End | JsonTokenKind::Other => describe(excerpt.chars().next()),
        _ => format!("`{}`", shorten(excerpt)),
    }
}

/// Returns the description of a character in a message. `None` is the end of the text.
pub(super) fn describe(character: Option<char>) -> String {
    match character {
        None => "the end of the text".to_owned(),
        Some('\n' | '\r') => "the end of the line".to_owned(),
        Some('`') => "a backtick".to_owned(),
        Some(visible) if is_visible(visible) => format!("`{visible}`"),
        Some(other) => format!("U+{:04X}", u32::from(other)),
    }
}

/// Returns whether a character can be shown as it is: it is not a control, direction or space
/// character.
fn is_visible(character: char) -> bool {
    character.is_ascii_graphic() || (!character.is_ascii() && character.escape_debug().count() == 1)
}

/// Returns advice about an unexpected token, if the mistake is clear.
///
/// `open` is the bracket or brace around the place.
pub(super) fn remedy(
    expected: Expected,
    token: &Token,
    text: &str,
    open: Option<Span>,
) -> Option<String> {
    let excerpt = text.get(token.span.range()).unwrap_or("");
    let help = match (expected, &token.kind) {
        (_, JsonTokenKind::Other) => return character_remedy(excerpt).map(str::to_owned),
        (_, JsonTokenKind::End) => return open.map(|open| close_remedy(text, open)),
        (Expected::KeyOrBrace, JsonTokenKind::Word | JsonTokenKind::Plain) => {
            return Some(format!(
                "put the key in double quotes: `\"{}\"`",
                shorten(excerpt)
            ));
        }
        (Expected::Value | Expected::ValueOrBracket, JsonTokenKind::Word) => {
            return Some(word_remedy(excerpt));
        }
        (Expected::Value, JsonTokenKind::CloseBrace | JsonTokenKind::Comma) => {
            "write `null` where there is no value"
        }
        (Expected::ValueOrBracket | Expected::KeyOrBrace, JsonTokenKind::Comma) => {
            "remove the extra `,`"
        }
        (Expected::Colon, JsonTokenKind::CloseBrace | JsonTokenKind::Comma) => {
            "give the key a value, or write a list of values in `[ ]`"
        }
        (Expected::Colon, _) => "put a `:` between the key and its value",
        (Expected::CommaOrBracket, JsonTokenKind::Colon) => "write keys and values in `{ }`",
        (Expected::CommaOrBrace | Expected::CommaOrBracket, _) if token.may_start_value() => {
            "put a `,` after the value before it"
        }
        (
            Expected::ValueOrEnd | Expected::SpaceOrEnd,
            JsonTokenKind::CloseBrace | JsonTokenKind::CloseBracket,
        ) => "remove it, or open it before",
        (Expected::ValueOrEnd | Expected::SpaceOrEnd, JsonTokenKind::Comma) => {
            "write each value on a separate line, or all of them in `[ ]`"
        }
        (Expected::ValueOrEnd, JsonTokenKind::Word) => return Some(word_remedy(excerpt)),
        (
            Expected::SpaceOrEnd,
            JsonTokenKind::String(_) | JsonTokenKind::OpenBrace | JsonTokenKind::OpenBracket,
        ) => "put a line break between the two values",
        (Expected::SpaceOrEnd, _) => "remove what follows the value",
        (_, JsonTokenKind::CloseBrace | JsonTokenKind::CloseBracket) => {
            return open.map(|open| close_remedy(text, open));
        }
        _ => return None,
    };
    Some(help.to_owned())
}

impl Token {
    /// Returns whether a value was probably meant to start here.
    fn may_start_value(&self) -> bool {
        use JsonTokenKind::{OpenBrace, OpenBracket, Plain, String, Word};
        matches!(
            self.kind,
            OpenBrace | OpenBracket | String(_) | Plain | Word
        )
    }
}

/// Returns advice about a character that JSON does not allow outside strings.
fn character_remedy(character: &str) -> Option<&'static str> {
    match character {
        "'" | "`" => Some("write strings and keys in double quotes"),
        "\u{201c}" | "\u{201d}" | "\u{201e}" | "\u{ab}" | "\u{bb}" => {
            Some("write strings in straight double quotes `\"`")
        }
        "#" | "/" => Some("start a comment with `//`"),
        "=" => Some("write `:` between a key and its value"),
        ";" => Some("write `,` between values"),
        "\\" => {
            Some("write escapes inside of strings only; the text may be escaped once too often")
        }
        _ if character.starts_with(is_foreign_space) => {
            Some("write ordinary spaces between values")
        }
        _ => None,
    }
}

/// Returns whether a character is white space that JSON does not know, such as a no-break space or
/// a byte order mark inside the text.
fn is_foreign_space(character: char) -> bool {
    character.is_whitespace() || matches!(character, '\u{200b}' | '\u{2060}' | '\u{feff}')
}

/// Returns advice about a word in the place of a value.
fn word_remedy(word: &str) -> String {
    match word.to_ascii_lowercase().as_str() {
        "true" | "yes" | "on" => "write `true`".to_owned(),
        "false" | "no" | "off" => "write `false`".to_owned(),
        "null" | "none" | "nil" | "undefined" => "write `null`".to_owned(),
        _ => match number::remedy(word) {
            Some(help) => help.to_owned(),
            None => format!("put text in double quotes: `\"{}\"`", shorten(word)),
        },
    }
}

/// Returns advice about a bracket that is not closed, or is closed by another kind of bracket.
fn close_remedy(text: &str, open: Span) -> String {
    if text.get(open.range()) == Some("{") {
        "close the `{` with `}`"
    } else {
        "close the `[` with `]`"
    }
    .to_owned()
}

/// Returns the start of an excerpt, at most [`EXCERPT_LENGTH`] characters.
fn shorten(excerpt: &str) -> String {
    match excerpt.char_indices().nth(EXCERPT_LENGTH) {
        None => excerpt.to_owned(),
        Some((end, _)) => format!("{}…", excerpt.get(..end).unwrap_or("")),
    }
}
