//! Help with names: the one that was probably meant, and the ones there are.

use strsim::damerau_levenshtein;

/// A name longer than this, in bytes, is no slip of the fingers, and comparing it would take its time.
const MAX_LENGTH: usize = 128;

/// A help text that names the candidate most like `found`: ``did you mean `metadata.name`?``.
///
/// A candidate is like `found` when at most a third of its characters (of the longer of the two, but always one) were
/// mistyped, left out, added or swapped with a neighbour, and not all of them; upper and lower case are the same. Of
/// equally good candidates the first one wins.
pub fn did_you_mean<'a>(
    found: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<String> {
    nearest(found, candidates).map(|nearest| format!("did you mean `{nearest}`?"))
}

/// The candidate that [`did_you_mean`] names.
pub fn nearest<'a>(found: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let found = Some(found)
        .filter(|found| found.len() <= MAX_LENGTH)?
        .to_lowercase();
    let near = candidates
        .into_iter()
        .filter_map(|candidate| Some((distance(&found, candidate)?, candidate)));
    near.min_by_key(|&(distance, _)| distance)
        .map(|(_, nearest)| nearest)
}

/// How many slips lead from one name to the other, if few enough.
fn distance(found: &str, candidate: &str) -> Option<usize> {
    let candidate = Some(candidate)
        .filter(|candidate| candidate.len() <= MAX_LENGTH)?
        .to_lowercase();
    let longer = found.chars().count().max(candidate.chars().count());
    let allowed = (longer / 3).max(1).min(longer.saturating_sub(1));
    Some(damerau_levenshtein(found, &candidate)).filter(|&distance| distance <= allowed)
}

/// The names in a sentence: `` `a`, `b` or `c` ``.
pub fn list<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let names: Vec<String> = names.into_iter().map(|name| format!("`{name}`")).collect();
    match names.as_slice() {
        [] => String::new(),
        [only] => only.clone(),
        [most @ .., last] => format!("{} or {last}", most.join(", ")),
    }
}

/// A name with its article: `an int`, `a string`.
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
    fn the_nearest_name_is_suggested() {
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
    fn the_first_of_equally_near_names_is_suggested() {
        assert_eq!(
            did_you_mean("path", ["paths", "patch"]).as_deref(),
            Some("did you mean `paths`?")
        );
        assert_eq!(
            did_you_mean("path", ["patch", "paths"]).as_deref(),
            Some("did you mean `patch`?")
        );
    }

    #[test]
    fn a_very_long_name_is_like_no_other() {
        let long = "a".repeat(MAX_LENGTH + 1);
        assert_eq!(did_you_mean(&long, [long.as_str()]), None);
    }

    #[test]
    fn names_are_joined_to_a_sentence() {
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
