//! The value of a replacement, out of the objects that it comes from.

use std::fmt::Write as _;
use std::sync::Arc;

use super::apply::parse_path;
use super::template::{Part, Template};
use super::value;
use super::{Source, SourceField};
use crate::edit::{self, PathSegment};
use crate::kubernetes::{Names, Resource, near_miss, text_fields};
use crate::source::{Code, Diagnostic, Diagnostics, Location, Result};
use crate::yaml::{Content, Node, Value};

/// Reads the value of a replacement, and tells everything that keeps it from being read.
pub(super) fn read(
    source: &Source,
    resources: &[Resource],
    names: &mut Names,
    diagnostics: &mut Diagnostics,
) -> Option<Arc<Node>> {
    match source {
        Source::Value(text) => Some(Node::string(&*text.value)),
        Source::Field(field) => diagnostics.take(read_field(field, resources, names)),
        Source::Template(template) => {
            read_template(template, resources, names, diagnostics).map(Node::string)
        }
    }
}

/// The text of a template with the values of its sources.
fn read_template(
    template: &Template,
    resources: &[Resource],
    names: &mut Names,
    diagnostics: &mut Diagnostics,
) -> Option<String> {
    let values: Vec<Option<Arc<Node>>> = template
        .sources
        .iter()
        .map(|(name, source)| {
            diagnostics
                .take(read_field(source, resources, names).and_then(|value| scalar(name, value)))
        })
        .collect();
    let values: Vec<Arc<Node>> = values.into_iter().collect::<Option<_>>()?;
    let mut text = String::new();
    for part in &template.parts {
        match part {
            Part::Text(part) => text.push_str(part),
            Part::Source(index) => {
                let value = values
                    .get(*index)
                    .and_then(|value| value.text())
                    .unwrap_or("");
                // Writing to a text does not fail.
                let _ = write!(text, "{value}");
            }
        }
    }
    Some(text)
}

fn scalar(name: &str, value: Arc<Node>) -> Result<Arc<Node>> {
    match value.text() {
        Some(_) => Ok(value),
        None => Err(Diagnostic::error(
            Code::Option,
            format!(
                "expected a scalar for `${{{name}}}`, found {}",
                value.described()
            ),
        )
        .at(value.location(), "the value")),
    }
}

/// Reads the value of a source field.
fn read_field(
    source: &SourceField,
    resources: &[Resource],
    names: &mut Names,
) -> Result<Arc<Node>> {
    let resource = the_one(source, resources, names)?;
    let path = parse_path(&source.field_path)?;
    let place = || {
        source
            .field_path
            .location
            .clone()
            .or_else(|| source.selector.location.clone())
    };
    let about = |error: Box<Diagnostic>| {
        error
            .about(resource.object_reference())
            .in_field(path.to_string())
    };
    if path.segments().contains(&PathSegment::Wildcard) && !path.is_json_path() {
        return Err(Diagnostic::error(
            Code::PathSyntax,
            "wildcard is not supported in the field path of a source",
        )
        .at(place(), "")
        .help("name one item, by its index or as `[name=x]`"));
    }
    let options = edit::EditOptions {
        format: source.options.format(),
        text_fields: text_fields(&resource.node),
        ..edit::EditOptions::default()
    };
    let missing = || {
        format!(
            "fieldPath `{path}` is missing for replacement source {}",
            source.selector.id()
        )
    };
    let found = edit::find(&resource.node, &path, &options)
        .map_err(|failure| about(failure.diagnostic(missing)).at(place(), "the field path"))?;
    if let ([first, second, ..], true) = (found.as_slice(), path.is_json_path()) {
        let message = format!("expected one value at `{path}`, found {}", found.len());
        return Err(about(Diagnostic::error(Code::PathSyntax, message))
            .at(place(), "the field path")
            .at(first.node.location(), "one value")
            .at(second.node.location(), "another value")
            .help("choose one of them: a source is one value"));
    }
    let Some(first) = found.into_iter().next() else {
        return Err(about(internal(&missing())));
    };
    if is_nothing(&first.node) {
        return Err(about(Diagnostic::error(Code::PathNotFound, missing()))
            .at(
                first.node.location(),
                format!("the value is {}", empty_name(&first.node)),
            )
            .at(place(), "the field path"));
    }
    value::taken(&first.node, &source.options).map_err(about)
}

fn internal(message: &str) -> Box<Diagnostic> {
    Diagnostic::error(Code::Internal, message)
}

/// The one resource that a source names.
fn the_one<'a>(
    source: &SourceField,
    resources: &'a [Resource],
    names: &mut Names,
) -> Result<&'a Resource> {
    let candidates = names
        .candidates(source.selector.name(), resources)
        .into_iter();
    let mut selected = candidates
        .filter_map(|at| resources.get(at))
        .filter(|resource| source.selector.selects(resource));
    let Some(first) = selected.next() else {
        let diagnostic = Diagnostic::error(Code::Selector, format!("nothing selected by {source}"))
            .at(source.selector.location.clone(), "the selector")
            .note("a source is named by exact words, not by patterns");
        return Err(near_miss::explain(
            diagnostic,
            &source.selector.parts(),
            resources,
        ));
    };
    match selected.next() {
        None => Ok(first),
        Some(second) => Err(Diagnostic::error(
            Code::Selector,
            format!("multiple matches for selector {source}"),
        )
        .at(source.selector.location.clone(), "the selector")
        .at(name_location(first), "one match")
        .at(name_location(second), "another match")
        .help("name the object more closely: a source is exactly one object")),
    }
}

fn name_location(resource: &Resource) -> Option<Location> {
    resource
        .node
        .get_in(&["metadata", "name"])
        .and_then(|node| node.location())
}

/// Null and empty collections are as good as missing; the empty string is a value.
fn is_nothing(node: &Node) -> bool {
    match &node.content {
        Content::Mapping(mapping) => mapping.entries.is_empty(),
        Content::Sequence(sequence) => sequence.items.is_empty(),
        _ => matches!(node.value(), Some(Value::Null)),
    }
}

fn empty_name(node: &Node) -> &'static str {
    match &node.content {
        Content::Mapping(_) => "an empty mapping",
        Content::Sequence(_) => "an empty list",
        _ => "null",
    }
}
