//! The output of a build of a kustomization.
//!
//! - [`print()`] prints the objects with the bytes of `kustomize build`, [`print_faithfully`] with
//!   those of their files;
//! - [`finish_annotations`] removes what kustomize records in annotations during a build;
//! - [`file_names`] are the files of an output folder.

mod aliases;
mod annotations;
mod faithful;
mod file_name;
mod origin;

use crate::kubernetes::Resource;
use crate::source::{Diagnostics, Reported, Result};
use crate::yaml::push_sorted;

pub use self::annotations::{BuildMetadata, finish_annotations, written_origin};
pub use self::faithful::print_faithfully;
pub use self::file_name::file_names;

/// Prints objects as one stream: `---` between two documents, nothing for no objects.
///
/// # Errors
/// Reports the first value of each object that kustomize cannot print: see [`push_sorted`].
pub fn print(resources: &[Resource], diagnostics: &mut Diagnostics) -> Result<String, Reported> {
    let mut output = String::new();
    let mut outcome = Ok(());
    for resource in resources {
        if !output.is_empty() {
            output.push_str("---\n");
        }
        if let Err(error) = push_sorted(&resource.node, &mut output) {
            outcome = Err(diagnostics.report(error.about(resource.object_reference())));
        }
    }
    outcome.map(|()| output)
}

/// Prints one object.
///
/// # Errors
/// As [`push_sorted`].
pub fn print_object(resource: &Resource) -> Result<String> {
    let mut output = String::new();
    push_sorted(&resource.node, &mut output)
        .map_err(|error| error.about(resource.object_reference()))?;
    Ok(output)
}
