//! Merges the documents of a text into those of a string, for `mergeValues` and for strings in
//! patches.
//!
//! ```text
//! base             overlay            result
//! # relays         retry: 5m          # relays
//! port: 25         tls: true          port: 25
//! retry: 1m                           retry: 5m    <- the only value that changed
//!                                     tls: true    <- new, in the order of the overlay
//! ```

use std::collections::HashSet;
use std::sync::Arc;

use super::base64_text;
use super::embedded::Embedded;
use super::merge::{MergeOptions, merge};
use super::options::DocumentLayout;
use super::text_fields::Encoding;
use crate::formats::{DocumentFormat, Documents, LenientDocuments};
use crate::source::{Code, Diagnostic, Location, Result, Source, Span};
use crate::yaml::{Node, looks_like_json, relink};

/// The options for merging the documents of two texts.
#[derive(Clone, Copy, Debug)]
pub struct TextMerge<'a> {
    /// The format of both texts; `None` to detect it.
    pub format: Option<DocumentFormat>,
    /// The key of the string. Its extension may imply the format.
    pub key: &'a str,
    /// The encoding of the string.
    pub encoding: Encoding,
    /// The options for merging two documents.
    pub options: &'a MergeOptions,
}

/// A string whose document was merged.
#[derive(Clone, Debug)]
pub struct MergedText {
    /// The node that replaces the string, or the string itself if nothing changed.
    pub node: Arc<Node>,
    /// Warnings about the texts.
    pub warnings: Vec<Diagnostic>,
}

/// Merges the documents of `overlay` into those of the string `base`, the first into the first and
/// so on.
///
/// Only the bytes that the overlay changes differ. A base without a document is replaced by the
/// text of the overlay.
///
/// # Errors
/// A text that does not parse, texts in different formats or with different numbers of documents,
/// an overlay without a document, and the errors of [`merge`]. All errors have the places of both
/// texts.
pub fn merge_text(
    base: &Arc<Node>,
    overlay: &Arc<Source>,
    how: &TextMerge<'_>,
) -> Result<MergedText> {
    let known = how.known_format();
    let new_format = known.unwrap_or_else(|| apparent_format(overlay.text()));
    let OpenedBase {
        embedded,
        format: old_format,
        mut warnings,
    } = open(base, how).map_err(|error| at_overlay(error, overlay))?;
    // If neither the user nor the key names a format, both texts must look alike. JSON merged into
    // YAML would be valid YAML, but is hardly ever wanted.
    if known.is_none() && old_format != new_format && !embedded.roots.is_empty() {
        return Err(different_formats(base, old_format, overlay, new_format));
    }
    let LenientDocuments { documents, warning } =
        Documents::read_leniently(overlay, new_format).map_err(|error| at_base(error, base))?;
    warnings.extend(warning.map(|warning| *warning));
    if documents.roots().is_empty() {
        let message = "expected a document to merge, found an empty text";
        let error = Diagnostic::error(Code::ValueDoesNotFit, message).at(first_line(overlay), "");
        return Err(at_base(error, base));
    }
    if embedded.roots.is_empty() {
        return Ok(MergedText {
            node: replaced_by(overlay.text(), base, how.encoding),
            warnings,
        });
    }
    Ok(MergedText {
        node: merge_documents(base, &embedded, &documents, how)?,
        warnings,
    })
}

/// Applies `change` to the documents of the string `base`. It gets their roots and returns the same
/// number of roots. `overlay` is the text that describes the change, for messages.
///
/// # Errors
/// A base that does not parse or has no document, and the errors of `change`.
pub fn change_text(
    base: &Arc<Node>,
    overlay: &Arc<Source>,
    how: &TextMerge<'_>,
    change: impl FnOnce(&[Arc<Node>], DocumentFormat) -> Result<Vec<Arc<Node>>>,
) -> Result<MergedText> {
    let OpenedBase {
        embedded, warnings, ..
    } = open(base, how).map_err(|error| at_overlay(error, overlay))?;
    if embedded.roots.is_empty() {
        let message = "expected a document to change, found an empty text";
        let error = Diagnostic::error(Code::NotADocument, message).at(base.location(), "");
        return Err(at_overlay(error, overlay));
    }
    let roots = change(&embedded.roots, embedded.format())?;
    if roots.len() != embedded.roots.len() {
        let (old, new) = (embedded.roots.len(), roots.len());
        let message = format!(
            "expected an overlay that keeps the number of documents, {old}, found {new} after it"
        );
        return Err(Diagnostic::error(Code::ValueDoesNotFit, message)
            .at(first_line(overlay), "")
            .at(base.location(), "the text that it changes"));
    }
    let pairs = roots.iter().zip(&embedded.roots);
    let roots = pairs.map(|(root, before)| embedded.adopt(root, Some(before)));
    let roots = roots.collect::<Result<_>>()?;
    Ok(MergedText {
        node: with_roots(base, &embedded, roots)?,
        warnings,
    })
}

