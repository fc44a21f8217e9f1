//! Detects selector values that look like regular expressions.
//!
//! kustomize reads `[name=web-.*]` in a target as an unanchored regular expression. Here the value
//! is compared exactly, so such a value mostly has another meaning than intended. It is accepted as
//! a text only if an item has that text already.

use super::types::{FieldPath, PathSegment};

/// Texts that occur in regular expressions, and hardly ever in names. A single dot, `*` or `+` is
/// not among them, because image tags, host names and RBAC rules contain them.
const PATTERN_SYNTAX: [&str; 12] = [
    ".*", ".+", ".?", ".{", "|", "(?", "[^", "\\d", "\\w", "\\s", "\\.", "\\-",
];

/// The characters of patterns that no name in Kubernetes contains.
const NAMELESS: [char; 11] = ['*', '+', '?', '^', '$', '[', ']', '{', '}', '\\', '|'];

impl FieldPath {
    /// Returns advice on the forms to write instead of a segment like `[name=^web$]`, whose value
    /// has the syntax of a regular expression. `None` for any other segment.
    ///
    /// `names` returns whether the field `name` is the name of an object in Kubernetes. Such a name
    /// contains no character of a pattern, so `[name=we?]` is a pattern too. Only these segments
    /// need the answer.
    pub(in crate::edit) fn pattern_help(
        &self,
        index: usize,
        names: impl FnOnce() -> bool,
    ) -> Option<String> {
        let (field, value) = match self.segments().get(index)? {
            PathSegment::Match { field, value } => (&**field, &**value),
            PathSegment::Item(value) => ("", &**value),
            _ => return None,
        };
        let is_name = field == "name" && value.contains(NAMELESS) && names();
        let is_pattern = |text: &str| is_pattern(text) || is_name && text.contains(NAMELESS);
        if !is_pattern(value) {
            return None;
        }
        let inner = without_anchors(value);
        let exact = if is_pattern(inner) {
            format!("`[{field}=TEXT]` with the whole text")
        } else {
            format!("`[{field}={inner}]`")
        };
        let json_path = self.with_match(index, field, &whole_pattern(value));
        Some(format!(
            "for one item write {exact}; for a pattern write the JSONPath `{json_path}`"
        ))
    }

    /// Returns the path as a JSONPath with a `match` filter at the segment `index`.
    fn with_match(&self, index: usize, field: &str, pattern: &str) -> String {
        let mut text = String::from("$");
        for (at, segment) in self.segments().iter().enumerate() {
            match segment {
                PathSegment::Match { .. } | PathSegment::Item(_) if at == index => {
                    let operand = item_operand(field);
                    text.push_str(&format!("[?match({operand}, {})]", quoted(pattern)));
                }
                PathSegment::Match { field, value } => {
                    let operand = item_operand(field);
                    text.push_str(&format!("[?{operand}=={}]", quoted(value)));
                }
                PathSegment::Item(value) => text.push_str(&format!("[?@=={}]", quoted(value))),
                PathSegment::Wildcard => text.push_str("[*]"),
                PathSegment::Document => {}
                PathSegment::Query(query) => text.push_str(&query.to_string()),
                PathSegment::Name(_) if segment.is_last() => text.push_str("[-1]"),
                PathSegment::Name(name) if segment.as_index().is_some() => {
                    text.push_str(&format!("[{name}]"));
                }
                PathSegment::Name(key) | PathSegment::Key(key) => text.push_str(&member(key)),
            }
        }
        text
    }
}

/// Returns whether a text has the syntax of a regular expression. A text that only contains
/// characters which may occur in one does not count.
pub(in crate::edit) fn is_pattern(value: &str) -> bool {
    let is_anchored = value.len() > 1 && (value.starts_with('^') || value.ends_with('$'));
    is_anchored
        || PATTERN_SYNTAX.iter().any(|syntax| value.contains(syntax))
        || has_character_class(value)
}

