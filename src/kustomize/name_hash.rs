//! The suffix of a generated name: a hash of the object.
//!
//! The algorithm is that of kustomize's `hasher`, which kubectl shares. It must agree in every
//! byte: a name that changes restarts the workloads that use it.

use std::sync::Arc;

use sha2::{Digest, Sha256};

use crate::golang::json::encode_node;
use crate::kubernetes::{HASH_DIGITS, HASH_LENGTH, Resource};
use crate::source::{Code, Diagnostic, Result};
use crate::yaml::{CoreValue, Entry, Node, core_value};

/// Returns the suffix for a ConfigMap or a Secret, such as `6ct58987ht`.
///
/// The hash is computed from compact JSON with sorted keys, which contains the values and the
/// `type`. Its `name` is always empty, because kustomize reads the name from the wrong field. So
/// two objects with the same values have the same suffix.
///
/// # Errors
/// [`Code::Resource`] for an object of another kind, and the errors of values that JSON cannot
/// express.
pub(super) fn name_hash(resource: &Resource) -> Result<String> {
    let node = &resource.node;
    let mut entries = vec![
        hashed_field(node, "data"),
        hashed_field(node, "kind"),
        Entry::new("name", Node::string("")),
    ];
    match resource.kind() {
        "ConfigMap" => add_if_mapping(node, "binaryData", &mut entries),
        "Secret" => {
            add_if_mapping(node, "stringData", &mut entries);
            entries.push(hashed_field(node, "type"));
        }
        kind => {
            let message =
                format!("expected a ConfigMap or a Secret to name by its values, found a {kind}");
            return Err(Diagnostic::error(Code::Resource, message).at(node.location(), ""));
        }
    }
    Ok(digits(&encode_node(&Node::mapping(entries))?))
}

/// Returns a field of the object as kustomize hashes it: a scalar as text, and a missing field as
/// the empty text.
fn hashed_field(object: &Arc<Node>, key: &str) -> Entry {
    let value = match object.get(key).map(Node::resolved) {
        None => Node::string(""),
        Some(node) if node.as_scalar().is_some() => Node::string(node.text().unwrap_or("")),
        Some(node) => with_core_values(node),
    };
    Entry::new(key, value)
}

/// Returns a mapping with the values that go-yaml finds in it: `yes` and `on` without quotes are
/// strings, and a date is the string of a time.
fn with_core_values(mapping: &Arc<Node>) -> Arc<Node> {
    let Some(entries) = mapping.as_mapping().map(|mapping| &mapping.entries) else {
        return Arc::clone(mapping);
    };
    let with_core_value = |entry: &Entry| {
        let key = Arc::clone(&entry.key);
        let value = entry.value.resolved();
        let value = match value.as_scalar().and_then(|_| core_value(value).ok()) {
            Some(CoreValue::String(text)) => Node::string(text),
            Some(CoreValue::Timestamp(text)) => Node::string(text),
            _ => Arc::clone(&entry.value),
        };
        Entry { key, value }
    };
    mapping.with_entries(entries.iter().map(with_core_value).collect::<Vec<_>>())
}

fn add_if_mapping(object: &Arc<Node>, key: &str, entries: &mut Vec<Entry>) {
    let Some(field) = object.get(key) else {
        return;
    };
    if field.resolved().as_mapping().is_some() {
        entries.push(hashed_field(object, key));
    }
}

