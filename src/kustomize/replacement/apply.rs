//! Applies replacements: reads each value once, and writes it to every target.

use std::sync::Arc;

use super::model::{Replacement, ReplacementTarget};
use super::source::{SourceValue, field_reads, read};
use super::value;
use crate::edit::{
    self, EditFailure, EditOptions, EditResult, EditTarget, FieldPath, LooseMatch, PathSegment,
    ShortList, TextFields,
};
use crate::kubernetes::{
    RecordedStep, Resource, SelectorIndex, explain_no_match, plain_secret_values, text_fields,
};
use crate::kustomize::{EditRules, SuffixWriter, shared_values};
use crate::provenance::{FieldRead, Recorder, StepKind};
use crate::source::limits::check_output;
use crate::source::{Code, Diagnostic, Diagnostics, Reported, Result};
use crate::typed::Spanned;
use crate::yaml::{Node, ScalarTyping, Value, length_of_texts, measure};

/// How replacements are applied.
#[derive(Clone, Copy)]
pub struct ReplacementRun<'r> {
    /// By the rules of kustomize, a target without objects is a warning, and a value that is
    /// created has the type that its text looks like.
    pub rules: EditRules,
    /// A generated name is copied with its suffix if this run writes it.
    pub suffixes: SuffixWriter,
    /// Gets the changes of each object.
    pub recorder: Recorder<'r>,
}

/// Applies the replacements in order; each sees the changes of those before it. If a replacement,
/// target or field path fails, the others are still tried.
///
/// # Errors
/// Reports everything that cannot be read or written. `resources` must not be used then.
pub fn apply(
    replacements: &[Replacement],
    run: ReplacementRun<'_>,
    resources: &mut [Resource],
    diagnostics: &mut Diagnostics,
) -> Result<(), Reported> {
    let mut outcome = Ok(());
    let mut objects = SelectorIndex::default();
    for replacement in replacements {
        if diagnostics.is_full() {
            return diagnostics.outcome();
        }
        let mut value = match read(
            &replacement.source,
            run,
            resources,
            &mut objects,
            diagnostics,
        ) {
            Ok(value) => value,
            // Without the value there is nothing to write, so the targets are skipped.
            Err(reported) => {
                outcome = Err(reported);
                continue;
            }
        };
        for named in value.named.drain(..) {
            let copied_suffix = &mut resources[named.position].copied_suffix;
            copied_suffix.get_or_insert(named.copied);
        }
        let reads = match run.recorder.is_on() {
            true => field_reads(&replacement.source, resources, &mut objects),
            false => Vec::new(),
        };
        let mut copied = 0;
        for target in &replacement.targets {
            let mut write = TargetWrite {
                value: &mut value,
                target,
                run,
                copied: &mut copied,
                reads: &reads,
            };
            outcome = outcome.and(write.apply(resources, &mut objects, diagnostics));
        }
    }
    outcome
}

/// Returns the warning for a list that is too short for an index, when other lists are not.
fn skipped(list: ShortList) -> Box<Diagnostic> {
    let message = format!("a list is skipped: {}", list.reason);
    Diagnostic::warning(Code::PathNotFound, message).at(list.location, "the list")
}

/// Returns the warning for an item whose text is not the one in the path, but contains it.
fn not_exact(loose: LooseMatch) -> Box<Diagnostic> {
    Diagnostic::warning(Code::Selector, loose.reason)
        .at(loose.location, "this item")
        .note("the text in brackets is a pattern in the target of a kustomization")
        .help("write `^` before it and `$` after it to choose by the whole text")
}

/// Returns the warning for a generated name that becomes part of a text.
fn without_suffix(name: &str) -> Box<Diagnostic> {
    let message = format!(
        "the text gets the name `{name}` without the suffix that the object gets at the end"
    );
    Diagnostic::warning(Code::Resource, message)
        .note("only fields that refer to objects follow a name; a text does not")
        .help("turn the suffix off: `options: {disableNameSuffixHash: true}` of the generator")
}

