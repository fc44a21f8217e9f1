//! Follows the path of a field spec, and lets a transformer change what it leads to.
//!
//! ```text
//! path: spec/containers[]/image
//!
//! spec:
//!   containers:           a list: each item is followed
//!   - image: nginx        leaf: given to the transformer
//!   - name: b             no such key: nothing is created below `[]`
//! ```
//!
//! Only the nodes from the root to a change are new. Everything else is shared with the old tree.

use std::sync::Arc;

use super::FieldSpec;
use super::path::PathKey;
use crate::edit::merged;
use crate::kubernetes::Resource;
use crate::source::{Code, Diagnostic, Result};
use crate::yaml::{Content, Entry, Node, Value, relink};

/// The kind of value that a transformer writes where there is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::kustomize) enum LeafKind {
    /// A text.
    Scalar,
    /// A mapping, which the transformer adds entries to.
    Mapping,
}

/// Returns the value that replaces the one at the end of a path, or `None` to keep it.
///
/// A value that was created for the purpose is an empty scalar or an empty mapping.
pub(in crate::kustomize) type LeafEdit<'a> =
    dyn FnMut(&Arc<Node>) -> Result<Option<Arc<Node>>> + 'a;

/// Lets `edit` change every value that the path of `spec` leads to in `resource`. Returns whether
/// there is one.
///
/// `created` is the kind of value to create for a missing field if the spec says `create`; with
/// `None` nothing is created. The caller has checked that the spec applies to objects of this kind.
///
/// # Errors
/// [`Code::ValueDoesNotFit`] if a scalar is on the path, and [`Code::PathSyntax`] for a key that no
/// mapping has. The errors of `edit`.
pub(in crate::kustomize) fn edit_fields(
    resource: &mut Resource,
    spec: &FieldSpec,
    created: Option<LeafKind>,
    edit: &mut LeafEdit<'_>,
) -> Result<bool> {
    let mut has_found = false;
    let changed = edit_node(&resource.node, spec, created, &mut |leaf| {
        has_found = true;
        edit(leaf)
    });
    match changed {
        Ok(Some(node)) if resource.has_aliases => resource.node = relink(&node),
        Ok(Some(node)) => resource.node = node,
        Ok(None) => {}
        Err(error) => return Err(in_object(error, resource, spec)),
    }
    Ok(has_found)
}

/// Lets `edit` change every value that the path of `spec` leads to from `node`, and returns the new
/// node, or `None` if nothing changes.
///
/// # Errors
/// As [`edit_fields`].
pub(in crate::kustomize) fn edit_node(
    node: &Arc<Node>,
    spec: &FieldSpec,
    created: Option<LeafKind>,
    edit: &mut LeafEdit<'_>,
) -> Result<Option<Arc<Node>>> {
    let mut walk = SpecWalk {
        created: created.filter(|_| spec.create),
        edit,
    };
    walk.follow(node, spec.path.keys())
}

/// Lets `edit` change the fields of several specs in one object. Returns whether it has one.
///
/// # Errors
/// As [`edit_fields`].
pub(in crate::kustomize) fn edit_object(
    resource: &mut Resource,
    specs: &[FieldSpec],
    created: Option<LeafKind>,
    edit: &mut LeafEdit<'_>,
) -> Result<bool> {
    let mut has_found = false;
    // The id is read once for all specs up to one that edits `apiVersion` or `kind`.
    for part in specs.split_inclusive(|spec| spec.path.is_of_kind()) {
        let id = resource.id();
        let matching: Vec<&FieldSpec> = part.iter().filter(|spec| spec.kinds.matches(id)).collect();
        for spec in matching {
            has_found |= edit_fields(resource, spec, created, edit)?;
        }
    }
    Ok(has_found)
}

/// Adds the field and the object to an error, in the words of kustomize.
pub(in crate::kustomize) fn in_object(
    mut error: Box<Diagnostic>,
    resource: &Resource,
    spec: &FieldSpec,
) -> Box<Diagnostic> {
    error.message = format!(
        "considering field '{}' of object {}: {}",
        spec.path,
        resource.id(),
        error.message
    );
    error
        .at(spec.location.clone(), "the field spec")
        .about(resource.object_reference())
        .in_field(spec.path.to_string())
}

/// One walk along a path.
struct SpecWalk<'a, 'e> {
    created: Option<LeafKind>,
    edit: &'a mut LeafEdit<'e>,
}

