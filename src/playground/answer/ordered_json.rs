//! Writes a tree as JSON with the keys in their original order. Other writers sort the keys, so
//! that equal values have equal bytes. A form should have its fields in the order of the schema.

use std::sync::Arc;

use crate::source::Result;
use crate::yaml::{Content, Node, canonical_json, json_string};

/// Returns a tree as JSON.
///
/// # Errors
/// Fails as [`canonical_json`] does, for a scalar that JSON cannot express.
pub(super) fn ordered_json(root: &Arc<Node>) -> Result<String> {
    let mut output = String::new();
    write(root.resolved(), &mut output)?;
    Ok(output)
}

/// The depth of the recursion is limited: the parser refuses trees that nest deeper than 255
/// levels.
fn write(node: &Arc<Node>, output: &mut String) -> Result<()> {
    match &node.content {
        Content::Mapping(mapping) => {
            output.push('{');
            for (at, entry) in mapping.entries.iter().enumerate() {
                if at > 0 {
                    output.push(',');
                }
                output.push_str(&json_string(entry.key.text().unwrap_or_default()));
                output.push(':');
                write(entry.value.resolved(), output)?;
            }
            output.push('}');
        }
        Content::Sequence(sequence) => {
            output.push('[');
            for (at, item) in sequence.items.iter().enumerate() {
                if at > 0 {
                    output.push(',');
                }
                write(item.value.resolved(), output)?;
            }
            output.push(']');
        }
        _ => output.push_str(&canonical_json(node)?),
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Source;
    use crate::yaml::parse;

    #[test]
    fn keys_stay_in_their_order() {
        let source = Source::new("x", "b: 1\na: [null, \"x\", {d: true, c: 1.5}]\n").unwrap();
        let stream = parse(&source).unwrap();
        let json = ordered_json(&stream.documents[0].root).unwrap();
        assert_eq!(json, r#"{"b":1,"a":[null,"x",{"d":true,"c":1.5}]}"#);
    }
}
