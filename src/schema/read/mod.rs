//! Reads a schema document into a tree of types.
//!
//! Each document, entry and item declares the type of its value. Annotations can name the type;
//! otherwise it is inferred from the example.
//!
//! ```text
//! #@schema/type any=True        any value, default {a: 1}
//! x: {a: 1}
//! #@schema/nullable             a string or null, default null
//! y: ""
//! z:                            an array of maps with the key `n`, default []
//! - n: 1.5
//! ```
//!
//! A mistake in one value does not hide mistakes in others: the whole document is read before the
//! reader fails.

mod annotations;
mod arguments;
mod errors;

use std::sync::Arc;

use super::check::{CheckedSubject, Checker, GivenValue};
use super::path::ValuePath;
use super::rules::{RuleSource, Rules};
use super::types::{Example, MapFields, TypeKind, ValueType};
use crate::script::Caller;
use crate::script::fragments::{Annotation, Built, PartKey};
use crate::source::{Diagnostics, Location, Reported, Span};
use crate::yaml::{Content, Entry, Item, Mapping, Node, Sequence, Value};
use annotations::{SchemaLevel, TypeAnnotations};

/// Reads the type of a schema document.
///
/// # Errors
/// Reports all mistakes in the document.
pub(super) fn document(
    document: &Built,
    caller: &mut Caller<'_, '_>,
    diagnostics: &mut Diagnostics,
) -> Result<ValueType, Reported> {
    let mut reader = SchemaReader {
        caller,
        diagnostics,
    };
    reader.read(&SchemaNode {
        level: SchemaLevel::Document,
        value: &document.root,
        annotations: document.annotations.clone().into(),
        place: document.place.clone().or_else(|| document.root.location()),
        path: ValuePath::root(),
    })
}

/// A document, entry or item of a schema.
struct SchemaNode<'a> {
    level: SchemaLevel,
    value: &'a Arc<Node>,
    annotations: Arc<[Annotation]>,
    place: Option<Location>,
    path: ValuePath<'a>,
}

struct SchemaReader<'r, 'c, 'v> {
    caller: &'r mut Caller<'c, 'v>,
    diagnostics: &'r mut Diagnostics,
}

