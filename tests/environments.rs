//! The same input gives the same bytes: in any folder, language, time zone and order of files, with
//! any number of threads, and in any process. Hash maps have a new seed in each process.

#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::expect_used)]

#[path = "common"]
mod common {
    pub(crate) mod workspace;
}

use std::fs;
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use common::workspace::{copy_folder, repository};
use tempfile::TempDir;

/// Commands on the examples, each with its exit code. `{}` is the folder that contains the
/// examples. Messages are output just as documents are.
const COMMANDS: [(i32, &[&str]); 9] = [
    (0, &["build", "-f", "{}/examples/libraries"]),
    (
        0,
        &[
            "build",
            "-f",
            "{}/examples/schema/schema.yml",
            "-f",
            "{}/examples/schema/values.yml",
            "--data-values-inspect",
        ],
    ),
    (
        0,
        &[
            "build",
            "-f",
            "{}/examples/schema/schema.yml",
            "--data-values-schema-inspect",
            "-o",
            "json-schema",
        ],
    ),
    (
        0,
        &[
            "build",
            "-f",
            "{}/examples/overlays/manifests.yml",
            "-f",
            "{}/examples/overlays/production.yml",
        ],
    ),
    (0, &["kustomize", "{}/k"]),
    (0, &["kustomize", "{}/k", "--faithful"]),
    (0, &["get", "{}/examples/overlays/manifests.yml", "$..*"]),
    (1, &["build", "-f", "{}/examples/data-values"]),
    (1, &["build", "-f", "{}/examples/overlays"]),
];

/// A kustomization with everything that is looked up by name or kept in a map.
const KUSTOMIZATION: &str = "\
resources: [objects.yaml]
namePrefix: x-
namespace: prod
labels: [{pairs: {b: c, a: b}, includeSelectors: true}]
images: [{name: a, newTag: '2'}]
configMapGenerator: [{name: m, literals: [z=1, a=2], files: [objects.yaml]}]
patches:
- target: {kind: .*}
  patch: '[{\"op\": \"add\", \"path\": \"/metadata/annotations\", \"value\": {\"d\": \"e\", \"a\": \"f\"}}]'
";

const OBJECTS: &str = "\
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec: {template: {spec: {containers: [{name: web, image: a, envFrom: [{configMapRef: {name: m}}]}]}}}
---
apiVersion: v1
kind: Service
metadata: {name: web}
spec: {selector: {app: web}}
";

/// Sets of variables that other programs respect.
const ENVIRONMENTS: [&[(&str, &str)]; 5] = [
    &[],
    &[
        ("LC_ALL", "tr_TR.UTF-8"),
        ("LANG", "tr_TR.UTF-8"),
        ("LANGUAGE", "tr"),
    ],
    &[("TZ", "Pacific/Kiritimati"), ("SOURCE_DATE_EPOCH", "1")],
    &[
        ("INLAY_THREADS", "1"),
        ("HOME", "/nonexistent"),
        ("USER", "x"),
    ],
    &[
        ("INLAY_THREADS", "7"),
        ("COLUMNS", "20"),
        ("NO_COLOR", "1"),
        ("TERM", "dumb"),
    ],
];

struct Answer {
    code: Option<i32>,
    output: String,
    errors: String,
}

fn run(root: &Path, folder: &Path, command: &[&str], environment: &[(&str, &str)]) -> Answer {
    let root = root.to_str().unwrap();
    let arguments = command.iter().map(|argument| argument.replace("{}", root));
    let output = Command::new(env!("CARGO_BIN_EXE_inlay"))
        .args(arguments)
        .env_clear()
        .envs(environment.iter().copied())
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    assert_eq!(output.status.signal(), None, "{command:?}");
    let text = |bytes| String::from_utf8(bytes).unwrap().replace(root, "{}");
    Answer {
        code: output.status.code(),
        output: text(output.stdout),
        errors: text(output.stderr),
    }
}

/// Copies `from` into `folder`, the files of each folder in reverse order.
fn reversed_copy(from: &Path, folder: &Path) -> PathBuf {
    let root = folder.join("copy");
    copy_backwards(from, &root);
    root
}

fn copy_backwards(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    let mut entries: Vec<_> = fs::read_dir(from)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    entries.sort();
    for entry in entries.iter().rev() {
        let place = to.join(entry.file_name().unwrap());
        match entry.is_dir() {
            true => copy_backwards(entry, &place),
            false => drop(fs::copy(entry, place).unwrap()),
        }
    }
}

#[test]
fn the_output_is_the_same_everywhere() {
    let folder = TempDir::new().unwrap();
    let forwards = folder.path().join("forwards");
    copy_folder(&repository().join("examples"), &forwards.join("examples"));
    fs::create_dir(forwards.join("k")).unwrap();
    fs::write(forwards.join("k/kustomization.yaml"), KUSTOMIZATION).unwrap();
    fs::write(forwards.join("k/objects.yaml"), OBJECTS).unwrap();
    let backwards = reversed_copy(&forwards, folder.path());
    for (code, command) in COMMANDS {
        let first = run(&forwards, &forwards, command, &[]);
        let shown = format!("{command:?}: {}", first.errors);
        assert_eq!(first.code, Some(code), "{shown}");
        assert_eq!(first.output.is_empty(), code != 0, "{shown}");
        for environment in ENVIRONMENTS {
            for (root, from) in [(&forwards, Path::new("/")), (&backwards, &*backwards)] {
                let other = run(root, from, command, environment);
                assert_eq!(
                    other.code, first.code,
                    "{command:?} {environment:?}: {}",
                    other.errors
                );
                assert_eq!(other.output, first.output, "{command:?} {environment:?}");
                assert_eq!(other.errors, first.errors, "{command:?} {environment:?}");
            }
        }
    }
}
