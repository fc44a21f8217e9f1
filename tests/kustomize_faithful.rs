//! `inlay kustomize --faithful`: the objects of the canonical output, in the text of their files.
//!
//! Every recorded build of kustomize is printed in both forms, with a comment in every object. The
//! faithful output has the same objects. It also has every comment of an object that was read from
//! a file, except comments in parts that the build removed.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use inlay::kubernetes::Resource;
use inlay::kustomization::{self, KustomizationOptions};
use inlay::provenance::Recorder;
use inlay::source::world::{FolderReach, Memory};
use inlay::source::{Diagnostics, Source};
use inlay::yaml::{Node, parse, push_sorted};
use serde::Deserialize;

#[derive(Deserialize)]
struct RecordedBuild {
    name: String,
    files: BTreeMap<String, String>,
    args: Vec<String>,
    /// `None` if kustomize fails.
    output: Option<String>,
}

impl RecordedBuild {
    /// Returns the build with a comment in each object, beside the kind, because few recorded ones
    /// have comments.
    fn with_comments(&self) -> RecordedBuild {
        let files = self.files.iter().map(|(name, text)| {
            let lines = text.split_inclusive('\n').map(|line| {
                match line.starts_with("kind: ") && !line.contains(['#', '\'', '"']) {
                    true => format!("{} # kind\n", line.trim_end()),
                    false => line.to_owned(),
                }
            });
            (name.clone(), lines.collect())
        });
        RecordedBuild {
            name: self.name.clone(),
            files: files.collect(),
            args: self.args.clone(),
            output: None,
        }
    }

    /// Builds as recorded.
    ///
    /// # Panics
    /// Panics if the build fails.
    fn resources(&self) -> Vec<Resource> {
        let mut options = KustomizationOptions::default();
        if self.args.iter().any(|flag| flag == "LoadRestrictionsNone") {
            options.reach = FolderReach::Anywhere;
        }
        let folder = self.args.first().map_or(".", String::as_str);
        let built = build_with(&self.files, folder, &options);
        built.unwrap_or_else(|| panic!("{} fails", self.name))
    }
}

/// Returns the recorded builds; none without a corpus.
fn recorded() -> Vec<RecordedBuild> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpus");
    let corpus = std::env::var_os("INLAY_CORPUS").map_or(beside, PathBuf::from);
    let Ok(text) = std::fs::read_to_string(corpus.join("kustomize/builds.json")) else {
        println!("left out: no corpus beside the checkout and no INLAY_CORPUS");
        return Vec::new();
    };
    serde_json::from_str(&text).unwrap()
}

/// Builds a kustomization; returns `None` if it fails.
fn build(files: &BTreeMap<String, String>, folder: &str) -> Option<Vec<Resource>> {
    build_with(files, folder, &KustomizationOptions::default())
}

fn build_with(
    files: &BTreeMap<String, String>,
    folder: &str,
    options: &KustomizationOptions,
) -> Option<Vec<Resource>> {
    let files = files
        .iter()
        .map(|(name, text)| (name.as_str(), text.as_str()));
    let world = Memory::with_files(files);
    let mut diagnostics = Diagnostics::default();
    let recorder = Recorder::off();
    kustomization::build(
        &world,
        Path::new(folder),
        options,
        recorder,
        &mut diagnostics,
    )
    .ok()
}

fn faithful(resources: &[Resource]) -> String {
    kustomization::print_faithfully(resources, &mut Diagnostics::default()).unwrap()
}

fn canonical(resources: &[Resource]) -> String {
    kustomization::print(resources, &mut Diagnostics::default()).unwrap()
}

/// Prints a stream in kustomize's form.
fn reprinted(text: &str) -> String {
    let stream = parse(&Source::new("faithful.yaml", text).unwrap()).unwrap();
    let mut output = String::new();
    for document in &stream.documents {
        if !output.is_empty() {
            output.push_str("---\n");
        }
        let root: &Arc<Node> = &document.root;
        push_sorted(root, &mut output).unwrap();
    }
    output
}

#[test]
fn every_recorded_build_has_the_same_objects_in_both_forms() {
    let mut wrong = Vec::new();
    let (mut compared, mut counted) = (0, 0);
    let recorded = recorded();
    for case in &recorded {
        let Some(output) = &case.output else {
            continue;
        };
        let resources = case.resources();
        assert_eq!(&canonical(&resources), output, "{}", case.name);
        compared += 1;
        let resources = case.with_comments().resources();
        let (text, expected) = (faithful(&resources), canonical(&resources));
        if reprinted(&text) != expected {
            wrong.push(format!(
                "{}: expected\n{expected}\nfound\n{text}",
                case.name
            ));
        }
        for (comment, count) in comments(&resources) {
            counted += count;
            // The same comment may be in several objects.
            if text.matches(&comment).count() < count {
                wrong.push(format!(
                    "{}: the comment {comment} is not in\n{text}",
                    case.name
                ));
            }
        }
    }
    println!("compared {compared} builds with {counted} comments");
    // A test that finds nothing to compare proves nothing.
    let has_corpus = !recorded.is_empty();
    assert!(
        !has_corpus || compared > 100 && counted > 300,
        "{compared} builds, {counted} comments"
    );
    assert!(
        wrong.is_empty(),
        "{} wrong:\n{}",
        wrong.len(),
        wrong.join("\n\n")
    );
}

