//! `inlay playground`: the assets of the page match its sources, every example of the gallery
//! renders the same output as the command line, and the server answers only its own page.
//! `playground/tests` tests the page in a browser.

#![allow(
    clippy::expect_used,
    reason = "a test that cannot start the server has failed"
)]

mod common {
    pub(crate) mod program;
    pub(crate) mod workspace;
}

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use common::program::{Call, working_copy};
use common::workspace::repository;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

/// The files and folders below `playground/` that `tools/pack.mjs` hashes.
const SOURCES: [&str; 9] = [
    "gallery.json",
    "index.html",
    "package-lock.json",
    "package.json",
    "public",
    "src",
    "tools",
    "tsconfig.json",
    "vite.config.ts",
];

const REBUILD: &str = "run `npm ci && npm run build` in playground/";

fn files_below(path: &Path, found: &mut Vec<PathBuf>) {
    if !path.is_dir() {
        found.push(path.to_owned());
        return;
    }
    for entry in fs::read_dir(path).expect("a folder can be read") {
        files_below(&entry.expect("an entry can be read").path(), found);
    }
}

/// Returns the hash of each file by its path below `root`.
fn hashes(root: &Path, files: &[PathBuf]) -> BTreeMap<String, String> {
    let hash = |path: &PathBuf| {
        let bytes = fs::read(path).expect("a file can be read");
        let digest = Sha256::digest(bytes);
        let name = path.strip_prefix(root).expect("it is below the root");
        let name = name.to_string_lossy().replace('\\', "/");
        (
            name,
            digest.iter().map(|byte| format!("{byte:02x}")).collect(),
        )
    };
    files.iter().map(hash).collect()
}

/// Returns the names whose hashes differ, or that exist on only one side.
fn differences(lock: &Value, found: &BTreeMap<String, String>) -> Vec<String> {
    let recorded = lock.as_object().expect("the lock is a table");
    let mut names: Vec<String> = recorded.keys().cloned().collect();
    names.extend(
        found
            .keys()
            .filter(|name| !recorded.contains_key(*name))
            .cloned(),
    );
    names.retain(|name| lock[name].as_str() != found.get(name).map(String::as_str));
    names
}

fn read_json(path: &Path) -> Value {
    let text = fs::read_to_string(path).expect("a file of the repository can be read");
    serde_json::from_str(&text).expect("it is JSON")
}

/// An example of the gallery, with the paths of its files relative to its folder.
struct Example {
    id: String,
    kind: String,
    arguments: Vec<String>,
    folder: PathBuf,
    files: Vec<PathBuf>,
}

fn texts(value: &Value) -> Vec<String> {
    let items = value.as_array().into_iter().flatten();
    items
        .filter_map(|item| item.as_str().map(str::to_owned))
        .collect()
}

fn gallery() -> Vec<Example> {
    let table = read_json(&repository().join("playground/gallery.json"));
    let rows = table.as_array().expect("the gallery is a list");
    let text = |row: &Value, field: &str| {
        row[field]
            .as_str()
            .unwrap_or_else(|| panic!("{row} has no {field}"))
            .to_owned()
    };
    let example = |row: &Value| {
        let folder = repository().join(text(row, "folder"));
        let mut files: Vec<PathBuf> = texts(&row["files"])
            .iter()
            .map(|file| folder.join(file))
            .collect();
        if files.is_empty() {
            files_below(&folder, &mut files);
        }
        Example {
            id: text(row, "id"),
            kind: text(row, "kind"),
            arguments: texts(&row["arguments"]),
            folder,
            files,
        }
    };
    rows.iter().map(example).collect()
}

