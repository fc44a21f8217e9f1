//! Why a selector selects nothing: the part of it that is wrong, and what it could have been.

use std::collections::BTreeSet;

use super::id::Id;
use super::resource::Resource;
use crate::source::Diagnostic;
use crate::source::suggest::did_you_mean;

/// One part of a selector.
pub struct Part<'a> {
    /// The field of the selector, such as `kind`.
    pub name: &'static str,
    /// What stands there.
    pub wanted: &'a str,
    /// Whether an object fits it.
    pub fits: Box<dyn Fn(&Resource) -> bool + 'a>,
    /// The word of an id that the part asks for; `None` where it asks for labels or annotations.
    pub word: Option<Word>,
}

/// Reads one word of an id.
pub type Word = for<'a> fn(Id<'a>) -> &'a str;

/// How many of the words that were found are shown.
const SHOWN: usize = 8;

/// Adds to `diagnostic`, which says that the selector with these `parts` selects none of `resources`, which part it is that
/// nothing fits.
///
/// That is a part without which something would be selected; where two parts are wrong, each that no object fits.
pub fn explain(
    diagnostic: Box<Diagnostic>,
    parts: &[Part<'_>],
    resources: &[Resource],
) -> Box<Diagnostic> {
    if resources.is_empty() {
        return diagnostic.note("there are no objects at all");
    }
    let mut alone = Vec::new();
    for (index, part) in parts.iter().enumerate() {
        let fits_others = |resource: &&Resource| {
            let mut others = parts
                .iter()
                .enumerate()
                .filter(|(other, _)| *other != index);
            others.all(|(_, other)| (other.fits)(resource))
        };
        let candidates: Vec<&Resource> = resources.iter().filter(fits_others).collect();
        if !candidates.is_empty() {
            alone.push((part, candidates));
        }
    }
    if alone.is_empty() {
        let wrong = parts
            .iter()
            .filter(|part| !resources.iter().any(|resource| (part.fits)(resource)));
        alone.extend(wrong.map(|part| (part, resources.iter().collect())));
    }
    if alone.is_empty() {
        return diagnostic.note("some objects fit a part of it, and none fits all");
    }
    alone
        .iter()
        .fold(diagnostic, |diagnostic, (part, candidates)| {
            say(diagnostic, part, candidates)
        })
}

/// Says that no candidate fits `part`, and what they have instead.
fn say(diagnostic: Box<Diagnostic>, part: &Part<'_>, candidates: &[&Resource]) -> Box<Diagnostic> {
    let Part { name, wanted, .. } = part;
    let Some(word) = part.word else {
        return diagnostic.note(format!("no object fits {name} `{wanted}`"));
    };
    let words = candidates
        .iter()
        .map(|resource| word(resource.id()))
        .filter(|word| !word.is_empty());
    let words: BTreeSet<&str> = words.collect();
    if words.is_empty() {
        return diagnostic.note(format!("no object has a {name}"));
    }
    let shown: Vec<String> = words
        .iter()
        .take(SHOWN)
        .map(|word| format!("`{word}`"))
        .collect();
    let more = match words.len().saturating_sub(SHOWN) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    diagnostic
        .note(format!(
            "no {name} fits `{wanted}`; found {}{more}",
            shown.join(", ")
        ))
        .help_if(did_you_mean(wanted, words))
}
