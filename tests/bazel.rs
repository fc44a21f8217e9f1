//! The rules in `bazel/` in a build of Bazel itself: its sandbox, its caches and its analysis.
//!
//! Bazel before version 6 loads rules with a `WORKSPACE` file, and needs `rules_cc` to describe its
//! own C++ toolchain, which nothing here uses. Both are made here, so that the test needs no
//! network.

#![cfg(unix)]
#![allow(
    clippy::expect_used,
    reason = "a test that cannot prepare its files has failed"
)]

mod common {
    pub(crate) mod clients;
    pub(crate) mod workspace;
}

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use common::clients::lacks_a_client;
use common::workspace::{copy_folder, repository};

/// The folder in which Debian installs the rules that Bazel loads for its own toolchains.
const RULES: &str = "/usr/share/bazel/rules";

const WORKSPACE: &str = r#"workspace(name = "fleet")

local_repository(
    name = "rules_inlay",
    path = "../rules_inlay",
)

register_toolchains("//tools:inlay_toolchain")
"#;

const TOOLS: &str = r#"load("@rules_inlay//inlay:toolchain.bzl", "inlay_toolchain")

inlay_toolchain(
    name = "program",
    program = "inlay",
)

toolchain(
    name = "inlay_toolchain",
    toolchain = ":program",
    toolchain_type = "@rules_inlay//inlay:toolchain_type",
)
"#;

const RULES_CC: &str = "cc_binary = native.cc_binary
cc_import = native.cc_import
cc_library = native.cc_library
cc_test = native.cc_test
cc_toolchain = native.cc_toolchain
cc_toolchain_suite = native.cc_toolchain_suite
";

/// A folder with the example of a fleet, as a workspace of Bazel beside the rules.
struct BazelWorkspace {
    root: tempfile::TempDir,
}

/// The output of a call of Bazel, and whether it succeeded.
struct BazelOutcome {
    succeeded: bool,
    text: String,
}

impl BazelWorkspace {
    fn new() -> BazelWorkspace {
        let root = tempfile::tempdir().expect("a folder can be made");
        let write = |path: &str, text: &str| {
            let path = root.path().join(path);
            let folder = path.parent().expect("a file is in a folder");
            fs::create_dir_all(folder)
                .and_then(|()| fs::write(&path, text))
                .expect("a file can be written");
        };
        copy_folder(
            &repository().join("bazel"),
            &root.path().join("rules_inlay"),
        );
        write("rules_inlay/WORKSPACE", "");
        write("rules_cc/WORKSPACE", "");
        write("rules_cc/cc/BUILD.bazel", "");
        write("rules_cc/cc/defs.bzl", RULES_CC);
        let fleet = root.path().join("fleet");
        copy_folder(
            &repository().join("examples/fleet/config"),
            &fleet.join("config"),
        );
        copy_folder(
            &repository().join("examples/fleet/clusters"),
            &fleet.join("clusters"),
        );
        write("fleet/WORKSPACE", WORKSPACE);
        let example = repository().join("examples/fleet/BUILD.bazel");
        fs::copy(example, fleet.join("BUILD.bazel")).expect("the example can be copied");
        write("fleet/tools/BUILD.bazel", TOOLS);
        symlink(env!("CARGO_BIN_EXE_inlay"), fleet.join("tools/inlay"))
            .expect("a link can be made");
        BazelWorkspace { root }
    }

    fn folder(&self) -> PathBuf {
        self.root.path().join("fleet")
    }

    /// Calls Bazel without a server that would outlive the test.
    fn bazel(&self, command: &str, arguments: &[&str]) -> BazelOutcome {
        let override_of =
            |name: &str, path: &Path| format!("--override_repository={name}={}", path.display());
        let outcome = Command::new("bazel")
            .arg("--batch")
            .arg(format!(
                "--output_user_root={}",
                self.root.path().join("output").display()
            ))
            .arg(command)
            .arg(override_of("rules_cc", &self.root.path().join("rules_cc")))
            .arg(override_of("rules_java", &Path::new(RULES).join("java")))
            .arg(override_of("rules_proto", &Path::new(RULES).join("proto")))
            .args(["--color=no", "--curses=no"])
            .args(arguments)
            .current_dir(self.folder())
            .output()
            .expect("bazel can be started");
        let mut text = String::from_utf8_lossy(&outcome.stdout).into_owned();
        text.push_str(&String::from_utf8_lossy(&outcome.stderr));
        BazelOutcome {
            succeeded: outcome.status.success(),
            text,
        }
    }

