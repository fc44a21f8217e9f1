//! YAML in random styles.

use crate::choices::Choices;
use crate::scalar_text::{self, Place};
use crate::value::Value;

/// Returns the text of `values`, one document each. About one in `anchor_once_in` values has an
/// anchor.
pub(crate) fn yaml_text(values: &[Value], anchor_once_in: usize, choices: &mut Choices) -> String {
    let mut writer = Writer {
        choices,
        out: String::new(),
        anchored: Vec::new(),
        anchors: 0,
        anchor_once_in,
        keeps: false,
    };
    if writer.choices.once_in(12) {
        writer.out.push_str("# head\n\n");
    }
    for (index, value) in values.iter().enumerate() {
        writer.document(value, index);
    }
    let Writer { mut out, keeps, .. } = writer;
    if !keeps {
        out.push_str(choices.one_of(&["", "", "", "# foot\n", "\n"]));
    }
    if !keeps && choices.once_in(5) && out.ends_with('\n') {
        out.pop();
    }
    if choices.once_in(6) {
        out = out.replace('\n', "\r\n");
    }
    if choices.once_in(12) {
        out.insert(0, '\u{feff}');
    }
    out
}

struct Writer<'c> {
    choices: &'c mut Choices,
    out: String,
    /// The values that have an anchor in this document.
    anchored: Vec<(String, Value)>,
    anchors: usize,
    anchor_once_in: usize,
    /// Whether a blank line here would belong to the block scalar before it.
    keeps: bool,
}

