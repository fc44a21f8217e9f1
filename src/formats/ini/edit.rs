//! Turns changes of the tree into edits of the text.
//!
//! ```text
//! ; limits               -> removed with its section
//! [limits]
//! max = 1
//!                        -> the blank line between two sections is removed too
//! [log]
//! level = info           -> only `info` is replaced
//!                        <- a new key of [log] goes here, a new section below a blank line
//! ```

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::parse::{IniSection, IniText};
use super::statements::indentation;
use super::syntax::{SEPARATOR, SYNTAX};
use super::write;
use crate::formats::key_values::{KeyValueBody, KeyValueLine, KeyValueText, LineStyle, NewEntry};
use crate::formats::language::{DocumentFormat, ParsedText};
use crate::formats::lines::{LineEdits, Lines};
use crate::formats::moved_lines::MovedLines;
use crate::source::{Source, steps};
use crate::yaml::{Entry, Mapping, Node, TextEdit};

impl ParsedText for IniText {
    fn format(&self) -> DocumentFormat {
        DocumentFormat(&super::LANGUAGE)
    }

    fn source(&self) -> &Arc<Source> {
        &self.source
    }

    fn roots(&self) -> Vec<Arc<Node>> {
        vec![Arc::clone(&self.root)]
    }

    fn edits(&self, roots: &[Arc<Node>]) -> Vec<TextEdit> {
        let after = roots.first().and_then(|root| root.resolved().as_mapping());
        let (Some(before), Some(after)) = (self.root.as_mapping(), after) else {
            return Vec::new();
        };
        let lines = Lines::new(self.source.text(), &self.ends, SYNTAX.is_comment);
        let mut edits = LineEdits::new(lines);
        let style = self.style(KeyValueText::new(lines));
        // Lines are removed first, so that a value can move from any section to any other.
        let globals = self.edit_globals(before, after, &style, &mut edits);
        let sections = self.edit_sections(before, after, &style, &mut edits);
        let moved = MovedLines::new(&self.source, &SYNTAX, self.all_lines(), &edits);
        self.add_globals(&globals, &moved, &mut edits);
        for section in &sections {
            section.body.add(&section.new, &moved, &mut edits);
        }
        self.add_sections(before, after, &style, &moved, &mut edits);
        edits.finish()
    }
}

/// Lines with the entries that are added to them.
struct ExtendedBody<'a, 'e> {
    body: KeyValueBody<'a>,
    new: Vec<NewEntry<'e>>,
}

/// The style of new lines without neighbours. It is computed once, because each section may need
/// it.
struct IniStyle<'a> {
    text: KeyValueText<'a>,
    /// The blanks before the headers. They are the same for all headers.
    header_indentation: &'a str,
    /// The style of the keys before the first section.
    globals: LineStyle<'a>,
    /// The style of the keys of a new section.
    section: LineStyle<'a>,
}

impl IniText {
    /// Returns every line with a key.
    fn all_lines(&self) -> impl Iterator<Item = KeyValueLine> {
        let sections = self.sections.iter().flat_map(|section| &section.lines);
        self.globals.iter().chain(sections).copied()
    }

    /// Edits the keys before the first section. Returns the new ones.
    fn edit_globals<'a, 'e>(
        &'a self,
        before: &Mapping,
        after: &'e Mapping,
        style: &IniStyle<'a>,
        edits: &mut LineEdits<'_>,
    ) -> ExtendedBody<'a, 'e> {
        let old: Vec<&Entry> = before.entries.iter().take(self.globals.len()).collect();
        let new: Vec<&Entry> = after
            .entries
            .iter()
            .filter(|entry| !is_section(entry))
            .collect();
        let place = self.before_first_section(edits);
        let body = body(style.text, &self.globals, place, style.globals);
        let new = body.edit(&old, &new, edits);
        ExtendedBody { body, new }
    }

    /// Adds keys before the first section.
    fn add_globals(
        &self,
        globals: &ExtendedBody<'_, '_>,
        moved: &MovedLines<'_>,
        edits: &mut LineEdits<'_>,
    ) {
        globals.body.add(&globals.new, moved, edits);
        if self.globals.is_empty() && !globals.new.is_empty() && !self.headers.is_empty() {
            // The first keys of a text get a blank line below them.
            edits.add(globals.body.place_if_empty, 0, String::new());
        }
    }

    /// Edits the keys of the sections that stay, and removes the other sections. Returns the new
    /// keys.
    fn edit_sections<'a, 'e>(
        &'a self,
        before: &'a Mapping,
        after: &'e Mapping,
        style: &IniStyle<'a>,
        edits: &mut LineEdits<'_>,
    ) -> Vec<ExtendedBody<'a, 'e>> {
        let mut wanted: HashMap<&str, &'e Mapping> = HashMap::new();
        for entry in after.entries.iter().filter(|entry| is_section(entry)) {
            if let (Some(name), Some(section)) =
                (name_of(entry), entry.value.resolved().as_mapping())
            {
                wanted.insert(name, section);
            }
        }
        let mut extended = Vec::new();
        for (section, entry) in self.sections_with(before) {
            let (Some(name), Some(old)) = (name_of(entry), entry.value.as_mapping()) else {
                continue;
            };
            match wanted.get(name) {
                Some(new) => extended.push(edit_section(section, old, new, style, edits)),
                None => {
                    // All parts of a repeated section are removed, because otherwise the section
                    // would still exist.
                    for part in &section.parts {
                        edits.remove_section(part.header.start(), part.end);
                    }
                }
            }
        }
        extended
    }

