//! From a text to a scalar's bytes.

use super::block;
use super::double_quoted::{self, Escapes};
use crate::yaml::character::is_printable;
use crate::yaml::node::ScalarStyle;
use crate::yaml::node::Syntax;
use crate::yaml::value::{is_plain_string, reads_as_string};

/// Where a scalar is to stand, which decides what it may look like.
#[derive(Clone, Copy, Debug)]
pub struct Place<'a> {
    /// The grammar of the text around it.
    pub syntax: Syntax,
    /// Whether it stands in brackets or braces.
    pub flow: bool,
    /// Whether it is a key.
    pub key: bool,
    /// The indentation of the collection that holds it.
    pub parent_indent: usize,
    /// How much deeper its own lines stand, if it becomes a block scalar.
    pub step: usize,
    /// The line break of the text around it.
    pub newline: &'a str,
    /// The lines that follow the last one of the scalar, which a block scalar must not take for its own.
    pub rest: &'a str,
}

/// Spells the string `text` in the style wanted, or in the nearest one that can hold it at `place`.
///
/// Plain becomes double-quoted where the text would be read as something else than a string, and single-quoted where it
/// is a string but not YAML; single-quoted becomes double-quoted for line breaks and unprintable characters; literal and folded become double-quoted where no block may stand. What is
/// spelled always reads back as the string `text`. It ends with a line break only where that is part of a block scalar's
/// text.
pub fn encode(text: &str, style: ScalarStyle, place: &Place<'_>) -> String {
    if place.syntax == Syntax::Json {
        return quoted(text, Escapes::Json);
    }
    let spelled = match style {
        ScalarStyle::Plain if is_plain_string(text, place.flow || place.key) => {
            Some(text.to_owned())
        }
        ScalarStyle::Plain if reads_as_string(text) => single_quoted(text),
        ScalarStyle::Plain => None,
        ScalarStyle::SingleQuoted => single_quoted(text),
        ScalarStyle::DoubleQuoted => None,
        ScalarStyle::Literal | ScalarStyle::Folded if place.flow || place.key => None,
        // A folded text has no line breaks of its own to go by; a literal holds every text that a fold could.
        ScalarStyle::Literal | ScalarStyle::Folded => block::literal(text, place),
    };
    spelled.unwrap_or_else(|| quoted(text, Escapes::Yaml))
}

fn quoted(text: &str, escapes: Escapes) -> String {
    let mut result = String::with_capacity(text.len() + 2);
    result.push('"');
    double_quoted::escape(text, escapes, &mut result);
    result.push('"');
    result
}

fn single_quoted(text: &str) -> Option<String> {
    let fits = text.chars().all(|c| c == '\t' || is_printable(c));
    fits.then(|| format!("'{}'", text.replace('\'', "''")))
}
