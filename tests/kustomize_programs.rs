//! Plugins that are programs: KRM functions and exec plugins, beside the real kustomize.

#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::expect_used)]

#[path = "common/clients.rs"]
mod clients;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output};

use tempfile::TempDir;

const APP: &str = "\
apiVersion: v1
kind: ConfigMap
metadata: {name: app}
data: {a: one}
";

const KUSTOMIZATION: &str = "\
resources: [app.yaml]
namePrefix: p-
configMapGenerator:
- {name: made, literals: [x=y]}
transformers: [plugin.yaml]
";

const FUNCTION: &str = "\
apiVersion: example.com/v1
kind: Upper
metadata:
  name: upper
  annotations:
    config.kubernetes.io/function: |
      exec: {path: ./program}
";

/// Reads a ResourceList and writes it with another value.
const CHANGES_A_VALUE: &str = "#!/bin/sh\nsed 's/a: one/a: TWO/'\n";

struct Folder(TempDir);

impl Folder {
    fn new(files: &[(&str, &str)]) -> Folder {
        let folder = Folder(tempfile::tempdir().unwrap());
        for (name, text) in files {
            folder.write(name, text);
        }
        folder
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.0.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        if text.starts_with("#!") {
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        }
    }

    fn run(&self, program: &str, command: &str, flags: &[&str]) -> Output {
        Command::new(program)
            .arg(command)
            .arg(".")
            .args(flags)
            .current_dir(self.0.path())
            .env("KUSTOMIZE_PLUGIN_HOME", self.0.path().join("plugins"))
            .output()
            .unwrap()
    }

    fn inlay(&self, flags: &[&str]) -> Output {
        self.run(env!("CARGO_BIN_EXE_inlay"), "kustomize", flags)
    }

    /// Builds with Inlay, and with kustomize if it is installed. Checks that both print the same.
    fn build(&self, flags: &[&str]) -> String {
        let ours = self.inlay(flags);
        let text = String::from_utf8(ours.stdout).unwrap();
        assert!(
            ours.status.success(),
            "{}",
            String::from_utf8_lossy(&ours.stderr)
        );
        if !clients::lacks_a_client("kustomize build") {
            let theirs = self.run("kustomize", "build", flags);
            assert!(
                theirs.status.success(),
                "{}",
                String::from_utf8_lossy(&theirs.stderr)
            );
            assert_eq!(text, String::from_utf8(theirs.stdout).unwrap());
        }
        text
    }

    fn error(&self, flags: &[&str]) -> String {
        let output = self.inlay(flags);
        assert!(!output.status.success());
        assert!(output.stdout.is_empty());
        String::from_utf8(output.stderr).unwrap()
    }
}

/// Prints one object with an annotation for its origin.
const PRINTS_AN_ORIGIN: &str = "\
#!/bin/sh
cat <<'END'
apiVersion: v1
kind: ConfigMap
metadata:
  name: made
  annotations:
    config.kubernetes.io/origin: |
      path: other.yaml
    alpha.config.kubernetes.io/transformations: |
      - configuredIn: before.yaml
END
";

#[test]
fn an_object_of_a_program_keeps_the_origin_that_it_names() {
    for metadata in ["originAnnotations", "transformerAnnotations"] {
        let kustomization = format!("transformers: [plugin.yaml]\nbuildMetadata: [{metadata}]\n");
        let folder = Folder::new(&[
            ("kustomization.yaml", &kustomization),
            ("plugin.yaml", FUNCTION),
            ("program", PRINTS_AN_ORIGIN),
        ]);
        let text = folder.build(&ENABLED);
        let expected = match metadata {
            "originAnnotations" => "      path: other.yaml\n  name: made\n",
            _ => {
                "      - configuredIn: before.yaml\n      - configuredIn: plugin.yaml\n        configuredBy:\n"
            }
        };
        assert!(text.contains(expected), "{text}");
    }
}

const ENABLED: [&str; 2] = ["--enable-alpha-plugins", "--enable-exec"];

