//! Kustomizations, configurations and patches.

use serde_json::{Value, json};

use super::{Client, OBJECTS, at, labels, position, uri};

pub(super) const KUSTOMIZATION: &str = "\
apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
resources: [objects.yaml]
patches:
- target: {kind: Deployment}
  patch: |-
    - op: replace
      path: /spec/replicas
      value: 3
replacements:
- source:
    kind: Service
    name: db
    fieldPath: metadata.name
  targets:
  - select:
      kind: ConfigMap
      name: settings
    fieldPaths:
    - data.config\\.json.server.host
";

/// A client that has a kustomization open.
fn kustomization() -> Client {
    let mut client = Client::start(&[
        ("/w/kustomization.yaml", KUSTOMIZATION),
        ("/w/objects.yaml", OBJECTS),
    ]);
    client.open("/w/kustomization.yaml", KUSTOMIZATION);
    client.wait_for_hints("/w/kustomization.yaml");
    client
}

/// Changes the kustomization to one in which `|` is where somebody types, and asks there.
fn ask_kustomization(client: &mut Client, method: &str, line: &str, typed: &str) -> Value {
    let text = KUSTOMIZATION.replace(line, typed);
    assert_ne!(text, KUSTOMIZATION, "{line}");
    let offset = text.find('|').filter(|at| !text[*at..].starts_with("|-"));
    let offset = offset.unwrap_or_else(|| text.rfind('|').unwrap());
    let before = &text[..offset];
    let place = at(
        "/w/kustomization.yaml",
        before.lines().count() - usize::from(!before.ends_with('\n')),
        before.len() - before.rfind('\n').map_or(0, |at| at + 1),
    );
    let (before, behind) = text.split_at(offset);
    client.change(
        "/w/kustomization.yaml",
        &format!("{before}{}", &behind[1..]),
    );
    client.request(method, place)
}

#[test]
fn completes_fields_selectors_and_paths_below_strings() {
    let mut client = kustomization();
    let table: [(&str, &str, &[&str]); 10] = [
        // Fields, also where a line is not YAML yet.
        (
            "resources: [objects.yaml]\n",
            "resources: [objects.yaml]\nnamePre|\n",
            &["namePrefix", "nameSuffix"],
        ),
        (
            "    name: db\n",
            "    name: db\n    names|\n",
            &["namespace"],
        ),
        ("kind: Kustomization", "kind: |", &[]),
        // The values of the objects that the other fields select.
        ("    kind: Service", "    kind: |", &["Service"]),
        ("      name: settings", "      name: |", &["settings"]),
        (
            "{kind: Deployment}",
            "{kind: Deployment, name: w|}",
            &["web", "worker"],
        ),
        // Paths: into a list, into a string, and in a patch.
        (
            "fieldPath: metadata.name",
            "fieldPath: metadata.|",
            &["name", "labels"],
        ),
        (
            "data.config\\.json.server.host",
            "data.|",
            &["config\\.json"],
        ),
        (
            "data.config\\.json.server.host",
            "\"data.config\\\\.json.server.|\"",
            &["host", "port"],
        ),
        (
            "path: /spec/replicas",
            "path: /spec/template/spec/containers/0/|",
            &["name", "image"],
        ),
    ];
    for (line, typed, expected) in table {
        let found = ask_kustomization(&mut client, "textDocument/completion", line, typed);
        let found = labels(&found);
        for label in expected {
            assert!(found.contains(&(*label).to_owned()), "{typed}: {found:?}");
        }
        let is_field =
            typed.contains("name") && typed.contains("namePre") || typed.contains("names|");
        assert!(
            is_field || found.len() == expected.len(),
            "{typed}: {found:?}"
        );
    }
    let found = ask_kustomization(
        &mut client,
        "textDocument/completion",
        "resources: [objects.yaml]\n",
        "resources: [objects.yaml]\nreplic|\n",
    );
    let items = found["items"].as_array().unwrap();
    let replicas = items
        .iter()
        .find(|item| item["label"] == "replicas")
        .unwrap();
    let text = replicas["documentation"]["value"].as_str().unwrap();
    assert!(text.starts_with("The number of replicas"), "{text}");
}

#[test]
fn shows_what_selectors_and_paths_mean() {
    let mut client = kustomization();
    let hover = |client: &mut Client, line: &str, typed: &str| {
        let answer = ask_kustomization(client, "textDocument/hover", line, typed);
        answer["contents"]["value"]
            .as_str()
            .unwrap_or_default()
            .to_owned()
    };
    let text = hover(&mut client, "- target:", "- tar|get:");
    assert!(text.contains("Chooses the objects"), "{text}");
    assert!(
        text.contains("Selects 2 of 4 objects:\n- Deployment/web\n- Deployment/worker"),
        "{text}"
    );
    let text = hover(&mut client, "json.server.host", "json.server.ho|st");
    assert_eq!(text, "- ConfigMap/settings: `localhost`");
    let text = hover(&mut client, "json.server.host", "json.server.ho|");
    assert_eq!(text, "Leads to nothing in 1 object.");

    let found = ask_kustomization(
        &mut client,
        "textDocument/definition",
        "- target:",
        "- tar|get:",
    );
    let lines = found
        .as_array()
        .unwrap()
        .iter()
        .map(|place| &place["range"]["start"]["line"]);
    assert_eq!(lines.collect::<Vec<_>>(), [13, 20]);
    let found = ask_kustomization(
        &mut client,
        "textDocument/definition",
        "json.server.host",
        "json.server.ho|st",
    );
    assert_eq!(found["uri"], uri("/w/objects.yaml"));
    assert_eq!(found["range"]["start"], position(9, 24));

    client.change("/w/kustomization.yaml", KUSTOMIZATION);
    let labels = client.hints("/w/kustomization.yaml");
    assert_eq!(labels, ["2 objects", "1 object"]);
}

