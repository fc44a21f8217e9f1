//! The annotations that `buildMetadata` asks for: where an object comes from, and which transformers
//! ran over it.

use std::sync::Arc;

use crate::kubernetes::{ObjectOrigin, Resource};

/// Records origins if the build wants them.
#[derive(Clone, Debug, Default)]
pub(super) struct Origins {
    /// Whether `originAnnotations` or `transformerAnnotations` is on.
    pub(super) is_wanted: bool,
    /// The folder of the build, with a slash at its end, which paths are relative to.
    pub(super) root: String,
}

impl Origins {
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

    /// Returns a path relative to the folder of the build.
    pub(super) fn relative(&self, path: &str) -> String {
        path.strip_prefix(&self.root).unwrap_or(path).to_owned()
    }
}
