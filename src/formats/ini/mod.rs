//! INI files: sections of keys and values.
//!
//! There is no standard. The dialect read here is that of Python's `configparser`, the most widely
//! used reader with a specification, extended where other programs accept more and nothing is
//! ambiguous:
//!
//! ```text
//! ; a comment: the first character of the line is `;` or `#`
//! debug = off                  a key before the first section
//!
//! [server]                     a section; one that is repeated continues the first
//! host : web                   `=` or `:`, whichever comes first; blanks around it do not count
//! motto = "a = b"              quotes around a whole value are not part of it, and stay when it is replaced
//! hosts = one                  lines that are indented deeper than the key continue its value
//!     two                      -> "one\ntwo"
//! path = /a ; not a comment    everything up to the end of the line is the value
//! verbose                      a key without a value has the empty one
//! ```
//!
//! - We could read ` ;` after a value as a comment, as some programs do. Then a new value would be
//!   joined with what belongs to the old one in programs that do not, which is worse than a comment
//!   that is replaced along with it.
//! - A backslash is a character like any other, since `C:\temp\` is a common value.
//! - Continuation lines lose their common indentation only, where Python removes it all: then an
//!   embedded document that is indented, such as JSON, keeps its layout.
//!
//! The tree is a mapping of strings and, for each section, a mapping of strings.

mod check;
mod edit;
mod parse;
mod statements;
mod syntax;
#[cfg(test)]
mod tests;
mod write;

use super::key_values;
use super::language::{Language, ScalarSyntax};

/// What messages call the language.
const TITLE: &str = "an INI file";

pub(super) static LANGUAGE: Language = Language {
    name: "ini",
    title: TITLE,
    summary: "INI: sections of `key = value`",
    // `.cfg` and `.conf` files are often something else, such as nginx's, so they need
    // `format: ini`.
    extensions: &["ini"],
    syntax: None,
    scalars: ScalarSyntax::TEXT,
    read: |source| Ok(Box::new(parse::parse(source)?)),
    read_blank: |source| Ok(Box::new(parse::parse(source)?)),
    read_leniently: |_, _| None,
    text_keys: true,
    check: check::check,
    write: |root| Ok(write::write(root)),
    canonical: |root| Ok(write::write(root)),
    separator: "",
    offsets: |node| key_values::offsets(node, &syntax::SYNTAX),
    excerpt: write::excerpt,
};
