//! Following a path and changing what it leads to.

use std::sync::Arc;

use super::create::{self, create};
use super::embedded::{Embedded, Layout};
use super::format::Format;
use super::lookup;
use super::missing::Missing;
use super::path::{FieldPath, Segment};
use super::text_fields::{Encoding, TextFields};
use crate::source::suggest::did_you_mean;
use crate::source::{Code, Diagnostic, Location};
use crate::yaml::{Content, Entry, Item, Mapping, Node, Sequence, Syntax, Value, relink};

/// What a walk along a path may do.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// Whether what is missing is made.
    pub create: bool,
    /// The format of strings that the path goes into; `None` to find out.
    pub format: Option<Format>,
    /// How the documents in strings are written back.
    pub layout: Layout,
    /// Which fields are text.
    pub text_fields: TextFields,
    /// The grammar of the text that the tree was read from.
    pub syntax: Syntax,
    /// Whether the tree has aliases, which have to follow what they stand for.
    pub has_aliases: bool,
}

/// A value that the path leads to.
#[derive(Debug)]
pub struct Target<'a> {
    /// The value, an alias followed; `None` for one that is to be made.
    pub current: Option<&'a Arc<Node>>,
    /// The grammar of the text that it stands in.
    pub syntax: Syntax,
    /// The encoding of the field, if it is a text field of the object.
    pub text_field: Option<Encoding>,
    /// The key of the entry that holds it, if it stands in a mapping.
    pub key: Option<&'a str>,
}

/// Why nothing came of it.
#[derive(Debug)]
pub enum Failure {
    /// The path leads nowhere.
    Missing(Box<Missing>),
    /// Something else is wrong.
    Diagnostic(Box<Diagnostic>),
}

impl From<Box<Diagnostic>> for Failure {
    fn from(diagnostic: Box<Diagnostic>) -> Failure {
        Failure::Diagnostic(diagnostic)
    }
}

impl Failure {
    /// The diagnostic, where `message` says what was wanted of the path.
    pub fn diagnostic(self, message: impl FnOnce() -> String) -> Box<Diagnostic> {
        match self {
            Failure::Missing(missing) => missing.diagnostic(message()),
            Failure::Diagnostic(diagnostic) => diagnostic,
        }
    }

    /// The one that tells more, where the path was tried in several places: what is wrong before what is missing, and
    /// the place that was reached by more of the path before others.
    pub fn or_deeper(self, other: Failure) -> Failure {
        match (&self, &other) {
            (Failure::Missing(_), Failure::Diagnostic(_)) => other,
            (Failure::Missing(first), Failure::Missing(second)) if second.depth > first.depth => other,
            _ => self,
        }
    }
}

type Outcome<T> = std::result::Result<T, Failure>;

/// What is done with a target: `Some` takes its place, `None` leaves it.
pub type Visit<'v> = dyn FnMut(Target<'_>) -> crate::source::Result<Option<Arc<Node>>> + 'v;

/// Follows `path` from `root`, also into strings, and lets `visit` change every value that it leads to.
///
/// Returns the new root, or `None` where `visit` changed nothing.
///
/// # Errors
/// [`Failure::Missing`] where the path leads to no value at all: of a path that branches, one branch is enough.
pub fn update(
    root: &Arc<Node>,
    path: &FieldPath,
    options: &Options,
    visit: &mut Visit<'_>,
) -> Outcome<Option<Arc<Node>>> {
    let mut walk = Walk { path, options, visit, hits: 0, missing: None };
    let place =
        Place { syntax: options.syntax, names: Some(Names { name: None, outer: None }), key: None, label: None };
    let mut changed = walk.node(root, 0, &place)?;
    if walk.hits == 0
        && let Some(missing) = walk.missing
    {
        return Err(Failure::Missing(Box::new(missing)));
    }
    if options.has_aliases {
        changed = changed.map(|root| relink(&root));
    }
    Ok(changed)
}

struct Walk<'w, 'v> {
    path: &'w FieldPath,
    options: &'w Options,
    visit: &'w mut Visit<'v>,
    hits: usize,
    missing: Option<Missing>,
}

