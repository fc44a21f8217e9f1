//! Creates the part of a path that does not exist yet.
//!
//! ```text
//! path `spec.ports.0.name` in an object without `spec`, with the value `http`
//!
//! spec:          a mapping, since `ports` is a key
//!   ports:       a list, since 0 is an index
//!   - name: http
//! ```
//!
//! The visitor is called for the value at the end first, because it may decline to return one. Then
//! nothing is created.

use std::sync::Arc;

use super::place::WalkPlace;
use super::{PathWalk, ShortList};
use crate::edit::embedded::Embedded;
use crate::edit::failure::{EditResult, Missing};
use crate::edit::fit::{TypePolicy, fit};
use crate::edit::options::EditTarget;
use crate::edit::path::PathSegment;
use crate::edit::text_fields::Encoding;
use crate::formats::DocumentFormat;
use crate::source::{Code, Result};
use crate::yaml::{Entry, Item, Node, Sequence};

impl PathWalk<'_, '_> {
    /// Handles a segment that selects no item. An item may be created at the end of the list.
    pub(super) fn no_item(
        &mut self,
        node: &Arc<Node>,
        sequence: &Sequence,
        segment: &PathSegment,
        index: usize,
        place: &WalkPlace<'_>,
    ) -> EditResult<Option<Arc<Node>>> {
        let reason = self.reason_for_no_item(node, sequence, segment, index, place)?;
        let Some(reason) = reason else {
            return Ok(None);
        };
        // The index right after the last item appends an item. A larger index would require
        // inventing the items between.
        let count = sequence.items.len();
        let beyond = segment.as_index().is_some_and(|at| at > count);
        if !self.options.create || beyond {
            return self.miss(index, place, node, |_| reason);
        }
        let inner = place.below_item(node);
        let Some(value) = self.create(index + 1, &inner)? else {
            return Ok(None);
        };
        let selected = self.selected_item(segment, value, sequence, &inner)?;
        let Some(value) = selected else {
            // The visitor was called for a value that cannot be written, so the path counts as not
            // found.
            self.hits -= 1;
            return self.miss(index, place, node, |_| {
                format!("{reason}, and only a mapping can be one")
            });
        };
        Ok(Some(node.with_items(
            sequence.items.inserted(count, Item { start: None, value }),
        )))
    }

    /// Returns the reason why a segment selects no item of a list that could contain one. If
    /// something is wrong with the segment itself, records that and returns `None`.
    fn reason_for_no_item(
        &mut self,
        node: &Arc<Node>,
        sequence: &Sequence,
        segment: &PathSegment,
        index: usize,
        place: &WalkPlace<'_>,
    ) -> EditResult<Option<String>> {
        let unmatched = format!("no item matches `{segment}`");
        if let Some(help) = self.nested_match(index) {
            self.miss_with(index, place, node, Some(help), |_| unmatched)?;
            return Ok(None);
        }
        if let Some(help) = self.pattern_help(index, place) {
            let reason = format!("{unmatched}, which is compared exactly and is not a pattern");
            self.miss_with(index, place, node, Some(help), |_| reason)?;
            return Ok(None);
        }
        match segment {
            PathSegment::Query(query) if query.as_index().is_none() => {
                self.miss(index, place, node, |found| {
                    format!("{found} has nothing that `{query}` selects")
                })?;
            }
            PathSegment::Wildcard => {
                self.miss(index, place, node, |found| {
                    format!("{found} is an empty list")
                })?;
            }
            PathSegment::Match { field, .. } if !self.options.create => {
                let help = values_of(sequence, field);
                self.miss_with(index, place, node, help, |_| unmatched)?;
            }
            PathSegment::Match { .. } | PathSegment::Item(_) => return Ok(Some(unmatched)),
            _ if segment.is_last() => return Ok(Some("the list is empty".to_owned())),
            _ => match segment.as_index() {
                Some(at) => return Ok(Some(self.reason_for_index(at, sequence, place))),
                None => self.miss_field_of_list(node, segment, index, place)?,
            },
        }
        Ok(None)
    }

    /// Records that a segment is the key of a mapping, but the path has reached a list. `ports[0]`
    /// is such a key too, so `ports.0` is suggested for it.
    fn miss_field_of_list(
        &mut self,
        node: &Arc<Node>,
        segment: &PathSegment,
        index: usize,
        place: &WalkPlace<'_>,
    ) -> EditResult<()> {
        self.miss(index, place, node, |found| {
            format!("{found} is a list and has no field `{segment}`")
        })?;
        let corrected = self.without_brackets(segment, index);
        if let Some(missing) = self.deepest(index) {
            missing.corrected = corrected;
        }
        Ok(())
    }

