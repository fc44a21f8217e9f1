//! From blocks that close with `end` to blocks by indentation.
//!
//! ytt's Starlark ignores indentation: a colon at the end of a line opens a block and `end` closes it. The `starlark`
//! crate reads indentation. This module writes the one as the other, token by token, so that strings, comments,
//! brackets and lines joined by a backslash stay as they are, and mends on the way what the two languages spell
//! differently ([`edits`]). Every byte that was copied keeps its place in an [`OffsetMap`], so an error is shown
//! where the user wrote it.

mod calls;
mod edits;
mod keys;
mod lexer;
mod lines;
mod measure;
mod operands;
mod stores;
mod writer;

use crate::source::{Code, OffsetMap, Span};
pub use edits::RENAMED;
use lexer::{Kind, Token};
use lines::{Line, Role};
use writer::Writer;

/// Brackets and blocks may nest this deep.
pub const NESTING_LIMIT: usize = 200;

/// One `if` may have this many alternatives.
const ALTERNATIVE_LIMIT: usize = 1_000;

/// The variable whose methods build a template's nodes. A function that calls them has a context of its own.
pub const INSTRUCTIONS: &str = "__ytt";

/// A program as the `starlark` crate reads it.
#[derive(Debug)]
pub struct Converted {
    /// The text with blocks by indentation.
    pub text: String,
    /// Where each copied byte of it stood.
    pub map: OffsetMap,
    /// The names that the program assigns to outside of functions, which may be those of functions that every program
    /// has.
    pub assigned: Vec<Box<str>>,
}

/// Why a text cannot be converted.
#[derive(Debug)]
pub struct Fault {
    /// The code of the diagnostic.
    pub code: Code,
    /// What is wrong, in one line.
    pub message: String,
    /// What to do about it.
    pub help: Option<&'static str>,
    /// The place in the text that was to be converted.
    pub span: Span,
}

impl Fault {
    fn syntax(message: impl Into<String>, span: Span) -> Fault {
        Fault {
            code: Code::ScriptSyntax,
            message: message.into(),
            help: None,
            span,
        }
    }

    fn help(self, help: &'static str) -> Fault {
        Fault {
            help: Some(help),
            ..self
        }
    }
}

/// Converts a program.
///
/// # Errors
/// An `end` too many or too few, the word `pass`, and nesting beyond [`NESTING_LIMIT`].
pub fn convert(text: &str) -> Result<Converted, Fault> {
    let tokens = lexer::tokens(text);
    measure::check(&tokens, text)?;
    refuse_pass(&tokens, text)?;
    let lines = lines::split(text, &tokens);
    let contexts = lines::contexts(text, &lines);
    let mut edits = edits::of(text, &tokens);
    lines::close_contexts(text, &lines, &contexts, &mut edits);
    edits::sort(&mut edits);
    let assigned = lines::assigned(text, &lines);
    let mut converter = Converter {
        writer: Writer::new(text, edits),
        text,
        open: Vec::new(),
    };
    for (line, context) in lines.iter().zip(contexts) {
        converter.line(line, context)?;
    }
    let (text, map) = converter.finish()?;
    Ok(Converted {
        text,
        map,
        assigned,
    })
}

/// `pass` is reserved in ytt, and there is nothing that it could be used for.
fn refuse_pass(tokens: &[Token], text: &str) -> Result<(), Fault> {
    let is_pass =
        |token: &&Token| token.kind == Kind::Word && text.get(token.span.range()) == Some("pass");
    match tokens.iter().find(is_pass) {
        Some(token) => Err(Fault::syntax(
            "expected a statement, found the reserved word `pass`",
            token.span,
        )
        .help("leave the block empty: `end` may follow at once")),
        None => Ok(()),
    }
}

/// What a function builds: which kind of context it opens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Context {
    /// Nodes of YAML.
    Nodes,
    /// Text.
    Text,
}

/// A block that is not closed yet.
struct Block {
    /// The line that opened it, or its last `elif` or `else`.
    header: Span,
    has_body: bool,
    /// Whether an `else` may follow.
    is_condition: bool,
    context: Option<Context>,
    /// How many `elif` it has had: each is one level deeper for the parser.
    alternatives: usize,
}

struct Converter<'a> {
    writer: Writer<'a>,
    text: &'a str,
    open: Vec<Block>,
}

