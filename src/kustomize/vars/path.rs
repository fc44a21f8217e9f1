//! The path of a variable: keys with dots between them, such as `spec.ports[0].port`.
//!
//! Unlike a field path of a replacement, it leads to one value, never into strings, and has no
//! wildcards. `\.` is a dot within a key, and so is a dot in brackets:
//! `metadata.annotations.[a.b/c]`. `[name=web]` is the item whose field has this text.

use std::sync::Arc;

use crate::kustomize::field_spec::is_null;
use crate::yaml::Node;

/// Returns the value at the end of the path.
pub(super) fn follow<'a>(root: &'a Arc<Node>, path: &str) -> Option<&'a Arc<Node>> {
    let mut node = root.resolved();
    for segment in segments(path) {
        if is_null(node) {
            return None;
        }
        node = step(node, &segment)?.resolved();
    }
    Some(node)
}

fn step<'a>(node: &'a Arc<Node>, segment: &str) -> Option<&'a Arc<Node>> {
    if let Ok(index) = segment.parse::<usize>() {
        return Some(&node.as_sequence()?.items.at(index)?.value);
    }
    if segment == "-" {
        return Some(&node.as_sequence()?.items.last()?.value);
    }
    if let Some((field, text)) = condition(segment) {
        let items = &node.as_sequence()?.items;
        let position = items.position(Some(field), text)?;
        return Some(&items.at(position)?.value);
    }
    node.get(segment)
}

/// Returns the field and the text of a condition: `[name=web]`.
fn condition(segment: &str) -> Option<(&str, &str)> {
    let condition = segment.strip_prefix('[')?.strip_suffix(']')?;
    condition.split_once('=')
}

/// Splits a path: `a.b\.c.[d.e].f[0]` has the segments `a`, `b.c`, `d.e`, `f` and `0`.
fn segments(path: &str) -> Vec<String> {
    let mut segments = Vec::new();
    let mut parts = split_at_dots(path).into_iter();
    while let Some(mut part) = parts.next() {
        if part.starts_with('[') && !part.ends_with(']') {
            // The dots up to the closing bracket belong to the key.
            for next in parts.by_ref() {
                let is_last = next.ends_with(']');
                part = format!("{part}.{next}");
                if is_last {
                    break;
                }
            }
            if !part.contains('=') {
                part = part.trim_matches(['[', ']']).to_owned();
            }
            segments.push(part);
            continue;
        }
        match with_index(&part) {
            Some((key, index)) => {
                if !key.is_empty() {
                    segments.push(key.to_owned());
                }
                segments.push(index.to_owned());
            }
            None => segments.push(part),
        }
    }
    segments
}

fn split_at_dots(path: &str) -> Vec<String> {
    let mut parts: Vec<String> = Vec::new();
    for part in path.split('.') {
        match parts.last_mut() {
            Some(last) if last.ends_with('\\') => {
                last.pop();
                last.push('.');
                last.push_str(part);
            }
            _ => parts.push(part.to_owned()),
        }
    }
    parts
}

/// Splits `ports[0]` into `ports` and `0`.
fn with_index(part: &str) -> Option<(&str, &str)> {
    let (key, index) = part.strip_suffix(']')?.rsplit_once('[')?;
    let is_number = !index.is_empty() && index.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then_some((key, index))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splits_at_dots_outside_of_brackets() {
        let cases: [(&str, &[&str]); 7] = [
            ("metadata.name", &["metadata", "name"]),
            ("spec.ports[0].port", &["spec", "ports", "0", "port"]),
            ("spec.a.[0].b", &["spec", "a", "0", "b"]),
            ("a.b\\.c", &["a", "b.c"]),
            (
                "metadata.annotations.[a.b/c]",
                &["metadata", "annotations", "a.b/c"],
            ),
            ("a.[name=x].b", &["a", "[name=x]", "b"]),
            ("a.[name=x.y].b", &["a", "[name=x.y]", "b"]),
        ];
        for (path, expected) in cases {
            assert_eq!(segments(path), expected, "{path}");
        }
    }
}
