//! The types that represent the matrix file.

use std::sync::Arc;

use serde::Deserialize;

use crate::source::{Code, Diagnostic, Result};
use crate::typed::{FieldComments, RawNode, Spanned, documented, documented_object};
use crate::yaml::Node;

/// The kind of the object in the file.
pub const MATRIX_KIND: &str = "Matrix";

/// The version of the object in the file.
pub const MATRIX_API_VERSION: &str = "inlay.dev/v1alpha1";

documented_object! {
    /// The whole object.
    pub struct MatrixConfig {
        /// The renders, and where each is written.
        pub(super) spec: MatrixSpec,
    }
}

documented! {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields, rename_all = "camelCase")]
    pub(super) struct MatrixSpec {
        /// Where the output of a render is written, with `{name}` for its name. A path that ends
        /// with `/` is a folder.
        pub(super) output: Spanned<String>,
        /// Data Values Files of all renders, which come before those of each.
        pub(super) values_files: Option<Vec<Spanned<String>>>,
        /// The renders.
        pub(super) renders: Spanned<Vec<Spanned<RenderConfig>>>,
    }
}

documented! {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields, rename_all = "camelCase")]
    pub(super) struct RenderConfig {
        /// A pattern with one `*`: one render for each Data Values File that matches. The
        /// part that `*` matches is its name.
        pub(super) each: Option<Spanned<String>>,
        /// The name of one render.
        pub(super) name: Option<Spanned<String>>,
        /// Data Values Files of this render.
        pub(super) values_files: Option<Vec<Spanned<String>>>,
        /// Data values of this render, which come after those of the files.
        pub(super) values: Option<RawNode>,
    }
}

/// The documentation of the types of a matrix, for schemas.
pub const MATRIX_DOCUMENTED: &[FieldComments] = &[
    MatrixConfig::DOCUMENTATION,
    MatrixSpec::DOCUMENTATION,
    RenderConfig::DOCUMENTATION,
];

/// Checks that the object is a matrix before its fields are read.
pub(super) fn check_head(root: &Arc<Node>) -> Result<()> {
    for (field, expected) in [("kind", MATRIX_KIND), ("apiVersion", MATRIX_API_VERSION)] {
        let Some(found) = root.get(field) else {
            let message = format!("expected `{field}: {expected}`, found no `{field}`");
            return Err(Diagnostic::error(Code::UnknownKind, message).at(root.location(), ""));
        };
        if found.resolved().text() != Some(expected) {
            let message = format!("expected `{field}: {expected}`, found another {field}");
            return Err(Diagnostic::error(Code::UnknownKind, message).at(found.location(), ""));
        }
    }
    Ok(())
}
