//! Which object a variable means, and where its value goes.

use super::*;
use crate::kustomize::MetadataTransformer;
use crate::kustomize::field_spec::FieldSpecs;
use crate::kustomize::test_objects::run;
use crate::source::Source;
use crate::typed::read_any_case;
use crate::yaml::parse;

/// The text of objects after the variables were replaced, and the messages.
fn replaced(vars: &str, text: &str) -> (Result<String, String>, Vec<String>) {
    let stream = parse(&Source::new("vars.yaml", vars).unwrap()).unwrap();
    run(text, |resources, diagnostics| {
        let entries = read_any_case(&stream.documents[0].root, diagnostics)?;
        let mut variables = Variables::default();
        variables.bind(entries, resources, diagnostics)?;
        variables.substitute(&FieldSpecs::builtin(), resources, diagnostics)
    })
}

fn var(path: &str) -> String {
    format!(
        "- {{Name: V, objref: {{apiVersion: v1, kind: Zoo, name: z}}, fieldref: {{fieldpath: '{path}'}}}}"
    )
}

fn objects(value: &str, args: &str) -> String {
    format!(
        "apiVersion: v1\nkind: Zoo\nmetadata: {{name: z}}\nspec: {{a: [{{name: b, c: {value}}}]}} # zoo\n---\n\
         apiVersion: v1\nkind: Pod\nmetadata: {{name: p}}\nspec:\n  containers:\n  - args: {args} # args\n"
    )
}

#[test]
fn inserts_values_with_their_types() {
    for (value, whole, part) in [
        ("x", "x", "x"),
        ("12", "12", "12"),
        ("017", "17", "17"),
        ("1000000.0", "1000000", "1e+06"),
        ("true", "true", "true"),
        ("'12'", "\"12\"", "12"),
        ("null", "\"null\"", "null"),
        ("2020-01-01", "\"2020-01-01\"", "2020-01-01"),
    ] {
        for path in ["spec.a[0].c", "spec.a.[name=b].c"] {
            let text = objects(value, "[$(V), 'a$(V)', $$, $(X)]");
            let expected = objects(value, &format!("[{whole}, 'a{part}', $, $(X)]"));
            assert_eq!(replaced(&var(path), &text).0.unwrap(), expected);
        }
    }
}

#[test]
fn replaces_nothing_without_variables() {
    let text = objects("1", "[$$, $(V)]");
    assert_eq!(replaced("[]", &text), (Ok(text), Vec::new()));
}

#[test]
fn keeps_other_text_and_reports_what_is_never_replaced() {
    let text = objects("{d: 1}", "[$(V)]");
    let (found, messages) = replaced(&var("spec.a.0.c"), &text);
    assert_eq!(found.unwrap(), text);
    assert_eq!(messages, ["`$(V)` stays: its value is a mapping or a list"]);
    let text = objects("x", "[1x]");
    let (_, messages) = replaced(&var("spec.a.0.c"), &text);
    assert_eq!(messages, ["well-defined vars that were never replaced: V"]);
}

#[test]
fn replaces_texts_of_lists_and_mappings() {
    let metadata = "metadata: {name: p, labels: {a: $(V), b: 2, c: {d: $(V)}}}";
    let text = objects("x", "$(V)").replace("metadata: {name: p}", metadata);
    let expected =
        objects("x", "x").replace("metadata: {name: p}", &metadata.replacen("$(V)", "x", 1));
    assert_eq!(replaced(&var("spec.a[0].c"), &text).0.unwrap(), expected);
    for (args, message) in [
        (
            "[1]",
            "invalid value type expect a string: wrong node kind: expected a string, found a number",
        ),
        (
            "{1: a}",
            "wrong node kind: expected a string as key, found a number",
        ),
    ] {
        let error = replaced(&var("spec.a[0].c"), &objects("x", args))
            .0
            .unwrap_err();
        assert!(error.contains(message), "{error}");
    }
}

#[test]
fn refuses_variables_without_a_value() {
    let text = objects("0x10", "[$(V)]");
    let error = replaced(&var("spec.a[0].c"), &text).0.unwrap_err();
    let expected = "field specified in var 'V' not found in corresponding resource: Zoo.v1.[noGrp]/z.[noNs] has no `spec.a[0].c` that can be read";
    assert_eq!(error, expected);
    for path in ["spec.b", "spec.a[1].c", "spec.a.b", "metadata.name.x"] {
        assert!(replaced(&var(path), &text).0.is_err(), "{path}");
    }
    let unknown = var("spec").replace("kind: Zoo", "kind: Cage");
    let error = replaced(&unknown, &text).0.unwrap_err();
    let expected = "var 'V' cannot be mapped to a field in the set of known resources: there is no Cage.v1.[noGrp]/z.[noNs]";
    assert_eq!(error, expected);
}

#[test]
fn means_one_object() {
    let zoos = "apiVersion: v1\nkind: Zoo\nmetadata: {name: z}\n---\napiVersion: v1\nkind: Zoo\nmetadata: {name: z, namespace: ns}\n";
    let error = replaced(&var(""), zoos).0.unwrap_err();
    assert_eq!(
        error,
        "found 2 resId matches for var V (unable to disambiguate)"
    );
    let in_namespace = var("").replace("name: z", "name: z, namespace: ns");
    assert!(replaced(&in_namespace, zoos).0.is_ok());
    let twice = format!("{in_namespace}\n{in_namespace}");
    assert_eq!(
        replaced(&twice, zoos).0.unwrap_err(),
        "var 'V' already encountered"
    );
}

#[test]
fn replaces_a_common_annotation_in_all_places_of_an_object() {
    let text = "apiVersion: v1\nkind: Zoo\nmetadata: {name: z}\n---\n\
                apiVersion: apps/v1\nkind: DaemonSet\nmetadata: {name: d}\nspec: {template: {metadata: {annotations: {b: $(V)}}}}\n";
    let stream = parse(&Source::new("vars.yaml", var("")).unwrap()).unwrap();
    let (found, _) = run(text, |resources, diagnostics| {
        let specs = FieldSpecs::builtin();
        let annotations = MetadataTransformer {
            entries: [("a".to_owned(), "$(V)".to_owned())].into(),
            field_specs: Arc::clone(&specs.common_annotations),
        };
        annotations.apply(resources, diagnostics)?;
        let mut variables = Variables::default();
        let entries = read_any_case(&stream.documents[0].root, diagnostics)?;
        variables.bind(entries, resources, diagnostics)?;
        variables.substitute(&specs, resources, diagnostics)
    });
    // No variable is replaced in the template of a DaemonSet, except by way of its own annotation.
    assert!(
        found
            .unwrap()
            .ends_with("annotations: {b: $(V), a: z}}}}\n")
    );
}
