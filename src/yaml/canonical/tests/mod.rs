//! Specifications of canonical printing: [`strings`] has the styles of strings, [`trees`]
//! everything else.

mod strings;
mod trees;
