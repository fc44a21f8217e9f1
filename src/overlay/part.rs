//! An overlay as a tree of parts, read lazily.
//!
//! Reading a part evaluates the arguments of its annotations, and an overlay for one kind of object
//! meets many objects of other kinds. A part is therefore read only when the first document that it
//! applies to is reached.

use std::cell::OnceCell;
use std::sync::Arc;

use super::element_kind::ElementKind;
use super::instruction::{Instruction, MATCH, MatchDefaults, is_overlay_annotation};
use super::text_keys::with_text_keys;
use crate::script::Caller;
use crate::script::fragments::{Annotation, Built};
use crate::source::{Location, Result, Span};
use crate::yaml::{Content, Entry, Item, Node, effective_entries};

/// A document, map item or array item of an overlay.
///
/// Its annotations and children are read when they are first needed, once for all documents that
/// the overlay is applied to. Parts inside a document that matches nothing are never read.
#[derive(Debug)]
pub(super) struct OverlayPart<'v> {
    pub(super) kind: ElementKind,
    /// The key of a map item.
    pub(super) key: Option<Arc<Node>>,
    /// The place of the document marker, key or dash; `None` if the part was created from values.
    pub(super) place: Option<Location>,
    pub(super) value: Arc<Node>,
    annotations: Arc<[Annotation]>,
    inherited: MatchDefaults<'v>,
    instruction: OnceCell<Instruction<'v>>,
    children: OnceCell<OverlayChildren<'v>>,
    /// The part with text keys, once computed; `None` inside if its keys already are text.
    text_keyed: OnceCell<Option<Box<OverlayPart<'v>>>>,
    /// The value without overlay annotations, once computed.
    pub(super) plain_value: OnceCell<Arc<Node>>,
}

