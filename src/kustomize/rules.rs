//! Whose rules an edit follows where Inlay differs from kustomize on purpose.

/// The rules of an edit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EditRules {
    /// Inlay's own: an edit that does nothing is an error, and a value gets the type of its field.
    #[default]
    Inlay,
    /// Those of a kustomization, which is built as kustomize builds it: where kustomize does
    /// nothing silently there is a warning, and a value is written as it is.
    Kustomize,
}
