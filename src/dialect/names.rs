//! Finds the names in a program, for tools that follow them without running it.
//!
//! ```text
//! a, b = data.values["db"].host, 1    # data.values.no
//! ^  ^   ^^^^^^^^^^^^^^^^^^^^^^^
//! assigned      a chain
//! ```
//!
//! The text of strings and comments is not searched. Nothing is parsed, so an incomplete program
//! has names too.

use super::lexer::{StarlarkToken, StarlarkTokenKind, tokens};
use crate::source::Span;

/// The words of the language, which are not names.
pub const RESERVED_WORDS: [&str; 31] = [
    "and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del", "elif",
    "else", "end", "except", "finally", "for", "from", "global", "if", "import", "in", "is",
    "lambda", "load", "nonlocal", "not", "or", "pass", "raise", "return", "while",
];

/// One name of a chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChainName {
    /// The name, or the text in brackets.
    pub text: String,
    /// The place of the name, without quotes.
    pub span: Span,
}

/// A name and the fields that are selected from it: `data.values["db"].host`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NameChain {
    /// The names. There is at least one.
    pub names: Vec<ChainName>,
    /// Whether the code consists of this chain alone.
    pub is_whole: bool,
}

/// An assignment to a name at the top level of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AssignedName {
    /// The name.
    pub name: String,
    /// The expression.
    pub value: Span,
    /// Whether the name gets the value itself, and not an item of it or a result computed from it.
    pub is_value: bool,
}

/// Returns the chains of names in code, without the names of arguments and without the fields of
/// call results: in `f(a=x).b` the chains are `f` and `x`.
pub fn name_chains(program: &str) -> Vec<NameChain> {
    let tokens: Vec<StarlarkToken> = tokens(program)
        .into_iter()
        .filter(StarlarkToken::is_code)
        .collect();
    let mut chains = Vec::new();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        let is_after_dot = at > 0 && tokens[at - 1].is(b'.');
        let is_name = token.kind == StarlarkTokenKind::Word
            && !is_after_dot
            && !RESERVED_WORDS.contains(&token.text(program));
        if !is_name || is_argument_name(&tokens, at) {
            at += 1;
            continue;
        }
        let (names, end) = chain_from(program, &tokens, at);
        chains.push(NameChain {
            names,
            is_whole: at == 0 && end == tokens.len(),
        });
        at = end;
    }
    chains
}

/// Returns whether the word at `at` names an argument: `f(x=1)`.
fn is_argument_name(tokens: &[StarlarkToken], at: usize) -> bool {
    let is = |index: usize, mark: u8| tokens.get(index).is_some_and(|token| token.is(mark));
    let is_first = at > 0 && (is(at - 1, b'(') || is(at - 1, b','));
    is_first && is(at + 1, b'=') && !is(at + 2, b'=')
}

/// Returns the names of the chain that starts with the word at `at`, and the index of the token
/// after it.
fn chain_from(program: &str, tokens: &[StarlarkToken], at: usize) -> (Vec<ChainName>, usize) {
    let mut names = vec![ChainName {
        text: tokens[at].text(program).to_owned(),
        span: tokens[at].span,
    }];
    let mut end = at + 1;
    loop {
        let after = &tokens[end..];
        match after {
            [dot, word, ..] if dot.is(b'.') && word.kind == StarlarkTokenKind::Word => {
                names.push(ChainName {
                    text: word.text(program).to_owned(),
                    span: word.span,
                });
                end += 2;
            }
            [open, string, close, ..] if open.is(b'[') && close.is(b']') => {
                let Some(name) = plain_string(program, string) else {
                    return (names, end);
                };
                names.push(name);
                end += 3;
            }
            _ => return (names, end),
        }
    }
}

/// Returns the text of a string without a prefix and without escapes.
fn plain_string(program: &str, token: &StarlarkToken) -> Option<ChainName> {
    if token.kind != (StarlarkTokenKind::String { prefix: 0 }) {
        return None;
    }
    let quoted = token.text(program);
    let quote = quoted.chars().next()?;
    let text = quoted.strip_prefix(quote)?.strip_suffix(quote)?;
    let is_plain = !text.is_empty() && !text.contains(['\\', quote]);
    is_plain.then(|| ChainName {
        text: text.to_owned(),
        span: Span::new(token.span.start() + 1, token.span.end() - 1),
    })
}