impl SchemaReader<'_, '_, '_> {
    fn read(&mut self, node: &SchemaNode<'_>) -> Result<ValueType, Reported> {
        let annotations = annotations::read(
            node.level,
            &node.annotations,
            node.place.as_ref(),
            self.caller,
            self.diagnostics,
        );
        // If an annotation is invalid, the values inside are still read, so that their mistakes are
        // reported too.
        let kind = self.read_kind(node, annotations.as_ref().ok());
        let (annotations, kind) = (annotations?, kind?);
        self.build_type(node, annotations, kind)
    }

    /// Builds the type of a node from its annotations and its kind.
    fn build_type(
        &mut self,
        node: &SchemaNode<'_>,
        annotations: TypeAnnotations,
        kind: TypeKind,
    ) -> Result<ValueType, Reported> {
        let example = node.value.resolved();
        // In ascending order of precedence: the example, null for a nullable type,
        // `@schema/default`.
        let default = if annotations.nullable {
            Node::plain("null")
        } else {
            inferred_default(&kind, example)
        };
        let mut read = ValueType::any(default, node.place.clone());
        read.nullable = annotations.nullable || matches!(kind, TypeKind::Any);
        read.kind = kind;
        read.documentation.title = annotations.title;
        read.documentation.description = annotations.description;
        read.documentation.deprecated = annotations.deprecated;
        // The default and the examples are checked against the type itself, so its kind and its
        // nullability have to be set before.
        if let Some(default) = annotations.default {
            read.default = self.fit(
                &read,
                &default.value,
                &default.place,
                CheckedSubject::Default,
                node,
            )?;
        }
        for example in annotations.examples {
            let value = example.value;
            self.fit(
                &read,
                &value.value,
                &value.place,
                CheckedSubject::Example,
                node,
            )?;
            read.documentation.examples.push(Example {
                description: example.description,
                value: value.value,
            });
        }
        if let Some(annotation) = annotations.validation {
            self.add_rules(&mut read, annotation)?;
        }
        Ok(read)
    }

    /// Reads the rules of a type.
    ///
    /// The rules are read again when they are tested, because a rule contains functions, which live
    /// as long as one evaluation. Here they are checked, and their constant part is kept.
    fn add_rules(&mut self, read: &mut ValueType, annotation: Annotation) -> Result<(), Reported> {
        let rules = Rules::read(&annotation, RuleSource::Schema, self.caller);
        let rules = self.diagnostics.check(rules)?;
        self.diagnostics.check(rules.check_fit(read))?;
        read.constraints = rules.constraints(self.caller);
        read.rules = Some(annotation);
        Ok(())
    }

    /// Checks a default or example of an annotation, and completes it.
    fn fit(
        &mut self,
        expected: &ValueType,
        value: &Arc<Node>,
        place: &Location,
        subject: CheckedSubject,
        node: &SchemaNode<'_>,
    ) -> Result<Arc<Node>, Reported> {
        let mut checker = Checker::new(subject, self.caller, self.diagnostics);
        let given = GivenValue {
            value,
            known: None,
            path: &node.path,
            around: Some(place),
        };
        let value = checker.check(expected, &given);
        checker.finish()?;
        Ok(value)
    }

    /// Reads the kind of a node. `annotations` is `None` if they could not be read.
    fn read_kind(
        &mut self,
        node: &SchemaNode<'_>,
        annotations: Option<&TypeAnnotations>,
    ) -> Result<TypeKind, Reported> {
        let value = node.value.resolved();
        if annotations.is_some_and(|annotations| annotations.any) {
            self.refuse_types_inside(value)?;
            return Ok(TypeKind::Any);
        }
        if annotations.is_some_and(|annotations| annotations.open) {
            return self.read_open_map(node, value);
        }
        match &value.content {
            Content::Mapping(mapping) => self.read_map(node, mapping),
            Content::Sequence(sequence) => self.read_array(node, value, sequence),
            Content::Scalar(_) | Content::Alias(_) => match value.value().unwrap_or(Value::Null) {
                Value::String(_) => Ok(TypeKind::String),
                Value::Int(_) | Value::UInt(_) => Ok(TypeKind::Integer),
                Value::Float(_) => Ok(TypeKind::Float),
                Value::Bool(_) => Ok(TypeKind::Boolean),
                Value::Null => Err(self
                    .diagnostics
                    .report(errors::null(node.place.as_ref(), &node.path))),
            },
        }
    }

    fn read_map(&mut self, node: &SchemaNode<'_>, mapping: &Mapping) -> Result<TypeKind, Reported> {
        let mut fields = MapFields::default();
        let mut outcome = Ok(());
        for entry in &mapping.entries {
            match self.read_entry(node, entry, node.path.key(&entry.key)) {
                // After the first mistake the fields are incomplete, but reading continues to find
                // other mistakes.
                Ok(expected) => fields.push(Arc::clone(&entry.key), expected),
                Err(reported) => outcome = Err(reported),
            }
        }
        outcome.map(|()| TypeKind::Map(fields))
    }

    fn read_open_map(
        &mut self,
        node: &SchemaNode<'_>,
        value: &Arc<Node>,
    ) -> Result<TypeKind, Reported> {
        let entries = value.as_mapping().map(|mapping| &*mapping.entries);
        // The only entry is the example for all entries. Its key is a placeholder and is not part
        // of the type.
        let Some([entry]) = entries else {
            let error = errors::open_map(value, node.place.as_ref(), &node.path);
            return Err(self.diagnostics.report(error));
        };
        let inner = self.read_entry(node, entry, node.path.each())?;
        Ok(TypeKind::OpenMap(Box::new(inner)))
    }

    fn read_entry(
        &mut self,
        node: &SchemaNode<'_>,
        entry: &Entry,
        path: ValuePath<'_>,
    ) -> Result<ValueType, Reported> {
        if PartKey::of(entry.key.resolved()).is_none() {
            let error = errors::key(&entry.key, node.place.as_ref(), &node.path);
            return Err(self.diagnostics.report(error));
        }
        let place = entry
            .key
            .location()
            .or_else(|| entry.value.resolved().location())
            .or_else(|| node.place.clone());
        self.read(&SchemaNode {
            level: SchemaLevel::Entry,
            value: &entry.value,
            annotations: self.annotations_of(&entry.key),
            place,
            path,
        })
    }

    fn read_array(
        &mut self,
        node: &SchemaNode<'_>,
        value: &Arc<Node>,
        sequence: &Sequence,
    ) -> Result<TypeKind, Reported> {
        // ytt infers the type of all items from the only item. Several items could contradict each
        // other, and without an item there is no example.
        let [item] = &*sequence.items else {
            let count = sequence.items.len();
            let error = errors::array(count, node.place.as_ref(), &node.path);
            return Err(self.diagnostics.report(error));
        };
        let inner = self.read(&SchemaNode {
            level: SchemaLevel::Item,
            value: &item.value,
            annotations: self.annotations_of(&item.value),
            place: item_place(value, item).or_else(|| node.place.clone()),
            path: node.path.each(),
        })?;
        Ok(TypeKind::Array(Box::new(inner)))
    }

    /// Returns the annotations of the entry with the key `node`, or of the item with the value
    /// `node`.
    fn annotations_of(&self, node: &Arc<Node>) -> Arc<[Annotation]> {
        match self.caller.with_annotations(|table| table.of(node)) {
            Ok(Some(annotations)) => annotations,
            _ => Arc::new([]),
        }
    }

    /// Refuses annotations that declare types inside a node of any type, because they would have no
    /// effect.
    fn refuse_types_inside(&mut self, node: &Arc<Node>) -> Result<(), Reported> {
        let mut outcome = Ok(());
        match &node.content {
            Content::Mapping(mapping) => {
                for entry in &mapping.entries {
                    if let Err(reported) = self.refuse_types(&entry.key, &entry.value) {
                        outcome = Err(reported);
                    }
                }
            }
            Content::Sequence(sequence) => {
                for item in &sequence.items {
                    if let Err(reported) = self.refuse_types(&item.value, &item.value) {
                        outcome = Err(reported);
                    }
                }
            }
            Content::Scalar(_) | Content::Alias(_) => {}
        }
        outcome
    }

    /// Refuses declarations of types on `annotated`, a key or an item, and inside its value.
    fn refuse_types(&mut self, annotated: &Arc<Node>, value: &Arc<Node>) -> Result<(), Reported> {
        let mut outcome = Ok(());
        for annotation in &*self.annotations_of(annotated) {
            if annotations::declares_type(&annotation.name) {
                let error = errors::inside_any(annotation, annotated);
                outcome = Err(self.diagnostics.report(error));
            }
        }
        self.refuse_types_inside(value.resolved()).and(outcome)
    }
}

/// Returns the place of an item: its dash, with its value if that is on the same line.
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
        // With a value on a later line, the excerpt would span unrelated lines.
        _ => start + 1,
    };
    let span = Span::new(start, end.max(start));
    Some(Location::new(&origin.source, span))
}

/// Returns the default of a value whose schema does not declare one: the example itself, an empty
/// array, or a map of defaults.
fn inferred_default(kind: &TypeKind, example: &Arc<Node>) -> Arc<Node> {
    match kind {
        // As in ytt, the item in a schema is an example and not a default.
        TypeKind::Array(_) => Node::sequence([]),
        TypeKind::OpenMap(_) => Node::mapping(Vec::new()),
        TypeKind::Map(fields) => {
            let mut entries = Vec::with_capacity(fields.list.len());
            for field in &fields.list {
                entries.push(Entry {
                    key: Arc::clone(&field.key),
                    value: Arc::clone(&field.expected.default),
                });
            }
            example.with_entries(entries)
        }
        _ => Arc::clone(example),
    }
}
