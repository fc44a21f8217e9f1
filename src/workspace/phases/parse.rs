//! The parse phase: reads and parses the files of a library that are part of the build. It
//! continues after an error, so that one run reports the mistakes of all files.

use super::content::FileContent;
use super::library_build::LibraryBuild;
use crate::source::Reported;
use crate::workspace::file::{FileRole, InputFile};
use crate::yaml::strict_faults;

/// Parses the files of a library, and returns their indices in the order of the tree.
///
/// Files that are not part of the build are skipped. They are read if code requests their content.
///
/// # Errors
/// Reports the mistakes of all files.
pub(super) fn parse(build: &mut LibraryBuild<'_, '_>) -> Result<Vec<usize>, Reported> {
    let files = build.context.files;
    let mut indices = build.context.tree.accessible_below(build.instance.root);
    indices.retain(|index| files.get(*index).is_some_and(takes_part));
    build
        .context
        .contents
        .read_ahead(&indices, build.instance.options.reprints);

    let mut parsed = Vec::new();
    for index in indices {
        let content = build.context.contents.content(index);
        let Ok(content) = build.diagnostics.check(content) else {
            // Continue with the other files, so that one run reports every mistake.
            continue;
        };
        if let FileContent::Yaml(stream) = &*content
            && build.instance.options.strict
        {
            for fault in strict_faults(stream) {
                build.diagnostics.push(Box::new(fault));
            }
        }
        parsed.push(index);
    }
    build.diagnostics.outcome()?;
    Ok(parsed)
}

/// Returns whether a file contributes output, definitions, data values or a schema.
///
/// Every YAML template does, even if a mark excludes it from the output, because it may contain
/// values.
fn takes_part(file: &InputFile) -> bool {
    file.is_evaluated() || file.role() == FileRole::YamlTemplate
}
