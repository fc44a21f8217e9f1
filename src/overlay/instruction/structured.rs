//! `@overlay/structured`: the part applies to a document in a string.

use super::annotations::OverlayAnnotations;
use super::operation::OverlayOperation;
use crate::edit::DocumentFormat;
use crate::overlay::element_kind::ElementKind;
use crate::overlay::error::{overlay_error, type_of};
use crate::script::Value;
use crate::source::Result;
use crate::source::suggest::{did_you_mean, list};

/// The arguments of `@overlay/structured`.
#[derive(Clone, Copy, Debug)]
pub(in crate::overlay) struct Structured {
    /// The format of the document; `None` to detect it.
    pub(in crate::overlay) format: Option<DocumentFormat>,
}

impl Structured {
    /// Reads the annotation. Returns `None` if the part does not have it.
    pub(super) fn read(
        kind: ElementKind,
        own: &OverlayAnnotations<'_>,
        operation: &OverlayOperation<'_>,
    ) -> Result<Option<Structured>> {
        let Some(arguments) = own.get("overlay/structured") else {
            return Ok(None);
        };
        arguments.check(&["format"])?;
        if kind == ElementKind::Document {
            return Err(overlay_error(
                "expected `@overlay/structured` on a map item or an array item, found it on a document",
            ));
        }
        if matches!(operation, OverlayOperation::Remove) {
            return Err(overlay_error(
                "expected an operation on the document in a string, found `@overlay/remove`",
            )
            .help("to remove the string, leave out `#@overlay/structured`"));
        }
        let format = arguments.named("format").map(read_format).transpose()?;
        Ok(Some(Structured { format }))
    }
}

fn read_format(value: Value<'_>) -> Result<DocumentFormat> {
    let Some(name) = value.as_str() else {
        let found = type_of(value);
        return Err(overlay_error(format!(
            "expected a string for `format` of `@overlay/structured`, found {found}"
        )));
    };
    DocumentFormat::named(name).ok_or_else(|| {
        let names = list(DocumentFormat::NAMES);
        overlay_error(format!(
            "expected {names} for `format` of `@overlay/structured`, found `{name}`"
        ))
        .help_if(did_you_mean(name, DocumentFormat::NAMES))
    })
}
