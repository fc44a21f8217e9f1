//! What canonical printing does, as specifications: [`strings`] has the styles of strings,
//! [`trees`] everything around.

mod strings;
mod trees;