#[test]
fn the_assets_are_generated_from_the_sources() {
    let assets = repository().join("src/playground/assets");
    let lock = read_json(&assets.join("assets.lock.json"));
    let mut sources = Vec::new();
    for name in SOURCES {
        files_below(&repository().join("playground").join(name), &mut sources);
    }
    sources.extend(gallery().into_iter().flat_map(|example| example.files));
    let changed = differences(&lock["sources"], &hashes(repository(), &sources));
    assert!(
        changed.is_empty(),
        "sources have changed: {changed:?}; {REBUILD}"
    );

    let mut packed = Vec::new();
    files_below(&assets, &mut packed);
    packed.retain(|path| !path.ends_with("assets.lock.json"));
    let changed = differences(&lock["assets"], &hashes(&assets, &packed));
    assert!(
        changed.is_empty(),
        "assets are not what was built: {changed:?}; {REBUILD}"
    );
}

#[test]
fn every_folder_of_the_gallery_is_an_example() {
    let examples = gallery();
    assert!(examples.len() >= 20, "{} examples", examples.len());
    for entry in fs::read_dir(repository().join("examples/gallery")).expect("the folder exists") {
        let folder = entry.expect("an entry can be read").path();
        assert!(
            examples.iter().any(|example| example.folder == folder),
            "{} is not in playground/gallery.json",
            folder.display()
        );
    }
}

/// Executes a job in the way the server has a worker execute it.
fn work(job: &Value) -> Value {
    work_and_print(job).0
}

/// Executes a job in the way the server has a worker execute it. Returns the answer, and the text
/// that code has printed.
fn work_and_print(job: &Value) -> (Value, String) {
    let call = Call {
        input: job.to_string(),
        ..Call::new(&["playground", "--worker"])
    };
    let answer = call
        .run_in(repository())
        .expect("the worker can be started");
    answer.ended_with(0).expect("the worker does not fail");
    let json = serde_json::from_str(&answer.output).expect("the answer is JSON");
    (json, answer.errors)
}

/// The form is created from data that the render collects: nothing is read or evaluated again for
/// it.
#[test]
fn the_form_is_there_while_a_template_is_wrong_and_costs_no_other_build() {
    let schema = "#@ print(\"evaluated\")\n#@data/values-schema\n---\nport: 80\n";
    let read = "#@ load(\"@ytt:data\", \"data\")\n";
    let right = format!("{read}port: #@ data.values.port\n");
    let wrong = format!("{read}port: #@ data.values.prot\n");
    let table = [
        (vec![], right.as_str(), json!({"port": 8080})),
        (vec![], wrong.as_str(), json!({"port": 8080})),
        // The output contains no data values, so they are requested separately.
        (
            vec!["--files-inspect"],
            right.as_str(),
            json!({"port": 8080}),
        ),
        (
            vec!["-o", "annotated"],
            right.as_str(),
            json!({"port": 8080}),
        ),
        // Invalid input: no values, but the form in which to correct them.
        (vec!["--data-value", "port=x"], right.as_str(), Value::Null),
    ];
    for (flags, template, values) in table {
        let mut arguments = vec!["-f", ".", "--data-value-yaml", "port=8080"];
        arguments.extend(flags);
        let (answer, printed) = work_and_print(&json!({
            "page": 1, "kind": "build", "arguments": arguments,
            "files": [
                {"path": "schema.yml", "text": schema},
                {"path": "app.yml", "text": template},
            ],
        }));
        assert_eq!(answer["values"], values, "{arguments:?}: {answer}");
        let schema = answer["schema"].as_str().unwrap_or_default();
        assert!(schema.contains("\"port\""), "{arguments:?}: {answer}");
        let printed = printed.matches("evaluated").count();
        assert_eq!(printed, 1, "{arguments:?}");
    }
}

#[test]
fn every_example_renders_what_the_command_line_prints() {
    for example in gallery() {
        let files = example.files.iter().map(|path| {
            let below = path
                .strip_prefix(&example.folder)
                .expect("it is in the folder");
            let text = fs::read_to_string(path).expect("a file of an example is text");
            json!({"path": below.to_string_lossy().replace('\\', "/"), "text": text})
        });
        let answer = work(&json!({
            "page": 1, "kind": example.kind, "arguments": example.arguments,
            "files": files.collect::<Vec<_>>(),
        }));

        let folder = working_copy(&example.folder, &example.files).expect("files can be copied");
        let mut words = vec![example.kind.as_str()];
        words.extend(example.arguments.iter().map(String::as_str));
        let printed = Call::new(&words)
            .run_in(folder.path())
            .expect("inlay can be started");

        let id = &example.id;
        assert_eq!(
            answer["output"].as_str(),
            Some(printed.output.as_str()),
            "{id}"
        );
        assert_eq!(
            answer["failed"],
            json!(printed.code != Some(0)),
            "{id}: {}",
            printed.errors
        );
        let documents = answer["documents"].as_array().expect("a list");
        let joined: String = documents
            .iter()
            .filter_map(|document| document["text"].as_str())
            .collect();
        assert!(
            joined == printed.output,
            "{id}: the documents are the output"
        );
    }
}

