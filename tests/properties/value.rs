//! The content of a document, without its style.

use std::sync::Arc;

use inlay::yaml::{Content, Node};
use proptest::prelude::*;

/// A value as every reader of YAML or JSON reads it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    /// A number, boolean or null, in its spelling; the spelling of null is the empty text.
    Word(String),
    Text(String),
    List(Vec<Value>),
    Map(Vec<(String, Value)>),
}

/// One step from a value to a part of it: the index of an item or an entry.
pub(crate) type Steps = Vec<usize>;

impl Value {
    /// Returns the values directly below this one.
    pub(crate) fn children(&self) -> Vec<&Value> {
        match self {
            Value::Word(_) | Value::Text(_) => Vec::new(),
            Value::List(items) => items.iter().collect(),
            Value::Map(entries) => entries.iter().map(|(_, value)| value).collect(),
        }
    }

    /// Returns the steps to every value inside this one, starting with itself.
    pub(crate) fn places(&self) -> Vec<Steps> {
        let below = |(index, child): (usize, &Value)| {
            child
                .places()
                .into_iter()
                .map(move |rest| [vec![index], rest].concat())
                .collect::<Vec<_>>()
        };
        std::iter::once(Vec::new())
            .chain(self.children().into_iter().enumerate().flat_map(below))
            .collect()
    }

    pub(crate) fn at(&self, steps: &[usize]) -> &Value {
        steps
            .iter()
            .fold(self, |value, &step| value.children()[step])
    }

    /// Returns the value with `new` at `steps`.
    pub(crate) fn with(&self, steps: &[usize], new: &Value) -> Value {
        let Some((&step, rest)) = steps.split_first() else {
            return new.clone();
        };
        let mut changed = self.clone();
        match &mut changed {
            Value::List(items) => items[step] = items[step].with(rest, new),
            Value::Map(entries) => entries[step].1 = entries[step].1.with(rest, new),
            Value::Word(_) | Value::Text(_) => unreachable!("a step leads into a collection"),
        }
        changed
    }

    /// Returns the field path for `steps`.
    pub(crate) fn path(&self, steps: &[usize]) -> Vec<String> {
        let Some((&step, rest)) = steps.split_first() else {
            return Vec::new();
        };
        let segment = match self {
            Value::Map(entries) => format!("[{}]", entries[step].0),
            _ => step.to_string(),
        };
        [vec![segment], self.children()[step].path(rest)].concat()
    }

    /// Returns the value of `node`.
    pub(crate) fn of(node: &Arc<Node>) -> Value {
        match &node.resolved().content {
            Content::Mapping(mapping) => {
                let key = |key: &Arc<Node>| key.resolved().text().unwrap_or("").to_owned();
                Value::Map(
                    mapping
                        .entries
                        .iter()
                        .map(|entry| (key(&entry.key), Value::of(&entry.value)))
                        .collect(),
                )
            }
            Content::Sequence(sequence) => Value::List(
                sequence
                    .items
                    .iter()
                    .map(|item| Value::of(&item.value))
                    .collect(),
            ),
            _ => match (node.kind(), node.resolved().text().unwrap_or("")) {
                ("string", text) => Value::Text(text.to_owned()),
                ("null", _) => Value::Word(String::new()),
                (_, text) => Value::Word(text.to_owned()),
            },
        }
    }

    /// Returns the value as a new node.
    pub(crate) fn node(&self) -> Arc<Node> {
        match self {
            Value::Word(word) if word.is_empty() => Node::plain("null"),
            Value::Word(word) => Node::plain(word.as_str()),
            Value::Text(text) => Node::string(text.as_str()),
            Value::List(items) => Node::sequence(items.iter().map(Value::node)),
            Value::Map(entries) => Node::mapping(
                entries
                    .iter()
                    .map(|(key, value)| inlay::yaml::Entry::new(key, value.node()))
                    .collect(),
            ),
        }
    }
}

