//! Explains why a part matches another number of elements than expected: what matched, or what
//! nearly did.

use std::sync::Arc;

use super::comparison::{mismatch, spelled};
use super::element_kind::ElementKind;
use super::elements::LeftElements;
use super::error::overlay_error;
use super::instruction::{ExpectedCount, Instruction, MatchTarget};
use super::matcher::ElementMatcher;
use super::part::OverlayPart;
use super::trail::{file_and_line, shown_key};
use crate::source::suggest::nearest;
use crate::source::{Diagnostic, Location};
use crate::yaml::{Node, is_equal};

/// So many elements that matched are shown with their lines; the others are listed.
const SHOWN_MATCHES: usize = 4;

/// So many elements that did not match are shown.
const SHOWN_MISSES: usize = 3;

/// Returns the error for another number of elements than expected.
pub(super) fn wrong_count<'v, E: LeftElements>(
    elements: &E,
    part: &OverlayPart<'v>,
    instruction: &Instruction<'v>,
    count: &ExpectedCount<'v>,
    matched: &[usize],
) -> Box<Diagnostic> {
    let found = matched.len();
    let expected = count.expected(E::KIND);
    let mut error = overlay_error(format!("expected {expected}, found {found}"));
    if matched.is_empty() {
        return explain(error, elements, part, &instruction.target);
    }
    let mut listed = Vec::new();
    // Excerpts of hundreds of matches would hide the message. The rest is listed by line.
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
        error = error.note(format!("also matched: {}", listed.join(", ")));
    }
    error.help(format!(
        "say how many are meant: `expects={found}` or `expects=\"1+\"`"
    ))
}

/// Adds to an error about a part that matches nothing what is similar to what it asks for.
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
        return with_way_out(error, E::KIND);
    }
    match target {
        // A new part has no expected number, so this does not happen.
        MatchTarget::New => error,
        MatchTarget::Key(_) => explain_key(error, elements, part, &positions),
        MatchTarget::By(ElementMatcher::Key(key), _) => match part.value.get(key) {
            Some(wanted) => {
                let path = [key.as_str()];
                explain_value(error, elements, &positions, &path, wanted.resolved())
            }
            None => error,
        },
        MatchTarget::By(matcher, _) => {
            let error = match matcher.target() {
                Some(target) => explain_subset(error, elements, &positions, target.resolved()),
                None => error,
            };
            with_way_out(error, E::KIND)
        }
    }
}

/// Adds how to allow that nothing matches.
fn with_way_out(error: Box<Diagnostic>, kind: ElementKind) -> Box<Diagnostic> {
    match kind {
        ElementKind::Entry => {
            error.help("to add it where it is missing: `#@overlay/match missing_ok=True`")
        }
        ElementKind::Document => error.help("to skip it where nothing matches: `expects=\"0+\"`"),
        ElementKind::Item | ElementKind::Value => error,
    }
}

fn explain_key<E: LeftElements>(
    error: Box<Diagnostic>,
    elements: &E,
    part: &OverlayPart<'_>,
    positions: &[usize],
) -> Box<Diagnostic> {
    let wanted = part.key.as_ref().map(shown_key).unwrap_or_default();
    let mut keys: Vec<(usize, &str)> = Vec::with_capacity(positions.len());
    for &at in positions {
        if let Some(text) = elements.key(at).and_then(|key| key.resolved().text()) {
            keys.push((at, text));
        }
    }
    let nearest = nearest(&wanted, keys.iter().map(|(_, key)| *key));
    let near = keys.iter().find(|(_, key)| Some(*key) == nearest);
    let error = match near {
        None => {
            let first = keys.first().and_then(|(at, _)| elements.place(*at));
            error.at(first, "the first key that is there")
        }
        Some((at, near)) => {
            let error = error.at(elements.place(*at), "the nearest key");
            let kinds = elements.key(*at).zip(part.key.as_ref());
            match kinds {
                // The texts are equal, so the types differ: `1` and `"1"`.
                Some((left, right)) if **near == *wanted => error.help(format!(
                    "this key is a {}, that of the overlay a {}",
                    left.kind(),
                    right.kind()
                )),
                _ => error.help(format!("did you mean `{near}`?")),
            }
        }
    };
    with_way_out(error, ElementKind::Entry)
}

/// Explains that no element has the scalar `wanted` at `path`.
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
    let found = scalars_at(elements, positions, path);
    let near = nearest(text, found.iter().filter_map(|(_, value)| value.text()));
    // If one element is nearly right, it is probably the one that was meant and the others would
    // distract. Otherwise the first few show what there is.
    let nearest_only = near.and_then(|near| {
        let same_text = |(_, value): &&(_, &Arc<Node>)| value.text() == Some(near);
        found.iter().find(same_text)
    });
    let shown = match nearest_only {
        Some(only) => std::slice::from_ref(only),
        None => &found[..found.len().min(SHOWN_MISSES)],
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
    let mut error = error;
    for (place, value) in shown {
        error = error.at(place.clone(), format!("{own} {}", spelled(value)));
    }
    error = error.note(format!("{none} {}", spelled(wanted)));
    match near {
        Some(near) if near != text => error.help(format!("did you mean `{near}`?")),
        _ => error,
    }
}

/// Returns the scalars that elements have at `path`, each with the place of its element.
fn scalars_at<'e, E: LeftElements>(
    elements: &'e E,
    positions: &[usize],
    path: &[&str],
) -> Vec<(Option<Location>, &'e Arc<Node>)> {
    let mut found = Vec::new();
    for &at in positions {
        if let Some(value) = elements.value(at).get_in(path)
            && value.resolved().as_scalar().is_some()
        {
            found.push((elements.place(at), value.resolved()));
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
    // People know an object by its kind and name. The first of these fields that no candidate has
    // right is the reason.
    let mut candidates = positions.to_vec();
    for path in [["kind"].as_slice(), &["metadata", "name"], &["name"]] {
        let Some(wanted) = target.get_in(path).map(|wanted| wanted.resolved()) else {
            continue;
        };
        // Narrow the candidates with each field that some of them have right, so that the message
        // compares with the object that was meant and not with all others.
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
