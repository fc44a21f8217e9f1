//! The table of merge keys: the lists of Kubernetes' own kinds that are merged item by item, and
//! the fields that identify an item.
//!
//! The rules are those of the OpenAPI document that kustomize contains
//! (`x-kubernetes-patch-strategy`, `x-kubernetes-patch-merge-key` and `x-kubernetes-list-map-keys`
//! of Kubernetes 1.21). A kind that is not in it, such as every custom resource, has no rules, and
//! its lists are replaced.

/// The rules for the fields of one type of the API. A field that is not listed contains no list
/// with a rule.
///
/// ```text
/// patch:            spec.template.spec.containers: [{name: web, image: b}]
/// rules:            Mapping(spec) -> Mapping(template) -> Mapping(spec) -> List { keys: [name] }
/// merged:           the item named `web` gets another image; the other items stay
/// ```
pub(super) type FieldRules = &'static [(&'static str, FieldRule)];

/// The rule by which a strategic merge patch merges a field.
#[derive(Clone, Copy, Debug)]
pub(super) enum FieldRule {
    /// The field is a mapping whose fields have their own rules.
    Mapping(FieldRules),
    /// The field is a list of mappings, merged item by item.
    List {
        /// The fields that together identify an item. Every item has the first one.
        keys: &'static [&'static str],
        /// The rules for the fields of an item.
        items: FieldRules,
    },
    /// The field is a list of scalars without duplicates.
    Set,
}

use FieldRule::{List, Mapping, Set};

/// Returns the rule for a field.
pub(super) fn rule_for(rules: FieldRules, field: &str) -> Option<FieldRule> {
    for (name, rule) in rules {
        if *name == field {
            return Some(*rule);
        }
    }
    None
}

/// Returns the rules for the objects of a kind, or `None` if the kind is not one of Kubernetes'
/// own.
pub(super) fn rules_of_kind(api_version: &str, kind: &str) -> Option<FieldRules> {
    let (_, kinds) = KINDS.iter().find(|(known, _)| *known == api_version)?;
    let (_, rules) = kinds.iter().find(|(known, _)| *known == kind)?;
    Some(rules)
}

/// Returns the rules for a type by its name in the OpenAPI document of Kubernetes; `None` unless
/// users' schemas refer to this type.
pub(super) fn rules_of_definition(name: &str) -> Option<FieldRules> {
    let (_, rules) = DEFINITIONS.iter().find(|(known, _)| *known == name)?;
    Some(rules)
}

/// Returns the rule for a list whose items contain no lists with rules.
const fn by(keys: &'static [&'static str]) -> FieldRule {
    List { keys, items: &[] }
}

const METADATA: FieldRules = &[("finalizers", Set), ("ownerReferences", by(&["uid"]))];

/// The rules of an object that has rules only for its metadata.
const OBJECT: FieldRules = &[("metadata", Mapping(METADATA))];

const CONTAINER: FieldRules = &[
    ("env", by(&["name"])),
    ("ports", by(&["containerPort", "protocol"])),
    ("volumeDevices", by(&["devicePath"])),
    ("volumeMounts", by(&["mountPath"])),
];

const EPHEMERAL_CONTAINER: FieldRules = &[
    ("env", by(&["name"])),
    ("volumeDevices", by(&["devicePath"])),
    ("volumeMounts", by(&["mountPath"])),
];

const VOLUME: FieldRules = &[(
    "ephemeral",
    Mapping(&[("volumeClaimTemplate", Mapping(OBJECT))]),
)];

const POD_SPEC: FieldRules = &[
    (
        "containers",
        List {
            keys: &["name"],
            items: CONTAINER,
        },
    ),
    (
        "ephemeralContainers",
        List {
            keys: &["name"],
            items: EPHEMERAL_CONTAINER,
        },
    ),
    ("hostAliases", by(&["ip"])),
    ("imagePullSecrets", by(&["name"])),
    (
        "initContainers",
        List {
            keys: &["name"],
            items: CONTAINER,
        },
    ),
    (
        "topologySpreadConstraints",
        by(&["topologyKey", "whenUnsatisfiable"]),
    ),
    (
        "volumes",
        List {
            keys: &["name"],
            items: VOLUME,
        },
    ),
];

