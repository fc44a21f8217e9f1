//! Strategic merge patches and JSON patches beside the real kustomize: both build the same objects.
//!
//! A row is a patch, the objects that it applies to, and the way it selects them.
//! `docs/differences.md` lists the cases in which kustomize loses a part of a patch; no row
//! contains such a case.

#![cfg(unix)]
#![allow(
    clippy::expect_used,
    reason = "a test that cannot prepare its files has failed"
)]

mod common {
    pub(crate) mod clients;
    pub(crate) mod workspace;
}

use std::fs;

use common::clients::lacks_a_client;
use common::workspace::{shell, workspace};

const OBJECTS: &str = "\
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, labels: {app: web}, finalizers: [one, two]}
spec:
  replicas: 1
  template:
    spec:
      containers:
      - name: a
        image: a:1
        env: [{name: A, value: '1'}, {name: B, value: '2'}]
        command: [x, z]
        volumeMounts: [{name: v, mountPath: /v}]
      - name: b
        image: b:1
        ports: [{containerPort: 80, protocol: TCP}, {containerPort: 53, protocol: UDP}]
      - {name: c, image: c:1}
      initContainers: [{name: init, image: i:1}]
      volumes: [{name: v, emptyDir: {}}, {name: w, configMap: {name: w}}]
      tolerations: [{key: a}, {key: b}]
      imagePullSecrets: [{name: s}]
  empty: null
---
apiVersion: v1
kind: Service
metadata: {name: web}
spec:
  ports: [{port: 80, protocol: TCP, name: http}, {port: 53, protocol: UDP, name: dns}]
  selector: {app: web}
---
apiVersion: example.com/v1
kind: Thing
metadata: {name: web, finalizers: [one, two], annotations: {note: 'yes'}}
spec: {list: [{name: a, v: 1}, {name: b}], map: {x: 1, z: 2}, number: 1.50, text: '007'}
";

const DEPLOYMENT: &str = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\n";
const SERVICE: &str = "apiVersion: v1\nkind: Service\nmetadata: {name: web}\n";
const THING: &str = "apiVersion: example.com/v1\nkind: Thing\nmetadata: {name: web}\n";

/// Patches that name their object, each with the rest of the object.
const MERGES: &[(&str, &str)] = &[
    (DEPLOYMENT, "spec: {replicas: 3, paused: true}"),
    (
        DEPLOYMENT,
        "spec: {replicas: null, nothing: null, empty: {}}",
    ),
    (
        DEPLOYMENT,
        "spec: {empty: {a: null, b: 1, c: {$patch: delete, d: 1}, e: {$patch: replace, f: 2}}}",
    ),
    (
        DEPLOYMENT,
        "spec: {template: {spec: {containers: [{name: c, image: c:2}]}}}",
    ),
    (
        DEPLOYMENT,
        "spec: {template: {spec: {containers: [{name: new, image: new}, {name: b, tty: true}, {name: last}]}}}",
    ),
    (
        DEPLOYMENT,
        "spec: {template: {spec: {containers: [{name: a, $patch: delete}, {name: c, $patch: delete}]}}}",
    ),
    (
        DEPLOYMENT,
        "spec: {template: {spec: {containers: [{name: a, env: [{name: B, value: '3'}, {name: C, value: '4'}]}]}}}",
    ),
    (
        DEPLOYMENT,
        "spec: {template: {spec: {containers: [{name: a, command: [q], volumeMounts: [{mountPath: /w, name: w}]}]}}}",
    ),
    (
        DEPLOYMENT,
        "spec: {template: {spec: {containers: [{name: a, command: null, env: null}]}}}",
    ),
    (
        DEPLOYMENT,
        "spec: {template: {spec: {containers: [{name: b, ports: [{containerPort: 443, protocol: TCP}]}]}}}",
    ),
    (
        DEPLOYMENT,
        "spec: {template: {spec: {containers: [{name: b, ports: [{containerPort: 53, protocol: UDP, name: d}]}]}}}",
    ),
    (
        DEPLOYMENT,
        "spec: {template: {spec: {containers: [{name: b, ports: [{containerPort: 80, protocol: TCP, $patch: delete}]}]}}}",
    ),
    (
        DEPLOYMENT,
        "spec: {template: {spec: {volumes: [{name: v, emptyDir: null, secret: {secretName: s}}, {name: w, $patch: delete}]}}}",
    ),
    (
        DEPLOYMENT,
        "spec: {template: {spec: {containers: [{$patch: replace}, {name: only}], volumes: [{$patch: delete}]}}}",
    ),
    (
        DEPLOYMENT,
        "spec: {template: {spec: {tolerations: [{key: c}], imagePullSecrets: [{name: t}], hostAliases: [{ip: 1.2.3.4}]}}}",
    ),
    (
        DEPLOYMENT,
        "spec: {template: {$patch: replace, spec: {containers: [{name: z}]}}}",
    ),
    (DEPLOYMENT, "spec: {$patch: delete}"),
    (
        DEPLOYMENT,
        "spec: {template: {spec: {initContainers: [{name: init, env: [{name: A, value: b}]}, {name: two}]}}}",
    ),
    (
        "apiVersion: apps/v1\nkind: Deployment\n",
        "metadata: {name: web, finalizers: [three, two], labels: {app: null, tier: x}}",
    ),
    (
        "apiVersion: apps/v1\nkind: Deployment\n",
        "metadata: {name: web, annotations: {a: b}}\n$patch: delete",
    ),
    (
        SERVICE,
        "spec: {ports: [{port: 443, protocol: TCP, name: tls}, {port: 53, protocol: UDP, targetPort: 5353}]}",
    ),
    (SERVICE, "spec: {selector: {$patch: replace, app: api}}"),
    (
        THING,
        "spec: {list: [{name: a, w: null}], map: {x: null}, number: null}",
    ),
    (
        THING,
        "spec: {list: null, map: {$patch: delete}, new: [{a: [1]}]}",
    ),
    (
        "apiVersion: example.com/v1\nkind: Thing\n",
        "metadata: {name: web, finalizers: [three]}\nspec: {text: '08', map: {y: 'no'}}",
    ),
];

