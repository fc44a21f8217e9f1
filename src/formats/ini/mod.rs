//! INI files: sections of keys and values.
//!
//! INI has no standard. This module reads the dialect of Python's `configparser`, the most widely
//! used reader with a specification. It is extended where other programs accept more and the
//! meaning is unambiguous:
//!
//! ```text
//! ; a comment: the first character of the line is `;` or `#`
//! debug = off                  a key before the first section
//!
//! [server]                     a section; one that is repeated continues the first
//! host : web                   `=` or `:`, whichever comes first; blanks around it do not count
//! motto = "a = b"              quotes around a whole value are not part of it, and stay
//! hosts = one                  lines that are indented deeper than the key continue its value
//!     two                      -> "one\ntwo"
//! path = /a ; not a comment    everything up to the end of the line is the value
//! verbose                      a key without a value has an empty value
//! ```
//!
//! - We could read ` ;` after a value as a comment, as some programs do. Then programs that do not
//!   would join a new value with the rest of the old one, which is worse than replacing a comment
//!   together with its value.
//! - A backslash is a character like any other, since `C:\temp\` is a common value.
//! - Continuation lines lose only their common indentation, while Python removes all of it. This
//!   way an indented embedded document, such as JSON, keeps its layout.
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

/// The name of the language in messages.
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
