//! The tokens of Starlark, as far as blocks and calls need them.
//!
//! A text that is not Starlark still has tokens here: the parser behind it finds the fault and says where it is.

use crate::source::Span;

/// The kinds of token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A name or a reserved word.
    Word,
    /// A number.
    Number,
    /// A string with its quotes and its prefix.
    String {
        /// The letters before the first quote: none, or `r`.
        prefix: usize,
    },
    /// One character of punctuation.
    Mark(u8),
    /// The end of a line.
    LineEnd,
    /// From `#` to the end of the line.
    Comment,
}

/// A token and its place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) span: Span,
}

impl Token {
    /// Whether the token is the punctuation `mark`.
    pub(super) fn is(&self, mark: u8) -> bool {
        self.kind == Kind::Mark(mark)
    }

    /// Whether the token opens a bracket.
    pub(super) fn opens(&self) -> bool {
        matches!(self.kind, Kind::Mark(b'(' | b'[' | b'{'))
    }

    /// Whether the token closes a bracket.
    pub(super) fn closes(&self) -> bool {
        matches!(self.kind, Kind::Mark(b')' | b']' | b'}'))
    }
}

/// All tokens of `text`. Blanks, and line ends after a backslash, are no tokens.
pub(super) fn tokens(text: &str) -> Vec<Token> {
    let mut lexer = Lexer {
        bytes: text.as_bytes(),
        at: 0,
    };
    std::iter::from_fn(|| lexer.next()).collect()
}

struct Lexer<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Lexer<'_> {
    fn next(&mut self) -> Option<Token> {
        self.skip_blanks();
        let start = self.at;
        let kind = match self.peek(0)? {
            b'\n' => {
                self.at += 1;
                Kind::LineEnd
            }
            b'#' => {
                self.advance_while(|byte| byte != b'\n');
                Kind::Comment
            }
            b'"' | b'\'' => {
                self.string();
                Kind::String { prefix: 0 }
            }
            b'0'..=b'9' => {
                self.advance_while(|byte| byte.is_ascii_alphanumeric() || byte == b'.');
                Kind::Number
            }
            byte if is_word(byte) => self.word(),
            byte => {
                self.at += 1;
                Kind::Mark(byte)
            }
        };
        Some(Token {
            kind,
            span: Span::new(start, self.at),
        })
    }

    fn skip_blanks(&mut self) {
        loop {
            match (self.peek(0), self.peek(1), self.peek(2)) {
                (Some(b' ' | b'\t' | b'\r'), ..) => self.at += 1,
                (Some(b'\\'), Some(b'\n'), _) => self.at += 2,
                (Some(b'\\'), Some(b'\r'), Some(b'\n')) => self.at += 3,
                _ => return,
            }
        }
    }

    fn word(&mut self) -> Kind {
        let start = self.at;
        self.advance_while(is_word);
        let prefix = self.at - start;
        if prefix <= 2 && matches!(self.peek(0), Some(b'"' | b'\'')) {
            self.string();
            return Kind::String { prefix };
        }
        Kind::Word
    }

    /// Goes past a string. One in single quotes ends at the end of its line at the latest. A backslash takes the
    /// next byte with it, also in a raw string, where the two stay as they are.
    fn string(&mut self) {
        let Some(quote) = self.peek(0) else { return };
        let is_long = self.peek(1) == Some(quote) && self.peek(2) == Some(quote);
        self.at += if is_long { 3 } else { 1 };
        while let Some(byte) = self.peek(0) {
            match byte {
                b'\\' => self.at += 2,
                b'\n' if !is_long => break,
                _ if byte == quote && !is_long => {
                    self.at += 1;
                    break;
                }
                _ if byte == quote
                    && self.peek(1) == Some(quote)
                    && self.peek(2) == Some(quote) =>
                {
                    self.at += 3;
                    break;
                }
                _ => self.at += 1,
            }
        }
        self.at = self.at.min(self.bytes.len());
    }

    fn advance_while(&mut self, accept: impl Fn(u8) -> bool) {
        while self.peek(0).is_some_and(&accept) {
            self.at += 1;
        }
    }

    fn peek(&self, ahead: usize) -> Option<u8> {
        self.bytes.get(self.at + ahead).copied()
    }
}

/// Letters beyond ASCII belong to words too; whether they may is the parser's question.
fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_and_comments_are_one_token_each() {
        let cases: &[(&str, &[&str])] = &[
            ("x = 'a # b' # c", &["x", "=", "'a # b'", "# c"]),
            (r#"r"\" + "x\"y""#, &[r#"r"\" + ""#, "x", "\\", r#""y""#]),
            ("'''a\n'b'\n''' end", &["'''a\n'b'\n'''", "end"]),
            ("'open\nx", &["'open", "\n", "x"]),
            ("a \\\n b", &["a", "b"]),
            ("x.end(1.5)", &["x", ".", "end", "(", "1.5", ")"]),
            ("\"\\", &["\"\\"]),
            ("größe=1", &["größe", "=", "1"]),
        ];
        for (text, expected) in cases {
            let found: Vec<&str> = tokens(text)
                .iter()
                .map(|token| &text[token.span.range()])
                .collect();
            assert_eq!(found, *expected, "{text}");
        }
    }
}