/// Parts of patches that name only existing items of a list. kustomize moves these to the front;
/// Inlay keeps their order, as the API server does. The number is the original index of the item,
/// to which it is moved back in kustomize's output.
const IN_PLACE: &[(&str, usize)] = &[
    ("[{name: c, image: c:2}]", 2),
    (
        "[{name: b, ports: [{containerPort: 443, protocol: TCP}]}]",
        1,
    ),
    (
        "[{name: b, ports: [{containerPort: 53, protocol: UDP, name: d}]}]",
        1,
    ),
    (
        "[{name: b, ports: [{containerPort: 80, protocol: TCP, $patch: delete}]}]",
        1,
    ),
];

/// Returns a configuration that moves the first container to the given index.
fn move_back(place: usize) -> String {
    let list = "/spec/template/spec/containers";
    format!(
        "apiVersion: inlay.dev/v1alpha1\nkind: Inlay\nmetadata: {{name: move}}\nspec:\n  patches:\n  \
         - target: {{kind: Deployment}}\n    patch: '[{{op: move, from: {list}/0, path: {list}/{place}}}]'\n"
    )
}

/// Patches with a target.
const TARGETED: &[(&str, &str, &str)] = &[
    (
        "{kind: Thing}",
        "{}",
        "apiVersion: other/v2\nkind: Other\nmetadata: {name: ignored, namespace: ignored}\nspec: {map: {x: 5}}",
    ),
    (
        "{kind: Thing}",
        "{allowNameChange: true, allowKindChange: true}",
        "kind: Other\nmetadata: {name: renamed}\napiVersion: v1",
    ),
    (
        "{name: w.b}",
        "{}",
        "apiVersion: v1\nkind: Any\nmetadata: {name: any, labels: {all: 'true'}}",
    ),
    (
        "{labelSelector: app=web}",
        "{}",
        "- {op: replace, path: /spec/replicas, value: 2}\n- {op: remove, path: /metadata/labels}",
    ),
    (
        "{kind: Thing}",
        "{}",
        "[{\"op\": \"add\", \"path\": \"/spec/list/0\", \"value\": {\"name\": \"z\"}}, {\"op\": \"add\", \"path\": \"/spec/list/-\", \"value\": 1}]",
    ),
    (
        "{kind: Thing}",
        "{}",
        "- {op: move, from: /spec/map, path: /spec/moved}\n- {op: copy, from: /spec/moved/x, path: /spec/list/1/x}",
    ),
    (
        "{kind: Thing}",
        "{}",
        "- {op: test, path: /spec/text, value: '007'}\n- {op: add, path: /metadata/annotations/a~1b, value: 'on'}",
    ),
    (
        "{kind: Service}",
        "{}",
        "- {op: add, path: /metadata/annotations/first, value: one}",
    ),
    (
        "{kind: Deployment|Service}",
        "{}",
        "- {op: add, path: /metadata/namespace, value: prod}",
    ),
];

