//! Writes the program of a template and records the origin of each piece, so that an error in the
//! program is shown in the template.

use std::sync::Arc;

use super::comment::TemplateOptions;
use crate::dialect::{INSTRUCTIONS, instruction};
use crate::script::Script;
use crate::script::fragments::{Part, Parts};
use crate::source::{Location, OffsetMap, Source, Span};

/// The program so far, with its map and its parts.
pub(super) struct ProgramWriter<'a> {
    pub(super) source: &'a Arc<Source>,
    text: String,
    map: OffsetMap,
    parts: Parts,
    /// The number of the next instruction with expressions, if they are recorded.
    next_mark: Option<u32>,
}

impl<'a> ProgramWriter<'a> {
    /// Creates a writer for the program of a template, which has no lines yet.
    pub(super) fn new(source: &'a Arc<Source>, options: TemplateOptions) -> ProgramWriter<'a> {
        let parts = Parts {
            implicit_overrides: options.implicit_map_key_overrides,
            ..Parts::default()
        };
        ProgramWriter {
            source,
            next_mark: options.records.then_some(0),
            text: String::new(),
            map: OffsetMap::default(),
            parts,
        }
    }

    /// Returns the program with its parts.
    pub(super) fn finish(self) -> Script {
        Script {
            text: self.text,
            map: self.map,
            parts: self.parts,
        }
    }

    /// Adds a part and returns its number.
    pub(super) fn part(&mut self, part: Part) -> usize {
        self.parts.parts.push(part);
        self.parts.parts.len() - 1
    }

    /// Adds a piece of text and returns its number.
    pub(super) fn text(&mut self, text: &str) -> usize {
        self.parts.texts.push(text.into());
        self.parts.texts.len() - 1
    }

    /// Copies a line of code, after `prefix`.
    ///
    /// A line that follows a backslash keeps its indentation, as in ytt, because the backslash may
    /// be inside a string.
    pub(super) fn code(&mut self, prefix: &str, code: Span) {
        let code = if self.text.ends_with("\\\n") {
            self.with_indentation(code)
        } else {
            code
        };
        self.generate(prefix, Span::at(code.start()));
        self.copy(code);
        self.text.push('\n');
    }

    /// Returns the code including its indentation, without the first space, which ends `#@`:
    ///
    /// ```text
    /// #@   fourth
    ///    ^^^^^^^^
    /// ```
    fn with_indentation(&self, code: Span) -> Span {
        let before = self.source.text().get(..code.start()).unwrap_or_default();
        let unindented = before.trim_end_matches([' ', '\t']);
        let blanks = before.len() - unindented.len();
        Span::new(code.start() - blanks.saturating_sub(1), code.end())
    }

    /// Writes a generated line. Errors in it are shown at `place`.
    pub(super) fn line(&mut self, line: &str, place: Span) {
        self.generate(line, place);
        self.text.push('\n');
    }

    /// Writes an instruction without expressions.
    pub(super) fn instruction(&mut self, name: &str, arguments: &str, place: Span) {
        self.line(&instruction(name, arguments), place);
    }

    /// Writes an instruction with expressions. The closing bracket of each expression starts a new
    /// line, so that a comment in the expression ends before it:
    ///
    /// ```text
    /// __ytt("set", 3, (x # why
    /// ))
    /// ```
    pub(super) fn call(
        &mut self,
        name: &str,
        number: Option<usize>,
        expressions: &[Span],
        place: Span,
    ) {
        let mark = match expressions.is_empty() {
            true => None,
            false => self.mark(place),
        };
        self.generate(&format!("{INSTRUCTIONS}(\"{name}\""), place);
        if let Some(number) = number {
            self.generate(&format!(", {number}"), place);
        }
        for expression in expressions {
            // Every expression gets its own brackets: `x, y` is one tuple and not two arguments.
            let (hole, end) = match mark {
                Some(mark) => (format!("{INSTRUCTIONS}(\"hole\", {mark}, "), ")"),
                None => (String::new(), ""),
            };
            let opening = format!(", {hole}(");
            self.generate(&opening, Span::at(expression.start()));
            self.copy(*expression);
            self.generate(&format!("\n){end}"), Span::at(expression.end()));
        }
        self.generate(
            ")",
            Span::at(expressions.last().map_or(place.end(), |last| last.end())),
        );
        self.text.push('\n');
    }

    /// Writes the instruction that marks the start of an instruction with expressions, if they are
    /// recorded. Returns its number.
    pub(super) fn mark(&mut self, place: Span) -> Option<u32> {
        let number = self.next_mark?;
        self.next_mark = Some(number.saturating_add(1));
        self.instruction("mark", &number.to_string(), place);
        Some(number)
    }

    /// Writes the instruction of an annotation, with its arguments.
    pub(super) fn annotation(&mut self, name: &str, arguments: Span, place: Span) {
        let number = self.parts.annotations.len();
        self.parts
            .annotations
            .push((name.into(), Location::new(self.source, place)));
        self.generate(&format!("{INSTRUCTIONS}(\"annotate\", {number}, "), place);
        self.copy(arguments);
        self.generate("\n)", Span::at(arguments.end()));
        self.text.push('\n');
    }

    fn generate(&mut self, text: &str, place: Span) {
        let start = self.text.len();
        self.text.push_str(text);
        if !text.is_empty() {
            self.map
                .push_spelled(Span::new(start, self.text.len()), place);
        }
    }

    fn copy(&mut self, code: Span) {
        let text = self.source.slice(code);
        self.map
            .push_verbatim(self.text.len(), code.start(), text.len());
        self.text.push_str(text);
    }

    /// Writes code from a text whose spelling in the source differs, such as a quoted string. `map`
    /// maps the text to the source. Where both are equal, the code is copied, so that errors are
    /// shown at the exact byte.
    pub(super) fn spelled_code(
        &mut self,
        text: &str,
        range: Span,
        map: &OffsetMap,
        fallback: Span,
    ) {
        let code = text.get(range.range()).unwrap_or_default();
        match map
            .outer_span(range)
            .filter(|outer| self.source.slice(*outer) == code)
        {
            // If both texts are equal, each byte maps to its own place. Otherwise (escapes, folded
            // lines), the whole expression maps to the whole scalar.
            Some(outer) => self.copy(outer),
            None => self.generate(code, map.enclosing(range).unwrap_or(fallback)),
        }
    }

    /// Ends the line.
    pub(super) fn end_line(&mut self) {
        self.text.push('\n');
    }

    /// Writes a generated piece of a line. Errors in it are shown at `place`.
    pub(super) fn piece(&mut self, text: &str, place: Span) {
        self.generate(text, place);
    }
}