impl SpecWalk<'_, '_> {
    /// Follows the keys. Returns `None` if nothing changes.
    fn follow(&mut self, node: &Arc<Node>, keys: &[PathKey]) -> Result<Option<Arc<Node>>> {
        let own = node.resolved();
        let Some((key, rest)) = keys.split_first() else {
            let changed = (self.edit)(own)?;
            return Ok(changed.map(|changed| changed.anchored(node.anchor())));
        };
        let changed = match &own.content {
            Content::Sequence(_) => own.try_map_values(|item| self.follow(item, keys))?,
            Content::Mapping(_) => self.entry(own, key, rest)?,
            Content::Scalar(_) | Content::Alias(_) if is_null(own) => None,
            Content::Scalar(_) | Content::Alias(_) => return Err(not_a_collection(own)),
        };
        Ok(changed.map(|changed| changed.anchored(node.anchor())))
    }

    /// Follows the rest of the path from the value of `key`, and returns the mapping with the value
    /// that this gives. Returns `None` if nothing changes.
    fn entry(
        &mut self,
        node: &Arc<Node>,
        key: &PathKey,
        rest: &[PathKey],
    ) -> Result<Option<Arc<Node>>> {
        check_key(&key.name, node)?;
        let Some(mapping) = node.as_mapping() else {
            return Ok(None);
        };
        let position = mapping.position(&key.name);
        let here = match position {
            Some(position) => mapping.entries.at(position).map(|entry| &entry.value),
            // A value from a merge key (`<<`) is changed for this mapping alone.
            None => merged(mapping, &key.name),
        };
        let Some(value) = self.value(here, key, rest)? else {
            return Ok(None);
        };
        if let Some(position) = position {
            return Ok(node.with_values(vec![(position, value)]));
        }
        let entry = Entry::new(&key.name, value.anchored(None));
        let entries = mapping.entries.inserted(mapping.entries.len(), entry);
        Ok(Some(node.with_entries(entries)))
    }

    /// Follows the rest of the path from the value of a key, which is created if it is missing or
    /// null and the spec says so. Returns `None` if nothing changes.
    fn value(
        &mut self,
        here: Option<&Arc<Node>>,
        key: &PathKey,
        rest: &[PathKey],
    ) -> Result<Option<Arc<Node>>> {
        if let Some(value) = here
            && !is_null(value.resolved())
        {
            return self.follow(value, rest);
        }
        let made = match (self.created, here) {
            // kustomize turns a null that should be a list into an empty one, create or not.
            (_, Some(_)) if key.is_list => Node::sequence([]),
            (Some(_), _) if !key.is_list && !rest.is_empty() => Node::mapping(Vec::new()),
            (Some(LeafKind::Mapping), _) if !key.is_list => Node::mapping(Vec::new()),
            (Some(LeafKind::Scalar), _) if !key.is_list => Node::plain(""),
            (_, Some(null)) => return self.follow(null, rest),
            (_, None) => return Ok(None),
        };
        let changed = self.follow(&made, rest)?;
        Ok(Some(changed.unwrap_or(made)))
    }
}

/// Returns whether a node is null.
pub(in crate::kustomize) fn is_null(node: &Node) -> bool {
    matches!(node.value(), Some(Value::Null))
}

/// Refuses a key that kustomize does not treat as the key of a mapping.
fn check_key(name: &str, node: &Node) -> Result<()> {
    let is_item = name == "-" || name.parse::<i64>().is_ok() || is_item_match(name);
    let message = if name.is_empty() {
        "cannot set or create an empty field name".to_owned()
    } else if name == "*" {
        "wildcard is not supported".to_owned()
    } else if is_item {
        format!("wrong node kind: expected a list for `{name}`, found a mapping")
    } else {
        return Ok(());
    };
    let error = Diagnostic::error(Code::PathSyntax, message).at(node.location(), "");
    Err(error.help(
        "write only keys with `/` between them: every item of a list on the way is meant anyway",
    ))
}

/// Returns whether a key has the syntax of a condition: `[name=web]`.
fn is_item_match(name: &str) -> bool {
    name.starts_with('[') && name.ends_with(']')
}

fn not_a_collection(node: &Node) -> Box<Diagnostic> {
    let message = format!(
        "expected sequence or mapping node, found {}",
        node.described()
    );
    Diagnostic::error(Code::ValueDoesNotFit, message).at(node.location(), "the path continues here")
}
