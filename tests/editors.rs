//! `inlay lsp` as editors use it: the process, and Neovim if it is on `PATH`.

#![allow(
    clippy::expect_used,
    reason = "a test that cannot prepare its files has failed"
)]

#[path = "common"]
mod common {
    pub(crate) mod clients;
}

use std::fs;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use common::clients::lacks_a_client;
use inlay::lsp::serve;
use inlay::source::world::Memory;
use inlay::yaml::{keep_parsed, parses};
use lsp_server::{Connection, Message, Notification, Request, RequestId};
use serde_json::{Value, json};
use tempfile::TempDir;

const SCHEMA: &str = "#@data/values-schema\n---\nreplicas: 2\n";

/// The mistake is on line 5.
const TEMPLATE: &str = "#@ load(\"@ytt:data\", \"data\")
kind: Deployment
spec:
  #! how many
  replicas: #@ data.values.replica
";

/// A kustomization whose replacement is being typed: the path on line 12 is incomplete.
const KUSTOMIZATION: &str = "apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
resources: [objects.yaml]
replacements:
- source:
    kind: Service
    name: db
    fieldPath: metadata.name
  targets:
  - select:
      kind: ConfigMap
    fieldPaths: ['data.config\\.json.server.h']
patches:
- path: patches/settings.yaml
- path: operations.json
  target: {kind: Service}
";

/// Two patches, each in its own file. The test types in them.
const PATCHES: [(&str, &str); 2] = [
    (
        "patches/settings.yaml",
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings}\ndata:\n  level: info\n",
    ),
    (
        "operations.json",
        "[{\"op\": \"add\", \"path\": \"/metadata/labels\", \"value\": {}}]\n",
    ),
];

const OBJECTS: &str = "apiVersion: v1
kind: Service
metadata: {name: db}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: settings}
data:
  config.json: |
    {\"server\": {\"host\": \"localhost\", \"port\": 80}}
";

fn folder() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let edits = folder.path().join("edits");
    fs::create_dir_all(edits.join("patches")).expect("a folder can be made");
    for (name, text) in PATCHES {
        fs::write(edits.join(name), text).expect("a file can be written");
    }
    for (name, text) in [
        ("kustomization.yaml", KUSTOMIZATION),
        ("objects.yaml", OBJECTS),
    ] {
        fs::write(edits.join(name), text).expect("a file can be written");
    }
    for (name, text) in [("schema.yml", SCHEMA), ("app.yml", TEMPLATE)] {
        fs::write(folder.path().join(name), text).expect("a file can be written");
    }
    folder
}

/// Runs a script of `tests/editors/` in Neovim, which checks what the editor shows for the files of
/// a folder.
fn check_in_neovim(name: &str, folder: &TempDir) {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/editors/{name}.lua"));
    let output = Command::new("nvim")
        .args(["--headless", "--clean", "-c"])
        .arg(format!("luafile {}", script.display()))
        .env("INLAY", env!("CARGO_BIN_EXE_inlay"))
        .env("FOLDER", folder.path())
        // Neovim writes below these: older versions keep the files of open texts with their data.
        .env("XDG_DATA_HOME", folder.path())
        .env("XDG_STATE_HOME", folder.path())
        .env("XDG_CACHE_HOME", folder.path())
        .stdin(Stdio::null())
        .output()
        .expect("nvim can be started");
    let messages = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{messages}");
}

#[test]
fn the_page_about_the_language_is_generated_from_the_tables_of_the_server() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/language.md");
    let page = inlay::lsp::language_page();
    if std::env::var_os("UPDATE").is_some() {
        fs::write(&path, &page).expect("the page can be written");
    }
    let written = fs::read_to_string(&path).unwrap_or_default();
    assert!(written == page, "UPDATE=1 cargo test --test editors");
}

#[test]
fn neovim_shows_a_mistake_completes_and_finds_definitions() {
    if !lacks_a_client("nvim") {
        check_in_neovim("neovim", &folder());
    }
}

