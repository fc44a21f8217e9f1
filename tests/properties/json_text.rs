//! JSON in random styles.

use crate::choices::Choices;
use crate::value::Value;

/// Returns `value` as JSON: compact, spaced, or on several lines with any indentation, sometimes with comments.
pub(crate) fn json_text(value: &Value, choices: &mut Choices) -> String {
    let mut writer = Writer {
        step: choices.one_of(&["", "  ", "    ", "\t", " "]),
        spaced: choices.once_in(2),
        comments: choices.once_in(5),
        choices,
    };
    let body = writer.value(value, 0);
    let newline = writer.choices.one_of(&["\n", "\n", "\n", "\r\n"]);
    let tail = writer.choices.one_of(&["", "\n", "\n\n", " ", "\n  "]);
    let head = writer
        .choices
        .one_of(&["", "", "", "", "\n", " ", "\u{feff}"]);
    format!("{head}{}{tail}", body.replace('\n', newline))
}

/// Returns the text of a JSON string, with the necessary escapes and some unnecessary ones.
pub(crate) fn json_string(text: &str, choices: &mut Choices) -> String {
    let mut result = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => result.extend(['\\', c]),
            '\n' => result.push_str("\\n"),
            '\t' => result.push_str("\\t"),
            '\r' => result.push_str("\\r"),
            '/' if choices.once_in(3) => result.push_str("\\/"),
            c if c < ' ' || choices.once_in(30) => {
                let mut units = [0; 2];
                c.encode_utf16(&mut units)
                    .iter()
                    .for_each(|unit| result.push_str(&format!("\\u{unit:04X}")));
            }
            c => result.push(c),
        }
    }
    result.push('"');
    result
}

struct Writer<'c> {
    step: &'static str,
    spaced: bool,
    comments: bool,
    choices: &'c mut Choices,
}

impl Writer<'_> {
    fn value(&mut self, value: &Value, depth: usize) -> String {
        match value {
            Value::Word(word) if word.is_empty() => "null".to_owned(),
            Value::Word(word) => word.clone(),
            Value::Text(text) => json_string(text, self.choices),
            Value::List(items) => {
                let parts = items
                    .iter()
                    .map(|item| self.value(item, depth + 1))
                    .collect();
                self.bracketed('[', parts, ']', depth)
            }
            Value::Map(entries) => {
                let parts = entries.iter().map(|(key, value)| {
                    let colon = if self.spaced {
                        self.choices.one_of(&[": ", ": ", " : ", ":  "])
                    } else {
                        ":"
                    };
                    format!(
                        "{}{colon}{}",
                        json_string(key, self.choices),
                        self.value(value, depth + 1)
                    )
                });
                let parts = parts.collect();
                self.bracketed('{', parts, '}', depth)
            }
        }
    }

    fn bracketed(&mut self, open: char, parts: Vec<String>, close: char, depth: usize) -> String {
        let wide = !self.step.is_empty() && !self.choices.once_in(4);
        let (inner, outer) = (self.step.repeat(depth + 1), self.step.repeat(depth));
        let mut result = String::from(open);
        for (index, part) in parts.iter().enumerate() {
            if index > 0 {
                result.push(',');
            }
            if wide {
                if self.comments && self.choices.once_in(3) {
                    result.push_str(" // , \"note\": [");
                }
                if self.choices.once_in(8) {
                    result.push('\n');
                }
                result.push_str(&format!("\n{inner}"));
            } else if index > 0 && self.spaced {
                result.push(' ');
            }
            if self.comments && self.choices.once_in(6) {
                result.push_str("/* } */ ");
            }
            result.push_str(part);
        }
        if wide && !parts.is_empty() {
            result.push_str(&format!("\n{outer}"));
        } else if self.choices.once_in(6) {
            result.push(' ');
        }
        result.push(close);
        result
    }
}
