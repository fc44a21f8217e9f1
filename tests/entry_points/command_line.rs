//! The examples through `inlay run`, and the behavior that all commands share: files, links, pipes
//! and help.

use std::fs;
use std::path::Path;

use crate::common::workspace::repository;
use crate::{Example, assert_output};

/// Returns the examples of `inlay run inlay.yaml resources.yaml`: those with both files and
/// `expected.yaml`.
fn run_examples() -> Vec<String> {
    let files = ["inlay.yaml", "resources.yaml", "expected.yaml"];
    let folders = fs::read_dir(repository().join("kustomization-examples"));
    let mut names = Vec::new();
    for folder in folders.expect("the examples can be listed") {
        let folder = folder.expect("an entry can be read");
        if files.iter().all(|file| folder.path().join(file).is_file()) {
            names.push(folder.file_name().to_string_lossy().into_owned());
        }
    }
    names.sort();
    assert!(
        names.len() >= 6,
        "only {names:?} are examples of `inlay run`"
    );
    names
}

/// Returns whether an example adds resources, for which `--in-place` has no file.
fn adds_resources(example: &Example) -> bool {
    let documents = |file: &str| example.read(file).matches("\n---\n").count();
    documents("expected.yaml") > documents("resources.yaml")
}

/// Returns the exit code of an error: with `--check` and `--diff`, 1 means "differs".
fn failure_code(command: &str) -> i32 {
    let compares = command.contains("--check") || command.contains("--diff");
    if compares { 3 } else { 1 }
}

#[test]
fn run_prints_what_each_example_expects() {
    for name in &run_examples() {
        let example = Example::new("run-prints", name);
        let outcome = example.shell("inlay run inlay.yaml resources.yaml");
        assert_output(&outcome, &example.read("expected.yaml"), name);
        assert_eq!(outcome.stderr, "", "{name}: no message without a mistake");
    }
}

