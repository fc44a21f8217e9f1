//! `inlay run` with data values, changed fields of the configuration, and files in shared folders.

#![cfg(unix)]
#![allow(
    clippy::expect_used,
    reason = "a test that cannot prepare its files has failed"
)]

mod common {
    pub(crate) mod workspace;
}

use std::fs;
use std::path::PathBuf;

use common::workspace::{Outcome, shell, workspace};

const CONFIGURATION: &str = "\
apiVersion: inlay.dev/v1alpha1
kind: Inlay
metadata: {name: values}
spec:
  valuesFiles: [values/base.yml, values/production.yml]
  values: {c: inline, d: inline}
  files:
    schema.yml: |
      #@data/values-schema
      ---
      a: default
      b: default
      c: default
      d: default
      e: default
      num: 0
    out.yml: |
      #@ load(\"@ytt:data\", \"data\")
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: out}
      data:
        all: #@ \"{a} {b} {c} {d} {e} {num}\".format(**data.values)
";

struct Try {
    root: PathBuf,
}

impl Try {
    fn new(name: &str) -> Try {
        let root = workspace(&format!("run-values-{name}"));
        let own = Try { root };
        own.write("app/inlay.yaml", &CONFIGURATION.replace("\\\"", "\""));
        own.write("app/values/base.yml", "b: base\nc: base\n");
        own.write("app/values/production.yml", "c: production\nnum: 1\n");
        own
    }

    fn write(&self, name: &str, text: &str) {
        let place = self.root.join(name);
        fs::create_dir_all(place.parent().expect("a file is in a folder")).expect("a folder");
        fs::write(place, text).expect("a file can be written");
    }

    fn run(&self, line: &str) -> Outcome {
        shell(&self.root, &self.root, line)
    }

    /// Returns the values that the template prints.
    fn values(&self, flags: &str) -> String {
        let line = format!("inlay run app/inlay.yaml {flags} | inlay get - data.all");
        let outcome = self.run(&line);
        format!("{}{}", outcome.stdout, outcome.stderr)
    }
}

#[test]
fn files_come_before_inline_values_and_flags_come_last() {
    let own = Try::new("order");
    own.write("extra.yml", "d: file\ne: file\n");
    assert_eq!(own.values(""), "default base inline inline default 1\n");
    assert_eq!(
        own.values("-d extra.yml"),
        "default base inline file file 1\n"
    );
    assert_eq!(
        own.values("-d extra.yml -v e=flag --data-value-yaml num=5"),
        "default base inline file flag 5\n"
    );
    let line = "V_e=env inlay run app/inlay.yaml --data-values-env V | inlay get - data.all";
    assert_eq!(own.run(line).stdout, "default base inline inline env 1\n");
}

#[test]
fn values_are_checked_against_the_schema() {
    let own = Try::new("schema");
    let outcome = own.run("inlay run app/inlay.yaml -v unknown=1");
    assert_eq!(outcome.code, 1);
    assert!(outcome.stderr.contains("unknown"), "{}", outcome.stderr);
}

#[test]
fn values_that_nothing_can_read_are_an_error() {
    let own = Try::new("unused");
    own.write(
        "patch.yaml",
        "apiVersion: inlay.dev/v1alpha1\nkind: Inlay\nmetadata: {name: p}\nspec:\n  patches:\n  \
         - target: {kind: A}\n    patch: '[{\"op\": \"add\", \"path\": \"/x\", \"value\": 1}]'\n",
    );
    own.write("a.yaml", "kind: A\nmetadata: {name: a}\n");
    let outcome = own.run("inlay run patch.yaml a.yaml -v x=1");
    assert_eq!(outcome.code, 1);
    assert!(
        outcome.stderr.contains("no templates"),
        "{}",
        outcome.stderr
    );
}

#[test]
fn a_values_file_is_plain_and_stays_in_the_folder() {
    let own = Try::new("plain");
    own.write("app/values/base.yml", "#@data/values\n---\nb: 1\n");
    let annotated = own.run("inlay run app/inlay.yaml");
    assert_eq!(annotated.code, 1, "{}", annotated.stdout);
    own.write("app/values/base.yml", "b: base\n");
    own.run("sed -i 's|values/base.yml|../shared/base.yml|' app/inlay.yaml");
    own.write("shared/base.yml", "b: shared\n");
    let outside = own.run("inlay run app/inlay.yaml");
    assert_eq!(outside.code, 1);
    assert!(
        outside.stderr.contains("--allow-path"),
        "{}",
        outside.stderr
    );
    assert_eq!(
        own.values("--allow-path shared"),
        "default shared inline inline default 1\n"
    );
}

#[test]
fn an_allowed_folder_opens_no_other() {
    let own = Try::new("allowed");
    own.write("shared/labels/overlay.yml", "x: 1\n");
    own.write("secret/base.yml", "b: secret\n");
    own.run("ln -s ../secret/base.yml shared/link.yml");
    for path in [
        "../secret/base.yml",
        "../shared/link.yml",
        "../shared/../secret/base.yml",
        "/etc/hostname",
    ] {
        own.write(
            "app/inlay.yaml",
            &CONFIGURATION.replace("values/base.yml", path),
        );
        let outcome = own.run("inlay run app/inlay.yaml --allow-path shared");
        assert_eq!(outcome.code, 1, "{path}: {}", outcome.stdout);
        assert!(!outcome.stdout.contains("secret"), "{path}");
    }
    let missing = own.run("inlay run app/inlay.yaml --allow-path nosuch");
    assert_eq!(missing.code, 1);
    let root = own.run("inlay run app/inlay.yaml --allow-path /");
    assert_eq!(root.code, 1, "the whole machine is no folder to share");
}

#[test]
fn paths_may_lead_into_an_allowed_folder() {
    let own = Try::new("paths");
    own.write(
        "shared/extra/more.yml",
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: shared}\n",
    );
    own.run("sed -i 's|^  files:|  paths: [../shared/extra]\\n  files:|' app/inlay.yaml");
    let outcome = own
        .run("cd app && inlay run inlay.yaml --allow-path ../shared | inlay get - metadata.name");
    assert!(
        outcome.stdout.contains("shared\n"),
        "{}{}",
        outcome.stdout,
        outcome.stderr
    );
}

#[test]
fn set_changes_the_configuration_before_it_is_read() {
    let own = Try::new("set");
    assert_eq!(
        own.values("--set spec.values.c=set --set spec.values.a=new"),
        "new base set inline default 1\n"
    );
    let wrong = own.run("inlay run app/inlay.yaml --set spec.valeus.c=1");
    assert_eq!(wrong.code, 1);
    let before = own.run("cat app/inlay.yaml").stdout;
    assert_eq!(
        before,
        CONFIGURATION.replace("\\\"", "\""),
        "the file is not written"
    );
}
