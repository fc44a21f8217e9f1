//! Runs `inlay cmp` as Argo CD's plugin server does: the commands of
//! `integrations/argocd/plugin.yaml` run without a shell, in a private copy of the application's
//! folder, with an environment that contains only Argo CD's own variables.

#![cfg(unix)]
#![allow(
    clippy::expect_used,
    reason = "a test that cannot prepare its files has failed"
)]

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;

/// A copy of a repository, such as Argo CD creates for each request.
struct Repository {
    folder: TempDir,
}

impl Repository {
    fn with_files(files: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().expect("a folder can be made");
        for (path, text) in files {
            let file = folder.path().join(path);
            fs::create_dir_all(file.parent().expect("a file is in a folder"))
                .and_then(|()| fs::write(&file, text))
                .expect("a file can be written");
        }
        Self { folder }
    }

    /// Adds a symbolic link.
    fn with_link(self, path: &str, target: impl AsRef<Path>) -> Self {
        symlink(target, self.folder.path().join(path)).expect("a link can be made");
        self
    }

    /// Runs a command of the plugin for the application in `apps/shop`.
    fn run(&self, command: &str, parameters: &Value) -> Output {
        // The plugin server omits variables that would be empty.
        let is_set = parameters != &json!([]);
        let text = is_set.then(|| parameters.to_string());
        self.run_in(&self.application(), command, text.as_deref())
    }

    /// Runs a command of the plugin in a folder, with the text of the variable for parameters.
    fn run_in(&self, folder: &Path, command: &str, parameters: Option<&str>) -> Output {
        let mut words = plugin_command(command);
        assert_eq!(words.remove(0), "inlay");
        let mut process = Command::new(env!("CARGO_BIN_EXE_inlay"));
        process
            .args(words)
            .current_dir(folder)
            .env_clear()
            .env("ARGOCD_APP_NAME", "shop")
            .env("ARGOCD_APP_SOURCE_PATH", "apps/shop")
            .env("KUBE_VERSION", "1.34")
            .stdin(Stdio::null());
        if let Some(parameters) = parameters {
            process.env("ARGOCD_APP_PARAMETERS", parameters);
        }
        process.output().expect("the program can be started")
    }

    fn application(&self) -> PathBuf {
        self.folder.path().join("apps/shop")
    }

    /// Returns the names of the generated objects.
    fn generate(&self, parameters: &Value) -> Vec<String> {
        names(&self.run("generate", parameters))
    }

    /// Asserts that `generate` fails with a message and prints nothing that could be deployed.
    fn refuses(&self, parameters: &Value, message: &str) {
        assert_refused(&self.run("generate", parameters), message);
    }
}

/// Returns the names of the objects in an output.
fn names(output: &Output) -> Vec<String> {
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    let text = String::from_utf8_lossy(&output.stdout);
    text.split("---\n")
        .map(|document| {
            let object: Value = yaml_serde::from_str(document).expect("the output is YAML");
            assert!(object["kind"].is_string(), "{document}");
            object["metadata"]["name"]
                .as_str()
                .expect("an object has a name")
                .to_owned()
        })
        .collect()
}

fn assert_refused(output: &Output, message: &str) {
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{errors}");
    assert!(errors.contains(message), "{errors}");
    // No user of Argo CD can pass a flag.
    assert!(!errors.contains("`--"), "{errors}");
    assert!(output.stdout.is_empty());
}

/// Returns the words of a command in `plugin.yaml`.
fn plugin_command(name: &str) -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("integrations/argocd/plugin.yaml");
    let text = fs::read_to_string(path).expect("the plugin is in the repository");
    let plugin: Value = yaml_serde::from_str(&text).expect("the plugin is YAML");
    let spec = &plugin["spec"];
    let command = match name {
        "discover" => &spec["discover"]["find"]["command"],
        "parameters" => &spec["parameters"]["dynamic"]["command"],
        _ => &spec[name]["command"],
    };
    serde_json::from_value(command.clone()).expect("a command is a list of words")
}

const TEMPLATE: &str = "#@ load(\"@ytt:data\", \"data\")\n---\napiVersion: v1\nkind: ConfigMap\n\
                        metadata:\n  name: #@ data.values.name\n";

const SCHEMA: &str = "#@data/values-schema\n---\nname: from-schema\nreplicas: 1\n";

const CONFIG_MAP: &str = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: plain\n\
                          data:\n  a.json: '{\"port\": 1}'\n";

