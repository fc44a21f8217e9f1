//! Reads the arguments of an annotation of a schema, with ytt's messages.

use std::sync::Arc;

use crate::script::fragments::Annotation;
use crate::script::{Arguments, Caller, Value};
use crate::source::suggest::{did_you_mean, with_article};
use crate::source::{Code, Diagnostic, Location, Result};
use crate::yaml::Node;

/// Reads one annotation of the node at `place`.
pub(super) struct ArgumentReader<'a, 'c, 'v> {
    pub(super) annotation: &'a Annotation,
    pub(super) place: Option<&'a Location>,
    pub(super) caller: &'a Caller<'c, 'v>,
}

/// A pair `(description, value)`.
pub(super) struct DescribedValue {
    pub(super) description: String,
    pub(super) value: Arc<Node>,
}

impl<'v> ArgumentReader<'_, '_, 'v> {
    /// Returns an error at the annotation and its node.
    pub(super) fn error(&self, message: &str) -> Box<Diagnostic> {
        Diagnostic::error(Code::Schema, message)
            .at(self.annotation.place.clone(), "")
            .at(self.place.cloned(), "the node that it is on")
    }

    fn wrong(&self, expected: &str, found: &str) -> Box<Diagnostic> {
        let name = &self.annotation.name;
        self.error(&format!("expected {expected} in `@{name}`, found {found}"))
    }

    fn wrong_type(&self, expected: &str, found: Value<'v>) -> Box<Diagnostic> {
        self.wrong(expected, &with_article(found.type_name()))
    }

    /// Returns the arguments of an annotation that accepts only positional arguments.
    fn positional(&self, expected: &str) -> Result<Vec<Value<'v>>> {
        let Arguments { positional, named } = self.caller.arguments(self.annotation)?;
        match named.first() {
            None => Ok(positional),
            Some((name, _)) => Err(self
                .wrong(expected, &format!("the keyword argument `{name}=`"))
                .help("write the value alone")),
        }
    }

    /// Refuses named arguments. ytt ignores other arguments.
    pub(super) fn none(&self) -> Result<()> {
        match self.positional("no argument")?.len() {
            0 => Ok(()),
            _ => self.warn_of_ignored("remove it".to_owned()),
        }
    }

    fn warn_of_ignored(&self, help: String) -> Result<()> {
        let name = &self.annotation.name;
        let message = format!("ytt ignores an argument without a name of `@{name}`");
        let warning = Diagnostic::warning(Code::Annotation, message);
        self.caller
            .warn(warning.at(self.annotation.place.clone(), "").help(help))
    }

    /// Returns the only keyword argument, which must be a boolean.
    pub(super) fn flag(&self, name: &str) -> Result<bool> {
        let expected = format!("`{name}=True` or `{name}=False`");
        let arguments = self.caller.arguments(self.annotation)?;
        for (other, _) in &arguments.named {
            if other != name {
                return Err(self
                    .wrong(&expected, &format!("the keyword argument `{other}=`"))
                    .help_if(did_you_mean(other, [name])));
            }
        }
        // ytt reads only the keyword argument and ignores a positional one next to it.
        if let Some((_, value)) = arguments.named.first() {
            if !arguments.positional.is_empty() {
                self.warn_of_ignored("remove it".to_owned())?;
            }
            return match value.as_bool() {
                Some(flag) => Ok(flag),
                None => Err(self.wrong_type(&expected, *value)),
            };
        }
        let found = if arguments.positional.is_empty() {
            "no argument"
        } else {
            "a value without its name"
        };
        let help = format!("write `#@{} {name}=True`", self.annotation.name);
        Err(self.wrong(&expected, found).help(help))
    }

    /// Returns the only positional argument as a node.
    pub(super) fn one_value(&self) -> Result<Arc<Node>> {
        match self.positional("one value")?.as_slice() {
            [value] => self.node(*value),
            [] => Err(self
                .wrong("one value", "none")
                .help("write it as in Starlark: `{\"key\": \"value\"}`, `True`")),
            many => Err(self.wrong("one value", &format!("{} values", many.len()))),
        }
    }

    /// Returns the only positional argument, which must be a string.
    pub(super) fn one_text(&self) -> Result<String> {
        match self.positional("one string")?.as_slice() {
            [value] => match value.as_str() {
                Some(text) => Ok(text.to_owned()),
                None => Err(self.wrong_type("one string", *value)),
            },
            [] => Err(self.wrong("one string", "none")),
            many => Err(self.wrong("one string", &format!("{} values", many.len()))),
        }
    }

    /// Returns the pairs of a description and a value.
    pub(super) fn described_values(&self) -> Result<Vec<DescribedValue>> {
        let expected = "pairs `(description, value)`";
        let pairs = self.positional(expected)?;
        if pairs.is_empty() {
            return Err(self.wrong(expected, "none"));
        }
        let mut values = Vec::with_capacity(pairs.len());
        for pair in pairs {
            let Some(tuple) = pair.as_tuple() else {
                return Err(self.wrong_type(expected, pair));
            };
            let [description, value] = tuple.as_slice() else {
                return Err(self.wrong(expected, &format!("a tuple of {}", tuple.len())));
            };
            let Some(text) = description.as_str() else {
                return Err(self.wrong_type("a string as a description", *description));
            };
            values.push(DescribedValue {
                description: text.to_owned(),
                value: self.node(*value)?,
            });
        }
        Ok(values)
    }

    fn node(&self, value: Value<'v>) -> Result<Arc<Node>> {
        self.caller.node(value).map_err(|error| {
            if error.labels.is_empty() {
                error.at(self.annotation.place.clone(), "")
            } else {
                error
            }
        })
    }
}
