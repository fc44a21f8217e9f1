//! Documents inside strings of documents.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use inlay::edit::{EditOptions, Encoding, FieldPath, TextFields};
use inlay::source::Source;
use inlay::yaml::{Syntax, looks_like_json, parse_json};
use proptest::prelude::*;
use proptest::sample::Index;

use crate::choices::Choices;
use crate::document::{Sample, any_sample, choices, read, values, written};
use crate::value::{self, Steps, Value};

/// A document that contains a string that contains a document, and so on.
#[derive(Clone, Debug)]
pub(crate) struct Nest {
    /// The documents, the outermost first.
    pub(crate) levels: Vec<Level>,
    /// Whether the first level is an object whose `data` is base64.
    pub(crate) base64: bool,
}

/// A document of a nest, with the place of the next document in it. In the last level, it is the
/// place of the value to edit.
#[derive(Clone, Debug)]
pub(crate) struct Level {
    pub(crate) sample: Sample,
    pub(crate) document: usize,
    pub(crate) steps: Steps,
}

impl Nest {
    pub(crate) fn text(&self) -> &str {
        &self.levels[0].sample.text
    }

    pub(crate) fn innermost(&self) -> &Level {
        &self.levels[self.levels.len() - 1]
    }

    /// Returns the path to the place in the last level, followed by the segments `more`.
    pub(crate) fn path(&self, more: &[&str]) -> FieldPath {
        let mut segments: Vec<String> = Vec::new();
        for (index, level) in self.levels.iter().enumerate() {
            if index > 0 && level.sample.values.len() > 1 {
                segments.push(level.document.to_string());
            }
            segments.extend(level.sample.values[level.document].path(&level.steps));
        }
        segments.extend(more.iter().map(|&segment| segment.to_owned()));
        FieldPath::parse(&segments.join(".")).expect("a path")
    }

    pub(crate) fn options(&self) -> EditOptions {
        const SECRET: TextFields = TextFields {
            has_text_keys: true,
            parents: &[(&["data"], Encoding::Base64)],
            typed: None,
            keeps_scalars: false,
            objects: None,
        };
        let text_fields = if self.base64 {
            SECRET
        } else {
            TextFields::default()
        };
        let stream = self.levels[0].sample.parse();
        EditOptions {
            text_fields,
            text_format: stream.syntax.into(),
            has_aliases: stream.has_aliases,
            ..EditOptions::default()
        }
    }

    /// Returns the text of each level in `outermost`, an edited version of the first level. Checks
    /// that only the string with the next level differs.
    pub(crate) fn texts(&self, outermost: &str) -> std::result::Result<Vec<String>, TestCaseError> {
        let mut texts = vec![outermost.to_owned()];
        let (_, around) = self.levels.split_last().expect("a level");
        for (index, level) in around.iter().enumerate() {
            let text = &texts[index];
            let seen = values(text, level.sample.syntax);
            let string = seen[level.document].at(&level.steps).clone();
            let mut expected = level.sample.values.clone();
            expected[level.document] = expected[level.document].with(&level.steps, &string);
            prop_assert_eq!(
                &seen,
                &expected,
                "\n{}\n---- became ----\n{}",
                level.sample.text,
                text
            );
            let Value::Text(inner) = string else {
                return Err(TestCaseError::fail("the string is no string"));
            };
            texts.push(if index == 0 && self.base64 {
                decoded(&inner)
            } else {
                inner
            });
        }
        Ok(texts)
    }
}

fn decoded(text: &str) -> String {
    let bare: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    String::from_utf8(STANDARD.decode(bare).expect("base64")).expect("text")
}

