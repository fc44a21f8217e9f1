//! One string, opened on its own.

use std::sync::Arc;

use super::path::{FieldPath, Segment};
use super::text_fields::{Encoding, TextFields};
use super::update::{Options, Outcome, update};
use crate::formats::Format;
use crate::source::Result;
use crate::yaml::{Entry, Node};

const PLAIN: TextFields = TextFields {
    parents: &[(&[], Encoding::Plain)],
    objects: None,
};
const BASE64: TextFields = TextFields {
    parents: &[(&[], Encoding::Base64)],
    objects: None,
};

/// Makes another root of the root of a document, which is in the format given; `None` where nothing changes.
pub(super) type Act<'a> = dyn FnMut(&Arc<Node>, Format) -> Result<Option<Arc<Node>>> + 'a;

/// Lets `act` change the document in the string `node`, which is the value of `key`, and returns the string with the
/// changed document; `None` where `act` changed nothing.
///
/// # Errors
/// [`Failure::Missing`](super::Failure::Missing) for a string that holds no document or several.
pub fn update_in_string(
    node: &Arc<Node>,
    key: &str,
    encoding: Option<Encoding>,
    options: &Options,
    act: &mut Act<'_>,
) -> Outcome<Option<Arc<Node>>> {
    let holder = Node::mapping(vec![Entry::new(key, Arc::clone(node))]);
    let path = FieldPath::new(key, vec![Segment::Key(key.into())], vec![key.len()]).opened();
    let text_fields = match encoding {
        None => TextFields::default(),
        Some(Encoding::Plain) => PLAIN,
        Some(Encoding::Base64) => BASE64,
    };
    let options = Options {
        create: false,
        text_fields,
        has_aliases: false,
        ..*options
    };
    let changed = update(
        &holder,
        &path,
        &options,
        &mut |target| match target.current {
            Some(root) => act(root, target.format),
            None => Ok(None),
        },
    )?;
    Ok(changed.and_then(|holder| holder.get(key).map(Arc::clone)))
}
