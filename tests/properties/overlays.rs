//! Overlays: the printed text has the result of the operation, and every other line stays.

use std::sync::Arc;

use imara_diff::{Algorithm, Diff, InternedInput};
use inlay::edit::DocumentFormat;
use inlay::source::world::Memory;
use inlay::source::{DiagnosticFormat, Diagnostics, Renderer, Source};
use inlay::workspace::{BuildOptions, OverlaidText, apply_text};
use inlay::yaml::{Node, Stream, Syntax, faithful, json_string};
use proptest::prelude::*;
use proptest::sample::Index;

use crate::document::{Sample, choices, configuration, values, written};
use crate::value::{self, Value};

/// An operation of an overlay on an entry or item.
#[derive(Clone, Copy, Debug)]
enum Operation {
    Merge,
    Replace,
    Remove,
    InsertBefore,
    InsertAfter,
    /// Adds an item or entry after all others.
    Append,
}

/// A way for an overlay to find an item.
#[derive(Clone, Copy, Debug)]
enum By {
    Index,
    Subset,
}

const NEW_KEY: &str = "a key that is new";

fn operation() -> impl Strategy<Value = Operation> {
    use Operation::{Append, InsertAfter, InsertBefore, Merge, Remove, Replace};
    proptest::sample::select(vec![
        Merge,
        Replace,
        Remove,
        InsertBefore,
        InsertAfter,
        Append,
    ])
}

fn sample() -> impl Strategy<Value = Sample> {
    let syntax = prop_oneof![3 => Just(Syntax::Yaml), 1 => Just(Syntax::Json)];
    (value::collection(), syntax, choices())
        .prop_map(|(value, syntax, mut choices)| written(vec![value], syntax, &mut choices))
}

/// Returns the value as JSON on one line.
fn json(value: &Value) -> String {
    match value {
        Value::Word(word) if word.is_empty() => "null".to_owned(),
        Value::Word(word) => word.clone(),
        Value::Text(text) => json_string(text),
        Value::List(items) => format!(
            "[{}]",
            items.iter().map(json).collect::<Vec<_>>().join(", ")
        ),
        Value::Map(entries) => {
            let entries = entries
                .iter()
                .map(|(key, value)| format!("{}: {}", json_string(key), json(value)));
            format!("{{{}}}", entries.collect::<Vec<_>>().join(", "))
        }
    }
}

/// Returns an overlay that applies `operation` to the child at `steps`.
fn overlay(root: &Value, steps: &[usize], operation: Operation, by: By, new: &Value) -> String {
    let mut text =
        "#@ load(\"@ytt:overlay\", \"overlay\")\n#@overlay/match by=overlay.all\n---".to_owned();
    let mut at = root;
    for (depth, &step) in steps.iter().enumerate() {
        let indent = "  ".repeat(depth);
        let is_last = depth + 1 == steps.len();
        let child = at.children()[step];
        let annotation = match operation {
            _ if !is_last => None,
            Operation::Merge => None,
            Operation::Replace => Some("replace"),
            Operation::Remove => Some("remove"),
            Operation::InsertBefore => Some("insert before=True"),
            Operation::InsertAfter => Some("insert after=True"),
            Operation::Append => Some("append"),
        };
        match at {
            Value::Map(entries) => {
                let adds = !matches!(
                    operation,
                    Operation::Merge | Operation::Replace | Operation::Remove
                );
                let key = if is_last && adds {
                    NEW_KEY
                } else {
                    entries[step].0.as_str()
                };
                match annotation.filter(|_| !adds) {
                    Some(annotation) => text.push_str(&format!("\n{indent}#@overlay/{annotation}")),
                    None if is_last && adds => {
                        text.push_str(&format!("\n{indent}#@overlay/match missing_ok=True"))
                    }
                    None => {}
                }
                text.push_str(&format!("\n{indent}? {}\n{indent}:", json_string(key)));
            }
            _ => {
                let by = match by {
                    By::Index => format!("overlay.index({step})"),
                    By::Subset => format!(
                        "lambda index, left, right: index == {step} and overlay.subset(left)(index, left, right)"
                    ),
                };
                text.push_str(&format!("\n{indent}#@overlay/match by={by}"));
                if let Some(annotation) = annotation {
                    text.push_str(&format!("\n{indent}#@overlay/{annotation}"));
                }
                text.push_str(&format!("\n{indent}-"));
            }
        }
        at = child;
    }
    format!("{text} {}\n", json(new))
}

