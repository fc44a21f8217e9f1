//! Describes the origins of values in a few words, for comments: `values.yml:3 replicas`.

use std::collections::HashMap;
use std::sync::Arc;

use super::link::{Input, InputKind, Link, LinkKind};
use crate::provenance::StepKind;
use crate::source::{Location, Source, quoted_name};
use crate::yaml::is_equal;

/// Describes origins in a few words.
#[derive(Default)]
pub(super) struct OriginNames {
    /// The names of places, by the address of the source and the offset. Many comments name the
    /// same place.
    places: HashMap<(usize, usize), NamedPlace>,
}

/// The name of a place. It keeps its source, so that no other source gets its address.
struct NamedPlace {
    _source: Arc<Source>,
    name: String,
}

impl OriginNames {
    /// Describes the origin of a value; `None` for a value that is written in the file of its
    /// document.
    pub(super) fn origin(&mut self, link: &Link) -> Option<String> {
        match link.kind {
            LinkKind::File => None,
            LinkKind::Template => Some(self.template_origin(link)),
            LinkKind::Step(StepKind::Overlay) => Some(self.place_or_kind(link).to_owned()),
            kind => Some(match &link.place {
                Some(place) => format!("{} {}", self.short_place(place), kind.title()),
                None => kind.title().to_owned(),
            }),
        }
    }

    /// Describes the origin of the result of an expression: the data value that it passes on, or
    /// the place of the expression with the keys of the data values that it read.
    fn template_origin(&mut self, link: &Link) -> String {
        if let [only] = link.inputs.as_slice()
            && contains(link, only)
        {
            return match self.data_value_origin(only) {
                Some(origin) => origin,
                None => self.place_or_kind(link).to_owned(),
            };
        }
        let keys: Vec<&str> = link.inputs.iter().filter_map(data_value_key).collect();
        let place = self.place_or_kind(link);
        match keys.is_empty() {
            true => place.to_owned(),
            false => format!("{place} {}", keys.join(", ")),
        }
    }

    /// Describes the origin of a data value: `values.yml:3 replicas`, `flag --data-value replicas`.
    fn data_value_origin(&mut self, input: &Input) -> Option<String> {
        let key = data_value_key(input)?;
        let link = input.links.first()?;
        Some(match (link.kind, &link.text) {
            // The value is left out because it is in the output.
            (LinkKind::Flag, Some(typed)) => {
                let name = typed.split('=').next().unwrap_or_default();
                format!("flag {name}")
            }
            (LinkKind::Environment, Some(typed)) => format!("environment {typed}"),
            _ => format!("{} {key}", self.place_or_kind(link)),
        })
    }

    fn place_or_kind(&mut self, link: &Link) -> &str {
        match &link.place {
            Some(place) => self.short_place(place),
            None => link.kind.title(),
        }
    }

    /// Returns the file and the line of a place.
    fn short_place(&mut self, place: &Location) -> &str {
        let place = place.in_file();
        let key = (Arc::as_ptr(&place.source).addr(), place.span.start());
        let named = self.places.entry(key).or_insert_with(|| {
            let line = place.source.line(place.span.start());
            NamedPlace {
                name: format!("{}:{line}", quoted_name(place.source.shown_name())),
                _source: place.source,
            }
        });
        &named.name
    }
}

/// Returns whether the result of an expression is the data value that it read, or a text that
/// contains it. Any other result was computed, so its origin is the expression.
fn contains(link: &Link, input: &Input) -> bool {
    let (Some(made), Some(read)) = (&link.after, &input.value) else {
        return false;
    };
    match (made.as_str(), read.text()) {
        (Some(made), Some(read)) if !read.is_empty() => made.contains(read),
        _ => is_equal(made, read),
    }
}

fn data_value_key(input: &Input) -> Option<&str> {
    match &input.kind {
        InputKind::DataValue { key, .. } => Some(key),
        InputKind::Field { .. } => None,
    }
}
