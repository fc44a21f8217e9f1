//! Compiles text templates: text files, and strings inside YAML.
//!
//! ```text
//! a(@ if x: @)b(@= y @)(@ end @)    __ytt("write", 0)
//!                                   if x:
//!                                   __ytt("write", 1)
//!                                   __ytt("print", ( y
//!                                   ))
//!                                   end
//! ```

use std::sync::Arc;

use super::comment::TemplateOptions;
use super::text::{self, TextPiece};
use super::writer::ProgramWriter;
use crate::dialect::INSTRUCTIONS;
use crate::script::{Program, ProgramKind};
use crate::source::{Location, OffsetMap, Result, Source, Span};

/// Compiles a text template.
///
/// # Errors
/// Fails for `(@` without `@)` or vice versa, and for code that is not Starlark, each with its
/// place.
pub fn compile_text(source: &Arc<Source>) -> Result<Program> {
    let mut writer = ProgramWriter::new(source, TemplateOptions::default());
    let (start, text) = source.after_byte_order_mark();
    let map = OffsetMap::identity(start, text.len());
    write_text(&mut writer, text, &map, Span::at(start))?;
    Program::compile(source, writer.finish(), ProgramKind::Text)
}

/// Writes the instructions that build a text. `map` maps the text to the source; `place` is used
/// for bytes that it does not cover.
///
/// # Errors
/// Fails as [`compile_text`] does.
pub(super) fn write_text(
    writer: &mut ProgramWriter<'_>,
    text: &str,
    map: &OffsetMap,
    place: Span,
) -> Result<()> {
    let pieces = text::pieces(text).map_err(|fault| {
        let span = map.enclosing(fault.span).unwrap_or(place);
        fault
            .diagnostic()
            .at(Location::new(writer.source, span), "")
    })?;
    for piece in pieces {
        match piece {
            TextPiece::Text(span) => {
                let number = writer.text(text.get(span.range()).unwrap_or_default());
                let place = map.enclosing(span).unwrap_or(place);
                writer.instruction("write", &number.to_string(), place);
            }
            TextPiece::Code(span) => {
                writer.spelled_code(text, span, map, place);
                writer.end_line();
            }
            TextPiece::Print(span) => {
                let at = Span::at(map.enclosing(span).unwrap_or(place).start());
                writer.piece(&format!("{INSTRUCTIONS}(\"print\", ("), at);
                writer.spelled_code(text, span, map, place);
                writer.piece("\n))", at);
                writer.end_line();
            }
        }
    }
    Ok(())
}
