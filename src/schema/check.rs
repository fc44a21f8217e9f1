//! Values against types: what does not fit, and what is missing.

use std::sync::Arc;

use super::path::{Path, key_text};
use super::place;
use super::types::{Fields, Kind, Type, kind_of};
use crate::script::Caller;
use crate::source::suggest::{did_you_mean, list};
use crate::source::{Code, Diagnostic, ERROR_LIMIT, Location};
use crate::yaml::{Content, Entry, Item, Node, Value, resolve};

/// At most this many keys are named where another was given.
const NAMED_KEYS: usize = 9;

/// Values that were checked.
#[derive(Debug)]
pub struct Checked {
    /// The values, in which every map has all keys that its type has. Keys that were given come first.
    pub values: Arc<Node>,
    /// What does not fit, in the order of the values.
    pub violations: Vec<Diagnostic>,
}

/// What is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Subject {
    Value,
    /// The default that a schema gives.
    Default,
    /// An example in a schema.
    Example,
}

impl Subject {
    fn code(self) -> Code {
        if self == Subject::Value {
            Code::DataValue
        } else {
            Code::Schema
        }
    }

    fn of(self, path: &Path<'_>) -> String {
        match self {
            Subject::Value => format!("`{path}`"),
            Subject::Default => format!("the default of `{path}`"),
            Subject::Example => format!("the example of `{path}`"),
        }
    }
}

/// One check of one tree.
pub(super) struct Checker<'c, 'd, 'v> {
    subject: Subject,
    caller: &'c Caller<'d, 'v>,
    /// Whether maps are completed with defaults.
    completes: bool,
    violations: Vec<Diagnostic>,
}

