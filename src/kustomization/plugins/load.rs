//! Reads the configurations of plugins.

use std::sync::Arc;

use crate::kubernetes::Resource;
use crate::kustomization::accumulate::KustomizationBuild;
use crate::kustomization::accumulator::Accumulator;
use crate::kustomization::patches::is_inline;
use crate::kustomization::place::Place;
use crate::kustomization::{objects, remote};
use crate::source::{Code, Diagnostic, Reported};
use crate::typed::{RawNode, Spanned};
use crate::yaml::spelling::text_source;
use crate::yaml::{Content, CoreValue, Entry, Node, Scalar, ScalarStyle, Text, core_value, float};

/// Returns a tree as kustomize passes it to its plugins, or `None` if it is the same: an object
/// that it has read and printed, so that `n` and `yes` are strings, and numbers have one spelling.
/// It recurses once per level, whose number the parser limits.
fn as_printed(node: &Arc<Node>) -> Option<Arc<Node>> {
    match &node.content {
        Content::Mapping(mapping) => {
            let mut is_changed = false;
            let mut entries = Vec::with_capacity(mapping.entries.len());
            for entry in &mapping.entries {
                let (key, value) = (as_printed(&entry.key), as_printed(&entry.value));
                is_changed |= key.is_some() || value.is_some();
                entries.push(Entry {
                    key: key.unwrap_or_else(|| Arc::clone(&entry.key)),
                    value: value.unwrap_or_else(|| Arc::clone(&entry.value)),
                });
            }
            is_changed.then(|| node.with_entries(entries))
        }
        Content::Sequence(_) => node.map_values(as_printed),
        Content::Scalar(_) => printed_scalar(node),
        Content::Alias(_) => None,
    }
}

fn printed_scalar(node: &Arc<Node>) -> Option<Arc<Node>> {
    if node.as_str().is_some() {
        return None;
    }
    let (style, text) = match core_value(node).ok()? {
        CoreValue::String(text) => (ScalarStyle::DoubleQuoted, text.into_owned()),
        CoreValue::Timestamp(text) => (ScalarStyle::DoubleQuoted, text.to_string()),
        CoreValue::Int(number) => (ScalarStyle::Plain, number.to_string()),
        CoreValue::UInt(number) => (ScalarStyle::Plain, number.to_string()),
        CoreValue::Float(number) if number.fract() == 0.0 && number.abs() < INTEGER_LIMIT => {
            (ScalarStyle::Plain, format!("{number:.0}"))
        }
        CoreValue::Float(number) if number.is_finite() => (ScalarStyle::Plain, float(number)),
        _ => return None,
    };
    let is_same = node.text() == Some(&text) && style == ScalarStyle::Plain;
    let text = Text::Owned(text.into());
    (!is_same).then(|| node.with_content(Content::Scalar(Scalar { style, text })))
}

/// Below this, a whole number of a plugin is printed as an integer.
const INTEGER_LIMIT: f64 = 1e18;

impl KustomizationBuild<'_> {
    /// Returns the configurations that a list names: first those that are written in it, then those
    /// of files and folders, as in kustomize.
    ///
    /// # Errors
    /// Reports every configuration that cannot be read, and two with the same id.
    pub(super) fn load_plugins(
        &mut self,
        entries: &[RawNode],
        place: &Place,
    ) -> Result<Vec<Resource>, Reported> {
        let mut loaded = Accumulator::default();
        let (inline, paths): (Vec<_>, Vec<_>) = entries.iter().partition(|entry| is_inline(entry));
        for entry in inline {
            let source = text_source(entry.0.resolved());
            let configurations = objects::read(&source, self.diagnostics)?;
            self.diagnostics.check(loaded.append(configurations))?;
        }
        let mut files = Vec::with_capacity(paths.len());
        for entry in paths {
            files.push(self.path_of(entry)?);
        }
        self.add_resources(&files, place, &mut loaded)?;
        let mut configurations = loaded.resources;
        for configuration in &mut configurations {
            let is_builtin =
                configuration.id().group.is_empty() && configuration.id().version == "builtin";
            if is_builtin && let Some(node) = as_printed(&configuration.node) {
                configuration.node = node;
            }
        }
        Ok(configurations)
    }

    fn path_of(&mut self, entry: &RawNode) -> Result<Spanned<String>, Reported> {
        let location = entry.0.location();
        let Some(text) = entry.0.resolved().as_str() else {
            let found = entry.0.described();
            let message = format!("expected a configuration or the name of a file, found {found}");
            let error = Diagnostic::error(Code::Config, message).at(location, "");
            return Err(self.diagnostics.report(error));
        };
        let path = Spanned {
            value: text.to_owned(),
            location,
        };
        match remote::refusal(&path) {
            Some(refusal) => Err(self.diagnostics.report(refusal)),
            None => Ok(path),
        }
    }
}
