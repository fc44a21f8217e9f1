//! Finds the texts with which the matches of a pattern can begin or end.
//!
//! A selector with the pattern `web-.*` can only match names that begin with `web-`. With this, an
//! index finds the few names for which the pattern has to be tried.

use regex::Regex;
use regex_syntax::hir::literal::{ExtractKind, Extractor, Seq};

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
        // A prefix can end in the middle of a character. Then it is no text, and the prefixes are
        // unknown.
        let text = std::str::from_utf8(literal.as_bytes()).ok()?;
        if text.is_empty() {
            return None;
        }
        texts.push(text.to_owned());
    }
    Some(texts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::regexp::compile_whole;

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
