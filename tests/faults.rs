//! Files stay whole and private under all circumstances: signals, full disks, concurrent writers,
//! links that change, pipes and devices.

#![cfg(unix)]
#![allow(
    clippy::expect_used,
    reason = "a test that cannot prepare its files has failed"
)]

#[path = "common"]
mod common {
    pub(crate) mod unprivileged;
}

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use common::unprivileged;
use tempfile::TempDir;

const INLAY: &str = env!("CARGO_BIN_EXE_inlay");

/// Returns a configuration that sets `data.KEY` of all ConfigMaps to `new`.
fn configuration(key: &str) -> String {
    format!(
        "apiVersion: inlay.dev/v1alpha1\nkind: Inlay\nmetadata: {{name: set}}\nspec:\n  replacements:\n  \
         - sourceValue: new\n    targets:\n    - select: {{kind: ConfigMap}}\n      fieldPaths: [data.{key}]\n"
    )
}

/// Returns a ConfigMap with the keys `a` and `b` and at least `size` bytes.
fn config_map(name: &str, size: usize) -> String {
    format!(
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: {name}}}\ndata:\n  a: old\n  b: old\n  padding: {}\n",
        "x".repeat(size)
    )
}

/// Creates a folder with `a.config` and `b.config`, and a folder `in` with ConfigMaps.
fn folder(files: usize, size: usize) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for key in ["a", "b"] {
        fs::write(
            folder.path().join(format!("{key}.config")),
            configuration(key),
        )
        .expect("a file");
    }
    fs::create_dir(folder.path().join("in")).expect("a folder");
    for number in 0..files {
        let file = folder.path().join(format!("in/{number}.yaml"));
        fs::write(file, config_map(&format!("m{number}"), size)).expect("a file");
    }
    folder
}

fn start(folder: &Path, arguments: &[&str]) -> Child {
    Command::new(INLAY)
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("inlay starts")
}

fn run(folder: &Path, arguments: &[&str]) -> Output {
    start(folder, arguments)
        .wait_with_output()
        .expect("inlay ends")
}

fn shell(folder: &Path, line: &str) -> Output {
    Command::new("bash")
        .args(["-c", &line.replace("inlay", INLAY)])
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .expect("a shell starts")
}

fn errors(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Returns the texts of the ConfigMaps.
fn texts(folder: &Path) -> Vec<String> {
    let mut names: Vec<PathBuf> = fs::read_dir(folder.join("in"))
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "yaml")
        })
        .filter(|path| !is_temporary(path))
        .collect();
    names.sort();
    let texts = names
        .iter()
        .map(|path| fs::read_to_string(path).expect("a file"));
    texts.collect()
}

fn is_temporary(path: &Path) -> bool {
    path.file_name()
        .is_some_and(|name| name.to_string_lossy().starts_with(".inlay-"))
}

/// Returns the temporary files and folders in a folder.
fn temporaries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    paths.filter(|path| is_temporary(path)).collect()
}

