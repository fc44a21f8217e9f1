//! From `vars`: texts that kustomize inserts values into become replacements of the whole field.
//!
//! ```text
//! kustomization.yaml                   app.yaml                        becomes
//! vars:                                env:                            - source: {kind: Service, name: api, fieldPath: metadata.name}
//! - name: HOST                         - name: URL                       targets:
//!   objref: {kind: Service, name: api}   value: http://$(HOST)/v1        - select: {kind: Deployment, name: web}
//!                                                                          fieldPaths: [spec….value]
//!                                                                          options: {prefix: "http://", suffix: /v1}
//! ```
//!
//! kustomize inserts values only into certain fields. The kustomization is built, and the records of
//! the build say in which: so nothing is replaced that a build would not change.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use super::target::{TargetObject, TargetObjects, item_steps, key_step};
use super::without_counterpart;
use crate::kubernetes::Resource;
use crate::kustomization::{self, KustomizationOptions};
use crate::provenance::{Journal, JournalStep, StepKind};
use crate::source::world::World;
use crate::source::{Diagnostic, Diagnostics, Reported, Result};
use crate::yaml::{Content, Node, json_string};

/// A variable.
struct Variable {
    kind: String,
    name: String,
    namespace: Option<String>,
    path: String,
}

/// A field with variables: its object, and its path.
type FieldWithVariables = (TargetObject, String);

/// Returns replacements that do what `vars` do in the kustomization of a folder.
///
/// # Errors
/// Reports what is wrong with the kustomization, and variables that are no replacement.
pub(super) fn replacements(
    world: &dyn World,
    folder: &Path,
    vars: &Arc<Node>,
    diagnostics: &mut Diagnostics,
) -> Result<String, Reported> {
    let mut variables: BTreeMap<String, Variable> = BTreeMap::new();
    for item in vars.children() {
        let text = |path: &[&str]| item.get_in(path).and_then(|value| value.text());
        let own = |path: &[&str]| text(path).unwrap_or_default().to_owned();
        let variable = Variable {
            kind: own(&["objref", "kind"]),
            name: own(&["objref", "name"]),
            namespace: text(&["objref", "namespace"]).map(str::to_owned),
            path: text(&["fieldref", "fieldPath"])
                .or(text(&["fieldref", "fieldpath"]))
                .unwrap_or("metadata.name")
                .to_owned(),
        };
        variables.insert(own(&["name"]), variable);
    }
    let journal = Journal::default();
    let options = KustomizationOptions::default();
    // The warnings are about the kustomization that is replaced.
    let mut own = Diagnostics::default();
    let built = kustomization::build(world, folder, &options, journal.recorder(), &mut own);
    let built = match built {
        Ok(built) => built,
        Err(reported) => {
            diagnostics.append(own);
            return Err(reported);
        }
    };
    let mut objects = TargetObjects::default();
    for resource in &built {
        let id = resource.original_id();
        objects.add(&TargetObject {
            group: id.group.to_owned(),
            kind: id.kind.to_owned(),
            name: id.name.to_owned(),
            namespace: resource.namespace().to_owned(),
        });
    }
    let steps = journal.into_records().steps;
    let mut outcome = Ok(());
    for (name, variable) in &variables {
        if let Some(error) = renamed(name, variable, &steps) {
            outcome = Err(diagnostics.report(error.at(vars.location(), "")));
        }
    }
    outcome?;
    let mut by_text: BTreeMap<String, Vec<FieldWithVariables>> = BTreeMap::new();
    for step in steps.iter().filter(|step| step.kind == StepKind::Variables) {
        if let (Some(before), Some(after)) = (&step.before, &step.after) {
            let object = TargetObject {
                name: name_before(before, &steps),
                ..TargetObject::of(before).unwrap_or_default()
            };
            add_changed(before, after, &object, &mut Vec::new(), &mut by_text);
        }
    }
    let mut text = String::new();
    for (pattern, fields) in by_text {
        match replacement(&pattern, &fields, &variables, &objects) {
            Ok(lines) => text.push_str(&lines),
            Err(error) => outcome = Err(diagnostics.report(error)),
        }
    }
    outcome.map(|()| text)
}

/// Returns the error for a variable that is a name with a hash: replacements run before names get
/// theirs.
fn renamed(name: &str, variable: &Variable, steps: &[JournalStep]) -> Option<Box<Diagnostic>> {
    let is_meant = |step: &&JournalStep| {
        let before = step
            .before
            .as_ref()
            .filter(|_| step.kind == StepKind::NameHash);
        let resource = before.and_then(|before| Resource::new(Arc::clone(before)).ok());
        resource.is_some_and(|resource| {
            resource.kind() == variable.kind && resource.name() == variable.name
        })
    };
    if variable.path != "metadata.name" || !steps.iter().any(|step| is_meant(&step)) {
        return None;
    }
    Some(without_counterpart(
        &format!("the variable `{name}`, which is a name with a hash,"),
        "`inlay kustomize` builds the kustomization as it is",
    ))
}

