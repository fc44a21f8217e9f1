//! TOML texts for a given table, in random forms.

use proptest::prelude::*;
use toml::{Table, Value};

use crate::choices::Choices;

const KEYS: &[&str] = &[
    "a", "b", "key", "a-b_1", "1", "", "a.b", "quote\"d", "\u{e9}", "x y",
];

const TEXTS: &[&str] = &[
    "",
    "a",
    "two words",
    "it's",
    "say \"so\"",
    "\\",
    "\\n",
    "a\nb\n",
    "\t",
    "\u{1f600}",
    "\u{7f}",
    "'''",
    "\"\"\"",
    "1",
    "true",
    "1979-05-27",
    "# no comment",
    "[a]",
    "a = 1",
    "{\"b\": 1}",
    " ",
    "\r",
    "inf",
];

const TIMES: &[&str] = &[
    "1979-05-27",
    "1979-05-27T07:32:00Z",
    "07:32:00",
    "1979-05-27T00:32:00.5-07:00",
];

const FLOATS: &[f64] = &[0.5, -1e300, 2.0, f64::INFINITY, f64::NEG_INFINITY];

pub(crate) fn scalar() -> impl Strategy<Value = Value> {
    prop_oneof![
        any::<i64>().prop_map(Value::Integer),
        (0..20_i64).prop_map(Value::Integer),
        prop::sample::select(FLOATS).prop_map(Value::Float),
        any::<bool>().prop_map(Value::Boolean),
        prop::sample::select(TEXTS).prop_map(|text| Value::String(text.to_owned())),
        prop::collection::vec(any::<char>(), 0..6)
            .prop_map(|text| Value::String(text.into_iter().collect())),
        prop::sample::select(TIMES).prop_map(|text| Value::Datetime(text.parse().expect("a time"))),
    ]
}

fn key() -> impl Strategy<Value = String> {
    prop::sample::select(KEYS).prop_map(str::to_owned)
}

pub(crate) fn value() -> impl Strategy<Value = Value> {
    scalar().prop_recursive(4, 24, 4, |inner| {
        let table = |inner, size| {
            prop::collection::btree_map(key(), inner, size)
                .prop_map(|map| Value::Table(map.into_iter().collect()))
        };
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::Array),
            table(inner.clone(), 0..4),
            prop::collection::vec(table(inner, 0..3), 1..3).prop_map(Value::Array),
        ]
    })
}

pub(crate) fn table() -> impl Strategy<Value = Table> {
    prop::collection::btree_map(key(), value(), 0..6).prop_map(|map| map.into_iter().collect())
}

/// Returns a text whose content is `table`.
pub(crate) fn toml_text(table: &Table, choices: &mut Choices) -> String {
    let newline = choices.one_of(&["\n", "\n", "\n", "\r\n"]);
    let mut writer = Writer {
        text: String::new(),
        choices,
        indent: "",
    };
    writer.body(table, "");
    let cut = writer.choices.once_in(5);
    let text = writer
        .text
        .strip_suffix('\n')
        .filter(|_| cut)
        .unwrap_or(&writer.text);
    text.replace('\n', newline)
}

struct Writer<'c> {
    text: String,
    choices: &'c mut Choices,
    indent: &'static str,
}

