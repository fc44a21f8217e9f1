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

use std::collections::HashMap;
use std::sync::Arc;

use super::parse::{IniSection, IniText};
use super::statements::indentation;
use super::syntax::{SEPARATOR, SYNTAX};
use super::write;
use crate::formats::key_values::{KeyValueBody, KeyValueLine, LineStyle, style_of};
use crate::formats::language::{DocumentFormat, ParsedText};
use crate::formats::lines::{LineEdits, Lines};
use crate::source::Source;
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
        self.edit_globals(before, after, &mut edits);
        self.edit_sections(before, after, &mut edits);
        edits.finish()
    }
}

impl IniText {
    /// Edits the keys before the first section.
    fn edit_globals(&self, before: &Mapping, after: &Mapping, edits: &mut LineEdits<'_>) {
        let old: Vec<&Entry> = before.entries.iter().take(self.globals.len()).collect();
        let new: Vec<&Entry> = after
            .entries
            .iter()
            .filter(|entry| !is_section(entry))
            .collect();
        let place = self.before_first_section(edits);
        // At most as deep as the headers, because otherwise the first header would be read as a
        // continuation.
        let style = LineStyle {
            lead: self.header_indentation(),
            ..self.document_style()
        };
        self.body(&self.globals, place, style)
            .edit(&old, &new, edits);
        if old.is_empty() && !new.is_empty() && !self.headers.is_empty() {
            // The first keys of a text get a blank line below them.
            edits.add(place, 0, String::new());
        }
    }

    fn edit_sections(&self, before: &Mapping, after: &Mapping, edits: &mut LineEdits<'_>) {
        let mut wanted: HashMap<&str, &Mapping> = HashMap::new();
        for entry in after.entries.iter().filter(|entry| is_section(entry)) {
            if let (Some(name), Some(section)) =
                (name_of(entry), entry.value.resolved().as_mapping())
            {
                wanted.insert(name, section);
            }
        }
        let mut known: HashMap<&str, &IniSection> = HashMap::new();
        for (section, entry) in self
            .sections
            .iter()
            .zip(before.entries.iter().skip(self.globals.len()))
        {
            let (Some(name), Some(old)) = (name_of(entry), entry.value.as_mapping()) else {
                continue;
            };
            known.insert(name, section);
            match wanted.get(name) {
                Some(new) => self.edit_section(section, old, new, edits),
                None => {
                    // All parts of a repeated section are removed, because otherwise the section
                    // would still exist.
                    for part in &section.parts {
                        edits.remove_section(part.header.start(), part.end);
                    }
                }
            }
        }
        self.add_sections(after, &known, edits);
    }

    fn edit_section(
        &self,
        section: &IniSection,
        before: &Mapping,
        after: &Mapping,
        edits: &mut LineEdits<'_>,
    ) {
        // A section without keys gets its first key below its first header.
        let place = match section.parts.first() {
            Some(part) => edits.lines.next(part.header.end()),
            None => edits.lines.text.len(),
        };
        let old: Vec<&Entry> = before.entries.iter().collect();
        let new: Vec<&Entry> = after.entries.iter().collect();
        self.body(&section.lines, place, self.style_of_new_section())
            .edit(&old, &new, edits);
    }

    /// Adds the new sections, each below the section that it follows in `after`.
    fn add_sections(
        &self,
        after: &Mapping,
        known: &HashMap<&str, &IniSection>,
        edits: &mut LineEdits<'_>,
    ) {
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
            let style = self.style_of_new_section();
            let lines = write::section_lines(name, section, self.header_indentation(), &style);
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

    fn body<'a>(
        &'a self,
        lines: &'a [KeyValueLine],
        place_if_empty: usize,
        style_if_empty: LineStyle<'a>,
    ) -> KeyValueBody<'a> {
        KeyValueBody {
            source: &self.source,
            syntax: &SYNTAX,
            lines,
            place_if_empty,
            style_if_empty,
        }
    }

    /// Returns the blanks before the headers. They are the same for all headers.
    fn header_indentation(&self) -> &str {
        let lines = Lines::new(self.source.text(), &[], SYNTAX.is_comment);
        match self.headers.first() {
            Some(header) => lines.indent(header.start()),
            None => "",
        }
    }

    /// Returns the style of the last key of the text, without its quotes.
    fn document_style(&self) -> LineStyle<'_> {
        let lines = Lines::new(self.source.text(), &[], SYNTAX.is_comment);
        let sections = self.sections.iter().flat_map(|section| &section.lines);
        let plain = LineStyle {
            newline: lines.newline,
            ..LineStyle::plain(SEPARATOR)
        };
        match self.globals.iter().chain(sections).last() {
            Some(line) => LineStyle {
                separator: style_of(&self.source, &SYNTAX, *line).separator,
                ..plain
            },
            None => plain,
        }
    }

    /// Returns the style of the keys of a new section. They are indented like the keys of the last
    /// section that has any.
    fn style_of_new_section(&self) -> LineStyle<'_> {
        let mut firsts = self
            .sections
            .iter()
            .rev()
            .filter_map(|section| section.lines.first());
        let lead = match firsts.next() {
            Some(line) => style_of(&self.source, &SYNTAX, *line).lead,
            None => self.header_indentation(),
        };
        debug_assert!(indentation(lead) >= indentation(self.header_indentation()));
        LineStyle {
            lead,
            ..self.document_style()
        }
    }
}

fn is_section(entry: &Entry) -> bool {
    entry.value.resolved().as_mapping().is_some()
}

fn name_of(entry: &Entry) -> Option<&str> {
    entry.key.resolved().text()
}
