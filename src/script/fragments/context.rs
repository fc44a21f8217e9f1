//! Builds the nodes of one file, or of one call of a function.
//!
//! A template is a linear program. Its instructions are not nested like the nodes, because code
//! between the nodes may loop and branch. Each instruction names a part, and each part knows its
//! parent:
//!
//! ```text
//! template                instructions         parts (number, parent)
//! a:                      start(0)             0: entry `a`    parent: the document
//!   #@ for i in [1, 2]:   for i in [1, 2]:
//!   - b: #@ i               start(1)           1: item         parent: 0
//!                           set(2, i)          2: entry `b`    parent: 1
//!   #@ end
//! c: 3                    set(3)               3: entry `c`    parent: the document
//! ```
//!
//! A [`Context`] has a stack of open parts. No instruction closes a part explicitly: when a part is
//! added, everything above its parent on the stack is complete. In the second turn of the loop, the
//! state before each instruction is:
//!
//! ```text
//! start(1)    open: [0: a, 1: item {b: 1}]     part 1 belongs to 0: opens the next item
//! set(2, 2)   open: [0: a, 1: item {}]         part 2 belongs to 1: adds `b: 2`
//! set(3)      open: [0: a, 1: item {b: 2}]     part 3 belongs to the document: closes both
//! ```
//!
//! A function that contains nodes has its own context. The parent of its outermost parts is the
//! node around the function's definition, which is not open in that context. Such parts are added
//! to the *root* of the context.
//!
//! The annotations and the key of the next part are kept in the context until that part is added
//! ([`Context::annotate`], [`Context::set_key`]). They are evaluated right before the part, so they
//! belong to it alone.

mod replacements;

use std::sync::Arc;

use starlark::values::ValueLike;

use super::annotation::{Annotation, Annotations};
use super::fill::{Filling, HoleValues, Overriding, filling, style};
use super::mapping::MappingBuilder;
use super::part::{Built, Part, PartKind, Parts, Pattern, Shape};
use crate::script::failure::Failure;
use crate::script::value::{Replacement, ReplacementContent, ScalarKey};
use crate::source::Location;
use crate::yaml::{Content, Entry, Item, Mapping, Node, Sequence};

use self::replacements::LastPart;
pub(in crate::script) use self::replacements::PendingReplacement;

/// The nodes or the text that a file or a call has built so far.
#[derive(Debug, Default)]
pub(in crate::script) struct Context {
    root: ContextRoot,
    /// The parts that further parts can be added to, from the outermost inwards.
    ///
    /// Invariant: each one is the parent of the next one.
    open: Vec<OpenPart>,
    /// The computed key of the next part.
    key: Option<Arc<Node>>,
    /// The annotations of the next part.
    pending: Vec<Annotation>,
    /// The text so far; `None` in a context for nodes.
    text: Option<String>,
    /// The part that `template.replace` as a statement replaces.
    last: LastPart,
    /// The results of `template.replace` that no hole has taken, in the order of the calls.
    replacements: Vec<PendingReplacement>,
    /// The number of documents that [`new_documents`](Context::new_documents) has returned.
    passed_on: usize,
    /// The results of `template.replace` that have replaced the last node.
    applied: Vec<Arc<ReplacementContent>>,
}

/// The destination of parts whose parent is not open.
#[derive(Debug, Default)]
enum ContextRoot {
    #[default]
    Nothing,
    /// The parent that these parts have in common, and their collector. The kind of the collector
    /// follows from the first part.
    Parts(Option<usize>, Collector),
}

/// A part that further parts can be added to.
#[derive(Debug)]
struct OpenPart {
    part: usize,
    label: PartLabel,
    collector: Collector,
}

/// The data with which a part is added to its parent.
#[derive(Debug)]
struct PartLabel {
    /// The node of an entry's key, and the key for comparisons (`None` if the key is a collection).
    key: Option<(Arc<Node>, Option<ScalarKey>)>,
    /// The offset of an item's dash.
    start: Option<u32>,
    /// The place of a document.
    place: Option<Location>,
    annotations: Vec<Annotation>,
}

/// Collects the parts inside a part.
///
/// A parsed collection is the base of the built one and provides its style, tag and place. Without
/// a base, the parts belong to a function, and the collection is new.
#[derive(Debug)]
enum Collector {
    Scalar,
    Mapping(Option<Arc<Node>>, MappingBuilder),
    Sequence(Option<Arc<Node>>, Vec<Item>),
    Documents(Vec<Built>),
}

/// The result of a context when it is closed.
#[derive(Debug)]
pub(in crate::script) enum ContextValue {
    /// No instruction for a node was executed.
    Nothing,
    Node(Arc<Node>),
    Documents(Vec<Built>),
    Text(String),
}

impl Context {
    /// Creates a context for text.
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

    /// Sets the key of the next part, which must be an entry.
    pub(super) fn set_key(&mut self, key: Arc<Node>) {
        self.key = Some(key);
    }