/// Where a node stands.
#[derive(Clone, Copy)]
struct Place<'a> {
    syntax: Syntax,
    /// The names from the root of the object to the node; `None` inside a string, and below a list.
    names: Option<Names<'a>>,
    key: Option<&'a str>,
    /// The key, or the item, that holds the node: a better place to point at than a whole collection.
    label: Option<&'a Arc<Node>>,
}

/// A list of names, from the last to the first.
#[derive(Clone, Copy)]
struct Names<'a> {
    name: Option<&'a str>,
    outer: Option<&'a Names<'a>>,
}

impl Names<'_> {
    fn encoding(&self, fields: &TextFields) -> Option<Encoding> {
        let mut names = Vec::new();
        let mut next = Some(self);
        while let Some(here) = next {
            names.extend(here.name);
            next = here.outer;
        }
        names.reverse();
        fields.encoding(names.iter().copied())
    }
}

impl Place<'_> {
    fn text_field(&self, options: &Options) -> Option<Encoding> {
        self.names.as_ref().and_then(|names| names.encoding(&options.text_fields))
    }
}

impl Walk<'_, '_> {
    /// Follows the path from the segment `index` on.
    fn node(&mut self, node: &Arc<Node>, index: usize, place: &Place<'_>) -> Outcome<Option<Arc<Node>>> {
        let changed = self.resolved(node.resolved(), index, place)?;
        // The aliases of a node that changes follow it; what stands in the place of an alias is a node of its own.
        Ok(changed.map(|changed| changed.anchored(node.anchor())))
    }

    fn resolved(&mut self, node: &Arc<Node>, index: usize, place: &Place<'_>) -> Outcome<Option<Arc<Node>>> {
        let Some(segment) = self.path.segments().get(index) else {
            return self.visit(Some(node), place);
        };
        match &node.content {
            Content::Mapping(mapping) => self.mapping(node, mapping, segment, index, place),
            Content::Sequence(sequence) => self.sequence(node, sequence, segment, index, place),
            Content::Scalar(_) => self.scalar(node, index, place),
            Content::Alias(_) => Ok(None),
        }
    }

    fn visit(&mut self, current: Option<&Arc<Node>>, place: &Place<'_>) -> Outcome<Option<Arc<Node>>> {
        self.hits += 1;
        let text_field = place.text_field(self.options);
        Ok((self.visit)(Target { current, syntax: place.syntax, text_field, key: place.key })?)
    }

    fn mapping(
        &mut self,
        node: &Arc<Node>,
        mapping: &Mapping,
        segment: &Segment,
        index: usize,
        place: &Place<'_>,
    ) -> Outcome<Option<Arc<Node>>> {
        if matches!(segment, Segment::Wildcard) {
            let mut entries = Vec::new();
            for (at, entry) in mapping.entries.iter().enumerate().filter(|(_, entry)| entry.key.text() != Some("<<")) {
                let inner = place.below(entry.key.resolved().text(), Some(&entry.key));
                if let Some(value) = self.node(&entry.value, index + 1, &inner)? {
                    entries.push((at, value));
                }
            }
            return Ok(with_values(node, mapping, entries));
        }
        let Some(name) = segment.as_key() else {
            return self.miss(index, place, node, |found| {
                format!("{found} is a mapping, and `{}` selects items of a list", self_text(segment))
            });
        };
        if let Some(at) = lookup::entry(mapping, name)? {
            let entry = &mapping.entries[at];
            let inner = place.below(Some(name), Some(&entry.key));
            let value = self.node(&entry.value, index + 1, &inner)?;
            return Ok(value.and_then(|value| with_values(node, mapping, vec![(at, value)])));
        }
        let inner = place.below(Some(name), place.label);
        let value = match lookup::merged(mapping, name) {
            // A value from a merge key is changed for this mapping alone, by a key of its own.
            Some(merged) => self.node(merged, index + 1, &inner)?,
            None if self.options.create => self.create(index + 1, &inner)?,
            None => {
                let keys = mapping.entries.iter().filter_map(|entry| entry.key.text());
                let help = did_you_mean(name, keys);
                return self.miss_with(index, place, node, help, |found| format!("{found} has no field `{name}`"));
            }
        };
        Ok(value.map(|value| {
            let mut entries = mapping.entries.to_vec();
            entries.push(Entry::new(name, value));
            node.with_entries(entries)
        }))
    }