/// The value of a replacement on its way to one of the targets.
struct TargetWrite<'r> {
    value: &'r mut SourceValue,
    target: &'r ReplacementTarget,
    run: ReplacementRun<'r>,
    /// The bytes of text that this replacement has written so far.
    copied: &'r mut usize,
    /// The fields that the value was read from, if the run is recorded.
    reads: &'r [FieldRead],
}

impl TargetWrite<'_> {
    /// Writes the value at every path of every object that the target selects.
    fn apply(
        &mut self,
        resources: &mut [Resource],
        objects: &mut SelectorIndex,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), Reported> {
        let target = self.target;
        let mut outcome = Ok(());
        let mut is_selected = false;
        for index in target.selected(objects, resources) {
            let resource = &mut resources[index];
            is_selected = true;
            self.value.enter_object(index);
            for path in &target.field_paths {
                outcome = outcome.and(self.write_field(path, resource, diagnostics));
            }
            objects.update(index, resource);
            if diagnostics.is_full() {
                return diagnostics.outcome();
            }
        }
        if is_selected || target.options.ignores_missing() {
            return outcome;
        }
        diagnostics.report_by_severity(self.nothing_selected(resources))
    }

    /// Returns the diagnostic for a target without objects. It is an error, except if `reject` is
    /// the reason, or by the rules of kustomize.
    fn nothing_selected(&self, resources: &[Resource]) -> Box<Diagnostic> {
        let target = self.target;
        let select = &target.select;
        let rejected = resources
            .iter()
            .filter(|resource| select.value.selects(resource))
            .count();
        if rejected > 0 {
            let objects = if rejected == 1 {
                "the only object"
            } else {
                "every object"
            };
            let message =
                format!("nothing is written: `reject` excludes {objects} that the target selects");
            return Diagnostic::warning(Code::Selector, message)
                .at(target.location.clone(), "the target");
        }
        let message = format!("nothing selected by target `{}`", select.value);
        let diagnostic = match self.run.rules {
            EditRules::Inlay => Diagnostic::error(Code::Selector, message),
            EditRules::Kustomize => Diagnostic::warning(Code::Selector, message),
        };
        let diagnostic = diagnostic.at(select.location.clone(), "the selector");
        explain_no_match(diagnostic, &select.value.fields(), resources)
    }

    /// Writes the value at one path of one resource. The options may allow a field that does not
    /// exist.
    ///
    /// # Errors
    /// Reports why the value cannot be written.
    fn write_field(
        &mut self,
        path: &Spanned<FieldPath>,
        resource: &mut Resource,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), Reported> {
        let target = self.target;
        let failure = match self.edit_field(&path.value, resource, diagnostics) {
            Ok(()) => return Ok(()),
            Err(failure) => failure,
        };
        if failure.is_absent() && target.options.ignores_missing() {
            return Ok(());
        }
        let verb = if target.options.create() {
            "find or create"
        } else {
            "find"
        };
        let message = || {
            format!(
                "unable to {verb} field \"{}\" in replacement target",
                path.value
            )
        };
        let error = failure
            .diagnostic(message)
            .about(resource.object_reference())
            .in_field(path.value.to_string())
            .at(path.location.clone(), "the field path");
        Err(diagnostics.report(error))
    }

    /// Returns the warning for a path that leads through a null, by the rules of kustomize.
    fn nothing_created(&self, path: &FieldPath, resource: &Resource) -> Box<Diagnostic> {
        let message = format!("nothing is created at `{path}`: the path leads through a null");
        Diagnostic::warning(Code::Selector, message)
            .at(self.target.location.clone(), "the target")
            .about(resource.object_reference())
            .note("kustomize creates the field inside the null, and prints null")
            .help("remove the null, or write `{}` in its place")
    }

    /// Writes the value at one path of one resource.
    fn edit_field(
        &mut self,
        path: &FieldPath,
        resource: &mut Resource,
        diagnostics: &mut Diagnostics,
    ) -> EditResult<()> {
        let target = self.target;
        measure(&self.value.node, path.segments().len())?;
        let options = self.edit_options(path, resource);
        let rules = self.write_rules(path, resource);
        let mut losses = WriteLosses::default();
        let updated = edit::update_all(&resource.node, path, &options, &mut |found| {
            self.written(&found, &rules, &mut losses).map(Some)
        })?;
        let mut report = |warning: Box<Diagnostic>| {
            let warning = warning
                .at(target.location.clone(), "the target")
                .about(resource.object_reference())
                .in_field(path.to_string());
            diagnostics.push(warning);
        };
        if let Some(list) = updated.short_list {
            report(skipped(list));
        }
        if let Some(item) = updated.loose_match {
            report(not_exact(item));
        }
        self.report_losses(&losses, &mut report);
        if let Some(node) = updated.root {
            return self.replace_object(node, resource, diagnostics);
        }
        if options.create && options.keeps_null && leads_through_null(&resource.node, path) {
            diagnostics.push(self.nothing_created(path, resource));
        }
        Ok(())
    }

    /// Reports each side effect of a write as a warning.
    fn report_losses(&self, losses: &WriteLosses, report: &mut dyn FnMut(Box<Diagnostic>)) {
        if losses.is_lost {
            report(without_text(&self.value.node));
        }
        if losses.is_nothing {
            report(null_instead());
        }
        if losses.changes_source {
            report(changes_source());
        }
        if losses.is_text
            && let Some(name) = &self.value.unfinished_name
        {
            report(without_suffix(name));
        }
    }

    /// Returns the node that is written to a place, and records its side effects in `losses`.
    fn written(
        &mut self,
        found: &EditTarget<'_>,
        rules: &WriteRules,
        losses: &mut WriteLosses,
    ) -> Result<Arc<Node>> {
        losses.is_text |= found.place.is_free_text();
        let value = &self.value.node;
        let is_over_scalar = found.current.is_some_and(|old| old.as_scalar().is_some());
        let loses_text =
            rules.keeps_type && value.resolved().as_scalar().is_none() && is_over_scalar;
        losses.is_lost |= loses_text;
        let value = match loses_text {
            true => &Node::string(""),
            false => value,
        };
        let written = value::write_to(value, found, &self.target.options, self.run.rules)?;
        let written = match rules.without_text(&written, found.current) {
            Some(nothing) => {
                losses.is_nothing |= !loses_text;
                nothing
            }
            None => rules.over_null(written, found.current),
        };
        // A path with a wildcard writes one long value at many places, and each of them may be
        // in a string, which has to be written out at once.
        *self.copied += length_of_texts(&written);
        check_output(*self.copied)?;
        if self.run.rules == EditRules::Inlay {
            return Ok(written);
        }
        let before = Arc::clone(&self.value.node);
        let written = self.value.follow(found.current, written);
        losses.changes_source |= self.value.node.text() != before.text();
        Ok(written)
    }

    /// Returns the options for an edit at a path of a resource.
    fn edit_options(&self, path: &FieldPath, resource: &Resource) -> EditOptions {
        let options = &self.target.options;
        let is_kustomize = self.run.rules == EditRules::Kustomize;
        EditOptions {
            create: options.create(),
            format: options.format(),
            layout: options.layout(),
            text_fields: TextFields {
                keeps_scalars: is_kustomize,
                ..text_fields(&resource.node)
            },
            text_format: resource.syntax.into(),
            keeps_null: is_kustomize
                && !(is_annotation(path) && resource.history.is_in_annotations()),
            has_item_patterns: is_kustomize && !leads_into_text(&resource.node, path),
            has_aliases: resource.has_aliases,
        }
    }

    /// Returns how a text is written at the end of a path.
    fn write_rules(&self, path: &FieldPath, resource: &Resource) -> WriteRules {
        let is_kustomize = self.run.rules == EditRules::Kustomize;
        WriteRules {
            keeps_type: is_kustomize && !leads_into_text(&resource.node, path),
            // Annotations and given types are strings at the end.
            is_string: is_annotation(path) || self.target.options.has_value_type(),
            is_reprinted: resource.history.is_reprinted,
        }
    }

    /// Replaces the root of a resource, records the step, and warns about values that are
    /// suspicious after it.
    ///
    /// # Errors
    /// The node is not a mapping.
    fn replace_object(
        &self,
        node: Arc<Node>,
        resource: &mut Resource,
        diagnostics: &mut Diagnostics,
    ) -> EditResult<()> {
        let place = &self.target.location;
        if node.resolved().as_mapping().is_none() {
            let found = node.described();
            let message = format!("expected a mapping to replace the whole object, found {found}");
            let error = Diagnostic::error(Code::ValueDoesNotFit, message)
                .at(self.value.node.location(), "the value");
            return Err(EditFailure::from(error));
        }
        for warning in plain_secret_values(&resource.node, &node) {
            let warning = warning
                .at(place.clone(), "by this target")
                .about(resource.object_reference());
            diagnostics.push(warning);
        }
        let before = std::mem::replace(&mut resource.node, node);
        if self.run.rules == EditRules::Kustomize {
            for key in shared_values::follow(resource, &before) {
                let warning = shared_values::changed_everywhere(&key, resource);
                diagnostics.push(warning.at(place.clone(), "the target"));
            }
        }
        resource.record(self.run.recorder, || RecordedStep {
            reads: self.reads.to_vec(),
            ..RecordedStep::at(StepKind::Replacement, place.clone())
        });
        Ok(())
    }
}

