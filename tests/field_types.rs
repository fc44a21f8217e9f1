//! Every entry point writes the types that the API server accepts. The table of text and integer
//! fields is tried on every kind with a pod template, on its own and in a `List`, and on a custom
//! resource of the same shape, whose types are unknown.

#![cfg(unix)]
#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "a test that cannot prepare its files has failed"
)]

mod common {
    pub(crate) mod workspace;
}

use std::fs;
use std::path::{Path, PathBuf};

use common::workspace::{Outcome, shell, workspace};
use inlay::edit::{EditOptions, FieldPath, find};
use inlay::source::Source;
use inlay::yaml::{Value, parse};

/// An API version, a kind, and the fields that lead to the pod template of its objects.
type Kind = (&'static str, &'static str, &'static [&'static str]);

/// The kinds with a pod template, and the fields that lead to it.
const KINDS: [Kind; 9] = [
    ("v1", "Pod", &[]),
    ("v1", "PodTemplate", &["template"]),
    ("v1", "ReplicationController", &["spec", "template"]),
    ("apps/v1", "Deployment", &["spec", "template"]),
    ("apps/v1", "StatefulSet", &["spec", "template"]),
    ("apps/v1", "DaemonSet", &["spec", "template"]),
    ("apps/v1", "ReplicaSet", &["spec", "template"]),
    ("batch/v1", "Job", &["spec", "template"]),
    (
        "batch/v1",
        "CronJob",
        &["spec", "jobTemplate", "spec", "template"],
    ),
];

/// A custom kind, whose fields may have any type.
const CUSTOM: Kind = ("example.com/v1", "Thing", &["spec", "template"]);

#[derive(Clone, Copy, Debug, PartialEq)]
enum Type {
    Text,
    Integer,
}

/// Fields of a pod template, each with its value in the objects and its required type.
const FIELDS: [(&str, &str, Type); 12] = [
    ("metadata.labels.a", "x", Type::Text),
    ("metadata.annotations.a", "x", Type::Text),
    ("spec.nodeSelector.a", "x", Type::Text),
    ("spec.terminationGracePeriodSeconds", "1", Type::Integer),
    ("spec.containers.0.args.0", "x", Type::Text),
    ("spec.containers.0.command.0", "x", Type::Text),
    ("spec.containers.0.env.0.value", "x", Type::Text),
    (
        "spec.containers.0.ports.0.containerPort",
        "1",
        Type::Integer,
    ),
    (
        "spec.containers.0.livenessProbe.httpGet.port",
        "1",
        Type::Integer,
    ),
    (
        "spec.containers.0.securityContext.runAsUser",
        "1",
        Type::Integer,
    ),
    ("spec.volumes.0.secret.defaultMode", "1", Type::Integer),
    ("spec.tolerations.0.tolerationSeconds", "1", Type::Integer),
];

/// A pod template whose fields all have the wrong type.
const WRONG: &str = r#"{
  metadata: {labels: {a: 80}, annotations: {a: 80}},
  spec: {
    nodeSelector: {a: 80}, terminationGracePeriodSeconds: "80",
    containers: [{
      name: c, args: [80], command: [80], env: [{name: A, value: 80}], ports: [{containerPort: "80"}],
      livenessProbe: {httpGet: {port: "80"}}, securityContext: {runAsUser: "80"}
    }],
    volumes: [{name: v, secret: {defaultMode: "80"}}],
    tolerations: [{key: k, tolerationSeconds: "80"}]
  }
}"#;

/// Returns an object with a pod template. `is_filled` selects whether the template has the fields.
fn object(kind: &Kind, is_filled: bool) -> String {
    let (api_version, kind, path) = kind;
    let template = match is_filled {
        true => WRONG.replace("\"80\"", "1").replace("80", "x"),
        false => "{spec: {containers: [{name: c}]}}".to_owned(),
    };
    let template = template.replace('\n', " ");
    let head = format!("apiVersion: {api_version}, kind: {kind}");
    if path.is_empty() {
        let name = "metadata: {name: x, ";
        let template = match is_filled {
            true => template.replacen("metadata: {", name, 1),
            false => template.replacen('{', "{metadata: {name: x}, ", 1),
        };
        return template.replacen('{', &format!("{{{head}, "), 1);
    }
    format!(
        "{{{head}, metadata: {{name: x}}, {}}}",
        nested(path, &template)
    )
}

