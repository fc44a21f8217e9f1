//! Random fields of a kustomization that change names, labels, images and settings, and random
//! generators.

use crate::tree::Folder;

pub(crate) fn names(folder: &mut Folder<'_>) {
    // The bases that `mid` also includes need other names.
    let is_second = folder.path == "mid2" && !folder.random().may_fail;
    let random = folder.random();
    let mut lines = Vec::new();
    if is_second {
        lines.push("namePrefix: second-".to_owned());
    } else if random.chance(35) {
        lines.push(format!(
            "namePrefix: {}",
            random.one_of(&["p-", "\"1\"", "q-"])
        ));
    }
    if random.chance(25) {
        lines.push(format!("nameSuffix: {}", random.one_of(&["-s", "\"5\""])));
    }
    if random.chance(30) {
        lines.push(format!(
            "namespace: {}",
            random.one_of(&["ns1", "ns3", "default"])
        ));
    }
    folder.line(&lines.join("\n"));
}

pub(crate) fn labels(folder: &mut Folder<'_>) {
    let random = folder.random();
    let mut text = String::new();
    if random.chance(35) {
        text.push_str("labels:\n");
        for _ in 0..=random.below(2) {
            let pairs = random.one_of(&["{team: x}", "{app: z, b: \"1\"}", "{}"]);
            text.push_str(&format!("- pairs: {pairs}\n"));
            for option in [
                "includeSelectors",
                "includeTemplates",
                "includeVolumeClaimTemplates",
            ] {
                if random.chance(35) {
                    let value = random.one_of(&["true", "false"]);
                    text.push_str(&format!("  {option}: {value}\n"));
                }
            }
            if random.chance(20) {
                text.push_str("  fields: [{path: spec/lab, kind: Custom, create: true}]\n");
            }
        }
    }
    text.push_str(random.maybe(20, "commonLabels: {cl: v}\n"));
    if random.chance(25) {
        let annotations = random.one_of(&["{ca: v}", "{ca: \"1\"}"]);
        text.push_str(&format!("commonAnnotations: {annotations}\n"));
    }
    folder.line(&text);
}

pub(crate) fn images_and_replicas(folder: &mut Folder<'_>) {
    let random = folder.random();
    let mut text = String::new();
    if random.chance(35) {
        let field = random.one_of(&["images", "images", "images", "imageTags"]);
        text.push_str(&format!("{field}:\n"));
        let names = [
            "nginx",
            "a/b",
            "\"ngin.\"",
            "my.reg/x",
            "\"nginx|redis\"",
            "localhost:5000/nginx",
        ];
        for _ in 0..=random.below(2) {
            text.push_str(&format!("- {{name: {}", random.one_of(&names)));
            for option in [
                "newName: n/m",
                "newTag: \"9\"",
                "digest: sha256:d",
                "tagSuffix: -t",
            ] {
                if random.chance(35) {
                    text.push_str(&format!(", {option}"));
                }
            }
            text.push_str("}\n");
        }
    }
    folder.line(&text);
    let has_replicas = |kind: &str| matches!(kind, "Deployment" | "StatefulSet" | "ReplicaSet");
    if folder.random().chance(15)
        && let Some(object) = folder.pick(|object| has_replicas(&object.kind))
    {
        folder.line(&format!("replicas: [{{name: {}, count: 4}}]", object.name));
    }
}

/// The value sources of a generator.
const VALUES: [&str; 6] = [
    "literals: [a=b]",
    "literals: [a=b, \"c=1\", 'd=\"q\"']",
    "files: [data.txt]",
    "files: [k=data.txt]",
    "envs: [data.env]",
    "env: data.env",
];

pub(crate) fn generators(folder: &mut Folder<'_>) {
    let mut text = String::new();
    for (field, kind, percent) in [
        ("configMapGenerator", "ConfigMap", 35),
        ("secretGenerator", "Secret", 20),
    ] {
        if folder.random().chance(percent) {
            text.push_str(&format!("{field}:\n"));
            for _ in 0..=folder.random().below(2) {
                let entry = generator(folder, kind);
                text.push_str(&format!("- {{{entry}}}\n"));
            }
        }
    }
    if folder.random().chance(20) {
        let options = [
            "{disableNameSuffixHash: true}",
            "{labels: {g: l}, annotations: {g: a}}",
            "{immutable: true}",
        ];
        let options = folder.random().one_of(&options);
        text.push_str(&format!("generatorOptions: {options}\n"));
    }
    folder.line(&text);
    folder.write("data.txt", "some\ntext\n");
    folder.write("data.env", "# comment\nx=1\ny=two words\n");
}