    /// Builds all three clusters, and returns what Bazel says of its actions, such as
    /// `1 disk cache hit, 2 linux-sandbox`.
    fn build(&self, cache: &Path) -> String {
        let cache = format!("--disk_cache={}", cache.display());
        let outcome = self.bazel("build", &[&cache, "//:all"]);
        assert!(outcome.succeeded, "{}", outcome.text);
        assert!(!outcome.text.contains("creating:"), "{}", outcome.text);
        let summary = outcome
            .text
            .lines()
            .find(|line| line.contains(" process"))
            .expect("Bazel counts its processes");
        summary.to_owned()
    }

    fn rendered(&self, cluster: &str) -> String {
        let path = format!("bazel-bin/{cluster}.yaml");
        fs::read_to_string(self.folder().join(path)).expect("the output exists")
    }
}

fn is_skipped() -> bool {
    if lacks_a_client("bazel") {
        return true;
    }
    if !Path::new(RULES).join("java").exists() {
        eprintln!("note: skipped: {RULES} does not have the rules for Java");
        return true;
    }
    false
}

#[test]
fn renders_in_the_sandbox_what_the_command_line_renders() {
    if is_skipped() {
        return;
    }
    let cache = tempfile::tempdir().expect("a folder can be made");
    let workspace = BazelWorkspace::new();
    let first = workspace.build(cache.path());
    assert!(first.contains("3 linux-sandbox"), "{first}");
    let expected = Command::new(env!("CARGO_BIN_EXE_inlay"))
        .args(["build", "-f", "config", "-d", "clusters/oslo.yml"])
        .current_dir(repository().join("examples/fleet"))
        .output()
        .expect("the program can be started");
    assert_eq!(
        workspace.rendered("oslo"),
        String::from_utf8_lossy(&expected.stdout)
    );

    // Only what depends on a changed file runs again.
    fs::write(
        workspace.folder().join("clusters/oslo.yml"),
        "cluster: oslo\nreplicas: 5\n",
    )
    .expect("a file can be written");
    let second = workspace.build(cache.path());
    assert!(second.contains("1 linux-sandbox"), "{second}");
    assert!(workspace.rendered("oslo").contains("replicas: 5"));

    // Another checkout, in which the file still has its old content, takes everything from the cache:
    // an action does not depend on the path of the checkout. Older versions call that cache remote.
    let elsewhere = BazelWorkspace::new();
    let third = elsewhere.build(cache.path());
    assert!(
        third.contains("3 disk cache hit") || third.contains("3 remote cache hit"),
        "{third}"
    );
    assert_eq!(
        elsewhere.rendered("oslo"),
        String::from_utf8_lossy(&expected.stdout)
    );
}

#[test]
fn a_mistake_in_a_template_fails_the_build_with_its_line() {
    if is_skipped() {
        return;
    }
    let workspace = BazelWorkspace::new();
    fs::write(
        workspace.folder().join("clusters/oslo.yml"),
        "cluster: oslo\nreplikas: 5\n",
    )
    .expect("a file can be written");
    let outcome = workspace.bazel("build", &["//:oslo"]);
    assert!(!outcome.succeeded, "{}", outcome.text);
    assert!(
        outcome.text.contains("clusters/oslo.yml:2:1"),
        "{}",
        outcome.text
    );
}

#[test]
fn the_program_of_the_toolchain_runs() {
    if is_skipped() {
        return;
    }
    let workspace = BazelWorkspace::new();
    let outcome = workspace.bazel("run", &["@rules_inlay//inlay", "--", "--version"]);
    assert!(outcome.succeeded, "{}", outcome.text);
    assert!(
        outcome
            .text
            .contains(concat!("inlay ", env!("CARGO_PKG_VERSION"))),
        "{}",
        outcome.text
    );
}
