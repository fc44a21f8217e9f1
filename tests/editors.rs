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

use common::clients::lacks_a_client;
use tempfile::TempDir;

const SCHEMA: &str = "#@data/values-schema\n---\nreplicas: 2\n";

/// The mistake is on line 5.
const TEMPLATE: &str = "#@ load(\"@ytt:data\", \"data\")
kind: Deployment
spec:
  #! how many
  replicas: #@ data.values.replica
";

fn folder() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder can be made");
    for (name, text) in [("schema.yml", SCHEMA), ("app.yml", TEMPLATE)] {
        fs::write(folder.path().join(name), text).expect("a file can be written");
    }
    folder
}

#[test]
fn neovim_shows_a_mistake_completes_and_finds_definitions() {
    if lacks_a_client("nvim") {
        return;
    }
    let folder = folder();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/editors/neovim.lua");
    let output = Command::new("nvim")
        .args(["--headless", "--clean", "-c"])
        .arg(format!("luafile {}", script.display()))
        .env("INLAY", env!("CARGO_BIN_EXE_inlay"))
        .env("FOLDER", folder.path())
        .env("XDG_STATE_HOME", folder.path())
        .env("XDG_CACHE_HOME", folder.path())
        .stdin(Stdio::null())
        .output()
        .expect("nvim can be started");
    let messages = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{messages}");
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

/// Sends `text` in pieces of `size` bytes, and returns what the server answers, what it says on standard error, and its
/// exit code.
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
    for text in [initialized.as_str(), "", "GET / HTTP/1.1\r\n\r\n"] {
        let (_, messages, code) = talk(text, 4096);
        assert_eq!(code, Some(1), "{text:?}: {messages}");
        let expected = "error[file]: the language client: ";
        assert!(messages.starts_with(expected), "{text:?}: {messages}");
        assert!(!messages.contains("panicked"), "{text:?}: {messages}");
    }
}
