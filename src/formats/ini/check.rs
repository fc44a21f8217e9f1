//! Refuses values that INI cannot represent before an edited tree is written: lists, and sections
//! in sections.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::TITLE;
use super::syntax::{can_spell, can_spell_key};
use crate::formats::key_values::{check_texts, not_representable};
use crate::source::{Code, Diagnostic, Result};
use crate::yaml::{Content, Entry, Mapping, Node};

/// Refuses a tree that INI cannot represent. Entries that it shares with `before` are not checked
/// again.
///
/// # Errors
/// [`Code::ValueDoesNotFit`] for a root that is not a mapping, null, a list, a mapping inside a
/// section, and a key or a value that no line can spell; [`Code::DuplicateKey`] for two sections
/// with the same name.
pub(super) fn check(before: &Arc<Node>, after: &Arc<Node>) -> Result<()> {
    let root = after.resolved();
    let Some(mapping) = root.as_mapping() else {
        let found = root.described();
        let message = format!("{TITLE} contains sections and keys, found {found}");
        return Err(not_representable(root, message)
            .help("write a mapping, or name a key of the document in the path"));
    };
    let changed = mapping.changed_since(before.as_mapping());
    let is_whole = changed.after.len() == mapping.entries.len();
    let known = Known::of(&changed.before);
    let mut names = HashSet::new();
    for entry in changed.new_elements() {
        let Content::Mapping(section) = &entry.value.resolved().content else {
            line(entry, &known)?;
            continue;
        };
        let name = section_name(entry)?;
        let old = known.sections.get(name).copied();
        // The name of an old section is known to be unique. A new section may have the name of a
        // section that both versions share.
        let is_new = !is_whole && old.is_none();
        if !names.insert(name) || (is_new && has_other_section(mapping, entry, name)) {
            let message = format!("section `{name}` is given twice in {TITLE}");
            return Err(Diagnostic::error(Code::DuplicateKey, message)
                .at(entry.key.location(), "given again here"));
        }
        let changed = section.changed_since(old);
        let known = Known::of(&changed.before);
        for entry in changed.new_elements() {
            line(entry, &known)?;
        }
    }
    Ok(())
}

/// Returns whether an entry other than `entry` is a section with the name `name`.
fn has_other_section(mapping: &Mapping, entry: &Entry, name: &str) -> bool {
    let places = mapping.entries.positions(None, name).into_iter();
    let others = places
        .filter_map(|at| mapping.entries.at(at))
        .filter(|other| !Arc::ptr_eq(&other.key, &entry.key));
    others
        .map(|other| other.value.resolved())
        .any(|value| value.as_mapping().is_some())
}

/// The results of the last check.
struct Known<'a> {
    /// The value under each key node.
    values: HashMap<*const Node, &'a Arc<Node>>,
    sections: HashMap<&'a str, &'a Mapping>,
}

impl<'a> Known<'a> {
    fn of(entries: &[&'a Entry]) -> Known<'a> {
        let mut known = Known {
            values: HashMap::new(),
            sections: HashMap::new(),
        };
        for entry in entries {
            match (entry.key.text(), entry.value.as_mapping()) {
                (Some(name), Some(section)) => {
                    known.sections.insert(name, section);
                }
                _ => {
                    known.values.insert(Arc::as_ptr(&entry.key), &entry.value);
                }
            }
        }
        known
    }
}

/// Checks a key and its value.
fn line(entry: &Entry, known: &Known<'_>) -> Result<()> {
    let (key, value) = (entry.key.resolved(), entry.value.resolved());
    let old = known.values.get(&Arc::as_ptr(key));
    if old.is_some_and(|old| Arc::ptr_eq(old, value)) {
        return Ok(());
    }
    let texts = check_texts(entry, TITLE)?;
    if old.is_none() && !can_spell_key(texts.key) {
        let message = format!("{TITLE} cannot contain the key `{}`", texts.key);
        return Err(not_representable(key, message).help(
            "a key has no `=`, `:` or line break, no blank at its ends, and does not begin with `[`, `;` or `#`",
        ));
    }
    if !can_spell(texts.value) {
        let message = format!("{TITLE} cannot contain this value for `{}`", texts.key);
        return Err(not_representable(value, message).help(
            "a value of several lines has no blank at the end of a line, no line that begins with `;` or `#`, \
             and no line break at its end",
        ));
    }
    Ok(())
}

/// Returns the name of a section.
fn section_name(entry: &Entry) -> Result<&str> {
    let key = entry.key.resolved();
    let name = key.text().unwrap_or("");
    let is_trimmed = !name.is_empty() && name.trim_matches(super::statements::BLANKS) == name;
    if is_trimmed && !name.contains([']', '\n', '\r']) {
        return Ok(name);
    }
    let message = format!("{TITLE} cannot contain a section with the name `{name}`");
    Err(not_representable(key, message)
        .help("a name is not empty, and has no `]`, no line break, and no blank at its ends"))
}
