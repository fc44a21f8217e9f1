//! `inlay explain` and `-o annotated`: each folder of `testdata/explain` has a `session.md` with
//! commands and their output, and the files that the commands read.
//! `UPDATE=1 cargo test --test explain` records the current output.
//!
//! The claims of an answer are tested too: when a source that it names is changed, the value
//! changes with it.

#![cfg(unix)]
#![allow(
    clippy::expect_used,
    reason = "a test that cannot prepare its files has failed"
)]

mod common {
    pub(crate) mod console;
    pub(crate) mod workspace;
}

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use common::console::check;
use common::workspace::{copy_folder, repository, shell, terminal, workspace};
use proptest::prelude::*;
use serde_json::Value;

#[test]
fn every_command_prints_what_is_recorded() {
    let mut faults = Vec::new();
    for folder in folders() {
        let name = name_of(&folder);
        let workspace = workspace(&format!("explain-{name}"));
        let copy = workspace.join(&name);
        copy_folder(&folder, &copy);
        let run = |line: &str| Some(terminal(&workspace, &copy, line));
        faults.extend(check(&folder.join("session.md"), &name, run));
    }
    assert!(faults.is_empty(), "{}", faults.join("\n\n"));
}

/// Each annotating command of the sessions is compared with its output without comments.
#[test]
fn comments_change_no_value() {
    for folder in folders() {
        let name = name_of(&folder);
        let workspace = workspace(&format!("annotated-{name}"));
        let copy = workspace.join(&name);
        copy_folder(&folder, &copy);
        let session = fs::read_to_string(folder.join("session.md")).expect("a session");
        for line in session.lines() {
            let command = line.strip_prefix("$ ").unwrap_or_default();
            if !command.ends_with("-o annotated") {
                continue;
            }
            let documents = |line: &str| -> Vec<yaml_serde::Value> {
                let outcome = shell(&workspace, &copy, line);
                yaml_serde::Deserializer::from_str(&outcome.stdout)
                    .map(|document| {
                        serde::Deserialize::deserialize(document)
                            .unwrap_or_else(|error| panic!("{line}: {error}"))
                    })
                    .collect()
            };
            let plain = command.replace(" -o annotated", "");
            assert_eq!(documents(command), documents(&plain), "{command}");
        }
    }
}

fn folders() -> Vec<PathBuf> {
    let entries = fs::read_dir(repository().join("testdata/explain")).expect("the cases");
    let mut folders: Vec<PathBuf> = entries
        .map(|entry| entry.expect("an entry can be read").path())
        .collect();
    folders.sort();
    folders
}

fn name_of(folder: &Path) -> String {
    let name = folder.file_name().expect("a case has a name");
    name.to_string_lossy().into_owned()
}

/// The sources and the use of a value in a generated build.
#[derive(Clone, Debug)]
struct Given {
    /// Whether a Data Values File sets the value; `by_flag` says whether a flag does.
    in_file: bool,
    by_flag: bool,
    /// The template's use of the value.
    used: Use,
    /// Whether an overlay replaces it.
    overlaid: bool,
}

#[derive(Clone, Copy, Debug)]
enum Use {
    Directly,
    ByVariable,
    InFunction,
    InText,
}

fn given() -> impl Strategy<Value = Given> {
    let used = prop_oneof![
        Just(Use::Directly),
        Just(Use::ByVariable),
        Just(Use::InFunction),
        Just(Use::InText)
    ];
    (any::<bool>(), any::<bool>(), used, any::<bool>()).prop_map(
        |(in_file, by_flag, used, overlaid)| Given {
            in_file,
            by_flag,
            used,
            overlaid,
        },
    )
}

/// The files and flags of a build.
#[derive(Clone, Debug)]
struct BuildCase {
    files: Vec<(&'static str, String)>,
    flags: Vec<String>,
}

impl BuildCase {
    fn new(values: &[Given]) -> BuildCase {
        let mut schema = "#@data/values-schema\n---\n".to_owned();
        let mut file = "{}\n".to_owned();
        let mut template = "#@ load(\"@ytt:data\", \"data\")\n".to_owned();
        let mut body = "---\nkind: Thing\nmetadata:\n  name: it\nspec:\n".to_owned();
        let mut overlay = "#@ load(\"@ytt:overlay\", \"overlay\")\n#@overlay/match by=overlay.all\n---\nspec:\n  #@overlay/match missing_ok=True\n  extra: 1\n".to_owned();
        let mut flags = Vec::new();
        for (index, value) in values.iter().enumerate() {
            schema += &format!("k{index}: {}\n", 100 + index);
            if value.in_file {
                file = file.replace("{}\n", "") + &format!("k{index}: {}\n", 200 + index);
            }
            if value.by_flag {
                flags.push(format!("k{index}={}", 300 + index));
            }
            let expression = match value.used {
                Use::Directly => format!("data.values.k{index}"),
                Use::ByVariable => {
                    template += &format!("#@ v{index} = data.values.k{index}\n");
                    format!("v{index}")
                }
                Use::InFunction => {
                    template +=
                        &format!("#@ def f{index}():\n#@   return data.values.k{index}\n#@ end\n");
                    format!("f{index}()")
                }
                Use::InText => format!("\"v-\" + str(data.values.k{index})"),
            };
            body += &format!("  k{index}: #@ {expression}\n");
            if value.overlaid {
                overlay += &format!("  k{index}: {}\n", 400 + index);
            }
        }
        BuildCase {
            files: vec![
                ("schema.yml", schema),
                ("values.yml", file),
                ("template.yml", template + &body),
                ("overlay.yml", overlay),
            ],
            flags,
        }
    }

