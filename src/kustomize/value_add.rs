//! `ValueAddTransformer`: one value, such as the name of a cluster, written to fields of objects.
//!
//! ```text
//! value: berlin                before                       after
//! fieldPath: metadata/cluster  -                            cluster: berlin
//! filePathPosition: 2          path: /srv/data              path: /srv/berlin/data
//! ```
//!
//! Specification: `ValueAddTransformer` and `filters/valueadd` of kustomize.

use std::path::Path;
use std::sync::Arc;

use serde::Deserialize;

use super::namespace::{NamespaceTransformer, RoleBindingSubjects};
use crate::edit::{self, EditFailure, EditOptions, FieldPath};
use crate::kubernetes::{Resource, TargetSelector, TargetSelectorConfig, text_fields};
use crate::kustomize::field_spec::text_over;
use crate::source::{Code, Diagnostic, Diagnostics, Location, Reported, Result};
use crate::typed::Spanned;
use crate::yaml::Node;

/// The path that sets the namespace of an object, as `namespace` of a kustomization does.
const NAMESPACE: &str = "metadata/namespace";

/// An entry of `targets` as written.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ValueAddTargetConfig {
    selector: Option<Spanned<TargetSelectorConfig>>,
    field_path: Option<Spanned<String>>,
    file_path_position: Option<i64>,
}

/// A file of targets.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct ValueAddTargetFile {
    /// The targets.
    pub targets: Vec<Spanned<ValueAddTargetConfig>>,
}

/// A value and the fields that get it.
#[derive(Clone, Debug)]
pub struct ValueAddTransformer {
    value: String,
    targets: Vec<ValueAddTarget>,
}

#[derive(Clone, Debug)]
struct ValueAddTarget {
    selector: Option<TargetSelector>,
    place: AddedPlace,
}

/// The place of the value in an object.
#[derive(Clone, Debug)]
enum AddedPlace {
    Namespace,
    Field {
        path: Spanned<FieldPath>,
        /// The number of the part of a file path that the value becomes; 0 for the whole field.
        part: usize,
    },
}

impl ValueAddTransformer {
    /// Checks a configuration, which is at `location`. A value that is empty is the name of
    /// `folder`.
    ///
    /// # Errors
    /// Reports every mistake in a target.
    pub fn new(
        value: &str,
        folder: &Path,
        targets: &[Spanned<ValueAddTargetConfig>],
        location: Option<Location>,
        diagnostics: &mut Diagnostics,
    ) -> Result<ValueAddTransformer, Reported> {
        let value = match value.trim() {
            "" => folder
                .file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned(),
            value => value.to_owned(),
        };
        if targets.is_empty() {
            let error = Diagnostic::error(Code::Config, "must specify at least one target");
            let error = error.at(location, "").help("list fields under `targets`");
            return Err(diagnostics.report(error));
        }
        let targets = targets.iter().map(|target| check(target, diagnostics));
        Ok(ValueAddTransformer {
            value,
            targets: crate::source::collect_all(targets)?,
        })
    }

    /// Writes the value to the fields of all selected objects.
    ///
    /// # Errors
    /// Reports every object that has a collection in a field.
    pub fn apply(
        &self,
        resources: &mut [Resource],
        diagnostics: &mut Diagnostics,
    ) -> Result<(), Reported> {
        let mut outcome = Ok(());
        for target in &self.targets {
            for resource in &mut *resources {
                let selector = target.selector.as_ref();
                if selector.is_some_and(|selector| !selector.selects_for_patch(resource)) {
                    continue;
                }
                if let Err(error) = self.apply_to(resource, &target.place) {
                    outcome = Err(diagnostics.report(error.about(resource.object_reference())));
                }
            }
        }
        outcome
    }

