//! Compiles templates, which are YAML or text with embedded Starlark, to programs that build nodes.
//!
//! A YAML template is YAML whose comments contain code:
//!
//! ```text
//! template                 program (before `end` blocks are converted)
//!
//! #@ for n in [1, 2]:      __ytt("start", 0)
//! - name: #@ n             for n in [1, 2]:
//!   kind: fixed            __ytt("set", 1, (n
//! #@ end                   ))
//!                          end
//! ```
//!
//! The numbers identify *parts*: document 0, and item 1, a pattern with a hole for the value of
//! `name`. These are the steps:
//!
//! 1. `tree` lists the nodes of a document, and `attach` finds the node that each comment belongs
//!    to;
//! 2. `pattern` decides which nodes one instruction can build;
//! 3. `compiler` writes the code and the instructions as one linear program, through `writer`;
//! 4. `script` runs the program.
//!
//! A document or a part of one that contains no code stays as it was parsed: a single instruction
//! shares its nodes. Text templates (`text`, `text_compiler`) become programs in the same way.

mod annotation_names;
mod attach;
mod comment;
mod compiler;
mod inspect;
mod pattern;
mod text;
mod text_compiler;
mod tree;
mod writer;

pub use annotation_names::{annotation_names, suspicious_annotation};
pub use comment::TemplateOptions;
pub use compiler::compile;
pub use inspect::{
    FoundAnnotation, annotations, first_code, is_template, may_contain_code, plain_documents,
};
pub use text_compiler::compile_text;

#[cfg(test)]
mod tests;
