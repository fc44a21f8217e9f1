//! The tables under headers `[[a]]`.

use std::sync::Arc;

use super::{TableId, TomlScope, TomlStyle, TomlWriter};
use crate::formats::toml::write;
use crate::yaml::{Node, Sequence};

impl TomlWriter<'_> {
    /// Edits a list of tables. `after` consists of tables, and has at least one.
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
        for ((&id, item), _) in ids
            .iter()
            .zip(&old.items)
            .zip(&kept)
            .filter(|(_, kept)| !**kept)
        {
            debug_assert!(item.value.as_mapping().is_some(), "an element is a table");
            self.remove_table(id);
        }
        let first = ids.first().and_then(|&id| toml.section_in(id));
        let first = first.map_or(self.edits.lines.text.len(), |section| {
            self.edits.lines.own_comments(section.start())
        });
        let mut place = None;
        for (item, pair) in new.items.iter().zip(&pairs) {
            let Some((at, &id)) = pair.and_then(|at| Some((at, ids.get(at)?))) else {
                let style = TomlStyle {
                    indent: self.header_indent(),
                    ..self.style(None, ids.first().copied().unwrap_or(0))
                };
                let text = write::element(&scope.header, &item.value, style);
                self.add_section(place.unwrap_or(first), &text);
                continue;
            };
            place = toml
                .section_in(id)
                .map(|section| self.end_of_section(section.end()));
            let value = item.value.resolved();
            if let (Some(before), Some(after)) =
                (old.items[at].value.as_mapping(), value.as_mapping())
                && !Arc::ptr_eq(&old.items[at].value, value)
            {
                self.table(
                    id,
                    before,
                    after,
                    &TomlScope {
                        header: scope.header.clone(),
                        prefix: String::new(),
                    },
                );
            }
        }
    }
}

/// Returns for each item of the new list the item that it was: by its position in the text if the
/// list is an edited version of the old one, otherwise by its index.
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

/// Pairs the items of two versions of one list by their position in the text; `None` if their order
/// changed.
fn pairs_by_start(old: &Sequence, new: &Sequence) -> Option<Vec<Option<usize>>> {
    let mut least = 0;
    let mut pairs = Vec::with_capacity(new.items.len());
    for item in &new.items {
        let Some(start) = item.start else {
            pairs.push(None);
            continue;
        };
        // In another order it is unknown which of two items moved.
        let mut rest = old.items.get(least..)?.iter();
        let at = least + rest.position(|known| known.start == Some(start))?;
        least = at + 1;
        pairs.push(Some(at));
    }
    Some(pairs)
}
