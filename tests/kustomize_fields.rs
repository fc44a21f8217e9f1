//! Every field of a kustomization and every plugin that is built into kustomize:
//! `docs/kustomize.md` names it, and both programs print the same output.

#![allow(clippy::unwrap_used, clippy::expect_used)]

#[path = "common/clients.rs"]
mod clients;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use inlay::kustomization;

const FILES: [(&str, &str); 14] = [
    (
        "objects.yaml",
        "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, labels: {app: web}}\nspec:\n  selector: {matchLabels: {app: web}}\n  template:\n    metadata: {labels: {app: web}}\n    spec:\n      containers: [{name: c, image: 'nginx:1', env: [{name: HOST, value: $(HOST)}], envFrom: [{configMapRef: {name: made}}]}]\n---\napiVersion: v1\nkind: Service\nmetadata: {name: api}\nspec: {selector: {app: web}, ports: [{port: 80}]}\n---\napiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: set}\nspec: {template: {spec: {containers: []}}, volumeClaimTemplates: [{metadata: {name: v}}]}\n---\napiVersion: example.com/v1\nkind: Custom\nmetadata: {name: custom}\nspec: {ref: made, file: /a/b, labels: {x: y}}\n---\napiVersion: rbac.authorization.k8s.io/v1\nkind: RoleBinding\nmetadata: {name: b}\nroleRef: {kind: Role, name: r, apiGroup: rbac.authorization.k8s.io}\nsubjects: [{kind: ServiceAccount, name: default}, {kind: ServiceAccount, name: other, namespace: x}]\n",
    ),
    (
        "base/kustomization.yaml",
        "resources: [a.yaml]\nnamePrefix: base-\n",
    ),
    (
        "base/a.yaml",
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {k: v}\n",
    ),
    (
        "component/kustomization.yaml",
        "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\ncommonAnnotations: {by: component}\n",
    ),
    ("data.txt", "some\ntext\n"),
    ("data.env", "A=1\nB=two words\n"),
    (
        "crd.json",
        "{\"example.com/v1.Custom\": {\"Schema\": {\"properties\": {\"apiVersion\": {\"type\": \"string\"}, \"kind\": {\"type\": \"string\"}, \"metadata\": {\"type\": \"object\"}, \"spec\": {\"$ref\": \"example.com/v1.CustomSpec\"}}}}, \"example.com/v1.CustomSpec\": {\"Schema\": {\"properties\": {\"ref\": {\"x-kubernetes-object-ref-api-version\": \"v1\", \"x-kubernetes-object-ref-kind\": \"ConfigMap\"}}}}}\n",
    ),
    (
        "specs.yaml",
        "namePrefix: [{path: spec/ref, kind: Custom}]\ncommonLabels: [{path: spec/labels, kind: Custom}]\n",
    ),
    (
        "schema.json",
        "{\"definitions\": {\"v1.Custom\": {\"properties\": {\"spec\": {\"type\": \"object\", \"properties\": {\"list\": {\"type\": \"array\", \"items\": {\"type\": \"object\"}, \"x-kubernetes-patch-merge-key\": \"name\", \"x-kubernetes-patch-strategy\": \"merge\"}}}}, \"x-kubernetes-group-version-kind\": [{\"group\": \"example.com\", \"kind\": \"Custom\", \"version\": \"v1\"}]}}}\n",
    ),
    (
        "patch.yaml",
        "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {replicas: 3}\n",
    ),
    (
        "operations.json",
        "[{\"op\": \"add\", \"path\": \"/metadata/labels\", \"value\": {\"json\": \"6902\"}}]\n",
    ),
    (
        "replacement.yaml",
        "source: {kind: Service, name: api}\ntargets:\n- select: {kind: Deployment}\n  fieldPaths: [metadata.labels.app]\n",
    ),
    (
        "plugin.yaml",
        "apiVersion: builtin\nkind: LabelTransformer\nmetadata: {name: t}\nlabels: {from: file}\nfieldSpecs: [{path: metadata/labels, create: true}]\n",
    ),
    (
        "targets.yaml",
        "targets: [{selector: {kind: Custom}, fieldPath: spec/added}]\n",
    ),
];