/// Returns the assignments to names in a program, in order.
pub fn assigned_names(program: &str) -> Vec<AssignedName> {
    let tokens = tokens(program);
    let mut assignments = Assignments {
        program,
        found: Vec::new(),
    };
    for statement in statements(&tokens) {
        assignments.add_statement(&statement);
    }
    assignments.found
}

/// Divides tokens at the line ends outside of brackets, and drops comments.
fn statements(tokens: &[StarlarkToken]) -> Vec<Vec<StarlarkToken>> {
    let mut statements = Vec::new();
    let mut statement = Vec::new();
    let mut depth = 0_usize;
    for token in tokens {
        if token.opens() {
            depth += 1;
        } else if token.closes() {
            depth = depth.saturating_sub(1);
        }
        match token.kind {
            StarlarkTokenKind::Comment => {}
            StarlarkTokenKind::LineEnd if depth == 0 => {
                statements.push(std::mem::take(&mut statement));
            }
            StarlarkTokenKind::LineEnd => {}
            _ => statement.push(*token),
        }
    }
    statements.push(statement);
    statements
}

/// Collects the assignments of a program.
struct Assignments<'p> {
    program: &'p str,
    found: Vec<AssignedName>,
}

/// The part of a value that a name gets.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Assigned {
    /// The value itself.
    Value,
    /// An item of the value, or a result computed from it.
    Part,
}

impl Assignments<'_> {
    fn add_statement(&mut self, statement: &[StarlarkToken]) {
        if word_at(self.program, statement, 0) == "for" {
            self.add_loop(statement);
            return;
        }
        // Finds the `=` of an assignment, but not that of `==`, `<=` or `+=`.
        let parts = split_at_top(statement, |at| {
            let is_equals = |index: usize| statement.get(index).is_some_and(|token| token.is(b'='));
            is_equals(at) && !is_equals(at + 1) && (at == 0 || !is_operator(&statement[at - 1]))
        });
        match parts.as_slice() {
            &[targets, value] => self.add_targets(targets, value),
            _ => self.add_augmented(statement),
        }
    }

    /// Adds the names of `for a, b in expression:`. In YAML, a loop is written as `for/end …:`,
    /// because its block ends on another line.
    fn add_loop(&mut self, statement: &[StarlarkToken]) {
        let word = |at: usize| word_at(self.program, statement, at);
        let first = if word(2) == "end" { 3 } else { 1 };
        let Some(in_word) = (first..statement.len()).find(|at| word(*at) == "in") else {
            return;
        };
        let value = match &statement[in_word + 1..] {
            [value @ .., colon] if colon.is(b':') => value,
            value => value,
        };
        for target in words_of(self.program, &statement[first..in_word]) {
            self.add(target, value, Assigned::Part);
        }
    }

    /// Adds the targets of `a = value`, `a, b = x, y` or `a, b = pair`.
    fn add_targets(&mut self, targets: &[StarlarkToken], value: &[StarlarkToken]) {
        let targets = split_at_top(targets, |at| targets[at].is(b','));
        let values = split_at_top(value, |at| value[at].is(b','));
        for (index, target) in targets.iter().enumerate() {
            match *target {
                [name] if name.kind == StarlarkTokenKind::Word => {
                    let name = name.text(self.program);
                    if values.len() == targets.len() {
                        self.add(name, values[index], Assigned::Value);
                    } else if targets.len() == 1 {
                        self.add(name, value, Assigned::Value);
                    } else {
                        self.add(name, value, Assigned::Part);
                    }
                }
                // `(a, b) = pair`, or `x[0] = y`, which adds a part to `x`.
                _ => {
                    for name in words_of(self.program, target) {
                        self.add(name, value, Assigned::Part);
                    }
                }
            }
        }
    }

    /// Adds the target of `x += value`.
    fn add_augmented(&mut self, statement: &[StarlarkToken]) {
        let [name, operator @ ..] = statement else {
            return;
        };
        // The longest operators have two marks before the `=`, as in `//=`.
        let Some(equals) = operator.iter().take(3).position(|token| token.is(b'=')) else {
            return;
        };
        let mut marks = Vec::new();
        for token in &operator[..equals] {
            if let StarlarkTokenKind::Mark(mark) = token.kind {
                marks.push(mark);
            }
        }
        // `<=` compares, and `<<=` assigns.
        let is_assigning = match marks.as_slice() {
            [one] => b"+-*/%&|^".contains(one),
            two => matches!(two, b"//" | b"<<" | b">>"),
        };
        if name.kind == StarlarkTokenKind::Word && is_assigning {
            let value = &operator[equals + 1..];
            self.add(name.text(self.program), value, Assigned::Part);
        }
    }

    fn add(&mut self, name: &str, value: &[StarlarkToken], assigned: Assigned) {
        if let (Some(first), Some(last)) = (value.first(), value.last()) {
            self.found.push(AssignedName {
                name: name.to_owned(),
                value: Span::new(first.span.start(), last.span.end()),
                is_value: assigned == Assigned::Value,
            });
        }
    }
}

