//! `kind: Matrix`: a list of renders for `inlay build --matrix`. It contains no edits, so it is an
//! error where a configuration is expected.

use std::sync::Arc;

use crate::pipeline::Configuration;
use crate::source::world::Folder;
use crate::source::{Code, Diagnostic, Diagnostics, Reported, Result};
use crate::yaml::Node;

/// Reports that a matrix is not a configuration.
pub(super) fn refuse(
    node: &Arc<Node>,
    _: &Folder<'_>,
    diagnostics: &mut Diagnostics,
) -> Result<Configuration, Reported> {
    let kind = node.get("kind").and_then(|kind| kind.location());
    let message = "expected a configuration of edits, found a matrix of renders";
    Err(diagnostics.report(
        Diagnostic::error(Code::UnknownKind, message)
            .at(kind, "")
            .help("render it: `inlay build -f DIR --matrix FILE`"),
    ))
}
