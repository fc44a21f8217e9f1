//! `inlay build --matrix`: each render has the bytes of a separate build, and only changed outputs
//! are written.

#![cfg(unix)]
#![allow(
    clippy::expect_used,
    reason = "a test that cannot prepare its files has failed"
)]

mod common {
    pub(crate) mod workspace;
}

use std::fs;
use std::path::PathBuf;

use common::workspace::{Outcome, shell, workspace};

/// A copy of the example for a fleet, and a shell in it.
struct Fleet {
    workspace: PathBuf,
    folder: PathBuf,
}

impl Fleet {
    fn new(name: &str) -> Fleet {
        let workspace = workspace(name);
        let folder = workspace.join("examples/fleet");
        Fleet { workspace, folder }
    }

    fn run(&self, line: &str) -> Outcome {
        shell(&self.workspace, &self.folder, line)
    }

    fn succeed(&self, line: &str) -> Outcome {
        let outcome = self.run(line);
        assert_eq!(outcome.code, 0, "{line}: {}", outcome.stderr);
        outcome
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.folder.join(name), text).expect("a file can be written");
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.folder.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    fn matrix(&self, spec: &str) {
        let head = "apiVersion: inlay.dev/v1alpha1\nkind: Matrix\nspec:\n";
        self.write("matrix.yml", &format!("{head}{spec}"));
    }
}

const BUILD: &str = "inlay build -f config --matrix matrix.yml";

#[test]
fn diagnostics_for_programs_have_no_summary() {
    let fleet = Fleet::new("matrix-diagnostics");
    let sarif = fleet
        .succeed(&format!("{BUILD} --diagnostics sarif"))
        .stderr;
    let log: serde_json::Value = serde_json::from_str(&sarif).expect("one JSON document");
    assert_eq!(log["version"], "2.1.0");
    for format in ["json", "short", "github"] {
        let build = format!("{BUILD} --diagnostics {format}");
        assert_eq!(fleet.succeed(&build).stderr, "", "{format}");
    }
}

#[test]
fn renders_are_those_of_single_builds() {
    let fleet = Fleet::new("matrix-single");
    fleet.succeed(BUILD);
    for cluster in ["berlin", "lima", "oslo"] {
        let single = fleet.succeed(&format!("inlay build -f config -d clusters/{cluster}.yml"));
        assert!(single.stdout.contains("kind: "), "{}", single.stdout);
        assert_eq!(
            fleet.read(&format!("rendered/{cluster}.yaml")),
            single.stdout
        );
    }
}

#[test]
fn only_what_changes_is_written() {
    let fleet = Fleet::new("matrix-changes");
    let first = fleet.succeed(BUILD);
    assert_eq!(first.stdout.lines().count(), 3, "{}", first.stdout);
    let second = fleet.succeed(BUILD);
    assert_eq!(second.stdout, "");
    assert!(
        second
            .stderr
            .contains("3 renders: 0 written, 3 unchanged, 0 failed")
    );
    fleet.write("clusters/oslo.yml", "cluster: oslo\nreplicas: 7\n");
    let compared = fleet.run(&format!("{BUILD} --check"));
    assert_eq!(compared.code, 1, "{}", compared.stderr);
    assert!(
        compared.stdout.contains("rendered/oslo.yaml"),
        "{}",
        compared.stdout
    );
    let diff = fleet.succeed(&format!("{BUILD} --diff"));
    assert!(diff.stdout.contains("+  replicas: 7"), "{}", diff.stdout);
    let third = fleet.succeed(BUILD);
    assert_eq!(third.stdout, "creating: rendered/oslo.yaml\n");
    assert_eq!(fleet.succeed(&format!("{BUILD} --check")).stdout, "");
}

#[test]
fn a_render_that_fails_keeps_its_old_output_and_stops_no_other() {
    let fleet = Fleet::new("matrix-failure");
    fleet.succeed(BUILD);
    let old = fleet.read("rendered/lima.yaml");
    fleet.write("clusters/lima.yml", "cluster: lima\nreplicas: many\n");
    fleet.write("clusters/oslo.yml", "cluster: oslo\nreplicas: 7\n");
    let outcome = fleet.run(BUILD);
    assert_eq!(outcome.code, 1);
    assert_eq!(outcome.stdout, "creating: rendered/oslo.yaml\n");
    assert!(
        outcome.stderr.contains("in the render `lima`"),
        "{}",
        outcome.stderr
    );
    assert!(
        outcome.stderr.contains("1 failed: `lima`"),
        "{}",
        outcome.stderr
    );
    assert_eq!(fleet.read("rendered/lima.yaml"), old);
    assert!(fleet.read("rendered/oslo.yaml").contains("replicas: 7"));
}

