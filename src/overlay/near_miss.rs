//! Explains why a part does not match the expected number of elements: shows the elements that
//! matched, or those that nearly did.

use std::sync::Arc;

use super::comparison::{mismatch, spelled};
use super::edits::{with_argument, with_rename, with_renamed_argument};
use super::element_kind::ElementKind;
use super::elements::LeftElements;
use super::error::overlay_error;
use super::instruction::{ExpectedCount, MatchTarget};
use super::matcher::ElementMatcher;
use super::operate::MatchedPart;
use super::part::OverlayPart;
use super::trail::{file_and_line, in_workspace, shown_key};
use crate::source::suggest::nearest;
use crate::source::{Diagnostic, Location};
use crate::yaml::{Node, is_equal};

/// The maximum number of matched elements to show with their lines. The next ones are only listed.
const SHOWN_MATCHES: usize = 4;

/// The maximum number of matched elements to list by their places.
const LISTED_MATCHES: usize = 20;

/// The maximum number of elements to show that did not match.
const SHOWN_MISSES: usize = 3;

/// The arguments of `@overlay/match` that messages suggest.
const AT_LEAST_ONE: &str = "expects=\"1+\"";
const ANY_NUMBER: &str = "expects=\"0+\"";
const MISSING_OK: &str = "missing_ok=True";

/// Returns the error for a part that does not match the expected number of elements.
pub(super) fn wrong_count<'v, E: LeftElements>(
    elements: &E,
    part: MatchedPart<'_, 'v>,
    count: &ExpectedCount<'v>,
) -> Box<Diagnostic> {
    let matched = part.matched;
    let found = matched.len();
    let expected = count.expected(E::KIND);
    let mut error = overlay_error(format!("expected {expected}, found {found}"))
        .caught_as(count.caught_message(found, &caught_places(elements, matched)));
    let right = part.right();
    if matched.is_empty() {
        return explain(error, elements, right, &part.instruction.target);
    }
    let mut listed = Vec::new();
    // Excerpts of hundreds of matches would hide the message, so the rest is listed by line.
    for (number, at) in matched.iter().enumerate() {
        let Some(place) = elements.place(*at) else {
            continue;
        };
        if number < SHOWN_MATCHES {
            error = error.at(place, "matches");
        } else {
            listed.push(file_and_line(&place));
        }
    }
    if !listed.is_empty() {
        let more = listed.len().saturating_sub(LISTED_MATCHES);
        listed.truncate(LISTED_MATCHES);
        let mut note = format!("also matched: {}", listed.join(", "));
        if more > 0 {
            note.push_str(&format!(", and {more} more"));
        }
        error = error.note(note);
    }
    let exactly = format!("expects={found}");
    let error = error.help(format!(
        "say how many are meant: `{exactly}` or `{AT_LEAST_ONE}`"
    ));
    let error = with_argument(error, right, AT_LEAST_ONE);
    with_argument(error, right, &exactly)
}

/// Returns the places of the matched elements as ytt lists them: as strings, sorted as strings.
fn caught_places<E: LeftElements>(elements: &E, matched: &[usize]) -> String {
    if matched.is_empty() {
        return String::new();
    }
    let mut places: Vec<String> = Vec::with_capacity(matched.len());
    for &at in matched {
        let place = elements.place(at);
        places.push(place.map_or_else(|| "?".to_owned(), |place| in_workspace(&place)));
    }
    places.sort();
    format!(" (lines: {})", places.join(", "))
}

/// Adds the elements that are most similar to the part to an error about a part without matches.
fn explain<E: LeftElements>(
    error: Box<Diagnostic>,
    elements: &E,
    part: &OverlayPart<'_>,
    target: &MatchTarget<'_>,
) -> Box<Diagnostic> {
    let positions = elements.positions();
    if positions.is_empty() {
        let many = E::KIND.plural();
        let error = error
            .at(elements.whole(), format!("has no {many}"))
            .note(format!("there are no {many} to match"));
        return with_way_out(error, part);
    }
    match target {
        // A new part has no expected number, so this case does not occur.
        MatchTarget::New => error,
        MatchTarget::Key(_) => explain_key(error, elements, part, &positions),
        MatchTarget::By(ElementMatcher::Key(key), _) => match part.value.get(key) {
            Some(wanted) => {
                let path = [key.as_str()];
                let error = explain_value(error, elements, &positions, &path, wanted.resolved());
                let text = wanted.resolved().text().unwrap_or_default();
                with_rename(error, wanted.location().as_ref(), text)
            }
            None => error,
        },
        MatchTarget::By(matcher, _) => {
            let error = match matcher.target() {
                Some(target) => explain_subset(error, elements, &positions, target.resolved()),
                None => error,
            };
            with_way_out(with_renamed_argument(error, part), part)
        }
    }
}

/// Adds a help line that explains how to allow that nothing matches.
fn with_way_out(error: Box<Diagnostic>, part: &OverlayPart<'_>) -> Box<Diagnostic> {
    match part.kind {
        ElementKind::Entry => {
            let help = format!("to add it where it is missing: `#@overlay/match {MISSING_OK}`");
            with_argument(error.help(help), part, MISSING_OK)
        }
        ElementKind::Document => {
            let help = format!("to skip it where nothing matches: `{ANY_NUMBER}`");
            with_argument(error.help(help), part, ANY_NUMBER)
        }
        ElementKind::Item | ElementKind::Value => error,
    }
}

