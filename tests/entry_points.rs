//! The examples through every entry point: the command line, and Inlay called by kpt, kustomize and kubectl.
//!
//! A test whose client is not on `PATH` passes without doing anything, and a line on standard error names the client.
//! `INLAY_REQUIRE_CLIENTS` makes a missing client a failure.

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
use std::path::{Path, PathBuf};

use common::clients::{lacks_a_client, missing_required_clients};
use common::workspace::{Outcome, repository, shell, workspace};

/// Returns the examples of `inlay run inlay.yaml resources.yaml`: those with both files and `expected.yaml`.
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

/// Returns whether an example adds resources, which `--in-place` has no file for.
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
fn every_required_client_is_on_the_path() {
    assert_eq!(missing_required_clients(), Vec::<String>::new());
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

/// What the second of two runs does, if it gets the output of the first.
enum SecondRun {
    /// Nothing: the output is the same.
    Nothing,
    /// It repeats the edit that the text describes.
    Repeats(&'static str),
    /// It fails, since the first run removed what the text describes.
    Fails(&'static str),
}

/// Every example for `inlay run`: the folder, the configuration, and the resources.
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

/// Folders that are built as kustomizations, or whose configurations work on what kustomize generates in the same build.
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

#[test]
fn kpt_fn_eval_edits_the_package() {
    let line = "kpt fn eval notifications --exec inlay --fn-config notifications/inlay.yaml";
    assert_package("kpt-eval", line, "notifications");
}

#[test]
fn kpt_fn_render_edits_the_package() {
    assert_package(
        "kpt-render",
        "kpt fn render notifications --allow-exec",
        "notifications",
    );
}

#[test]
fn kpt_fn_source_and_sink_carry_the_package_through_a_pipe() {
    let line = "kpt fn source notifications --fn-config notifications/inlay.yaml | inlay | kpt fn sink edited";
    assert_package("kpt-pipe", line, "edited");
}

#[test]
fn kustomize_calls_the_function() {
    assert_build(
        &Example::new("kustomize-function", "kustomize-function"),
        "kustomize build --enable-alpha-plugins --enable-exec .",
    );
}

#[test]
fn kustomize_and_kubectl_call_the_installed_plugin() {
    for line in [
        "kustomize build --enable-alpha-plugins .",
        "kubectl kustomize --enable-alpha-plugins .",
    ] {
        let example = Example::new("plugin-installed", "kustomize-plugin");
        let installed = example.shell("inlay plugin install --home ../../plugins");
        assert_eq!(
            installed.code, 0,
            "inlay plugin install: {}",
            installed.stderr
        );
        assert_build(
            &example,
            &format!("KUSTOMIZE_PLUGIN_HOME=$PWD/../../plugins {line}"),
        );
    }
}

#[test]
fn kustomize_and_kubectl_find_the_plugin_in_the_home_folder() {
    for line in [
        "kustomize build --enable-alpha-plugins .",
        "kubectl kustomize --enable-alpha-plugins .",
    ] {
        let example = Example::new("plugin-at-home", "kustomize-plugin");
        let installed = example.shell("inlay plugin install");
        assert_eq!(
            installed.code, 0,
            "inlay plugin install: {}",
            installed.stderr
        );
        let plugin = "home/.config/kustomize/plugin/inlay.dev/v1alpha1/inlay/Inlay";
        assert!(
            example.workspace.join(plugin).is_file(),
            "{plugin} is installed"
        );
        assert_build(&example, line);
    }
}

#[test]
fn kustomize_and_kubectl_call_the_ready_plugin_of_the_repository() {
    for line in [
        "kustomize build --enable-alpha-plugins .",
        "kubectl kustomize --enable-alpha-plugins .",
    ] {
        let example = Example::new("plugin-ready", "kustomize-plugin");
        assert_build(
            &example,
            &format!("KUSTOMIZE_PLUGIN_HOME=$PWD/../../plugin {line}"),
        );
    }
}

#[test]
fn an_overlay_of_a_configuration_changes_a_package_and_keeps_its_comments() {
    let example = Example::new("overlay-kpt", "overlay");
    let line = "kpt fn eval base --exec inlay --fn-config plugin/inlay.yaml";
    if lacks_a_client(line) {
        return;
    }
    let mut expected = snapshot(&example.folder.join("base"));
    for (path, text) in &mut expected {
        if path.ends_with("deployment.yaml") {
            *text = example.read("expected-deployment.yaml");
            assert!(
                text.contains("# enough to try it out"),
                "a comment on the line that changes"
            );
        }
    }
    let outcome = example.shell(line);
    assert_eq!(outcome.code, 0, "{line}: {}", outcome.stderr);
    assert_eq!(snapshot(&example.folder.join("base")), expected, "{line}");
}

#[test]
fn an_overlay_of_a_configuration_changes_a_build() {
    for line in [
        "kustomize build --enable-alpha-plugins --enable-exec function",
        "KUSTOMIZE_PLUGIN_HOME=$PWD/../../plugin kustomize build --enable-alpha-plugins plugin",
        "KUSTOMIZE_PLUGIN_HOME=$PWD/../../plugin kubectl kustomize --enable-alpha-plugins plugin",
    ] {
        assert_build(&Example::new("overlay-build", "overlay"), line);
    }
}

#[test]
fn an_overlay_of_a_configuration_changes_files() {
    let example = Example::new("overlay-run", "overlay");
    let outcome = example.shell("inlay run plugin/inlay.yaml base/deployment.yaml");
    assert_output(
        &outcome,
        &example.read("expected-deployment.yaml"),
        "inlay run",
    );
}

#[test]
fn patches_of_a_configuration_change_a_build() {
    for line in [
        "kustomize build --enable-alpha-plugins --enable-exec function",
        "KUSTOMIZE_PLUGIN_HOME=$PWD/../../plugin kustomize build --enable-alpha-plugins plugin",
        "KUSTOMIZE_PLUGIN_HOME=$PWD/../../plugin kubectl kustomize --enable-alpha-plugins plugin",
    ] {
        assert_build(&Example::new("patches-build", "patches"), line);
    }
}

#[test]
fn patches_of_a_configuration_change_files_and_nothing_else_in_them() {
    let example = Example::new("patches-run", "patches");
    let outcome = example.shell("inlay run plugin/inlay.yaml base/resources.yaml");
    assert_output(
        &outcome,
        &example.read("expected-resources.yaml"),
        "inlay run",
    );
}

#[test]
fn the_configurations_of_plugin_and_function_are_equal() {
    for name in ["overlay", "patches"] {
        let example = Example::new("same", name);
        let spec = |file: &str| {
            example
                .read(file)
                .split_once("\nspec:")
                .map(|(_, spec)| spec.to_owned())
        };
        assert_eq!(
            spec("plugin/inlay.yaml"),
            spec("function/inlay.yaml"),
            "{name}"
        );
    }
}

#[test]
fn a_template_makes_resources_as_a_generator_and_as_a_transformer() {
    for client in ["kustomize build", "kubectl kustomize"] {
        for role in ["generators", "transformers"] {
            let example = Example::new("template-build", "template");
            let line = format!(
                "sed -i s/generators/{role}/ kustomization.yaml && \
                 KUSTOMIZE_PLUGIN_HOME=$PWD/../../plugin {client} --enable-alpha-plugins ."
            );
            if !lacks_a_client(&line) {
                assert_output(
                    &example.shell(&line),
                    &example.read("expected-build.yaml"),
                    &line,
                );
            }
        }
    }
}

#[test]
fn rendered_resources_come_last_and_stay_in_place_on_the_next_call() {
    let example = Example::new("template-twice", "template");
    let outcome = example
        .shell("inlay run inlay.yaml resources.yaml > once.yaml; inlay run inlay.yaml once.yaml");
    assert_output(
        &outcome,
        &example.read("expected.yaml"),
        "the second call changes nothing",
    );
    assert_eq!(
        (outcome.stderr.as_str(), example.read("once.yaml")),
        ("", example.read("expected.yaml"))
    );
}

#[test]
fn values_are_merged_when_kustomize_and_kubectl_call() {
    let lines = [
        "KUSTOMIZE_PLUGIN_HOME=$PWD/../../plugin kustomize build --enable-alpha-plugins overlay",
        "KUSTOMIZE_PLUGIN_HOME=$PWD/../../plugin kubectl kustomize --enable-alpha-plugins overlay",
        "kustomize build --enable-alpha-plugins --enable-exec function",
    ];
    for line in lines {
        assert_build(&Example::new("merge-values", "merge-values"), line);
    }
}

#[test]
fn kustomize_names_and_merges_what_inlay_generates() {
    for (line, annotation) in [
        (
            "KUSTOMIZE_PLUGIN_HOME=$PWD/../../plugin kustomize build --enable-alpha-plugins .",
            "",
        ),
        (
            "KUSTOMIZE_PLUGIN_HOME=$PWD/../../plugin kubectl kustomize --enable-alpha-plugins .",
            "",
        ),
        (
            "kustomize build --enable-alpha-plugins --enable-exec .",
            "annotations: {config.kubernetes.io/function: \"exec: {path: inlay}\"}",
        ),
    ] {
        if lacks_a_client(line) {
            continue;
        }
        let example = Example::new("generates", "merge-values");
        let config = format!(
            "apiVersion: inlay.dev/v1alpha1\nkind: Inlay\nmetadata:\n  name: made\n  {annotation}\nspec:\n  configMapGenerator:\n  \
             - {{name: made, literals: [{{a: '1'}}]}}\n  - {{name: storefront, behavior: merge, literals: [b=2]}}\n"
        );
        fs::write(example.folder.join("inlay.yaml"), config)
            .expect("a configuration can be written");
        fs::write(
            example.folder.join("kustomization.yaml"),
            "resources: [base]\ngenerators: [inlay.yaml]\n",
        )
        .expect("a kustomization can be written");
        let outcome = example.shell(line);
        assert_eq!(outcome.code, 0, "{line}: {}", outcome.stderr);
        assert!(
            outcome
                .stdout
                .contains("  a: \"1\"\nkind: ConfigMap\nmetadata:\n  name: made-"),
            "{}",
            outcome.stdout
        );
        assert!(
            outcome
                .stdout
                .contains("data:\n  b: \"2\"\n  config.json: |"),
            "{}",
            outcome.stdout
        );
        assert!(!outcome.stdout.contains("needs-hash"), "{}", outcome.stdout);
    }
}

#[test]
fn a_kpt_package_can_be_rendered_again() {
    let line = "kpt fn eval package --exec inlay --fn-config made.yaml";
    if lacks_a_client(line) {
        return;
    }
    let example = Example::new("kpt-again", "kpt-package");
    let package = example.folder.join("package");
    fs::create_dir(&package).expect("a package can be made");
    let pod = "apiVersion: v1\nkind: Pod\nmetadata:\n  name: p\nspec:\n  containers:\n  - name: c\n    envFrom:\n    - configMapRef: {name: made} # theirs\n";
    fs::write(package.join("pod.yaml"), pod).expect("a package can be written");
    for (literal, name) in [
        ("a=1", "made-h29d89cmmt"),
        ("a=1", "made-h29d89cmmt"),
        ("a=2", "made-6gtghh96k8"),
    ] {
        let config = format!(
            "apiVersion: inlay.dev/v1alpha1\nkind: Inlay\nmetadata:\n  name: made\nspec:\n  configMapGenerator:\n  \
             - name: made\n    literals: [{literal}]\n"
        );
        fs::write(example.folder.join("made.yaml"), config)
            .expect("a configuration can be written");
        let outcome = example.shell(line);
        assert_eq!(outcome.code, 0, "{literal}: {}", outcome.stderr);
        let files = snapshot(&package);
        assert_eq!(files.len(), 2, "{literal}: {files:?}");
        let texts: String = files.into_iter().map(|(_, text)| text).collect();
        assert_eq!(
            (texts.matches(name).count(), texts.matches("made-").count()),
            (2, 2),
            "{literal}: {texts}"
        );
        assert!(
            texts.contains(&format!("- configMapRef: {{name: {name}}} # theirs")),
            "{texts}"
        );
    }
}

#[test]
fn kpt_merges_values_into_the_package() {
    for (line, file) in [
        (
            "kpt fn eval notifications --exec inlay --fn-config merge.yaml",
            "notifications/configmap.yaml",
        ),
        (
            "kpt fn source notifications --fn-config merge.yaml | inlay | kpt fn sink edited",
            "edited/configmap.yaml",
        ),
    ] {
        if lacks_a_client(line) {
            continue;
        }
        let example = Example::new("kpt-merges", "kpt-package");
        let before = example.read("notifications/configmap.yaml");
        let config = "apiVersion: inlay.dev/v1alpha1\nkind: Inlay\nmetadata:\n  name: merge\nspec:\n  configMapGenerator:\n  \
                      - name: notifications\n    behavior: merge\n    mergeValues:\n    - key: limits.json\n    literals:\n    \
                      - limits.json: '{\"daily\": 900, \"burst\": 2.0}'\n";
        fs::write(example.folder.join("merge.yaml"), config)
            .expect("a configuration can be written");
        let outcome = example.shell(line);
        assert_eq!(outcome.code, 0, "{line}: {}", outcome.stderr);
        let expected = before.replace("\"burst\": 1.0", "\"daily\": 900, \"burst\": 2.0");
        assert_ne!(expected, before, "the example has the limits");
        assert_eq!(example.read(file), expected, "{line}");
    }
}

#[test]
fn a_config_map_in_a_kptfile_contains_files_and_values() {
    let line = "kpt fn render package --allow-exec && kpt fn render package --allow-exec";
    if lacks_a_client(line) {
        return;
    }
    let example = Example::new("config-map", "template");
    let kptfile = "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: package\npipeline:\n  mutators:\n  - exec: inlay\n    \
                   configMap:\n      image.tag: 4.1.0\n      version.yml: |\n        #@ load(\"@ytt:data\", \"data\")\n        ---\n        \
                   apiVersion: v1\n        kind: ConfigMap\n        metadata: {name: version}\n        data:\n          \
                   version: #@ data.values.image.tag\n";
    fs::create_dir(example.folder.join("package")).expect("a folder can be made");
    fs::write(example.folder.join("package/Kptfile"), kptfile).expect("a file can be written");
    fs::copy(
        example.folder.join("resources.yaml"),
        example.folder.join("package/resources.yaml"),
    )
    .expect("a copy");
    let outcome = example.shell(line);
    assert_eq!(outcome.code, 0, "{line}: {}", outcome.stderr);
    let made =
        "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: version\ndata:\n  version: 4.1.0\n";
    assert_eq!(example.read("package/configmap_version.yaml"), made);
    assert_eq!(
        example.read("package/resources.yaml"),
        example.read("resources.yaml"),
        "existing resources stay"
    );
}

#[test]
fn an_edit_that_finds_nothing_fails_the_client_and_loses_nothing() {
    let cases = [
        (
            "kpt-package",
            "notifications",
            "kpt fn eval notifications --exec inlay --fn-config notifications/inlay.yaml",
        ),
        (
            "kpt-package",
            "notifications",
            "kpt fn render notifications --allow-exec",
        ),
        (
            "kustomize-function",
            ".",
            "kustomize build --enable-alpha-plugins --enable-exec .",
        ),
        (
            "kustomize-plugin",
            ".",
            "KUSTOMIZE_PLUGIN_HOME=../../plugin kustomize build --enable-alpha-plugins .",
        ),
        (
            "kustomize-plugin",
            ".",
            "KUSTOMIZE_PLUGIN_HOME=../../plugin kubectl kustomize --enable-alpha-plugins .",
        ),
    ];
    for (name, package, line) in cases {
        if lacks_a_client(line) {
            continue;
        }
        let example = Example::new("edit-fails", name);
        let config = example.read(&format!("{package}/inlay.yaml"));
        let misspelt = config
            .replace("mail.sender", "mail.sendr")
            .replace("json.region", "json.regoin");
        assert_ne!(
            config, misspelt,
            "{name}: the configuration contains the path to misspell"
        );
        fs::write(example.folder.join(package).join("inlay.yaml"), misspelt)
            .expect("a configuration can be written");

        let before = snapshot(&example.folder);
        let outcome = example.shell(line);
        assert_ne!(outcome.code, 0, "{line}");
        assert_eq!(outcome.stdout, "", "{line}: nothing is built");
        let misspelt_key = if name == "kpt-package" {
            "sendr"
        } else {
            "regoin"
        };
        assert!(
            outcome.stderr.contains(misspelt_key),
            "{line}: the message names the path\n{}",
            outcome.stderr
        );
        assert_eq!(
            snapshot(&example.folder),
            before,
            "{line}: no file is changed"
        );
    }
}

/// A copy of an example that a test may change.
struct Example {
    workspace: PathBuf,
    folder: PathBuf,
}

impl Example {
    /// A copy of the example `name` for one test.
    fn new(test: &str, name: &str) -> Example {
        let workspace = workspace(&format!("entry-points-{test}"));
        let folder = workspace.join("kustomization-examples").join(name);
        Example { workspace, folder }
    }

    fn shell(&self, line: &str) -> Outcome {
        shell(&self.workspace, &self.folder, line)
    }

    fn read(&self, file: &str) -> String {
        fs::read_to_string(self.folder.join(file)).expect("a file of an example can be read")
    }
}

fn assert_output(outcome: &Outcome, expected: &str, what: &str) {
    assert_eq!(outcome.code, 0, "{what}: {}", outcome.stderr);
    assert_eq!(outcome.stdout, expected, "{what}");
}

/// Runs a command that builds a kustomization and compares it with the example's `expected.yaml`.
fn assert_build(example: &Example, line: &str) {
    if !lacks_a_client(line) {
        assert_output(&example.shell(line), &example.read("expected.yaml"), line);
    }
}

/// Runs a command that edits the package of `kpt-package` and compares the folder that it leaves: the ConfigMap is the
/// example's `expected.yaml`, and every other file is what it was.
fn assert_package(test: &str, line: &str, result: &str) {
    if lacks_a_client(line) {
        return;
    }
    let example = Example::new(test, "kpt-package");
    let outcome = example.shell(line);
    assert_eq!(outcome.code, 0, "{line}: {}", outcome.stderr);
    let original = repository().join("kustomization-examples/kpt-package");
    let expected: Vec<(PathBuf, String)> = snapshot(&original.join("notifications"))
        .into_iter()
        .map(|(path, text)| {
            if path.ends_with("configmap.yaml") {
                (path, example.read("expected.yaml"))
            } else {
                (path, text)
            }
        })
        .collect();
    assert_eq!(snapshot(&example.folder.join(result)), expected, "{line}");
}

/// Every file below a folder with its text, in order of the names.
fn snapshot(folder: &Path) -> Vec<(PathBuf, String)> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(&next).expect("a folder can be read") {
            let path = entry.expect("an entry can be read").path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let text = fs::read_to_string(&path).expect("a file can be read");
                files.push((
                    path.strip_prefix(folder)
                        .expect("a file is below its folder")
                        .to_path_buf(),
                    text,
                ));
            }
        }
    }
    files.sort();
    files
}