    fn sequence(
        &mut self,
        node: &Arc<Node>,
        sequence: &Sequence,
        segment: &Segment,
        index: usize,
        place: &Place<'_>,
    ) -> Outcome<Option<Arc<Node>>> {
        let appends = self.options.create && segment.is_last();
        let selected = if appends { Vec::new() } else { lookup::items(sequence, segment) };
        if selected.is_empty() {
            return self.no_item(node, sequence, segment, index, place);
        }
        let mut values = Vec::new();
        for at in selected {
            let item = &sequence.items[at].value;
            let inner = place.below_item(item);
            if let Some(value) = self.node(item, index + 1, &inner)? {
                values.push((at, value));
            }
        }
        if values.is_empty() {
            return Ok(None);
        }
        let mut items = sequence.items.clone();
        for (at, value) in values {
            items[at].value = value;
        }
        Ok(Some(node.with_items(items)))
    }

    /// No item is selected: one may be made at the end.
    fn no_item(
        &mut self,
        node: &Arc<Node>,
        sequence: &Sequence,
        segment: &Segment,
        index: usize,
        place: &Place<'_>,
    ) -> Outcome<Option<Arc<Node>>> {
        let count = sequence.items.len();
        let reason = match segment {
            Segment::Wildcard => return self.miss(index, place, node, |found| format!("{found} is an empty list")),
            Segment::Match { .. } | Segment::Item(_) => format!("no item matches `{}`", self_text(segment)),
            _ if segment.is_last() => "the list is empty".to_owned(),
            _ => match segment.as_index() {
                Some(at) if at > count || !self.options.create => {
                    format!("index {at} specified but only {count} elements found")
                }
                Some(_) => String::new(),
                None => {
                    let wanted = self_text(segment);
                    return self
                        .miss(index, place, node, |found| format!("{found} is a list and has no field `{wanted}`"));
                }
            },
        };
        let beyond = segment.as_index().is_some_and(|at| at > count);
        if !self.options.create || beyond {
            return self.miss(index, place, node, |_| reason);
        }
        let inner = place.below_item(node);
        let value = self.create(index + 1, &inner)?.and_then(|value| create::item(segment, value));
        let Some(value) = value else { return Ok(None) };
        let mut items = sequence.items.to_vec();
        items.push(Item { start: None, value });
        Ok(Some(node.with_items(items)))
    }

    /// The path goes on below a scalar: into its text, or, where nothing is there yet, into what is made.
    fn scalar(&mut self, node: &Arc<Node>, index: usize, place: &Place<'_>) -> Outcome<Option<Arc<Node>>> {
        let text_field = place.text_field(self.options);
        match node.value() {
            Some(Value::Null) if self.options.create => self.create(index, place),
            Some(Value::String(_)) => self.string(node, index, place, text_field.unwrap_or(Encoding::Plain)),
            _ if text_field.is_some() => self.string(node, index, place, text_field.unwrap_or(Encoding::Plain)),
            _ => {
                let kind = node.kind();
                self.miss(index, place, node, |found| format!("{found} is a {kind} and has no fields"))
            }
        }
    }