/// The task "a sidecar everywhere but one", solved from an empty file with only what the editor
/// shows and offers.
#[test]
fn neovim_adds_a_sidecar_to_all_deployments_but_one() {
    if lacks_a_client("nvim") {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder can be made");
    let deployment = |name: &str| {
        format!(
            "apiVersion: apps/v1\nkind: Deployment\nmetadata: {{name: {name}}}\nspec:\n  template:\n    spec:\n      \
             containers:\n      - name: {name}\n        image: {name}:1\n"
        )
    };
    let manifests = ["web", "api", "batch"].map(deployment).join("---\n");
    fs::write(folder.path().join("manifests.yml"), manifests).expect("a file can be written");
    check_in_neovim("sidecar", &folder);
    let output = Command::new(env!("CARGO_BIN_EXE_inlay"))
        .args(["build", "-f"])
        .arg(folder.path())
        .output()
        .expect("the program can be started");
    let printed = String::from_utf8_lossy(&output.stdout);
    assert_eq!(printed.matches("image: proxy:2").count(), 2, "{output:?}");
}

/// The cost of an edit depends only on the edited file: the trees of the others are kept.
#[test]
fn an_edit_parses_only_the_file_that_was_edited() {
    let paths: Vec<String> = (0..20)
        .map(|number| format!("/w/config/{number}.yml"))
        .collect();
    let text = |number: usize| format!("kind: A\nnumber: #@ {number}\n");
    let texts: Vec<String> = (0..20).map(text).collect();
    let files = paths.iter().zip(&texts);
    let world = Memory::with_files(files.map(|(path, text)| (path.as_str(), text.as_str())));
    keep_parsed();
    let (server_side, client) = Connection::memory();
    let server = std::thread::spawn(move || serve(&world, &server_side).is_ok());
    let notify = |method: &str, parameters: Value| {
        let message = Notification::new(method.to_owned(), parameters).into();
        client.sender.send(message).expect("the server listens");
    };
    let request = |id: i32, method: &str, parameters: Value| {
        let message = Request::new(RequestId::from(id), method.to_owned(), parameters).into();
        client.sender.send(message).expect("the server listens");
    };
    let next_diagnostics = || loop {
        let received = client.receiver.recv_timeout(Duration::from_secs(300));
        if let Message::Notification(notification) = received.expect("the server answers")
            && notification.method == "textDocument/publishDiagnostics"
            && notification.params["diagnostics"] != json!([])
        {
            return;
        }
    };
    let folders = json!([{"uri": "file:///w", "name": "w"}]);
    request(
        1,
        "initialize",
        json!({"capabilities": {}, "workspaceFolders": folders}),
    );
    notify("initialized", json!({}));
    let uri = "file:///w/config/7.yml";
    // A build with a mistake ends with a message that a client can wait for.
    let document =
        json!({"uri": uri, "languageId": "yaml", "version": 1, "text": "a: #@ missing1\n"});
    notify("textDocument/didOpen", json!({"textDocument": document}));
    next_diagnostics();
    let first = parses();
    assert!(first >= 20, "{first}");
    for version in 2..5 {
        let before = parses();
        let document = json!({"uri": uri, "version": version});
        let changes = json!([{"text": format!("a: #@ missing{version}\n")}]);
        notify(
            "textDocument/didChange",
            json!({"textDocument": document, "contentChanges": changes}),
        );
        next_diagnostics();
        assert_eq!(parses() - before, 1, "version {version}");
    }
    request(2, "shutdown", Value::Null);
    notify("exit", Value::Null);
    assert!(server.join().expect("the server does not panic"));
}

/// Starts the server.
fn server() -> Child {
    Command::new(env!("CARGO_BIN_EXE_inlay"))
        .arg("lsp")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program can be started")
}

fn message(content: &str) -> String {
    format!("Content-Length: {}\r\n\r\n{content}", content.len())
}

/// Sends `text` in pieces of `size` bytes, and returns the server's answers, its standard error,
/// and its exit code.
fn talk(text: &str, size: usize) -> (String, String, Option<i32>) {
    let mut server = server();
    let mut input = server.stdin.take().expect("the input is a pipe");
    for piece in text.as_bytes().chunks(size) {
        input.write_all(piece).expect("the server reads");
        input.flush().expect("the server reads");
    }
    drop(input);
    let (mut answers, mut messages) = (String::new(), String::new());
    let mut output = server.stdout.take().expect("the output is a pipe");
    output
        .read_to_string(&mut answers)
        .expect("answers are text");
    let mut errors = server.stderr.take().expect("the messages are a pipe");
    errors
        .read_to_string(&mut messages)
        .expect("messages are text");
    let status = server.wait().expect("the server ends");
    (answers, messages, status.code())
}

const INITIALIZE: &str =
    r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}"#;
