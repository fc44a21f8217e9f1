//! Random patches: strategic merge patches and JSON patches, in each field that accepts them.

use crate::objects::Object;
use crate::random::Random;
use crate::tree::Folder;

pub(crate) fn patches(folder: &mut Folder<'_>) {
    entries(folder);
    if folder.random().chance(12) {
        let mut texts = Vec::new();
        for number in 0..=folder.random().below(2) {
            if let Some(patch) = strategic_of_an_object(folder) {
                texts.push(strategic_entry(folder, number, &patch));
            }
        }
        if !texts.is_empty() {
            folder.line(&format!("patchesStrategicMerge:\n{}", texts.concat()));
        }
    }
    if folder.random().chance(8)
        && let Some(object) = folder.pick(|_| true)
    {
        let operations = operations(folder, &object, true);
        let text = format!(
            "patchesJson6902:\n- target: {{{}, kind: {}{}}}\n  patch: |-\n{}",
            object.id(),
            object.kind,
            group_and_version(&object),
            indented(&operations, 4)
        );
        folder.line(&text);
    }
}

/// Writes the field `patches`.
fn entries(folder: &mut Folder<'_>) {
    if !folder.random().chance(30) {
        return;
    }
    let mut text = "patches:\n".to_owned();
    for number in 0..=folder.random().below(3) {
        let Some(object) = folder.pick(|_| true) else {
            return;
        };
        let is_json = folder.random().chance(40);
        let has_target = is_json || folder.random().chance(40);
        let target = target(folder, &object, is_json);
        let patch = if is_json {
            let is_exact = target.contains(&format!("name: {}", object.name));
            operations(folder, &object, is_exact)
        } else {
            strategic(folder, &object, has_target)
        };
        if folder.random().chance(40) {
            let name = format!("patch{number}.yaml");
            folder.write(&name, &patch);
            text.push_str(&format!("- path: {name}\n"));
        } else {
            text.push_str(&format!("- patch: |-\n{}", indented(&patch, 4)));
        }
        if has_target {
            text.push_str(&format!("  target: {{{target}}}\n"));
        }
        // A kind that was changed cannot be found under its old name later.
        let may_have_options = folder.random().may_fail || !has_target || is_json;
        if may_have_options && folder.random().chance(15) {
            let options = [
                "{allowNameChange: true}",
                "{allowKindChange: true}",
                "{allowNameChange: true, allowKindChange: true}",
            ];
            let options = folder.random().one_of(&options);
            text.push_str(&format!("  options: {options}\n"));
        }
    }
    folder.line(&text);
}

fn strategic_of_an_object(folder: &mut Folder<'_>) -> Option<String> {
    let object = folder.pick(|_| true)?;
    Some(strategic(folder, &object, false))
}

/// Returns an entry of `patchesStrategicMerge`: an inline text or a file.
fn strategic_entry(folder: &mut Folder<'_>, number: usize, patch: &str) -> String {
    if folder.random().chance(50) {
        let name = format!("strategic{number}.yaml");
        folder.write(&name, patch);
        format!("- {name}\n")
    } else {
        format!("- |-\n{}", indented(patch, 2))
    }
}

fn group_and_version(object: &Object) -> String {
    match object.api_version.split_once('/') {
        Some((group, version)) => format!(", group: {group}, version: {version}"),
        None => format!(", version: {}", object.api_version),
    }
}

/// Returns a target. For a JSON patch, it selects objects of the same kind, unless the tree may
/// fail.
fn target(folder: &mut Folder<'_>, object: &Object, is_json: bool) -> String {
    let kind = &object.kind;
    let random = folder.random();
    let choice = match is_json && !random.may_fail {
        true => [0, 6, 7, 8, 9, 9, 9][random.below(7)],
        false => random.below(10),
    };
    match choice {
        0 => format!("kind: {kind}"),
        1 => "kind: Deploy.*|StatefulSet".to_owned(),
        2 => format!("name: {}", object.name),
        3 => "labelSelector: app=x".to_owned(),
        4 => "labelSelector: 'app in (x, y), !team'".to_owned(),
        5 => "annotationSelector: x".to_owned(),
        6 => format!("kind: {kind}, namespace: default"),
        7 => format!("kind: {kind}, name: '[a-z].*'"),
        8 => format!(
            "kind: {kind}, name: {}{}",
            object.name,
            group_and_version(object)
        ),
        _ => format!("kind: {kind}, name: {}", object.name),
    }
}

