//! Entries and items that come into a flow collection or leave it.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::Printer;
use super::align::{Part, Step};
use crate::source::Span;
use crate::yaml::node::Node;
use crate::yaml::text_edit::TextEdit;

impl Printer<'_> {
    /// Carries out the steps of an edited flow collection, but for the values of what stays.
    pub(super) fn flow_steps(
        &mut self,
        collection: &Arc<Node>,
        old: &[Part<'_>],
        new: &[Part<'_>],
        steps: &[Step],
    ) {
        let kept: Vec<usize> = steps
            .iter()
            .filter_map(|step| {
                if let Step::Keep { old, .. } = step {
                    Some(*old)
                } else {
                    None
                }
            })
            .collect();
        let inserts = |step: &Step| {
            if let Step::Insert { new, after } = *step {
                Some((new, after))
            } else {
                None
            }
        };
        if kept.is_empty() && !steps.is_empty() {
            let added: Vec<&Part<'_>> = steps
                .iter()
                .filter_map(inserts)
                .map(|(index, _)| &new[index])
                .collect();
            self.fill(collection, old, &added);
            return;
        }
        self.remove_parts(old, &kept);
        // What was removed has taken its comma along, so new parts join the last one that stays.
        let mut added: BTreeMap<Option<usize>, Vec<String>> = BTreeMap::new();
        for (index, after) in steps.iter().filter_map(inserts) {
            let previous =
                after.and_then(|after| kept.partition_point(|&kept| kept <= after).checked_sub(1));
            added
                .entry(previous)
                .or_default()
                .push(self.part_text(collection, old, &new[index]));
        }
        let separator = self.separator(collection, old);
        for (previous, texts) in added {
            let Some(at) = previous else {
                let text = format!("{}{separator}", texts.join(&separator));
                self.edits.push(TextEdit::insert(old[kept[0]].start, text));
                continue;
            };
            let follower = kept.get(at + 1).copied().unwrap_or(old.len());
            let follower_stays = follower == kept[at] + 1;
            self.insert_after(&old[kept[at]], &texts, &separator, follower_stays);
        }
    }

    /// Puts parts after `previous`, on lines of their own also after the comment that belongs to it.
    fn insert_after(
        &mut self,
        previous: &Part<'_>,
        texts: &[String],
        separator: &str,
        follower_stays: bool,
    ) {
        let text = texts.join(separator);
        let gap = separator
            .strip_prefix(',')
            .filter(|gap| gap.contains('\n') && follower_stays);
        if let Some(gap) = gap {
            let line_end = self.text.line_end(previous.end);
            let tail = self.text.slice(previous.end, line_end).trim();
            let (comma, tail) = tail
                .strip_prefix(',')
                .map_or((false, tail), |tail| (true, tail.trim_start()));
            if is_comment(tail) {
                if !comma {
                    self.edits.push(TextEdit::insert(previous.end, ","));
                }
                let comma = if comma { "," } else { "" };
                self.edits
                    .push(TextEdit::insert(line_end, format!("{gap}{text}{comma}")));
                return;
            }
        }
        self.edits
            .push(TextEdit::insert(previous.end, format!("{separator}{text}")));
    }

    /// Takes out every part that is not kept, each with one comma.
    fn remove_parts(&mut self, old: &[Part<'_>], kept: &[usize]) {
        let Some((&first, rest)) = kept.split_first() else {
            return;
        };
        if first > 0 {
            self.edits.push(TextEdit::replace(
                Span::new(old[0].start, old[first].start),
                "",
            ));
        }
        let mut previous = first;
        for &next in rest.iter().chain([&old.len()]) {
            if next > previous + 1 {
                self.edits.push(TextEdit::replace(
                    Span::new(old[previous].end, old[next - 1].end),
                    "",
                ));
            }
            previous = next;
        }
    }

    /// Gives a collection of which nothing stays its new parts.
    fn fill(&mut self, collection: &Arc<Node>, old: &[Part<'_>], added: &[&Part<'_>]) {
        let Some(origin) = &collection.origin else {
            return;
        };
        let inside = Span::new(
            origin.span.start() + 1,
            origin
                .span
                .end()
                .saturating_sub(1)
                .max(origin.span.start() + 1),
        );
        let base = self.text.indentation(origin.span.start());
        let parts: Vec<String> = added
            .iter()
            .map(|part| self.part_text(collection, old, part))
            .collect();
        let habits = self.layout.flow();
        let text = match &habits.step {
            Some(step) if !parts.is_empty() && self.spreads() => {
                let between = format!("{}{base}{step}", self.layout.newline());
                format!(
                    "{between}{}{}{base}",
                    parts.join(&format!(",{between}")),
                    self.layout.newline()
                )
            }
            _ => parts.join(&format!(",{}", habits.after_comma)),
        };
        self.edits.push(TextEdit::replace(inside, text));
    }

    /// Whether a new flow collection stands over several lines: only in JSON, where the text has such ones.
    fn spreads(&self) -> bool {
        self.syntax == crate::yaml::node::Syntax::Json && self.layout.flow().step.is_some()
    }

    /// What stands between two parts of this collection: what stands between its first two, or what its layout suggests.
    fn separator(&self, collection: &Node, old: &[Part<'_>]) -> String {
        if let [first, second, ..] = old {
            let gap = self.text.slice(first.end, second.start);
            if gap.trim() == "," {
                return gap.trim_start_matches([' ', '\t']).to_owned();
            }
        }
        let start = collection
            .origin
            .as_ref()
            .map_or(0, |origin| origin.span.start() + 1);
        match old.first().map(|first| self.text.slice(start, first.start)) {
            Some(gap) if gap.contains('\n') => {
                let indent = old
                    .first()
                    .map_or("", |first| self.text.indentation(first.start));
                format!(",{}{indent}", self.layout.newline())
            }
            _ => format!(",{}", self.layout.flow().after_comma),
        }
    }

    /// The text of a new part.
    fn part_text(&self, collection: &Node, old: &[Part<'_>], part: &Part<'_>) -> String {
        let start = collection
            .origin
            .as_ref()
            .map_or(0, |origin| origin.span.start());
        // On lines of its own, a part that is a collection is spread over lines as well.
        let indent = self.spreads().then(|| match old.first() {
            Some(first) if self.text.same_line(start, first.start) => None,
            Some(first) => Some(self.text.indentation(first.start).to_owned()),
            None => Some(format!(
                "{}{}",
                self.text.indentation(start),
                self.layout.flow().step.as_deref().unwrap_or("")
            )),
        });
        let multiline = indent.as_ref().and_then(Option::as_deref);
        let quoted = self.quoted(part.value, self.habitual_quotes(old), &self.flow_place());
        let value =
            quoted.unwrap_or_else(|| self.inline(part.value, &self.flow_place(), multiline));
        match part.key {
            None => value,
            Some(key) => {
                let neighbour = old.last().and_then(|last| last.key);
                let space = match old
                    .last()
                    .and_then(|last| Some((last.value_start?, last.end)))
                {
                    Some((start, end)) if self.syntax == crate::yaml::node::Syntax::Json => {
                        if self.text.slice(start, end).starts_with([' ', '\t']) {
                            " "
                        } else {
                            ""
                        }
                    }
                    _ => self.after_colon(),
                };
                format!("{}:{space}{value}", self.key(key, neighbour, true))
            }
        }
    }
}

/// Whether the rest of a line is one comment that ends with it.
fn is_comment(tail: &str) -> bool {
    let ends_here = |body: &str| body.find("*/").is_some_and(|at| at + 2 == body.len());
    tail.starts_with('#')
        || tail.starts_with("//")
        || tail.strip_prefix("/*").is_some_and(ends_here)
}