/// Returns the keys that the document of the string `base` loses if the text `new` replaces the
/// string. It returns them only if `new` is a part of that document, that is, a mapping with some
/// of its keys and no other keys. The author of such a text may have meant to merge it.
///
/// Returns no keys for any other pair of texts, or if their format could only be guessed.
pub fn keys_lost_to(new: &str, base: &Node, key: &str, encoding: Encoding) -> Vec<String> {
    let Some(old) = base.text() else {
        return Vec::new();
    };
    let decoded = match encoding {
        Encoding::Plain => Some(old.to_owned()),
        Encoding::Base64 => base64_text::decode(old),
    };
    let lost = decoded.and_then(|old| {
        let is_json = looks_like_json(&old) && looks_like_json(new);
        let format = DocumentFormat::of_key(key).or(is_json.then_some(DocumentFormat::JSON))?;
        let new: HashSet<String> = top_keys(new, format)?.into_iter().collect();
        let mut lost = top_keys(&old, format)?;
        let count = lost.len();
        lost.retain(|key| !new.contains(key));
        let is_part = !new.is_empty() && count == lost.len() + new.len();
        is_part.then_some(lost)
    });
    lost.unwrap_or_default()
}

/// Returns the keys of the only document in a text, if it is a mapping.
fn top_keys(text: &str, format: DocumentFormat) -> Option<Vec<String>> {
    let source = Source::new("", text).ok()?;
    let roots = Documents::read_leniently(&source, format)
        .ok()?
        .documents
        .roots();
    let [root] = roots.as_slice() else {
        return None;
    };
    let mapping = root.as_mapping()?;
    let keys = mapping
        .entries
        .iter()
        .map(|entry| entry.key.resolved().text());
    keys.map(|key| key.map(str::to_owned)).collect()
}

impl TextMerge<'_> {
    /// Returns the format that the user or the key names.
    fn known_format(&self) -> Option<DocumentFormat> {
        self.format.or_else(|| DocumentFormat::of_key(self.key))
    }
}

/// The string that is merged into, and its documents.
struct OpenedBase {
    embedded: Embedded,
    format: DocumentFormat,
    warnings: Vec<Diagnostic>,
}

/// Opens the string.
///
/// # Errors
/// Its text is not base64 or does not parse.
fn open(base: &Arc<Node>, how: &TextMerge<'_>) -> Result<OpenedBase> {
    let format = how
        .known_format()
        .unwrap_or_else(|| apparent_format_of(base, how.encoding));
    let mut warnings = Vec::new();
    let embedded = Embedded::open_with(base, how.encoding, DocumentFormat::YAML, |source| {
        let LenientDocuments { documents, warning } = Documents::read_leniently(source, format)?;
        warnings.extend(warning.map(|warning| *warning));
        Ok(documents)
    })?;
    Ok(OpenedBase {
        embedded,
        format,
        warnings,
    })
}

/// Returns the format that the text of a string appears to have. Invalid base64 is reported when
/// the string is opened.
fn apparent_format_of(base: &Node, encoding: Encoding) -> DocumentFormat {
    let text = base.text().unwrap_or("");
    match encoding {
        Encoding::Plain => apparent_format(text),
        Encoding::Base64 => apparent_format(&base64_text::decode(text).unwrap_or_default()),
    }
}

/// Adds the place of the string to an error about the text that is merged into it.
fn at_base(error: Box<Diagnostic>, base: &Node) -> Box<Diagnostic> {
    error.at(base.location(), "to be merged into this")
}

/// Adds the place of the overlay to an error about the string that it is merged into.
fn at_overlay(error: Box<Diagnostic>, overlay: &Arc<Source>) -> Box<Diagnostic> {
    error.at(first_line(overlay), "to be merged with this")
}

/// Merges the documents one by one, and returns the string with the results.
fn merge_documents(
    base: &Arc<Node>,
    embedded: &Embedded,
    new: &Documents,
    how: &TextMerge<'_>,
) -> Result<Arc<Node>> {
    let new_roots = new.roots();
    if new_roots.len() != embedded.roots.len() {
        return Err(different_counts(base, embedded.roots.len(), new));
    }
    // If keys are text, they must be converted before they are compared: JSON may come as a text
    // that only YAML can read.
    let format = embedded.format();
    let pairs = embedded.roots.iter().zip(&new_roots);
    let roots = pairs.map(|(root, new)| merge(root, &format.adopt(new)?, how.options));
    with_roots(base, embedded, roots.collect::<Result<_>>()?)
}

/// Returns the string with other documents in it.
fn with_roots(base: &Arc<Node>, embedded: &Embedded, roots: Vec<Arc<Node>>) -> Result<Arc<Node>> {
    let mut pairs = roots.iter().zip(&embedded.roots);
    if pairs.all(|(new, old)| Arc::ptr_eq(new, old)) {
        return Ok(Arc::clone(base));
    }
    let roots = if embedded.has_aliases() {
        roots.iter().map(relink).collect()
    } else {
        roots
    };
    embedded.with_roots(roots, DocumentLayout::Keep)
}

