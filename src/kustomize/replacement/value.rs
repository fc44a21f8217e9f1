//! Transforms a value on its way from a source to a target.
//!
//! ```text
//! source:  decode -> take one piece -> add prefix and suffix
//! target:  add prefix and suffix -> replace a piece of the old text -> encode -> fit the field's type
//! ```

use std::sync::Arc;

use super::options::ReplacementOptions;
use crate::edit::{EditTarget, FieldPlace, TypePolicy, decode_base64, encode_base64, fit};
use crate::kustomize::EditRules;
use crate::kustomize::field_spec::untyped_text;
use crate::source::{Code, Diagnostic, Location, Result};
use crate::typed::Spanned;
use crate::yaml::{CoreValue, Node, PlainContext, ScalarStyle, core_value, is_plain_string};

/// Returns the value of a source, computed from the node that its path leads to.
///
/// # Errors
/// [`Code::Option`] if an option that is for scalars meets a mapping or list, if the text is not in
/// the encoding, or if there is no piece with the index.
pub(super) fn read_from(node: &Arc<Node>, options: &ReplacementOptions) -> Result<Arc<Node>> {
    let decoded = match options.encoding() {
        Some(encoding) => {
            let text = scalar_text(node, "encoding", &encoding.location)?;
            Node::string(decode(text, node, &encoding.location)?)
        }
        None => Arc::clone(node),
    };
    let piece = take_piece(&decoded, node, options)?;
    with_affixes(&piece, options)
}

fn decode(text: &str, node: &Node, option: &Option<Location>) -> Result<String> {
    decode_base64(text).ok_or_else(|| {
        Diagnostic::error(
            Code::Option,
            "expected base64-encoded text, found something else",
        )
        .at(
            node.location(),
            "this is not base64, or it does not decode to UTF-8",
        )
        .at(option.clone(), "the option")
    })
}

/// Puts prefix and suffix around a scalar.
fn with_affixes(value: &Arc<Node>, options: &ReplacementOptions) -> Result<Arc<Node>> {
    let (name, option) = match (&options.prefix, &options.suffix) {
        (Some(prefix), _) => ("prefix", prefix),
        (None, Some(suffix)) => ("suffix", suffix),
        (None, None) => return Ok(Arc::clone(value)),
    };
    let text = scalar_text(value, name, &option.location)?;
    let prefix = options.prefix.as_ref().map_or("", |prefix| &prefix.value);
    let suffix = options.suffix.as_ref().map_or("", |suffix| &suffix.value);
    Ok(Node::string(format!("{prefix}{text}{suffix}")))
}

/// Returns the piece that `delimiter` and `index` select, or the whole value without a delimiter.
/// `origin` is the node in the file, which diagnostics point at.
fn take_piece(node: &Arc<Node>, origin: &Node, options: &ReplacementOptions) -> Result<Arc<Node>> {
    let Some(delimiter) = options.delimiter() else {
        return Ok(Arc::clone(node));
    };
    let text = scalar_text(node, "delimiter", &delimiter.location)?;
    let pieces: Vec<&str> = text.split(&*delimiter.value).collect();
    let index = options.index();
    let piece = usize::try_from(index)
        .ok()
        .and_then(|index| pieces.get(index));
    match piece {
        Some(piece) => Ok(Node::string(*piece)),
        None => Err(Diagnostic::error(
            Code::Option,
            format!("options.index {index} is out of bounds for value {text}"),
        )
        .at(options.index_location(), "the index")
        .at(
            origin.location(),
            format!("pieces of the value: {}", pieces.len()),
        )),
    }
}

fn scalar_text<'a>(node: &'a Node, option: &str, location: &Option<Location>) -> Result<&'a str> {
    node.text().ok_or_else(|| {
        Diagnostic::error(
            Code::Option,
            format!("{option} option can only be used with scalar nodes"),
        )
        .at(location.clone(), format!("the {option}"))
        .at(node.location(), format!("this is {}", node.described()))
    })
}

