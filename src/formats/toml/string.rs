//! Reads and spells TOML's strings, with their four kinds of quotes and the escapes of two of
//! these.

use std::sync::Arc;

use crate::formats::key_values::SpelledText;
use crate::source::{OffsetMap, Source, Span};
use crate::yaml::{Content, DerivedText, Node, Origin, Scalar, ScalarStyle, Text, TextEdit, apply};

/// The kinds of quotes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TomlQuote {
    /// `"…"`, with escapes.
    Basic,
    /// `'…'`, without escapes.
    Literal,
    /// `"""…"""`, over several lines.
    LongBasic,
    /// `'''…'''`, over several lines.
    LongLiteral,
}

impl TomlQuote {
    /// Returns the kind of quotes of a value.
    pub(super) fn of(raw: &str) -> Option<TomlQuote> {
        match raw.as_bytes() {
            [b'"', b'"', b'"', ..] if raw.len() >= 6 => Some(TomlQuote::LongBasic),
            [b'\'', b'\'', b'\'', ..] if raw.len() >= 6 => Some(TomlQuote::LongLiteral),
            [b'"', .., b'"'] => Some(TomlQuote::Basic),
            [b'\'', .., b'\''] => Some(TomlQuote::Literal),
            _ => None,
        }
    }

    fn delimiter(self) -> &'static str {
        match self {
            TomlQuote::Basic => "\"",
            TomlQuote::Literal => "'",
            TomlQuote::LongBasic => "\"\"\"",
            TomlQuote::LongLiteral => "'''",
        }
    }

    fn is_long(self) -> bool {
        matches!(self, TomlQuote::LongBasic | TomlQuote::LongLiteral)
    }

    /// Returns the single-line kind with the same quotes.
    pub(super) fn short(self) -> TomlQuote {
        match self {
            TomlQuote::Basic | TomlQuote::LongBasic => TomlQuote::Basic,
            TomlQuote::Literal | TomlQuote::LongLiteral => TomlQuote::Literal,
        }
    }
}

/// Decodes a string that starts at the offset `base`; `None` if it is not a string.
fn decode(raw: &str, base: usize) -> Option<SpelledText> {
    let quote = TomlQuote::of(raw)?;
    let width = quote.delimiter().len();
    let end = raw.len() - width;
    let mut at = width;
    if quote.is_long() {
        // A line break right after the opening quotes is not part of the text.
        let rest = raw.get(at..end)?;
        at += ["\r\n", "\n"]
            .iter()
            .find(|newline| rest.starts_with(**newline))
            .map_or(0, |newline| newline.len());
    }
    let mut spelled = SpelledText {
        text: String::with_capacity(end - at),
        map: OffsetMap::default(),
    };
    while at < end {
        let rest = raw.get(at..end)?;
        let verbatim = match quote.short() {
            TomlQuote::Literal => rest.len(),
            _ => rest.find('\\').unwrap_or(rest.len()),
        };
        spelled
            .map
            .push_verbatim(spelled.text.len(), base + at, verbatim);
        spelled.text.push_str(&rest[..verbatim]);
        at += verbatim;
        let Some(escape) = rest
            .get(verbatim..)
            .and_then(|rest| rest.strip_prefix('\\'))
        else {
            continue;
        };
        if quote.is_long() && escape.starts_with([' ', '\t', '\r', '\n']) {
            // A backslash at the end of a line removes the white space after it.
            at += 1 + escape.len() - escape.trim_start_matches([' ', '\t', '\r', '\n']).len();
            continue;
        }
        let (character, length) = unescape(escape)?;
        let inner = spelled.text.len();
        spelled.text.push(character);
        let outer = Span::new(base + at, base + at + 1 + length);
        spelled
            .map
            .push_spelled(Span::new(inner, spelled.text.len()), outer);
        at += 1 + length;
    }
    spelled.map.shrink();
    Some(spelled)
}

/// Returns the character of an escape, and the number of bytes after the backslash.
fn unescape(escape: &str) -> Option<(char, usize)> {
    let first = escape.chars().next()?;
    let digits = match first {
        'b' => return Some(('\u{8}', 1)),
        't' => return Some(('\t', 1)),
        'n' => return Some(('\n', 1)),
        'f' => return Some(('\u{c}', 1)),
        'r' => return Some(('\r', 1)),
        'e' => return Some(('\u{1b}', 1)),
        '"' | '\\' => return Some((first, 1)),
        'x' => 2,
        'u' => 4,
        'U' => 8,
        _ => return None,
    };
    let value = u32::from_str_radix(escape.get(1..1 + digits)?, 16).ok()?;
    Some((char::from_u32(value)?, 1 + digits))
}

