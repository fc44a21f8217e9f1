//! A workspace: the files of a run, and the phases that lead from them to output, as in ytt.
//!
//! Files come from flags, folders, standard input or a list ([`InputReader`], [`bulk`]). Marks and names give each its
//! role, and their folders make the library tree. [`build`] then runs the phases on the root library: parse each file
//! once, evaluate in the order of the tree, and give out in the order of the files. [`output`] prints and writes.
//!
//! Nothing is written before everything is evaluated, and nothing is read or written but what was named: a path of the
//! workspace cannot lead out of a folder, and links are followed only to places that the user allows.

pub mod bulk;
mod file;
mod input;
mod library;
mod mark;
pub mod output;
mod phases;
mod values;
mod virtual_path;

pub use file::{InputFile, Role};
pub use input::{InputReader, SymlinkDestinations};
pub use library::{FolderId, LibraryTree, PRIVATE_FOLDER, Place};
pub use mark::apply_marks;
pub use phases::{
    Input, Options, Rendered, RenderedText, RenderedYaml, apply_text, build, data_values,
    has_annotations, schema,
};
pub use values::{LibraryReference, ValueFlags, ValuesDocument};
pub use virtual_path::VirtualPath;