impl<'c, 'd, 'v> Checker<'c, 'd, 'v> {
    pub(super) fn new(subject: Subject, caller: &'c Caller<'d, 'v>) -> Checker<'c, 'd, 'v> {
        Checker {
            subject,
            caller,
            completes: true,
            violations: Vec::new(),
        }
    }

    /// A check that adds nothing to the values.
    pub(super) fn of_part(caller: &'c Caller<'d, 'v>) -> Checker<'c, 'd, 'v> {
        Checker {
            completes: false,
            ..Checker::new(Subject::Value, caller)
        }
    }

    pub(super) fn finish(self) -> Vec<Diagnostic> {
        self.violations
    }

    /// Checks a value, which stands somewhere in `around`. The outcome is the value with defaults for what it lacks.
    pub(super) fn check(
        &mut self,
        expected: &Type,
        value: &Arc<Node>,
        path: &Path<'_>,
        around: Option<&Location>,
    ) -> Arc<Node> {
        self.check_after(expected, value, None, path, around)
    }

    /// The same for the next version of a value that was checked against the same type, `known`. What both share is
    /// passed over.
    pub(super) fn check_after(
        &mut self,
        expected: &Type,
        value: &Arc<Node>,
        known: Option<&Arc<Node>>,
        path: &Path<'_>,
        around: Option<&Location>,
    ) -> Arc<Node> {
        if known.is_some_and(|known| Arc::ptr_eq(known, value)) {
            return Arc::clone(value);
        }
        let known = known.map(|known| known.resolved());
        let node = value.resolved();
        let place = place::of_value(value).or_else(|| around.cloned());
        match (&expected.kind, &node.content) {
            (Kind::Any, _) => Arc::clone(value),
            (Kind::Map(fields), Content::Mapping(mapping)) => {
                let known = known
                    .and_then(|known| extended(known, &mapping.entries))
                    .unwrap_or_default();
                match self.map(
                    (expected, fields),
                    &mapping.entries,
                    known,
                    path,
                    place.as_ref(),
                ) {
                    Some(entries) => self.carried(value, &node.with_entries(entries)),
                    None => Arc::clone(value),
                }
            }
            (Kind::OpenMap(inner), Content::Mapping(mapping)) => {
                let entries = mapping.entries.iter().map(|entry| {
                    let place = entry.key.location().or_else(|| place.clone());
                    self.check(inner, &entry.value, &path.key(&entry.key), place.as_ref())
                });
                let values: Vec<Arc<Node>> = entries.collect();
                if mapping
                    .entries
                    .iter()
                    .zip(&values)
                    .all(|(entry, value)| Arc::ptr_eq(&entry.value, value))
                {
                    return Arc::clone(value);
                }
                let entries = mapping.entries.iter().zip(values);
                let entries: Vec<Entry> = entries
                    .map(|(entry, value)| Entry {
                        key: Arc::clone(&entry.key),
                        value,
                    })
                    .collect();
                self.carried(value, &node.with_entries(entries))
            }
            (Kind::Array(inner), Content::Sequence(sequence)) => {
                let known = known.and_then(|known| known.as_sequence());
                let items = sequence.items.iter().enumerate().map(|(index, item)| {
                    let known = known
                        .and_then(|known| known.items.get(index))
                        .map(|known| &known.value);
                    let value = self.check_after(
                        inner,
                        &item.value,
                        known,
                        &path.index(index),
                        place.as_ref(),
                    );
                    Item {
                        start: item.start,
                        value,
                    }
                });
                let items: Vec<Item> = items.collect();
                if sequence
                    .items
                    .iter()
                    .zip(&items)
                    .all(|(old, new)| Arc::ptr_eq(&old.value, &new.value))
                {
                    return Arc::clone(value);
                }
                self.carried(value, &node.with_items(items))
            }
            (_, Content::Scalar(_)) => {
                let scalar = node.value().unwrap_or(Value::Null);
                let fits =
                    expected.kind.takes(&scalar) || (expected.nullable && scalar == Value::Null);
                if !fits {
                    self.misfit(expected, node, path, place);
                }
                Arc::clone(value)
            }
            _ => {
                self.misfit(expected, node, path, place);
                Arc::clone(value)
            }
        }
    }

    /// The entries of a map, completed; `None` where nothing changes. The first are the next versions of those in `known`,
    /// which are complete.
    fn map(
        &mut self,
        (expected, fields): (&Type, &Fields),
        entries: &[Entry],
        known: &[Entry],
        path: &Path<'_>,
        around: Option<&Location>,
    ) -> Option<Vec<Entry>> {
        let completes = self.completes && known.is_empty();
        let mut given = vec![false; if completes { fields.list.len() } else { 0 }];
        let mut completed = Vec::with_capacity(entries.len().max(given.len()));
        let mut changed = false;
        for (index, entry) in entries.iter().enumerate() {
            let known = known.get(index).map(|known| &known.value);
            if known.is_some_and(|known| Arc::ptr_eq(known, &entry.value)) {
                completed.push(entry.clone());
                continue;
            }
            let position = fields.position(&entry.key);
            let Some((position, (_, inner))) =
                position.and_then(|at| Some((at, fields.list.get(at)?)))
            else {
                let place = entry
                    .key
                    .location()
                    .or_else(|| place::of_value(&entry.value));
                self.unknown(
                    expected,
                    fields,
                    &entry.key,
                    path,
                    place.or_else(|| around.cloned()),
                );
                continue;
            };
            if let Some(given) = given.get_mut(position) {
                *given = true;
            }
            // A key of the schema says nothing of where a value was given.
            let own = entry
                .key
                .location()
                .filter(|place| inner.place.as_ref() != Some(place));
            let place = own.or_else(|| around.cloned());
            let value = self.check_after(
                inner,
                &entry.value,
                known,
                &path.key(&entry.key),
                place.as_ref(),
            );
            changed |= !Arc::ptr_eq(&value, &entry.value);
            completed.push(Entry {
                key: Arc::clone(&entry.key),
                value,
            });
        }
        let missing = fields.list.iter().zip(&given).filter(|(_, given)| !**given);
        for ((key, inner), _) in missing {
            completed.push(Entry {
                key: Arc::clone(key),
                value: Arc::clone(&inner.default),
            });
            changed = true;
        }
        changed.then_some(completed)
    }

    /// The next version of a value; what an item is annotated with stays with it.
    fn carried(&self, old: &Arc<Node>, new: &Arc<Node>) -> Arc<Node> {
        if Arc::ptr_eq(old, old.resolved()) {
            return Arc::clone(new);
        }
        self.caller
            .carry_annotations(old, new)
            .unwrap_or_else(|_| Arc::clone(new))
    }

    /// Whether more violations would not be shown.
    fn is_full(&self) -> bool {
        self.violations.len() >= ERROR_LIMIT
    }

    fn misfit(
        &mut self,
        expected: &Type,
        found: &Arc<Node>,
        path: &Path<'_>,
        place: Option<Location>,
    ) {
        if self.is_full() {
            return;
        }
        let subject = self.subject.of(path);
        let message = format!(
            "expected {} for {subject}, found {}",
            expected.expected(),
            kind_of(found)
        );
        let remedy = remedy(&expected.kind, found, place.as_ref(), self.subject);
        let violation = Diagnostic::error(self.subject.code(), message)
            .at(place, format!("{} here", kind_of(found)));
        let label = format!("the schema says {} here", expected.expected());
        self.violations
            .push(*violation.at(expected.place.clone(), label).help_if(remedy));
    }

    fn unknown(
        &mut self,
        expected: &Type,
        fields: &Fields,
        key: &Arc<Node>,
        path: &Path<'_>,
        place: Option<Location>,
    ) {
        if self.is_full() {
            return;
        }
        let mut names: Vec<&str> = fields.list.iter().map(|(key, _)| key_text(key)).collect();
        let whole = path.key(key);
        let subject = match self.subject {
            Subject::Value => String::new(),
            _ => format!(" in {}", self.subject.of(path)),
        };
        let message = format!("expected a key that the schema declares{subject}, found `{whole}`");
        let help = did_you_mean(key_text(key), names.iter().copied());
        names.sort_unstable();
        let declared = match names.len() {
            1..=NAMED_KEYS => format!("the schema declares {} here", list(names)),
            0 => "the schema declares no key here".to_owned(),
            count => format!("the schema declares {count} keys here"),
        };
        let help = help.or_else(|| {
            (self.subject == Subject::Value)
                .then(|| format!("declare `{}` in the schema, or leave it out", whole))
        });
        let violation = Diagnostic::error(self.subject.code(), message).at(place, "not declared");
        self.violations
            .push(*violation.at(expected.place.clone(), declared).help_if(help));
    }
}

/// The entries of a map that was checked, if all of them come first in `entries`, maybe with other values.
fn extended<'n>(known: &'n Arc<Node>, entries: &[Entry]) -> Option<&'n [Entry]> {
    let known = &known.as_mapping()?.entries;
    let is_same = |(known, entry): (&Entry, &Entry)| Arc::ptr_eq(&known.key, &entry.key);
    (known.len() <= entries.len() && known.iter().zip(entries).all(is_same)).then_some(known)
}

