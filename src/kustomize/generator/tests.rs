//! The rules of the generators: how values are read, and what becomes of objects that are there.

use std::sync::Arc;

use super::*;
use crate::edit::DocumentFormat;
use crate::kubernetes::Resource;
use crate::kustomize::add_suffixes;
use crate::provenance::Recorder;
use crate::source::world::{Folder, Memory};
use crate::source::{Diagnostics, Reported, Source};
use crate::typed::from_node;
use crate::yaml::{Node, canonical_node, parse_data};

const FILES: [(&str, &str); 5] = [
    ("app/config.json", "{\"a\": 1}\n"),
    ("app/sub/x.txt", "text"),
    (
        "app/app.env",
        "\u{feff}# comment\n  A=1 \n\nexport B='2'\r\nC\nD=x=y\n",
    ),
    ("app/bad.env", "A=1\n =2\n"),
    ("secret.txt", "outside"),
];

/// Texts with annotations belong to the layers above.
struct NoOverlays;

impl TextOverlays for NoOverlays {
    fn is_overlay(&self, _: &Arc<Source>) -> bool {
        false
    }

    fn apply(
        &self,
        _: &Arc<Source>,
        _: &[Arc<Node>],
        _: DocumentFormat,
        _: &mut Diagnostics,
    ) -> Result<Vec<Arc<Node>>, Reported> {
        unreachable!("no text is an overlay")
    }
}

fn root(text: &str) -> Arc<Node> {
    Arc::clone(
        &parse_data(&Source::new("config.yaml", text).unwrap())
            .unwrap()
            .documents[0]
            .root,
    )
}

/// Returns what an entry makes of objects: the objects printed, or the messages of the errors.
fn run(
    kind: GeneratorKind,
    entry: &str,
    role: PluginRole,
    objects: &[&str],
) -> Result<String, Vec<String>> {
    let mut diagnostics = Diagnostics::default();
    let mut resources: Vec<Resource> = objects
        .iter()
        .map(|text| Resource::new(root(text)).unwrap())
        .collect();
    let world = Memory::with_files(FILES);
    let folder = Folder::new(&world, "app");
    match from_node(&root(entry)) {
        Err(error) => diagnostics.push(error),
        Ok(config) => {
            if let Ok(generator) = check(
                kind,
                config,
                &GeneratorOptionsConfig::default(),
                &folder,
                &mut diagnostics,
            ) {
                let context = GeneratorContext {
                    role,
                    folder: &folder,
                    overlays: &NoOverlays,
                };
                apply(
                    &[generator],
                    &context,
                    &mut resources,
                    Recorder::off(),
                    &mut diagnostics,
                );
            }
        }
    }
    if add_suffixes(&mut resources, Recorder::off(), &mut diagnostics).is_err() {
        return Err(diagnostics
            .as_slice()
            .iter()
            .map(|error| error.message.clone())
            .collect());
    }
    let printed = resources
        .iter()
        .map(|resource| canonical_node(&resource.node).unwrap());
    Ok(printed.collect::<Vec<_>>().join("---\n"))
}

/// The `data` of the ConfigMap that an entry with these fields makes.
fn data(fields: &str) -> Result<String, String> {
    let entry = format!("name: q\noptions: {{disableNameSuffixHash: true}}\n{fields}");
    let printed = run(
        GeneratorKind::ConfigMap,
        &entry,
        PluginRole::Transformer,
        &[],
    )
    .map_err(|mut errors| errors.remove(0))?;
    let object = root(&printed);
    let sections = ["data", "binaryData"]
        .into_iter()
        .filter_map(|section| object.get(section));
    Ok(sections
        .map(|section| canonical_node(section).unwrap())
        .collect())
}

fn edit(kind: GeneratorKind, entry: &str, object: &str) -> Result<String, Vec<String>> {
    run(kind, entry, PluginRole::Transformer, &[object])
}