impl Writer<'_> {
    fn document(&mut self, value: &Value, index: usize) {
        self.anchored.clear();
        let directive = index == 0 && self.out.is_empty() && self.choices.once_in(15);
        if directive {
            self.out.push_str("%YAML 1.2\n");
        }
        let marked = index > 0 || directive || self.choices.once_in(6);
        if marked {
            self.out.push_str("---");
        }
        let inline = !self.is_block(value) || !marked && value.children().is_empty();
        if inline && marked && !self.choices.once_in(3) {
            self.value(value, None, 0);
        } else {
            if marked {
                self.out
                    .push_str(self.choices.one_of(&["\n", "\n", " # marker\n", "  \n"]));
            }
            if self.is_block(value) {
                let indent = self.choices.one_of(&[0, 0, 0, 0, 2]);
                self.out.push_str(&" ".repeat(indent));
                self.block(value, indent);
            } else {
                self.value(value, None, 0);
            }
        }
        if self.choices.once_in(10) {
            self.out.push_str("...\n");
            self.keeps = false;
        }
    }

    /// Decides at random whether a value is written as a block collection; each call decides anew.
    fn is_block(&mut self, value: &Value) -> bool {
        !value.children().is_empty() && !self.choices.once_in(5)
    }

    /// Writes a value after a key, a dash or a marker, including the end of its line. `parent` is
    /// the indentation of the collection around it, and `least` the minimum indentation of its own
    /// lines.
    fn value(&mut self, value: &Value, parent: Option<usize>, least: usize) {
        self.keeps = false;
        let gap = if self.out.is_empty() || self.out.ends_with('\n') {
            ""
        } else {
            self.choices.one_of(&[" ", " ", " ", "  "])
        };
        if value == &Value::Word(String::new()) && parent.is_some() && self.choices.once_in(3) {
            self.line_end();
            return;
        }
        let alias = self
            .anchored
            .iter()
            .find(|(_, anchored)| anchored == value)
            .map(|(name, _)| name.clone());
        if let Some(name) = alias.filter(|_| self.choices.once_in(2)) {
            self.out.push_str(&format!("{gap}*{name}"));
            self.line_end();
            return;
        }
        let properties = self.properties(value);
        self.out.push_str(&format!("{gap}{properties}"));
        if let Value::Text(text) = value
            && self.choices.once_in(2)
            && let Some((block, keeps)) = scalar_text::block(text, parent, self.choices)
        {
            self.out.push_str(&block);
            self.keeps = keeps;
            return;
        }
        let text = self.inline(
            value,
            Place {
                one_line: false,
                indent: least,
            },
        );
        self.out.push_str(&text);
        self.line_end();
    }

    fn line_end(&mut self) {
        self.out.push_str(self.choices.one_of(&[
            "\n",
            "\n",
            "\n",
            "\n",
            " # note: 'x\n",
            " \n",
            "\t#\n",
        ]));
    }

    /// Returns an anchor, a tag, or both; usually neither.
    fn properties(&mut self, value: &Value) -> String {
        let mut properties = String::new();
        if self.choices.once_in(self.anchor_once_in) {
            self.anchors += 1;
            let name = format!("a{}", self.anchors);
            properties.push_str(&format!("&{name} "));
            self.anchored.push((name, value.clone()));
        }
        if matches!(value, Value::Text(_)) && self.choices.once_in(20) {
            properties.push_str("!!str ");
        }
        properties
    }

    /// Writes the entries of a collection whose first line is already indented.
    fn block(&mut self, value: &Value, indent: usize) {
        let parts: Vec<(Option<&String>, &Value)> = match value {
            Value::Map(entries) => entries
                .iter()
                .map(|(key, value)| (Some(key), value))
                .collect(),
            _ => value
                .children()
                .into_iter()
                .map(|item| (None, item))
                .collect(),
        };
        for (index, (key, value)) in parts.into_iter().enumerate() {
            if index > 0 {
                self.between(indent);
                self.out.push_str(&" ".repeat(indent));
            }
            match key {
                Some(key) => self.entry(key, value, indent),
                None => self.item(value, indent),
            }
        }
    }

    /// Writes blank lines and comments between two entries.
    fn between(&mut self, indent: usize) {
        if !self.keeps && self.choices.once_in(8) {
            self.out
                .push_str(self.choices.one_of(&["\n", "\n\n", " \n"]));
        }
        if self.choices.once_in(8) {
            let comment = self
                .choices
                .one_of(&["# above\n", "# - x: [\n", "#\n# two\n"]);
            let margin = " ".repeat(if self.choices.once_in(4) { 0 } else { indent });
            comment
                .lines()
                .for_each(|line| self.out.push_str(&format!("{margin}{line}\n")));
            if self.choices.once_in(4) {
                self.out.push('\n');
            }
        }
    }

    fn entry(&mut self, key: &str, value: &Value, indent: usize) {
        let place = Place {
            one_line: true,
            indent,
        };
        let spelled = scalar_text::inline(key, place, self.choices);
        if self.choices.once_in(20) {
            self.out
                .push_str(&format!("? {spelled}\n{}:", " ".repeat(indent)));
        } else {
            let anchor = if self.choices.once_in(30) {
                "&key "
            } else {
                ""
            };
            self.out.push_str(&format!(
                "{anchor}{spelled}{}:",
                self.choices.one_of(&["", "", "", "", " "])
            ));
        }
        if !self.is_block(value) {
            self.value(value, Some(indent), indent + 1);
            return;
        }
        let properties = self.properties(value);
        if !properties.is_empty() {
            self.out.push_str(&format!(" {}", properties.trim_end()));
        }
        self.line_end();
        if self.choices.once_in(12) {
            self.out
                .push_str(&format!("{}# inside\n", " ".repeat(indent + 1)));
        }
        let step = match value {
            Value::List(_) => self.choices.one_of(&[0, 2, 0, 1, 4]),
            _ => self.choices.one_of(&[2, 2, 4, 1, 3]),
        };
        self.out.push_str(&" ".repeat(indent + step));
        self.block(value, indent + step);
    }

    fn item(&mut self, value: &Value, indent: usize) {
        self.out.push('-');
        if !self.is_block(value) {
            self.value(value, Some(indent), indent + 1);
            return;
        }
        if self.choices.once_in(6) {
            self.line_end();
            let step = self.choices.one_of(&[2, 1, 4]);
            self.out.push_str(&" ".repeat(indent + step));
            self.block(value, indent + step);
            return;
        }
        let gap = self.choices.one_of(&[1, 1, 1, 3]);
        self.out.push_str(&" ".repeat(gap));
        self.block(value, indent + 1 + gap);
    }

    /// Returns a value on one line, or on several inside quotes and brackets.
    fn inline(&mut self, value: &Value, place: Place) -> String {
        match value {
            Value::Word(word) if word.is_empty() => {
                self.choices.one_of(&["null", "~", "Null"]).to_owned()
            }
            Value::Word(word) => word.clone(),
            Value::Text(text) => scalar_text::inline(text, place, self.choices),
            Value::List(items) => {
                let parts = items
                    .iter()
                    .map(|item| self.flow_item(item, place))
                    .collect();
                self.bracketed('[', parts, ']', place)
            }
            Value::Map(entries) => {
                let parts = entries
                    .iter()
                    .map(|(key, value)| self.flow_entry(key, value, place))
                    .collect();
                self.bracketed('{', parts, '}', place)
            }
        }
    }

    fn flow_item(&mut self, item: &Value, place: Place) -> String {
        match item {
            // In a list, a pair does not need braces.
            Value::Map(entries) if entries.len() == 1 && self.choices.once_in(4) => {
                let (key, value) = &entries[0];
                self.pair(key, value, place)
            }
            _ => self.inline(item, place),
        }
    }

    fn flow_entry(&mut self, key: &str, value: &Value, place: Place) -> String {
        if value == &Value::Word(String::new()) && self.choices.once_in(3) {
            let key = scalar_text::inline(
                key,
                Place {
                    one_line: true,
                    ..place
                },
                self.choices,
            );
            return format!("{key}{}", self.choices.one_of(&["", ":", ": "]));
        }
        self.pair(key, value, place)
    }

    fn pair(&mut self, key: &str, value: &Value, place: Place) -> String {
        let key = scalar_text::inline(
            key,
            Place {
                one_line: true,
                ..place
            },
            self.choices,
        );
        let quoted = key.ends_with(['"', '\'']);
        let space = if quoted && self.choices.once_in(3) {
            ""
        } else {
            self.choices.one_of(&[" ", " ", "  "])
        };
        format!("{key}:{space}{}", self.inline(value, place))
    }

    fn bracketed(&mut self, open: char, parts: Vec<String>, close: char, place: Place) -> String {
        let wide = !place.one_line && !parts.is_empty() && self.choices.once_in(4);
        let margin = format!(
            "\n{}",
            " ".repeat(place.indent + self.choices.one_of(&[2, 1, 0]))
        );
        let mut result = String::from(open);
        let count = parts.len();
        for (index, part) in parts.into_iter().enumerate() {
            if wide {
                result.push_str(self.choices.one_of(&["", "", "", " # , note"]));
                result.push_str(&margin);
            } else if index > 0 {
                result.push_str(self.choices.one_of(&[" ", " ", "", "  "]));
            }
            result.push_str(&part);
            if index + 1 < count || self.choices.once_in(10) {
                result.push_str(self.choices.one_of(&[",", ",", ",", " ,"]));
            }
        }
        if wide {
            result.push_str(&margin);
        } else {
            result.push_str(self.choices.one_of(&["", "", " "]));
        }
        result.push(close);
        result
    }
}
