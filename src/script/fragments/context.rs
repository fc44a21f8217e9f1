//! Builds the nodes of one file, or of one call of a function.
//!
//! A template is a linear program. It does not nest instructions as nodes nest, because code
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
//! A [`Context`] has a stack of open parts, and nothing closes a part explicitly. When a part
//! comes, everything above its parent on the stack is complete. The state before each instruction
//! of the second turn of the loop:
//!
//! ```text
//! start(1)    open: [0: a, 1: item {b: 1}]     part 1 belongs to 0: closes the first item, opens the second
//! set(2, 2)   open: [0: a, 1: item {}]         part 2 belongs to 1: adds `b: 2`
//! set(3)      open: [0: a, 1: item {b: 2}]     part 3 belongs to the document: closes both
//! ```
//!
//! A function that contains nodes has a context of its own. Its parts have a static parent too, the
//! node around the function's definition, which is not open in that context: they go to the *root*
//! of the context.
//!
//! Annotations and the key of the next part wait in the context until that part comes
//! ([`Context::annotate`], [`Context::set_key`]). They are evaluated right before it, so that they
//! belong to it alone.

use std::sync::Arc;

use starlark::values::{Value, ValueLike};

use super::annotation::{Annotation, Annotations};
use super::fill::{
    Filling, HoleValues, Overriding, documents_to_splice, entries_to_splice, filling,
    items_to_splice, style,
};
use super::mapping::MappingBuilder;
use super::part::{Built, Part, PartKind, Parts, Pattern, Shape};
use crate::script::failure::Failure;
use crate::script::value::Replacement;
use crate::script::value::{Fragment, MADE_NODE, ScalarKey, SizedNode, to_sized_node};
use crate::source::Location;
use crate::yaml::{Content, Entry, Item, Mapping, Node, Sequence};

/// What a file or a call has built so far.
#[derive(Debug, Default)]
pub(in crate::script) struct Context {
    root: ContextRoot,
    /// The parts that further parts can be added to, from the outermost in.
    ///
    /// Invariant: each one is the parent of the next one.
    open: Vec<OpenPart>,
    /// The computed key of the part that comes next.
    key: Option<Arc<Node>>,
    /// The annotations of the part that comes next.
    pending: Vec<Annotation>,
    /// The text so far, in a context for text.
    text: Option<String>,
}

/// Where the parts go whose parent is not open.
#[derive(Debug, Default)]
enum ContextRoot {
    #[default]
    Nothing,
    /// The parts have this parent. What they are collected in follows from the first of them.
    Parts(Option<usize>, Collector),
}

/// A part that further parts can be added to.
#[derive(Debug)]
struct OpenPart {
    part: usize,
    label: PartLabel,
    collector: Collector,
}

/// How a part is entered into its parent.
#[derive(Debug)]
struct PartLabel {
    /// The node of the key of an entry, and the key for comparisons (`None` for a collection as a
    /// key).
    key: Option<(Arc<Node>, Option<ScalarKey>)>,
    /// The offset of the dash of an item.
    start: Option<u32>,
    /// The place of a document.
    place: Option<Location>,
    annotations: Vec<Annotation>,
}

/// What the parts inside a part are collected in.
///
/// A collection that was parsed is the base of the one that is built: style, tag and place come
/// from it. Without a base, parts are those of a function, and the collection is new.
#[derive(Debug)]
enum Collector {
    Scalar,
    Mapping(Option<Arc<Node>>, MappingBuilder),
    Sequence(Option<Arc<Node>>, Vec<Item>),
    Documents(Vec<Built>),
}

/// What a context has built when it is closed.
#[derive(Debug)]
pub(in crate::script) enum ContextValue {
    /// No instruction for a node was reached.
    Nothing,
    Node(Arc<Node>),
    Documents(Vec<Built>),
    Text(String),
}

impl Context {
    /// Returns a context for text.
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

    /// Sets the key of the part that comes next, which must be an entry.
    pub(super) fn set_key(&mut self, key: Arc<Node>) {
        self.key = Some(key);
    }

