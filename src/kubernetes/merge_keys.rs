//! Which lists of Kubernetes' own kinds are merged item by item, and by which keys.
//!
//! The rules are those of the OpenAPI document that kustomize builds in (`x-kubernetes-patch-strategy`,
//! `x-kubernetes-patch-merge-key` and `x-kubernetes-list-map-keys` of Kubernetes 1.21). A kind that is not in it, such as
//! every custom resource, has no rules: its lists are replaced.

/// A type of the API: the fields that lead to lists that are merged. What is not listed has no such list in it.
pub type Type = &'static [(&'static str, Field)];

/// A field of a type.
#[derive(Clone, Copy, Debug)]
pub enum Field {
    /// A mapping of a type.
    Is(Type),
    /// A list of mappings, which are the same where their keys are.
    Items {
        /// The fields that together tell one item from the others. The first is there in every item.
        keys: &'static [&'static str],
        /// The type of the items.
        of: Type,
    },
    /// A list of scalars without duplicates.
    Set,
}

use Field::{Is, Items, Set};

/// What is known of a field of a type.
pub fn field(of: Type, name: &str) -> Option<Field> {
    of.iter()
        .find(|(known, _)| *known == name)
        .map(|(_, field)| *field)
}

/// The type of the objects of a kind; `None` for a kind that Kubernetes does not bring.
pub fn of_kind(api_version: &str, kind: &str) -> Option<Type> {
    let (_, kinds) = KINDS.iter().find(|(known, _)| *known == api_version)?;
    kinds
        .iter()
        .find(|(known, _)| *known == kind)
        .map(|(_, of)| *of)
}

/// A list without types of its own.
const PLAIN: Type = &[];

const fn by(keys: &'static [&'static str]) -> Field {
    Items { keys, of: PLAIN }
}

const METADATA: Type = &[("finalizers", Set), ("ownerReferences", by(&["uid"]))];

/// An object of which only the metadata has rules.
const OBJECT: Type = &[("metadata", Is(METADATA))];

const CONTAINER: Type = &[
    ("env", by(&["name"])),
    ("ports", by(&["containerPort", "protocol"])),
    ("volumeDevices", by(&["devicePath"])),
    ("volumeMounts", by(&["mountPath"])),
];

const EPHEMERAL_CONTAINER: Type = &[
    ("env", by(&["name"])),
    ("volumeDevices", by(&["devicePath"])),
    ("volumeMounts", by(&["mountPath"])),
];

const VOLUME: Type = &[("ephemeral", Is(&[("volumeClaimTemplate", Is(OBJECT))]))];

const POD_SPEC: Type = &[
    (
        "containers",
        Items {
            keys: &["name"],
            of: CONTAINER,
        },
    ),
    (
        "ephemeralContainers",
        Items {
            keys: &["name"],
            of: EPHEMERAL_CONTAINER,
        },
    ),
    ("hostAliases", by(&["ip"])),
    ("imagePullSecrets", by(&["name"])),
    (
        "initContainers",
        Items {
            keys: &["name"],
            of: CONTAINER,
        },
    ),
    (
        "topologySpreadConstraints",
        by(&["topologyKey", "whenUnsatisfiable"]),
    ),
    (
        "volumes",
        Items {
            keys: &["name"],
            of: VOLUME,
        },
    ),
];

const POD_TEMPLATE: Type = &[("metadata", Is(METADATA)), ("spec", Is(POD_SPEC))];

const TEMPLATED: Type = &[("template", Is(POD_TEMPLATE))];

const CONDITIONS: Type = &[("conditions", by(&["type"]))];

/// An object whose `status` has conditions.
const OBJECT_WITH_CONDITIONS: Type = &[("metadata", Is(METADATA)), ("status", Is(CONDITIONS))];

/// An object that runs pods from a template: a Deployment, a Job.
const WORKLOAD: Type = &[
    ("metadata", Is(METADATA)),
    ("spec", Is(TEMPLATED)),
    ("status", Is(CONDITIONS)),
];

const CRON_JOB: Type = &[
    ("metadata", Is(METADATA)),
    (
        "spec",
        Is(&[(
            "jobTemplate",
            Is(&[("metadata", Is(METADATA)), ("spec", Is(TEMPLATED))]),
        )]),
    ),
];

const POD: Type = &[
    ("metadata", Is(METADATA)),
    ("spec", Is(POD_SPEC)),
    (
        "status",
        Is(&[("conditions", by(&["type"])), ("podIPs", by(&["ip"]))]),
    ),
];

const SERVICE: Type = &[
    ("metadata", Is(METADATA)),
    ("spec", Is(&[("ports", by(&["port", "protocol"]))])),
    ("status", Is(CONDITIONS)),
];

const NODE: Type = &[
    ("metadata", Is(METADATA)),
    ("spec", Is(&[("podCIDRs", Set)])),
    (
        "status",
        Is(&[("addresses", by(&["type"])), ("conditions", by(&["type"]))]),
    ),
];

const WEBHOOKS: Type = &[("metadata", Is(METADATA)), ("webhooks", by(&["name"]))];

const CSI_NODE: Type = &[
    ("metadata", Is(METADATA)),
    ("spec", Is(&[("drivers", by(&["name"]))])),
];

/// Every kind of the document, by `apiVersion`.
const KINDS: &[(&str, &[(&str, Type)])] = &[
    (
        "v1",
        &[
            ("Binding", OBJECT),
            (
                "ComponentStatus",
                &[("metadata", Is(METADATA)), ("conditions", by(&["type"]))],
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
                &[("metadata", Is(METADATA)), ("template", Is(POD_TEMPLATE))],
            ),
            ("ReplicationController", WORKLOAD),
            ("ResourceQuota", OBJECT),
            ("Secret", OBJECT),
            ("Service", SERVICE),
            (
                "ServiceAccount",
                &[("metadata", Is(METADATA)), ("secrets", by(&["name"]))],
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

const ACCESS_REVIEWS: &[(&str, Type)] = &[
    ("LocalSubjectAccessReview", OBJECT),
    ("SelfSubjectAccessReview", OBJECT),
    ("SelfSubjectRulesReview", OBJECT),
    ("SubjectAccessReview", OBJECT),
];

const ROLES: &[(&str, Type)] = &[
    ("ClusterRole", OBJECT),
    ("ClusterRoleBinding", OBJECT),
    ("Role", OBJECT),
    ("RoleBinding", OBJECT),
];

#[cfg(test)]
mod tests {
    use super::*;

    /// What is known of the value at the end of `path` in objects of a kind.
    fn rule(api_version: &str, kind: &str, path: &[&str]) -> Option<Field> {
        let mut of = of_kind(api_version, kind)?;
        let (last, way) = path.split_last()?;
        for name in way {
            of = match field(of, name)? {
                Is(inner) | Items { of: inner, .. } => inner,
                Set => return None,
            };
        }
        field(of, last)
    }

    fn keys(api_version: &str, kind: &str, path: &str) -> Option<Vec<&'static str>> {
        match rule(api_version, kind, &path.split('.').collect::<Vec<_>>())? {
            Items { keys, .. } => Some(keys.to_vec()),
            Set => Some(Vec::new()),
            Is(_) => None,
        }
    }

    #[test]
    fn lists_are_merged_by_the_keys_that_kubernetes_names() {
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