#[test]
fn splits_literals_at_the_first_equals_sign_and_removes_matching_quotes() {
    let table = [
        ("a=b", "a: b\n"),
        ("a=b=c", "a: b=c\n"),
        ("a=", "a: \"\"\n"),
        ("a=\"b c\"", "a: b c\n"),
        ("a='b'", "a: b\n"),
        ("a=\"b'", "a: '\"b'''\n"),
        ("a=it is 'b'", "a: it is 'b'\n"),
        ("a=\"", "a: '\"'\n"),
        (" a = b ", "' a ': ' b '\n"),
    ];
    for (literal, expected) in table {
        let fields = format!("literals: [{}]", crate::yaml::json_string(literal));
        assert_eq!(data(&fields).unwrap(), expected, "{literal}");
    }
    assert_eq!(
        data("literals: [{a: '\"b\"', c: d}, e=f]").unwrap(),
        "a: '\"b\"'\nc: d\ne: f\n"
    );
}

#[test]
fn refuses_a_literal_that_is_not_a_pair() {
    let table = [
        ("=y", "invalid literal source =y, expected key=value"),
        ("'y'", "invalid literal source y, expected key=value"),
        ("y", "expected a string, found a boolean"),
        ("{a: 1}", "expected a string, found a number"),
        ("{1: a}", "expected a string, found a number"),
        ("[a]", "expected a string, found a list"),
        ("~", "expected a string, found null"),
    ];
    for (literal, expected) in table {
        assert_eq!(
            data(&format!("literals:\n- {literal}")).unwrap_err(),
            expected,
            "{literal}"
        );
    }
}

#[test]
fn uses_the_file_name_as_key_unless_one_is_given() {
    let expected = "config.json: |\n  {\"a\": 1}\nk: text\nx.txt: text\n";
    assert_eq!(
        data("files: [config.json, ./sub/x.txt, k=sub/../sub/x.txt]").unwrap(),
        expected
    );
    let table = [
        (
            "a=b=c",
            "source \"a=b=c\" key name or file path contains '='",
        ),
        (
            "=c",
            "missing key name for file path \"c\" in source \"=c\"",
        ),
        (
            "c=",
            "missing file path for key name \"c\" in source \"c=\"",
        ),
        (
            "../secret.txt",
            "expected a path below the configuration's folder, found `../secret.txt`",
        ),
        (
            "/secret.txt",
            "expected a path below the configuration's folder, found `/secret.txt`",
        ),
    ];
    for (file, expected) in table {
        assert_eq!(data(&format!("files: ['{file}']")).unwrap_err(), expected);
    }
    assert!(
        data("files: [none.txt]")
            .unwrap_err()
            .starts_with("cannot read `app/none.txt`")
    );
}

#[test]
fn keeps_the_values_of_env_files_as_written() {
    let expected = "A: '1 '\nC: \"\"\nD: x=y\nexport B: '''2'''\n";
    assert_eq!(data("envs: [app.env]").unwrap(), expected);
    assert_eq!(data("env: app.env").unwrap(), expected);
    assert_eq!(
        data("envs: [bad.env]").unwrap_err(),
        "expected `key=value`, found `=2`"
    );
}

#[test]
fn refuses_a_key_that_is_given_twice() {
    for fields in [
        "literals: [a=1, a=2]",
        "literals: [A=1]\nenvs: [app.env]",
        "files: [x=config.json, x=sub/x.txt]",
    ] {
        assert!(
            data(fields)
                .unwrap_err()
                .starts_with("configmap q illegally repeats the key `"),
            "{fields}"
        );
    }
}

#[test]
fn requires_a_name_and_a_known_behavior() {
    let message = |kind, entry| {
        run(kind, entry, PluginRole::Transformer, &[])
            .unwrap_err()
            .remove(0)
    };
    assert_eq!(
        message(GeneratorKind::ConfigMap, "literals: [a=b]"),
        "a configmap must have a name"
    );
    assert_eq!(
        message(GeneratorKind::Secret, "name: ''"),
        "a secret must have a name"
    );
    assert_eq!(
        message(GeneratorKind::Secret, "{name: a, behavior: mrge}"),
        "expected `create`, `merge` or `replace`, found `mrge`"
    );
    assert_eq!(
        message(GeneratorKind::ConfigMap, "{name: a, type: Opaque}"),
        "a ConfigMap has no `type`"
    );
    assert_eq!(
        message(GeneratorKind::ConfigMap, "{name: a, literal: [x]}"),
        "unknown field `literal`"
    );
}

