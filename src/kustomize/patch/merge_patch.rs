//! JSON merge patches (RFC 7396), which go on below a string.
//!
//! What the patch says about the document in a string is taken out of it and merged into that document; the rest is a
//! merge patch like any other.

use std::sync::Arc;

use crate::edit::{
    self, DocumentFormat, EditTarget, Encoding, MergeOptions, fit_own_type, merge as merge_trees,
    remake, update_in_string,
};
use crate::source::Result;
use crate::yaml::{Content, Entry, Node, Value};

/// Merges `patch`, in which nothing stands for something else, into `object`.
///
/// # Errors
/// A key that a mapping of either gives twice.
pub(super) fn merge(
    object: &Arc<Node>,
    patch: &Arc<Node>,
    options: &edit::EditOptions,
) -> Result<Arc<Node>> {
    let mut names = Vec::new();
    let patch = resolve(object, patch, options, &mut names)?;
    merge_trees(object, &patch, &MergeOptions::MERGE_PATCH)
}

/// The patch with every mapping over a string that holds one replaced by the string after the merge, and with every
/// document for a text field as text.
fn resolve(
    base: &Arc<Node>,
    patch: &Arc<Node>,
    options: &edit::EditOptions,
    names: &mut Vec<String>,
) -> Result<Arc<Node>> {
    let Some(mapping) = patch.as_mapping() else {
        return Ok(Arc::clone(patch));
    };
    let old = base.resolved();
    let mut entries = mapping.entries.to_vec();
    for entry in &mut entries {
        let Some(name) = entry.key.text() else {
            continue;
        };
        names.push(name.to_owned());
        let text_field = options
            .text_fields
            .encoding(names.iter().map(String::as_str));
        let here = old.get(name).map(Node::resolved);
        let is_collection = matches!(
            entry.value.content,
            Content::Mapping(_) | Content::Sequence(_)
        );
        let opens = entry.value.as_mapping().is_some()
            && here.is_some_and(|here| holds_mapping(here, text_field));
        let value = match here {
            Some(here) if opens => merge_in_string(here, entry, text_field, options)?,
            Some(here) if here.as_mapping().is_some() => {
                resolve(here, &entry.value, options, names)?
            }
            _ if is_collection && text_field.is_some() => {
                let key = entry.key.text();
                let wanted = key.and_then(DocumentFormat::of_key);
                let target = EditTarget {
                    current: here,
                    format: options.text_format,
                    wanted,
                    text_field,
                    key,
                };
                fit_own_type(&remake(&entry.value)?, &target)?
            }
            _ => Arc::clone(&entry.value),
        };
        names.pop();
        entry.value = value;
    }
    Ok(patch.with_entries(entries))
}

/// Whether a value is a string with something in it that may be a document.
fn holds_mapping(node: &Arc<Node>, text_field: Option<Encoding>) -> bool {
    let is_text = text_field.is_some() || matches!(node.value(), Some(Value::String(_)));
    is_text && node.text().is_some_and(|text| !text.trim().is_empty())
}

/// The string with the patch merged into its document; the patch itself, as text in a text field, where it holds none.
fn merge_in_string(
    here: &Arc<Node>,
    entry: &Entry,
    text_field: Option<Encoding>,
    options: &edit::EditOptions,
) -> Result<Arc<Node>> {
    let key = entry.key.text().unwrap_or("value");
    let inner = edit::EditOptions {
        text_fields: edit::TextFields::default(),
        ..*options
    };
    let mut is_document = true;
    let changed = update_in_string(here, key, text_field, options, &mut |root, text_format| {
        is_document = root.resolved().as_mapping().is_some();
        if !is_document {
            return Ok(None);
        }
        let merged = merge(
            root,
            &entry.value,
            &edit::EditOptions {
                text_format,
                ..inner
            },
        )?;
        Ok(Some(merged).filter(|merged| !Arc::ptr_eq(merged, root)))
    });
    let changed = changed.map_err(|failure| {
        failure.diagnostic(|| format!("unable to merge into the string `{key}`"))
    })?;
    if is_document {
        return Ok(changed.unwrap_or_else(|| Arc::clone(here)));
    }
    let wanted = DocumentFormat::of_key(key);
    let target = EditTarget {
        current: Some(here),
        format: options.text_format,
        wanted,
        text_field,
        key: Some(key),
    };
    fit_own_type(&remake(&entry.value)?, &target)
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
        let options = edit::EditOptions {
            text_fields: text_fields(root),
            ..edit::EditOptions::default()
        };
        let merged = merge(root, &read(patch).documents[0].root, &options).unwrap();
        faithful::print(&stream, &[merged])
    }

    #[test]
    fn lists_and_values_of_another_kind_are_replaced() {
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
    fn a_mapping_over_a_document_in_a_string_is_merged_into_it() {
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