/// Returns the first digits of the hash of a text, in [`HASH_DIGITS`].
fn digits(text: &str) -> String {
    let mut digits = String::with_capacity(HASH_LENGTH);
    for byte in Sha256::digest(text).iter().take(HASH_LENGTH / 2) {
        digits.push(char::from(HASH_DIGITS[usize::from(byte >> 4)]));
        digits.push(char::from(HASH_DIGITS[usize::from(byte & 15)]));
    }
    digits
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Source;
    use crate::yaml::parse;

    fn hash(text: &str) -> String {
        let source = Source::new("object.yaml", text).unwrap();
        let root = Arc::clone(&parse(&source).unwrap().documents[0].root);
        name_hash(&Resource::new(root).unwrap()).unwrap()
    }

    /// Suffixes that kustomize and kubectl computed.
    #[test]
    fn computes_the_suffix_of_kustomize() {
        let table = [
            ("kind: ConfigMap", "6ct58987ht"),
            ("kind: ConfigMap\ndata: {a: '1'}", "h29d89cmmt"),
            ("kind: ConfigMap\ndata: {one: ''}", "9g67k2htb6"),
            (
                "kind: ConfigMap\ndata: {two: 2, one: '', three: 3}",
                "7757f9kkct",
            ),
            ("kind: ConfigMap\nbinaryData: {one: ''}", "6mtk2m274t"),
            (
                "kind: ConfigMap\nbinaryData: {two: 2, one: '', three: 3}",
                "9th7kc28dg",
            ),
            (
                "kind: ConfigMap\ndata: {one: ''}\nbinaryData: {two: ''}",
                "698h7c7t9m",
            ),
            ("kind: Secret\ntype: my-type", "5gmgkf8578"),
            ("kind: Secret\ntype: my-type\ndata: {one: ''}", "74bd68bm66"),
            (
                "kind: Secret\ntype: my-type\ndata: {two: 2, one: '', three: 3}",
                "4gf75c7476",
            ),
            (
                "kind: Secret\ntype: my-type\ndata: {one: ''}\nstringData: {two: 2}",
                "c4h4264gdb",
            ),
            ("kind: Secret\ntype: Opaque\ndata: {}", "46f8b28mk5"),
            (
                "kind: ConfigMap\ndata: {TEST: \"this is a 'test'\"}",
                "k9cc55dfm5",
            ),
            (
                "kind: ConfigMap\ndata: {fruit: Indian Gooseberry, year: '2020', crisis: 'true'}",
                "79t79mt227",
            ),
            (
                "kind: ConfigMap\ndata: {crisis: 'true', fruit: Indian Gooseberry, month: '12', year: '2020'}",
                "bk46gm59c6",
            ),
            (
                "kind: ConfigMap\ndata: {AWS_REGION: us-east-1}",
                "h8mmcct52k",
            ),
            (
                "kind: ConfigMap\ndata: {key: value}\nmetadata: {name: any, namespace: other}",
                "t757gk2bmf",
            ),
            (
                "kind: Secret\ntype: Opaque\ndata: {password: c29tZXB3, username: YWRtaW4=}",
                "bgd6bkgdm2",
            ),
        ];
        for (text, expected) in table {
            assert_eq!(hash(text), expected, "{text}");
        }
    }

    #[test]
    fn hashes_the_values_that_go_yaml_reads() {
        let table = [
            ("yes", "'yes'"),
            ("on", "\"on\""),
            ("2001-01-01", "'2001-01-01T00:00:00Z'"),
        ];
        for (plain, string) in table {
            let [plain, string] = [plain, string]
                .map(|value| hash(&format!("kind: ConfigMap\ndata: {{a: {value}}}")));
            assert_eq!(plain, string);
        }
        assert_ne!(
            hash("kind: ConfigMap\ndata: {a: true}"),
            hash("kind: ConfigMap\ndata: {a: 'true'}")
        );
    }

    #[test]
    fn hashes_all_values_and_nothing_else() {
        let plain = hash("kind: ConfigMap\ndata: {a: '1'}");
        assert_eq!(
            plain,
            hash("kind: ConfigMap\nmetadata: {name: x}\nimmutable: true\ndata:\n  a: \"1\" # one")
        );
        assert_ne!(plain, hash("kind: ConfigMap\ndata: {a: '2'}"));
        assert_ne!(
            plain,
            hash("kind: ConfigMap\ndata: {a: '1'}\nbinaryData: {b: AA==}")
        );
        assert_eq!(
            plain,
            hash("kind: ConfigMap\ndata: {a: '1'}\nbinaryData: AA==")
        );
        let secret = hash("kind: Secret\ndata: {a: AA==}");
        assert_ne!(secret, hash("kind: Secret\ndata: {a: AA==}\ntype: Opaque"));
        assert_ne!(
            secret,
            hash("kind: Secret\ndata: {a: AA==}\nstringData: {b: c}")
        );
    }
}
