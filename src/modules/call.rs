//! The arguments of a call, checked with ytt's messages.

use std::sync::Arc;

use crate::script::{Arguments, Caller, Value};
use crate::source::suggest::did_you_mean;
use crate::source::{Code, Diagnostic, Limit, Result, Source};

/// The maximum `indent` of an `encode` function.
const MAX_INDENT: i64 = 8;

/// A call of a module's function.
pub(super) struct Call<'v> {
    /// The full name of the function, which starts each message.
    name: &'static str,
    arguments: Arguments<'v>,
}

impl<'v> Call<'v> {
    /// Returns the call of the function that received this caller.
    pub(super) fn new(caller: &Caller<'_, 'v>, arguments: Arguments<'v>) -> Call<'v> {
        Call {
            name: caller.function_name(),
            arguments,
        }
    }

    /// Returns the positional arguments. There must be exactly `N` of them.
    pub(super) fn positional<const N: usize>(&self) -> Result<[Value<'v>; N]> {
        self.arguments
            .positional
            .as_slice()
            .try_into()
            .map_err(|_| {
                self.failure(match N {
                    0 => "expected no argument".to_owned(),
                    1 => "expected exactly one argument".to_owned(),
                    2 => "expected exactly two arguments".to_owned(),
                    _ => format!("expected exactly {N} arguments"),
                })
            })
    }

    /// Like [`positional`](Self::positional), with the message of functions that Go defines by a
    /// signature.
    pub(super) fn counted<const N: usize>(&self) -> Result<[Value<'v>; N]> {
        let arguments = self.arguments.positional.as_slice();
        arguments.try_into().map_err(|_| self.wrong_count(N))
    }

    /// Returns the positional argument of a function that takes at most one.
    pub(super) fn optional(&self) -> Result<Option<Value<'v>>> {
        match self.arguments.positional.as_slice() {
            [] => Ok(None),
            [only] => Ok(Some(*only)),
            _ => Err(self.wrong_count(1)),
        }
    }

    /// Returns all positional arguments.
    pub(super) fn all(&self) -> &[Value<'v>] {
        &self.arguments.positional
    }

    /// Returns all named arguments.
    pub(super) fn named(&self) -> &[(String, Value<'v>)] {
        &self.arguments.named
    }

    /// Rejects named arguments.
    pub(super) fn no_named(&self) -> Result<()> {
        if self.arguments.named.is_empty() {
            return Ok(());
        }
        Err(self.failure("unexpected keyword arguments"))
    }

    /// Rejects named arguments that the function does not have.
    pub(super) fn only_named(&self, known: &[&str]) -> Result<()> {
        for (name, _) in &self.arguments.named {
            if !known.contains(&name.as_str()) {
                let help = did_you_mean(name, known.iter().copied());
                return Err(self
                    .failure(format!("invalid argument name: {name}"))
                    .help_if(help));
            }
        }
        Ok(())
    }

    /// Returns the only argument, which must be a string.
    pub(super) fn one_text(&self) -> Result<&'v str> {
        let [value] = self.positional()?;
        self.text(value)
    }

    /// Returns the only argument, which must be a string, as a source that messages can point into.
    /// Charges for parsing it.
    pub(super) fn one_source(&self, caller: &Caller<'_, 'v>) -> Result<Arc<Source>> {
        let text = self.one_text()?;
        // Count separators instead of parsing, so that the tree of a hostile text is never built.
        let separators = text
            .bytes()
            .filter(|byte| matches!(byte, b',' | b':' | b'\n' | b'[' | b'{' | b'-'))
            .count();
        let most = Limit::Decoded.size();
        if separators > most {
            return Err(self
                .limit(Limit::Decoded.named(&format!(
                    "expected a text of at most {most} values, found more"
                )))
                .help(Limit::Decoded.help(Some(separators as u64))));
        }
        caller.charge_conversion(text.len())?;
        Source::new(format!("argument of {}", self.name), text).map_err(|length| {
            self.limit(format!("expected a text below 4 GiB, found {length} bytes"))
        })
    }