#[test]
fn long_base64_is_broken_into_lines() {
    let entry = format!(
        "{{name: s, literals: ['short={}', 'long={}']}}",
        "x".repeat(51),
        "x".repeat(52)
    );
    let printed = run(GeneratorKind::Secret, &entry, PluginRole::Transformer, &[]).unwrap();
    let object = root(&printed);
    let text = |key| {
        object
            .get_in(&["data", key])
            .and_then(|node| node.text().map(str::to_owned))
            .unwrap()
    };
    assert_eq!(
        (text("short").len(), text("short").contains('\n')),
        (68, false)
    );
    assert_eq!(
        text("long").split('\n').map(str::len).collect::<Vec<_>>(),
        [70, 2, 0]
    );
}

#[test]
fn annotates_objects_that_kustomize_adds() {
    let entry = "{name: a, behavior: replace, literals: [x=y]}";
    let expected = "apiVersion: v1\ndata:\n  x: \"y\"\nkind: ConfigMap\nmetadata:\n  annotations:\n    \
                    kustomize.config.k8s.io/behavior: replace\n    kustomize.config.k8s.io/needs-hash: \"true\"\n  name: a\n";
    assert_eq!(
        run(GeneratorKind::ConfigMap, entry, PluginRole::Generator, &[]).unwrap(),
        expected
    );
    let entry = "{name: a, behavior: merge, literals: [x=y], mergeValues: [{key: x}]}";
    let errors = run(GeneratorKind::ConfigMap, entry, PluginRole::Generator, &[]).unwrap_err();
    assert_eq!(
        errors,
        ["expected objects to merge values into, found none"]
    );
}

const PLAIN: &str = "# A person wrote this.
apiVersion: v1
kind: ConfigMap
metadata: {name: a, labels: {x: '1', w: '2'}}
immutable: false
data:
  z: '1'
  a: '2'
binaryData: {b: AAAA}
";

#[test]
fn keeps_what_the_entry_does_not_mention_when_merging() {
    let entry = "{name: a, behavior: merge, literals: [a=3, b=c, q=4], options: {labels: {w: '3', z: '4'}}}";
    let expected = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n  labels:\n    x: \"1\"\n    w: \"3\"\n    \
                    z: \"4\"\nimmutable: false\ndata:\n  z: \"1\"\n  a: \"3\"\n  b: c\n  q: \"4\"\n";
    assert_eq!(
        edit(GeneratorKind::ConfigMap, entry, PLAIN).unwrap(),
        expected
    );
}

#[test]
fn keeps_the_metadata_when_replacing() {
    let entry = "{name: a, behavior: replace, literals: [a=3]}";
    let expected = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n  labels:\n    x: \"1\"\n    w: \"2\"\ndata:\n  a: \"3\"\n";
    assert_eq!(
        edit(GeneratorKind::ConfigMap, entry, PLAIN).unwrap(),
        expected
    );
}

#[test]
fn keeps_the_type_and_texts_of_a_merged_secret() {
    let secret = "{apiVersion: v1, kind: Secret, metadata: {name: a}, type: kubernetes.io/tls, data: {x: QQ==}, \
                  stringData: {t: old, u: kept}}";
    let entry = "{name: a, behavior: merge, literals: [x=B, t=new]}";
    let expected = "apiVersion: v1\nkind: Secret\nmetadata:\n  name: a\ntype: kubernetes.io/tls\ndata:\n  x: Qg==\n\
                    stringData:\n  t: new\n  u: kept\n";
    assert_eq!(
        edit(GeneratorKind::Secret, entry, secret).unwrap(),
        expected
    );
    let typed = "{name: a, behavior: merge, type: other}";
    assert!(
        edit(GeneratorKind::Secret, typed, secret)
            .unwrap()
            .contains("type: other\n")
    );
}

