//! Unusual patches, replacements and generators, with the results of kustomize v5.8.2.
//!
//! The outputs are recorded, so this test does not need kustomize; `tests/kustomize_trees/`
//! compares with the program itself.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod generators;
mod labels;
mod names;
mod patches;
mod replacements;

use std::path::Path;

use inlay::kustomization::{self, KustomizationOptions};
use inlay::provenance::Recorder;
use inlay::source::Diagnostics;
use inlay::source::world::Memory;

const OBJECT: &str = "{apiVersion: v1, kind: A, metadata: {name: a, labels: {x: y}}, spec: null}\n";

/// A JSON patch of kind A, which makes kustomize print the object and read it again.
const REPRINT: &str =
    "- target: {kind: A}\n  patch: '[{\"op\": \"add\", \"path\": \"/x\", \"value\": 1}]'\n";

/// The result of a build.
struct Built {
    /// The output, or the errors.
    text: Result<String, String>,
    /// The messages of all diagnostics.
    messages: Vec<String>,
}

impl Built {
    /// Returns the output of a build that must not fail.
    fn text(&self) -> String {
        self.text.clone().unwrap()
    }

    fn has_failed(&self) -> bool {
        self.text.is_err()
    }
}

/// Builds the kustomization in the root of these files.
fn build_files<'f>(files: impl IntoIterator<Item = (&'f str, &'f str)>) -> Built {
    let world = Memory::with_files(files);
    let options = KustomizationOptions::default();
    let mut diagnostics = Diagnostics::default();
    let folder = Path::new(".");
    let built = kustomization::build(&world, folder, &options, Recorder::off(), &mut diagnostics);
    let text = match built {
        Ok(resources) => Ok(kustomization::print(&resources, &mut diagnostics).unwrap()),
        Err(_) => Err(format!("{:?}", diagnostics.as_slice())),
    };
    let messages = diagnostics.as_slice().iter();
    Built {
        text,
        messages: messages
            .map(|diagnostic| diagnostic.message.clone())
            .collect(),
    }
}

/// Builds a kustomization with one file of objects, and returns the output and the warnings.
fn build(objects: &str, kustomization: &str) -> (String, Vec<String>) {
    let kustomization = format!("resources: [objects.yaml]\n{kustomization}");
    let built = build_files([
        ("objects.yaml", objects),
        ("kustomization.yaml", &kustomization),
    ]);
    (built.text(), built.messages)
}

#[test]
fn a_value_is_added_to_the_fields_of_targets() {
    let objects = "apiVersion: v1\nkind: Web\nmetadata: {name: a}\nspec: {path: /srv/data, quoted: \"x\", list: [{name: x}]}\n\
                   ---\napiVersion: v1\nkind: Other\nmetadata: {name: b}\n";
    let kustomization = "\
transformers:
- |
  apiVersion: builtin
  kind: ValueAddTransformer
  metadata: {name: added}
  value: \"12\"
  targets:
  - {selector: {kind: Web}, fieldPath: metadata/namespace}
  - {selector: {kind: W.*}, fieldPath: metadata/annotations/a.b\\/c}
  - {selector: {name: a}, fieldPath: spec/path, filePathPosition: 2}
  - {selector: {name: a}, fieldPath: spec/quoted}
  - {selector: {name: a}, fieldPath: 'spec/list/[name=x]/value'}
";
    let (text, _) = build(objects, kustomization);
    let expected = "apiVersion: v1\nkind: Other\nmetadata:\n  name: b\n---\napiVersion: v1\nkind: Web\nmetadata:\n  \
                    annotations:\n    a.b/c: \"12\"\n  name: a\n  namespace: \"12\"\nspec:\n  list:\n  - name: x\n    \
                    value: 12\n  path: /srv/12/data\n  quoted: \"12\"\n";
    assert_eq!(text, expected);
}

/// Returns the values of `key` in the order of the output, and the warnings other than
/// deprecations.
fn values_of(key: &str, objects: &str, kustomization: &str) -> (String, Vec<String>) {
    let (text, mut warnings) = build(objects, kustomization);
    let prefix = format!("{key}: ");
    let values = text
        .lines()
        .filter_map(|line| line.trim_start().strip_prefix(&prefix));
    let values: Vec<&str> = values.collect();
    warnings.retain(|warning| !warning.contains("deprecated"));
    (values.join(" "), warnings)
}

#[test]
fn an_address_is_refused_in_every_field_with_paths() {
    for field in [
        "components: ['github.com/o/r//base?ref=v1']",
        "crds: ['https://example.com/crd.json']",
        "configurations: ['http://example.com/specs.yaml']",
        "patches: [{path: 'https://example.com/patch.yaml'}]",
        "resources: ['https://example.com/a.yaml']",
        "transformers: ['ssh://git@example.com/o/r']",
    ] {
        let built = build_files([("kustomization.yaml", &*format!("{field}\n"))]);
        assert!(built.has_failed(), "{field}");
        let [message] = built.messages.as_slice() else {
            panic!("{field} {:?}", built.messages);
        };
        assert!(
            message.ends_with("is a remote resource, which Inlay does not load"),
            "{message}"
        );
    }
}
