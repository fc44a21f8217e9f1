//! Refuses programs that nest too deep for the parser, which recurses.

use super::error::DialectError;
use super::lexer::{StarlarkToken, StarlarkTokenKind};

/// Brackets and blocks may nest this deep.
pub(super) const NESTING_LIMIT: usize = 200;

/// One expression may be this many operators deep, brackets included.
///
/// `1 + 1 + 1 + …` is a tree as deep as it is long, so long chains count although no bracket nests.
const DEPTH_LIMIT: usize = 4_000;

const HELP: &str = "split the expression over several variables";

/// Checks the depth of brackets and of expressions.
///
/// The depth of an expression is estimated from above, without parsing: the operators since the
/// last comma or line end, plus those of all expressions around it.
pub(super) fn check(tokens: &[StarlarkToken], text: &str) -> Result<(), DialectError> {
    // The operators since the last comma, for the program and for each open bracket.
    // Invariant: `depth` is their sum plus the number of open brackets.
    let mut operators = vec![0usize];
    let mut depth = 0usize;
    for token in tokens {
        if token.closes() && operators.len() > 1 {
            depth -= operators.pop().unwrap_or_default() + 1;
        }
        let Some(level) = operators.last_mut() else {
            return Ok(());
        };
        match token.kind {
            // A line end inside of brackets ends no expression. Inside of them `depth` is larger
            // than `level`.
            StarlarkTokenKind::LineEnd if depth == *level => {
                depth -= *level;
                *level = 0;
            }
            StarlarkTokenKind::Mark(b',') => {
                depth -= *level;
                *level = 0;
            }
            StarlarkTokenKind::Mark(_) => {
                *level += 1;
                depth += 1;
            }
            StarlarkTokenKind::Word if is_operator(token.word(text)) => {
                *level += 1;
                depth += 1;
            }
            _ => {}
        }
        if token.opens() {
            operators.push(0);
            depth += 1;
        }
        if operators.len() > NESTING_LIMIT {
            let message = format!("brackets nest deeper than {NESTING_LIMIT} levels");
            return Err(DialectError::limit(message, HELP, token.span));
        }
        if depth > DEPTH_LIMIT {
            let message = format!("one expression is more than {DEPTH_LIMIT} operators deep");
            return Err(DialectError::limit(message, HELP, token.span));
        }
    }
    Ok(())
}

fn is_operator(word: &str) -> bool {
    matches!(
        word,
        "and" | "or" | "not" | "if" | "else" | "lambda" | "in" | "elif"
    )
}