/// Returns a ResourceList whose function makes a ConfigMap of the file `key`.
fn list_that_reads_a_file(annotations: &str) -> String {
    format!(
        "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems: []\nfunctionConfig:\n  \
         apiVersion: inlay.dev/v1alpha1\n  kind: Inlay\n  metadata:\n    name: c\n    annotations: {{{annotations}}}\n  \
         spec:\n    configMapGenerator:\n    - {{name: copy, files: [key]}}\n"
    )
}

#[test]
fn a_function_reads_only_below_the_folder_that_the_host_gives() {
    let example = Example::new("function-folder", "replace-in-json");
    let prepare = "echo private > key; mkdir -p package/sub kustomized; echo parent > package/key; echo own > package/sub/key
        echo mine > kustomized/key; echo 'resources: []' > kustomized/kustomization.yaml
        printf '%s\\n' 'apiVersion: inlay.dev/v1alpha1' 'kind: Inlay' 'metadata: {name: c}' > package/sub/inlay.yaml";
    assert_output(&example.shell(prepare), "", "files");
    let call = |annotations: &str, command: &str| {
        let list = list_that_reads_a_file(annotations);
        example.shell(&format!(
            "inlay_list='{list}'; printf %s \"$inlay_list\" | {command}"
        ))
    };
    let kpt = format!(
        "internal.config.kubernetes.io/package-path: {}, internal.config.kubernetes.io/path: sub/inlay.yaml",
        example.folder.join("package").display()
    );
    let forged = format!(
        "internal.config.kubernetes.io/package-path: {}, internal.config.kubernetes.io/path: key",
        example.folder.display()
    );
    let allowed = [
        (kpt.as_str(), "inlay", "key: |\n      own"),
        (
            "",
            "INLAY_FUNCTION_FOLDER=package inlay",
            "key: |\n      parent",
        ),
        (
            "config.kubernetes.io/function: x",
            "(cd kustomized && inlay)",
            "key: |\n      mine",
        ),
    ];
    for (annotations, command, expected) in allowed {
        let outcome = call(annotations, command);
        assert_eq!(outcome.code, 0, "{annotations}: {}", outcome.stderr);
        assert!(outcome.stdout.contains(expected), "{}", outcome.stdout);
    }
    let refused = [
        ("", "inlay"),
        ("internal.config.kubernetes.io/path: inlay.yaml", "inlay"),
        // Statements that anybody can write into a configuration, and that the disk does not confirm.
        (
            "internal.config.kubernetes.io/package-path: /, internal.config.kubernetes.io/path: inlay.yaml",
            "inlay",
        ),
        (forged.as_str(), "inlay"),
        ("config.kubernetes.io/function: x", "(cd package && inlay)"),
        ("", "INLAY_FUNCTION_FOLDER=/ inlay"),
        (
            "",
            "sh -c 'rm package/key; mkfifo package/key; INLAY_FUNCTION_FOLDER=package inlay'",
        ),
    ];
    for (annotations, command) in refused {
        let outcome = call(annotations, command);
        assert_eq!(outcome.code, 1, "{annotations} {command}");
        assert!(!outcome.stdout.contains("private"), "{}", outcome.stdout);
    }
}

