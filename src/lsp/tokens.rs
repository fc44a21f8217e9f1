//! Semantic tokens: colours for the code in comments, which a grammar for YAML shows as comments.

use lsp_types::{SemanticToken, SemanticTokenType, SemanticTokensLegend};

use super::code::{Load, lines};
use super::view::View;
use super::vocabulary::{EXPRESSION_WORDS, KEYWORDS};

/// The kinds of token. Their order is that of the legend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TokenKind {
    Keyword,
    Variable,
    Function,
    Property,
    Parameter,
    Namespace,
    Annotation,
    Text,
    Number,
}

/// Returns the kinds of token, in the order of their numbers.
pub(super) fn legend() -> SemanticTokensLegend {
    SemanticTokensLegend {
        token_types: vec![
            SemanticTokenType::KEYWORD,
            SemanticTokenType::VARIABLE,
            SemanticTokenType::FUNCTION,
            SemanticTokenType::PROPERTY,
            SemanticTokenType::PARAMETER,
            SemanticTokenType::NAMESPACE,
            SemanticTokenType::DECORATOR,
            SemanticTokenType::STRING,
            SemanticTokenType::NUMBER,
        ],
        token_modifiers: Vec::new(),
    }
}

/// Returns the tokens of a file, each relative to the one before it, as the protocol wants them.
pub(super) fn tokens(view: &View<'_>) -> Vec<SemanticToken> {
    let loads = view.loads();
    let mut tokens = Vec::new();
    let mut previous = (0, 0);
    for line in lines(view.text) {
        let Some(code) = view.code().in_line(view.text, line) else {
            continue;
        };
        let content = view.text.get(code.range()).unwrap_or_default();
        for CodeToken { start, end, kind } in tokens_of_line(content, &loads) {
            let end = end_in_line(content, start, end);
            let start = view.lines.position(code.start() + start);
            let end = view.lines.position(code.start() + end);
            let delta_line = start.line - previous.0;
            tokens.push(SemanticToken {
                delta_line,
                delta_start: match delta_line {
                    0 => start.character - previous.1,
                    _ => start.character,
                },
                length: end.character - start.character,
                token_type: kind as u32,
                token_modifiers_bitset: 0,
            });
            previous = (start.line, start.character);
        }
    }
    tokens
}

/// Returns the end of a token, or the first line break in it: a token of the protocol is on one
/// line, and a carriage return alone, which a string may contain, ends a line of an editor.
fn end_in_line(code: &str, start: usize, end: usize) -> usize {
    let token = &code.as_bytes()[start..end];
    memchr::memchr2(b'\r', b'\n', token).map_or(end, |length| start + length)
}

/// A token of a line of code.
#[derive(Clone, Copy)]
struct CodeToken {
    /// The offset of its first byte in the line.
    start: usize,
    /// The offset after its last byte.
    end: usize,
    kind: TokenKind,
}

/// Splits a line of code.
fn tokens_of_line(code: &str, loads: &[Load<'_>]) -> Vec<CodeToken> {
    let mut tokens = Vec::new();
    let mut at = 0;
    if let Some(rest) = code.strip_prefix("#@") {
        at = "#@".len();
        let name = rest.split(char::is_whitespace).next().unwrap_or_default();
        if !name.is_empty() {
            let end = at + name.len();
            tokens.push(CodeToken {
                start: at,
                end,
                kind: TokenKind::Annotation,
            });
            at = end;
        }
    }
    let bytes = code.as_bytes();
    while let Some(&byte) = bytes.get(at) {
        let start = at;
        let (end, kind) = match byte {
            b'"' | b'\'' => (end_of_text(bytes, start), TokenKind::Text),
            b'0'..=b'9' => (end_of_number(bytes, start), TokenKind::Number),
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => {
                let end = end_of_name(code, start);
                let is_member = start > 0 && bytes[start - 1] == b'.';
                let (name, after) = (&code[start..end], &code[end..]);
                let kind = match is_member {
                    true => member_kind(after),
                    false => name_kind(name, after, loads),
                };
                (end, kind)
            }
            // A comment of a program.
            b'#' => break,
            _ => {
                at += 1;
                continue;
            }
        };
        tokens.push(CodeToken { start, end, kind });
        at = end;
    }
    tokens
}

/// Returns the end of the number that begins at `start`.
fn end_of_number(bytes: &[u8], start: usize) -> usize {
    let is_in_number = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'.';
    let length = bytes[start..].iter().take_while(|byte| is_in_number(byte));
    start + length.count()
}

/// Returns the end of the name or keyword that begins at `start`.
fn end_of_name(code: &str, start: usize) -> usize {
    let is_in_name = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let bytes = &code.as_bytes()[start..];
    let end = start + bytes.iter().take_while(|byte| is_in_name(byte)).count();
    // `if/end` is one word.
    if code[start..end] == *"if" && code[end..].starts_with("/end") {
        return end + "/end".len();
    }
    end
}

/// Returns the kind of a name after a dot. `after` is the code after it.
fn member_kind(after: &str) -> TokenKind {
    match after.trim_start().starts_with('(') {
        true => TokenKind::Function,
        false => TokenKind::Property,
    }
}

/// Returns the kind of a word that is not after a dot. `after` is the code after it.
fn name_kind(name: &str, after: &str, loads: &[Load<'_>]) -> TokenKind {
    if KEYWORDS.contains(&name) || EXPRESSION_WORDS.contains(&name) {
        return TokenKind::Keyword;
    }
    let is_module = loads.iter().any(|load| {
        load.path.starts_with("@ytt:") && load.symbols.iter().any(|(local, _)| *local == name)
    });
    match after.trim_start().as_bytes() {
        _ if is_module => TokenKind::Namespace,
        [b'(', ..] => TokenKind::Function,
        [b'=', b'=', ..] => TokenKind::Variable,
        [b'=', ..] => TokenKind::Parameter,
        _ => TokenKind::Variable,
    }
}

/// Returns where the text literal that begins at `start` ends; the end of the line if it does not.
fn end_of_text(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'\\' => at += 2,
            _ if byte == bytes[start] => return at + 1,
            _ => at += 1,
        }
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splits_code_into_tokens() {
        let loads = [Load {
            path: "@ytt:data",
            symbols: vec![("data", "data")],
        }];
        let tokens = |code: &str| {
            let found = tokens_of_line(code, &loads).into_iter();
            let shown =
                found.map(|token| format!("{} {:?}", &code[token.start..token.end], token.kind));
            shown.collect::<Vec<String>>().join(", ")
        };
        assert_eq!(
            tokens("#@overlay/match by=f(\"é\\\"\", 1e3), x"),
            "overlay/match Annotation, by Parameter, f Function, \"é\\\"\" Text, 1e3 Number, x Variable"
        );
        assert_eq!(
            tokens("#@ if/end data.values.on and x == None: # no"),
            "if/end Keyword, data Namespace, values Property, on Property, and Keyword, x Variable, None Keyword"
        );
        assert_eq!(tokens("#@ \"open \\"), "\"open \\ Text");
    }

    #[test]
    fn a_token_ends_at_the_end_of_its_line() {
        let code = "#@ \"a\rb\" + c";
        let found = tokens_of_line(code, &[]).into_iter();
        let shown: Vec<&str> = found
            .map(|token| &code[token.start..end_in_line(code, token.start, token.end)])
            .collect();
        assert_eq!(shown, ["\"a", "c"]);
    }
}
