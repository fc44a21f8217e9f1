//! Random objects of the kinds that transformers know, in flow style.
//!
//! Fields are often null, empty or of an unusual type, because field specs treat each case
//! differently.

use crate::random::Random;

pub(crate) const NAMES: [&str; 14] = [
    "web", "db", "default", "a", "e5", "\"12\"", "cfg", "n1", "n2", "n3", "n4", "n5", "n6", "api",
];
const NAMESPACES: [&str; 4] = ["ns1", "ns2", "default", "\"\""];
pub(crate) const IMAGES: [&str; 8] = [
    "nginx",
    "nginx:1",
    "a/b:2@sha256:abc",
    "localhost:5000/nginx",
    "\"nginx\"",
    "redis@sha256:1",
    "my.reg/x:1.0",
    "nginx:1.5",
];

const KINDS: [&str; 25] = [
    "Deployment",
    "Deployment",
    "StatefulSet",
    "DaemonSet",
    "Pod",
    "Job",
    "CronJob",
    "Service",
    "Service",
    "ConfigMap",
    "ConfigMap",
    "Secret",
    "ServiceAccount",
    "Role",
    "RoleBinding",
    "ClusterRole",
    "ClusterRoleBinding",
    "Namespace",
    "Ingress",
    "Other",
    "Other",
    "Cluster",
    "NetworkPolicy",
    "Custom",
    "Custom",
];

/// An object in a file of the tree.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Object {
    pub(crate) api_version: String,
    pub(crate) kind: String,
    pub(crate) name: String,
    /// The namespace as written; `None` if the object has none.
    pub(crate) namespace: Option<String>,
}

impl Object {
    pub(crate) fn is_workload(&self) -> bool {
        matches!(&*self.kind, "Deployment" | "StatefulSet" | "DaemonSet")
    }

    /// Returns `name: a, namespace: b`.
    pub(crate) fn id(&self) -> String {
        match &self.namespace {
            Some(namespace) => format!("name: {}, namespace: {namespace}", self.name),
            None => format!("name: {}", self.name),
        }
    }
}

/// Creates a random object whose kind and name differ from those of every object in `taken`.
pub(crate) fn object(random: &mut Random, taken: &mut Vec<Object>) -> String {
    let mut choice = generate(random);
    for _ in 0..20 {
        // The namespace transformer renames every Namespace.
        let is_taken = |other: &Object| {
            other.kind == choice.object.kind
                && (other.name == choice.object.name || other.kind == "Namespace")
        };
        if !taken.iter().any(is_taken) {
            break;
        }
        choice = generate(random);
    }
    let object = &choice.object;
    let Object {
        api_version, kind, ..
    } = object;
    let text = format!(
        "# kept: an object\napiVersion: {api_version}\nkind: {kind} # kept: its kind\nmetadata: {{{}{}}}\n{}",
        object.id(),
        choice.metadata,
        choice.body
    );
    taken.push(choice.object);
    text
}

struct Choice {
    object: Object,
    /// The labels and annotations.
    metadata: String,
    /// The fields after `metadata`.
    body: String,
}

