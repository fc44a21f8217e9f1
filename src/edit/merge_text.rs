//! The document in a string with the document of another text merged over it.

use std::sync::Arc;

use super::base64_text;
use super::embedded::{Embedded, Layout};
use super::format::{Format, parse_leniently};
use super::merge::{MergeOptions, merge};
use super::text_fields::Encoding;
use crate::source::{Code, Diagnostic, Location, Result, Source, Span};
use crate::yaml::{Node, Stream, looks_like_json, relink};

/// How the documents of two texts are merged.
#[derive(Clone, Copy, Debug)]
pub struct TextMerge<'a> {
    /// The format of both texts; `None` to find out.
    pub format: Option<Format>,
    /// The key of the string, whose ending may tell the format.
    pub key: &'a str,
    /// How the string spells its text.
    pub encoding: Encoding,
    /// How the documents are merged.
    pub options: &'a MergeOptions,
}

/// A string whose document was merged.
#[derive(Clone, Debug)]
pub struct MergedText {
    /// What takes the place of the string; the string itself where nothing changed.
    pub node: Arc<Node>,
    /// What is worth knowing about the texts.
    pub warnings: Vec<Box<Diagnostic>>,
}

/// Merges the documents of `overlay` over those of the string `base`, first over first and so on.
///
/// The base keeps its bytes but for what the overlay changes. Into a text without a document the overlay goes as it is.
///
/// # Errors
/// A text that does not parse, texts of unlike formats or with unlike numbers of documents, an overlay without a
/// document, and the errors of [`merge`]; always with the places of both.
pub fn merge_text(base: &Arc<Node>, overlay: &Arc<Source>, how: &TextMerge<'_>) -> Result<MergedText> {
    let known = how.format.or_else(|| Format::of_key(how.key));
    let new_format = known.unwrap_or_else(|| shown(overlay.text()));
    let mut warnings = Vec::new();
    let wanted_by = |error: Box<Diagnostic>| error.at(first_line(overlay), "to be merged with this");
    let mut old_format = known;
    let embedded = Embedded::open_with(base, how.encoding, |source| {
        let format = *old_format.get_or_insert_with(|| shown(source.text()));
        let (stream, warning) = parse_leniently(source, format)?;
        warnings.extend(warning);
        Ok(stream)
    })
    .map_err(wanted_by)?;
    if let (None, Some(old)) = (known, old_format)
        && old != new_format
        && !embedded.roots.is_empty()
    {
        return Err(unlike_formats(base, old, overlay, new_format));
    }
    let meant_for = |error: Box<Diagnostic>| error.at(base.location(), "to be merged into this");
    let (stream, warning) = parse_leniently(overlay, new_format).map_err(meant_for)?;
    warnings.extend(warning);
    if stream.documents.is_empty() {
        let message = "expected a document to merge, found an empty text";
        return Err(meant_for(Diagnostic::error(Code::ValueDoesNotFit, message).at(first_line(overlay), "")));
    }
    if embedded.roots.is_empty() {
        return Ok(MergedText { node: whole(overlay.text(), base, how.encoding), warnings });
    }
    Ok(MergedText { node: merge_documents(base, &embedded, &stream, how)?, warnings })
}

fn merge_documents(base: &Arc<Node>, embedded: &Embedded, new: &Stream, how: &TextMerge<'_>) -> Result<Arc<Node>> {
    if new.documents.len() != embedded.roots.len() {
        return Err(unlike_counts(base, embedded.roots.len(), new));
    }
    let mut roots = Vec::with_capacity(embedded.roots.len());
    for (root, document) in embedded.roots.iter().zip(&new.documents) {
        let merged = merge(root, &document.root, how.options)?;
        let changed = !Arc::ptr_eq(&merged, root);
        roots.push(if changed && embedded.has_aliases() { relink(&merged) } else { merged });
    }
    let same = roots.iter().zip(&embedded.roots).all(|(new, old)| Arc::ptr_eq(new, old));
    if same { Ok(Arc::clone(base)) } else { embedded.with_roots(roots, Layout::Keep) }
}

/// The format that a text shows by its first character.
fn shown(text: &str) -> Format {
    if looks_like_json(text) { Format::Json } else { Format::Yaml }
}

/// A text in the place of the string `base`.
fn whole(text: &str, base: &Node, encoding: Encoding) -> Arc<Node> {
    match encoding {
        Encoding::Plain => Node::string(text),
        Encoding::Base64 => Node::string(base64_text::encode(text, base.text().unwrap_or(""))),
    }
}

/// The first line of a text that has something on it.
fn first_line(source: &Arc<Source>) -> Location {
    let text = source.text();
    let start = text.len() - text.trim_start().len();
    let line = text.get(start..).and_then(|rest| rest.lines().next()).unwrap_or("");
    Location::new(source, Span::new(start, start + line.trim_end().len()))
}

fn unlike_formats(base: &Node, old: Format, overlay: &Arc<Source>, new: Format) -> Box<Diagnostic> {
    let (old, new) = (old.name(), new.name());
    Diagnostic::error(Code::ValueDoesNotFit, format!("expected {old} to merge, found {new}"))
        .at(first_line(overlay), format!("this looks like {new}"))
        .at(base.location(), format!("this looks like {old}"))
        .help("write both in one format, or say with `format` which one both are in")
}

fn unlike_counts(base: &Node, count: usize, new: &Stream) -> Box<Diagnostic> {
    let found = new.documents.len();
    Diagnostic::error(
        Code::ValueDoesNotFit,
        format!("expected as many documents as the text has, {count}, found {found}"),
    )
    .at(first_line(&new.source), "")
    .at(base.location(), "the text to merge into")
    .help("documents are merged one by one, the first over the first")
}
