//! Prints answers as JSON, for programs. `docs/explain.md` describes the fields.

use std::fmt::{self, Write};
use std::sync::Arc;

use super::human::shown_text;
use super::link::{ExplainedObject, Explanation, Input, InputKind, Link};
use crate::golang::json::encode_node;
use crate::source::{Location, Result};
use crate::yaml::{Node, json_string};

/// The version of the shape.
const API_VERSION: &str = "inlay.dev/explain/v1";

/// Prints answers as one JSON object.
///
/// # Errors
/// A value that JSON cannot express, such as NaN.
pub fn print(explanations: &[Explanation], shows_secrets: bool) -> Result<String> {
    let mut printer = AnswerPrinter {
        text: String::new(),
        shows_secrets,
    };
    printer.answers(explanations)?;
    Ok(printer.text)
}

/// The JSON text so far.
struct AnswerPrinter {
    text: String,
    shows_secrets: bool,
}

/// Whether a value is printed, or `"…"` in its place.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Visibility {
    Shown,
    Hidden,
}

impl AnswerPrinter {
    fn answers(&mut self, explanations: &[Explanation]) -> Result<()> {
        let version = json_string(API_VERSION);
        self.push(format_args!("{{\"apiVersion\":{version},\"matches\":"));
        self.list(explanations, Self::explanation)?;
        self.push(format_args!("}}\n"));
        Ok(())
    }

    /// Prints a list, each element with `print`.
    fn list<T>(
        &mut self,
        elements: &[T],
        print: impl Fn(&mut Self, &T) -> Result<()>,
    ) -> Result<()> {
        self.text.push('[');
        for (index, element) in elements.iter().enumerate() {
            if index > 0 {
                self.text.push(',');
            }
            print(self, element)?;
        }
        self.text.push(']');
        Ok(())
    }

    fn explanation(&mut self, explanation: &Explanation) -> Result<()> {
        let visibility = self.visibility(explanation.is_secret, Visibility::Shown);
        self.text.push_str("{\"object\":");
        self.object(&explanation.object);
        self.string_field("path", &explanation.path);
        match &explanation.value {
            Some(value) => self.value_field("value", value, visibility)?,
            None => self.text.push_str(",\"removed\":true"),
        }
        self.links(&explanation.links, visibility)?;
        self.text.push('}');
        Ok(())
    }

    /// Prints the field with the links of a value.
    fn links(&mut self, links: &[Link], visibility: Visibility) -> Result<()> {
        self.text.push_str(",\"links\":");
        self.list(links, |printer, link| printer.link(link, visibility))
    }

    fn link(&mut self, link: &Link, around: Visibility) -> Result<()> {
        let visibility = self.visibility(link.is_secret, around);
        self.push(format_args!("{{\"kind\":{}", json_string(link.kind.name())));
        if let Some(place) = &link.place {
            self.place_field("at", place);
        }
        if let Some(code) = &link.text {
            let is_hidden = visibility == Visibility::Hidden;
            self.string_field("text", &shown_text(link, code, is_hidden));
        }
        if let Some(before) = &link.before {
            self.value_field("before", before, visibility)?;
        }
        if let Some(after) = &link.after {
            self.value_field("after", after, visibility)?;
        }
        if !link.inputs.is_empty() {
            self.text.push_str(",\"inputs\":");
            self.list(&link.inputs, |printer, input| {
                printer.input(input, visibility)
            })?;
        }
        self.text.push('}');
        Ok(())
    }

    fn input(&mut self, input: &Input, visibility: Visibility) -> Result<()> {
        match &input.kind {
            InputKind::DataValue { library, key } => {
                self.push(format_args!("{{\"dataValue\":{}", json_string(key)));
                if let Some(library) = library {
                    self.string_field("library", library);
                }
            }
            InputKind::Field { object, path } => {
                self.text.push_str("{\"object\":");
                self.object(object);
                self.string_field("path", path);
            }
        }
        if let Some(value) = &input.value {
            self.value_field("value", value, visibility)?;
        }
        self.links(&input.links, visibility)?;
        self.text.push('}');
        Ok(())
    }

    /// Returns whether a value is shown. `around` is the visibility of the answer that contains it:
    /// all values of a hidden answer are hidden.
    fn visibility(&self, is_secret: bool, around: Visibility) -> Visibility {
        match is_secret && !self.shows_secrets {
            true => Visibility::Hidden,
            false => around,
        }
    }

    fn object(&mut self, object: &ExplainedObject) {
        self.push(format_args!(
            "{{\"apiVersion\":{},\"kind\":{}",
            json_string(&object.api_version),
            json_string(&object.kind)
        ));
        if !object.namespace.is_empty() {
            self.string_field("namespace", &object.namespace);
        }
        self.string_field("name", &object.name);
        self.text.push('}');
    }

    /// Prints a place. Lines and columns are counted from 1, and columns in characters. The end is
    /// after the last character.
    fn place_field(&mut self, name: &str, place: &Location) {
        let place = place.in_file();
        let start = place.source.line_column(place.span.start());
        let end = place.source.line_column(place.span.end());
        self.push(format_args!(
            ",\"{name}\":{{\"file\":{},\"line\":{},\"column\":{},\"endLine\":{},\"endColumn\":{}}}",
            json_string(place.source.shown_name()),
            start.line,
            start.column,
            end.line,
            end.column
        ));
    }

    fn string_field(&mut self, name: &str, value: &str) {
        self.push(format_args!(",\"{name}\":{}", json_string(value)));
    }

    /// Prints a field with the value of a node.
    ///
    /// # Errors
    /// A value that JSON cannot express.
    fn value_field(&mut self, name: &str, value: &Arc<Node>, visibility: Visibility) -> Result<()> {
        let value = match visibility {
            Visibility::Shown => encode_node(value)?,
            Visibility::Hidden => json_string("…"),
        };
        self.push(format_args!(",\"{name}\":{value}"));
        Ok(())
    }

    fn push(&mut self, text: fmt::Arguments<'_>) {
        // Writing to a string cannot fail.
        let _ = self.text.write_fmt(text);
    }
}
