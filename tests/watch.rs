//! `--watch`: a change of the input prints the changes of the output, errors appear and disappear,
//! and only changed files are parsed.

#![cfg(unix)]
#![allow(
    clippy::expect_used,
    reason = "a test that cannot prepare its files has failed"
)]

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use tempfile::TempDir;

/// The maximum time that a test waits for a line, on a busy machine.
const PATIENCE: Duration = Duration::from_secs(300);

/// A running program in watch mode.
struct Watching {
    child: Child,
    remarks: Receiver<String>,
}

impl Watching {
    fn start(folder: &Path, arguments: &[&str]) -> Watching {
        let mut child = Command::new(env!("CARGO_BIN_EXE_inlay"))
            .current_dir(folder)
            .args(arguments)
            .env("NO_COLOR", "1")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let errors = child.stderr.take().expect("standard error is a pipe");
        let (sender, remarks) = channel();
        thread::spawn(move || {
            for line in BufReader::new(errors).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        Watching { child, remarks }
    }

    /// Waits for the end of a run, and returns the standard error output until then.
    fn run(&self) -> String {
        let mut text = String::new();
        loop {
            let line = self.remarks.recv_timeout(PATIENCE).expect("a run ends");
            text.push_str(&line);
            text.push('\n');
            if line.ends_with("watching") {
                return text;
            }
        }
    }

    /// Waits for a run that prints `part` on standard error.
    fn run_with(&self, part: &str) {
        while !self.run().contains(part) {}
    }

    /// Ends the program, although it would watch on.
    fn stop(mut self) {
        self.child.kill().expect("the program runs");
        self.child.wait().expect("the program ends");
    }

    /// Waits for the end of the program, and returns standard output.
    fn output(mut self) -> String {
        let mut text = String::new();
        let mut output = self.child.stdout.take().expect("standard output is a pipe");
        output
            .read_to_string(&mut text)
            .expect("the output is text");
        self.child.wait().expect("the program ends");
        text
    }
}

/// Writes a file at once: a run that begins between the two steps of a usual write would find it
/// empty.
fn write(folder: &TempDir, name: &str, text: &str) {
    let place = folder.path().join(name);
    fs::create_dir_all(place.parent().expect("a folder")).expect("a folder can be made");
    let elsewhere = TempDir::new().expect("a folder");
    let new = elsewhere.path().join("new");
    fs::write(&new, text).expect("a file can be written");
    fs::rename(new, place).expect("a file moves");
}

/// Writes a text of the same length into a file that stays the same one, in one step.
fn overwrite(folder: &TempDir, name: &str, text: &str) {
    let place = folder.path().join(name);
    let file = fs::File::options().write(true).open(place);
    let mut file = file.expect("the file is there");
    let length = file.metadata().expect("a file").len();
    assert_eq!(length, text.len() as u64, "no part of the old text is left");
    file.write_all(text.as_bytes())
        .expect("a file can be written");
}

#[test]
fn a_change_prints_the_difference_and_errors_come_and_go() {
    let folder = TempDir::new().expect("a folder");
    write(
        &folder,
        "config/a.yml",
        "kind: A\nmetadata: {name: a}\nsize: 1\n",
    );
    let arguments = [
        "build",
        "-f",
        "config",
        "--watch",
        "--diff=semantic",
        "--watch-runs",
        "5",
    ];
    let watching = Watching::start(folder.path(), &arguments);
    watching.run();
    overwrite(
        &folder,
        "config/a.yml",
        "kind: A\nmetadata: {name: a}\nsize: 2\n",
    );
    let changed = watching.run();
    assert!(changed.contains("-- changed: config/a.yml\n"), "{changed}");
    write(&folder, "config/a.yml", "kind: A\nmetadata: [\n");
    let broken = watching.run();
    assert!(broken.contains("error[yaml-syntax]"), "{broken}");
    write(
        &folder,
        "config/a.yml",
        "kind: A\nmetadata: {name: a}\nsize: 3\n",
    );
    let repaired = watching.run();
    assert!(repaired.contains("-- fixed: "), "{repaired}");
    write(&folder, "config/b.yml", "kind: B\nmetadata: {name: b}\n");
    watching.run();
    let output = watching.output();
    let change = |from: u8, to: u8| {
        format!("A a\n  ± size  {from} → {to}\n1 object changed, 0 added, 0 removed; 1 field\n")
    };
    let added = "+ B b (b.yml)\n0 objects changed, 1 added, 0 removed; 0 fields\n";
    assert_eq!(output, format!("{}{}{added}", change(1, 2), change(2, 3)));
}

#[test]
fn only_the_file_that_changed_is_parsed_again() {
    let folder = TempDir::new().expect("a folder");
    for index in 0..1000 {
        let text = format!("kind: A\nmetadata: {{name: a{index}}}\nsize: 1\n");
        write(&folder, &format!("config/a{index}.yml"), &text);
    }
    let arguments = ["build", "-f", "config", "--watch", "--watch-runs", "2"];
    let watching = Watching::start(folder.path(), &arguments);
    let first = watching.run();
    assert!(first.contains("1000 files, 1000 parsed"), "{first}");
    write(
        &folder,
        "config/a500.yml",
        "kind: A\nmetadata: {name: a500}\nsize: 2\n",
    );
    let second = watching.run();
    assert!(second.contains("1000 files, 1 parsed"), "{second}");
    assert!(watching.output().contains("-size: 1\n+size: 2\n"));
}

#[test]
fn run_and_kustomize_watch_what_they_read() {
    let folder = TempDir::new().expect("a folder");
    write(&folder, "app/kustomization.yaml", "resources: [a.yaml]\n");
    write(
        &folder,
        "app/a.yaml",
        "apiVersion: v1\nkind: A\nmetadata: {name: a}\nsize: 1\n",
    );
    write(
        &folder,
        "edit.yaml",
        "apiVersion: inlay.dev/v1alpha1\nkind: Inlay\nmetadata: {name: e}\nspec:\n  patches:\n  \
         - target: {kind: A}\n    patch: '[{\"op\": \"add\", \"path\": \"/level\", \"value\": 1}]'\n",
    );
    for arguments in [
        &["kustomize", "app"][..],
        &["run", "edit.yaml", "app/a.yaml"],
    ] {
        write(
            &folder,
            "app/a.yaml",
            "apiVersion: v1\nkind: A\nmetadata: {name: a}\nsize: 1\n",
        );
        let all = [arguments, &["--watch", "--watch-runs", "2"]].concat();
        let watching = Watching::start(folder.path(), &all);
        watching.run();
        overwrite(
            &folder,
            "app/a.yaml",
            "apiVersion: v1\nkind: A\nmetadata: {name: a}\nsize: 2\n",
        );
        watching.run();
        let output = watching.output();
        assert!(
            output.contains("-size: 1\n+size: 2\n"),
            "{arguments:?}: {output}"
        );
    }
}

/// A failing build has still looked for files. It runs again when one of them appears.
#[test]
fn a_file_that_was_looked_for_is_watched() {
    let folder = TempDir::new().expect("a folder");
    write(
        &folder,
        "app/a.yaml",
        "apiVersion: v1\nkind: A\nmetadata: {name: a}\n",
    );
    let arguments = ["kustomize", "app", "--watch", "--watch-runs", "2"];
    let watching = Watching::start(folder.path(), &arguments);
    let broken = watching.run();
    assert!(broken.contains("error"), "{broken}");
    write(&folder, "app/kustomization.yaml", "resources: [a.yaml]\n");
    let repaired = watching.run();
    assert!(repaired.contains("-- fixed: "), "{repaired}");
}

/// A checkout removes folders and creates them again. The system watches the folder, not its path.
#[test]
fn a_folder_that_is_created_again_is_watched() {
    let folder = TempDir::new().expect("a folder");
    write(&folder, "deep/config/a.yml", "size: 1\n");
    let watching = Watching::start(folder.path(), &["build", "-f", "deep/config", "--watch"]);
    watching.run();
    for size in ["2", "3"] {
        fs::remove_dir_all(folder.path().join("deep")).expect("a folder can be removed");
        watching.run_with("cannot read `deep/config`");
        write(&folder, "deep/config/a.yml", "size: 0\n");
        watching.run_with("-- fixed: ");
        write(&folder, "deep/config/a.yml", "size: [\n");
        watching.run_with("error[yaml-syntax]");
        write(&folder, "deep/config/a.yml", &format!("size: {size}\n"));
        watching.run_with("-- fixed: deep/config/a.yml");
    }
    watching.stop();
}

/// A folder is listed to find a file with a similar name. A file in it that is not read may be the
/// output of this program: if it counted, each run would cause the next one.
#[test]
fn the_content_of_a_file_that_is_not_read_is_no_change() {
    let folder = TempDir::new().expect("a folder");
    write(&folder, "output", "");
    write(&folder, "config.yml", "size: 1\n");
    let watching = Watching::start(folder.path(), &["build", "-f", "confi.yml", "--watch"]);
    watching.run();
    fs::write(folder.path().join("output"), "error\n").expect("a file can be written");
    // Later than the change above.
    write(&folder, "confi.yml", "size: 1\n");
    let next = watching.run();
    assert!(next.contains("-- changed: confi.yml"), "{next}");
    assert!(!next.contains("output"), "{next}");
    watching.stop();
}