/// Texts that some readers interpret as something other than a string.
const TEXTS: &[&str] = &[
    "",
    "a",
    "plain words",
    "two  spaces",
    " led",
    "ended ",
    "\ttab",
    "tab\tinside",
    "a: b",
    "a #b",
    "#c",
    "- d",
    "-",
    "?",
    "? x",
    ":",
    ": x",
    "x:",
    "{",
    "}",
    "[a]",
    "a, b",
    "*a",
    "&a",
    "!t",
    "|",
    ">",
    "%",
    "@",
    "`",
    "'",
    "\"",
    "it's",
    "say \"so\"",
    "\\",
    "\\n",
    "---",
    "--- a",
    "...",
    "true",
    "no",
    "null",
    "~",
    "1",
    "-1.5e3",
    "0x1f",
    "0o7",
    "1_000",
    "12:30:45",
    "2020-01-01",
    ".inf",
    "<<",
    "=",
    "é",
    "\u{1f600}",
    "\u{feff}b",
    "\u{85}",
    "\u{2028}",
    "\u{a0}",
    "\u{7}",
    "one\ntwo",
    "one\n",
    "\none",
    "one\n\ntwo\n",
    "one\n\n\n",
    "\n",
    "\n\n",
    " \n",
    "one\n two\nthree",
    "one \ntwo",
    "  led\nx\n",
    "\tled\nx",
    "a\r\nb\r\n",
    "key: value\nlist:\n- x\n",
    "{\"a\": 1}",
    "# only\n",
    "a\n\n\n  b\n\nc",
    "long words that go on and on and on and on for a while",
    "one two three\nfour five\n\nsix seven\n",
    "x\n---\ny\n",
    "a\n ",
    "\n  x\n y\n",
    "$&<>",
];

const WORDS: &[&str] = &[
    "",
    "1",
    "0",
    "-3",
    "1.50",
    "6.02e23",
    "true",
    "false",
    "12345678901234567890",
];

const KEYS: &[&str] = &[
    "a",
    "b",
    "name",
    "config.json",
    "app.yaml",
    "two words",
    "1",
    "true",
    "null",
    "é",
    "",
    "a/b.c",
    "it's",
    "#k",
    "-",
    "?",
    "x: y",
    "{",
    "[",
    "*",
    "&",
    "\"",
    "<",
    "0x10",
    "~",
    "tab\tkey",
    "k\nk",
    ":",
    "a,b",
];

pub(crate) fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => proptest::sample::select(TEXTS).prop_map(str::to_owned),
        1 => "[ -~\n]{0,24}",
        1 => "([a-c]{1,3}[ \n]{1,2}){1,6}",
        1 => "[-#:,'\"\\\\\\[\\]{}&*!|>%@` \ta\n]{0,12}",
    ]
}

pub(crate) fn scalar() -> impl Strategy<Value = Value> {
    prop_oneof![
        3 => text().prop_map(Value::Text),
        1 => proptest::sample::select(WORDS).prop_map(|word| Value::Word(word.to_owned())),
    ]
}

/// Generates keys, most of them simple.
pub(crate) fn key() -> impl Strategy<Value = String> {
    prop_oneof![2 => "[a-h]{1,2}", 1 => proptest::sample::select(KEYS).prop_map(str::to_owned)]
}

pub(crate) fn value() -> impl Strategy<Value = Value> {
    scalar().prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            2 => proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::List),
            3 => entries(inner).prop_map(Value::Map),
        ]
    })
}

/// Generates mappings and lists.
pub(crate) fn collection() -> impl Strategy<Value = Value> {
    prop_oneof![
        3 => entries(value()).prop_map(Value::Map),
        1 => proptest::collection::vec(value(), 0..5).prop_map(Value::List),
    ]
}

fn entries(inner: impl Strategy<Value = Value>) -> impl Strategy<Value = Vec<(String, Value)>> {
    proptest::collection::vec((key(), inner), 0..5).prop_map(|mut entries| {
        let mut seen = std::collections::BTreeSet::new();
        entries.retain(|(key, _)| seen.insert(key.clone()));
        entries
    })
}
