//! The table of diagnostic codes: a stable name and a one-sentence summary for each kind of
//! diagnostic.
//!
//! `docs/diagnostics.md` is generated from this table. A new row also needs its fix in
//! `tests/messages/codes.rs` and a command in `testdata/messages/` that prints it.

/// Declares [`Code`] from the table below.
///
/// The doc comment of a row is its summary too: `concat!` joins its lines, and each line keeps the
/// space that follows `///`, so the result is one sentence with one leading space. A row cannot
/// forget its name, its summary or its place in [`Code::ALL`].
macro_rules! codes {
    ($($(#[doc = $line:literal])+ $variant:ident = $name:literal,)*) => {
        /// The kind of a diagnostic.
        ///
        /// Its name is printed in brackets after the severity, as in `error[path-not-found]`. Names
        /// are stable from release to release: users search for them and filter on them in
        /// `--diagnostics json`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Code {
            $($(#[doc = $line])+ $variant,)*
        }

        impl Code {
            /// Every code, in the order of the table.
            pub const ALL: &'static [Code] = &[$(Code::$variant),*];

            /// Returns the printed name, such as `path-not-found`.
            pub fn name(self) -> &'static str {
                match self {
                    $(Code::$variant => $name,)*
                }
            }

            /// Returns one sentence, in Markdown, that explains what the code means.
            pub fn summary(self) -> &'static str {
                match self {
                    $(Code::$variant => concat!($($line),+).trim_start(),)*
                }
            }
        }
    };
}

codes! {
    /// A file or an embedded string is not valid YAML.
    YamlSyntax = "yaml-syntax",
    /// A file, a flag's value or an embedded string is not valid JSON.
    JsonSyntax = "json-syntax",
    /// An embedded string or the argument of `toml.decode` is not valid TOML.
    TomlSyntax = "toml-syntax",
    /// The input exceeds a limit on nesting, aliases, size or work, or the run stopped because it
    /// found too many errors.
    Limit = "limit",
    /// The text of a scalar does not fit its YAML tag, such as `!!int abc`.
    Tag = "tag",
    /// The value of a merge key (`<<`) is neither a mapping nor a list of mappings.
    MergeKey = "merge-key",
    /// A mapping contains the same key twice, so it is unclear which of the two values is meant.
    DuplicateKey = "duplicate-key",
    /// A field path, a JSONPath or a JSON pointer is not written correctly, or it uses a feature
    /// that is not supported in its place.
    PathSyntax = "path-syntax",
    /// A field path names a field or an item that does not exist.
    PathNotFound = "path-not-found",
    /// A field path continues inside a string whose text is not a document in any of the formats
    /// that Inlay can edit.
    NotADocument = "not-a-document",
    /// A value has the wrong type for its new place, or the format of the target cannot express it.
    ValueDoesNotFit = "value-does-not-fit",
    /// A patch is incomplete or contradicts itself, or it cannot be applied to its target.
    Patch = "patch",
    /// A configuration has an unknown field, lacks a required field, or has a field with an invalid
    /// value.
    Config = "config",
    /// Inlay does not know configurations with this `apiVersion` and `kind`.
    UnknownKind = "unknown-kind",
    /// A selector is not written correctly, selects nothing, or selects several objects where only
    /// one is allowed.
    Selector = "selector",
    /// An option of a replacement, such as `delimiter` or `encoding`, cannot be applied to the
    /// value it is used on.
    Option = "option",
    /// A template or a Starlark file cannot be parsed.
    ScriptSyntax = "script-syntax",
    /// The code of a template or a Starlark file uses a name that is not defined.
    UndefinedName = "undefined-name",
    /// The code of a template or a Starlark file failed while it ran.
    Script = "script",
    /// An annotation, or one of its arguments, is ignored because ytt does not know it.
    Annotation = "annotation",
    /// An overlay annotation is used incorrectly, or an overlay does not match what it is applied
    /// to.
    Overlay = "overlay",
    /// A schema of data values is invalid.
    Schema = "schema",
    /// A data value is not declared in the schema, or its type differs from the declared one.
    DataValue = "data-value",
    /// A data value violates a validation rule of the schema.
    Validation = "validation",
    /// A `load` statement names a file, a module or a symbol that does not exist or cannot be
    /// loaded, or files load each other in a circle.
    Load = "load",
    /// A library does not exist, a function of `@ytt:library` is called incorrectly, or data values
    /// are given to a library that does not use them.
    Library = "library",
    /// A document of data values is annotated incorrectly or given in a form that is not supported.
    DataValues = "data-values",
    /// The input of a KRM function is not a valid `ResourceList`.
    ResourceList = "resource-list",
    /// A document is not a Kubernetes object, an object lacks the fields that identify it, or an
    /// object exists already or does not exist where the opposite is required.
    Resource = "resource",
    /// A file cannot be read or written, or its path is not allowed.
    File = "file",
    /// A command-line flag has an invalid value, or flags contradict each other.
    Flag = "flag",
    /// A plain scalar has a meaning that differs between YAML readers, which `--strict` does not
    /// allow.
    Strict = "strict",
    /// The result cannot be written to the chosen output, or a part of it is left out.
    Output = "output",
    /// `--check` found that a file differs from what the command would write.
    Difference = "difference",
    /// Inlay has a bug: an internal assumption is wrong.
    Internal = "internal",
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_summary_is_one_sentence() {
        for code in Code::ALL {
            let summary = code.summary();
            let name = code.name();
            assert!(summary.ends_with('.'), "{name}: {summary}");
            assert_eq!(summary.matches(". ").count(), 0, "{name}: {summary}");
            assert!(!summary.contains("  "), "{name}: {summary}");
        }
    }

    #[test]
    fn names_are_unique() {
        let names: std::collections::BTreeSet<&str> =
            Code::ALL.iter().map(|code| code.name()).collect();
        assert_eq!(names.len(), Code::ALL.len());
    }
}
