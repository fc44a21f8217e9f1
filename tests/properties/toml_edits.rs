//! Edits of TOML inside a string, with the crate `toml` as the second reader.

use std::sync::Arc;

use inlay::edit::{EditOptions, FieldPath, find, update};
use inlay::yaml::{Entry, Node};
use proptest::prelude::*;
use toml::{Table, Value};

use crate::choices::Choices;
use crate::document::configuration;
use crate::toml_text::{scalar, table, toml_text, value};

fn node(value: &Value) -> Arc<Node> {
    match value {
        Value::String(text) => Node::string(text.as_str()),
        Value::Integer(number) => Node::plain(number.to_string()),
        Value::Float(number) if number.is_infinite() => {
            Node::plain(if *number > 0.0 { ".inf" } else { "-.inf" })
        }
        Value::Float(number) => Node::plain(format!("{number:?}")),
        Value::Boolean(value) => Node::plain(value.to_string()),
        Value::Datetime(time) => Node::plain(time.to_string()),
        Value::Array(items) => Node::sequence(items.iter().map(node)),
        Value::Table(table) => Node::mapping(
            table
                .iter()
                .map(|(key, value)| Entry::new(key, node(value)))
                .collect(),
        ),
    }
}

fn holding(text: &str) -> Arc<Node> {
    Node::mapping(vec![Entry::new("x.toml", Node::string(text))])
}

/// Returns the text after `change` of the value at `path`, which leads to a value inside the text.
fn edited(text: &str, path: &str, change: &dyn Fn(Option<&Arc<Node>>) -> Arc<Node>) -> String {
    let path = FieldPath::parse(&format!("[x.toml].{path}")).expect("a path");
    let options = EditOptions {
        create: true,
        ..EditOptions::default()
    };
    let changed = update(&holding(text), &path, &options, &mut |target| {
        Ok(Some(change(target.current)))
    });
    let changed = changed.unwrap_or_else(|failure| {
        panic!(
            "{}\n{text}",
            failure.diagnostic(|| path.to_string()).message
        )
    });
    let changed = changed.expect("the visitor writes");
    changed
        .get("x.toml")
        .and_then(|node| node.text())
        .expect("a text")
        .to_owned()
}

fn read(text: &str) -> std::result::Result<Table, TestCaseError> {
    text.parse()
        .map_err(|error| TestCaseError::fail(format!("{error}\n{text}")))
}

/// A step from a value to a part of it.
#[derive(Clone, Debug)]
enum Step {
    Key(String),
    Index(usize),
}

/// Returns the steps to every value inside this one, starting with itself.
fn places(value: &Value) -> Vec<Vec<Step>> {
    let below = |step: Step, value: &Value| {
        places(value)
            .into_iter()
            .map(|rest| [vec![step.clone()], rest].concat())
            .collect::<Vec<_>>()
    };
    let mut all = vec![Vec::new()];
    match value {
        Value::Table(table) => all.extend(
            table
                .iter()
                .flat_map(|(key, value)| below(Step::Key(key.clone()), value)),
        ),
        Value::Array(items) => {
            all.extend(
                items
                    .iter()
                    .enumerate()
                    .flat_map(|(index, value)| below(Step::Index(index), value)),
            );
        }
        _ => {}
    }
    all
}

fn path(steps: &[Step]) -> String {
    let segments = steps.iter().map(|step| match step {
        Step::Key(key) => format!("[{key}]"),
        Step::Index(index) => index.to_string(),
    });
    segments.collect::<Vec<_>>().join(".")
}

fn at<'v>(value: &'v mut Value, steps: &[Step]) -> &'v mut Value {
    steps.iter().fold(value, |value, step| match (value, step) {
        (Value::Table(table), Step::Key(key)) => table.get_mut(key).expect("it is there"),
        (Value::Array(items), Step::Index(index)) => &mut items[*index],
        _ => unreachable!("the step leads somewhere"),
    })
}

/// Returns the number of comments in a text.
fn comments(text: &str) -> usize {
    let marks = [
        "# a comment",
        "# one",
        "# two",
        "# apart",
        "# indented",
        "# tail",
        "# header",
        "# after",
    ];
    marks.iter().map(|mark| text.matches(mark).count()).sum()
}

