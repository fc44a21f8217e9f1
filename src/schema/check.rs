//! Checks values against types, and completes them with defaults.
//!
//! ```text
//! schema           values          completed         reported
//!
//! name: app        port: "80"      port: "80"        `port`: an integer is expected
//! port: 80         host: x         name: app         `host`: not declared
//! ```
//!
//! The given keys come first, then the defaults in the order of the schema. A map without missing
//! keys keeps its node, and so do the collections around it.

use std::sync::Arc;

use super::path::{ValuePath, key_text};
use super::place;
use super::types::{MapFields, TypeKind, ValueType, kind_of};
use crate::script::Caller;
use crate::source::suggest::{did_you_mean, list};
use crate::source::{Code, Diagnostic, Diagnostics, Location, Reported};
use crate::yaml::{Content, Entry, Item, Mapping, Node, Sequence, Value, resolve};

/// The maximum number of expected keys that a message about another key lists.
const NAMED_KEYS: usize = 9;

/// The kind of the checked value, for messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CheckedSubject {
    Value,
    /// The default that a schema declares.
    Default,
    /// An example in a schema.
    Example,
}

impl CheckedSubject {
    fn code(self) -> Code {
        match self {
            CheckedSubject::Value => Code::DataValue,
            CheckedSubject::Default | CheckedSubject::Example => Code::Schema,
        }
    }

    fn of(self, path: &ValuePath<'_>) -> String {
        match self {
            CheckedSubject::Value => format!("`{path}`"),
            CheckedSubject::Default => format!("the default of `{path}`"),
            CheckedSubject::Example => format!("the example of `{path}`"),
        }
    }
}

/// A value to check.
pub(super) struct GivenValue<'a> {
    pub(super) value: &'a Arc<Node>,
    /// The version of the value before its last change, if it was checked against the same type and
    /// completed.
    ///
    /// Parts that both versions share are not checked again. Thousands of flags each create a new
    /// version of the data values, and checking all of them each time would take quadratic time.
    pub(super) known: Option<&'a Arc<Node>>,
    pub(super) path: &'a ValuePath<'a>,
    /// The place to show if the value has none: that of the nearest node around it.
    pub(super) around: Option<&'a Location>,
}

/// Checks one tree of values.
pub(super) struct Checker<'c, 'd, 'v> {
    subject: CheckedSubject,
    caller: &'c Caller<'d, 'v>,
    diagnostics: &'c mut Diagnostics,
    /// Whether maps are completed with defaults.
    completes: bool,
    outcome: Result<(), Reported>,
}

