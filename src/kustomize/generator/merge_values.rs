//! `mergeValues`: the documents in values, merged instead of replaced.
//!
//! The value that is there is the base, and keeps its bytes; the one that is generated is merged over it.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::pairs::{Bytes, Pair};
use super::{Generator, Kind, MergeValue, TextOverlays};
use crate::edit::{Encoding, TextMerge, change_text, merge_text};
use crate::source::suggest::did_you_mean;
use crate::source::{Code, Diagnostic, Diagnostics, Result, Source};
use crate::yaml::Node;

/// The mappings of an object that can hold a value, with its encoding; of a key that stands in several the first counts.
fn sections(kind: Kind) -> [(&'static str, Encoding); 2] {
    match kind {
        Kind::ConfigMap => [("data", Encoding::Plain), ("binaryData", Encoding::Base64)],
        Kind::Secret => [("stringData", Encoding::Plain), ("data", Encoding::Base64)],
    }
}

/// The values of `object` that have been merged, each with its key and the mapping that it stands in.
///
/// # Errors
/// The last entry that cannot be carried out: its key is missing here or there, or the documents cannot be merged. Those
/// before it are told.
pub(super) fn merge_values<'g>(
    generator: &'g Generator,
    pairs: &[Pair],
    overlays: &dyn TextOverlays,
    object: &Arc<Node>,
    diagnostics: &mut Diagnostics,
) -> Result<BTreeMap<&'g str, (&'static str, Arc<Node>)>> {
    let mut merged = BTreeMap::new();
    let mut failed: Option<Box<Diagnostic>> = None;
    for entry in &generator.merge_values {
        match merge_value(generator.kind, entry, pairs, overlays, object, diagnostics) {
            Ok(value) => drop(merged.insert(&*entry.key.value, value)),
            Err(error) => failed
                .replace(error)
                .into_iter()
                .for_each(|earlier| diagnostics.push(earlier)),
        }
    }
    failed.map_or(Ok(merged), Err)
}

fn merge_value(
    kind: Kind,
    entry: &MergeValue,
    pairs: &[Pair],
    overlays: &dyn TextOverlays,
    object: &Arc<Node>,
    diagnostics: &mut Diagnostics,
) -> Result<(&'static str, Arc<Node>)> {
    let key = &*entry.key.value;
    let here = |error: Box<Diagnostic>| error.in_field(format!("data.{}", key.replace('.', "\\.")));
    let overlay = overlay(entry, pairs)?;
    let found = sections(kind).into_iter().find_map(|(section, encoding)| {
        let value = object.get(section)?.resolved().get(key)?;
        Some((section, encoding, value.resolved()))
    });
    let Some((section, encoding, base)) = found else {
        return Err(here(no_such_key(kind, entry, pairs, object)));
    };
    if base.as_scalar().is_none() {
        let message = format!("expected a text under `{key}`, found {}", base.described());
        return Err(here(
            Diagnostic::error(Code::NotADocument, message).at(base.location(), ""),
        ));
    }
    let how = TextMerge {
        format: entry.format,
        key,
        encoding,
        options: &entry.options,
    };
    let merged = if overlays.is_overlay(overlay) {
        change_text(base, overlay, &how, |documents| {
            let mut own = Diagnostics::default();
            let changed = overlays.apply(overlay, documents, &mut own);
            changed.ok_or_else(|| first_error(&own, diagnostics))
        })
    } else {
        merge_text(base, overlay, &how)
    };
    let merged = merged
        .map_err(|error| here(error.at(entry.key.location.clone(), "merged because of this")))?;
    merged
        .warnings
        .into_iter()
        .for_each(|warning| diagnostics.push(here(Box::new(warning))));
    Ok((section, merged.node))
}

/// The first thing that is wrong with an overlay; the others are told.
fn first_error(own: &Diagnostics, diagnostics: &mut Diagnostics) -> Box<Diagnostic> {
    let mut errors = own.as_slice().iter().cloned().map(Box::new);
    let first = errors.next();
    errors.for_each(|error| diagnostics.push(error));
    first.unwrap_or_else(|| {
        Diagnostic::error(
            Code::Overlay,
            "expected an overlay, found a text that gives no documents",
        )
    })
}

/// The generated text to merge.
fn overlay<'p>(entry: &MergeValue, pairs: &'p [Pair]) -> Result<&'p Arc<Source>> {
    let key = &*entry.key.value;
    let Some(pair) = pairs.iter().find(|pair| pair.key == key) else {
        let keys = pairs.iter().map(|pair| &*pair.key);
        return Err(Diagnostic::error(
            Code::Config,
            format!("expected a value for `{key}` to merge, found none"),
        )
        .at(
            entry.key.location.clone(),
            "no literal, file or line gives this key",
        )
        .help_if(did_you_mean(key, keys)));
    };
    match &pair.value {
        Bytes::Text(text) => Ok(text),
        Bytes::Binary(_) => {
            let message =
                format!("expected a text for `{key}` to merge, found bytes that are not UTF-8");
            Err(Diagnostic::error(Code::NotADocument, message)
                .at(pair.place.clone(), "")
                .at(entry.key.location.clone(), "merged because of this"))
        }
    }
}

fn no_such_key(
    kind: Kind,
    entry: &MergeValue,
    pairs: &[Pair],
    object: &Arc<Node>,
) -> Box<Diagnostic> {
    let key = &*entry.key.value;
    let pair = pairs.iter().find(|pair| pair.key == key);
    let mappings = sections(kind)
        .into_iter()
        .filter_map(|(section, _)| object.get(section)?.resolved().as_mapping());
    let keys: Vec<&str> = mappings
        .flat_map(|mapping| &mapping.entries)
        .filter_map(|entry| entry.key.text())
        .collect();
    let name = object
        .get_in(&["metadata", "name"])
        .or_else(|| object.get("kind"));
    Diagnostic::error(
        Code::PathNotFound,
        format!("expected a text under `{key}` to merge into, found none"),
    )
    .at(entry.key.location.clone(), "merged because of this")
    .at(
        name.and_then(|name| name.location()),
        format!("this {kind} has no `{key}`"),
    )
    .at(
        pair.and_then(|pair| pair.place.clone()),
        "the text to merge",
    )
    .help_if(did_you_mean(key, keys.iter().copied()))
    .help("a key that is new needs no `mergeValues`: leave the entry out and the value is added")
}