/// Returns the value after the operation, by the simplest rules.
fn expected(value: &Value, steps: &[usize], operation: Operation, new: &Value) -> Value {
    let Some((&step, rest)) = steps.split_first() else {
        return value.clone();
    };
    if !rest.is_empty() {
        return value.with(
            &[step],
            &expected(value.children()[step], rest, operation, new),
        );
    }
    match (value, operation) {
        (_, Operation::Merge | Operation::Replace) => value.with(&[step], new),
        (Value::Map(entries), operation) => {
            let mut entries = entries.clone();
            match operation {
                Operation::Remove => drop(entries.remove(step)),
                _ => entries.push((NEW_KEY.to_owned(), new.clone())),
            }
            Value::Map(entries)
        }
        (Value::List(items), operation) => {
            let mut items = items.clone();
            match operation {
                Operation::Remove => drop(items.remove(step)),
                Operation::InsertBefore => items.insert(step, new.clone()),
                Operation::InsertAfter => items.insert(step + 1, new.clone()),
                _ => items.push(new.clone()),
            }
            Value::List(items)
        }
        (Value::Word(_) | Value::Text(_), _) => unreachable!("a step leads into a collection"),
    }
}

fn applied(stream: &Stream, overlay: &str) -> Vec<Arc<Node>> {
    let roots: Vec<Arc<Node>> = stream
        .documents
        .iter()
        .map(|document| Arc::clone(&document.root))
        .collect();
    let source = Source::new("overlay.yml", overlay).expect("it is short");
    let mut diagnostics = Diagnostics::default();
    let documents = OverlaidText {
        roots: &roots,
        format: DocumentFormat::YAML,
    };
    apply_text(
        &source,
        documents,
        &Memory::default(),
        BuildOptions::default(),
        &mut diagnostics,
    )
    .unwrap_or_else(|_| {
        let message = Renderer::new(DiagnosticFormat::Human).render(diagnostics.as_slice());
        panic!(
            "{message}\noverlay:\n{overlay}\non:\n{}",
            stream.source.text()
        )
    })
}

fn distinct_keys(value: &Value) -> bool {
    let own = match value {
        Value::Map(entries) => {
            let mut keys: Vec<&str> = entries.iter().map(|(key, _)| key.as_str()).collect();
            keys.sort_unstable();
            keys.windows(2).all(|pair| pair[0] != pair[1])
        }
        _ => true,
    };
    own && value.children().into_iter().all(distinct_keys)
}

/// Returns the number of lines of `before` that are missing in `after`, compared in order.
fn changed_lines(before: &str, after: &str) -> usize {
    let lines = InternedInput::new(before, after);
    let diff = Diff::compute(Algorithm::Myers, &lines);
    diff.count_removals() as usize
}

proptest! {
    #![proptest_config(configuration())]

    #[test]
    fn an_overlay_does_its_operation(
        sample in sample(),
        place in any::<Index>(),
        operation in operation(),
        by in prop_oneof![Just(By::Index), Just(By::Subset)],
        new in value::value(),
    ) {
        let stream = sample.parse();
        let root = Value::of(&stream.documents[0].root);
        prop_assume!(!stream.has_aliases && distinct_keys(&root));
        let places: Vec<_> = root.places().into_iter().filter(|steps| !steps.is_empty()).collect();
        prop_assume!(!places.is_empty());
        let steps = place.get(&places);
        // A mapping or list merges into the existing value; other tests check the result.
        let operation = match (operation, &new) {
            (Operation::Merge, Value::Map(_) | Value::List(_)) => Operation::Replace,
            (operation, _) => operation,
        };
        let overlay = overlay(&root, steps, operation, by, &new);
        let roots = applied(&stream, &overlay);
        let text = faithful::print(&stream, &roots);
        let all = format!("\n{}\n---- with ----\n{}\n---- became ----\n{}", sample.text, overlay, text);
        prop_assert_eq!(values(&text, sample.syntax), vec![expected(&root, steps, operation, &new)], "{}", all);
        if matches!(operation, Operation::Merge | Operation::Replace) {
            let again = match sample.syntax {
                Syntax::Yaml => applied(&crate::document::read(&text, Syntax::Yaml), &overlay),
                Syntax::Json => roots.clone(),
            };
            prop_assert_eq!(Value::of(&again[0]), Value::of(&roots[0]), "replacing twice changes nothing{}", all);
        }
        // A last line without a line break gets one, and a block scalar in it may need another
        // header.
        let adds = matches!(operation, Operation::InsertBefore | Operation::InsertAfter | Operation::Append);
        if adds && sample.text.ends_with('\n') {
            let changed = changed_lines(&sample.text, &text);
            // A pair in a list, `[a: 1]`, gets braces with its second entry: one at its start, one
            // at its end.
            let braces = |text: &str| text.matches('{').count();
            let gets_braces = braces(&text) > braces(&sample.text) + braces(&overlay);
            prop_assert!(changed <= 1 + usize::from(gets_braces), "{} lines changed where something was added{}", changed, all);
        }
    }

    #[test]
    fn an_overlay_without_an_operation_changes_no_byte(sample in sample()) {
        let stream = sample.parse();
        let empty = match &Value::of(&stream.documents[0].root) {
            Value::List(_) => "[]",
            _ => "{}",
        };
        let overlay = format!("#@ load(\"@ytt:overlay\", \"overlay\")\n#@overlay/match by=overlay.all\n--- {empty}\n");
        let text = faithful::print(&stream, &applied(&stream, &overlay));
        prop_assert_eq!(text, sample.text);
    }
}