const CONFIGURATION: &str = "apiVersion: inlay.dev/v1alpha1\nkind: Inlay\nmetadata:\n  name: ports\n\
    spec:\n  replacements:\n  - sourceValue: '2'\n    targets:\n    - select: {name: plain}\n      \
    fieldPaths: ['data.a\\.json.port']\n";

#[test]
fn templates_are_rendered_with_the_values_of_the_application() {
    let repository = Repository::with_files(&[
        ("apps/shop/config/template.yml", TEMPLATE),
        ("apps/shop/config/schema.yml", SCHEMA),
        ("apps/shop/values/production.yml", "name: from-file\n"),
        ("shared/more.yml", CONFIG_MAP),
    ]);
    let files = json!({"name": "files", "array": ["config", "../../shared"]});
    assert_eq!(
        repository.generate(&json!([files])),
        ["from-schema", "plain"]
    );
    let from_file = json!({"name": "values-files", "array": ["values/production.yml"]});
    assert_eq!(
        repository.generate(&json!([files, from_file])),
        ["from-file", "plain"]
    );
    // A value is always text and cannot become a flag.
    let value = json!({"name": "values", "map": {"name": "--help"}});
    assert_eq!(
        repository.generate(&json!([files, from_file, value])),
        ["--help", "plain"]
    );
    let number = json!({"name": "values-yaml", "map": {"replicas": "3"}});
    assert_eq!(
        repository.generate(&json!([files, number])),
        ["from-schema", "plain"]
    );
}

#[test]
fn a_configuration_is_applied_to_its_folder_and_not_deployed() {
    let repository = Repository::with_files(&[
        ("apps/shop/inlay.yaml", CONFIGURATION),
        ("apps/shop/a.yaml", CONFIG_MAP),
    ]);
    assert_eq!(repository.generate(&json!([])), ["plain"]);
    let output = repository.run("generate", &json!([]));
    assert!(String::from_utf8_lossy(&output.stdout).contains("{\"port\": 2}"));
    let found = repository.run("discover", &json!([]));
    assert_eq!(found.stdout, b"inlay.yaml\n");
}

#[test]
fn a_kustomization_is_built() {
    let repository = Repository::with_files(&[
        (
            "apps/shop/kustomization.yaml",
            "resources: [a.yaml]\nconfigMapGenerator:\n- name: generated\n  literals: [a=1]\n  \
             options: {disableNameSuffixHash: true}\n",
        ),
        ("apps/shop/a.yaml", CONFIG_MAP),
    ]);
    assert_eq!(repository.generate(&json!([])), ["generated", "plain"]);
}

#[test]
fn an_application_of_another_tool_is_not_discovered() {
    let repository = Repository::with_files(&[("apps/shop/a.yaml", CONFIG_MAP)]);
    let output = repository.run("discover", &json!([]));
    assert!(output.status.success());
    assert!(output.stdout.is_empty());
}

#[test]
fn an_application_is_discovered_from_the_root_of_its_repository() {
    let repository = Repository::with_files(&[("apps/shop/inlay.yml", CONFIGURATION)]);
    let output = Command::new(env!("CARGO_BIN_EXE_inlay"))
        .args(["cmp", "discover"])
        .current_dir(repository.folder.path())
        .env_clear()
        .env("ARGOCD_APP_SOURCE_PATH", "apps/shop")
        .output()
        .expect("the program can be started");
    assert_eq!(output.stdout, b"apps/shop/inlay.yml\n");
}

#[test]
fn an_application_without_parameters_is_generated() {
    let repository = Repository::with_files(&[("apps/shop/a.yaml", CONFIG_MAP)]);
    // `null` is what Go writes for an empty list.
    for text in [None, Some("null"), Some(""), Some(" \n"), Some("[]")] {
        let output = repository.run_in(&repository.application(), "generate", text);
        assert_eq!(names(&output), ["plain"], "{text:?}");
    }
}

