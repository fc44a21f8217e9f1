//! Finds, reads and checks the kustomization file of a folder.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::config::KustomizationConfig;
use super::deprecated;
use crate::kubernetes::KUSTOMIZATION_FILES;
use crate::source::world::{FileKind, World, read_found};
use crate::source::{Code, Diagnostic, Diagnostics, Location, Reported, Result, Source};
use crate::typed::{Spanned, read_any_case};
use crate::yaml::{Content, Node, Stream, expand, parse_data};

/// The two kinds of kustomization.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum KustomizationKind {
    /// Builds objects of its own.
    Kustomization,
    /// Changes the objects of the kustomization that includes it.
    Component,
}

impl KustomizationKind {
    /// Returns the `kind` as written.
    pub(super) fn name(self) -> &'static str {
        match self {
            KustomizationKind::Kustomization => "Kustomization",
            KustomizationKind::Component => "Component",
        }
    }

    fn api_version(self) -> &'static str {
        match self {
            KustomizationKind::Kustomization => "kustomize.config.k8s.io/v1beta1",
            KustomizationKind::Component => "kustomize.config.k8s.io/v1alpha1",
        }
    }
}

/// A kustomization file that was read.
#[derive(Clone, Debug)]
pub(super) struct KustomizationFile {
    /// The path as a user would write it.
    pub(super) path: PathBuf,
    pub(super) kind: KustomizationKind,
    pub(super) config: KustomizationConfig,
    /// The tree of the file, if it has any content.
    root: Option<Arc<Node>>,
}

impl KustomizationFile {
    /// Returns the tree of the file, if it has any content.
    pub(super) fn root(&self) -> Option<&Arc<Node>> {
        self.root.as_ref().map(Node::resolved)
    }

    /// Returns the place of an entry of a field, of the field if it has no such entry, or of the
    /// whole file. The field is found as its name is read, in any letters.
    pub(super) fn place(&self, field: &str, entry: Option<usize>) -> Option<Location> {
        let root = self.root.as_ref()?;
        let mut entries = root.resolved().as_mapping()?.entries.iter();
        let field = entries.find(|entry| {
            let key = entry.key.text();
            key.is_some_and(|key| key.eq_ignore_ascii_case(field))
        })?;
        let item = field.value.resolved().as_sequence().and_then(|list| {
            let item = list.items.at(entry?)?;
            item.value.resolved().location()
        });
        item.or_else(|| field.key.location())
    }
}

/// Returns whether a folder has a file with the name of a kustomization.
pub fn has_kustomization(world: &dyn World, folder: &Path) -> bool {
    KUSTOMIZATION_FILES
        .iter()
        .any(|name| world.kind(&folder.join(name)).is_ok())
}

/// Returns the path of the kustomization file in a folder.
///
/// # Errors
/// There is none, or there are several.
pub(super) fn find(world: &dyn World, folder: &Path) -> Result<PathBuf> {
    let mut found = Vec::new();
    for name in KUSTOMIZATION_FILES {
        let path = folder.join(name);
        let is_file = match world.kind(&path) {
            Ok(FileKind::Folder) | Err(_) => false,
            Ok(FileKind::Link) => !world.is_folder(&path) && world.canonical(&path).is_ok(),
            Ok(_) => true,
        };
        if is_file {
            found.push((name, path));
        }
    }
    let shown = folder.display();
    match &found[..] {
        [(_, path)] => Ok(path.clone()),
        [] => {
            let message = format!(
                "unable to find one of 'kustomization.yaml', 'kustomization.yml' or 'Kustomization' in directory '{shown}'"
            );
            Err(Diagnostic::error(Code::File, message))
        }
        several => {
            let names: Vec<&str> = several.iter().map(|(name, _)| *name).collect();
            let message = format!("Found multiple kustomization files under: {shown}");
            Err(Diagnostic::error(Code::File, message)
                .note(format!("these are {}", names.join(", ")))
                .help("keep one of them"))
        }
    }
}

