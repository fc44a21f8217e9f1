//! The `vars` of a kustomization file, and the fields that a build inserts them into.
//!
//! kustomize inserts values only into certain fields. To find these fields, the kustomization is
//! built and the records of the build are read.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use super::target::{TargetObject, TargetObjects, key_step};
use super::{KustomizationOptions, build};
use crate::kubernetes::Resource;
use crate::provenance::{Journal, JournalStep, StepKind};
use crate::source::world::World;
use crate::source::{Diagnostics, Reported};
use crate::yaml::{Content, Node, Sequence};

/// A variable.
pub(super) struct Variable {
    pub(super) group: String,
    pub(super) version: String,
    pub(super) kind: String,
    pub(super) name: String,
    pub(super) namespace: Option<String>,
    pub(super) path: String,
}

impl Variable {
    /// Returns the variable of an item of `vars`. A field that is missing is empty.
    pub(super) fn of(item: &Node) -> Variable {
        let text = |path: &[&str]| item.get_in(path).and_then(|value| value.text());
        let own = |path: &[&str]| text(path).unwrap_or_default().to_owned();
        let api_version = own(&["objref", "apiVersion"]);
        let (group, version) = crate::kubernetes::split_api_version(&api_version);
        Variable {
            group: group.to_owned(),
            version: version.to_owned(),
            kind: own(&["objref", "kind"]),
            name: own(&["objref", "name"]),
            namespace: text(&["objref", "namespace"]).map(str::to_owned),
            path: text(&["fieldref", "fieldPath"])
                .or(text(&["fieldref", "fieldpath"]))
                .unwrap_or("metadata.name")
                .to_owned(),
        }
    }
}

/// A field whose text contains variables.
pub(super) struct FieldWithVariables {
    pub(super) object: TargetObject,
    pub(super) path: String,
    /// Whether the field is still a text after the values were inserted, not a number or a boolean.
    pub(super) stays_text: bool,
}

/// Returns the step of a field path that leads to each item of a list.
pub(super) type ItemSteps = fn(&Sequence) -> Vec<String>;

/// The variables and where they are used.
pub(super) struct VariableUses {
    pub(super) variables: BTreeMap<String, Variable>,
    /// The objects of the build, among which a selector has to find one.
    pub(super) objects: TargetObjects,
    /// The fields with variables, by their text before.
    pub(super) by_text: BTreeMap<String, Vec<FieldWithVariables>>,
    /// The kinds and names, with their earlier ones, of the objects whose name has a hash.
    hashed: BTreeSet<(String, String)>,
    steps: Vec<JournalStep>,
}

