//! Why a part matches nothing: what comes near to what it asks for.

use std::sync::Arc;

use super::comparison::{mismatch, spelled};
use super::elements::Elements;
use super::instruction::Target;
use super::matcher::Matcher;
use super::part::{Kind, Part};
use super::trail::shown_key;
use crate::source::Diagnostic;
use crate::source::suggest::nearest;
use crate::yaml::{Node, is_equal};

/// So many elements are shown.
const SHOWN: usize = 3;

/// Adds to `error`, which says that `part` matches none of `elements`, what is like what it asks for.
pub(super) fn explain<E: Elements>(
    error: Box<Diagnostic>,
    elements: &E,
    part: &Part<'_>,
    target: &Target<'_>,
) -> Box<Diagnostic> {
    let positions = elements.positions();
    let (_, many) = E::KIND.words();
    if positions.is_empty() {
        let error = error.at(elements.whole(), format!("has no {many}"));
        return optional(error.note(format!("there are no {many} to match")), E::KIND);
    }
    match target {
        Target::Key(_) => by_key(error, elements, part, &positions),
        Target::By(Matcher::Key(key), _) => match part.value.get(key) {
            Some(wanted) => by_value(
                error,
                elements,
                &positions,
                &[key.as_str()],
                wanted.resolved(),
            ),
            None => error,
        },
        Target::By(matcher, _) => {
            let error = match matcher.target() {
                Some(target) => by_target(error, elements, &positions, target.resolved()),
                None => error,
            };
            optional(error, E::KIND)
        }
        Target::None => error,
    }
}

/// A part that is to add something where nothing matches says so.
fn optional(error: Box<Diagnostic>, kind: Kind) -> Box<Diagnostic> {
    match kind {
        Kind::Entry => {
            error.help("to add it where it is missing: `#@overlay/match missing_ok=True`")
        }
        Kind::Document => error.help("to pass over it where nothing matches: `expects=\"0+\"`"),
        Kind::Item | Kind::Value => error,
    }
}

fn by_key<E: Elements>(
    error: Box<Diagnostic>,
    elements: &E,
    part: &Part<'_>,
    positions: &[usize],
) -> Box<Diagnostic> {
    let wanted = part.key.as_ref().map(shown_key).unwrap_or_default();
    let keys: Vec<(usize, &str)> = positions
        .iter()
        .filter_map(|&at| Some((at, key_text(elements, at)?)))
        .collect();
    let error = match nearest(&wanted, keys.iter().map(|(_, key)| *key)) {
        Some(nearest) => {
            let near = keys.iter().find(|(_, key)| *key == nearest);
            let place = near.and_then(|(at, _)| elements.place(*at));
            let error = error.at(place, "the nearest key");
            let types = near
                .and_then(|(at, _)| Some((elements.key(*at)?.kind(), part.key.as_ref()?.kind())));
            match types.filter(|_| *nearest == *wanted) {
                Some((left, right)) => error.help(format!(
                    "this key is a {left}, that of the overlay a {right}"
                )),
                None => error.help(format!("did you mean `{nearest}`?")),
            }
        }
        None => {
            let first = keys.first().and_then(|(at, _)| elements.place(*at));
            error.at(first, "the first key that is there")
        }
    };
    optional(error, Kind::Entry)
}

fn key_text<E: Elements>(elements: &E, at: usize) -> Option<&str> {
    elements.key(at)?.resolved().text()
}

/// Elements of which none has the value `wanted` at `path`.
fn by_value<E: Elements>(
    error: Box<Diagnostic>,
    elements: &E,
    positions: &[usize],
    path: &[&str],
    wanted: &Arc<Node>,
) -> Box<Diagnostic> {
    let values = positions.iter().filter_map(|&at| {
        let value = elements.value(at).get_in(path)?.resolved();
        value.as_scalar().map(|_| (at, value))
    });
    let values: Vec<(usize, &Arc<Node>)> = values.collect();
    let Some(text) = wanted.text() else {
        return error;
    };
    let near = nearest(text, values.iter().filter_map(|(_, value)| value.text()));
    let is_near = |value: &Arc<Node>| near.is_some() && value.text() == near;
    let mut shown: Vec<&(usize, &Arc<Node>)> = values
        .iter()
        .filter(|(_, value)| is_near(value))
        .take(1)
        .collect();
    if shown.is_empty() {
        shown = values.iter().take(SHOWN).collect();
    }
    let (one, _) = E::KIND.words();
    let (own, none) = match path {
        [] => ("it is".to_owned(), format!("no {one} is")),
        path => (
            format!("its `{}` is", path.join(".")),
            format!("no {one} has the `{}`", path.join(".")),
        ),
    };
    let label = |error: Box<Diagnostic>, (at, value): &(usize, &Arc<Node>)| {
        error.at(elements.place(*at), format!("{own} {}", spelled(value)))
    };
    let error = shown.into_iter().fold(error, label);
    let meant = near
        .filter(|near| *near != text)
        .map(|near| format!("did you mean `{near}`?"));
    error
        .note(format!("{none} {}", spelled(wanted)))
        .help_if(meant)
}

/// Elements of which none has all that `target` says.
fn by_target<E: Elements>(
    error: Box<Diagnostic>,
    elements: &E,
    positions: &[usize],
    target: &Arc<Node>,
) -> Box<Diagnostic> {
    if target.as_scalar().is_some() {
        return by_value(error, elements, positions, &[], target);
    }
    let mut candidates = positions.to_vec();
    // What a person knows an object by.
    for path in [["kind"].as_slice(), &["metadata", "name"], &["name"]] {
        let Some(wanted) = target.get_in(path).map(|wanted| wanted.resolved()) else {
            continue;
        };
        let has = |at: &usize| {
            elements
                .value(*at)
                .get_in(path)
                .is_some_and(|own| is_equal(own, wanted))
        };
        let same: Vec<usize> = candidates.iter().copied().filter(has).collect();
        if same.is_empty() {
            return by_value(error, elements, &candidates, path, wanted);
        }
        candidates = same;
    }
    candidates.iter().take(SHOWN).fold(error, |error, at| {
        match mismatch(elements.value(*at), target) {
            Some(mismatch) => error.at(
                mismatch.left().or_else(|| elements.place(*at)),
                mismatch.message(),
            ),
            None => error,
        }
    })
}