/// The fields that `tests/kustomize_helm.rs` tries.
const HELM: [&str; 3] = ["helmCharts", "helmChartInflationGenerator", "helmGlobals"];

/// Each field, with kustomizations that use it.
const FIELDS: [(&str, &[&str]); 35] = [
    (
        "apiVersion",
        &[
            "apiVersion: kustomize.config.k8s.io/v1beta1\n",
            "apiVersion: v1\n",
        ],
    ),
    (
        "kind",
        &[
            "kind: Kustomization\n",
            "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\n",
            "kind: Other\n",
        ],
    ),
    (
        "metadata",
        &[
            "metadata: {name: a, namespace: b, labels: {a: b}, annotations: {a: b}}\n",
            "metadata: {other: a}\n",
        ],
    ),
    (
        "resources",
        &[
            "resources: [base]\n",
            "resources: [base, base/a.yaml]\n",
            "resources: [component]\n",
        ],
    ),
    ("bases", &["bases: [base]\n"]),
    (
        "components",
        &["components: [component]\n", "components: [base]\n"],
    ),
    (
        "crds",
        &["crds: [crd.json]\nconfigMapGenerator: [{name: made, literals: [a=b]}]\n"],
    ),
    (
        "configurations",
        &["configurations: [specs.yaml]\nnamePrefix: p-\ncommonLabels: {x: z}\n"],
    ),
    (
        "generators",
        &[
            "generators:\n- |-\n  apiVersion: builtin\n  kind: ConfigMapGenerator\n  metadata: {name: made, namespace: n}\n  literals: [a=b]\n  envs: [data.env]\n  files: [data.txt]\n",
        ],
    ),
    (
        "transformers",
        &[
            "transformers: [plugin.yaml]\n",
            "transformers: [missing.yaml]\n",
        ],
    ),
    (
        "validators",
        &[
            "validators:\n- |-\n  apiVersion: builtin\n  kind: LabelTransformer\n  metadata: {name: t}\n  labels: {app: web}\n  fieldSpecs: [{path: metadata/labels, kind: None}]\n",
            "validators: [plugin.yaml]\n",
        ],
    ),
    ("namespace", &["namespace: shop\n"]),
    ("namePrefix", &["namePrefix: p-\n"]),
    ("nameSuffix", &["nameSuffix: -s\n"]),
    (
        "labels",
        &[
            "labels: [{pairs: {x: z}}]\n",
            "labels: [{pairs: {x: z}, includeSelectors: true}]\n",
            "labels: [{pairs: {x: z}, includeTemplates: true}]\n",
            "labels: [{pairs: {x: z}, includeTemplates: true, includeVolumeClaimTemplates: true}]\n",
            "labels: [{pairs: {x: z}, fields: [{path: spec/labels, kind: Custom, create: true}]}]\n",
        ],
    ),
    (
        "commonLabels",
        &["commonLabels: {x: z}\n", "commonLabels: {x: 1}\n"],
    ),
    ("commonAnnotations", &["commonAnnotations: {x: z}\n"]),
    (
        "images",
        &[
            "images: [{name: nginx, newName: a/b, newTag: '2'}]\n",
            "images: [{name: nginx, digest: 'sha256:1'}]\n",
            "images: [{name: nginx, tagSuffix: -x}]\n",
        ],
    ),
    ("imageTags", &["imageTags: [{name: nginx, newTag: '2'}]\n"]),
    (
        "replicas",
        &[
            "replicas: [{name: web, count: 5}]\n",
            "replicas: [{name: none, count: 5}]\n",
            "replicas: [{name: web, count: 3.0}]\n",
            "replicas: [{name: web, count: 2.5}]\n",
        ],
    ),
    (
        "patches",
        &[
            "patches: [{path: patch.yaml}]\n",
            "patches: [{path: operations.json, target: {kind: Service, name: a.*}}]\n",
            "patches: [{path: patch.yaml, target: {group: apps, version: v1, labelSelector: app=web}}]\n",
            "patches: [{path: operations.json, target: {annotationSelector: none, namespace: default}}]\n",
            "patches:\n- patch: '{apiVersion: v1, kind: Other, metadata: {name: other}}'\n  target: {kind: Service}\n  options: {allowNameChange: true, allowKindChange: true}\n",
        ],
    ),
    (
        "patchesStrategicMerge",
        &["patchesStrategicMerge: [patch.yaml]\n"],
    ),
    (
        "patchesJson6902",
        &[
            "patchesJson6902: [{path: operations.json, target: {version: v1, kind: Service, name: api}}]\n",
        ],
    ),
    (
        "replacements",
        &[
            "replacements: [{path: replacement.yaml}]\n",
            "replacements:\n- source: {kind: Service, name: api, fieldPath: 'spec.ports.0.port'}\n  targets:\n  - select: {kind: Deployment}\n    reject: [{name: other}]\n    fieldPaths: ['spec.template.spec.containers.[name=c].image']\n    options: {delimiter: ':', index: 1}\n- sourceValue: text\n  targets:\n  - select: {kind: Custom}\n    fieldPaths: [spec.new]\n    options: {create: true}\n",
        ],
    ),
    (
        "vars",
        &[
            "vars: [{name: HOST, objref: {apiVersion: v1, kind: Service, name: api}, fieldref: {fieldPath: metadata.name}}]\n",
        ],
    ),
    (
        "configMapGenerator",
        &[
            "configMapGenerator: [{name: made, literals: [a=b], files: [k=data.txt], envs: [data.env]}]\nnamePrefix: p-\n",
            "configMapGenerator: [{name: made, namespace: n, env: data.env, options: {disableNameSuffixHash: true, labels: {a: b}, annotations: {c: d}, immutable: true}}]\n",
            "resources: [base/a.yaml]\nconfigMapGenerator: [{name: a, behavior: merge, literals: [x=y]}]\n",
        ],
    ),
    (
        "secretGenerator",
        &["secretGenerator: [{name: made, literals: [a=b], type: kubernetes.io/tls}]\n"],
    ),
    (
        "generatorOptions",
        &[
            "generatorOptions: {labels: {a: b}, annotations: {c: d}, disableNameSuffixHash: true, immutable: true}\nconfigMapGenerator: [{name: made, literals: [a=b]}]\n",
        ],
    ),
    (
        "openapi",
        &[
            "openapi: {path: schema.json}\npatches: [{path: patch.yaml}]\n",
            "openapi: {version: v1.21.2}\n",
            "openapi: {version: v0}\n",
        ],
    ),
    (
        "buildMetadata",
        &[
            "buildMetadata: [originAnnotations, transformerAnnotations]\nnamePrefix: p-\n",
            "buildMetadata: [managedByLabel]\n",
        ],
    ),
    (
        "sortOptions",
        &[
            "sortOptions: {order: fifo}\n",
            "sortOptions: {order: legacy, legacySortOptions: {orderFirst: [Custom], orderLast: [Deployment]}}\n",
            "sortOptions: {order: other}\n",
        ],
    ),
    ("inventory", &["inventory: {type: a}\n"]),
    ("Resources", &["NAMEPREFIX: p-\nNameSpace: shop\n"]),
    ("unknown", &["resource: [base]\n"]),
    ("twice", &["namePrefix: a-\nnamePrefix: b-\n"]),
];