fn generate(random: &mut Random) -> Choice {
    let kind = random.one_of(&KINDS);
    let (api_version, kind, body) = match kind {
        "Deployment" | "StatefulSet" | "DaemonSet" => workload(random, kind),
        "Pod" => ("v1", kind, format!("spec: {}", pod(random))),
        "Job" => (
            "batch/v1",
            kind,
            format!("spec: {{template: {}}}", template(random)),
        ),
        "CronJob" => {
            let template = template(random);
            let body = format!("spec: {{jobTemplate: {{spec: {{template: {template}}}}}}}");
            (
                random.one_of(&["batch/v1", "batch/v1", "batch/v1beta1"]),
                kind,
                body,
            )
        }
        "Service" => ("v1", kind, service(random)),
        "ConfigMap" => {
            let data = [
                "{a: b}",
                "{a: b, c: d}",
                "{a: \"1\", f.txt: \"x: 1\\n\"}",
                "null",
            ];
            let data = match random.chance(40) {
                true => texts(random),
                false => format!(" {}", random.one_of(&data)),
            };
            ("v1", kind, format!("data:{data}"))
        }
        "Secret" => ("v1", kind, "type: Opaque\ndata: {a: Yg==}".to_owned()),
        "ServiceAccount" => {
            let body = format!("imagePullSecrets: [{{name: {}}}]", name(random));
            ("v1", kind, body)
        }
        "Role" | "ClusterRole" => {
            let (one, two) = (name(random), name(random));
            let body = format!("rules: [{{resourceNames: [{one}, {two}], verbs: [get]}}]");
            ("rbac.authorization.k8s.io/v1", kind, body)
        }
        "RoleBinding" | "ClusterRoleBinding" => {
            ("rbac.authorization.k8s.io/v1", kind, binding(random))
        }
        "Namespace" => (random.one_of(&["v1", "v1", "foo/v1"]), kind, String::new()),
        "Ingress" => ("networking.k8s.io/v1", kind, ingress(random)),
        "NetworkPolicy" => {
            let from = "{from: [{podSelector: {matchLabels: {}}}]}";
            let body =
                format!("spec: {{podSelector: {{matchLabels: {{a: b}}}}, ingress: [{from}]}}");
            ("networking.k8s.io/v1", kind, body)
        }
        "Cluster" => cluster_scoped(random),
        "Other" => other(random),
        _ => ("example.com/v1", "Custom", custom(random)),
    };
    let has_namespace = !is_cluster_scoped(api_version, kind) && random.chance(35);
    let namespace = has_namespace.then(|| random.one_of(&NAMESPACES).to_owned());
    let mut metadata = String::new();
    if random.chance(35) {
        let labels = random.one_of(&["{app: x}", "{a: \"1\", app: y}", "null", "{}"]);
        metadata.push_str(&format!(", labels: {labels}"));
    }
    if random.chance(30) {
        let annotations = random.one_of(&["{note: \"$(V1)\"}", "null", "{x: y}", "{n: 1}"]);
        metadata.push_str(&format!(", annotations: {annotations}"));
    }
    let object = Object {
        api_version: api_version.to_owned(),
        kind: kind.to_owned(),
        name: name(random).to_owned(),
        namespace,
    };
    Choice {
        object,
        metadata,
        body: format!("{body}\n"),
    }
}

/// Values of a ConfigMap in block style that printers fold, quote or escape.
const TEXTS: [&str; 16] = [
    "  # a comment\n  plain: text # behind",
    "  block: |\n    one\n      two\n\n    three",
    "  kept: |+\n    one\n\n",
    "  stripped: |-\n    one\n    two",
    "  folded: >-\n    words of\n    one line\n\n    and another",
    "  long: a text of many words that is longer than eighty columns, so that a printer has to fold it",
    "  longer: \"a text in quotes: of many words, that is longer than eighty columns and is folded\"",
    "  apostrophe: 'it''s'",
    "  tab: \"a\\tb\"",
    "  unicode: \"h\u{e9}llo \u{2603} \u{1f600} \\u00a0\"",
    "  date: \"2020-01-01\"",
    "  number: \"0x1F\"",
    "  spaces: \" around \"",
    "  word: \"no\"",
    "  sign: \"- a: b # c\"",
    "  json.json: |\n    {\"a\": [1, 2.0], \"b\": null}",
];

fn texts(random: &mut Random) -> String {
    let chosen = TEXTS.iter().filter(|_| random.chance(30));
    let mut text: String = chosen.map(|line| format!("\n{line}")).collect();
    if text.is_empty() {
        text.push_str(" {}");
    }
    text
}

/// Fields of a custom object whose values different printers write differently.
///
/// The last ones make kustomize fail if it converts the object to JSON.
const EXTRAS: [&str; 12] = [
    "",
    ", float: 1000000.0",
    ", float: 12345678.9, small: 0.000001",
    ", octal: 012, other: 0o14, binary: 0b11",
    ", time: 2020-01-01, stamp: 2020-01-01T10:00:00Z",
    ", grouped: 1_000, plus: +1, point: .5",
    ", words: [yes, No, on, OFF, y, n, True, FALSE, Null, ~]",
    ", nested: [[1, [2, []]], {}, {a: {}}]",
    ", anchored: &a {x: 1}, alias: *a",
    ", quoted: ['1', \"2\", 'true', \"null\", '', \" \"]",
    ", infinite: .inf, none: .nan",
    ", keys: {1: a, true: b, \"2\": c, null: d}",
];

/// Returns whether a kind has the scope of the whole cluster: kustomize adds no namespace to its
/// objects. The `Namespace` of `foo/v1` is another kind.
fn is_cluster_scoped(api_version: &str, kind: &str) -> bool {
    let kinds = [
        "Namespace",
        "PersistentVolume",
        "StorageClass",
        "PriorityClass",
        "APIService",
        "ValidatingWebhookConfiguration",
        "CustomResourceDefinition",
    ];
    kinds.contains(&kind) && api_version != "foo/v1"
}

