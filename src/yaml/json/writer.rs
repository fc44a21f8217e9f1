//! Spells strings as JSON.

/// Returns a text as a JSON string in the shortest spelling, including the quotes.
///
/// Only `"`, `\` and control characters are escaped. Unlike Go's encoder, `<`, `>`, `&`, U+2028 and
/// U+2029 stay as they are: they need an escape in HTML and old JavaScript, not in JSON.
pub fn json_string(text: &str) -> String {
    let mut result = String::with_capacity(text.len() + 2);
    write_string(&mut result, text);
    result
}

/// Adds a text to `result` in the spelling of [`json_string`].
pub(super) fn write_string(result: &mut String, text: &str) {
    result.push('"');
    let mut rest = text;
    while let Some(position) =
        rest.find(|character| matches!(character, '"' | '\\' | '\0'..='\u{1f}'))
    {
        let (run, tail) = rest.split_at(position);
        result.push_str(run);
        let mut characters = tail.chars();
        characters
            .next()
            .into_iter()
            .for_each(|character| write_escape(result, character));
        rest = characters.as_str();
    }
    result.push_str(rest);
    result.push('"');
}

fn write_escape(result: &mut String, character: char) {
    match character {
        '\u{8}' => result.push_str("\\b"),
        '\u{c}' => result.push_str("\\f"),
        '\n' => result.push_str("\\n"),
        '\r' => result.push_str("\\r"),
        '\t' => result.push_str("\\t"),
        '"' | '\\' => result.extend(['\\', character]),
        control => result.push_str(&format!("\\u{:04x}", u32::from(control))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn only_what_must_be_escaped_is_escaped() {
        let table = [
            ("", r#""""#),
            ("plain é 😀 / ' ", r#""plain é 😀 / ' ""#),
            ("a\"b\\c", r#""a\"b\\c""#),
            ("\u{8}\u{c}\n\r\t", r#""\b\f\n\r\t""#),
            ("\0\u{1f}\u{7f}", "\"\\u0000\\u001f\u{7f}\""),
            ("<a href=\"&\">\u{2028}", "\"<a href=\\\"&\\\">\u{2028}\""),
        ];
        for (text, expected) in table {
            assert_eq!(json_string(text), expected);
        }
    }

    proptest! {
        #[test]
        fn every_string_is_spelled_as_serde_json_spells_it(text in any::<String>()) {
            prop_assert_eq!(json_string(&text), serde_json::to_string(&text).unwrap());
        }
    }
}