impl Writer<'_> {
    fn key(&mut self, key: &str) -> String {
        let bare = !key.is_empty()
            && key
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_');
        match self.choices.pick(4) {
            0..3 if bare => key.to_owned(),
            _ if !key.contains('\'') && self.choices.once_in(2) => format!("'{key}'"),
            _ => format!("\"{}\"", key.replace('\\', "\\\\").replace('"', "\\\"")),
        }
    }

    fn filler(&mut self) {
        let fillers = [
            "",
            "",
            "",
            "# a comment\n",
            "\n",
            "# one\n# two\n",
            "\n# apart\n\n",
            "  # indented\n",
            " \n\n",
        ];
        self.text.push_str(self.choices.one_of(&fillers));
    }

    fn statement(&mut self, key: &str, value: &Value) {
        self.filler();
        let equals = self.choices.one_of(&[" = ", " = ", "=", "   =  "]);
        let tail = self.choices.one_of(&["", "", "", " # tail", "  "]);
        let value = self.inline(value);
        self.text
            .push_str(&format!("{}{key}{equals}{value}{tail}\n", self.indent));
    }

    fn body(&mut self, table: &Table, path: &str) {
        let mut sections = Vec::new();
        for (name, value) in table {
            let key = self.key(name);
            match value {
                Value::Table(inner) => match self.choices.pick(3) {
                    0 => sections.push((key, value)),
                    1 if !inner.is_empty() => self.dotted(&key, inner),
                    _ => self.statement(&key, value),
                },
                Value::Array(items)
                    if !items.is_empty()
                        && items.iter().all(Value::is_table)
                        && self.choices.once_in(2) =>
                {
                    sections.push((key, value));
                }
                _ => self.statement(&key, value),
            }
        }
        for (key, value) in sections {
            let path = if path.is_empty() {
                key
            } else {
                format!("{path}.{key}")
            };
            self.section(&path, value);
        }
        self.filler();
    }

    fn section(&mut self, path: &str, value: &Value) {
        match value {
            Value::Table(table) => {
                let implicit = !table.is_empty()
                    && table.values().all(Value::is_table)
                    && self.choices.once_in(2);
                if implicit {
                    for (name, inner) in table {
                        let path = format!("{path}.{}", self.key(name));
                        self.header(&format!("[{path}]"));
                        self.body(inner.as_table().expect("a table"), &path);
                    }
                } else {
                    self.header(&format!("[{path}]"));
                    self.body(table, path);
                }
            }
            Value::Array(items) => {
                for item in items {
                    self.header(&format!("[[{path}]]"));
                    self.body(item.as_table().expect("a table"), path);
                }
            }
            _ => unreachable!("only tables have headers"),
        }
    }

    fn dotted(&mut self, key: &str, table: &Table) {
        for (name, value) in table {
            let dot = self.choices.one_of(&[".", ".", " . "]);
            let key = format!("{key}{dot}{}", self.key(name));
            match value {
                Value::Table(inner) if !inner.is_empty() && self.choices.once_in(2) => {
                    self.dotted(&key, inner)
                }
                _ => self.statement(&key, value),
            }
        }
    }

    fn header(&mut self, header: &str) {
        self.filler();
        self.indent = self.choices.one_of(&["", "", "  ", "\t"]);
        let tail = self.choices.one_of(&["", "", " # header"]);
        self.text
            .push_str(&format!("{}{header}{tail}\n", self.indent));
    }

    fn inline(&mut self, value: &Value) -> String {
        match value {
            Value::String(text) => self.string(text),
            Value::Integer(number) if *number >= 0 => match self.choices.pick(5) {
                1 => format!("+{number}"),
                2 => format!("0x{number:X}"),
                3 if *number > 9 => {
                    let digits = number.to_string();
                    format!("{}_{}", &digits[..1], &digits[1..])
                }
                _ => number.to_string(),
            },
            Value::Array(items) => {
                let (open, lead, close) = self.choices.one_of(&[
                    ("", "", ""),
                    ("", " ", ""),
                    (" ", " ", " "),
                    ("\n  ", "\n  ", "\n"),
                    ("# c\n", "\n # d\n ", " "),
                ]);
                let tail = if self.choices.once_in(3) && !items.is_empty() {
                    ","
                } else {
                    ""
                };
                let parts: Vec<String> = items.iter().map(|item| self.inline(item)).collect();
                let after = if lead.contains('\n') {
                    self.choices.one_of(&["", " # after"])
                } else {
                    ""
                };
                format!(
                    "[{open}{}{tail}{close}]",
                    parts.join(&format!(",{after}{lead}"))
                )
            }
            Value::Table(table) => {
                let (lead, equals) = self.choices.one_of(&[("", "="), (" ", " = "), (" ", "=")]);
                let mut parts = Vec::new();
                self.members(table, "", equals, &mut parts);
                format!("{{{lead}{}{lead}}}", parts.join(&format!(",{lead}")))
            }
            Value::Integer(number) => number.to_string(),
            Value::Float(number) => format!("{number:?}"),
            Value::Boolean(value) => value.to_string(),
            Value::Datetime(time) => time.to_string(),
        }
    }

    fn members(&mut self, table: &Table, prefix: &str, equals: &str, parts: &mut Vec<String>) {
        for (name, value) in table {
            let key = format!("{prefix}{}", self.key(name));
            match value {
                Value::Table(inner) if !inner.is_empty() && self.choices.once_in(2) => {
                    self.members(inner, &format!("{key}."), equals, parts);
                }
                _ => {
                    let value = self.inline(value);
                    parts.push(format!("{key}{equals}{value}"));
                }
            }
        }
    }

    /// Writes a string without line breaks, because those of the text vary.
    fn string(&mut self, text: &str) -> String {
        let is_control = |c: char| c < ' ' || c == '\u{7f}';
        match self.choices.pick(4) {
            1 if !text.contains(|c| c == '\'' || is_control(c)) => format!("'{text}'"),
            2 if !text.contains(|c| c == '\'' || is_control(c)) => format!("'''{text}'''"),
            3 if !text.contains(|c| c == '"' || c == '\\' || is_control(c)) => {
                format!("\"\"\"\n{text}\"\"\"")
            }
            _ => {
                let escaped = text.chars().map(|c| match c {
                    '"' | '\\' => format!("\\{c}"),
                    c if is_control(c) => format!("\\u{:04x}", u32::from(c)),
                    c => c.to_string(),
                });
                format!("\"{}\"", escaped.collect::<String>())
            }
        }
    }
}
