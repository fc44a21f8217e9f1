//! Which images are meant, what becomes of them, and where they are found.

use super::*;
use crate::kubernetes::EntryRecorder;
use crate::kustomize::field_spec::FieldSpecs;
use crate::kustomize::test_objects::run;
use crate::source::Source;
use crate::typed::read_any_case;
use crate::yaml::parse;

/// The text of objects after an entry of `images`, and the messages.
fn changed(entry: &str, text: &str) -> (Result<String, String>, Vec<String>) {
    let stream = parse(&Source::new("entry.yaml", entry).unwrap()).unwrap();
    run(text, |resources, diagnostics| {
        let config: ImageConfig = read_any_case(&stream.documents[0].root, diagnostics)?;
        let specs = FieldSpecs::builtin().images;
        let transformer = ImageTransformer::new(vec![config], specs, diagnostics);
        transformer.apply(resources, EntryRecorder::off(), diagnostics)
    })
}

/// Returns what becomes of the image of a CronJob, which only the free search finds.
fn image(entry: &str, image: &str) -> String {
    let text =
        format!("kind: CronJob\nspec:\n  deep:\n    containers:\n    - image: \"{image}\"\n");
    let after = changed(entry, &text).0.unwrap();
    let (_, image) = after.split_once("image: \"").unwrap();
    image.trim_end_matches("\"\n").to_owned()
}

#[test]
fn changes_name_tag_and_digest() {
    let cases = [
        ("newTag: '2'", "web:2"),
        ("newName: a/b", "a/b:1@sha256:c"),
        ("digest: sha256:d", "web@sha256:d"),
        ("{newTag: '2', digest: sha256:d}", "web:2@sha256:d"),
        ("tagSuffix: -x", "web:1-x"),
        ("{newTag: '2', tagSuffix: -x}", "web:2"),
        ("{newName: a, digest: sha256:d}", "a@sha256:d"),
        ("{}", "web:1@sha256:c"),
    ];
    for (entry, expected) in cases {
        let entry = match entry.strip_prefix('{') {
            Some(rest) => format!("{{name: web, {rest}"),
            None => format!("{{name: web, {entry}}}"),
        };
        assert_eq!(image(&entry, "web:1@sha256:c"), expected, "{entry}");
    }
}

#[test]
fn matches_the_name_as_kustomize_does() {
    let cases = [
        ("web", "web", true),
        ("web", "web:", true),
        ("web", "web:a_b.c-{d}", true),
        ("web", "web:$v", false),
        ("web", "web@sha512:a", true),
        ("web", "web@a+b_1:", true),
        ("web", "web@a--b:x", false),
        ("web", "web@sha256", false),
        ("web", "x/web", false),
        ("web", "web/web", false),
        ("web", " web", false),
        ("x.y/web", "xzy/web:1", true),
        ("a|b", "a/anything", true),
        ("a|b", "my-b:1", true),
        ("localhost:5000/web", "localhost:5000/web:3", true),
        ("web(", "web(", false),
    ];
    for (name, old, is_meant) in cases {
        let new = image(&format!("{{name: '{name}', newName: new, newTag: t}}"), old);
        assert_eq!(new == "new:t", is_meant, "{name} {old}");
    }
}

const POD: &str = "\
kind: Pod
spec:
  containers: # main
  - {name: a, image: web:1} # one
  - image: null
  - name: b
  initContainers:
  - image: 'web'
  ephemeralContainers:
  - image: web
  volumes:
  - image: {reference: web}
";

#[test]
fn finds_images_in_lists_of_containers_and_by_field_specs() {
    let expected = POD
        .replace("image: web:1", "image: web:2")
        .replace("image: 'web'", "image: 'web:2'")
        .replace("reference: web", "reference: web:2");
    let (text, messages) = changed("{name: web, newTag: '2'}", POD);
    assert_eq!((text.unwrap(), messages.len()), (expected, 0));

    let single = "kind: Pod\nspec: {containers: {image: web}}\n";
    let (text, _) = changed("{name: web, newTag: '2'}", single);
    assert_eq!(text.unwrap(), single.replace("web", "web:2"));
}

#[test]
fn adds_a_tag_suffix_twice_where_both_searches_find_the_image() {
    let (text, _) = changed("{name: web, tagSuffix: -x}", POD);
    assert!(text.unwrap().contains("image: web:1-x-x}"));
    assert_eq!(image("{name: web, tagSuffix: -x}", "web:1"), "web:1-x");
}

#[test]
fn skips_definitions_of_custom_resources() {
    let text = POD.replace("Pod", "CustomResourceDefinition");
    let (after, messages) = changed("{name: web, newTag: '2'}", &text);
    assert_eq!(after.unwrap(), text);
    assert_eq!(messages, ["no container has an image `web`"]);
}

#[test]
fn reports_names_that_match_nothing() {
    let (_, messages) = changed("{name: wep, newTag: '2'}", POD);
    assert_eq!(messages, ["no container has an image `wep`"]);
    let (text, messages) = changed("{name: 'web(', newTag: '2'}", POD);
    assert_eq!(text.unwrap(), POD);
    assert!(
        messages[0].starts_with("the image name `web(` matches nothing"),
        "{messages:?}"
    );
}

#[test]
fn refuses_images_that_are_not_texts() {
    for (text, found) in [
        (
            "kind: A\nx: {containers: [{image: {a: b}}]}\n",
            "expected a scalar, found a mapping",
        ),
        (
            "kind: A\nx: {containers: [web]}\n",
            "expected sequence or mapping node, found a string",
        ),
    ] {
        let message = changed("{name: web, newTag: '2'}", text).0.unwrap_err();
        assert!(message.contains(found), "{message}");
    }
}
