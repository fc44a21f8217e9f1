//! The annotations of `buildMetadata`: the origin of an object, and the transformers that ran on
//! it.
//!
//! ```yaml
//! config.kubernetes.io/origin: |
//!   path: base/service.yaml
//! alpha.config.kubernetes.io/transformations: |
//!   - configuredIn: kustomization.yaml
//!     configuredBy:
//!       apiVersion: builtin
//!       kind: PrefixTransformer
//! ```
//!
//! They are recorded in the history of each object, and written at the end of a build by
//! [`finish_annotations`](crate::kustomize::output::finish_annotations).

use std::path::Path;
use std::sync::Arc;

use crate::kubernetes::{ConfiguredBy, ObjectOrigin, Resource};
use crate::kustomize::output::written_origin;
use crate::kustomize::separate_annotations;
use crate::source::world::cleaned;

/// Records the origins of objects, if the build needs them.
#[derive(Clone, Debug, Default)]
pub(super) struct Origins {
    /// Whether the build has `buildMetadata`.
    is_wanted: bool,
    /// The folder of the build, which paths are relative to.
    root: String,
}

impl Origins {
    /// Creates the recorder of a build in the folder `root`.
    pub(super) fn new(root: &Path, is_wanted: bool) -> Origins {
        Origins {
            is_wanted,
            root: root.to_string_lossy().into_owned(),
        }
    }

    /// Returns whether the build records origins and transformers.
    pub(super) fn is_wanted(&self) -> bool {
        self.is_wanted
    }

    /// Records the file that objects were read from.
    pub(super) fn record_file(&self, objects: &mut [Resource], file: &str) {
        if !self.is_wanted {
            return;
        }
        let origin = Arc::new(ObjectOrigin {
            path: self.relative(file),
            ..ObjectOrigin::default()
        });
        for object in objects {
            object.history.origin = Some(Arc::clone(&origin));
        }
    }

    /// Records the generator of the objects that have no origin yet.
    pub(super) fn record_generator(&self, objects: &mut [Resource], by: &ObjectOrigin) {
        if !self.is_wanted {
            return;
        }
        let by = Arc::new(by.clone());
        for object in objects {
            if object.history.origin.is_none() {
                let written = written_origin(object).map(Arc::new);
                object.history.origin = Some(written.unwrap_or_else(|| Arc::clone(&by)));
            }
        }
    }

    /// Records that a transformer ran on all objects. An object that it created has no origin yet,
    /// unless the transformer set one.
    pub(super) fn record_transformer(&self, objects: &mut [Resource], by: &ObjectOrigin) {
        if !self.is_wanted {
            return;
        }
        let by = Arc::new(by.clone());
        for object in objects {
            if object.history.origin.is_none() {
                object.history.origin = written_origin(object).map(Arc::new);
            }
            // As in kustomize: an object without an origin was created by the transformer.
            match &object.history.origin {
                None => object.history.origin = Some(Arc::clone(&by)),
                Some(_) => object.history.transformations.push(Arc::clone(&by)),
            }
            separate_annotations(object);
        }
    }

    /// Returns the origin of objects that a plugin configuration creates. A configuration without a
    /// file is in the kustomization file.
    pub(super) fn plugin(&self, configuration: &Resource, file: &Path) -> ObjectOrigin {
        let id = configuration.id();
        let own_file = configuration.history.origin.as_ref();
        let file = file.to_string_lossy();
        ObjectOrigin {
            configured_in: match own_file {
                Some(origin) => origin.path.clone(),
                None => self.relative(&file),
            },
            configured_by: Some(ConfiguredBy {
                api_version: configuration.api_version().to_owned(),
                kind: id.kind.to_owned(),
                name: id.name.to_owned(),
                namespace: id.namespace.to_owned(),
            }),
            ..ObjectOrigin::default()
        }
    }

    /// Returns the origin for a field of a kustomization file.
    pub(super) fn builtin(&self, file: &Path, kind: &str) -> ObjectOrigin {
        ObjectOrigin {
            configured_in: self.relative(&file.to_string_lossy()),
            configured_by: Some(ConfiguredBy {
                api_version: "builtin".to_owned(),
                kind: kind.to_owned(),
                ..ConfiguredBy::default()
            }),
            ..ObjectOrigin::default()
        }
    }

    /// Returns a path relative to the folder of the build.
    fn relative(&self, path: &str) -> String {
        let path = cleaned(Path::new(path));
        let root = Path::new(&self.root);
        if root == Path::new(".") {
            return path.to_string_lossy().into_owned();
        }
        // `../base` from `overlay` is shown as the build names it: from its own folder.
        let mut up = String::new();
        for ancestor in root.ancestors() {
            if let Ok(below) = path.strip_prefix(ancestor) {
                return format!("{up}{}", below.to_string_lossy());
            }
            up.push_str("../");
        }
        path.to_string_lossy().into_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shows_paths_from_the_folder_of_the_build() {
        let relative = |root: &str, path: &str| {
            let origins = Origins {
                root: root.to_owned(),
                ..Origins::default()
            };
            origins.relative(path)
        };
        assert_eq!(relative(".", "a.yaml"), "a.yaml");
        assert_eq!(relative("overlay", "overlay/a.yaml"), "a.yaml");
        assert_eq!(relative("x/overlay", "x/base/a.yaml"), "../base/a.yaml");
        assert_eq!(relative("overlay", "base/a.yaml"), "../base/a.yaml");
    }
}
