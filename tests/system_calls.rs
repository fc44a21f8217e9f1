//! A run opens no connection, starts no other program, and reads no file that the command line does
//! not lead to. The test inspects its system calls with strace.
//!
//! The test runs if strace is on `PATH` and may trace, as in CI.

#![cfg(target_os = "linux")]
#![allow(
    clippy::expect_used,
    reason = "a test that cannot prepare its files has failed"
)]

#[path = "common"]
mod common {
    pub(crate) mod clients;
}

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use common::clients::lacks_a_client;
use tempfile::TempDir;

/// The paths that the loader, the standard library and the allocator read before any input.
const SYSTEM: [&str; 10] = [
    "/etc/ld.so.",
    "/lib/",
    "/lib64/",
    "/proc/self/",
    "/proc/stat",
    "/proc/sys/vm/overcommit_memory",
    "/sys/devices/system/",
    "/sys/fs/cgroup",
    "/sys/kernel/mm/transparent_hugepage/",
    "/usr/lib/",
];

/// Commands that cover every entry point.
const COMMANDS: [&[&str]; 8] = [
    &["build", "-f", "config"],
    &["build", "-f", "config", "-o", "annotated"],
    &["explain", "build", "-f", "config", "--", "a"],
    &["run", "edits.yaml", "objects.yaml", "--diff"],
    &["kustomize", "app"],
    &["get", "objects.yaml", "data.a"],
    &["set", "objects.yaml", "data.a=c", "--diff"],
    &["fmt", "objects.yaml"],
];

const EDITS: &str = "apiVersion: inlay.dev/v1alpha1
kind: Inlay
metadata: {name: edits}
spec:
  replacements:
  - sourceValue: x
    targets: [{select: {kind: ConfigMap}, fieldPaths: [data.a]}]
";

const OBJECT: &str = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: m}\ndata: {a: b}\n";

fn folder() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path();
    for name in ["config", "app"] {
        fs::create_dir(root.join(name)).expect("a folder");
    }
    for (name, text) in [
        (
            "config/a.yml",
            "#@ load(\"@ytt:data\", \"data\")\na: #@ data.values.a\n",
        ),
        ("config/values.yml", "#@data/values\n---\na: 1\n"),
        ("edits.yaml", EDITS),
        ("objects.yaml", OBJECT),
        ("app/objects.yaml", OBJECT),
        (
            "app/kustomization.yaml",
            "resources: [objects.yaml]\nnamePrefix: x-\n",
        ),
    ] {
        fs::write(root.join(name), text).expect("a file");
    }
    folder
}

/// Returns the trace of a command; `None` if this process may not trace.
fn trace(folder: &Path, arguments: &[&str]) -> Option<String> {
    let log = tempfile::NamedTempFile::new().expect("a file");
    let status = Command::new("strace")
        .args(["-f", "-qq", "-e", "trace=%network,%file,%process", "-o"])
        .arg(log.path())
        .arg(env!("CARGO_BIN_EXE_inlay"))
        .args(arguments)
        .current_dir(folder)
        // Cargo sets this variable, and the loader would search the folders in it.
        .env_remove("LD_LIBRARY_PATH")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .status()
        .expect("strace can be started");
    let text = fs::read_to_string(log.path()).expect("a trace");
    // Without the permission to trace, the log contains no call at all.
    if !text.contains("execve(") {
        return None;
    }
    assert!(status.success(), "{arguments:?}");
    Some(text)
}

/// Returns the name and the first string of each successful call:
/// `12 openat(AT_FDCWD, "a", …) = 3`.
fn calls(trace: &str) -> Vec<(&str, &str)> {
    let mut calls = Vec::new();
    for line in trace.lines() {
        let line = line.split_once(' ').map_or(line, |(_, call)| call).trim();
        let Some((name, rest)) = line.split_once('(') else {
            continue;
        };
        if line.contains(" = -1 ") {
            continue;
        }
        let path = rest.split('"').nth(1).unwrap_or_default();
        calls.push((name, path));
    }
    calls
}

#[test]
fn a_build_opens_no_connection_and_no_other_file() {
    if lacks_a_client("strace") {
        return;
    }
    let folder = folder();
    let own = fs::canonicalize(folder.path()).expect("the folder exists");
    let own = own.to_string_lossy().into_owned();
    for arguments in COMMANDS {
        let Some(trace) = trace(folder.path(), arguments) else {
            return;
        };
        let calls = calls(&trace);
        assert!(calls.iter().any(|(name, _)| *name == "execve"), "{trace}");
        let mut programs = 0;
        for (name, path) in calls {
            assert!(
                !["socket", "connect", "bind", "sendto", "fork", "vfork"].contains(&name),
                "{arguments:?} calls {name}:\n{trace}"
            );
            programs += usize::from(name.starts_with("execve"));
            // A path that does not begin with a slash is below the working folder, unless it
            // contains `..`.
            let is_own = path.starts_with(&own) || !path.starts_with('/') && !path.contains("..");
            let is_system = SYSTEM.iter().any(|known| path.starts_with(known));
            // Each component of a path is checked for being a link.
            let is_above = name == "readlink" || name == "getcwd";
            assert!(
                name.starts_with("execve") || is_own || is_system || is_above,
                "{arguments:?} asks for {path} ({name})"
            );
        }
        assert_eq!(programs, 1, "{arguments:?} starts programs:\n{trace}");
    }
}
