//! Applies the operations of a JSON patch.

use std::sync::Arc;

use super::negative_index::counted_from_end;
use super::operation::{Action, PatchOperation};
use crate::edit::{self, EditFailure, EditOptions, Pointer, remake};
use crate::kustomize::EditRules;
use crate::source::{Code, Diagnostic, Diagnostics, Limit, Result};
use crate::yaml::{Data, Node, Value, faithful, measure};

/// The run of a JSON patch on one object.
pub(in super::super) struct JsonPatchRun<'o> {
    pub(in super::super) options: &'o EditOptions,
    /// Whether an operation at a place that does not exist is skipped. A `test` still fails.
    pub(in super::super) allow_missing: bool,
    pub(in super::super) rules: EditRules,
    /// Whether the object has annotations of kustomize itself, so that `/metadata/annotations`
    /// exists.
    pub(in super::super) has_own_annotations: bool,
}

impl JsonPatchRun<'_> {
    /// Applies the operations to `object`, each to the result of the one before it.
    ///
    /// # Errors
    /// [`Code::PathNotFound`] for a place that does not exist, [`Code::Patch`] for a test that
    /// fails and an operation that is not possible, [`Code::Limit`] for a patch that copies more
    /// than a text may contain.
    pub(in super::super) fn apply(
        &self,
        operations: &[PatchOperation],
        object: &Arc<Node>,
        diagnostics: &mut Diagnostics,
    ) -> Result<Arc<Node>> {
        let mut root = Arc::clone(object);
        let mut copied = 0;
        // A patch can remove the annotations of kustomize once.
        let mut has_own_annotations = self.has_own_annotations;
        for operation in operations {
            let removes_annotations = removes_annotations(operation);
            let can_remove = has_own_annotations && removes_annotations;
            has_own_annotations &= !removes_annotations;
            let counted = self.counted_from_end(operation, &root);
            let operation = counted.as_ref().unwrap_or(operation);
            match apply_one(operation, &root, self.options, &mut copied) {
                Ok(changed) => root = changed,
                Err(failure) => {
                    if failure.is_absent()
                        && let Some(changed) = self.add_instead(operation, &root, diagnostics)
                    {
                        root = changed;
                        continue;
                    }
                    if failure.is_absent() && can_remove {
                        continue;
                    }
                    if failure.is_absent() && self.is_null_key(operation, &root, diagnostics) {
                        continue;
                    }
                    let is_test = matches!(operation.action, Action::Test(_));
                    if self.allow_missing && failure.is_absent() && !is_test {
                        continue;
                    }
                    let name = operation.action.name();
                    let message = || format!("unable to {name} `{}`", operation.path);
                    return Err(failure
                        .diagnostic(message)
                        .at(operation.location.clone(), "the operation")
                        .in_field(operation.path.to_string()));
                }
            }
        }
        Ok(root)
    }

    /// Returns the operation with its negative indices resolved, or `None` if it has none.
    fn counted_from_end(
        &self,
        operation: &PatchOperation,
        root: &Arc<Node>,
    ) -> Option<PatchOperation> {
        if self.rules == EditRules::Inlay {
            return None;
        }
        let adds = matches!(
            operation.action,
            Action::Add(_) | Action::Copy(_) | Action::Move(_)
        );
        let path = counted_from_end(&operation.path, root, adds);
        let action = match &operation.action {
            Action::Copy(from) => counted_from_end(from, root, false).map(Action::Copy),
            Action::Move(from) => counted_from_end(from, root, false).map(Action::Move),
            _ => None,
        };
        if path.is_none() && action.is_none() {
            return None;
        }
        Some(PatchOperation {
            action: action.unwrap_or_else(|| operation.action.clone()),
            path: path.unwrap_or_else(|| operation.path.clone()),
            location: operation.location.clone(),
        })
    }

    /// Returns the object with the value of a `replace` added, if the mapping exists but not the
    /// key. kustomize accepts this, although RFC 6902 does not.
    fn add_instead(
        &self,
        operation: &PatchOperation,
        root: &Arc<Node>,
        diagnostics: &mut Diagnostics,
    ) -> Option<Arc<Node>> {
        let Action::Replace(value) = &operation.action else {
            return None;
        };
        if self.rules != EditRules::Kustomize || self.allow_missing {
            return None;
        }
        let root = &self.with_mapping(operation, root)?;
        let value = sized(value, &operation.path).ok()?;
        let changed = edit::add(root, &operation.path, &value, self.options).ok()?;
        let message = format!("`{}` does not exist, and `replace` adds it", operation.path);
        diagnostics.push(
            Diagnostic::warning(Code::Patch, message)
                .at(operation.location.clone(), "the operation")
                .help("write `op: add` if this is intended"),
        );
        Some(changed)
    }

    /// Returns whether an operation tests that a key is null, and the mapping exists but not the
    /// key. kustomize accepts this, although RFC 6902 does not.
    fn is_null_key(
        &self,
        operation: &PatchOperation,
        root: &Arc<Node>,
        diagnostics: &mut Diagnostics,
    ) -> bool {
        let Action::Test(expected) = &operation.action else {
            return false;
        };
        // In kustomize every object has annotations while it is patched.
        let is_null_key = self.rules == EditRules::Kustomize
            && matches!(expected.value(), Some(Value::Null))
            && !leads_to_annotations(&operation.path)
            && self.with_mapping(operation, root).is_some();
        if is_null_key {
            let path = &operation.path;
            let message = format!("`{path}` does not exist, and `test` reads it as null");
            diagnostics.push(
                Diagnostic::warning(Code::Patch, message)
                    .at(operation.location.clone(), "the operation"),
            );
        }
        is_null_key
    }

    /// Returns the object if the place of an operation is in a mapping of it. The annotations of
    /// kustomize itself are such a mapping.
    fn with_mapping(&self, operation: &PatchOperation, root: &Arc<Node>) -> Option<Arc<Node>> {
        let root = with_annotations(root, &operation.path, self.options).ok()?;
        let parent = edit::get(&root, &operation.path.parent()?, self.options).ok()?;
        parent.resolved().as_mapping()?;
        Some(root)
    }
}