/// What to do about a value of another kind.
fn remedy(
    expected: &Kind,
    found: &Arc<Node>,
    place: Option<&Location>,
    subject: Subject,
) -> Option<String> {
    let name = place.map(|place| place.source.name()).unwrap_or_default();
    // A value that code made has no spelling to change.
    let is_written = found.location().is_some_and(|place| !place.span.is_empty());
    match (expected, found.value()) {
        (_, Some(Value::Null)) if subject == Subject::Value => {
            Some("give a value, or allow null in the schema: `#@schema/nullable`".to_owned())
        }
        (_, Some(Value::String(text)))
            if is_written && expected.takes(&resolve(text, true, None)) =>
        {
            Some(match name.strip_prefix("(data-value") {
                Some(rest) if rest.starts_with(" arg)") => {
                    "give it as YAML: `--data-value-yaml`".to_owned()
                }
                Some(rest) if rest.starts_with("s-env arg)") => {
                    "give it as YAML: `--data-values-env-yaml`".to_owned()
                }
                _ => format!("write it without quotes: `{text}`"),
            })
        }
        (Kind::String, Some(_)) if !is_written => None,
        (Kind::String, Some(_)) if name.starts_with("(data-value-yaml arg)") => {
            Some("give it as a text: `--data-value`".to_owned())
        }
        (Kind::String, Some(_)) => found
            .text()
            .map(|text| format!("write it in quotes: `\"{text}\"`")),
        _ => None,
    }
}