/// Explains that no entry has the key of `part`.
fn explain_key<E: LeftElements>(
    error: Box<Diagnostic>,
    elements: &E,
    part: &OverlayPart<'_>,
    positions: &[usize],
) -> Box<Diagnostic> {
    let wanted = part.key.as_ref().map(shown_key).unwrap_or_default();
    let mut keys: Vec<EntryKey<'_>> = Vec::with_capacity(positions.len());
    for &at in positions {
        if let Some(node) = elements.key(at)
            && let Some(text) = node.resolved().text()
        {
            keys.push(EntryKey { at, node, text });
        }
    }
    let nearest = nearest(&wanted, keys.iter().map(|key| key.text));
    let error = match keys.iter().find(|key| Some(key.text) == nearest) {
        None => {
            let first = keys.first().and_then(|key| elements.place(key.at));
            error.at(first, "the first key that is there")
        }
        Some(near) => {
            let error = error.at(elements.place(near.at), "the nearest key");
            match &part.key {
                // The texts are equal, so the types differ: `1` and `"1"`.
                Some(right) if *near.text == *wanted => error.help(format!(
                    "this key is a {}, that of the overlay a {}",
                    near.node.kind(),
                    right.kind()
                )),
                _ => {
                    let error = error.help(format!("did you mean `{}`?", near.text));
                    with_rename(error, part.place.as_ref(), &wanted)
                }
            }
        }
    };
    with_way_out(error, part)
}

/// The key of an entry, with the position of the entry.
struct EntryKey<'e> {
    at: usize,
    node: &'e Arc<Node>,
    text: &'e str,
}

/// Explains that no element has the scalar `wanted` at `path`. With an empty path, these are
/// the elements themselves.
fn explain_value<E: LeftElements>(
    error: Box<Diagnostic>,
    elements: &E,
    positions: &[usize],
    path: &[&str],
    wanted: &Arc<Node>,
) -> Box<Diagnostic> {
    let Some(text) = wanted.text() else {
        return error;
    };
    let one = E::KIND.singular();
    let (own, none) = if path.is_empty() {
        ("it is".to_owned(), format!("no {one} is"))
    } else {
        let path = path.join(".");
        (
            format!("its `{path}` is"),
            format!("no {one} has the `{path}`"),
        )
    };
    let found = scalars_at(elements, positions, path);
    let near = nearest(text, found.iter().filter_map(|scalar| scalar.value.text()));
    let mut error = error;
    for scalar in most_similar(&found, near) {
        let label = format!("{own} {}", spelled(scalar.value));
        error = error.at(scalar.place.clone(), label);
    }
    error = error.note(format!("{none} {}", spelled(wanted)));
    match near {
        Some(near) if near != text => error.help(format!("did you mean `{near}`?")),
        _ => error,
    }
}

/// A scalar inside an element, with the place of the element.
struct ElementScalar<'e> {
    place: Option<Location>,
    value: &'e Arc<Node>,
}

/// Returns the scalars to show for a value that was not found. `near` is the most similar text.
fn most_similar<'f, 'e>(
    found: &'f [ElementScalar<'e>],
    near: Option<&str>,
) -> &'f [ElementScalar<'e>] {
    // If one element is nearly right, it is probably the intended one, and the others would
    // distract.
    let has_near_text = |scalar: &&ElementScalar<'_>| near.is_some() && scalar.value.text() == near;
    match found.iter().find(has_near_text) {
        Some(only) => std::slice::from_ref(only),
        None => &found[..found.len().min(SHOWN_MISSES)],
    }
}

/// Returns the scalars of the elements at `path`. With an empty path, these are the
/// elements themselves.
fn scalars_at<'e, E: LeftElements>(
    elements: &'e E,
    positions: &[usize],
    path: &[&str],
) -> Vec<ElementScalar<'e>> {
    let mut found = Vec::new();
    for &at in positions {
        let element = elements.value(at);
        let value = if path.is_empty() {
            Some(element)
        } else {
            element.get_in(path)
        };
        if let Some(value) = value
            && value.resolved().as_scalar().is_some()
        {
            found.push(ElementScalar {
                place: elements.place(at),
                value: value.resolved(),
            });
        }
    }
    found
}

/// Explains that no element contains all of `target`.
fn explain_subset<E: LeftElements>(
    error: Box<Diagnostic>,
    elements: &E,
    positions: &[usize],
    target: &Arc<Node>,
) -> Box<Diagnostic> {
    if target.as_scalar().is_some() {
        return explain_value(error, elements, positions, &[], target);
    }
    // Users identify an object by its kind and name. If no candidate has the right value in one of
    // these fields, the first such field is the reason.
    let mut candidates = positions.to_vec();
    for path in [["kind"].as_slice(), &["metadata", "name"], &["name"]] {
        let Some(wanted) = target.get_in(path).map(|wanted| wanted.resolved()) else {
            continue;
        };
        // Keep only the candidates with the right value, so that the message compares the overlay
        // with the intended object and not with all others.
        let mut same = Vec::new();
        for &at in &candidates {
            if let Some(own) = elements.value(at).get_in(path)
                && is_equal(own, wanted)
            {
                same.push(at);
            }
        }
        if same.is_empty() {
            return explain_value(error, elements, &candidates, path, wanted);
        }
        candidates = same;
    }
    let mut error = error;
    for at in candidates.into_iter().take(SHOWN_MISSES) {
        if let Some(mismatch) = mismatch(elements.value(at), target) {
            let place = mismatch.left().or_else(|| elements.place(at));
            error = error.at(place, mismatch.message());
        }
    }
    error
}