fn removes_annotations(operation: &PatchOperation) -> bool {
    matches!(operation.action, Action::Remove) && leads_to_annotations(&operation.path)
}

fn leads_to_annotations(path: &Pointer) -> bool {
    path.to_string() == "/metadata/annotations"
}

fn apply_one(
    operation: &PatchOperation,
    root: &Arc<Node>,
    options: &EditOptions,
    copied: &mut u64,
) -> std::result::Result<Arc<Node>, EditFailure> {
    let path = &operation.path;
    match &operation.action {
        Action::Add(value) => edit::add(
            &with_annotations(root, path, options)?,
            path,
            &sized(value, path)?,
            options,
        ),
        Action::Replace(value) => edit::replace(root, path, &sized(value, path)?, options),
        Action::Remove => edit::remove(root, path, options),
        Action::Copy(from) => {
            let value = edit::get(root, from, options)?;
            // A chain of copies doubles the document with each step, so the sum is limited.
            *copied += measure(&value, path.depth())?;
            let limit = Limit::Nodes.value();
            if *copied > limit {
                let message = format!("the patch copies more than {limit} nodes");
                return Err(Limit::Nodes.exceeded(message).into());
            }
            edit::copy(root, path, &value, options)
        }
        Action::Move(from) => {
            if from == path {
                return edit::get(root, from, options).map(|_| Arc::clone(root));
            }
            if from.holds(path) {
                let message = format!("unable to move `{from}` into itself");
                return Err(Diagnostic::error(Code::Patch, message).into());
            }
            if let Some(moved) = edit::move_item(root, from, path, options)? {
                return Ok(moved);
            }
            measure(&edit::get(root, from, options)?, path.depth())?;
            edit::move_value(root, from, path, options)
        }
        Action::Test(expected) => {
            let found = edit::get(root, path, options)?;
            test(expected, &found)?;
            Ok(Arc::clone(root))
        }
    }
}

/// Returns the object with `metadata.annotations`, which is added if `path` leads to an annotation
/// and there are none.
///
/// kustomize records the id of an object in its annotations before it patches the object. So adding
/// an annotation always works there, and patches rely on it.
fn with_annotations(
    root: &Arc<Node>,
    path: &Pointer,
    options: &EditOptions,
) -> std::result::Result<Arc<Node>, EditFailure> {
    let annotations = Pointer::parse("/metadata/annotations")?;
    let is_annotation = path.depth() == annotations.depth() + 1 && annotations.holds(path);
    if !is_annotation || root.get("metadata").is_none() {
        return Ok(Arc::clone(root));
    }
    match root.get_in(&["metadata", "annotations"]) {
        Some(found) if !matches!(found.value(), Some(Value::Null)) => Ok(Arc::clone(root)),
        _ => edit::add(root, &annotations, &Node::mapping(Vec::new()), options),
    }
}

/// Returns the value in the form in which it is written, after checking that it fits at the depth
/// of `path`.
fn sized(value: &Arc<Node>, path: &Pointer) -> Result<Arc<Node>> {
    measure(value, path.depth())?;
    remake(value)
}

fn test(expected: &Arc<Node>, found: &Arc<Node>) -> Result<()> {
    if Data::of(expected)?.equals(&Data::of(found)?) {
        return Ok(());
    }
    let message = format!("expected {}, found {}", shown(expected), shown(found));
    Err(Diagnostic::error(Code::Patch, message)
        .at(found.location(), "this value")
        .at(expected.location(), "the test"))
}

/// Describes a value for a message: a scalar as written, anything else by its kind.
fn shown(node: &Arc<Node>) -> String {
    match node.as_scalar() {
        Some(_) => format!("`{}`", faithful::excerpt(node).trim_end()),
        None => format!("another {}", node.kind()),
    }
}
