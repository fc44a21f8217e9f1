//! Updates references after an object was renamed.
//!
//! Every field of [the table](crate::kubernetes::name_references) that contains the old name gets
//! the new one. A reference means the object in its own namespace; a reference in an object without
//! a namespace means the object in any. Specification: kustomize's `nameref` filter and its
//! built-in configuration.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::kubernetes::Resource;
use crate::kubernetes::name_references::{
    NameReference, is_cluster_wide, name_references, target_group,
};
use crate::source::{Code, Diagnostic, Diagnostics, Location, Result};
use crate::yaml::{Content, Node, relink};

/// An object that got another name.
#[derive(Clone, Debug)]
pub(super) struct RenamedObject {
    /// The API group of the object.
    pub(super) group: String,
    /// The kind of the object.
    pub(super) kind: String,
    /// The namespace of the object; `default` if it has none.
    pub(super) namespace: String,
    /// The name that it had.
    pub(super) old: String,
    /// The name that it has now.
    pub(super) new: String,
    /// The place of the old name.
    pub(super) location: Option<Location>,
}

impl RenamedObject {
    /// Describes the renaming of an object that still has its old name.
    pub(super) fn new(resource: &Resource, new: String) -> RenamedObject {
        RenamedObject {
            group: resource.group().to_owned(),
            kind: resource.kind().to_owned(),
            namespace: resource.id().effective_namespace().to_owned(),
            old: resource.name().to_owned(),
            new,
            location: resource.name_location(),
        }
    }
}

/// The renamed objects by kind and old name.
type RenamedByName<'a> = BTreeMap<(&'a str, &'a str), Vec<&'a RenamedObject>>;

/// Writes the new names into every field that contains an old one.
///
/// A reference that may mean several objects, which have different names now, is reported.
pub(super) fn rename_references(
    resources: &mut [Resource],
    renamed: &[RenamedObject],
    diagnostics: &mut Diagnostics,
) {
    let mut by_name = RenamedByName::new();
    for object in renamed {
        let key = (&*object.kind, &*object.old);
        by_name.entry(key).or_default().push(object);
    }
    for resource in resources {
        for reference in name_references(resource.kind(), resource.group()) {
            let keys = reference.keys();
            let update = ReferenceUpdate {
                renamed: &by_name,
                reference: &reference,
                resource,
            };
            match update.follow(&resource.node, &keys) {
                Ok(None) => {}
                Ok(Some(node)) if resource.has_aliases => resource.node = relink(&node),
                Ok(Some(node)) => resource.node = node,
                Err(error) => {
                    let error = error.about(resource.object_reference());
                    diagnostics.push(error.in_field(keys.join(".")));
                }
            }
        }
    }
}

/// The update of one field of one object.
struct ReferenceUpdate<'a> {
    renamed: &'a RenamedByName<'a>,
    reference: &'a NameReference,
    /// The object that has the field.
    resource: &'a Resource,
}

impl ReferenceUpdate<'_> {
    /// Follows the keys, through all items of lists. Returns `None` if nothing changes.
    fn follow(&self, node: &Arc<Node>, keys: &[&str]) -> Result<Option<Arc<Node>>> {
        let own = node.resolved();
        let changed = match (&own.content, keys.split_first()) {
            (Content::Sequence(sequence), _) => {
                let mut items = sequence.items.to_vec();
                let mut is_changed = false;
                for item in &mut items {
                    if let Some(value) = self.follow(&item.value, keys)? {
                        item.value = value;
                        is_changed = true;
                    }
                }
                is_changed.then(|| own.with_items(items))
            }
            // A reference such as `subjects` may be a mapping, whose name counts.
            (Content::Mapping(_), None) => self.follow_key(own, "name", &[])?,
            (Content::Mapping(_), Some((key, rest))) => self.follow_key(own, key, rest)?,
            (Content::Scalar(_), None) => self.new_name(own)?.map(Node::string),
            (Content::Scalar(_) | Content::Alias(_), _) => None,
        };
        Ok(changed.map(|changed| changed.anchored(node.anchor())))
    }

    fn follow_key(&self, node: &Arc<Node>, key: &str, rest: &[&str]) -> Result<Option<Arc<Node>>> {
        let Some(mapping) = node.as_mapping() else {
            return Ok(None);
        };
        let Some(position) = mapping.position(key) else {
            return Ok(None);
        };
        let Some(value) = self.follow(&mapping.entries[position].value, rest)? else {
            return Ok(None);
        };
        let mut entries = mapping.entries.to_vec();
        entries[position].value = value;
        Ok(Some(node.with_entries(entries)))
    }

    /// Returns the new name if `node` contains an old one.
    fn new_name(&self, node: &Arc<Node>) -> Result<Option<String>> {
        let Some(old) = node.text() else {
            return Ok(None);
        };
        let Some(objects) = self.renamed.get(&(self.reference.target, old)) else {
            return Ok(None);
        };
        let mut candidates = objects.iter().filter(|object| self.may_mean(object));
        let Some(first) = candidates.next() else {
            return Ok(None);
        };
        let Some(other) = candidates.find(|other| other.new != first.new) else {
            return Ok(Some(first.new.clone()));
        };
        let kind = self.reference.target;
        let message = format!(
            "found multiple possible referrals: `{old}` may mean several objects of kind {kind}"
        );
        Err(Diagnostic::error(Code::Resource, message)
            .at(node.location(), "the reference")
            .at(first.location.clone(), format!("named `{}` now", first.new))
            .at(other.location.clone(), format!("named `{}` now", other.new))
            .help("give the objects different names, or set `disableNameSuffixHash: true`"))
    }

    fn may_mean(&self, object: &RenamedObject) -> bool {
        if target_group(self.reference.target).is_some_and(|group| group != object.group) {
            return false;
        }
        // Service accounts are named together with their namespace, which kustomize does not
        // compare.
        let is_reachable = is_cluster_wide(self.resource.kind())
            || is_cluster_wide(&object.kind)
            || object.kind == "ServiceAccount"
            || object.namespace == self.resource.id().effective_namespace();
        is_reachable && self.is_role_of(object)
    }

    /// Whether a `roleRef`, which gives the kind of its role, is of the object's kind. Other
    /// references always are.
    fn is_role_of(&self, object: &RenamedObject) -> bool {
        if !self.reference.path[0].starts_with("roleRef") {
            return true;
        }
        match self.resource.node.get_in(&["roleRef", "kind"]) {
            Some(kind) => kind.text().is_none_or(|kind| kind == object.kind),
            None => true,
        }
    }
}
