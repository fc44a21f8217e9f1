//! `@overlay/structured`: the left is a string that holds a document, and the right is applied to that document.
//!
//! Whatever a part does to a value it then does to what the string holds, and the string gets the outcome in its own
//! layout. How the string spells its text (base64 or not) follows from the object that it stands in.

use std::sync::Arc;

use super::apply::{Outcome, Overlaying};
use super::instruction::{Structured, error};
use super::matcher::Index;
use super::part::Kind;
use super::trail::Trail;
use crate::edit::{Encoding, Format, StringDocument, TextFields};
use crate::kubernetes::text_fields;
use crate::source::Result;
use crate::yaml::{Node, Value, is_equal};

/// Where in an object the elements are that are at hand.
#[derive(Debug)]
pub(super) struct Place {
    /// Which fields of the object are text.
    fields: TextFields,
    /// The keys from the object's root; `None` for an item of a list.
    path: Vec<Option<Arc<Node>>>,
    /// The language of the text that the object is written in.
    holder: Format,
}

impl Place {
    /// The root of an object, or of any other document.
    pub(super) fn root(object: &Arc<Node>, holder: Format) -> Place {
        Place {
            fields: text_fields(object),
            path: Vec::new(),
            holder,
        }
    }

    /// The place of an element below, whose value is `value`.
    pub(super) fn below(&self, index: Index<'_, '_>, value: &Arc<Node>) -> Place {
        if let (Index::Number(_), Some((field, of_object))) = (index, self.fields.objects)
            && matches!(self.path.as_slice(), [Some(own)] if own.resolved().text() == Some(field))
        {
            return Place {
                fields: of_object(value),
                path: Vec::new(),
                holder: self.holder,
            };
        }
        let step = match index {
            Index::Key(key) => Some(Arc::clone(key)),
            Index::Number(_) | Index::Value(_) => None,
        };
        Place {
            fields: self.fields,
            path: self.path.iter().cloned().chain([step]).collect(),
            holder: self.holder,
        }
    }

    /// How the text that stands here is spelled.
    fn encoding(&self) -> Encoding {
        let path: Option<Vec<&str>> = self
            .path
            .iter()
            .map(|step| step.as_ref()?.resolved().text())
            .collect();
        path.and_then(|path| self.fields.encoding(path.into_iter()))
            .unwrap_or(Encoding::Plain)
    }

    /// The format that the key suggests.
    fn format(&self) -> Option<Format> {
        self.key().and_then(Format::of_key)
    }

    /// The key that the element has; an item of a list has none.
    fn key(&self) -> Option<&str> {
        self.path.last()?.as_ref()?.resolved().text()
    }
}

impl<'v> Overlaying<'_, '_, 'v> {
    /// What `edit` makes of `left`, or of the document in it.
    pub(super) fn edited(
        &mut self,
        left: &Arc<Node>,
        trail: &Trail<'_, 'v>,
        structured: Option<Structured>,
        edit: impl FnOnce(&mut Self, &Arc<Node>) -> Outcome<Arc<Node>>,
    ) -> Outcome<Arc<Node>> {
        let Some(Structured { format }) = structured else {
            return edit(self, left);
        };
        let located = |error| vec![trail.locate(error)];
        let document = self.open(left, format).map_err(located)?;
        let root = Arc::clone(document.root());
        self.places.push(Place::root(&root, document.format()));
        let outcome = edit(self, &root);
        self.places.pop();
        let value = outcome?;
        if is_equal(&root, &value) {
            return Ok(Arc::clone(left));
        }
        document.with_root(&value).map_err(located)
    }

    fn open(&self, left: &Arc<Node>, format: Option<Format>) -> Result<StringDocument> {
        let place = self.places.last();
        let encoding = place.map_or(Encoding::Plain, Place::encoding);
        let holder = place.map_or(Format::Yaml, |place| place.holder);
        let suggested = format.or_else(|| place.and_then(Place::format));
        let text = left.text().unwrap_or_default();
        match left.value() {
            Some(Value::Null) => StringDocument::new(encoding, suggested.unwrap_or(Format::Yaml)),
            Some(Value::String(_)) if !text.trim().is_empty() => {
                let of_text = || place.and_then(Place::key).and_then(Format::of_text_under);
                StringDocument::open(left, encoding, holder, format.or_else(of_text))
            }
            Some(Value::String(_)) => StringDocument::open(left, encoding, holder, suggested),
            _ => Err(error(format!(
                "expected a string that holds a document, found {}",
                left.described()
            ))
            .at(left.location(), left.described())
            .help("leave out `#@overlay/structured` to apply the overlay to the value itself")),
        }
        .map_err(|error| match error.labels.is_empty() {
            true => error.at(left.location(), "the string"),
            false => error,
        })
    }

    /// The place that a new element has which the last part of `trail` makes.
    fn new_place(&self, trail: &Trail<'_, 'v>) -> Place {
        let part = trail.part;
        match (&part.key, self.places.last()) {
            (Some(key), Some(outer)) => outer.below(Index::Key(key), &part.value),
            (None, Some(outer)) if part.kind == Kind::Item => {
                outer.below(Index::Number(0), &part.value)
            }
            _ => Place::root(&part.value, Format::Yaml),
        }
    }

    /// The value of a new element: what `make` makes, or a string that holds it.
    pub(super) fn new_value(
        &mut self,
        trail: &Trail<'_, 'v>,
        structured: Option<Structured>,
        make: impl FnOnce(&mut Self) -> Outcome<Arc<Node>>,
    ) -> Outcome<Arc<Node>> {
        self.places.push(self.new_place(trail));
        let value = make(self);
        let place = self.places.pop();
        let value = value?;
        let (Some(Structured { format }), Some(place)) = (structured, place) else {
            return Ok(value);
        };
        self.new_strings += 1;
        let format = format.or_else(|| place.format()).unwrap_or(Format::Yaml);
        let document = StringDocument::new(place.encoding(), format);
        document
            .and_then(|document| document.with_root(&value))
            .map_err(|error| vec![trail.locate(error)])
    }
}
