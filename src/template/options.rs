//! The options of templates.

/// How templates are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct TemplateOptions {
    /// Ignore comments that are neither `#@` nor `#!`. Otherwise such a comment in a template is an
    /// error.
    pub ignore_unknown_comments: bool,
    /// Let a key that appears twice in a template replace the first, as `@yaml/map-key-override`
    /// does for one key.
    pub implicit_map_key_overrides: bool,
}