impl<'c, 'd, 'v> Checker<'c, 'd, 'v> {
    /// Creates a checker that completes maps with defaults.
    pub(super) fn new(
        subject: CheckedSubject,
        caller: &'c Caller<'d, 'v>,
        diagnostics: &'c mut Diagnostics,
    ) -> Checker<'c, 'd, 'v> {
        Checker {
            subject,
            caller,
            diagnostics,
            completes: true,
            outcome: Ok(()),
        }
    }

    /// Creates a checker that adds nothing to the values.
    pub(super) fn without_defaults(
        caller: &'c Caller<'d, 'v>,
        diagnostics: &'c mut Diagnostics,
    ) -> Checker<'c, 'd, 'v> {
        Checker {
            completes: false,
            ..Checker::new(CheckedSubject::Value, caller, diagnostics)
        }
    }

    /// Returns an error if any value did not fit.
    pub(super) fn finish(self) -> Result<(), Reported> {
        self.outcome
    }

    /// Checks a value and returns it with defaults for its missing keys. Returns the same node if
    /// nothing is missing.
    pub(super) fn check(&mut self, expected: &ValueType, given: &GivenValue<'_>) -> Arc<Node> {
        let value = given.value;
        if given.known.is_some_and(|known| Arc::ptr_eq(known, value)) {
            return Arc::clone(value);
        }
        let node = value.resolved();
        let place = place::of_value(value).or_else(|| given.around.cloned());
        let completed = match (&expected.kind, &node.content) {
            // The value is accepted as it is, with everything inside.
            (TypeKind::Any, _) => None,
            (TypeKind::Map(fields), Content::Mapping(mapping)) => self
                .check_map(expected, fields, mapping, given, place.as_ref())
                .map(|entries| node.with_entries(entries)),
            (TypeKind::OpenMap(inner), Content::Mapping(mapping)) => self
                .check_open_map(inner, mapping, given, place.as_ref())
                .map(|entries| node.with_entries(entries)),
            (TypeKind::Array(inner), Content::Sequence(sequence)) => self
                .check_array(inner, sequence, given, place.as_ref())
                .map(|items| node.with_items(items)),
            (kind, Content::Scalar(_)) => {
                let scalar = node.value().unwrap_or(Value::Null);
                let is_allowed_null = expected.nullable && scalar == Value::Null;
                // A scalar in the place of a map or an array is also handled here: `takes` returns
                // `false` for both kinds.
                if !kind.takes(&scalar) && !is_allowed_null {
                    self.report_type_mismatch(expected, node, given.path, place);
                }
                None
            }
            _ => {
                self.report_type_mismatch(expected, node, given.path, place);
                None
            }
        };
        match completed {
            // The completed node is a new node, and annotations are found by node.
            Some(completed) => self.with_annotations_of(value, completed),
            None => Arc::clone(value),
        }
    }

    /// Returns the completed entries of a map; `None` if nothing changes.
    fn check_map(
        &mut self,
        expected: &ValueType,
        fields: &MapFields,
        mapping: &Mapping,
        given: &GivenValue<'_>,
        around: Option<&Location>,
    ) -> Option<Vec<Entry>> {
        let known = known_entries(given.known, mapping);
        // Invariant: a known map is complete, and none of its keys was removed. So nothing is
        // missing.
        let completes = self.completes && known.is_empty();
        // Use an array by position instead of a second look-up by key, because maps of data values
        // can have thousands of fields.
        let mut is_given = vec![false; if completes { fields.list.len() } else { 0 }];
        let mut completed = Vec::with_capacity(mapping.entries.len().max(is_given.len()));
        let mut changed = false;
        for (index, entry) in mapping.entries.iter().enumerate() {
            let known = known.get(index).map(|known| &known.value);
            // Avoid the look-up of the key too: with many keys it is most of the work.
            if known.is_some_and(|known| Arc::ptr_eq(known, &entry.value)) {
                completed.push(entry.clone());
                continue;
            }
            let Some(position) = fields.position(&entry.key) else {
                self.report_unknown(expected, fields, entry, given.path, around);
                continue;
            };
            if let Some(is_given) = is_given.get_mut(position) {
                *is_given = true;
            }
            let inner = &fields.list[position].expected;
            // A key from the schema, such as that of a default, is not the place where a value was
            // given.
            let own = entry.key.location();
            let own = own.filter(|place| inner.place.as_ref() != Some(place));
            let place = own.or_else(|| around.cloned());
            let entry_given = GivenValue {
                value: &entry.value,
                known,
                path: &given.path.key(&entry.key),
                around: place.as_ref(),
            };
            let checked = self.check_entry(inner, entry, &entry_given);
            changed |= !Arc::ptr_eq(&checked.value, &entry.value);
            completed.push(checked);
        }
        changed |= add_defaults(fields, &is_given, &mut completed);
        changed.then_some(completed)
    }

    /// Returns the entries of an open map with completed values; `None` if nothing changes.
    fn check_open_map(
        &mut self,
        inner: &ValueType,
        mapping: &Mapping,
        given: &GivenValue<'_>,
        around: Option<&Location>,
    ) -> Option<Vec<Entry>> {
        let mut completed = Vec::with_capacity(mapping.entries.len());
        let mut changed = false;
        for entry in &mapping.entries {
            // A key that was created by code has no place. The nearest place around it is at least
            // in the correct file.
            let place = entry.key.location().or_else(|| around.cloned());
            let entry_given = GivenValue {
                value: &entry.value,
                known: None,
                path: &given.path.key(&entry.key),
                around: place.as_ref(),
            };
            let checked = self.check_entry(inner, entry, &entry_given);
            changed |= !Arc::ptr_eq(&checked.value, &entry.value);
            completed.push(checked);
        }
        changed.then_some(completed)
    }

    /// Returns an entry of a map with its completed value.
    fn check_entry(&mut self, inner: &ValueType, entry: &Entry, given: &GivenValue<'_>) -> Entry {
        Entry {
            key: Arc::clone(&entry.key),
            value: self.check(inner, given),
        }
    }

    /// Returns the items of an array with completed values; `None` if nothing changes.
    fn check_array(
        &mut self,
        inner: &ValueType,
        sequence: &Sequence,
        given: &GivenValue<'_>,
        around: Option<&Location>,
    ) -> Option<Vec<Item>> {
        let known = given.known.and_then(|known| known.resolved().as_sequence());
        let mut completed = Vec::with_capacity(sequence.items.len());
        let mut changed = false;
        for (index, item) in sequence.items.iter().enumerate() {
            let known = known.and_then(|known| known.items.get(index));
            let value = self.check(
                inner,
                &GivenValue {
                    value: &item.value,
                    known: known.map(|known| &known.value),
                    path: &given.path.index(index),
                    around,
                },
            );
            changed |= !Arc::ptr_eq(&value, &item.value);
            completed.push(Item {
                start: item.start,
                value,
            });
        }
        changed.then_some(completed)
    }

    /// Returns the next version of a value. The annotations of an item are kept.
    fn with_annotations_of(&self, old: &Arc<Node>, new: Arc<Node>) -> Arc<Node> {
        if Arc::ptr_eq(old, old.resolved()) {
            return new;
        }
        match self.caller.carry_annotations(old, &new) {
            Ok(carried) => carried,
            // Without a session there are no annotations to keep.
            Err(_) => new,
        }
    }

    /// Returns whether further violations would not be shown, so that no messages need to be
    /// created.
    fn is_full(&mut self) -> bool {
        if self.diagnostics.is_full() {
            self.outcome = self.diagnostics.outcome();
            return true;
        }
        false
    }

    fn report_type_mismatch(
        &mut self,
        expected: &ValueType,
        found: &Arc<Node>,
        path: &ValuePath<'_>,
        place: Option<Location>,
    ) {
        if self.is_full() {
            return;
        }
        let message = format!(
            "expected {} for {}, found {}",
            expected.expected(),
            self.subject.of(path),
            kind_of(found)
        );
        let remedy = remedy(&expected.kind, found, place.as_ref(), self.subject);
        let declared = format!("the schema says {} here", expected.expected());
        let violation = Diagnostic::error(self.subject.code(), message)
            .at(place, format!("{} here", kind_of(found)))
            .at(expected.place.clone(), declared)
            .help_if(remedy);
        self.outcome = Err(self.diagnostics.report(violation));
    }

    fn report_unknown(
        &mut self,
        expected: &ValueType,
        fields: &MapFields,
        entry: &Entry,
        path: &ValuePath<'_>,
        around: Option<&Location>,
    ) {
        if self.is_full() {
            return;
        }
        let key = &entry.key;
        let whole = path.key(key);
        let is_value = self.subject == CheckedSubject::Value;
        let subject = if is_value {
            String::new()
        } else {
            format!(" in {}", self.subject.of(path))
        };
        let message = format!("expected a key that the schema declares{subject}, found `{whole}`");
        // The suggestion uses the order of the schema. The list is sorted below.
        let mut names: Vec<&str> = fields
            .list
            .iter()
            .map(|field| key_text(&field.key))
            .collect();
        let help = different_type(fields, key)
            .or_else(|| did_you_mean(key_text(key), names.iter().copied()))
            .or_else(|| {
                is_value.then(|| format!("declare `{whole}` in the schema, or leave it out"))
            });
        names.sort_unstable();
        let declared = match names.len() {
            1..=NAMED_KEYS => format!("the schema declares {} here", list(names)),
            0 => "the schema declares no key here".to_owned(),
            count => format!("the schema declares {count} keys here"),
        };
        let place = key
            .location()
            .or_else(|| place::of_value(&entry.value))
            .or_else(|| around.cloned());
        let violation = Diagnostic::error(self.subject.code(), message)
            .at(place, "not declared")
            .at(expected.place.clone(), declared)
            .help_if(help);
        self.outcome = Err(self.diagnostics.report(violation));
    }
}

