//! kustomize's field paths, such as `spec.containers.[name=web].image`. `docs/field-paths.md` is
//! the reference.

use super::json_path;
use super::types::{FieldPath, PathSegment};
use crate::source::{Code, Diagnostic, Result};

impl FieldPath {
    /// Parses a path. A text that begins with `$`, `$.` or `$[` is parsed as a JSONPath.
    ///
    /// # Errors
    /// An empty path, an empty segment in the middle, or a bracket without its partner.
    pub fn parse(text: &str) -> Result<FieldPath> {
        if json_path::is_json_path(text) {
            return json_path::parse(text);
        }
        let (mut segments, mut ends) = (Vec::new(), Vec::new());
        let body = text.strip_prefix('.').unwrap_or(text);
        let mut at = text.len() - body.len();
        if body.is_empty() {
            return Err(syntax(text, "a field path needs at least one field"));
        }
        loop {
            let end = segment_end(text, at)?;
            let raw = &text[at..end];
            let last = end == text.len();
            let segment = match raw {
                "" if last && !segments.is_empty() => PathSegment::Document,
                "" => {
                    return Err(syntax(text, "a field path has no empty field")
                        .help("write an empty key as `[]`"));
                }
                _ => segment(raw),
            };
            segments.push(segment);
            ends.push(end);
            if last {
                return Ok(FieldPath::new(text, segments, ends));
            }
            at = end + 1;
        }
    }
}

fn syntax(text: &str, message: &str) -> Box<Diagnostic> {
    Diagnostic::error(Code::PathSyntax, format!("{message}, found `{text}`"))
}

/// Returns the end of the segment that starts at `start`: the next dot that is neither escaped nor
/// in brackets.
fn segment_end(text: &str, start: usize) -> Result<usize> {
    let rest = &text[start..];
    if rest.starts_with('[') {
        let mut ends = rest.match_indices(']').map(|(at, _)| start + at + 1);
        let end = ends.find(|&end| end == text.len() || text[end..].starts_with('.'));
        return end.ok_or_else(|| syntax(text, "expected `]` at the end of a segment in brackets"));
    }
    let mut escaped = false;
    for (at, c) in rest.char_indices() {
        match c {
            '\\' if !escaped => {
                escaped = true;
                continue;
            }
            '.' if !escaped => return Ok(start + at),
            _ => {}
        }
        escaped = false;
    }
    Ok(text.len())
}

fn segment(raw: &str) -> PathSegment {
    if raw == "*" {
        return PathSegment::Wildcard;
    }
    let Some(inside) = raw.strip_prefix('[').and_then(|raw| raw.strip_suffix(']')) else {
        return PathSegment::Name(unescape(raw).into());
    };
    match inside.split_once('=') {
        Some(("", value)) => PathSegment::Item(value.into()),
        Some((field, value)) => PathSegment::Match {
            field: unescape(field).into(),
            value: value.into(),
        },
        None => PathSegment::Key(inside.into()),
    }
}

/// Replaces `\.` by a dot. Any other backslash is part of the key.
fn unescape(raw: &str) -> String {
    raw.replace("\\.", ".")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(text: &str) -> PathSegment {
        PathSegment::Name(text.into())
    }

    #[test]
    fn parses_a_path_segment_by_segment() {
        let matching = |field: &str, value: &str| PathSegment::Match {
            field: field.into(),
            value: value.into(),
        };
        let table = [
            ("metadata.name", vec![name("metadata"), name("name")]),
            (".metadata.name", vec![name("metadata"), name("name")]),
            (
                r"data.config\.json.a",
                vec![name("data"), name("config.json"), name("a")],
            ),
            (
                "metadata.annotations.[a.b/c]",
                vec![
                    name("metadata"),
                    name("annotations"),
                    PathSegment::Key("a.b/c".into()),
                ],
            ),
            (
                "x.[image=nginx:1.7.9].y",
                vec![name("x"), matching("image", "nginx:1.7.9"), name("y")],
            ),
            ("x.[=a.b]", vec![name("x"), PathSegment::Item("a.b".into())]),
            (
                "x.[k=[a]].y",
                vec![name("x"), matching("k", "[a]"), name("y")],
            ),
            (
                "x.*.0.-",
                vec![name("x"), PathSegment::Wildcard, name("0"), name("-")],
            ),
            (
                r"data.p\.yml.",
                vec![name("data"), name("p.yml"), PathSegment::Document],
            ),
            (r"a\b", vec![name(r"a\b")]),
            ("a.[]", vec![name("a"), PathSegment::Key("".into())]),
        ];
        for (text, segments) in table {
            assert_eq!(
                FieldPath::parse(text).unwrap().segments(),
                segments,
                "{text}"
            );
        }
    }

    #[test]
    fn refuses_an_invalid_path() {
        for text in ["", ".", "a..b", "a.[b", "a.[b=c.d"] {
            assert_eq!(
                FieldPath::parse(text).unwrap_err().code,
                Code::PathSyntax,
                "{text}"
            );
        }
    }

    #[test]
    fn an_unescaped_dot_in_the_field_of_a_match_looks_nested() {
        let path = FieldPath::parse(r"items.[metadata.name=a.b].[a\.b/c=x].[name=a.b]").unwrap();
        let nested: Vec<bool> = (0..4).map(|index| path.looks_nested(index)).collect();
        assert_eq!(nested, [false, true, false, false]);
    }

    #[test]
    fn prints_a_prefix_as_it_was_written() {
        let path = FieldPath::parse(r"data.config\.json.[name=x].y").unwrap();
        assert_eq!(path.prefix(0), "");
        assert_eq!(path.prefix(2), r"data.config\.json");
        assert_eq!(path.prefix(4), path.to_string());
    }
}
