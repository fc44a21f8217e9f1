//! What a part does with the elements that it means.

use super::annotations::Own;
use super::error;
use crate::overlay::part::Kind;
use crate::script::Value;
use crate::source::Result;

/// What is done. Functions get the value of the left and that of the right.
#[derive(Clone, Copy, Debug)]
pub(in crate::overlay) enum Operation<'v> {
    /// The left keeps what the right does not say otherwise.
    Merge,
    /// The left goes.
    Remove,
    /// The right takes the place of the left.
    Replace {
        /// Makes the new value.
        via: Option<Value<'v>>,
        /// Whether the right is added where nothing is meant.
        or_add: bool,
    },
    /// The right comes beside the left.
    Insert {
        before: bool,
        after: bool,
        /// Makes the new value.
        via: Option<Value<'v>>,
    },
    /// The right comes after all others.
    Append,
    /// The left has to be as the right says.
    Assert {
        /// Judges.
        via: Option<Value<'v>>,
    },
}

/// The annotations of which one part can have one.
const OPERATIONS: [&str; 6] = [
    "overlay/merge",
    "overlay/remove",
    "overlay/replace",
    "overlay/insert",
    "overlay/append",
    "overlay/assert",
];

impl<'v> Operation<'v> {
    pub(super) fn read(kind: Kind, own: &Own<'v>) -> Result<Operation<'v>> {
        let found = own.among(&OPERATIONS);
        let arguments = match found.as_slice() {
            [] => return Ok(Operation::Merge),
            [arguments] => *arguments,
            [first, second, ..] => {
                let message = format!(
                    "expected one operation, found `@{}` and `@{}`",
                    first.name(),
                    second.name()
                );
                return Err(error(message).help("remove all but one of them"));
            }
        };
        let name = arguments.name();
        match name {
            "overlay/insert" | "overlay/append" if kind == Kind::Entry => {
                let message = format!(
                    "expected `@{name}` on a document or an array item, found it on a map item"
                );
                return Err(
                    error(message).help("to add a map item, use `#@overlay/match missing_ok=True`")
                );
            }
            "overlay/replace" => arguments.check(&["via", "or_add"])?,
            "overlay/insert" => arguments.check(&["before", "after", "via"])?,
            "overlay/assert" => arguments.check(&["via"])?,
            _ => arguments.check(&[])?,
        }
        Ok(match name {
            "overlay/remove" => Operation::Remove,
            "overlay/append" => Operation::Append,
            "overlay/assert" => Operation::Assert {
                via: arguments.function("via")?,
            },
            "overlay/replace" => Operation::Replace {
                via: arguments.function("via")?,
                or_add: arguments.boolean("or_add")?,
            },
            "overlay/insert" => {
                if arguments.is_empty() {
                    return Err(error(
                        "expected `before`, `after` or both for `@overlay/insert`, found neither",
                    )
                    .help("write `#@overlay/insert before=True`"));
                }
                let (before, after) = (arguments.boolean("before")?, arguments.boolean("after")?);
                Operation::Insert {
                    before,
                    after,
                    via: arguments.function("via")?,
                }
            }
            _ => Operation::Merge,
        })
    }
}