/// `kpt fn eval` passes on what the file of the configuration says about itself.
#[test]
fn kpt_gives_a_function_no_file_that_a_configuration_claims() {
    let line = "kpt fn eval package --exec inlay --fn-config config.yaml";
    if lacks_a_client(line) {
        return;
    }
    let example = Example::new("claimed-folder", "replace-in-json");
    let claims = [
        "config.kubernetes.io/function: x".to_owned(),
        format!(
            "internal.config.kubernetes.io/package-path: {}",
            example.folder.display()
        ),
        format!(
            "internal.config.kubernetes.io/package-path: {}, internal.config.kubernetes.io/path: private",
            example.folder.display()
        ),
    ];
    for claim in claims {
        let config = format!(
            "apiVersion: inlay.dev/v1alpha1\nkind: Inlay\nmetadata:\n  name: c\n  annotations: {{{claim}}}\n\
             spec:\n  configMapGenerator:\n  - {{name: copy, files: [private]}}\n"
        );
        let object = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: own}\n";
        fs::create_dir_all(example.folder.join("package")).expect("a folder");
        fs::write(example.folder.join("package/own.yaml"), object).expect("a file");
        fs::write(example.folder.join("config.yaml"), config).expect("a file");
        fs::write(example.folder.join("private"), "PRIVATE").expect("a file");
        let outcome = example.shell(line);
        assert_ne!(outcome.code, 0, "{claim}");
        for (_, text) in snapshot(&example.folder.join("package")) {
            assert!(!text.contains("PRIVATE"), "{claim}: {text}");
        }
    }
}