/// Returns a strategic merge patch for an object.
fn strategic(folder: &mut Folder<'_>, object: &Object, has_target: bool) -> String {
    let random = folder.random();
    let body = if object.is_workload() && object.api_version == "apps/v1" && random.chance(80) {
        workload(random)
    } else {
        match &*object.kind {
            "Service" if random.chance(70) => service(random).to_owned(),
            "ConfigMap" | "Secret" if random.chance(70) => data(random).to_owned(),
            "Custom" if random.chance(70) => custom(random).to_owned(),
            _ => metadata(random).to_owned(),
        }
    };
    let body = match body.contains("$patch: delete") && body.len() < 20 {
        true if has_target && !random.may_fail => "metadata: {labels: {kept: l}}".to_owned(),
        true => {
            folder.forget(object);
            body
        }
        false => body,
    };
    let Object {
        api_version, kind, ..
    } = object;
    let head = format!("apiVersion: {api_version}\nkind: {kind}\n");
    match body.strip_prefix("metadata: {") {
        Some(rest) => format!("{head}metadata: {{{}, {rest}\n", object.id()),
        None => format!("{head}metadata: {{{}}}\n{body}\n", object.id()),
    }
}

fn metadata(random: &mut Random) -> &'static str {
    random.one_of(&[
        "metadata: {labels: {app: patched, new: l}}",
        "metadata: {labels: null}",
        "metadata: {annotations: {x: null, note: n}}",
        "metadata: {annotations: {$patch: replace, only: this}}",
        "metadata: {labels: {app: null}, annotations: {n: 2}}",
        "spec: {map: {}, empty: null}",
        "$patch: delete",
    ])
}

fn service(random: &mut Random) -> &'static str {
    random.one_of(&[
        "spec: {ports: [{port: 80, targetPort: 8080}]}",
        "spec: {ports: [{port: 82, protocol: TCP}], selector: {app: z}}",
        "spec: {ports: [{port: 81, $patch: delete}]}",
        "spec: {selector: null, type: ClusterIP}",
        "spec: {$patch: replace, type: ExternalName}",
    ])
}

fn data(random: &mut Random) -> &'static str {
    random.one_of(&[
        "data: {a: null, z: eQ==}",
        "data: {a: eQ==}",
        "data: {$patch: replace, y: eQ==}",
        "data: null",
        "immutable: true",
    ])
}

fn custom(random: &mut Random) -> &'static str {
    random.one_of(&[
        "spec: {list: [{name: only}]}",
        "spec: {map: {c: d}, ref: null}",
        "spec: {deep: {containers: [{name: c, image: patched}]}}",
        "spec: {size: 30}",
        "spec: {list: null, size: 2.50}",
        "spec: {map: {x: {y: {z: null}, w: [1, null]}}}",
    ])
}

fn workload(random: &mut Random) -> String {
    let containers = random.one_of(&[
        "[{name: c, image: patched:1}]",
        "[{name: d, image: q}, {name: c, args: [z]}]",
        "[{name: new, image: redis:2, env: [{name: E, value: v}]}]",
        "[{name: c, $patch: delete}]",
        "[{name: c, env: [{name: A, value: patched}, {name: F, value: \"1\"}]}]",
        "[{name: c, env: [{name: B, $patch: delete}]}]",
        "[{name: c, ports: [{containerPort: 80, name: p}]}]",
        "[{name: c, ports: [{containerPort: 80, protocol: UDP, name: u}, {containerPort: 9}]}]",
        "[{name: c, args: null, envFrom: [{configMapRef: {name: cfg}}]}]",
    ]);
    let spec = match random.below(9) {
        0 => "{replicas: 7}".to_owned(),
        1 => "{template: {metadata: {labels: {t: l}, annotations: {t: a}}}}".to_owned(),
        2 => "{template: {spec: {volumes: [{name: v, emptyDir: {}, configMap: null}, \
              {name: x, secret: {secretName: db}}]}}}"
            .to_owned(),
        3 => "{selector: {matchLabels: {app: z}}, strategy: {$patch: replace, type: Recreate}}"
            .to_owned(),
        4 => "{template: {spec: {serviceAccountName: api, imagePullSecrets: [{name: db}], \
              nodeSelector: {a: b}, tolerations: [{key: k}]}}}"
            .to_owned(),
        _ => format!("{{template: {{spec: {{containers: {containers}}}}}}}"),
    };
    format!("spec: {spec}")
}

