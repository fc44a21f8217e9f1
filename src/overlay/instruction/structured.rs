//! Whether a part is meant for a document in a string.

use super::annotations::Own;
use super::operation::Operation;
use super::{a_type, error};
use crate::edit::Format;
use crate::overlay::part::Kind;
use crate::script::Value;
use crate::source::Result;
use crate::source::suggest::{did_you_mean, list};

/// The part is meant for the document in the string on the left.
#[derive(Clone, Copy, Debug)]
pub(in crate::overlay) struct Structured {
    /// The format of the string; `None` to find out.
    pub(in crate::overlay) format: Option<Format>,
}

impl Structured {
    pub(super) fn read(
        kind: Kind,
        own: &Own<'_>,
        operation: &Operation<'_>,
    ) -> Result<Option<Structured>> {
        let Some(arguments) = own.get("overlay/structured") else {
            return Ok(None);
        };
        arguments.check(&["format"])?;
        if kind == Kind::Document {
            return Err(error(
                "expected `@overlay/structured` on a map item or an array item, found it on a document",
            ));
        }
        if matches!(operation, Operation::Remove) {
            return Err(error(
                "expected an operation on the document in a string, found `@overlay/remove`",
            )
            .help("to remove the string, leave out `#@overlay/structured`"));
        }
        let format = arguments.named("format").map(read_format).transpose()?;
        Ok(Some(Structured { format }))
    }
}

fn read_format(value: Value<'_>) -> Result<Format> {
    let Some(name) = value.as_str() else {
        let found = a_type(value);
        return Err(error(format!(
            "expected a string for `format` of `@overlay/structured`, found {found}"
        )));
    };
    Format::named(name).ok_or_else(|| {
        let names = list(Format::NAMES);
        error(format!(
            "expected {names} for `format` of `@overlay/structured`, found `{name}`"
        ))
        .help_if(did_you_mean(name, Format::NAMES))
    })
}
