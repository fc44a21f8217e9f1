//! The arguments of the annotations of a schema.

use std::sync::Arc;

use crate::script::fragments::Annotation;
use crate::script::{Arguments, Caller};
use crate::source::suggest::{did_you_mean, with_article};
use crate::source::{Code, Diagnostic, Location, Result};
use crate::yaml::Node;

/// An annotation that is being read, on the node at `place`.
pub(super) struct Reading<'a, 'c, 'v> {
    pub(super) annotation: &'a Annotation,
    pub(super) place: Option<&'a Location>,
    pub(super) caller: &'a Caller<'c, 'v>,
}

impl<'v> Reading<'_, '_, 'v> {
    /// An error at the annotation and its node.
    pub(super) fn error(&self, message: &str) -> Box<Diagnostic> {
        Diagnostic::error(Code::Schema, message)
            .at(self.annotation.place.clone(), "")
            .at(self.place.cloned(), "the node that it is on")
    }

    fn wrong(&self, expected: &str, found: &str) -> Box<Diagnostic> {
        self.error(&format!(
            "expected {expected} in `@{}`, found {found}",
            self.annotation.name
        ))
    }

    fn arguments(&self) -> Result<Arguments<'v>> {
        self.caller.arguments(self.annotation)
    }

    /// The positional arguments of an annotation that has no others.
    fn positional(&self, expected: &str) -> Result<Arguments<'v>> {
        let arguments = self.arguments()?;
        match arguments.named.first() {
            None => Ok(arguments),
            Some((name, _)) => Err(self
                .wrong(expected, &format!("the keyword argument `{name}=`"))
                .help("write the value alone")),
        }
    }
}

pub(super) fn no_arguments(reading: &Reading<'_, '_, '_>) -> Result<()> {
    let arguments = reading.positional("no argument")?;
    match arguments.positional.len() {
        0 => Ok(()),
        count => Err(reading.wrong("no argument", &format!("{count} values"))),
    }
}

/// The one keyword argument, a boolean.
pub(super) fn flag(reading: &Reading<'_, '_, '_>, name: &str) -> Result<bool> {
    let expected = format!("`{name}=True` or `{name}=False`");
    let arguments = reading.arguments()?;
    if let Some((other, _)) = arguments.named.iter().find(|(other, _)| other != name) {
        let help = did_you_mean(other, [name]);
        return Err(reading
            .wrong(&expected, &format!("the keyword argument `{other}=`"))
            .help_if(help));
    }
    let Some((_, value)) = arguments
        .named
        .first()
        .filter(|_| arguments.positional.is_empty())
    else {
        let found = if arguments.positional.is_empty() {
            "no argument"
        } else {
            "a value without its name"
        };
        return Err(reading
            .wrong(&expected, found)
            .help(format!("write `#@{} {name}=True`", reading.annotation.name)));
    };
    value
        .as_bool()
        .ok_or_else(|| reading.wrong(&expected, &with_article(value.type_name())))
}

/// The one positional argument, as a node.
pub(super) fn one_value(reading: &Reading<'_, '_, '_>) -> Result<Arc<Node>> {
    let arguments = reading.positional("one value")?;
    match arguments.positional.as_slice() {
        [value] => reading
            .caller
            .node(*value)
            .map_err(|error| placed(error, reading)),
        [] => Err(reading
            .wrong("one value", "none")
            .help("write it as in Starlark: `{\"key\": \"value\"}`, `True`")),
        many => Err(reading.wrong("one value", &format!("{} values", many.len()))),
    }
}

/// The one positional argument, a string.
pub(super) fn one_text(reading: &Reading<'_, '_, '_>) -> Result<String> {
    let arguments = reading.positional("one string")?;
    match arguments.positional.as_slice() {
        [value] => match value.as_str() {
            Some(text) => Ok(text.to_owned()),
            None => Err(reading.wrong("one string", &with_article(value.type_name()))),
        },
        [] => Err(reading.wrong("one string", "none")),
        many => Err(reading.wrong("one string", &format!("{} values", many.len()))),
    }
}

/// Pairs of a description and a value.
pub(super) fn pairs(reading: &Reading<'_, '_, '_>) -> Result<Vec<(String, Arc<Node>)>> {
    let expected = "pairs `(description, value)`";
    let arguments = reading.positional(expected)?;
    if arguments.positional.is_empty() {
        return Err(reading.wrong(expected, "none"));
    }
    let pairs = arguments.positional.iter().map(|value| {
        let Some(tuple) = value.as_tuple() else {
            return Err(reading.wrong(expected, &with_article(value.type_name())));
        };
        let [description, example] = tuple.as_slice() else {
            return Err(reading.wrong(expected, &format!("a tuple of {}", tuple.len())));
        };
        let Some(description) = description.as_str() else {
            return Err(reading.wrong(
                "a string as a description",
                &with_article(description.type_name()),
            ));
        };
        let example = reading
            .caller
            .node(*example)
            .map_err(|error| placed(error, reading))?;
        Ok((description.to_owned(), example))
    });
    pairs.collect()
}

fn placed(error: Box<Diagnostic>, reading: &Reading<'_, '_, '_>) -> Box<Diagnostic> {
    if error.labels.is_empty() {
        error.at(reading.annotation.place.clone(), "")
    } else {
        error
    }
}
