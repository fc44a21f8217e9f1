//! Edits lists of tables, in which each table has a header `[[a]]`.

use std::sync::Arc;

use super::{ROOT, TableId, TomlScope, TomlStyle, TomlWriter};
use crate::formats::toml::write;
use crate::yaml::{Node, Sequence};

impl TomlWriter<'_> {
    /// Edits a list of tables. `after` must consist of at least one table and contain only tables.
    pub(super) fn elements(
        &mut self,
        ids: &[TableId],
        before: &Arc<Node>,
        after: &Arc<Node>,
        scope: &TomlScope,
    ) {
        let (Some(old), Some(new)) = (before.as_sequence(), after.as_sequence()) else {
            return;
        };
        let toml = self.toml;
        let pairs = pairs(before, after, old, new);
        let mut kept = vec![false; ids.len()];
        for &at in pairs.iter().flatten() {
            kept[at] = true;
        }
        for (&id, kept) in ids.iter().zip(kept) {
            if !kept {
                self.remove_table(id);
            }
        }
        // A new element goes below the section of the element before it, or above the first one.
        let mut place = self.start_of_elements(ids);
        for (item, pair) in new.items.iter().zip(&pairs) {
            let Some(at) = *pair else {
                self.add_element(place, ids, &item.value, scope);
                continue;
            };
            let id = ids[at];
            if let Some(section) = toml.section_in(id) {
                place = self.end_of_section(section.end());
            }
            self.element(id, &old.items[at].value, item.value.resolved(), scope);
        }
    }

    /// Returns the start of the first element and its comments.
    fn start_of_elements(&self, ids: &[TableId]) -> usize {
        let lines = self.edits.lines;
        let first = ids.first().and_then(|&id| self.toml.section_in(id));
        match first {
            Some(section) => lines.own_comments(section.start()),
            None => lines.text.len(),
        }
    }

    /// Adds an element at `place`.
    fn add_element(&mut self, place: usize, ids: &[TableId], value: &Arc<Node>, scope: &TomlScope) {
        let neighbour = ids.first().copied().unwrap_or(ROOT);
        let style = TomlStyle {
            indent: self.header_indent(),
            ..self.value_style(neighbour)
        };
        let text = write::element(&scope.header, value, style);
        self.add_section(place, &text);
    }

    /// Edits an element.
    fn element(&mut self, id: TableId, before: &Arc<Node>, after: &Arc<Node>, scope: &TomlScope) {
        if Arc::ptr_eq(before, after) {
            return;
        }
        if let (Some(before), Some(after)) = (before.as_mapping(), after.as_mapping()) {
            let scope = TomlScope {
                header: scope.header.clone(),
                prefix: String::new(),
            };
            self.table(id, before, after, &scope);
        }
    }
}

/// Returns for each new item the index of the old item that it replaces. Items are paired by their
/// position in the text if the list is an edited version of the old one, otherwise by their index.
pub(super) fn pairs(
    before: &Node,
    after: &Node,
    old: &Sequence,
    new: &Sequence,
) -> Vec<Option<usize>> {
    let is_edited = match (&before.origin, &after.origin) {
        (Some(before), Some(after)) => {
            Arc::ptr_eq(&before.source, &after.source) && before.span == after.span
        }
        _ => false,
    };
    let by_start = match is_edited {
        true => pairs_by_start(old, new),
        false => None,
    };
    by_start.unwrap_or_else(|| {
        let old_count = old.items.len();
        let indices = 0..new.items.len();
        indices.map(|at| (at < old_count).then_some(at)).collect()
    })
}

/// Pairs the items of two versions of one list by their position in the text. `None` if their order
/// changed.
fn pairs_by_start(old: &Sequence, new: &Sequence) -> Option<Vec<Option<usize>>> {
    let mut least = 0;
    let mut pairs = Vec::with_capacity(new.items.len());
    for item in &new.items {
        let Some(start) = item.start else {
            pairs.push(None);
            continue;
        };
        // The search continues after the last pair. If the order changed, it finds nothing, because
        // it is unknown which of two items moved.
        let mut rest = old.items.get(least..)?.iter();
        let at = least + rest.position(|known| known.start == Some(start))?;
        least = at + 1;
        pairs.push(Some(at));
    }
    Some(pairs)
}
