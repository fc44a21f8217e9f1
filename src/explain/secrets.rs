//! Finds and hides the values that must not be shown.

use std::collections::HashSet;
use std::sync::Arc;

use super::link::{Explanation, Link, LinkKind};
use crate::edit::PathStep;
use crate::kubernetes::hide_secrets_of;
use crate::yaml::Node;

/// Returns whether a value is one of a Secret, or contains some.
pub(super) fn is_secret_value(root: &Arc<Node>, steps: &[PathStep]) -> bool {
    let kind = root.get("kind").and_then(|kind| kind.text());
    if kind != Some("Secret") {
        return false;
    }
    match steps.first() {
        Some(PathStep::Key(key)) => matches!(&**key, "data" | "stringData"),
        Some(PathStep::Index(_)) => false,
        None => true,
    }
}

/// Returns whether a link, or one of its inputs, has a value that must not be shown.
pub(super) fn has_secret(links: &[Link]) -> bool {
    links
        .iter()
        .any(|link| link.is_secret || link.inputs.iter().any(|input| has_secret(&input.links)))
}

/// Hides the parts of the sources that the excerpts of answers must not show.
pub(super) fn hide(explanations: &[Explanation]) {
    let mut searched = HashSet::new();
    for explanation in explanations {
        for link in &explanation.links {
            hide_link(link, explanation.is_secret, &mut searched);
        }
    }
}

/// Returns whether a link is code that reads its values from elsewhere. Code that reads nothing may
/// contain the value.
pub(super) fn is_shown_code(link: &Link) -> bool {
    let is_typed = matches!(link.kind, LinkKind::Flag | LinkKind::Environment);
    link.text.is_some() && !is_typed && !link.inputs.is_empty()
}

fn hide_link(link: &Link, is_secret: bool, searched: &mut HashSet<usize>) {
    if let Some(place) = &link.place {
        // A file is searched once, however many values come from it.
        if searched.insert(Arc::as_ptr(&place.source).addr()) {
            hide_secrets_of(&place.source);
        }
        if (is_secret || link.is_secret) && !is_shown_code(link) {
            place.source.hide(place.span);
        }
    }
    for input in &link.inputs {
        for link in input.links.iter() {
            hide_link(link, is_secret, searched);
        }
    }
}
