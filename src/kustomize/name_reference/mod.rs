//! Names in other objects that follow the name of an object.
//!
//! An object that gets another name is known by the old one in every field that the [table] lists. A reference means the
//! object in its own namespace; one in an object without a namespace means the object in any. Specification: kustomize's
//! `nameref` filter and its built-in configuration.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::kubernetes::Resource;
use crate::kubernetes::name_references::{Reference, is_cluster_wide, references, target_group};
use crate::source::{Code, Diagnostic, Diagnostics, Location, Result};
use crate::yaml::{Content, Node, relink};

/// An object that got another name.
#[derive(Clone, Debug)]
pub struct Renamed {
    /// The API group of the object.
    pub group: String,
    /// The kind of the object.
    pub kind: String,
    /// The namespace of the object, `default` for none.
    pub namespace: String,
    /// The name that it had.
    pub old: String,
    /// The name that it has.
    pub new: String,
    /// Where it stands.
    pub location: Option<Location>,
}

/// Writes the new names into all fields that hold the old ones.
///
/// A reference that could mean several objects, now of unlike names, adds an error.
pub fn rename_references(
    resources: &mut [Resource],
    renamed: &[Renamed],
    diagnostics: &mut Diagnostics,
) {
    let mut by_name: BTreeMap<(&str, &str), Vec<&Renamed>> = BTreeMap::new();
    for one in renamed {
        by_name.entry((&one.kind, &one.old)).or_default().push(one);
    }
    for resource in resources {
        for reference in references(resource.kind(), resource.group()) {
            let names = Names {
                by_name: &by_name,
                reference: &reference,
                resource,
            };
            let keys: Vec<&str> = reference
                .path
                .iter()
                .flat_map(|part| part.split(' '))
                .filter(|key| !key.is_empty())
                .collect();
            let changed = names.follow(&resource.node, &keys);
            let changed = changed.map_err(|error| {
                error
                    .about(resource.object_reference())
                    .in_field(keys.join("."))
            });
            if let Some(Some(node)) = diagnostics.take(changed) {
                resource.node = if resource.has_aliases {
                    relink(&node)
                } else {
                    node
                };
            }
        }
    }
}

/// The objects that a field of an object may name.
struct Names<'a> {
    by_name: &'a BTreeMap<(&'a str, &'a str), Vec<&'a Renamed>>,
    reference: &'a Reference,
    resource: &'a Resource,
}

impl Names<'_> {
    /// Follows a path, through all items of lists. `None` where nothing changes.
    fn follow(&self, node: &Arc<Node>, keys: &[&str]) -> Result<Option<Arc<Node>>> {
        let own = node.resolved();
        let changed = match (&own.content, keys.split_first()) {
            (Content::Sequence(sequence), _) => {
                let mut items = sequence.items.to_vec();
                let mut changed = false;
                for item in &mut items {
                    if let Some(value) = self.follow(&item.value, keys)? {
                        item.value = value;
                        changed = true;
                    }
                }
                changed.then(|| own.with_items(items))
            }
            (Content::Mapping(_), None) => self.within(own, "name", &[])?,
            (Content::Mapping(_), Some((key, rest))) => self.within(own, key, rest)?,
            (Content::Scalar(_), None) => self.new_name(own)?.map(Node::string),
            (Content::Scalar(_) | Content::Alias(_), _) => None,
        };
        Ok(changed.map(|changed| changed.anchored(node.anchor())))
    }

    fn within(&self, node: &Arc<Node>, key: &str, rest: &[&str]) -> Result<Option<Arc<Node>>> {
        let found = node
            .as_mapping()
            .and_then(|mapping| Some((mapping, mapping.position(key)?)));
        let Some((mapping, at)) = found else {
            return Ok(None);
        };
        let Some(value) = self.follow(&mapping.entries[at].value, rest)? else {
            return Ok(None);
        };
        let mut entries = mapping.entries.to_vec();
        entries[at].value = value;
        Ok(Some(node.with_entries(entries)))
    }

    /// The name that now belongs where `node` has an old one.
    fn new_name(&self, node: &Arc<Node>) -> Result<Option<String>> {
        let Some(old) = node.text() else {
            return Ok(None);
        };
        let known = self
            .by_name
            .get(&(self.reference.target, old))
            .map_or(&[][..], |known| known);
        let mut meant = known.iter().filter(|one| self.may_mean(one));
        let Some(first) = meant.next() else {
            return Ok(None);
        };
        match meant.find(|other| other.new != first.new) {
            None => Ok(Some(first.new.clone())),
            Some(other) => {
                let kind = self.reference.target;
                Err(Diagnostic::error(
                    Code::Resource,
                    format!("found multiple possible referrals: `{old}` may mean several objects of kind {kind}"),
                )
                .at(node.location(), "the reference")
                .at(first.location.clone(), format!("named `{}` now", first.new))
                .at(other.location.clone(), format!("named `{}` now", other.new))
                .help("give the objects unlike names, or switch their suffixes off"))
            }
        }
    }

    fn may_mean(&self, one: &Renamed) -> bool {
        let group = target_group(self.reference.target);
        let in_reach = is_cluster_wide(self.resource.kind())
            || is_cluster_wide(&one.kind)
            || one.kind == "ServiceAccount"
            || one.namespace == self.resource.id().effective_namespace();
        group.is_none_or(|group| group == one.group) && in_reach && self.role_fits(one)
    }

    /// A `roleRef` says of which kind the role is.
    fn role_fits(&self, one: &Renamed) -> bool {
        let kind = self
            .resource
            .node
            .get_in(&["roleRef", "kind"])
            .and_then(|kind| kind.text());
        !self.reference.path[0].starts_with("roleRef") || kind.is_none_or(|kind| kind == one.kind)
    }
}
