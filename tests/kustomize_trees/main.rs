//! Random trees of kustomizations beside the real `kustomize`: both print the same bytes, or both
//! fail.
//!
//! Each seed is one tree. A usual run builds a few hundred fixed ones; `INLAY_TREES=2000..5000`
//! builds those seeds. With `INLAY_TREES_KEEP=FOLDER`, the trees that differ are written there.

#![allow(clippy::unwrap_used, clippy::expect_used)]

#[path = "../common/clients.rs"]
mod clients;
mod faithful;
mod fields;
mod objects;
mod patches;
mod plugins;
mod random;
mod references;
mod tree;

use std::collections::BTreeMap;
use std::fs;
use std::ops::Range;
use std::path::Path;
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use similar::TextDiff;

use tree::{Tree, tree};

/// The seeds of a run without `INLAY_TREES`.
const SEEDS: Range<u64> = 80..240;

#[test]
fn trees_are_built_as_kustomize_builds_them() {
    if clients::lacks_a_client("kustomize build") {
        return;
    }
    let seeds = seeds();
    let next = AtomicU64::new(seeds.start);
    let equal = AtomicUsize::new(0);
    let failing = AtomicUsize::new(0);
    let reasons: Mutex<BTreeMap<String, usize>> = Mutex::default();
    let differences = Mutex::new(Vec::new());
    let work = || {
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= seeds.end {
                return;
            }
            match compare(seed) {
                Comparison::Equal => equal.fetch_add(1, Ordering::Relaxed),
                Comparison::BothFail(reason) => {
                    *reasons.lock().unwrap().entry(reason).or_insert(0) += 1;
                    failing.fetch_add(1, Ordering::Relaxed)
                }
                Comparison::Different(report) => {
                    differences.lock().unwrap().push((seed, report));
                    0
                }
            };
        }
    };
    std::thread::scope(|scope| {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        for _ in 0..threads {
            scope.spawn(work);
        }
    });
    let (equal, failing) = (equal.into_inner(), failing.into_inner());
    let mut differences = differences.into_inner().unwrap();
    differences.sort();
    println!("{equal} trees are equal, {failing} fail in both:");
    for (reason, count) in reasons.into_inner().unwrap() {
        println!("{count:4} {reason}");
    }
    for (seed, report) in differences.iter().take(20) {
        println!("seed {seed}: {report}\n");
    }
    let different: Vec<u64> = differences.iter().map(|(seed, _)| *seed).collect();
    assert!(different.is_empty(), "seeds {different:?} differ");
    // Trees that fail prove nothing but the failure, so they must be few.
    let trees = equal + failing;
    assert!(failing * 5 <= trees, "{failing} of {trees} trees fail");
}

fn seeds() -> Range<u64> {
    let Ok(text) = std::env::var("INLAY_TREES") else {
        return SEEDS;
    };
    let (from, to) = text
        .split_once("..")
        .expect("INLAY_TREES is a range: 0..1000");
    let number = |text: &str| text.parse().expect("INLAY_TREES is a range of numbers");
    number(from)..number(to)
}

enum Comparison {
    Equal,
    /// Contains a short reason from kustomize's message.
    BothFail(String),
    Different(String),
}

/// Builds the tree of a seed with both programs.
fn compare(seed: u64) -> Comparison {
    let tree = tree(seed);
    let folder = tempfile::tempdir().unwrap();
    write(&tree, folder.path());
    let theirs = run("kustomize", "build", &tree, folder.path());
    let ours = run(
        env!("CARGO_BIN_EXE_inlay"),
        "kustomize",
        &tree,
        folder.path(),
    );
    let report = match (&theirs, &ours) {
        (Err(reason), Err(message)) if !message.contains("panicked") => {
            return Comparison::BothFail(short(reason));
        }
        (Ok(theirs), Ok(ours)) if theirs == ours => match faithful::fault(&tree) {
            None => return Comparison::Equal,
            Some(fault) => fault,
        },
        (Err(message), Ok(_)) if is_own_fault(message) => {
            return Comparison::BothFail(short(message));
        }
        (Ok(_), Err(message)) if is_refused_directive(message) => {
            return Comparison::BothFail("only inlay: a directive in a list".to_owned());
        }
        (Ok(theirs), Ok(ours)) => TextDiff::from_lines(theirs.as_str(), ours.as_str())
            .unified_diff()
            .header("kustomize", "inlay")
            .to_string(),
        (Ok(_), Err(message)) => format!("only inlay fails: {message}"),
        (Err(message), Ok(_)) => format!("only kustomize fails: {message}"),
        (Err(_), Err(message)) => message.clone(),
    };
    if let Some(kept) = std::env::var_os("INLAY_TREES_KEEP") {
        write(&tree, &Path::new(&kept).join(seed.to_string()));
    }
    Comparison::Different(format!("{} {}\n{report}", tree.root, tree.flags.join(" ")))
}

/// Returns whether kustomize failed to read an object that it wrote itself:
///
/// - a replacement puts a text into a field of another type, and the type stays. Inlay writes the
///   text. A null stays null, so that the next replacement finds nothing there;
/// - two steps add the same annotation inside a null, which prints as null with one of them.
fn is_own_fault(message: &str) -> bool {
    message.contains("yaml: cannot decode !!")
        || message.contains("fieldPath `spec.map` is missing for replacement source")
        || message.contains("map[string]interface {}(nil): yaml: unmarshal errors")
}

/// Returns whether Inlay rejects a directive that kustomize would write into the object, and fails
/// for no other reason. `docs/kustomize.md` lists this difference.
fn is_refused_directive(message: &str) -> bool {
    let errors = message.lines().filter(|line| line.starts_with("error["));
    let mut reasons = errors.map(|line| line.contains("`$patch` has no effect in a list"));
    reasons.next() == Some(true) && reasons.all(|is_directive| is_directive)
}

/// The parts of kustomize's messages by which failures are counted.
const REASONS: [&str; 22] = [
    "already registered id",
    "does not exist; cannot merge or replace",
    "conflicting fieldspecs",
    "missing value",
    "missing key",
    "test failed",
    "doc is missing path",
    "unable to remove nonexistent",
    "delimiter option can only be used with scalar nodes",
    "is missing for replacement source",
    "nothing selected by",
    "multiple matches",
    "no matches for Id",
    "found multiple possible",
    "does not match a config with the following GVK",
    "field specified in var",
    "unable to find field",
    "unable to find or create field",
    "cannot decode !!",
    "wrong node kind",
    "wrong Node Kind",
    "unable to parse SM or JSON patch",
];

/// Returns the kind of an error of kustomize.
fn short(message: &str) -> String {
    if let Some(reason) = REASONS.iter().find(|reason| message.contains(**reason)) {
        return (*reason).to_owned();
    }
    let error = message
        .lines()
        .find(|line| line.starts_with("Error:") || line.starts_with("panic"));
    let reason = error
        .unwrap_or(message)
        .rsplit(": ")
        .next()
        .unwrap_or_default();
    reason.chars().take(60).collect()
}

fn write(tree: &Tree, folder: &Path) {
    for (name, text) in &tree.files {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
}

fn run(program: &str, command: &str, tree: &Tree, folder: &Path) -> Result<String, String> {
    let output = Command::new(program)
        .args([command, tree.root])
        .args(tree.flags)
        .current_dir(folder)
        .output()
        .unwrap();
    if output.status.success() {
        Ok(String::from_utf8(output.stdout).unwrap())
    } else {
        Err(String::from_utf8_lossy(&output.stderr).into_owned())
    }
}
