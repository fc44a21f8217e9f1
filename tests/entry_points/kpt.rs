//! Inlay as a function of kpt.

use std::fs;
use std::path::PathBuf;

use crate::common::clients::lacks_a_client;
use crate::common::workspace::repository;
use crate::{Example, snapshot};

#[test]
fn kpt_fn_eval_edits_the_package() {
    let line = "kpt fn eval notifications --exec inlay --fn-config notifications/inlay.yaml";
    assert_package("kpt-eval", line, "notifications");
}

#[test]
fn kpt_fn_render_edits_the_package() {
    assert_package(
        "kpt-render",
        "kpt fn render notifications --allow-exec",
        "notifications",
    );
}

#[test]
fn kpt_fn_source_and_sink_carry_the_package_through_a_pipe() {
    let line = "kpt fn source notifications --fn-config notifications/inlay.yaml | inlay | kpt fn sink edited";
    assert_package("kpt-pipe", line, "edited");
}

#[test]
fn a_kpt_package_can_be_rendered_again() {
    let line = "kpt fn eval package --exec inlay --fn-config made.yaml";
    if lacks_a_client(line) {
        return;
    }
    let example = Example::new("kpt-again", "kpt-package");
    let package = example.folder.join("package");
    fs::create_dir(&package).expect("a package can be made");
    let pod = "apiVersion: v1\nkind: Pod\nmetadata:\n  name: p\nspec:\n  containers:\n  - name: c\n    envFrom:\n    - configMapRef: {name: made} # theirs\n";
    fs::write(package.join("pod.yaml"), pod).expect("a package can be written");
    for (literal, name) in [
        ("a=1", "made-h29d89cmmt"),
        ("a=1", "made-h29d89cmmt"),
        ("a=2", "made-6gtghh96k8"),
    ] {
        let config = format!(
            "apiVersion: inlay.dev/v1alpha1\nkind: Inlay\nmetadata:\n  name: made\nspec:\n  configMapGenerator:\n  \
             - name: made\n    literals: [{literal}]\n"
        );
        fs::write(example.folder.join("made.yaml"), config)
            .expect("a configuration can be written");
        let outcome = example.shell(line);
        assert_eq!(outcome.code, 0, "{literal}: {}", outcome.stderr);
        let files = snapshot(&package);
        assert_eq!(files.len(), 2, "{literal}: {files:?}");
        let texts: String = files.into_iter().map(|(_, text)| text).collect();
        assert_eq!(
            (texts.matches(name).count(), texts.matches("made-").count()),
            (2, 2),
            "{literal}: {texts}"
        );
        assert!(
            texts.contains(&format!("- configMapRef: {{name: {name}}} # theirs")),
            "{texts}"
        );
    }
}

#[test]
fn kpt_merges_values_into_the_package() {
    for (line, file) in [
        (
            "kpt fn eval notifications --exec inlay --fn-config merge.yaml",
            "notifications/configmap.yaml",
        ),
        (
            "kpt fn source notifications --fn-config merge.yaml | inlay | kpt fn sink edited",
            "edited/configmap.yaml",
        ),
    ] {
        if lacks_a_client(line) {
            continue;
        }
        let example = Example::new("kpt-merges", "kpt-package");
        let before = example.read("notifications/configmap.yaml");
        let config = "apiVersion: inlay.dev/v1alpha1\nkind: Inlay\nmetadata:\n  name: merge\nspec:\n  configMapGenerator:\n  \
                      - name: notifications\n    behavior: merge\n    mergeValues:\n    - key: limits.json\n    literals:\n    \
                      - limits.json: '{\"daily\": 900, \"burst\": 2.0}'\n";
        fs::write(example.folder.join("merge.yaml"), config)
            .expect("a configuration can be written");
        let outcome = example.shell(line);
        assert_eq!(outcome.code, 0, "{line}: {}", outcome.stderr);
        let expected = before.replace("\"burst\": 1.0", "\"daily\": 900, \"burst\": 2.0");
        assert_ne!(expected, before, "the example has the limits");
        assert_eq!(example.read(file), expected, "{line}");
    }
}

#[test]
fn a_config_map_in_a_kptfile_contains_files_and_values() {
    let line = "kpt fn render package --allow-exec && kpt fn render package --allow-exec";
    if lacks_a_client(line) {
        return;
    }
    let example = Example::new("config-map", "template");
    let kptfile = "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: package\npipeline:\n  mutators:\n  - exec: inlay\n    \
                   configMap:\n      image.tag: 4.1.0\n      version.yml: |\n        #@ load(\"@ytt:data\", \"data\")\n        ---\n        \
                   apiVersion: v1\n        kind: ConfigMap\n        metadata: {name: version}\n        data:\n          \
                   version: #@ data.values.image.tag\n";
    fs::create_dir(example.folder.join("package")).expect("a folder can be made");
    fs::write(example.folder.join("package/Kptfile"), kptfile).expect("a file can be written");
    fs::copy(
        example.folder.join("resources.yaml"),
        example.folder.join("package/resources.yaml"),
    )
    .expect("a copy");
    let outcome = example.shell(line);
    assert_eq!(outcome.code, 0, "{line}: {}", outcome.stderr);
    let made =
        "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: version\ndata:\n  version: 4.1.0\n";
    assert_eq!(example.read("package/configmap_version.yaml"), made);
    assert_eq!(
        example.read("package/resources.yaml"),
        example.read("resources.yaml"),
        "existing resources stay"
    );
}

/// Runs a command that edits the package of `kpt-package` and compares the resulting folder: the
/// ConfigMap equals the example's `expected.yaml`, and every other file is unchanged.
fn assert_package(test: &str, line: &str, result: &str) {
    if lacks_a_client(line) {
        return;
    }
    let example = Example::new(test, "kpt-package");
    let outcome = example.shell(line);
    assert_eq!(outcome.code, 0, "{line}: {}", outcome.stderr);
    let original = repository().join("kustomization-examples/kpt-package");
    let expected: Vec<(PathBuf, String)> = snapshot(&original.join("notifications"))
        .into_iter()
        .map(|(path, text)| {
            if path.ends_with("configmap.yaml") {
                (path, example.read("expected.yaml"))
            } else {
                (path, text)
            }
        })
        .collect();
    assert_eq!(snapshot(&example.folder.join(result)), expected, "{line}");
}
