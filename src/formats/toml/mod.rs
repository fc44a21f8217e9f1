//! TOML: parses a text into a tree, and turns changes of the tree into edits of the text.
//!
//! The lines of one TOML table can be anywhere in the text: below its header, in dotted keys of
//! another table, in sub-tables with their own headers. So there are two trees: that of `yaml`,
//! which the rest of the crate edits, and one of [`TomlTable`](document::TomlTable)s, which records
//! the place and the form of each key. The writer walks through both at the same time and compares
//! them key by key with the edited tree. The order of keys has no meaning in TOML, so a key that
//! stays keeps its place.
//!
//! The crate `toml` decides what is valid TOML. The tables are built from the events of
//! `toml_parser`, the parser below it: we could use the tree of `toml_edit` instead, but it does
//! not record where the parts of a dotted key and the commas are.

mod bracket;
mod check;
mod comments;
mod document;
mod edit;
mod read;
mod scalar;
mod string;
mod write;

use super::language::{Language, ScalarSyntax};

/// The maximum nesting depth of tables and lists, as in the crate `toml`.
const NESTING_LIMIT: usize = 80;

pub(super) static LANGUAGE: Language = Language {
    name: "toml",
    title: "TOML",
    summary: "TOML",
    extensions: &["toml"],
    syntax: None,
    scalars: ScalarSyntax {
        only_text: false,
        is_typed: |text| scalar::kind(text).is_some(),
        is_time: |text| scalar::kind(text) == Some(scalar::BareKind::Time),
        fraction: scalar::fraction,
    },
    read: |source| Ok(Box::new(read::read(source)?)),
    read_blank: |source| Ok(Box::new(read::read(source)?)),
    read_leniently: |_, _| None,
    text_keys: true,
    check: check::check,
    write: |root| Ok(write::write(root)),
    canonical: |root| Ok(write::write(root)),
    separator: "",
    offsets: string::offsets,
    excerpt: write::excerpt,
};
