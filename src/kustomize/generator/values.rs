//! Reads the values of an entry: every key, with its text or bytes and its place.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::env_file;
use super::model::{GeneratedPair, GeneratedValue, Generator, GeneratorKind};
use crate::source::world::{Folder, RelativePath};
use crate::source::{
    Code, Diagnostic, Diagnostics, Location, Reported, Result, Source, Span, collect_all,
};
use crate::typed::Spanned;

/// Reads the values of an entry. Files are read from `folder`.
///
/// # Errors
/// Reports every file that cannot be read ([`Code::File`]), and every line without a key and key
/// that is given twice ([`Code::Config`]).
pub(super) fn read(
    generator: &Generator,
    folder: &Folder<'_>,
    diagnostics: &mut Diagnostics,
) -> Result<Vec<GeneratedPair>, Reported> {
    let sources = &generator.sources;
    let envs = collect_all(sources.envs.iter().map(|path| {
        let pairs = env_pairs(&path.value, folder).map_err(|error| {
            if generator.kind == GeneratorKind::Secret {
                keep_secret(&error, diagnostics);
            }
            error.at(path.location.clone(), "the file is named here")
        });
        diagnostics.check(pairs)
    }));
    let files = collect_all(sources.files.iter().map(|file| {
        let value = diagnostics.check(read_value(&file.path, folder))?;
        Ok(GeneratedPair {
            key: file.key.clone(),
            value,
            place: file.path.location.clone(),
        })
    }));
    // kustomize uses the order of the keys in the object.
    let mut pairs: Vec<GeneratedPair> = envs?.into_iter().flatten().collect();
    pairs.extend(sources.literals.iter().cloned());
    pairs.extend(files?);
    if generator.kind == GeneratorKind::Secret {
        for pair in &pairs {
            if let GeneratedValue::Text(text) = &pair.value {
                diagnostics.keep_secret(whole_text(text));
            }
        }
    }
    refuse_duplicates(generator, &pairs, diagnostics)?;
    Ok(pairs)
}

/// Marks a file with values as secret after a mistake in it. If an error has a label, the label is
/// in that file.
fn keep_secret(error: &Diagnostic, diagnostics: &mut Diagnostics) {
    if let Some(label) = error.labels.first() {
        diagnostics.keep_secret(label.location.clone());
        diagnostics.keep_secret(whole_text(&label.location.in_file().source));
    }
}

fn whole_text(source: &Arc<Source>) -> Location {
    Location::new(source, Span::new(0, source.text().len()))
}

fn refuse_duplicates(
    generator: &Generator,
    pairs: &[GeneratedPair],
    diagnostics: &mut Diagnostics,
) -> Result<(), Reported> {
    let kind = generator.kind.name().to_lowercase();
    let name = &generator.name.value;
    let mut outcome = Ok(());
    let mut seen: BTreeMap<&str, &GeneratedPair> = BTreeMap::new();
    for pair in pairs {
        if let Some(first) = seen.insert(&pair.key, pair) {
            let message = format!("{kind} {name} illegally repeats the key `{}`", pair.key);
            outcome = Err(diagnostics.report(
                Diagnostic::error(Code::Config, message)
                    .at(pair.place.clone(), "given again here")
                    .at(first.place.clone(), "first given here")
                    .help("give each key once"),
            ));
        }
    }
    outcome
}

fn env_pairs(path: &RelativePath, folder: &Folder<'_>) -> Result<Vec<GeneratedPair>> {
    let (name, bytes) = folder.read_bytes(path)?;
    match String::from_utf8(bytes) {
        Ok(text) => env_file::pairs(&text_source(name, text)?),
        Err(error) => {
            let line = line_at(error.as_bytes(), error.utf8_error().valid_up_to());
            let message = format!("line {line} of `{name}` has invalid utf8 bytes");
            Err(Diagnostic::error(Code::File, message).help("convert the file to UTF-8"))
        }
    }
}

/// Returns the number, from 1, of the line that contains the byte at `offset`.
fn line_at(bytes: &[u8], offset: usize) -> usize {
    let before = bytes.iter().take(offset);
    before.filter(|byte| **byte == b'\n').count() + 1
}

/// Reads a file as text, or as bytes if it is not UTF-8.
fn read_value(path: &Spanned<RelativePath>, folder: &Folder<'_>) -> Result<GeneratedValue> {
    let value =
        folder
            .read_bytes(&path.value)
            .and_then(|(name, bytes)| match String::from_utf8(bytes) {
                Ok(text) => text_source(name, text).map(GeneratedValue::Text),
                Err(error) => Ok(GeneratedValue::Binary(error.into_bytes())),
            });
    value.map_err(|error| error.at(path.location.clone(), "the file is named here"))
}

fn text_source(name: String, text: String) -> Result<Arc<Source>> {
    Source::new(name.clone(), text).map_err(|length| {
        Diagnostic::error(
            Code::Limit,
            format!("`{name}` has {length} bytes, and 4 GiB is the limit"),
        )
    })
}
