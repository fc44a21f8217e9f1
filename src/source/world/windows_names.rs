//! Detects file names that have another meaning on Windows.
//!
//! On Windows, `a\b` is a file in a folder, `C:x` is on a drive, `a.` is `a`, and `nul.txt` is a
//! device. So a path that stays in its folder on every other system can lead elsewhere there.

/// Devices, also with any extension: `NUL`, `nul.txt`, `COM1.yaml`.
const DEVICES: [&str; 6] = ["con", "prn", "aux", "nul", "conin$", "conout$"];

/// Returns a description of the problem that one part of a path has on Windows.
pub fn windows_fault(part: &str) -> Option<&'static str> {
    if part.contains('\\') {
        return Some("`\\` separates folders on Windows");
    }
    if part.contains(':') {
        return Some("`:` names a drive or a stream on Windows");
    }
    if part.contains(|c: char| matches!(c, '<' | '>' | '"' | '|' | '?' | '*') || c < ' ') {
        return Some("Windows allows no `<`, `>`, `\"`, `|`, `?`, `*` and no control characters");
    }
    if part.ends_with(['.', ' ']) {
        return Some("Windows removes dots and spaces at the end of a name");
    }
    if is_device(part) {
        return Some("the name is a device on Windows");
    }
    None
}

fn is_device(part: &str) -> bool {
    let stem = part.split('.').next().unwrap_or_default();
    let stem = stem.trim_end().to_lowercase();
    if DEVICES.contains(&stem.as_str()) {
        return true;
    }
    // `COM1` to `COM9`, also with the digits `¹`, `²` and `³`.
    let number = stem
        .strip_prefix("com")
        .or_else(|| stem.strip_prefix("lpt"));
    number.is_some_and(|number| {
        let mut digits = number.chars();
        let is_digit = digits
            .next()
            .is_some_and(|c| c.is_ascii_digit() || "¹²³".contains(c));
        is_digit && digits.next().is_none()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refuses_names_with_another_meaning_on_windows() {
        let refused = [
            "a\\b",
            "..\\a",
            "\\\\server\\share",
            "C:",
            "C:a",
            "a:stream",
            "nul",
            "NUL.txt",
            "Aux.yml",
            "com1",
            "COM9.yaml",
            "lpt³",
            "con .x",
            "a.",
            "a ",
            "...",
            "a*b",
            "a?",
            "a\u{1f}",
            "CONIN$",
        ];
        for part in refused {
            assert!(windows_fault(part).is_some(), "{part}");
        }
        let allowed = [
            "a.yml",
            ".hidden",
            "null",
            "comx",
            "com10",
            "console.yml",
            "ä b",
            "lpt",
        ];
        for part in allowed {
            assert_eq!(windows_fault(part), None, "{part}");
        }
    }
}