fn generator(folder: &mut Folder<'_>, kind: &'static str) -> String {
    let known: Vec<String> = folder
        .generators
        .iter()
        .filter(|generator| generator.0 == kind)
        .map(|generator| generator.1.clone())
        .collect();
    let changes = !known.is_empty() && folder.random().chance(30);
    let name = if changes {
        let index = folder.random().below(known.len());
        known[index].clone()
    } else {
        folder.growth.generated += 1;
        let name = format!("g{}", folder.growth.generated);
        let namespace = folder.random().maybe(20, ", namespace: ns1");
        let name = format!("{name}{namespace}");
        folder.generators.push((kind, name.clone()));
        name
    };
    let random = folder.random();
    let mut text = format!("name: {name}, {}", random.one_of(&VALUES));
    if changes {
        let behavior = random.one_of(&["merge", "merge", "replace"]);
        text.push_str(&format!(", behavior: {behavior}"));
    }
    if random.chance(25) {
        let options = [
            "{disableNameSuffixHash: true}",
            "{labels: {o: l}}",
            "{annotations: {o: a}}",
            "{immutable: true}",
        ];
        text.push_str(&format!(", options: {}", random.one_of(&options)));
    }
    if kind == "Secret" {
        text.push_str(random.maybe(25, ", type: kubernetes.io/tls"));
    }
    text
}

/// Field specs of files that `configurations` lists.
const FIELD_SPECS: [&str; 11] = [
    "namePrefix: [{path: spec/ref, kind: Custom}]",
    "nameReference: [{kind: ConfigMap, version: v1, fieldSpecs: [{path: spec/list, kind: Custom}, \
     {path: spec/ref, kind: Custom}]}]",
    "nameReference: [{kind: Deployment, fieldSpecs: [{path: metadata/annotations/x}]}]",
    "commonLabels: [{path: spec/map, kind: Custom, create: true}]",
    "labels: [{path: spec/extra/labels, kind: Custom, create: true}]",
    "commonAnnotations: [{path: spec/map, kind: Custom}]",
    "images: [{path: spec/img, kind: Custom}]",
    "replicas: [{path: spec/size, kind: Custom, create: true}]",
    "namespace: [{path: spec/ns, kind: Custom, create: true}]",
    "varReference: [{path: spec/ref, kind: Custom}, {path: data, kind: ConfigMap}]",
    "templateLabels: [{path: spec/t, kind: Custom, create: true}]",
];

/// A type as `crds` describes it.
const DEFINITIONS: &str = r##"{"example.com/v1.Custom": {"Schema": {"properties": {
  "apiVersion": {"type": "string"}, "kind": {"type": "string"}, "metadata": {"type": "object"},
  "spec": {"$ref": "example.com/v1.CustomSpec"}}}},
"example.com/v1.CustomSpec": {"Schema": {"properties": {
  "ref": {"x-kubernetes-identity": ""},
  "map": {"x-kubernetes-label-selector": ""}}}}}
"##;

pub(crate) fn configurations(folder: &mut Folder<'_>) {
    if folder.random().chance(25) {
        let mut lines: Vec<&str> = Vec::new();
        for line in FIELD_SPECS {
            let key = line.split(':').next();
            let is_new = lines.iter().all(|other| other.split(':').next() != key);
            // The `crds` contradict the field spec for labels. kustomize keeps an annotation that
            // was added to a null, and prints it if a label turns the null into a mapping.
            let is_of_labels = line.starts_with("commonLabels");
            let contradicts = line.contains("spec/map") && is_of_labels == folder.growth.has_crds;
            let is_possible = is_new && (!contradicts || folder.random().may_fail);
            if is_possible && folder.random().chance(25) {
                lines.push(line);
            }
        }
        let text = format!("{}\n", lines.join("\n"));
        folder.write("c.yaml", &text);
        folder.line("configurations: [c.yaml]");
    }
    if folder.growth.has_crds && folder.random().chance(30) {
        folder.write("crd.json", DEFINITIONS);
        folder.line("crds: [crd.json]");
    }
}

pub(crate) fn settings(folder: &mut Folder<'_>) {
    let random = folder.random();
    let mut lines = Vec::new();
    if random.chance(20) {
        // Unless `Namespace` is in the lists, kustomize has no consistent order for namespaces of
        // two groups.
        lines.push(format!("sortOptions: {}", random.one_of(&[
            "{order: fifo}",
            "{order: legacy}",
            "{order: legacy, legacySortOptions: {orderFirst: [Namespace, Deployment, Custom]}}",
            "{order: legacy, legacySortOptions: {orderFirst: [Custom], orderLast: [ConfigMap, Service, Namespace]}}",
        ])));
    }
    if random.chance(12) {
        lines.push(format!(
            "buildMetadata: {}",
            random.one_of(&[
                "[originAnnotations]",
                "[transformerAnnotations]",
                "[managedByLabel]",
                "[originAnnotations, transformerAnnotations]",
            ])
        ));
    }
    folder.line(&lines.join("\n"));
}