impl VariableUses {
    /// Builds the kustomization of a folder, whose field `vars` is given.
    ///
    /// # Errors
    /// Reports the mistakes in the kustomization.
    pub(super) fn find(
        world: &dyn World,
        folder: &Path,
        vars: &Node,
        item_steps: ItemSteps,
        diagnostics: &mut Diagnostics,
    ) -> Result<VariableUses, Reported> {
        let mut variables = BTreeMap::new();
        for item in vars.children() {
            let name = item.get("name").and_then(|name| name.text());
            variables.insert(name.unwrap_or_default().to_owned(), Variable::of(item));
        }
        let journal = Journal::default();
        let options = KustomizationOptions::default();
        // The warnings are about the kustomization that is replaced.
        let mut own = Diagnostics::default();
        let built = match build(world, folder, &options, journal.recorder(), &mut own) {
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
        let mut uses = VariableUses {
            variables,
            objects,
            by_text: BTreeMap::new(),
            hashed: hashed_names(&built, &steps),
            steps,
        };
        uses.by_text = uses.fields(item_steps);
        Ok(uses)
    }

    fn fields(&self, item_steps: ItemSteps) -> BTreeMap<String, Vec<FieldWithVariables>> {
        let mut by_text = BTreeMap::new();
        let steps = self.steps.iter();
        for step in steps.filter(|step| step.kind == StepKind::Variables) {
            if let (Some(before), Some(after)) = (&step.before, &step.after) {
                let object = TargetObject {
                    name: self.name_before(before),
                    ..TargetObject::of(before).unwrap_or_default()
                };
                let mut walk = ChangedFields {
                    object,
                    path: Vec::new(),
                    item_steps,
                    found: &mut by_text,
                };
                walk.node(before, after);
            }
        }
        by_text
    }

    /// Returns whether a variable is a name that gets a hash: replacements run before that.
    pub(super) fn is_name_with_hash(&self, variable: &Variable) -> bool {
        let meant = (variable.kind.clone(), variable.name.clone());
        variable.path == "metadata.name" && self.hashed.contains(&meant)
    }

    /// Returns the name of an object before it got a hash.
    fn name_before(&self, root: &Arc<Node>) -> String {
        let mut root = root;
        for step in self.steps.iter().rev() {
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
}

/// Returns the kinds and names of the objects whose name got a hash, with the names that they had
/// before.
fn hashed_names(built: &[Resource], steps: &[JournalStep]) -> BTreeSet<(String, String)> {
    let steps = steps.iter().filter(|step| step.kind == StepKind::NameHash);
    let after: BTreeSet<(String, String)> = steps
        .filter_map(|step| TargetObject::of(step.after.as_ref()?))
        .map(|object| (object.kind, object.name))
        .collect();
    let mut names = BTreeSet::new();
    for resource in built {
        let ids = resource.ids();
        let ids: Vec<_> = ids
            .map(|id| (id.kind.to_owned(), id.name.to_owned()))
            .collect();
        if ids.iter().any(|id| after.contains(id)) {
            names.extend(ids);
        }
    }
    names
}

/// The walk through two versions of an object.
struct ChangedFields<'f> {
    object: TargetObject,
    path: Vec<String>,
    item_steps: ItemSteps,
    found: &'f mut BTreeMap<String, Vec<FieldWithVariables>>,
}

impl ChangedFields<'_> {
    /// Adds the fields whose text changed. Recursive: the parser bounds the depth.
    fn node(&mut self, before: &Arc<Node>, after: &Arc<Node>) {
        if Arc::ptr_eq(before, after) {
            return;
        }
        match (&before.resolved().content, &after.resolved().content) {
            (Content::Mapping(old), Content::Mapping(new)) => {
                for (old, new) in old.entries.iter().zip(&new.entries) {
                    self.path.push(key_step(&old.key));
                    self.node(&old.value, &new.value);
                    self.path.pop();
                }
            }
            (Content::Sequence(old), Content::Sequence(new)) => {
                let steps = (self.item_steps)(old);
                for ((old, new), step) in old.items.iter().zip(&new.items).zip(steps) {
                    self.path.push(step);
                    self.node(&old.value, &new.value);
                    self.path.pop();
                }
            }
            _ => {
                if let Some(text) = before.resolved().text() {
                    let fields = self.found.entry(text.to_owned()).or_default();
                    fields.push(FieldWithVariables {
                        object: self.object.clone(),
                        path: self.path.join("."),
                        stays_text: after.resolved().as_str().is_some(),
                    });
                }
            }
        }
    }
}

/// Splits a text after each variable: the text before it, and the name of the variable; at last
/// the rest. Other names in `$(…)`, which the container fills in, are text.
pub(super) fn split<'v>(
    pattern: &str,
    variables: &'v BTreeMap<String, Variable>,
) -> Vec<(String, Option<&'v str>)> {
    let mut parts = Vec::new();
    let mut before = String::new();
    let mut rest = pattern;
    while let Some((text, after)) = rest.split_once("$(") {
        before.push_str(text);
        let closed = after.split_once(')');
        let known =
            closed.and_then(|(name, after)| Some((variables.get_key_value(name)?.0, after)));
        match known {
            Some((name, after)) => {
                parts.push((std::mem::take(&mut before), Some(name.as_str())));
                rest = after;
            }
            None => {
                before.push_str("$(");
                rest = after;
            }
        }
    }
    before.push_str(rest);
    parts.push((before, None));
    parts
}
