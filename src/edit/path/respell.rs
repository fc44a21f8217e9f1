//! Finds the intended path for a path that leads to no value, in the syntax of its own language.
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
use super::step::{json_path_segment, segment_of_key};
use super::types::{FieldPath, PathSegment};

impl FieldPath {
    /// Returns the path with one key in place of the `count` segments from `index` on. `None` if a
    /// field path cannot spell the key.
    pub(in crate::edit) fn with_one_key(
        &self,
        index: usize,
        count: usize,
        key: &str,
    ) -> Option<String> {
        let rest = &self.prefix(self.segments().len())[self.prefix(index + count).len()..];
        let before = self.prefix(index);
        if self.is_whole_json_path() {
            let before = if index == 0 { "$" } else { before };
            return Some(format!("{before}{}{rest}", json_path_segment(key)));
        }
        // Only a pointer has a slash before its first key. A field path with such a slash is
        // converted as a whole.
        if self.is_pointer() {
            return Some(format!("{before}/{}{rest}", pointer_token(key)));
        }
        let dot = if before.is_empty() { "" } else { "." };
        Some(format!("{before}{dot}{}{rest}", segment_of_key(key)?))
    }

    /// Returns the path with an index without brackets in place of the segment at `index`.
    pub(in crate::edit) fn with_index(&self, index: usize, item: &str) -> String {
        let rest = &self.prefix(self.segments().len())[self.prefix(index + 1).len()..];
        let before = self.prefix(index);
        let dot = if before.is_empty() { "" } else { "." };
        format!("{before}{dot}{item}{rest}")
    }

    /// Returns a key as the syntax of this path spells it.
    pub(in crate::edit) fn spelling_of_key(&self, key: &str) -> Option<String> {
        let is_letter = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
        if self.is_whole_json_path() {
            let is_name = !key.starts_with(|first: char| first.is_ascii_digit());
            return Some(
                match is_name && !key.is_empty() && key.chars().all(is_letter) {
                    true => key.to_owned(),
                    false => json_path_segment(key),
                },
            );
        }
        match self.is_pointer() {
            true => Some(pointer_token(key)),
            false => segment_of_key(key),
        }
    }

