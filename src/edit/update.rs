//! Changing what a path leads to.

use std::sync::Arc;

use super::embedded::Layout;
use super::missing::Missing;
use super::path::FieldPath;
use super::text_fields::{Encoding, TextFields};
use super::walk::Walk;
use crate::formats::Format;
use crate::source::{Code, Diagnostic};
use crate::yaml::{Node, relink};

/// What a walk along a path may do.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// Whether what is missing is made.
    pub create: bool,
    /// The format of strings that the path goes into; `None` to find out.
    pub format: Option<Format>,
    /// How the documents in strings are written back.
    pub layout: Layout,
    /// Which fields are text.
    pub text_fields: TextFields,
    /// The format of the text that the tree was read from.
    pub text_format: Format,
    /// Whether the tree has aliases, which have to follow what they stand for.
    pub has_aliases: bool,
}

/// A value that the path leads to.
#[derive(Debug)]
pub struct Target<'a> {
    /// The value, an alias followed; `None` for one that is to be made.
    pub current: Option<&'a Arc<Node>>,
    /// The format of the text that it stands in.
    pub format: Format,
    /// The format that was asked for, or that its key tells, for a document that it may hold.
    pub wanted: Option<Format>,
    /// The encoding of the field, if it is a text field of the object.
    pub text_field: Option<Encoding>,
    /// The key of the entry that holds it, if it stands in a mapping.
    pub key: Option<&'a str>,
}

/// Why nothing came of it.
#[derive(Debug)]
pub enum Failure {
    /// The path leads nowhere.
    Missing(Box<Missing>),
    /// Something else is wrong.
    Diagnostic(Box<Diagnostic>),
}

impl From<Box<Diagnostic>> for Failure {
    fn from(diagnostic: Box<Diagnostic>) -> Failure {
        Failure::Diagnostic(diagnostic)
    }
}

impl Failure {
    /// Whether nothing is there, and nothing is wrong with what is.
    pub fn is_absent(&self) -> bool {
        matches!(self, Failure::Missing(missing) if missing.is_absent())
    }

    /// The diagnostic, where `message` says what was wanted of the path.
    pub fn diagnostic(self, message: impl FnOnce() -> String) -> Box<Diagnostic> {
        match self {
            Failure::Missing(missing) => missing.diagnostic(message()),
            Failure::Diagnostic(diagnostic) => diagnostic,
        }
    }

    /// The one that tells more, where the path was tried in several places: what is wrong before what is missing, and
    /// the place that was reached by more of the path before others.
    pub fn or_deeper(self, other: Failure) -> Failure {
        match (&self, &other) {
            (Failure::Missing(_), Failure::Diagnostic(_)) => other,
            (Failure::Missing(first), Failure::Missing(second)) if second.depth > first.depth => {
                other
            }
            _ => self,
        }
    }
}

/// What comes of a walk along a path.
pub(super) type Outcome<T> = std::result::Result<T, Failure>;

/// What is done with a target: `Some` takes its place, `None` leaves it.
pub type Visit<'v> = dyn FnMut(Target<'_>) -> crate::source::Result<Option<Arc<Node>>> + 'v;

/// Follows `path` from `root`, also into strings, and lets `visit` change every value that it leads to.
///
/// Returns the new root, or `None` where `visit` changed nothing.
///
/// # Errors
/// [`Failure::Missing`] where the path leads to no value at all: of a path that branches, one branch is enough.
pub fn update(
    root: &Arc<Node>,
    path: &FieldPath,
    options: &Options,
    visit: &mut Visit<'_>,
) -> Outcome<Option<Arc<Node>>> {
    if path.descents() > 1 {
        let message =
            format!("expected one `..` at most in a path to write to, found several in `{path}`");
        return Err(Diagnostic::error(Code::PathSyntax, message)
            .note("two of them may lead to one value in several ways, and it would be written several times")
            .into());
    }
    let changed = Walk::new(root, path, options, false, visit).run(root)?;
    Ok(if options.has_aliases {
        changed.map(|root| relink(&root))
    } else {
        changed
    })
}