/// Returns the node of a string at `span`.
pub(super) fn node(source: &Arc<Source>, span: Span) -> Option<Arc<Node>> {
    let raw = source.slice(span);
    let quote = TomlQuote::of(raw)?;
    let text = decode(raw, 0)?.text;
    let is_verbatim = !quote.is_long() && raw.get(1..raw.len() - 1) == Some(&text);
    let style = match quote.short() {
        TomlQuote::Literal => ScalarStyle::SingleQuoted,
        _ => ScalarStyle::DoubleQuoted,
    };
    let text = if is_verbatim {
        Text::Verbatim
    } else {
        Text::Owned(text.into())
    };
    let origin = Some(Origin {
        source: Arc::clone(source),
        span,
    });
    Some(Arc::new(Node {
        origin,
        properties: None,
        content: Content::Scalar(Scalar { style, text }),
    }))
}

/// Returns the node of a key at `span`. A bare key is a string, even if it looks like a number.
pub(super) fn key(source: &Arc<Source>, span: Span) -> Arc<Node> {
    node(source, span).unwrap_or_else(|| {
        let origin = Some(Origin {
            source: Arc::clone(source),
            span,
        });
        let text = Text::Owned(source.slice(span).into());
        let content = Content::Scalar(Scalar {
            style: ScalarStyle::DoubleQuoted,
            text,
        });
        Arc::new(Node {
            origin,
            properties: None,
            content,
        })
    })
}

/// Maps the text of the string `node` to the bytes that spell it.
pub(super) fn offsets(node: &Node) -> Option<OffsetMap> {
    let origin = node.origin.as_ref()?;
    let spelled = decode(origin.source.slice(origin.span), origin.span.start())?;
    (node.text() == Some(&spelled.text)).then_some(spelled.map)
}

/// Returns the edits of the source of `node` that change its text to that of `derived`, an edited
/// version of it. `None` if a part cannot be spelled in the same quotes.
///
/// ```text
/// raw       "a\tb: 80"       the text is edited: 80 becomes 8080
/// result    "a\tb: 8080"     only these bytes are written; the escape is kept
/// ```
pub(super) fn splice(node: &Node, derived: &dyn DerivedText) -> Option<Vec<TextEdit>> {
    let origin = node.origin.as_ref()?;
    let raw = origin.source.slice(origin.span);
    let (quote, base) = (TomlQuote::of(raw)?, origin.span.start());
    let map = decode(raw, 0)?.map;
    let inner = derived.edits()?;
    let mut edits = Vec::with_capacity(inner.len());
    for edit in inner {
        let span = map.outer_span(edit.span)?;
        edits.push(TextEdit::replace(span, spell(&edit.text, quote)?));
    }
    // Decode the result again, because an edit can join with its neighbours: a quote next to two
    // others ends the string.
    if decode(&apply(raw, &edits), 0)?.text != derived.text() {
        return None;
    }
    // Up to here, offsets count from the start of the string.
    for edit in &mut edits {
        edit.span = Span::new(edit.span.start() + base, edit.span.end() + base);
    }
    Some(edits)
}

/// Spells a string in the quotes `quote`, or in basic quotes if those cannot represent it.
pub(super) fn encode(text: &str, quote: TomlQuote) -> String {
    let (quote, body) = match spell(text, quote) {
        Some(body) => (quote, body),
        None if quote.is_long() => (TomlQuote::LongBasic, spell_basic(text, true)),
        None => (TomlQuote::Basic, spell_basic(text, false)),
    };
    let delimiter = quote.delimiter();
    let first = if quote.is_long() && text.contains('\n') {
        "\n"
    } else {
        ""
    };
    format!("{delimiter}{first}{body}{delimiter}")
}

/// Spells a piece of a string; `None` if these quotes cannot represent it.
fn spell(text: &str, quote: TomlQuote) -> Option<String> {
    let is_control = |c: char| c != '\t' && (c < ' ' || c == '\u{7f}');
    match quote {
        TomlQuote::Basic => Some(spell_basic(text, false)),
        TomlQuote::LongBasic => Some(spell_basic(text, true)),
        TomlQuote::Literal => {
            (!text.contains(|c| c == '\'' || is_control(c))).then(|| text.to_owned())
        }
        TomlQuote::LongLiteral => {
            if text.contains("''") || text.ends_with('\'') {
                return None;
            }
            let lines = text.replace("\r\n", "\n");
            let has_control = lines.contains(|c| c != '\n' && is_control(c));
            (!has_control).then(|| text.to_owned())
        }
    }
}