/// Each plugin, with the fields of its configuration.
const PLUGINS: [(&str, &str); 18] = [
    (
        "AnnotationsTransformer",
        "annotations: {a: b}\nfieldSpecs: [{path: metadata/annotations, create: true}]\n",
    ),
    (
        "ConfigMapGenerator",
        "literals: [a=b]\noptions: {labels: {a: b}}\n",
    ),
    ("HashTransformer", ""),
    ("HelmChartInflationGenerator", "name: chart\n"),
    (
        "IAMPolicyGenerator",
        "cloud: gke\nkubernetesService: {namespace: n, name: k}\nserviceAccount: {name: s, projectId: p}\n",
    ),
    (
        "ImageTagTransformer",
        "imageTag: {name: nginx, newTag: '7'}\n",
    ),
    (
        "LabelTransformer",
        "labels: {a: b}\nfieldSpecs: [{path: metadata/labels, create: true}]\n",
    ),
    (
        "NamespaceTransformer",
        "unsetOnly: true\nsetRoleBindingSubjects: allServiceAccounts\nfieldSpecs: [{path: spec/ns, kind: Custom, create: true}]\n",
    ),
    (
        "PatchJson6902Transformer",
        "target: {version: v1, kind: Service, name: api}\npath: operations.json\n",
    ),
    ("PatchStrategicMergeTransformer", "paths: [patch.yaml]\n"),
    (
        "PatchTransformer",
        "path: patch.yaml\ntarget: {kind: Deployment}\n",
    ),
    (
        "PrefixSuffixTransformer",
        "prefix: p-\nsuffix: -s\nfieldSpecs: [{path: metadata/name}]\n",
    ),
    (
        "PrefixTransformer",
        "prefix: p-\nfieldSpecs: [{path: metadata/name}]\n",
    ),
    (
        "ReplacementTransformer",
        "replacements: [{path: replacement.yaml}]\n",
    ),
    (
        "ReplicaCountTransformer",
        "replica: {name: web, count: 2}\nfieldSpecs: [{path: spec/replicas, create: true, kind: Deployment}]\n",
    ),
    ("SecretGenerator", "literals: [a=b]\ntype: a\n"),
    (
        "SuffixTransformer",
        "suffix: -s\nfieldSpecs: [{path: metadata/name}]\n",
    ),
    (
        "ValueAddTransformer",
        "value: x\ntargets: [{selector: {kind: Custom}, fieldPath: spec/file, filePathPosition: 2}]\ntargetFilePath: targets.yaml\n",
    ),
];