fn wait_for_temporary(folder: &Path, child: &mut Child) {
    let start = Instant::now();
    while temporaries(folder).is_empty()
        && child.try_wait().expect("a state").is_none()
        && start.elapsed() < Duration::from_secs(60)
    {
        thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn an_edit_of_another_writer_is_never_lost() {
    let folder = folder(10, 10);
    for round in 0..15 {
        for (number, _) in texts(folder.path()).iter().enumerate() {
            let file = folder.path().join(format!("in/{number}.yaml"));
            fs::write(file, config_map(&format!("m{number}"), 10)).expect("a file");
        }
        let one = start(folder.path(), &["run", "-i", "a.config", "in"]);
        let other = start(folder.path(), &["run", "-i", "b.config", "in"]);
        let (one, other) = (one.wait_with_output(), other.wait_with_output());
        let (one, other) = (one.expect("inlay ends"), other.expect("inlay ends"));
        assert!(
            one.status.success() || other.status.success(),
            "round {round}"
        );
        for text in texts(folder.path()) {
            // A run that succeeded has its edit in every file; one that failed has it in none.
            assert_eq!(
                text.contains("a: new"),
                one.status.success(),
                "{round}: {text}"
            );
            assert_eq!(
                text.contains("b: new"),
                other.status.success(),
                "{round}: {text}"
            );
        }
        for failed in [&one, &other]
            .into_iter()
            .filter(|run| !run.status.success())
        {
            let message = errors(failed);
            assert!(
                message.contains("another program has changed it"),
                "{message}"
            );
        }
    }
}

#[test]
fn a_signal_leaves_no_temporary_file_and_no_partial_run() {
    for signal in ["INT", "TERM", "HUP", "USR1", "ALRM", "XCPU"] {
        let folder = folder(150, 2_000);
        let mut child = start(folder.path(), &["run", "-i", "a.config", "in"]);
        wait_for_temporary(&folder.path().join("in"), &mut child);
        let id = child.id().to_string();
        let sent = Command::new("kill").args(["-s", signal, &id]).status();
        assert!(sent.is_ok());
        child.wait().expect("inlay ends");
        let left = temporaries(&folder.path().join("in"));
        assert!(left.is_empty(), "{signal}: {left:?}");
        let changed = texts(folder.path())
            .iter()
            .filter(|text| text.contains("a: new"))
            .count();
        assert!(
            changed == 0 || changed == 150,
            "{signal}: {changed} files of 150"
        );
    }
}

#[test]
fn a_signal_leaves_the_old_output_folder_or_the_new_one() {
    let folder = folder(150, 2_000);
    fs::create_dir(folder.path().join("out")).expect("a folder");
    fs::write(folder.path().join("out/old"), "old").expect("a file");
    let arguments = ["-f", "in", "--dangerous-emptied-output-directory", "out"];
    let mut child = start(folder.path(), &arguments);
    wait_for_temporary(folder.path(), &mut child);
    let id = child.id().to_string();
    let _ = Command::new("kill").args(["-s", "TERM", &id]).status();
    child.wait().expect("inlay ends");
    assert!(temporaries(folder.path()).is_empty());
    let files = fs::read_dir(folder.path().join("out"))
        .expect("a folder")
        .count();
    assert!(files == 1 || files == 150, "{files} files");
}

#[test]
fn a_killed_run_tears_no_file_and_the_next_one_works() {
    let folder = folder(20, 1_000);
    for round in 0..25 {
        let key = if round % 2 == 0 {
            "a.config"
        } else {
            "b.config"
        };
        let mut child = start(folder.path(), &["run", "-i", key, "in"]);
        thread::sleep(Duration::from_millis(round * 3));
        let _ = child.kill();
        child.wait().expect("inlay ends");
        for text in texts(folder.path()) {
            assert!(text.len() >= 1_000 && text.ends_with("x\n"), "torn: {text}");
        }
    }
    // Later runs do not find the files that `kill -9` leaves.
    fs::write(folder.path().join("in/.inlay-left.yaml"), "{").expect("a file");
    fs::create_dir(folder.path().join("in/.inlay-folder")).expect("a folder");
    fs::write(folder.path().join("in/.inlay-folder/a.yaml"), "{").expect("a file");
    for arguments in [
        &["run", "-i", "a.config", "in"][..],
        &["-f", "in"],
        &["fmt", "in"],
    ] {
        let last = run(folder.path(), arguments);
        assert!(last.status.success(), "{arguments:?}: {}", errors(&last));
    }
}

#[test]
fn a_full_disk_changes_nothing() {
    let folder = folder(3, 100_000);
    fs::create_dir(folder.path().join("out")).expect("a folder");
    fs::write(folder.path().join("out/old"), "old").expect("a file");
    for command in [
        "inlay run -i a.config in",
        "inlay -f in --dangerous-emptied-output-directory out",
        "inlay -f in --output-files out",
        "inlay -f in --output-files new",
    ] {
        let full = shell(folder.path(), &format!("ulimit -f 16; {command}"));
        assert_eq!(full.status.code(), Some(1), "{command}: {}", errors(&full));
        assert!(
            errors(&full).contains("cannot write"),
            "{command}: {}",
            errors(&full)
        );
        assert!(temporaries(folder.path()).is_empty(), "{command}");
        assert!(
            temporaries(&folder.path().join("in")).is_empty(),
            "{command}"
        );
    }
    assert!(
        texts(folder.path())
            .iter()
            .all(|text| text.contains("a: old"))
    );
    let names: Vec<_> = fs::read_dir(folder.path().join("out"))
        .expect("a folder")
        .map(|entry| entry.expect("an entry").file_name())
        .collect();
    assert_eq!(names, ["old"]);
    assert!(!folder.path().join("new").exists());
}

#[test]
fn a_read_only_folder_is_an_error_and_stays_as_it_is() {
    let folder = folder(2, 10);
    let Some(user) = unprivileged::command(INLAY, folder.path()) else {
        eprintln!("skipped: root sees no read-only folder, and `setpriv` is missing");
        return;
    };
    let inside = folder.path().join("in");
    fs::set_permissions(&inside, fs::Permissions::from_mode(0o555)).expect("permissions");
    let output = { user }.args(["run", "-i", "a.config", "in"]).output();
    fs::set_permissions(&inside, fs::Permissions::from_mode(0o755)).expect("permissions");
    let output = output.expect("inlay starts");
    assert_eq!(output.status.code(), Some(1), "{}", errors(&output));
    assert!(
        errors(&output).contains("Permission denied"),
        "{}",
        errors(&output)
    );
    assert!(
        texts(folder.path())
            .iter()
            .all(|text| text.contains("a: old"))
    );
}

#[test]
fn a_folder_that_cannot_be_emptied_stays_as_it_is() {
    let folder = folder(2, 10);
    let protected = folder.path().join("out/sub");
    fs::create_dir_all(&protected).expect("a folder");
    fs::write(protected.join("old.yaml"), "old: 1\n").expect("a file");
    let Some(user) = unprivileged::command(INLAY, folder.path()) else {
        eprintln!("skipped: root sees no read-only folder, and `setpriv` is missing");
        return;
    };
    fs::set_permissions(&protected, fs::Permissions::from_mode(0o555)).expect("permissions");
    let arguments = ["-f", "in", "--dangerous-emptied-output-directory", "out"];
    let output = { user }.args(arguments).output().expect("inlay starts");
    fs::set_permissions(&protected, fs::Permissions::from_mode(0o755)).expect("permissions");
    assert_eq!(output.status.code(), Some(1), "{}", errors(&output));
    assert!(errors(&output).contains("out/sub"), "{}", errors(&output));
    assert!(protected.join("old.yaml").exists());
    assert!(temporaries(folder.path()).is_empty());
}

#[test]
fn a_file_that_vanishes_is_an_error_or_not_there() {
    let folder = folder(30, 10);
    let place = folder.path().join("in/29.yaml");
    let text = config_map("m29", 10);
    let is_done = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            while !is_done.load(Ordering::Relaxed) {
                let _ = fs::remove_file(&place);
                let _ = fs::write(&place, &text);
            }
        });
        for _ in 0..20 {
            let output = run(folder.path(), &["run", "--check", "a.config", "in"]);
            let code = output.status.code();
            assert!(matches!(code, Some(1 | 3)), "{code:?} {}", errors(&output));
        }
        is_done.store(true, Ordering::Relaxed);
    });
}