/// The side effects of a write at one path. Each one is a warning.
#[derive(Default)]
struct WriteLosses {
    /// The value is in a text that follows no name.
    is_text: bool,
    /// A mapping or list was written over a scalar, which became empty.
    is_lost: bool,
    /// An empty text was written as null.
    is_nothing: bool,
    /// The field of the source was changed, and with it the value.
    changes_source: bool,
}

/// The rules for writing a text over another scalar, or into a new field.
struct WriteRules {
    /// Whether the field keeps its type: kustomize writes only the text of a value over a scalar,
    /// and a mapping or list has none.
    keeps_type: bool,
    /// Whether an empty text stays a string in a field of any type.
    is_string: bool,
    /// Whether kustomize has printed the object since it was loaded.
    is_reprinted: bool,
}

impl WriteRules {
    /// Returns a text that is written over a null. For kustomize the field keeps the type null, so
    /// a later empty text makes it null again.
    fn over_null(&self, written: Arc<Node>, current: Option<&Arc<Node>>) -> Arc<Node> {
        let stays_null =
            self.keeps_type && !self.is_string && current.is_some_and(|old| is_null(old));
        match stays_null && written.as_scalar().is_some() {
            true => written.with_typing(ScalarTyping::Null),
            false => written,
        }
    }

    /// Returns the empty value that an empty text becomes in a field that is new, null or without a
    /// settled type. Returns `None` if `written` has a text or is a string.
    ///
    /// kustomize prints such a value as null, and in braces as an empty string. It prints the
    /// braces of an object that it has printed before as a block.
    fn without_text(&self, written: &Node, current: Option<&Arc<Node>>) -> Option<Arc<Node>> {
        let is_nothing = self.keeps_type && !self.is_string && written.text() == Some("");
        let is_null = current.is_some_and(|old| is_null(old));
        let is_untyped = current.is_none_or(|old| old.is_untyped());
        match is_nothing && (is_null || is_untyped) {
            false => None,
            true if self.is_reprinted && is_null => {
                Some(Node::plain("null").with_typing(ScalarTyping::Null))
            }
            true if self.is_reprinted => Some(Node::plain("null")),
            true if is_untyped => Some(Node::untyped("")),
            true => Some(Node::plain("")),
        }
    }
}