#[test]
fn objects_that_configure_the_build_are_not_deployed_in_any_mode() {
    let local = CONFIG_MAP.replace(
        "  name: plain\n",
        "  name: local\n  annotations: {config.kubernetes.io/local-config: 'true'}\n",
    );
    let repository = Repository::with_files(&[
        ("apps/shop/a.yaml", CONFIG_MAP),
        ("apps/shop/local.yaml", &local),
        ("apps/shop/ports.yaml", CONFIGURATION),
        ("apps/shop/inlay.yaml", CONFIGURATION),
        (
            "apps/kustomization/kustomization.yaml",
            "resources: [a.yaml, local.yaml, ports.yaml]\n",
        ),
        ("apps/kustomization/a.yaml", CONFIG_MAP),
        ("apps/kustomization/local.yaml", &local),
        ("apps/kustomization/ports.yaml", CONFIGURATION),
    ]);
    let folder = json!({"name": "folder", "string": "../kustomization"});
    assert_eq!(repository.generate(&json!([folder])), ["plain"]);
    for mode in ["run", "build"] {
        let mode = json!({"name": "mode", "string": mode});
        assert_eq!(repository.generate(&json!([mode])), ["plain"], "{mode}");
    }
    let only = json!({"name": "files", "array": ["ports.yaml"]});
    let build = json!({"name": "mode", "string": "build"});
    repository.refuses(&json!([build, only]), "the application has no objects");
}

#[test]
fn a_parameter_that_the_mode_does_not_use_is_an_error() {
    let parameters = [
        (json!({"name": "folder", "string": "."}), "kustomize"),
        (
            json!({"name": "configuration", "string": "inlay.yaml"}),
            "run",
        ),
        (json!({"name": "files", "array": ["a.yaml"]}), "run build"),
        (json!({"name": "values-files", "array": ["v.yml"]}), "build"),
        (json!({"name": "values", "map": {"name": "a"}}), "build"),
        (
            json!({"name": "values-yaml", "map": {"name": "a"}}),
            "build",
        ),
        (
            json!({"name": "allow-empty", "string": "false"}),
            "kustomize run build",
        ),
    ];
    let repository = Repository::with_files(&[
        ("apps/shop/a.yaml", CONFIG_MAP),
        ("apps/shop/v.yml", "name: a\n"),
        ("apps/shop/inlay.yaml", CONFIGURATION),
        ("apps/shop/kustomization.yaml", "resources: [a.yaml]\n"),
        ("apps/shop/schema.yml", SCHEMA),
    ]);
    for (parameter, modes) in &parameters {
        for mode in ["kustomize", "run", "build"] {
            let chosen = json!({"name": "mode", "string": mode});
            let errors = repository
                .run("generate", &json!([chosen, parameter]))
                .stderr;
            let errors = String::from_utf8_lossy(&errors);
            let message = format!("the mode `{mode}` does not use the parameter");
            let is_used = modes.split(' ').any(|used| used == mode);
            assert_eq!(errors.contains(&message), !is_used, "{parameter}: {errors}");
        }
    }
    // An empty list sets nothing.
    let empty = json!([{"name": "files", "array": []}, {"name": "values", "map": {}}]);
    assert_eq!(repository.generate(&empty), ["plain"]);
}

#[test]
fn one_run_reports_all_unused_parameters_and_why_the_mode_is_used() {
    let values = json!({"name": "values", "map": {"a": "b"}});
    let files = json!({"name": "files", "array": ["config"]});
    let configuration = json!({"name": "configuration", "string": "nope"});
    let repository = Repository::with_files(&[
        ("apps/shop/a.yaml", CONFIG_MAP),
        ("apps/shop/kustomization.yml", "resources: [a.yaml]\n"),
    ]);
    let output = repository.run("generate", &json!([values, files, configuration]));
    let errors = String::from_utf8_lossy(&output.stderr);
    for line in [
        "the mode `kustomize` does not use the parameter `values`",
        "the mode `kustomize` does not use the parameter `files`",
        "the mode `kustomize` does not use the parameter `configuration`",
        "note: the mode is `kustomize`, because the folder contains `kustomization.yml`",
        "help: remove `files`, or set the parameter `mode` to `run` or `build`",
    ] {
        assert!(errors.contains(line), "{errors}");
    }
    assert!(output.stdout.is_empty());

    // A mistake in the folder does not lead to another mode.
    let folder = json!({"name": "folder", "string": "overlays/prod"});
    repository.refuses(&json!([folder]), "must build at directory: 'overlays/prod'");
}

#[test]
fn only_true_and_false_are_booleans() {
    let repository = Repository::with_files(&[("apps/shop/a.yaml", CONFIG_MAP)]);
    for text in ["yes", "True", "1", "", " true"] {
        let message =
            format!("expected `true` or `false` for the parameter `allow-empty`, found `{text}`");
        repository.refuses(&json!([{"name": "allow-empty", "string": text}]), &message);
    }
    for text in ["true", "false"] {
        let parameters = json!([{"name": "allow-empty", "string": text}]);
        assert_eq!(repository.generate(&parameters), ["plain"]);
    }
}

