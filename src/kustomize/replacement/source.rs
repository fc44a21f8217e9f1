//! Reads the value of a replacement from the objects.

use std::sync::Arc;

use super::apply::ReplacementRun;
use super::model::{ReplacementSource, SourceField, SourceTemplate};
use super::value;
use crate::edit::{self, EditOptions, FoundValue};
use crate::kubernetes::{CopiedSuffix, Resource, SelectorIndex, explain_no_match, text_fields};
use crate::kustomize::json_spelling::spelling_in_object;
use crate::kustomize::name_hash::name_hash;
use crate::kustomize::{EditRules, SuffixWriter};
use crate::provenance::FieldRead;
use crate::source::{Code, Diagnostic, Diagnostics, Reported, Result};
use crate::yaml::{Content, Node, Value, expand_to_text_keys};

/// The value of a replacement.
pub(super) struct SourceValue {
    pub(super) node: Arc<Node>,
    /// The name in it that gets a suffix at the end of the run and does not have one yet.
    pub(super) unfinished_name: Option<String>,
    /// The objects whose names are in it with their suffixes.
    pub(super) named: Vec<NamedObject>,
    /// The field that it was read from, if later changes of the field change the value.
    field: Option<LiveField>,
}

/// The field of a source, which kustomize does not copy: a target that writes into it changes the
/// value for the places after it.
///
/// ```text
/// source spec.ref: n3, with the targets spec.ref (delimiter "/", index 1) and spec.copy
///
/// ref: n3             ->  ref: n3/n3
/// copy: x             ->  copy: n3/n3
/// ```
struct LiveField {
    /// The position of its object among the resources.
    position: usize,
    /// The node in the object. Another node there means that something else replaced the field.
    node: Arc<Node>,
    /// Whether the object that is written to contains the field.
    is_in_target: bool,
}

/// An object whose name was read with its suffix.
pub(super) struct NamedObject {
    /// Its position among the resources.
    pub(super) position: usize,
    pub(super) copied: CopiedSuffix,
}

impl SourceValue {
    fn of(node: Arc<Node>) -> SourceValue {
        SourceValue {
            node,
            unfinished_name: None,
            named: Vec::new(),
            field: None,
        }
    }

    /// Sets the position of the resource that the next values are written to.
    pub(super) fn enter_object(&mut self, position: usize) {
        if let Some(field) = &mut self.field {
            field.is_in_target = field.position == position;
        }
    }

    /// Returns the node to write over `current`. If `current` is the field of the source itself, the
    /// node also becomes the new value.
    pub(super) fn follow(&mut self, current: Option<&Arc<Node>>, written: Arc<Node>) -> Arc<Node> {
        // A copy is a node of its own, so that it is never taken for the field.
        let written = match Arc::ptr_eq(&written, &self.node) {
            true => written.with_content(written.content.clone()),
            false => written,
        };
        if let Some(field) = self.field.as_mut().filter(|field| field.is_in_target)
            && current.is_some_and(|current| Arc::ptr_eq(current, &field.node))
        {
            field.node = Arc::clone(&written);
            self.node = Arc::clone(&written);
        }
        written
    }
}

/// Reads the value of a replacement.
///
/// # Errors
/// Reports everything that prevents it: a source that selects no object or several, a path that
/// leads nowhere, an option that does not fit the value.
pub(super) fn read(
    source: &ReplacementSource,
    run: ReplacementRun<'_>,
    resources: &[Resource],
    objects: &mut SelectorIndex,
    diagnostics: &mut Diagnostics,
) -> Result<SourceValue, Reported> {
    match source {
        ReplacementSource::Value(text) => Ok(SourceValue::of(Node::string(&**text))),
        ReplacementSource::Field(field) => {
            let value = read_field(field, run, resources, objects, diagnostics);
            diagnostics.check(value)
        }
        ReplacementSource::Template(template) => {
            read_template(template, run, resources, objects, diagnostics)
        }
    }
}

