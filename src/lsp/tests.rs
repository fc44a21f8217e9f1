//! The server as a client sees it.

use std::path::Path;
use std::thread::JoinHandle;
use std::time::Duration;

use lsp_server::{Connection, Message, Notification, Request, RequestId, Response};
use serde_json::{Value, json};

use super::serve;
use crate::source::world::Memory;

/// A client of a server that has these files on its disk.
struct Client {
    connection: Connection,
    server: Option<JoinHandle<bool>>,
    next_id: i32,
}

const SCHEMA: &str = "\
#@data/values-schema
---
#@schema/desc \"How many\"
replicas: 2
app:
  name: shop
";

const TEMPLATE: &str = "\
#@ load(\"@ytt:data\", \"data\")
#@ load(\"helpers.star\", \"label\")
kind: Deployment
metadata:
  name: #@ data.values.app.name
  label: #@ label(\"x\")
spec:
  replicas: #@ data.values.replicas
";

const HELPERS: &str = "def label(text):\n  return text + \"!\"\nend\n";

impl Client {
    fn start(files: &[(&'static str, &'static str)]) -> Client {
        Client::with_capabilities(files, json!({}))
    }

    fn with_capabilities(files: &[(&'static str, &'static str)], capabilities: Value) -> Client {
        let (server_side, connection) = Connection::memory();
        let world = Memory::with_files(files.iter().copied());
        let server = std::thread::spawn(move || serve(&world, &server_side).is_ok());
        let mut client = Client {
            connection,
            server: Some(server),
            next_id: 0,
        };
        let parameters = json!({
            "capabilities": capabilities,
            "workspaceFolders": [{"uri": "file:///w", "name": "w"}],
        });
        client.request("initialize", parameters);
        client.notify("initialized", json!({}));
        client
    }

    fn config() -> Client {
        let mut client = Client::start(&[
            ("/w/config/schema.yml", SCHEMA),
            ("/w/config/app.yml", TEMPLATE),
            ("/w/config/helpers.star", HELPERS),
        ]);
        client.open("/w/config/app.yml", TEMPLATE);
        client.wait_for_build();
        client
    }

    fn notify(&self, method: &str, parameters: Value) {
        let notification = Notification::new(method.to_owned(), parameters);
        self.connection.sender.send(notification.into()).unwrap();
    }

    /// Sends a request, and returns its answer.
    fn request(&mut self, method: &str, parameters: Value) -> Value {
        self.response(method, parameters).response_result.unwrap()
    }

    fn response(&mut self, method: &str, parameters: Value) -> Response {
        self.next_id += 1;
        let id = RequestId::from(self.next_id);
        let request = Request::new(id.clone(), method.to_owned(), parameters);
        self.connection.sender.send(request.into()).unwrap();
        loop {
            if let Message::Response(response) = self.receive()
                && response.id == id
            {
                return response;
            }
        }
    }

    fn receive(&self) -> Message {
        let message = self
            .connection
            .receiver
            .recv_timeout(Duration::from_secs(60));
        message.expect("the server answers")
    }

    fn open(&mut self, path: &str, text: &str) {
        let document = json!({"uri": uri(path), "languageId": "yaml", "version": 1, "text": text});
        self.notify("textDocument/didOpen", json!({"textDocument": document}));
    }

    fn change(&mut self, path: &str, text: &str) {
        let document = json!({"uri": uri(path), "version": 2});
        let parameters = json!({"textDocument": document, "contentChanges": [{"text": text}]});
        self.notify("textDocument/didChange", parameters);
    }

    /// Returns the next diagnostics that the server sends, as the path of the file and their messages.
    fn diagnostics(&mut self) -> (String, Vec<String>) {
        loop {
            if let Message::Notification(notification) = self.receive()
                && notification.method == "textDocument/publishDiagnostics"
            {
                let parameters = notification.params;
                let messages = parameters["diagnostics"].as_array().unwrap().iter();
                let messages = messages.map(|found| found["message"].as_str().unwrap().to_owned());
                let uri = parameters["uri"].as_str().unwrap();
                return (uri.replace("file://", ""), messages.collect());
            }
        }
    }

    fn wait_for_build(&mut self) {
        self.wait_for_hints("/w/config/app.yml");
    }