fn name(random: &mut Random) -> &'static str {
    random.one_of(&NAMES)
}

fn container(random: &mut Random, own_name: &str) -> String {
    let mut text = format!("{{image: {}, name: {own_name}", random.one_of(&IMAGES));
    if random.chance(50) {
        let value = random.one_of(&["\"$(V1)\"", "x$(V2)y", "\"$$(V1)\"", "\"1\""]);
        let (config, secret) = (name(random), name(random));
        text.push_str(&format!(
            ", env: [{{name: A, value: {value}}}, \
             {{name: B, valueFrom: {{configMapKeyRef: {{name: {config}, key: k}}}}}}, \
             {{name: C, valueFrom: {{secretKeyRef: {{name: {secret}, key: k}}}}}}]"
        ));
    }
    if random.chance(30) {
        let (config, secret) = (name(random), name(random));
        text.push_str(&format!(
            ", envFrom: [{{configMapRef: {{name: {config}}}}}, {{secretRef: {{name: {secret}}}}}]"
        ));
    }
    if random.chance(30) {
        let ports = [
            "[{containerPort: 80}]",
            "[{containerPort: 80, protocol: TCP}, {containerPort: 80, protocol: UDP}]",
            "[{containerPort: 80, name: http}, {containerPort: 81}]",
        ];
        text.push_str(&format!(", ports: {}", random.one_of(&ports)));
    }
    if random.chance(30) {
        let arguments = ["[\"$(V1)\"]", "[a$(V2), b]", "[\"$(NO)\"]", "[x]"];
        text.push_str(&format!(", args: {}", random.one_of(&arguments)));
    }
    text.push('}');
    text
}

fn pod(random: &mut Random) -> String {
    let mut containers = Vec::new();
    for own_name in ["c", "d"] {
        let percent = if own_name == "d" || random.may_fail {
            65
        } else {
            100
        };
        if random.chance(percent) {
            containers.push(container(random, own_name));
        }
    }
    let mut text = format!("{{containers: [{}]", containers.join(", "));
    if random.chance(15) {
        let first = format!("[{}]", container(random, "i"));
        let value = random.one_of(&["null", &first, &first]);
        text.push_str(&format!(", initContainers: {value}"));
    }
    if random.chance(30) {
        let (config, secret, claim) = (name(random), name(random), name(random));
        text.push_str(&format!(
            ", volumes: [{{name: v, configMap: {{name: {config}}}}}, \
             {{name: w, secret: {{secretName: {secret}}}}}, \
             {{name: q, persistentVolumeClaim: {{claimName: {claim}}}}}, \
             {{name: p, projected: {{sources: [{{configMap: {{name: {config}}}}}]}}}}, \
             {{name: z, image: {{reference: nginx}}}}]"
        ));
    }
    if random.chance(40) {
        text.push_str(&format!(", serviceAccountName: {}", name(random)));
    }
    if random.chance(20) {
        text.push_str(
            ", affinity: {podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: \
             [{labelSelector: {matchLabels: {app: x}}}]}}",
        );
    }
    if random.chance(20) {
        text.push_str(&format!(", priorityClassName: {}", name(random)));
    }
    if random.chance(15) {
        text.push_str(&format!(", imagePullSecrets: [{{name: {}}}]", name(random)));
    }
    text.push('}');
    text
}

fn template(random: &mut Random) -> String {
    let spec = pod(random);
    match random.below(10) {
        0 if random.may_fail => "null".to_owned(),
        0..=4 => format!("{{metadata: {{labels: {{app: x}}}}, spec: {spec}}}"),
        _ => format!("{{spec: {spec}}}"),
    }
}

fn workload(random: &mut Random, kind: &'static str) -> (&'static str, &'static str, String) {
    let mut spec = format!("template: {}", template(random));
    if random.chance(50) {
        let selector = random.one_of(&["{matchLabels: {app: x}}", "null", "{}"]);
        spec.push_str(&format!(", selector: {selector}"));
    }
    if random.chance(40) {
        spec.push_str(&format!(
            ", replicas: {}",
            random.one_of(&["1", "\"2\"", "null"])
        ));
    }
    if kind == "StatefulSet" {
        let class = name(random);
        let claims = format!("[{{metadata: {{name: x}}, spec: {{storageClassName: {class}}}}}]");
        let claims = random.one_of(&["[]", "null", &claims]);
        let service = name(random);
        spec.push_str(&format!(
            ", serviceName: {service}, volumeClaimTemplates: {claims}"
        ));
    }
    let api_version = random.one_of(&["apps/v1", "apps/v1", "apps/v1", "extensions/v1beta1"]);
    (api_version, kind, format!("spec: {{{spec}}}"))
}

