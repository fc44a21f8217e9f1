//! Patches and replacements in files of their own, and the references of objects.

use serde_json::{Value, json};

use super::{Client, OBJECTS, at, labels};

const KUSTOMIZATION: &str = "\
resources: [objects.yaml]
patches:
- path: patches/web.yaml
- path: replicas.yaml
  target: {kind: Deployment}
- target: {kind: Deployment, name: web}
  patch: |-
    spec:
      replicas: 2
replacements:
- path: names.yaml
- source: {kind: Service, name: db, fieldPath: metadata.name}
  targets:
  - select: {kind: ConfigMap}
    fieldPaths: ['data.config\\.json.server.host']
";

const PATCH: &str = "\
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 2
";

const JSON_PATCH: &str = "- op: replace\n  path: /spec/replicas\n  value: 3\n";

const NAMES: &str = "\
- source: {kind: Service, name: db}
  targets:
  - select: {kind: Deployment, name: web}
    fieldPaths: [metadata.annotations.db]
    options: {create: true}
";

/// What marks the position in a text.
const MARK: &str = "<|>";

/// A client that has a kustomization with patches open.
fn client() -> Client {
    let mut client = Client::start(&[
        ("/w/kustomization.yaml", KUSTOMIZATION),
        ("/w/objects.yaml", OBJECTS),
        ("/w/patches/web.yaml", PATCH),
        ("/w/replicas.yaml", JSON_PATCH),
        ("/w/names.yaml", NAMES),
    ]);
    client.open("/w/kustomization.yaml", KUSTOMIZATION);
    client.wait_for_hints("/w/kustomization.yaml");
    client
}

/// Changes a file to a text, and asks about the place that is marked in it.
fn ask(client: &mut Client, method: &str, path: &str, marked: &str) -> Value {
    let (before, behind) = marked.split_once(MARK).unwrap();
    client.change(path, &format!("{before}{behind}"));
    let line = before.matches('\n').count();
    let column = before.len() - before.rfind('\n').map_or(0, |at| at + 1);
    let mut parameters = at(path, line, column);
    parameters["context"] = json!({"includeDeclaration": true, "triggerKind": 1});
    client.request(method, parameters)
}

#[test]
fn completes_patches_and_replacements_while_they_are_typed() {
    let mut client = client();
    for (path, text) in [
        ("/w/patches/web.yaml", PATCH),
        ("/w/replicas.yaml", JSON_PATCH),
        ("/w/names.yaml", NAMES),
    ] {
        client.open(path, text);
    }
    let table: [(&str, &str, &[&str]); 15] = [
        // A merge patch: which object, its keys, and the values that it has.
        (
            "patches/web.yaml",
            "kind: <|>",
            &["Service", "ConfigMap", "Deployment"],
        ),
        (
            "patches/web.yaml",
            "kind: Deployment\nmetadata:\n  name: w<|>",
            &["web", "worker"],
        ),
        (
            "patches/web.yaml",
            "kind: Deployment\nmetadata: {name: w<|>\nspec:\n  replicas: 1\n",
            &["web", "worker"],
        ),
        (
            "patches/web.yaml",
            "kind: Deployment\nmetadata: {name: web}\nspec:\n  repl<|>",
            &["replicas", "template"],
        ),
        (
            "patches/web.yaml",
            "kind: Deployment\nmetadata: {name: web}\nspec:\n  replicas: 2\n  te<|>\n",
            &["template"],
        ),
        (
            "patches/web.yaml",
            "kind: Deployment\nmetadata: {name: web}\nspec: {template: {spec: {containers: [{name: <|>",
            &["web"],
        ),
        (
            "patches/web.yaml",
            "kind: Deployment\nmetadata: {name: web}\nspec:\n  template:\n    spec:\n      containers:\n      - name: web\n        im<|>: a\n",
            &["image"],
        ),
        // A JSON patch, in YAML and in JSON.
        (
            "replicas.yaml",
            "- op: <|>",
            &["add", "remove", "replace", "move", "copy", "test"],
        ),
        (
            "replicas.yaml",
            "- op: replace\n  pa<|>",
            &["path", "value", "from"],
        ),
        (
            "replicas.yaml",
            "- op: replace\n  path: /spec/<|>",
            &["replicas", "template"],
        ),
        (
            "replicas.yaml",
            "[{\"op\": \"replace\", \"path\": \"/spec/<|>",
            &["replicas", "template"],
        ),
        // Replacements in a file of their own.
        ("names.yaml", "- source: {kind: Service, name: <|>", &["db"]),
        (
            "names.yaml",
            "- source:\n    kind: Service\n    fieldPath: metadata.<|>\n  targets: [\n",
            &["name", "labels"],
        ),
        (
            "names.yaml",
            "source: {kind: Service}\ntarg<|>",
            &["path", "sourceValue", "sources", "targets", "template"],
        ),
        // A patch in the text of the kustomization.
        (
            "kustomization.yaml",
            "resources: [objects.yaml]\npatches:\n- patch: |-\n    kind: Deployment\n    metadata: {name: web}\n    spec:\n      repl<|>\n- path: a.yaml\n",
            &["replicas", "template"],
        ),
    ];
    for (path, marked, expected) in table {
        let path = format!("/w/{path}");
        let found = ask(&mut client, "textDocument/completion", &path, marked);
        assert_eq!(labels(&found), expected, "{marked}");
        if path.ends_with("/kustomization.yaml") {
            client.change(&path, KUSTOMIZATION);
        }
    }
}