/// Spells a piece of a basic string. A long one (`"""`) needs fewer escapes:
///
/// ```text
/// text        basic          long
/// say "x"⏎    say \"x\"\n    say "x"⏎
/// say "x"     say \"x\"      say "x\"        a quote at the end is escaped
/// """         \"\"\"         ""\"           so is the third quote in a row
/// ```
fn spell_basic(text: &str, is_long: bool) -> String {
    let mut result = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    let mut quotes = 0;
    while let Some(character) = rest.next() {
        let next = rest.peek().copied();
        quotes = if character == '"' { quotes + 1 } else { 0 };
        match character {
            '\\' => result.push_str("\\\\"),
            '"' if is_long && quotes < 3 && next.is_some() => result.push('"'),
            '"' => {
                quotes = 0;
                result.push_str("\\\"");
            }
            '\n' | '\t' if is_long => result.push(character),
            '\r' if is_long && next == Some('\n') => result.push('\r'),
            '\n' => result.push_str("\\n"),
            '\t' => result.push_str("\\t"),
            '\r' => result.push_str("\\r"),
            '\u{8}' => result.push_str("\\b"),
            '\u{c}' => result.push_str("\\f"),
            c if c < ' ' || c == '\u{7f}' => result.push_str(&format!("\\u{:04X}", u32::from(c))),
            c => result.push(c),
        }
    }
    result
}

/// Spells a key, without quotes if possible.
pub(super) fn spell_key(key: &str) -> String {
    let is_bare = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    if !key.is_empty() && key.bytes().all(is_bare) {
        key.to_owned()
    } else {
        encode(key, TomlQuote::Basic)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(raw: &str) -> Option<String> {
        decode(raw, 0).map(|spelled| spelled.text)
    }

    #[test]
    fn decodes_quotes_and_escapes() {
        let table = [
            ("\"a\"", "a"),
            ("''", ""),
            (r#"'a\n"b"'"#, r#"a\n"b""#),
            (
                r#""\b\t\n\f\r\e\"\\\x41\u00e9\U0001F600""#,
                "\u{8}\t\n\u{c}\r\u{1b}\"\\A\u{e9}\u{1F600}",
            ),
            ("\"\"\"\na\n  b\\\n   c\\   \n\n d\"\"\"", "a\n  bcd"),
            ("\"\"\"\r\na\r\nb\"\"\"\"\"", "a\r\nb\"\""),
            ("'''\n'a''b'''''", "'a''b''"),
            ("\"\"", ""),
        ];
        for (raw, text) in table {
            assert_eq!(decoded(raw).as_deref(), Some(text), "{raw}");
        }
        for raw in ["", "a", "\"", "'", "\"\\q\"", "\"\\u12\""] {
            assert_eq!(decoded(raw), None, "{raw}");
        }
    }

    #[test]
    fn reads_back_what_it_spells_in_any_quotes() {
        let quotes = [
            TomlQuote::Basic,
            TomlQuote::Literal,
            TomlQuote::LongBasic,
            TomlQuote::LongLiteral,
        ];
        for text in [
            "",
            "a",
            "it's",
            "say \"hi\"",
            "a\nb\n",
            "a\r\nb",
            "\r",
            "'''",
            "\"\"\"",
            "\\",
            "\u{7f}\t",
            "\na",
            "a'",
            "\"\"\"\"\"\"\"",
        ] {
            for quote in quotes {
                let raw = encode(text, quote);
                assert_eq!(decoded(&raw).as_deref(), Some(text), "{raw}");
                let read: toml::Table = format!("a = {raw}").parse().unwrap();
                assert_eq!(read["a"].as_str(), Some(text), "{raw}");
            }
        }
    }

    #[test]
    fn writes_a_key_without_quotes_if_possible() {
        let table = [
            ("a-b_1", "a-b_1"),
            ("1", "1"),
            ("", "\"\""),
            ("a.b", "\"a.b\""),
            ("\u{e9}", "\"\u{e9}\""),
            ("a\"b", r#""a\"b""#),
        ];
        for (key, spelled) in table {
            assert_eq!(spell_key(key), spelled);
        }
    }
}
