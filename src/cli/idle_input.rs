//! Warnings about unused inputs: `inlay -f app.json` prints nothing, because only the names of YAML
//! files, texts and Starlark modules have a role.
//!
//! Only inputs named on the command line cause a warning, because a folder often contains other
//! files too.

use std::path::Path;

use crate::source::{Code, Diagnostic, Diagnostics};
use crate::workspace::{FileRole, InputFile, InputReader, Rendered};

/// The texts of the warning about a file that a command does not use.
pub(super) struct Part {
    /// Returns whether the command uses a file.
    pub(super) takes_part: fn(&InputFile) -> bool,
    /// A description of the files in a folder that the command would use.
    pub(super) expected: &'static str,
    /// Returns the remedy for a file with this path in the workspace.
    pub(super) remedy: fn(&str) -> String,
}

/// The rule for files of a build.
pub(super) const BUILD: Part = Part {
    takes_part: |file| file.is_evaluated() || file.role() != FileRole::Data,
    expected: "a template has a name that ends with .yml, .yaml or .txt",
    remedy: |path| format!("give it a type: `--file-mark '{path}:type=yaml-plain'`"),
};

/// The rule for files to format.
pub(super) const FMT: Part = Part {
    takes_part: |file| file.role() == FileRole::YamlTemplate,
    expected: "`fmt` formats files whose name ends with .yml or .yaml",
    remedy: |_| "rename it, if it is YAML".to_owned(),
};

/// Returns whether a build produced nothing.
pub(super) fn is_nothing(rendered: &Rendered) -> bool {
    let has_documents = rendered.yaml.iter().any(|file| {
        let printed = file.printed.as_ref().is_some_and(|texts| !texts.is_empty());
        printed || !file.documents.is_empty()
    });
    !has_documents && rendered.texts.is_empty()
}

/// Warns about each argument that names a file that is not used, or a folder without any file that
/// is used.
pub(super) fn report_idle(
    part: &Part,
    reader: &InputReader<'_>,
    arguments: &[String],
    files: &[InputFile],
    diagnostics: &mut Diagnostics,
) {
    for argument in arguments {
        let input = argument.split_once('=').map_or(&**argument, |(_, it)| it);
        let place = Path::new(input);
        let is_folder = reader.is_folder(input);
        let mut found = files.iter().filter(|file| match file.place() {
            Some(path) if is_folder => path.starts_with(place),
            Some(path) => path == place,
            None => false,
        });
        let warning = |message: String| Diagnostic::warning(Code::File, message);
        if is_folder {
            if !found.any(part.takes_part) {
                let message = format!("the folder `{input}` has no file that takes part");
                diagnostics.push(warning(message).note(part.expected));
            }
        } else if let Some(file) = found.find(|file| !(part.takes_part)(file)) {
            let message = format!("the file `{input}` takes no part");
            let remedy = (part.remedy)(file.path.as_str());
            diagnostics.push(warning(message).note(part.expected).help(remedy));
        }
    }
}
