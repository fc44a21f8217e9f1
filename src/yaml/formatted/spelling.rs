//! Spells the scalars of formatted text.

use std::borrow::Cow;

use crate::source::Result;
use crate::yaml::canonical::scalar::{check_tag, scalar};
use crate::yaml::canonical::string::string;
use crate::yaml::node::{Node, ScalarStyle};
use crate::yaml::value::{PlainContext, Value, is_plain_syntax};

/// Spells a scalar in a collection at `indent`. A string is spelled as in canonical printing. Any
/// other scalar is spelled as it is written, since another spelling (`true` for `on`, `1` for
/// `1.0`) is another value to some readers.
///
/// # Errors
/// A tag that does not fit its text.
pub(super) fn spell(node: &Node, indent: usize) -> Result<Cow<'_, str>> {
    let text = node.text().unwrap_or_default();
    let plain = node
        .as_scalar()
        .is_some_and(|scalar| scalar.style == ScalarStyle::Plain);
    if node.tag().is_some() {
        check_tag(node)?;
        let stays = plain && !text.contains('\n') && is_plain_syntax(text, PlainContext::Block);
        return Ok(if stays || text.is_empty() && plain {
            Cow::Borrowed(text)
        } else {
            string(text, indent)
        });
    }
    match node.value() {
        // To strict readers of YAML 1.1, `=` is the default value of a mapping and not a string.
        Some(Value::String("=")) => Ok(Cow::Borrowed("\"=\"")),
        // Without quotes it would be a merge key.
        Some(Value::String("<<")) if !plain => Ok(Cow::Borrowed("\"<<\"")),
        Some(Value::String(_)) => scalar(node, indent).map(|spelling| spelling.text),
        _ if text.is_empty() => Ok(Cow::Borrowed("null")),
        _ => Ok(Cow::Borrowed(text)),
    }
}

/// Returns whether a scalar is null, which may be left out.
pub(super) fn is_null(node: &Node) -> bool {
    node.properties.is_none() && node.value() == Some(Value::Null) && node.as_scalar().is_some()
}