/// Each field of the plugins that [`PLUGINS`] does not try, and values that kustomize reads in its own way.
const PLUGIN_FIELDS: [(&str, &str); 45] = [
    (
        "AnnotationsTransformer",
        "annotations: {a: 1, b: true, c: null, yes: on}\nfieldSpecs: [{path: metadata/annotations, create: true}]\n",
    ),
    ("AnnotationsTransformer", "annotations: {a: b}\n"),
    ("AnnotationsTransformer", "annotations: [a]\n"),
    (
        "ConfigMapGenerator",
        "literals: [a=b]\nfiles: [data.txt, k=data.txt]\nenvs: [data.env]\n",
    ),
    (
        "ConfigMapGenerator",
        "literals: [a=b]\nenv: data.env\nbehavior: Create\ntype: a\n",
    ),
    ("ConfigMapGenerator", "literals: [a=b]\nbehavior: merge\n"),
    (
        "ConfigMapGenerator",
        "literals: [a=b]\noptions: {disableNameSuffixHash: true, immutable: true, annotations: {a: b}}\n",
    ),
    ("ConfigMapGenerator", "files: [missing]\n"),
    ("HashTransformer", "unknown: a\n"),
    (
        "IAMPolicyGenerator",
        "cloud: gke\nkubernetesService: {name: \"1\"}\nserviceAccount: {name: s, projectId: p}\n",
    ),
    (
        "IAMPolicyGenerator",
        "cloud: gke\nkubernetesService: {name: k}\n",
    ),
    (
        "IAMPolicyGenerator",
        "cloud: gke\nserviceAccount: {name: s, projectId: p}\n",
    ),
    ("IAMPolicyGenerator", "cloud: aws\n"),
    (
        "ImageTagTransformer",
        "imageTag: {name: made, newName: new, newTag: 1.50}\nfieldSpecs: [{path: spec/ref, kind: Custom}]\n",
    ),
    (
        "ImageTagTransformer",
        "imageTag: {name: made, digest: sha256:1}\nfieldSpecs: [{path: spec/ref, kind: Other}, {path: spec/new, create: true}]\n",
    ),
    (
        "ImageTagTransformer",
        "imageTag: {name: nginx, tagSuffix: -x}\nfieldSpecs: [{path: \"spec/template/spec/containers[]/image\"}]\n",
    ),
    (
        "ImageTagTransformer",
        "imageTag: {name: a, newTag: b}\nfieldSpecs: [{path: spec/labels}]\n",
    ),
    (
        "LabelTransformer",
        "labels: {a: b}\nfieldSpecs: [{path: metadata/labels}, {path: spec/labels, group: example.com, version: v1}]\n",
    ),
    ("NamespaceTransformer", "setRoleBindingSubjects: \"\"\n"),
    ("NamespaceTransformer", "setRoleBindingSubjects: none\n"),
    ("NamespaceTransformer", "setRoleBindingSubjects: other\n"),
    (
        "PatchJson6902Transformer",
        "target: {version: v1, kind: Service, name: api}\njsonOp: '[{\"op\": \"add\", \"path\": \"/spec/x\", \"value\": 1.50}]'\n",
    ),
    (
        "PatchJson6902Transformer",
        "target: {kind: Service, name: a.*}\njsonOp: |-\n  - {op: test, path: /kind, value: Service}\n  - {op: add, path: /spec/x, value: yes}\n",
    ),
    (
        "PatchJson6902Transformer",
        "target: {kind: Service, name: api}\njsonOp: \"[]\"\n",
    ),
    (
        "PatchJson6902Transformer",
        "target: {kind: Service, name: api}\njsonOp: \"[]\"\npath: operations.json\n",
    ),
    (
        "PatchJson6902Transformer",
        "target: {kind: Service}\npath: operations.json\n",
    ),
    (
        "PatchStrategicMergeTransformer",
        "patches: |-\n  apiVersion: apps/v1\n  kind: Deployment\n  metadata: {name: web}\n  spec: {replicas: 4}\n  ---\n  apiVersion: v1\n  kind: Service\n  metadata: {name: api, labels: {x: null}}\n",
    ),
    (
        "PatchStrategicMergeTransformer",
        "paths: [patch.yaml]\npatches: |-\n  {apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: {replicas: 5}}\n",
    ),
    ("PatchStrategicMergeTransformer", "patches: patch.yaml\n"),
    ("PatchStrategicMergeTransformer", "paths: []\n"),
    (
        "PatchTransformer",
        "patch: |-\n  {apiVersion: v1, kind: Other, metadata: {name: other}}\ntarget: {kind: Service}\noptions: {allowNameChange: true, allowKindChange: true}\n",
    ),
    (
        "PatchTransformer",
        "patch: |-\n  {apiVersion: v1, kind: Other, metadata: {name: other}}\ntarget: {kind: Service}\noptions: {allowNameChange: true}\n",
    ),
    (
        "PatchTransformer",
        "patch: |-\n  - {op: add, path: /x, value: 1}\n  ---\n  - {op: add, path: /y, value: 1}\ntarget: {labelSelector: app=web, version: v1, group: apps}\n",
    ),
    ("PatchTransformer", "patch: \"[]\"\n"),
    ("PatchTransformer", "patch: a\npath: patch.yaml\n"),
    (
        "PrefixSuffixTransformer",
        "prefix: p-\nfieldSpecs: [{path: spec/ref}, {path: metadata/name, kind: Service}]\n",
    ),
    (
        "PrefixTransformer",
        "prefix: 1\nsuffix: -s\nfieldSpecs: [{path: metadata/name}]\n",
    ),
    ("PrefixTransformer", "prefix: p-\n"),
    (
        "ReplacementTransformer",
        "replacements:\n- sourceValue: v\n  targets: [{select: {kind: Custom}, reject: [{name: x}], fieldPaths: [spec.ref]}]\n",
    ),
    (
        "ReplicaCountTransformer",
        "replica: {name: web, count: 2.0}\nfieldSpecs: [{path: spec/replicas, create: true}]\n",
    ),
    ("ReplicaCountTransformer", "replica: {name: web}\n"),
    ("SecretGenerator", "literals: [a=b]\nenv: data.env\n"),
    (
        "SuffixTransformer",
        "prefix: p-\nsuffix: 2\nfieldSpecs: [{path: metadata/name}]\n",
    ),
    (
        "ValueAddTransformer",
        "value: 1\ntargets: [{fieldPath: metadata/annotations/z}]\n",
    ),
    (
        "ValueAddTransformer",
        "targets: [{selector: {kind: Custom}, fieldPath: \"\"}]\n",
    ),
];

