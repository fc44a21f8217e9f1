//! The overlay annotations of one part, with their arguments.

use crate::overlay::error::{overlay_error, type_of};
use crate::script::fragments::Annotation;
use crate::script::{Arguments, Caller, Value};
use crate::source::Result;
use crate::source::suggest::{did_you_mean, list};

/// The annotation that says which elements a part means. On a document, it makes the document an
/// overlay.
pub(in crate::overlay) const MATCH: &str = "overlay/match";

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
    "overlay/structured",
];

/// Returns whether an annotation is about overlays. Such annotations do not come out.
pub(in crate::overlay) fn is_overlay_annotation(annotation: &Annotation) -> bool {
    annotation.name.starts_with("overlay/")
}

/// The overlay annotations of a part.
pub(super) struct OverlayAnnotations<'v>(Vec<AnnotationArguments<'v>>);

/// One annotation with its arguments.
pub(super) struct AnnotationArguments<'v> {
    name: &'static str,
    arguments: Arguments<'v>,
}

impl<'v> OverlayAnnotations<'v> {
    /// Reads the overlay annotations among `annotations`.
    ///
    /// # Errors
    /// An unknown name that starts with `overlay/`.
    pub(super) fn read(
        annotations: &[Annotation],
        caller: &Caller<'_, 'v>,
    ) -> Result<OverlayAnnotations<'v>> {
        let mut own = Vec::new();
        for annotation in annotations {
            if !is_overlay_annotation(annotation) {
                continue;
            }
            let Some(name) = NAMES.into_iter().find(|name| **name == *annotation.name) else {
                let message = format!(
                    "expected an annotation of overlays, found `@{}`",
                    annotation.name
                );
                return Err(overlay_error(message).help_if(did_you_mean(&annotation.name, NAMES)));
            };
            let arguments = caller.arguments(annotation)?;
            own.push(AnnotationArguments { name, arguments });
        }
        Ok(OverlayAnnotations(own))
    }

    /// Returns the first annotation of a name.
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
    pub(super) fn name(&self) -> &'static str {
        self.name
    }

    /// Returns whether there are no named arguments.
    pub(super) fn is_empty(&self) -> bool {
        self.arguments.named.is_empty()
    }

    pub(super) fn named(&self, name: &str) -> Option<Value<'v>> {
        self.arguments
            .named
            .iter()
            .find(|(own, _)| own == name)
            .map(|(_, value)| *value)
    }

    /// Refuses arguments that the annotation does not take.
    pub(super) fn check(&self, known: &[&str]) -> Result<()> {
        let name = self.name;
        if !self.arguments.positional.is_empty() {
            let message =
                format!("expected the arguments of `@{name}` with their names, found one without");
            let first = known.first().map(|first| format!("write `{first}=…`"));
            return Err(overlay_error(message).help_if(first));
        }
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
        // A common mistake: `#@overlay/remove missing_ok=True`.
        let belongs_to_match =
            ["by", "expects", "missing_ok", "when"].contains(&unknown.as_str()) && name != MATCH;
        let moved = belongs_to_match.then(|| {
            format!("write it in an annotation of its own: `#@overlay/match {unknown}=…`")
        });
        Err(overlay_error(format!(
            "expected {expected} for `@{name}`, found `{unknown}`"
        ))
        .help_if(help.or(moved)))
    }

    /// Returns a boolean argument; false if it is not given.
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

    /// Returns a function that is given as an argument.
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
