//! Encodes a text as a scalar of a given style, or of the most similar one that can express it.

use super::block;
use super::double_quoted;
use crate::yaml::character::is_printable;
use crate::yaml::node::ScalarStyle;
use crate::yaml::node::Syntax;
use crate::yaml::value::{PlainContext, is_plain_string, reads_as_string_everywhere};

/// The surroundings of a scalar, which decide the styles that it can have.
#[derive(Clone, Copy, Debug)]
pub struct ScalarPlace<'a> {
    /// The grammar of the text around it.
    pub syntax: Syntax,
    /// Whether it is inside brackets or braces.
    pub flow: bool,
    /// Whether it is a key.
    pub key: bool,
    /// The indentation of the collection that contains it.
    pub parent_indent: usize,
    /// The additional indentation of its lines if it becomes a block scalar.
    pub step: usize,
    /// The line break of the text around it.
    pub newline: &'a str,
    /// The lines after the scalar. A block scalar must not absorb them.
    pub rest: &'a str,
}

/// Encodes the string `text` in `style`, or in the most similar style that can express it at
/// `place`.
///
/// | style | problem | instead |
/// | --- | --- | --- |
/// | plain | would be read as a number, a boolean, … | double-quoted |
/// | plain | a string, but not valid as plain YAML | single-quoted |
/// | single-quoted | line breaks, unprintable characters | double-quoted |
/// | literal, folded | a block is not possible here, or cannot express the text | double-quoted |
///
/// The result always reads back as the string `text`. It ends with a line break only if that is
/// part of the text of a block scalar.
pub fn encode(text: &str, style: ScalarStyle, place: &ScalarPlace<'_>) -> String {
    if place.syntax == Syntax::Json {
        return quoted(text);
    }
    let spelled = match style {
        // A key is on one line with its colon, which also ends a scalar in flow context.
        ScalarStyle::Plain if is_plain_string(text, PlainContext::of(place.flow || place.key)) => {
            Some(text.to_owned())
        }
        ScalarStyle::Plain if reads_as_string_everywhere(text) => single_quoted(text),
        ScalarStyle::Plain => None,
        ScalarStyle::SingleQuoted => single_quoted(text),
        ScalarStyle::DoubleQuoted => None,
        ScalarStyle::Literal | ScalarStyle::Folded if place.flow || place.key => None,
        // The text does not say where a folded scalar should break its lines. A literal scalar can
        // express the same texts.
        ScalarStyle::Literal | ScalarStyle::Folded => block::literal(text, place),
    };
    spelled.unwrap_or_else(|| quoted(text))
}

fn quoted(text: &str) -> String {
    let mut result = String::with_capacity(text.len() + 2);
    result.push('"');
    double_quoted::escape(text, &mut result);
    result.push('"');
    result
}

fn single_quoted(text: &str) -> Option<String> {
    let fits = text.chars().all(|c| c == '\t' || is_printable(c));
    fits.then(|| format!("'{}'", text.replace('\'', "''")))
}
