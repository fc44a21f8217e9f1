//! Pairs the objects of two versions.
//!
//! ```text
//! before                     after
//! ConfigMap web-7kd8f6t9mg   ConfigMap web-9b2tkgh4m2    renamed: the same name before the hash
//! Deployment web             Deployment web              the same id, in any file
//! Service old                                            removed
//! ```

use std::collections::{BTreeMap, VecDeque};

use super::document::{ObjectKey, ObjectVersion};
use crate::kubernetes::without_hash;

/// An object in both versions, or in only one.
pub(super) struct ObjectPair<'o> {
    pub(super) before: Option<&'o ObjectVersion<'o>>,
    pub(super) after: Option<&'o ObjectVersion<'o>>,
}

/// Pairs the objects: those of `after` in order, followed by the removed ones.
pub(super) fn pair<'o>(
    before: &'o [ObjectVersion<'o>],
    after: &'o [ObjectVersion<'o>],
) -> Vec<ObjectPair<'o>> {
    let mut partners: Vec<Option<usize>> = vec![None; after.len()];
    let mut is_taken = vec![false; before.len()];
    // Try the key with the file first: renders for many clusters have the same objects, each in a
    // separate file.
    for key in [key_in_file, full_key, key_without_hash] {
        let mut left: BTreeMap<PairKey<'_>, VecDeque<usize>> = BTreeMap::new();
        for (index, object) in before.iter().enumerate() {
            if !is_taken[index] {
                left.entry(key(object)).or_default().push_back(index);
            }
        }
        for (object, partner) in after.iter().zip(&mut partners) {
            if partner.is_none()
                && let Some(found) = left.get_mut(&key(object)).and_then(VecDeque::pop_front)
            {
                is_taken[found] = true;
                *partner = Some(found);
            }
        }
    }
    let mut pairs = Vec::with_capacity(after.len());
    for (object, partner) in after.iter().zip(partners) {
        pairs.push(ObjectPair {
            before: partner.map(|index| &before[index]),
            after: Some(object),
        });
    }
    for (object, is_taken) in before.iter().zip(is_taken) {
        if !is_taken {
            pairs.push(ObjectPair {
                before: Some(object),
                after: None,
            });
        }
    }
    pairs
}

/// The key of an object, with its file if the same object may be in several files. Two versions of
/// an object have the same key.
type PairKey<'o> = (&'o str, ObjectKey);

fn key_in_file<'o>(object: &'o ObjectVersion<'_>) -> PairKey<'o> {
    (&object.file, object.key.clone())
}

fn full_key<'o>(object: &'o ObjectVersion<'_>) -> PairKey<'o> {
    ("", object.key.clone())
}

/// Returns the key of an object with the hash removed from the end of its name.
fn key_without_hash<'o>(object: &'o ObjectVersion<'_>) -> PairKey<'o> {
    let mut key = object.key.clone();
    if let ObjectKey::Object { name, .. } = &mut key
        && let Some(stem) = without_hash(name)
    {
        *name = stem.to_owned();
    }
    ("", key)
}
