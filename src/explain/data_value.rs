//! Finds the origins of a data value: the schema's default and the documents that were merged over
//! it.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use super::given::given_part;
use super::history::Explainer;
use super::link::{Input, InputKind, Link, LinkKind};
use super::versions::{address, child, is_changed};
use crate::edit::{FieldPath, PathStep};
use crate::provenance::{Hole, HoleRead, ValuesMerge, ValuesRecord, ValuesSource};
use crate::source::{Location, Span};
use crate::yaml::{Node, is_equal};

/// Returns the value that steps lead to. Keys are compared as data values compare them, and strings
/// are not opened.
fn value_in(root: &Arc<Node>, steps: &[PathStep]) -> Option<Arc<Node>> {
    let mut node = root.resolved();
    for step in steps {
        node = child(node, step)?.resolved();
    }
    Some(Arc::clone(node))
}

/// Returns the place of the key of the value that steps lead to. It is used for a list that is a
/// default, which has no place itself, because its items in the schema are examples.
fn key_place(root: &Arc<Node>, steps: &[PathStep]) -> Option<Location> {
    let (PathStep::Key(name), outer) = steps.split_last()? else {
        return None;
    };
    let outer = value_in(root, outer)?;
    let mut entries = outer.as_mapping()?.entries.iter();
    let entry = entries.find(|entry| entry.key.resolved().text() == Some(name))?;
    entry.key.location()
}

/// The data values that were already explained, by the address of their root, their path, and the
/// remaining depth of inputs. A loop reads the same data value in each iteration.
pub(super) type ValueInputs = RefCell<HashMap<(usize, Vec<PathStep>, usize), Input>>;

/// The data values that expressions read, by the address of the source, the span of the expression,
/// and the remaining depth of inputs. An iteration of a loop usually reads the same ones as the
/// iteration before it, so the last result is kept. The records keep the sources alive.
pub(super) type ExpressionInputs = RefCell<HashMap<(usize, Span, usize), ReadInputs>>;

/// The data values that an expression read in one iteration of a loop.
#[derive(Debug)]
pub(super) struct ReadInputs {
    /// The address of the data values that its template sees.
    values: Option<usize>,
    reads: Vec<HoleRead>,
    inputs: Vec<Input>,
}

impl Explainer {
    /// Returns the data values that an expression read. `rest` are the steps from its result to the
    /// value in question.
    pub(super) fn reads(&self, hole: &Hole, rest: &[PathStep], depth: usize) -> Vec<Input> {
        let Some(depth) = depth.checked_sub(1) else {
            return Vec::new();
        };
        if !rest.is_empty() {
            return self.find_reads(hole, rest, depth);
        }
        let Location { source, span } = &hole.expression;
        let key = (Arc::as_ptr(source).addr(), *span, depth);
        let values = hole.values.as_ref().map(address);
        if let Some(known) = self.expression_inputs.borrow().get(&key)
            && known.values == values
            && known.reads == hole.reads
        {
            return known.inputs.clone();
        }
        let inputs = self.find_reads(hole, rest, depth);
        let known = ReadInputs {
            values,
            reads: hole.reads.clone(),
            inputs: inputs.clone(),
        };
        self.expression_inputs.borrow_mut().insert(key, known);
        inputs
    }

    /// Finds the data values for [`Explainer::reads`]. Their inputs are followed `depth` times.
    fn find_reads(&self, hole: &Hole, rest: &[PathStep], depth: usize) -> Vec<Input> {
        let mut reads = hole.reads.clone();
        let source = &hole.expression.source;
        let (code, rest) = given_part(source.slice(hole.expression.span), rest);
        // A variable was read before the expression ran.
        for path in self.variables.data_values_in(source, code).iter() {
            let seen = hole.values.as_ref();
            if let Some(values) = seen.filter(|values| value_in(values, path).is_some()) {
                let read = HoleRead {
                    values: Arc::clone(values),
                    path: path.clone(),
                };
                if !reads
                    .iter()
                    .any(|other| other == &read || other.is_below(&read))
                {
                    reads.push(read);
                }
            }
        }
        if let [only] = reads.as_mut_slice() {
            // A collection that was passed on unchanged: the remaining steps lead into it.
            let mut path = only.path.clone();
            path.extend_from_slice(rest);
            if value_in(&only.values, &path).is_some() {
                only.path = path;
            }
        }
        let inputs = reads.iter().map(|read| self.data_value(read, depth));
        inputs.collect()
    }