#[test]
fn a_function_changes_objects_and_they_keep_their_names_and_suffixes() {
    let folder = Folder::new(&[
        ("app.yaml", APP),
        ("kustomization.yaml", KUSTOMIZATION),
        ("plugin.yaml", FUNCTION),
        ("program", CHANGES_A_VALUE),
    ]);
    let text = folder.build(&ENABLED);
    assert!(text.contains("a: TWO"), "{text}");
    assert!(text.contains("name: p-app\n"), "{text}");
    assert!(text.contains("name: p-made-"), "{text}");
    assert!(!text.contains("config.k8s.io"), "{text}");
}

#[test]
fn a_function_generates_objects() {
    let program = "#!/bin/sh\ncat >/dev/null\nprintf '%s\\n' 'apiVersion: config.kubernetes.io/v1' 'kind: ResourceList' 'items:' '- apiVersion: v1' '  kind: ConfigMap' '  metadata:' '    name: hashed' '    annotations: {kustomize.config.k8s.io/needs-hash: \"true\"}' '  data: {k: v}'\n";
    let folder = Folder::new(&[
        ("app.yaml", APP),
        (
            "kustomization.yaml",
            "resources: [app.yaml]\ngenerators: [plugin.yaml]\n",
        ),
        ("plugin.yaml", FUNCTION),
        ("program", program),
    ]);
    let text = folder.build(&ENABLED);
    assert!(text.contains("name: hashed-"), "{text}");
}

/// Prints objects that are merged with others, or replace them.
const PRINTS_BEHAVIORS: &str = "\
#!/bin/sh
cat > /dev/null
cat <<'END'
apiVersion: v1
kind: ConfigMap
metadata:
  name: merged
  labels: {b: new, c: new}
  annotations:
    kustomize.config.k8s.io/behavior: merge
    kustomize.config.k8s.io/needs-hash: 'True'
data: {b: new, c: '1'}
binaryData: {z: aGk=}
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: replaced
  annotations: {kustomize.config.k8s.io/behavior: replace, own: x}
data: {b: new}
---
apiVersion: example.com/v1
kind: Custom
metadata:
  name: custom
  namespace: default
  annotations: {kustomize.config.k8s.io/behavior: merge}
spec: {b: new}
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: added
  annotations: {kustomize.config.k8s.io/behavior: create}
END
";

const MERGED_OBJECTS: &str = "\
apiVersion: v1
kind: ConfigMap
metadata:
  name: merged
  labels: {a: old, b: old}
  annotations: {n: '1'}
data: {a: old, b: old, n: 1}
immutable: true
---
apiVersion: v1
kind: ConfigMap
metadata: {name: replaced, labels: {a: old}, annotations: {old: x}}
data: {a: old}
---
apiVersion: example.com/v1
kind: Custom
metadata: {name: custom, labels: {a: old}}
spec: {a: old}
data: {a: old}
---
apiVersion: v1
kind: Pod
metadata: {name: user}
spec:
  volumes:
  - {name: a, configMap: {name: merged}}
  - {name: b, configMap: {name: replaced}}
";

#[test]
fn a_program_merges_its_objects_with_others_and_replaces_others() {
    for (base, overlay) in [
        ("", ""),
        ("namePrefix: p-\n", ""),
        (
            "namePrefix: p-\ncommonLabels: {l: x}\n",
            "nameSuffix: -s\ncommonLabels: {b: last}\n",
        ),
        ("", "buildMetadata: [originAnnotations]\n"),
        (
            "",
            "buildMetadata: [transformerAnnotations]\nnamePrefix: q-\n",
        ),
    ] {
        let base = format!("resources: [objects.yaml]\n{base}");
        let overlay = format!("resources: [base]\ngenerators: [plugin.yaml]\n{overlay}");
        let folder = Folder::new(&[
            ("base/objects.yaml", MERGED_OBJECTS),
            ("base/kustomization.yaml", &base),
            ("kustomization.yaml", &overlay),
            ("plugin.yaml", FUNCTION),
            ("program", PRINTS_BEHAVIORS),
        ]);
        let text = folder.build(&ENABLED);
        assert!(
            text.contains("  a: old\n  b: new\n  c: \"1\"\n  \"n\": \"1\"\n"),
            "{text}"
        );
        assert!(
            !text.contains("immutable") && !text.contains("behavior"),
            "{text}"
        );
    }
}

