//! Reads `load` statements, and rewrites those inside a block.
//!
//! ytt allows a `load` in an `if` or a loop outside of functions, and executes it when it is
//! reached. The crate allows it only between the statements of a file, so it becomes a call, as every
//! `load` of a program in a [function](super::convert_as_function) does:
//!
//! ```text
//! if x:                       if x:
//! load("a.star", "b", d="c")   [b, d] = __ytt_load("a.star", "b", d="c")
//! end                    →
//! ```

use super::lexer::{StarlarkToken, StarlarkTokenKind};
use super::spelling::{RENAMED, RESERVED};
use crate::source::Span;

/// The function that executes a `load` where the crate allows none.
pub const LOAD: &str = "__ytt_load";

/// A `load` statement.
pub(super) struct Load<'a> {
    pub(super) module: &'a str,
    pub(super) symbols: Vec<LoadedSymbol<'a>>,
    /// Its brackets with the arguments between them.
    pub(super) arguments: Span,
}

/// A name that a `load` statement defines.
pub(super) struct LoadedSymbol<'a> {
    /// The name in the program.
    pub(super) local: &'a str,
    /// The name in the module.
    pub(super) exported: &'a str,
}

impl<'a> Load<'a> {
    /// Reads the `load` whose word is the first of these code tokens, if there is one.
    pub(super) fn at(text: &'a str, code: &[&StarlarkToken]) -> Option<Load<'a>> {
        let [word, open, module, rest @ ..] = code else {
            return None;
        };
        if word.word(text) != "load" || !open.is(b'(') {
            return None;
        }
        let mut symbols = Vec::new();
        for (at, token) in rest.iter().enumerate() {
            if token.is(b')') {
                return Some(Load {
                    module: unquoted(module, text),
                    symbols,
                    arguments: open.span.to(token.span),
                });
            }
            if !matches!(token.kind, StarlarkTokenKind::String { .. }) {
                continue;
            }
            // In `local="exported"`, the name is two tokens before the string.
            let exported = unquoted(token, text);
            let alias = at.checked_sub(2).filter(|_| rest[at - 1].is(b'='));
            symbols.push(LoadedSymbol {
                local: alias.map_or(exported, |alias| rest[alias].word(text)),
                exported,
            });
        }
        None
    }

    /// Returns the text before the arguments if the statement is inside a block.
    pub(super) fn call(&self) -> String {
        let names: Vec<String> = self.symbols.iter().map(LoadedSymbol::target).collect();
        format!("[{}] = {LOAD}", names.join(", "))
    }
}

impl LoadedSymbol<'_> {
    /// Returns the local name in a form that the crate can read.
    pub(super) fn target(&self) -> String {
        let prefix = if RESERVED.contains(&self.local) {
            RENAMED
        } else {
            ""
        };
        format!("{prefix}{}", self.local)
    }
}

fn unquoted<'a>(token: &StarlarkToken, text: &'a str) -> &'a str {
    token.text(text).trim_matches(['"', '\''])
}
