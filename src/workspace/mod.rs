//! ytt builds: files → library tree → schema → data values → evaluated templates → overlays →
//! output.
//!
//! Files come from flags, folders, standard input or a list ([`InputReader`], [`bulk`]). Their
//! names and file marks determine their roles, and their folders form the library tree
//! ([`LibraryTree`]). [`build`] runs the phases on the root library; `phases/order.rs` shows them
//! on one page. [`output`] prints and writes the result.
//!
//! Nothing is written before everything is evaluated. Only places that the user named are read or
//! written: a path in the workspace cannot leave its folder, and links are followed only to places
//! that the user allows.

pub mod bulk;
mod file;
mod input;
mod library;
mod mark;
mod matrix;
pub mod output;
mod phases;
mod rendered;
mod values;
mod virtual_path;

pub use file::{FileRole, InputFile};
pub use input::{InputReader, left_out};
pub use library::{LibraryTree, PRIVATE_FOLDER};
pub use mark::apply_marks;
pub use matrix::{
    MATRIX_API_VERSION, MATRIX_DOCUMENTED, MATRIX_KIND, MatrixConfig, Render, RenderOutput,
    read_matrix,
};
pub use phases::{
    BuildInput, BuildOptions, OverlaidText, SharedContents, ValuesFindings, apply_text, build,
    data_values, has_annotations, schema,
};
pub use rendered::{Rendered, RenderedText, RenderedYaml};
pub use values::{DataValuesFlags, ValuesDocument, mapping_of_values, report_repeated_keys};
pub use virtual_path::VirtualPath;