#[test]
fn requires_the_object_to_exist_or_not_according_to_the_behavior() {
    let exists = edit(GeneratorKind::ConfigMap, "name: a", PLAIN).unwrap_err();
    assert_eq!(
        exists,
        ["id ConfigMap.v1.[noGrp]/a.[noNs] exists; behavior must be merge or replace"]
    );
    for behavior in ["merge", "replace"] {
        let missing = edit(
            GeneratorKind::ConfigMap,
            &format!("{{name: b, behavior: {behavior}}}"),
            PLAIN,
        )
        .unwrap_err();
        assert_eq!(
            missing,
            ["id ConfigMap.v1.[noGrp]/b.[noNs] does not exist; cannot merge or replace"]
        );
    }
    let several = run(
        GeneratorKind::ConfigMap,
        "{name: a, behavior: merge}",
        PluginRole::Transformer,
        &[PLAIN, PLAIN],
    )
    .unwrap_err();
    assert!(
        several[0].starts_with("found multiple objects that could accept merge of"),
        "{several:?}"
    );
}

#[test]
fn finds_an_object_by_its_previous_names() {
    let renamed = PLAIN.replace(
        "name: a,",
        "name: dev-a, annotations: {internal.config.kubernetes.io/previousNames: a, \
         internal.config.kubernetes.io/previousNamespaces: default, internal.config.kubernetes.io/previousKinds: ConfigMap, \
         internal.config.kubernetes.io/needsHashSuffix: enabled},",
    );
    let merge = "{name: a, behavior: merge, literals: [a=3]}";
    let merged = edit(GeneratorKind::ConfigMap, merge, &renamed).unwrap();
    assert!(
        merged.contains("name: dev-a\n") && merged.contains("needsHashSuffix: enabled"),
        "{merged}"
    );
    let without =
        "{name: a, behavior: merge, literals: [a=3], options: {disableNameSuffixHash: true}}";
    assert!(
        !edit(GeneratorKind::ConfigMap, without, &renamed)
            .unwrap()
            .contains("needsHashSuffix")
    );
}

fn config_map(key: &str, text: &str) -> String {
    let texts = Node::mapping(vec![crate::yaml::Entry::new(key, Node::string(text))]);
    let data = canonical_node(&texts).unwrap().replace('\n', "\n  ");
    format!("apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  {data}")
}

/// The text under `key` after `overlay` was merged into it.
fn merged(key: &str, base: &str, overlay: &str, fields: &str) -> Result<String, String> {
    let (name, text) = (
        crate::yaml::json_string(key),
        crate::yaml::json_string(overlay),
    );
    let entry = format!(
        "{{name: a, behavior: merge, literals: [{{{name}: {text}}}], mergeValues: [{{key: {name}{fields}}}]}}"
    );
    let printed = edit(GeneratorKind::ConfigMap, &entry, &config_map(key, base))
        .map_err(|mut errors| errors.remove(0))?;
    Ok(root(&printed)
        .get_in(&["data", key])
        .unwrap()
        .text()
        .unwrap()
        .to_owned())
}

#[test]
fn merges_documents_in_the_format_of_the_key_or_text() {
    let table = [
        (
            "c.json",
            "{\"a\": {\"b\": 1.0}}\n",
            "{\"a\": {\"c\": 2}}",
            "{\"a\": {\"b\": 1.0, \"c\": 2}}\n",
        ),
        (
            "c.yaml",
            "a: # one\n  b: 1\n",
            "a:\n  c: 2",
            "a: # one\n  b: 1\n  c: 2\n",
        ),
        (
            "c.yaml",
            "a: # one\n  b: 1\n",
            "{\"a\": {\"c\": 2}}",
            "a: # one\n  b: 1\n  c: 2\n",
        ),
        ("c", "{\"a\": 1}", "{\"b\": 2}", "{\"a\": 1, \"b\": 2}"),
        ("c", "a: 1\n", "b: 2\n", "a: 1\nb: 2\n"),
        ("c.json", "", "{\"b\": 2}", "{\"b\": 2}"),
        (
            "c.yaml",
            "a: 1\n---\nb: 2\n",
            "a: 3\n---\nb: 4\n",
            "a: 3\n---\nb: 4\n",
        ),
        (
            "c.json",
            "{\"a\": debug}",
            "{\"b\": \"x\"}",
            "{\"a\": debug,\"b\":\"x\"}",
        ),
    ];
    for (key, base, overlay, expected) in table {
        let found = merged(key, base, overlay, "").unwrap();
        let blind = |text: &str| text.replace(' ', "");
        assert_eq!(blind(&found), blind(expected), "{base} with {overlay}");
    }
}

