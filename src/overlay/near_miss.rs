//! Why a part matches nothing: what comes near to what it asks for.

use std::sync::Arc;

use super::elements::Elements;
use super::instruction::Target;
use super::matcher::Matcher;
use super::part::{Kind, Part};
use super::trail::shown_key;
use crate::source::Diagnostic;
use crate::source::suggest::nearest;
use crate::yaml::Node;

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
        Target::By(Matcher::Key(key), _) => {
            let wanted = part.value.get(key).map(|node| node.resolved());
            by_value(error, elements, &positions, &[key.as_str()], wanted)
        }
        Target::By(matcher, _) => match matcher.target().map(|target| target.resolved()) {
            Some(target) if E::KIND == Kind::Document => by_kind(error, elements, &positions, target),
            Some(target) => by_first(error, elements, &positions, target),
            None => error,
        },
        Target::None => error,
    }
}

/// A part that is to add something where nothing matches says so.
fn optional(error: Box<Diagnostic>, kind: Kind) -> Box<Diagnostic> {
    match kind {
        Kind::Entry => error.help("to add it where it is missing: `#@overlay/match missing_ok=True`"),
        Kind::Document => error.help("to pass over it where nothing matches: `expects=\"0+\"`"),
        Kind::Item | Kind::Value => error,
    }
}

fn by_key<E: Elements>(error: Box<Diagnostic>, elements: &E, part: &Part<'_>, positions: &[usize]) -> Box<Diagnostic> {
    let wanted = part.key.as_ref().map(shown_key).unwrap_or_default();
    let keys: Vec<(usize, &str)> = positions.iter().filter_map(|&at| Some((at, key_text(elements, at)?))).collect();
    let error = match nearest(&wanted, keys.iter().map(|(_, key)| *key)) {
        Some(nearest) => {
            let near = keys.iter().find(|(_, key)| *key == nearest);
            let place = near.and_then(|(at, _)| elements.place(*at));
            error.at(place, "the nearest key").help(format!("did you mean `{nearest}`?"))
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

/// Elements whose value at `path` is wanted to be `wanted`.
fn by_value<E: Elements>(
    error: Box<Diagnostic>,
    elements: &E,
    positions: &[usize],
    path: &[&str],
    wanted: Option<&Arc<Node>>,
) -> Box<Diagnostic> {
    let values = positions.iter().filter_map(|&at| {
        let value = elements.value(at).get_in(path)?.resolved();
        Some((at, value.text()?))
    });
    let values: Vec<(usize, &str)> = values.collect();
    let Some(wanted) = wanted.and_then(|wanted| wanted.text()) else { return error };
    let path = path.join(".");
    let near = nearest(wanted, values.iter().map(|(_, value)| *value));
    let mut shown: Vec<&(usize, &str)> = values.iter().filter(|(_, value)| Some(*value) == near).take(1).collect();
    if shown.is_empty() {
        shown = values.iter().take(SHOWN).collect();
    }
    let error = shown
        .into_iter()
        .fold(error, |error, (at, value)| error.at(elements.place(*at), format!("its `{path}` is `{value}`")));
    error.note(format!("none has `{path}` = `{wanted}`")).help_if(near.map(|near| format!("did you mean `{near}`?")))
}

/// Documents that are wanted to have all that `target` says.
fn by_kind<E: Elements>(
    error: Box<Diagnostic>,
    elements: &E,
    positions: &[usize],
    target: &Arc<Node>,
) -> Box<Diagnostic> {
    let Some(kind) = target.get("kind").map(|kind| kind.resolved()) else {
        return by_first(error, elements, positions, target);
    };
    let Some(text) = kind.text() else { return error };
    let has_kind = |at: &usize| elements.value(*at).get("kind").is_some_and(|own| own.resolved().text() == Some(text));
    let same: Vec<usize> = positions.iter().copied().filter(has_kind).collect();
    if same.is_empty() {
        return optional(by_value(error, elements, positions, &["kind"], Some(kind)), Kind::Document);
    }
    let name = ["metadata", "name"];
    match target.get_in(&name) {
        Some(wanted) => by_value(error, elements, &same, &name, Some(wanted.resolved())),
        None => same.iter().take(SHOWN).fold(error, |error, at| error.at(elements.place(*at), format!("a {text}"))),
    }
}

/// Elements that are wanted to have all that `target` says: the first scalar of it that none has.
fn by_first<E: Elements>(
    error: Box<Diagnostic>,
    elements: &E,
    positions: &[usize],
    target: &Arc<Node>,
) -> Box<Diagnostic> {
    let mut path = Vec::new();
    let mut wanted = target;
    while let Some(entry) = wanted.as_mapping().and_then(|mapping| mapping.entries.first()) {
        let Some(key) = entry.key.resolved().text() else { return error };
        path.push(key);
        wanted = entry.value.resolved();
    }
    by_value(error, elements, positions, &path, Some(wanted))
}
