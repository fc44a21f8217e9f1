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

    /// Waits until a build has ended: until then there is no hint.
    fn wait_for_build(&mut self) {
        for _ in 0..3000 {
            let range = json!({"start": position(0, 0), "end": position(99, 0)});
            let parameters =
                json!({"textDocument": {"uri": uri("/w/config/app.yml")}, "range": range});
            let hints = self.request("textDocument/inlayHint", parameters);
            if hints.as_array().is_some_and(|hints| !hints.is_empty()) {
                return;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        panic!("the build does not end");
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
    let mut client = Client::start(&[
        ("/w/config/schema.yml", SCHEMA),
        ("/w/config/values.yml", values),
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
        ("values.yml", position(3, 2)),
    ];
    assert_eq!(
        found,
        expected.map(|(path, place)| (path.to_owned(), place))
    );

    let mut parameters = at("/w/config/app.yml", 4, 28);
    parameters["newName"] = json!("my-title");
    let refused = client.response("textDocument/rename", parameters);
    assert!(
        refused.response_result.is_err(),
        "the name would not be an expression"
    );
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
