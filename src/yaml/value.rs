//! What a scalar means: YAML 1.1 as ytt and kustomize read it.

/// The value of a scalar.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value<'a> {
    /// `null`, `~`, or nothing.
    Null,
    /// `true`, `yes`, `on`, `y` and their opposites.
    Bool(bool),
    /// A whole number that fits 64 bits with a sign.
    Int(i64),
    /// A whole number above [`i64::MAX`].
    UInt(u64),
    /// Any other number.
    Float(f64),
    /// Everything else.
    String(&'a str),
}

/// The value of a scalar with the text `text`.
///
/// A scalar that is not plain is a string, unless a tag says otherwise.
pub fn resolve<'a>(text: &'a str, plain: bool, tag: Option<&str>) -> Value<'a> {
    let _ = tag;
    if plain { Value::String(text) } else { Value::String(text) }
}

/// Stub until merged.
pub(super) fn is_plain_string(text: &str, flow: bool) -> bool {
    let _ = flow;
    !text.is_empty()
        && text.chars().all(|c| c.is_ascii_alphanumeric() || "-_./".contains(c))
        && !text.starts_with(|c: char| c.is_ascii_digit())
}

pub(crate) fn is_json_number(_text: &str) -> bool {
    true
}
pub(super) fn json_number(_value: Value<'_>) -> Option<String> {
    None
}
