//! `--output-file` and `--depfile` as build systems use them: the example for a fleet with make and
//! ninja, and a folder of symbolic links, as in a sandbox.

#![cfg(unix)]
#![allow(
    clippy::expect_used,
    reason = "a test that cannot prepare its files has failed"
)]

mod common {
    pub(crate) mod workspace;
}

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use common::workspace::{copy_folder, repository, shell, workspace};

/// Runs the example with a build system and counts the calls of Inlay.
fn check_fleet(tool: &str) {
    if Command::new(tool).arg("--version").output().is_err() {
        eprintln!("note: skipped: {tool} is not on PATH");
        return;
    }
    let workspace = workspace(&format!("fleet-{tool}"));
    let folder = workspace.join("examples/fleet");
    // Both tools print each command that they run.
    let run = |expected: usize, reason: &str| {
        let outcome = shell(
            &workspace,
            &folder,
            &format!("{tool} -j2 {}", verbose(tool)),
        );
        assert_eq!(
            outcome.code, 0,
            "{reason}: {}{}",
            outcome.stdout, outcome.stderr
        );
        let calls = outcome.stdout.matches("inlay build").count();
        assert_eq!(calls, expected, "{reason}: {}", outcome.stdout);
    };
    let modified = |path: &str| {
        let metadata = fs::metadata(folder.join(path)).expect("the file is there");
        metadata.modified().expect("files have times")
    };
    // The times of files have steps of some milliseconds. A change must be in a later one than the
    // outputs.
    let change = |path: &str, text: &str| {
        let last =
            ["berlin", "lima", "oslo"].map(|name| modified(&format!("rendered/{name}.yaml")));
        loop {
            fs::write(folder.join(path), text).expect("a file can be written");
            if last.iter().all(|last| modified(path) > *last) {
                break;
            }
        }
    };
    run(3, "the first run");
    let rendered =
        fs::read_to_string(folder.join("rendered/berlin.yaml")).expect("it was rendered");
    assert!(rendered.contains("replicas: 3"), "{rendered}");
    run(0, "nothing changed");
    change("clusters/oslo.yml", "cluster: oslo\nreplicas: 5\n");
    run(1, "the values of one cluster changed");
    change("config/more.star", "x = 1\n");
    run(0, "a file that no output was made from was added");
}

fn verbose(tool: &str) -> &'static str {
    if tool == "ninja" { "-v" } else { "" }
}

#[test]
fn make_renders_only_what_changed() {
    check_fleet("make");
}

#[test]
fn ninja_renders_only_what_changed() {
    check_fleet("ninja");
}

#[test]
fn a_changed_template_renders_every_cluster_again() {
    let workspace = workspace("fleet-template");
    let folder = workspace.join("examples/fleet");
    let first = shell(&workspace, &folder, "make");
    assert_eq!(first.code, 0, "{}", first.stderr);
    let line = "sed -i 's/1.4.2/1.5.0/' config/shop.yml && make";
    let second = shell(&workspace, &folder, line);
    assert_eq!(
        second.stdout.matches("inlay build").count(),
        3,
        "{}",
        second.stdout
    );
}

#[test]
fn an_unchanged_output_keeps_its_time() {
    let workspace = workspace("unchanged-output");
    let folder = workspace.join("examples/fleet");
    let line = "inlay build -f config -d clusters/oslo.yml --output-file out.yaml";
    assert_eq!(shell(&workspace, &folder, line).code, 0);
    let modified = || {
        let found = fs::metadata(folder.join("out.yaml")).expect("the output exists");
        found.modified().expect("the system knows times")
    };
    let before = modified();
    assert_eq!(shell(&workspace, &folder, line).code, 0);
    assert_eq!(modified(), before);
}

#[test]
fn what_is_not_a_file_is_not_replaced() {
    let workspace = workspace("no-output-file");
    let folder = workspace.join("examples/fleet");
    let line = "mkfifo pipe; inlay build -f config --output-file pipe; code=$?; test -p pipe && exit $code";
    let outcome = shell(&workspace, &folder, line);
    assert_eq!(outcome.code, 1);
    assert!(
        outcome.stderr.contains("it is not a regular file"),
        "{}",
        outcome.stderr
    );
}

