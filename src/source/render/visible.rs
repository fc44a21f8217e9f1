//! Makes text from outside safe to print: every control character and hidden character is replaced
//! by a visible one.
//!
//! Names, messages and excerpts quote files that nobody has checked. An escape sequence in them
//! could change the terminal, and a bidirectional override could show the characters in another
//! order than in the file (CVE-2021-42574).

use std::borrow::Cow;

use crate::source::world::HAS_WINDOWS_PATHS;

/// Returns the text with its hidden characters made visible. Line breaks are kept.
pub(super) fn visible(text: &str) -> String {
    if is_plain(text) {
        return text.to_owned();
    }
    let mut result = String::with_capacity(text.len());
    for (index, line) in text.split('\n').enumerate() {
        if index > 0 {
            result.push('\n');
        }
        for character in line.strip_suffix('\r').unwrap_or(line).chars() {
            push(&mut result, character);
        }
    }
    result
}

/// Returns whether a text can be printed as it is, which is nearly always true: it has only visible
/// ASCII characters, and no `[`, which may begin a command.
fn is_plain(text: &str) -> bool {
    text.bytes()
        .all(|byte| matches!(byte, b' '..=b'~') && byte != b'[')
}

/// Makes the hidden characters of a text visible, on one line: a line break becomes a space. The
/// line is not a command to a CI system, even if nothing is printed before it.
pub fn visible_line(text: &str) -> String {
    if is_plain(text) && !begins_command(text) {
        return text.to_owned();
    }
    let line = visible(text).replace('\n', " ");
    if begins_command(&line) {
        return line.replacen(':', "\\u{3a}", 1);
    }
    line
}

/// Returns whether a line is a command of GitHub, such as `::error::` or `::error file=a::`. The
/// runner ignores blanks in front of it.
fn begins_command(line: &str) -> bool {
    let command = line.trim_start().strip_prefix("::");
    command.is_some_and(|command| command.contains("::"))
}

/// Returns the name of a file or an object for a list that programs may read, with one name on each
/// line.
///
/// Names are quoted as in git if they contain control characters, a quote or a backslash: in `"`,
/// with `\\n` for a line break and octal numbers for the bytes of other control characters. So are
/// names that a CI system would take for commands. On Windows, a backslash separates folders and
/// does not require quotes.
pub fn quoted_name(name: &str) -> Cow<'_, str> {
    let is_command = begins_command(name);
    if is_plain(name) && !is_command && !name.contains(['"', '\\']) {
        return Cow::Borrowed(name);
    }
    let is_special = |character| match character {
        '"' => true,
        '\\' => !HAS_WINDOWS_PATHS,
        _ => is_hidden(character),
    };
    if !is_command && !name.contains(is_special) {
        return Cow::Borrowed(name);
    }
    let mut quoted = String::from("\"");
    for character in name.chars() {
        match character {
            '"' | '\\' => quoted.extend(['\\', character]),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            _ if is_hidden(character) => {
                let mut bytes = [0; 4];
                for byte in character.encode_utf8(&mut bytes).bytes() {
                    quoted.push_str(&format!("\\{byte:03o}"));
                }
            }
            _ => quoted.push(character),
        }
    }
    quoted.push('"');
    Cow::Owned(quoted)
}

/// Returns the text with its hidden characters made visible. Each line after the first begins with
/// a bar, so that a program that reads the log cannot take a line of a message for a command, such
/// as GitHub's `::error::`.
pub(super) fn visible_lines(text: &str) -> String {
    visible(text).replace('\n', "\n| ")
}