    /// Returns the reason why a list has no item at an index. The text is empty if an item can be
    /// created there.
    fn reason_for_index(
        &mut self,
        at: usize,
        sequence: &Sequence,
        place: &WalkPlace<'_>,
    ) -> String {
        let count = sequence.items.len();
        if at <= count && self.options.create {
            return String::new();
        }
        let reason = format!("index {at} specified but only {count} elements found");
        self.short_list = Some(ShortList {
            reason: reason.clone(),
            location: place.label.and_then(|label| label.location()),
        });
        reason
    }

    /// Returns an item that `segment` selects in `sequence`, with `inner` in it. `None` if there
    /// cannot be such an item.
    fn selected_item(
        &self,
        segment: &PathSegment,
        inner: Arc<Node>,
        sequence: &Sequence,
        place: &WalkPlace<'_>,
    ) -> Result<Option<Arc<Node>>> {
        let PathSegment::Match { field, value } = segment else {
            return Ok(Some(inner));
        };
        let sibling = sequence
            .items
            .iter()
            .find_map(|item| item.value.resolved().get(field));
        let target = identifier(field, sibling.map(Node::resolved), place);
        with_identifier(field, value, inner, &target)
    }

    /// Returns advice for a segment that has the syntax of a pattern. `place` is the place of the
    /// list.
    fn pattern_help(&self, index: usize, place: &WalkPlace<'_>) -> Option<String> {
        self.path.pattern_help(index, || place.reaches_names(&[]))
    }

    /// Returns advice if a segment may mean a field within a field. Then it is unclear what to
    /// create for it.
    fn nested_match(&self, index: usize) -> Option<String> {
        let PathSegment::Match { field, value } = self.path.segments().get(index)? else {
            return None;
        };
        self.path.looks_nested(index).then(|| {
            format!(
                "`{field}` is one key here: for a field within a field write a JSONPath, `[?@.{field}==\"{value}\"]`, and \
                 for a key with dots `[{}={value}]`",
                field.replace('.', "\\.")
            )
        })
    }

    /// Creates the value for the segments from `index` on, which do not exist. In a text field the
    /// result is a string that contains them.
    pub(super) fn create(
        &mut self,
        index: usize,
        place: &WalkPlace<'_>,
    ) -> EditResult<Option<Arc<Node>>> {
        let segments = &self.path.segments()[index..];
        if let Some((at, help)) = self.unclear_selector(index, place) {
            let selector = &self.path.segments()[at];
            let reason = format!("nothing is there for `{selector}` to match{}", help.reason);
            self.record_missing(index, place, reason, Some(help.text));
            return Ok(None);
        }
        // A text field can only contain a document, because the field itself has to stay a string.
        let text_field = place.text_field().filter(|_| !segments.is_empty());
        if let Some(encoding) = text_field {
            return self.create_document(encoding, index, place);
        }
        // The visitor is called only for the value at the end. The collections around it are
        // created here.
        let last = segments.last().and_then(PathSegment::as_key);
        self.hits += 1;
        let key = last.or(place.key);
        let target = EditTarget {
            wanted: self.wanted(key),
            key,
            ..place.target(None, segments)
        };
        let Some(leaf) = (self.visit)(target)? else {
            return Ok(None);
        };
        if let Some(made) = around(segments, leaf, place)? {
            return Ok(Some(made));
        }
        self.hits -= 1;
        let wanted = self.path.prefix(self.path.segments().len()).to_owned();
        let found = segments.iter().find_map(PathSegment::as_index).map_or_else(
            || format!("`{wanted}` has a wildcard where nothing is there to select"),
            |at| format!("index {at} specified but only 0 elements found"),
        );
        self.record_missing(index, place, found, None);
        Ok(None)
    }

    /// Creates the document of a text field that does not exist, with the segments from `index` on.
    fn create_document(
        &mut self,
        encoding: Encoding,
        index: usize,
        place: &WalkPlace<'_>,
    ) -> EditResult<Option<Arc<Node>>> {
        let format = self.format_of(place.key);
        let root = self.create_root(index, format, place)?;
        let embedded = Embedded::made(encoding, format)?;
        Ok(root
            .map(|root| embedded.with_roots(vec![root], self.options.layout))
            .transpose()?)
    }

    /// Creates the root of a document in the string at `place`, with the segments from `index` on.
    pub(super) fn create_root(
        &mut self,
        index: usize,
        format: DocumentFormat,
        place: &WalkPlace<'_>,
    ) -> EditResult<Option<Arc<Node>>> {
        let inner = WalkPlace::in_string(format, place.label);
        self.create(self.after_dot(index), &inner)
    }

