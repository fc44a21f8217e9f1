//! Edits along paths: a property of an edit in a document also holds inside a string of another
//! document, at any depth.

use std::sync::Arc;

use inlay::edit::{EditOptions, EditTarget, FieldPath, TypePolicy, find, fit, update};
use inlay::yaml::{Content, Node, ScalarStyle, Stream, faithful};
use proptest::prelude::*;

use crate::document::{configuration, read};
use crate::nested::{Level, Nest, nest, read_innermost};
use crate::value::{self, Value};

/// A change of the value at a target.
type Write<'w> = dyn Fn(&EditTarget<'_>) -> Arc<Node> + 'w;

/// Returns the text of `stream` after an update of its root `document`.
fn updated(
    stream: &Stream,
    document: usize,
    path: &FieldPath,
    options: &EditOptions,
    write: &Write<'_>,
) -> String {
    let mut roots: Vec<Arc<Node>> = stream
        .documents
        .iter()
        .map(|document| Arc::clone(&document.root))
        .collect();
    let outcome = update(&roots[document], path, options, &mut |target| {
        Ok(Some(write(&target)))
    });
    let root = outcome
        .unwrap_or_else(|failure| panic!("{}", failure.diagnostic(|| path.to_string()).message));
    roots[document] = root.expect("the visitor writes");
    faithful::print(stream, &roots)
}

fn edited(nest: &Nest, write: &Write<'_>) -> String {
    let outermost = &nest.levels[0];
    updated(
        &outermost.sample.parse(),
        outermost.document,
        &nest.path(&[]),
        &nest.options(),
        write,
    )
}

/// Returns the innermost document after the same edit outside any string.
fn edited_alone(nest: &Nest, write: &Write<'_>) -> String {
    let innermost = nest.innermost();
    let path = innermost.sample.values[innermost.document]
        .path(&innermost.steps)
        .join(".");
    let path = FieldPath::parse(&path).expect("a path");
    let stream = innermost.sample.parse();
    let options = EditOptions {
        text_format: stream.syntax.into(),
        ..EditOptions::default()
    };
    updated(&stream, innermost.document, &path, &options, write)
}

fn check_edit(nest: &Nest, write: &Write<'_>) -> std::result::Result<Arc<Node>, TestCaseError> {
    let text = edited(nest, write);
    let texts = nest.texts(&text)?;
    let alone = edited_alone(nest, write);
    let innermost = &texts[texts.len() - 1];
    prop_assert_eq!(
        innermost,
        &alone,
        "\n{}\n---- became ----\n{}",
        nest.innermost().sample.text,
        innermost
    );
    let (innermost, level) = (read_innermost(nest, innermost), nest.innermost());
    let mut expected = level.sample.values.clone();
    let new = innermost[level.document].at(&level.steps).clone();
    expected[level.document] = expected[level.document].with(&level.steps, &new);
    prop_assert_eq!(innermost, expected, "{}", text);
    let outermost = &nest.levels[0];
    let stream = read(&text, outermost.sample.syntax);
    let root = Arc::clone(&stream.documents[outermost.document].root);
    let found = find(&root, &nest.path(&[]), &nest.options());
    let found = found
        .map_err(|failure| TestCaseError::fail(failure.diagnostic(String::new).message.clone()))?;
    prop_assert_eq!(found.len(), 1);
    Ok(Arc::clone(&found[0].node))
}

fn is_scalar(value: &Value) -> bool {
    matches!(value, Value::Word(_) | Value::Text(_))
}

/// Returns the numbers of differing bytes in the old and the new text, between the common start and
/// the common end.
fn differing(old: &str, new: &str) -> (usize, usize) {
    let prefix = old
        .bytes()
        .zip(new.bytes())
        .take_while(|(one, other)| one == other)
        .count();
    let (old, new) = (&old.as_bytes()[prefix..], &new.as_bytes()[prefix..]);
    let suffix = old
        .iter()
        .rev()
        .zip(new.iter().rev())
        .take_while(|(one, other)| one == other)
        .count();
    (old.len() - suffix, new.len() - suffix)
}

/// Returns whether the string that contains the next level has a style that can represent every
/// text that YAML can print.
fn spells_anything(level: &Level) -> bool {
    let root = Arc::clone(&level.sample.parse().documents[level.document].root);
    let node = level
        .steps
        .iter()
        .fold(root, |node, &step| match &node.resolved().content {
            Content::Mapping(mapping) => Arc::clone(&mapping.entries[step].value),
            Content::Sequence(sequence) => Arc::clone(&sequence.items[step].value),
            _ => node,
        });
    let style = node.as_scalar().map(|scalar| scalar.style);
    matches!(
        style,
        Some(ScalarStyle::DoubleQuoted | ScalarStyle::Literal)
    )
}