/// The parts inside the value of a part.
#[derive(Debug)]
pub(super) enum OverlayChildren<'v> {
    /// The value is a scalar.
    None,
    Entries(Vec<OverlayPart<'v>>),
    Items(Vec<OverlayPart<'v>>),
}

impl<'v> OverlayPart<'v> {
    fn new(
        kind: ElementKind,
        value: &Arc<Node>,
        place: Option<Location>,
        annotations: Arc<[Annotation]>,
    ) -> OverlayPart<'v> {
        OverlayPart {
            kind,
            key: None,
            place,
            value: Arc::clone(value.resolved()),
            annotations,
            inherited: MatchDefaults::default(),
            instruction: OnceCell::new(),
            children: OnceCell::new(),
            text_keyed: OnceCell::new(),
            plain_value: OnceCell::new(),
        }
    }

    /// Returns the part for a document of an overlay.
    pub(super) fn document(document: &Built) -> OverlayPart<'v> {
        let place = document.place.clone().or_else(|| document.root.location());
        let annotations = document.annotations.as_slice().into();
        OverlayPart::new(ElementKind::Document, &document.root, place, annotations)
    }

    /// Returns the part for a value that is not a document, map item or array item.
    pub(super) fn value(value: &Arc<Node>) -> OverlayPart<'v> {
        OverlayPart::new(ElementKind::Value, value, value.location(), Arc::new([]))
    }

    fn entry(
        entry: &Entry,
        inherited: MatchDefaults<'v>,
        caller: &Caller<'_, 'v>,
    ) -> Result<OverlayPart<'v>> {
        let annotations = annotations_of(&entry.key, caller)?;
        // Annotations are written above the key, so messages about an entry show its key and not
        // its value, which may be several lines away.
        let place = entry.key.location();
        Ok(OverlayPart {
            key: Some(Arc::clone(&entry.key)),
            inherited,
            ..OverlayPart::new(ElementKind::Entry, &entry.value, place, annotations)
        })
    }

    fn item(
        list: &Node,
        item: &Item,
        inherited: MatchDefaults<'v>,
        caller: &Caller<'_, 'v>,
    ) -> Result<OverlayPart<'v>> {
        let annotations = annotations_of(&item.value, caller)?;
        let place = item_place(list, item);
        Ok(OverlayPart {
            inherited,
            ..OverlayPart::new(ElementKind::Item, &item.value, place, annotations)
        })
    }

    /// Returns the part for a document whose format allows only text keys: itself, or a copy with
    /// the same annotations and text keys inside.
    pub(super) fn with_text_keys(&self, caller: &Caller<'_, 'v>) -> Result<&OverlayPart<'v>> {
        if self.text_keyed.get().is_none() {
            let value = with_text_keys(&self.value, caller)?;
            let text_keyed = (!Arc::ptr_eq(&value, &self.value)).then(|| {
                Box::new(OverlayPart {
                    key: self.key.clone(),
                    inherited: self.inherited,
                    ..OverlayPart::new(
                        self.kind,
                        &value,
                        self.place.clone(),
                        Arc::clone(&self.annotations),
                    )
                })
            });
            self.text_keyed.get_or_init(|| text_keyed);
        }
        Ok(match self.text_keyed.get() {
            Some(Some(text_keyed)) => text_keyed,
            _ => self,
        })
    }

    /// Returns the instruction that the annotations describe.
    pub(super) fn instruction(&self, caller: &Caller<'_, 'v>) -> Result<&Instruction<'v>> {
        if let Some(instruction) = self.instruction.get() {
            return Ok(instruction);
        }
        let instruction = Instruction::read(self.kind, &self.annotations, &self.inherited, caller)?;
        Ok(self.instruction.get_or_init(|| instruction))
    }

    /// Returns the instruction that the annotations describe, without `@overlay/match`, because the
    /// element is already known.
    pub(super) fn unmatched_instruction(
        &self,
        caller: &Caller<'_, 'v>,
    ) -> Result<&Instruction<'v>> {
        // Remove it before reading: its arguments may be wrong for a document that is not matched.
        let others: Vec<Annotation> = self
            .annotations
            .iter()
            .filter(|annotation| &*annotation.name != MATCH)
            .cloned()
            .collect();
        let instruction = Instruction::read_unmatched(self.kind, &others, &self.inherited, caller)?;
        Ok(self.instruction.get_or_init(|| instruction))
    }

    /// Returns the parts inside the value. `defaults` are the defaults of the instruction.
    pub(super) fn children(
        &self,
        defaults: MatchDefaults<'v>,
        caller: &Caller<'_, 'v>,
    ) -> Result<&OverlayChildren<'v>> {
        if let Some(children) = self.children.get() {
            return Ok(children);
        }
        // If one child cannot be read, the result is not stored: the next document reports the same
        // error.
        let children = match &self.value.content {
            Content::Mapping(mapping) => {
                let entries = effective_entries(mapping)?;
                let mut parts = Vec::with_capacity(entries.len());
                for entry in entries.iter() {
                    parts.push(OverlayPart::entry(entry, defaults, caller)?);
                }
                OverlayChildren::Entries(parts)
            }
            Content::Sequence(sequence) => {
                let mut parts = Vec::with_capacity(sequence.items.len());
                for item in &sequence.items {
                    parts.push(OverlayPart::item(&self.value, item, defaults, caller)?);
                }
                OverlayChildren::Items(parts)
            }
            Content::Scalar(_) | Content::Alias(_) => OverlayChildren::None,
        };
        Ok(self.children.get_or_init(|| children))
    }

    /// Returns its `@overlay/match`, if it has one.
    pub(super) fn match_annotation(&self) -> Option<&Annotation> {
        let mut annotations = self.annotations.iter();
        annotations.find(|annotation| &*annotation.name == MATCH)
    }

    /// Returns the annotations that are not about overlays, and therefore are part of the result.
    pub(super) fn other_annotations(&self) -> Vec<Annotation> {
        self.annotations
            .iter()
            .filter(|annotation| !is_overlay_annotation(annotation))
            .cloned()
            .collect()
    }

    /// Returns the key of a map item without overlay annotations.
    pub(super) fn clean_key(&self, caller: &Caller<'_, '_>) -> Result<Arc<Node>> {
        match &self.key {
            Some(key) if self.annotations.is_empty() => Ok(Arc::clone(key)),
            Some(key) => caller.annotated_key(key, self.other_annotations()),
            // Only entries have keys, and callers use only the keys of entries.
            None => Ok(Node::plain("null")),
        }
    }
}

/// Returns the annotations of the entry with the key `node`, or of the item with the value `node`.
fn annotations_of(node: &Arc<Node>, caller: &Caller<'_, '_>) -> Result<Arc<[Annotation]>> {
    let annotations = caller.with_annotations(|all| all.of(node))?;
    Ok(annotations.unwrap_or_else(|| Arc::new([])))
}

/// Returns the place of an item: its dash, or its value if the list was not parsed from a text.
pub(super) fn item_place(list: &Node, item: &Item) -> Option<Location> {
    match (&list.origin, item.start) {
        (Some(origin), Some(start)) => {
            Some(Location::new(&origin.source, Span::at(start as usize)))
        }
        _ => item.value.resolved().location(),
    }
}
