//! Properties of the language server: every message has an answer, none of them is a breakdown, and the server ends when
//! it is asked to.
//!
//! An input has up to three texts, which lines `%%` separate: a schema, a template, and operations, one per line. An
//! operation is a letter, a place or two (line and column, each one character from `0` on), and a text:
//!
//! ```text
//! e0003x: 1~    <- replaces line 0, column 0 to 3, by `x: 1` and a line break
//! h24           <- asks what line 2, column 4 means
//! ```
//!
//! If the first text is `kustomization`, the second one is a kustomization; if it is `patch`, it is a patch that one
//! names.

#![allow(dead_code, reason = "each fuzz target calls one of them")]

use std::thread;
use std::time::Duration;

use inlay::lsp::serve;
use inlay::source::world::Memory;
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, RequestId};
use serde_json::{Value, json};

/// The objects of the kustomization that is edited, or whose patch is.
const OBJECTS: &str = "\
apiVersion: v1
kind: ConfigMap
metadata: {name: a}
data: {b.json: '{\"c\": [1]}'}
---
kind: D
metadata: {name: d}
spec: {list: [{name: e, f: 1}]}
";

/// No build of a short text takes this long, also on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// How long to wait for a build, so that most requests see its result. A build without diagnostics says nothing.
const BUILD: Duration = Duration::from_millis(4);

/// Edits and requests, in any order and at any place, are answered.
pub(crate) fn language_server(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    // A loop may run until the limits of a build stop it, which is longer than a fuzzer waits.
    if ["for ", "while", "def "]
        .iter()
        .any(|word| text.contains(word))
    {
        return;
    }
    let mut texts = text.splitn(3, "%%\n");
    let schema = texts.next().unwrap_or_default();
    let template = texts.next().unwrap_or_default();
    let operations = texts.next().unwrap_or_default();
    let kind = schema;
    let schema = format!("#@data/values-schema\n---\n{schema}");
    let named = "resources: [objects.yaml]\npatches: [{path: patch.yaml}]\n";
    let files = match kind {
        "kustomization\n" => vec![
            ("/w/kustomization.yaml", template),
            ("/w/objects.yaml", OBJECTS),
        ],
        "patch\n" => vec![
            ("/w/patch.yaml", template),
            ("/w/kustomization.yaml", named),
            ("/w/objects.yaml", OBJECTS),
        ],
        _ => vec![
            ("/w/config/app.yml", template),
            ("/w/config/schema.yml", schema.as_str()),
            ("/w/config/text.star", "def label(x):\n  return x\nend\n"),
        ],
    };
    let edited = format!("file://{}", files[0].0);
    let world = Memory::with_files(files);
    let (server_side, connection) = Connection::memory();
    let server = thread::spawn(move || serve(&world, &server_side).is_ok());
    let mut client = Client {
        connection,
        edited,
        last_id: 0,
    };
    let folder = json!([{"uri": "file:///w", "name": "w"}]);
    client.request(
        "initialize",
        json!({"capabilities": {}, "workspaceFolders": folder}),
    );
    client.notify("initialized", json!({}));
    let document =
        json!({"uri": client.edited, "languageId": "yaml", "version": 1, "text": template});
    client.notify("textDocument/didOpen", json!({"textDocument": document}));
    client.wait_for_build();
    for operation in operations.lines().take(20) {
        client.operate(operation);
    }
    client.request("shutdown", Value::Null);
    client.notify("exit", Value::Null);
    assert!(server.join().expect("the server does not panic"));
}

struct Client {
    connection: Connection,
    /// The address of the file that is edited.
    edited: String,
    last_id: i32,
}

impl Client {
    fn operate(&mut self, operation: &str) {
        let mut characters = operation.chars();
        let Some(letter) = characters.next() else {
            return self.wait_for_build();
        };
        let mut number = || {
            let next = characters.next().map_or(0, u32::from);
            next.wrapping_sub(u32::from('0'))
        };
        let place = json!({"line": number(), "character": number()});
        if letter == 'e' {
            let end = json!({"line": number(), "character": number()});
            let range = json!({"start": place, "end": end});
            let text = characters.as_str().replace('~', "\n");
            let document = json!({"uri": self.edited, "version": 2});
            let changes = json!([{"range": range, "text": text}]);
            let change = json!({"textDocument": document, "contentChanges": changes});
            return self.notify("textDocument/didChange", change);
        }
        let uri = json!({"uri": self.edited});
        let at = json!({"textDocument": uri, "position": place});
        let whole = json!({"textDocument": uri});
        let from_here = json!({"start": place, "end": {"line": 9, "character": 0}});
        match letter {
            'c' => self.request("textDocument/completion", at),
            'd' => self.request("textDocument/definition", at),
            'r' => {
                let context = json!({"includeDeclaration": true});
                let parameters =
                    json!({"textDocument": uri, "position": place, "context": context});
                self.request("textDocument/references", parameters);
            }
            'p' => self.request("textDocument/prepareRename", at),
            'n' => {
                let name = characters.as_str();
                let parameters = json!({"textDocument": uri, "position": place, "newName": name});
                self.request("textDocument/rename", parameters);
            }
            't' => self.request("textDocument/semanticTokens/full", whole),
            's' => self.request("textDocument/documentSymbol", whole),
            'f' => self.request("textDocument/foldingRange", whole),
            'l' => {
                let options = json!({"tabSize": 2, "insertSpaces": true});
                let parameters = json!({"textDocument": uri, "options": options});
                self.request("textDocument/formatting", parameters);
            }
            'i' => {
                let parameters = json!({"textDocument": uri, "range": from_here});
                self.request("textDocument/inlayHint", parameters);
            }
            'a' => {
                let context = json!({"diagnostics": []});
                let parameters =
                    json!({"textDocument": uri, "range": from_here, "context": context});
                self.request("textDocument/codeAction", parameters);
            }
            _ => self.request("textDocument/hover", at),
        }
    }

    fn notify(&self, method: &str, parameters: Value) {
        let notification = Notification::new(method.to_owned(), parameters);
        self.send(notification.into());
    }

    /// Sends a request, and waits for its answer.
    fn request(&mut self, method: &str, parameters: Value) {
        self.last_id += 1;
        let id = RequestId::from(self.last_id);
        let request = Request::new(id.clone(), method.to_owned(), parameters);
        self.send(request.into());
        loop {
            let message = self.connection.receiver.recv_timeout(PATIENCE);
            let message = message.expect("the server answers");
            check(&message);
            if matches!(&message, Message::Response(response) if response.id == id) {
                return;
            }
        }
    }

    fn send(&self, message: Message) {
        let sent = self.connection.sender.send(message);
        sent.expect("the server listens");
    }

    fn wait_for_build(&self) {
        if let Ok(message) = self.connection.receiver.recv_timeout(BUILD) {
            check(&message);
        }
    }
}

/// The server goes on after a panic, and says so.
fn check(message: &Message) {
    match message {
        Message::Response(response) => {
            if let Err(error) = &response.response_result {
                let is_bug = error.code == ErrorCode::InternalError as i32;
                assert!(!is_bug, "{}", error.message);
            }
        }
        Message::Notification(notification) => {
            let text = notification.params.to_string();
            assert!(!text.contains("because of a bug in inlay"), "{text}");
        }
        Message::Request(_) => {}
    }
}
