//! The exported JSON Schema accepts and rejects the same values as the checker: random schemas,
//! random values for each, and an independent validator.

use std::fmt::Write as _;
use std::io::Write as _;
use std::process::{Command, Stdio};

use inlay::golang::json::encode_node;
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;
use serde_json::{Map, Value, json};

use crate::validator::is_valid;
use crate::{values, with_schema};

/// A type, as a schema declares it.
#[derive(Clone, Debug)]
struct Sampled {
    kind: Kind,
    nullable: bool,
    /// Whether `not_null` cancels `nullable`.
    not_null: bool,
}

#[derive(Clone, Debug)]
enum Kind {
    Integer {
        least: Option<i64>,
        most: Option<i64>,
    },
    Float {
        least: Option<i64>,
    },
    Text {
        least: Option<u8>,
        most: Option<u8>,
    },
    Choice,
    Boolean,
    Any,
    List {
        item: Box<Sampled>,
        least: Option<u8>,
        most: Option<u8>,
    },
    Map(Vec<Sampled>),
    OpenMap(Box<Sampled>),
}

fn sampled() -> impl Strategy<Value = Sampled> {
    let bound = || proptest::option::of(-3..6i64);
    let length = || proptest::option::of(0..4u8);
    let leaf = prop_oneof![
        (bound(), bound()).prop_map(|(least, most)| Kind::Integer { least, most }),
        bound().prop_map(|least| Kind::Float { least }),
        (length(), length()).prop_map(|(least, most)| Kind::Text { least, most }),
        Just(Kind::Choice),
        Just(Kind::Boolean),
        Just(Kind::Any),
    ];
    let with_flags = |kind: BoxedStrategy<Kind>| {
        let flags = (prop::bool::weighted(0.3), prop::bool::weighted(0.15));
        (kind, flags).prop_map(|(kind, (nullable, not_null))| Sampled {
            kind,
            nullable,
            not_null,
        })
    };
    with_flags(leaf.boxed()).prop_recursive(3, 12, 4, move |inner| {
        let kind = prop_oneof![
            (inner.clone(), length(), length()).prop_map(|(item, least, most)| Kind::List {
                item: Box::new(item),
                least,
                most
            }),
            prop::collection::vec(inner.clone(), 1..4).prop_map(Kind::Map),
            inner.prop_map(|value| Kind::OpenMap(Box::new(value))),
        ];
        with_flags(kind.boxed())
    })
}

impl Sampled {
    /// Writes the annotations of the type, and then its value after `start`, which is a key or a
    /// dash.
    fn write(&self, start: &str, indent: usize, text: &mut String) {
        let pad = " ".repeat(indent);
        let mut rules = Vec::new();
        let mut rule = |name: &str, value: Option<i64>| {
            rules.extend(value.map(|value| format!("{name}={value}")));
        };
        let default = match &self.kind {
            Kind::Integer { least, most } => {
                rule("min", *least);
                rule("max", *most);
                "2"
            }
            Kind::Float { least } => {
                rule("min", *least);
                "2.5"
            }
            Kind::Text { least, most } => {
                rule("min_len", least.map(i64::from));
                rule("max_len", most.map(i64::from));
                "ab"
            }
            Kind::Choice => "a",
            Kind::Boolean => "true",
            Kind::Any => "x",
            Kind::List { least, most, .. } => {
                rule("min_len", least.map(i64::from));
                rule("max_len", most.map(i64::from));
                ""
            }
            Kind::Map(_) | Kind::OpenMap(_) => "",
        };
        if matches!(self.kind, Kind::Choice) {
            rules.push("one_of=[\"a\", \"b\"]".to_owned());
        }
        if self.not_null {
            rules.push("not_null=True".to_owned());
        }
        if self.nullable {
            writeln!(text, "{pad}#@schema/nullable").unwrap();
        }
        match self.kind {
            Kind::Any => writeln!(text, "{pad}#@schema/type any=True").unwrap(),
            Kind::OpenMap(_) => writeln!(text, "{pad}#@schema/additional-keys").unwrap(),
            _ => {}
        }
        if !rules.is_empty() {
            writeln!(text, "{pad}#@schema/validation {}", rules.join(", ")).unwrap();
        }
        writeln!(text, "{pad}{start} {default}").unwrap();
        match &self.kind {
            Kind::List { item, .. } => item.write("-", indent + 2, text),
            Kind::OpenMap(value) => value.write("each:", indent + 2, text),
            Kind::Map(fields) => {
                for (field, name) in fields.iter().zip(NAMES) {
                    field.write(&format!("{name}:"), indent + 2, text);
                }
            }
            _ => {}
        }
    }

