//! The server as a client sees it.

mod kustomizations;
mod patches;
mod session;
mod templates;

use std::path::Path;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use lsp_server::{Connection, Message, Notification, Request, RequestId, Response};
use serde_json::{Value, json};

use super::serve;
use crate::source::world::Memory;

/// The maximum time that a test waits for the server, on a busy machine.
const PATIENCE: Duration = Duration::from_secs(300);

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
        let message = self.connection.receiver.recv_timeout(PATIENCE);
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

    /// Returns the next diagnostics that the server sends, as the path of the file and their
    /// messages.
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

    /// Waits until a build has ended, which shows by its hints.
    fn wait_for_hints(&mut self, path: &str) {
        let start = Instant::now();
        while self.hints(path).is_empty() {
            assert!(start.elapsed() < PATIENCE, "the build does not end");
            std::thread::sleep(Duration::from_millis(10));
        }
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
