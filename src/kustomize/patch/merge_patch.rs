//! JSON merge patches (RFC 7396), which continue below strings.
//!
//! The part of the patch that is about the document in a string is merged into that document first.
//! The rest is a merge patch like any other:
//!
//! ```text
//! object:    data: {a.json: '{"x": 1,  "y": 2}'}
//! patch:     data: {a.json: {x: 3}}
//! resolved:  data: {a.json: '{"x": 3,  "y": 2}'}
//! ```

use std::sync::Arc;

use crate::edit::{
    DocumentFormat, EditOptions, EditTarget, Encoding, FieldPlace, MergeOptions, TextFields,
    fit_own_type, merge as merge_trees, remake, update_in_string,
};
use crate::source::Result;
use crate::yaml::{Node, Value};

/// Merges `patch`, which has no aliases or merge keys, into `object`.
///
/// # Errors
/// A key that a mapping of either gives twice, and a string that cannot be edited.
pub(super) fn merge(
    object: &Arc<Node>,
    patch: &Arc<Node>,
    options: &EditOptions,
) -> Result<Arc<Node>> {
    let place = FieldPlace::new(options.text_fields, Vec::new());
    let patch = resolve(object, patch, options, &place)?;
    merge_trees(object, &patch, &MergeOptions::MERGE_PATCH)
}

/// Returns the patch with a string in place of every mapping that is merged into the document of a
/// string, and of every value in the type of its field. `place` is the place of `base` in the
/// object.
fn resolve(
    base: &Arc<Node>,
    patch: &Arc<Node>,
    options: &EditOptions,
    place: &FieldPlace<'_>,
) -> Result<Arc<Node>> {
    let Some(mapping) = patch.as_mapping() else {
        return Ok(Arc::clone(patch));
    };
    let old = base.resolved();
    let mut entries = mapping.entries.to_vec();
    for entry in &mut entries {
        let Some(key) = entry.key.text() else {
            continue;
        };
        let field = MergedField {
            key,
            current: old.get(key).map(Node::resolved),
            place: place.key(key),
        };
        let value = resolve_field(&field, &entry.value, options)?;
        entry.value = value;
    }
    Ok(patch.with_entries(entries))
}

/// A field of the object that the patch has a value for.
struct MergedField<'a> {
    key: &'a str,
    current: Option<&'a Arc<Node>>,
    /// The place in the object.
    place: FieldPlace<'a>,
}

impl MergedField<'_> {
    /// Returns the encoding, if it is a text field of the object.
    fn text_field(&self) -> Option<Encoding> {
        self.place.text_field()
    }

    /// Returns whether the value is a string that may contain a document.
    fn may_contain_document(&self) -> bool {
        let Some(node) = self.current else {
            return false;
        };
        let is_text = self.text_field().is_some() || matches!(node.value(), Some(Value::String(_)));
        is_text && node.text().is_some_and(|text| !text.trim().is_empty())
    }

    /// Returns a value as it is written to the field: a document as text in a text field, and the
    /// scalars of a collection with the types of their fields.
    fn fit(&self, value: &Arc<Node>, options: &EditOptions) -> Result<Arc<Node>> {
        let target = EditTarget {
            current: self.current,
            format: options.text_format,
            wanted: DocumentFormat::of_key(self.key),
            place: self.place.clone(),
            has_text_keys: false,
            key: Some(self.key),
            trail: &[],
        };
        // Null deletes, and a document that is new has nothing to delete (RFC 7396): its nulls go.
        let nothing = Node::mapping(Vec::new());
        let value = merge_trees(&nothing, value, &MergeOptions::MERGE_PATCH)?;
        fit_own_type(&remake(&value)?, &target)
    }
}

fn resolve_field(
    field: &MergedField<'_>,
    value: &Arc<Node>,
    options: &EditOptions,
) -> Result<Arc<Node>> {
    if let Some(current) = field.current {
        if value.as_mapping().is_some() && field.may_contain_document() {
            return merge_in_string(current, field, value, options);
        }
        if current.as_mapping().is_some() {
            return resolve(current, value, options, &field.place);
        }
    }
    // A null deletes the field.
    if matches!(value.value(), Some(Value::Null)) {
        return Ok(Arc::clone(value));
    }
    field.fit(value, options)
}