fn service(random: &mut Random) -> String {
    let selector = random.one_of(&["{app: x}", "null"]);
    let ports = random.one_of(&[
        "[{port: 80}]",
        "[{port: $(V1)}]",
        "[{port: 80, protocol: TCP, name: a}, {port: 81, name: b}]",
    ]);
    format!("spec: {{selector: {selector}, ports: {ports}}}")
}

fn binding(random: &mut Random) -> String {
    let mut subjects = Vec::new();
    for _ in 0..random.below(3) {
        let kind = random.one_of(&["ServiceAccount", "User"]);
        let namespace = format!(", namespace: {}", random.one_of(&NAMESPACES));
        let namespace = random.one_of(&["", &namespace]);
        subjects.push(format!(
            "{{kind: {kind}, name: {}{namespace}}}",
            name(random)
        ));
    }
    let role = random.one_of(&["Role", "ClusterRole"]);
    let group = "rbac.authorization.k8s.io";
    format!(
        "roleRef: {{apiGroup: {group}, kind: {role}, name: {}}}\nsubjects: [{}]",
        name(random),
        subjects.join(", ")
    )
}

fn ingress(random: &mut Random) -> String {
    let (secret, backend) = (name(random), name(random));
    format!(
        "spec: {{tls: [{{secretName: {secret}, hosts: [x, $(V2)]}}], rules: [{{host: a$(V1), \
         http: {{paths: [{{backend: {{service: {{name: {backend}}}}}}}]}}}}]}}"
    )
}

fn cluster_scoped(random: &mut Random) -> (&'static str, &'static str, String) {
    let target = name(random);
    match random.below(6) {
        0 => (
            "v1",
            "PersistentVolume",
            format!("spec: {{storageClassName: {target}}}"),
        ),
        1 => {
            let body = format!("parameters: {{secretName: {target}}}");
            ("storage.k8s.io/v1", "StorageClass", body)
        }
        2 => ("scheduling.k8s.io/v1", "PriorityClass", String::new()),
        3 => {
            let namespace = random.one_of(&NAMESPACES);
            let spec = format!("spec: {{service: {{name: {target}, namespace: {namespace}}}}}");
            let body = random.one_of(&["", &spec]).to_owned();
            ("apiregistration.k8s.io/v1", "APIService", body)
        }
        4 => {
            let namespace = format!(", namespace: {}", random.one_of(&NAMESPACES));
            let namespace = random.one_of(&["", &namespace]);
            let service = format!("{{name: {target}{namespace}}}");
            let body = format!("webhooks: [{{name: w, clientConfig: {{service: {service}}}}}]");
            (
                "admissionregistration.k8s.io/v1",
                "ValidatingWebhookConfiguration",
                body,
            )
        }
        _ => {
            let body = "spec: {containers: [{image: nginx}]}".to_owned();
            ("apiextensions.k8s.io/v1", "CustomResourceDefinition", body)
        }
    }
}

fn other(random: &mut Random) -> (&'static str, &'static str, String) {
    let target = name(random);
    match random.below(3) {
        0 => {
            let reference = format!("{{kind: Deployment, name: {target}}}");
            let body = format!("spec: {{scaleTargetRef: {reference}}}");
            ("autoscaling/v2", "HorizontalPodAutoscaler", body)
        }
        1 => {
            let class = name(random);
            let body = format!("spec: {{volumeName: {target}, storageClassName: {class}}}");
            ("v1", "PersistentVolumeClaim", body)
        }
        _ => {
            let labels = random.one_of(&["{}", "null", "{app: x}"]);
            let body = format!("spec: {{selector: {{matchLabels: {labels}}}}}");
            ("policy/v1", "PodDisruptionBudget", body)
        }
    }
}

fn custom(random: &mut Random) -> String {
    let (item, reference) = (name(random), name(random));
    let map = random.one_of(&["null", "{}", "{a: b}"]);
    let harmless = EXTRAS.len() - if random.may_fail { 0 } else { 2 };
    let extra = random.one_of(&EXTRAS[..harmless]);
    format!(
        "spec: {{list: [{{name: {item}, v: 1}}, null], ref: {reference}, img: {}, \
         deep: {{containers: [{}]}}, map: {map}, size: {}{extra}}}",
        random.one_of(&IMAGES),
        container(random, "c"),
        random.one_of(&["1.5", "1.0", "1e3", "0x10", "100", "true", "~", "yes"]),
    )
}
