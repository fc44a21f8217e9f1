//! `helmCharts`, with a stand-in for `helm` that records its calls, beside the real kustomize with
//! the same program; and with the real `helm`, if it is installed.

#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::expect_used)]

#[path = "common/clients.rs"]
mod clients;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Output};

use tempfile::TempDir;

/// Appends its arguments, its settings and the values that it receives to `calls`.
const HELM: &str = r#"#!/bin/sh
here=$(dirname "$0")
{
  echo "helm $*"
  env | grep '^HELM_[A-Z]*_HOME=' | sort
} >> "$here/calls"
case $1 in
  version) cat "$here/version"; exit ;;
esac
while [ $# -gt 0 ]; do
  if [ "$1" = -f ]; then cat "$2" >> "$here/calls"; fi
  shift
done
cat "$here/rendered"
"#;

const RENDERED: &str = "\
---
# Source: web/templates/all.yaml
apiVersion: v1
kind: Service
metadata: {name: web, namespace: own}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  template:
    spec:
      containers: [{name: web, image: web:1}]
";

struct Folder(TempDir);

impl Folder {
    /// Creates a folder with a chart, the program, and files.
    fn new(files: &[(&str, &str)]) -> Folder {
        let folder = Folder(tempfile::tempdir().unwrap());
        folder.write("charts/web/Chart.yaml", "name: web\n");
        folder.write(
            "charts/web/values.yaml",
            "replicas: 1 # one\nports: {http: 80}\n",
        );
        folder.write("rendered", RENDERED);
        folder.write("version", "v3.15.2+gc309b6f\n");
        folder.write("helm", HELM);
        let program = folder.0.path().join("helm");
        fs::set_permissions(program, fs::Permissions::from_mode(0o755)).unwrap();
        for (name, text) in files {
            folder.write(name, text);
        }
        folder
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.0.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn run(&self, program: &str, command: &str, flags: &[&str]) -> Output {
        Command::new(program)
            .args([command, "."])
            .args(flags)
            .current_dir(self.0.path())
            .output()
            .unwrap()
    }

    /// Builds with a program, and returns the output and the recorded calls of `helm`.
    fn built_by(&self, program: &str, command: &str, flags: &[&str]) -> (String, String) {
        let calls = self.0.path().join("calls");
        let _ = fs::remove_file(&calls);
        let output = self.run(program, command, flags);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{errors}");
        let calls = fs::read_to_string(calls).unwrap();
        (
            String::from_utf8(output.stdout).unwrap(),
            without_temporary_names(&calls),
        )
    }

    /// Builds with Inlay, and with kustomize if it is installed. Checks that both print the same
    /// and call `helm` in the same way.
    fn build(&self, flags: &[&str]) -> (String, String) {
        let flags = [&["--helm-command", "./helm"], flags].concat();
        let ours = self.built_by(env!("CARGO_BIN_EXE_inlay"), "kustomize", &flags);
        if !clients::lacks_a_client("kustomize build") {
            assert_eq!(ours, self.built_by("kustomize", "build", &flags));
        }
        ours
    }

    fn error(&self, flags: &[&str]) -> String {
        let output = self.run(env!("CARGO_BIN_EXE_inlay"), "kustomize", flags);
        assert!(!output.status.success());
        assert!(output.stdout.is_empty());
        String::from_utf8(output.stderr).unwrap()
    }
}

/// Replaces the paths of temporary folders, which differ in every run.
fn without_temporary_names(calls: &str) -> String {
    let mut words = Vec::new();
    for word in calls.split_inclusive(['\n', ' ', '=']) {
        words.push(match word.split_once("/kustomize-helm-") {
            Some((_, rest)) => format!("TEMPORARY/{}", rest.split_once('/').unwrap().1),
            None => word.to_owned(),
        });
    }
    words.concat()
}

const ENABLED: [&str; 1] = ["--enable-helm"];

#[test]
fn a_chart_is_rendered_with_the_arguments_of_kustomize() {
    let folder = Folder::new(&[
        (
            "kustomization.yaml",
            "namespace: shop\nnamePrefix: p-\nimages: [{name: web, newTag: '2'}]\n\
             helmCharts:\n- name: web\n  releaseName: shop\n  nameTemplate: t\n  includeCRDs: true\n  \
             skipTests: true\n  skipHooks: true\n  debug: true\n  devel: true\n  kubeVersion: '1.30'\n  \
             apiVersions: [a/v1, b/v1]\n  additionalValuesFiles: [more.yaml]\n",
        ),
        ("more.yaml", "more: true\n"),
    ]);
    let (text, calls) = folder.build(&ENABLED);
    // The namespace of a rendered object stays, and `helm` receives that of the kustomization.
    assert!(text.contains("name: p-web\n  namespace: own\n"), "{text}");
    assert!(text.contains("- image: web:2\n"), "{text}");
    let root = folder.0.path().canonicalize().unwrap();
    let root = root.display();
    let expected = format!(
        "helm template shop {root}/charts/web --namespace shop --name-template t \
         -f TEMPORARY/web-kustomize-values.yaml -f {root}/more.yaml --api-versions a/v1 \
         --api-versions b/v1 --kube-version 1.30 --include-crds --skip-tests --no-hooks --debug --devel\n"
    );
    assert!(calls.contains(&expected), "{calls}");
    assert!(
        calls.ends_with("replicas: 1 # one\nports: {http: 80}\nmore: true\n"),
        "{calls}"
    );
}

#[test]
fn inline_values_are_merged_as_the_entry_says() {
    for (merge, expected) in [
        ("", "ports:\n  http: 81\nreplicas: 1\n"),
        ("valuesMerge: merge", "ports:\n  http: 80\nreplicas: 1\n"),
        ("valuesMerge: replace", "ports:\n  http: 81\n"),
    ] {
        let folder = Folder::new(&[(
            "kustomization.yaml",
            &format!(
                "helmCharts:\n- name: web\n  valuesInline: {{ports: {{http: 81}}}}\n  {merge}\n"
            ),
        )]);
        let (_, calls) = folder.build(&ENABLED);
        assert!(calls.contains("helm template --generate-name "), "{calls}");
        let (_, values) = calls.rsplit_once("/.data\n").unwrap();
        assert_eq!(values, expected, "{merge}");
    }
}

#[test]
fn settings_and_older_forms_are_understood() {
    let old = "helmChartInflationGenerator:\n- {chartName: web, chartVersion: '1', chartHome: charts, \
               helmHome: settings, values: values.yaml, releaseName: r}\n";
    let plugin = "generators:\n- |\n  apiVersion: builtin\n  kind: HelmChartInflationGenerator\n  \
                  metadata: {name: c}\n  name: web\n  chartHome: charts\n  releaseName: r\n";
    let globals = "helmGlobals: {chartHome: charts, configHome: settings}\nhelmCharts: [{name: web, version: '1', \
                   releaseName: r, valuesFile: values.yaml}]\n";
    for (kustomization, has_settings) in [(old, true), (globals, true), (plugin, false)] {
        let folder = Folder::new(&[
            (
                "kustomization.yaml",
                &format!("{kustomization}buildMetadata: [originAnnotations]\n"),
            ),
            ("values.yaml", "a: b\n"),
        ]);
        let (text, calls) = folder.build(&["--enable-helm", "--helm-kube-version", "1.31"]);
        assert!(
            text.contains("kind: HelmChartInflationGenerator\n"),
            "{text}"
        );
        assert!(calls.contains("--kube-version 1.31"), "{calls}");
        assert_eq!(
            calls.contains("HELM_CONFIG_HOME=settings\n"),
            has_settings,
            "{calls}"
        );
    }
}

#[test]
fn a_chart_of_a_base_is_rendered_for_the_namespace_of_the_overlay() {
    let folder = Folder::new(&[
        ("kustomization.yaml", "resources: [base]\nnamespace: shop\n"),
        ("base/kustomization.yaml", "resources: [deeper]\n"),
        (
            "base/deeper/kustomization.yaml",
            "helmCharts: [{name: web, version: '1', repo: 'https://charts.example'}]\n",
        ),
        ("base/deeper/charts/web-1/web/values.yaml", "a: b\n"),
    ]);
    let (_, calls) = folder.build(&ENABLED);
    assert!(
        calls.contains("/base/deeper/charts/web-1/web --namespace shop "),
        "{calls}"
    );
}

#[test]
fn a_message_before_the_objects_is_shown() {
    let folder = Folder::new(&[("kustomization.yaml", "helmCharts: [{name: web}]\n")]);
    folder.write(
        "rendered",
        &format!("Pulled: registry.example/web\n{RENDERED}"),
    );
    let flags = ["--enable-helm", "--helm-command", "./helm"];
    let output = folder.run(env!("CARGO_BIN_EXE_inlay"), "kustomize", &flags);
    assert!(output.status.success());
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(
        errors.contains("helm printed a message: Pulled: registry.example/web"),
        "{errors}"
    );
}

#[test]
fn a_chart_that_is_not_there_is_an_error_with_the_command_to_get_it() {
    let folder = Folder::new(&[(
        "kustomization.yaml",
        "helmCharts: [{name: db, version: 1.2.3, repo: 'https://charts.example'}]\n",
    )]);
    let error = folder.error(&["--enable-helm", "--helm-command", "./helm"]);
    assert!(
        error.contains("no chart found at `charts/db-1.2.3/db`"),
        "{error}"
    );
    let command = "`helm pull --untar --untardir charts/db-1.2.3 --repo https://charts.example db --version 1.2.3`";
    assert!(error.contains(command), "{error}");
    assert!(!folder.0.path().join("calls").exists());
}

#[test]
fn mistakes_are_shown_at_the_chart() {
    let folder = Folder::new(&[]);
    for (chart, flags, expected) in [
        ("{name: web}", &[][..], "must specify --enable-helm"),
        ("{version: '1'}", &ENABLED, "chart name cannot be empty"),
        (
            "{name: web, releaseName: -x}",
            &ENABLED,
            "releaseName must not start with '-'",
        ),
        (
            "{name: web, valuesInline: 3}",
            &ENABLED,
            "expected a mapping in `valuesInline`",
        ),
        (
            "{name: web, valuesMerge: both}",
            &ENABLED,
            "expected `override`, `merge` or `replace`, found `both`",
        ),
        ("{name: web, valuesFile: ../v.yaml}", &ENABLED, "../v.yaml"),
        (
            "{name: web}",
            &["--enable-helm", "--helm-command", "./none"],
            "cannot run `./none`",
        ),
    ] {
        folder.write("kustomization.yaml", &format!("helmCharts:\n- {chart}\n"));
        let error = folder.error(flags);
        assert!(error.contains(expected), "{error}");
        assert!(error.contains("kustomization.yaml:2"), "{error}");
    }
}

#[test]
fn what_helm_reports_is_shown() {
    let folder = Folder::new(&[(
        "kustomization.yaml",
        "helmCharts: [{name: web, releaseName: r}]\n",
    )]);
    let flags = ["--enable-helm", "--helm-command", "./helm"];
    folder.write("version", "v2.17.0\n");
    let error = folder.error(&flags);
    assert!(
        error.contains("expected helm 3 or 4, found `v2.17.0`"),
        "{error}"
    );
    folder.write("version", "v4.0.1\n");
    fs::remove_file(folder.0.path().join("rendered")).unwrap();
    let error = folder.error(&flags);
    assert!(
        error.contains("`./helm template r` failed: exit status: 1"),
        "{error}"
    );
    assert!(error.contains("it printed: cat:"), "{error}");
}

/// `helm` is found on `PATH` and reads the chart of each folder. The stand-in prints a file that is
/// beside it.
#[test]
fn a_comparison_with_another_folder_renders_the_charts_of_both() {
    let files = [("kustomization.yaml", "helmCharts:\n- {name: web}\n")];
    let here = Folder::new(&files);
    let base = Folder::new(&files);
    let script =
        "#!/bin/sh\ncase $1 in version) echo v3.15.2; exit ;; esac\ncat \"$3/Chart.yaml\"\n";
    for (folder, value) in [(&here, "new"), (&base, "old")] {
        folder.write(
            "charts/web/Chart.yaml",
            &format!(
                "apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: web}}\ndata: {{a: {value}}}\n"
            ),
        );
    }
    here.write("bin/helm", script);
    let program = here.0.path().join("bin/helm");
    fs::set_permissions(program, fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!(
        "{}:{}",
        here.0.path().join("bin").display(),
        std::env::var("PATH").unwrap()
    );
    let output = Command::new(env!("CARGO_BIN_EXE_inlay"))
        .args(["kustomize", ".", "--enable-helm", "--diff", "--against"])
        .arg(base.0.path())
        .current_dir(here.0.path())
        .env("PATH", path)
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(text.contains("-  a: old\n+  a: new\n"), "{text}{errors}");
}

/// A chart with helpers, conditions and a test, rendered by the real helm for kustomize and for
/// Inlay.
#[test]
fn the_real_helm_renders_what_kustomize_prints() {
    if clients::lacks_a_client("helm version; kustomize build") {
        return;
    }
    let folder = TempDir::new().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    fs::create_dir(folder.path().join("charts")).unwrap();
    // helm reads and writes its own folders below these.
    let command = |program: &str| {
        let mut command = Command::new(program);
        command
            .current_dir(folder.path())
            .env("HELM_CACHE_HOME", folder.path().join("cache"))
            .env("HELM_CONFIG_HOME", folder.path().join("config"))
            .env("HELM_DATA_HOME", folder.path().join("data"));
        command
    };
    let created = command("helm").args(["create", "charts/web"]).output();
    assert!(created.expect("helm starts").status.success());
    write("production.yaml", "replicaCount: 5\n");
    write("ports.yaml", "service: {port: 8080}\n");
    let charts = [
        "valuesInline: {replicaCount: 3, ingress: {enabled: true}}",
        "valuesFile: production.yaml\n  additionalValuesFiles: [ports.yaml]",
        "namespace: shop\n  skipTests: true\n  includeCRDs: true\n  kubeVersion: '1.30'\n  valuesMerge: merge\n  \
         valuesInline: {image: {tag: '1.10'}, autoscaling: {enabled: true}}",
    ];
    for chart in charts {
        write(
            "kustomization.yaml",
            &format!(
                "namePrefix: a-\nhelmCharts:\n- name: web\n  releaseName: shop\n  {chart}\n\
                 images: [{{name: nginx, newTag: '2'}}]\n"
            ),
        );
        let build = |program: &str, subcommand: &str| {
            let mut command = command(program);
            let output = command.args([subcommand, "--enable-helm", "."]).output();
            let output = output.expect("the program starts");
            let errors = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{program}: {errors}");
            String::from_utf8(output.stdout).expect("the output is text")
        };
        let ours = build(env!("CARGO_BIN_EXE_inlay"), "kustomize");
        assert_eq!(ours, build("kustomize", "build"), "{chart}");
        assert!(ours.contains("image: nginx:2"), "{ours}");
    }
}
