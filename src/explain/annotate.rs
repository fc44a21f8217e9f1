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
//! where the end of the line belongs to a value, which happens in texts of several lines.
//!
//! Invariant: comments change no value. A text whose values cannot be found is an error.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::Arc;

use super::history::{BuiltObject, Explainer, object_name};
use super::link::{ExplainedObject, Input, InputKind, Link, LinkKind};
use crate::edit::PathStep;
use crate::provenance::StepKind;
use crate::source::world::source_of;
use crate::source::{Location, Result, Source, Span, quoted_name, visible_line};
use crate::yaml::{
    Content, Mapping, Node, Scalar, ScalarStyle, is_empty, is_equal, is_merge, parse_data,
};

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
        at_end: BTreeMap::new(),
        above: BTreeMap::new(),
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
    /// For each line, what is written at its end.
    at_end: BTreeMap<usize, Vec<String>>,
    /// For each line, what is written above it.
    above: BTreeMap<usize, Vec<String>>,
}

/// Where a value is printed.
#[derive(Clone, Copy)]
struct PrintedPlace {
    /// The line of the entry or item that contains the value, with the brackets around it.
    line: usize,
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
            line: self.line_of(root),
            is_flow: false,
        };
        self.add_values(root, object, &mut Vec::new(), place);
    }

    /// Adds the comments of the values in a node. Recursive: the parser bounds the depth.
    fn add_values(
        &mut self,
        node: &Arc<Node>,
        object: &BuiltObject,
        steps: &mut Vec<PathStep>,
        place: PrintedPlace,
    ) {
        match &node.content {
            Content::Mapping(mapping) if !mapping.entries.is_empty() => {
                let built = self.explainer.versions.value_at(&object.root, steps);
                for (index, entry) in mapping.entries.iter().enumerate() {
                    let key = built
                        .as_ref()
                        .and_then(|built| key_in(built, mapping, index));
                    let Some(key) = key.filter(|_| !is_merge(&entry.key)) else {
                        continue;
                    };
                    steps.push(PathStep::Key(key.into()));
                    let place = self.place_in(place, node, &entry.key);
                    self.add_values(&entry.value, object, steps, place);
                    steps.pop();
                }
            }
            Content::Sequence(sequence) if !sequence.items.is_empty() => {
                for (index, item) in sequence.items.iter().enumerate() {
                    steps.push(PathStep::Index(index));
                    let place = self.place_in(place, node, &item.value);
                    self.add_values(&item.value, object, steps, place);
                    steps.pop();
                }
            }
            // Its values are annotated where they are written.
            Content::Alias(_) => {}
            _ => {
                if let Some(link) = self.explainer.newest_link(&object.root, steps)
                    && let Some(text) = origin(&link)
                {
                    self.add_note(node, steps, place, text);
                }
            }
        }
    }

    /// Returns the place of a child of a collection, which begins at `start`.
    fn place_in(&self, around: PrintedPlace, node: &Node, start: &Arc<Node>) -> PrintedPlace {
        let is_flow = around.is_flow || node.is_flow();
        PrintedPlace {
            line: match is_flow {
                true => around.line,
                false => self.line_of(start),
            },
            is_flow,
        }
    }

    fn line_of(&self, node: &Arc<Node>) -> usize {
        let start = node.location().map_or(0, |place| place.span.start());
        self.source.line(start)
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
        let notes = if is_block || (first == last && !place.is_flow) {
            self.at_end.entry(first).or_default()
        } else {
            self.above.entry(place.line).or_default()
        };
        notes.push(visible_line(&text));
    }

    /// Returns the text with the comments.
    fn written(&self) -> String {
        let text = self.source.text();
        let mut written = String::with_capacity(text.len() + text.len() / 2);
        for (index, line) in text.split_inclusive('\n').enumerate() {
            let number = index + 1;
            let indent = line.len() - line.trim_start_matches(' ').len();
            for note in self.above.get(&number).into_iter().flatten() {
                written.push_str(&format!("{:indent$}# {note}\n", ""));
            }
            let content = line.trim_end_matches(['\n', '\r']);
            let end = &line[content.len()..];
            written.push_str(content);
            if let Some(notes) = self.at_end.get(&number) {
                written.push_str(&format!(" # {}", notes.join("; ")));
            }
            written.push_str(end);
        }
        written
    }
}

/// Returns the key of an object that is printed as the key of an entry. A printed key may have
/// another text: `y` is printed as `true`, by YAML 1.1.
fn key_in<'k>(built: &'k Arc<Node>, printed: &'k Mapping, index: usize) -> Option<&'k str> {
    let printed_key = printed.entries.at(index)?.key.resolved().text()?;
    if built.get(printed_key).is_some() {
        return Some(printed_key);
    }
    let built = built.as_mapping()?;
    let is_in_order = built.entries.len() == printed.entries.len();
    let entry = built.entries.at(index).filter(|_| is_in_order)?;
    entry.key.resolved().text()
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

/// Whether what an expression made is the data value that it read, or a text with it. Another value
/// was computed, and is not that of the data value's author.
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
