//! Strategic merge patches: an object's shape with only what is to change.
//!
//! Mappings merge, null takes a key out, and lists are replaced, unless the [schema] of a kind of Kubernetes says by which
//! keys their items are told apart. [Directives](directive) in the patch say otherwise for one mapping or list. The outcome
//! is that of kustomize, down to the order of list items; `docs/differences.md` has where it is not.
//!
//! A mapping or list over a string that holds a document is merged into the document.

mod directive;
mod item;
mod list;
mod mapping;
#[cfg(test)]
mod tests;
mod text;

use std::sync::Arc;

use crate::edit::{self, DocumentFormat, EditTarget, Encoding, fit_own_type, is_same, remake};
use crate::kubernetes::merge_keys::{self, Field, Type};
use crate::source::{Code, Diagnostic, Location, Result};
use crate::yaml::{Content, Node, Value};

/// Merges `patch`, in which nothing stands for something else, into `object`. `None` where the patch deletes the object.
///
/// # Errors
/// [`Code::Patch`] for a directive that is none and an item without its merge key; [`Code::ValueDoesNotFit`] where a mapping,
/// a list and a scalar meet that are not of one kind.
pub(super) fn merge(
    object: &Arc<Node>,
    patch: &Arc<Node>,
    options: &edit::EditOptions,
) -> Result<Option<Arc<Node>>> {
    let text = |key: &str| {
        object
            .resolved()
            .get(key)
            .and_then(|node| node.resolved().text())
            .unwrap_or("")
    };
    let of = merge_keys::of_kind(text("apiVersion"), text("kind")).unwrap_or(&[]);
    let mut merger = Merger {
        options,
        names: Some(Vec::new()),
        text_format: options.text_format,
    };
    merger.node(Some(object), patch, Some(Field::Is(of)), Holder::default())
}

/// Walks both trees at once, and calls itself for each level of the patch; its depth is that of a tree that was parsed.
struct Merger<'o> {
    options: &'o edit::EditOptions,
    /// The keys from the root of the object; `None` inside a string, and below a list.
    names: Option<Vec<String>>,
    /// The format of the text that is merged into.
    text_format: DocumentFormat,
}

/// What holds the value that is merged.
#[derive(Clone, Copy, Default)]
struct Holder<'a> {
    /// The key in the patch.
    key: Option<&'a Arc<Node>>,
    /// The encoding of the field, if it is a text field of the object.
    text_field: Option<Encoding>,
}

impl Holder<'_> {
    fn name(&self) -> Option<&str> {
        self.key.and_then(|key| key.text())
    }
}

impl Merger<'_> {
    /// The value that `base` becomes; `None` where it goes, or where there is nothing and nothing comes.
    fn node(
        &mut self,
        base: Option<&Arc<Node>>,
        patch: &Arc<Node>,
        field: Option<Field>,
        holder: Holder<'_>,
    ) -> Result<Option<Arc<Node>>> {
        if is_null(patch) {
            return Ok(None);
        }
        let Some(base) = base.filter(|base| !is_null(base.resolved())) else {
            return self.added(base, patch, field, holder);
        };
        let node = base.resolved();
        let changed = match (&node.content, &patch.content) {
            (Content::Mapping(old), Content::Mapping(new)) => {
                self.mapping(node, old, new, type_of(field))?
            }
            (Content::Sequence(old), Content::Sequence(new)) => {
                self.list(node, old, patch, new, field)?
            }
            (Content::Scalar(_), Content::Scalar(_)) if is_same(node, patch) => {
                Some(Arc::clone(node))
            }
            (Content::Scalar(_), Content::Scalar(_)) => {
                Some(self.fit(&remake(patch)?, Some(node), holder)?)
            }
            (Content::Scalar(_), _) => self.in_string(node, patch, holder)?,
            _ => return Err(unlike(node, patch, holder)),
        };
        // What takes a place takes over its anchor; an alias that is not changed stays one.
        Ok(changed.map(|changed| match Arc::ptr_eq(&changed, node) {
            true => Arc::clone(base),
            false => changed.anchored(base.anchor()),
        }))
    }

    /// A value of the patch where the object has none, or null.
    fn added(
        &mut self,
        base: Option<&Arc<Node>>,
        patch: &Arc<Node>,
        field: Option<Field>,
        holder: Holder<'_>,
    ) -> Result<Option<Arc<Node>>> {
        let value = match &patch.content {
            Content::Mapping(new) => self.added_mapping(new, type_of(field))?,
            Content::Sequence(new) => self.added_list(new, field)?,
            Content::Scalar(_) | Content::Alias(_) => Some(remake(patch)?),
        };
        value
            .map(|value| self.fit(&value, base, holder))
            .transpose()
    }

    /// The value as it is written where it goes: a document is text in a field that holds text.
    fn fit(
        &self,
        value: &Arc<Node>,
        current: Option<&Arc<Node>>,
        holder: Holder<'_>,
    ) -> Result<Arc<Node>> {
        let Holder { text_field, .. } = holder;
        let key = holder.name();
        let wanted = key.and_then(DocumentFormat::of_key);
        fit_own_type(
            value,
            &EditTarget {
                current,
                format: self.text_format,
                wanted,
                text_field,
                key,
            },
        )
    }
}

/// The type of a mapping field.
fn type_of(field: Option<Field>) -> Type {
    match field {
        Some(Field::Is(of)) => of,
        _ => &[],
    }
}

fn is_null(node: &Node) -> bool {
    matches!(node.value(), Some(Value::Null))
}

/// A place to point at: the key, since a collection may be long, or else the value.
fn place(node: &Arc<Node>, holder: Holder<'_>) -> Option<Location> {
    holder
        .key
        .and_then(|key| key.location())
        .or_else(|| node.location())
}

fn unlike(base: &Arc<Node>, patch: &Arc<Node>, holder: Holder<'_>) -> Box<Diagnostic> {
    let field = holder
        .name()
        .map(|name| format!(" for `{name}`"))
        .unwrap_or_default();
    let message = format!(
        "expected {} to merge{field}, found {}",
        base.described(),
        patch.described()
    );
    Diagnostic::error(Code::ValueDoesNotFit, message)
        .at(
            place(patch, holder),
            format!("this is {}", patch.described()),
        )
        .at(
            base.location(),
            format!("it would take the place of {}", base.described()),
        )
        .help("give both the same shape, or take the old value out first, with null")
}