/// Returns a JSON patch for an object. It succeeds on every object of its kind, unless the tree may
/// fail. `is_exact` means that it applies to one object only.
fn operations(folder: &mut Folder<'_>, object: &Object, is_exact: bool) -> String {
    let mut text = String::new();
    let mut may_replace_metadata = true;
    for _ in 0..=folder.random().below(2) {
        let new_name = folder.new_name();
        let random = folder.random();
        let rename = format!("{{op: replace, path: /metadata/name, value: {new_name}}}");
        let operation = match random.below(10) {
            0 if random.may_fail => random.one_of(&[
                "{op: test, path: /kind, value: Deployment}",
                "{op: remove, path: /metadata/annotations}",
                "{op: remove, path: /spec/selector}",
                "{op: move, from: /spec/ref, path: /spec/moved}",
                "{op: replace, path: /metadata/labels/app, value: json}",
                "{op: replace, path: /metadata/name, value: api}",
                "{op: replace, path: /metadata/new, value: added}",
                "{op: replace, path: /spec/replicas, value: 5}",
            ]),
            0 => random.one_of(&[
                "{op: copy, from: /metadata/name, path: /copied}",
                "{op: add, path: /extra, value: {a: [1, x], b: null}}\n\
                 - {op: move, from: /extra/a, path: /moved}\n- {op: test, path: /moved/1, value: x}",
                "{op: add, path: /metadata/annotations, value: {z: y}}\n\
                 - {op: remove, path: /metadata/annotations}",
                "{op: add, path: /metadata/labels, value: {app: y}}\n\
                 - {op: replace, path: /metadata/labels/app, value: json}",
            ]),
            1..=5 if object.is_workload() => random.one_of(&[
                "{op: add, path: /spec/replicas, value: 5}",
                "{op: add, path: /spec/replicas, value: 5}\n\
                 - {op: replace, path: /spec/replicas, value: 6}",
                "{op: add, path: /spec/template/spec/containers/-, value: {name: s, image: nginx}}",
                "{op: add, path: /spec/template/spec/nodeSelector, value: {n: y}}",
                "{op: add, path: /spec/template/spec/containers/0, value: {name: f}}",
                "{op: replace, path: /spec/template/spec/containers, value: [{name: c, image: q}]}",
            ]),
            1..=5 if object.kind == "Custom" => random.one_of(&[
                "{op: add, path: /spec/ref, value: web}",
                "{op: add, path: /spec/map, value: {on: off, k: 1.0}}",
                "{op: add, path: /spec/list, value: [{name: n1}, 2, 1e3]}\n\
                 - {op: add, path: /spec/list/-, value: {name: e5}}",
                "{op: add, path: /spec/list, value: [a, b]}\n\
                 - {op: replace, path: /spec/list/-1, value: {name: e5}}",
                "{op: add, path: /spec/list, value: [a, b]}\n\
                 - {op: copy, from: /spec/list/0, path: /spec/list/1}",
            ]),
            6 if is_exact && may_replace_metadata => {
                may_replace_metadata = false;
                &rename
            }
            _ => random.one_of(&[
                "{op: add, path: /metadata/labels, value: {j: l}}",
                "{op: add, path: /metadata/annotations, value: {x: \"1\", a/b: c}}",
                "{op: add, path: /data, value: {cm: db}}",
            ]),
        };
        text.push_str(&format!("- {operation}\n"));
    }
    text
}

pub(crate) fn indented(text: &str, by: usize) -> String {
    let margin = " ".repeat(by);
    text.lines()
        .map(|line| format!("{margin}{line}\n"))
        .collect()
}