#[test]
fn a_render_sees_no_file_of_the_machine() {
    let template = "a: #@ data.read(\"Cargo.toml\")\n";
    let config = format!("#@ load(\"@ytt:data\", \"data\")\n{template}");
    let table = [
        ("build", vec!["-f", "Cargo.toml"], "a: 1\n"),
        ("build", vec!["-f", "/etc/hosts"], "a: 1\n"),
        ("build", vec!["-f", "x.yml", "-d", "Cargo.toml"], "a: 1\n"),
        (
            "build",
            vec!["-f", "x.yml", "--data-value-file", "a=/etc/hosts"],
            "a: 1\n",
        ),
        ("build", vec!["-f", "x.yml"], config.as_str()),
        ("run", vec!["Cargo.toml", "x.yml"], "a: 1\n"),
        (
            "kustomize",
            vec!["kustomization-examples/patches/base"],
            "a: 1\n",
        ),
    ];
    for (kind, arguments, text) in table {
        let answer = work(&json!({
            "page": 1, "kind": kind, "arguments": arguments,
            "files": [{"path": "x.yml", "text": text}],
        }));
        assert_eq!(
            answer["failed"],
            json!(true),
            "{kind} {arguments:?}: {answer}"
        );
    }
    // A worker cannot read a variable of the environment either.
    let answer = work(&json!({
        "page": 1, "kind": "build", "arguments": ["-f", "x.yml", "--data-values-env", "CARGO"],
        "files": [{"path": "x.yml", "text": "#@data/values-schema\n---\nPKG_NAME: none\n"}],
    }));
    assert_eq!(answer["values"], json!({"PKG_NAME": "none"}), "{answer}");
}

#[test]
fn a_job_cannot_raise_what_a_render_may_use() {
    let limits = "the playground takes no `--limit`, no `--threads` and no `--watch`";
    let commands = "the playground runs `build`, `run` and `kustomize build`";
    let table = [
        (
            "build",
            vec!["-f", "x.yml", "--limit", "steps=9999999999999"],
            limits,
        ),
        ("build", vec!["-f", "x.yml", "--threads", "999"], limits),
        ("kustomize", vec!["fix"], commands),
    ];
    for (kind, arguments, expected) in table {
        let answer = work(&json!({
            "page": 1, "kind": kind, "arguments": arguments,
            "files": [{"path": "x.yml", "text": "a: 1\n"}],
        }));
        let message = &answer["diagnostics"][0]["message"];
        assert_eq!(message, expected, "{kind} {arguments:?}: {answer}");
    }
}

#[test]
fn a_port_that_is_taken_is_an_error() {
    let server = Server::start(&[]);
    let call = Call::new(&["playground", "--port", &server.port.to_string()]);
    let answer = call.run_in(repository()).expect("inlay can be started");
    let expected = format!("cannot listen on port {} of 127.0.0.1: ", server.port);
    assert!(answer.errors.contains(&expected), "{}", answer.errors);
    assert_eq!(answer.code, Some(1));
}

#[test]
fn the_server_starts_where_there_is_no_browser() {
    let mut process = Command::new(env!("CARGO_BIN_EXE_inlay"))
        .args(["playground", "--open"])
        .env("PATH", "")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the server can be started");
    let errors = process.stderr.take().expect("its errors are a pipe");
    let mut lines = BufReader::new(errors).lines().map_while(Result::ok);
    let warning = lines.find(|line| line.contains("cannot open a browser: "));
    process.kill().expect("the server runs");
    process.wait().expect("the server ends");
    assert!(warning.is_some());
}

