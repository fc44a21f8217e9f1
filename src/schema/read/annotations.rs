//! What annotations say of a type.

use std::sync::Arc;

use super::arguments::{Reading, flag, no_arguments, one_text, one_value, pairs};
use crate::script::Caller;
use crate::script::fragments::Annotation;
use crate::source::suggest::{did_you_mean, list};
use crate::source::{Code, Diagnostic, Diagnostics, Location, Result};
use crate::yaml::Node;

/// The annotations that a schema may have.
const NAMES: [&str; 9] = [
    "@schema/type",
    "@schema/nullable",
    "@schema/default",
    "@schema/title",
    "@schema/desc",
    "@schema/examples",
    "@schema/deprecated",
    "@schema/validation",
    "@schema/additional-keys",
];

/// What an annotation stands on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Holder {
    Document,
    Entry,
    Item,
}

/// All that the annotations of one node say.
#[derive(Default)]
pub(super) struct Said {
    pub(super) any: bool,
    pub(super) nullable: bool,
    /// Whether other keys are allowed.
    pub(super) open: bool,
    pub(super) default: Option<(Arc<Node>, Location)>,
    pub(super) title: Option<String>,
    pub(super) description: Option<String>,
    pub(super) deprecated: Option<String>,
    pub(super) examples: Vec<(String, Arc<Node>, Location)>,
    pub(super) validation: Option<Annotation>,
}

/// Whether an annotation says something of a type.
pub(super) fn types(name: &str) -> bool {
    matches!(
        name,
        "schema/type"
            | "schema/nullable"
            | "schema/default"
            | "schema/validation"
            | "schema/additional-keys"
    )
}

/// Reads the annotations of a node. `None` where one is wrong.
pub(super) fn read(
    holder: Holder,
    annotations: &[Annotation],
    place: Option<&Location>,
    caller: &Caller<'_, '_>,
    diagnostics: &mut Diagnostics,
) -> Option<Said> {
    let mut said = Said::default();
    let mut sound = true;
    for annotation in annotations
        .iter()
        .filter(|annotation| annotation.name.starts_with("schema/"))
    {
        let reading = Reading {
            annotation,
            place,
            caller,
        };
        sound &= diagnostics.take(said.add(holder, &reading)).is_some();
    }
    if said.any && said.open {
        let open = annotations
            .iter()
            .find(|annotation| &*annotation.name == "schema/additional-keys");
        let message =
            "expected a type for the values of additional keys, found any type for the map";
        let error =
            Diagnostic::error(Code::Schema, message).at(open.map(|open| open.place.clone()), "");
        diagnostics.push(
            error.help("leave out `@schema/additional-keys`: a node of any type takes every key"),
        );
        sound = false;
    }
    sound.then_some(said)
}

impl Said {
    fn add(&mut self, holder: Holder, reading: &Reading<'_, '_, '_>) -> Result<()> {
        let annotation = reading.annotation;
        match &*annotation.name {
            "schema/type" => self.any = flag(reading, "any")?,
            "schema/nullable" => {
                no_arguments(reading)?;
                self.nullable = true;
            }
            "schema/additional-keys" => {
                no_arguments(reading)?;
                self.open = true;
            }
            "schema/default" => {
                if holder == Holder::Item {
                    return Err(reading
                        .error("expected a default on the array, found it on the item")
                        .help("annotate the array: `#@schema/default [...]`"));
                }
                self.default = Some((one_value(reading)?, annotation.place.clone()));
            }
            "schema/title" => self.title = Some(one_text(reading)?),
            "schema/desc" => self.description = Some(one_text(reading)?),
            "schema/deprecated" => {
                if holder == Holder::Document {
                    return Err(reading
                        .error("expected a deprecation of data values, found one of the document")
                        .help("annotate the items that are deprecated"));
                }
                self.deprecated = Some(one_text(reading)?);
            }
            "schema/examples" => {
                let examples = pairs(reading)?.into_iter();
                self.examples = examples
                    .map(|(text, value)| (text, value, annotation.place.clone()))
                    .collect();
            }
            "schema/validation" => self.validation = Some(annotation.clone()),
            name => {
                let help = did_you_mean(&format!("@{name}"), NAMES);
                let help = help.unwrap_or_else(|| format!("use {}", list(NAMES)));
                return Err(reading
                    .error(&format!(
                        "expected an annotation of schemas, found `@{name}`"
                    ))
                    .help(help));
            }
        }
        Ok(())
    }
}
