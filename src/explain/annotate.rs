//! Prints the output of a build with comments that name the origin of values: `-o annotated`.
//!
//! ```text
//! spec:
//!   replicas: 5            # flag --data-value-yaml replicas
//!   paused: true           # overlay.yml:7
//!   script: |              # kustomization.yaml:9 patch
//!     set -e
//! ```
//!
//! A value gets a comment unless it is written in the file of its document.
//!
//! The output is first printed without comments. Then the line of each value is found by comparing
//! the text with the tree (`outline`). A document that is not printed line by line is parsed again.
//!
//! A comment is at the end of the line of its value. If the end of the line is part of a value, as
//! in a plain scalar of several lines, the comment is above the entry. The comments of values
//! inside a string are above the entry with the string, and contain their paths (`inner`).
//!
//! Invariant: comments change no value. A text that is not YAML is an error. Without a record there
//! is no comment, for example in a file that the run did not touch.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use super::answer::{BuiltObject, object_name};
use super::descent::Descent;
use super::history::Explainer;
use super::inner::{ChangedText, InnerOrigin, may_contain_values};
use super::link::{ExplainedObject, LinkKind};
use super::notes::{Note, NotePosition, with_notes};
use super::origin_names::OriginNames;
use super::outline::{Lines, PrintedOrder, printed_order};
use crate::edit::{FieldPath, PathStep};
use crate::source::world::source_of;
use crate::source::{Result, Span, visible_line};
use crate::yaml::{Content, Mapping, Node, Scalar, ScalarStyle, is_empty, is_merge, parse_data};

/// The maximum number of values in one string that get a comment.
const MOST_INNER: usize = 20;

/// Adds comments to `text`, the printed form of `objects`.
///
/// # Errors
/// The text is not YAML, or longer than a text may be.
pub fn annotate(text: &str, objects: &[BuiltObject], explainer: &Explainer) -> Result<String> {
    let mut notes = Notes {
        text,
        explainer,
        names: OriginNames::default(),
        notes: Vec::new(),
    };
    if !notes.add_documents(objects)? {
        notes.notes.clear();
        notes.add_parsed(objects)?;
    }
    Ok(with_notes(text, notes.notes))
}

/// Objects by their names, in the order of the output.
type WaitingObjects<'o> = HashMap<String, VecDeque<&'o BuiltObject>>;

fn by_name(objects: &[BuiltObject]) -> WaitingObjects<'_> {
    let mut waiting: WaitingObjects<'_> = HashMap::new();
    for object in objects {
        let key = name_key(object.name());
        waiting.entry(key).or_default().push_back(object);
    }
    waiting
}

fn name_key(name: &ExplainedObject) -> String {
    // None of these can contain a line break.
    format!(
        "{}\n{}\n{}\n{}",
        name.api_version, name.kind, name.namespace, name.name
    )
}

/// The comments of a text.
struct Notes<'n> {
    text: &'n str,
    explainer: &'n Explainer,
    names: OriginNames,
    /// In the order in which they are found.
    notes: Vec<Note>,
}

/// The place of a collection or value in a part of the text that was parsed again.
#[derive(Clone, Copy)]
struct PrintedPlace {
    /// The start of the part in the text.
    part: usize,
    /// The start of the entry or item that contains the value, with the brackets around it.
    start: usize,
    /// Whether there are brackets around it.
    is_flow: bool,
}

/// The lines to which the comments of a value are added.
#[derive(Clone, Copy)]
struct NoteLines {
    /// The start of the line of its entry or item.
    entry: usize,
    /// The start of the line at whose end a comment can be added; `None` if that end is part of a
    /// value.
    free: Option<usize>,
    /// Whether other values may be on this line, so that each needs its name.
    is_shared: bool,
}

/// The origins of a value and of the values inside it, which become comments.
struct ValueOrigins {
    own: Option<String>,
    inner: Vec<InnerOrigin>,
}

