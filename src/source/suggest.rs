//! Help with names: the name that was probably meant, and lists of names.

use std::cmp::Reverse;

use strsim::{damerau_levenshtein, levenshtein};

/// The maximum length of a name, in bytes, that is compared. Longer names are hardly typing
/// mistakes, and comparing takes quadratic time.
const MAX_LENGTH: usize = 128;

/// Returns a help text that names the candidate most similar to `found`: ``did you mean
/// `metadata.name`?``.
///
/// Two names are similar if at most a third of the characters of the longer one (but at least one,
/// and not all of them) were mistyped, left out, added or swapped with a neighbour. Case is
/// ignored. Of equally similar candidates the one with the longer common beginning wins, then the
/// first one.
pub fn did_you_mean<'a>(
    found: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<String> {
    nearest(found, candidates).map(|nearest| format!("did you mean `{nearest}`?"))
}

/// Returns the candidate that [`did_you_mean`] names.
pub fn nearest<'a>(found: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if found.len() > MAX_LENGTH {
        return None;
    }
    let found = found.to_lowercase();
    let mut nearest = None;
    let mut best = (usize::MAX, Reverse(0));
    for candidate in candidates {
        let Some(distance) = distance(&found, candidate) else {
            continue;
        };
        // `patchs` is one mistake away from `paths` and from `patches`. Prefer the longer common
        // beginning, because people mistype endings.
        let rank = (distance, Reverse(common_beginning(&found, candidate)));
        if rank < best {
            best = rank;
            nearest = Some(candidate);
        }
    }
    nearest
}

/// Returns the number of characters at the start that two names have in common. Case is ignored.
fn common_beginning(found: &str, candidate: &str) -> usize {
    let candidate = candidate.chars().flat_map(char::to_lowercase);
    found
        .chars()
        .zip(candidate)
        .take_while(|(own, other)| own == other)
        .count()
}

/// Returns the number of typing mistakes between two names, if they are similar.
fn distance(found: &str, candidate: &str) -> Option<usize> {
    if candidate.len() > MAX_LENGTH {
        return None;
    }
    let candidate = candidate.to_lowercase();
    let longer = found.chars().count().max(candidate.chars().count());
    // One mistake is always allowed, except in a name of one character: `x` is not similar to `y`.
    let allowed = (longer / 3).max(1).min(longer.saturating_sub(1));
    let distance = damerau_levenshtein(found, &candidate);
    (distance <= allowed).then_some(distance)
}

/// Returns whether Starlark in Go suggests `candidate` for `found`: fewer than half of its letters
/// differ. Underscores and case do not count.
pub fn is_near_in_go(found: &str, candidate: &str) -> bool {
    let folded = |name: &str| name.replace('_', "").to_lowercase();
    let found = folded(found);
    candidate.len() <= MAX_LENGTH
        && levenshtein(&found, &folded(candidate)) < found.len().div_ceil(2)
}

/// Returns the names as part of a sentence about one of them: `` `a`, `b` or `c` ``.
pub fn list<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    joined(names, "or")
}

/// Returns the names as part of a sentence about all of them: `` `a`, `b` and `c` ``.
pub fn list_of_all<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    joined(names, "and")
}

fn joined<'a>(names: impl IntoIterator<Item = &'a str>, word: &str) -> String {
    let names: Vec<String> = names.into_iter().map(|name| format!("`{name}`")).collect();
    match names.as_slice() {
        [] => String::new(),
        [only] => only.clone(),
        [most @ .., last] => format!("{} {word} {last}", most.join(", ")),
    }
}

/// Returns a name with its article: `an int`, `a string`.
pub fn with_article(name: &str) -> String {
    let article = if name.starts_with(['a', 'e', 'i', 'o', 'u']) {
        "an"
    } else {
        "a"
    };
    format!("{article} {name}")
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIELDS: [&str; 6] = [
        "metadata.name",
        "metadata.namespace",
        "kind",
        "spec",
        "data",
        "y",
    ];

    #[test]
    fn suggests_the_most_similar_name() {
        let cases = [
            ("metadata.nmae", Some("metadata.name")),
            ("metadata.namespac", Some("metadata.namespace")),
            ("Kind", Some("kind")),
            ("METADATA.NAME", Some("metadata.name")),
            ("knid", Some("kind")),
            ("sepc", Some("spec")),
            ("dat", Some("data")),
            ("status", None),
            ("x", None),
            ("", None),
        ];
        for (found, meant) in cases {
            let help = meant.map(|meant| format!("did you mean `{meant}`?"));
            assert_eq!(did_you_mean(found, FIELDS), help, "{found:?}");
        }
    }

    #[test]
    fn suggests_the_first_of_equally_similar_names() {
        assert_eq!(
            did_you_mean("ab", ["abc", "abd"]).as_deref(),
            Some("did you mean `abc`?")
        );
    }

    #[test]
    fn knows_what_starlark_in_go_suggests() {
        let cases = [
            ("uper", "upper", true),
            ("fo", "foo", false),
            ("set_default", "setdefault", true),
            ("abcd", "wxyz", false),
        ];
        for (found, candidate, expected) in cases {
            assert_eq!(is_near_in_go(found, candidate), expected, "{found}");
        }
    }

    #[test]
    fn prefers_a_name_that_begins_alike() {
        for candidates in [["paths", "patches"], ["patches", "paths"]] {
            assert_eq!(nearest("patchs", candidates), Some("patches"));
            assert_eq!(nearest("path", candidates), Some("paths"));
        }
    }

    #[test]
    fn does_not_compare_very_long_names() {
        let long = "a".repeat(MAX_LENGTH + 1);
        assert_eq!(did_you_mean(&long, [long.as_str()]), None);
    }

    #[test]
    fn joins_names_to_a_sentence() {
        let cases: [(&[&str], &str); 4] = [
            (&[], ""),
            (&["a"], "`a`"),
            (&["a", "b"], "`a` or `b`"),
            (&["a", "b", "c"], "`a`, `b` or `c`"),
        ];
        for (names, sentence) in cases {
            assert_eq!(list(names.iter().copied()), sentence);
        }
    }
}