#[test]
fn shows_what_a_patch_changes() {
    let mut client = client();
    client.open("/w/patches/web.yaml", PATCH);
    let marked = PATCH.replace("replicas: 2", "repl<|>icas: 2");
    let hover = ask(
        &mut client,
        "textDocument/hover",
        "/w/patches/web.yaml",
        &marked,
    );
    assert_eq!(hover["contents"]["value"], "- Deployment/web: `1`");
    let place = ask(
        &mut client,
        "textDocument/definition",
        "/w/patches/web.yaml",
        &marked,
    );
    assert_eq!(place["uri"], super::uri("/w/objects.yaml"));
    assert_eq!(place["range"]["start"]["line"], 15);
    let marked = PATCH.replace("name: web", "name: w<|>eb");
    let place = ask(
        &mut client,
        "textDocument/definition",
        "/w/patches/web.yaml",
        &marked,
    );
    assert_eq!(place["range"]["start"]["line"], 13);
    client.open("/w/replicas.yaml", JSON_PATCH);
    let marked = JSON_PATCH.replace("/spec", "/sp<|>ec");
    let hover = ask(
        &mut client,
        "textDocument/hover",
        "/w/replicas.yaml",
        &marked,
    );
    let text = "- Deployment/web: `1`\n- Deployment/worker: `1`";
    assert_eq!(hover["contents"]["value"], text);
}

/// Returns places as `file:line`.
fn places(found: &Value) -> Vec<String> {
    let found = found.as_array().unwrap().iter();
    let places = found.map(|place| {
        let file = place["uri"].as_str().unwrap().replace("file:///w/", "");
        format!("{file}:{}", place["range"]["start"]["line"])
    });
    places.collect()
}

#[test]
fn finds_what_reads_or_edits_an_object() {
    let mut client = client();
    client.open("/w/objects.yaml", OBJECTS);
    let mut references = |line: usize, column: usize| {
        let mut parameters = at("/w/objects.yaml", line, column);
        parameters["context"] = json!({"includeDeclaration": true});
        places(&client.request("textDocument/references", parameters))
    };
    // The name of the Service is read in two places.
    let of_name = ["kustomization.yaml:11", "names.yaml:0", "objects.yaml:2"];
    assert_eq!(references(2, 18), of_name);
    assert_eq!(references(1, 2), of_name, "at its kind");
    assert_eq!(
        references(2, 32),
        ["objects.yaml:2"],
        "a label is read nowhere"
    );
    // A value below a string.
    assert_eq!(
        references(9, 20),
        ["kustomization.yaml:14", "objects.yaml:9"]
    );
    // Everything that edits the Deployment: its patches and a selector.
    let edits = [
        "kustomization.yaml:4",
        "kustomization.yaml:5",
        "names.yaml:2",
        "names.yaml:3",
        "objects.yaml:13",
        "patches/web.yaml:3",
    ];
    assert_eq!(references(12, 2), edits);
}

#[test]
fn finds_objects_from_the_source_and_the_targets_of_a_replacement() {
    let mut client = client();
    let mut references = |marked: &str, own: &str| {
        let marked = KUSTOMIZATION.replace(own, marked);
        let path = "/w/kustomization.yaml";
        places(&ask(&mut client, "textDocument/references", path, &marked))
    };
    assert_eq!(
        references("fieldPath: metadata.na<|>me", "fieldPath: metadata.name"),
        ["kustomization.yaml:11", "names.yaml:0", "objects.yaml:2"]
    );
    assert_eq!(
        references("server.ho<|>st", "server.host"),
        ["kustomization.yaml:14", "objects.yaml:9"]
    );
    assert_eq!(
        references("select: {kind: Conf<|>igMap}", "select: {kind: ConfigMap}"),
        [
            "kustomization.yaml:13",
            "kustomization.yaml:14",
            "objects.yaml:6"
        ]
    );
}

#[test]
fn finds_the_uses_in_another_kustomization_that_is_open() {
    let overlay = "\
resources: [../base]
replacements:
- source: {kind: Service, name: db}
  targets:
  - select: {kind: Deployment, name: web}
    fieldPaths: [spec.replicas]
";
    let mut client = Client::start(&[
        ("/w/base/kustomization.yaml", "resources: [objects.yaml]\n"),
        ("/w/base/objects.yaml", OBJECTS),
        ("/w/overlay/kustomization.yaml", overlay),
    ]);
    client.open("/w/overlay/kustomization.yaml", overlay);
    client.wait_for_hints("/w/overlay/kustomization.yaml");
    client.open("/w/base/objects.yaml", OBJECTS);
    let mut parameters = at("/w/base/objects.yaml", 15, 4);
    parameters["context"] = json!({"includeDeclaration": true});
    let found = places(&client.request("textDocument/references", parameters));
    assert_eq!(
        found,
        ["base/objects.yaml:15", "overlay/kustomization.yaml:5"]
    );
}