/// Returns the string with the patch merged into its document. If it contains no mapping, the patch
/// replaces it.
fn merge_in_string(
    current: &Arc<Node>,
    field: &MergedField<'_>,
    patch: &Arc<Node>,
    options: &EditOptions,
) -> Result<Arc<Node>> {
    let mut is_mapping = true;
    let changed = update_in_string(
        current,
        field.key,
        field.text_field(),
        options,
        &mut |root, text_format| {
            is_mapping = root.resolved().as_mapping().is_some();
            if !is_mapping {
                return Ok(None);
            }
            // The fields of the object do not apply to the document.
            let inner = EditOptions {
                text_fields: TextFields::default(),
                text_format,
                ..*options
            };
            let merged = merge(root, patch, &inner)?;
            Ok(Some(merged).filter(|merged| !Arc::ptr_eq(merged, root)))
        },
    );
    let changed = changed.map_err(|failure| {
        failure.diagnostic(|| format!("unable to merge into the string `{}`", field.key))
    })?;
    if !is_mapping {
        return field.fit(patch, options);
    }
    Ok(changed.unwrap_or_else(|| Arc::clone(current)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kubernetes::text_fields;
    use crate::source::Source;
    use crate::yaml::{faithful, parse};

    fn patched(object: &str, patch: &str) -> String {
        let read = |text: &str| parse(&Source::new("text.yaml", text).unwrap()).unwrap();
        let stream = read(object);
        let root = &stream.documents[0].root;
        let options = EditOptions {
            text_fields: text_fields(root),
            ..EditOptions::default()
        };
        let merged = merge(root, &read(patch).documents[0].root, &options).unwrap();
        faithful::print(&stream, &[merged])
    }

    #[test]
    fn replaces_lists_and_values_of_another_kind() {
        let object = "a: [1] # list\nb: {c: 1}\nd: text\n";
        assert_eq!(
            patched(object, "{a: [2], b: 3, d: null}"),
            "a: [2] # list\nb: 3\n"
        );
        assert_eq!(
            patched(object, "{d: {e: {f: null, g: 1}}}"),
            "a: [1] # list\nb: {c: 1}\nd:\n  e:\n    g: 1\n"
        );
    }

    #[test]
    fn drops_nulls_of_a_document_that_is_new() {
        let object = "apiVersion: v1\nkind: ConfigMap\ndata:\n  note: hi\n  empty.json: ''\n";
        let after = patched(
            object,
            "data: {note: {k: 1, n: null}, empty.json: {a: {b: null}, l: [{c: null}]}, n.json: [null]}",
        );
        let expected = "apiVersion: v1\nkind: ConfigMap\ndata:\n  note: |\n    k: 1\n  \
                        empty.json: '{\"a\":{},\"l\":[{\"c\":null}]}'\n  n.json: '[null]'\n";
        assert_eq!(after, expected);
        let empty = "apiVersion: v1\nkind: ConfigMap\n";
        assert_eq!(
            patched(empty, "data: {n.json: {a: null, b: 1}, port: 80}"),
            format!("{empty}data:\n  n.json: '{{\"b\":1}}'\n  port: \"80\"\n")
        );
    }

    #[test]
    fn merges_a_mapping_into_the_document_of_a_string() {
        let object = "apiVersion: v1\nkind: ConfigMap\ndata:\n  a.json: '{\"x\":  {\"y\": [1]}, \"z\": 2}'\n  note: hi\n";
        let after = patched(
            object,
            "data: {a.json: {x: {y: [3]}, z: null}, note: {k: 1}, new.json: {k: 1}}",
        );
        let expected = "apiVersion: v1\nkind: ConfigMap\ndata:\n  a.json: '{\"x\":  {\"y\": [3]}}'\n  \
                        note: |\n    k: 1\n  new.json: '{\"k\":1}'\n";
        assert_eq!(after, expected);
    }
}