    fn apply_to(&self, resource: &mut Resource, place: &AddedPlace) -> Result<()> {
        match place {
            AddedPlace::Namespace => NamespaceTransformer {
                namespace: self.value.clone(),
                field_specs: Arc::default(),
                unset_only: false,
                subjects: RoleBindingSubjects::DefaultOnly,
            }
            .apply_to(resource),
            AddedPlace::Field { path, part } => {
                let options = EditOptions {
                    create: true,
                    text_fields: text_fields(&resource.node),
                    text_format: resource.syntax.into(),
                    has_aliases: resource.has_aliases,
                    ..EditOptions::default()
                };
                let updated = edit::update(&resource.node, &path.value, &options, &mut |found| {
                    self.written_over(found.current, *part).map(Some)
                });
                let updated = updated.map_err(|failure: EditFailure| {
                    let message = || format!("unable to find or create field \"{}\"", path.value);
                    failure
                        .diagnostic(message)
                        .at(path.location.clone(), "the field path")
                })?;
                if let Some(node) = updated {
                    resource.node = node;
                }
                Ok(())
            }
        }
    }

    fn written_over(&self, current: Option<&Arc<Node>>, part: usize) -> Result<Arc<Node>> {
        let empty = Node::plain("");
        let old = current.unwrap_or(&empty);
        let text = match part.checked_sub(1) {
            Some(position) => with_part(old.text().unwrap_or_default(), position, &self.value),
            None => self.value.clone(),
        };
        Ok(text_over(old, &text)?.unwrap_or_else(|| Arc::clone(old)))
    }
}

fn check(
    target: &Spanned<ValueAddTargetConfig>,
    diagnostics: &mut Diagnostics,
) -> Result<ValueAddTarget, Reported> {
    let config = &target.value;
    let selector = match &config.selector {
        Some(selector) => Some(TargetSelector::new(&selector.value, diagnostics)?),
        None => None,
    };
    let at = |message: String| {
        Diagnostic::error(Code::Config, message).at(target.location.clone(), "the target")
    };
    let Some(written) = config
        .field_path
        .as_ref()
        .filter(|path| !path.value.is_empty())
    else {
        return Err(diagnostics.report(at("fieldPath cannot be empty".to_owned())));
    };
    let position = config.file_path_position.unwrap_or_default();
    let Ok(part) = usize::try_from(position) else {
        let message = format!("value of FilePathPosition ({position}) cannot be negative");
        return Err(diagnostics.report(at(message)));
    };
    if written.value == NAMESPACE {
        return Ok(ValueAddTarget {
            selector,
            place: AddedPlace::Namespace,
        });
    }
    let parsed = FieldPath::parse(&dotted(&written.value));
    let parsed = parsed.map_err(|error| error.at(written.location.clone(), ""));
    let path = Spanned {
        value: diagnostics.check(parsed)?,
        location: written.location.clone(),
    };
    Ok(ValueAddTarget {
        selector,
        place: AddedPlace::Field { path, part },
    })
}

/// Returns a path whose keys are separated by slashes as one with dots: `a/b\/c.d` is `a.b/c\.d`.
fn dotted(path: &str) -> String {
    let path = path.replace("\\/", "\0");
    let mut segments = Vec::new();
    for segment in path.split('/') {
        let segment = segment.replace('\0', "/");
        segments.push(match segment.starts_with('[') {
            true => segment,
            false => segment.replace('.', "\\."),
        });
    }
    segments.join(".")
}

/// Inserts a part into a file path, or appends it if the path is shorter than the position. A path
/// that begins with a slash keeps it.
fn with_part(path: &str, position: usize, part: &str) -> String {
    let (start, relative) = match path.strip_prefix('/') {
        Some(relative) => ("/", relative),
        None => ("", path),
    };
    let mut parts: Vec<&str> = relative
        .split('/')
        .filter(|part| !part.is_empty())
        .collect();
    parts.insert(position.min(parts.len()), part);
    format!("{start}{}", parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inserts_parts_into_paths() {
        for (path, position, expected) in [
            ("", 0, "P"),
            ("/", 7, "/P"),
            ("pie", 0, "P/pie"),
            ("/pie", 0, "/P/pie"),
            ("/raw", 9, "/raw/P"),
            ("a/nice/warm/pie", 3, "a/nice/warm/P/pie"),
            ("/a/nice/warm/pie", 3, "/a/nice/warm/P/pie"),
        ] {
            assert_eq!(with_part(path, position, "P"), expected, "{path}");
        }
    }

    #[test]
    fn reads_paths_with_slashes() {
        assert_eq!(dotted("a/b\\/c.d/[name=e.f]"), "a.b/c\\.d.[name=e.f]");
    }
}