#[test]
fn merges_lists_and_nulls_according_to_the_entry() {
    let table = [
        ("", "a: [1]\nb: 2\n", "a: [3]\nb:\n", "a: [3]\nb: null\n"),
        (
            ", lists: append, nulls: delete",
            "a: [1]\nb: 2\n",
            "a: [3]\nb:\n",
            "a: [1, 3]\n",
        ),
        (
            ", lists: merge-by id",
            "a: [{id: x, v: 1}]\n",
            "a: [{id: x, v: 2}, {id: y}]",
            "a: [{id: x, v: 2}, {id: y}]\n",
        ),
    ];
    for (fields, base, overlay, expected) in table {
        assert_eq!(
            merged("c.yaml", base, overlay, fields).unwrap(),
            expected,
            "{fields}"
        );
    }
    assert!(
        merged("c.yaml", "a: 1", "a: 2", ", lists: appnd")
            .unwrap_err()
            .starts_with("expected `replace`, `append`")
    );
    assert!(
        merged("c.yaml", "a: 1", "a: 2", ", lists: merge-by")
            .unwrap_err()
            .starts_with("expected a key")
    );
}

#[test]
fn reports_values_that_cannot_be_merged() {
    let table = [
        (
            "c.json",
            "{\"a\": {}}",
            "{\"a\": 1}",
            "expected a mapping to merge for `a`, found a number",
        ),
        (
            "c",
            "a: 1\n",
            "{\"b\": 2}",
            "expected YAML to merge, found JSON",
        ),
        (
            "c",
            "{\"b\": 2}",
            "a: 1\n",
            "expected JSON to merge, found YAML",
        ),
        (
            "c.yaml",
            "a: 1",
            "\n# nothing\n",
            "expected a document to merge, found an empty text",
        ),
        (
            "c.yaml",
            "a: 1\n---\nb: 1\n",
            "a: 1",
            "expected as many documents as the text has, 2, found 1",
        ),
    ];
    for (key, base, overlay, expected) in table {
        assert_eq!(
            merged(key, base, overlay, "").unwrap_err(),
            expected,
            "{base} with {overlay}"
        );
    }
    assert!(
        merged("c.yaml", "a: [", "a: 1", "").is_err(),
        "a base that does not parse"
    );
    assert!(
        merged("c.json", "{\"a\": 1}", "{", "").is_err(),
        "an overlay that does not parse"
    );
}

#[test]
fn requires_merged_keys_on_both_sides_and_only_once() {
    let object = config_map("c.json", "{}");
    let message = |fields: &str| {
        let entry = format!("{{name: a, {fields}}}");
        edit(GeneratorKind::ConfigMap, &entry, &object)
            .unwrap_err()
            .remove(0)
    };
    let both = "behavior: merge, literals: [{d.json: '{}'}]";
    assert_eq!(
        message(&format!("{both}, mergeValues: [{{key: d.json}}]")),
        "nothing to merge into: the ConfigMap has no key `d.json`"
    );
    assert_eq!(
        message(&format!("{both}, mergeValues: [{{key: c.json}}]")),
        "nothing to merge: the generator has no value for `c.json`"
    );
    let twice = message(&format!(
        "{both}, mergeValues: [{{key: d.json}}, {{key: d.json}}]"
    ));
    assert_eq!(twice, "key `d.json` is given twice in `mergeValues`");
    let create = message("literals: [{d.json: '{}'}], mergeValues: [{key: d.json}]");
    assert_eq!(
        create,
        "expected `behavior: merge` with `mergeValues`, found `create`"
    );
}

