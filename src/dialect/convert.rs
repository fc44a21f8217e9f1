//! Tracks the blocks of a program and writes each line at its level.

use super::contexts::{self, InstructionContext, instruction};
use super::depth::{self, NESTING_LIMIT};
use super::error::DialectError;
use super::lexer::{self, StarlarkToken};
use super::lines::{self, LineRole, LogicalLine};
use super::load::{LOAD, Load, LoadedSymbol};
use super::writer::ConvertedWriter;
use super::{literals, rewrite, spelling};
use crate::source::{OffsetMap, Span};

/// The maximum number of alternatives of an `if`.
const ALTERNATIVE_LIMIT: usize = 1_000;

/// A program that the `starlark` crate can parse.
#[derive(Debug)]
pub struct Converted {
    /// The text, with blocks by indentation.
    pub text: String,
    /// Maps each byte of the text to the byte of the program that it was copied from.
    pub map: OffsetMap,
    /// The names that `load` statements inside blocks define.
    pub loaded_in_blocks: Vec<Box<str>>,
}

/// The name of the function that [`convert_as_function`] writes.
pub const FILE_FUNCTION: &str = "__ytt_file";

/// The functions that only a program in a function calls.
pub const FILE_FUNCTION_CALLS: [&str; 2] = [LOAD, EXPORT];

/// Defines the names of a program in its module.
const EXPORT: &str = "__ytt_export";

/// The function around a program; see [`convert_as_function`].
#[derive(Debug)]
pub struct FileFunction<'a> {
    /// The predeclared names that the program may call.
    pub parameters: Vec<&'a str>,
    /// The names that statements outside of functions define.
    pub names: Vec<&'a str>,
}

/// Converts a program.
///
/// # Errors
/// A missing or surplus `end`, the word `pass`, or nesting beyond the limits.
pub fn convert(text: &str) -> Result<Converted, DialectError> {
    convert_within(text, None)
}

/// Converts a program to the body of one function, which defines the program's names in the module
/// when it ends.
///
/// ```text
/// ytt               converted
///
/// def f(x):         def __ytt_file(str):
/// return str(x)      def f(x):
/// end                 return str(x)
///                    __ytt_export({"f": lambda: f})
///                   __ytt_file(str)
///                   __ytt_file = None
/// ```
///
/// The compiler of the crate does not know the values of parameters and of variables of a function.
/// So it compiles a call in `f` without looking at the function that is called, even after the
/// module is frozen; see [`Program::in_function`](crate::script::Program). A name that no statement
/// has defined has no value, which is why it is read by a lambda.
///
/// # Errors
/// Fails as [`convert`] does.
pub fn convert_as_function(
    text: &str,
    function: &FileFunction<'_>,
) -> Result<Converted, DialectError> {
    convert_within(text, Some(function))
}

fn convert_within(
    text: &str,
    function: Option<&FileFunction<'_>>,
) -> Result<Converted, DialectError> {
    let tokens = lexer::tokens(text);
    depth::check(&tokens, text)?;
    refuse_pass(&tokens, text)?;

    // The limits were checked at this point. The following steps do not recurse, but the parser of
    // the crate does.
    let lines = lines::split(text, &tokens);
    let contexts = contexts::find(text, &lines);

    let literals = literals::rewrites(text, &tokens)?;
    // The call around a returned value is outside of the calls in it.
    let mut rewrites = Vec::new();
    contexts::close_at_returns(text, &lines, &contexts, &mut rewrites);
    rewrites.extend(spelling::rewrites(text, &tokens, literals));
    // The writer makes a single pass over the text and needs the rewrites in order.
    rewrite::sort(&mut rewrites);

    let mut converter = Converter {
        writer: ConvertedWriter::new(text, rewrites),
        text,
        is_function: function.is_some(),
        open: Vec::new(),
        loaded_in_blocks: Vec::new(),
    };
    if let Some(function) = function {
        converter.generated_line(0, &function.header());
    }
    for (line, context) in lines.iter().zip(contexts) {
        converter.line(line, context)?;
    }
    converter.check_closed()?;
    if let Some(function) = function {
        converter.generated_line(1, &function.export());
        converter.generated_line(0, &function.call());
        converter.generated_line(0, &format!("{FILE_FUNCTION} = None"));
    }
    let loaded_in_blocks = converter.loaded_in_blocks;
    let (text, map) = converter.writer.finish();
    Ok(Converted {
        text,
        map,
        loaded_in_blocks,
    })
}

impl FileFunction<'_> {
    fn header(&self) -> String {
        format!("def {}:", self.call())
    }

    fn call(&self) -> String {
        format!("{FILE_FUNCTION}({})", self.parameters.join(", "))
    }

    /// Returns the statement that defines the names in the module.
    fn export(&self) -> String {
        let reads = self.names.iter();
        let reads: Vec<String> = reads
            .map(|name| format!("\"{name}\": lambda: {name}"))
            .collect();
        format!("{EXPORT}({{{}}})", reads.join(", "))
    }
}

