//! Finds the entries whose names can be the name of an image.
//!
//! A kustomization may have as many entries as there are images. To try each pattern on each image
//! would take quadratic time, so the names are in a tree with one character per level:
//!
//! ```text
//! web, a.b/db     w ─ e ─ b           entry 0
//!                 a ─ ? ─ b ─ / ─ …   entry 1; a dot in a name matches any character
//! ```

use std::collections::HashMap;

use crate::regexp::{self, Regex};
use crate::source::steps;

/// The entries of `images`, by the characters with which their names begin.
#[derive(Clone, Debug)]
pub(super) struct ImageIndex {
    /// The first node is the root.
    nodes: Vec<IndexNode>,
}

#[derive(Clone, Debug, Default)]
struct IndexNode {
    /// The nodes after one more character; `None` is any character.
    next: HashMap<Option<char>, usize>,
    /// The entries whose fixed beginning ends here.
    entries: Vec<usize>,
}

impl ImageIndex {
    /// Creates the index of the patterns of entries. An entry without a pattern is never found.
    pub(super) fn new<'p>(patterns: impl Iterator<Item = Option<&'p Regex>>) -> ImageIndex {
        let mut nodes = vec![IndexNode::default()];
        for (entry, pattern) in patterns.enumerate() {
            let Some(pattern) = pattern else {
                continue;
            };
            let mut at = 0;
            for character in regexp::beginning(pattern) {
                let new = nodes.len();
                at = *nodes[at].next.entry(character).or_insert(new);
                if at == new {
                    nodes.push(IndexNode::default());
                }
            }
            nodes[at].entries.push(entry);
        }
        ImageIndex { nodes }
    }

    /// Returns the entries that may match an image, in order. The pattern makes the decision.
    pub(super) fn candidates(&self, image: &str) -> Vec<usize> {
        let mut reached = vec![0];
        let mut found = self.nodes[0].entries.clone();
        for character in image.chars() {
            let mut further = Vec::new();
            for at in reached {
                let next = &self.nodes[at].next;
                let after = [Some(character), None].map(|character| next.get(&character));
                further.extend(after.into_iter().flatten().copied());
            }
            if further.is_empty() {
                break;
            }
            for &at in &further {
                found.extend(&self.nodes[at].entries);
            }
            reached = further;
        }
        steps::count(found.len());
        found.sort_unstable();
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_entries_that_may_match() {
        let patterns = ["^web$", "^a.b/db$", "^w", "^(x|y)", "^web-.*"];
        let patterns = patterns.map(|pattern| regexp::compile(pattern).unwrap());
        let index = ImageIndex::new(patterns.iter().map(Some));
        for (image, expected) in [
            ("web:1", vec![0, 2, 3]),
            ("web-a", vec![0, 2, 3, 4]),
            ("a.b/db", vec![1, 3]),
            ("aéb/db:1", vec![1, 3]),
            ("ab/db", vec![3]),
            ("", vec![3]),
        ] {
            assert_eq!(index.candidates(image), expected, "{image}");
        }
        let none = ImageIndex::new([None].into_iter());
        assert_eq!(none.candidates("web"), Vec::<usize>::new());
    }
}
