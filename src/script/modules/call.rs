//! A call of a module function: its arguments, checked in the words of ytt.

use std::sync::Arc;

use starlark::values::dict::DictRef;
use starlark::values::float::UnpackFloat;
use starlark::values::{Heap, UnpackValue, Value};

use crate::script::failure::Failure;
use crate::script::memory;
use crate::script::value::{Sized, to_sized_node, type_name};
use crate::source::{Diagnostic, Source};
use crate::yaml::Node;

/// The largest `indent` of an `encode`.
const MAX_INDENT: i64 = 8;

/// A text with more of the marks that divide values than this is not decoded.
const MARK_LIMIT: usize = 1_000_000;

/// A call of a module function.
pub(super) struct Call<'v> {
    name: &'static str,
    positional: Vec<Value<'v>>,
}

impl<'v> Call<'v> {
    /// A call of the function that messages name `name`.
    pub(super) fn new(name: &'static str, positional: Vec<Value<'v>>) -> Call<'v> {
        Call { name, positional }
    }

    /// The arguments, of which there must be `N`.
    pub(super) fn arguments<const N: usize>(&self) -> Result<[Value<'v>; N], Failure> {
        self.positional.as_slice().try_into().map_err(|_| {
            self.failure(match N {
                0 => "expected no argument".to_owned(),
                1 => "expected exactly one argument".to_owned(),
                2 => "expected exactly two arguments".to_owned(),
                _ => format!("expected exactly {N} arguments"),
            })
        })
    }

    /// The arguments, however many.
    pub(super) fn positional(&self) -> &[Value<'v>] {
        &self.positional
    }

    /// The only argument, which must be a string.
    pub(super) fn one_text(&self) -> Result<&'v str, Failure> {
        let [value] = self.arguments()?;
        self.text(value)
    }

    /// The only argument, which must be a string, as a source for messages with places in it.
    pub(super) fn one_source(&self) -> Result<Arc<Source>, Failure> {
        let text = self.one_text()?;
        let marks = text
            .bytes()
            .filter(|byte| matches!(byte, b',' | b':' | b'\n' | b'[' | b'{' | b'-'))
            .count();
        if marks > MARK_LIMIT {
            return Err(self.limit(format!(
                "expected a text of at most {MARK_LIMIT} values, found more"
            )));
        }
        Source::new(format!("argument of {}", self.name), text).map_err(|length| {
            self.limit(format!("expected a text below 4 GiB, found {length} bytes"))
        })
    }

    /// A string.
    pub(super) fn text(&self, value: Value<'v>) -> Result<&'v str, Failure> {
        value
            .unpack_str()
            .ok_or_else(|| self.misfit("a string", value))
    }

    /// An integer or a float, as a float.
    pub(super) fn number(&self, value: Value<'v>) -> Result<f64, Failure> {
        match UnpackFloat::unpack_value(value) {
            Ok(Some(number)) => Ok(number.0),
            _ => Err(self.misfit("float value", value)),
        }
    }

    /// The option `option`, which must be a boolean.
    pub(super) fn flag(&self, named: &DictRef<'v>, option: &str) -> Result<Option<bool>, Failure> {
        let Some(value) = named.get_str(option) else {
            return Ok(None);
        };
        value
            .unpack_bool()
            .map(Some)
            .ok_or_else(|| self.misfit("a bool", value))
    }

    /// The option `indent`, in spaces.
    pub(super) fn indent(&self, named: &DictRef<'v>) -> Result<Option<usize>, Failure> {
        let Some(value) = named.get_str("indent") else {
            return Ok(None);
        };
        if value.get_type() != "int" {
            return Err(self.misfit("an int", value));
        }
        let indent = i64::unpack_value(value)
            .ok()
            .flatten()
            .filter(|indent| (0..=MAX_INDENT).contains(indent));
        let indent = indent.and_then(|indent| usize::try_from(indent).ok());
        indent
            .map(Some)
            .ok_or_else(|| self.failure("indent value must be between 0 and 8"))
    }

    /// Refuses options that the function does not have.
    pub(super) fn options(&self, named: &DictRef<'v>, known: &[&str]) -> Result<(), Failure> {
        let mut names = named.keys().filter_map(|key| key.unpack_str());
        match names.find(|name| !known.contains(name)) {
            Some(name) => {
                let help = crate::source::suggest::did_you_mean(name, known.iter().copied());
                Err(self
                    .failure(format!("invalid argument name: {name}"))
                    .help_if(help))
            }
            None => Ok(()),
        }
    }

    /// Bytes as a string.
    pub(super) fn utf8(&self, bytes: Vec<u8>) -> Result<String, Failure> {
        String::from_utf8(bytes).map_err(|_| {
            self.failure("expected bytes that are UTF-8, found others")
                .help("strings hold text alone")
        })
    }

    /// The node that a value says, if its text is not too long to be one string.
    pub(super) fn node(&self, value: Value<'v>, heap: Heap<'v>) -> starlark::Result<Arc<Node>> {
        let Sized { node, size, .. } = to_sized_node(value, heap)?;
        memory::check_string(size)?;
        Ok(node)
    }

    /// A failure of this call.
    pub(super) fn failure(&self, message: impl std::fmt::Display) -> Failure {
        Failure::new(format!("{}: {message}", self.name))
    }

    /// A limit that this call has reached.
    pub(super) fn limit(&self, message: impl std::fmt::Display) -> Failure {
        Failure::limit(format!("{}: {message}", self.name))
    }

    /// A diagnostic that came out of this call.
    pub(super) fn diagnosed(&self, mut diagnostic: Box<Diagnostic>) -> Failure {
        diagnostic.message = format!("{}: {}", self.name, diagnostic.message);
        diagnostic.into()
    }

    fn misfit(&self, expected: &str, value: Value<'v>) -> Failure {
        self.failure(format!("expected {expected}, but was {}", type_name(value)))
    }
}