#[test]
fn a_patch_builds_what_kustomize_builds() {
    if lacks_a_client("kustomize build") {
        return;
    }
    let named = MERGES
        .iter()
        .map(|(head, rest)| (String::new(), format!("{head}{rest}\n")));
    let targeted = TARGETED.iter().map(|(target, options, patch)| {
        (
            format!("  target: {target}\n  options: {options}\n"),
            format!("{patch}\n"),
        )
    });
    let folder = workspace("patches-beside-kustomize");
    let mut faults = Vec::new();
    for (index, (rest, patch)) in named.chain(targeted).enumerate() {
        let case = folder.join(index.to_string());
        fs::create_dir_all(case.join("edited")).expect("a folder can be made");
        let write = |name: &str, text: &str| {
            fs::write(case.join(name), text).expect("a file can be written")
        };
        let entry = format!("patches:\n- path: patch.yaml\n{rest}");
        write("objects.yaml", OBJECTS);
        write("patch.yaml", &patch);
        write(
            "kustomization.yaml",
            &format!("resources: [objects.yaml]\n{entry}"),
        );
        let indented = entry.replace('\n', "\n  ");
        write(
            "inlay.yaml",
            &format!("apiVersion: inlay.dev/v1alpha1\nkind: Inlay\nspec:\n  {indented}\n"),
        );
        write("edited/kustomization.yaml", "resources: [objects.yaml]\n");
        // kustomize also reads and prints Inlay's output, so that only values can differ.
        let in_place = IN_PLACE.iter().find(|(part, _)| patch.contains(part));
        let theirs = match in_place {
            Some((_, place)) => {
                write("move.yaml", &move_back(*place));
                "inlay run move.yaml theirs.yaml"
            }
            None => "cat theirs.yaml",
        };
        let line = format!(
            "kustomize build . > theirs.yaml && inlay run inlay.yaml objects.yaml > edited/objects.yaml && \
             kustomize build edited > ours.yaml && {theirs} > expected.yaml && diff expected.yaml ours.yaml"
        );
        let outcome = shell(&folder, &case, &line);
        if outcome.code != 0 {
            faults.push(format!("{patch}{rest}{}{}", outcome.stdout, outcome.stderr));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n----\n"));
}

/// kustomize's own kinds that contain one patch, each without the head.
const TRANSFORMERS: &[(&str, &str)] = &[
    (
        "PatchTransformer",
        "patch: '[{\"op\": \"replace\", \"path\": \"/spec/replicas\", \"value\": 2}]'\ntarget: {kind: Deployment}\n",
    ),
    (
        "PatchTransformer",
        "patch: |\n  apiVersion: v1\n  kind: Service\n  metadata: {name: web}\n  spec: {selector: {app: api}}\n",
    ),
    (
        "PatchTransformer",
        "path: patch.yaml\ntarget: {kind: Thing, name: w.*}\noptions: {allowNameChange: true}\n",
    ),
    (
        "PatchJson6902Transformer",
        "jsonOp: |\n  - {op: remove, path: /spec/list/0}\ntarget: {group: example.com, version: v1, kind: Thing, name: web}\n",
    ),
    (
        "PatchJson6902Transformer",
        "path: operations.json\ntarget: {version: v1, kind: Service, name: web}\n",
    ),
    (
        "PatchStrategicMergeTransformer",
        "patches: |\n  apiVersion: v1\n  kind: Service\n  metadata: {name: web}\n  spec: {type: NodePort}\n  ---\n  \
         apiVersion: apps/v1\n  kind: Deployment\n  metadata: {name: web}\n  $patch: delete\n",
    ),
    ("PatchStrategicMergeTransformer", "paths: [patch.yaml]\n"),
];

#[test]
fn kinds_of_kustomize_with_a_patch_do_what_they_do_there() {
    if lacks_a_client("kustomize build") {
        return;
    }
    let folder = workspace("patch-transformers");
    let mut faults = Vec::new();
    for (index, (kind, rest)) in TRANSFORMERS.iter().enumerate() {
        let case = folder.join(index.to_string());
        fs::create_dir_all(case.join("edited")).expect("a folder can be made");
        let write = |name: &str, text: &str| {
            fs::write(case.join(name), text).expect("a file can be written")
        };
        write("objects.yaml", OBJECTS);
        write(
            "patch.yaml",
            &THING.replace("name: web", "name: web, labels: {patched: 'yes'}"),
        );
        write(
            "operations.json",
            "[{\"op\": \"add\", \"path\": \"/spec/ports/-\", \"value\": {\"port\": 1}}]",
        );
        write(
            "transformer.yaml",
            &format!("apiVersion: builtin\nkind: {kind}\nmetadata: {{name: patch}}\n{rest}"),
        );
        write(
            "kustomization.yaml",
            "resources: [objects.yaml]\ntransformers: [transformer.yaml]\n",
        );
        write("edited/kustomization.yaml", "resources: [objects.yaml]\n");
        let line = "kustomize build . > theirs.yaml && inlay run transformer.yaml objects.yaml > edited/objects.yaml && \
                    kustomize build edited | diff theirs.yaml -";
        let outcome = shell(&folder, &case, line);
        if outcome.code != 0 {
            faults.push(format!(
                "{kind}\n{rest}{}{}",
                outcome.stdout, outcome.stderr
            ));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n----\n"));
}
