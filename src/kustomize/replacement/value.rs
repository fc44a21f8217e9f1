//! What becomes of a value on its way from a source to a target.
//!
//! At the source: decoded, divided, and given prefix and suffix. At a target: given prefix and suffix, put among the pieces
//! that are there, and encoded.

use std::sync::Arc;

use super::options::Options;
use crate::edit::{self, decode_base64, encode_base64, fit};
use crate::source::{Code, Diagnostic, Location, Result};
use crate::typed::Spanned;
use crate::yaml::Node;

/// The value that a source gives of the one that is there.
pub(super) fn taken(node: &Arc<Node>, options: &Options) -> Result<Arc<Node>> {
    let decoded = match options.encoding() {
        Some(encoding) => Node::string(decode(
            scalar_text(node, "encoding", &encoding.location)?,
            node,
            &encoding.location,
        )?),
        None => Arc::clone(node),
    };
    affixed(&piece(&decoded, node, options)?, options)
}

/// The text that base64 spells.
fn decode(text: &str, node: &Node, option: &Option<Location>) -> Result<String> {
    decode_base64(text).ok_or_else(|| {
        Diagnostic::error(
            Code::Option,
            "expected base64 of a text, found something else",
        )
        .at(node.location(), "not base64, or not of UTF-8 text")
        .at(option.clone(), "the option")
    })
}

/// A scalar between its prefix and its suffix.
fn affixed(value: &Arc<Node>, options: &Options) -> Result<Arc<Node>> {
    let (prefix, suffix) = (options.prefix.as_ref(), options.suffix.as_ref());
    let Some((name, option)) = prefix
        .map(|prefix| ("prefix", prefix))
        .or(suffix.map(|suffix| ("suffix", suffix)))
    else {
        return Ok(Arc::clone(value));
    };
    let text = scalar_text(value, name, &option.location)?;
    let affix = |option: Option<&Spanned<String>>| {
        option.map_or_else(String::new, |option| option.value.clone())
    };
    Ok(Node::string(format!(
        "{}{text}{}",
        affix(prefix),
        affix(suffix)
    )))
}

/// The part of a source's value that its delimiter and index take.
fn piece(node: &Arc<Node>, origin: &Node, options: &Options) -> Result<Arc<Node>> {
    let Some(delimiter) = options.delimiter() else {
        return Ok(Arc::clone(node));
    };
    let text = scalar_text(node, "delimiter", &delimiter.location)?;
    let pieces: Vec<&str> = text.split(&*delimiter.value).collect();
    let index = options.index();
    let piece = usize::try_from(index)
        .ok()
        .and_then(|index| pieces.get(index));
    piece.map(|piece| Node::string(*piece)).ok_or_else(|| {
        Diagnostic::error(
            Code::Option,
            format!("options.index {index} is out of bounds for value {text}"),
        )
        .at(
            options
                .index
                .as_ref()
                .and_then(|index| index.location.clone()),
            "the index",
        )
        .at(
            origin.location(),
            format!("pieces of the value: {}", pieces.len()),
        )
    })
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

/// What stands at a target afterwards.
///
/// # Errors
/// An option that is for scalars, where a mapping or list is written or stands; a text that is not in the encoding.
pub(super) fn put(
    value: &Arc<Node>,
    target: &edit::EditTarget<'_>,
    options: &Options,
) -> Result<Arc<Node>> {
    let mut value = affixed(value, options)?;
    let encoding = options.encoding();
    if let Some(delimiter) = options.delimiter() {
        let piece = scalar_text(&value, "delimiter", &delimiter.location)?;
        let held = match target.current {
            Some(node) => {
                let text = scalar_text(node, "delimiter", &delimiter.location)?;
                Some(match encoding {
                    Some(encoding) => decode(text, node, &encoding.location)?,
                    None => text.to_owned(),
                })
            }
            None => None,
        };
        let joined = held.map_or_else(
            || piece.to_owned(),
            |held| join(&held, &delimiter.value, options.index(), piece),
        );
        value = Node::string(joined);
    }
    if let Some(encoding) = encoding {
        let text = scalar_text(&value, "encoding", &encoding.location)?;
        let held = target.current.and_then(|node| node.text()).unwrap_or("");
        value = Node::string(encode_base64(text, held));
    }
    fit(&value, target, options.value_type())
}

/// `text` with the piece `index` replaced; before the first a piece is put in front, after the last one at the end.
fn join(text: &str, delimiter: &str, index: i64, piece: &str) -> String {
    let mut pieces: Vec<&str> = text.split(delimiter).collect();
    match usize::try_from(index) {
        Err(_) => pieces.insert(0, piece),
        Ok(index) => match pieces.get_mut(index) {
            Some(found) => *found = piece,
            None => pieces.push(piece),
        },
    }
    pieces.join(delimiter)
}
