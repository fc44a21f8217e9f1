//! From an INI text to its tree, and to where everything is.

use std::collections::HashMap;
use std::sync::Arc;

use super::syntax::{BLANKS, SYNTAX, indentation, is_comment, without_break};
use crate::formats::key_values::{self, KeyValueLine};
use crate::formats::lines::BYTE_ORDER_MARK;
use crate::source::{Code, Diagnostic, Location, Result, Source, Span};
use crate::yaml::{CollectionStyle, Content, Entry, Mapping, Node, Origin};

/// An INI text that was parsed.
#[derive(Debug)]
pub(super) struct IniText {
    pub(super) source: Arc<Source>,
    /// A mapping with an entry for each of `globals`, followed by one for each of `sections`.
    pub(super) root: Arc<Node>,
    /// The keys before the first section.
    pub(super) globals: Vec<KeyValueLine>,
    /// The sections, in the order in which they occur first.
    pub(super) sections: Vec<IniSection>,
    /// Every header, in order.
    pub(super) headers: Vec<Span>,
    /// Where each header and each value ends, in order.
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
    /// Where the last line of the part ends, or the header if there is none.
    pub(super) end: usize,
}

/// A header or a key with its value.
enum Statement {
    Header { span: Span, name: Span },
    Line(KeyValueLine),
}

/// Why a text is not INI.
struct Fault {
    span: Span,
    message: &'static str,
    help: &'static str,
}

/// Parses a text.
///
/// # Errors
/// [`Code::NotADocument`] for a line that is none of those that the module describes.
pub(super) fn parse(source: &Arc<Source>) -> Result<IniText> {
    key_values::refuse_lone_carriage_returns(source)?;
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

/// Returns the line of a text that consists of one key and its value.
pub(super) fn only_line(text: &str) -> Option<KeyValueLine> {
    match statements(text).ok()?.as_slice() {
        [Statement::Line(line)] => Some(*line),
        _ => None,
    }
}

/// The key that lines indented deeper than itself continue.
struct OpenKey {
    indentation: usize,
    has_separator: bool,
}

/// Finds the headers and the keys of a text.
fn statements(text: &str) -> std::result::Result<Vec<Statement>, Fault> {
    let mut statements = Vec::new();
    let mut open: Option<OpenKey> = None;
    let mut header_indentation = None;
    let mut at = match text.starts_with(BYTE_ORDER_MARK) {
        true => BYTE_ORDER_MARK.len_utf8(),
        false => 0,
    };
    for line in text[at..].split_inclusive('\n') {
        let line_start = at;
        at += line.len();
        let own = indentation(line);
        let content = without_break(&line[own..]).trim_end_matches(BLANKS);
        let span = Span::new(line_start + own, line_start + own + content.len());
        // Comments and blank lines do not end a value, as in Python: a deeper line below them still continues it.
        if content.is_empty() || is_comment(content) {
            continue;
        }
        if let Some(key) = open.as_ref().filter(|key| own > key.indentation) {
            if !key.has_separator {
                return Err(Fault {
                    span,
                    message: "expected a value to continue, found a deeper line below a key without `=`",
                    help: "write `=` after the key, or give both lines the same indentation",
                });
            }
            if let Some(Statement::Line(line)) = statements.last_mut() {
                line.value = Span::new(line.value.start(), span.end());
            }
            continue;
        }
        // Invariant: nothing is indented less than the headers. Otherwise removing a section could make the next header
        // a continuation of the key above it.
        let least = header_indentation.unwrap_or(0);
        if own < least || content.starts_with('[') && own > *header_indentation.get_or_insert(own) {
            return Err(Fault {
                span,
                message: "expected sections with one indentation, and keys indented at least as deep",
                help: "give all section headers the same indentation",
            });
        }
        if content.starts_with('[') {
            statements.push(header(content, span)?);
            open = None;
        } else {
            let line = key_value(content, span)?;
            open = Some(OpenKey {
                indentation: own,
                has_separator: line.value.start() > line.key.end(),
            });
            statements.push(Statement::Line(line));
        }
    }
    Ok(statements)
}

/// Parses `[name]`, with a comment behind it.
fn header(content: &str, span: Span) -> std::result::Result<Statement, Fault> {
    let Some(close) = content.find(']') else {
        return Err(Fault {
            span,
            message: "expected `]` at the end of a section header",
            help: "write the section as `[name]`",
        });
    };
    let rest = content[close + 1..].trim_start_matches(BLANKS);
    if !rest.is_empty() && !is_comment(rest) {
        return Err(Fault {
            span,
            message: "expected the end of the line after a section header",
            help: "write keys on lines of their own; a name cannot contain `]`",
        });
    }
    let inside = &content[1..close];
    let name = inside.trim_matches(BLANKS);
    if name.is_empty() {
        return Err(Fault {
            span,
            message: "expected a name between the brackets of a section header",
            help: "write the section as `[name]`",
        });
    }
    let name_start = span.start() + 1 + indentation(inside);
    Ok(Statement::Header {
        span: Span::new(span.start(), span.start() + close + 1),
        name: Span::new(name_start, name_start + name.len()),
    })
}

/// Parses the first line of a key and its value.
fn key_value(content: &str, span: Span) -> std::result::Result<KeyValueLine, Fault> {
    let start = span.start();
    // It would be invisible as a part of a key, and skipped once the line is the first.
    if content.starts_with(BYTE_ORDER_MARK) {
        return Err(Fault {
            span,
            message: "expected a key, found a byte order mark",
            help: "remove it: only the first line of a text can begin with one",
        });
    }
    let Some(at) = content.find(['=', ':']) else {
        // A key alone. Its value is empty and begins where the key ends, by which edits recognize it.
        return Ok(KeyValueLine {
            start,
            key: span,
            value: Span::at(span.end()),
        });
    };
    let key = content[..at].trim_end_matches(BLANKS);
    if key.is_empty() {
        return Err(Fault {
            span,
            message: "expected a key before `=` or `:`",
            help: "write `key = value`, or indent the line deeper than the key whose value it continues",
        });
    }
    let value = at + 1 + indentation(&content[at + 1..]);
    Ok(KeyValueLine {
        start,
        key: Span::new(start, start + key.len()),
        value: Span::new(start + value, span.end()),
    })
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
        // Decoding never fails: INI has no escapes.
        let text = (SYNTAX.decode)(raw, 0).map_or_else(|| raw.to_owned(), |spelled| spelled.text);
        key_values::string_node(self.source, span, text)
    }

    fn finish(self) -> IniText {
        let mut entries = self.entries;
        let mut sections = Vec::with_capacity(self.sections.len());
        for built in self.sections {
            // A section points at its header, since its lines may be scattered.
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
            style: CollectionStyle::Block,
            entries: entries.into(),
        }),
    })
}