    fn string(
        &mut self,
        node: &Arc<Node>,
        index: usize,
        place: &Place<'_>,
        encoding: Encoding,
    ) -> Outcome<Option<Arc<Node>>> {
        let embedded = match Embedded::open(node, encoding, self.options.format) {
            Ok(embedded) => embedded,
            Err(cause) => {
                self.miss(index, place, node, |found| {
                    format!("the path goes on below {found}, which holds no document")
                })?;
                if let Some(missing) = self.deepest(index).filter(|missing| missing.cause.is_none()) {
                    missing.cause = Some(cause);
                }
                return Ok(None);
            }
        };
        let segment = &self.path.segments()[index];
        let syntax = embedded.syntax();
        let inner = Place { syntax, names: None, key: None, label: None };
        if embedded.roots.is_empty() {
            return self.empty_string(node, embedded, index, place);
        }
        // In a string with several documents an index picks one; else the path addresses all that have it.
        let count = embedded.roots.len();
        let (picked, next) = match segment {
            Segment::Document if count > 1 => {
                return self.miss(index, place, node, |found| {
                    format!("{found} holds {count} documents: expected an index before the dot at the end")
                });
            }
            Segment::Document => (None, index + 1),
            _ if count > 1 => match segment.as_index() {
                Some(at) if at >= count => {
                    return self.miss(index, place, node, |_| {
                        format!("index {at} specified but only {count} documents found")
                    });
                }
                Some(at) => (Some(at), index + 1),
                None => (None, index),
            },
            _ => (None, index),
        };
        let next = if picked.is_some() && self.path.segments().get(next) == Some(&Segment::Document) {
            next + 1
        } else {
            next
        };
        let mut roots = embedded.roots.clone();
        let mut changed = false;
        for (at, root) in embedded.roots.iter().enumerate().filter(|(at, _)| picked.is_none_or(|picked| picked == *at))
        {
            if root.resolved().as_scalar().is_some() && next < self.path.segments().len() {
                self.miss(index, place, node, |found| {
                    format!("the text of {found} is no JSON or YAML mapping or list")
                })?;
                self.deepest(index).into_iter().for_each(|missing| missing.code = Code::NotADocument);
                continue;
            }
            if let Some(root) = self.node(root, next, &inner)? {
                roots[at] = if embedded.has_aliases() { relink(&root) } else { root };
                changed = true;
            }
        }
        if !changed {
            return Ok(None);
        }
        Ok(Some(embedded.with_roots(roots, self.options.layout)?))
    }

    /// A string without a document: one may be made in it.
    fn empty_string(
        &mut self,
        node: &Arc<Node>,
        embedded: Embedded,
        index: usize,
        place: &Place<'_>,
    ) -> Outcome<Option<Arc<Node>>> {
        if !self.options.create {
            return self.miss(index, place, node, |found| format!("{found} is empty"));
        }
        let format = self.format_of(place.key);
        let inner = Place { syntax: format.syntax(), names: None, key: None, label: place.label };
        let index = if self.path.segments().get(index) == Some(&Segment::Document) { index + 1 } else { index };
        let root = self.create(index, &inner)?;
        let embedded = if embedded.syntax() == format.syntax() { embedded } else { embedded.in_format(format) };
        Ok(root.map(|root| embedded.with_roots(vec![root], self.options.layout)).transpose()?)
    }

    /// The format of a document that is made in the string under `key`.
    fn format_of(&self, key: Option<&str>) -> Format {
        self.options.format.or_else(|| key.and_then(Format::of_key)).unwrap_or(Format::Yaml)
    }

    /// Makes the value for the segments from `index` on, which do not exist. In a text field it is a string that holds
    /// them.
    fn create(&mut self, index: usize, place: &Place<'_>) -> Outcome<Option<Arc<Node>>> {
        let segments = &self.path.segments()[index..];
        let text_field = place.text_field(self.options).filter(|_| !segments.is_empty());
        if let Some(encoding) = text_field {
            let format = self.format_of(place.key);
            let inner = Place { syntax: format.syntax(), names: None, key: None, label: place.label };
            let skipped = usize::from(segments.first() == Some(&Segment::Document));
            let root = self.create(index + skipped, &inner)?;
            let embedded = Embedded::made(encoding, format);
            return Ok(root.map(|root| embedded.with_roots(vec![root], self.options.layout)).transpose()?);
        }
        // Only the value at the end is asked for: what leads to it is made around it.
        let names = place.names.as_ref();
        let last = segments.last().and_then(Segment::as_key);
        let leaf_names = names.filter(|_| segments.iter().all(|segment| segment.as_key().is_some()));
        let encoding = leaf_names.and_then(|names| names.below(segments, &self.options.text_fields));
        self.hits += 1;
        let target = Target { current: None, syntax: place.syntax, text_field: encoding, key: last.or(place.key) };
        let Some(leaf) = (self.visit)(target)? else { return Ok(None) };
        if let Some(made) = create(segments, leaf) {
            return Ok(Some(made));
        }
        self.hits -= 1;
        let wanted = self.path.prefix(self.path.segments().len()).to_owned();
        let found = segments.iter().find_map(Segment::as_index).map_or_else(
            || format!("`{wanted}` has a wildcard where nothing is there to select"),
            |at| format!("index {at} specified but only 0 elements found"),
        );
        self.record(Missing {
            code: Code::PathNotFound,
            depth: index,
            location: place.label.and_then(|label| label.location()),
            reason: found,
            help: None,
            cause: None,
        });
        Ok(None)
    }