    /// Waits until a build has ended: until then there is no hint.
    fn wait_for_hints(&mut self, path: &str) {
        for _ in 0..3000 {
            if !self.hints(path).is_empty() {
                return;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        panic!("the build does not end");
    }

    /// Returns the labels of the hints in a file.
    fn hints(&mut self, path: &str) -> Vec<String> {
        let range = json!({"start": position(0, 0), "end": position(999, 0)});
        let parameters = json!({"textDocument": {"uri": uri(path)}, "range": range});
        let hints = self.request("textDocument/inlayHint", parameters);
        let hints = hints.as_array().into_iter().flatten();
        hints
            .map(|hint| hint["label"].as_str().unwrap().to_owned())
            .collect()
    }

    /// Asks about the place of the `|` in a line of the template.
    fn ask(&mut self, method: &str, marked: &str) -> Value {
        let wanted = marked.replace('|', "");
        let line = TEMPLATE.lines().position(|line| line == wanted).unwrap();
        let mut parameters = at("/w/config/app.yml", line, marked.find('|').unwrap());
        parameters["context"] = json!({"includeDeclaration": true, "triggerKind": 1});
        self.request(method, parameters)
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        if std::thread::panicking() {
            return;
        }
        self.request("shutdown", Value::Null);
        self.notify("exit", Value::Null);
        assert!(self.server.take().unwrap().join().unwrap(), "ends well");
    }
}

fn uri(path: &str) -> String {
    super::uri::uri_of(Path::new(path))
        .unwrap()
        .as_str()
        .to_owned()
}

fn position(line: usize, character: usize) -> Value {
    json!({"line": line, "character": character})
}

fn at(path: &str, line: usize, character: usize) -> Value {
    json!({"textDocument": {"uri": uri(path)}, "position": position(line, character)})
}

fn labels(completions: &Value) -> Vec<String> {
    let items = completions["items"].as_array().unwrap().iter();
    items
        .map(|item| item["label"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn reports_mistakes_where_they_are_and_removes_them_when_they_are_fixed() {
    let mut client = Client::start(&[
        ("/w/config/schema.yml", SCHEMA),
        ("/w/config/app.yml", TEMPLATE),
        ("/w/config/helpers.star", HELPERS),
    ]);
    // The text of the editor counts, and not that of the file.
    let wrong = TEMPLATE.replace("values.replicas", "values.replica");
    client.open("/w/config/app.yml", &wrong);
    let (path, messages) = client.diagnostics();
    assert_eq!(path, "/w/config/app.yml");
    assert_eq!(messages.len(), 1);
    assert!(messages[0].contains("replica"), "{messages:?}");

    client.change("/w/config/app.yml", TEMPLATE);
    assert_eq!(
        client.diagnostics(),
        ("/w/config/app.yml".to_owned(), vec![])
    );

    // A mistake in one file that shows in another.
    client.open(
        "/w/config/helpers.star",
        "def label(text):\n  return missing\nend\n",
    );
    let (path, messages) = client.diagnostics();
    assert_eq!(path, "/w/config/helpers.star");
    assert_eq!(messages.len(), 1);
    let document = json!({"uri": uri("/w/config/helpers.star")});
    client.notify("textDocument/didClose", json!({"textDocument": document}));
    assert_eq!(
        client.diagnostics(),
        ("/w/config/helpers.star".to_owned(), vec![])
    );
}

#[test]
fn completes_annotations_modules_and_data_values() {
    let mut client = Client::config();
    let values = client.ask(
        "textDocument/completion",
        "  replicas: #@ data.values.|replicas",
    );
    assert_eq!(labels(&values), ["replicas", "app"]);
    assert_eq!(values["items"][0]["detail"], "an integer");
    let names = client.ask(
        "textDocument/completion",
        "  name: #@ data.values.app.|name",
    );
    assert_eq!(labels(&names), ["name"]);
    let symbols = client.ask(
        "textDocument/completion",
        "#@ load(\"helpers.star\", \"|label\")",
    );
    assert_eq!(labels(&symbols), ["label"]);
    let paths = client.ask(
        "textDocument/completion",
        "#@ load(\"|helpers.star\", \"label\")",
    );
    assert!(labels(&paths).contains(&"/helpers.star".to_owned()));

    // In a text that does not parse.
    let typed = format!("{TEMPLATE}x: [\n#@overlay/match \n#@over");
    client.change("/w/config/app.yml", &typed);
    let lines = typed.lines().count();
    let place = at("/w/config/app.yml", lines - 1, 6);
    let annotations = client.request("textDocument/completion", place);
    assert_eq!(labels(&annotations)[0], "overlay/match");
    let place = at("/w/config/app.yml", lines - 2, 16);
    let arguments = client.request("textDocument/completion", place);
    assert_eq!(
        labels(&arguments)[..4],
        ["by=", "expects=", "missing_ok=", "when="]
    );
}

#[test]
fn describes_names_and_finds_their_definitions_and_uses() {
    let mut client = Client::config();
    let hover = client.ask("textDocument/hover", "  replicas: #@ data.values.rep|licas");
    let text = hover["contents"]["value"].as_str().unwrap();
    assert!(
        text.contains("an integer") && text.contains("How many"),
        "{text}"
    );

    let place = client.ask(
        "textDocument/definition",
        "  name: #@ data.values.app.na|me",
    );
    assert_eq!(place["uri"], uri("/w/config/schema.yml"));
    assert_eq!(place["range"]["start"]["line"], 5);
    let place = client.ask("textDocument/definition", "  label: #@ la|bel(\"x\")");
    assert_eq!(place["uri"], uri("/w/config/helpers.star"));
    assert_eq!(place["range"]["start"], position(0, 4));

    let uses = client.ask("textDocument/references", "  label: #@ la|bel(\"x\")");
    assert_eq!(
        uses.as_array().unwrap().len(),
        3,
        "definition, load and call: {uses}"
    );
}

#[test]
fn renames_a_data_value_in_its_schema_its_values_and_code() {
    let values = "#@data/values\n---\napp:\n  name: dev\n";
    let schema: &str = format!("{SCHEMA}  other: 1\n").leak();
    let template = "\
kind: Script
script: |
  echo #@ data.values.app.name
text: \"x\\\" #@ data.values.app.name\"
#@ load(\"@ytt:data\", \"data\")
name: #@ data.values[\"app\"][\"name\"]
";
    let mut client = Client::start(&[
        ("/w/config/schema.yml", schema),
        ("/w/config/values.yml", values),
        ("/w/config/script.yml", template),
        ("/w/config/app.yml", TEMPLATE),
        ("/w/config/helpers.star", HELPERS),
    ]);
    client.open("/w/config/app.yml", TEMPLATE);
    client.open("/w/config/values.yml", values);
    client.wait_for_build();
    // From the key of the document that sets it.
    let mut parameters = at("/w/config/values.yml", 3, 3);
    let hover = client.request("textDocument/hover", parameters.clone());
    assert!(
        hover["contents"]["value"]
            .as_str()
            .unwrap()
            .contains("a string")
    );
    parameters["newName"] = json!("title");
    let edit = client.request("textDocument/rename", parameters);
    let changes = edit["changes"].as_object().unwrap();
    let mut found: Vec<(String, Value)> = Vec::new();
    for (uri, edits) in changes {
        for edit in edits.as_array().unwrap() {
            assert_eq!(edit["newText"], "title");
            found.push((
                uri.replace("file:///w/config/", ""),
                edit["range"]["start"].clone(),
            ));
        }
    }
    found.sort_by(|one, other| one.0.cmp(&other.0));
    let expected = [
        ("app.yml", position(4, 27)),
        ("schema.yml", position(5, 2)),
        ("script.yml", position(5, 29)),
        ("values.yml", position(3, 2)),
    ];
    assert_eq!(
        found,
        expected.map(|(path, place)| (path.to_owned(), place))
    );

    for (name, reason) in [
        ("my-title", "is not an expression"),
        ("for", "is a word of the language"),
        ("null", "is not a text"),
        ("other", "there is a data value `app.other` already"),
    ] {
        let mut parameters = at("/w/config/app.yml", 4, 28);
        parameters["newName"] = json!(name);
        let refused = client.response("textDocument/rename", parameters);
        let error = refused.response_result.unwrap_err();
        assert!(error.message.contains(reason), "{}", error.message);
    }
    // A file that cannot be read may use the value.
    client.change("/w/config/values.yml", "#@data/values\n---\napp: [ name\n");
    let mut parameters = at("/w/config/app.yml", 4, 28);
    parameters["newName"] = json!("title");
    let refused = client.response("textDocument/rename", parameters);
    let error = refused.response_result.unwrap_err();
    assert!(error.message.contains("is not YAML"), "{}", error.message);
}

#[test]
fn completes_the_keys_of_documents_with_data_values() {
    let values = "#@data/values\n---\napp:\n  n";
    let mut client = Client::start(&[
        ("/w/config/schema.yml", SCHEMA),
        ("/w/config/app.yml", TEMPLATE),
        ("/w/config/helpers.star", HELPERS),
    ]);
    client.open("/w/config/app.yml", TEMPLATE);
    client.wait_for_build();
    client.open("/w/config/values.yml", values);
    let inner = client.request("textDocument/completion", at("/w/config/values.yml", 3, 3));
    assert_eq!(labels(&inner), ["name"]);
    let outer = client.request("textDocument/completion", at("/w/config/values.yml", 2, 1));
    assert_eq!(labels(&outer), ["replicas", "app"]);
}

#[test]
fn shows_values_symbols_and_folds() {
    let mut client = Client::config();
    let document = json!({"uri": uri("/w/config/app.yml")});
    let range = json!({"start": position(0, 0), "end": position(99, 0)});
    let parameters = json!({"textDocument": document, "range": range});
    let hints = client.request("textDocument/inlayHint", parameters);
    let hints = hints.as_array().unwrap().iter();
    let hints: Vec<&str> = hints.map(|hint| hint["label"].as_str().unwrap()).collect();
    assert_eq!(hints, ["= shop", "= x!", "= 2"]);

    let parameters = json!({"textDocument": document});
    let symbols = client.request("textDocument/documentSymbol", parameters.clone());
    assert_eq!(symbols[0]["name"], "Deployment");
    assert_eq!(symbols[0]["children"][1]["name"], "metadata");
    let folds = client.request("textDocument/foldingRange", parameters);
    let folds = folds.as_array().unwrap().iter();
    let lines: Vec<u64> = folds
        .map(|fold| fold["startLine"].as_u64().unwrap())
        .collect();
    assert_eq!(lines, [3, 6]);
}

#[test]
fn offers_the_fix_that_a_help_line_suggests() {
    let mut client = Client::start(&[("/w/a.yml", "")]);
    client.open("/w/a.yml", "#@overlay/mach by=1\na: 1\n");
    client.diagnostics();
    let range = json!({"start": position(0, 5), "end": position(0, 5)});
    let document = json!({"uri": uri("/w/a.yml")});
    let context = json!({"diagnostics": []});
    let parameters = json!({"textDocument": document, "range": range, "context": context});
    let actions = client.request("textDocument/codeAction", parameters);
    let edit = &actions[0]["edit"]["changes"][uri("/w/a.yml")][0];
    assert_eq!(edit["newText"], "overlay/match");
    assert_eq!(edit["range"]["start"], position(0, 2));
    assert_eq!(edit["range"]["end"], position(0, 14));
}

#[test]
fn formats_and_counts_columns_as_the_client_does() {
    let utf8 = json!({"general": {"positionEncodings": ["utf-8"]}});
    for (capabilities, column) in [(json!({}), 8), (utf8, 11)] {
        let mut client = Client::with_capabilities(&[("/w/a.yml", "")], capabilities);
        // é has one unit in UTF-16 and two in UTF-8; the smiley has two and four.
        client.open("/w/a.yml", "#@ x = \"é😀\"\na:   1 #@ x\n");
        let parameters = json!({"textDocument": {"uri": uri("/w/a.yml")}, "options": {"tabSize": 2, "insertSpaces": true}});
        let edits = client.request("textDocument/formatting", parameters);
        assert!(edits.is_array(), "{edits}");
        let place = at("/w/a.yml", 0, column);
        assert_eq!(
            client.request("textDocument/completion", place)["items"],
            json!([])
        );
    }
}

#[test]
fn a_build_that_breaks_down_is_a_diagnostic() {
    let analysis = super::server::failed_analysis();
    let messages = analysis
        .diagnostics
        .iter()
        .map(|found| found.message.as_str());
    let bug = "the build of this file failed because of a bug in inlay";
    assert_eq!(messages.collect::<Vec<&str>>(), [bug]);
}

#[test]
fn answers_what_it_does_not_know_with_an_error_and_lives_on() {
    let mut client = Client::config();
    let unknown = client.response("textDocument/unheard", json!({}));
    let error = unknown.response_result.unwrap_err();
    assert_eq!(
        error.message,
        "the server has no method `textDocument/unheard`"
    );
    let broken = client.response("textDocument/hover", json!({"position": "here"}));
    assert!(broken.response_result.is_err());
    let other = client.request("textDocument/hover", at("/w/other.yml", 0, 0));
    assert_eq!(other, Value::Null);
    client.notify("textDocument/didChange", json!({"textDocument": 1}));
    let hover = client.ask("textDocument/hover", "  replicas: #@ data.values.rep|licas");
    assert!(hover.is_object());
}

const KUSTOMIZATION: &str = "\
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

const OBJECTS: &str = "\
apiVersion: v1
kind: Service
metadata: {name: db, labels: {app: shop}}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: settings}
data:
  config.json: |
    {\"server\": {\"host\": \"localhost\", \"port\": 80}}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 1
  template: {spec: {containers: [{name: web, image: shop}]}}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: worker}
spec: {replicas: 1}
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

const OVERLAY: &str = "\
#@ load(\"@ytt:overlay\", \"overlay\")
#@overlay/match by=overlay.subset({\"kind\": \"Deployment\"}), expects=\"1+\"
---
spec:
  replicas: 3
#@overlay/match by=overlay.subset({\"kind\": \"ConfigMap\"})
---
data:
  #@overlay/structured
  config.json:
    server:
      #@overlay/match missing_ok=True
      host: db
";

#[test]
fn shows_and_completes_what_overlays_match() {
    let mut client = Client::start(&[("/w/overlay.yml", OVERLAY), ("/w/objects.yml", OBJECTS)]);
    client.open("/w/overlay.yml", OVERLAY);
    client.wait_for_hints("/w/overlay.yml");
    let hints = client.hints("/w/overlay.yml");
    assert_eq!(hints, ["2 matches", "1 match", "1 match"]);

    let hover = client.request("textDocument/hover", at("/w/overlay.yml", 1, 5));
    let text = hover["contents"]["value"].as_str().unwrap();
    assert!(
        text.contains("In the last build: 2 matches\n- Deployment/web (objects.yml:12)"),
        "{text}"
    );
    let found = client.request("textDocument/definition", at("/w/overlay.yml", 1, 5));
    assert_eq!(found.as_array().unwrap().len(), 2, "{found}");
    // From a key to what it is merged into, also in a string.
    let found = client.request("textDocument/definition", at("/w/overlay.yml", 12, 8));
    assert_eq!(found["uri"], uri("/w/objects.yml"));
    assert_eq!(found["range"]["start"], position(9, 16));

    let found = client.request("textDocument/completion", at("/w/overlay.yml", 4, 3));
    assert_eq!(labels(&found), ["replicas", "template"]);
    let typed = OVERLAY.replace("host: db\n", "host: db\n      po");
    client.change("/w/overlay.yml", &typed);
    let found = client.request("textDocument/completion", at("/w/overlay.yml", 13, 8));
    assert_eq!(labels(&found), ["host", "port"]);
    client.change("/w/overlay.yml", OVERLAY);
    let found = client.request("textDocument/completion", at("/w/overlay.yml", 7, 2));
    assert_eq!(labels(&found)[0], "apiVersion", "the root of the document");
}

/// What a client that asks for diagnostics says at the start.
fn pulling() -> Value {
    let refresh = json!({"refreshSupport": true});
    json!({
        "textDocument": {"diagnostic": {}},
        "workspace": {"diagnostics": refresh, "inlayHint": refresh},
    })
}

fn messages(report: &Value) -> Vec<&str> {
    let items = report["items"].as_array().unwrap().iter();
    items
        .map(|found| found["message"].as_str().unwrap())
        .collect()
}

#[test]
fn answers_requests_for_diagnostics_when_their_text_is_built() {
    let mut client = Client::with_capabilities(
        &[
            ("/w/config/schema.yml", SCHEMA),
            ("/w/config/app.yml", TEMPLATE),
            ("/w/config/helpers.star", HELPERS),
        ],
        pulling(),
    );
    let wrong = TEMPLATE.replace("values.replicas", "values.replica");
    client.open("/w/config/app.yml", &wrong);
    let document = json!({"textDocument": {"uri": uri("/w/config/app.yml")}});
    let report = client.request("textDocument/diagnostic", document.clone());
    assert_eq!(report["kind"], "full");
    assert!(messages(&report)[0].contains("replica"), "{report}");
    let mut again = document.clone();
    again["previousResultId"] = report["resultId"].clone();
    let unchanged = client.request("textDocument/diagnostic", again.clone());
    assert_eq!(unchanged["kind"], "unchanged");

    client.change("/w/config/app.yml", TEMPLATE);
    let report = client.request("textDocument/diagnostic", again);
    assert!(messages(&report).is_empty(), "{report}");

    // A mistake in another file that shows in this one.
    let helpers = "def label(text):\n  return missing\nend\n";
    client.open("/w/config/helpers.star", helpers);
    let document = json!({"textDocument": {"uri": uri("/w/config/helpers.star")}});
    let report = client.request("textDocument/diagnostic", document);
    assert_eq!(messages(&report).len(), 1, "{report}");
}

#[test]
fn tells_a_client_to_ask_again_when_another_file_has_changed() {
    let files = [
        ("/w/config/schema.yml", SCHEMA),
        ("/w/config/app.yml", TEMPLATE),
        ("/w/config/helpers.star", HELPERS),
    ];
    let mut client = Client::with_capabilities(&files, pulling());
    client.open("/w/config/app.yml", TEMPLATE);
    client.open("/w/config/schema.yml", SCHEMA);
    client.wait_for_build();
    client.change(
        "/w/config/schema.yml",
        &SCHEMA.replace("replicas", "copies"),
    );
    loop {
        if let Message::Request(request) = client.receive()
            && request.method == "workspace/diagnostic/refresh"
        {
            break;
        }
    }
    let document = json!({"textDocument": {"uri": uri("/w/config/app.yml")}});
    let report = client.request("textDocument/diagnostic", document);
    assert!(messages(&report)[0].contains("replicas"), "{report}");
}

#[test]
fn ends_a_build_whose_text_has_changed_and_cancels_requests() {
    let mut client = Client::with_capabilities(&[("/w/a.yml", "")], pulling());
    // Without an end, as far as a test can wait.
    let endless = "#@ def spin():\n#@   for i in range(1000000000):\n#@     x = i\n#@   end\n#@ end\na: #@ spin()\n";
    client.open("/w/a.yml", endless);
    let document = json!({"textDocument": {"uri": uri("/w/a.yml")}});
    let id = RequestId::from("waits".to_owned());
    let method = "textDocument/diagnostic".to_owned();
    let request = Request::new(id.clone(), method, document.clone());
    client.connection.sender.send(request.into()).unwrap();
    // The build has begun when this is answered.
    client.request("textDocument/hover", at("/w/a.yml", 0, 0));
    client.notify("$/cancelRequest", json!({"id": "waits"}));
    let error = loop {
        if let Message::Response(response) = client.receive()
            && response.id == id
        {
            break response.response_result.unwrap_err();
        }
    };
    assert_eq!(error.code, -32800);
    client.change("/w/a.yml", "a: #@ missing\n");
    let report = client.request("textDocument/diagnostic", document);
    assert!(messages(&report)[0].contains("missing"), "{report}");
}

#[test]
fn a_mistake_with_places_in_two_files_is_in_both() {
    let wrong: &str = KUSTOMIZATION
        .replace("json.server.host", "json.server.ho")
        .leak();
    let mut client = Client::start(&[
        ("/w/kustomization.yaml", wrong),
        ("/w/objects.yaml", OBJECTS),
    ]);
    client.open("/w/kustomization.yaml", wrong);
    let (first, messages) = client.diagnostics();
    let (second, others) = client.diagnostics();
    assert_eq!(
        [&*first, &*second],
        ["/w/kustomization.yaml", "/w/objects.yaml"]
    );
    assert!(messages[0].contains("has no field `ho`"), "{messages:?}");
    assert_eq!(messages, others);
}
