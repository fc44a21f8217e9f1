//! Behavior that depends on the operating system: paths, line ends, and replaced files. The other
//! tests of the program need a shell; these run everywhere, so that they fail on a system that
//! differs.
//!
//! On Linux, wine runs the program for Windows:
//!
//! ```sh
//! CARGO_TARGET_X86_64_PC_WINDOWS_GNU_RUNNER=wine \
//!     cargo test --target x86_64-pc-windows-gnu --test platforms
//! ```

#![allow(
    clippy::expect_used,
    reason = "a test that cannot prepare its files has failed"
)]

use std::fs;
use std::path::{MAIN_SEPARATOR, MAIN_SEPARATOR_STR, PathBuf};
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

/// A folder in which the program runs.
struct Folder(TempDir);

impl Folder {
    fn with_files(files: &[(&str, &str)]) -> Self {
        let folder = Self(tempfile::tempdir().expect("a folder can be made"));
        for (path, text) in files {
            let place = folder.path(path);
            fs::create_dir_all(place.parent().expect("a file is in a folder"))
                .and_then(|()| fs::write(&place, text))
                .expect("a file can be written");
        }
        folder
    }

    fn path(&self, path: &str) -> PathBuf {
        self.0.path().join(path)
    }

    fn read(&self, path: &str) -> String {
        fs::read_to_string(self.path(path)).expect("the file is there")
    }

    /// Returns the names in a folder, sorted.
    fn names(&self, path: &str) -> Vec<String> {
        let entries = fs::read_dir(self.path(path)).expect("the folder is there");
        let mut names: Vec<String> = entries
            .map(|entry| entry.expect("an entry can be read").file_name())
            .map(|name| name.to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    fn try_run(&self, arguments: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_inlay"))
            .args(arguments)
            .current_dir(self.0.path())
            .stdin(Stdio::null())
            .output()
            .expect("the program can be started")
    }

    /// Runs the program, which has to succeed, and returns its output and its messages.
    fn run(&self, arguments: &[&str]) -> (String, String) {
        let output = self.try_run(arguments);
        let text = |bytes| String::from_utf8(bytes).expect("the program prints UTF-8");
        let (printed, messages) = (text(output.stdout), text(output.stderr));
        assert!(output.status.success(), "{arguments:?}: {messages}");
        (printed, messages)
    }
}

/// Returns a path with the separator of this system.
fn native(path: &str) -> String {
    path.replace('/', MAIN_SEPARATOR_STR)
}

const CONFIG_MAP: &str = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  c.json: |\n    {\n      \
                          \"port\": 1,  \"x\": 1.10\n    }\n";

#[test]
fn line_ends_of_windows_stay_around_an_edit() {
    let text = CONFIG_MAP.replace('\n', "\r\n");
    let folder = Folder::with_files(&[("a.yaml", &text)]);
    folder.run(&["set", "a.yaml", "data.c\\.json.port=2", "-i"]);
    assert_eq!(
        folder.read("a.yaml"),
        text.replace("\"port\": 1,", "\"port\": 2,")
    );
    assert_eq!(folder.names(""), ["a.yaml"], "a temporary file stays");
}

#[test]
fn the_program_writes_lines_without_carriage_returns() {
    let folder = Folder::with_files(&[("a.yml", "#@ n = 1\na: #@ n\nb: 2\n")]);
    assert_eq!(folder.run(&["-f", "a.yml"]).0, "a: 1\nb: 2\n");
}

#[test]
fn paths_are_accepted_with_the_separators_of_the_system() {
    let folder = Folder::with_files(&[
        ("base/a.yaml", CONFIG_MAP),
        ("base/kustomization.yaml", "resources:\n- a.yaml\n"),
        ("top/one/kustomization.yaml", "resources:\n- ../../base\n"),
    ]);
    let (built, _) = folder.run(&["kustomize", "top/one"]);
    assert!(built.contains("1.10"), "{built}");
    assert_eq!(folder.run(&["kustomize", &native("top/one")]).0, built);
    let absolute = folder.path("top").join("one");
    let absolute = absolute.to_str().expect("the path is text");
    assert_eq!(folder.run(&["kustomize", absolute]).0, built);
}

#[test]
fn an_output_folder_is_written_and_emptied() {
    let folder = Folder::with_files(&[
        ("config/a.yml", "a: 1\n"),
        ("config/d/b.yml", "b: 1\n"),
        ("less/a.yml", "a: 2\n"),
    ]);
    let (created, _) = folder.run(&["-f", "config", "--output-files", "out"]);
    let shown = created.replace(MAIN_SEPARATOR, "/");
    assert!(shown.contains("creating: out/d/b.yml\n"), "{created}");
    assert_eq!(folder.names("out"), ["a.yml", "d"]);
    folder.run(&["-f", "less", "--output-files", "out"]);
    assert_eq!(folder.names("out"), ["a.yml", "d"]);
    let flag = "--dangerous-emptied-output-directory";
    folder.run(&["-f", "less", flag, "out"]);
    assert_eq!(folder.names("out"), ["a.yml"]);
    assert_eq!(folder.read("out/a.yml"), "a: 2\n");
    assert_eq!(folder.names(""), ["config", "less", "out"]);
}

#[test]
fn a_depfile_has_slashes() {
    let folder = Folder::with_files(&[("config/a.yml", "a: 1\n")]);
    let config = native("config/a.yml");
    folder.run(&["-f", &config, "--output-file", "a.yaml", "--depfile", "a.d"]);
    assert_eq!(
        folder.read("a.d"),
        "a.yaml: \\\n  config/a.yml\nconfig/a.yml:\n"
    );
}

#[test]
fn a_file_that_cannot_be_replaced_stays() {
    let folder = Folder::with_files(&[("a.yaml", CONFIG_MAP)]);
    let output = folder.try_run(&["set", "a.yaml", "data.c\\.json.missing.port=2", "-i"]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(folder.read("a.yaml"), CONFIG_MAP);
    assert_eq!(folder.names(""), ["a.yaml"]);
}

/// On Windows, a name with a colon refers to a stream of another file.
#[test]
fn a_role_with_a_colon_has_a_file_or_an_error() {
    let role = "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata:\n  name: system:a\n";
    let folder = Folder::with_files(&[
        ("role.yaml", role),
        ("kustomization.yaml", "resources:\n- role.yaml\n"),
        ("out/.keep", ""),
    ]);
    let output = folder.try_run(&["kustomize", ".", "-o", "out"]);
    assert_eq!(output.status.success(), !cfg!(windows));
    let written = if cfg!(windows) { 1 } else { 2 };
    assert_eq!(folder.names("out").len(), written);
    assert!(folder.path("out/.keep").exists());
}