/// Returns `a: {b: value}` for the path `a`, `b`.
fn nested(path: &[&str], value: &str) -> String {
    match path {
        [] => value.to_owned(),
        [last] => format!("{last}: {value}"),
        [first, rest @ ..] => format!("{first}: {{{}}}", nested(rest, value)),
    }
}

/// Returns the path of a field in the pod template.
fn path_of(path: &[&str], field: &str) -> String {
    let path: String = path.iter().map(|name| format!("{name}.")).collect();
    path + field
}

/// Returns the type that a field has in the first document of a text.
fn type_in(text: &str, path: &str) -> Option<Type> {
    let stream = parse(&Source::new("output", text).unwrap()).unwrap();
    let path = FieldPath::parse(path).unwrap();
    let found = find(&stream.documents[0].root, &path, &EditOptions::default()).ok()?;
    match found[0].node.value()? {
        Value::String(_) => Some(Type::Text),
        Value::Int(_) | Value::UInt(_) => Some(Type::Integer),
        _ => None,
    }
}

/// Checks the types of all fields in the output: those of the table in an object of Kubernetes, and
/// those of the written values in any other.
fn check(label: &str, kind: &Kind, prefix: &str, outcome: &Outcome, written: Written) {
    assert_eq!(outcome.code, 0, "{label}: {}", outcome.stderr);
    for (field, _, wanted) in FIELDS {
        let path = format!("{prefix}{}", path_of(kind.2, field));
        let expected = match written {
            Written::Known => wanted,
            Written::Swapped if wanted == Type::Text => Type::Integer,
            Written::Swapped => Type::Text,
        };
        let found = type_in(&outcome.stdout, &path);
        assert_eq!(
            found,
            Some(expected),
            "{label}: {path} in\n{}",
            outcome.stdout
        );
    }
}

/// The required types of an output.
#[derive(Clone, Copy)]
enum Written {
    /// The types of the table.
    Known,
    /// The types of the written values, which are the opposite ones.
    Swapped,
}

struct Run {
    root: PathBuf,
}

impl Run {
    fn new(name: &str) -> Run {
        Run {
            root: workspace(name),
        }
    }

    /// Runs a configuration with one field of `spec` on an object.
    fn configuration(&self, spec: &str, object: &str) -> Outcome {
        let text = format!(
            "apiVersion: inlay.dev/v1alpha1\nkind: Inlay\nmetadata: {{name: x}}\nspec:\n{spec}"
        );
        fs::write(self.root.join("inlay.yaml"), text).unwrap();
        fs::write(self.root.join("object.yaml"), object).unwrap();
        self.shell("inlay run inlay.yaml object.yaml")
    }

    fn shell(&self, line: &str) -> Outcome {
        shell(&self.root, Path::new(&self.root), line)
    }
}

/// Calls `act` with each kind, its object (on its own and in a `List`), and the path to the object.
fn for_each_object(is_filled: bool, act: &dyn Fn(&Kind, &str, &str)) {
    for kind in &KINDS {
        let object = object(kind, is_filled);
        act(kind, &object, "");
        let list = format!("{{apiVersion: v1, kind: List, items: [{object}]}}");
        act(kind, &list, "items.0.");
    }
}

fn patch(kind: &str, options: &str, patch: &str) -> String {
    let patch = patch.replace('\n', " ");
    format!("  patches:\n  - target: {{kind: {kind}}}\n{options}    patch: |-\n      {patch}\n")
}

const MERGE_PATCH: &str = "    options: {type: merge}\n";

#[test]
fn a_json_patch_of_single_values() {
    let run = Run::new("types-json-values");
    let operations = |kind: &Kind| {
        let operations = FIELDS.map(|(field, _, wanted)| {
            let pointer = path_of(kind.2, field).replace('.', "/");
            let value = if wanted == Type::Text { "80" } else { "\"80\"" };
            format!("{{op: replace, path: /{pointer}, value: {value}}}")
        });
        patch(kind.1, "", &format!("[{}]", operations.join(", ")))
    };
    for_each_object(true, &|kind, object, prefix| {
        let outcome = run.configuration(&operations(kind), object);
        check("a JSON patch", kind, prefix, &outcome, Written::Known);
    });
    let outcome = run.configuration(&operations(&CUSTOM), &object(&CUSTOM, true));
    check("a JSON patch", &CUSTOM, "", &outcome, Written::Swapped);
}

