//! Determines the folder below which a function may read files.
//!
//! A function does not know where its configuration is, and the working folder is that of the
//! caller: if `kpt fn render` runs in a home folder, a package that refers to `.ssh/id_rsa` would
//! get that file. The folder is therefore derived from information that the host provides:
//!
//! | host | information | folder |
//! | --- | --- | --- |
//! | `kpt fn render` | the path of the package and of the file in it | that of the file |
//! | kustomize | calls in the folder of a kustomization | the working folder |
//! | `kpt fn eval`, others | none | none, unless [`VARIABLE`] names one |
//!
//! All of this information is in annotations of the configuration, which may come from anyone:
//! `kpt fn eval` passes an annotation `package-path: /home/me` in the file on unchanged. It is
//! therefore used only if the disk confirms it: the file of a package must contain this
//! configuration, and kustomize must be called in the folder of a kustomization. The list must also
//! be one that kustomize writes: each object has its id, and the configuration does not have the
//! index that kpt adds to one that it reads from a file. `kpt fn eval -` passes objects without
//! a path too, so a missing path proves nothing. Neither does a list without objects, which
//! `kpt fn eval` passes for an empty package.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::objects::is_same_object;
use crate::kubernetes::KUSTOMIZATION_FILES;
use crate::source::world::{FileKind, Folder, RelativePath, World};
use crate::source::{Code, Diagnostic};
use crate::yaml::{Node, parse_data};

/// The environment variable with which the user allows a folder.
pub(super) const VARIABLE: &str = "INLAY_FUNCTION_FOLDER";

/// The absolute path of the package, from `kpt fn render`.
const PACKAGE_PATH: &str = "internal.config.kubernetes.io/package-path";
/// The path of the file in the package. kpt sets it on every object.
pub(super) const FILE_PATH: &str = "internal.config.kubernetes.io/path";
/// The place of a document in its file. kpt and other readers of packages add it.
const INDEX: &str = "internal.config.kubernetes.io/index";
/// The id that kustomize adds to each object that it passes to a function.
const KUSTOMIZE_ID: &str = "kustomize.config.k8s.io/id";
/// The annotation by which kustomize finds the function. It is part of the configuration.
const FUNCTION: &str = "config.kubernetes.io/function";

/// Returns the folder below which the functionConfig may refer to files. `allowed` is the folder
/// that the user allows, and `items` are the objects of the list.
pub(super) fn of<'w>(
    config: &Arc<Node>,
    items: &[&Arc<Node>],
    allowed: Option<&str>,
    world: &'w dyn World,
) -> Folder<'w> {
    let root = match allowed {
        Some(allowed) if !allowed.is_empty() => Some(PathBuf::from(allowed)),
        _ => folder_of_package(config, world)
            .or_else(|| folder_of_kustomization(config, items, world)),
    };
    match root {
        Some(root) => Folder::new(world, root),
        None => Folder::without_files(world, no_folder()),
    }
}

fn annotation<'o>(object: &'o Node, key: &str) -> Option<&'o str> {
    // Any part may be an alias.
    let mut node = object;
    for key in ["metadata", "annotations", key] {
        node = node.get(key)?.resolved();
    }
    node.text().filter(|_| node.kind() != "null")
}

/// Returns the folder of the file that `kpt fn render` names, if this file contains the
/// configuration.
fn folder_of_package(config: &Node, world: &dyn World) -> Option<PathBuf> {
    let package = Path::new(annotation(config, PACKAGE_PATH)?);
    if !package.is_absolute() {
        return None;
    }
    // This rejects `..`, which would lead out of the package.
    let file = RelativePath::new(annotation(config, FILE_PATH)?).ok()?;
    let source = Folder::new(world, package).read(&file).ok()?;
    let stream = parse_data(&source).ok()?;
    let mut roots = stream.documents.iter().map(|document| &document.root);
    roots
        .any(|root| is_same_object(root, config))
        .then(|| package.join(file.as_path()).parent().map(Path::to_owned))?
}

/// Returns the working folder, if the caller is kustomize.
fn folder_of_kustomization(
    config: &Node,
    items: &[&Arc<Node>],
    world: &dyn World,
) -> Option<PathBuf> {
    // kustomize passes at least one object. A generator gets its configuration, without an id.
    let is_kustomize = annotation(config, FUNCTION).is_some()
        && annotation(config, INDEX).is_none()
        && !items.is_empty()
        && items.iter().all(|item| is_from_kustomize(item, config))
        // kustomize calls functions in the folder of the kustomization.
        && KUSTOMIZATION_FILES
            .iter()
            .any(|name| matches!(world.kind(Path::new(name)), Ok(FileKind::File)));
    is_kustomize.then(PathBuf::new)
}

