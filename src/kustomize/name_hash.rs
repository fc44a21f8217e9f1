//! The suffix that follows from what an object holds.
//!
//! kustomize's algorithm, to the byte: a name that changes restarts what uses it. Specification: kustomize's `hasher`,
//! which kubectl shares.

use std::sync::Arc;

use sha2::{Digest, Sha256};

use crate::golang::json::encode_node;
use crate::kubernetes::Resource;
use crate::source::{Code, Diagnostic, Result};
use crate::yaml::{Entry, Node};

/// How many digits of the hash are used.
const LENGTH: usize = 10;

/// The suffix for a ConfigMap or a Secret, such as `6ct58987ht`.
///
/// What is hashed is compact JSON with sorted keys, of the values and the `type`. It has a `name` too, which is always
/// empty, since kustomize looks for it in a wrong place; so two objects with the same values have the same suffix.
///
/// # Errors
/// [`Code::Resource`] for an object of another kind; values that JSON cannot hold.
pub fn name_hash(resource: &Resource) -> Result<String> {
    let node = &resource.node;
    let field = |key: &str| Entry::new(key, value(node.get(key)));
    let mapping = |key: &str| {
        node.get(key)
            .filter(|node| node.resolved().as_mapping().is_some())
            .map(|_| field(key))
    };
    let mut entries = vec![
        field("data"),
        field("kind"),
        Entry::new("name", Node::string("")),
    ];
    match resource.kind() {
        "ConfigMap" => entries.extend(mapping("binaryData")),
        "Secret" => {
            entries.extend(mapping("stringData"));
            entries.push(field("type"));
        }
        kind => {
            let message =
                format!("expected a ConfigMap or a Secret to name by its values, found a {kind}");
            return Err(Diagnostic::error(Code::Resource, message).at(node.location(), ""));
        }
    }
    Ok(encode(&encode_node(&Node::mapping(entries))?))
}

/// What stands in a field: nothing is the empty text.
fn value(node: Option<&Arc<Node>>) -> Arc<Node> {
    match node.map(Node::resolved) {
        None => Node::string(""),
        Some(node) => node.as_scalar().map_or_else(
            || Arc::clone(node),
            |_| Node::string(node.text().unwrap_or("")),
        ),
    }
}

/// The first digits of the hash, in letters and digits that spell no words.
fn encode(text: &str) -> String {
    let digits = Sha256::digest(text)
        .iter()
        .flat_map(|byte| [byte >> 4, byte & 15])
        .take(LENGTH)
        .collect::<Vec<_>>();
    digits
        .into_iter()
        .map(|digit| char::from(*b"gh2k456789mbcdtf".get(usize::from(digit)).unwrap_or(&b'0')))
        .collect()
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

    /// Suffixes that kustomize and kubectl gave.
    #[test]
    fn the_suffix_is_that_of_kustomize() {
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
    fn all_values_count_and_nothing_else() {
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
