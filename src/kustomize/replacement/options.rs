//! How a value is taken out of its source and put into its targets.

use serde::Deserialize;

use crate::edit::{Format, Layout, TypePolicy};
use crate::source::{Code, Diagnostic, Diagnostics};
use crate::yaml::de::Spanned;

/// The options of a source or a target. `format`, `type` and `layout` are Inlay's own; the others are kustomize's.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Options {
    /// Splits the text into pieces, of which one is read or replaced.
    pub delimiter: Option<Spanned<String>>,
    /// Which piece, from 0.
    pub index: Option<Spanned<i64>>,
    /// Whether to add what is missing on the way to the field.
    pub create: Option<Spanned<bool>>,
    /// kustomize reads this option and never uses it.
    encoding: Option<Spanned<String>>,
    /// The format of the documents that the path goes through; found out if absent.
    pub format: Option<Spanned<Format>>,
    /// The type that the written value gets.
    #[serde(rename = "type")]
    pub value_type: Option<Spanned<TypePolicy>>,
    /// Whether an edited document keeps its layout.
    pub layout: Option<Spanned<Layout>>,
}

impl Options {
    /// The delimiter, unless it is empty, which means none.
    pub fn delimiter(&self) -> Option<&Spanned<String>> {
        self.delimiter.as_ref().filter(|delimiter| !delimiter.value.is_empty())
    }

    /// The index of the piece; 0 if none is given.
    pub fn index(&self) -> i64 {
        self.index.as_ref().map_or(0, |index| index.value)
    }

    /// Whether to add what is missing.
    pub fn create(&self) -> bool {
        self.create.as_ref().is_some_and(|create| create.value)
    }

    /// The format of the documents that the path goes through, if it is given.
    pub fn format(&self) -> Option<Format> {
        self.format.as_ref().map(|format| format.value)
    }

    /// How the type of the written value is decided.
    pub fn value_type(&self) -> TypePolicy {
        self.value_type.as_ref().map_or_else(TypePolicy::default, |value_type| value_type.value)
    }

    /// How an edited document is written back.
    pub fn layout(&self) -> Layout {
        self.layout.as_ref().map_or_else(Layout::default, |layout| layout.value)
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
        let type_location = self.value_type.as_ref().map(|value_type| ("type", value_type.location.clone()));
        let layout_location = self.layout.as_ref().map(|layout| ("layout", layout.location.clone()));
        if let Some((name, location)) = type_location.or(layout_location) {
            diagnostics.push(
                Diagnostic::error(Code::Config, format!("option `{name}` has no effect on a source"))
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
                Diagnostic::warning(Code::Config, "option `index` has no effect without a `delimiter`")
                    .at(index.location.clone(), "")
                    .help("say with `delimiter` what divides the text into pieces"),
            );
        }
        match &self.encoding {
            Some(encoding) if !encoding.value.is_empty() => {
                let message = "option `encoding` has no effect: kustomize reads it and does not use it";
                diagnostics.push(
                    Diagnostic::error(Code::Config, message)
                        .at(encoding.location.clone(), "")
                        .help("remove it; the base64 in `data` of a Secret is decoded and encoded without it"),
                );
                None
            }
            _ => Some(self),
        }
    }
}