#[test]
fn links_out_of_a_folder_are_refused_unless_they_are_allowed() {
    let folder = folder(1, 10);
    let (inside, outside) = (folder.path().join("in"), folder.path().join("outside"));
    fs::create_dir(&outside).expect("a folder");
    fs::write(outside.join("x.yaml"), config_map("x", 10)).expect("a file");
    let refused = |what: &str| {
        for arguments in [
            &["run", "a.config", "in"][..],
            &["run", "-i", "a.config", "in"],
        ] {
            let output = run(folder.path(), arguments);
            assert_eq!(output.status.code(), Some(1), "{what}");
            assert!(
                errors(&output).contains("--allow-symlink-destination"),
                "{}",
                errors(&output)
            );
            assert!(output.stdout.is_empty(), "{what}");
        }
    };
    symlink(outside.join("x.yaml"), inside.join("file.yaml")).expect("a link");
    refused("a link to a file");
    fs::remove_file(inside.join("file.yaml")).expect("a link");
    symlink(&outside, inside.join("folder")).expect("a link");
    refused("a link to a folder");
    let x = fs::read_to_string(outside.join("x.yaml")).expect("a file");
    assert!(x.contains("a: old"), "{x}");
    for flags in [
        &["--allow-symlink-destination", "outside"][..],
        &["--dangerous-allow-all-symlink-destinations"],
    ] {
        let arguments = [&["run", "a.config", "in"], flags].concat();
        let output = run(folder.path(), &arguments);
        assert!(output.status.success(), "{}", errors(&output));
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(text.contains("name: x"), "{text}");
    }
    // A link to another place in the same folder does not lead out of it.
    fs::remove_file(inside.join("folder")).expect("a link");
    symlink(inside.join("0.yaml"), inside.join("same.yaml")).expect("a link");
    let output = run(folder.path(), &["run", "-i", "a.config", "in"]);
    assert!(output.status.success(), "{}", errors(&output));
    assert!(inside.join("same.yaml").is_symlink());
}

