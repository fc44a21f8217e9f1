//! Gives an object the form that it has in kustomize after a JSON patch: kustomize prints the
//! object as JSON and reads the result.
//!
//! The tree keeps the spelling of the file, for `--faithful`, and the history of the object records
//! that it was JSON. Values that steps have written are changed here:
//!
//! ```text
//! a name without a type           1e5   ->   100000
//! an empty text between braces    {a: } ->   {a: ""}
//! a number                        1.50  ->   1.50, with a mark: a later step reads 1.5
//! ```

use std::sync::Arc;

use crate::kustomize::json_spelling::with_json_spelling;
use crate::yaml::{
    CollectionStyle, Content, CoreValue, Node, Scalar, ScalarStyle, ScalarTyping, core_value,
};

/// Returns a tree whose scalars have the types and quotes of the text that kustomize prints and
/// reads again, or `None` if it is the same. `is_again` is whether kustomize has done so before.
pub(super) fn reprinted(node: &Arc<Node>, is_again: bool) -> Option<Arc<Node>> {
    Reprint { is_again }.node(node, false)
}

/// The walk through an object.
struct Reprint {
    is_again: bool,
}

impl Reprint {
    /// Returns a node as it is read again, or `None` if it is the same. It recurses once per level,
    /// whose number the parser limits.
    fn node(&self, node: &Arc<Node>, in_flow: bool) -> Option<Arc<Node>> {
        match &node.content {
            Content::Mapping(_) | Content::Sequence(_) => {
                let in_flow = in_flow || node.collection_style() == Some(CollectionStyle::Flow);
                node.map_values(|child| self.node(child, in_flow))
            }
            Content::Scalar(scalar) => self.scalar(node, scalar, in_flow),
            Content::Alias(_) => None,
        }
    }

    fn scalar(&self, node: &Arc<Node>, scalar: &Scalar, in_flow: bool) -> Option<Arc<Node>> {
        let is_made = node.origin.is_none();
        if is_made && in_flow && is_blank(node, scalar) {
            return Some(Node::string(""));
        }
        if node.is_untyped() || is_made_with_quotes(node, scalar) {
            return node.text().map(|text| match scalar.style {
                ScalarStyle::Plain => with_json_spelling(node).unwrap_or_else(|| Node::plain(text)),
                _ => Node::string(text),
            });
        }
        // In JSON this is `-0`, which is the integer 0 when it is read for the second time.
        if self.is_again && is_negative_zero(node, scalar) {
            return Some(Node::plain("0"));
        }
        // A scalar of the file needs no mark: the history of the object says that it was JSON.
        (is_made && is_made_value(node, scalar)).then(|| node.with_typing(ScalarTyping::FromJson))
    }
}

fn is_blank(node: &Node, scalar: &Scalar) -> bool {
    scalar.style == ScalarStyle::Plain && node.text() == Some("") && node.tag().is_none()
}

fn is_negative_zero(node: &Node, scalar: &Scalar) -> bool {
    let is_zero = |number: f64| number == 0.0 && number.is_sign_negative();
    scalar.style == ScalarStyle::Plain
        && matches!(core_value(node), Ok(CoreValue::Float(number)) if is_zero(number))
}

/// Returns whether a scalar of a step may have another spelling in JSON, and has no mark yet.
fn is_made_value(node: &Node, scalar: &Scalar) -> bool {
    scalar.style == ScalarStyle::Plain
        && node.as_str().is_none()
        && node.typing() != ScalarTyping::FromJson
}

/// Returns whether a step made a scalar with quotes that it may not need.
fn is_made_with_quotes(node: &Node, scalar: &Scalar) -> bool {
    node.origin.is_none() && scalar.style == ScalarStyle::SingleQuoted
}
