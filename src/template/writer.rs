//! Writes the program of a template, with the place of each piece in the source.

use std::sync::Arc;

use crate::dialect::INSTRUCTIONS;
use crate::script::Script;
use crate::script::fragments::{Part, Parts};
use crate::source::{Location, OffsetMap, Source, Span};

/// A program that grows.
pub(super) struct Writer<'a> {
    pub(super) source: &'a Arc<Source>,
    text: String,
    map: OffsetMap,
    parts: Parts,
}

impl<'a> Writer<'a> {
    pub(super) fn new(source: &'a Arc<Source>, implicit_overrides: bool) -> Writer<'a> {
        let parts = Parts {
            implicit_overrides,
            ..Parts::default()
        };
        Writer {
            source,
            text: String::new(),
            map: OffsetMap::default(),
            parts,
        }
    }

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

    /// A line of code as it stands, or after `prefix`.
    pub(super) fn code(&mut self, prefix: &str, code: Span) {
        self.made(prefix, Span::at(code.start()));
        self.copied(code);
        self.text.push('\n');
    }

    /// A line that stands on behalf of `place`.
    pub(super) fn line(&mut self, line: &str, place: Span) {
        self.made(line, place);
        self.text.push('\n');
    }

    /// An instruction without expressions.
    pub(super) fn instruction(&mut self, call: &str, place: Span) {
        self.line(&format!("{INSTRUCTIONS}.{call}"), place);
    }

    /// An instruction `name(number, (expression), …)`. Each expression ends on a line of its own, so that a comment in
    /// it ends there too.
    pub(super) fn call(
        &mut self,
        name: &str,
        number: Option<usize>,
        expressions: &[Span],
        place: Span,
    ) {
        self.made(&format!("{INSTRUCTIONS}.{name}("), place);
        if let Some(number) = number {
            self.made(&number.to_string(), place);
        }
        for (index, expression) in expressions.iter().enumerate() {
            self.made(
                if index > 0 || number.is_some() {
                    ", ("
                } else {
                    "("
                },
                Span::at(expression.start()),
            );
            self.copied(*expression);
            self.made("\n)", Span::at(expression.end()));
        }
        self.made(
            ")",
            Span::at(expressions.last().map_or(place.end(), |last| last.end())),
        );
        self.text.push('\n');
    }

    /// An instruction whose last arguments are those of an annotation.
    pub(super) fn annotation(&mut self, name: &str, arguments: Span, place: Span) {
        let number = self.parts.annotations.len();
        self.parts
            .annotations
            .push((name.into(), Location::new(self.source, place)));
        self.made(&format!("{INSTRUCTIONS}.annotate({number}, "), place);
        self.copied(arguments);
        self.made("\n)", Span::at(arguments.end()));
        self.text.push('\n');
    }

    fn made(&mut self, text: &str, place: Span) {
        let start = self.text.len();
        self.text.push_str(text);
        if !text.is_empty() {
            self.map
                .push_spelled(Span::new(start, self.text.len()), place);
        }
    }

    fn copied(&mut self, code: Span) {
        let text = self.source.slice(code);
        self.map
            .push_verbatim(self.text.len(), code.start(), text.len());
        self.text.push_str(text);
    }

    /// Code from a text that the source spells: `map` leads there.
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
            Some(outer) => self.copied(outer),
            None => self.made(code, map.enclosing(range).unwrap_or(fallback)),
        }
    }

    /// Ends the line.
    pub(super) fn end_line(&mut self) {
        self.text.push('\n');
    }

    /// A piece of a line that stands on behalf of `place`.
    pub(super) fn piece(&mut self, text: &str, place: Span) {
        self.made(text, place);
    }
}