/// Appends a character in a form that is safe to show: a control character as its picture (`␛`), a
/// hidden character as its number (`\u{202e}`), a tab as four spaces.
pub(super) fn push(text: &mut String, character: char) {
    match character {
        '\t' => text.push_str("    "),
        '\0'..='\x1f' => text.extend(char::from_u32(0x2400 + u32::from(character))),
        '\x7f' => text.push('\u{2421}'),
        _ if is_hidden(character) => text.extend(character.escape_unicode()),
        // GitHub, Azure and TeamCity read these as the start of a command, even in the middle of a
        // line.
        '[' if ["##", "##vso", "##teamcity"]
            .iter()
            .any(|start| text.ends_with(start)) =>
        {
            text.push_str("\\u{5b}")
        }
        _ => text.push(character),
    }
}

/// Returns whether a character is invisible itself but changes how the text around it is shown.
///
/// The joiners U+200C and U+200D are not included, because scripts and emoji need them.
pub(super) fn is_hidden(character: char) -> bool {
    matches!(character,
        '\0'..='\x1f' | '\x7f'..='\u{9f}'
        // Zero-width space, marks and overrides of the writing direction, invisible operators.
        | '\u{61c}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        // Line and paragraph separator, byte order mark, interlinear annotation, tags.
        | '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}'
    ) || is_noncharacter(character)
}

/// Returns whether a code point is one that Unicode reserves for internal use of programs.
fn is_noncharacter(character: char) -> bool {
    matches!(u32::from(character), 0xfdd0..=0xfdef) || u32::from(character) & 0xfffe == 0xfffe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn makes_control_and_hidden_characters_visible() {
        let cases = [
            (
                "plain text, ümläut, 漢字, 👩‍🔧",
                "plain text, ümläut, 漢字, 👩‍🔧",
            ),
            ("\x1b[31mred\x1b[0m", "␛[31mred␛[0m"),
            ("\x1b]8;;http://evil\x07link", "␛]8;;http://evil␇link"),
            ("\u{9b}31m", "\\u{9b}31m"),
            ("a\u{202e}b\u{2066}c", "a\\u{202e}b\\u{2066}c"),
            ("nul\0del\x7f", "nul␀del␡"),
            (
                "\u{feff}a\u{200b}b\u{e0041}",
                "\\u{feff}a\\u{200b}b\\u{e0041}",
            ),
            ("\u{ffff}\u{10fffe}", "\\u{ffff}\\u{10fffe}"),
            ("one\r\ntwo\rthree\nfour", "one\ntwo␍three\nfour"),
            ("a\tb", "a    b"),
        ];
        for (text, shown) in cases {
            assert_eq!(visible(text), shown);
        }
    }

    #[test]
    fn quotes_names_as_git_does() {
        let table = [
            ("a b/ü.yaml", "a b/ü.yaml"),
            ("a\nwould change b", r#""a\nwould change b""#),
            ("a\"b\\c", r#""a\"b\\c""#),
            ("\x1b[2J", r#""\033[2J""#),
            ("\u{202e}x", r#""\342\200\256x""#),
        ];
        for (name, expected) in table {
            assert_eq!(quoted_name(name), expected);
        }
    }

    #[test]
    fn begins_no_line_with_a_command() {
        assert_eq!(visible_lines("a\n::error::b"), "a\n| ::error::b");
        assert_eq!(visible_line("a ##[error]b"), "a ##\\u{5b}error]b");
        for (line, shown) in [
            ("::error::b.yml:1", "\\u{3a}:error::b.yml:1"),
            ("\n ::error a=b::c", "  \\u{3a}:error a=b::c"),
            ("\u{a0}::error::c", "\u{a0}\\u{3a}:error::c"),
            ("::1", "::1"),
            ("a ::error::b", "a ::error::b"),
        ] {
            assert_eq!(visible_line(line), shown);
        }
        assert_eq!(quoted_name("::error::b.yml"), "\"::error::b.yml\"");
        assert_eq!(quoted_name("::1"), "::1");
    }

    #[test]
    fn replaces_line_breaks_by_spaces_on_one_line() {
        assert_eq!(visible_line("one\r\ntwo\nthree"), "one two three");
    }
}
