//! From a text to a scalar's bytes.

use super::block;
use super::double_quoted::{self, Escapes};
use crate::yaml::node::ScalarStyle;
use crate::yaml::stream::Syntax;
use crate::yaml::value::is_plain_string;

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
}

/// Spells the string `text` in the style wanted, or in the nearest one that can hold it at `place`.
///
/// Plain becomes double-quoted where the text would be read as something else; single-quoted becomes double-quoted for
/// line breaks and unprintable characters; literal and folded become double-quoted where no block may stand. What is
/// spelled always reads back as the string `text`. A block scalar ends with a line break, everything else without.
pub fn encode(text: &str, style: ScalarStyle, place: &Place<'_>) -> String {
    if place.syntax == Syntax::Json {
        return quoted(text, Escapes::Json);
    }
    let spelled = match style {
        ScalarStyle::Plain => is_plain_string(text, place.flow || place.key).then(|| text.to_owned()),
        ScalarStyle::SingleQuoted => single_quoted(text),
        ScalarStyle::DoubleQuoted => None,
        ScalarStyle::Literal | ScalarStyle::Folded if place.flow || place.key => None,
        // A folded text has no line breaks of its own to go by; a literal holds every text that a fold could.
        ScalarStyle::Literal | ScalarStyle::Folded => {
            block::literal(text, place.parent_indent + place.step, place.step, place.newline)
        }
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

/// Whether a character may stand in a YAML text as it is. YAML 1.2.2, section 5.1, without the line breaks of YAML 1.1
/// and without the byte order mark, which readers treat differently. A tab is for the caller to judge.
pub(super) fn is_printable(c: char) -> bool {
    matches!(c, ' '..='~' | '\u{a0}'..='\u{2027}' | '\u{202a}'..='\u{d7ff}' | '\u{e000}'..='\u{fefe}' | '\u{ff00}'..='\u{fffd}' | '\u{10000}'..)
}
