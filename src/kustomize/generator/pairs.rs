//! The values that an entry gives: all keys, each with its text or bytes and its place.
//!
//! kustomize reads files of `key=value` lines first, then literals, then files; the order of the keys is theirs.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{Generator, env_file, literal};
use crate::source::world::{Folder, RelativePath};
use crate::source::{Code, Diagnostic, Location, Result, Source};
use crate::typed::Spanned;

/// A key and its value.
#[derive(Clone, Debug)]
pub(super) struct Pair {
    pub(super) key: String,
    pub(super) value: Bytes,
    /// Where it is given.
    pub(super) place: Option<Location>,
}

/// A value: most are text.
#[derive(Clone, Debug)]
pub(super) enum Bytes {
    /// Text, which knows where it stands.
    Text(Arc<Source>),
    /// What is not UTF-8.
    Binary(Vec<u8>),
}

/// Reads the values of an entry, from files below `folder`.
///
/// # Errors
/// [`Code::File`] for a file that cannot be read or that is not below the folder, [`Code::Config`] for a source that is
/// written wrong or a key that is given twice.
pub(super) fn read(generator: &Generator, folder: &Folder<'_>) -> Result<Vec<Pair>> {
    let mut pairs = Vec::new();
    for path in &generator.sources.envs {
        let (name, bytes) = read_file(&path.value, path, folder)?;
        pairs.extend(env_file::pairs(&name, bytes).map_err(|error| named_here(error, path))?);
    }
    for node in &generator.sources.literals {
        pairs.extend(literal::pairs(&node.0)?);
    }
    for source in &generator.sources.files {
        pairs.push(file(source, folder)?);
    }
    let mut seen: BTreeMap<&str, &Pair> = BTreeMap::new();
    for pair in &pairs {
        if let Some(first) = seen.insert(&pair.key, pair) {
            let (kind, name) = (generator.kind.name().to_lowercase(), &generator.name.value);
            let message = format!("{kind} {name} illegally repeats the key `{}`", pair.key);
            return Err(Diagnostic::error(Code::Config, message)
                .at(pair.place.clone(), "given again here")
                .at(first.place.clone(), "first given here")
                .help("give each key once"));
        }
    }
    Ok(pairs)
}

/// The key and the path of a file: `path`, whose last part is the key, or `key=path`.
///
/// # Errors
/// [`Code::Config`] for a source with an empty part or with more than one equals sign.
pub(super) fn key_and_path(source: &Spanned<String>) -> Result<(&str, &str)> {
    let text = &source.value;
    let wrong = |message: String, help: &str| {
        Err(Diagnostic::error(Code::Config, message)
            .at(source.location.clone(), "")
            .help(help))
    };
    match text.split_once('=') {
        None => Ok((
            text.trim_end_matches('/')
                .rsplit('/')
                .next()
                .unwrap_or(text),
            text.as_str(),
        )),
        Some((_, path)) if path.contains('=') => {
            let message = format!("source \"{text}\" key name or file path contains '='");
            wrong(
                message,
                "rename the file: neither a key nor a path can have an equals sign",
            )
        }
        Some(("", path)) => {
            let message = format!("missing key name for file path \"{path}\" in source \"{text}\"");
            wrong(message, "write `key=path`, or the path alone")
        }
        Some((key, "")) => {
            let message = format!("missing file path for key name \"{key}\" in source \"{text}\"");
            wrong(message, "write `key=path`")
        }
        Some(pair) => Ok(pair),
    }
}

fn file(source: &Spanned<String>, folder: &Folder<'_>) -> Result<Pair> {
    let (key, path) = key_and_path(source)?;
    let (name, bytes) = read_file(path, source, folder)?;
    let value = match String::from_utf8(bytes) {
        Ok(text) => {
            Bytes::Text(text_source(name, text).map_err(|error| named_here(error, source))?)
        }
        Err(error) => Bytes::Binary(error.into_bytes()),
    };
    Ok(Pair {
        key: key.to_owned(),
        value,
        place: source.location.clone(),
    })
}

/// A text as a source of its own.
pub(super) fn text_source(name: String, text: String) -> Result<Arc<Source>> {
    Source::new(name.clone(), text).map_err(|length| {
        Diagnostic::error(
            Code::Limit,
            format!("`{name}` has {length} bytes, and 4 GiB is the limit"),
        )
    })
}

fn read_file(
    path: &str,
    named: &Spanned<String>,
    folder: &Folder<'_>,
) -> Result<(String, Vec<u8>)> {
    RelativePath::new(path)
        .and_then(|path| folder.read_bytes(&path))
        .map_err(|error| named_here(error, named))
}

fn named_here(error: Box<Diagnostic>, named: &Spanned<String>) -> Box<Diagnostic> {
    error.at(named.location.clone(), "the file is named here")
}