    /// Adds an annotation for the next part. It replaces an earlier one with the same name.
    pub(super) fn annotate(&mut self, annotation: Annotation) {
        self.pending.retain(|other| other.name != annotation.name);
        self.pending.push(annotation);
    }

    /// Opens a part, so that the parts inside it can be added.
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
                let entries = base.as_mapping().map_or(0, |mapping| mapping.entries.len());
                let entries = MappingBuilder::with_capacity(entries);
                Collector::Mapping(Some(Arc::clone(base)), entries)
            }
            Shape::Sequence(base) => {
                let items = base
                    .as_sequence()
                    .map_or(0, |sequence| sequence.items.len());
                Collector::Sequence(Some(Arc::clone(base)), Vec::with_capacity(items))
            }
        };
        self.open.push(OpenPart {
            part: id,
            label,
            collector,
        });
        self.last = LastPart::Open;
        Ok(())
    }

    /// Adds a complete part, with values for its holes. Returns the approximate number of bytes
    /// that the values take.
    ///
    /// # Errors
    /// Fails for a value that does not fit, a duplicate key, and a part that belongs to another
    /// collection.
    pub(super) fn set<'v>(
        &mut self,
        parts: &Parts,
        id: usize,
        mut values: HoleValues<'_, 'v>,
        table: &mut Annotations,
    ) -> starlark::Result<usize> {
        let part = part(parts, id)?;
        for value in values.rest() {
            if let Some(replacement) = value.downcast_ref::<Replacement>()
                && self.take_replacement(replacement).is_none()
            {
                self.refuse_applied(replacement)?;
            }
        }
        if matches!(part.pattern, Pattern::Hole(_))
            // Handle this before `enter`: no part is created here, so no key may be claimed for it.
            && let Some(value) = values.rest().first()
            && let Some(replacement) = value.downcast_ref::<Replacement>()
        {
            // The part itself disappears, together with its key and annotations.
            self.key = None;
            self.pending.clear();
            self.unwind(part, table)?;
            return self.splice(parts, id, &replacement.content, &mut values, table);
        }
        let label = self.enter(parts, part, table)?;
        let overriding = Overriding {
            annotations: table,
            implicit: parts.implicit_overrides,
        };
        match filling(&part.pattern, &mut values, &part.place.source, overriding)? {
            Filling::Node(node) => {
                self.attach(label, node, table);
                self.last = LastPart::Complete(id);
                Ok(values.made)
            }
            Filling::Replacement(..) => Err(Failure::new("expected one value for one hole").into()),
        }
    }

    /// Makes the parent of `part` the innermost open part, and takes the key and the annotations
    /// that were kept for `part`.
    ///
    /// # Errors
    /// Fails if the parent already has the key and `part` may not override it.
    fn enter(
        &mut self,
        parts: &Parts,
        part: &Part,
        table: &mut Annotations,
    ) -> starlark::Result<PartLabel> {
        self.unwind(part, table)?;
        // Take them even if this fails below: they belong to this part and to no other.
        let annotations = std::mem::take(&mut self.pending);
        let templated = self.key.take();
        let key = match &part.kind {
            PartKind::Entry { key, says } => match templated {
                // The computed key gets the place of the written key, for messages about the entry.
                Some(made) => {
                    let placed = Node {
                        origin: key.origin.clone(),
                        properties: None,
                        content: made.content.clone(),
                    };
                    Some((Arc::new(placed), ScalarKey::of(&made)))
                }
                None => Some((Arc::clone(key), says.as_ref().map(|says| says.0.clone()))),
            },
            _ => None,
        };
        if let (Some((_, says)), Some(Collector::Mapping(_, mapping))) = (&key, self.top()) {
            // Claim the key when the part begins and not when it is complete. A duplicate is then
            // reported at its own code, and not after everything inside it was evaluated.
            mapping.claim(says.as_ref(), part.overrides || parts.implicit_overrides)?;
        }
        let start = match &part.kind {
            PartKind::Item { start } => *start,
            _ => None,
        };
        // Entries and items have their places in their nodes.
        let place = matches!(part.kind, PartKind::Document).then(|| part.place.clone());
        Ok(PartLabel {
            key,
            start,
            place,
            annotations,
        })
    }

    /// Closes parts until the parent of `part` is the innermost open part. If the parent is not
    /// open at all, `part` belongs to the root.
    ///
    /// # Errors
    /// Fails if the root collects parts of another parent. A function can return the entries of one
    /// mapping, or the items of one sequence, or documents, but not a mixture.
    fn unwind(&mut self, part: &Part, table: &mut Annotations) -> starlark::Result<()> {
        while self
            .open
            .last()
            .is_some_and(|open| Some(open.part) != part.parent)
        {
            self.close_part(table);
        }
        // Either the innermost open part is the parent now, or none is open.
        if !self.open.is_empty() {
            return Ok(());
        }
        match &self.root {
            ContextRoot::Nothing => {
                self.root = ContextRoot::Parts(part.parent, Collector::for_kind(&part.kind));
                Ok(())
            }
            ContextRoot::Parts(parent, _) if *parent == part.parent => Ok(()),
            ContextRoot::Parts(..) => Err(Failure::new(
                "expected the nodes of a function in one collection",
            )
            .help("separate the functions around this node with `---`")
            .into()),
        }
    }

    /// Returns the collector that the next part is added to.
    fn top(&mut self) -> Option<&mut Collector> {
        match (self.open.last_mut(), &mut self.root) {
            (Some(open), _) => Some(&mut open.collector),
            (None, ContextRoot::Parts(_, collector)) => Some(collector),
            (None, ContextRoot::Nothing) => None,
        }
    }

    fn close_part(&mut self, table: &mut Annotations) {
        let Some(OpenPart {
            label, collector, ..
        }) = self.open.pop()
        else {
            return;
        };
        // The last element of `self.open` is the parent now, and `attach` adds to it.
        let node = collector.finish();
        self.attach(label, node, table);
    }

    /// Adds a complete node to the innermost collector.
    fn attach(&mut self, label: PartLabel, node: Arc<Node>, table: &mut Annotations) {
        let PartLabel {
            key,
            start,
            place,
            annotations,
        } = label;
        match self.top() {
            Some(Collector::Mapping(_, mapping)) => {
                // The compiler adds only entries to a mapping.
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
            // The compiler adds no parts to a scalar.
            Some(Collector::Scalar) | None => {}
        }
    }

    /// Adds the entries, items or documents of `value` instead of one part:
    /// `template.replace(value)`.
    ///
    /// ```text
    /// a: 1                                          a: 1
    /// _: #@ template.replace({"b": 2, "c": 3})      b: 2
    ///                                               c: 3
    /// ```
    fn splice(
        &mut self,
        parts: &Parts,
        id: usize,
        content: &ReplacementContent,
        values: &mut HoleValues<'_, '_>,
        table: &mut Annotations,
    ) -> starlark::Result<usize> {
        let part = part(parts, id)?;
        self.last = LastPart::Replaced;
        let made = self.add_all(parts, content, table)?;
        if let (ReplacementContent::Node { node, .. }, Pattern::Hole(place)) =
            (content, &part.pattern)
        {
            values.record_children(node, Location::new(&part.place.source, *place));
        }
        Ok(made)
    }

    /// Returns the documents that were completed since the last call.
    pub(in crate::script) fn new_documents(&mut self) -> &[Built] {
        let ContextRoot::Parts(_, Collector::Documents(documents)) = &self.root else {
            return &[];
        };
        let new = documents.get(self.passed_on..).unwrap_or_default();
        self.passed_on = documents.len();
        new
    }

    /// Closes all parts and returns the result.
    pub(in crate::script) fn finish(mut self, table: &mut Annotations) -> ContextValue {
        // A context for text builds only text, so there are no parts to close.
        if let Some(text) = self.text {
            return ContextValue::Text(text);
        }
        while !self.open.is_empty() {
            self.close_part(table);
        }
        match self.root {
            ContextRoot::Nothing => ContextValue::Nothing,
            ContextRoot::Parts(_, Collector::Documents(documents)) => {
                ContextValue::Documents(documents)
            }
            ContextRoot::Parts(_, collector) => ContextValue::Node(collector.finish()),
        }
    }
}