/// A file of the folder is repeatedly replaced by a link to a secret while commands read it.
#[test]
fn a_link_that_appears_between_check_and_read_is_not_followed() {
    let folder = folder(1, 10);
    let secret = config_map("secret", 10);
    fs::create_dir(folder.path().join("outside")).expect("a folder");
    fs::write(folder.path().join("outside/0.yaml"), &secret).expect("a file");
    fs::write(folder.path().join("outside/key"), "PRIVATE").expect("a file");
    fs::create_dir_all(folder.path().join("app/in")).expect("a folder");
    let reads_a_file = "apiVersion: inlay.dev/v1alpha1\nkind: Inlay\nmetadata: {name: c}\nspec:\n  \
                        configMapGenerator: [{name: copy, files: [in/key]}]\n";
    fs::write(folder.path().join("app/config"), reads_a_file).expect("a file");
    let (good, bad) = (folder.path().join("good"), folder.path().join("bad"));
    let flipped = folder.path().join("app/in");
    fs::rename(&flipped, &good).expect("a folder");
    fs::write(good.join("0.yaml"), config_map("own", 10)).expect("a file");
    fs::write(good.join("key"), "own").expect("a file");
    symlink(folder.path().join("outside"), &bad).expect("a link");
    let is_done = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            while !is_done.load(Ordering::Relaxed) {
                for side in [&good, &bad] {
                    let _ = fs::rename(side, &flipped);
                    let _ = fs::rename(&flipped, side);
                }
            }
        });
        for _ in 0..40 {
            for arguments in [
                &["run", "a.config", "app"][..],
                &["-f", "app"],
                &["run", "app/config"],
            ] {
                let output = run(folder.path(), arguments);
                let text = String::from_utf8_lossy(&output.stdout).into_owned();
                let leaked = text.contains("name: secret") || text.contains("PRIVATE");
                if leaked {
                    is_done.store(true, Ordering::Relaxed);
                }
                assert!(!leaked, "{arguments:?}: {text}");
            }
        }
        is_done.store(true, Ordering::Relaxed);
    });
}

#[test]
fn pipes_in_folders_are_left_out_and_refused_in_configurations() {
    let folder = folder(1, 10);
    let made = shell(folder.path(), "mkfifo in/pipe.yaml");
    assert!(made.status.success());
    for arguments in [
        &["run", "a.config", "in"][..],
        &["-f", "in"],
        &["fmt", "in"],
    ] {
        let output = run(folder.path(), arguments);
        assert!(
            output.status.success(),
            "{arguments:?}: {}",
            errors(&output)
        );
        assert!(
            errors(&output).contains("`in/pipe.yaml` is left out"),
            "{}",
            errors(&output)
        );
    }
    let header = "apiVersion: inlay.dev/v1alpha1\nkind: Inlay\nmetadata: {name: c}\nspec:\n  ";
    for spec in [
        "configMapGenerator: [{name: copy, files: [in/pipe.yaml]}]",
        "paths: [in/pipe.yaml]",
        "patches: [{path: in/pipe.yaml}]",
    ] {
        fs::write(
            folder.path().join("pipe.config"),
            format!("{header}{spec}\n"),
        )
        .expect("a file");
        let output = run(folder.path(), &["run", "pipe.config", "in/0.yaml"]);
        assert_eq!(output.status.code(), Some(1), "{spec}");
        assert!(
            errors(&output).contains("not a regular file"),
            "{}",
            errors(&output)
        );
    }
    // No argument names these files: they are found in a folder.
    let made = shell(
        folder.path(),
        "mkdir k f && mkfifo k/kustomization.yaml f/Kptfile",
    );
    assert!(made.status.success());
    for arguments in [
        &["kustomize", "k"][..],
        &["kustomize", "fix", "k"],
        &["explain", "kustomize", "k", "--", "A/b c"],
        &["migrate", "k"],
        &["migrate", "f"],
    ] {
        let output = run(folder.path(), arguments);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        let messages = errors(&output);
        assert!(messages.contains("not a regular file"), "{messages}");
    }
    let made = shell(folder.path(), "mkdir a && mkfifo a/pipe");
    assert!(made.status.success());
    let application = folder.path().join("a");
    fs::rename(application.join("pipe"), application.join("inlay.yaml")).expect("a pipe");
    let deployed = run(&application, &["cmp", "generate"]);
    assert_eq!(deployed.status.code(), Some(1));
    assert!(errors(&deployed).contains("not a regular file"));
    // Only a link is replaced without `--force`.
    let place = "home/inlay.dev/v1alpha1/inlay";
    let place = folder.path().join(place);
    fs::create_dir_all(&place).expect("a folder");
    assert!(shell(&place, "mkfifo Inlay").status.success());
    let installed = run(folder.path(), &["plugin", "install", "--home", "home"]);
    assert_eq!(installed.status.code(), Some(1));
    assert!(errors(&installed).contains("another file is there"));
    // An editor opens a template below a folder with a pipe.
    let session = "mkfifo in/other.yaml && mkdir in/sub && cd in/sub && \
        send() { printf 'Content-Length: %d\\r\\n\\r\\n%s' ${#1} \"$1\"; } && \
        { send '{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"capabilities\":{},\"rootUri\":\"file://'${PWD%/sub}'\"}}'; \
          send '{\"jsonrpc\":\"2.0\",\"method\":\"initialized\",\"params\":{}}'; \
          send '{\"jsonrpc\":\"2.0\",\"method\":\"textDocument/didOpen\",\"params\":{\"textDocument\":{\"uri\":\"file://'$PWD'/a.yaml\",\"languageId\":\"yaml\",\"version\":1,\"text\":\"a: #@ 1\\n\"}}}'; \
          send '{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"shutdown\"}'; \
          send '{\"jsonrpc\":\"2.0\",\"method\":\"exit\"}'; } | timeout 20 inlay lsp";
    let edited = shell(folder.path(), session);
    assert_eq!(edited.status.code(), Some(0), "{}", errors(&edited));
    // A device that the user names may have no end.
    for device in ["/dev/zero", "/dev/null"] {
        let output = run(folder.path(), &["run", "a.config", device]);
        assert_eq!(output.status.code(), Some(1), "{device}");
    }
    // A pipe that the user names is input.
    let piped = shell(
        folder.path(),
        "inlay run a.config <(cat in/0.yaml) && inlay -f <(cat in/0.yaml)",
    );
    assert!(piped.status.success(), "{}", errors(&piped));
}

