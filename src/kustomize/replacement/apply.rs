//! Carrying out replacements: one value read, and written to every target.

use std::sync::Arc;

use super::options::Options;
use super::{Replacement, Source, SourceField, Target};
use crate::edit::{self, FieldPath, Segment, TypePolicy, fit};
use crate::kustomize::{Resource, near_miss, text_fields};
use crate::source::{Code, Diagnostic, Diagnostics, Location, Result};
use crate::yaml::de::Spanned;
use crate::yaml::{Content, Node, Value, measure};

/// Carries out the replacements in order; each sees what those before it did.
///
/// Every replacement, target and field path that fails adds an error, and the others go on. After an error `resources`
/// is to be thrown away.
pub fn apply(replacements: &[Replacement], resources: &mut [Resource], diagnostics: &mut Diagnostics) {
    for replacement in replacements {
        if diagnostics.is_full() {
            return;
        }
        let value = match &replacement.source {
            Source::Value(text) => Some(Node::string(&*text.value)),
            Source::Field(field) => diagnostics.take(read(field, resources)),
        };
        let Some(value) = value else { continue };
        for target in &replacement.targets {
            write_target(&value, target, resources, diagnostics);
        }
    }
}

/// Writes `value` at every path of every object that `target` chooses.
fn write_target(value: &Arc<Node>, target: &Target, resources: &mut [Resource], diagnostics: &mut Diagnostics) {
    let mut paths = Vec::with_capacity(target.field_paths.len());
    for written in &target.field_paths {
        paths.extend(diagnostics.take(parse_path(written)).map(|path| (path, written)));
    }
    let mut found = false;
    for resource in resources.iter_mut().filter(|resource| target.selects(resource)) {
        found = true;
        for (path, written) in &paths {
            let outcome = write(value, path, target, resource, diagnostics).map_err(|error| {
                error
                    .about(resource.object_reference())
                    .in_field(&*written.value)
                    .at(written.location.clone(), "the field path")
            });
            diagnostics.take(outcome);
        }
        if diagnostics.is_full() {
            return;
        }
    }
    if !found {
        diagnostics.push(nothing_written(target, resources));
    }
}

/// What to say of a target that writes to no object: an edit that matches nothing is an error, unless `reject` says
/// that it shall not match.
fn nothing_written(target: &Target, resources: &[Resource]) -> Box<Diagnostic> {
    let rejected = resources.iter().filter(|resource| target.select.selects(resource)).count();
    if rejected > 0 {
        let objects = if rejected == 1 { "the only object" } else { "every object" };
        let message = format!("nothing is written: {objects} that the target selects is rejected");
        return Diagnostic::warning(Code::Selector, message).at(target.location.clone(), "the target");
    }
    let message = format!("nothing selected by target `{}`", target.select);
    let diagnostic = Diagnostic::error(Code::Selector, message).at(target.select_location.clone(), "the selector");
    near_miss::explain(diagnostic, &target.select.parts(), resources)
}

fn parse_path(path: &Spanned<String>) -> Result<FieldPath> {
    FieldPath::parse(&path.value).map_err(|error| error.at(path.location.clone(), ""))
}

/// Reads the value of a source field.
fn read(source: &SourceField, resources: &[Resource]) -> Result<Arc<Node>> {
    let resource = the_one(source, resources)?;
    let path = parse_path(&source.field_path)?;
    let place = || source.field_path.location.clone().or_else(|| source.selector.location.clone());
    let about = |error: Box<Diagnostic>| error.about(resource.object_reference()).in_field(path.to_string());
    if path.segments().contains(&Segment::Wildcard) {
        return Err(Diagnostic::error(Code::PathSyntax, "wildcard is not supported in the field path of a source")
            .at(place(), "")
            .help("name one item, by its index or as `[name=x]`"));
    }
    let options = edit::Options {
        format: source.options.format(),
        text_fields: text_fields(&resource.node),
        ..edit::Options::default()
    };
    let missing = || format!("fieldPath `{path}` is missing for replacement source {}", source.selector.id());
    let found = edit::find(&resource.node, &path, &options)
        .map_err(|failure| about(failure.diagnostic(missing)).at(place(), "the field path"))?;
    let Some(first) = found.into_iter().next() else { return Err(about(internal(&missing()))) };
    if is_nothing(&first.node) {
        return Err(about(Diagnostic::error(Code::PathNotFound, missing()))
            .at(first.node.location(), format!("the value is {}", empty_name(&first.node)))
            .at(place(), "the field path"));
    }
    piece(&first.node, &source.options).map_err(about)
}

fn internal(message: &str) -> Box<Diagnostic> {
    Diagnostic::error(Code::Internal, message)
}

