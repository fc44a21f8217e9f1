//! The operation of a part on the elements that it matches.

use super::annotations::{AnnotationArguments, OverlayAnnotations};
use crate::overlay::element_kind::ElementKind;
use crate::overlay::error::overlay_error;
use crate::script::Value;
use crate::source::Result;

/// An operation on the matching elements. Functions (`via`) are called with the left value and the
/// right value.
#[derive(Clone, Copy, Debug)]
pub(in crate::overlay) enum OverlayOperation<'v> {
    /// The right is merged into the left.
    Merge,
    /// The left is removed.
    Remove,
    /// The right replaces the left.
    Replace {
        /// Computes the new value.
        via: Option<Value<'v>>,
        /// Whether the right is added if nothing matches.
        or_add: bool,
    },
    /// The right is inserted next to the left.
    Insert {
        before: bool,
        after: bool,
        /// Computes the new value.
        via: Option<Value<'v>>,
    },
    /// The right is added after all other elements.
    Append,
    /// The left must contain the right.
    Assert {
        /// Decides instead of the comparison.
        via: Option<Value<'v>>,
    },
}

/// The annotations of the operations, which exclude each other.
const OPERATIONS: [&str; 6] = [
    "overlay/merge",
    "overlay/remove",
    "overlay/replace",
    "overlay/insert",
    "overlay/append",
    "overlay/assert",
];

impl<'v> OverlayOperation<'v> {
    /// Reads the operation of a part. A part without such an annotation is merged.
    ///
    /// # Errors
    /// Fails for several operations, an operation that this kind of part does not support, or wrong
    /// arguments.
    pub(super) fn read(
        kind: ElementKind,
        own: &OverlayAnnotations<'v>,
    ) -> Result<OverlayOperation<'v>> {
        let found = own.among(&OPERATIONS);
        let arguments = match found.as_slice() {
            [] => return Ok(OverlayOperation::Merge),
            [arguments] => *arguments,
            [first, second, ..] => {
                let message = format!(
                    "expected one operation, found `@{}` and `@{}`",
                    first.name(),
                    second.name()
                );
                return Err(overlay_error(message).help("remove all but one of them"));
            }
        };
        let name = arguments.name();
        check_arguments(kind, arguments)?;
        Ok(match name {
            "overlay/remove" => OverlayOperation::Remove,
            "overlay/append" => OverlayOperation::Append,
            "overlay/assert" => OverlayOperation::Assert {
                via: arguments.function("via")?,
            },
            "overlay/replace" => OverlayOperation::Replace {
                via: arguments.function("via")?,
                or_add: arguments.boolean("or_add")?,
            },
            "overlay/insert" => read_insert(arguments)?,
            _ => OverlayOperation::Merge,
        })
    }
}

fn read_insert<'v>(arguments: &AnnotationArguments<'v>) -> Result<OverlayOperation<'v>> {
    if arguments.is_empty() {
        let message = "expected `before`, `after` or both for `@overlay/insert`, found neither";
        return Err(overlay_error(message).help("write `#@overlay/insert before=True`"));
    }
    Ok(OverlayOperation::Insert {
        before: arguments.boolean("before")?,
        after: arguments.boolean("after")?,
        via: arguments.function("via")?,
    })
}

/// Rejects an operation that this kind of part does not support, and arguments that the operation
/// does not take.
fn check_arguments(kind: ElementKind, arguments: &AnnotationArguments<'_>) -> Result<()> {
    let name = arguments.name();
    match name {
        "overlay/insert" | "overlay/append" if kind == ElementKind::Entry => {
            let message = format!(
                "expected `@{name}` on a document or an array item, found it on a map item"
            );
            Err(overlay_error(message)
                .help("to add a map item, use `#@overlay/match missing_ok=True`"))
        }
        "overlay/replace" => arguments.check(&["via", "or_add"]),
        "overlay/insert" => arguments.check(&["before", "after", "via"]),
        "overlay/assert" => arguments.check(&["via"]),
        _ => arguments.check(&[]),
    }
}
