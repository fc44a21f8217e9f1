//! From a schema document to a tree of types.
//!
//! Each document, entry and item of a schema gives its value a type: the one that its own annotations say, or else the
//! one that is inferred from its value. What is wrong with one does not hide what is wrong with the others.

mod annotations;
mod arguments;
mod faults;

use std::sync::Arc;

use super::check::{Checker, Subject};
use super::path::Path;
use super::rules::{Attachment, Rules};
use super::types::{Fields, Kind, Type};
use crate::script::Caller;
use crate::script::fragments::{Annotation, Built, PartKey};
use crate::source::{Diagnostics, Location};
use crate::yaml::{Content, Item, Mapping, Node, Sequence, Value};
use annotations::{Holder, Said};

/// The type of a document. `None` where something is wrong, and `diagnostics` says what.
pub(super) fn document(
    document: &Built,
    caller: &mut Caller<'_, '_>,
    diagnostics: &mut Diagnostics,
) -> Option<Type> {
    let place = document.place.clone().or_else(|| document.root.location());
    let annotations: Arc<[Annotation]> = document.annotations.clone().into();
    Reader {
        caller,
        diagnostics,
    }
    .typed(Part {
        holder: Holder::Document,
        value: &document.root,
        annotations,
        place,
        path: Path::root(),
    })
}

/// A document, an entry or an item of a schema.
struct Part<'a> {
    holder: Holder,
    value: &'a Arc<Node>,
    annotations: Arc<[Annotation]>,
    place: Option<Location>,
    path: Path<'a>,
}

struct Reader<'r, 'c, 'v> {
    caller: &'r mut Caller<'c, 'v>,
    diagnostics: &'r mut Diagnostics,
}