/// Returns the node that replaces the one at a target.
///
/// # Errors
/// [`Code::Option`] if an option that is for scalars meets a mapping or list, or if the text at the
/// target is not in the encoding. The errors of [`fit`].
pub(super) fn write_to(
    value: &Arc<Node>,
    target: &EditTarget<'_>,
    options: &ReplacementOptions,
    rules: EditRules,
) -> Result<Arc<Node>> {
    let mut value = with_affixes(value, options)?;
    if let Some(delimiter) = options.delimiter() {
        value = Node::string(with_piece(&value, target, options, delimiter, rules)?);
    }
    if let Some(encoding) = options.encoding() {
        let text = scalar_text(&value, "encoding", &encoding.location)?;
        // The line breaks of the old base64 are kept, so that few lines change.
        let old = target.current.and_then(|node| node.text()).unwrap_or("");
        value = Node::string(encode_base64(text, old));
    }
    if rules == EditRules::Inlay || options.has_value_type() {
        return fit(&value, target, options.value_type());
    }
    // kustomize does not know the types of fields, and a value that it creates has no tag: the text
    // `10` becomes a number.
    let untyped = EditTarget {
        place: FieldPlace::default(),
        ..target.clone()
    };
    match target.current {
        Some(current) => {
            // `yes` without quotes is a string to kustomize.
            let is_string = current.as_scalar().is_some()
                && matches!(core_value(current), Ok(CoreValue::String(_)));
            let policy = match is_string && current.as_str().is_none() {
                true => TypePolicy::String,
                false => TypePolicy::Keep,
            };
            let written = fit(&value, &untyped, policy)?;
            Ok(in_plain_style_of(current, written))
        }
        None => {
            let written = fit(&value, &untyped, TypePolicy::Infer)?;
            Ok(without_type(written))
        }
    }
}

/// Returns a scalar that replaces another one. If the old scalar is plain, the new one is plain too,
/// provided that its text stays a string. Then the next step may write another text without quotes.
fn in_plain_style_of(current: &Node, written: Arc<Node>) -> Arc<Node> {
    let style = |node: &Node| node.as_scalar().map(|scalar| scalar.style);
    if style(current) != Some(ScalarStyle::Plain) {
        return written;
    }
    if current.is_untyped() {
        return without_type(written);
    }
    match written.as_str() {
        Some(text) if written.tag().is_none() && is_plain_string(text, PlainContext::Flow) => {
            Node::plain(text)
        }
        _ => written,
    }
}

/// Returns a scalar whose type is not settled, because kustomize writes the text into a node without
/// a type.
///
/// ```text
/// image: redis     ->  image: 125  (a number, if an image was replaced in `redis` before)
/// ```
fn without_type(written: Arc<Node>) -> Arc<Node> {
    let text = written.text().filter(|text| !text.is_empty());
    let text = text.filter(|_| written.tag().is_none());
    text.and_then(untyped_text).unwrap_or(written)
}

/// Returns the decoded text of a target after `value` replaced one of its pieces.
fn with_piece(
    value: &Node,
    target: &EditTarget<'_>,
    options: &ReplacementOptions,
    delimiter: &Spanned<String>,
    rules: EditRules,
) -> Result<String> {
    let piece = scalar_text(value, "delimiter", &delimiter.location)?;
    let old = match (target.current, options.encoding()) {
        (Some(current), encoding) => {
            let text = scalar_text(current, "delimiter", &delimiter.location)?;
            match encoding {
                Some(encoding) => decode(text, current, &encoding.location)?,
                None => text.to_owned(),
            }
        }
        // kustomize creates an empty text first and then inserts the piece: `/web` for index 1.
        (None, _) if rules == EditRules::Kustomize => String::new(),
        (None, _) => return Ok(piece.to_owned()),
    };
    Ok(replace_piece(
        &old,
        &delimiter.value,
        options.index(),
        piece,
    ))
}

/// Replaces the piece at `index`. As in kustomize, a negative index prepends a piece and one past
/// the end appends it.
fn replace_piece(text: &str, delimiter: &str, index: i64, piece: &str) -> String {
    let mut pieces: Vec<&str> = text.split(delimiter).collect();
    match usize::try_from(index) {
        Err(_) => pieces.insert(0, piece),
        Ok(index) if index < pieces.len() => pieces[index] = piece,
        Ok(_) => pieces.push(piece),
    }
    pieces.join(delimiter)
}