/// Returns the comments in the source texts of the objects, each with its number of occurrences.
fn comments(resources: &[Resource]) -> BTreeMap<String, usize> {
    let mut comments = BTreeMap::new();
    for resource in resources {
        let Some(source) = &resource.history.source else {
            continue;
        };
        // A build reads its files without comments.
        let stream = parse(&source.stream.source).unwrap();
        let part = stream.documents[source.document].span;
        let own = stream.comments.iter().filter(|comment| {
            source.item.is_none() && part.start() <= comment.start() && comment.end() <= part.end()
        });
        for comment in own {
            let text = stream.source.slice(*comment).to_owned();
            *comments.entry(text).or_insert(0) += 1;
        }
    }
    comments
}

const BASE: &str = "\
# The license.

# The web server.
apiVersion: apps/v1
kind: Deployment # a workload
metadata:
    name: 'web'
    # labels
    labels: {app: web}
spec:
    template:
        spec:
            containers:
                # main
                - name: web
                  image: \"nginx:1\" # pinned
                  args: [ \"-x\",  \"y\" ]
--- # second
apiVersion: v1
kind: List
items:
  # one
  - {apiVersion: v1, kind: ConfigMap, metadata: {name: one}, data: {z: 'x', a: \"b\"}}
  - # two
    apiVersion: v1
    kind: ConfigMap
    metadata:
        name: two # its name
    data:
        text: |
            # not a comment
            b
  # none
";

const OVERLAY: &str = "\
resources: [base.yaml]
patches:
- target: {kind: Deployment}
  patch: |-
    - {op: replace, path: /metadata/name, value: p-web}
    - {op: replace, path: /spec/template/spec/containers/0/image, value: \"nginx:2\"}
- target: {kind: ConfigMap, name: two}
  patch: |-
    - {op: replace, path: /metadata/name, value: p-two}
";

const EXPECTED: &str = "\
# one
{apiVersion: v1, kind: ConfigMap, metadata: {name: one}, data: {z: 'x', a: \"b\"}}
---
# two
apiVersion: v1
kind: ConfigMap
metadata:
    name: p-two # its name
data:
    text: |
        # not a comment
        b
---
# The license.

# The web server.
apiVersion: apps/v1
kind: Deployment # a workload
metadata:
    name: 'p-web'
    # labels
    labels: {app: web}
spec:
    template:
        spec:
            containers:
                # main
                - name: web
                  image: \"nginx:2\" # pinned
                  args: [ \"-x\",  \"y\" ]
";

#[test]
fn objects_keep_comments_order_quotes_and_layout() {
    let files = [("base.yaml", BASE), ("kustomization.yaml", OVERLAY)];
    let files = files.map(|(name, text)| (name.to_owned(), text.to_owned()));
    let resources = build(&BTreeMap::from(files), ".").unwrap();
    assert_eq!(faithful(&resources), EXPECTED);
}

#[test]
fn a_file_that_is_built_twice_is_edited_twice() {
    let overlay = |name: &str| {
        format!(
            "resources: [../base]\npatches: [{{target: {{kind: A}}, patch: '[{{\"op\": \"replace\", \"path\": \"/metadata/name\", \"value\": \"{name}\"}}]'}}]\n"
        )
    };
    let (one, two) = (overlay("one-a"), overlay("two-a"));
    let files = [
        (
            "base/a.yaml",
            "# about a\nkind: A\nmetadata: {name: a} # named\n",
        ),
        ("base/kustomization.yaml", "resources: [a.yaml]\n"),
        ("one/kustomization.yaml", &one),
        ("two/kustomization.yaml", &two),
        ("kustomization.yaml", "resources: [one, two]\n"),
    ];
    let files = files.map(|(name, text)| (name.to_owned(), text.to_owned()));
    let resources = build(&BTreeMap::from(files), ".").unwrap();
    let expected = "# about a\nkind: A\nmetadata: {name: one-a} # named\n---\n# about a\nkind: A\nmetadata: {name: two-a} # named\n";
    assert_eq!(faithful(&resources), expected);
}

#[test]
fn a_null_that_loses_its_text_in_braces_is_an_empty_text_in_both_forms() {
    let object =
        "apiVersion: a/v1\nkind: A # kind\nmetadata: {name: a}\nspec: {map: null, m: {x: y}}\n";
    let kustomization = "resources: [a.yaml]\nreplacements:\n\
                         - source: {kind: A, fieldPath: spec.m}\n  \
                           targets: [{select: {kind: A}, fieldPaths: [spec.map]}]\n";
    let files = [("a.yaml", object), ("kustomization.yaml", kustomization)];
    let files = files.map(|(name, text)| (name.to_owned(), text.to_owned()));
    let resources = build(&files.into(), ".").unwrap();
    assert!(canonical(&resources).contains("  map: \"\"\n"));
    assert!(faithful(&resources).ends_with("spec: {map: \"\", m: {x: y}}\n"));
}

#[test]
fn values_that_a_generator_adds_to_an_empty_field_stay_in_their_place() {
    let object =
        "apiVersion: v1\nkind: ConfigMap\ndata: # values\nmetadata:\n  name: web # named\n";
    let kustomization = "resources: [a.yaml]\n\
                         configMapGenerator: [{name: web, behavior: merge, literals: [a=1]}]\n";
    let files = [("a.yaml", object), ("kustomization.yaml", kustomization)];
    let files = files.map(|(name, text)| (name.to_owned(), text.to_owned()));
    let resources = build(&files.into(), ".").unwrap();
    let expected = object.replace("# values\n", "# values\n  a: \"1\"\n");
    assert_eq!(faithful(&resources), expected);
}

/// `yes` is a string to kustomize, but true to a reader of YAML 1.1.
#[test]
fn written_words_have_the_quotes_of_kustomize_and_words_of_the_file_keep_their_spelling() {
    let object =
        |own: &str| format!("apiVersion: a/v1\nkind: A\nmetadata: {{name: a}}\nspec:\n{own}");
    let first = object("  own: yes # own\n  list: [off, x, {k: off, l: x}]\n");
    let second = object("  word: on\n").replace("name: a", "name: b");
    let replacement = |name: &str, field: &str, targets: &str| {
        format!(
            "- source: {{kind: A, name: {name}, fieldPath: {field}}}\n  targets:\n  \
             - {{select: {{name: a}}, fieldPaths: [{targets}], options: {{create: true}}}}\n"
        )
    };
    let kustomization = format!(
        "resources: [a.yaml, b.yaml]\nreplacements:\n{}{}",
        replacement("a", "spec.own", "spec.copy"),
        replacement("b", "spec.word", "spec.other, spec.list.1, spec.list.2.l")
    );
    let files = [
        ("a.yaml", first.as_str()),
        ("b.yaml", &second),
        ("kustomization.yaml", &kustomization),
    ];
    let files = files.map(|(name, text)| (name.to_owned(), text.to_owned()));
    let resources = build(&files.into(), ".").unwrap();
    let edited = "  own: yes # own\n  list: [off, \"on\", {k: off, l: \"on\"}]\n\
                  \x20 copy: \"yes\"\n  other: \"on\"\n";
    assert_eq!(
        faithful(&resources),
        format!("{}---\n{second}", object(edited))
    );
    assert!(canonical(&resources).contains("  copy: \"yes\"\n"));
}

#[test]
fn an_alias_stays_if_its_value_and_its_anchor_are_not_edited() {
    let object = "apiVersion: a/v1\nkind: A\nmetadata: {name: a}\n\
                  spec:\n  a: &x {k: &y 1, l: [*y]} # a\n  b: *x # b\n  c: *x # c\n";
    let table = [
        ("{}", object.to_owned()),
        // The value was edited: it does not define the anchor again.
        ("{b: {k: 2}}", object.replace("b: *x", "b: {k: 2, l: [1]}")),
        // The value with the anchor was edited, and the aliases mean the old one.
        (
            "{a: {k: 2}}",
            object
                .replace("&y 1", "&y 2")
                .replace("[*y]", "[1]")
                .replace("b: *x", "b: {k: 1, l: [1]}")
                .replace("c: *x", "c: {k: 1, l: [1]}"),
        ),
    ];
    for (spec, expected) in table {
        let patch = format!("apiVersion: a/v1\nkind: A\nmetadata: {{name: a}}\nspec: {spec}\n");
        let kustomization = "resources: [a.yaml]\npatches: [{path: patch.yaml}]\n";
        let files = [
            ("a.yaml", object),
            ("patch.yaml", &patch),
            ("kustomization.yaml", kustomization),
        ];
        let files = files.map(|(name, text)| (name.to_owned(), text.to_owned()));
        let resources = build(&files.into(), ".").unwrap();
        assert_eq!(faithful(&resources), expected, "{spec}");
    }
}