    /// Returns the sections of the text with their entries.
    fn sections_with<'a>(
        &'a self,
        before: &'a Mapping,
    ) -> impl Iterator<Item = (&'a IniSection, &'a Entry)> {
        let entries = before.entries.iter().skip(self.globals.len());
        self.sections.iter().zip(entries)
    }

    /// Adds the new sections, each below the section that it follows in `after`.
    fn add_sections(
        &self,
        before: &Mapping,
        after: &Mapping,
        style: &IniStyle<'_>,
        moved: &MovedLines<'_>,
        edits: &mut LineEdits<'_>,
    ) {
        let mut known: HashMap<&str, &IniSection> = HashMap::new();
        let mut removed: HashMap<*const Node, &IniSection> = HashMap::new();
        let sections = after.entries.iter().filter(|entry| is_section(entry));
        let wanted: HashSet<&str> = sections.filter_map(name_of).collect();
        for (section, entry) in self.sections_with(before) {
            let Some(name) = name_of(entry) else { continue };
            known.insert(name, section);
            if !wanted.contains(name) {
                removed.insert(Arc::as_ptr(&entry.value), section);
            }
        }
        let mut place = self.before_first_section(edits);
        for entry in after.entries.iter().filter(|entry| is_section(entry)) {
            let (Some(name), Some(section)) = (name_of(entry), entry.value.resolved().as_mapping())
            else {
                continue;
            };
            if let Some(known) = known.get(name) {
                let end = known.parts.last().map(|part| part.end);
                place = end.map_or(place, |end| edits.lines.end_of_section(&self.headers, end));
                continue;
            }
            let indentation = style.header_indentation;
            // A section that gets another name keeps the comments above its header.
            let renamed = removed.get(&Arc::as_ptr(entry.value.resolved()));
            let mut lines = renamed.map_or_else(Vec::new, |old| comments_above(old, edits));
            lines.extend(write::section_lines(
                name,
                section,
                indentation,
                &style.section,
                moved,
            ));
            let text = lines.join(edits.lines.newline);
            edits.add_section(&self.headers, place, &text);
        }
    }

    /// Returns the start of the first header and its comments, or the end of the text if there is
    /// no header.
    fn before_first_section(&self, edits: &LineEdits<'_>) -> usize {
        match self.headers.first() {
            Some(header) => edits.lines.own_comments(header.start()),
            None => edits.lines.text.len(),
        }
    }

    /// Returns the style of new lines without neighbours.
    fn style<'a>(&self, text: KeyValueText<'a>) -> IniStyle<'a> {
        let header_indentation = match self.headers.first() {
            Some(header) => text.lines.indent(header.start()),
            None => "",
        };
        let document = self.document_style(text);
        let lead = self.lead_of_new_section(text).unwrap_or(header_indentation);
        debug_assert!(indentation(lead) >= indentation(header_indentation));
        IniStyle {
            text,
            header_indentation,
            // At most as deep as the headers, because otherwise the first header would be read as a
            // continuation.
            globals: LineStyle {
                lead: header_indentation,
                ..document
            },
            section: LineStyle { lead, ..document },
        }
    }

    /// Returns the style of the last key of the text, without its quotes.
    fn document_style<'a>(&self, text: KeyValueText<'a>) -> LineStyle<'a> {
        steps::count(self.sections.len());
        let sections = self.sections.iter().flat_map(|section| &section.lines);
        let plain = LineStyle {
            newline: text.lines.newline,
            ..LineStyle::plain(SEPARATOR)
        };
        match self.globals.iter().chain(sections).last() {
            Some(line) => LineStyle {
                separator: text.style_of(&SYNTAX, *line).separator,
                ..plain
            },
            None => plain,
        }
    }

    /// Returns the blanks before the keys of the last section that has any.
    fn lead_of_new_section<'a>(&self, text: KeyValueText<'a>) -> Option<&'a str> {
        let mut sections = self.sections.iter().rev();
        let first = sections.find_map(|section| section.lines.first())?;
        Some(text.style_of(&SYNTAX, *first).lead)
    }
}

/// Returns the comment lines above the first header of a section.
fn comments_above(section: &IniSection, edits: &LineEdits<'_>) -> Vec<String> {
    let Some(part) = section.parts.first() else {
        return Vec::new();
    };
    let start = edits.lines.own_comments(part.header.start());
    let end = edits.lines.start(part.header.start());
    let comments = edits.lines.slice(start, end);
    comments.lines().map(str::to_owned).collect()
}

/// Edits the keys of a section. Returns the new ones.
fn edit_section<'a, 'e>(
    section: &'a IniSection,
    before: &Mapping,
    after: &'e Mapping,
    style: &IniStyle<'a>,
    edits: &mut LineEdits<'_>,
) -> ExtendedBody<'a, 'e> {
    // A section without keys gets its first key below its first header.
    let place = match section.parts.first() {
        Some(part) => edits.lines.next(part.header.end()),
        None => edits.lines.text.len(),
    };
    let old: Vec<&Entry> = before.entries.iter().collect();
    let new: Vec<&Entry> = after.entries.iter().collect();
    let body = body(style.text, &section.lines, place, style.section);
    let new = body.edit(&old, &new, edits);
    ExtendedBody { body, new }
}

/// Returns lines of a text. `place` and `style` are those of a first line if there are no lines.
fn body<'a>(
    text: KeyValueText<'a>,
    lines: &'a [KeyValueLine],
    place: usize,
    style: LineStyle<'a>,
) -> KeyValueBody<'a> {
    KeyValueBody {
        text,
        syntax: &SYNTAX,
        lines,
        place_if_empty: place,
        style_if_empty: style,
    }
}

fn is_section(entry: &Entry) -> bool {
    entry.value.resolved().as_mapping().is_some()
}

fn name_of(entry: &Entry) -> Option<&str> {
    entry.key.resolved().text()
}