impl Converter<'_> {
    fn line(&mut self, line: &Line<'_>, context: Option<Context>) -> Result<(), Fault> {
        match line.role {
            Role::End => self.end(line),
            Role::Alternative if self.continues_condition() => self.alternative(line),
            _ => self.statement(line, context),
        }
    }

    /// Whether an `else` or `elif` belongs to the block that is open, and not to a condition on one line before it.
    fn continues_condition(&self) -> bool {
        self.open.last().is_some_and(|block| block.is_condition)
    }

    fn statement(&mut self, line: &Line<'_>, context: Option<Context>) -> Result<(), Fault> {
        if line.role == Role::Alternative && line.opens {
            return Err(Fault::syntax(
                format!("`{}` without an `if` before it", line.first),
                line.start(),
            ));
        }
        self.check_colon(line)?;
        if let Some(block) = self.open.last_mut() {
            block.has_body = true;
        }
        let level = self.open.len();
        match line.first {
            "while" => return self.while_loop(line, level),
            "for" => self.writer.for_loop(level, line),
            _ => self.writer.copy_line(level, line),
        }
        if line.opens {
            self.open_block(line, context)?;
        }
        Ok(())
    }

    fn check_colon(&self, line: &Line<'_>) -> Result<(), Fault> {
        let opens = matches!(line.first, "if" | "elif" | "for" | "while" | "def");
        if !opens || line.outside(self.text).any(|token| token.is(b':')) {
            return Ok(());
        }
        let end = line.span().end();
        let last = Span::new(end.saturating_sub(1).max(line.start().start()), end);
        Err(Fault::syntax(
            format!("expected `:` at the end of this `{}`", line.first),
            last,
        )
        .help("is a colon missing at the end of the `if`, `for` or `def`?"))
    }

    fn open_block(&mut self, line: &Line<'_>, context: Option<Context>) -> Result<(), Fault> {
        self.push(line, context)?;
        let Some(context) = context else {
            return Ok(());
        };
        let open = match context {
            Context::Nodes => "open",
            Context::Text => "open_text",
        };
        self.writer.made(
            self.open.len(),
            &format!("{INSTRUCTIONS}.{open}()"),
            line.start(),
        );
        Ok(())
    }

    fn push(&mut self, line: &Line<'_>, context: Option<Context>) -> Result<(), Fault> {
        if self.open.len() >= NESTING_LIMIT {
            return Err(Fault {
                code: Code::Limit,
                message: format!("blocks nest deeper than {NESTING_LIMIT} levels"),
                help: Some("move the inner part into a function of its own"),
                span: line.start(),
            });
        }
        self.open.push(Block {
            header: line.start(),
            has_body: false,
            is_condition: matches!(line.first, "if" | "elif"),
            context,
            alternatives: 0,
        });
        Ok(())
    }

    /// `while` is a loop without end that the condition leaves.
    fn while_loop(&mut self, line: &Line<'_>, level: usize) -> Result<(), Fault> {
        let Some((condition, body)) = line.condition(self.text) else {
            self.writer.copy_line(level, line);
            return Ok(());
        };
        self.writer
            .made(level, "for __ytt_turn in __ytt_forever():", line.start());
        self.writer
            .around(level + 1, "if not (", condition, "): break");
        if let Some(body) = body {
            self.writer.around(level + 1, "", body, "");
            return Ok(());
        }
        self.push(line, None)?;
        if let Some(block) = self.open.last_mut() {
            block.has_body = true;
        }
        Ok(())
    }

    fn alternative(&mut self, line: &Line<'_>) -> Result<(), Fault> {
        self.check_colon(line)?;
        self.fill_body(line.start());
        let level = self.open.len().saturating_sub(1);
        self.writer.copy_line(level, line);
        if !line.opens {
            self.open.pop();
        } else if let Some(block) = self.open.last_mut() {
            block.has_body = false;
            block.is_condition = line.first == "elif";
            block.alternatives += 1;
            if block.alternatives > ALTERNATIVE_LIMIT {
                return Err(Fault {
                    code: Code::Limit,
                    message: format!("one `if` has more than {ALTERNATIVE_LIMIT} alternatives"),
                    help: Some("look the value up in a dictionary"),
                    span: line.start(),
                });
            }
        }
        Ok(())
    }

    fn end(&mut self, line: &Line<'_>) -> Result<(), Fault> {
        self.fill_body(line.start());
        let level = self.open.len();
        let Some(block) = self.open.pop() else {
            return Err(Fault::syntax(
                "unexpected end: no block is open here",
                line.start(),
            ));
        };
        if block.context.is_some() {
            self.writer.made(
                level,
                &format!("return {INSTRUCTIONS}.close()"),
                line.start(),
            );
        }
        Ok(())
    }

    /// A block may be empty in ytt.
    fn fill_body(&mut self, place: Span) {
        if let Some(block) = self.open.last()
            && !block.has_body
        {
            self.writer.made(self.open.len(), "pass", place);
        }
    }

    fn finish(self) -> Result<(String, OffsetMap), Fault> {
        match self.open.last() {
            None => Ok(self.writer.finish()),
            Some(block) => {
                let opener = self.text.get(block.header.range()).unwrap_or_default();
                Err(Fault::syntax(
                    format!("expected `end` for every block, found none for this `{opener}`"),
                    block.header,
                )
                .help("close the block with `end`"))
            }
        }
    }
}

#[cfg(test)]
mod tests;
