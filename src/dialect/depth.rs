//! Refuses programs that nest too deep for the recursive parser.

use super::error::DialectError;
use super::lexer::{StarlarkToken, StarlarkTokenKind};

/// The maximum nesting depth of brackets and blocks.
pub(super) const NESTING_LIMIT: usize = 200;

/// The maximum depth of the tree of one expression, counting operators and brackets.
///
/// The tree of `1 + 1 + 1 + …` is as deep as the expression is long, so long chains count even
/// without nested brackets.
const DEPTH_LIMIT: usize = 4_000;

const HELP: &str = "split the expression over several variables";

/// Checks the depth of brackets and of expressions.
///
/// The depth of an expression is overestimated without parsing: the number of operators since the
/// last comma or line end, plus that of all surrounding expressions.
pub(super) fn check(tokens: &[StarlarkToken], text: &str) -> Result<(), DialectError> {
    // The number of operators since the last comma, for the program and for each open bracket.
    // Invariant: `depth` is the sum of these numbers plus the number of open brackets.
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
            // A line end inside brackets does not end the expression. Inside brackets, `depth` is
            // larger than `level`.
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