    fn miss(
        &mut self,
        index: usize,
        place: &Place<'_>,
        node: &Arc<Node>,
        reason: impl FnOnce(&str) -> String,
    ) -> Outcome<Option<Arc<Node>>> {
        self.miss_with(index, place, node, None, reason)
    }

    /// Remembers that the path goes no further here, if no other branch got deeper.
    fn miss_with(
        &mut self,
        index: usize,
        place: &Place<'_>,
        node: &Arc<Node>,
        help: Option<String>,
        reason: impl FnOnce(&str) -> String,
    ) -> Outcome<Option<Arc<Node>>> {
        let found = match index {
            0 => "the document".to_owned(),
            _ => format!("`{}`", self.path.prefix(index)),
        };
        let location = place.label.and_then(|label| label.location()).or_else(|| first_location(node));
        self.record(Missing {
            code: Code::PathNotFound,
            depth: index,
            location,
            reason: reason(&found),
            help,
            cause: None,
        });
        Ok(None)
    }

    /// The deepest dead end, if it is at `index`.
    fn deepest(&mut self, index: usize) -> Option<&mut Missing> {
        self.missing.as_mut().filter(|missing| missing.depth == index)
    }

    fn record(&mut self, missing: Missing) {
        if self.missing.as_ref().is_none_or(|known| known.depth < missing.depth) {
            self.missing = Some(missing);
        }
    }
}

impl<'a> Place<'a> {
    /// The place of the value of an entry.
    fn below<'b>(&'b self, name: Option<&'b str>, label: Option<&'b Arc<Node>>) -> Place<'b>
    where
        'a: 'b,
    {
        let names = self.names.as_ref().filter(|_| name.is_some()).map(|outer| Names { name, outer: Some(outer) });
        Place { syntax: self.syntax, names, key: name, label }
    }

    /// The place of an item of a list.
    fn below_item<'b>(&'b self, item: &'b Arc<Node>) -> Place<'b>
    where
        'a: 'b,
    {
        Place {
            syntax: self.syntax,
            names: None,
            key: None,
            label: Some(item).filter(|item| item.as_scalar().is_some()).or(self.label),
        }
    }
}

impl Names<'_> {
    /// The encoding of the field that `segments`, all of them keys, lead to from here.
    fn below(&self, segments: &[Segment], fields: &TextFields) -> Option<Encoding> {
        match segments.split_first() {
            None => self.encoding(fields),
            Some((first, rest)) => Names { name: first.as_key(), outer: Some(self) }.below(rest, fields),
        }
    }
}

/// A mapping with some of its values replaced.
fn with_values(node: &Node, mapping: &Mapping, values: Vec<(usize, Arc<Node>)>) -> Option<Arc<Node>> {
    if values.is_empty() {
        return None;
    }
    let mut entries = mapping.entries.clone();
    for (at, value) in values {
        entries[at].value = value;
    }
    Some(node.with_entries(entries))
}

/// A place to point at for a node: the first key of a mapping, the first item of a list, the scalar itself.
fn first_location(node: &Arc<Node>) -> Option<Location> {
    match &node.content {
        Content::Mapping(mapping) => mapping.entries.first().and_then(|entry| entry.key.location()),
        Content::Sequence(sequence) => sequence.items.first().and_then(|item| first_location(&item.value)),
        _ => None,
    }
    .or_else(|| node.location())
}

/// A segment as it is written.
fn self_text(segment: &Segment) -> String {
    match segment {
        Segment::Name(name) => name.to_string(),
        Segment::Key(key) => format!("[{key}]"),
        Segment::Match { field, value } => format!("[{field}={value}]"),
        Segment::Item(value) => format!("[={value}]"),
        Segment::Wildcard => "*".to_owned(),
        Segment::Document => String::new(),
    }
}
