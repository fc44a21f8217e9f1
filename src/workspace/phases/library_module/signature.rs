//! Arguments of the functions of `@ytt:library`, checked.

use crate::script::{Arguments, Value};
use crate::source::suggest::{did_you_mean, list, with_article};
use crate::source::{Code, Diagnostic, Result};

/// The arguments of one call, and the function that messages name.
pub(super) struct Call<'v> {
    function: &'static str,
    arguments: Arguments<'v>,
}

impl<'v> Call<'v> {
    /// # Errors
    /// A named argument that is not in `names`.
    pub(super) fn new(
        function: &'static str,
        arguments: Arguments<'v>,
        names: &[&str],
    ) -> Result<Call<'v>> {
        let call = Call {
            function,
            arguments,
        };
        match call
            .arguments
            .named
            .iter()
            .find(|(name, _)| !names.contains(&name.as_str()))
        {
            None => Ok(call),
            Some((name, _)) => {
                let known = (!names.is_empty())
                    .then(|| format!("named arguments are {}", list(names.iter().copied())));
                let help = did_you_mean(name, names.iter().copied()).or(known);
                Err(call
                    .refuse(format!("expected no argument `{name}`"))
                    .help_if(help))
            }
        }
    }

    /// Checks that there is no positional argument.
    ///
    /// # Errors
    /// There is one.
    pub(super) fn none(&self) -> Result<()> {
        match self.arguments.positional.len() {
            0 => Ok(()),
            count => Err(self.refuse(format!("expected no arguments, found {count}"))),
        }
    }

    /// The positional argument.
    ///
    /// # Errors
    /// There is none, or more than one.
    pub(super) fn one(&self) -> Result<Value<'v>> {
        match self.arguments.positional.as_slice() {
            [only] => Ok(*only),
            other => Err(self.refuse(format!(
                "expected exactly one argument, found {}",
                other.len()
            ))),
        }
    }

    /// The positional argument, a string.
    ///
    /// # Errors
    /// As for [`one`](Call::one), and a value that is no string.
    pub(super) fn one_text(&self) -> Result<&'v str> {
        let value = self.one()?;
        value.as_str().ok_or_else(|| {
            self.refuse(format!(
                "expected a string, found {}",
                with_article(value.type_name())
            ))
        })
    }

    /// A named argument that is a string.
    ///
    /// # Errors
    /// A value that is no string.
    pub(super) fn text(&self, name: &str) -> Result<Option<&'v str>> {
        let Some(value) = self.named(name) else {
            return Ok(None);
        };
        let misfit = || {
            self.refuse(format!(
                "expected `{name}` to be a string, found {}",
                with_article(value.type_name())
            ))
        };
        value.as_str().map(Some).ok_or_else(misfit)
    }

    /// A named argument that is a boolean.
    ///
    /// # Errors
    /// A value that is no boolean.
    pub(super) fn flag(&self, name: &str) -> Result<Option<bool>> {
        let Some(value) = self.named(name) else {
            return Ok(None);
        };
        let misfit = || {
            self.refuse(format!(
                "expected `{name}` to be a boolean, found {}",
                with_article(value.type_name())
            ))
        };
        value.as_bool().map(Some).ok_or_else(misfit)
    }

    fn named(&self, name: &str) -> Option<Value<'v>> {
        self.arguments
            .named
            .iter()
            .find(|(own, _)| own == name)
            .map(|(_, value)| *value)
    }

    /// An error of this call.
    pub(super) fn refuse(&self, message: String) -> Box<Diagnostic> {
        Diagnostic::error(Code::Library, format!("{}: {message}", self.function))
    }
}
