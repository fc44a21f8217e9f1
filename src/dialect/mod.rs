//! Converts ytt's Starlark to the Starlark that the `starlark` crate runs.
//!
//! ytt ignores indentation: a colon at the end of a line opens a block and `end` closes it. The
//! crate reads indentation, so each line is written at the level of its block:
//!
//! ```text
//! ytt                     converted
//!
//! for x in 1, 2:          for x in (1, 2):
//! if x > 1:                if x > 1:
//!   y.append(x)             __ytt_method(y, "append", x)
//! end                     for z in y:
//! end                      pass
//! for z in y:
//! end
//! ```
//!
//! The two languages also differ inside a line, and some expressions have to be calls of Inlay's
//! functions, which count the memory that they use. `spelling` lists these rewrites.
//!
//! The conversion works on tokens and never parses. Strings, comments, brackets and lines joined by
//! a backslash are copied, and the parser of the crate reports syntax errors. An
//! [`OffsetMap`](crate::source::OffsetMap) records where each byte came from, so errors are shown
//! in the original text.
//!
//! The steps, in the order in which [`convert()`] takes them:
//!
//! 1. `lexer` divides the text into tokens, and `depth` refuses nesting that would overflow the
//!    stack of the parser;
//! 2. `lines` groups the tokens into logical lines, and `contexts` finds the functions that build
//!    nodes or text;
//! 3. `literals` checks numbers and strings; `spelling` collects the rewrites, with `expressions`
//!    (pairs of brackets), `methods`, `unary`, `collections` and `calls`;
//! 4. `convert` tracks the blocks and writes each line through `writer`.

mod calls;
mod collections;
mod contexts;
mod convert;
mod depth;
mod error;
mod expressions;
mod lexer;
mod lines;
mod literals;
mod live_data;
mod load;
mod methods;
mod names;
mod rewrite;
mod shape;
mod spelling;
mod targets;
#[cfg(test)]
mod tests;
mod unary;
mod writer;

pub use contexts::{INSTRUCTIONS, instruction};
pub use convert::{
    Converted, FILE_FUNCTION, FILE_FUNCTION_CALLS, FileFunction, convert, convert_as_function,
};
pub use error::DialectError;
pub use literals::string_places;
pub use load::LOAD;
pub use names::{AssignedName, ChainName, NameChain, RESERVED_WORDS, assigned_names, name_chains};
pub use shape::{CallShape, FunctionShape, ParameterShape, call_shape, function_shape};
pub use spelling::RENAMED;