/// The effect of the second of two runs, whose input is the output of the first.
enum SecondRun {
    /// The output does not change.
    Nothing,
    /// The run repeats the edit that the text describes.
    Repeats(&'static str),
    /// The run fails, because the first one removed what the text describes.
    Fails(&'static str),
}

/// Every example for `inlay run`: the folder, the configuration, the resources, and the effect of a
/// second run.
const RUNS: [(&str, &str, &str, SecondRun); 15] = [
    (
        "compose",
        "inlay.yaml",
        "resources.yaml",
        SecondRun::Nothing,
    ),
    (
        "generators",
        "inlay.yaml",
        "deployment.yaml",
        SecondRun::Nothing,
    ),
    (
        "generators",
        "merge.yaml",
        "configmap.yaml",
        SecondRun::Repeats("`lists: append`; `union` would not"),
    ),
    (
        "generators",
        "overlay.yaml",
        "configmap.yaml",
        SecondRun::Fails("the item that the overlay removes"),
    ),
    (
        "kpt-package",
        "notifications/inlay.yaml",
        "notifications",
        SecondRun::Nothing,
    ),
    ("nested", "inlay.yaml", "resources.yaml", SecondRun::Nothing),
    (
        "overlay",
        "function/inlay.yaml",
        "base/deployment.yaml",
        SecondRun::Nothing,
    ),
    (
        "overlay",
        "plugin/inlay.yaml",
        "base/deployment.yaml",
        SecondRun::Nothing,
    ),
    (
        "patches",
        "function/inlay.yaml",
        "base/resources.yaml",
        SecondRun::Repeats("`add` at the end of a list"),
    ),
    (
        "patches",
        "plugin/inlay.yaml",
        "base/resources.yaml",
        SecondRun::Repeats("`add` at the end of a list"),
    ),
    (
        "replace-in-annotation",
        "inlay.yaml",
        "resources.yaml",
        SecondRun::Nothing,
    ),
    (
        "replace-in-json",
        "inlay.yaml",
        "resources.yaml",
        SecondRun::Nothing,
    ),
    (
        "replace-in-yaml",
        "inlay.yaml",
        "resources.yaml",
        SecondRun::Nothing,
    ),
    (
        "secret-base64",
        "inlay.yaml",
        "resources.yaml",
        SecondRun::Nothing,
    ),
    (
        "template",
        "inlay.yaml",
        "resources.yaml",
        SecondRun::Nothing,
    ),
];

/// Folders that are built as kustomizations, or whose configurations edit objects that kustomize
/// generates in the same build.
const ONLY_IN_A_BUILD: [&str; 5] = [
    "base-and-overlays",
    "kustomize-function",
    "kustomize-plugin",
    "merge-values",
    "stories",
];

#[test]
fn a_second_run_changes_nothing_but_what_the_documents_name() {
    for (name, config, resources, second) in RUNS {
        let example = Example::new("run-twice", name);
        let what = format!("{name}/{config}");
        let first = example.shell(&format!("inlay run {config} {resources} > once.yaml"));
        assert_eq!(first.code, 0, "{what}: {}", first.stderr);
        let again = example.shell(&format!("inlay run {config} once.yaml"));
        match second {
            SecondRun::Nothing => assert_output(&again, &example.read("once.yaml"), &what),
            SecondRun::Repeats(edit) => {
                assert_eq!(again.code, 0, "{what}: {}", again.stderr);
                assert_ne!(again.stdout, example.read("once.yaml"), "{what}: {edit}");
            }
            SecondRun::Fails(part) => assert_eq!(again.code, 1, "{what}: {part}"),
        }
    }
    let folders = fs::read_dir(repository().join("kustomization-examples"));
    for folder in folders.expect("the examples can be listed") {
        let folder = folder.expect("an entry can be read").path();
        let name = folder.file_name().unwrap_or_default().to_string_lossy();
        let is_listed = ONLY_IN_A_BUILD.contains(&&*name) || RUNS.iter().any(|run| run.0 == name);
        assert!(is_listed || folder.is_file(), "{name} is not in the table");
    }
}

#[test]
fn run_reads_standard_input_for_a_dash() {
    let example = Example::new("run-dash", "replace-in-json");
    let outcome = example.shell("inlay run inlay.yaml - < resources.yaml");
    assert_output(&outcome, &example.read("expected.yaml"), "standard input");
}

#[test]
fn run_in_place_writes_the_file_and_check_then_finds_nothing_to_do() {
    for name in &run_examples() {
        let example = Example::new("run-in-place", name);
        if adds_resources(&example) {
            continue;
        }
        let check = "inlay run inlay.yaml resources.yaml --check";
        assert_eq!(
            example.shell(check).code,
            1,
            "{name}: there is something to change"
        );
        let outcome = example.shell("inlay run inlay.yaml resources.yaml --in-place");
        assert_output(&outcome, "", name);
        assert_eq!(
            example.read("resources.yaml"),
            example.read("expected.yaml"),
            "{name}: the file on disk"
        );
        assert_eq!(
            example.shell(check).code,
            0,
            "{name}: nothing is left to change"
        );
    }
}

#[test]
fn run_in_place_writes_only_what_changes_and_keeps_links_and_permissions() {
    let example = Example::new("run-keeps", "replace-in-json");
    let line = "printf 'kind: Other\\n' > other.yaml; mkdir elsewhere; mv resources.yaml elsewhere/real.yaml; \
                ln -s elsewhere/real.yaml resources.yaml; chmod 640 elsewhere/real.yaml; touch -d @0 other.yaml; \
                inlay run inlay.yaml resources.yaml other.yaml --in-place; \
                test -L resources.yaml && stat -c '%a %Y' other.yaml && stat -c %a elsewhere/real.yaml; ls -A elsewhere";
    let outcome = example.shell(line);
    assert_eq!(
        outcome.stdout, "644 0\n640\nreal.yaml\n",
        "{}",
        outcome.stderr
    );
    assert_eq!(
        example.read("elsewhere/real.yaml"),
        example.read("expected.yaml")
    );
}

#[test]
fn run_in_place_writes_no_file_if_one_cannot_be_written() {
    let example = Example::new("run-all-or-none", "replace-in-json");
    let line = "mkfifo pipe; (sed s/storefront/other/ resources.yaml > pipe &) ; cp resources.yaml before.yaml; \
                sed 's/name: storefront/name: .*r.*/' inlay.yaml > all.yaml; \
                inlay run all.yaml resources.yaml pipe --in-place; echo $?; cmp resources.yaml before.yaml; ls -A";
    let outcome = example.shell(line);
    assert!(
        outcome.stdout.starts_with("1\n"),
        "{}{}",
        outcome.stdout,
        outcome.stderr
    );
    assert!(
        !outcome.stdout.contains("differ") && !outcome.stdout.contains(".inlay-"),
        "{}",
        outcome.stdout
    );
}

#[test]
fn a_file_that_is_given_twice_is_read_once() {
    let example = Example::new("run-twice", "replace-in-json");
    let outcome =
        example.shell("ln -s resources.yaml link.yaml; inlay run inlay.yaml resources.yaml ./resources.yaml link.yaml");
    assert_output(&outcome, &example.read("expected.yaml"), "the file once");
}

#[test]
fn links_in_a_circle_are_followed_once() {
    let example = Example::new("run-circle", "replace-in-json");
    let outcome = example
        .shell("ln -s . one && ln -s . two && rm expected.yaml && inlay run inlay.yaml . --check");
    assert_eq!(
        (outcome.code, &*outcome.stdout),
        (1, "would change ./resources.yaml\n"),
        "{}",
        outcome.stderr
    );
}

#[test]
fn output_that_cannot_be_written_is_an_error() {
    let example = Example::new("output-lost", "replace-in-json");
    let commands = [
        "inlay run inlay.yaml resources.yaml",
        "inlay run inlay.yaml resources.yaml --diff",
        "inlay run inlay.yaml resources.yaml --check",
        "inlay get inlay.yaml kind",
        "inlay set inlay.yaml kind=x",
        "inlay completions bash",
        "inlay man",
        "inlay --help",
        "inlay --version",
    ];
    for command in commands {
        if Path::new("/dev/full").exists() {
            let outcome = example.shell(&format!("{command} > /dev/full"));
            let code = failure_code(command);
            assert_eq!(outcome.code, code, "{command} > /dev/full");
            assert!(
                outcome.stderr.contains("cannot write standard output"),
                "{command}: {}",
                outcome.stderr
            );
        }
        // The reader ends before the program starts to write.
        let outcome = example.shell(&format!("{{ sleep 0.1; {command}; echo $? >&2; }} | true"));
        assert!(
            outcome.stderr == "141\n" || outcome.stderr.ends_with("\n141\n"),
            "{command} into a closed pipe: {}",
            outcome.stderr
        );
    }
}

#[test]
fn help_and_manual_describe_every_command() {
    let example = Example::new("help", "replace-in-json");
    let overview = example.shell("inlay --help").stdout;
    let listed = overview
        .split_once("Commands:\n")
        .map_or("", |(_, list)| list);
    let commands: Vec<&str> = listed
        .lines()
        .take_while(|line| line.starts_with("  "))
        .filter_map(|line| line.strip_prefix("  ")?.split(' ').next())
        .filter(|command| !command.is_empty() && *command != "help")
        .collect();
    assert!(commands.len() >= 7, "{overview}");
    for command in commands {
        let help = example.shell(&format!("inlay {command} --help"));
        assert_eq!((help.code, &*help.stderr), (0, ""), "{command}");
        assert!(
            help.stdout.contains(&format!("Usage: inlay {command}")),
            "{command}: {}",
            help.stdout
        );
        let page = example.shell(&format!("inlay man {command}"));
        assert!(
            page.stdout.contains(&format!(".TH inlay-{command} 1")),
            "{command}: {}",
            page.stdout
        );
    }
    assert!(
        example
            .shell("inlay man plugin install")
            .stdout
            .contains("KUSTOMIZE_PLUGIN_HOME")
    );
}

#[test]
fn items_of_lists_inside_a_resource_list_are_edited() {
    let example = Example::new("nested-lists", "replace-in-json");
    let item = "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {x: '{\"k\":1}'}}";
    let config = "{apiVersion: inlay.dev/v1alpha1, kind: Inlay, spec: {replacements: [{sourceValue: '2', targets: \
                  [{select: {kind: ConfigMap}, fieldPaths: [data.x.k]}]}]}}";
    for version in ["v1", "v1beta1", "v1alpha1"] {
        let list = format!(
            "apiVersion: config.kubernetes.io/{version}\nkind: ResourceList\nfunctionConfig: {config}\nitems:\n\
             - {item} # one\n- apiVersion: v1\n  kind: List\n  items:\n  - {item}\n  - kind: IPList\n    items: [10.0.0.1]\n"
        );
        fs::write(example.folder.join("list.yaml"), &list).expect("a list can be written");
        let outcome = example.shell("inlay < list.yaml");
        assert_output(&outcome, &list.replace("\"k\":1", "\"k\":2"), version);
    }
}
