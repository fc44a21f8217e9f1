//! Keeps parsed files from one run of a command to the next, for `--watch` and the language server.
//!
//! A tree never changes, so a file with the same name and the same text has the same tree. Only
//! files that changed are parsed again; [`parses`] counts them.
//!
//! ```text
//! run 1     a.yml (1)   b.yml (2)           parsed: 1, 2
//! run 2     a.yml (1)   b.yml (3)           parsed: 3; the tree 1 is the same one
//! ```

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use super::events::Comments;
use super::node::Stream;
use crate::source::{Result, Source};

/// The kept trees by the hash of name and text. `None` if no trees are kept, as in every other
/// command.
static KEPT: Mutex<Option<HashMap<u64, KeptStream>>> = Mutex::new(None);

static PARSES: AtomicU64 = AtomicU64::new(0);

struct KeptStream {
    stream: Stream,
    comments: Comments,
    /// Whether this run has used it.
    is_used: bool,
}

/// Keeps all trees that are parsed from now on. A further call forgets the trees that were not used
/// since the last one.
pub fn keep_parsed() {
    let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    kept.get_or_insert_default();
    drop(kept);
    forget_unused();
}

/// Forgets the trees that were not used since the last call, if any are kept.
pub fn forget_unused() {
    let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(trees) = kept.as_mut() {
        trees.retain(|_, kept| std::mem::take(&mut kept.is_used));
    }
}

/// Returns how many files were parsed while trees were kept.
pub fn parses() -> u64 {
    PARSES.load(Ordering::Relaxed)
}

/// Returns the kept tree of a text, or parses it with `read`.
///
/// # Errors
/// Those of `read`, which are not kept.
pub(super) fn kept_or(
    source: &Arc<Source>,
    comments: Comments,
    read: impl FnOnce() -> Result<Stream>,
) -> Result<Stream> {
    // A text inside another one has a place that may move. A text without a name is not a file and is
    // not parsed again.
    if source.outer().is_some() || source.name().is_empty() {
        return read();
    }
    let key = {
        let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(trees) = kept.as_mut() else {
            drop(kept);
            return read();
        };
        let key = key(source, comments);
        if let Some(found) = trees.get_mut(&key)
            && found.comments == comments
            && is_same(&found.stream.source, source)
        {
            found.is_used = true;
            return Ok(found.stream.clone());
        }
        key
    };
    // Release the lock first: files are parsed on several threads.
    PARSES.fetch_add(1, Ordering::Relaxed);
    let stream = read()?;
    let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(trees) = kept.as_mut() {
        let new = KeptStream {
            stream: stream.clone(),
            comments,
            is_used: true,
        };
        trees.insert(key, new);
    }
    Ok(stream)
}

fn key(source: &Source, comments: Comments) -> u64 {
    let mut hasher = DefaultHasher::new();
    (
        source.name(),
        source.shown_name(),
        source.written_text(),
        comments,
    )
        .hash(&mut hasher);
    hasher.finish()
}

/// Compares the texts themselves, because two of them may have the same hash.
fn is_same(one: &Source, other: &Source) -> bool {
    one.name() == other.name()
        && one.shown_name() == other.shown_name()
        && one.written_text() == other.written_text()
}
