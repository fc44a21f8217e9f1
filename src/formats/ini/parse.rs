//! Reads an INI text into its tree, and records the place of each section and key for edits.

use std::collections::HashMap;
use std::sync::Arc;

use super::statements::{Statement, statements};
use super::syntax::SYNTAX;
use crate::formats::key_values::{self, KeyValueLine};
use crate::source::{Code, Diagnostic, Location, Result, Source, Span};
use crate::yaml::{CollectionStyle, Content, Entry, Mapping, Node, Origin};

/// A parsed INI text.
#[derive(Debug)]
pub(super) struct IniText {
    pub(super) source: Arc<Source>,
    /// A mapping with an entry for each of `globals`, followed by one for each of `sections`.
    pub(super) root: Arc<Node>,
    /// The keys before the first section.
    pub(super) globals: Vec<KeyValueLine>,
    /// The sections, in the order of their first headers.
    pub(super) sections: Vec<IniSection>,
    /// Every header, in order.
    pub(super) headers: Vec<Span>,
    /// The end of each header and each value, in order.
    pub(super) ends: Vec<usize>,
}

/// A section. It may have several parts:
///
/// ```text
/// [a]
/// x = 1     <- a.x
/// [b]
/// [a]       <- continues the first section
/// y = 2     <- a.y
/// ```
#[derive(Debug, Default)]
pub(super) struct IniSection {
    pub(super) parts: Vec<SectionPart>,
    /// The lines of all parts, in order.
    pub(super) lines: Vec<KeyValueLine>,
}

/// A header and the lines below it.
#[derive(Clone, Copy, Debug)]
pub(super) struct SectionPart {
    pub(super) header: Span,
    /// The end of the last line of the part, or of the header if there are no lines.
    pub(super) end: usize,
}

/// Parses a text.
///
/// # Errors
/// [`Code::NotADocument`] for a line in none of the forms that the module describes.
pub(super) fn parse(source: &Arc<Source>) -> Result<IniText> {
    key_values::refuse_lone_carriage_returns(source)?;
    // Faults are found without a source, because edits also try how a single line would be read.
    let statements = statements(source.text()).map_err(|fault| {
        Diagnostic::error(Code::NotADocument, fault.message)
            .at(Location::new(source, fault.span), "here")
            .help(fault.help)
    })?;
    let mut builder = Builder {
        source,
        globals: Vec::new(),
        entries: Vec::new(),
        sections: Vec::new(),
        ids: HashMap::new(),
        current: None,
        headers: Vec::new(),
        ends: Vec::new(),
    };
    for statement in statements {
        match statement {
            Statement::Header { span, name } => builder.header(span, name),
            Statement::Line(line) => builder.line(line),
        }
    }
    Ok(builder.finish())
}

/// Collects statements into sections.
struct Builder<'a> {
    source: &'a Arc<Source>,
    globals: Vec<KeyValueLine>,
    /// The entries of `globals`.
    entries: Vec<Entry>,
    sections: Vec<SectionBuilder>,
    /// The index of each section by its name.
    ids: HashMap<String, usize>,
    current: Option<usize>,
    headers: Vec<Span>,
    ends: Vec<usize>,
}

struct SectionBuilder {
    name: Arc<Node>,
    section: IniSection,
    entries: Vec<Entry>,
}

impl Builder<'_> {
    fn header(&mut self, span: Span, name: Span) {
        self.headers.push(span);
        self.ends.push(span.end());
        let text = self.source.slice(name);
        let id = match self.ids.get(text) {
            Some(id) => *id,
            None => {
                let id = self.sections.len();
                self.ids.insert(text.to_owned(), id);
                self.sections.push(SectionBuilder {
                    name: key_values::string_node(self.source, name, text.to_owned()),
                    section: IniSection::default(),
                    entries: Vec::new(),
                });
                id
            }
        };
        self.sections[id].section.parts.push(SectionPart {
            header: span,
            end: span.end(),
        });
        self.current = Some(id);
    }

    fn line(&mut self, line: KeyValueLine) {
        self.ends.push(line.value.end());
        let entry = Entry {
            key: key_values::string_node(self.source, line.key, self.source.slice(line.key).into()),
            value: self.value(line.value),
        };
        let Some(id) = self.current else {
            self.globals.push(line);
            self.entries.push(entry);
            return;
        };
        let SectionBuilder {
            section, entries, ..
        } = &mut self.sections[id];
        section.lines.push(line);
        entries.push(entry);
        if let Some(part) = section.parts.last_mut() {
            part.end = line.value.end();
        }
    }

    fn value(&self, span: Span) -> Arc<Node> {
        let raw = self.source.slice(span);
        // Decoding cannot fail, because INI has no escapes.
        let text = (SYNTAX.decode)(raw, 0).map_or_else(|| raw.to_owned(), |spelled| spelled.text);
        key_values::string_node(self.source, span, text)
    }

    fn finish(self) -> IniText {
        let mut entries = self.entries;
        let mut sections = Vec::with_capacity(self.sections.len());
        for built in self.sections {
            // The place of a section is its header, because its lines may be scattered.
            let place = built.section.parts[0].header;
            entries.push(Entry {
                key: built.name,
                value: mapping(self.source, place, built.entries),
            });
            sections.push(built.section);
        }
        let whole = Span::new(0, self.source.text().len());
        IniText {
            source: Arc::clone(self.source),
            root: mapping(self.source, whole, entries),
            globals: self.globals,
            sections,
            headers: self.headers,
            ends: self.ends,
        }
    }
}

fn mapping(source: &Arc<Source>, span: Span, entries: Vec<Entry>) -> Arc<Node> {
    Arc::new(Node {
        origin: Some(Origin {
            source: Arc::clone(source),
            span,
        }),
        properties: None,
        content: Content::Mapping(Mapping {
            is_computed: false,
            style: CollectionStyle::Block,
            entries: entries.into(),
        }),
    })
}