    /// Runs `inlay` with arguments before and after those of the build.
    fn run(&self, folder: &Path, before: &[&str], after: &[&str]) -> Value {
        for (name, text) in &self.files {
            fs::write(folder.join(name), text).expect("a file can be written");
        }
        let mut command = Command::new(env!("CARGO_BIN_EXE_inlay"));
        command.current_dir(folder).args(before);
        for file in ["schema.yml", "template.yml", "overlay.yml"] {
            command.args(["-f", file]);
        }
        command.args(["-d", "values.yml", "-o", "json"]);
        for flag in &self.flags {
            command.args(["--data-value-yaml", flag]);
        }
        let output = command.args(after).output().expect("inlay runs");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{errors}");
        serde_json::from_slice(&output.stdout).expect("JSON")
    }

    /// Returns the same build with another value at the source that a link names.
    fn with_change(&self, link: &Value) -> BuildCase {
        let mut changed = self.clone();
        if link["kind"] == "flag" {
            let typed = link["text"].as_str().expect("a flag has a text");
            let typed = typed.split_once(' ').expect("a flag and its argument").1;
            let flag = changed.flags.iter_mut().find(|flag| *flag == typed);
            flag.expect("the flag was given").push('7');
            return changed;
        }
        let at = &link["at"];
        let name = at["file"].as_str().expect("a place has a file");
        let file = changed.files.iter_mut().find(|(own, _)| *own == name);
        let text = &mut file.expect("the file is one of the build").1;
        let number = |field: &str| at[field].as_u64().expect("a number") as usize;
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        // All values are numbers on a single line.
        lines[number("endLine") - 1].insert(number("endColumn") - 1, '7');
        *text = lines.join("\n") + "\n";
        changed
    }
}

/// Returns the source that determines the value: the newest link, or the deciding link of the input
/// that it read.
fn deciding_link(links: &Value) -> &Value {
    let link = &links[0];
    match link["inputs"][0]["links"].is_array() {
        true => deciding_link(&link["inputs"][0]["links"]),
        false => link,
    }
}

/// Collects every link, including those of inputs.
fn all_links<'v>(links: &'v Value, found: &mut Vec<&'v Value>) {
    for link in links.as_array().into_iter().flatten() {
        found.push(link);
        for input in link["inputs"].as_array().into_iter().flatten() {
            all_links(&input["links"], found);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(6))]

    #[test]
    fn a_change_of_the_named_source_changes_the_value(values in prop::collection::vec(given(), 1..4)) {
        let case = BuildCase::new(&values);
        let folder = tempfile::tempdir().expect("a folder");
        let answers = case.run(folder.path(), &["explain", "build"], &["--", "spec.*"]);
        let before = case.run(folder.path(), &["build"], &[]);
        for answer in answers["matches"].as_array().expect("answers") {
            let key = answer["path"].as_str().expect("a path").rsplit('.').next().expect("a key");
            prop_assert_eq!(&answer["value"], &before["spec"][key]);
            let link = deciding_link(&answer["links"]);
            let after = case.with_change(link).run(folder.path(), &["build"], &[]);
            prop_assert_ne!(&after["spec"][key], &before["spec"][key], "{} {}", key, link);
            // No other value depends on this source.
            for (other, value) in before["spec"].as_object().expect("values") {
                prop_assert!(other == key || after["spec"][other] == *value, "{} {}", other, link);
            }
            // A source that was overridden has no effect.
            let mut links = Vec::new();
            all_links(&answer["links"], &mut links);
            for link in links.into_iter().filter(|other| *other != link && other["inputs"].is_null()) {
                let after = case.with_change(link).run(folder.path(), &["build"], &[]);
                prop_assert_eq!(&after["spec"], &before["spec"], "{} {}", key, link);
            }
        }
    }
}

/// The steps of a base with two overlays that set values.
#[derive(Clone, Debug)]
struct GivenSteps {
    patch_in_staging: bool,
    patch_in_production: bool,
    replicas: bool,
    images: bool,
    replacement: bool,
    json_patch: bool,
}

fn given_steps() -> impl Strategy<Value = GivenSteps> {
    any::<[bool; 6]>().prop_map(|flags| {
        let [
            patch_in_staging,
            patch_in_production,
            replicas,
            images,
            replacement,
            json_patch,
        ] = flags;
        GivenSteps {
            patch_in_staging,
            patch_in_production,
            replicas,
            images,
            replacement,
            json_patch,
        }
    })
}

/// The values to explain.
const QUESTIONS: [&str; 3] = [
    "Deployment/* spec.replicas",
    "Deployment/* spec.template.spec.containers.0.image",
    "ConfigMap/*app data.app\\.json.server.port",
];