    /// Returns a data value that was read, with its links.
    fn data_value(&self, read: &HoleRead, depth: usize) -> Input {
        let key = (address(&read.values), read.path.clone(), depth);
        if let Some(input) = self.value_inputs.borrow().get(&key) {
            return input.clone();
        }
        let record = self
            .values_of(&read.values)
            .and_then(|index| self.records.values.get(index));
        let input = Input {
            kind: InputKind::DataValue {
                library: record.and_then(|record| record.library.clone()),
                key: FieldPath::of_steps(&read.path).to_string(),
            },
            value: value_in(&read.values, &read.path),
            links: match record {
                Some(record) => self.value_links(record, &read.path, depth).into(),
                None => Rc::default(),
            },
        };
        self.value_inputs.borrow_mut().insert(key, input.clone());
        input
    }

    /// Returns the links of a data value, the newest first.
    fn value_links(&self, record: &ValuesRecord, path: &[PathStep], depth: usize) -> Vec<Link> {
        let mut links: Vec<Link> = Vec::new();
        let mut current: Option<Arc<Node>> = None;
        for source in &record.sources {
            let (before, given) = match &source.merge {
                ValuesMerge::Defaults | ValuesMerge::Below(_) => {
                    (current.clone(), value_in(&source.document, path))
                }
                ValuesMerge::Overlay { before, after } => {
                    let before = before.as_ref().and_then(|before| value_in(before, path));
                    let after = value_in(after, path);
                    let is_given = match (&before, &after) {
                        (Some(before), Some(after)) => is_changed(before, after),
                        (None, Some(_)) => true,
                        (_, None) => false,
                    };
                    (before, after.filter(|_| is_given))
                }
            };
            let Some(value) = given else {
                continue;
            };
            links.push(self.value_link(source, path, before, &value, depth));
            current = Some(value);
        }
        let Some(last) = value_in(&record.root, path) else {
            return links;
        };
        // After all documents, defaults add the keys that the items of a list do not have.
        if current.is_none_or(|current| !is_equal(&current, &last)) {
            links.push(Link {
                kind: LinkKind::SchemaDefault,
                place: last.location().map(|location| location.in_file()),
                text: None,
                before: None,
                after: Some(last),
                inputs: Vec::new(),
                is_secret: false,
            });
        }
        links.reverse();
        links
    }

    fn value_link(
        &self,
        source: &ValuesSource,
        path: &[PathStep],
        before: Option<Arc<Node>>,
        value: &Arc<Node>,
        depth: usize,
    ) -> Link {
        // A list that an overlay merged has no place, but the list in the overlay has one.
        let written = || value_in(&source.document, path)?.location();
        let named = || key_place(&source.document, path);
        let place = value.location().or_else(written).or_else(named);
        let place = place.map(|location| location.in_file());
        let given = place.as_ref().and_then(given_outside);
        let (kind, text) = match (&source.merge, given) {
            (ValuesMerge::Defaults, _) => (LinkKind::SchemaDefault, None),
            (_, Some((kind, text))) => (kind, Some(text)),
            (ValuesMerge::Below(_), None) => (LinkKind::ValuesFile, None),
            (ValuesMerge::Overlay { .. }, None) => (LinkKind::DataValues, None),
        };
        let mut link = Link {
            kind,
            place: place.or_else(|| source.place.clone()),
            text,
            before,
            after: Some(Arc::clone(value)),
            inputs: Vec::new(),
            is_secret: kind == LinkKind::Environment,
        };
        let in_result = match &source.merge {
            ValuesMerge::Overlay { after, .. } => self.hole(after, path),
            _ => None,
        };
        // Values that code made are in the document as a whole.
        let made = in_result.or_else(|| self.hole(&source.document, path));
        if let Some((hole, rest)) = made {
            link.place = Some(hole.expression.clone());
            link.text = Some(
                hole.expression
                    .source
                    .slice(hole.expression.span)
                    .trim()
                    .to_owned(),
            );
            link.inputs = self.reads(hole, rest, depth);
        }
        link
    }
}

/// Returns the kind of link of a value that was given on the command line, with the text that the
/// user typed. The name of such a source is in parentheses: `(data-value arg)`.
fn given_outside(place: &Location) -> Option<(LinkKind, String)> {
    let name = place.source.name();
    let (flag, rest) = name.strip_prefix('(')?.split_once(" arg)")?;
    let text = place.source.text();
    match flag {
        "data-values-env" | "data-values-env-yaml" => {
            let variable = text.split('=').next().unwrap_or_default();
            Some((
                LinkKind::Environment,
                format!("{variable} (--{flag}{rest})"),
            ))
        }
        _ => Some((LinkKind::Flag, format!("--{flag} {text}"))),
    }
}