/// Returns the tree without the key or item at `steps`.
fn without(node: &Arc<Node>, steps: &[Step]) -> Arc<Node> {
    let (step, rest) = steps.split_first().expect("a place below the root");
    match step {
        Step::Key(key) => {
            let entries = node.as_mapping().expect("a table").entries.iter();
            let entries = entries
                .filter(|entry| !rest.is_empty() || entry.key.text() != Some(key))
                .map(|entry| match entry.key.text() == Some(key) {
                    true => Entry {
                        key: Arc::clone(&entry.key),
                        value: without(&entry.value, rest),
                    },
                    false => entry.clone(),
                });
            node.with_entries(entries.collect::<Vec<_>>())
        }
        Step::Index(index) => {
            let mut items = node.as_sequence().expect("a list").items.to_vec();
            if rest.is_empty() {
                items.remove(*index);
            } else {
                items[*index].value = without(&items[*index].value, rest);
            }
            node.with_items(items)
        }
    }
}

fn choices() -> impl Strategy<Value = Choices> {
    prop::collection::vec(any::<u8>(), 0..120).prop_map(Choices::new)
}

/// Pieces of TOML, valid and invalid.
const PIECES: &[&str] = &[
    "a",
    "b",
    ".",
    "=",
    " = ",
    "1",
    "\"",
    "'",
    "\"\"\"",
    "'''",
    "[",
    "]",
    "[[",
    "]]",
    "{",
    "}",
    ",",
    "\n",
    "\r\n",
    "\r",
    " ",
    "\t",
    "#",
    "# c\n",
    "\\",
    "\\u12",
    "\u{feff}",
    "\u{e9}",
    "a = 1\n",
    "[a]\n",
    "[[a]]\n",
    "[a.b]\n",
    "a.b = 2\n",
    "c = [1, 2]\n",
    "d = { e = 1 }\n",
    "1979-05-27",
    "inf",
    "_",
    "+",
    "\0",
];