/// Reads the kustomization file of a folder. Warnings about deprecated fields are printed on each
/// visit, as kustomize does.
///
/// # Errors
/// Reports every mistake in the file.
pub(super) fn read(
    world: &dyn World,
    folder: &Path,
    diagnostics: &mut Diagnostics,
) -> Result<KustomizationFile, Reported> {
    let path = diagnostics.check(find(world, folder))?;
    let source = diagnostics.check(read_found(world, &path))?;
    let errors = diagnostics.errors();
    let mut tree = None;
    let mut config: KustomizationConfig = match diagnostics.check(document(&source))? {
        Some(root) => {
            warn_about_duplicates(&root, diagnostics);
            let root = diagnostics.check(expand(&root))?;
            let root = tree.insert(root);
            read_any_case(root, diagnostics)?
        }
        None => KustomizationConfig::default(),
    };
    // `read_any_case` returns the valid part, so check whether it has reported mistakes.
    if diagnostics.errors() > errors {
        diagnostics.outcome()?;
    }
    deprecated::warn(&config, diagnostics);
    deprecated::convert(&mut config);
    let kind = diagnostics.check(check_kind(&config, &path))?;
    Ok(KustomizationFile {
        path,
        kind,
        config,
        root: tree,
    })
}

/// Returns the root of the first document, because kustomize ignores the others. `None` if there is
/// none, or if it is null.
pub(super) fn document(source: &Arc<Source>) -> Result<Option<Arc<Node>>> {
    let stream: Stream = parse_data(source)?;
    let root = stream.documents.first().map(|document| &document.root);
    let is_null =
        |root: &&Arc<Node>| matches!(root.resolved().value(), Some(crate::yaml::Value::Null));
    Ok(root.filter(|root| !is_null(root)).cloned())
}

/// Warns about each key that a mapping contains twice: kustomize silently uses the last value.
fn warn_about_duplicates(node: &Arc<Node>, diagnostics: &mut Diagnostics) {
    match &node.content {
        Content::Mapping(mapping) => {
            let mut seen: HashMap<&str, &Arc<Node>> = HashMap::new();
            for entry in &mapping.entries {
                let Some(key) = entry.key.text() else {
                    continue;
                };
                let first = seen.insert(key, &entry.key).filter(|_| key != "<<");
                if let Some(first) = first {
                    diagnostics.push(given_twice(key, first, &entry.key));
                }
                warn_about_duplicates(&entry.value, diagnostics);
            }
        }
        Content::Sequence(sequence) => {
            for item in &sequence.items {
                warn_about_duplicates(&item.value, diagnostics);
            }
        }
        Content::Scalar(_) | Content::Alias(_) => {}
    }
}

/// Returns the warning for a key that a mapping has at two places.
fn given_twice(key: &str, first: &Node, again: &Node) -> Box<Diagnostic> {
    let message = format!("field `{key}` is given twice, and the last one is used");
    Diagnostic::warning(Code::DuplicateKey, message)
        .at(again.location(), "given again here")
        .at(first.location(), "given first here, which is ignored")
}

/// Checks that the file is not empty, and that `kind` and `apiVersion` are those of a
/// kustomization.
fn check_kind(config: &KustomizationConfig, path: &Path) -> Result<KustomizationKind> {
    if config.is_empty() {
        let message = "kustomization.yaml is empty";
        return Err(Diagnostic::error(Code::Config, message)
            .note(format!("in `{}`", path.display()))
            .help("list what to build, such as `resources`"));
    }
    let kind = match text(&config.kind) {
        "" | "Kustomization" => KustomizationKind::Kustomization,
        "Component" => KustomizationKind::Component,
        _ => {
            let folder = path.parent().unwrap_or(Path::new("."));
            let message = format!(
                "Failed to read kustomization file under {}: kind should be Kustomization or Component",
                folder.display()
            );
            return Err(config_error(message, &config.kind));
        }
    };
    let found = text(&config.api_version);
    let expected = kind.api_version();
    if !found.is_empty() && found != expected {
        let message = format!("apiVersion for {} should be {expected}", kind.name());
        return Err(config_error(message, &config.api_version));
    }
    Ok(kind)
}

fn text(field: &Option<Spanned<String>>) -> &str {
    match field {
        Some(text) => &text.value,
        None => "",
    }
}

fn config_error(message: String, field: &Option<Spanned<String>>) -> Box<Diagnostic> {
    let location = field.as_ref().and_then(|field| field.location.clone());
    Diagnostic::error(Code::Config, message).at(location, "")
}