#[test]
fn every_field_is_described_and_tried() {
    let schema = kustomization::file_schema();
    let properties = schema["properties"].as_object().unwrap();
    let fields: BTreeSet<&str> = properties.keys().map(String::as_str).collect();
    let tried: BTreeSet<&str> = FIELDS.iter().map(|(field, _)| *field).chain(HELM).collect();
    let missing: Vec<_> = fields.difference(&tried).collect();
    assert!(missing.is_empty(), "no case for {missing:?}");
    let page = include_str!("../docs/kustomize.md");
    let undescribed: Vec<_> = fields
        .into_iter()
        .chain(PLUGINS.iter().map(|(kind, _)| *kind))
        .filter(|name| !page.contains(&format!("`{name}`")))
        .collect();
    assert!(undescribed.is_empty(), "{undescribed:?}");
}

#[test]
fn fields_do_what_they_do_in_kustomize() {
    for (_, kustomizations) in FIELDS {
        for kustomization in kustomizations {
            let resources = match kustomization.starts_with("resources:") {
                true => "",
                false => "resources: [objects.yaml]\n",
            };
            compare(&format!("{resources}{kustomization}"));
        }
    }
}

#[test]
fn plugins_do_what_they_do_in_kustomize() {
    for (kind, fields) in PLUGINS.into_iter().chain(PLUGIN_FIELDS) {
        let field = match kind.ends_with("Generator") {
            true => "generators",
            false => "transformers",
        };
        let plugin = format!(
            "apiVersion: builtin\nkind: {kind}\nmetadata: {{name: made, namespace: n}}\n{fields}"
        );
        let indented = plugin.trim_end().replace('\n', "\n  ");
        compare(&format!(
            "resources: [objects.yaml]\n{field}:\n- |-\n  {indented}\n"
        ));
    }
}

/// Runs both programs and checks that they print the same bytes, or that both fail.
fn compare(kustomization: &str) {
    if clients::lacks_a_client("kustomize build") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in FILES {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    fs::write(folder.path().join("kustomization.yaml"), kustomization).unwrap();
    let theirs = run("kustomize", "build", folder.path());
    let ours = run(env!("CARGO_BIN_EXE_inlay"), "kustomize", folder.path());
    match (&theirs, &ours) {
        (Ok(theirs), Ok(ours)) => assert_eq!(ours, theirs, "{kustomization}"),
        (Err(_), Err(message)) => assert!(message.contains("error["), "{message}"),
        _ => panic!("{kustomization}: kustomize {theirs:?}, inlay {ours:?}"),
    }
}

fn run(program: &str, command: &str, folder: &Path) -> Result<String, String> {
    let output = Command::new(program)
        .args([command, "."])
        .current_dir(folder)
        .output()
        .unwrap();
    match output.status.success() {
        true => Ok(String::from_utf8(output.stdout).unwrap()),
        false => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
    }
}