    /// Returns the text of a value that must be a string.
    pub(super) fn text(&self, value: Value<'v>) -> Result<&'v str> {
        value
            .as_str()
            .ok_or_else(|| self.wrong_type("a string", value))
    }

    /// Returns the number of a value that must be an integer or a float.
    pub(super) fn number(&self, value: Value<'v>) -> Result<f64> {
        value
            .as_number()
            .ok_or_else(|| self.wrong_type("float value", value))
    }

    /// Returns the named argument `name`, which must be a boolean.
    pub(super) fn flag(&self, name: &str) -> Result<Option<bool>> {
        let Some(value) = self.named_value(name) else {
            return Ok(None);
        };
        match value.as_bool() {
            Some(flag) => Ok(Some(flag)),
            None => Err(self.wrong_type("a bool", value)),
        }
    }

    /// Returns the named argument `indent`, in spaces.
    pub(super) fn indent(&self) -> Result<Option<usize>> {
        let Some(value) = self.named_value("indent") else {
            return Ok(None);
        };
        if value.type_name() != "int" {
            return Err(self.wrong_type("an int", value));
        }
        match value.as_integer() {
            Some(indent @ 0..=MAX_INDENT) => Ok(usize::try_from(indent).ok()),
            _ => Err(self.failure("indent value must be between 0 and 8")),
        }
    }

    /// Converts bytes to a string. Unlike in ytt, Starlark strings contain only valid text here.
    pub(super) fn utf8(&self, bytes: Vec<u8>) -> Result<String> {
        String::from_utf8(bytes).map_err(|_| {
            self.failure("expected UTF-8 text, found other bytes")
                .help("strings contain only text")
        })
    }

    /// Returns an error of this call.
    pub(super) fn failure(&self, message: impl std::fmt::Display) -> Box<Diagnostic> {
        Diagnostic::error(Code::Script, format!("{}: {message}", self.name))
    }

    /// Returns the error for a limit that this call has reached.
    pub(super) fn limit(&self, message: impl std::fmt::Display) -> Box<Diagnostic> {
        Diagnostic::error(Code::Limit, format!("{}: {message}", self.name))
    }

    /// Returns the error of a library that this call uses, with the name of the function in front.
    pub(super) fn diagnosed(&self, mut diagnostic: Box<Diagnostic>) -> Box<Diagnostic> {
        diagnostic.message = format!("{}: {}", self.name, diagnostic.message);
        self.library_error(diagnostic)
    }

    /// Returns the error of a library that this call uses. The name of the function is only visible
    /// to a template that catches the error.
    pub(super) fn library_error(&self, mut diagnostic: Box<Diagnostic>) -> Box<Diagnostic> {
        if let Some(message) = &mut diagnostic.caught_as {
            *message = format!("{}: {message}", self.name);
        }
        diagnostic
    }

    /// Returns the error of a function that this call has called. ytt adds the name of the caller,
    /// which is visible to a template that catches the error.
    pub(super) fn failed_inside(&self, error: Box<Diagnostic>) -> Box<Diagnostic> {
        let caught = format!("{}: {}", self.name, error.caught_message());
        error.caught_as(caught)
    }

    /// Returns the error for a value of the wrong type.
    fn wrong_type(&self, expected: &str, value: Value<'v>) -> Box<Diagnostic> {
        let found = value.type_name();
        self.failure(format!("expected {expected}, but was {found}"))
    }

    fn wrong_count(&self, wanted: usize) -> Box<Diagnostic> {
        let given = self.arguments.positional.len();
        self.failure(format!("got {given} arguments, want {wanted}"))
    }

    fn named_value(&self, name: &str) -> Option<Value<'v>> {
        let mut named = self.arguments.named.iter();
        let (_, value) = named.find(|(own, _)| own == name)?;
        Some(*value)
    }
}