const POD_TEMPLATE: FieldRules = &[("metadata", Mapping(METADATA)), ("spec", Mapping(POD_SPEC))];

/// Types that kinds of other projects contain.
const DEFINITIONS: &[(&str, FieldRules)] = &[
    ("io.k8s.api.core.v1.Container", CONTAINER),
    ("io.k8s.api.core.v1.PodSpec", POD_SPEC),
    ("io.k8s.api.core.v1.PodTemplateSpec", POD_TEMPLATE),
    ("io.k8s.api.core.v1.Volume", VOLUME),
    ("io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta", METADATA),
];

const TEMPLATED: FieldRules = &[("template", Mapping(POD_TEMPLATE))];

const CONDITIONS: FieldRules = &[("conditions", by(&["type"]))];

/// The rules of an object whose `status` has conditions.
const OBJECT_WITH_CONDITIONS: FieldRules = &[
    ("metadata", Mapping(METADATA)),
    ("status", Mapping(CONDITIONS)),
];

/// The rules of an object that runs pods from a template, such as a Deployment or a Job.
const WORKLOAD: FieldRules = &[
    ("metadata", Mapping(METADATA)),
    ("spec", Mapping(TEMPLATED)),
    ("status", Mapping(CONDITIONS)),
];

const CRON_JOB: FieldRules = &[
    ("metadata", Mapping(METADATA)),
    (
        "spec",
        Mapping(&[(
            "jobTemplate",
            Mapping(&[
                ("metadata", Mapping(METADATA)),
                ("spec", Mapping(TEMPLATED)),
            ]),
        )]),
    ),
];

const POD: FieldRules = &[
    ("metadata", Mapping(METADATA)),
    ("spec", Mapping(POD_SPEC)),
    (
        "status",
        Mapping(&[("conditions", by(&["type"])), ("podIPs", by(&["ip"]))]),
    ),
];

const SERVICE: FieldRules = &[
    ("metadata", Mapping(METADATA)),
    ("spec", Mapping(&[("ports", by(&["port", "protocol"]))])),
    ("status", Mapping(CONDITIONS)),
];

const NODE: FieldRules = &[
    ("metadata", Mapping(METADATA)),
    ("spec", Mapping(&[("podCIDRs", Set)])),
    (
        "status",
        Mapping(&[("addresses", by(&["type"])), ("conditions", by(&["type"]))]),
    ),
];

const WEBHOOKS: FieldRules = &[("metadata", Mapping(METADATA)), ("webhooks", by(&["name"]))];

const CSI_NODE: FieldRules = &[
    ("metadata", Mapping(METADATA)),
    ("spec", Mapping(&[("drivers", by(&["name"]))])),
];

