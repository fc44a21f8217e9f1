//! What a path that leads nowhere was probably meant to be, in the syntax of its language.
//!
//! ```text
//! data.dashboard.json.title      the key has a dot          data.dashboard\.json.title
//! data["a.json"].panels[0]       JavaScript's brackets      data.a\.json.panels.0
//! containers[name=web].image     a dot is missing           containers.[name=web].image
//! /data/a.json/x                 a JSON pointer             data.a\.json.x
//! data/a.json/x                  one without its slash      data.a\.json.x
//! ```

use super::json_path;
use super::pointer::Pointer;
use super::types::{FieldPath, PathSegment};

impl FieldPath {
    /// Returns the path with one key in place of the `count` segments from `index` on.
    pub(in crate::edit) fn with_one_key(&self, index: usize, count: usize, key: &str) -> String {
        let rest = &self.prefix(self.segments().len())[self.prefix(index + count).len()..];
        let before = self.prefix(index);
        if self.is_json_path() {
            let before = if index == 0 { "$" } else { before };
            return format!("{before}['{}']{rest}", key.replace('\'', "\\'"));
        }
        // Only a pointer has a slash before its first key; a field path with one is respelt as a whole.
        if self.is_pointer() {
            let key = key.replace('~', "~0").replace('/', "~1");
            return format!("{before}/{key}{rest}");
        }
        let dot = if before.is_empty() { "" } else { "." };
        format!("{before}{dot}{}{rest}", escaped(key))
    }

    /// Returns the field path that was meant, if this one is written like a JSON pointer, or with
    /// brackets in JavaScript's way. `exists` says if the document has a key.
    pub(in crate::edit) fn respelt(&self, exists: impl Fn(&str) -> bool) -> Option<String> {
        let text = self.prefix(self.segments().len());
        if self.is_json_path() || self.is_pointer() {
            return None;
        }
        if text.starts_with('/') {
            let pointer = Pointer::parse(text).ok()?;
            return in_field_syntax(pointer.path.segments());
        }
        // A slash may also be part of a key: `example\.com/team`.
        if let Some((first, _)) = text.split_once('/')
            && exists(first)
        {
            let pointer = format!("/{}", text.replace("\\.", "."));
            let pointer = Pointer::parse(&pointer).ok()?;
            return in_field_syntax(pointer.path.segments());
        }
        // In `[[].x`, every bracket is where this syntax has one: the first key is `[`.
        let has_other_brackets = (0..self.segments().len()).any(|index| {
            let spelling = &self.prefix(index + 1)[self.prefix(index).len()..];
            let spelling = spelling.trim_start_matches('.');
            match spelling.strip_prefix('[') {
                Some(in_brackets) => in_brackets.contains("]["),
                None => spelling.contains('['),
            }
        });
        if !has_other_brackets {
            return None;
        }
        let dots = text.trim_start_matches('.');
        if let Ok(path) = json_path::parse(&format!("$.{dots}")) {
            return in_field_syntax(path.segments());
        }
        // `a[b=c]` and `a\.json[0]` lack the dot before the bracket.
        let dotted = dots.replace(".[", "[").replace('[', ".[");
        // A key in brackets may also be the first.
        let dotted = dotted.trim_start_matches('.');
        let path = FieldPath::parse(dotted).ok().filter(|_| dotted != dots)?;
        let mut meant = String::new();
        for (at, segment) in path.segments().iter().enumerate() {
            match segment {
                PathSegment::Key(key) if key.bytes().all(|byte| byte.is_ascii_digit()) => {
                    meant.push('.');
                    meant.push_str(key);
                }
                _ => meant.push_str(&path.prefix(at + 1)[path.prefix(at).len()..]),
            }
        }
        Some(meant)
    }

    /// Whether it is the path of a JSON pointer: each of its segments begins with a slash.
    pub(in crate::edit) fn is_pointer(&self) -> bool {
        let text = self.prefix(self.segments().len());
        let slashes = text.matches('/').count();
        text.starts_with('/') && slashes == self.segments().len()
    }
}

fn in_field_syntax(segments: &[PathSegment]) -> Option<String> {
    let mut keys = Vec::with_capacity(segments.len());
    for segment in segments {
        keys.push(match segment {
            PathSegment::Name(key) | PathSegment::Key(key) => escaped(key),
            PathSegment::Wildcard => "*".to_owned(),
            _ => segment.as_index()?.to_string(),
        });
    }
    Some(keys.join("."))
}

/// Returns a key as a segment of a field path.
fn escaped(key: &str) -> String {
    if key.is_empty() || key.starts_with('[') {
        format!("[{key}]")
    } else {
        key.replace('.', "\\.")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_field_path_behind_other_spellings() {
        let table = [
            (r#"data["a.json"].x"#, Some(r"data.a\.json.x")),
            ("data['a.json'].x", Some(r"data.a\.json.x")),
            ("panels[0].title", Some("panels.0.title")),
            ("spec.panels[*].a[1][2]", Some("spec.panels.*.a.1.2")),
            (
                "containers[name=web].image",
                Some("containers.[name=web].image"),
            ),
            (r"data.a\.json.p[0].x", Some(r"data.a\.json.p.0.x")),
            ("a.[b=c].d[e=f]", Some("a.[b=c].d.[e=f]")),
            ("/data/a.json/x", Some(r"data.a\.json.x")),
            ("/data/a~1b", Some("data.a/b")),
            ("data/a.json/x", Some(r"data.a\.json.x")),
            ("team/a.json/x", None),
            ("data.a.b", None),
            ("[a.b].c", None),
            ("[a.b][0]", Some("[a.b].0")),
            ("data.[a.b]", None),
            ("$.a[0]", None),
        ];
        for (text, expected) in table {
            let path = FieldPath::parse(text).unwrap();
            assert_eq!(
                path.respelt(|key| key == "data").as_deref(),
                expected,
                "{text}"
            );
        }
    }

    #[test]
    fn joins_segments_to_one_key_in_each_language() {
        let path = FieldPath::parse("data.a.json.x").unwrap();
        assert_eq!(path.with_one_key(1, 2, "a.json"), r"data.a\.json.x");
        let path = FieldPath::parse("$.data.a.json.x").unwrap();
        assert_eq!(path.with_one_key(1, 2, "a.json"), "$.data['a.json'].x");
        let path = FieldPath::parse("a.json").unwrap();
        assert_eq!(path.with_one_key(0, 2, "a.json"), r"a\.json");
    }
}
