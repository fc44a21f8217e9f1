//! An overlay as a tree of parts.

use std::cell::OnceCell;
use std::sync::Arc;

use super::instruction::{Defaults, Instruction, is_overlay_annotation};
use crate::script::Caller;
use crate::script::fragments::{Annotation, Built};
use crate::source::{Location, Result, Span};
use crate::yaml::{Content, Entry, Item, Node, Sequence, effective_entries};

/// The kinds of part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Document,
    /// An entry of a mapping, which overlays call a map item.
    Entry,
    /// An item of a list, which overlays call an array item.
    Item,
    /// A value by itself, which has no annotations.
    Value,
}

impl Kind {
    /// Its name for one, for many.
    pub(super) fn words(self) -> (&'static str, &'static str) {
        match self {
            Kind::Document => ("document", "documents"),
            Kind::Entry => ("map item", "map items"),
            Kind::Item => ("array item", "array items"),
            Kind::Value => ("value", "values"),
        }
    }

    /// Its name for any of them.
    pub(super) fn article(self) -> &'static str {
        match self {
            Kind::Document => "a document",
            Kind::Entry => "a map item",
            Kind::Item => "an array item",
            Kind::Value => "a value",
        }
    }
}

/// A document, map item or array item of an overlay. What its annotations say is read when it is first needed: of a
/// document that matches nothing, nothing inside is looked at.
#[derive(Debug)]
pub(super) struct Part<'v> {
    pub(super) kind: Kind,
    /// The key of a map item.
    pub(super) key: Option<Arc<Node>>,
    /// Where it stands; `None` for one that was made from values.
    pub(super) place: Option<Location>,
    /// Its value.
    pub(super) value: Arc<Node>,
    annotations: Arc<[Annotation]>,
    inherited: Defaults<'v>,
    instruction: OnceCell<Instruction<'v>>,
    children: OnceCell<Children<'v>>,
    /// The value as it is where it is added, once that was worked out.
    pub(super) made: OnceCell<Arc<Node>>,
}

/// What the value of a part is made of.
#[derive(Debug)]
pub(super) enum Children<'v> {
    /// It is a scalar.
    None,
    Entries(Vec<Part<'v>>),
    Items(Vec<Part<'v>>),
}

impl<'v> Part<'v> {
    fn new(
        kind: Kind,
        value: &Arc<Node>,
        place: Option<Location>,
        annotations: Arc<[Annotation]>,
    ) -> Part<'v> {
        Part {
            kind,
            key: None,
            place,
            value: Arc::clone(value.resolved()),
            annotations,
            inherited: Defaults::default(),
            instruction: OnceCell::new(),
            children: OnceCell::new(),
            made: OnceCell::new(),
        }
    }

    /// A document of an overlay.
    pub(super) fn document(document: &Built) -> Part<'v> {
        let place = document.place.clone().or_else(|| document.root.location());
        Part::new(
            Kind::Document,
            &document.root,
            place,
            document.annotations.as_slice().into(),
        )
    }

    /// A value that stands in no document, map item or array item.
    pub(super) fn value(value: &Arc<Node>) -> Part<'v> {
        Part::new(Kind::Value, value, value.location(), Arc::new([]))
    }

    fn entry(entry: &Entry, inherited: Defaults<'v>, caller: &Caller<'_, 'v>) -> Result<Part<'v>> {
        let annotations = annotations(&entry.key, caller)?;
        let place = entry.key.location();
        let part = Part::new(Kind::Entry, &entry.value, place, annotations);
        Ok(Part {
            key: Some(Arc::clone(&entry.key)),
            inherited,
            ..part
        })
    }

    fn item(
        list: &Node,
        item: &Item,
        inherited: Defaults<'v>,
        caller: &Caller<'_, 'v>,
    ) -> Result<Part<'v>> {
        let annotations = annotations(&item.value, caller)?;
        let part = Part::new(Kind::Item, &item.value, item_place(list, item), annotations);
        Ok(Part { inherited, ..part })
    }

    /// What it does.
    pub(super) fn instruction(&self, caller: &Caller<'_, 'v>) -> Result<&Instruction<'v>> {
        if let Some(instruction) = self.instruction.get() {
            return Ok(instruction);
        }
        let instruction = Instruction::read(self.kind, &self.annotations, &self.inherited, caller)?;
        Ok(self.instruction.get_or_init(|| instruction))
    }

    /// What it does where nobody asks which elements it means.
    pub(super) fn unmatched_instruction(
        &self,
        caller: &Caller<'_, 'v>,
    ) -> Result<&Instruction<'v>> {
        let others: Vec<Annotation> = self
            .annotations
            .iter()
            .filter(|annotation| &*annotation.name != super::MATCH)
            .cloned()
            .collect();
        let instruction = Instruction::read_unmatched(self.kind, &others, &self.inherited, caller)?;
        Ok(self.instruction.get_or_init(|| instruction))
    }

    /// What its value is made of; `defaults` are those that its annotations give.
    pub(super) fn children(
        &self,
        defaults: Defaults<'v>,
        caller: &Caller<'_, 'v>,
    ) -> Result<&Children<'v>> {
        if let Some(children) = self.children.get() {
            return Ok(children);
        }
        let children = match &self.value.content {
            Content::Mapping(mapping) => {
                let entries = effective_entries(mapping)?;
                let entries = entries
                    .iter()
                    .map(|entry| Part::entry(entry, defaults, caller));
                Children::Entries(entries.collect::<Result<_>>()?)
            }
            Content::Sequence(Sequence { items, .. }) => {
                let items = items
                    .iter()
                    .map(|item| Part::item(&self.value, item, defaults, caller));
                Children::Items(items.collect::<Result<_>>()?)
            }
            Content::Scalar(_) | Content::Alias(_) => Children::None,
        };
        Ok(self.children.get_or_init(|| children))
    }

    /// Its annotations that say nothing about overlays, and so come out with it.
    pub(super) fn other_annotations(&self) -> Vec<Annotation> {
        self.annotations
            .iter()
            .filter(|annotation| !is_overlay_annotation(annotation))
            .cloned()
            .collect()
    }

    /// The key that it has where it is added: the same, but for the annotations of overlays.
    pub(super) fn clean_key(&self, caller: &Caller<'_, '_>) -> Result<Arc<Node>> {
        match &self.key {
            Some(key) if self.annotations.is_empty() => Ok(Arc::clone(key)),
            Some(key) => caller.annotated_key(key, self.other_annotations()),
            None => Ok(Node::plain("null")),
        }
    }
}

fn annotations(node: &Arc<Node>, caller: &Caller<'_, '_>) -> Result<Arc<[Annotation]>> {
    let annotations = caller.with_annotations(|all| all.of(node))?;
    Ok(annotations.unwrap_or_else(|| Arc::new([])))
}

/// The place of an item: its dash, or its value.
pub(super) fn item_place(list: &Node, item: &Item) -> Option<Location> {
    let dash = || {
        let origin = list.origin.as_ref()?;
        Some(Location::new(
            &origin.source,
            Span::at(item.start? as usize),
        ))
    };
    dash().or_else(|| item.value.resolved().location())
}