/// Generates nests of one to six levels; `wanted` accepts the value at the place in the innermost
/// one.
pub(crate) fn nest(wanted: fn(&Value) -> bool) -> impl Strategy<Value = Nest> {
    let innermost = any_sample()
        .prop_map(as_read)
        .prop_filter_map("a place", move |sample| {
            let stream = sample.parse();
            let places = places(&sample, wanted);
            (!stream.has_aliases && !places.is_empty()).then_some((sample, places))
        });
    let wrapper = (
        value::collection(),
        any::<bool>(),
        choices(),
        any::<Index>(),
    );
    let wrappers = proptest::collection::vec(wrapper, 0..6);
    let nests = (
        innermost,
        any::<Index>(),
        wrappers,
        proptest::bool::weighted(0.2),
    )
        .prop_map(|((sample, places), at, wrappers, base64)| {
            let (document, steps) = at.get(&places).clone();
            let mut levels = vec![Level {
                sample,
                document,
                steps,
            }];
            let count = wrappers.len();
            for (number, (around, json, choices, at)) in wrappers.into_iter().enumerate() {
                let text = levels[0].sample.text.clone();
                let base64 = base64 && number + 1 == count;
                levels.insert(
                    0,
                    wrapped(
                        &text,
                        around,
                        if json { Syntax::Json } else { Syntax::Yaml },
                        base64,
                        choices,
                        at,
                    ),
                );
            }
            Nest {
                base64: base64 && count > 0,
                levels,
            }
        });
    // A block scalar at the end of a text without a final line break loses its own.
    nests.prop_filter("all strings are whole", |nest| {
        nest.texts(nest.text()).is_ok_and(|texts| {
            texts
                .iter()
                .zip(&nest.levels)
                .all(|(text, level)| *text == level.sample.text)
        })
    })
}

/// Returns the sample as a reader of strings reads it: as JSON if it is JSON.
fn as_read(sample: Sample) -> Sample {
    let source = Source::new("text", sample.text.as_str()).expect("short");
    let json = looks_like_json(&sample.text) && parse_json(&source).is_ok();
    let syntax = if json { Syntax::Json } else { Syntax::Yaml };
    Sample {
        values: values(&sample.text, syntax),
        syntax,
        ..sample
    }
}

/// Returns the places in documents whose root is a collection.
fn places(sample: &Sample, wanted: fn(&Value) -> bool) -> Vec<(usize, Steps)> {
    let documents = sample.values.iter().enumerate();
    documents
        .flat_map(|(document, root)| {
            let places = root
                .places()
                .into_iter()
                .filter(|steps| wanted(root.at(steps)));
            places
                .filter(|_| !root.children().is_empty())
                .map(move |steps| (document, steps))
        })
        .filter(|(_, steps)| !steps.is_empty())
        .collect()
}

/// Returns a document that contains a string with the given text.
fn wrapped(
    text: &str,
    around: Value,
    syntax: Syntax,
    base64: bool,
    mut choices: Choices,
    at: Index,
) -> Level {
    let encoded = if base64 {
        STANDARD.encode(text)
    } else {
        text.to_owned()
    };
    let string = Value::Text(encoded);
    let (value, steps) = match around {
        _ if base64 => {
            let data = Value::Map(vec![
                ("other".to_owned(), Value::Text("eA==".to_owned())),
                ("text".to_owned(), string),
            ]);
            (
                Value::Map(vec![
                    ("kind".to_owned(), Value::Text("Secret".to_owned())),
                    ("data".to_owned(), data),
                ]),
                vec![1, 1],
            )
        }
        Value::Map(mut entries) => {
            let index = at.index(entries.len() + 1);
            entries.retain(|(key, _)| key != "inner");
            let index = index.min(entries.len());
            entries.insert(index, ("inner".to_owned(), string));
            (Value::Map(entries), vec![index])
        }
        Value::List(mut items) => {
            let index = at.index(items.len() + 1);
            items.insert(index, string);
            (Value::List(items), vec![index])
        }
        Value::Word(_) | Value::Text(_) => unreachable!("a wrapper is a collection"),
    };
    Level {
        sample: as_read(written(vec![value], syntax, &mut choices)),
        document: 0,
        steps,
    }
}

/// Returns the values of the text at the innermost level.
pub(crate) fn read_innermost(nest: &Nest, text: &str) -> Vec<Value> {
    let syntax = nest.innermost().sample.syntax;
    read(text, syntax)
        .documents
        .iter()
        .map(|document| Value::of(&document.root))
        .collect()
}