impl Notes<'_> {
    /// Adds the comments of a text whose documents are the objects, in the same order. Returns
    /// `false` if they are not.
    ///
    /// # Errors
    /// The text is not YAML, or longer than a text may be.
    fn add_documents(&mut self, objects: &[BuiltObject]) -> Result<bool> {
        let printed = Lines::new(self.text);
        let documents = printed.documents();
        if documents.len() != objects.len() {
            return Ok(false);
        }
        for (document, object) in documents.into_iter().zip(objects) {
            let mut built = Descent::new(self.explainer, &object.root);
            if built.is_untouched() {
                continue;
            }
            let range = printed.range(&document);
            let order = printed_order(&printed, document, built.node());
            if let Some(PrintedOrder { positions, lines }) = order {
                let (mut positions, mut lines) = (positions.into_iter(), lines.into_iter());
                self.add_values_on_lines(&mut built, &mut positions, &mut lines);
                continue;
            }
            let start = range.start;
            let parsed = parsed_part(self.text.get(range).unwrap_or_default())?;
            match parsed.as_slice() {
                [root] if object_name(root) == *object.name() => {
                    self.add_object(root, &mut built, start);
                }
                _ => return Ok(false),
            }
        }
        Ok(true)
    }

    /// Adds the comments of any other text, by parsing all of it again.
    ///
    /// # Errors
    /// The text is not YAML, or longer than a text may be.
    fn add_parsed(&mut self, objects: &[BuiltObject]) -> Result<()> {
        let parsed = parsed_part(self.text)?;
        if parsed.len() == objects.len() {
            for (root, object) in parsed.iter().zip(objects) {
                self.add_object(root, &mut Descent::new(self.explainer, &object.root), 0);
            }
        } else {
            // The text also contains documents of files that the run did not touch, or lists of
            // objects.
            let mut waiting = by_name(objects);
            for root in &parsed {
                self.add_document(root, &mut waiting);
            }
        }
        Ok(())
    }

    /// Adds the comments of a document: an object, or a list of objects.
    fn add_document(&mut self, root: &Arc<Node>, waiting: &mut WaitingObjects<'_>) {
        let name = object_name(root);
        let found = waiting.get_mut(&name_key(&name));
        if let Some(object) = found.and_then(VecDeque::pop_front) {
            let mut built = Descent::new(self.explainer, &object.root);
            return self.add_object(root, &mut built, 0);
        }
        let items = root.get("items").map(|items| items.resolved());
        if let Some(items) = items.and_then(|items| items.as_sequence())
            && name.kind.ends_with("List")
        {
            for item in &items.items {
                self.add_document(&item.value, waiting);
            }
        }
    }

    /// Adds the comments of an object. `root` is the object parsed again, from the part of the text
    /// that starts at `part`.
    fn add_object(&mut self, root: &Arc<Node>, built: &mut Descent<'_>, part: usize) {
        let place = PrintedPlace {
            part,
            start: start_of(root),
            is_flow: false,
        };
        self.add_values(root, built, place);
    }

    /// Adds the comments of the values in `built`, in the order in which they are printed (see
    /// [`PrintedOrder`]). Recursive: the parser bounds the depth.
    fn add_values_on_lines(
        &mut self,
        built: &mut Descent<'_>,
        positions: &mut impl Iterator<Item = usize>,
        lines: &mut impl Iterator<Item = usize>,
    ) {
        let count = built.child_count();
        for _ in 0..count {
            let Some(position) = positions.next() else {
                return;
            };
            if built.enter(position) {
                self.add_values_on_lines(built, positions, lines);
                built.leave();
            }
        }
        if count == 0
            && let Some(line) = lines.next()
        {
            let place = NoteLines {
                entry: line,
                free: Some(line),
                is_shared: false,
            };
            if let Some(origins) = self.origins(built) {
                self.add_notes(origins, built, place);
            }
        }
    }

    /// Adds the comments of the values in a node. `built` is the same value in the tree of the
    /// object. Recursive: the parser bounds the depth.
    fn add_values(&mut self, node: &Arc<Node>, built: &mut Descent<'_>, place: PrintedPlace) {
        match &node.content {
            Content::Mapping(mapping) if !mapping.entries.is_empty() => {
                let collection = built.node();
                for (index, entry) in mapping.entries.iter().enumerate() {
                    if is_merge(&entry.key) {
                        continue;
                    }
                    let position = built_entry(collection, mapping, index);
                    if position.is_some_and(|position| built.enter(position)) {
                        let place = place_in(place, node, &entry.key);
                        self.add_values(&entry.value, built, place);
                        built.leave();
                    }
                }
            }
            Content::Sequence(sequence) if !sequence.items.is_empty() => {
                for (index, item) in sequence.items.iter().enumerate() {
                    if built.enter(index) {
                        let place = place_in(place, node, &item.value);
                        self.add_values(&item.value, built, place);
                        built.leave();
                    }
                }
            }
            // Its values get their comments at the anchor.
            Content::Alias(_) => {}
            _ => {
                if let Some(origins) = self.origins(built) {
                    let place = self.note_lines(node, place);
                    self.add_notes(origins, built, place);
                }
            }
        }
    }

    /// Returns the origin of a value and, if it is a string, the origins of the values inside it.
    /// Returns `None` for a value that is written in the file of its document.
    fn origins(&mut self, built: &Descent<'_>) -> Option<ValueOrigins> {
        let newest = built.newest_link()?;
        // If the newest link is a step, it may have changed only a part of the text.
        if matches!(newest.kind, LinkKind::Step(_))
            && built.has_string_edits()
            && may_contain_values(built)
        {
            let (root, steps) = (built.root(), built.steps());
            if let Some(ChangedText { made_by, inner }) = self.explainer.changed_text(root, &steps)
            {
                let own = self.names.origin(&made_by);
                return Some(ValueOrigins { own, inner });
            }
        }
        Some(ValueOrigins {
            own: Some(self.names.origin(&newest)?),
            inner: Vec::new(),
        })
    }

    /// Adds the comment of a value, and those of the values in it above its entry.
    fn add_notes(&mut self, origins: ValueOrigins, built: &Descent<'_>, place: NoteLines) {
        let ValueOrigins { own, inner } = origins;
        // In brackets, several values may share the line.
        let key = place.is_shared.then(|| built.steps().pop()).flatten();
        if !inner.is_empty() {
            self.add_inner_notes(&inner, key.as_ref(), place.entry);
        }
        let Some(own) = own else {
            return;
        };
        let text = match key {
            Some(PathStep::Key(key)) => format!("{key}: {own}"),
            Some(PathStep::Index(index)) => format!("{index}: {own}"),
            None => own,
        };
        let (line, position) = match place.free {
            Some(line) => (line, NotePosition::AtEnd),
            None => (place.entry, NotePosition::Above),
        };
        self.notes.push(Note {
            line,
            position,
            text: visible_line(&text),
        });
    }

    /// Adds the comments of values in a string above `line`, the first line of the entry with the
    /// string. `key` is the key of the string, if the comments need it.
    fn add_inner_notes(&mut self, origins: &[InnerOrigin], key: Option<&PathStep>, line: usize) {
        let mut texts = Vec::new();
        for (inner, link) in origins.iter().take(MOST_INNER) {
            let path: Vec<PathStep> = key.into_iter().chain(inner).cloned().collect();
            let path = FieldPath::of_steps(&path);
            if let Some(origin) = self.names.origin(link) {
                texts.push(visible_line(&format!("{path}: {origin}")));
            }
        }
        let more = origins.len().saturating_sub(MOST_INNER);
        if more > 0 {
            texts.push(format!("and {more} more values in this text"));
        }
        for text in texts {
            self.notes.push(Note {
                line,
                position: NotePosition::Above,
                text,
            });
        }
    }

    /// Returns the lines for the comments of a value that was parsed again.
    fn note_lines(&self, node: &Node, place: PrintedPlace) -> NoteLines {
        let span = node.location().map_or(Span::at(0), |place| place.span);
        let first = self.line_start(place.part + span.start());
        let last = self.line_start(place.part + span.end().max(span.start() + 1) - 1);
        let is_block = matches!(
            &node.content,
            Content::Scalar(Scalar {
                style: ScalarStyle::Literal | ScalarStyle::Folded,
                ..
            })
        );
        // In brackets, a later value may begin on this line and end on another one.
        let is_free = is_block || (first == last && !place.is_flow);
        NoteLines {
            entry: self.line_start(place.part + place.start),
            free: is_free.then_some(first),
            is_shared: place.is_flow,
        }
    }

    fn line_start(&self, offset: usize) -> usize {
        let before = self.text.get(..offset).unwrap_or(self.text);
        before.rfind('\n').map_or(0, |at| at + 1)
    }
}

