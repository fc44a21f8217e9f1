//! The output of a build with a comment behind each value that something else than its file made:
//! `-o annotated`.
//!
//! ```text
//! spec:
//!   replicas: 5            # flag --data-value-yaml replicas
//!   paused: true           # overlay.yml:7
//!   script: |              # kustomization.yaml:9 patch
//!     set -e
//! ```
//!
//! The output is printed as without comments, and parsed again: then the place of each value in the
//! text is known, however it is printed. Comments go to the ends of lines. They go above the entry
//! where the end of the line belongs to a value, which happens in texts of several lines. Those of
//! values in strings are above the entry with the string, with their paths (`inner`).
//!
//! Invariant: comments change no value. A text that is not YAML is an error. A document or a value of
//! which nothing was recorded, as in a file that the run did not touch, gets no comment.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::Arc;

use super::descent::Descent;
use super::history::{BuiltObject, Explainer, object_name};
use super::inner::InnerOrigin;
use super::link::{ExplainedObject, Input, InputKind, Link, LinkKind};
use crate::edit::{FieldPath, PathStep};
use crate::provenance::StepKind;
use crate::source::world::source_of;
use crate::source::{Location, Result, Source, Span, quoted_name, visible_line};
use crate::yaml::{
    Content, Mapping, Node, Scalar, ScalarStyle, is_empty, is_equal, is_merge, parse_data,
};

/// The most values in one string that get a comment.
const MOST_INNER: usize = 20;

/// Adds comments to `text`, in which `objects` are printed.
///
/// # Errors
/// The text is not YAML, or longer than a text may be.
pub fn annotate(text: &str, objects: &[BuiltObject], explainer: &Explainer) -> Result<String> {
    let source = source_of("output".to_owned(), text.as_bytes().to_vec())?;
    let stream = parse_data(&source)?;
    let mut notes = Notes {
        source: &source,
        explainer,
        by_line: BTreeMap::new(),
    };
    let roots = stream.documents.iter().map(|document| &document.root);
    let roots: Vec<&Arc<Node>> = roots.filter(|root| !is_empty(root.resolved())).collect();
    if roots.len() == objects.len() {
        for (root, object) in roots.into_iter().zip(objects) {
            notes.add_object(root, object);
        }
    } else {
        // Documents of files that the run did not touch, and lists of objects.
        let mut waiting = by_name(objects);
        for root in roots {
            notes.add_document(root, &mut waiting);
        }
    }
    Ok(notes.written())
}

/// Objects by their names, in the order of the output.
type WaitingObjects<'o> = HashMap<String, VecDeque<&'o BuiltObject>>;

fn by_name(objects: &[BuiltObject]) -> WaitingObjects<'_> {
    let mut waiting: WaitingObjects<'_> = HashMap::new();
    for object in objects {
        let key = name_key(&object.name);
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
    source: &'n Arc<Source>,
    explainer: &'n Explainer,
    by_line: BTreeMap<usize, LineNotes>,
}

/// The comments of a line.
#[derive(Default)]
struct LineNotes {
    above: Vec<String>,
    at_end: Vec<String>,
}

/// Where a value is printed.
#[derive(Clone, Copy)]
struct PrintedPlace {
    /// The start of the entry or item that contains the value, with the brackets around it.
    start: usize,
    /// Whether there are brackets around it.
    is_flow: bool,
}

