//! What a misspelled name was probably meant to be.

/// The help line that names the candidate nearest to `found`, or `None` if none is near.
///
/// Near means at most one edit for every three characters, not counting upper and lower case. Of equally near
/// candidates the first is taken.
pub fn did_you_mean<C: AsRef<str>>(found: &str, candidates: impl IntoIterator<Item = C>) -> Option<String> {
    let found = found.to_lowercase();
    let limit = (found.chars().count() / 3).max(1);
    candidates
        .into_iter()
        .map(|candidate| (strsim::osa_distance(&found, &candidate.as_ref().to_lowercase()), candidate))
        .filter(|(distance, _)| *distance <= limit)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| format!("did you mean `{}`?", candidate.as_ref()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_suggested() {
        let fields = ["fieldPath", "fieldPaths", "options"];
        assert_eq!(did_you_mean("fieldpathes", fields).as_deref(), Some("did you mean `fieldPaths`?"));
        assert_eq!(did_you_mean("Options", fields).as_deref(), Some("did you mean `options`?"));
    }

    #[test]
    fn a_name_that_resembles_none_gets_no_suggestion() {
        assert_eq!(did_you_mean("encoding", ["fieldPath", "options"]), None);
        assert_eq!(did_you_mean("", ["name"]), None);
    }
}