/// A sandbox contains links to the declared inputs, has an empty environment, and is at another
/// path each time.
#[test]
fn a_sandbox_of_links_gives_the_same_bytes_anywhere() {
    let files = ["config/schema.yml", "config/shop.yml", "clusters/oslo.yml"];
    let cache = tempfile::tempdir().expect("a folder can be made");
    copy_folder(&repository().join("examples/fleet"), cache.path());
    let mut outputs = Vec::new();
    for _ in 0..2 {
        let sandbox = tempfile::tempdir().expect("a folder can be made");
        for file in files {
            let link = sandbox.path().join("pkg").join(file);
            fs::create_dir_all(link.parent().expect("a file is in a folder"))
                .and_then(|()| symlink(cache.path().join(file), &link))
                .expect("a link can be made");
        }
        let output = Command::new(env!("CARGO_BIN_EXE_inlay"))
            .args(["build", "--dangerous-allow-all-symlink-destinations"])
            .args(["--file", "config/schema.yml=pkg/config/schema.yml"])
            .args(["--file", "config/shop.yml=pkg/config/shop.yml"])
            .args(["--data-values-file", "pkg/clusters/oslo.yml"])
            .args(["--output-file", "bin/out/oslo.yaml"])
            .current_dir(sandbox.path())
            .env_clear()
            .output()
            .expect("the program can be started");
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        outputs.push(read(&sandbox.path().join("bin/out/oslo.yaml")));
    }
    assert_eq!(outputs[0], outputs[1]);
    assert!(
        outputs[0].contains("shop.oslo.example.com"),
        "{}",
        outputs[0]
    );
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).expect("the output exists")
}

#[test]
fn a_depfile_lists_what_a_kustomization_reads() {
    let workspace = workspace("depfile-kustomize");
    let folder = workspace.join("examples/gallery/kustomize-base");
    let command = "inlay kustomize production -o out.yaml --depfile out.d && cat out.d";
    let outcome = shell(&workspace, &folder, command);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    let rule = outcome.stdout;
    assert!(rule.starts_with("out.yaml: \\\n"), "{rule}");
    for file in [
        "base/deployment.yaml",
        "base/kustomization.yaml",
        "production/kustomization.yaml",
    ] {
        assert!(rule.contains(&format!("  {file}")), "{rule}");
    }
    // A comparison writes nothing.
    let command = "inlay -f base --output-file a.yaml --depfile a.d --check; test -e a.d";
    assert_ne!(shell(&workspace, &folder, command).code, 0);
}

#[test]
fn an_output_whose_inputs_cannot_be_listed_is_not_written() {
    let workspace = workspace("depfile-fails");
    let folder = workspace.join("examples/gallery/kustomize-base");
    for build in [
        "inlay -f base/deployment.yaml --output-file out.yaml",
        "inlay kustomize production -o out.yaml",
    ] {
        for depfile in ["out.yaml", "base/deployment.yaml", "production"] {
            let outcome = shell(&workspace, &folder, &format!("{build} --depfile {depfile}"));
            assert_eq!(outcome.code, 1, "{build} {depfile}: {}", outcome.stderr);
            // A build system would take it for complete, and would not know its inputs.
            assert!(!folder.join("out.yaml").exists(), "{build} {depfile}");
        }
    }
}

#[test]
fn quiet_lists_no_files() {
    let workspace = workspace("quiet-output");
    let folder = workspace.join("examples/fleet");
    let build = "inlay build -f config -d clusters/oslo.yml";
    for (flags, expected) in [
        ("--output-file out.yaml", "creating: out.yaml\n"),
        ("--output-file out.yaml", "unchanged: out.yaml\n"),
        ("--output-file out.yaml --quiet", ""),
        ("--output-files rendered --quiet", ""),
    ] {
        let outcome = shell(&workspace, &folder, &format!("{build} {flags}"));
        assert_eq!(outcome.code, 0, "{}", outcome.stderr);
        assert_eq!(outcome.stdout, expected, "{flags}");
    }
    assert!(folder.join("rendered/shop.yml").exists());
}

#[test]
fn an_inspection_is_written_to_the_output_file() {
    let workspace = workspace("inspected-output");
    let folder = workspace.join("examples/fleet");
    for flag in [
        "--files-inspect",
        "--data-values-inspect",
        "--data-values-schema-inspect -o openapi-v3",
    ] {
        let build = format!("inlay build -f config -d clusters/oslo.yml {flag}");
        let printed = shell(&workspace, &folder, &build);
        assert_eq!(printed.code, 0, "{flag}: {}", printed.stderr);
        let line = format!("{build} --output-file out.txt --depfile out.d");
        let outcome = shell(&workspace, &folder, &line);
        assert_eq!(outcome.code, 0, "{flag}: {}", outcome.stderr);
        assert_eq!(read(&folder.join("out.txt")), printed.stdout, "{flag}");
        assert!(
            read(&folder.join("out.d")).starts_with("out.txt:"),
            "{flag}"
        );
    }
    let matrix = "inlay build -f config --matrix matrix.yml --depfile x.d";
    let outcome = shell(&workspace, &folder, matrix);
    assert_eq!(outcome.code, 2, "{}", outcome.stderr);
}

#[test]
fn a_name_with_a_colon_is_one_file_for_make() {
    let workspace = workspace("colon-in-depfile");
    let folder = workspace.join("examples/fleet");
    let line = "mv clusters/oslo.yml clusters/os:lo.yml && \
                inlay build -f config -d clusters/os:lo.yml --output-file out.yaml --depfile out.d && \
                printf 'include out.d\\n' > rules.mk && make -f rules.mk out.yaml";
    let outcome = shell(&workspace, &folder, line);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
}