/// The files of a base with two overlays.
#[derive(Clone, Debug)]
struct KustomizationCase {
    files: Vec<(&'static str, String)>,
}

impl KustomizationCase {
    fn new(given: &GivenSteps) -> KustomizationCase {
        let base = "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec:\n  replicas: 1\n  template:\n    spec:\n      containers:\n      - name: web\n        image: nginx:1\n---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: app\ndata:\n  app.json: |\n    {\"server\": {\"host\": \"a\",\n      \"port\": 80\n    }}\n---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ports\ndata:\n  port: 81\n";
        let mut staging = "resources: [../base]\nnamePrefix: staging-\n".to_owned();
        let mut production = "resources: [../staging]\n".to_owned();
        let patch =
            "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec:\n  replicas: ";
        if given.patch_in_staging {
            staging += "patches:\n- path: patch.yaml\n";
        }
        if given.replicas {
            staging += "replicas:\n- name: web\n  count: 3\n";
        }
        if given.patch_in_production || given.json_patch {
            production += "patches:\n";
        }
        if given.patch_in_production {
            production += "- path: patch.yaml\n  target:\n    kind: Deployment\n";
        }
        if given.json_patch {
            production += "- target:\n    kind: Deployment\n  patch: |-\n    - op: replace\n      path: /spec/template/spec/containers/0/image\n      value: nginx:4\n";
        }
        if given.images {
            production += "images:\n- name: nginx\n  newTag: v5\n";
        }
        if given.replacement {
            production += "replacements:\n- source:\n    kind: ConfigMap\n    name: ports\n    fieldPath: data.port\n  targets:\n  - select:\n      kind: ConfigMap\n      name: app\n    fieldPaths: ['data.app\\.json.server.port']\n";
        }
        KustomizationCase {
            files: vec![
                (
                    "base/kustomization.yaml",
                    "resources: [base.yaml]\n".to_owned(),
                ),
                ("base/base.yaml", base.to_owned()),
                ("staging/kustomization.yaml", staging),
                ("staging/patch.yaml", format!("{patch}2\n")),
                ("production/kustomization.yaml", production),
                ("production/patch.yaml", format!("{patch}6\n")),
            ],
        }
    }

    /// Returns the explanations of all values.
    fn answers(&self, folder: &Path) -> Vec<Value> {
        for (name, text) in &self.files {
            let place = folder.join(name);
            fs::create_dir_all(place.parent().expect("a folder")).expect("a folder");
            fs::write(place, text).expect("a file can be written");
        }
        let mut command = Command::new(env!("CARGO_BIN_EXE_inlay"));
        command.current_dir(folder);
        command.args(["explain", "kustomize", "production", "-o", "json", "--"]);
        let output = command.args(QUESTIONS).output().expect("inlay runs");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{errors}");
        let answers: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        let answers = answers["matches"].as_array().expect("answers").clone();
        assert_eq!(answers.len(), QUESTIONS.len());
        answers
    }

    /// Returns the same files with another value at the source that a link names.
    fn with_change(&self, link: &Value) -> KustomizationCase {
        let mut changed = self.clone();
        let at = &link["at"];
        let number = |field: &str| at[field].as_u64().expect("a number") as usize;
        let file = at["file"].as_str().expect("a place has a file");
        let found = changed.files.iter_mut().find(|(own, _)| *own == file);
        let text = &mut found.expect("the file is one of the kustomization").1;
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        // For these kinds, the link points to the entry that contains the value; for the others, to
        // the value.
        let given_by = match link["kind"].as_str() {
            Some("images") => Some("newTag:"),
            Some("replicas") => Some("count:"),
            _ => None,
        };
        match given_by {
            Some(field) => {
                let mut entry = lines[number("line") - 1..].iter_mut();
                let line = entry.find(|line| line.contains(field));
                line.expect("the entry has the field").push('7');
            }
            None => lines[number("endLine") - 1].insert(number("endColumn") - 1, '7'),
        }
        *text = lines.join("\n") + "\n";
        changed
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    #[test]
    fn a_change_of_the_named_step_of_a_kustomization_changes_the_value(given in given_steps()) {
        let case = KustomizationCase::new(&given);
        let folder = tempfile::tempdir().expect("a folder");
        let before = case.answers(folder.path());
        for (index, answer) in before.iter().enumerate() {
            let mut links = Vec::new();
            all_links(&answer["links"], &mut links);
            let deciding = deciding_link(&answer["links"]);
            let sources = links.into_iter().filter(|link| link["inputs"].is_null());
            for link in sources {
                let after = case.with_change(link).answers(folder.path());
                // The deciding source changes its own value and no other; an overridden source
                // changes none.
                let is_changed = after[index]["value"] != answer["value"];
                prop_assert_eq!(is_changed, link == deciding, "{} {}", answer["path"], link);
                for (other, value) in before.iter().enumerate().filter(|(other, _)| *other != index) {
                    prop_assert_eq!(&after[other]["value"], &value["value"], "{}", link);
                }
            }
        }
    }
}
