//! What a pattern costs to compile and to match.

use regex::Regex;
use regex_syntax::hir::{Class, Hir, HirKind};

/// The properties of a pattern that decide how long it takes.
#[derive(Clone, Copy, Debug)]
pub struct PatternCost {
    /// About the number of characters and ranges of characters in the pattern after its
    /// repetitions are written out. Compiling takes time proportional to it. One search takes at
    /// most the length of the text times this size.
    pub size: usize,
    /// The length of the longest possible match in bytes; `None` if it has no end.
    pub longest_match: Option<usize>,
}

impl PatternCost {
    /// Returns the cost of a compiled pattern.
    pub fn of(regex: &Regex) -> PatternCost {
        match regex_syntax::parse(regex.as_str()) {
            Ok(hir) => PatternCost {
                size: size_of(&hir),
                longest_match: hir.properties().maximum_len(),
            },
            // Does not occur: the pattern was already compiled.
            Err(_) => PatternCost {
                size: regex.as_str().len(),
                longest_match: None,
            },
        }
    }
}

// The recursion is as deep as groups nest, which the parser limits.
fn size_of(hir: &Hir) -> usize {
    match hir.kind() {
        HirKind::Empty => 0,
        HirKind::Look(_) => 1,
        HirKind::Literal(literal) => literal.0.len(),
        HirKind::Class(Class::Unicode(class)) => class.ranges().len(),
        HirKind::Class(Class::Bytes(class)) => class.ranges().len(),
        HirKind::Capture(capture) => size_of(&capture.sub).saturating_add(2),
        // `a{2,5}` and `a{5,}` contain five copies, `a*` contains one.
        HirKind::Repetition(repetition) => {
            let copies = repetition.max.unwrap_or(repetition.min).max(1);
            size_of(&repetition.sub).saturating_mul(usize::try_from(copies).unwrap_or(usize::MAX))
        }
        HirKind::Concat(parts) | HirKind::Alternation(parts) => {
            let sizes = parts.iter().map(size_of);
            sizes.fold(0, usize::saturating_add)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::regexp::compile;

    #[test]
    fn counts_every_copy_of_a_repeated_part() {
        let table = [
            ("", 0),
            ("web-1", 5),
            ("^a$", 3),
            ("[a-z0-9]", 2),
            ("a*b+", 2),
            ("(ab)", 4),
            ("a{3}", 3),
            ("a{2,5}", 5),
            ("a{3,}", 3),
            ("((a{10}){10}){2}", 244),
            ("web|db", 5),
        ];
        for (pattern, expected) in table {
            let cost = PatternCost::of(&compile(pattern).unwrap());
            assert_eq!(cost.size, expected, "{pattern}");
        }
        assert!(PatternCost::of(&compile(r"\pL{20}").unwrap()).size > 5_000);
    }

    #[test]
    fn knows_how_long_a_match_can_be() {
        for (pattern, expected) in [("web|db", Some(3)), ("a{2,5}", Some(5)), ("ab*", None)] {
            let cost = PatternCost::of(&compile(pattern).unwrap());
            assert_eq!(cost.longest_match, expected, "{pattern}");
        }
    }
}
