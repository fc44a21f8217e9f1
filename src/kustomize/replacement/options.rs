//! How a value is taken from its source and written to its targets.

use serde::Deserialize;

use crate::edit::{DocumentFormat, DocumentLayout, TypePolicy};
use crate::source::{Code, Diagnostic, Diagnostics, Location, Reported};
use crate::typed::{Spanned, documented};

/// The only encoding that exists.
const BASE64: &str = "base64";

documented! {
    /// The options of a source or a target. `delimiter`, `index`, `create` and `encoding` are
    /// kustomize's, the others are Inlay's own.
    #[derive(Clone, Debug, Default, Deserialize)]
    #[serde(deny_unknown_fields)]
    pub(super) struct ReplacementOptions {
        /// Splits the text into pieces. One of them is read or replaced.
        delimiter: Option<Spanned<String>>,
        /// The index of that piece, from 0.
        index: Option<Spanned<i64>>,
        /// Whether to create what is missing on the way to the field.
        create: Option<Spanned<bool>>,
        /// The encoding of the text in the field. kustomize reads this option and never uses it.
        encoding: Option<Spanned<String>>,
        /// Text to put before the value.
        pub(super) prefix: Option<Spanned<String>>,
        /// Text to put after the value.
        pub(super) suffix: Option<Spanned<String>>,
        /// Do not fail if nothing is selected, or if a path leads nowhere.
        #[serde(rename = "ignoreMissing")]
        ignore_missing: Option<Spanned<bool>>,
        /// The format of the documents that the path goes through; detected if absent.
        format: Option<Spanned<DocumentFormat>>,
        /// The type of the written value.
        #[serde(rename = "type")]
        value_type: Option<Spanned<TypePolicy>>,
        /// Whether an edited document keeps its layout.
        layout: Option<Spanned<DocumentLayout>>,
    }
}

impl ReplacementOptions {
    /// Returns the delimiter. An empty one means none, as in kustomize.
    pub(super) fn delimiter(&self) -> Option<&Spanned<String>> {
        self.delimiter
            .as_ref()
            .filter(|delimiter| !delimiter.value.is_empty())
    }

    /// Returns the index of the piece; 0 if none is given.
    pub(super) fn index(&self) -> i64 {
        self.index.as_ref().map_or(0, |index| index.value)
    }

    /// Returns the place of the index in the configuration.
    pub(super) fn index_location(&self) -> Option<Location> {
        self.index.as_ref()?.location.clone()
    }

    /// Returns whether to create what is missing.
    pub(super) fn create(&self) -> bool {
        is_on(&self.create)
    }

    /// Returns the encoding of the text in the field. An empty one means none. Invariant: otherwise
    /// it is base64.
    pub(super) fn encoding(&self) -> Option<&Spanned<String>> {
        self.encoding
            .as_ref()
            .filter(|encoding| !encoding.value.is_empty())
    }

    /// Returns whether to ignore that nothing is selected or a path leads nowhere.
    pub(super) fn ignores_missing(&self) -> bool {
        is_on(&self.ignore_missing)
    }

    /// Returns the format of the documents that the path goes through, if it is given.
    pub(super) fn format(&self) -> Option<DocumentFormat> {
        self.format.as_ref().map(|format| format.value)
    }

    /// Returns whether the entry says which type a written value gets.
    pub(super) fn has_value_type(&self) -> bool {
        self.value_type.is_some()
    }

    /// Returns how the type of the written value is decided.
    pub(super) fn value_type(&self) -> TypePolicy {
        match &self.value_type {
            Some(value_type) => value_type.value,
            None => TypePolicy::default(),
        }
    }

    /// Returns how an edited document is written back.
    pub(super) fn layout(&self) -> DocumentLayout {
        match &self.layout {
            Some(layout) => layout.value,
            None => DocumentLayout::default(),
        }
    }

    /// Checks the options of a source.
    ///
    /// # Errors
    /// Reports options of Inlay that only a target has. `create` is only a warning, since kustomize
    /// accepts it.
    pub(super) fn check_source(&self, diagnostics: &mut Diagnostics) -> Result<(), Reported> {
        const HELP: &str = "move it to the `options` of a target";
        if let Some(create) = self.create.as_ref().filter(|create| create.value) {
            diagnostics.push(
                Diagnostic::warning(Code::Config, "option `create` has no effect on a source")
                    .at(create.location.clone(), "")
                    .help(HELP),
            );
        }
        let target_only = [
            ("type", place_of(&self.value_type)),
            ("layout", place_of(&self.layout)),
            ("ignoreMissing", place_of(&self.ignore_missing)),
        ];
        let mut outcome = Ok(());
        for (name, place) in target_only {
            if let Some(location) = place {
                let message = format!("option `{name}` has no effect on a source");
                outcome = Err(diagnostics.report(
                    Diagnostic::error(Code::Config, message)
                        .at(location, "")
                        .help(HELP),
                ));
            }
        }
        self.check(diagnostics)?;
        outcome
    }

    /// Checks the options that sources and targets share.
    ///
    /// # Errors
    /// Reports an unknown encoding. An `index` without a `delimiter` is only a warning, since
    /// kustomize accepts it.
    pub(super) fn check(&self, diagnostics: &mut Diagnostics) -> Result<(), Reported> {
        if let (Some(index), None) = (&self.index, self.delimiter()) {
            diagnostics.push(
                Diagnostic::warning(
                    Code::Config,
                    "option `index` has no effect without a `delimiter`",
                )
                .at(index.location.clone(), "")
                .help("add `delimiter`, the text that separates the pieces"),
            );
        }
        match self.encoding() {
            Some(encoding) if encoding.value != BASE64 => {
                let message = format!("expected an encoding, found `{}`", encoding.value);
                Err(diagnostics.report(
                    Diagnostic::error(Code::Config, message)
                        .at(encoding.location.clone(), "")
                        .help(format!("use `{BASE64}`")),
                ))
            }
            _ => Ok(()),
        }
    }
}

fn is_on(option: &Option<Spanned<bool>>) -> bool {
    option.as_ref().is_some_and(|option| option.value)
}

/// Returns the place of an option that is given. The outer `Option` is `None` if the option is
/// absent, the inner one if its place is not known.
fn place_of<T>(option: &Option<Spanned<T>>) -> Option<Option<Location>> {
    option.as_ref().map(|option| option.location.clone())
}
