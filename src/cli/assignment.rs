//! `PATH=VALUE`

use std::sync::Arc;

use crate::edit::FieldPath;
use crate::source::Source;
use crate::yaml::{CollectionStyle, Content, Node, ScalarStyle, parse_data};

/// A value and the path that it is written to.
#[derive(Clone, Debug)]
pub(super) struct Assignment {
    pub(super) path: FieldPath,
    pub(super) value: Arc<Node>,
}

impl Assignment {
    /// Reads an assignment as it is typed. Path and value meet at the first `=` that stands outside brackets.
    ///
    /// # Errors
    /// What is wrong with it, in one line.
    pub(super) fn parse(typed: &str) -> Result<Assignment, String> {
        let Some((path, value)) = split(typed) else {
            return Err("expected PATH=VALUE, found no `=`".to_owned());
        };
        let path = FieldPath::parse(path).map_err(|error| error.message)?;
        Ok(Assignment {
            path,
            value: read_value(value)?,
        })
    }
}

fn split(typed: &str) -> Option<(&str, &str)> {
    let mut depth = 0_usize;
    let mut quote = None;
    let mut escaped = false;
    for (at, c) in typed.char_indices() {
        // Only a JSONPath has quotes, in which a bracket is none.
        if let Some(open) = quote {
            quote = Some(open).filter(|open| escaped || c != *open);
            escaped = !escaped && c == '\\';
            continue;
        }
        match c {
            '\'' | '"' if depth > 0 && typed.starts_with('$') => quote = Some(c),
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            '=' if depth == 0 => return Some((&typed[..at], &typed[at + 1..])),
            _ => {}
        }
    }
    None
}

/// A value as it is typed: YAML on one line, so `3` is a number, `"3"` a string, and `{a: 1}` a mapping. Anything else is
/// a string as it stands, also `a: 1`, which would be a mapping only on a line of its own.
fn read_value(text: &str) -> Result<Arc<Node>, String> {
    let source = Source::new("<value>", text).map_err(|_| "the value is too long")?;
    let root = parse_data(&source)
        .ok()
        .and_then(|stream| match &stream.documents[..] {
            [document] => Some(&document.root)
                .filter(|root| is_whole(root, text) && !is_over_lines(root, text))
                .map(Arc::clone),
            _ => None,
        });
    Ok(root.unwrap_or_else(|| Node::string(text)))
}

/// Whether all that is typed is the value: a comment behind it is meant to be written, too.
fn is_whole(node: &Node, text: &str) -> bool {
    let start = node
        .properties
        .as_ref()
        .map_or(usize::MAX, |properties| properties.span.start());
    node.origin.as_ref().is_some_and(|origin| {
        text.get(start.min(origin.span.start())..origin.span.end()) == Some(text)
    })
}

/// Whether a value stands on lines of its own: a block, or a scalar whose line breaks YAML would read as spaces.
fn is_over_lines(node: &Node, text: &str) -> bool {
    match &node.content {
        Content::Mapping(mapping) => mapping.style == CollectionStyle::Block,
        Content::Sequence(sequence) => sequence.style == CollectionStyle::Block,
        Content::Scalar(scalar) => {
            matches!(scalar.style, ScalarStyle::Literal | ScalarStyle::Folded)
                || text.contains('\n')
        }
        Content::Alias(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn path_and_value_meet_at_the_first_equals_sign_outside_brackets() {
        let cases = [
            ("a=b", "a", "b"),
            ("a.b=c=d", "a.b", "c=d"),
            ("a.[name=web].b=c", "a.[name=web].b", "c"),
            ("a.[=x]=y", "a.[=x]", "y"),
            ("a=", "a", ""),
            ("$.a[?@.b==1].c=d", "$.a[?@.b==1].c", "d"),
            ("$['a]=\\'b']=c", "$['a]=\\'b']", "c"),
        ];
        for (typed, path, value) in cases {
            assert_eq!(split(typed), Some((path, value)), "{typed}");
        }
        assert_eq!(split("a.[b=c]"), None);
    }

    #[test]
    fn a_value_is_yaml_where_it_can_be() {
        let cases = [
            ("3", "number"),
            ("\"3\"", "string"),
            ("{a: 1}", "mapping"),
            ("[a]", "list"),
            ("!!str 3", "string"),
        ];
        for (text, kind) in cases {
            assert_eq!(read_value(text).unwrap().kind(), kind, "{text}");
        }
    }

    #[test]
    fn what_is_no_yaml_on_one_line_is_text_as_it_stands() {
        for text in [
            "a: 1",
            "- a",
            "a: [",
            "|",
            "a # b",
            " a",
            "a ",
            "*x",
            "3 # three",
            "a\nb",
            "'a\nb'",
        ] {
            assert_eq!(read_value(text).unwrap().as_str(), Some(text));
        }
    }
}