/// Returns the roots of the documents in a part of the text that are not empty.
///
/// # Errors
/// The text is not YAML, or longer than a text may be.
fn parsed_part(text: &str) -> Result<Vec<Arc<Node>>> {
    let source = source_of("output".to_owned(), text.as_bytes().to_vec())?;
    let documents = parse_data(&source)?.documents;
    let mut roots: Vec<Arc<Node>> = documents
        .into_iter()
        .map(|document| document.root)
        .collect();
    roots.retain(|root| !is_empty(root.resolved()));
    Ok(roots)
}

fn start_of(node: &Arc<Node>) -> usize {
    node.location().map_or(0, |place| place.span.start())
}

/// Returns the place of a child of a collection, which begins at `start`.
fn place_in(around: PrintedPlace, node: &Node, start: &Arc<Node>) -> PrintedPlace {
    let is_flow = around.is_flow || node.is_flow();
    PrintedPlace {
        part: around.part,
        start: match is_flow {
            true => around.start,
            false => start_of(start),
        },
        is_flow,
    }
}

/// Returns the position of the object's entry that is printed as the entry `index`. The printed key
/// may have another text: the key `y` is printed as `true`, by YAML 1.1.
fn built_entry(built: &Arc<Node>, printed: &Mapping, index: usize) -> Option<usize> {
    let built = built.as_mapping()?;
    let key = printed.entries.at(index)?.key.resolved().text()?;
    let at_index = built.entries.at(index);
    // The usual case: the entries are printed in their order.
    if at_index.is_some_and(|entry| entry.key.resolved().text() == Some(key)) {
        return Some(index);
    }
    let found = built.position(key);
    found.or_else(|| {
        let is_in_order = built.entries.len() == printed.entries.len();
        at_index?.key.resolved().text()?;
        is_in_order.then_some(index)
    })
}