const INITIALIZED: &str = r#"{"jsonrpc":"2.0","method":"initialized","params":{}}"#;
const SHUTDOWN: &str = r#"{"jsonrpc":"2.0","id":2,"method":"shutdown"}"#;
const EXIT: &str = r#"{"jsonrpc":"2.0","method":"exit"}"#;

#[test]
fn ends_well_when_it_is_asked_to() {
    let text: String = [INITIALIZE, INITIALIZED, SHUTDOWN, EXIT]
        .map(message)
        .concat();
    // A pipe may deliver a message in pieces of any size.
    for size in [1, 7, text.len()] {
        let (answers, messages, code) = talk(&text, size);
        assert_eq!((messages.as_str(), code), ("", Some(0)), "{answers}");
        assert!(answers.contains("\"completionProvider\""), "{answers}");
        assert!(answers.contains("\"id\":2"), "{answers}");
    }
}

#[test]
fn fails_when_the_editor_goes_away_or_speaks_something_else() {
    let initialized: String = [INITIALIZE, INITIALIZED].map(message).concat();
    let gone = "error[file]: the editor closed the connection without `shutdown` and `exit`";
    let other = "error[file]: the language client: expected a header";
    let table = [
        (initialized.as_str(), gone),
        ("", gone),
        ("GET / HTTP/1.1\r\n\r\n", other),
    ];
    for (text, expected) in table {
        let (_, messages, code) = talk(text, 4096);
        assert_eq!(code, Some(1), "{text:?}: {messages}");
        assert!(messages.starts_with(expected), "{text:?}: {messages}");
        assert!(!messages.contains("panicked"), "{text:?}: {messages}");
    }
}

/// The client keeps the connection open, so the server must end by itself.
#[test]
fn a_message_that_claims_an_unlikely_length_is_an_error_at_once() {
    let mut server = server();
    let mut input = server.stdin.take().expect("the input is a pipe");
    input
        .write_all(b"Content-Length: 99000000000\r\n\r\n{")
        .expect("the server reads");
    let start = Instant::now();
    let mut messages = String::new();
    let mut errors = server.stderr.take().expect("the messages are a pipe");
    errors
        .read_to_string(&mut messages)
        .expect("messages are text");
    let status = server.wait().expect("the server ends");
    assert_eq!(status.code(), Some(1), "{messages}");
    let expected = "error[limit]: the language client: a message of 99000000000 bytes";
    assert!(messages.starts_with(expected), "{messages}");
    assert!(messages.contains("--limit message="), "{messages}");
    assert!(start.elapsed() < Duration::from_secs(60), "{messages}");
    drop(input);
}

#[test]
fn a_client_that_does_not_listen_ends_the_server_as_any_other() {
    let text: String = [INITIALIZE, INITIALIZED, SHUTDOWN, EXIT]
        .map(message)
        .concat();
    let mut server = server();
    drop(server.stdout.take());
    let mut input = server.stdin.take().expect("the input is a pipe");
    input.write_all(text.as_bytes()).expect("the server reads");
    let status = server.wait().expect("the server ends");
    assert_eq!(status.code(), Some(0), "{status}");
}

/// Returns the processes that a process has started.
#[cfg(target_os = "linux")]
fn children(process: u32) -> Vec<String> {
    // The system lists them by the thread that started them.
    let threads = fs::read_dir(format!("/proc/{process}/task")).expect("the process runs");
    let mut children = Vec::new();
    for thread in threads {
        let list = thread.expect("a thread is listed").path().join("children");
        let list = fs::read_to_string(list).expect("the system lists processes");
        children.extend(list.split_whitespace().map(str::to_owned));
    }
    children
}

