//! Finds the target of a file: the build that finds its mistakes.
//!
//! A template alone is incomplete: its data values, modules and overlays are in other files. A
//! *target* is the build that a file is part of. The user lists targets in `.inlay/lsp.yaml` of the
//! workspace:
//!
//! ```yaml
//! targets:
//! - build:
//!     files: [config]
//!     dataValuesFiles: [values/development.yml]
//! - kustomize: overlays/production
//! - run:
//!     configuration: edits/inlay.yaml
//!     files: [manifests]
//! ```
//!
//! For any other file, the target is determined from the folders around it, see [`discover`].

use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::kubernetes::KUSTOMIZATION_FILES;
use crate::source::world::{FileKind, World, cleaned, read_found, read_found_bytes};
use crate::source::{Diagnostics, Reported, Source};
use crate::template::{is_template, may_contain_code};
use crate::yaml::{Node, parse, parse_data};

/// A build whose diagnostics are shown.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Target {
    /// `inlay build`.
    Build(BuildTarget),
    /// `inlay kustomize`, with its folder.
    Kustomization(PathBuf),
    /// A configuration of structured edits: `inlay run`.
    Configuration(ConfigurationTarget),
    /// A file of plain YAML.
    Yaml(PathBuf),
}

/// The input of `inlay build`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct BuildTarget {
    /// Files and folders: `-f`.
    pub(super) files: Vec<PathBuf>,
    /// Data Values Files: `-d`.
    pub(super) data_values_files: Vec<PathBuf>,
}

/// The input of `inlay run`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct ConfigurationTarget {
    /// The file with the configuration.
    pub(super) file: PathBuf,
    /// Files and folders with the objects that it edits.
    pub(super) resources: Vec<PathBuf>,
    /// Whether the settings list all of them.
    pub(super) has_all_resources: bool,
}

impl Target {
    /// Returns whether a file is part of the target, judging by its path.
    pub(super) fn contains(&self, path: &Path) -> bool {
        match self {
            Target::Build(build) => {
                let mut inputs = build.files.iter().chain(&build.data_values_files);
                inputs.any(|input| path.starts_with(input))
            }
            Target::Kustomization(folder) => path.starts_with(folder),
            Target::Configuration(own) => path == own.file,
            Target::Yaml(file) => path == file,
        }
    }
}

/// The path of the settings in a workspace.
pub(super) const SETTINGS: &str = ".inlay/lsp.yaml";

/// `.inlay/lsp.yaml`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Settings {
    #[serde(default)]
    targets: Vec<TargetSettings>,
}

/// An item of `targets`: exactly one of its fields.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct TargetSettings {
    build: Option<BuildSettings>,
    kustomize: Option<String>,
    run: Option<RunSettings>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct BuildSettings {
    files: Vec<String>,
    #[serde(default)]
    data_values_files: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct RunSettings {
    configuration: String,
    files: Vec<String>,
}

/// Reads the targets that the settings of a workspace list. Without settings there are none.
///
/// # Errors
/// Reports the mistakes in the settings.
pub(super) fn configured(
    world: &dyn World,
    workspace: &Path,
    diagnostics: &mut Diagnostics,
) -> Result<Vec<Target>, Reported> {
    let place = workspace.join(SETTINGS);
    if world.kind(&place).is_err() {
        return Ok(Vec::new());
    }
    let source = diagnostics.check(read_found(world, &place))?;
    let stream = diagnostics.check(parse(&source))?;
    let Some(document) = stream.documents.first() else {
        return Ok(Vec::new());
    };
    let settings: Settings = crate::typed::read(&document.root, diagnostics)?;
    let at = |paths: Vec<String>| {
        let places = paths.into_iter().map(|path| cleaned(&workspace.join(path)));
        places.collect::<Vec<PathBuf>>()
    };
    let mut targets = Vec::new();
    for target in settings.targets {
        targets.extend(target.build.map(|build| {
            Target::Build(BuildTarget {
                files: at(build.files),
                data_values_files: at(build.data_values_files),
            })
        }));
        let folder = target.kustomize.map(|folder| at(vec![folder]));
        targets.extend(folder.into_iter().flatten().map(Target::Kustomization));
        if let Some(run) = target.run {
            targets.push(Target::Configuration(ConfigurationTarget {
                file: cleaned(&workspace.join(run.configuration)),
                resources: at(run.files),
                has_all_resources: true,
            }));
        }
    }
    Ok(targets)
}

/// Returns the target of a file that no settings mention, or `None` if the file need not be
/// checked.
///
/// - A file in a folder with a kustomization is part of that kustomization. So is a file in a folder below, if the
///   kustomization names it: `patches/web.yaml`.
/// - A configuration of structured edits is a separate target, for the objects in its folder.
/// - A template belongs to a build of its folder. If the folder above has templates too, it is a build of that one, and
///   so on up to the workspace: `config/schema.yml` has the schema for `config/app/deployment.yml`.
pub(super) fn discover(world: &dyn World, workspace: &Path, path: &Path) -> Option<Target> {
    let folder = path.parent()?;
    if kustomization_in(world, folder).is_some() {
        return Some(Target::Kustomization(folder.to_owned()));
    }
    if let Some(folder) = naming_folder(world, workspace, path) {
        return Some(Target::Kustomization(folder.to_owned()));
    }
    let is_code = path
        .extension()
        .is_some_and(|extension| extension == "star");
    if !is_code {
        if !is_yaml(path) {
            return None;
        }
        let text = read_found_bytes(world, path).ok()?;
        let source = Source::new(path.to_string_lossy(), String::from_utf8(text).ok()?).ok()?;
        if let Ok(stream) = parse(&source)
            && !is_template(&stream)
        {
            return Some(match crate::krm::is_surely_configuration(&stream) {
                true => Target::Configuration(ConfigurationTarget {
                    file: path.to_owned(),
                    resources: vec![folder.to_owned()],
                    has_all_resources: false,
                }),
                false => Target::Yaml(path.to_owned()),
            });
        }
        // A template that is being typed often does not parse.
        if !may_contain_code(&source) {
            return Some(Target::Yaml(path.to_owned()));
        }
    }
    let mut root = folder;
    while root != workspace
        && let Some(above) = root.parent()
        && above.starts_with(workspace)
        && has_templates(world, above)
    {
        root = above;
    }
    Some(Target::Build(BuildTarget {
        files: vec![root.to_owned()],
        data_values_files: Vec::new(),
    }))
}

fn is_yaml(path: &Path) -> bool {
    let extension = path.extension();
    extension.is_some_and(|extension| extension == "yml" || extension == "yaml")
}

/// Returns the file with the kustomization of a folder.
pub(super) fn kustomization_in(world: &dyn World, folder: &Path) -> Option<PathBuf> {
    let mut places = KUSTOMIZATION_FILES.iter().map(|name| folder.join(name));
    places.find(|place| matches!(world.kind(place), Ok(FileKind::File)))
}

/// Returns the nearest folder above a file whose kustomization names it, such as
/// `patches/web.yaml`.
fn naming_folder<'p>(world: &dyn World, workspace: &Path, path: &'p Path) -> Option<&'p Path> {
    let mut folder = path.parent()?;
    while folder != workspace {
        folder = folder.parent()?;
        if let Some(place) = kustomization_in(world, folder)
            && let Ok(source) = read_found(world, &place)
            && let Ok(stream) = parse_data(&source)
            && let Some(document) = stream.documents.first()
        {
            return names_file(&document.root, folder, path).then_some(folder);
        }
    }
    None
}

