//! Reads the annotations of a node of a schema, and reports annotations that exclude each other.

use std::sync::Arc;

use super::arguments::{ArgumentReader, DescribedValue};
use crate::script::Caller;
use crate::script::fragments::Annotation;
use crate::source::{Code, Diagnostic, Diagnostics, Location, Reported, Result};
use crate::yaml::Node;

/// The kind of node that an annotation is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SchemaLevel {
    Document,
    Entry,
    Item,
}

/// The declarations in the annotations of one node.
#[derive(Default)]
pub(super) struct TypeAnnotations {
    /// `@schema/type any=True`
    pub(super) any: bool,
    pub(super) nullable: bool,
    /// `@schema/additional-keys`: the map accepts any keys.
    pub(super) open: bool,
    pub(super) default: Option<PlacedValue>,
    pub(super) title: Option<String>,
    pub(super) description: Option<String>,
    pub(super) deprecated: Option<String>,
    pub(super) examples: Vec<GivenExample>,
    pub(super) validation: Option<Annotation>,
}

/// A value, and the place of the annotation that contains it.
pub(super) struct PlacedValue {
    pub(super) value: Arc<Node>,
    pub(super) place: Location,
}

/// An example with its description.
pub(super) struct GivenExample {
    pub(super) description: String,
    pub(super) value: PlacedValue,
}

/// Returns whether an annotation declares a property of a type, and not only a description.
pub(super) fn declares_type(name: &str) -> bool {
    matches!(
        name,
        "schema/type"
            | "schema/nullable"
            | "schema/default"
            | "schema/validation"
            | "schema/additional-keys"
    )
}

/// Reads the annotations of a node.
///
/// # Errors
/// Reports each invalid annotation.
pub(super) fn read(
    level: SchemaLevel,
    annotations: &[Annotation],
    place: Option<&Location>,
    caller: &Caller<'_, '_>,
    diagnostics: &mut Diagnostics,
) -> Result<TypeAnnotations, Reported> {
    let mut read = TypeAnnotations::default();
    let mut outcome = Ok(());
    let mut open = None;
    for annotation in annotations {
        if !annotation.name.starts_with("schema/") {
            continue;
        }
        if &*annotation.name == "schema/additional-keys" && open.is_none() {
            open = Some(annotation.place.clone());
        }
        let arguments = ArgumentReader {
            annotation,
            place,
            caller,
        };
        if let Err(error) = read.add(level, &arguments) {
            outcome = Err(diagnostics.report(error));
        }
    }
    // After the loop, because the order of the two annotations does not matter.
    if read.any && read.open {
        let message =
            "expected a type for the values of additional keys, found any type for the map";
        let error = Diagnostic::error(Code::Schema, message)
            .at(open, "")
            .help("leave out `@schema/additional-keys`: a node of any type takes every key");
        outcome = Err(diagnostics.report(error));
    }
    outcome.map(|()| read)
}

impl TypeAnnotations {
    fn add(&mut self, level: SchemaLevel, arguments: &ArgumentReader<'_, '_, '_>) -> Result<()> {
        let annotation = arguments.annotation;
        match &*annotation.name {
            "schema/type" => self.any = arguments.flag("any")?,
            "schema/nullable" => {
                arguments.none()?;
                self.nullable = true;
            }
            "schema/additional-keys" => {
                arguments.none()?;
                self.open = true;
            }
            "schema/default" => {
                if level == SchemaLevel::Item {
                    return Err(arguments
                        .error("expected a default on the array, found it on the item")
                        .help("annotate the array: `#@schema/default [...]`"));
                }
                self.default = Some(PlacedValue {
                    value: arguments.one_value()?,
                    place: annotation.place.clone(),
                });
            }
            "schema/title" => self.title = Some(arguments.one_text()?),
            "schema/desc" => self.description = Some(arguments.one_text()?),
            "schema/deprecated" => {
                if level == SchemaLevel::Document {
                    return Err(arguments
                        .error("expected a deprecation of data values, found one of the document")
                        .help("annotate the items that are deprecated"));
                }
                self.deprecated = Some(arguments.one_text()?);
            }
            "schema/examples" => {
                // If an annotation is repeated, the last one is used. The other annotations have a
                // single value, which an assignment replaces.
                self.examples.clear();
                for DescribedValue { description, value } in arguments.described_values()? {
                    let place = annotation.place.clone();
                    self.examples.push(GivenExample {
                        description,
                        value: PlacedValue { value, place },
                    });
                }
            }
            "schema/validation" => self.validation = Some(annotation.clone()),
            // ytt ignores annotations that it does not know. Their names were checked when the
            // template was compiled.
            _ => {}
        }
        Ok(())
    }
}