    /// Returns the first selector from `index` on that cannot be meant as it is written. It would
    /// create an unwanted item: `[name=^web$]` would create an item with the name `^web$`.
    fn unclear_selector(
        &self,
        index: usize,
        place: &WalkPlace<'_>,
    ) -> Option<(usize, UnclearSelector)> {
        let segments = self.path.segments();
        for at in index..segments.len() {
            let is_name = || place.reaches_names(&segments[index..at]);
            if let Some(text) = self.path.pattern_help(at, is_name) {
                let reason = ", which is compared exactly and is not a pattern";
                return Some((at, UnclearSelector { reason, text }));
            }
        }
        for at in index..segments.len() {
            if let Some(text) = self.nested_match(at) {
                return Some((at, UnclearSelector { reason: "", text }));
            }
        }
        None
    }

    /// Records that nothing can be created at `place`, for the segments from `index` on.
    fn record_missing(
        &mut self,
        index: usize,
        place: &WalkPlace<'_>,
        reason: String,
        help: Option<String>,
    ) {
        self.record(Missing {
            code: Code::PathNotFound,
            depth: index,
            location: place.label.and_then(|label| label.location()),
            reason,
            help,
            corrected: None,
            cause: None,
        });
    }
}

/// The reason why a selector cannot be meant as it is written.
struct UnclearSelector {
    /// The end of the message.
    reason: &'static str,
    /// Advice on what to write instead.
    text: String,
}

/// Returns a value that has `leaf` at the end of `segments`. `None` if a segment cannot be created:
/// a wildcard, an index other than 0, the document of a string that does not exist.
///
/// The next segment decides the kind: a list for an index, `-`, `[name=x]` and `[=x]`, a mapping
/// for a key.
fn around(
    segments: &[PathSegment],
    leaf: Arc<Node>,
    place: &WalkPlace<'_>,
) -> Result<Option<Arc<Node>>> {
    let mut inner = leaf;
    for (at, segment) in segments.iter().enumerate().rev() {
        inner = match segment {
            PathSegment::Wildcard | PathSegment::Document | PathSegment::Query(_) => {
                return Ok(None);
            }
            PathSegment::Match { field, value } => {
                let place = EditTarget {
                    place: place.in_object(&segments[..=at]).key(field),
                    ..identifier(field, None, place)
                };
                match with_identifier(field, value, inner, &place)? {
                    Some(item) => Node::sequence([item]),
                    None => return Ok(None),
                }
            }
            PathSegment::Item(_) => Node::sequence([inner]),
            PathSegment::Key(key) => Node::mapping(vec![Entry::new(key, inner)]),
            PathSegment::Name(_) if segment.is_last() || segment.as_index() == Some(0) => {
                Node::sequence([inner])
            }
            PathSegment::Name(_) if segment.as_index().is_some() => return Ok(None),
            PathSegment::Name(key) => Node::mapping(vec![Entry::new(key, inner)]),
        };
    }
    Ok(Some(inner))
}

/// The maximum number of values of a field that a message lists.
const LISTED: usize = 10;

/// Returns advice that lists the values of a field in the items of a list.
fn values_of(sequence: &Sequence, field: &str) -> Option<String> {
    let mut values: Vec<&str> = Vec::new();
    for item in &sequence.items {
        let value = item.value.resolved().get(field);
        let text = value.and_then(|value| value.resolved().text());
        if let Some(text) = text.filter(|text| !values.contains(text)) {
            values.push(text);
        }
        if values.len() > LISTED {
            break;
        }
    }
    let more = if values.len() > LISTED { ", …" } else { "" };
    values.truncate(LISTED);
    let values: Vec<String> = values.iter().map(|value| format!("`{value}`")).collect();
    Some(match values.as_slice() {
        [] => format!("no item of the list has the field `{field}`"),
        _ => format!("the items have the {field} {}{more}", values.join(", ")),
    })
}

/// Returns the target of the field that selects a new item. The field gets the type of the same
/// field in `sibling`, an existing item, unless the object decides the type: next to `{id: 1}`,
/// `[id=2]` creates `{id: 2}`.
fn identifier<'a>(
    field: &'a str,
    sibling: Option<&'a Arc<Node>>,
    place: &'a WalkPlace<'_>,
) -> EditTarget<'a> {
    EditTarget {
        place: place.in_object(&[]).key(field),
        key: Some(field),
        ..place.target(sibling, &[])
    }
}

/// Returns the item whose `field` has the text `value`, with the entries of `inner` in it. `None`
/// if `inner` is not a mapping.
fn with_identifier(
    field: &str,
    value: &str,
    inner: Arc<Node>,
    target: &EditTarget<'_>,
) -> Result<Option<Arc<Node>>> {
    let Some(mapping) = inner.as_mapping() else {
        return Ok(None);
    };
    // kustomize writes the text as it is, so `80` becomes a number.
    let value = match target.place.keeps_scalars() {
        true => Node::plain(value),
        false => fit(&Node::string(value), target, TypePolicy::Keep)?,
    };
    let mut entries = vec![Entry::new(field, value)];
    entries.extend(mapping.entries.iter().cloned());
    Ok(Some(Node::mapping(entries)))
}
