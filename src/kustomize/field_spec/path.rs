//! The path of a field spec.

use std::fmt;

/// The path of a field spec: keys with `/` between them, such as `spec/containers[]/image`.
///
/// `\/` is a slash within a key, and one slash at the start is ignored. A key with `[]` has a list
/// as its value, and is never created.
#[derive(Clone, Debug)]
pub struct FieldSpecPath {
    text: Box<str>,
    keys: Box<[PathKey]>,
}

/// A key of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PathKey {
    /// The key, without `[]`.
    pub(super) name: Box<str>,
    /// Whether it was written with `[]`.
    pub(super) is_list: bool,
}

impl FieldSpecPath {
    /// Parses a path. Every text is one; keys that no mapping has are found when they are followed.
    pub fn parse(text: &str) -> FieldSpecPath {
        let mut names: Vec<String> = Vec::new();
        for part in text.split('/') {
            match names.last_mut() {
                // `metadata/annotations/example.com\/key`: the slash belongs to the key.
                Some(last) if last.ends_with('\\') => {
                    last.pop();
                    last.push('/');
                    last.push_str(part);
                }
                _ => names.push(part.to_owned()),
            }
        }
        if names.len() > 1 && names[0].is_empty() {
            names.remove(0);
        }
        FieldSpecPath {
            text: text.into(),
            keys: names.iter().map(|name| PathKey::of(name)).collect(),
        }
    }

    /// Returns the path as written.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns whether the field is one that [`KindPattern`](super::KindPattern) looks at.
    pub(super) fn is_of_kind(&self) -> bool {
        let first = self.keys.first().map(|key| &*key.name);
        matches!(first, Some("apiVersion" | "kind"))
    }

    /// Returns the keys of the path, parsed.
    pub(super) fn keys(&self) -> &[PathKey] {
        &self.keys
    }
}

impl PathKey {
    fn of(name: &str) -> PathKey {
        let shorter = name.strip_suffix("[]");
        PathKey {
            name: shorter.unwrap_or(name).into(),
            is_list: shorter.is_some(),
        }
    }
}

impl fmt::Display for FieldSpecPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splits_at_slashes_that_are_not_escaped() {
        let cases: [(&str, &[&str]); 10] = [
            ("spec/a", &["spec", "a"]),
            ("/spec/a", &["spec", "a"]),
            ("//spec", &["", "spec"]),
            ("spec/", &["spec", ""]),
            ("", &[""]),
            ("/", &[""]),
            ("a/b\\/c/d", &["a", "b/c", "d"]),
            ("a\\/b\\/c", &["a/b/c"]),
            ("a\\", &["a\\"]),
            ("a[]/b[", &["a[]", "b["]),
        ];
        for (text, expected) in cases {
            let path = FieldSpecPath::parse(text);
            let names: Vec<_> = path
                .keys()
                .iter()
                .map(|key| format!("{}{}", key.name, if key.is_list { "[]" } else { "" }))
                .collect();
            assert_eq!(names, expected, "{text}");
            assert_eq!(path.to_string(), text);
        }
    }
}