/// A running server.
struct Server {
    process: Child,
    port: u16,
    token: String,
}

impl Server {
    fn start(words: &[&str]) -> Server {
        let mut process = Command::new(env!("CARGO_BIN_EXE_inlay"))
            .arg("playground")
            .args(words)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the server can be started");
        let output = process.stdout.take().expect("its output is a pipe");
        let mut line = String::new();
        BufReader::new(output)
            .read_line(&mut line)
            .expect("it prints its address");
        let address = line
            .trim()
            .strip_prefix("http://127.0.0.1:")
            .expect("it is on this machine");
        let (port, token) = address.split_once("/#t=").expect("the address has a token");
        Server {
            port: port.parse().expect("the port is a number"),
            token: token.to_owned(),
            process,
        }
    }

    /// Sends bytes and returns the complete response.
    fn send(&self, request: &str) -> String {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).expect("it listens");
        stream
            .set_read_timeout(Some(Duration::from_secs(60)))
            .expect("it is a socket");
        stream.write_all(request.as_bytes()).expect("it reads");
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        String::from_utf8_lossy(&answer).into_owned()
    }

    /// Calls the server as the page does.
    fn call(&self, target: &str, body: &Value) -> (u16, String) {
        self.call_with_token(target, body, &self.token)
    }

    fn call_with_token(&self, target: &str, body: &Value, token: &str) -> (u16, String) {
        let (port, body) = (self.port, body.to_string());
        let answer = self.send(&format!(
            "POST {target} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}\r\n\
             Content-Type: application/json\r\nX-Inlay-Token: {token}\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        ));
        let (_, content) = answer.split_once("\r\n\r\n").unwrap_or_default();
        (status(&answer), content.to_owned())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn status(answer: &str) -> u16 {
    answer
        .get(9..12)
        .and_then(|code| code.parse().ok())
        .unwrap_or(0)
}

fn job(text: &str) -> Value {
    json!({
        "page": 7, "kind": "build", "arguments": ["-f", "x.yml"],
        "files": [{"path": "x.yml", "text": text}],
    })
}

#[test]
fn the_page_may_load_nothing_from_elsewhere() {
    let server = Server::start(&[]);
    let port = server.port;
    for target in [
        "/",
        "/app.js",
        "/app.css",
        "/theme.js",
        "/gallery.json",
        "/icon.svg",
    ] {
        let answer = server.send(&format!(
            "GET {target} HTTP/1.1\r\nHost: localhost:{port}\r\n\r\n"
        ));
        assert_eq!(status(&answer), 200, "{target}");
        for header in [
            "Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'",
            "frame-ancestors 'none'",
            "X-Content-Type-Options: nosniff",
            "Referrer-Policy: no-referrer",
            "Cross-Origin-Opener-Policy: same-origin",
            "Cross-Origin-Resource-Policy: same-origin",
        ] {
            assert!(answer.contains(header), "{target}: {header}");
        }
        assert!(!answer.contains("Access-Control"), "{target}");
        assert!(!answer.contains("unsafe"), "{target}");
    }
    let page = || server.send(&format!("GET / HTTP/1.1\r\nHost: localhost:{port}\r\n\r\n"));
    assert_ne!(page(), page(), "each page has a nonce of its own");
}

#[test]
fn requests_that_are_not_from_the_page_are_refused() {
    let server = Server::start(&[]);
    let port = server.port;
    let own = format!("Host: 127.0.0.1:{port}\r\n");
    let evil = format!("Host: evil.example:{port}\r\nOrigin: http://evil.example:{port}\r\n");
    let json = "Content-Type: application/json\r\nX-Inlay-Token: x\r\nContent-Length: 2\r\n\r\n{}";
    let table = [
        (format!("GET / HTTP/1.1\r\n{own}\r\n"), 200),
        ("GET / HTTP/1.1\r\n\r\n".to_owned(), 400),
        (format!("GET / HTTP/1.1\r\n{own}{own}\r\n"), 400),
        (format!("GET / HTTP/1.1\r\n{evil}\r\n"), 421),
        (format!("POST /api/render HTTP/1.1\r\n{evil}{json}"), 421),
        (format!("POST /api/render HTTP/1.1\r\n{own}{json}"), 403),
        (
            format!("POST /api/render HTTP/1.1\r\n{own}Origin: null\r\n{json}"),
            403,
        ),
        (format!("GET /api/render HTTP/1.1\r\n{own}\r\n"), 405),
        (
            format!("OPTIONS /api/render HTTP/1.1\r\n{own}Origin: http://evil.example\r\n\r\n"),
            405,
        ),
        (format!("POST / HTTP/1.1\r\n{own}{json}"), 405),
        (format!("GET /../Cargo.toml HTTP/1.1\r\n{own}\r\n"), 404),
        (format!("GET /%2e%2e/Cargo.toml HTTP/1.1\r\n{own}\r\n"), 404),
        (format!("GET /..\\Cargo.toml HTTP/1.1\r\n{own}\r\n"), 404),
        (
            format!("GET http://127.0.0.1:{port}/ HTTP/1.1\r\n{own}\r\n"),
            404,
        ),
        ("\x16\x03\x01\x02\x00\x01\r\n\r\n".to_owned(), 400),
    ];
    for (request, expected) in table {
        assert_eq!(status(&server.send(&request)), expected, "{request}");
    }
    assert_eq!(server.call("/api/meta", &json!({})).0, 200);
    // Without a folder there are no files to protect, so a shared link works in a new tab.
    assert_eq!(
        server.call_with_token("/api/meta", &json!({}), "none").0,
        200
    );
    assert_eq!(server.call("/api/file/read", &json!({"id": 0})).0, 404);
}

#[test]
fn a_render_without_an_end_is_stopped_and_the_server_lives() {
    let server = Server::start(&["--time-limit", "1"]);
    let endless =
        "#@ def f(n):\n#@   return 0 if n == 0 else f(n - 1) + f(n - 1)\n#@ end\na: #@ f(60)\n";
    let (code, answer) = server.call("/api/render", &job(endless));
    assert_eq!(code, 200);
    assert!(answer.contains("takes longer than 1s"), "{answer}");
    // Requests that are not JSON, are not a job, or contain a path out of the folder.
    for body in ["{", "[]", "{\"page\": 1}"] {
        let body = serde_json::from_str(body).unwrap_or(json!(body));
        let (code, answer) = server.call("/api/render", &body);
        assert!(code == 400 || answer.contains("problem"), "{code} {answer}");
    }
    let server = Server::start(&["--time-limit", "60"]);
    let (_, answer) = server.call("/api/render", &job("a: 1\n"));
    let answer: Value = serde_json::from_str(&answer).expect("it is JSON");
    assert_eq!(answer["output"], json!("a: 1\n"));
}

#[test]
fn many_renders_at_once_are_answered_or_refused() {
    let server = Server::start(&["--time-limit", "60"]);
    let codes: Vec<u16> = std::thread::scope(|scope| {
        let one = |page: u64| {
            let mut job = job("a: 1\n");
            job["page"] = json!(page);
            server.call("/api/render", &job).0
        };
        let calls: Vec<_> = (0..20).map(|page| scope.spawn(move || one(page))).collect();
        calls
            .into_iter()
            .map(|call| call.join().expect("a call ends"))
            .collect()
    });
    assert!(
        codes.iter().all(|code| [200, 429].contains(code)),
        "{codes:?}"
    );
    assert!(codes.contains(&200), "{codes:?}");
    assert_eq!(server.call("/api/render", &job("a: 1\n")).0, 200);
}

#[test]
fn files_of_the_folder_need_the_token_and_the_content_that_was_read() {
    let folder = tempfile::TempDir::new().expect("a folder can be made");
    let file = folder.path().join("a.yml");
    fs::write(&file, "a: 1\n").expect("a file can be written");
    fs::write(folder.path().join(".secret"), "b: 1\n").expect("a file can be written");
    let path = folder.path().to_string_lossy().into_owned();
    let server = Server::start(&[&path]);

    let read = json!({"id": 0});
    assert_eq!(
        server.call_with_token("/api/file/read", &read, "none").0,
        403
    );
    assert_eq!(
        server
            .call_with_token("/api/render", &job("a: 1\n"), "none")
            .0,
        403
    );
    let (_, meta) = server.call("/api/meta", &json!({}));
    assert!(meta.contains("a.yml") && !meta.contains("secret"), "{meta}");
    let (code, content) = server.call("/api/file/read", &read);
    assert_eq!(code, 200);
    let content: Value = serde_json::from_str(&content).expect("it is JSON");
    assert_eq!(content["text"], json!("a: 1\n"));
    assert_eq!(server.call("/api/file/read", &json!({"id": 1})).0, 500);

    let change = json!({"id": 0, "hash": content["hash"], "text": "a: 2\n"});
    assert_eq!(server.call("/api/file/write", &change).0, 200);
    assert_eq!(fs::read_to_string(&file).expect("it is there"), "a: 2\n");
    // The same change again is rejected: the page has not seen the current content.
    assert_eq!(server.call("/api/file/write", &change).0, 409);

    let server = Server::start(&[&path, "--read-only"]);
    let (_, content) = server.call("/api/file/read", &read);
    let content: Value = serde_json::from_str(&content).expect("it is JSON");
    let change = json!({"id": 0, "hash": content["hash"], "text": "a: 3\n"});
    assert_eq!(server.call("/api/file/write", &change).0, 500);
    assert_eq!(fs::read_to_string(&file).expect("it is there"), "a: 2\n");
}

/// Links in the folder are not followed, because they may lead anywhere.
#[cfg(unix)]
#[test]
fn links_out_of_the_folder_are_not_files_of_it() {
    let folder = tempfile::TempDir::new().expect("a folder can be made");
    fs::write(folder.path().join("a.yml"), "a: 1\n").expect("a file can be written");
    std::os::unix::fs::symlink("/etc/hosts", folder.path().join("hosts.yml")).expect("a link");
    let server = Server::start(&[&folder.path().to_string_lossy()]);
    let (_, meta) = server.call("/api/meta", &json!({}));
    assert!(meta.contains("a.yml") && !meta.contains("hosts"), "{meta}");
}

/// A page calls the server every few seconds. Without a page, the server ends.
#[test]
fn the_server_ends_when_no_page_is_open() {
    // Longer than a busy machine stops a test for.
    let idle = Duration::from_secs(8);
    let mut server = Server::start(&["--idle-exit", "8"]);
    let start = Instant::now();
    let mut last_call = start;
    while start.elapsed() < idle + Duration::from_secs(1) {
        last_call = Instant::now();
        assert_eq!(server.call("/api/alive", &json!({})).0, 200);
        std::thread::sleep(Duration::from_millis(500));
    }
    let status = server.process.wait().expect("the server ends");
    assert_eq!(status.code(), Some(0));
    assert!(last_call.elapsed() >= idle, "too early");
}

/// The page cannot use the file, which is larger than any memory.
#[cfg(unix)]
#[test]
fn a_huge_file_in_the_folder_is_not_read() {
    let folder = tempfile::TempDir::new().expect("a folder can be made");
    let path = folder.path().to_string_lossy().into_owned();
    fs::write(folder.path().join("a.yml"), "a: 1\n").expect("a file can be written");
    let huge = fs::File::create(folder.path().join("disk.img")).expect("a file can be made");
    let mut start = &huge;
    start.write_all(b"\xff\xfe").expect("a file can be written");
    // The file takes no space: file systems do not store holes.
    huge.set_len(64 << 30).expect("a file can have holes");
    let server = Server::start(&[&path]);
    let (_, meta) = server.call("/api/meta", &json!({}));
    assert!(
        meta.contains("a.yml") && !meta.contains("disk.img"),
        "{meta}"
    );
}