/// Returns whether a text contains a range or a repetition of characters in brackets: `[a-z]`,
/// `[ab]+`. Brackets alone are text, such as an IPv6 address.
fn has_character_class(value: &str) -> bool {
    let Some((_, rest)) = value.split_once('[') else {
        return false;
    };
    let Some((class, rest)) = rest.split_once(']') else {
        return false;
    };
    let characters: Vec<char> = class.chars().collect();
    let has_range = characters
        .windows(3)
        .any(|range| range[1] == '-' && range[0].is_ascii_alphanumeric() && range[0] < range[2]);
    has_range
        || rest.starts_with(['+', '*', '?', '{'])
        || rest.contains('[') && has_character_class(rest)
}

fn without_anchors(value: &str) -> &str {
    let value = value.strip_prefix('^').unwrap_or(value);
    value.strip_suffix('$').unwrap_or(value)
}

/// Returns a pattern for the whole text, as `match` needs it. If the pattern has one anchor, its
/// other side is extended by `.*`.
fn whole_pattern(value: &str) -> String {
    let inner = without_anchors(value);
    match (value.starts_with('^'), value.ends_with('$')) {
        (true, false) if !inner.ends_with(".*") => format!("{inner}.*"),
        (false, true) if !inner.starts_with(".*") => format!(".*{inner}"),
        _ => inner.to_owned(),
    }
}

/// Returns the operand of a filter for a field of an item, or for the item itself if there is no
/// field.
fn item_operand(field: &str) -> String {
    match field {
        "" => "@".to_owned(),
        _ => format!("@{}", member(field)),
    }
}

fn member(key: &str) -> String {
    let is_word = key.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && key.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if is_word {
        format!(".{key}")
    } else {
        format!("[{}]", quoted(key))
    }
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_the_exact_form_and_a_json_path_for_a_pattern() {
        let table = [
            (
                "spec.containers.[name=^web$].image",
                "for one item write `[name=web]`; for a pattern write the JSONPath \
                 `$.spec.containers[?match(@.name, \"web\")].image`",
            ),
            (
                r"data.a\.json.[name=web-.*].0",
                "for one item write `[name=TEXT]` with the whole text; for a pattern write the JSONPath \
                 `$.data[\"a.json\"][?match(@.name, \"web-.*\")][0]`",
            ),
            (
                r"l.[=^v\d]",
                "for one item write `[=TEXT]` with the whole text; for a pattern write the JSONPath \
                 `$.l[?match(@, \"v\\\\d.*\")]`",
            ),
        ];
        for (text, help) in table {
            let path = FieldPath::parse(text).unwrap();
            let index = path
                .segments()
                .iter()
                .position(|s| matches!(s, PathSegment::Match { .. } | PathSegment::Item(_)));
            let found = path.pattern_help(index.unwrap(), || false);
            assert_eq!(found.as_deref(), Some(help), "{text}");
            let json_path = help.rsplit('`').nth(1).unwrap();
            assert!(FieldPath::parse(json_path).is_ok(), "{json_path}");
        }
    }

    #[test]
    fn a_name_in_kubernetes_contains_no_character_of_a_pattern() {
        for value in ["we?", "web+", "*", "we*b", "w[e]b", "a{2}"] {
            let path = FieldPath::parse(&format!("spec.containers.[name={value}].image")).unwrap();
            assert!(path.pattern_help(2, || true).is_some(), "{value}");
            assert_eq!(path.pattern_help(2, || false), None, "{value}");
            let other = FieldPath::parse(&format!("spec.rules.[host={value}].http")).unwrap();
            assert_eq!(other.pattern_help(2, || true), None, "{value}");
        }
        let path = FieldPath::parse("spec.containers.[name=web-1.x_y].image").unwrap();
        assert_eq!(path.pattern_help(2, || true), None);
    }

    #[test]
    fn recognizes_patterns_and_leaves_ordinary_text_alone() {
        for value in [
            "^web$",
            "^web",
            "web$",
            "web-.*",
            "a|b",
            "w[a-z]b",
            "w[ab]+",
            "[::1] v[a-c]",
            "v[0-9]+",
            r"v\d",
            "(?i)web",
            "a.+",
        ] {
            assert!(is_pattern(value), "{value}");
        }
        for value in [
            "web",
            "nginx:1.7.9",
            "*",
            "*.example.com",
            "pods/*",
            "$(HOST)",
            "a+b",
            "c++",
            "[a]",
            "[::1]:80",
            "/a?b=1",
            "$",
            "^",
        ] {
            assert!(!is_pattern(value), "{value}");
        }
    }
}