/// The one resource that a source names.
fn the_one<'a>(source: &SourceField, resources: &'a [Resource]) -> Result<&'a Resource> {
    let mut selected = resources.iter().filter(|resource| source.selector.selects(resource));
    let Some(first) = selected.next() else {
        let diagnostic = Diagnostic::error(Code::Selector, format!("nothing selected by {source}"))
            .at(source.selector.location.clone(), "the selector")
            .note("a source is named by exact words, not by patterns");
        return Err(near_miss::explain(diagnostic, &source.selector.parts(), resources));
    };
    match selected.next() {
        None => Ok(first),
        Some(second) => Err(Diagnostic::error(Code::Selector, format!("multiple matches for selector {source}"))
            .at(source.selector.location.clone(), "the selector")
            .at(name_location(first), "one match")
            .at(name_location(second), "another match")
            .help("name the object more closely: a source is exactly one object")),
    }
}

fn name_location(resource: &Resource) -> Option<Location> {
    resource.node.get_in(&["metadata", "name"]).and_then(|node| node.location())
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

/// The part of a source's value that its delimiter and index take.
fn piece(node: &Arc<Node>, options: &Options) -> Result<Arc<Node>> {
    let Some(delimiter) = options.delimiter() else { return Ok(Arc::clone(node)) };
    let text = scalar_text(node, delimiter)?;
    let pieces: Vec<&str> = text.split(&*delimiter.value).collect();
    let index = options.index();
    let piece = usize::try_from(index).ok().and_then(|index| pieces.get(index));
    piece.map(|piece| Node::string(*piece)).ok_or_else(|| {
        Diagnostic::error(Code::Option, format!("options.index {index} is out of bounds for value {text}"))
            .at(options.index.as_ref().and_then(|index| index.location.clone()), "the index")
            .at(node.location(), format!("pieces of the value: {}", pieces.len()))
    })
}

fn scalar_text<'a>(node: &'a Node, delimiter: &Spanned<String>) -> Result<&'a str> {
    node.text().ok_or_else(|| {
        Diagnostic::error(Code::Option, "delimiter option can only be used with scalar nodes")
            .at(delimiter.location.clone(), "the delimiter")
            .at(node.location(), format!("this is a {}", node.kind()))
    })
}

/// Writes `value` at one path of one resource.
fn write(
    value: &Arc<Node>,
    path: &FieldPath,
    target: &Target,
    resource: &mut Resource,
    diagnostics: &mut Diagnostics,
) -> Result<()> {
    let options = edit::Options {
        create: target.options.create(),
        format: target.options.format(),
        layout: target.options.layout(),
        text_fields: text_fields(&resource.node),
        syntax: resource.syntax,
        has_aliases: resource.has_aliases,
    };
    let message = || {
        let verb = if options.create { "find or create" } else { "find" };
        format!("unable to {verb} field \"{path}\" in replacement target")
    };
    measure(value, path.segments().len())?;
    let mut is_mistyped = false;
    let changed = edit::update(&resource.node, path, &options, &mut |found| {
        let new = new_value(value, &found, &target.options)?;
        let keeps_number = is_new_text(&found, &target.options) && value.text().is_some() && value.as_str().is_none();
        is_mistyped |= keeps_number;
        Ok(Some(if keeps_number { Node::plain(value.text().unwrap_or_default()) } else { new }))
    });
    if is_mistyped {
        diagnostics.push(mistyped(value, path, target, resource));
    }
    if let Some(node) = changed.map_err(|failure| failure.diagnostic(message))? {
        resource.node = node;
    }
    Ok(())
}

/// Whether a value is made in a text field, in the type that it has.
fn is_new_text(found: &edit::Target<'_>, options: &Options) -> bool {
    let keeps = options.value_type() == TypePolicy::Keep && options.delimiter().is_none();
    keeps && found.current.is_none() && found.text_field.is_some()
}

/// kustomize writes a number as one where the API server takes only strings; so does Inlay, but says so.
fn mistyped(value: &Node, path: &FieldPath, target: &Target, resource: &Resource) -> Box<Diagnostic> {
    let message = format!("a {} is made where only strings are accepted: `{path}`", value.kind());
    Diagnostic::warning(Code::ValueDoesNotFit, message)
        .at(target.location.clone(), "by this target")
        .at(value.location(), "the value")
        .help("write `type: string` into the `options` of the target")
        .about(resource.object_reference())
        .in_field(path.to_string())
}

/// What stands at a target afterwards.
fn new_value(value: &Arc<Node>, target: &edit::Target<'_>, options: &Options) -> Result<Arc<Node>> {
    let policy = options.value_type();
    let value = match (options.delimiter(), target.current) {
        (Some(delimiter), Some(current)) => {
            let text = scalar_text(current, delimiter)?;
            let piece = scalar_text(value, delimiter)?;
            Node::string(join(text, &delimiter.value, options.index(), piece))
        }
        (Some(delimiter), None) => Node::string(scalar_text(value, delimiter)?),
        (None, _) => Arc::clone(value),
    };
    fit(&value, target, policy)
}

/// `text` with the piece `index` replaced; before the first a piece is put in front, after the last one at the end.
fn join(text: &str, delimiter: &str, index: i64, piece: &str) -> String {
    let mut pieces: Vec<&str> = text.split(delimiter).collect();
    match usize::try_from(index) {
        Err(_) => pieces.insert(0, piece),
        Ok(index) => match pieces.get_mut(index) {
            Some(found) => *found = piece,
            None => pieces.push(piece),
        },
    }
    pieces.join(delimiter)
}