    /// Returns the intended field path if this one is written like a JSON pointer, or with brackets
    /// as in JavaScript. `exists` returns whether the document has a key.
    pub(in crate::edit) fn respelt(&self, exists: impl Fn(&str) -> bool) -> Option<String> {
        let text = self.prefix(self.segments().len());
        if self.is_whole_json_path() || self.is_pointer() {
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
        // A backslash before a bracket is part of a key.
        if !self.has_other_brackets() || text.contains("\\[") {
            return None;
        }
        let text = text.trim_start_matches('.');
        // `data["a.json"].panels[0]` is the rest of a JSONPath.
        if let Ok(path) = json_path::parse(&format!("$.{text}")) {
            return in_field_syntax(path.segments());
        }
        with_dots_before_brackets(text)
    }

    /// Returns whether a bracket is at a place where the syntax of field paths has none. In `[[].x`
    /// every bracket is allowed: the first key is `[`.
    fn has_other_brackets(&self) -> bool {
        (0..self.segments().len()).any(|index| {
            let spelling = self.spelling(index).trim_start_matches('.');
            match spelling.strip_prefix('[') {
                Some(in_brackets) => in_brackets.contains("]["),
                None => spelling.contains('['),
            }
        })
    }

    /// Returns a segment as it is written, including the dot before it.
    fn spelling(&self, index: usize) -> &str {
        &self.prefix(index + 1)[self.prefix(index).len()..]
    }

    /// Returns the intended field path if keys of this one have blanks around them, as in `a.b =
    /// 1`, or quotes: `a.["b"]`. In brackets, blanks are part of the key.
    pub fn without_quotes(&self) -> Option<String> {
        if self.is_whole_json_path() {
            return None;
        }
        let mut meant = String::new();
        let mut is_other = false;
        for (at, segment) in self.segments().iter().enumerate() {
            let bare = match segment {
                PathSegment::Name(key) => Some((key, unquoted(key.trim()))),
                PathSegment::Key(key) => Some((key, unquoted(key))),
                _ => None,
            };
            match bare.filter(|(key, bare)| &***key != *bare) {
                Some((_, bare)) => {
                    is_other = true;
                    if at > 0 {
                        meant.push('.');
                    }
                    meant.push_str(&segment_of_key(bare)?);
                }
                None => meant.push_str(self.spelling(at)),
            }
        }
        is_other.then_some(meant)
    }

    /// Returns whether this is a JSONPath, and not a path in one of its filters, for which there are
    /// no suggestions. A field path may begin with the sign of such a path too: `@.x`.
    fn is_whole_json_path(&self) -> bool {
        json_path::is_json_path(self.prefix(self.segments().len()))
    }

    /// Returns whether this is the path of a JSON pointer, in which each segment begins with a
    /// slash.
    pub(in crate::edit) fn is_pointer(&self) -> bool {
        let count = self.segments().len();
        let is_token = |token: &str| token.starts_with('/') && token.matches('/').count() == 1;
        count > 0 && (0..count).all(|index| is_token(self.spelling(index)))
    }
}

/// Returns the intended field path of `a[b=c]` and `a\.json[0]`, which lack the dots before their
/// brackets.
fn with_dots_before_brackets(text: &str) -> Option<String> {
    let dotted = text.replace(".[", "[").replace('[', ".[");
    // The first key may also be in brackets.
    let dotted = dotted.trim_start_matches('.');
    if dotted == text {
        return None;
    }
    let path = FieldPath::parse(dotted).ok()?;
    let mut meant = String::new();
    for (at, segment) in path.segments().iter().enumerate() {
        match segment {
            // An index needs no brackets: `a.[0]` is `a.0`.
            PathSegment::Key(key) if is_index(key) => {
                meant.push('.');
                meant.push_str(key);
            }
            _ => meant.push_str(path.spelling(at)),
        }
    }
    Some(meant)
}

/// Converts the segments of a path in another language to a field path. `None` if one of them has
/// no such form.
fn in_field_syntax(segments: &[PathSegment]) -> Option<String> {
    let mut keys = Vec::with_capacity(segments.len());
    for segment in segments {
        keys.push(match segment {
            PathSegment::Name(key) | PathSegment::Key(key) => segment_of_key(key)?,
            PathSegment::Wildcard => "*".to_owned(),
            _ => segment.as_index()?.to_string(),
        });
    }
    Some(keys.join("."))
}

/// Returns whether a key is spelled like an index of a list.
pub(in crate::edit) fn is_index(key: &str) -> bool {
    !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_digit())
}

/// Returns a key without the quotes around it.
fn unquoted(key: &str) -> &str {
    let inside = |quote| {
        let trimmed = key.trim();
        trimmed.strip_prefix(quote)?.strip_suffix(quote)
    };
    inside('"').or_else(|| inside('\'')).unwrap_or(key)
}

/// Returns a key as a token of a JSON pointer.
fn pointer_token(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_field_path_for_other_spellings() {
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
    fn finds_the_field_path_without_quotes_and_blanks() {
        let table = [
            (".data.b ", Some(".data.b")),
            ("data . b", Some("data.b")),
            ("data.[\"x\"]", Some("data.x")),
            ("data.['a.b'].c", Some(r"data.a\.b.c")),
            ("data.\"x\".*", Some("data.x.*")),
            ("data.[b ]", None),
            ("data.a b.it's", None),
            ("data.[name=\"x\"]", None),
            ("$['\"x\"']", None),
        ];
        for (text, expected) in table {
            let path = FieldPath::parse(text).unwrap();
            assert_eq!(path.without_quotes().as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn joins_segments_to_one_key_in_each_language() {
        let path = FieldPath::parse("data.a.json.x").unwrap();
        let joined = |path: &FieldPath, index| path.with_one_key(index, 2, "a.json");
        assert_eq!(joined(&path, 1).as_deref(), Some(r"data.a\.json.x"));
        let path = FieldPath::parse("$.data.a.json.x").unwrap();
        assert_eq!(joined(&path, 1).as_deref(), Some("$.data['a.json'].x"));
        let path = FieldPath::parse("a.json").unwrap();
        assert_eq!(joined(&path, 0).as_deref(), Some(r"a\.json"));
    }
}
