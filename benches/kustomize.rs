//! Builds of large kustomizations, beside the real kustomize: `cargo bench --bench kustomize`.
//!
//! Prints the best wall time of each program and the ratio. Absolute times differ from machine to machine; the ratio is the
//! figure. kustomize is left out if it is not on `PATH`, and after a build that takes longer than 20 seconds.

#![allow(
    clippy::unwrap_used,
    reason = "a benchmark that cannot prepare its files has failed"
)]

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// A program that builds kustomizations, and its arguments before the folder.
struct Builder {
    name: &'static str,
    program: &'static str,
    arguments: &'static [&'static str],
}

const BUILDERS: [Builder; 3] = [
    Builder {
        name: "inlay",
        program: env!("CARGO_BIN_EXE_inlay"),
        arguments: &["kustomize"],
    },
    Builder {
        name: "inlay --faithful",
        program: env!("CARGO_BIN_EXE_inlay"),
        arguments: &["kustomize", "--faithful"],
    },
    Builder {
        name: "kustomize",
        program: "kustomize",
        arguments: &["build"],
    },
];

fn main() {
    let folder = TempDir::new().unwrap();
    let small = folder.path().join("small");
    write_overlays(&small, 10);
    compare("two overlays on 10 objects", &small.join("prod"));
    for objects in [1000, 5000] {
        let large = folder.path().join(objects.to_string());
        write_overlays(&large, objects);
        compare(
            &format!("two overlays on {objects} objects"),
            &large.join("prod"),
        );
    }
    let crds = folder.path().join("crds");
    write_definitions(&crds);
    compare("3 MB of custom resource definitions", &crds.join("prod"));
}

/// Times the build of a folder by each program.
fn compare(title: &str, folder: &Path) {
    println!("{title}");
    let mut fastest: Option<Duration> = None;
    for builder in &BUILDERS {
        match builder.best_time(folder) {
            Some(time) => {
                let fastest = *fastest.get_or_insert(time);
                let ratio = time.as_secs_f64() / fastest.as_secs_f64();
                println!(
                    "  {:<18}{:>10.1} ms {ratio:>8.1}x",
                    builder.name,
                    time.as_secs_f64() * 1e3
                );
            }
            None => println!("  {:<18} failed, or is not on PATH", builder.name),
        }
    }
}

impl Builder {
    /// Returns the best time of three builds; of one, if it is slow.
    fn best_time(&self, folder: &Path) -> Option<Duration> {
        let mut best = Duration::MAX;
        for _ in 0..3 {
            let started = Instant::now();
            let mut command = Command::new(self.program);
            command.args(self.arguments).arg(folder);
            let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
            if !status.ok()?.success() {
                return None;
            }
            best = best.min(started.elapsed());
            if best > Duration::from_secs(20) {
                break;
            }
        }
        Some(best)
    }
}

/// Writes a base of `objects` objects and two overlays, one on the other.
fn write_overlays(folder: &Path, objects: usize) {
    let mut base = String::from("resources:\n");
    for number in 0..objects / 10 {
        base.push_str(&format!("- part-{number}.yaml\n"));
        put(folder, &format!("base/part-{number}.yaml"), &part(number));
    }
    base.push_str("configMapGenerator:\n- name: settings\n  literals: [level=info]\n");
    put(folder, "base/kustomization.yaml", &base);
    put(
        folder,
        "team/kustomization.yaml",
        "resources: [../base]\nnamePrefix: team-\nlabels:\n- pairs: {team: shop}\n  includeSelectors: true\nimages:\n- name: registry.example.com/web\n  newTag: '2'\n",
    );
    put(
        folder,
        "prod/kustomization.yaml",
        "resources: [../team]\nnamespace: prod\nnameSuffix: -prod\ncommonAnnotations: {owner: shop}\nreplicas:\n- {name: web-0, count: 5}\nconfigMapGenerator:\n- name: settings\n  behavior: merge\n  literals: [level=debug]\npatches:\n- target: {kind: Deployment, name: web-.*}\n  patch: |-\n    - {op: add, path: /spec/template/spec/serviceAccountName, value: shop}\n- patch: |-\n    apiVersion: apps/v1\n    kind: Deployment\n    metadata: {name: web-0}\n    spec: {template: {spec: {containers: [{name: web, env: [{name: PATCHED, value: 'true'}]}]}}}\n",
    );
}

/// Returns ten objects: a Deployment, a Service, and eight ConfigMaps.
fn part(number: usize) -> String {
    let mut text = format!(
        "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web-{number}\n  labels: {{app: web-{number}}}\nspec:\n  replicas: 2\n  selector:\n    matchLabels: {{app: web-{number}}}\n  template:\n    metadata:\n      labels: {{app: web-{number}}}\n    spec:\n      containers:\n      - name: web\n        image: registry.example.com/web:1\n        envFrom:\n        - configMapRef: {{name: settings}}\n        - configMapRef: {{name: data-{number}-0}}\n        ports:\n        - containerPort: 8080\n      - name: proxy\n        image: registry.example.com/proxy:1\n---\napiVersion: v1\nkind: Service\nmetadata:\n  name: web-{number}\nspec:\n  selector: {{app: web-{number}}}\n  ports:\n  - port: 80\n    targetPort: 8080\n"
    );
    for index in 0..8 {
        write!(
            text,
            "---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: data-{number}-{index}\ndata:\n  key: value {index}\n  text: |\n    line one\n    line two of {number}\n"
        )
        .unwrap();
    }
    text
}

/// Writes an overlay on definitions that have 3 MB together.
fn write_definitions(folder: &Path) {
    let mut kustomization = String::from("resources:\n");
    for number in 0..12 {
        kustomization.push_str(&format!("- crd-{number}.yaml\n"));
        put(
            folder,
            &format!("base/crd-{number}.yaml"),
            &definition(number),
        );
    }
    put(folder, "base/kustomization.yaml", &kustomization);
    let overlay =
        "resources: [../base]\nlabels:\n- pairs: {team: shop}\ncommonAnnotations: {owner: shop}\n";
    put(folder, "prod/kustomization.yaml", overlay);
}

/// Returns a definition with many described fields.
fn definition(number: usize) -> String {
    let mut text = format!(
        "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata:\n  name: things{number}.example.com\nspec:\n  group: example.com\n  names: {{kind: Thing{number}, plural: things{number}}}\n  scope: Namespaced\n  versions:\n  - name: v1\n    served: true\n    storage: true\n    schema:\n      openAPIV3Schema:\n        type: object\n        properties:\n          spec:\n            type: object\n            properties:\n"
    );
    for field in 0..750 {
        write!(
            text,
            "              field{field}:\n                description: The value number {field} of a thing, which decides how the controller treats it. Defaults to what the class says, if there is one.\n                type: object\n                properties:\n                  name:\n                    type: string\n                    pattern: '^[a-z]+$'\n                  size:\n                    type: integer\n                    minimum: 0\n"
        )
        .unwrap();
    }
    text
}

fn put(folder: &Path, name: &str, text: &str) {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}