#[test]
fn an_empty_output_that_cannot_be_written_stops_no_other() {
    let fleet = Fleet::new("matrix-empty");
    fleet.succeed("rm -f config/*.yml; mkdir -p rendered/lima.yaml");
    fleet.write(
        "config/app.yml",
        "#@ load(\"@ytt:data\", \"data\")\n#@ if data.values.cluster != \"lima\":\n---\nkind: A\n#@ end\n",
    );
    for cluster in ["berlin", "lima", "oslo"] {
        let values = format!("cluster: {cluster}\n");
        fleet.write(&format!("clusters/{cluster}.yml"), &values);
    }
    fleet.write("config/values.yml", "#@data/values\n---\ncluster: none\n");
    let outcome = fleet.run(BUILD);
    assert_eq!(outcome.code, 1, "{}", outcome.stdout);
    let written = "creating: rendered/berlin.yaml\ncreating: rendered/oslo.yaml\n";
    assert_eq!(outcome.stdout, written, "{}", outcome.stderr);
    let summary = "3 renders: 2 written, 0 unchanged, 1 failed: `lima`";
    assert!(outcome.stderr.contains(summary), "{}", outcome.stderr);
}

#[test]
fn later_data_values_count() {
    let fleet = Fleet::new("matrix-order");
    fleet.write("shared.yml", "replicas: 11\n");
    fleet.write("more.yml", "replicas: 13\n");
    let cases = [
        (
            "  valuesFiles: [shared.yml]\n  renders:\n  - name: x\n",
            "",
            11,
        ),
        (
            "  valuesFiles: [shared.yml]\n  renders:\n  - each: clusters/o*lo.yml\n",
            "",
            2,
        ),
        (
            "  renders:\n  - each: clusters/o*lo.yml\n    valuesFiles: [more.yml]\n",
            "",
            13,
        ),
        (
            "  renders:\n  - each: clusters/o*lo.yml\n    valuesFiles: [more.yml]\n    values: {replicas: 17}\n",
            "",
            17,
        ),
        (
            "  renders:\n  - name: x\n    values: {replicas: 17}\n",
            " --data-value-yaml replicas=19",
            19,
        ),
    ];
    fleet.write("clusters/oslo.yml", "cluster: oslo\nreplicas: 2\n");
    for (spec, flags, replicas) in cases {
        fleet.matrix(&format!("  output: out/{{name}}.yaml\n{spec}"));
        fleet.succeed(&format!("rm -rf out && {BUILD}{flags}"));
        let text = fleet.succeed("cat out/*").stdout;
        assert!(
            text.contains(&format!("replicas: {replicas}\n")),
            "{spec}{flags}: {text}"
        );
    }
}

#[test]
fn a_pattern_may_match_folders_and_an_output_may_be_a_folder() {
    let fleet = Fleet::new("matrix-folders");
    fleet.succeed("mkdir -p sites/a sites/b sites/.c sites/empty");
    for site in ["a", "b", ".c"] {
        fleet.write(
            &format!("sites/{site}/values.yml"),
            "cluster: x\nreplicas: 4\n",
        );
    }
    fleet.matrix("  output: out/{name}/\n  renders:\n  - each: sites/*/values.yml\n");
    fleet.succeed(BUILD);
    let expected = fleet.succeed(
        "inlay build -f config -d sites/a/values.yml --output-files single >/dev/null; ls single",
    );
    for site in ["a", "b"] {
        let list = fleet.succeed(&format!("ls out/{site}"));
        assert_eq!(list.stdout, expected.stdout);
        fleet.succeed(&format!("diff -r out/{site} single"));
    }
    assert_eq!(fleet.succeed("ls -A out").stdout, "a\nb\n");
}

/// Otherwise, two renders could both request standard input, and one of them would get nothing.
#[test]
fn standard_input_is_read_once_for_all_renders() {
    let fleet = Fleet::new("matrix-stdin");
    fleet.matrix("  output: out/{name}.yaml\n  renders:\n  - each: clusters/*.yml\n");
    fleet.succeed("printf 'a: 1\\n' | inlay build -f more.yml=- -f config --matrix matrix.yml");
    for cluster in ["berlin", "lima", "oslo"] {
        let text = fleet.read(&format!("out/{cluster}.yaml"));
        assert!(text.starts_with("a: 1\n---\n"), "{text}");
    }
}
