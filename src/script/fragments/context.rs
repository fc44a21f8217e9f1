//! One file or one call of a function, while it builds.

use std::sync::Arc;

use starlark::values::{Heap, Value, ValueLike};

use super::annotation::{Annotation, Annotations};
use super::fill::{
    Filling, Values, documents_to_splice, entries_to_splice, filling, items_to_splice, style,
};
use super::mapping::MappingBuilder;
use super::part::{Built, Part, PartKind, Parts, Pattern, Shape};
use crate::script::failure::Failure;
use crate::script::value::Replacement;
use crate::script::value::{Fragment, Key, MADE_NODE, Sized, to_sized_node};
use crate::source::Location;
use crate::yaml::{Content, Entry, Item, Mapping, Node, Sequence};

/// What was built so far.
#[derive(Debug, Default)]
pub(in crate::script) struct Context {
    root: Root,
    /// The parts that are open, from the outermost in.
    open: Vec<Open>,
    /// The key for the part that comes next.
    key: Option<Arc<Node>>,
    /// The annotations for the part that comes next.
    pending: Vec<Annotation>,
    /// The text so far, in a context for text.
    text: Option<String>,
}

/// What the parts outside of all others go to.
#[derive(Debug, Default)]
enum Root {
    #[default]
    Nothing,
    /// Parts with one static parent, whose number is kept.
    Parts(Option<usize>, Collector),
}

/// A part that is open.
#[derive(Debug)]
struct Open {
    part: usize,
    label: Label,
    collector: Collector,
}

/// What a part is called where it belongs.
#[derive(Debug)]
struct Label {
    /// The key of an entry.
    key: Option<(Arc<Node>, Option<Key>)>,
    /// The dash of an item.
    start: Option<u32>,
    /// Where a document stands.
    place: Option<Location>,
    annotations: Vec<Annotation>,
}

/// What parts are collected in.
#[derive(Debug)]
enum Collector {
    Scalar,
    Mapping(Option<Arc<Node>>, MappingBuilder),
    Sequence(Option<Arc<Node>>, Vec<Item>),
    Documents(Vec<Built>),
}

/// What a context gave.
#[derive(Debug)]
pub(in crate::script) enum Outcome {
    /// It came past no node.
    Nothing,
    Node(Arc<Node>),
    Documents(Vec<Built>),
    Text(String),
}

impl Context {
    /// A context for text.
    pub(in crate::script) fn for_text() -> Context {
        Context {
            text: Some(String::new()),
            ..Context::default()
        }
    }

    /// Adds text, in a context for text.
    pub(in crate::script) fn write(&mut self, text: &str) {
        self.text.get_or_insert_default().push_str(text);
    }

    /// Sets the key of the part that comes next.
    pub(super) fn set_key(&mut self, key: Arc<Node>) {
        self.key = Some(key);
    }

    /// Adds an annotation for the part that comes next. Of two with one name the later counts.
    pub(super) fn annotate(&mut self, annotation: Annotation) {
        self.pending.retain(|other| other.name != annotation.name);
        self.pending.push(annotation);
    }

    /// Opens a part, so that others can be added to it.
    pub(super) fn start(
        &mut self,
        parts: &Parts,
        id: usize,
        table: &mut Annotations,
    ) -> starlark::Result<()> {
        let part = part(parts, id)?;
        let label = self.enter(parts, part, table)?;
        let collector = match &part.shape {
            Shape::Scalar => Collector::Scalar,
            Shape::Mapping(base) => {
                Collector::Mapping(Some(Arc::clone(base)), MappingBuilder::default())
            }
            Shape::Sequence(base) => Collector::Sequence(Some(Arc::clone(base)), Vec::new()),
        };
        self.open.push(Open {
            part: id,
            label,
            collector,
        });
        Ok(())
    }