/// Refuses `pass`: ytt reserves the word but does not need it, because a block may be empty.
fn refuse_pass(tokens: &[StarlarkToken], text: &str) -> Result<(), DialectError> {
    match tokens.iter().find(|token| token.word(text) == "pass") {
        Some(token) => Err(DialectError::syntax(
            "expected a statement, found the reserved word `pass`",
            token.span,
        )
        .help("leave the block empty: `end` may follow immediately")),
        None => Ok(()),
    }
}

/// An open block.
struct OpenBlock {
    /// The first word of the line that opened it.
    header: Span,
    /// Whether the block has a statement. A block without any gets a `pass`.
    has_body: bool,
    /// Whether an `elif` or `else` may follow.
    is_condition: bool,
    context: Option<InstructionContext>,
    /// The number of its `elif`s. The parser nests each of them one level deeper than the previous
    /// one.
    alternatives: usize,
}

struct Converter<'a> {
    writer: ConvertedWriter<'a>,
    text: &'a str,
    /// Whether the program becomes the body of a function.
    is_function: bool,
    open: Vec<OpenBlock>,
    loaded_in_blocks: Vec<Box<str>>,
}

impl Converter<'_> {
    /// Returns the level of the statements in the innermost open block.
    fn level(&self) -> usize {
        self.open.len() + usize::from(self.is_function)
    }

    /// Writes a line around the program.
    fn generated_line(&mut self, level: usize, line: &str) {
        self.writer.generated_line(level, line, Span::at(0));
    }

    fn line(
        &mut self,
        line: &LogicalLine<'_>,
        context: Option<InstructionContext>,
    ) -> Result<(), DialectError> {
        match line.role {
            LineRole::End => self.end(line),
            LineRole::Alternative if self.continues_condition() => self.alternative(line),
            _ => self.statement(line, context),
        }
    }

    /// Returns whether an `else` or `elif` belongs to the open block.
    ///
    /// Otherwise it continues a condition on a previous line that needs no `end`: `if a: b` /
    /// `else: c`.
    fn continues_condition(&self) -> bool {
        self.open.last().is_some_and(|block| block.is_condition)
    }

    fn statement(
        &mut self,
        line: &LogicalLine<'_>,
        context: Option<InstructionContext>,
    ) -> Result<(), DialectError> {
        if line.role == LineRole::Alternative && line.opens {
            return Err(DialectError::syntax(
                format!("`{}` without an `if` before it", line.first),
                line.start(),
            ));
        }
        self.check_colon(line)?;
        if let Some(block) = self.open.last_mut() {
            block.has_body = true;
        }
        let level = self.level();
        match line.first {
            "while" => return self.while_loop(line, level),
            "for" => self.writer.for_loop(level, line),
            "load" if self.needs_call_to_load() => self.load_by_call(line, level),
            _ => self.writer.copy_line(level, line),
        }
        if line.opens {
            self.open_block(line, context)?;
        }
        Ok(())
    }

    /// Returns whether a `load` has to be a call: it is outside of the functions of the program, and
    /// inside a block or the function around the program.
    fn needs_call_to_load(&self) -> bool {
        let is_function = |block: &OpenBlock| self.text.get(block.header.range()) == Some("def");
        self.level() > 0 && !self.open.iter().any(is_function)
    }

    /// Writes a `load` as a call; see [`load`](super::load).
    fn load_by_call(&mut self, line: &LogicalLine<'_>, level: usize) {
        let code: Vec<_> = line.tokens.iter().filter(|token| token.is_code()).collect();
        let Some(load) = Load::at(self.text, &code).filter(|load| !load.symbols.is_empty()) else {
            // The parser reports the missing part.
            self.writer.copy_line(level, line);
            return;
        };
        let names = load.symbols.iter().map(LoadedSymbol::target);
        self.loaded_in_blocks.extend(names.map(Into::into));
        let arguments = Span::new(load.arguments.start(), line.span().end());
        let word = Span::new(line.start().start(), arguments.start());
        self.writer
            .line_with_start(level, &load.call(), word, arguments);
    }

    /// Refuses a header without a colon.
    ///
    /// The parser would report it too, but at the next line, because nothing is indented without
    /// the colon.
    fn check_colon(&self, line: &LogicalLine<'_>) -> Result<(), DialectError> {
        let needs_colon = matches!(line.first, "if" | "elif" | "for" | "while" | "def");
        if !needs_colon || line.outside_brackets(self.text).any(|token| token.is(b':')) {
            return Ok(());
        }
        let end = line.span().end();
        let last = Span::new(end.saturating_sub(1).max(line.start().start()), end);
        Err(DialectError::syntax(
            format!("expected `:` at the end of this `{}`", line.first),
            last,
        )
        .help("is a colon missing at the end of the `if`, `for` or `def`?"))
    }

    /// Opens the block of a line. A function that calls instructions starts by opening its own
    /// context:
    ///
    /// ```text
    /// def f():                def f():
    /// __ytt("set", 0)   →      __ytt("open")
    /// end                      __ytt("set", 0)
    ///                          return __ytt("close")
    /// ```
    fn open_block(
        &mut self,
        line: &LogicalLine<'_>,
        context: Option<InstructionContext>,
    ) -> Result<(), DialectError> {
        self.push_block(line, context)?;
        let open = match context {
            None => return Ok(()),
            Some(InstructionContext::Nodes) => "open",
            Some(InstructionContext::Text) => "open_text",
        };
        let call = instruction(open, "");
        self.writer
            .generated_line(self.level(), &call, line.start());
        Ok(())
    }

    fn push_block(
        &mut self,
        line: &LogicalLine<'_>,
        context: Option<InstructionContext>,
    ) -> Result<(), DialectError> {
        if self.open.len() >= NESTING_LIMIT {
            return Err(DialectError::limit(
                format!("blocks nest deeper than {NESTING_LIMIT} levels"),
                "move the inner part into a separate function",
                line.start(),
            ));
        }
        self.open.push(OpenBlock {
            header: line.start(),
            has_body: false,
            is_condition: matches!(line.first, "if" | "elif"),
            context,
            alternatives: 0,
        });
        Ok(())
    }

    /// Writes a `while`, which the crate does not have, as an endless loop with a `break`:
    ///
    /// ```text
    /// while x < 9:      for __ytt_turn in __ytt_forever():
    /// x += 1        →    if not ( x < 9): break
    /// end                x += 1
    /// ```
    fn while_loop(&mut self, line: &LogicalLine<'_>, level: usize) -> Result<(), DialectError> {
        let Some(header) = line.while_header(self.text) else {
            // The parser reports the missing part.
            self.writer.copy_line(level, line);
            return Ok(());
        };
        self.writer
            .generated_line(level, "for __ytt_turn in __ytt_forever():", line.start());
        self.writer
            // The condition is inside the loop, because it has to be evaluated before each
            // iteration. `continue` starts the next iteration, and so evaluates the condition too.
            .wrapped_line(level + 1, "if not (", header.condition, "): break");
        if let Some(statement) = header.statement {
            self.writer.wrapped_line(level + 1, "", statement, "");
            return Ok(());
        }
        self.push_block(line, None)?;
        if let Some(block) = self.open.last_mut() {
            // The line with the `break` is already a body.
            block.has_body = true;
        }
        Ok(())
    }

    fn alternative(&mut self, line: &LogicalLine<'_>) -> Result<(), DialectError> {
        self.check_colon(line)?;
        self.fill_empty_block(line.start());
        // The block stays open, but its header is one level outside of its body.
        let level = self.level().saturating_sub(1);
        self.writer.copy_line(level, line);
        if !line.opens {
            // `else: x` on one line ends the condition without an `end`.
            self.open.pop();
            return Ok(());
        }
        let Some(block) = self.open.last_mut() else {
            return Ok(());
        };
        block.has_body = false;
        // No further alternative may follow an `else`.
        block.is_condition = line.first == "elif";
        block.alternatives += 1;
        if block.alternatives > ALTERNATIVE_LIMIT {
            return Err(DialectError::limit(
                format!("one `if` has more than {ALTERNATIVE_LIMIT} alternatives"),
                "look the value up in a dictionary",
                line.start(),
            ));
        }
        Ok(())
    }

    fn end(&mut self, line: &LogicalLine<'_>) -> Result<(), DialectError> {
        self.fill_empty_block(line.start());
        let level = self.level();
        let Some(block) = self.open.pop() else {
            return Err(DialectError::syntax(
                "unexpected end: no block is open here",
                line.start(),
            ));
        };
        // A function that ends without `return` returns the result of its instructions.
        if block.context.is_some() {
            let call = format!("return {}", instruction("close", ""));
            self.writer.generated_line(level, &call, line.start());
        }
        Ok(())
    }

    /// Writes a `pass` into an empty block. ytt allows empty blocks, but the crate does not.
    fn fill_empty_block(&mut self, place: Span) {
        if let Some(block) = self.open.last()
            && !block.has_body
        {
            self.writer.generated_line(self.level(), "pass", place);
        }
    }

    /// Refuses a program with an open block.
    fn check_closed(&self) -> Result<(), DialectError> {
        // Of several open blocks, the innermost is reported, because its `end` is the first that is
        // missing.
        let Some(block) = self.open.last() else {
            return Ok(());
        };
        let opener = self.text.get(block.header.range()).unwrap_or_default();
        Err(DialectError::syntax(
            format!("expected `end` for every block, found none for this `{opener}`"),
            block.header,
        )
        .help("close the block with `end`"))
    }
}
