//! `inlay kustomize fix` with `vars`: the real `kustomize` prints the same output before and after.

#![allow(clippy::unwrap_used, clippy::expect_used)]

#[path = "common/clients.rs"]
mod clients;

use std::fs;
use std::path::Path;
use std::process::Command;

const OBJECTS: &str = "\
apiVersion: v1
kind: Service
metadata: {name: api, namespace: shop}
spec: {ports: [{port: 80, name: http}]}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: settings}
data: {port: \"8080\", host: a/b:c}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, annotations: {example.com/host: $(HOST), whole: $(PORT)}}
spec:
  template:
    spec:
      containers:
      - name: web
        args: [ARGUMENTS]
        env:
        - {name: URL, value: http://$(HOST)/v1}
        - {name: USER, value: $(USER)}
      - name: web-sidecar
        args: [--host=$(HOST)]
";

const VARS: &str = "\
# The variables.
vars: # all
- name: HOST # the service
  objref: {apiVersion: v1, kind: Service, name: api}
- name: PORT
  objref: {apiVersion: v1, kind: ConfigMap, name: settings}
  fieldref: {fieldpath: data.port}
- name: PATH
  objref: {apiVersion: v1, kind: ConfigMap, name: settings}
  fieldref: {fieldpath: data.host}
- name: NUMBER
  objref: {apiVersion: v1, kind: Service, name: api}
  fieldref: {fieldpath: 'spec.ports[0].port'}
";

/// Other fields of the kustomization, the arguments of the container, and the variables that
/// remain.
const CASES: [(&str, &str, &[&str]); 11] = [
    ("", "$(HOST)", &["NUMBER", "PATH"]),
    ("namePrefix: p-\n", "$(HOST):$(PORT)", &["NUMBER", "PATH"]),
    ("namespace: other\n", "x/$(PATH)/y/$(HOST)/z", &["NUMBER"]),
    ("", "$(HOST)/$(HOST)", &["NUMBER", "PATH"]),
    ("", "--x=$(HOST).svc", &["HOST", "NUMBER", "PATH"]),
    ("", "$(HOST)$(PORT)", &["HOST", "NUMBER", "PATH", "PORT"]),
    ("", "$$(HOST) $(PORT)", &["HOST", "NUMBER", "PATH", "PORT"]),
    ("", "$(NUMBER)", &["NUMBER", "PATH"]),
    ("", "--port=$(NUMBER)", &["PATH"]),
    (
        "replacements:\n- source: {kind: Service, name: api}\n  targets:\n  - select: {kind: ConfigMap}\n    fieldPaths: [data.new]\n    options: {create: true}\n",
        "$(PATH)",
        &["NUMBER"],
    ),
    (
        "configMapGenerator:\n- {name: settings, behavior: merge, literals: [port=9]}\n",
        "$(HOST)=$(PORT)",
        &["NUMBER", "PATH"],
    ),
];

#[test]
fn variables_become_replacements_that_do_the_same() {
    if clients::lacks_a_client("kustomize build") {
        return;
    }
    for (fields, arguments, kept) in CASES {
        let folder = tempfile::tempdir().unwrap();
        let objects = OBJECTS.replace("ARGUMENTS", arguments);
        fs::write(folder.path().join("objects.yaml"), &objects).unwrap();
        let text = format!("resources: [objects.yaml]\n{fields}{VARS}");
        let file = folder.path().join("kustomization.yaml");
        fs::write(&file, text).unwrap();
        let before = run("kustomize", &["build"], folder.path());
        let fix = run(
            env!("CARGO_BIN_EXE_inlay"),
            &["kustomize", "fix"],
            folder.path(),
        );
        let after = run("kustomize", &["build"], folder.path());
        let fixed = fs::read_to_string(&file).unwrap();
        assert_eq!(after.output, before.output, "{arguments}: {fixed}");
        let stays: Vec<&str> = ["HOST", "NUMBER", "PATH", "PORT"]
            .into_iter()
            .filter(|name| fixed.contains(&format!("- name: {name}")))
            .collect();
        assert_eq!(stays, kept, "{arguments}: {fixed}");
        for name in kept {
            let message = format!("the variable `{name}` stays: ");
            assert!(fix.messages.contains(&message), "{}", fix.messages);
        }
        // The files that contain the texts are unchanged, and a second run changes nothing.
        let unchanged = fs::read_to_string(folder.path().join("objects.yaml")).unwrap();
        assert_eq!(unchanged, objects);
        run(
            env!("CARGO_BIN_EXE_inlay"),
            &["kustomize", "fix"],
            folder.path(),
        );
        assert_eq!(fs::read_to_string(&file).unwrap(), fixed);
    }
}

#[test]
fn a_kustomization_that_does_not_build_keeps_its_variables() {
    let folder = tempfile::tempdir().unwrap();
    let text = format!("resources: [missing.yaml]\n{VARS}");
    let file = folder.path().join("kustomization.yaml");
    fs::write(&file, &text).unwrap();
    let fix = run(
        env!("CARGO_BIN_EXE_inlay"),
        &["kustomize", "fix"],
        folder.path(),
    );
    assert!(
        fix.messages
            .contains("`vars` stay: the kustomization has to be built")
    );
    assert!(fs::read_to_string(&file).unwrap().ends_with(&text));
}

#[test]
fn comments_stay_with_the_items_that_move() {
    let table = [
        (
            "resources: [a.yaml] # all\n# Why.\nbases: [../base, ../more] # old\n",
            "resources: # all\n- a.yaml\n# Why.\n# old\n- ../base\n- ../more\n",
        ),
        (
            "resources:\n- a.yaml\nnamePrefix: a-\n# Why.\nbases: # old\n# The base.\n- ../base\n",
            "resources:\n- a.yaml\n# Why.\n# old\n# The base.\n- ../base\nnamePrefix: a-\n",
        ),
        (
            "namePrefix: a-\n# Why.\nbases: [../base] # old\n",
            "namePrefix: a-\n# Why.\nresources: [../base] # old\n",
        ),
    ];
    for (text, expected) in table {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("kustomization.yaml");
        fs::write(&file, text).unwrap();
        run(
            env!("CARGO_BIN_EXE_inlay"),
            &["kustomize", "fix"],
            folder.path(),
        );
        let fixed = fs::read_to_string(&file).unwrap();
        let (_, fixed) = fixed.split_once("kind: Kustomization\n").unwrap();
        assert_eq!(fixed, expected, "{text}");
    }
}

struct Run {
    output: String,
    messages: String,
}

fn run(program: &str, arguments: &[&str], folder: &Path) -> Run {
    let output = Command::new(program)
        .args(arguments)
        .current_dir(folder)
        .output()
        .unwrap();
    let messages = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{program}: {messages}");
    let output = String::from_utf8(output.stdout).unwrap();
    Run { output, messages }
}
