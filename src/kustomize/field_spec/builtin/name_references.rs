//! Which fields contain the name of another object.

use super::pods::{PodPath, WITH_ACCOUNT, WITH_CONFIGURATION, in_pods};
use super::{Fields, Kind, STATEFUL_SET, pattern, specs};
use crate::kustomize::field_spec::NameReferenceSpec;

/// The fields that contain the name of an object of one kind.
struct Target {
    /// The kind of the object that is named.
    kind: Kind,
    /// Fields of pods.
    in_pods: Option<(&'static [PodPath], &'static [&'static str])>,
    /// Other fields.
    elsewhere: &'static [Fields],
}

const RBAC: &str = "rbac.authorization.k8s.io";
const ADMISSION: &str = "admissionregistration.k8s.io";

const ROLE: Kind = ("", "", "Role");
const CLUSTER_ROLE: Kind = ("", "", "ClusterRole");
const ROLE_BINDING: Kind = (RBAC, "", "RoleBinding");
const CLUSTER_ROLE_BINDING: Kind = (RBAC, "", "ClusterRoleBinding");
const INGRESS: Kind = ("", "", "Ingress");
const PERSISTENT_VOLUME: Kind = ("", "", "PersistentVolume");
const PERSISTENT_VOLUME_CLAIM: Kind = ("", "", "PersistentVolumeClaim");

/// A horizontal pod autoscaler names its workload, which may be of several kinds.
const SCALED: &[Fields] = &[Fields::existing(
    &[("", "", "HorizontalPodAutoscaler")],
    &["spec/scaleTargetRef/name"],
)];

const TARGETS: &[Target] = &[
    Target {
        kind: ("", "", "Deployment"),
        in_pods: None,
        elsewhere: SCALED,
    },
    Target {
        kind: ("", "", "ReplicationController"),
        in_pods: None,
        elsewhere: SCALED,
    },
    Target {
        kind: ("", "", "ReplicaSet"),
        in_pods: None,
        elsewhere: SCALED,
    },
    Target {
        kind: ("", "", "StatefulSet"),
        in_pods: None,
        elsewhere: SCALED,
    },
    Target {
        kind: ("", "v1", "ConfigMap"),
        in_pods: Some((
            WITH_CONFIGURATION,
            &[
                "volumes/configMap/name",
                "containers/env/valueFrom/configMapKeyRef/name",
                "initContainers/env/valueFrom/configMapKeyRef/name",
                "containers/envFrom/configMapRef/name",
                "initContainers/envFrom/configMapRef/name",
                "volumes/projected/sources/configMap/name",
            ],
        )),
        elsewhere: &[
            Fields::existing(&[("", "", "Node")], &["spec/configSource/configMap"]),
            Fields::existing(&[ROLE, CLUSTER_ROLE], &["rules/resourceNames"]),
            Fields::existing(
                &[INGRESS],
                &["metadata/annotations/nginx.ingress.kubernetes.io\\/fastcgi-params-configmap"],
            ),
        ],
    },
    Target {
        kind: ("", "v1", "Secret"),
        in_pods: Some((
            WITH_CONFIGURATION,
            &[
                "volumes/secret/secretName",
                "containers/env/valueFrom/secretKeyRef/name",
                "initContainers/env/valueFrom/secretKeyRef/name",
                "containers/envFrom/secretRef/name",
                "initContainers/envFrom/secretRef/name",
                "imagePullSecrets/name",
                "volumes/projected/sources/secret/name",
            ],
        )),
        elsewhere: &[
            Fields::existing(
                &[INGRESS],
                &[
                    "spec/tls/secretName",
                    "metadata/annotations/ingress.kubernetes.io\\/auth-secret",
                    "metadata/annotations/nginx.ingress.kubernetes.io\\/auth-secret",
                    "metadata/annotations/nginx.ingress.kubernetes.io\\/auth-tls-secret",
                ],
            ),
            Fields::existing(&[("", "", "ServiceAccount")], &["imagePullSecrets/name"]),
            Fields::existing(
                &[("", "", "StorageClass")],
                &[
                    "parameters/secretName",
                    "parameters/adminSecretName",
                    "parameters/userSecretName",
                    "parameters/secretRef",
                ],
            ),
            Fields::existing(&[ROLE, CLUSTER_ROLE], &["rules/resourceNames"]),
            Fields::existing(
                &[("serving.knative.dev", "v1", "Service")],
                &["spec/template/spec/containers/env/valueFrom/secretKeyRef/name"],
            ),
            Fields::existing(&[PERSISTENT_VOLUME], &["spec/azureFile/secretName"]),
        ],
    },
    Target {
        kind: ("", "v1", "Service"),
        in_pods: None,
        elsewhere: &[
            Fields::existing(&[("apps", "", "StatefulSet")], &["spec/serviceName"]),
            Fields::existing(
                &[INGRESS],
                &[
                    "spec/rules/http/paths/backend/serviceName",
                    "spec/backend/serviceName",
                    "spec/rules/http/paths/backend/service/name",
                    "spec/defaultBackend/service/name",
                ],
            ),
            Fields::existing(
                &[("apiregistration.k8s.io", "", "APIService")],
                &["spec/service/name"],
            ),
            Fields::existing(
                &[
                    (ADMISSION, "", "ValidatingWebhookConfiguration"),
                    (ADMISSION, "", "MutatingWebhookConfiguration"),
                ],
                &["webhooks/clientConfig/service"],
            ),
        ],
    },
    Target {
        kind: (RBAC, "", "Role"),
        in_pods: None,
        elsewhere: &[Fields::existing(&[ROLE_BINDING], &["roleRef/name"])],
    },
    Target {
        kind: (RBAC, "", "ClusterRole"),
        in_pods: None,
        elsewhere: &[Fields::existing(
            &[ROLE_BINDING, CLUSTER_ROLE_BINDING],
            &["roleRef/name"],
        )],
    },
    Target {
        kind: ("", "v1", "ServiceAccount"),
        in_pods: Some((WITH_ACCOUNT, &["serviceAccountName"])),
        elsewhere: &[Fields::existing(
            &[ROLE_BINDING, CLUSTER_ROLE_BINDING],
            &["subjects"],
        )],
    },
    Target {
        kind: ("", "v1", "PersistentVolumeClaim"),
        in_pods: Some((WITH_ACCOUNT, &["volumes/persistentVolumeClaim/claimName"])),
        elsewhere: &[],
    },
    Target {
        kind: ("", "v1", "PersistentVolume"),
        in_pods: None,
        elsewhere: &[
            Fields::existing(&[PERSISTENT_VOLUME_CLAIM], &["spec/volumeName"]),
            Fields::existing(&[CLUSTER_ROLE], &["rules/resourceNames"]),
        ],
    },
    Target {
        kind: ("storage.k8s.io", "v1", "StorageClass"),
        in_pods: None,
        elsewhere: &[
            Fields::existing(
                &[PERSISTENT_VOLUME, PERSISTENT_VOLUME_CLAIM],
                &["spec/storageClassName"],
            ),
            Fields::existing(
                &[STATEFUL_SET],
                &["spec/volumeClaimTemplates/spec/storageClassName"],
            ),
        ],
    },
    Target {
        kind: ("scheduling.k8s.io", "v1", "PriorityClass"),
        in_pods: Some((WITH_ACCOUNT, &["priorityClassName"])),
        elsewhere: &[],
    },
    // kustomize's table has the version in the group, so no IngressClass is ever meant. The row is
    // here because files under `configurations:` are merged into it.
    Target {
        kind: ("networking.k8s.io/v1", "v1", "IngressClass"),
        in_pods: None,
        elsewhere: &[Fields::existing(&[INGRESS], &["spec/ingressClassName"])],
    },
    Target {
        kind: (ADMISSION, "", "ValidatingAdmissionPolicy"),
        in_pods: None,
        elsewhere: &[Fields::existing(
            &[(ADMISSION, "", "ValidatingAdmissionPolicyBinding")],
            &["spec/policyName"],
        )],
    },
];

/// Returns the references to each kind.
pub(in crate::kustomize::field_spec) fn name_references() -> Vec<NameReferenceSpec> {
    let mut references = Vec::with_capacity(TARGETS.len());
    for target in TARGETS {
        let mut referrers = match target.in_pods {
            Some((pods, fields)) => in_pods(pods, fields),
            None => Vec::new(),
        };
        referrers.extend(specs(target.elsewhere));
        references.push(NameReferenceSpec {
            target: pattern(target.kind),
            referrers,
        });
    }
    references
}