#[test]
fn further_names_of_a_file_are_named_when_they_keep_the_old_content() {
    let folder = folder(1, 10);
    let (place, other) = (folder.path().join("in/0.yaml"), folder.path().join("other"));
    fs::hard_link(&place, &other).expect("a link");
    let output = run(folder.path(), &["run", "-i", "a.config", "in"]);
    assert!(output.status.success(), "{}", errors(&output));
    assert!(
        errors(&output).contains("hard links"),
        "{}",
        errors(&output)
    );
    assert!(
        fs::read_to_string(&other)
            .expect("a file")
            .contains("a: old")
    );
}

#[test]
fn output_that_nobody_can_read_ends_the_program() {
    let folder = folder(1, 200_000);
    let closed = shell(folder.path(), "inlay -f in >&-");
    assert_eq!(closed.status.code(), Some(1));
    assert!(
        errors(&closed).contains("cannot write standard output"),
        "{}",
        errors(&closed)
    );
    let full = shell(folder.path(), "inlay -f in >/dev/full");
    assert_eq!(full.status.code(), Some(1));
    let piped = shell(
        folder.path(),
        "inlay -f in | head -c 1 >/dev/null; exit ${PIPESTATUS[0]}",
    );
    assert_eq!(piped.status.code(), Some(141));
    assert_eq!(errors(&piped), "", "quietly");
    let nowhere = shell(folder.path(), "inlay -f in >/dev/null 2>&-");
    assert!(nowhere.status.success());
}

#[test]
fn help_that_nobody_can_read_is_an_error() {
    let folder = folder(0, 0);
    for call in [
        "--help",
        "--version",
        "build --help",
        "help build",
        "kustomize fix -h",
        "version",
        "completions bash",
        "man",
    ] {
        for place in [">&-", ">/dev/full"] {
            let lost = shell(folder.path(), &format!("inlay {call} {place}"));
            assert_eq!(lost.status.code(), Some(1), "{call} {place}");
            assert!(
                errors(&lost).contains("cannot write standard output"),
                "{call} {place}: {}",
                errors(&lost)
            );
        }
    }
    // Nothing would be printed there.
    let wrong = shell(folder.path(), "inlay --no-such-flag >&-");
    assert_eq!(wrong.status.code(), Some(2));
}

#[test]
fn a_run_that_waits_for_a_locked_folder_says_so() {
    for (format, said) in [
        (
            "human",
            "waiting for the folder `in`: another process has locked it (flock)\n",
        ),
        ("json", ""),
    ] {
        let folder = folder(1, 10);
        let locked = fs::File::open(folder.path().join("in")).expect("a folder");
        locked.lock().expect("a lock");
        let arguments = ["run", "-i", "a.config", "in", "--diagnostics", format];
        let mut waiting = start(folder.path(), &arguments);
        thread::sleep(Duration::from_millis(2500));
        assert!(waiting.try_wait().expect("a state").is_none(), "it waits");
        drop(locked);
        let done = waiting.wait_with_output().expect("inlay ends");
        assert!(done.status.success(), "{}", errors(&done));
        assert_eq!(errors(&done), said);
        assert!(texts(folder.path())[0].contains("a: new"));
    }
}
