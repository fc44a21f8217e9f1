//! Refuses a program whose expressions nest too deep for a parser that recurses.

use super::lexer::{Kind, Token};
use super::{Fault, NESTING_LIMIT};
use crate::source::Code;

/// One expression may be this many operators deep, brackets included: `1 + 1 + 1 + …` is a tree as deep as it is long.
const DEPTH_LIMIT: usize = 4_000;

/// Checks the depth of brackets and of expressions.
pub(super) fn check(tokens: &[Token], text: &str) -> Result<(), Fault> {
    // The operators since the last comma, for the program and for each open bracket.
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
            Kind::LineEnd if depth == *level => {
                depth -= *level;
                *level = 0;
            }
            Kind::Mark(b',') => {
                depth -= *level;
                *level = 0;
            }
            Kind::Mark(_) => {
                *level += 1;
                depth += 1;
            }
            Kind::Word if is_operator(text.get(token.span.range()).unwrap_or_default()) => {
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
            return Err(limit(
                format!("brackets nest deeper than {NESTING_LIMIT} levels"),
                token,
            ));
        }
        if depth > DEPTH_LIMIT {
            return Err(limit(
                format!("one expression is more than {DEPTH_LIMIT} operators deep"),
                token,
            ));
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

fn limit(message: String, token: &Token) -> Fault {
    Fault {
        code: Code::Limit,
        message,
        help: Some("split the expression over several variables"),
        span: token.span,
    }
}
