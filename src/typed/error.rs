//! How `serde`'s complaints become diagnostics.

use std::fmt::{self, Display};
use std::sync::Arc;

use serde::de::{Expected, Unexpected};

use super::path::{Path, Segment};
use crate::source::suggest::{did_you_mean, list};
use crate::source::{Code, Diagnostic};
use crate::yaml::Node;

/// A diagnostic on its way out of the configuration; it gets its place and its path on the way.
#[derive(Debug)]
pub(super) struct Error {
    diagnostic: Box<Diagnostic>,
    /// What is wrong: the node of the first place.
    node: Option<Arc<Node>>,
    path: Path,
}

impl Error {
    /// An error with no place yet.
    pub(super) fn new(message: impl Into<String>) -> Error {
        Error::from(Diagnostic::error(Code::Config, message))
    }

    /// Says that the error is at `node`, unless a value further in has said so already.
    pub(super) fn at(self, node: &Arc<Node>) -> Error {
        self.labelled(node, "")
    }

    /// The same as [`at`](Self::at), with a text beside the place.
    pub(super) fn labelled(self, node: &Arc<Node>, text: &str) -> Error {
        match self.node {
            None => Error {
                diagnostic: self.diagnostic.at(node.location(), text),
                node: Some(Arc::clone(node)),
                path: self.path,
            },
            Some(_) => self,
        }
    }

    /// Shows a second place.
    pub(super) fn labelled_also(self, node: &Arc<Node>, text: &str) -> Error {
        Error {
            diagnostic: self.diagnostic.at(node.location(), text),
            ..self
        }
    }

    /// Says that the error is within the value that `segment` leads to.
    pub(super) fn within(mut self, segment: Segment) -> Error {
        self.path.prepend(segment);
        self
    }

    /// The node that is wrong.
    pub(super) fn node(&self) -> Option<&Arc<Node>> {
        self.node.as_ref()
    }

    /// The steps to the value in which the error is, from the outside in.
    pub(super) fn segments(&self) -> impl Iterator<Item = &Segment> {
        self.path.segments()
    }

    /// The error with another path, given from the outside in.
    pub(super) fn at_path(self, segments: Vec<Segment>) -> Error {
        Error {
            path: Path::new(segments),
            ..self
        }
    }

    /// The diagnostic, with the path as a note.
    pub(super) fn into_diagnostic(self) -> Box<Diagnostic> {
        match self.path.is_root() {
            true => self.diagnostic,
            false => self.diagnostic.note(format!("in `{}`", self.path)),
        }
    }
}

impl From<Box<Diagnostic>> for Error {
    fn from(diagnostic: Box<Diagnostic>) -> Error {
        Error {
            diagnostic,
            node: None,
            path: Path::default(),
        }
    }
}

impl Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.diagnostic.message)
    }
}

impl std::error::Error for Error {}

impl serde::de::Error for Error {
    fn custom<T: Display>(message: T) -> Error {
        Error::new(message.to_string())
    }

    fn invalid_type(found: Unexpected<'_>, expected: &dyn Expected) -> Error {
        Error::new(format!("expected {expected}, found {}", describe(found)))
    }

    fn invalid_value(found: Unexpected<'_>, expected: &dyn Expected) -> Error {
        Error::new(format!("expected {expected}, found {}", describe(found)))
    }

    fn invalid_length(found: usize, expected: &dyn Expected) -> Error {
        Error::new(format!("expected {expected}, found {found}"))
    }

    fn unknown_variant(found: &str, expected: &'static [&'static str]) -> Error {
        let message = format!(
            "expected {}, found `{found}`",
            list(expected.iter().copied())
        );
        let help = did_you_mean(found, expected.iter().copied());
        Error::from(Diagnostic::error(Code::Config, message).help_if(help))
    }

    fn unknown_field(found: &str, expected: &'static [&'static str]) -> Error {
        let known = match expected {
            [] => "no field is known here".to_string(),
            _ => format!("expected {}", list(expected.iter().copied())),
        };
        let diagnostic = Diagnostic::error(Code::Config, format!("unknown field `{found}`"));
        Error::from(
            diagnostic
                .help_if(did_you_mean(found, expected.iter().copied()))
                .note(known),
        )
    }

    fn missing_field(field: &'static str) -> Error {
        Error::new(format!("missing field `{field}`"))
    }

    fn duplicate_field(field: &'static str) -> Error {
        Error::new(format!("field `{field}` is given twice"))
    }
}

/// What was found, in the words of this project instead of `serde`'s.
fn describe(found: Unexpected<'_>) -> String {
    match found {
        Unexpected::Bool(value) => format!("`{value}`"),
        Unexpected::Unsigned(value) => format!("`{value}`"),
        Unexpected::Signed(value) => format!("`{value}`"),
        Unexpected::Float(value) => format!("`{value}`"),
        Unexpected::Char(value) => format!("`{value}`"),
        Unexpected::Str(value) => format!("`{value}`"),
        Unexpected::Unit | Unexpected::Option => "null".to_string(),
        Unexpected::Seq | Unexpected::TupleVariant => "a list".to_string(),
        Unexpected::Map | Unexpected::StructVariant => "a mapping".to_string(),
        Unexpected::UnitVariant => "a word without a value".to_string(),
        Unexpected::NewtypeVariant => "a word with a value".to_string(),
        other => other.to_string(),
    }
}
