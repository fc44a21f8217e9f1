//! The entry points: reading and changing the values that a path leads to, and opening a single
//! string.

use std::collections::HashSet;
use std::sync::Arc;

use super::failure::EditResult;
use super::options::{EditOptions, EditTarget, Visit};
use super::path::{FieldPath, PathSegment, PathStep};
use super::text_fields::{Encoding, TextFields};
use super::walk::{PathWalk, Updated, WalkMode, is_removed, removed, whole_document};
use crate::formats::DocumentFormat;
use crate::source::Result;
use crate::yaml::{Entry, Node, relink};

/// A value that a path leads to.
#[derive(Clone, Debug)]
pub struct FoundValue {
    /// The value. An alias is replaced by its target.
    pub node: Arc<Node>,
    /// The format of the text that contains it.
    pub format: DocumentFormat,
    /// Whether the value is part of an object whose keys are text, and not of a document in a
    /// string.
    pub has_text_keys: bool,
}

/// A value that a path leads to, and the steps to it.
#[derive(Clone, Debug)]
pub struct FoundPlace {
    /// The value. An alias is replaced by its target.
    pub node: Arc<Node>,
    /// The steps from the root to it.
    pub steps: Vec<PathStep>,
    /// The format of the text that contains it.
    pub format: DocumentFormat,
}

/// Returns every value that `path` leads to from `root`, in the order of the text. There is at
/// least one.
///
/// # Errors
/// [`EditFailure::Missing`](super::EditFailure::Missing) if the path leads to no value.
pub fn find(
    root: &Arc<Node>,
    path: &FieldPath,
    options: &EditOptions,
) -> EditResult<Vec<FoundValue>> {
    walk(
        root,
        path,
        options,
        StepTracking::Omitted,
        |target, node| FoundValue {
            node,
            format: target.format,
            has_text_keys: target.has_text_keys,
        },
    )
}

/// Returns the steps to every value that `path` leads to from `root`, in the order of the text.
/// There is at least one value.
///
/// # Errors
/// [`EditFailure::Missing`](super::EditFailure::Missing) if the path leads to no value.
pub fn find_places(
    root: &Arc<Node>,
    path: &FieldPath,
    options: &EditOptions,
) -> EditResult<Vec<FoundPlace>> {
    walk(
        root,
        path,
        options,
        StepTracking::Recorded,
        |target, node| FoundPlace {
            node,
            steps: target.trail.to_vec(),
            format: target.format,
        },
    )
}

/// Whether a walk records the steps to each place, for callers that need them.
#[derive(Clone, Copy, PartialEq, Eq)]
enum StepTracking {
    Recorded,
    Omitted,
}

/// Follows `path` from `root`, and returns what `take` makes of each place that it leads to.
fn walk<T>(
    root: &Arc<Node>,
    path: &FieldPath,
    options: &EditOptions,
    tracking: StepTracking,
    take: impl Fn(&EditTarget<'_>, Arc<Node>) -> T,
) -> EditResult<Vec<T>> {
    let options = EditOptions {
        create: false,
        ..*options
    };
    // Several branches of a path with two `..` may lead to the same place. Compare places and not
    // nodes, because an alias and its target share a node.
    let may_repeat = path.descents() > 1;
    let mut seen = HashSet::new();
    let mut found = Vec::new();
    let mut visit = |target: EditTarget<'_>| {
        // `current` is always set: a walk that creates nothing visits only values that exist.
        if let Some(node) = target.current
            && (!may_repeat || seen.insert(target.trail.to_vec()))
        {
            found.push(take(&target, Arc::clone(node)));
        }
        Ok(None)
    };
    let mut walk = PathWalk::new(root, path, &options, WalkMode::Read, &mut visit);
    if may_repeat || tracking == StepTracking::Recorded {
        walk = walk.with_trail();
    }
    walk.run(root)?;
    Ok(found)
}

/// Follows `path` from `root`, also into strings, and calls `visit` to change every value that it
/// leads to.
///
/// Returns the new root, or `None` if `visit` changed nothing.
///
/// # Errors
/// [`EditFailure::Missing`](super::EditFailure::Missing) if the path leads to no value. For a path that branches, one branch
/// with a value is enough.
pub fn update(
    root: &Arc<Node>,
    path: &FieldPath,
    options: &EditOptions,
    visit: &mut Visit<'_>,
) -> EditResult<Option<Arc<Node>>> {
    Ok(update_all(root, path, options, visit)?.root)
}

