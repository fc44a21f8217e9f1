//! Finds the texts with which the matches of a pattern can begin or end.
//!
//! A selector with the pattern `web-.*` can only match names that begin with `web-`. With this, an
//! index finds the few names for which the pattern has to be tried.

use regex::Regex;
use regex_syntax::hir::literal::{ExtractKind, Extractor, Seq};
use regex_syntax::hir::{Hir, HirKind};

/// The texts with which every match of a pattern begins, and those with which it ends. A side is
/// `None` if there are too many texts, or if they are unknown.
#[derive(Clone, Debug, Default)]
pub struct PatternBounds {
    /// The possible beginnings of a match.
    pub prefixes: Option<Vec<String>>,
    /// The possible ends of a match.
    pub suffixes: Option<Vec<String>>,
}

impl PatternBounds {
    /// Returns the bounds of a compiled pattern.
    pub fn of(regex: &Regex) -> PatternBounds {
        let Ok(hir) = regex_syntax::parse(regex.as_str()) else {
            return PatternBounds::default();
        };
        let mut extractor = Extractor::new();
        let prefixes = texts(&extractor.kind(ExtractKind::Prefix).extract(&hir));
        let suffixes = texts(&extractor.kind(ExtractKind::Suffix).extract(&hir));
        PatternBounds { prefixes, suffixes }
    }
}

/// Returns the texts of a sequence, if all are known and none is empty.
fn texts(sequence: &Seq) -> Option<Vec<String>> {
    let mut texts = Vec::new();
    for literal in sequence.literals()? {
        // A prefix can end in the middle of a character. Then it is not text, and the prefixes are
        // unknown.
        let text = std::str::from_utf8(literal.as_bytes()).ok()?;
        if text.is_empty() {
            return None;
        }
        texts.push(text.to_owned());
    }
    Some(texts)
}

/// Returns the characters with which every match of a compiled pattern begins, up to the first part
/// that has alternatives or repeats. `None` is any one character: `a.b*` begins with `a` and one
/// character.
pub fn beginning(regex: &Regex) -> Vec<Option<char>> {
    let Ok(hir) = regex_syntax::parse(regex.as_str()) else {
        return Vec::new();
    };
    let mut characters = Vec::new();
    let parts = match hir.kind() {
        HirKind::Concat(parts) => parts.as_slice(),
        _ => std::slice::from_ref(&hir),
    };
    for part in parts {
        if !begin_with(part, &mut characters) {
            break;
        }
    }
    characters
}

/// Appends the characters of a part of a pattern. Returns false if they are not fixed.
fn begin_with(part: &Hir, characters: &mut Vec<Option<char>>) -> bool {
    match part.kind() {
        HirKind::Look(_) => {}
        HirKind::Class(_) => characters.push(None),
        HirKind::Literal(literal) => match std::str::from_utf8(&literal.0) {
            Ok(text) => characters.extend(text.chars().map(Some)),
            Err(_) => return false,
        },
        _ => return false,
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::regexp::{compile, compile_whole};

    #[test]
    fn knows_the_characters_at_the_beginning() {
        for (pattern, expected) in [
            ("^web(:.*)?$", "web"),
            ("^a.b/c", "a?b/c"),
            ("^a[.]b", "a.b"),
            ("^a[bc]d", "a?d"),
            ("^ab*", "a"),
            ("^a|b", ""),
            ("", ""),
        ] {
            let found = beginning(&compile(pattern).unwrap());
            let found: String = found.iter().map(|found| found.unwrap_or('?')).collect();
            assert_eq!(found, expected, "{pattern}");
        }
    }

    #[test]
    fn knows_how_matches_begin_and_end() {
        type Texts = Option<&'static [&'static str]>;
        let table: [(&str, Texts, Texts); 7] = [
            ("web-.*", Some(&["web-"]), None),
            (".*-db", None, Some(&["-db"])),
            ("a(5)", Some(&["a5"]), Some(&["a5"])),
            ("web|db", Some(&["web", "db"]), Some(&["web", "db"])),
            (".*", None, None),
            ("(web)?-x", Some(&["web-x", "-x"]), Some(&["web-x", "-x"])),
            ("", None, None),
        ];
        let owned =
            |texts: Texts| texts.map(|texts| texts.iter().map(|&text| text.to_owned()).collect());
        for (pattern, prefixes, suffixes) in table {
            let bounds = PatternBounds::of(&compile_whole(pattern).unwrap());
            assert_eq!(bounds.prefixes, owned(prefixes), "{pattern}");
            assert_eq!(bounds.suffixes, owned(suffixes), "{pattern}");
        }
    }
}