impl Notes<'_> {
    /// Adds the comments of a document: an object, or a list of objects.
    fn add_document(&mut self, root: &Arc<Node>, waiting: &mut WaitingObjects<'_>) {
        let name = object_name(root);
        let found = waiting.get_mut(&name_key(&name));
        if let Some(object) = found.and_then(VecDeque::pop_front) {
            return self.add_object(root, object);
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

    fn add_object(&mut self, root: &Arc<Node>, object: &BuiltObject) {
        let place = PrintedPlace {
            start: start_of(root),
            is_flow: false,
        };
        let mut built = Descent::new(self.explainer, &object.root);
        self.add_values(root, &mut built, place);
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
            // Its values are annotated where they are written.
            Content::Alias(_) => {}
            _ => self.add_notes_of_value(node, built, place),
        }
    }

    /// Adds the comment of a value, and those of the values in it if it is a string.
    fn add_notes_of_value(&mut self, node: &Node, built: &Descent<'_>, place: PrintedPlace) {
        let links = built.links();
        let Some(newest) = links.first() else {
            return;
        };
        let steps = built.steps();
        let mut shown = newest;
        // The newest link is a step that changed the text; without another one, it made the text.
        if let [later @ .., text] = links.as_slice()
            && later.iter().any(|link| link.kind.edits_strings())
        {
            let inner = self.explainer.inner_origins(built.root(), &steps, text);
            if !inner.is_empty() {
                self.add_inner_notes(&inner, &steps, place);
                shown = text;
            }
        }
        if let Some(text) = origin(shown) {
            self.add_note(node, &steps, place, text);
        }
    }

    /// Adds the comments of values in a string above the entry with the string.
    fn add_inner_notes(
        &mut self,
        origins: &[InnerOrigin],
        steps: &[PathStep],
        place: PrintedPlace,
    ) {
        let line = self.source.line(place.start);
        let notes = &mut self.by_line.entry(line).or_default().above;
        for (inner, link) in origins.iter().take(MOST_INNER) {
            // In brackets, several strings may share the line.
            let key = steps.last().filter(|_| place.is_flow);
            let path: Vec<PathStep> = key.into_iter().chain(inner).cloned().collect();
            let path = FieldPath::of_steps(&path);
            if let Some(origin) = origin(link) {
                notes.push(visible_line(&format!("{path}: {origin}")));
            }
        }
        let more = origins.len().saturating_sub(MOST_INNER);
        if more > 0 {
            notes.push(format!("and {more} more values in this text"));
        }
    }

    fn add_note(&mut self, node: &Node, steps: &[PathStep], place: PrintedPlace, text: String) {
        let span = node.location().map_or(Span::at(0), |place| place.span);
        let (first, last) = (
            self.source.line(span.start()),
            self.source.line(span.end().max(span.start() + 1) - 1),
        );
        let is_block = matches!(
            &node.content,
            Content::Scalar(Scalar {
                style: ScalarStyle::Literal | ScalarStyle::Folded,
                ..
            })
        );
        // Several values may share a line, so each needs its name.
        let text = match steps.last() {
            Some(PathStep::Key(key)) if place.is_flow => format!("{key}: {text}"),
            Some(PathStep::Index(index)) if place.is_flow => format!("{index}: {text}"),
            _ => text,
        };
        // In brackets, a later value may begin on this line and end on another one.
        let text = visible_line(&text);
        if is_block || (first == last && !place.is_flow) {
            self.by_line.entry(first).or_default().at_end.push(text);
        } else {
            let line = self.source.line(place.start);
            self.by_line.entry(line).or_default().above.push(text);
        }
    }

    /// Returns the text with the comments.
    fn written(&self) -> String {
        let text = self.source.text();
        let mut written = String::with_capacity(text.len() + text.len() / 2);
        let mut copied = 0;
        for (line, notes) in &self.by_line {
            let span = self.source.line_span(*line);
            let line = self.source.slice(span);
            let indent = line.len() - line.trim_start_matches(' ').len();
            written.push_str(&text[copied..span.start()]);
            for note in &notes.above {
                written.push_str(&format!("{:indent$}# {note}\n", ""));
            }
            written.push_str(line);
            if !notes.at_end.is_empty() {
                written.push_str(&format!(" # {}", notes.at_end.join("; ")));
            }
            copied = span.end();
        }
        written.push_str(&text[copied..]);
        written
    }
}

fn start_of(node: &Arc<Node>) -> usize {
    node.location().map_or(0, |place| place.span.start())
}

/// Returns the place of a child of a collection, which begins at `start`.
fn place_in(around: PrintedPlace, node: &Node, start: &Arc<Node>) -> PrintedPlace {
    let is_flow = around.is_flow || node.is_flow();
    PrintedPlace {
        start: match is_flow {
            true => around.start,
            false => start_of(start),
        },
        is_flow,
    }
}

/// Returns the position of the entry of an object that is printed as the entry `index`. A printed
/// key may have another text: `y` is printed as `true`, by YAML 1.1.
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

/// Returns the origin that a link names, in a few words; `None` for a value that is written in its
/// file.
fn origin(link: &Link) -> Option<String> {
    match link.kind {
        LinkKind::File => None,
        LinkKind::Template => Some(match link.inputs.as_slice() {
            [only] if contains(link, only) => {
                data_value_origin(only).unwrap_or_else(|| place_or_kind(link))
            }
            inputs => {
                let keys: Vec<&str> = inputs.iter().filter_map(data_value_key).collect();
                match keys.is_empty() {
                    true => place_or_kind(link),
                    false => format!("{} {}", place_or_kind(link), keys.join(", ")),
                }
            }
        }),
        LinkKind::Step(StepKind::Overlay) => Some(place_or_kind(link)),
        kind => Some(match &link.place {
            Some(place) => format!("{} {}", short_place(place), kind.title()),
            None => kind.title().to_owned(),
        }),
    }
}

/// Returns whether what an expression made is the data value that it read, or a text with it.
/// Another value was computed, and is not that of the data value's author.
fn contains(link: &Link, input: &Input) -> bool {
    let (Some(made), Some(read)) = (&link.after, &input.value) else {
        return false;
    };
    if is_equal(made, read) {
        return true;
    }
    match (made.as_str(), read.text()) {
        (Some(made), Some(read)) => !read.is_empty() && made.contains(read),
        _ => false,
    }
}

fn data_value_key(input: &Input) -> Option<&str> {
    match &input.kind {
        InputKind::DataValue { key, .. } => Some(key),
        InputKind::Field { .. } => None,
    }
}

/// Returns who set a data value: `values.yml:3 replicas`, `flag --data-value replicas`.
fn data_value_origin(input: &Input) -> Option<String> {
    let key = data_value_key(input)?;
    let link = input.links.first()?;
    Some(match (link.kind, &link.text) {
        // Without the value: it is in the output.
        (LinkKind::Flag, Some(typed)) => {
            let name = typed.split('=').next().unwrap_or_default();
            format!("flag {name}")
        }
        (LinkKind::Environment, Some(typed)) => format!("environment {typed}"),
        _ => format!("{} {key}", place_or_kind(link)),
    })
}

fn place_or_kind(link: &Link) -> String {
    match &link.place {
        Some(place) => short_place(place),
        None => link.kind.title().to_owned(),
    }
}

fn short_place(place: &Location) -> String {
    let place = place.in_file();
    let line = place.source.line(place.span.start());
    format!("{}:{line}", quoted_name(place.source.shown_name()))
}
