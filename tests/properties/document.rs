//! Random documents.

use inlay::source::Source;
use inlay::yaml::{Stream, Syntax, parse, parse_json};
use proptest::prelude::*;
use proptest::test_runner::FileFailurePersistence;

use crate::choices::Choices;
use crate::json_text::json_text;
use crate::value::{self, Value};
use crate::yaml_text::yaml_text;

/// Returns the configuration of every property: `PROPTEST_CASES` cases, preceded by the failures of
/// earlier runs.
///
/// Failures are written to `tests/properties/proptest-regressions/`; commit them with the fix. A
/// property that rejects nearly everything tests nothing, so rejects are bounded: 16 per case on
/// average.
pub(crate) fn configuration() -> ProptestConfig {
    let configuration = ProptestConfig::default();
    let rejects = configuration.cases.saturating_mul(16).max(1024);
    ProptestConfig {
        failure_persistence: Some(Box::new(FileFailurePersistence::WithSource(
            "proptest-regressions",
        ))),
        max_local_rejects: 65_536,
        max_global_rejects: rejects,
        ..configuration
    }
}

/// A text, and the values that it represents.
#[derive(Clone, Debug)]
pub(crate) struct Sample {
    pub(crate) syntax: Syntax,
    pub(crate) text: String,
    pub(crate) values: Vec<Value>,
}

impl Sample {
    pub(crate) fn parse(&self) -> Stream {
        read(&self.text, self.syntax)
    }
}

pub(crate) fn read(text: &str, syntax: Syntax) -> Stream {
    let source = Source::new("text", text).unwrap();
    let stream = match syntax {
        Syntax::Yaml => parse(&source),
        Syntax::Json => parse_json(&source),
    };
    stream.unwrap_or_else(|error| panic!("cannot be read: {}\n{text}\n{text:?}", error.message))
}

/// Returns the value of each document of `text`.
pub(crate) fn values(text: &str, syntax: Syntax) -> Vec<Value> {
    read(text, syntax)
        .documents
        .iter()
        .map(|document| Value::of(&document.root))
        .collect()
}

pub(crate) fn choices() -> impl Strategy<Value = Choices> {
    proptest::collection::vec(any::<u8>(), 0..300).prop_map(Choices::new)
}

pub(crate) fn yaml() -> impl Strategy<Value = Sample> {
    let documents = prop_oneof![
        4 => proptest::collection::vec(value::collection(), 1),
        1 => proptest::collection::vec(value::value(), 1..4),
    ];
    (documents, choices()).prop_map(|(values, choices)| yaml_sample(values, 20, choices))
}

/// Generates documents in which some values are aliases.
pub(crate) fn with_aliases() -> impl Strategy<Value = Sample> {
    let twice = (value::value(), value::value()).prop_map(|(one, two)| {
        let list = Value::List(vec![two.clone(), one.clone(), two.clone()]);
        let entries = [
            ("first", one.clone()),
            ("second", two),
            ("list", list),
            ("last", one),
        ];
        vec![Value::Map(
            entries.map(|(key, value)| (key.to_owned(), value)).into(),
        )]
    });
    let samples = (twice, choices()).prop_map(|(values, choices)| yaml_sample(values, 2, choices));
    samples.prop_filter("an alias", |sample| sample.parse().has_aliases)
}

fn yaml_sample(values: Vec<Value>, anchor_once_in: usize, mut choices: Choices) -> Sample {
    let text = yaml_text(&values, anchor_once_in, &mut choices);
    Sample {
        syntax: Syntax::Yaml,
        text,
        values,
    }
}

/// Returns a document with each of `values`, in a random style.
pub(crate) fn written(values: Vec<Value>, syntax: Syntax, choices: &mut Choices) -> Sample {
    let text = match syntax {
        Syntax::Yaml => yaml_text(&values, 20, choices),
        Syntax::Json => json_text(&values[0], choices),
    };
    Sample {
        syntax,
        text,
        values,
    }
}

pub(crate) fn json() -> impl Strategy<Value = Sample> {
    (value::collection(), choices()).prop_map(|(value, mut choices)| {
        let text = json_text(&value, &mut choices);
        Sample {
            syntax: Syntax::Json,
            text,
            values: vec![value],
        }
    })
}

pub(crate) fn any_sample() -> impl Strategy<Value = Sample> {
    prop_oneof![3 => yaml(), 1 => json()]
}