#[test]
fn completes_paths_of_a_configuration_for_the_objects_beside_it() {
    let configuration = "\
apiVersion: inlay.dev/v1alpha1
kind: Inlay
metadata: {name: edit}
spec:
  replacements:
  - sourceValue: db
    targets:
    - select: {kind: ConfigMap}
      fieldPaths:
      - data.config\\.json.server.host
";
    let mut client = Client::start(&[
        ("/w/inlay.yaml", configuration),
        ("/w/objects.yaml", OBJECTS),
    ]);
    client.open("/w/inlay.yaml", configuration);
    client.wait_for_hints("/w/inlay.yaml");
    let found = client.request("textDocument/completion", at("/w/inlay.yaml", 9, 34));
    assert_eq!(labels(&found), ["host", "port"]);
    let found = client.request("textDocument/completion", at("/w/inlay.yaml", 7, 21));
    assert_eq!(labels(&found), ["ConfigMap", "Deployment", "Service"]);
}

#[test]
fn completes_the_paths_of_files_and_goes_to_them() {
    let text = "resources:\n- ../base\n- \nconfigMapGenerator:\n- name: c\n  files: [key=data/]\npatches:\n- path: w\n- patch: |-\n    kind: ConfigMap\n";
    let mut client = Client::start(&[
        ("/w/base/kustomization.yaml", "resources: []\n"),
        ("/w/prod/kustomization.yaml", text),
        ("/w/prod/web.yaml", "kind: Deployment\n"),
        ("/w/prod/data/a.json", "{}"),
    ]);
    let path = "/w/prod/kustomization.yaml";
    client.open(path, text);
    let mut complete = |line: usize, column: usize| {
        labels(&client.request("textDocument/completion", at(path, line, column)))
    };
    assert_eq!(complete(1, 5), ["../base", "../prod"]);
    assert_eq!(complete(2, 2), ["data", "web.yaml"]);
    assert_eq!(complete(5, 19), ["data/a.json"], "the key stays");
    assert_eq!(complete(7, 9), ["data", "web.yaml"]);
    assert!(complete(8, 9).is_empty(), "not in the text of the patch");
    let found = client.request("textDocument/definition", at(path, 1, 5));
    assert_eq!(found["uri"], uri("/w/base/kustomization.yaml"));
}

/// The value is in the object that a generator makes of a file.
#[test]
fn a_generated_value_has_no_place() {
    let base = "configMapGenerator:\n- name: settings\n  literals: [level=info]\n";
    let text = "resources: [base]\npatches:\n- target: {kind: ConfigMap}\nreplacements:\n- source: {kind: ConfigMap, fieldPath: data.level}\n";
    let mut client = Client::start(&[
        ("/w/base/kustomization.yaml", base),
        ("/w/kustomization.yaml", text),
    ]);
    client.open("/w/kustomization.yaml", text);
    client.wait_for_hints("/w/kustomization.yaml");
    let place = at("/w/kustomization.yaml", 4, 43);
    let hover = client.request("textDocument/hover", place.clone());
    let description = hover["contents"]["value"].as_str().unwrap();
    assert!(description.contains("`info`"), "{description}");
    assert_eq!(
        client.request("textDocument/definition", place),
        Value::Null
    );
}

const EDIT: &str = "\
apiVersion: inlay.dev/v1alpha1
kind: Inlay
metadata: {name: edit}
spec:
  values: {size: 3}
  files:
    scale.yml: |
      #@ load(\"@ytt:data\", \"data\")
      #@ load(\"@ytt:overlay\", \"overlay\")
      #@overlay/match by=overlay.subset({\"kind\": \"Deployment\"}), expects=\"1+\"
      ---
      spec:
        replicas: #@ data.values.size
  patches:
  - target: {kind: Service, name: db}
    patch: '[{\"op\": \"remove\", \"path\": \"/spec\"}]'
";

/// A configuration that the settings name is applied, as `inlay run` does it. Of another one, the
/// objects may be elsewhere.
#[test]
fn shows_the_mistakes_of_applying_a_configuration() {
    let settings =
        "targets:\n- run: {configuration: edit/inlay.yaml, files: [edit/objects.yaml]}\n";
    let wrong = EDIT.replace("values.size", "values.sizes");
    let patch = "unable to remove `/spec`";
    let table = [
        (settings, EDIT, Some(patch)),
        (settings, &wrong, Some("sizes")),
        ("targets: []\n", EDIT, None),
        ("targets: []\n", &wrong, Some("sizes")),
    ];
    for (settings, text, expected) in table {
        let files = [
            ("/w/.inlay/lsp.yaml", settings),
            ("/w/edit/inlay.yaml", ""),
            ("/w/edit/objects.yaml", OBJECTS),
        ];
        let pulls = json!({"textDocument": {"diagnostic": {}}});
        let mut client = Client::with_capabilities(&files, pulls);
        client.open("/w/edit/inlay.yaml", text);
        let document = json!({"textDocument": {"uri": uri("/w/edit/inlay.yaml")}});
        let report = client.request("textDocument/diagnostic", document);
        let found = report["items"].as_array().unwrap();
        let messages: Vec<&str> = found
            .iter()
            .map(|found| found["message"].as_str().unwrap())
            .collect();
        match expected {
            Some(part) => assert!(
                messages.iter().any(|own| own.contains(part)),
                "{messages:?}"
            ),
            None => assert!(messages.is_empty(), "{messages:?}"),
        }
    }
}