#[test]
fn links_to_shared_files_of_the_repository_are_followed() {
    let shared = CONFIG_MAP.replace("plain", "shared");
    for target in ["../../shared/base", "../../shared/base/b.yaml"] {
        let repository = Repository::with_files(&[
            ("apps/shop/a.yaml", CONFIG_MAP),
            ("shared/base/b.yaml", &shared),
            ("inlay/inlay.yaml", CONFIGURATION),
        ])
        .with_link("apps/shop/base.yaml", target);
        assert_eq!(repository.generate(&json!([])), ["plain", "shared"]);
        let named = json!([{"name": "files", "array": ["base.yaml"]}]);
        assert_eq!(repository.generate(&named), ["shared"]);
        let run = json!([{"name": "configuration", "string": "../../inlay/inlay.yaml"}]);
        assert_eq!(repository.generate(&run), ["plain", "shared"]);
    }
}

#[test]
fn the_configuration_of_a_run_may_name_shared_files() {
    let repository = Repository::with_files(&[
        (
            "apps/shop/inlay.yaml",
            "apiVersion: inlay.dev/v1alpha1\nkind: Inlay\nmetadata: {name: a}\nspec:\n  \
             paths: [../../shared]\n",
        ),
        ("apps/shop/a.yaml", CONFIG_MAP),
        ("shared/b.yaml", &CONFIG_MAP.replace("plain", "shared")),
    ]);
    assert_eq!(repository.generate(&json!([])), ["plain", "shared"]);
}

#[test]
fn nothing_outside_of_the_repository_is_read() {
    let secret = CONFIG_MAP.replace("plain", "secret");
    let other = Repository::with_files(&[
        ("secret.yaml", &secret),
        ("kustomization.yaml", "resources: [secret.yaml]\n"),
    ]);
    let other = other.folder.path();
    let file = other.join("secret.yaml");
    let repository = Repository::with_files(&[
        ("apps/shop/a.yaml", CONFIG_MAP),
        ("apps/link/inlay.yaml", CONFIGURATION),
    ])
    .with_link("apps/file.yaml", &file)
    .with_link("apps/folder", other)
    .with_link("apps/link/link.yaml", &file)
    .with_link(
        "apps/shop/kustomization.yaml",
        other.join("kustomization.yaml"),
    );

    let mode = |name: &str| json!({"name": "mode", "string": name});
    let files = |path: &str| json!({"name": "files", "array": [path]});
    let renamed = format!("x.yaml={}", file.display());
    let values = format!("@library:{}", file.display());
    let values = json!({"name": "values-files", "array": [values]});
    let overlay = format!("resources: [{}]\n", climbing_path(&repository, other));
    fs::create_dir(repository.folder.path().join("apps/overlay"))
        .and_then(|()| {
            let place = repository
                .folder
                .path()
                .join("apps/overlay/kustomization.yaml");
            fs::write(place, overlay)
        })
        .expect("a file can be written");
    let table = [
        json!([mode("build"), files("../file.yaml")]),
        json!([mode("build"), files("../folder")]),
        json!([mode("build"), files("../folder/secret.yaml")]),
        json!([mode("build"), files("../link")]),
        json!([mode("build"), files(&renamed)]),
        json!([mode("build"), files("a.yaml"), values]),
        json!([{"name": "configuration", "string": "../link/inlay.yaml"}, mode("run"), files("../link")]),
        json!([{"name": "configuration", "string": "../file.yaml"}, mode("run")]),
        json!([{"name": "folder", "string": "../folder"}]),
        json!([{"name": "folder", "string": "../overlay"}]),
    ];
    for parameters in table {
        let output = repository.run("generate", &parameters);
        assert_refused(
            &output,
            "it is outside of the repository of the application",
        );
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(
            errors.contains("help: copy the file into the repository"),
            "{errors}"
        );
        assert!(!errors.contains("apiVersion"), "{errors}");
    }
    // The kustomization of the folder is a link.
    repository.refuses(&json!([]), "unable to find one of 'kustomization.yaml'");
}

/// Returns the path from the folder `apps/overlay` of a repository to another folder.
fn climbing_path(repository: &Repository, other: &Path) -> String {
    let root = repository
        .folder
        .path()
        .canonicalize()
        .expect("a folder has a path");
    let climbed = "../".repeat(root.components().count() + 1);
    let other = other.canonicalize().expect("a folder has a path");
    let below = other.strip_prefix("/").expect("the path is absolute");
    format!("{climbed}{}", below.display())
}