#[test]
fn a_json_patch_that_adds_to_lists() {
    let run = Run::new("types-json-lists");
    let spec = patch(
        "Deployment",
        "",
        "[{op: add, path: /spec/template/spec/containers/0/args/-, value: 80},
          {op: add, path: /spec/template/spec/containers/0/args/0, value: true},
          {op: add, path: /spec/template/spec/containers/0/env/-, value: {name: B, value: 80}},
          {op: add, path: /spec/template/spec/containers/0/ports/0, value: {containerPort: \"80\"}}]",
    );
    let outcome = run.configuration(&spec, &object(&KINDS[3], true));
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    for part in [
        r#"args: ["true", x, "80"]"#,
        r#"{name: B, value: "80"}"#,
        "ports: [{containerPort: 80}, {containerPort: 1}]",
    ] {
        assert!(outcome.stdout.contains(part), "{}", outcome.stdout);
    }
}

#[test]
fn patches_of_whole_pod_templates() {
    let run = Run::new("types-trees");
    for (label, options) in [("a strategic merge", ""), ("a merge patch", MERGE_PATCH)] {
        for is_filled in [true, false] {
            for_each_object(is_filled, &|kind, object, prefix| {
                let tree = match kind.2 {
                    [] => WRONG.to_owned(),
                    path => format!("{{{}}}", nested(path, WRONG)),
                };
                let outcome = run.configuration(&patch(kind.1, options, &tree), object);
                check(label, kind, prefix, &outcome, Written::Known);
            });
            let tree = format!("{{{}}}", nested(CUSTOM.2, WRONG));
            let spec = patch(CUSTOM.1, options, &tree);
            let outcome = run.configuration(&spec, &object(&CUSTOM, is_filled));
            check(label, &CUSTOM, "", &outcome, Written::Swapped);
        }
    }
}

#[test]
fn a_json_patch_of_a_whole_pod_template() {
    let run = Run::new("types-json-tree");
    let operation = |kind: &Kind| {
        let pointer = kind.2.join("/");
        patch(
            kind.1,
            "",
            &format!("[{{op: add, path: /{pointer}, value: {WRONG}}}]"),
        )
    };
    for_each_object(false, &|kind, object, prefix| {
        if kind.2.is_empty() {
            return;
        }
        let outcome = run.configuration(&operation(kind), object);
        check("a JSON patch", kind, prefix, &outcome, Written::Known);
    });
    let outcome = run.configuration(&operation(&CUSTOM), &object(&CUSTOM, false));
    check("a JSON patch", &CUSTOM, "", &outcome, Written::Swapped);
}

#[test]
fn replacements_of_single_values_and_of_whole_pod_templates() {
    let run = Run::new("types-replacements");
    for_each_object(false, &|kind, object, prefix| {
        if kind.2.is_empty() {
            return;
        }
        let source = format!(
            "{object}\n---\n{{apiVersion: example.com/v1, kind: Source, metadata: {{name: s}}, pod: {}}}\n",
            WRONG.replace('\n', " ")
        );
        let spec = format!(
            "  replacements:\n  - source: {{kind: Source, fieldPath: pod}}\n    targets:\n    - select: {{kind: {}}}\n      \
             fieldPaths: [{}]\n",
            kind.1,
            kind.2.join(".")
        );
        let outcome = run.configuration(&spec, &source);
        check("a replacement", kind, prefix, &outcome, Written::Known);
    });
    for_each_object(false, &|kind, object, prefix| {
        let paths = FIELDS.map(|(field, ..)| format!("'{}'", path_of(kind.2, field)));
        let spec = format!(
            "  replacements:\n  - sourceValue: '80'\n    targets:\n    - select: {{kind: {}}}\n      \
             fieldPaths: [{}]\n      options: {{create: true}}\n",
            kind.1,
            paths.join(", ")
        );
        let outcome = run.configuration(&spec, object);
        check("a replacement", kind, prefix, &outcome, Written::Known);
    });
}

#[test]
fn set() {
    let run = Run::new("types-set");
    for_each_object(false, &|kind, object, prefix| {
        fs::write(run.root.join("object.yaml"), object).unwrap();
        for (field, ..) in FIELDS {
            let path = format!("{prefix}{}", path_of(kind.2, field));
            let outcome = run.shell(&format!("inlay set -i --create object.yaml '{path}=80'"));
            assert_eq!(outcome.code, 0, "{}", outcome.stderr);
        }
        let outcome = run.shell("cat object.yaml");
        check("set", kind, prefix, &outcome, Written::Known);
    });
}

#[test]
fn created_items_get_the_type_of_their_selector() {
    let run = Run::new("types-selectors");
    fs::write(run.root.join("object.yaml"), object(&KINDS[3], true)).unwrap();
    let ports = "spec.template.spec.containers.0.ports";
    let outcome = run.shell(&format!(
        "inlay set -i --create object.yaml '{ports}.[containerPort=90].name=web' && cat object.yaml"
    ));
    assert!(
        outcome.stdout.contains("{containerPort: 90, name: web}"),
        "{}{}",
        outcome.stdout,
        outcome.stderr
    );
    // The type of this field is not defined anywhere, but the existing items show it.
    fs::write(
        run.root.join("panels.json"),
        "{\"a\": [{\"id\": 1}], \"b\": [{\"id\": \"1\"}], \"c\": []}\n",
    )
    .unwrap();
    let outcome = run.shell(
        "for list in a b c; do inlay set -i --create panels.json \"$list.[id=2].t=x\"; done; cat panels.json",
    );
    assert_eq!(
        outcome.stdout,
        "{\"a\": [{\"id\": 1}, {\"id\": 2, \"t\": \"x\"}], \"b\": [{\"id\": \"1\"}, {\"id\": \"2\", \"t\": \"x\"}], \
         \"c\": [{\"id\": \"2\", \"t\": \"x\"}]}\n",
        "{}",
        outcome.stderr
    );
}

#[test]
fn generators_write_texts() {
    let run = Run::new("types-generators");
    let spec = "  generatorOptions: {disableNameSuffixHash: true, labels: {a: '80'}, annotations: {a: 'true'}}\n  \
                configMapGenerator:\n  - name: c\n    literals: [port=80, on=true]\n";
    let outcome = run.configuration(
        spec,
        "{apiVersion: v1, kind: ConfigMap, metadata: {name: o}}\n",
    );
    for line in [
        "  port: \"80\"\n",
        "  \"on\": \"true\"\n",
        "    a: \"80\"\n",
        "    a: \"true\"\n",
    ] {
        assert!(
            outcome.stdout.contains(line),
            "{}{}",
            outcome.stdout,
            outcome.stderr
        );
    }
}

#[test]
fn overlays_on_documents_in_text_fields_leave_texts() {
    let run = Run::new("types-overlays");
    let spec = "  files:\n    overlay.yml: |\n      #@ load(\"@ytt:overlay\", \"overlay\")\n      \
                #@overlay/match by=overlay.all\n      ---\n      data:\n        #@overlay/structured\n        \
                port.json: {a: 80}\n        #@overlay/structured\n        #@overlay/match missing_ok=True\n        \
                new.json: {a: 80}\n";
    let object =
        "apiVersion: v1\nkind: Secret\nmetadata: {name: s}\ndata:\n  port.json: eyJhIjogMX0=\n";
    let outcome = run.configuration(spec, object);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    for line in ["  port.json: eyJhIjogODB9\n", "  new.json: eyJhIjo4MH0=\n"] {
        assert!(outcome.stdout.contains(line), "{}", outcome.stdout);
    }
}

/// A kustomization is built as kustomize builds it, and kustomize knows no field types.
#[test]
fn kustomizations_write_values_as_they_are() {
    let run = Run::new("types-kustomization");
    fs::write(run.root.join("object.yaml"), object(&KINDS[3], true)).unwrap();
    let kustomization = "resources: [object.yaml]\npatches:\n- target: {kind: Deployment}\n  patch: |-\n    \
         - {op: add, path: /spec/template/spec/nodeSelector, value: {a: 80}}\n    \
         - {op: replace, path: /spec/template/spec/terminationGracePeriodSeconds, value: \"80\"}\n    \
         - {op: add, path: /spec/template/spec/containers/0/args/-, value: 80}\nreplacements:\n- sourceValue: '90'\n  \
         targets:\n  - select: {kind: Deployment}\n    options: {create: true}\n    \
         fieldPaths: ['spec.template.spec.containers.0.ports.[hostPort=90].containerPort']\n";
    fs::write(run.root.join("kustomization.yaml"), kustomization).unwrap();
    let outcome = run.shell("inlay kustomize build .");
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    for line in [
        "        a: 80\n",
        "terminationGracePeriodSeconds: \"80\"\n",
        "        - 80\n",
        "hostPort: 90\n",
    ] {
        assert!(outcome.stdout.contains(line), "{line}:\n{}", outcome.stdout);
    }
}