/// Returns the name of an object before it got a hash.
fn name_before(root: &Arc<Node>, steps: &[JournalStep]) -> String {
    let mut root = root;
    for step in steps.iter().rev() {
        let is_own = step
            .after
            .as_ref()
            .is_some_and(|after| Arc::ptr_eq(after, root));
        let is_name = matches!(step.kind, StepKind::NameHash | StepKind::NameReference);
        if let Some(before) = step.before.as_ref().filter(|_| is_own && is_name) {
            root = before;
        }
    }
    let name = root.get_in(&["metadata", "name"]);
    name.and_then(|name| name.text())
        .unwrap_or_default()
        .to_owned()
}

/// Adds the fields of an object whose text changed, by their text before. Recursive: the parser
/// bounds the depth.
fn add_changed(
    before: &Arc<Node>,
    after: &Arc<Node>,
    object: &TargetObject,
    path: &mut Vec<String>,
    found: &mut BTreeMap<String, Vec<FieldWithVariables>>,
) {
    if Arc::ptr_eq(before, after) {
        return;
    }
    match (&before.resolved().content, &after.resolved().content) {
        (Content::Mapping(old), Content::Mapping(new)) => {
            for (old, new) in old.entries.iter().zip(&new.entries) {
                path.push(key_step(&old.key));
                add_changed(&old.value, &new.value, object, path, found);
                path.pop();
            }
        }
        (Content::Sequence(old), Content::Sequence(new)) => {
            let steps = item_steps(old);
            for ((old, new), step) in old.items.iter().zip(&new.items).zip(steps) {
                path.push(step);
                add_changed(&old.value, &new.value, object, path, found);
                path.pop();
            }
        }
        _ => {
            if let Some(text) = before.resolved().text() {
                let fields = found.entry(text.to_owned()).or_default();
                fields.push((object.clone(), path.join(".")));
            }
        }
    }
}

/// Returns the replacement for all fields with a text, as an item of a list.
fn replacement(
    pattern: &str,
    fields: &[FieldWithVariables],
    variables: &BTreeMap<String, Variable>,
    objects: &TargetObjects,
) -> Result<String> {
    if pattern.contains("$$") {
        let what = format!("the text `{pattern}` with `$$`, which a build writes as `$`,");
        return Err(without_counterpart(
            &what,
            "write the text without variables first",
        ));
    }
    let parts = split(pattern, variables);
    let mut text = format!("# {}\n", pattern.lines().next().unwrap_or_default());
    let mut options = String::new();
    if let [(prefix, Some(variable)), (suffix, None)] = parts.as_slice() {
        text.push_str(&format!("- source: {}\n", variable.source()));
        let mut around = Vec::new();
        for (key, text) in [("prefix", prefix), ("suffix", suffix)] {
            if !text.is_empty() {
                around.push(format!("{key}: {}", json_string(text)));
            }
        }
        if !around.is_empty() {
            options = format!("    options: {{{}}}\n", around.join(", "));
        }
    } else {
        text.push_str("- sources:\n");
        let mut template = String::new();
        for (index, (before, variable)) in parts.iter().enumerate() {
            // A dollar sign of its own is doubled in a template.
            template.push_str(&before.replace('$', "$$"));
            if let Some(variable) = variable {
                text.push_str(&format!("    s{index}: {}\n", variable.source()));
                template.push_str(&format!("${{s{index}}}"));
            }
        }
        text.push_str(&format!("  template: {}\n", json_string(&template)));
    }
    text.push_str("  targets:\n");
    for (object, path) in fields {
        let (select, path) = (objects.selector(object), json_string(path));
        text.push_str(&format!("  - select: {select}\n"));
        text.push_str(&format!("    fieldPaths: [{path}]\n{options}"));
    }
    Ok(text)
}

/// Splits a text behind each variable: the text before it, and the variable; at last the rest. Other
/// names in `$(…)`, which the container fills in, are text.
fn split<'v>(
    pattern: &str,
    variables: &'v BTreeMap<String, Variable>,
) -> Vec<(String, Option<&'v Variable>)> {
    let mut parts = Vec::new();
    let mut before = String::new();
    let mut rest = pattern;
    while let Some((text, behind)) = rest.split_once("$(") {
        before.push_str(text);
        let closed = behind.split_once(')');
        let known = closed.and_then(|(name, after)| Some((variables.get(name)?, after)));
        match known {
            Some((variable, after)) => {
                parts.push((std::mem::take(&mut before), Some(variable)));
                rest = after;
            }
            None => {
                before.push_str("$(");
                rest = behind;
            }
        }
    }
    before.push_str(rest);
    parts.push((before, None));
    parts
}

impl Variable {
    /// Returns the source of a replacement.
    fn source(&self) -> String {
        let mut fields = vec![
            format!("kind: {}", json_string(&self.kind)),
            format!("name: {}", json_string(&self.name)),
        ];
        if let Some(namespace) = &self.namespace {
            fields.push(format!("namespace: {}", json_string(namespace)));
        }
        fields.push(format!("fieldPath: {}", json_string(&self.path)));
        format!("{{{}}}", fields.join(", "))
    }
}