    /// Adds an annotation for the part that comes next. The later one of two with the same name
    /// replaces the first.
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
                Collector::Mapping(Some(Arc::clone(base)), MappingBuilder::default())
            }
            Shape::Sequence(base) => Collector::Sequence(Some(Arc::clone(base)), Vec::new()),
        };
        self.open.push(OpenPart {
            part: id,
            label,
            collector,
        });
        Ok(())
    }

    /// Adds a complete part, with values for its holes. Returns roughly how many bytes the values
    /// take.
    ///
    /// # Errors
    /// A value that does not fit, a key that is there already, and a part that belongs to another
    /// collection.
    pub(super) fn set<'v>(
        &mut self,
        parts: &Parts,
        id: usize,
        mut values: HoleValues<'_, 'v>,
        table: &mut Annotations,
    ) -> starlark::Result<usize> {
        let part = part(parts, id)?;
        if matches!(part.pattern, Pattern::Hole(_))
            // Handled before `enter`: no part comes into being here, so no key may be claimed for
            // it.
            && let Some(replacement) = values.first().and_then(Replacement::from_value)
        {
            // The part itself disappears, and its key and annotations with it.
            self.key = None;
            self.pending.clear();
            self.unwind(part, table)?;
            return self.splice(
                parts,
                part,
                replacement.value.to_value(),
                &mut values,
                table,
            );
        }
        let label = self.enter(parts, part, table)?;
        let overriding = Overriding {
            annotations: table,
            implicit: parts.implicit_overrides,
        };
        match filling(&part.pattern, &mut values, &part.place.source, overriding)? {
            Filling::Node(node) => {
                self.attach(label, node, table);
                Ok(values.made)
            }
            Filling::Replacement(..) => Err(Failure::new("expected one value for one hole").into()),
        }
    }

    /// Makes the parent of `part` the innermost open part, and takes what waits for `part`: key and
    /// annotations.
    ///
    /// # Errors
    /// The parent has the key already, and `part` may not override it.
    fn enter(
        &mut self,
        parts: &Parts,
        part: &Part,
        table: &mut Annotations,
    ) -> starlark::Result<PartLabel> {
        self.unwind(part, table)?;
        // Taken even if this fails below: they belong to this part and to no other one.
        let annotations = std::mem::take(&mut self.pending);
        let templated = self.key.take();
        let key = match &part.kind {
            PartKind::Entry { key, says } => match templated {
                // The computed key gets the place of the written one, for messages about the entry.
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
            // The key is claimed when the part begins and not when it is complete. A duplicate is
            // then reported at its own code, and not after everything inside of it was evaluated.
            mapping.claim(says.as_ref(), part.overrides || parts.implicit_overrides)?;
        }
        let start = match &part.kind {
            PartKind::Item { start } => *start,
            _ => None,
        };
        // Entries and items have their place in their nodes.
        let place = matches!(part.kind, PartKind::Document).then(|| part.place.clone());
        Ok(PartLabel {
            key,
            start,
            place,
            annotations,
        })
    }

    /// Closes parts until the parent of `part` is the innermost one. If the parent is not open at
    /// all, `part` goes to the root.
    ///
    /// # Errors
    /// The root collects parts of another parent. A function can return the entries of one mapping,
    /// or the items of one sequence, or documents, but not a mixture.
    fn unwind(&mut self, part: &Part, table: &mut Annotations) -> starlark::Result<()> {
        while self
            .open
            .last()
            .is_some_and(|open| Some(open.part) != part.parent)
        {
            self.close_part(table);
        }
        // The innermost open part is the parent now, or none is open.
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

    /// Returns what the next part is added to.
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
        // `self.open` ends with the parent now, which is where `attach` adds to.
        let node = collector.finish();
        self.attach(label, node, table);
    }

    /// Adds a complete node to what is collected.
    fn attach(&mut self, label: PartLabel, node: Arc<Node>, table: &mut Annotations) {
        let PartLabel {
            key,
            start,
            place,
            annotations,
        } = label;
        match self.top() {
            Some(Collector::Mapping(_, mapping)) => {
                // The compiler gives only entries to a mapping.
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
            // The compiler gives no parts to a scalar.
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
    fn splice<'v>(
        &mut self,
        parts: &Parts,
        part: &Part,
        value: Value<'v>,
        values: &mut HoleValues<'_, 'v>,
        table: &mut Annotations,
    ) -> starlark::Result<usize> {
        if value.is_none() {
            let label = self.enter(parts, part, table)?;
            self.attach(label, Node::plain("null"), table);
            return Ok(0);
        }
        // Documents come first because a document set has no form as a node, which all other values
        // get below.
        if let Some(Collector::Documents(documents)) = self.top() {
            let spliced = documents_to_splice(value, values.heap)?;
            documents.extend(spliced.documents);
            return Ok(spliced.made);
        }
        let SizedNode { node, made, .. } = to_sized_node(value, values.heap)?;
        if let Pattern::Hole(place) = part.pattern {
            values.record_children(&node, Location::new(&part.place.source, place));
        }
        // The entries of a shared fragment cost nothing to convert, but each is copied into this
        // collection.
        let mut spliced = 0usize;
        match self.top() {
            Some(Collector::Mapping(_, mapping)) => {
                // As in ytt, an entry of a dictionary overrides an earlier one. That of a fragment
                // was written as YAML and needs `#@yaml/map-key-override` itself.
                let is_silent =
                    parts.implicit_overrides || value.downcast_ref::<Fragment>().is_none();
                for entry in entries_to_splice(node.resolved())? {
                    spliced += 1;
                    let key = ScalarKey::of(&entry.key);
                    let overrides = is_silent || table.overrides(&entry.key);
                    mapping.claim(key.as_ref(), overrides)?;
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

    /// Closes all parts and returns what was built.
    pub(in crate::script) fn finish(mut self, table: &mut Annotations) -> ContextValue {
        // A context for text builds nothing else, so there are no parts to close.
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
    /// Returns what a function's root collects, if its first part is of this kind.
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