    /// Adds a whole part, with values for its holes. Returns about how many bytes the values take.
    pub(super) fn set<'v>(
        &mut self,
        parts: &Parts,
        id: usize,
        values: &[Value<'v>],
        heap: Heap<'v>,
        table: &mut Annotations,
    ) -> starlark::Result<usize> {
        let part = part(parts, id)?;
        if matches!(part.pattern, Pattern::Hole(_))
            && let Some(replacement) = values
                .first()
                .and_then(|value| Replacement::from_value(*value))
        {
            self.key = None;
            self.pending.clear();
            self.unwind(part, table)?;
            return self.splice(parts, part, replacement.value.to_value(), heap, table);
        }
        let label = self.enter(parts, part, table)?;
        let mut values = Values::new(values, heap, &part.place.source);
        match filling(&part.pattern, &mut values)? {
            Filling::Node(node) => {
                self.attach(label, node, table);
                Ok(values.made)
            }
            Filling::Replacement(..) => Err(Failure::new("expected one value for one hole").into()),
        }
    }

    /// Closes what is open down to where `part` belongs, and claims its key.
    fn enter(
        &mut self,
        parts: &Parts,
        part: &Part,
        table: &mut Annotations,
    ) -> starlark::Result<Label> {
        self.unwind(part, table)?;
        let annotations = std::mem::take(&mut self.pending);
        let templated = self.key.take();
        let key = match &part.kind {
            PartKind::Entry { key, says } => match templated {
                // A key that was computed stands where it is written.
                Some(made) => {
                    let placed = Node {
                        origin: key.origin.clone(),
                        properties: None,
                        content: made.content.clone(),
                    };
                    Some((Arc::new(placed), Key::of(&made)))
                }
                None => Some((Arc::clone(key), says.as_ref().map(|says| says.0.clone()))),
            },
            _ => None,
        };
        if let (Some((_, says)), Some(Collector::Mapping(_, mapping))) = (&key, self.top()) {
            mapping.claim(says.as_ref(), part.overrides || parts.implicit_overrides)?;
        }
        let start = match &part.kind {
            PartKind::Item { start } => *start,
            _ => None,
        };
        let place = matches!(part.kind, PartKind::Document).then(|| part.place.clone());
        Ok(Label {
            key,
            start,
            place,
            annotations,
        })
    }

    fn unwind(&mut self, part: &Part, table: &mut Annotations) -> starlark::Result<()> {
        while self
            .open
            .last()
            .is_some_and(|open| Some(open.part) != part.parent)
        {
            self.close_part(table);
        }
        if !self.open.is_empty() {
            return Ok(());
        }
        match &self.root {
            Root::Nothing => {
                self.root = Root::Parts(part.parent, Collector::for_kind(&part.kind));
                Ok(())
            }
            Root::Parts(parent, _) if *parent == part.parent => Ok(()),
            Root::Parts(..) => Err(Failure::new(
                "expected the nodes of a function in one collection",
            )
            .help("divide the functions around this node by `---`")
            .into()),
        }
    }

    fn top(&mut self) -> Option<&mut Collector> {
        match (self.open.last_mut(), &mut self.root) {
            (Some(open), _) => Some(&mut open.collector),
            (None, Root::Parts(_, collector)) => Some(collector),
            (None, Root::Nothing) => None,
        }
    }

    fn close_part(&mut self, table: &mut Annotations) {
        let Some(Open {
            label, collector, ..
        }) = self.open.pop()
        else {
            return;
        };
        let node = collector.finish();
        self.attach(label, node, table);
    }

    fn attach(&mut self, label: Label, node: Arc<Node>, table: &mut Annotations) {
        let Label {
            key,
            start,
            place,
            annotations,
        } = label;
        match self.top() {
            Some(Collector::Mapping(_, mapping)) => {
                let Some((key, says)) = key else { return };
                let key = if annotations.is_empty() {
                    key
                } else {
                    table.connect_entry(&key, annotations)
                };
                mapping.push(says, Entry { key, value: node });
            }
            Some(Collector::Sequence(_, items)) => {
                let value = if annotations.is_empty() {
                    node
                } else {
                    table.connect_item(&node, annotations)
                };
                items.push(Item { start, value });
            }
            Some(Collector::Documents(documents)) => {
                documents.push(Built {
                    root: node,
                    place,
                    annotations,
                });
            }
            Some(Collector::Scalar) | None => {}
        }
    }

