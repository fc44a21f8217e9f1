//! Builds of kustomizations.

use crate::case::{Case, case};
use crate::inputs::{config_map, each, indented};
use crate::work::Work;

pub(crate) const CASES: &[Case] = &[
    case("images of a kustomization", 200, |size| {
        kustomization(
            "images",
            size,
            |at| format!("{{name: r.io/i{at}, newTag: b}}"),
            |at| deployment(at, &format!("r.io/i{at}:a")),
        )
    }),
    case("images of one object", 200, images_of_one_object),
    case("replicas of a kustomization", 200, |size| {
        kustomization(
            "replicas",
            size,
            |at| format!("{{name: d{at}, count: 2}}"),
            |at| deployment(at, "a"),
        )
    }),
    case("patches of a kustomization by name", 200, |size| {
        patched(size, |at| format!("name: a{at}"), |_| String::new())
    }),
    case("patches of a kustomization by kind", 200, |size| {
        patched(size, |at| format!("kind: K{at}"), |_| String::new())
    }),
    case("patches of a kustomization by namespace", 200, |size| {
        patched(
            size,
            |at| format!("name: a.*, namespace: n{at}"),
            |at| format!("namespace: n{at}"),
        )
    }),
    case("patches of a kustomization by label", 200, |size| {
        patched(
            size,
            |at| format!("labelSelector: l{at}"),
            |at| format!("labels: {{l{at}: x}}"),
        )
    }),
    case("patches of a kustomization by annotation", 200, |size| {
        patched(
            size,
            |at| format!("annotationSelector: a=x{at}"),
            |at| format!("annotations: {{a: x{at}}}"),
        )
    }),
    case("strategic patches of a kustomization", 200, |size| {
        kustomization(
            "patches",
            size,
            |at| {
                format!("{{patch: '{{apiVersion: v1, kind: K{at}, metadata: {{name: a}}, k: w}}'}}")
            },
            |at| format!("apiVersion: v1\nkind: K{at}\nmetadata: {{name: a}}\nk: v\n"),
        )
    }),
    case(
        "objects that patches of a kustomization delete",
        200,
        |size| {
            kustomization(
                "patches",
                size,
                |at| {
                    format!(
                        "{{patch: '{{$patch: delete, apiVersion: v1, kind: K, metadata: {{name: a{at}}}}}'}}"
                    )
                },
                |at| format!("apiVersion: v1\nkind: K\nmetadata: {{name: a{at}}}\n"),
            )
        },
    ),
    case("variables of a kustomization", 200, |size| {
        kustomization(
            "vars",
            size,
            |at| {
                format!(
                    "{{name: V{at}, objref: {{apiVersion: apps/v1, kind: Deployment, name: d{at}}}}}"
                )
            },
            |at| deployment(at, &format!("$(V{at})")),
        )
    }),
    case("sources of replacements by kind", 200, |size| {
        kustomization(
            "replacements",
            size,
            |at| {
                format!(
                    "{{source: {{kind: K{at}, fieldPath: k}}, targets: [{{select: {{kind: K{at}}}, fieldPaths: [l]}}]}}"
                )
            },
            |at| format!("apiVersion: v1\nkind: K{at}\nmetadata: {{name: a}}\nk: v\nl: w\n"),
        )
    }),
    case(
        "items of a kustomization that lack a key",
        300,
        items_without_a_key,
    ),
    case(
        "items of a kustomization of which some lack a key",
        300,
        items_with_some_keys,
    ),
    case(
        "items of a kustomization with a key twice",
        300,
        items_with_a_key_twice,
    ),
];

/// Returns a build of a kustomization with a list and as many objects as the list has entries.
fn kustomization(
    field: &str,
    size: usize,
    entry: impl Fn(usize) -> String,
    object: impl Fn(usize) -> String,
) -> Work {
    let entries = each(size, |at| format!("- {}\n", entry(at)));
    let objects = each(size, |at| format!("---\n{}", object(at)));
    let kustomization = format!("resources: [objects.yaml]\n{field}:\n{entries}");
    Work::Kustomization {
        files: vec![
            ("app/kustomization.yaml", kustomization),
            ("app/objects.yaml", objects),
        ],
    }
}

fn deployment(at: usize, image: &str) -> String {
    format!(
        "apiVersion: apps/v1\nkind: Deployment\nmetadata: {{name: d{at}}}\nspec:\n  replicas: 1\n  \
         template:\n    spec:\n      containers:\n      - {{name: c, image: '{image}'}}\n"
    )
}

fn images_of_one_object(size: usize) -> Work {
    let containers = each(size, |at| format!("  - {{name: c{at}, image: i{at}}}\n"));
    let object = "apiVersion: v1\nkind: K\nmetadata: {name: a}\nspec:\n  containers:\n";
    kustomization(
        "images",
        size,
        |at| format!("{{name: i{at}, newTag: b}}"),
        |at| match at {
            0 => format!("{object}{containers}"),
            _ => config_map(&format!("a{at}"), "k: v\n"),
        },
    )
}

/// Returns a build with a JSON patch for each object.
fn patched(
    size: usize,
    target: impl Fn(usize) -> String,
    metadata: impl Fn(usize) -> String,
) -> Work {
    let patch = r#"[{"op": "replace", "path": "/k", "value": "w"}]"#;
    let entry = |at| format!("{{target: {{{}}}, patch: '{patch}'}}", target(at));
    let object = |at: usize| {
        let metadata = metadata(at);
        format!("apiVersion: v1\nkind: K{at}\nmetadata:\n  name: a{at}\n  {metadata}\nk: v\n")
    };
    kustomization("patches", size, entry, object)
}

/// Returns a build in which a patch's ports are merged with those of a Service, as kustomize merges
/// them.
fn ports(old: &str, new: &str) -> Work {
    let service = |ports: &str| {
        format!(
            "apiVersion: v1\nkind: Service\nmetadata: {{name: a}}\nspec:\n  ports:\n{}",
            indented(ports, "  ")
        )
    };
    let kustomization = "resources: [object.yaml]\npatches: [{path: patch.yaml}]\n".to_owned();
    Work::Kustomization {
        files: vec![
            ("app/kustomization.yaml", kustomization),
            ("app/object.yaml", service(old)),
            ("app/patch.yaml", service(new)),
        ],
    }
}

fn items_without_a_key(size: usize) -> Work {
    let old = each(size, |at| format!("- {{port: {at}, protocol: TCP}}\n"));
    let new = each(size, |at| format!("- {{port: {at}, name: p{at}}}\n"));
    ports(&old, &new)
}

fn items_with_some_keys(size: usize) -> Work {
    let line = |at: usize| match at % 3 {
        0 => format!("- {{port: {at}}}\n"),
        1 => format!("- {{port: {at}, protocol: UDP}}\n"),
        _ => format!("- {{protocol: P{at}, name: p{at}}}\n"),
    };
    let new = each(size, |at| format!("- {{port: {at}, protocol: TCP}}\n"));
    ports(&each(size, line), &new)
}

fn items_with_a_key_twice(size: usize) -> Work {
    let line = |at| format!("- {{port: {at}, name: p{at}, protocol: TCP}}\n");
    let old = each(size, |at| line(at / 2));
    ports(&old, &each(size, line))
}