/// Returns whether a scalar is a null, or a text that was written over one.
fn is_null(scalar: &Node) -> bool {
    matches!(scalar.value(), Some(Value::Null)) || scalar.typing() == ScalarTyping::Null
}

/// Returns the warning about a mapping or list that is written over a scalar.
fn without_text(value: &Node) -> Box<Diagnostic> {
    let message = format!(
        "an empty text is written: the source is {}",
        value.described()
    );
    Diagnostic::warning(Code::Selector, message)
        .note("kustomize writes the text of a source over a scalar, and a mapping or list has none")
        .help("let a patch remove the field first, and create it here with `create: true`")
}

/// Returns the warning about a target that changes the field of its source.
fn changes_source() -> Box<Diagnostic> {
    let message = "the value changes for all later places: this is the field of the source";
    Diagnostic::warning(Code::Selector, message)
        .note("kustomize reads the field again for each place that it writes to")
        .help("write to this field in the last target, or in a replacement of its own")
}

/// Returns the warning about an empty text that is written into a field without a type.
fn null_instead() -> Box<Diagnostic> {
    let message = "the field becomes null: the source is an empty text";
    Diagnostic::warning(Code::Selector, message)
        .note("kustomize gives a new field no type, and prints null for an empty one outside of braces")
        .help("write `\"\"` into the field of the object, and omit `create: true`")
}

