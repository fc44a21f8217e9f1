//! The stable names of the diagnostics.

/// Declares [`Code`] from one table, so that a code cannot exist without a name and a place in [`Code::ALL`].
macro_rules! codes {
    ($($(#[$doc:meta])* $variant:ident = $name:literal,)*) => {
        /// The kind of a diagnostic: stable from release to release, printed in brackets after the severity, and the
        /// thing to search for or to filter on in `--diagnostics json`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Code {
            $($(#[$doc])* $variant,)*
        }

        impl Code {
            /// Every code, in the order of the table.
            pub const ALL: &'static [Code] = &[$(Code::$variant),*];

            /// The name that is printed.
            pub fn name(self) -> &'static str {
                match self {
                    $(Code::$variant => $name,)*
                }
            }
        }
    };
}

codes! {
    /// The text is not YAML.
    YamlSyntax = "yaml-syntax",
    /// The text is not JSON.
    JsonSyntax = "json-syntax",
    /// The text is not TOML.
    TomlSyntax = "toml-syntax",
    /// A limit on nesting, aliases or size was reached.
    Limit = "limit",
    /// A tag that does not fit the text of its scalar.
    Tag = "tag",
    /// A merge key `<<` whose value is not a mapping.
    MergeKey = "merge-key",
    /// The same key stands twice in one mapping that an edit goes through.
    DuplicateKey = "duplicate-key",
    /// A field path that cannot be read as one.
    PathSyntax = "path-syntax",
    /// A field path that leads nowhere.
    PathNotFound = "path-not-found",
    /// A path goes on below a string that holds no document.
    NotADocument = "not-a-document",
    /// A value that cannot be written where the edit wants it.
    ValueDoesNotFit = "value-does-not-fit",
    /// A patch that cannot be carried out.
    Patch = "patch",
    /// A configuration with a wrong field or a wrong value.
    Config = "config",
    /// A configuration of a kind that Inlay does not know.
    UnknownKind = "unknown-kind",
    /// A selector that cannot be read, or that selects nothing or too much.
    Selector = "selector",
    /// An option that does not fit the value it is used on.
    Option = "option",
    /// A template or a Starlark file that cannot be read as one.
    ScriptSyntax = "script-syntax",
    /// A name that nothing has.
    UndefinedName = "undefined-name",
    /// A template or a Starlark file that failed while it ran.
    Script = "script",
    /// An overlay that is written wrongly, or that does not fit what it is applied to.
    Overlay = "overlay",
    /// A schema of data values that cannot be read as one.
    Schema = "schema",
    /// A data value that the schema does not declare, or of another type.
    DataValue = "data-value",
    /// A data value that breaks a rule.
    Validation = "validation",
    /// A `load` that finds nothing, or that loads in a circle.
    Load = "load",
    /// A library that is not there, that is called in a wrong way, or that is given values it does not use.
    Library = "library",
    /// Data values that are given in a wrong form or to the wrong place.
    DataValues = "data-values",
    /// Standard input that is not a ResourceList.
    ResourceList = "resource-list",
    /// A resource without what identifies it.
    Resource = "resource",
    /// A file that cannot be read, written, or named so.
    File = "file",
    /// A flag whose value cannot be used.
    Flag = "flag",
    /// A scalar that the strict subset of YAML refuses.
    Strict = "strict",
    /// A place that output cannot be written to.
    Output = "output",
    /// Something that Inlay should never meet: a fault in Inlay itself.
    Internal = "internal",
}
