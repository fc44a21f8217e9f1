//! `PATH=VALUE`

use std::sync::Arc;

use crate::edit::{Documents, EditFailure, EditOptions, FieldPath, TypePolicy, fit, update};
use crate::kubernetes::text_fields;
use crate::source::world::source_of;
use crate::source::{Code, Diagnostic, Result, Source};
use crate::yaml::{CollectionStyle, Content, Node, ScalarStyle, parse_data};

/// A value, and the path that it is written to.
#[derive(Clone, Debug)]
pub(super) struct FieldAssignment {
    pub(super) path: FieldPath,
    pub(super) value: Arc<Node>,
}

impl FieldAssignment {
    /// Whether a word is an assignment: it has an `=` outside brackets.
    pub(super) fn is_one(typed: &str) -> bool {
        split(typed).is_some()
    }

    /// Parses an assignment as it is typed. The first `=` outside brackets separates path and
    /// value.
    ///
    /// # Errors
    /// What is wrong with it, in one line.
    pub(super) fn parse(typed: &str) -> Result<FieldAssignment, String> {
        let Some((path, value)) = split(typed) else {
            return Err("expected PATH=VALUE, found no `=`".to_owned());
        };
        Ok(FieldAssignment {
            path: FieldPath::parse(path).map_err(|error| error.message)?,
            value: read_value(value)?,
        })
    }
}

/// Writes a value into the first document that has the path. If none has it, the missing fields are
/// created in the only document there is.
///
/// # Errors
/// No document has the path and there are several, or the value does not fit.
pub(super) fn write(documents: &Documents, assignment: &FieldAssignment) -> Result<Arc<Source>> {
    let mut roots = documents.roots();
    let can_create = roots.len() == 1;
    let mut missing = None;
    for (index, root) in roots.iter().enumerate() {
        let options = EditOptions {
            create: can_create,
            text_fields: text_fields(root),
            text_format: documents.format(),
            has_aliases: documents.has_aliases(),
            ..EditOptions::default()
        };
        let changed = update(root, &assignment.path, &options, &mut |target| {
            fit(&assignment.value, &target, TypePolicy::Infer).map(Some)
        });
        match changed {
            Ok(changed) => {
                roots[index] = changed.unwrap_or_else(|| Arc::clone(root));
                documents.check(&documents.roots(), &roots)?;
                let source = documents.source();
                let (text, _) = documents.print(&roots);
                return source_of(source.shown_name().to_owned(), text.into_bytes());
            }
            Err(EditFailure::Diagnostic(error)) => return Err(error),
            Err(failure) => missing = Some(failure),
        }
    }
    let path = &assignment.path;
    match missing {
        Some(missing) => Err(missing.diagnostic(|| format!("unable to find field \"{path}\""))),
        None => Err(Diagnostic::error(
            Code::PathNotFound,
            "expected a document to write to, found none",
        )),
    }
}

/// Splits an assignment at its `=`. Brackets contain `=` that belong to the path: `[name=web]`.
fn split(typed: &str) -> Option<(&str, &str)> {
    // Only a JSONPath has quotes. A bracket inside of them is an ordinary character.
    let has_quotes = typed.starts_with('$');
    let mut depth = 0_usize;
    let mut quote = None;
    let mut escaped = false;
    for (at, character) in typed.char_indices() {
        if let Some(open) = quote {
            if character == open && !escaped {
                quote = None;
            }
            escaped = character == '\\' && !escaped;
            continue;
        }
        match character {
            '\'' | '"' if depth > 0 && has_quotes => quote = Some(character),
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            '=' if depth == 0 => return Some((&typed[..at], &typed[at + 1..])),
            _ => {}
        }
    }
    None
}

/// Reads a value as it is typed.
///
/// It is YAML on one line: `3` is a number, `"3"` a string, `{a: 1}` a mapping. Anything else is a
/// string, also `a: 1`, which would be a mapping only on a line of its own.
fn read_value(text: &str) -> Result<Arc<Node>, String> {
    let source = Source::new("<value>", text).map_err(|_| "the value is too long")?;
    // A text that is not YAML is a string, not an error: `set a=[x` has no better meaning.
    if let Ok(stream) = parse_data(&source)
        && let [document] = &stream.documents[..]
        && is_all_of(&document.root, text)
        && !is_over_lines(&document.root, text)
    {
        return Ok(Arc::clone(&document.root));
    }
    Ok(Node::string(text))
}

/// Returns whether the value is everything that was typed. A comment after it is meant as a part of
/// the text.
fn is_all_of(node: &Node, text: &str) -> bool {
    let Some(origin) = &node.origin else {
        return false;
    };
    let start = match &node.properties {
        Some(properties) => properties.span.start().min(origin.span.start()),
        None => origin.span.start(),
    };
    text.get(start..origin.span.end()) == Some(text)
}

/// Returns whether a value needs lines of its own: a block, or a scalar whose line breaks YAML
/// would read as spaces.
fn is_over_lines(node: &Node, text: &str) -> bool {
    match &node.content {
        Content::Mapping(mapping) => mapping.style == CollectionStyle::Block,
        Content::Sequence(sequence) => sequence.style == CollectionStyle::Block,
        Content::Scalar(scalar) => {
            let is_block = matches!(scalar.style, ScalarStyle::Literal | ScalarStyle::Folded);
            is_block || text.contains('\n')
        }
        Content::Alias(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splits_at_the_first_equals_sign_outside_brackets() {
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
    fn reads_yaml_on_one_line() {
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
    fn takes_anything_else_as_text() {
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