    /// Returns a value, usually of this type, and sometimes of another one.
    fn value(&self, choices: &mut Choices) -> Value {
        if choices.once_in(12) {
            return choices.of(&[
                json!(null),
                json!(7),
                json!("word"),
                json!([]),
                json!({}),
                json!(true),
                json!(0.5),
            ]);
        }
        if choices.once_in(8) {
            return Value::Null;
        }
        match &self.kind {
            Kind::Integer { .. } => json!(choices.below(10) as i64 - 4),
            Kind::Float { .. } => choices.of(&[json!(-3.5), json!(0.5), json!(3), json!(7.25)]),
            Kind::Text { .. } => json!("x".repeat(choices.below(6))),
            Kind::Choice => choices.of(&[json!("a"), json!("b"), json!("c")]),
            Kind::Boolean => json!(choices.once_in(2)),
            Kind::Any => choices.of(&[json!(1), json!({"p": [1]}), json!("x")]),
            Kind::List { item, .. } => {
                let count = choices.below(5);
                (0..count).map(|_| item.value(choices)).collect()
            }
            Kind::OpenMap(value) => {
                let count = choices.below(3);
                let entries = NAMES.into_iter().take(count);
                entries
                    .map(|name| (name.to_owned(), value.value(choices)))
                    .collect()
            }
            Kind::Map(fields) => {
                let mut entries = Map::new();
                for (field, name) in fields.iter().zip(NAMES) {
                    if !choices.once_in(4) {
                        entries.insert(name.to_owned(), field.value(choices));
                    }
                }
                if choices.once_in(15) {
                    entries.insert("other".to_owned(), json!(1));
                }
                Value::Object(entries)
            }
        }
    }
}

const NAMES: [&str; 4] = ["k", "l", "m", "o"];

/// Random numbers from bytes that the test runner can shrink after a failure.
struct Choices(std::vec::IntoIter<u8>);

impl Choices {
    fn below(&mut self, most: usize) -> usize {
        usize::from(self.0.next().unwrap_or(0)) % most
    }

    fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 1
    }

    fn of(&mut self, values: &[Value]) -> Value {
        values[self.below(values.len())].clone()
    }
}

/// A schema, values for it, the exported schema, and the result of the checker.
struct Verdict {
    schema: String,
    given: Value,
    exported: Value,
    checked: Result<String, Vec<String>>,
}

/// Checks values with Inlay. Returns `None` for a schema that is rejected: its bounds may exclude
/// each other.
fn verdict(fields: &[Sampled], choices: Vec<u8>) -> Option<Verdict> {
    let root = Sampled {
        kind: Kind::Map(fields.to_vec()),
        nullable: false,
        not_null: false,
    };
    let mut schema = "---\n".to_owned();
    for (field, name) in fields.iter().zip(NAMES) {
        field.write(&format!("{name}:"), 0, &mut schema);
    }
    let given = root.value(&mut Choices(choices.into_iter()));
    // A document that is not a map is a separate kind of error.
    if !given.is_object() {
        return None;
    }
    let exported = with_schema(&schema, |schema, _, _| {
        Ok(encode_node(&schema.json_schema()).unwrap())
    });
    let exported = serde_json::from_str(&exported.ok()?).unwrap();
    let checked = values(&schema, &given.to_string());
    Some(Verdict {
        schema,
        given,
        exported,
        checked,
    })
}

proptest! {
    #[test]
    fn the_export_accepts_what_the_checker_accepts(
        fields in prop::collection::vec(sampled(), 1..4),
        choices in prop::collection::vec(any::<u8>(), 0..80),
    ) {
        let Some(Verdict { schema, given, exported, checked }) = verdict(&fields, choices) else {
            return Ok(());
        };
        prop_assert_eq!(
            is_valid(&exported, &given),
            checked.is_ok(),
            "schema:\n{}\nvalues: {}\nexport: {}\nthe checker: {:?}",
            schema, given, exported, checked
        );
    }
}

/// Reads a list of schemas and values as JSON, and prints whether each is valid.
const VALIDATE: &str = "\
import json, sys
from jsonschema import Draft202012Validator
for schema, value in json.load(sys.stdin):
    Draft202012Validator.check_schema(schema)
    print(Draft202012Validator(schema).is_valid(value))
";

/// The validator of this test agrees with an independent one, if Python has it.
#[test]
fn another_validator_says_the_same() {
    let python = |script: &str| {
        let mut command = Command::new("python3");
        command
            .args(["-c", script])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped());
        command
    };
    if !python("import jsonschema")
        .status()
        .is_ok_and(|status| status.success())
    {
        return eprintln!("python3 with jsonschema: not on this machine");
    }
    let mut runner = TestRunner::deterministic();
    let mut verdicts = Vec::new();
    while verdicts.len() < 200 {
        let sample = (
            prop::collection::vec(sampled(), 1..4),
            prop::collection::vec(any::<u8>(), 0..80),
        );
        let (fields, choices) = sample.new_tree(&mut runner).unwrap().current();
        verdicts.extend(verdict(&fields, choices));
    }
    let cases: Vec<_> = verdicts
        .iter()
        .map(|one| json!([one.exported, one.given]))
        .collect();
    let mut child = python(VALIDATE).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    input
        .write_all(json!(cases).to_string().as_bytes())
        .unwrap();
    drop(input);
    let output = child.wait_with_output().unwrap();
    let answers = String::from_utf8(output.stdout).unwrap();
    assert_eq!(answers.lines().count(), verdicts.len());
    for (answer, verdict) in answers.lines().zip(&verdicts) {
        let Verdict {
            schema,
            given,
            exported,
            checked,
        } = verdict;
        assert_eq!(
            answer == "True",
            checked.is_ok(),
            "schema:\n{schema}\nvalues: {given}\nexport: {exported}\nthe checker: {checked:?}"
        );
    }
}
