//! The overlay annotations of one part, with their arguments.

use super::{a_type, error};
use crate::script::fragments::Annotation;
use crate::script::{Arguments, Caller, Value};
use crate::source::Result;
use crate::source::suggest::{did_you_mean, list};

/// Every annotation of overlays.
const NAMES: [&str; 9] = [
    "overlay/match",
    "overlay/match-child-defaults",
    "overlay/merge",
    "overlay/remove",
    "overlay/replace",
    "overlay/insert",
    "overlay/append",
    "overlay/assert",
    "overlay/structured",
];

/// Whether an annotation says something about overlays: these do not come out.
pub(in crate::overlay) fn is_overlay_annotation(annotation: &Annotation) -> bool {
    annotation.name.starts_with("overlay/")
}

/// The overlay annotations of a part.
pub(super) struct Own<'v>(Vec<(&'static str, OwnArguments<'v>)>);

/// The arguments of one of them.
pub(super) struct OwnArguments<'v> {
    name: &'static str,
    arguments: Arguments<'v>,
}

impl<'v> Own<'v> {
    pub(super) fn read(annotations: &[Annotation], caller: &Caller<'_, 'v>) -> Result<Own<'v>> {
        let mut own = Vec::new();
        for annotation in annotations
            .iter()
            .filter(|annotation| is_overlay_annotation(annotation))
        {
            let Some(name) = NAMES.into_iter().find(|name| **name == *annotation.name) else {
                let message = format!(
                    "expected an annotation of overlays, found `@{}`",
                    annotation.name
                );
                return Err(error(message).help_if(did_you_mean(&annotation.name, NAMES)));
            };
            own.push((
                name,
                OwnArguments {
                    name,
                    arguments: caller.arguments(annotation)?,
                },
            ));
        }
        Ok(Own(own))
    }

    pub(super) fn get(&self, name: &str) -> Option<&OwnArguments<'v>> {
        self.0
            .iter()
            .find(|(own, _)| *own == name)
            .map(|(_, arguments)| arguments)
    }

    /// Those with a name in `names`.
    pub(super) fn among(&self, names: &[&str]) -> Vec<&OwnArguments<'v>> {
        self.0
            .iter()
            .filter(|(name, _)| names.contains(name))
            .map(|(_, arguments)| arguments)
            .collect()
    }
}

impl<'v> OwnArguments<'v> {
    pub(super) fn name(&self) -> &'static str {
        self.name
    }

    /// Whether there are no arguments at all.
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

    /// Refuses arguments that the annotation does not have.
    pub(super) fn check(&self, known: &[&str]) -> Result<()> {
        let name = self.name;
        if !self.arguments.positional.is_empty() {
            let message =
                format!("expected the arguments of `@{name}` with their names, found one without");
            let first = known.first().map(|first| format!("write `{first}=…`"));
            return Err(error(message).help_if(first));
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
        let elsewhere = ["by", "expects", "missing_ok", "when"].contains(&unknown.as_str())
            && name != super::super::MATCH;
        let moved = elsewhere
            .then(|| format!("say it in an annotation of its own: `#@overlay/match {unknown}=…`"));
        Err(error(format!(
            "expected {expected} for `@{name}`, found `{unknown}`"
        ))
        .help_if(help.or(moved)))
    }

    /// A boolean argument.
    pub(super) fn boolean(&self, name: &str) -> Result<bool> {
        let Some(value) = self.named(name) else {
            return Ok(false);
        };
        value.as_bool().ok_or_else(|| {
            let found = a_type(value);
            error(format!(
                "expected a boolean for `{name}` of `@{}`, found {found}",
                self.name
            ))
        })
    }

    /// A function as an argument.
    pub(super) fn function(&self, name: &str) -> Result<Option<Value<'v>>> {
        let Some(value) = self.named(name) else {
            return Ok(None);
        };
        if value.is_function() {
            return Ok(Some(value));
        }
        let found = a_type(value);
        Err(error(format!(
            "expected a function for `{name}` of `@{}`, found {found}",
            self.name
        )))
    }
}