/// Returns advice about a key that the schema declares in the same spelling, but as another type.
///
/// To YAML 1.1, `n: 1` has a boolean as its key. A flag gives the string `n`.
fn different_type(fields: &MapFields, key: &Arc<Node>) -> Option<String> {
    let spelling = key_text(key);
    let declared = fields
        .list
        .iter()
        .map(|field| &field.key)
        .find(|declared| key_text(declared) == spelling)?;
    let (declared, given) = (kind_of(declared), kind_of(key));
    let place = if given == "a string" {
        "in the schema"
    } else {
        "here"
    };
    Some(format!(
        "the key `{spelling}` is {declared} in the schema and {given} here; write `\"{spelling}\"` {place}"
    ))
}

/// Adds the default of each field that is not given. Returns whether any was added.
///
/// `is_given` is empty if nothing is to be completed. Then `zip` ends at once.
fn add_defaults(fields: &MapFields, is_given: &[bool], entries: &mut Vec<Entry>) -> bool {
    let before = entries.len();
    for (field, is_given) in fields.list.iter().zip(is_given) {
        if !is_given {
            entries.push(Entry {
                key: Arc::clone(&field.key),
                value: Arc::clone(&field.expected.default),
            });
        }
    }
    entries.len() > before
}

/// Returns the entries of the known version of a map, if they are all at the start of the new one,
/// possibly with other values.
///
/// Merging and overlays keep existing keys and add new ones at the end. After any other change,
/// such as a removed key, the map is checked as a whole.
fn known_entries<'n>(known: Option<&'n Arc<Node>>, mapping: &Mapping) -> &'n [Entry] {
    let Some(known) = known.and_then(|known| known.resolved().as_mapping()) else {
        return &[];
    };
    let is_prefix = known.entries.len() <= mapping.entries.len()
        && known
            .entries
            .iter()
            .zip(&mapping.entries)
            .all(|(known, entry)| Arc::ptr_eq(&known.key, &entry.key));
    // An empty slice means "nothing is known", which is always correct but slower.
    if is_prefix { &known.entries } else { &[] }
}