/// Returns the format that a text appears to have, judging by its first character.
fn apparent_format(text: &str) -> DocumentFormat {
    if looks_like_json(text) {
        DocumentFormat::JSON
    } else {
        DocumentFormat::YAML
    }
}

/// Returns a string with this text instead of `base`.
fn replaced_by(text: &str, base: &Node, encoding: Encoding) -> Arc<Node> {
    match encoding {
        Encoding::Plain => Node::string(text),
        Encoding::Base64 => Node::string(base64_text::encode(text, base.text().unwrap_or(""))),
    }
}

/// Returns the first line of a text that is not blank.
fn first_line(source: &Arc<Source>) -> Location {
    let text = source.text();
    let start = text.len() - text.trim_start().len();
    let line = text
        .get(start..)
        .and_then(|rest| rest.lines().next())
        .unwrap_or("");
    Location::new(source, Span::new(start, start + line.trim_end().len()))
}

fn different_formats(
    base: &Node,
    old: DocumentFormat,
    overlay: &Arc<Source>,
    new: DocumentFormat,
) -> Box<Diagnostic> {
    let (old, new) = (old.title(), new.title());
    Diagnostic::error(
        Code::ValueDoesNotFit,
        format!("expected {old} to merge, found {new}"),
    )
    .at(first_line(overlay), format!("this looks like {new}"))
    .at(base.location(), format!("this looks like {old}"))
    .help("write both in one format, or set `format` to the format of both")
}

fn different_counts(base: &Node, count: usize, new: &Documents) -> Box<Diagnostic> {
    let found = new.roots().len();
    Diagnostic::error(
        Code::ValueDoesNotFit,
        format!("expected as many documents as the text has, {count}, found {found}"),
    )
    .at(first_line(new.source()), "")
    .at(base.location(), "the text to merge into")
    .help("documents are merged one by one, the first over the first")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the text `base` under `key` after `overlay` was merged into it.
    fn merged(key: &str, base: &str, overlay: &str) -> Result<String> {
        let source = Source::new("overlay", overlay).unwrap();
        let options = MergeOptions::default();
        let how = TextMerge {
            format: None,
            key,
            encoding: Encoding::Plain,
            options: &options,
        };
        merge_text(&Node::string(base), &source, &how)
            .map(|merged| merged.node.text().unwrap().to_owned())
    }

    #[test]
    fn merges_toml_tables_and_keeps_their_lines() {
        let base = "# file\nname = 'web'\n\n[server] # here\nport = 8_080 # plain\ntags = [\"a\"]\nlimits.max = 1\n\n[log]\nlevel = \"info\"\n";
        let overlay = "since = 2024-05-01\n[server]\nport = 9090\nhost = \"x\"\ntags = [\"b\", \"c\"]\nlimits = { min = 0 }\n[server.tls]\non = true\n[trace]\nrate = 0.5\n";
        let expected = "# file\nname = 'web'\nsince = 2024-05-01\n\n[server] # here\nport = 9090 # plain\nhost = \"x\"\ntags = [\"b\", \"c\"]\nlimits.max = 1\nlimits.min = 0\ntls.on = true\n\n[trace]\nrate = 0.5\n\n[log]\nlevel = \"info\"\n";
        let result = merged("app.toml", base, overlay).unwrap();
        assert_eq!(result, expected);
        assert_eq!(
            merged("app.toml", &result, overlay).unwrap(),
            result,
            "merged again, nothing changes"
        );
    }

    #[test]
    fn merges_keys_and_values_line_by_line() {
        let base = "# a\na.b : 1\n! c\nc : 2";
        assert_eq!(
            merged("x.properties", base, "a.b=1\nnew=\\u00e9\nc=3\n").unwrap(),
            "# a\na.b : 1\nnew : \\u00e9\n! c\nc : 3"
        );
        assert_eq!(
            merged("x.env", "A=1\n# B\nexport B='2'\n", "B=3\nC=4\n").unwrap(),
            "A=1\n# B\nexport B=3\nexport C=4\n"
        );
    }

    #[test]
    fn merges_ini_sections_and_keeps_their_lines() {
        let base =
            "; file\ndebug = off\n\n[server]\nport : 80\nname : \"x\"\n\n[log]\nlevel : info\n";
        let overlay =
            "debug = on\n[log]\nlevel = info\nfile = a\n[server]\nname = y\n[new]\nk = v\n";
        let expected = "; file\ndebug = on\n\n[server]\nport : 80\nname : \"y\"\n\n[new]\nk : v\n\n[log]\nlevel : info\nfile : a\n";
        let result = merged("app.ini", base, overlay).unwrap();
        assert_eq!(result, expected);
        assert_eq!(merged("app.ini", &result, overlay).unwrap(), result);
    }

    #[test]
    fn refuses_a_base_in_another_format_with_both_places() {
        let error = merged("app.toml", "a: 1\n", "a = 2\n").unwrap_err();
        assert_eq!((error.code, error.labels.len()), (Code::TomlSyntax, 2));
        let error = merged("app.toml", "a = 1\n", "[a]\nb = 2\n").unwrap_err();
        assert_eq!(error.code, Code::ValueDoesNotFit);
    }
}