impl Collector {
    /// Returns the collector of a function's root whose first part is of this kind.
    fn for_kind(kind: &PartKind) -> Collector {
        match kind {
            PartKind::Document => Collector::Documents(Vec::new()),
            PartKind::Entry { .. } => Collector::Mapping(None, MappingBuilder::default()),
            PartKind::Item { .. } => Collector::Sequence(None, Vec::new()),
        }
    }

    /// Returns the value of the last part.
    fn last_mut(&mut self) -> Option<&mut Arc<Node>> {
        match self {
            Collector::Mapping(_, mapping) => mapping.last_mut().map(|entry| &mut entry.value),
            Collector::Sequence(_, items) => items.last_mut().map(|item| &mut item.value),
            Collector::Documents(documents) => {
                documents.last_mut().map(|document| &mut document.root)
            }
            Collector::Scalar => None,
        }
    }

    /// Removes the last part.
    fn pop(&mut self) {
        match self {
            Collector::Mapping(_, mapping) => mapping.pop(),
            Collector::Sequence(_, items) => drop(items.pop()),
            Collector::Documents(documents) => drop(documents.pop()),
            Collector::Scalar => {}
        }
    }

    fn finish(self) -> Arc<Node> {
        match self {
            Collector::Scalar | Collector::Documents(_) => Node::plain("null"),
            Collector::Mapping(base, mapping) => {
                let entries = mapping.finish();
                match base {
                    Some(base) => base.with_content(Content::Mapping(Mapping {
                        is_computed: false,
                        style: style(&base),
                        entries: entries.into(),
                    })),
                    None => Node::mapping(entries),
                }
            }
            Collector::Sequence(base, items) => match base {
                Some(base) => base.with_content(Content::Sequence(Sequence {
                    is_computed: false,
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