#[test]
fn a_program_cannot_merge_with_an_object_that_is_not_there() {
    let print = |behavior: &str| {
        format!(
            "#!/bin/sh\ncat >/dev/null\necho '{{apiVersion: v1, kind: ConfigMap, metadata: {{name: app, namespace: {behavior}, annotations: {{kustomize.config.k8s.io/behavior: {behavior}}}}}}}'\n"
        )
    };
    for (behavior, message) in [
        ("merge", "does not exist; cannot merge or replace"),
        (
            "other",
            "a program generates an object with the behavior `other`",
        ),
    ] {
        let folder = Folder::new(&[
            ("app.yaml", APP),
            (
                "kustomization.yaml",
                "resources: [app.yaml]\ngenerators: [plugin.yaml]\n",
            ),
            ("plugin.yaml", FUNCTION),
            ("program", &print(behavior)),
        ]);
        let error = folder.error(&ENABLED);
        assert!(error.contains(message), "{error}");
    }
}

#[test]
fn an_exec_plugin_gets_its_configuration_in_a_file() {
    let program = "#!/bin/sh\ngrep -q 'kind: Upper' \"$1\" && test \"$2-$3-$4\" = 'a b-c -d' && sed \"s/a: one/a: $(basename \"$KUSTOMIZE_PLUGIN_CONFIG_ROOT\" | wc -l | tr -d ' ')x/\"\n";
    let plugin = "apiVersion: example.com/v1\nkind: Upper\nmetadata: {name: upper}\nargsOneLiner: \"'a b'\"\nargsFromFile: arguments\n";
    let folder = Folder::new(&[
        ("app.yaml", APP),
        ("arguments", "  c \n\nd\n"),
        ("kustomization.yaml", KUSTOMIZATION),
        ("plugin.yaml", plugin),
        ("plugins/example.com/v1/upper/Upper", program),
    ]);
    let text = folder.build(&ENABLED);
    assert!(text.contains("a: 1x"), "{text}");
}

#[test]
fn a_program_that_may_not_run_or_fails_is_an_error() {
    let folder = Folder::new(&[
        ("app.yaml", APP),
        ("kustomization.yaml", KUSTOMIZATION),
        ("plugin.yaml", FUNCTION),
        (
            "program",
            "#!/bin/sh\ntouch ran\necho 'no luck' >&2\nexit 3\n",
        ),
    ]);
    let error = folder.error(&[]);
    assert!(error.contains("external plugins disabled"), "{error}");
    let error = folder.error(&["--enable-alpha-plugins"]);
    assert!(error.contains("add the flag `--enable-exec`"), "{error}");
    assert!(!Path::new(&folder.0.path().join("ran")).exists());
    let error = folder.error(&ENABLED);
    assert!(error.contains("failed: exit status: 3"), "{error}");
    assert!(error.contains("no luck"), "{error}");
}

#[test]
fn a_container_and_a_program_outside_are_refused() {
    let container = FUNCTION.replace("exec: {path: ./program}", "container: {image: a/b}");
    let outside = FUNCTION.replace("./program", "../program");
    for (plugin, message) in [
        (container.as_str(), "no containers"),
        (&outside, "../program"),
    ] {
        let folder = Folder::new(&[
            ("app.yaml", APP),
            ("kustomization.yaml", KUSTOMIZATION),
            ("plugin.yaml", plugin),
        ]);
        let error = folder.error(&ENABLED);
        assert!(error.contains(message), "{error}");
    }
}

/// The program of each folder produces the output of that folder.
#[test]
fn a_comparison_with_another_folder_runs_the_programs_of_both() {
    let files = |program| {
        Folder::new(&[
            ("app.yaml", APP),
            ("kustomization.yaml", KUSTOMIZATION),
            ("plugin.yaml", FUNCTION),
            ("program", program),
        ])
    };
    let base = files("#!/bin/sh\nsed 's/a: one/a: OLD/'\n");
    let here = files(CHANGES_A_VALUE);
    let against = base.0.path().to_str().unwrap();
    let flags = [
        "--enable-alpha-plugins",
        "--enable-exec",
        "--diff",
        "--against",
        against,
    ];
    let output = here.inlay(&flags);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        text.contains("-  a: OLD\n+  a: TWO\n"),
        "{text}{}",
        String::from_utf8_lossy(&output.stderr)
    );
}