/// Returns whether the keys of a path lead to a null before its end.
fn leads_through_null(node: &Arc<Node>, path: &FieldPath) -> bool {
    let mut node = node.resolved();
    for segment in path.segments() {
        if matches!(node.value(), Some(Value::Null)) {
            return true;
        }
        let next = match segment {
            PathSegment::Name(name) | PathSegment::Key(name) => node.get(name),
            _ => None,
        };
        let Some(next) = next else {
            return false;
        };
        node = next.resolved();
    }
    false
}

/// Returns whether a path leads through a string, with texts in brackets that are compared exactly.
/// kustomize looks there for a document first, and takes no text for a pattern on the way.
fn leads_into_text(node: &Arc<Node>, path: &FieldPath) -> bool {
    let mut node = node.resolved();
    for segment in path.segments() {
        if node.as_scalar().is_some() {
            return !matches!(node.value(), Some(Value::Null));
        }
        let Some(next) = exact_child(node, segment) else {
            return false;
        };
        node = next.resolved();
    }
    false
}

/// Returns the child that a segment leads to, if texts in brackets are compared exactly.
fn exact_child<'n>(node: &'n Node, segment: &PathSegment) -> Option<&'n Arc<Node>> {
    match segment {
        PathSegment::Name(name) | PathSegment::Key(name) => match node.as_sequence() {
            Some(list) => {
                let index: usize = name.parse().ok()?;
                Some(&list.items.at(index)?.value)
            }
            None => node.get(name),
        },
        PathSegment::Match { field, value } => {
            let items = &node.as_sequence()?.items;
            let item = items.iter().find(|item| {
                let found = item.value.resolved().get(field);
                found.and_then(|found| found.resolved().text()) == Some(&**value)
            });
            Some(&item?.value)
        }
        _ => None,
    }
}

/// Returns whether a path leads to an annotation of the object.
fn is_annotation(path: &FieldPath) -> bool {
    let is_key = |segment: Option<&PathSegment>, key: &str| match segment {
        Some(PathSegment::Name(name) | PathSegment::Key(name)) => &**name == key,
        _ => false,
    };
    let segments = path.segments();
    is_key(segments.first(), "metadata") && is_key(segments.get(1), "annotations")
}
