//! `mergeValues`: documents in values are merged instead of replaced.
//!
//! ```text
//! the object:     data: {app.json: '{"log": 1,  "port": 80}'}      <- the base keeps its bytes
//! generated:      app.json={"log": 2}                              <- merged over it
//! afterwards:     data: {app.json: '{"log": 2,  "port": 80}'}
//! ```

use std::collections::BTreeMap;
use std::sync::Arc;

use super::context::TextOverlays;
use super::model::{GeneratedPair, GeneratedValue, Generator, GeneratorKind, MergeValue};
use crate::edit::{Encoding, TextMerge, change_text, keys_lost_to, merge_text};
use crate::kubernetes::Resource;
use crate::source::suggest::did_you_mean;
use crate::source::{Code, Diagnostic, Diagnostics, Location, Reported, Result, Source};
use crate::yaml::Node;

/// A value after the merge.
pub(super) struct MergedValue {
    /// The field of the object that contains it, such as `data`.
    pub(super) section: &'static str,
    pub(super) value: Arc<Node>,
}

/// A field of an object that can contain values.
struct Section {
    name: &'static str,
    encoding: Encoding,
}

/// Returns the fields that can contain a value. If a key is in both, the first one wins, as in the
/// API server.
fn sections(kind: GeneratorKind) -> [Section; 2] {
    let (plain, encoded) = match kind {
        GeneratorKind::ConfigMap => ("data", "binaryData"),
        GeneratorKind::Secret => ("stringData", "data"),
    };
    [
        Section {
            name: plain,
            encoding: Encoding::Plain,
        },
        Section {
            name: encoded,
            encoding: Encoding::Base64,
        },
    ]
}

/// Merges every entry of `mergeValues` into the object's values, and returns the merged values by
/// key.
///
/// # Errors
/// Reports each entry that cannot be merged: its key is missing on either side, or the documents do
/// not merge.
pub(super) fn merge_values<'g>(
    generator: &'g Generator,
    pairs: &[GeneratedPair],
    overlays: &dyn TextOverlays,
    object: &Resource,
    diagnostics: &mut Diagnostics,
) -> Result<BTreeMap<&'g str, MergedValue>, Reported> {
    let mut merged = BTreeMap::new();
    let mut outcome = Ok(());
    for entry in &generator.merge_values {
        let merge = ValueMerge {
            kind: generator.kind,
            entry,
            pairs,
            overlays,
            object: &object.node,
        };
        match merge.run(diagnostics) {
            Ok(value) => {
                merged.insert(&*entry.key.value, value);
            }
            Err(error) => {
                let error = error.about(object.object_reference());
                outcome = Err(diagnostics.report(generator.locate(error)));
            }
        }
    }
    outcome.map(|()| merged)
}

/// Warns about each value that replaces a document as a whole, although it contains only a part of
/// it. The rest of the document is lost, which is probably not intended. `pairs` are the values
/// that are not merged.
pub(super) fn warn_about_parts(
    generator: &Generator,
    pairs: &[GeneratedPair],
    object: &Resource,
    diagnostics: &mut Diagnostics,
) {
    for pair in pairs {
        let GeneratedValue::Text(text) = &pair.value else {
            continue;
        };
        let key = &pair.key;
        let Some((section, base)) = find_value(generator.kind, &object.node, key) else {
            continue;
        };
        let lost = keys_lost_to(text.text(), base, key, section.encoding);
        let Some(first) = lost.first() else {
            continue;
        };
        let others = match lost.len() {
            1 => String::new(),
            count => format!(" and {} more", count - 1),
        };
        let message = format!("the new text of `{key}` has no `{first}`{others}, which is lost");
        let warning = Diagnostic::warning(Code::Config, message)
            .at(pair.place.clone(), "replaces the whole text")
            .at(base.location(), "the text that is replaced")
            .help(format!(
                "to keep the rest of the text, add `mergeValues: [{{key: {key}}}]` to the generator"
            ));
        diagnostics.push(generator.locate(warning.about(object.object_reference())));
    }
}

/// Returns the value of a key of an object, and the field that contains it.
fn find_value<'o>(
    kind: GeneratorKind,
    object: &'o Node,
    key: &str,
) -> Option<(Section, &'o Arc<Node>)> {
    for section in sections(kind) {
        let values = object.get(section.name).map(Node::resolved);
        if let Some(value) = values.and_then(|values| values.get(key)) {
            return Some((section, value.resolved()));
        }
    }
    None
}

/// The merge of one value.
struct ValueMerge<'a> {
    kind: GeneratorKind,
    entry: &'a MergeValue,
    pairs: &'a [GeneratedPair],
    overlays: &'a dyn TextOverlays,
    object: &'a Arc<Node>,
}

