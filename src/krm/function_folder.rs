//! The folder below which a function may read files.
//!
//! A function does not know where its configuration is, and the working folder is that of the
//! caller: for `kpt fn render` in a home folder, a package that names `.ssh/id_rsa` would get it.
//! So the folder follows from what the host says:
//!
//! | host | says | folder |
//! | --- | --- | --- |
//! | `kpt fn render` | the path of the package, over what a file claims, and of the file | that of the file |
//! | kustomize | `config.kubernetes.io/function`, and calls in the folder of the kustomization | the working folder |
//! | `kpt fn eval`, others | nothing | none, unless [`VARIABLE`] names one |

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::source::world::{Folder, RelativePath, World};
use crate::source::{Code, Diagnostic, Result};
use crate::yaml::Node;

/// The variable with which the user allows a folder.
pub(super) const VARIABLE: &str = "INLAY_FUNCTION_FOLDER";

/// The absolute path of the package, from `kpt fn render`.
const PACKAGE_PATH: &str = "internal.config.kubernetes.io/package-path";
/// The path of the file in the package, from `kpt fn render`.
const FILE_PATH: &str = "internal.config.kubernetes.io/path";
/// How kustomize finds the function. It is part of the configuration.
const FUNCTION: &str = "config.kubernetes.io/function";

/// Returns the folder below which the functionConfig may name files. `allowed` is the folder that
/// the user allows.
pub(super) fn of<'w>(
    config: &Arc<Node>,
    allowed: Option<&str>,
    world: &'w dyn World,
) -> Folder<'w> {
    let root = match allowed {
        Some(allowed) if !allowed.is_empty() => Ok(PathBuf::from(allowed)),
        _ => root_from_host(config),
    };
    match root {
        Ok(root) => Folder::new(world, root),
        Err(reason) => Folder::without_files(world, reason),
    }
}

fn root_from_host(config: &Node) -> Result<PathBuf> {
    let annotation = |key| config.get_in(&["metadata", "annotations", key])?.text();
    match (annotation(PACKAGE_PATH), annotation(FUNCTION)) {
        (Some(package), None) if Path::new(package).is_absolute() => {
            let Some(file) = annotation(FILE_PATH) else {
                return Ok(PathBuf::from(package));
            };
            // `..` would lead out of the package.
            let file = Path::new(package).join(RelativePath::new(file)?.as_path());
            Ok(file.parent().unwrap_or(Path::new(package)).to_owned())
        }
        (None, Some(_)) => Ok(PathBuf::new()),
        // Both together: kpt says one, and the file itself, which may be anybody's, the other.
        _ => Err(no_folder()),
    }
}

fn no_folder() -> Box<Diagnostic> {
    Diagnostic::error(
        Code::File,
        "the function may read no files: the host does not say in which folder its configuration is",
    )
    .help("put the text of the file into the configuration, under `files`")
    .help(format!("or allow a folder: `{VARIABLE}=DIR`"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Source;
    use crate::yaml::parse_data;

    fn root(annotations: &str) -> Option<PathBuf> {
        let text = format!("kind: Inlay\nmetadata:\n  annotations: {{{annotations}}}\n");
        let stream = parse_data(&Source::new("", text).unwrap()).unwrap();
        root_from_host(&stream.documents[0].root).ok()
    }

    #[test]
    fn takes_the_folder_from_the_host_and_not_from_the_caller() {
        let package = "internal.config.kubernetes.io/package-path: /p/sub";
        let file = "internal.config.kubernetes.io/path";
        let function = "config.kubernetes.io/function: x";
        let table = [
            (String::new(), None),
            (format!("{file}: a/b.yaml"), None),
            (package.to_owned(), Some("/p/sub")),
            (format!("{package}, {file}: inlay.yaml"), Some("/p/sub")),
            (format!("{package}, {file}: a/inlay.yaml"), Some("/p/sub/a")),
            (format!("{package}, {file}: ../../etc/x"), None),
            (format!("{package}, {file}: /etc/x"), None),
            (function.to_owned(), Some("")),
            (format!("{package}, {function}"), None),
            (
                "internal.config.kubernetes.io/package-path: relative".to_owned(),
                None,
            ),
        ];
        for (annotations, expected) in table {
            assert_eq!(
                root(&annotations),
                expected.map(PathBuf::from),
                "{annotations}"
            );
        }
    }
}
