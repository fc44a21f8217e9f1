//! Divides a program into the tokens that the search for blocks and calls needs.
//!
//! Every text has tokens, even one that is not Starlark. The parser of the crate reports syntax
//! errors.

use crate::source::Span;

/// The kinds of token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StarlarkTokenKind {
    /// A name or a reserved word.
    Word,
    /// A number.
    Number,
    /// A string with its quotes and its prefix.
    String {
        /// The number of letters before the first quote: 1 for `r"…"`.
        prefix: usize,
    },
    /// One character of punctuation.
    Mark(u8),
    /// The end of a line.
    LineEnd,
    /// From `#` to the end of the line.
    Comment,
}

/// Returns the code tokens, and the line ends that end a statement.
///
/// ```text
/// out = items          the line end stays, so the bracket below does not index `items`
/// [out.append(1)]
/// f(a,                 inside brackets a line end ends nothing, so it is left out
///   b)
/// ```
pub(super) fn with_statement_ends(tokens: &[StarlarkToken]) -> Vec<&StarlarkToken> {
    let mut code = Vec::with_capacity(tokens.len());
    let mut depth = 0usize;
    for token in tokens {
        if token.opens() {
            depth += 1;
        } else if token.closes() {
            depth = depth.saturating_sub(1);
        }
        let ends_statement = depth == 0 && token.kind == StarlarkTokenKind::LineEnd;
        if token.is_code() || ends_statement {
            code.push(token);
        }
    }
    code
}

/// A token with its span.
#[derive(Clone, Copy, Debug)]
pub(super) struct StarlarkToken {
    pub(super) kind: StarlarkTokenKind,
    pub(super) span: Span,
}

impl StarlarkToken {
    /// Returns whether the token is the punctuation `mark`.
    pub(super) fn is(&self, mark: u8) -> bool {
        self.kind == StarlarkTokenKind::Mark(mark)
    }

    /// Returns whether the token opens a bracket.
    pub(super) fn opens(&self) -> bool {
        matches!(self.kind, StarlarkTokenKind::Mark(b'(' | b'[' | b'{'))
    }

    /// Returns whether the token closes a bracket.
    pub(super) fn closes(&self) -> bool {
        matches!(self.kind, StarlarkTokenKind::Mark(b')' | b']' | b'}'))
    }

    /// Returns whether the token is neither a comment nor a line end.
    pub(super) fn is_code(&self) -> bool {
        !matches!(
            self.kind,
            StarlarkTokenKind::LineEnd | StarlarkTokenKind::Comment
        )
    }

    /// Returns the text of the token.
    pub(super) fn text<'a>(&self, program: &'a str) -> &'a str {
        program.get(self.span.range()).unwrap_or_default()
    }

    /// Returns the text of a name or reserved word, or an empty text for any other token.
    pub(super) fn word<'a>(&self, program: &'a str) -> &'a str {
        match self.kind {
            StarlarkTokenKind::Word => self.text(program),
            _ => "",
        }
    }
}

/// Returns the offset at which the statement that contains the token `index` ends.
pub(super) fn statement_end(tokens: &[StarlarkToken], index: usize) -> usize {
    let mut depth = 0usize;
    let mut end = tokens[index].span.end();
    for token in &tokens[index..] {
        if token.opens() {
            depth += 1;
        } else if token.closes() {
            depth = depth.saturating_sub(1);
        }
        // A line end inside brackets continues the statement.
        let is_separator = !token.is_code() || token.is(b';');
        if is_separator && depth == 0 {
            break;
        }
        if token.is_code() {
            end = token.span.end();
        }
    }
    end
}

/// The operators that can come before the `=` of an assignment, longer ones first.
const ASSIGNING: [&str; 11] = ["//", "<<", ">>", "+", "-", "*", "/", "%", "&", "|", "^"];

/// Returns the operator of `x += y` and the index of its first token. `equals` is the index of the
/// `=`.
pub(super) fn assigning_operator(
    text: &str,
    tokens: &[StarlarkToken],
    equals: usize,
) -> Option<(usize, &'static str)> {
    let end = tokens[equals].span.start();
    let before = text.get(..end).unwrap_or_default();
    let operator = ASSIGNING
        .into_iter()
        .find(|operator| before.ends_with(operator))?;
    // The text before the `=` can also be the end of a string.
    let first = equals.checked_sub(operator.len())?;
    (tokens[first].span.start() + operator.len() == end).then_some((first, operator))
}

/// Returns all tokens of `text`. Blanks, and line ends after a backslash, are skipped.
pub(super) fn tokens(text: &str) -> Vec<StarlarkToken> {
    let mut lexer = StarlarkLexer {
        bytes: text.as_bytes(),
        at: 0,
    };
    std::iter::from_fn(|| lexer.next()).collect()
}

struct StarlarkLexer<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl StarlarkLexer<'_> {
    fn next(&mut self) -> Option<StarlarkToken> {
        self.skip_blanks();
        let start = self.at;
        let kind = match self.peek(0)? {
            b'\n' => {
                self.at += 1;
                StarlarkTokenKind::LineEnd
            }
            b'#' => {
                self.advance_while(|byte| byte != b'\n');
                StarlarkTokenKind::Comment
            }
            b'"' | b'\'' => {
                self.string();
                StarlarkTokenKind::String { prefix: 0 }
            }
            b'0'..=b'9' => {
                self.advance_while(|byte| byte.is_ascii_alphanumeric() || byte == b'.');
                StarlarkTokenKind::Number
            }
            byte if is_word(byte) => self.word(),
            byte => {
                self.at += 1;
                StarlarkTokenKind::Mark(byte)
            }
        };
        Some(StarlarkToken {
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

    fn word(&mut self) -> StarlarkTokenKind {
        let start = self.at;
        self.advance_while(is_word);
        let prefix = self.at - start;
        if prefix <= 2 && matches!(self.peek(0), Some(b'"' | b'\'')) {
            self.string();
            return StarlarkTokenKind::String { prefix };
        }
        StarlarkTokenKind::Word
    }

    /// Advances past a string. A string without triple quotes ends at the end of its line at the
    /// latest.
    ///
    /// A backslash escapes the next byte, even in a raw string: `r"\""` is one string.
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

/// Letters beyond ASCII are part of a word. The parser reports those that are not allowed.
fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_strings_and_comments_as_one_token_each() {
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