impl Reader<'_, '_, '_> {
    fn typed(&mut self, part: Part<'_>) -> Option<Type> {
        let said = annotations::read(
            part.holder,
            &part.annotations,
            part.place.as_ref(),
            self.caller,
            self.diagnostics,
        );
        // What is below is read all the same, so that its faults are told in the same run.
        let kind = self.kind(&part, said.as_ref());
        let (said, kind) = (said?, kind?);
        let default = match (&kind, said.nullable) {
            (_, true) => Node::plain("null"),
            (Kind::Any, false) => Arc::clone(part.value.resolved()),
            (kind, false) => inferred_default(kind, part.value.resolved()),
        };
        let mut found = Type {
            nullable: said.nullable,
            ..Type::any(default, part.place.clone())
        };
        found.nullable |= matches!(kind, Kind::Any);
        found.kind = kind;
        found.documentation.title = said.title;
        found.documentation.description = said.description;
        found.documentation.deprecated = said.deprecated;
        if let Some((default, place)) = &said.default {
            found.default = self.given(&found, default, place, Subject::Default, &part.path)?;
        }
        for (description, example, place) in said.examples {
            self.given(&found, &example, &place, Subject::Example, &part.path)?;
            found.documentation.examples.push((description, example));
        }
        if let Some(annotation) = said.validation {
            let rules =
                self.diagnostics
                    .take(Rules::read(&annotation, Attachment::Schema, self.caller))?;
            self.diagnostics.take(rules.fit(&found))?;
            found.constraints = rules.constraints(self.caller);
            found.rules = Some(annotation);
        }
        Some(found)
    }

    /// The default or an example that an annotation gives.
    fn given(
        &mut self,
        expected: &Type,
        value: &Arc<Node>,
        place: &Location,
        subject: Subject,
        path: &Path<'_>,
    ) -> Option<Arc<Node>> {
        let mut checker = Checker::new(subject, self.caller);
        let value = checker.check(expected, value, path, Some(place));
        let violations = checker.finish();
        let fits = violations.is_empty();
        violations
            .into_iter()
            .for_each(|violation| self.diagnostics.push(Box::new(violation)));
        fits.then_some(value)
    }

    fn kind(&mut self, part: &Part<'_>, said: Option<&Said>) -> Option<Kind> {
        let node = part.value.resolved();
        if said.is_some_and(|said| said.any) {
            self.refuse_types_within(node)?;
            return Some(Kind::Any);
        }
        if said.is_some_and(|said| said.open) {
            return self.open_map(part, node);
        }
        match &node.content {
            Content::Mapping(mapping) => self.map(part, mapping),
            Content::Sequence(sequence) => self.array(part, node, sequence),
            Content::Scalar(_) | Content::Alias(_) => match node.value().unwrap_or(Value::Null) {
                Value::String(_) => Some(Kind::String),
                Value::Int(_) | Value::UInt(_) => Some(Kind::Integer),
                Value::Float(_) => Some(Kind::Float),
                Value::Bool(_) => Some(Kind::Boolean),
                Value::Null => {
                    self.diagnostics
                        .push(faults::null(part.place.as_ref(), &part.path));
                    None
                }
            },
        }
    }

    fn map(&mut self, part: &Part<'_>, mapping: &Mapping) -> Option<Kind> {
        let mut fields = Fields::default();
        let mut sound = true;
        for entry in &mapping.entries {
            match self.entry(part, entry, part.path.key(&entry.key)) {
                Some(value) => fields.push(Arc::clone(&entry.key), value),
                None => sound = false,
            }
        }
        sound.then_some(Kind::Map(fields))
    }

    fn open_map(&mut self, part: &Part<'_>, node: &Arc<Node>) -> Option<Kind> {
        let entries = node.as_mapping().map(|mapping| &*mapping.entries);
        let Some([entry]) = entries else {
            self.diagnostics
                .push(faults::open_map(node, part.place.as_ref(), &part.path));
            return None;
        };
        let value = self.entry(part, entry, part.path.each())?;
        Some(Kind::OpenMap(Box::new(value)))
    }

    fn entry(
        &mut self,
        part: &Part<'_>,
        entry: &crate::yaml::Entry,
        path: Path<'_>,
    ) -> Option<Type> {
        if PartKey::of(entry.key.resolved()).is_none() {
            self.diagnostics
                .push(faults::key(&entry.key, part.place.as_ref(), &part.path));
            return None;
        }
        let place = entry
            .key
            .location()
            .or_else(|| entry.value.resolved().location())
            .or_else(|| part.place.clone());
        let annotations = self.annotations_of(&entry.key);
        self.typed(Part {
            holder: Holder::Entry,
            value: &entry.value,
            annotations,
            place,
            path,
        })
    }

    fn array(&mut self, part: &Part<'_>, node: &Arc<Node>, sequence: &Sequence) -> Option<Kind> {
        let [item] = &*sequence.items else {
            self.diagnostics.push(faults::array(
                sequence.items.len(),
                part.place.as_ref(),
                &part.path,
            ));
            return None;
        };
        let place = item_place(node, item).or_else(|| part.place.clone());
        let annotations = self.annotations_of(&item.value);
        let value = self.typed(Part {
            holder: Holder::Item,
            value: &item.value,
            annotations,
            place,
            path: part.path.each(),
        })?;
        Some(Kind::Array(Box::new(value)))
    }

    fn annotations_of(&self, node: &Arc<Node>) -> Arc<[Annotation]> {
        self.caller
            .with_annotations(|table| table.of(node))
            .ok()
            .flatten()
            .unwrap_or_default()
    }

    /// Below a node of any type there is nothing for types to be said of.
    fn refuse_types_within(&mut self, node: &Arc<Node>) -> Option<()> {
        let parts: Vec<(&Arc<Node>, &Arc<Node>)> = match &node.content {
            Content::Mapping(mapping) => mapping
                .entries
                .iter()
                .map(|entry| (&entry.key, &entry.value))
                .collect(),
            Content::Sequence(sequence) => sequence
                .items
                .iter()
                .map(|item| (&item.value, &item.value))
                .collect(),
            _ => Vec::new(),
        };
        let mut sound = Some(());
        for (holder, value) in parts {
            for annotation in &*self.annotations_of(holder) {
                if annotations::types(&annotation.name) {
                    self.diagnostics
                        .push(faults::within_any(annotation, holder));
                    sound = None;
                }
            }
            if self.refuse_types_within(value.resolved()).is_none() {
                sound = None;
            }
        }
        sound
    }
}

/// The place of the dash of an item, with its value where that stands on the same line.
fn item_place(sequence: &Arc<Node>, item: &Item) -> Option<Location> {
    let value = item.value.resolved().location();
    let (Some(origin), Some(start)) = (&sequence.origin, item.start) else {
        return value;
    };
    let start = start as usize;
    let end = match &value {
        Some(value)
            if Arc::ptr_eq(&value.source, &origin.source) && value.span.start() >= start =>
        {
            let line = origin.source.line_span(origin.source.line(start));
            value.span.end().min(line.end())
        }
        _ => start + 1,
    };
    Some(Location::new(
        &origin.source,
        crate::source::Span::new(start, end.max(start)),
    ))
}

/// The default of a value whose schema says none: what stands in the schema, an empty array, a map of defaults.
fn inferred_default(kind: &Kind, example: &Arc<Node>) -> Arc<Node> {
    match kind {
        Kind::Array(_) => Node::sequence([]),
        Kind::OpenMap(_) => Node::mapping(Vec::new()),
        Kind::Map(fields) => {
            let entries = fields.list.iter();
            let entries = entries.map(|(key, value)| crate::yaml::Entry {
                key: Arc::clone(key),
                value: Arc::clone(&value.default),
            });
            example.with_entries(entries.collect::<Vec<_>>())
        }
        _ => Arc::clone(example),
    }
}