/// Returns the word at an index, or an empty text for any other token.
fn word_at<'p>(program: &'p str, tokens: &[StarlarkToken], at: usize) -> &'p str {
    tokens.get(at).map_or("", |token| token.word(program))
}

/// Returns whether a mark before `=` changes the operator: `==`, `<=`, `+=`.
fn is_operator(token: &StarlarkToken) -> bool {
    matches!(token.kind, StarlarkTokenKind::Mark(mark) if b"=!<>+-*/%&|^".contains(&mark))
}

/// Returns the words among tokens.
fn words_of<'p>(program: &'p str, tokens: &[StarlarkToken]) -> Vec<&'p str> {
    let words = tokens.iter().map(|token| token.word(program));
    words.filter(|word| !word.is_empty()).collect()
}

/// Divides tokens at those outside of brackets for which `is_end` returns true.
fn split_at_top(tokens: &[StarlarkToken], is_end: impl Fn(usize) -> bool) -> Vec<&[StarlarkToken]> {
    let mut parts = Vec::new();
    let (mut start, mut depth) = (0, 0_usize);
    for (at, token) in tokens.iter().enumerate() {
        if token.opens() {
            depth += 1;
        } else if token.closes() {
            depth = depth.saturating_sub(1);
        } else if depth == 0 && is_end(at) {
            parts.push(&tokens[start..at]);
            start = at + 1;
        }
    }
    parts.push(&tokens[start..]);
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chains(code: &str) -> Vec<String> {
        let text = |chain: &NameChain| {
            let names = chain.names.iter().map(|name| {
                assert_eq!(&code[name.span.range()], name.text);
                name.text.as_str()
            });
            names.collect::<Vec<&str>>().join(".")
        };
        name_chains(code).iter().map(text).collect()
    }

    #[test]
    fn finds_names_outside_strings_and_comments() {
        let table: [(&str, &[&str]); 7] = [
            ("a.b[\"c\"]['d'].e", &["a.b.c.d.e"]),
            (r"'it\'s data.no' + x", &["x"]),
            ("x # data.no", &["x"]),
            ("f(a=x, b == y).c", &["f", "x", "b", "y"]),
            ("a[i].b if not c else 1", &["a", "i", "c"]),
            ("a[\"x\\n\"].b", &["a"]),
            ("a .b", &["a.b"]),
        ];
        for (code, expected) in table {
            assert_eq!(chains(code), expected, "{code}");
        }
        assert!(name_chains("a.b")[0].is_whole);
        assert!(!name_chains("f(a)")[0].is_whole);
    }

    #[test]
    fn finds_what_is_assigned() {
        let found = |code: &str| -> Vec<String> {
            let assigned = assigned_names(code);
            let texts = assigned.iter().map(|assigned| {
                let sign = if assigned.is_value { "=" } else { "~" };
                format!("{}{sign}{}", assigned.name, &code[assigned.value.range()])
            });
            texts.collect()
        };
        let table: [(&str, &[&str]); 9] = [
            ("x = a # b = c", &["x=a"]),
            ("x += a", &["x~a"]),
            ("x //= a", &["x~a"]),
            ("a, b = x, f(1, 2)", &["a=x", "b=f(1, 2)"]),
            ("a, b = pair", &["a~pair", "b~pair"]),
            (
                "for/end k, v in d.items():",
                &["k~d.items()", "v~d.items()"],
            ),
            ("x = {\n'a': b,\n}\ny = 1", &["x={\n'a': b,\n}", "y=1"]),
            ("f(x=1) == 2", &[]),
            ("a <= b", &[]),
        ];
        for (code, expected) in table {
            assert_eq!(found(code), expected, "{code}");
        }
    }
}