/// Returns the fields that the value of a replacement is read from, with the objects as they are.
pub(super) fn field_reads(
    source: &ReplacementSource,
    resources: &[Resource],
    objects: &mut SelectorIndex,
) -> Vec<FieldRead> {
    let fields: Vec<&SourceField> = match source {
        ReplacementSource::Value(_) => Vec::new(),
        ReplacementSource::Field(field) => vec![field],
        ReplacementSource::Template(template) => template
            .sources
            .iter()
            .map(|source| &source.field)
            .collect(),
    };
    let mut reads = Vec::with_capacity(fields.len());
    for field in fields {
        // A field that cannot be read was reported when the value was read.
        if let Ok(position) = find_object(field, resources, objects) {
            reads.push(FieldRead {
                root: Arc::clone(&resources[position].node),
                path: field.field_path.value.to_string(),
            });
        }
    }
    reads
}

/// Returns the text of a template with the values of its sources.
fn read_template(
    template: &SourceTemplate,
    run: ReplacementRun<'_>,
    resources: &[Resource],
    objects: &mut SelectorIndex,
    diagnostics: &mut Diagnostics,
) -> Result<SourceValue, Reported> {
    let mut texts = Vec::with_capacity(template.sources.len());
    let mut unfinished_name = None;
    let mut named = Vec::new();
    let mut outcome = Ok(());
    // Read all sources, so that one run reports every mistake.
    for source in &template.sources {
        let value = read_field(&source.field, run, resources, objects, diagnostics);
        let read = value.and_then(|value| Ok((scalar_text(&source.name, &value.node)?, value)));
        match diagnostics.check(read) {
            Ok((text, value)) => {
                texts.push(text);
                unfinished_name = unfinished_name.or(value.unfinished_name);
                named.extend(value.named);
            }
            Err(reported) => outcome = Err(reported),
        }
    }
    outcome?;
    Ok(SourceValue {
        unfinished_name,
        named,
        ..SourceValue::of(Node::string(template.text.fill(&texts)))
    })
}

/// Returns the text of a value that is inserted for `name`.
fn scalar_text(name: &str, value: &Arc<Node>) -> Result<String> {
    match value.text() {
        Some(text) => Ok(text.to_owned()),
        None => {
            let found = value.described();
            let message = format!("expected a scalar for `${{{name}}}`, found {found}");
            Err(Diagnostic::error(Code::Option, message)
                .at(value.location(), "the value")
                .help("extend its `fieldPath` until it leads to one value"))
        }
    }
}

/// Reads the value of one field.
fn read_field(
    source: &SourceField,
    run: ReplacementRun<'_>,
    resources: &[Resource],
    objects: &mut SelectorIndex,
    diagnostics: &mut Diagnostics,
) -> Result<SourceValue> {
    let position = find_object(source, resources, objects)?;
    let resource = &resources[position];
    let value = find_value(source, run.rules, resource, diagnostics)
        .and_then(|found| value_of_field(found, source, run, resource, position));
    value.map_err(|error| {
        error
            .about(resource.object_reference())
            .in_field(source.field_path.value.to_string())
    })
}

/// Returns the value of the field `found`. `resource` is the object at `position` that contains it.
fn value_of_field(
    mut found: FoundValue,
    source: &SourceField,
    run: ReplacementRun<'_>,
    resource: &Resource,
    position: usize,
) -> Result<SourceValue> {
    let mut named = Vec::new();
    let is_name = source.field_path.value.to_string() == "metadata.name";
    let mut is_unfinished = is_name && resource.needs_hash;
    if is_unfinished && run.suffixes == SuffixWriter::ThisRun {
        let suffix = name_hash(resource)?;
        found.node = Node::string(format!("{}-{suffix}", resource.name()));
        let location = source.path_location();
        let copied = CopiedSuffix { suffix, location };
        named.push(NamedObject { position, copied });
        is_unfinished = false;
    }
    let printed = spelling_in_object(&found.node, resource.history.is_reprinted);
    let node = printed.as_ref().unwrap_or(&found.node);
    let value = value::read_from(node, &source.options)?;
    // A value that an option changed is a copy, in kustomize as well.
    let is_live = run.rules == EditRules::Kustomize && Arc::ptr_eq(&value, node);
    let field = is_live.then(|| LiveField {
        position,
        node: Arc::clone(&found.node),
        is_in_target: false,
    });
    // `y: 1` in an object has the key "y", also where a target would read it as `true`.
    let node = match found.has_text_keys {
        true => expand_to_text_keys(&value)?,
        false => value,
    };
    Ok(SourceValue {
        node,
        named,
        field,
        unfinished_name: is_unfinished.then(|| resource.name().to_string()),
    })
}