/// Returns advice about a value of another type. It depends on how the value was given.
fn remedy(
    expected: &TypeKind,
    found: &Arc<Node>,
    place: Option<&Location>,
    subject: CheckedSubject,
) -> Option<String> {
    let source = place.map(|place| place.source.name()).unwrap_or_default();
    // A value that was created by code has no spelling that could be changed.
    let is_written = found.location().is_some_and(|place| !place.span.is_empty());
    match (expected, found.value()?) {
        (_, Value::Null) if subject == CheckedSubject::Value => {
            Some("give a value, or allow null in the schema: `#@schema/nullable`".to_owned())
        }
        (_, Value::String(text)) if is_written && expected.takes(&resolve(text, true, None)) => {
            Some(if source.starts_with("(data-value arg)") {
                "give it as YAML: `--data-value-yaml`".to_owned()
            } else if source.starts_with("(data-values-env arg)") {
                "give it as YAML: `--data-values-env-yaml`".to_owned()
            } else {
                format!("write it without quotes: `{text}`")
            })
        }
        (TypeKind::String, _) if !is_written => None,
        (TypeKind::String, _) if source.starts_with("(data-value-yaml arg)") => {
            Some("give it as a text: `--data-value`".to_owned())
        }
        (TypeKind::String, _) => {
            let text = found.text()?;
            Some(format!("write it in quotes: `\"{text}\"`"))
        }
        _ => None,
    }
}