/// All kinds in the OpenAPI document, by `apiVersion`.
const KINDS: &[(&str, &[(&str, FieldRules)])] = &[
    (
        "v1",
        &[
            ("Binding", OBJECT),
            (
                "ComponentStatus",
                &[
                    ("metadata", Mapping(METADATA)),
                    ("conditions", by(&["type"])),
                ],
            ),
            ("ConfigMap", OBJECT),
            ("Endpoints", OBJECT),
            ("Event", OBJECT),
            ("LimitRange", OBJECT),
            ("Namespace", OBJECT_WITH_CONDITIONS),
            ("Node", NODE),
            ("PersistentVolume", OBJECT),
            ("PersistentVolumeClaim", OBJECT_WITH_CONDITIONS),
            ("Pod", POD),
            (
                "PodTemplate",
                &[
                    ("metadata", Mapping(METADATA)),
                    ("template", Mapping(POD_TEMPLATE)),
                ],
            ),
            ("ReplicationController", WORKLOAD),
            ("ResourceQuota", OBJECT),
            ("Secret", OBJECT),
            ("Service", SERVICE),
            (
                "ServiceAccount",
                &[("metadata", Mapping(METADATA)), ("secrets", by(&["name"]))],
            ),
        ],
    ),
    (
        "admissionregistration.k8s.io/v1",
        &[
            ("MutatingWebhookConfiguration", WEBHOOKS),
            ("ValidatingWebhookConfiguration", WEBHOOKS),
        ],
    ),
    (
        "admissionregistration.k8s.io/v1beta1",
        &[
            ("MutatingWebhookConfiguration", WEBHOOKS),
            ("ValidatingWebhookConfiguration", WEBHOOKS),
        ],
    ),
    (
        "apiextensions.k8s.io/v1",
        &[("CustomResourceDefinition", OBJECT)],
    ),
    (
        "apiextensions.k8s.io/v1beta1",
        &[("CustomResourceDefinition", OBJECT)],
    ),
    (
        "apiregistration.k8s.io/v1",
        &[("APIService", OBJECT_WITH_CONDITIONS)],
    ),
    (
        "apiregistration.k8s.io/v1beta1",
        &[("APIService", OBJECT_WITH_CONDITIONS)],
    ),
    (
        "apps/v1",
        &[
            ("ControllerRevision", OBJECT),
            ("DaemonSet", WORKLOAD),
            ("Deployment", WORKLOAD),
            ("ReplicaSet", WORKLOAD),
            ("StatefulSet", WORKLOAD),
        ],
    ),
    (
        "authentication.k8s.io/v1",
        &[("TokenRequest", OBJECT), ("TokenReview", OBJECT)],
    ),
    ("authentication.k8s.io/v1beta1", &[("TokenReview", OBJECT)]),
    ("authorization.k8s.io/v1", ACCESS_REVIEWS),
    ("authorization.k8s.io/v1beta1", ACCESS_REVIEWS),
    (
        "autoscaling/v1",
        &[("HorizontalPodAutoscaler", OBJECT), ("Scale", OBJECT)],
    ),
    (
        "autoscaling/v2beta1",
        &[("HorizontalPodAutoscaler", OBJECT)],
    ),
    (
        "autoscaling/v2beta2",
        &[("HorizontalPodAutoscaler", OBJECT)],
    ),
    ("batch/v1", &[("CronJob", CRON_JOB), ("Job", WORKLOAD)]),
    ("batch/v1beta1", &[("CronJob", CRON_JOB)]),
    (
        "certificates.k8s.io/v1",
        &[("CertificateSigningRequest", OBJECT)],
    ),
    (
        "certificates.k8s.io/v1beta1",
        &[("CertificateSigningRequest", OBJECT)],
    ),
    ("coordination.k8s.io/v1", &[("Lease", OBJECT)]),
    ("coordination.k8s.io/v1beta1", &[("Lease", OBJECT)]),
    ("discovery.k8s.io/v1", &[("EndpointSlice", OBJECT)]),
    ("discovery.k8s.io/v1beta1", &[("EndpointSlice", OBJECT)]),
    ("events.k8s.io/v1", &[("Event", OBJECT)]),
    ("events.k8s.io/v1beta1", &[("Event", OBJECT)]),
    ("extensions/v1beta1", &[("Ingress", OBJECT)]),
    (
        "flowcontrol.apiserver.k8s.io/v1beta1",
        &[
            ("FlowSchema", OBJECT),
            ("PriorityLevelConfiguration", OBJECT),
        ],
    ),
    (
        "networking.k8s.io/v1",
        &[
            ("Ingress", OBJECT),
            ("IngressClass", OBJECT),
            ("NetworkPolicy", OBJECT),
        ],
    ),
    (
        "networking.k8s.io/v1beta1",
        &[("Ingress", OBJECT), ("IngressClass", OBJECT)],
    ),
    ("node.k8s.io/v1", &[("RuntimeClass", OBJECT)]),
    ("node.k8s.io/v1beta1", &[("RuntimeClass", OBJECT)]),
    (
        "policy/v1",
        &[("PodDisruptionBudget", OBJECT_WITH_CONDITIONS)],
    ),
    (
        "policy/v1beta1",
        &[
            ("Eviction", OBJECT),
            ("PodDisruptionBudget", OBJECT_WITH_CONDITIONS),
            ("PodSecurityPolicy", OBJECT),
        ],
    ),
    ("rbac.authorization.k8s.io/v1", ROLES),
    ("rbac.authorization.k8s.io/v1beta1", ROLES),
    ("scheduling.k8s.io/v1", &[("PriorityClass", OBJECT)]),
    ("scheduling.k8s.io/v1beta1", &[("PriorityClass", OBJECT)]),
    (
        "storage.k8s.io/v1",
        &[
            ("CSIDriver", OBJECT),
            ("CSINode", CSI_NODE),
            ("StorageClass", OBJECT),
            ("VolumeAttachment", OBJECT),
        ],
    ),
    (
        "storage.k8s.io/v1beta1",
        &[
            ("CSIDriver", OBJECT),
            ("CSINode", CSI_NODE),
            ("CSIStorageCapacity", OBJECT),
            ("StorageClass", OBJECT),
            ("VolumeAttachment", OBJECT),
        ],
    ),
];

