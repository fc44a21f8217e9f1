//! Base 60 (`12:30:45`): text to us, a number to strict YAML 1.1 readers, so it is quoted on output.

/// Whether a text is `[-+]?[0-9][0-9_]*(:[0-5]?[0-9])+(\.[0-9_]*)?`.
pub(super) fn is_sexagesimal(text: &str) -> bool {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let (whole, fraction) = unsigned.split_once('.').unwrap_or((unsigned, ""));
    let Some((first, rest)) = whole.split_once(':') else {
        return false;
    };
    first.starts_with(|c: char| c.is_ascii_digit())
        && are_digits_or_underscores(first)
        && are_digits_or_underscores(fraction)
        && rest.split(':').all(is_sixtieth)
}

fn is_sixtieth(text: &str) -> bool {
    matches!(text.as_bytes(), [b'0'..=b'9'] | [b'0'..=b'5', b'0'..=b'9'])
}

fn are_digits_or_underscores(text: &str) -> bool {
    text.bytes()
        .all(|byte| byte.is_ascii_digit() || byte == b'_')
}
