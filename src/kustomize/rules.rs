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

/// Who appends the hash to the names of generated objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SuffixWriter {
    /// This run, at its end. So the suffix is known before, if the object does not change any more.
    ThisRun,
    /// The program that called this run, from the object that it gets.
    Host,
}