const ACCESS_REVIEWS: &[(&str, FieldRules)] = &[
    ("LocalSubjectAccessReview", OBJECT),
    ("SelfSubjectAccessReview", OBJECT),
    ("SelfSubjectRulesReview", OBJECT),
    ("SubjectAccessReview", OBJECT),
];

const ROLES: &[(&str, FieldRules)] = &[
    ("ClusterRole", OBJECT),
    ("ClusterRoleBinding", OBJECT),
    ("Role", OBJECT),
    ("RoleBinding", OBJECT),
];

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the rule for the field at the end of `path` in objects of a kind.
    fn rule(api_version: &str, kind: &str, path: &[&str]) -> Option<FieldRule> {
        let mut rules = rules_of_kind(api_version, kind)?;
        let (last, parents) = path.split_last()?;
        for name in parents {
            rules = match rule_for(rules, name)? {
                Mapping(inner) | List { items: inner, .. } => inner,
                Set => return None,
            };
        }
        rule_for(rules, last)
    }

    fn keys(api_version: &str, kind: &str, path: &str) -> Option<Vec<&'static str>> {
        match rule(api_version, kind, &path.split('.').collect::<Vec<_>>())? {
            List { keys, .. } => Some(keys.to_vec()),
            Set => Some(Vec::new()),
            Mapping(_) => None,
        }
    }

    #[test]
    fn knows_the_merge_keys_of_kubernetes_lists() {
        let pod = "spec.template.spec";
        let table = [
            (
                "apps/v1",
                "Deployment",
                format!("{pod}.containers"),
                Some(vec!["name"]),
            ),
            (
                "apps/v1",
                "StatefulSet",
                format!("{pod}.initContainers.volumeMounts"),
                Some(vec!["mountPath"]),
            ),
            (
                "apps/v1",
                "DaemonSet",
                format!("{pod}.containers.ports"),
                Some(vec!["containerPort", "protocol"]),
            ),
            (
                "batch/v1",
                "CronJob",
                format!("spec.jobTemplate.{pod}.containers.env"),
                Some(vec!["name"]),
            ),
            (
                "batch/v1",
                "Job",
                format!("{pod}.volumes"),
                Some(vec!["name"]),
            ),
            ("v1", "Pod", "spec.hostAliases".to_owned(), Some(vec!["ip"])),
            (
                "v1",
                "Service",
                "spec.ports".to_owned(),
                Some(vec!["port", "protocol"]),
            ),
            (
                "v1",
                "ConfigMap",
                "metadata.finalizers".to_owned(),
                Some(vec![]),
            ),
            (
                "v1",
                "Secret",
                "metadata.ownerReferences".to_owned(),
                Some(vec!["uid"]),
            ),
            (
                "apps/v1",
                "Deployment",
                format!("{pod}.containers.command"),
                None,
            ),
            ("apps/v1", "Deployment", format!("{pod}.tolerations"), None),
            (
                "networking.k8s.io/v1",
                "Ingress",
                "spec.rules".to_owned(),
                None,
            ),
            (
                "apps/v1beta1",
                "Deployment",
                format!("{pod}.containers"),
                None,
            ),
            (
                "example.com/v1",
                "Deployment",
                "metadata.finalizers".to_owned(),
                None,
            ),
        ];
        for (api_version, kind, path, expected) in table {
            assert_eq!(
                keys(api_version, kind, &path),
                expected,
                "{api_version} {kind} {path}"
            );
        }
    }
}
