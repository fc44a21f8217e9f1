//! Tracks functions through the lines: finds the functions that build nodes or text, and the global
//! names.

use super::lines::{LineRole, LogicalLine};
use super::rewrite::Rewrite;

/// The function that builds the nodes of a template. Its first argument is the name of an
/// instruction. A function that calls it has its own context.
///
/// The instructions are not methods, because at the first method call in a process, the crate
/// registers the methods of all its types.
pub const INSTRUCTIONS: &str = "__ytt";

/// Returns the call of an instruction.
pub fn instruction(name: &str, arguments: &str) -> String {
    let comma = if arguments.is_empty() { "" } else { ", " };
    format!("{INSTRUCTIONS}(\"{name}\"{comma}{arguments})")
}

/// The result that the instructions of a function build.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum InstructionContext {
    /// Nodes of YAML.
    Nodes,
    /// Text.
    Text,
}

/// The stack of open blocks during a walk through the lines.
#[derive(Default)]
struct BlockStack {
    /// The index of the line with the `def` around each open block; `None` outside of functions.
    functions: Vec<Option<usize>>,
}

impl BlockStack {
    /// Returns the index of the line with the `def` around the next line.
    fn function(&self) -> Option<usize> {
        self.functions.last().copied().flatten()
    }

    fn pass(&mut self, index: usize, line: &LogicalLine<'_>) {
        match line.role {
            LineRole::End => {
                self.functions.pop();
            }
            // `else: x` on one line closes its block without an `end`.
            LineRole::Alternative if !line.opens => {
                self.functions.pop();
            }
            LineRole::Statement if line.opens => {
                // An `if` or `for` inside a function belongs to the same function.
                let function = if line.first == "def" {
                    Some(index)
                } else {
                    self.function()
                };
                self.functions.push(function);
            }
            _ => {}
        }
    }
}

/// Returns for each line the context that it opens. Only the `def` of a function that calls
/// instructions opens one.
///
/// The function has to call them directly. A function inside it has its own context.
pub(super) fn find(text: &str, lines: &[LogicalLine<'_>]) -> Vec<Option<InstructionContext>> {
    let mut contexts = vec![None; lines.len()];
    let mut blocks = BlockStack::default();
    for (index, line) in lines.iter().enumerate() {
        if line.first == INSTRUCTIONS
            && let Some(function) = blocks.function()
            && contexts[function].is_none()
        {
            contexts[function] = Some(context_of(text, line));
        }
        blocks.pass(index, line);
    }
    contexts
}

/// Returns the context that the first instruction of a function needs.
///
/// `write` and `print` come first only in text templates. Inside YAML, a text is opened before it
/// is written.
fn context_of(text: &str, instruction: &LogicalLine<'_>) -> InstructionContext {
    // The tokens are `__ytt`, `(` and the name of the instruction in quotes.
    match instruction.tokens.get(2).map(|token| token.text(text)) {
        Some("\"write\"" | "\"print\"") => InstructionContext::Text,
        _ => InstructionContext::Nodes,
    }
}

/// Makes each `return` of a function with a context close this context.
///
/// ```text
/// return        →   return __ytt("close")
/// return x, y   →   return __ytt("close", ( x, y))
/// ```
pub(super) fn close_at_returns(
    text: &str,
    lines: &[LogicalLine<'_>],
    contexts: &[Option<InstructionContext>],
    rewrites: &mut Vec<Rewrite>,
) {
    let mut blocks = BlockStack::default();
    for (index, line) in lines.iter().enumerate() {
        let has_context = blocks
            .function()
            .is_some_and(|function| contexts[function].is_some());
        // In `def g(): return 1`, the `return` belongs to `g`.
        if has_context && line.first != "def" {
            close_at_return(text, line, rewrites);
        }
        blocks.pass(index, line);
    }
}

fn close_at_return(text: &str, line: &LogicalLine<'_>, rewrites: &mut Vec<Rewrite>) {
    let Some(keyword) = line
        .outside_brackets(text)
        .find(|token| token.word(text) == "return")
    else {
        return;
    };
    let start = keyword.span.end();
    // `return x; y = 1`: the value ends at the semicolon.
    let separator = line
        .outside_brackets(text)
        .find(|token| token.is(b';') && token.span.start() >= start);
    let end = separator.map_or(line.span().end(), |token| token.span.start());
    let value = text.get(start..end).unwrap_or_default();
    if value.trim().is_empty() {
        let close = instruction("close", "");
        rewrites.push(Rewrite::close(start, format!(" {close}")));
    } else {
        let close = format!(" {INSTRUCTIONS}(\"close\", (");
        rewrites.push(Rewrite::insert(start, close));
        rewrites.push(Rewrite::close(end, "))"));
    }
}