#[test]
fn merges_secrets_inside_base64() {
    let secret =
        "{apiVersion: v1, kind: Secret, metadata: {name: a}, data: {c.json: eyJhIjogMX0=}}";
    let entry = "{name: a, behavior: merge, literals: [{c.json: '{\"b\": 2}'}], mergeValues: [{key: c.json}]}";
    let merged = edit(GeneratorKind::Secret, entry, secret).unwrap();
    assert!(
        merged.contains("c.json: eyJhIjogMSwgImIiOiAyfQ=="),
        "{merged}"
    );
}

/// What an earlier run has left: a ConfigMap, and an object that refers to it.
const MADE: &str = "apiVersion: v1\ndata:\n  a: \"1\"\nkind: ConfigMap\nmetadata:\n  annotations: {path: made.yaml}\n  name: q-h29d89cmmt\n";
const USER: &str = "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {containers: [{envFrom: [{configMapRef: {name: q-h29d89cmmt}}]}]}\n";

#[test]
fn replaces_the_object_of_an_earlier_run_in_its_place() {
    let same = run(
        GeneratorKind::ConfigMap,
        "name: q\nliterals: [a=1]",
        PluginRole::Transformer,
        &[MADE, USER],
    )
    .unwrap();
    assert_eq!(same.matches("q-h29d89cmmt").count(), 2, "{same}");
    assert!(same.contains("path: made.yaml"), "{same}");
    let other = run(
        GeneratorKind::ConfigMap,
        "name: q\nliterals: [a=2]",
        PluginRole::Transformer,
        &[MADE, USER],
    )
    .unwrap();
    assert_eq!(
        (
            other.matches("q-6gtghh96k8").count(),
            other.matches("q-h29d89cmmt").count()
        ),
        (2, 0),
        "{other}"
    );
    assert_eq!(other.matches("kind: ConfigMap").count(), 1, "{other}");
    let bare = "name: q\nliterals: [a=1]\noptions: {disableNameSuffixHash: true}";
    let bare = run(
        GeneratorKind::ConfigMap,
        bare,
        PluginRole::Transformer,
        &[MADE, USER],
    )
    .unwrap();
    assert_eq!(
        (
            bare.matches("name: q\n").count(),
            bare.matches("q-").count()
        ),
        (2, 0),
        "{bare}"
    );
    let merged = run(
        GeneratorKind::ConfigMap,
        "name: q\nbehavior: merge\nliterals: [b=2]",
        PluginRole::Transformer,
        &[MADE, USER],
    );
    assert!(merged.unwrap().contains("a: \"1\"\n  b: \"2\""));
}

#[test]
fn recognizes_an_earlier_object_only_by_the_hash_of_its_values() {
    let changed = MADE.replace("\"1\"", "\"3\"");
    let found = run(
        GeneratorKind::ConfigMap,
        "name: q\nliterals: [a=1]",
        PluginRole::Transformer,
        &[&changed, USER],
    );
    assert_eq!(
        found.unwrap_err(),
        ["the generated ConfigMap `q-h29d89cmmt` exists already"]
    );
    let plain = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: q}\n";
    let found = run(
        GeneratorKind::ConfigMap,
        "name: q\nbehavior: merge\nliterals: [a=1]",
        PluginRole::Transformer,
        &[MADE, plain],
    );
    assert_eq!(
        found.unwrap().matches("q-h29d89cmmt").count(),
        1,
        "the object without a suffix is meant"
    );
    let twice = MADE
        .replace("\"1\"", "\"2\"")
        .replace("h29d89cmmt", "6gtghh96k8");
    let found = run(
        GeneratorKind::ConfigMap,
        "name: q\nliterals: [a=1]",
        PluginRole::Transformer,
        &[MADE, &twice],
    );
    assert!(found.unwrap_err()[0].contains("several objects that were generated as ConfigMap `q`"));
}