proptest! {
    #![proptest_config(configuration())]

    #[test]
    fn writing_the_same_value_is_the_identity(nest in nest(|_| true)) {
        let same = edited(&nest, &|target| Arc::clone(target.current.expect("it is there")));
        prop_assert_eq!(&*same, nest.text());
        let innermost = nest.innermost();
        let value = innermost.sample.values[innermost.document].at(&innermost.steps).clone();
        if is_scalar(&value) {
            prop_assert_eq!(&*edited(&nest, &|_| value.node()), nest.text());
        }
    }

    #[test]
    fn an_edit_changes_only_the_changed_bytes_of_each_string(nest in nest(is_scalar), new in value::scalar()) {
        if nest.base64 {
            return Ok(());
        }
        let texts = nest.texts(&edited(&nest, &|_| new.node()))?;
        for (index, around) in nest.levels.iter().enumerate().skip(1).rev().map(|(index, _)| (index, &nest.levels[index - 1])) {
            let (old, new) = (&nest.levels[index].sample.text, &texts[index]);
            if !spells_anything(around) || new.contains(|c: char| c.is_control() && c != '\n') {
                break;
            }
            let (inner_old, inner_new) = differing(old, new);
            let (outer_old, outer_new) = differing(&around.sample.text, &texts[index - 1]);
            // An escape has up to ten bytes, and a line break may bring the indentation of a line.
            let bound = |inner: usize| 40 + 40 * inner;
            prop_assert!(
                outer_old <= bound(inner_old) && outer_new <= bound(inner_new),
                "{outer_old} of {inner_old}, {outer_new} of {inner_new}\n{}\n---- became ----\n{}", around.sample.text, texts[index - 1],
            );
        }
    }

    #[test]
    fn a_written_scalar_is_read_back(nest in nest(|_| true), new in value::scalar()) {
        let node = check_edit(&nest, &|_| new.node())?;
        prop_assert_eq!(Value::of(&node), new);
    }

    #[test]
    fn a_written_value_is_read_back(nest in nest(|_| true), new in value::value()) {
        let node = check_edit(&nest, &|_| new.node())?;
        prop_assert_eq!(Value::of(&node), new);
    }

    #[test]
    fn the_text_of_a_scalar_is_the_written_one_with_every_type_policy(
        nest in nest(|_| true), new in value::scalar(), policy in 0..3_usize,
    ) {
        let policy = [TypePolicy::Keep, TypePolicy::String, TypePolicy::Infer][policy];
        let node = check_edit(&nest, &|target| fit(&new.node(), target, policy).expect("a scalar"))?;
        let wanted = new.node();
        // A null stays null and keeps its spelling; if types are inferred, `null` is one too.
        let is_null = wanted.kind() == "null" || matches!(policy, TypePolicy::Infer) && wanted.text() == Some("null");
        prop_assert!(node.text() == wanted.text() || node.kind() == "null" && is_null);
        if matches!(policy, TypePolicy::String) {
            prop_assert!(node.as_str().is_some());
        }
        let innermost = nest.innermost();
        if let (TypePolicy::Keep, Value::Text(_)) = (policy, innermost.sample.values[innermost.document].at(&innermost.steps)) {
            prop_assert!(node.as_str().is_some());
        }
    }

    #[test]
    fn a_created_value_is_read_back(nest in nest(|value| matches!(value, Value::Map(_))), new in value::value(), deep in any::<bool>()) {
        let more: &[&str] = if deep { &["made", "deeper", "0", "deepest"] } else { &["made"] };
        let outermost = &nest.levels[0];
        let options = EditOptions { create: true, ..nest.options() };
        let stream = outermost.sample.parse();
        let text = updated(&stream, outermost.document, &nest.path(more), &options, &|_| new.node());
        nest.texts(&text)?;
        let root = read(&text, outermost.sample.syntax).documents[outermost.document].root.clone();
        let found = find(&root, &nest.path(more), &nest.options());
        let found = found.map_err(|failure| TestCaseError::fail(format!("{}\n{text}", failure.diagnostic(String::new).message)))?;
        prop_assert_eq!(Value::of(&found[0].node), new, "{}", text);
    }
}
