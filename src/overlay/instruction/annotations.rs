//! The overlay annotations of one part and their arguments.

use crate::overlay::error::{overlay_error, type_of};
use crate::script::fragments::Annotation;
use crate::script::{Arguments, Caller, Value};
use crate::source::suggest::{did_you_mean, list};
use crate::source::{Code, Diagnostic, Location, Result};

/// The annotation that selects the elements that a part applies to. A document with this annotation
/// is an overlay.
pub(in crate::overlay) const MATCH: &str = "overlay/match";

/// The annotation of a part that applies to the document in a string.
pub(in crate::overlay) const STRUCTURED: &str = "overlay/structured";

/// All overlay annotations.
const NAMES: [&str; 9] = [
    MATCH,
    "overlay/match-child-defaults",
    "overlay/merge",
    "overlay/remove",
    "overlay/replace",
    "overlay/insert",
    "overlay/append",
    "overlay/assert",
    STRUCTURED,
];

/// Returns whether an annotation is an overlay annotation. Such annotations are not part of the
/// result.
pub(in crate::overlay) fn is_overlay_annotation(annotation: &Annotation) -> bool {
    annotation.name.starts_with("overlay/")
}

/// The overlay annotations of a part.
pub(super) struct OverlayAnnotations<'v>(Vec<AnnotationArguments<'v>>);

/// One annotation with its arguments.
pub(super) struct AnnotationArguments<'v> {
    name: &'static str,
    place: Location,
    arguments: Arguments<'v>,
}

impl<'v> OverlayAnnotations<'v> {
    /// Reads the overlay annotations among `annotations`.
    pub(super) fn read(
        annotations: &[Annotation],
        caller: &Caller<'_, 'v>,
    ) -> Result<OverlayAnnotations<'v>> {
        let mut own = Vec::new();
        for annotation in annotations {
            if !is_overlay_annotation(annotation) {
                continue;
            }
            // ytt ignores annotations that it does not know. Their names were checked when the
            // template was compiled.
            let Some(name) = NAMES.into_iter().find(|name| **name == *annotation.name) else {
                continue;
            };
            let mut arguments = caller.arguments(annotation)?;
            drop_ignored(annotation, &mut arguments, caller)?;
            own.push(AnnotationArguments {
                name,
                place: annotation.place.clone(),
                arguments,
            });
        }
        Ok(OverlayAnnotations(own))
    }

    /// Returns the first annotation with this name.
    pub(super) fn get(&self, name: &str) -> Option<&AnnotationArguments<'v>> {
        self.0.iter().find(|own| own.name == name)
    }

    /// Returns the annotations whose name is in `names`.
    pub(super) fn among(&self, names: &[&str]) -> Vec<&AnnotationArguments<'v>> {
        self.0
            .iter()
            .filter(|own| names.contains(&own.name))
            .collect()
    }
}

impl<'v> AnnotationArguments<'v> {
    /// Returns the name of the annotation.
    pub(super) fn name(&self) -> &'static str {
        self.name
    }

    /// Returns whether there are no named arguments.
    pub(super) fn is_empty(&self) -> bool {
        self.arguments.named.is_empty()
    }

    /// Returns the value of a named argument.
    pub(super) fn named(&self, name: &str) -> Option<Value<'v>> {
        self.arguments
            .named
            .iter()
            .find(|(own, _)| own == name)
            .map(|(_, value)| *value)
    }

    /// Rejects arguments that the annotation does not take.
    pub(super) fn check(&self, known: &[&str]) -> Result<()> {
        let name = self.name;
        let Some((unknown, _)) = self
            .arguments
            .named
            .iter()
            .find(|(own, _)| !known.contains(&own.as_str()))
        else {
            return Ok(());
        };
        let expected = match known {
            [] => "no arguments".to_owned(),
            _ => list(known.iter().copied()),
        };
        let help = did_you_mean(unknown, known.iter().copied());
        Err(overlay_error(format!(
            "expected {expected} for `@{name}`, found `{unknown}`"
        ))
        .at(self.place.clone(), "")
        .help_if(help.or_else(|| belongs_elsewhere(name, unknown))))
    }

    /// Returns a boolean argument; false if it is missing.
    pub(super) fn boolean(&self, name: &str) -> Result<bool> {
        let Some(value) = self.named(name) else {
            return Ok(false);
        };
        value.as_bool().ok_or_else(|| {
            let found = type_of(value);
            overlay_error(format!(
                "expected a boolean for `{name}` of `@{}`, found {found}",
                self.name
            ))
        })
    }

    /// Returns a function argument; `None` if it is missing.
    pub(super) fn function(&self, name: &str) -> Result<Option<Value<'v>>> {
        let Some(value) = self.named(name) else {
            return Ok(None);
        };
        if value.is_function() {
            return Ok(Some(value));
        }
        let found = type_of(value);
        Err(overlay_error(format!(
            "expected a function for `{name}` of `@{}`, found {found}",
            self.name
        )))
    }
}

/// Removes the arguments that ytt ignores, with a warning: positional arguments, and all arguments
/// of annotations that take none.
fn drop_ignored(
    annotation: &Annotation,
    arguments: &mut Arguments<'_>,
    caller: &Caller<'_, '_>,
) -> Result<()> {
    let name = &*annotation.name;
    let warn = |ignored: &str, help: Option<String>| {
        let message = format!("ytt ignores {ignored} of `@{name}`");
        let warning = Diagnostic::warning(Code::Annotation, message);
        caller.warn(warning.at(annotation.place.clone(), "").help_if(help))
    };
    if !arguments.positional.is_empty() {
        arguments.positional.clear();
        let first = match name {
            MATCH => Some("by"),
            "overlay/replace" | "overlay/assert" => Some("via"),
            "overlay/insert" => Some("before"),
            "overlay/match-child-defaults" => Some("missing_ok"),
            "overlay/structured" => Some("format"),
            _ => None,
        };
        let help = match first {
            Some(first) => format!("write the name of the argument: `{first}=…`"),
            None => "remove it".to_owned(),
        };
        warn("an argument without a name", Some(help))?;
    }
    if matches!(name, "overlay/merge" | "overlay/remove" | "overlay/append") {
        for (argument, _) in std::mem::take(&mut arguments.named) {
            let help = belongs_elsewhere(name, &argument);
            warn(&format!("the argument `{argument}`"), help)?;
        }
    }
    Ok(())
}

/// Returns a help line for an argument that belongs to another annotation.
fn belongs_elsewhere(name: &str, argument: &str) -> Option<String> {
    let other = match argument {
        "by" | "expects" | "missing_ok" | "when" => MATCH,
        "via" | "or_add" => "overlay/replace",
        "before" | "after" => "overlay/insert",
        _ => return None,
    };
    let remedy = if other == MATCH {
        "write it as a separate annotation"
    } else {
        "it is an argument of another operation"
    };
    (other != name).then(|| format!("{remedy}: `#@{other} {argument}=…`"))
}