/// Returns whether a text in a tree is the path of a file. The parser bounds the depth.
fn names_file(node: &Node, folder: &Path, path: &Path) -> bool {
    match node.as_str() {
        Some(text) => {
            path.ends_with(text.trim_start_matches("./")) && cleaned(&folder.join(text)) == path
        }
        None => node
            .children()
            .iter()
            .any(|child| names_file(child, folder, path)),
    }
}

/// Returns whether a file directly in the folder contains code.
fn has_templates(world: &dyn World, folder: &Path) -> bool {
    let Ok(files) = world.list(folder) else {
        return false;
    };
    files.iter().any(|file| {
        if file
            .extension()
            .is_some_and(|extension| extension == "star")
        {
            return true;
        }
        is_yaml(file)
            && read_found_bytes(world, file)
                .is_ok_and(|text| text.windows(2).any(|pair| pair == b"#@"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::world::Memory;

    fn folder_build(folder: &str) -> Option<Target> {
        Some(Target::Build(BuildTarget {
            files: vec![PathBuf::from(folder)],
            data_values_files: Vec::new(),
        }))
    }

    #[test]
    fn discovers_targets_by_folders() {
        let world = Memory::with_files([
            ("/w/README.yml", "a: 1"),
            ("/w/config/schema.yml", "#@data/values-schema\n---\na: 1"),
            ("/w/config/app/deployment.yml", "a: #@ data.values.a"),
            ("/w/config/app/broken.yml", "a: [ #@ x"),
            ("/w/config/app/functions.star", "def f(): pass"),
            ("/w/overlay/kustomization.yaml", "resources: [a.yml]"),
            ("/w/overlay/a.yml", "kind: ConfigMap"),
            (
                "/w/edit/inlay.yaml",
                "apiVersion: inlay.dev/v1alpha1\nkind: Inlay\n",
            ),
        ]);
        let target = |path: &str| discover(&world, Path::new("/w"), Path::new(path));
        let build = folder_build("/w/config");
        assert_eq!(target("/w/config/app/deployment.yml"), build);
        assert_eq!(target("/w/config/app/functions.star"), build);
        assert_eq!(target("/w/config/app/broken.yml"), build);
        assert_eq!(
            target("/w/README.yml"),
            Some(Target::Yaml("/w/README.yml".into()))
        );
        let kustomization = Target::Kustomization("/w/overlay".into());
        assert_eq!(target("/w/overlay/a.yml"), Some(kustomization));
        let configuration = Target::Configuration(ConfigurationTarget {
            file: "/w/edit/inlay.yaml".into(),
            resources: vec!["/w/edit".into()],
            has_all_resources: false,
        });
        assert_eq!(target("/w/edit/inlay.yaml"), Some(configuration));
        assert_eq!(target("/w/notes.md"), None);
    }

    #[test]
    fn reads_the_settings_of_a_workspace() {
        let world = Memory::with_files([(
            "/w/.inlay/lsp.yaml",
            "targets:\n- build: {files: [config], dataValuesFiles: [v/dev.yml]}\n- kustomize: overlay\n- run: {configuration: e.yaml, files: [objects]}\n",
        )]);
        let mut diagnostics = Diagnostics::default();
        let targets = configured(&world, Path::new("/w"), &mut diagnostics).unwrap();
        let build = Target::Build(BuildTarget {
            files: vec!["/w/config".into()],
            data_values_files: vec!["/w/v/dev.yml".into()],
        });
        let run = Target::Configuration(ConfigurationTarget {
            file: "/w/e.yaml".into(),
            resources: vec!["/w/objects".into()],
            has_all_resources: true,
        });
        assert_eq!(
            targets,
            [build, Target::Kustomization("/w/overlay".into()), run]
        );
        assert!(targets[0].contains(Path::new("/w/config/app.yml")));
        assert!(!targets[0].contains(Path::new("/w/configuration.yml")));
    }
}