/// Returns whether an item of the list is written as kustomize writes it.
fn is_from_kustomize(item: &Node, config: &Node) -> bool {
    let has_id = annotation(item, KUSTOMIZE_ID).is_some() || is_same_object(item, config);
    has_id && annotation(item, FILE_PATH).is_none()
}

fn no_folder() -> Box<Diagnostic> {
    Diagnostic::error(
        Code::File,
        "the function may read no files: the host does not say in which folder its configuration is",
    )
    .help("put the text of the file into the configuration: under `files`, or for a generator under `literals`")
    .help(format!("or allow a folder: `{VARIABLE}=DIR`"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Source;
    use crate::source::world::Memory;

    const PACKAGE: &str = "internal.config.kubernetes.io/package-path: /p/sub";
    const FILE: &str = "internal.config.kubernetes.io/path";

    fn config(annotations: &str) -> Arc<Node> {
        let text = format!(
            "apiVersion: v1\nkind: Inlay\nmetadata: {{name: a, annotations: {{{annotations}}}}}\n"
        );
        let stream = parse_data(&Source::new("", text).unwrap()).unwrap();
        Arc::clone(&stream.documents[0].root)
    }

    #[test]
    fn takes_the_folder_of_the_file_that_contains_the_configuration() {
        let same = "# a comment\n---\napiVersion: v1\nkind: Inlay\nmetadata: {name: a}\n";
        let world = Memory::with_files([
            ("/p/sub/inlay.yaml", same),
            ("/p/sub/a/inlay.yaml", same),
            (
                "/p/sub/other.yaml",
                "apiVersion: v1\nkind: Inlay\nmetadata: {name: b}\n",
            ),
            ("/etc/x", same),
        ]);
        let table = [
            (String::new(), None),
            (format!("{FILE}: a/inlay.yaml"), None),
            (PACKAGE.to_owned(), None),
            (format!("{PACKAGE}, {FILE}: inlay.yaml"), Some("/p/sub")),
            (format!("{PACKAGE}, {FILE}: a/inlay.yaml"), Some("/p/sub/a")),
            (format!("{PACKAGE}, {FILE}: other.yaml"), None),
            (format!("{PACKAGE}, {FILE}: missing.yaml"), None),
            (format!("{PACKAGE}, {FILE}: ../../etc/x"), None),
            (format!("{PACKAGE}, {FILE}: /etc/x"), None),
            (
                format!("internal.config.kubernetes.io/package-path: p/sub, {FILE}: inlay.yaml"),
                None,
            ),
        ];
        for (annotations, expected) in table {
            assert_eq!(
                folder_of_package(&config(&annotations), &world),
                expected.map(PathBuf::from),
                "{annotations}"
            );
        }
    }

    #[test]
    fn takes_the_working_folder_only_where_a_kustomization_is() {
        let config = config("config.kubernetes.io/function: x");
        let items = [&config];
        let found = |file, items: &[&Arc<Node>]| {
            folder_of_kustomization(&config, items, &Memory::with_files([(file, "")])).is_some()
        };
        assert!(found("kustomization.yaml", &items));
        assert!(found("Kustomization", &items));
        assert!(!found("inlay.yaml", &items));
        assert!(
            !found("kustomization.yaml", &[]),
            "any host may pass no object"
        );
    }

    #[test]
    fn takes_the_working_folder_only_for_a_list_that_kustomize_writes() {
        let id = "kustomize.config.k8s.io/id: x";
        let function = "config.kubernetes.io/function: x";
        let world = Memory::with_files([("kustomization.yaml", "")]);
        let table = [
            (function.to_owned(), id.to_owned(), true),
            // `kpt fn eval -` adds no id to the objects, and an index to the configuration.
            (function.to_owned(), String::new(), false),
            (function.to_owned(), format!("{id}, {FILE}: a.yaml"), false),
            (format!("{function}, {INDEX}: '0'"), id.to_owned(), false),
        ];
        for (annotations, of_item, expected) in table {
            let text = format!("kind: Service\nmetadata: {{annotations: {{{of_item}}}}}\n");
            let item = parse_data(&Source::new("", text).unwrap()).unwrap();
            let items = [&item.documents[0].root];
            let folder = folder_of_kustomization(&config(&annotations), &items, &world);
            assert_eq!(folder.is_some(), expected, "{annotations}; {of_item}");
        }
    }
}