/// Changes values as [`update`] does. The outcome also says whether a list was too short for an
/// index of a path that branches.
///
/// # Errors
/// As [`update`].
pub fn update_all(
    root: &Arc<Node>,
    path: &FieldPath,
    options: &EditOptions,
    visit: &mut Visit<'_>,
) -> EditResult<Updated> {
    path.check_writable()?;
    let mut updated = PathWalk::new(root, path, options, WalkMode::Change, visit).run(root)?;
    if options.has_aliases {
        updated.root = updated.root.map(|root| relink(&root));
    }
    Ok(updated)
}

/// Follows `path` from `root`, also into strings, and removes every value that it leads to,
/// together with its key or dash. Returns the new root.
///
/// # Errors
/// [`EditFailure::Missing`](super::EditFailure::Missing) if the path leads to no value; an error if it leads to a whole
/// document, or to a value from a merge key (`<<`).
pub fn delete(root: &Arc<Node>, path: &FieldPath, options: &EditOptions) -> EditResult<Arc<Node>> {
    path.check_writable()?;
    let options = EditOptions {
        create: false,
        ..*options
    };
    let remove = &mut |_: EditTarget<'_>| Ok(Some(removed()));
    let updated = PathWalk::new(root, path, &options, WalkMode::Change, remove).run(root)?;
    match updated.root {
        Some(changed) if is_removed(&changed) => Err(whole_document(root).into()),
        Some(changed) if options.has_aliases => Ok(relink(&changed)),
        Some(changed) => Ok(changed),
        None => Ok(Arc::clone(root)),
    }
}

const PLAIN: TextFields = TextFields {
    parents: &[(&[], Encoding::Plain)],
    has_text_keys: false,
    typed: None,
    keeps_scalars: false,
    objects: None,
};
const BASE64: TextFields = TextFields {
    parents: &[(&[], Encoding::Base64)],
    has_text_keys: false,
    typed: None,
    keeps_scalars: false,
    objects: None,
};

/// Changes the root of a document in the given format. Returns the new root, or `None` if nothing
/// changes.
pub(super) type DocumentChange<'a> =
    dyn FnMut(&Arc<Node>, DocumentFormat) -> Result<Option<Arc<Node>>> + 'a;

/// Calls `act` to change the document in the string `node`, which is the value of `key`. Returns
/// the string with the changed document, or `None` if `act` changed nothing.
///
/// # Errors
/// [`EditFailure::Missing`](super::EditFailure::Missing) for a string that contains no document, or
/// several.
pub fn update_in_string(
    node: &Arc<Node>,
    key: &str,
    encoding: Option<Encoding>,
    options: &EditOptions,
    act: &mut DocumentChange<'_>,
) -> EditResult<Option<Arc<Node>>> {
    // The walk opens strings on its way along a path. A mapping with this single entry, and a path
    // to its document, make it open this string, with the same errors as everywhere.
    let holder = Node::mapping(vec![Entry::new(key, Arc::clone(node))]);
    let path = FieldPath::new(key, vec![PathSegment::Key(key.into())], vec![key.len()]).opened();
    let text_fields = match encoding {
        None => TextFields::default(),
        Some(Encoding::Plain) => PLAIN,
        Some(Encoding::Base64) => BASE64,
    };
    let options = EditOptions {
        create: false,
        text_fields,
        keeps_null: false,
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Source;
    use crate::yaml::parse_data;

    #[test]
    fn finds_each_place_once_also_if_places_share_a_node() {
        let table = [
            // `b` is reached from the root and from `a`.
            ("a: {b: {c: 1}}\n", 1),
            ("a: &x {b: {c: 1}}\nd: *x\n", 2),
        ];
        for (text, count) in table {
            let stream = parse_data(&Source::new("a.yml", text).unwrap()).unwrap();
            let root = &stream.documents[0].root;
            let path = FieldPath::parse("$..b..c").unwrap();
            let options = EditOptions::default();
            assert_eq!(find(root, &path, &options).unwrap().len(), count, "{text}");
            let places = find_places(root, &path, &options).unwrap();
            assert_eq!(places.len(), count, "{text}");
        }
    }
}
