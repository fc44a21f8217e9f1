//! The order of the steps: what every door calls.

use crate::kustomize::Resource;
use crate::kustomize::replacement::{self, Entry, Replacement};
use crate::source::world::{Folder, RelativePath};
use crate::source::{Code, Diagnostic, Diagnostics, Result};
use crate::yaml::parse_data;

/// What is to be done, whatever kind of configuration said so.
#[derive(Clone, Debug, Default)]
pub struct Configuration {
    /// Values to copy from field to field.
    pub replacements: Vec<Entry>,
}

/// Carries out a configuration on resources and returns them as they are afterwards, or `None` after an error.
///
/// `folder` is where the configuration's own files are read from. A step that fails does not keep the next one from
/// being tried, so that `diagnostics` tells of all that is wrong.
pub fn run(
    configuration: &Configuration,
    folder: &Folder<'_>,
    mut resources: Vec<Resource>,
    diagnostics: &mut Diagnostics,
) -> Option<Vec<Resource>> {
    for entry in &configuration.replacements {
        match entry {
            Entry::Inline(one) => replacement::apply(std::slice::from_ref(one), &mut resources, diagnostics),
            Entry::Path(path) => {
                let named_here = |error: Box<Diagnostic>| error.at(path.location.clone(), "the file is named here");
                let read = read_replacements(&path.value, folder).map_err(named_here);
                if let Some(replacements) = diagnostics.take(read) {
                    replacement::apply(&replacements, &mut resources, diagnostics);
                }
            }
        }
    }
    (!diagnostics.failed()).then_some(resources)
}

/// Reads the file that an entry of `replacements` names.
fn read_replacements(path: &str, folder: &Folder<'_>) -> Result<Vec<Replacement>> {
    let source = folder.read(&RelativePath::new(path)?)?;
    let stream = parse_data(&source)?;
    match &stream.documents[..] {
        [document] => replacement::read_file(&document.root),
        documents => {
            let message = format!("expected one document in `{path}`, found {}", documents.len());
            Err(Diagnostic::error(Code::Config, message))
        }
    }
}
