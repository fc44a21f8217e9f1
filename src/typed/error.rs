//! The error type of the deserializer: a diagnostic that gets its place and path while it is
//! returned.

use std::fmt::{self, Display};
use std::sync::Arc;

use serde::de::{Expected, Unexpected};

use super::path::{ConfigPath, ConfigStep};
use crate::source::suggest::{did_you_mean, list};
use crate::source::{Code, Diagnostic};
use crate::yaml::Node;

/// A mistake in a configuration.
#[derive(Debug)]
pub(super) struct ConfigError {
    diagnostic: Box<Diagnostic>,
    /// The wrong value or key, which the first label of the diagnostic points at. `None` until a
    /// level of the tree has set it.
    node: Option<Arc<Node>>,
    /// The path to the collection or value that `node` belongs to.
    path: ConfigPath,
}

impl ConfigError {
    /// Creates an error without a place.
    pub(super) fn new(message: impl Into<String>) -> ConfigError {
        ConfigError::from(Diagnostic::error(Code::Config, message))
    }

    /// Sets the place, unless an inner level has already set a more precise place.
    pub(super) fn at(self, node: &Arc<Node>) -> ConfigError {
        self.labelled(node, "")
    }

    /// Sets the place like [`at`](Self::at), with a text for its label.
    pub(super) fn labelled(self, node: &Arc<Node>, text: &str) -> ConfigError {
        if self.node.is_some() {
            return self;
        }
        ConfigError {
            diagnostic: self.diagnostic.at(node.location(), text),
            node: Some(Arc::clone(node)),
            path: self.path,
        }
    }

    /// Adds a second place with a text for its label.
    pub(super) fn labelled_also(self, node: &Arc<Node>, text: &str) -> ConfigError {
        ConfigError {
            diagnostic: self.diagnostic.at(node.location(), text),
            ..self
        }
    }

    /// Adds a step at the start of the path.
    pub(super) fn within(mut self, step: ConfigStep) -> ConfigError {
        self.path.prepend(step);
        self
    }

    /// Returns the wrong value or key.
    pub(super) fn node(&self) -> Option<&Arc<Node>> {
        self.node.as_ref()
    }

    /// Returns the steps from the root to the value that contains the mistake.
    pub(super) fn steps(&self) -> impl Iterator<Item = &ConfigStep> {
        self.path.steps()
    }

    /// Replaces the path.
    pub(super) fn at_path(self, path: ConfigPath) -> ConfigError {
        ConfigError { path, ..self }
    }

    /// Converts the error into a diagnostic, with the path as a note.
    pub(super) fn into_diagnostic(self) -> Box<Diagnostic> {
        if self.path.is_root() {
            self.diagnostic
        } else {
            self.diagnostic.note(format!("in `{}`", self.path))
        }
    }
}

impl From<Box<Diagnostic>> for ConfigError {
    fn from(diagnostic: Box<Diagnostic>) -> ConfigError {
        ConfigError {
            diagnostic,
            node: None,
            path: ConfigPath::default(),
        }
    }
}

impl Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.diagnostic.message)
    }
}

impl std::error::Error for ConfigError {}

/// Creates the errors that types themselves raise, with messages of this project instead of
/// serde's.
impl serde::de::Error for ConfigError {
    fn custom<T: Display>(message: T) -> ConfigError {
        ConfigError::new(message.to_string())
    }

    fn invalid_type(found: Unexpected<'_>, expected: &dyn Expected) -> ConfigError {
        ConfigError::new(format!("expected {expected}, found {}", described(found)))
    }

    fn invalid_value(found: Unexpected<'_>, expected: &dyn Expected) -> ConfigError {
        ConfigError::new(format!("expected {expected}, found {}", described(found)))
    }

    fn invalid_length(found: usize, expected: &dyn Expected) -> ConfigError {
        ConfigError::new(format!("expected {expected}, found {found}"))
    }

    fn unknown_variant(found: &str, expected: &'static [&'static str]) -> ConfigError {
        let words = list(expected.iter().copied());
        let help = did_you_mean(found, expected.iter().copied());
        let message = format!("expected {words}, found `{found}`");
        ConfigError::from(Diagnostic::error(Code::Config, message).help_if(help))
    }

    fn unknown_field(found: &str, expected: &'static [&'static str]) -> ConfigError {
        let known = if expected.is_empty() {
            "no fields are allowed here".to_owned()
        } else {
            format!("expected {}", list(expected.iter().copied()))
        };
        let help = did_you_mean(found, expected.iter().copied());
        let diagnostic = Diagnostic::error(Code::Config, format!("unknown field `{found}`"));
        ConfigError::from(diagnostic.help_if(help).note(known))
    }

    fn missing_field(field: &'static str) -> ConfigError {
        ConfigError::new(format!("missing field `{field}`"))
    }

    fn duplicate_field(field: &'static str) -> ConfigError {
        ConfigError::new(format!("field `{field}` is given twice"))
    }
}

/// Returns a description of the value that a type found instead of the expected one.
fn described(found: Unexpected<'_>) -> String {
    match found {
        Unexpected::Bool(value) => format!("`{value}`"),
        Unexpected::Unsigned(value) => format!("`{value}`"),
        Unexpected::Signed(value) => format!("`{value}`"),
        Unexpected::Float(value) => format!("`{value}`"),
        Unexpected::Char(value) => format!("`{value}`"),
        Unexpected::Str(value) => format!("`{value}`"),
        Unexpected::Unit | Unexpected::Option => "null".to_owned(),
        Unexpected::Seq | Unexpected::TupleVariant => "a list".to_owned(),
        Unexpected::Map | Unexpected::StructVariant => "a mapping".to_owned(),
        Unexpected::UnitVariant => "a name without a value".to_owned(),
        Unexpected::NewtypeVariant => "a name with a value".to_owned(),
        other => other.to_string(),
    }
}
