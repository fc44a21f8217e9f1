//! The keys of a mapping.

use std::collections::HashMap;
use std::sync::Arc;

use super::error::Error;
use crate::yaml::{Mapping, Node};

/// Checks that every key is a scalar and stands only once.
pub(super) fn check_keys(mapping: &Mapping) -> Result<(), Error> {
    let mut first_places = HashMap::with_capacity(mapping.entries.len());
    for entry in &mapping.entries {
        let key = entry.key.resolved();
        let text = key_text(key)?;
        if let Some(first) = first_places.insert(text, key) {
            let error = Error::new(format!("field `{text}` is given twice"));
            return Err(error
                .labelled(key, "given again here")
                .labelled_also(first, "given first here"));
        }
    }
    Ok(())
}

/// The text of a key, whatever type it would have as a value: a field may be called `on` or `y`.
pub(super) fn key_text(key: &Arc<Node>) -> Result<&str, Error> {
    key.text().ok_or_else(|| {
        Error::new(format!("expected a name as key, found {}", key.described())).at(key)
    })
}