#[test]
fn a_copy_of_a_part_of_the_repository_is_not_left_either() {
    // With the annotation `manifest-generate-paths`, the working folder may be the root of the copy
    // even though the application is in `apps/shop`. The copies of other requests are beside it.
    let copies = Repository::with_files(&[
        ("6f/a.yaml", CONFIG_MAP),
        ("7a/shop/a.yaml", CONFIG_MAP),
        ("7a/shared/b.yaml", &CONFIG_MAP.replace("plain", "shared")),
        ("other/secret.yaml", &CONFIG_MAP.replace("plain", "secret")),
    ]);
    let run = |folder: &str, path: &str| {
        let parameters = json!([{"name": "files", "array": [path]}]).to_string();
        copies.run_in(
            &copies.folder.path().join(folder),
            "generate",
            Some(&parameters),
        )
    };
    assert_eq!(names(&run("6f", ".")), ["plain"]);
    assert_eq!(names(&run("7a/shop", "../shared")), ["shared"]);
    for (folder, path) in [("6f", ".."), ("6f", "../other"), ("7a/shop", "../../other")] {
        assert_refused(&run(folder, path), "leads out of the repository");
    }
}

#[test]
fn nothing_to_deploy_is_an_error_unless_it_is_meant() {
    let repository = Repository::with_files(&[("apps/shop/empty.yml", "#! nothing\n")]);
    repository.refuses(&json!([]), "the application has no objects");
    let output = repository.run(
        "generate",
        &json!([{"name": "allow-empty", "string": "true"}]),
    );
    assert!(output.status.success());
    assert!(output.stdout.is_empty());
}

#[test]
fn mistakes_in_parameters_are_errors() {
    let repository = Repository::with_files(&[
        ("apps/shop/a.yaml", CONFIG_MAP),
        ("apps/shop/values.yml", "a: 1\n"),
    ]);
    let table = [
        (json!([]), "a document of `values.yml` has no `kind`"),
        (
            json!([{"name": "file", "array": ["a.yaml"]}]),
            "did you mean `files`?",
        ),
        (
            json!([{"name": "files", "string": "a.yaml"}]),
            "expected `array` for the parameter `files`",
        ),
        (
            json!([{"name": "mode", "string": "helm"}]),
            "expected kustomize, run or build",
        ),
        (
            json!([{"name": "files", "array": ["../../../secret.yaml"]}]),
            "leads out of the repository",
        ),
        (
            json!([{"name": "files", "array": ["x/../../../../a"]}]),
            "leads out of the repository",
        ),
        (
            json!([{"name": "configuration", "string": "/etc/passwd"}]),
            "leads out of the repository",
        ),
        (
            json!({"name": "files"}),
            "`ARGOCD_APP_PARAMETERS` is not readable",
        ),
        (
            json!([{"name": "files"}]),
            "expected `array` for the parameter `files`, found no value",
        ),
        (
            json!([{"name": "files", "array": ["a.yaml"], "string": "a.yaml"}]),
            "expected `array` for the parameter `files`, found `string` and `array`",
        ),
        (
            json!([{"name": "files", "array": [""]}]),
            "the parameter `files` contains an empty path",
        ),
        (
            json!([{"name": "files", "array": ["-"]}]),
            "Argo CD passes no standard input",
        ),
        (
            json!([{"name": "values", "map": {"b": "1"}}, {"name": "values", "map": {"a": "1"}}]),
            "the parameter `values` is given twice",
        ),
        (
            json!([{"name": "values", "map": {"a=b": "1"}}]),
            "the key `a=b` of the parameter `values` contains a `=`",
        ),
        (
            json!([{"name": "mode", "string": ""}]),
            "expected kustomize, run or build",
        ),
    ];
    for (parameters, message) in table {
        repository.refuses(&parameters, message);
    }
}

#[test]
fn the_parameters_are_a_list_that_argo_cd_reads() {
    let repository = Repository::with_files(&[("apps/shop/a.yaml", CONFIG_MAP)]);
    let output = repository.run("parameters", &json!([]));
    let list: Vec<Value> = serde_json::from_slice(&output.stdout).expect("the output is JSON");
    for parameter in &list {
        let form = parameter["collectionType"].as_str().unwrap_or_default();
        assert!(["string", "array", "map"].contains(&form), "{parameter}");
        let name = parameter["name"].as_str().unwrap_or_default();
        let document = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/argo-cd.md");
        let text = fs::read_to_string(document).expect("the document is in the repository");
        assert!(text.contains(&format!("| `{name}` |")), "{name}");
    }
    assert!(!list.is_empty());
}
