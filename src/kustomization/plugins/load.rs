//! Reads the configurations of plugins.

use std::sync::Arc;

use crate::kubernetes::Resource;
use crate::kustomization::accumulate::Build;
use crate::kustomization::accumulator::Accumulator;
use crate::kustomization::patches::is_inline;
use crate::kustomization::place::Place;
use crate::kustomization::{objects, remote};
use crate::source::{Code, Diagnostic, Reported};
use crate::typed::{RawNode, Spanned};
use crate::yaml::spelling::text_source;
use crate::yaml::{Content, CoreValue, Node, Scalar, ScalarStyle, Text, core_value};

/// Returns a tree in which every string of kustomize is one, or `None` if it is the same: kustomize
/// reads the configurations of its plugins like objects, where `n` and `yes` are strings. It
/// recurses once per level, whose number the parser limits.
fn with_strings(node: &Arc<Node>) -> Option<Arc<Node>> {
    match &node.content {
        Content::Mapping(_) | Content::Sequence(_) => node.map_values(with_strings),
        Content::Scalar(_) if node.as_str().is_none() => match core_value(node) {
            Ok(CoreValue::String(text)) => Some(node.with_content(Content::Scalar(Scalar {
                style: ScalarStyle::DoubleQuoted,
                text: Text::Owned(text.into()),
            }))),
            _ => None,
        },
        Content::Scalar(_) | Content::Alias(_) => None,
    }
}

impl Build<'_> {
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
            if is_builtin && let Some(node) = with_strings(&configuration.node) {
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