impl<'a> ValueMerge<'a> {
    /// Merges the value. Warnings, and all errors of an overlay but the first, go to `diagnostics`.
    fn run(&self, diagnostics: &mut Diagnostics) -> Result<MergedValue> {
        let key = self.key();
        let overlay = self.generated_text()?;
        let Some((section, base)) = find_value(self.kind, self.object, key) else {
            return Err(self.in_field(self.no_such_key()));
        };
        if base.as_scalar().is_none() {
            let message = format!("expected a text under `{key}`, found {}", base.described());
            let error = Diagnostic::error(Code::NotADocument, message).at(base.location(), "");
            return Err(self.in_field(error));
        }
        let how = TextMerge {
            format: self.entry.format,
            key,
            encoding: section.encoding,
            options: &self.entry.options,
        };
        let merged = if self.overlays.is_overlay(overlay) {
            change_text(base, overlay, &how, |documents, format| {
                // `change_text` takes one error, to which the place of the base is added.
                let mut found = Diagnostics::default();
                self.overlays
                    .apply(overlay, documents, format, &mut found)
                    .map_err(|_| take_first_error(&found, diagnostics))
            })
        } else {
            merge_text(base, overlay, &how)
        };
        let merged =
            merged.map_err(|error| self.in_field(self.merged_because(self.in_files(error))))?;
        for warning in merged.warnings {
            diagnostics.push(self.in_field(self.in_files(Box::new(warning))));
        }
        Ok(MergedValue {
            section: section.name,
            value: merged.node,
        })
    }

    fn key(&self) -> &'a str {
        &self.entry.key.value
    }

    fn find_pair(&self) -> Option<&'a GeneratedPair> {
        self.pairs.iter().find(|pair| pair.key == self.key())
    }

    /// Returns the generated text that is merged.
    fn generated_text(&self) -> Result<&'a Arc<Source>> {
        let key = self.key();
        let Some(pair) = self.find_pair() else {
            let keys = self.pairs.iter().map(|pair| &*pair.key);
            return Err(Diagnostic::error(
                Code::Config,
                format!("nothing to merge: the generator has no value for `{key}`"),
            )
            .at(
                self.entry.key.location.clone(),
                "no literal, file or line gives this key",
            )
            .help_if(did_you_mean(key, keys)));
        };
        match &pair.value {
            GeneratedValue::Text(text) => Ok(text),
            GeneratedValue::Binary(_) => {
                let message =
                    format!("expected a text for `{key}` to merge, found bytes that are not UTF-8");
                let error =
                    Diagnostic::error(Code::NotADocument, message).at(pair.place.clone(), "");
                Err(self.merged_because(error))
            }
        }
    }

    fn no_such_key(&self) -> Box<Diagnostic> {
        let (kind, key) = (self.kind, self.key());
        let mut keys = Vec::new();
        for section in sections(kind) {
            let values = self.object.get(section.name).map(Node::resolved);
            if let Some(mapping) = values.and_then(|values| values.as_mapping()) {
                keys.extend(mapping.entries.iter().filter_map(|entry| entry.key.text()));
            }
        }
        let name = self
            .object
            .get_in(&["metadata", "name"])
            .or_else(|| self.object.get("kind"));
        let error = Diagnostic::error(
            Code::PathNotFound,
            format!("nothing to merge into: the {kind} has no key `{key}`"),
        );
        self.merged_because(error)
            .at(
                name.and_then(|name| name.location()),
                format!("this {kind} has no `{key}`"),
            )
            .at(
                self.find_pair().and_then(|pair| pair.place.clone()),
                "the text to merge",
            )
            .help_if(did_you_mean(key, keys))
            .help("remove this entry: a new key is added without `mergeValues`")
    }

    fn merged_because(&self, error: Box<Diagnostic>) -> Box<Diagnostic> {
        error.at(self.entry.key.location.clone(), "merged because of this")
    }

    /// Moves the places in a text that another generator made, and that is in no file, to the entry
    /// that merges into it.
    fn in_files(&self, mut diagnostic: Box<Diagnostic>) -> Box<Diagnostic> {
        let Some(entry) = &self.entry.key.location else {
            return diagnostic;
        };
        for label in &mut diagnostic.labels {
            let Location { source, span } = &label.location;
            if source.shown_name().is_empty() {
                let place = source.line_column(span.start());
                let (line, column) = (place.line, place.column);
                label.text =
                    format!("in the generated text under this key, line {line}, column {column}");
                label.location = entry.clone();
            }
        }
        diagnostic
    }

    fn in_field(&self, error: Box<Diagnostic>) -> Box<Diagnostic> {
        error.in_field(format!("data.{}", self.key().replace('.', "\\.")))
    }
}

/// Returns the first diagnostic of an overlay, and reports the others.
fn take_first_error(found: &Diagnostics, diagnostics: &mut Diagnostics) -> Box<Diagnostic> {
    let mut found = found.as_slice().iter().cloned().map(Box::new);
    let first = found.next();
    for other in found {
        diagnostics.push(other);
    }
    first.unwrap_or_else(|| {
        Diagnostic::error(
            Code::Overlay,
            "expected an overlay, found a text without documents",
        )
    })
}
