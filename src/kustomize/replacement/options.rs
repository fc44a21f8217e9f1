//! How a value is taken out of its source and put into its targets.

use serde::Deserialize;

use crate::edit::{DocumentFormat, DocumentLayout, TypePolicy};
use crate::source::{Code, Diagnostic, Diagnostics};
use crate::typed::Spanned;

/// The one encoding there is.
const BASE64: &str = "base64";

/// The options of a source or a target. `delimiter`, `index`, `create` and `encoding` are
/// kustomize's, the others Inlay's own.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Options {
    /// Splits the text into pieces, of which one is read or replaced.
    pub delimiter: Option<Spanned<String>>,
    /// Which piece, from 0.
    pub index: Option<Spanned<i64>>,
    /// Whether to add what is missing on the way to the field.
    pub create: Option<Spanned<bool>>,
    /// The encoding of the text in the field; kustomize reads this option and never uses it.
    pub encoding: Option<Spanned<String>>,
    /// What to put before the value.
    pub prefix: Option<Spanned<String>>,
    /// What to put after the value.
    pub suffix: Option<Spanned<String>>,
    /// Whether it is well that nothing is selected, or that a path leads nowhere.
    #[serde(rename = "ignoreMissing")]
    pub ignore_missing: Option<Spanned<bool>>,
    /// The format of the documents that the path goes through; found out if absent.
    pub format: Option<Spanned<DocumentFormat>>,
    /// The type that the written value gets.
    #[serde(rename = "type")]
    pub value_type: Option<Spanned<TypePolicy>>,
    /// Whether an edited document keeps its layout.
    pub layout: Option<Spanned<DocumentLayout>>,
}

impl Options {
    /// The delimiter, unless it is empty, which means none.
    pub fn delimiter(&self) -> Option<&Spanned<String>> {
        self.delimiter
            .as_ref()
            .filter(|delimiter| !delimiter.value.is_empty())
    }

    /// The index of the piece; 0 if none is given.
    pub fn index(&self) -> i64 {
        self.index.as_ref().map_or(0, |index| index.value)
    }

    /// Whether to add what is missing.
    pub fn create(&self) -> bool {
        self.create.as_ref().is_some_and(|create| create.value)
    }

    /// The encoding of the text in the field, unless it is empty, which means none. There is one, base64.
    pub fn encoding(&self) -> Option<&Spanned<String>> {
        self.encoding
            .as_ref()
            .filter(|encoding| !encoding.value.is_empty())
    }

    /// Whether what is written is a text that the options make of the value.
    pub(super) fn makes_text(&self) -> bool {
        let affixes = self.prefix.is_some() || self.suffix.is_some();
        affixes || self.delimiter().is_some() || self.encoding().is_some()
    }

    /// Whether it is well that nothing is there to write to.
    pub fn ignores_missing(&self) -> bool {
        self.ignore_missing
            .as_ref()
            .is_some_and(|ignore| ignore.value)
    }

    /// The format of the documents that the path goes through, if it is given.
    pub fn format(&self) -> Option<DocumentFormat> {
        self.format.as_ref().map(|format| format.value)
    }

    /// How the type of the written value is decided.
    pub fn value_type(&self) -> TypePolicy {
        self.value_type
            .as_ref()
            .map_or_else(TypePolicy::default, |value_type| value_type.value)
    }

    /// How an edited document is written back.
    pub fn layout(&self) -> DocumentLayout {
        self.layout
            .as_ref()
            .map_or_else(DocumentLayout::default, |layout| layout.value)
    }

    /// Refuses options of a target in a source, where they would do nothing. What kustomize takes there too is told.
    pub(super) fn check_source(self, diagnostics: &mut Diagnostics) -> Option<Options> {
        if let Some(create) = self.create.as_ref().filter(|create| create.value) {
            diagnostics.push(
                Diagnostic::warning(Code::Config, "option `create` has no effect on a source")
                    .at(create.location.clone(), "")
                    .help("write it into the `options` of a target"),
            );
        }
        let type_location = self
            .value_type
            .as_ref()
            .map(|value_type| ("type", value_type.location.clone()));
        let layout_location = self
            .layout
            .as_ref()
            .map(|layout| ("layout", layout.location.clone()));
        let missing_location = self
            .ignore_missing
            .as_ref()
            .map(|ignore| ("ignoreMissing", ignore.location.clone()));
        if let Some((name, location)) = type_location.or(layout_location).or(missing_location) {
            diagnostics.push(
                Diagnostic::error(
                    Code::Config,
                    format!("option `{name}` has no effect on a source"),
                )
                .at(location, "")
                .help("write it into the `options` of a target"),
            );
            return None;
        }
        self.check(diagnostics)
    }

    /// Refuses options that no source or target heeds.
    pub(super) fn check(self, diagnostics: &mut Diagnostics) -> Option<Options> {
        if let Some(index) = self.index.as_ref().filter(|_| self.delimiter().is_none()) {
            diagnostics.push(
                Diagnostic::warning(
                    Code::Config,
                    "option `index` has no effect without a `delimiter`",
                )
                .at(index.location.clone(), "")
                .help("say with `delimiter` what divides the text into pieces"),
            );
        }
        match self.encoding() {
            Some(encoding) if encoding.value != BASE64 => {
                diagnostics.push(
                    Diagnostic::error(
                        Code::Config,
                        format!("expected an encoding, found `{}`", encoding.value),
                    )
                    .at(encoding.location.clone(), "")
                    .help(format!("use `{BASE64}`")),
                );
                None
            }
            _ => Some(self),
        }
    }
}
