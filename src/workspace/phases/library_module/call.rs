//! The arguments of a call of `@ytt:library`.

use crate::script::{Arguments, Value};
use crate::source::suggest::{did_you_mean, list, with_article};
use crate::source::{Code, Diagnostic, Result};

/// The arguments of one call, and the function that messages name.
pub(super) struct LibraryCall<'v> {
    function: &'static str,
    arguments: Arguments<'v>,
}

impl<'v> LibraryCall<'v> {
    /// Checks the names of the arguments.
    ///
    /// # Errors
    /// Fails for a named argument that is not in `names`.
    pub(super) fn new(
        function: &'static str,
        arguments: Arguments<'v>,
        names: &[&str],
    ) -> Result<LibraryCall<'v>> {
        let call = LibraryCall {
            function,
            arguments,
        };
        for (name, _) in &call.arguments.named {
            if !names.contains(&name.as_str()) {
                let known = (!names.is_empty())
                    .then(|| format!("named arguments are {}", list(names.iter().copied())));
                return Err(call
                    .error(format!("expected no argument `{name}`"))
                    .help_if(did_you_mean(name, names.iter().copied()).or(known)));
            }
        }
        Ok(call)
    }

    /// Rejects positional arguments.
    ///
    /// # Errors
    /// Fails if there is one.
    pub(super) fn none(&self) -> Result<()> {
        match self.arguments.positional.len() {
            0 => Ok(()),
            count => Err(self.error(format!("expected no arguments, found {count}"))),
        }
    }

    /// Returns the only positional argument.
    ///
    /// # Errors
    /// Fails if there is not exactly one.
    pub(super) fn one(&self) -> Result<Value<'v>> {
        match self.arguments.positional.as_slice() {
            [only] => Ok(*only),
            other => Err(self.error(format!(
                "expected exactly one argument, found {}",
                other.len()
            ))),
        }
    }

    /// Returns the only positional argument, a string.
    ///
    /// # Errors
    /// Fails as [`one`](LibraryCall::one) does, and for a value that is not a string.
    pub(super) fn one_text(&self) -> Result<&'v str> {
        let value = self.one()?;
        value.as_str().ok_or_else(|| {
            let found = with_article(value.type_name());
            self.error(format!("expected a string, found {found}"))
        })
    }

    /// Returns a named argument that is a string.
    ///
    /// # Errors
    /// Fails for a value that is not a string.
    pub(super) fn text(&self, name: &str) -> Result<Option<&'v str>> {
        let Some(value) = self.named(name) else {
            return Ok(None);
        };
        match value.as_str() {
            Some(text) => Ok(Some(text)),
            None => Err(self.wrong_type(name, "a string", value)),
        }
    }

    /// Returns a named argument that is a boolean.
    ///
    /// # Errors
    /// Fails for a value that is not a boolean.
    pub(super) fn flag(&self, name: &str) -> Result<Option<bool>> {
        let Some(value) = self.named(name) else {
            return Ok(None);
        };
        match value.as_bool() {
            Some(flag) => Ok(Some(flag)),
            None => Err(self.wrong_type(name, "a boolean", value)),
        }
    }

    fn named(&self, name: &str) -> Option<Value<'v>> {
        let mut named = self.arguments.named.iter();
        named.find(|(own, _)| own == name).map(|(_, value)| *value)
    }

    fn wrong_type(&self, name: &str, expected: &str, value: Value<'v>) -> Box<Diagnostic> {
        let found = with_article(value.type_name());
        self.error(format!("expected `{name}` to be {expected}, found {found}"))
    }

    /// Returns an error about this call.
    pub(super) fn error(&self, message: String) -> Box<Diagnostic> {
        Diagnostic::error(Code::Library, format!("{}: {message}", self.function))
    }
}
