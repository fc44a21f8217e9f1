//! `inlay doctor`: the programs on `PATH`, the installed plugin, and the requirements of a
//! kustomization.

#![cfg(unix)]
#![allow(
    clippy::expect_used,
    reason = "a test that cannot prepare its files has failed"
)]

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

/// A folder with programs, a plugin home, and a kustomization.
struct Machine {
    folder: TempDir,
}

impl Machine {
    fn new() -> Machine {
        let folder = TempDir::new().expect("a folder");
        for name in ["bin", "plugins", "app"] {
            fs::create_dir(folder.path().join(name)).expect("a folder");
        }
        Machine { folder }
    }

    fn path(&self, name: &str) -> std::path::PathBuf {
        self.folder.path().join(name)
    }

    fn program(&self, name: &str, script: &str) {
        let place = self.path("bin").join(name);
        fs::write(&place, format!("#!/bin/sh\n{script}\n")).expect("a program");
        let mode = fs::Permissions::from_mode(0o755);
        fs::set_permissions(&place, mode).expect("a program");
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).expect("a file");
    }

    /// Returns the exit code and the report.
    fn doctor(&self, arguments: &[&str]) -> (i32, String) {
        let done = Command::new(env!("CARGO_BIN_EXE_inlay"))
            .current_dir(self.folder.path())
            .arg("doctor")
            .args(arguments)
            .env_clear()
            .env("PATH", self.path("bin"))
            .env("KUSTOMIZE_PLUGIN_HOME", self.path("plugins"))
            .output()
            .expect("the program starts");
        let text = String::from_utf8(done.stdout).expect("the report is text");
        (done.status.code().unwrap_or(-1), text)
    }
}

fn plugin_folder(home: &Path) -> std::path::PathBuf {
    home.join("inlay.dev/v1alpha1/inlay")
}

#[test]
fn names_the_programs_that_are_there_and_those_that_are_not() {
    let machine = Machine::new();
    machine.program("kustomize", "echo v5.8.2");
    machine.program("kpt", "exit 3");
    let (code, report) = machine.doctor(&[]);
    assert!(report.contains("kustomize v5.8.2  "), "{report}");
    assert!(
        report.contains("note: plugins need `--enable-alpha-plugins`"),
        "{report}"
    );
    assert!(report.contains("kubectl  not on PATH"), "{report}");
    assert!(report.contains("helm  not on PATH"), "{report}");
    // A program that exists but fails has to be repaired.
    assert!(report.contains("problem: it cannot be run"), "{report}");
    assert_eq!(code, 1, "{report}");
}

#[test]
fn a_plugin_that_is_a_link_to_nothing_is_a_problem() {
    let machine = Machine::new();
    let (code, report) = machine.doctor(&[]);
    assert!(report.contains("note: no plugin of kind Inlay"), "{report}");
    assert_eq!(code, 0, "{report}");
    let folder = plugin_folder(&machine.path("plugins"));
    fs::create_dir_all(&folder).expect("a folder");
    symlink("/does-not-exist/inlay", folder.join("Inlay")).expect("a link");
    let (code, report) = machine.doctor(&[]);
    assert!(report.contains("problem: "), "{report}");
    assert!(report.contains("is a link to nothing"), "{report}");
    assert_eq!(code, 1, "{report}");
}

#[test]
fn names_the_functions_of_a_kustomization_that_are_missing() {
    let machine = Machine::new();
    machine.write("app/kustomization.yaml", "transformers: [inlay.yaml]\n");
    machine.write(
        "app/inlay.yaml",
        "apiVersion: inlay.dev/v1alpha1\nkind: Inlay\nmetadata:\n  name: a\n  annotations:\n    \
         config.kubernetes.io/function: 'exec: {path: inlay-is-missing}'\nspec: {}\n",
    );
    let (code, report) = machine.doctor(&["app"]);
    assert!(report.contains("app/inlay.yaml: a function"), "{report}");
    let problem = "problem: the program `inlay-is-missing` is not found";
    assert!(report.contains(problem), "{report}");
    assert_eq!(code, 1, "{report}");
    machine.program("inlay-is-missing", "true");
    let (code, report) = machine.doctor(&["app"]);
    assert!(!report.contains("problem"), "{report}");
    assert_eq!(code, 0, "{report}");
}

#[test]
fn names_the_fields_that_only_inlay_reads() {
    let machine = Machine::new();
    machine.write(
        "app/kustomization.yaml",
        "configMapGenerator:\n- {name: a, behavior: merge, mergeValues: [{key: b}]}\n\
         patches:\n- {path: p.yaml, options: {allowMissing: true}}\n\
         replacements:\n- path: r.yaml\ngenerators: [g.yaml]\n",
    );
    machine.write(
        "app/r.yaml",
        "sourceValue: x\ntargets:\n- select: {kind: ConfigMap}\n  fieldPaths: [data.a]\n  \
         options: {encoding: base64, prefix: y}\n",
    );
    machine.write(
        "app/g.yaml",
        "apiVersion: builtin\nkind: ConfigMapGenerator\nmetadata: {name: g}\nmergeValues: []\n",
    );
    let (code, report) = machine.doctor(&["app"]);
    let lines = [
        "  app/kustomization.yaml: `mergeValues` is a field of Inlay: `inlay kustomize`; refused by kustomize and kubectl",
        "  app/kustomization.yaml: `allowMissing` is a field of Inlay: `inlay kustomize`; ignored without a message by kustomize and kubectl",
        "  app/r.yaml: `prefix` is a field of Inlay: `inlay kustomize`; ignored without a message by kustomize and kubectl",
        "  app/r.yaml: `encoding` is a field of Inlay: `inlay kustomize`; ignored without a message by kustomize and kubectl",
        "  app/g.yaml: `mergeValues` is a field of Inlay: `inlay kustomize`; ignored without a message by kustomize and kubectl",
    ];
    for line in lines {
        assert!(report.lines().any(|own| own == line), "{line}\n{report}");
    }
    assert!(!report.contains("builds it alike"), "{report}");
    assert_eq!(code, 0, "{report}");
}

#[test]
fn reads_the_pipeline_of_a_kpt_package() {
    let machine = Machine::new();
    machine.program("set-team", "cat");
    machine.write(
        "app/Kptfile",
        "pipeline:\n  mutators:\n  - image: example.org/set-namespace:v1\n  - exec: set-team --name web\n    \
         configPath: team.yaml\n  - exec: missing\n  validators:\n  - {}\n",
    );
    let (code, report) = machine.doctor(&["app"]);
    for line in [
        "  app/Kptfile: `example.org/set-namespace:v1`: a function in a container: `kpt fn render`; ",
        "  problem: none of `docker`, `podman`, `nerdctl` is on PATH",
        "  app/Kptfile: `set-team --name web`: a function: `kpt fn render --allow-exec`; ",
        "  problem: there is no file `app/team.yaml`",
        "  problem: the program `missing` is not found",
        "  problem: the step has neither `image` nor `exec`: kpt refuses it",
    ] {
        assert!(report.contains(line), "{line}: {report}");
    }
    assert!(!report.contains("`set-team` is not found"), "{report}");
    assert_eq!(code, 1);
    machine.program("docker", "exit 0");
    machine.write(
        "app/Kptfile",
        "pipeline: {mutators: [{image: set-namespace:v1}]}\n",
    );
    let (code, report) = machine.doctor(&["app"]);
    assert_eq!(code, 0, "{report}");
    machine.write("app/Kptfile", "pipeline: {mutators: {image: a}}\n");
    assert_eq!(machine.doctor(&["app"]).0, 1);
}