/// Finds the one value that the path of a source leads to.
fn find_value(
    source: &SourceField,
    rules: EditRules,
    resource: &Resource,
    diagnostics: &mut Diagnostics,
) -> Result<FoundValue> {
    let path = &source.field_path.value;
    let options = EditOptions {
        format: source.options.format(),
        text_fields: text_fields(&resource.node),
        ..EditOptions::default()
    };
    let missing = || {
        let id = source.selector.id();
        format!("fieldPath `{path}` is missing for replacement source {id}")
    };
    let found = edit::find(&resource.node, path, &options).map_err(|failure| {
        failure
            .diagnostic(missing)
            .at(source.path_location(), "the field path")
    })?;
    check_is_only(&found, source, resource, diagnostics)?;
    let Some(first) = found.into_iter().next() else {
        // `find` returns at least one value, or an error.
        return Err(Diagnostic::error(Code::Internal, missing()));
    };
    if let Some(description) = describe_nothing(&first.node, rules) {
        return Err(Diagnostic::error(Code::PathNotFound, missing())
            .at(first.node.location(), format!("the value is {description}"))
            .at(source.path_location(), "the field path"));
    }
    Ok(first)
}

/// Checks that a path leads to one value.
///
/// If a field path matches several items, kustomize takes the first, so this is a warning. kustomize
/// has no JSONPath, so a JSONPath can be strict.
fn check_is_only(
    found: &[FoundValue],
    source: &SourceField,
    resource: &Resource,
    diagnostics: &mut Diagnostics,
) -> Result<()> {
    let [first, second, ..] = found else {
        return Ok(());
    };
    let (path, count) = (&source.field_path.value, found.len());
    if path.is_json_path() {
        let message = format!("expected one value at `{path}`, found {count}");
        return Err(Diagnostic::error(Code::PathSyntax, message)
            .at(source.path_location(), "the field path")
            .at(first.node.location(), "one value")
            .at(second.node.location(), "another value")
            .help("extend the path until it leads to one value, for example with `[0]`"));
    }
    let message = format!("`{path}` leads to {count} values, and the first is taken");
    diagnostics.push(
        Diagnostic::warning(Code::PathSyntax, message)
            .at(source.path_location(), "the field path")
            .at(first.node.location(), "the value that is taken")
            .at(second.node.location(), "another value")
            .about(resource.object_reference())
            .help("extend the path until it leads to one value"),
    );
    Ok(())
}

/// Finds the one object that a source selects.
fn find_object(
    source: &SourceField,
    resources: &[Resource],
    objects: &mut SelectorIndex,
) -> Result<usize> {
    let selector = &source.selector;
    let mut selected = objects
        .candidates(&selector.hints(), resources)
        .into_iter()
        .filter(|&position| selector.selects(&resources[position]));
    let Some(first) = selected.next() else {
        let diagnostic = Diagnostic::error(Code::Selector, format!("nothing selected by {source}"))
            .at(selector.location.clone(), "the selector")
            .note("a source is selected by exact values, not by patterns");
        return Err(explain_no_match(diagnostic, &selector.fields(), resources));
    };
    match selected.next() {
        None => Ok(first),
        Some(second) => Err(Diagnostic::error(
            Code::Selector,
            format!("multiple matches for selector {source}"),
        )
        .at(selector.location.clone(), "the selector")
        .at(resources[first].name_location(), "one match")
        .at(resources[second].name_location(), "another match")
        .help("add fields to the selector until it matches exactly one object")),
    }
}

/// Describes a value that is treated as missing: null, and by kustomize's rules an empty
/// collection. The empty string is a value.
fn describe_nothing(node: &Node, rules: EditRules) -> Option<&'static str> {
    let is_kustomize = rules == EditRules::Kustomize;
    match &node.content {
        Content::Mapping(mapping) if is_kustomize && mapping.entries.is_empty() => {
            Some("an empty mapping")
        }
        Content::Sequence(sequence) if is_kustomize && sequence.items.is_empty() => {
            Some("an empty list")
        }
        _ if matches!(node.value(), Some(Value::Null)) => Some("null"),
        _ => None,
    }
}