    /// Puts a value in the place of a part.
    fn splice<'v>(
        &mut self,
        parts: &Parts,
        part: &Part,
        value: Value<'v>,
        heap: Heap<'v>,
        table: &mut Annotations,
    ) -> starlark::Result<usize> {
        if value.is_none() {
            let label = self.enter(parts, part, table)?;
            self.attach(label, Node::plain("null"), table);
            return Ok(0);
        }
        if let Some(Collector::Documents(documents)) = self.top() {
            let (roots, made) = documents_to_splice(value, heap)?;
            documents.extend(roots.into_iter().map(|root| Built {
                root,
                place: None,
                annotations: Vec::new(),
            }));
            return Ok(made);
        }
        let Sized { node, made, .. } = to_sized_node(value, heap)?;
        let mut spliced = 0usize;
        match self.top() {
            Some(Collector::Mapping(_, mapping)) => {
                // A dictionary replaces what stands before it; a fragment has to say so, as its text would.
                let is_silent = value.downcast_ref::<Fragment>().is_none();
                for entry in entries_to_splice(node.resolved())? {
                    spliced += 1;
                    let key = Key::of(&entry.key);
                    mapping.claim(
                        key.as_ref(),
                        is_silent || part.overrides || parts.implicit_overrides,
                    )?;
                    mapping.push(key, entry.clone());
                }
            }
            Some(Collector::Sequence(_, items)) => {
                let more = items_to_splice(node.resolved())?;
                spliced = more.len();
                items.extend(more.iter().cloned());
            }
            Some(Collector::Documents(_) | Collector::Scalar) | None => {}
        }
        Ok(made.saturating_add(spliced.saturating_mul(MADE_NODE)))
    }

    /// What was built.
    pub(in crate::script) fn finish(mut self, table: &mut Annotations) -> Outcome {
        if let Some(text) = self.text {
            return Outcome::Text(text);
        }
        while !self.open.is_empty() {
            self.close_part(table);
        }
        match self.root {
            Root::Nothing => Outcome::Nothing,
            Root::Parts(_, Collector::Documents(documents)) => Outcome::Documents(documents),
            Root::Parts(_, collector) => Outcome::Node(collector.finish()),
        }
    }
}

impl Collector {
    fn for_kind(kind: &PartKind) -> Collector {
        match kind {
            PartKind::Document => Collector::Documents(Vec::new()),
            PartKind::Entry { .. } => Collector::Mapping(None, MappingBuilder::default()),
            PartKind::Item { .. } => Collector::Sequence(None, Vec::new()),
        }
    }

    fn finish(self) -> Arc<Node> {
        match self {
            Collector::Scalar | Collector::Documents(_) => Node::plain("null"),
            Collector::Mapping(base, mapping) => {
                let entries = mapping.finish();
                match base {
                    Some(base) => base.with_content(Content::Mapping(Mapping {
                        style: style(&base),
                        entries: entries.into(),
                    })),
                    None => Node::mapping(entries),
                }
            }
            Collector::Sequence(base, items) => match base {
                Some(base) => base.with_content(Content::Sequence(Sequence {
                    style: style(&base),
                    items: items.into(),
                })),
                None => Node::sequence(items.into_iter().map(|item| item.value)),
            },
        }
    }
}

fn part(parts: &Parts, id: usize) -> Result<&Part, Failure> {
    parts.parts.get(id).ok_or_else(|| {
        Failure::new(format!(
            "expected a part of the template, found number {id}"
        ))
    })
}