proptest! {
    #![proptest_config(configuration())]

    #[test]
    fn the_other_reader_reads_the_same(table in table(), mut choices in choices()) {
        let text = toml_text(&table, &mut choices);
        prop_assert_eq!(read(&text)?, table.clone(), "{}", text);
        let all = FieldPath::parse("[x.toml].").expect("a path");
        let found = find(&holding(&text), &all, &EditOptions::default());
        let found = found.map_err(|failure| TestCaseError::fail(failure.diagnostic(String::new).message.clone()))?;
        let written = edited("", "", &|_| Arc::clone(&found[0].node));
        prop_assert_eq!(read(&written)?, table, "{}\n---- was read as ----\n{}", text, written);
    }

    #[test]
    fn writing_the_same_value_is_the_identity(table in table(), mut choices in choices()) {
        let text = toml_text(&table, &mut choices);
        let same = edited(&text, "", &|current| Arc::clone(current.expect("a root")));
        prop_assert_eq!(same, text.as_str());
        // Numbers and times have many spellings; every other equal value keeps its bytes, even from
        // another document.
        let mut model = Value::Table(table);
        let many = |value: &Value| matches!(value, Value::Integer(_) | Value::Float(_) | Value::Datetime(_));
        if !places(&model).iter().any(|steps| many(at(&mut model, steps))) {
            prop_assert_eq!(edited(&text, "", &|_| node(&model)), text.as_str());
        }
    }

    #[test]
    fn a_written_value_is_read_back(
        table in table(), mut choices in choices(), new in value(), place in any::<prop::sample::Index>(),
    ) {
        let text = toml_text(&table, &mut choices);
        let mut model = Value::Table(table);
        let places = places(&model);
        let steps = &places[place.index(places.len())];
        if steps.is_empty() {
            return Ok(());
        }
        let result = edited(&text, &path(steps), &|_| node(&new));
        *at(&mut model, steps) = new;
        prop_assert_eq!(Value::Table(read(&result)?), model, "\n{}\n---- became ----\n{}", text, result);
    }

    #[test]
    fn a_scalar_changes_only_its_span(
        table in table(), mut choices in choices(), new in scalar(), place in any::<prop::sample::Index>(),
    ) {
        let text = toml_text(&table, &mut choices);
        let mut model = Value::Table(table);
        let mut places = places(&model);
        places.retain(|steps| !matches!(at(&mut model, steps), Value::Table(_) | Value::Array(_)));
        if places.is_empty() {
            return Ok(());
        }
        let steps = &places[place.index(places.len())];
        let all = FieldPath::parse(&format!("[x.toml].{}", path(steps))).expect("a path");
        let found = find(&holding(&text), &all, &EditOptions::default()).map_err(|_| TestCaseError::fail("not found"))?;
        let span = found[0].node.origin.as_ref().expect("it was read").span.range();
        let result = edited(&text, &path(steps), &|_| node(&new));
        prop_assert!(result.starts_with(&text[..span.start]), "\n{}\n---- became ----\n{}", text, result);
        prop_assert!(result.ends_with(&text[span.end..]), "\n{}\n---- became ----\n{}", text, result);
    }

    #[test]
    fn a_created_value_is_read_back(
        table in table(), mut choices in choices(), new in value(), place in any::<prop::sample::Index>(),
        deep in any::<bool>(),
    ) {
        let text = toml_text(&table, &mut choices);
        let mut model = Value::Table(table);
        let places = places(&model);
        let steps = &places[place.index(places.len())];
        let more: &[&str] = match at(&mut model, steps) {
            Value::Table(table) => {
                let inner = if deep { Table::from_iter([("deeper".to_owned(), new.clone())]).into() } else { new.clone() };
                table.insert("made".to_owned(), inner);
                if deep { &["made", "deeper"] } else { &["made"] }
            }
            Value::Array(items) => {
                items.push(new.clone());
                &["-"]
            }
            _ => return Ok(()),
        };
        let more = more.iter().map(|&name| name.to_owned());
        let path: Vec<String> = [path(steps)].into_iter().filter(|path| !path.is_empty()).chain(more).collect();
        let result = edited(&text, &path.join("."), &|_| node(&new));
        prop_assert_eq!(Value::Table(read(&result)?), model, "\n{}\n---- became ----\n{}", text, result);
        // An implicit or dotted table has no line of its own, and adding an element that is not a
        // table rewrites the list.
        if matches!(new, Value::Table(_)) || !path.ends_with(&["-".to_owned()]) {
            prop_assert!(comments(&text) <= comments(&result), "\n{}\n---- became ----\n{}", text, result);
        }
    }

    #[test]
    fn a_removal_removes_its_value_and_nothing_else(
        table in table(), mut choices in choices(), place in any::<prop::sample::Index>(),
    ) {
        let text = toml_text(&table, &mut choices);
        let mut model = Value::Table(table);
        let places = places(&model);
        let steps = &places[place.index(places.len())];
        let Some((last, around)) = steps.split_last() else { return Ok(()) };
        match (at(&mut model, around), last) {
            (Value::Table(table), Step::Key(key)) => drop(table.remove(key)),
            (Value::Array(items), Step::Index(index)) => drop(items.remove(*index)),
            _ => unreachable!("the step leads somewhere"),
        }
        let result = edited(&text, "", &|root| without(root.expect("a root"), steps));
        prop_assert_eq!(Value::Table(read(&result)?), model, "\n{}\n---- became ----\n{}", text, result);
    }

    #[test]
    fn any_table_becomes_any_other(table in table(), mut choices in choices(), other in table()) {
        let text = toml_text(&table, &mut choices);
        let result = edited(&text, "", &|_| node(&Value::Table(other.clone())));
        prop_assert_eq!(read(&result)?, other, "\n{}\n---- became ----\n{}", text, result);
    }

    #[test]
    fn no_text_causes_a_panic(
        pieces in prop::collection::vec(prop::sample::select(PIECES), 0..12), other in table(),
    ) {
        let text: String = pieces.concat();
        let all = FieldPath::parse("[x.toml].").expect("a path");
        let found = find(&holding(&text), &all, &EditOptions::default());
        prop_assert_eq!(found.is_ok(), text.parse::<Table>().is_ok(), "{}", text);
        if found.is_ok() {
            let same = edited(&text, "", &|root| Arc::clone(root.expect("a root")));
            prop_assert_eq!(same, text.as_str());
            let result = edited(&text, "", &|_| node(&Value::Table(other.clone())));
            prop_assert_eq!(read(&result)?, other, "\n{:?}\n---- became ----\n{:?}", text, result);
        }
    }
}
