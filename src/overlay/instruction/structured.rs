//! Whether a part is meant for a document in a string.

use super::annotations::Own;
use super::operation::Operation;
use super::{a_type, error};
use crate::edit::Format;
use crate::overlay::part::Kind;
use crate::source::Result;
use crate::source::suggest::did_you_mean;

/// The part is meant for the document in the string on the left.
#[derive(Clone, Copy, Debug)]
pub(in crate::overlay) struct Structured {
    /// The format of the string; `None` to find out.
    pub(in crate::overlay) format: Option<Format>,
}

impl Structured {
    pub(super) fn read(kind: Kind, own: &Own<'_>, operation: &Operation<'_>) -> Result<Option<Structured>> {
        let Some(arguments) = own.get("overlay/structured") else { return Ok(None) };
        arguments.check(&["format"])?;
        if kind == Kind::Document {
            return Err(error("expected `@overlay/structured` on a map item or an array item, found it on a document"));
        }
        if matches!(operation, Operation::Remove) {
            return Err(error("expected an operation on the document in a string, found `@overlay/remove`")
                .help("to remove the string, leave out `#@overlay/structured`"));
        }
        let format = match arguments.named("format").map(|value| (value, value.as_str())) {
            None => None,
            Some((_, Some("json"))) => Some(Format::Json),
            Some((_, Some("yaml"))) => Some(Format::Yaml),
            Some((_, Some(other))) => {
                let message =
                    format!("expected `json` or `yaml` for `format` of `@overlay/structured`, found `{other}`");
                return Err(error(message).help_if(did_you_mean(other, ["json", "yaml"])));
            }
            Some((value, None)) => {
                let found = a_type(value);
                return Err(error(format!("expected a string for `format` of `@overlay/structured`, found {found}")));
            }
        };
        Ok(Some(Structured { format }))
    }
}