/// Waits until a condition holds.
#[cfg(target_os = "linux")]
fn wait_until(what: &str, mut holds: impl FnMut() -> bool) {
    let start = Instant::now();
    while !holds() {
        assert!(start.elapsed() < Duration::from_secs(300), "{what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Returns whether every thread of a process is stopped. A signal does not stop them at once: one
/// that is woken by a message meanwhile still reads it.
#[cfg(target_os = "linux")]
fn is_stopped(process: &str) -> bool {
    let threads = fs::read_dir(format!("/proc/{process}/task")).expect("the process is there");
    threads.flatten().all(|thread| {
        let state = fs::read_to_string(thread.path().join("stat")).unwrap_or_default();
        // The name of the program is in parentheses, and may contain any of them.
        state
            .rsplit(')')
            .next()
            .unwrap_or_default()
            .trim_start()
            .starts_with('T')
    })
}

/// Returns whether a process has something to read that it has not read yet.
#[cfg(target_os = "linux")]
fn has_input(process: &str) -> bool {
    let input = fs::File::open(format!("/proc/{process}/fd/0")).expect("the input is a pipe");
    rustix::io::ioctl_fionread(&input).expect("a pipe has a length") > 0
}

/// Returns the parameters of the next notification of a kind.
#[cfg(target_os = "linux")]
fn next_notification(receive: &mut impl FnMut() -> Message, wanted: &str) -> Value {
    loop {
        if let Message::Notification(notification) = receive()
            && notification.method == wanted
        {
            return notification.params;
        }
    }
}

/// A panic or a stack overflow aborts the process in a release, so only another process survives.
/// In this test, a signal aborts it.
#[cfg(target_os = "linux")]
#[test]
fn a_crash_of_the_server_costs_one_answer() {
    let folder = folder();
    let uri = format!("file://{}/app.yml", folder.path().display());
    let opened = json!({"jsonrpc": "2.0", "method": "textDocument/didOpen", "params":
        {"textDocument": {"uri": uri, "languageId": "yaml", "version": 1, "text": TEMPLATE}}});
    let mut server = server();
    let mut input = server.stdin.take().expect("the input is a pipe");
    let mut output = std::io::BufReader::new(server.stdout.take().expect("the output is a pipe"));
    for text in [INITIALIZE, INITIALIZED, &opened.to_string()] {
        input
            .write_all(message(text).as_bytes())
            .expect("the server reads");
    }
    let mut receive = || {
        let received = Message::read(&mut output).expect("a message is complete");
        received.expect("the server is there")
    };
    let report = next_notification(&mut receive, "textDocument/publishDiagnostics");
    assert_eq!(report["diagnostics"].as_array().map(Vec::len), Some(1));

    let workers = children(server.id());
    assert_eq!(workers.len(), 1, "{workers:?}");
    let signal = |name: &str| {
        let kill = Command::new("kill").args([name, &workers[0]]).status();
        assert!(kill.expect("kill can be started").success());
    };
    // A request that the worker has received and not answered: the worker is stopped until the
    // signal of a panic arrives.
    signal("-STOP");
    wait_until("the worker stops", || is_stopped(&workers[0]));
    let hover = json!({"jsonrpc": "2.0", "id": 7, "method": "textDocument/hover", "params":
        {"textDocument": {"uri": uri}, "position": {"line": 4, "character": 30}}});
    input
        .write_all(message(&hover.to_string()).as_bytes())
        .expect("the server reads");
    wait_until("the worker has got it", || has_input(&workers[0]));
    signal("-ABRT");
    signal("-CONT");
    let mut reports = Vec::new();
    let (mut is_answered, mut is_shown) = (false, false);
    while !is_answered || !is_shown {
        match receive() {
            Message::Response(response) if response.id == RequestId::from(7) => {
                let error = response.response_result.expect_err("nobody can answer");
                assert!(error.message.contains("a bug in inlay"), "{error:?}");
                is_answered = true;
            }
            Message::Notification(notification) => match notification.method.as_str() {
                "textDocument/publishDiagnostics" => reports.push(notification.params),
                "window/showMessage" => is_shown = true,
                _ => {}
            },
            _ => {}
        }
    }
    // Diagnostics that the next worker does not know are withdrawn.
    assert_eq!(reports.len(), 1, "{reports:?}");
    assert_eq!(reports[0]["diagnostics"], json!([]));

    // The next edit counts positions in the text before the crash.
    let end = json!({"line": 4, "character": 34});
    let changed = json!({"jsonrpc": "2.0", "method": "textDocument/didChange", "params":
        {"textDocument": {"uri": uri, "version": 2},
         "contentChanges": [{"range": {"start": end, "end": end}, "text": "x"}]}});
    input
        .write_all(message(&changed.to_string()).as_bytes())
        .expect("the server reads");
    let is_new = |report: Value| {
        let text = report["diagnostics"][0]["message"].as_str();
        text.is_some_and(|text| text.contains("replicax"))
    };
    let mut next = || next_notification(&mut receive, "textDocument/publishDiagnostics");
    while !is_new(next()) {}
    for text in [SHUTDOWN, EXIT] {
        input
            .write_all(message(text).as_bytes())
            .expect("the server reads");
    }
    assert_eq!(server.wait().expect("the server ends").code(), Some(0));
}
