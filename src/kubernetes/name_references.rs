//! The table of name references: fields that contain the name of another object.
//!
//! It is kustomize's built-in `nameReference` configuration. A path is written as keys with blanks
//! between them, since keys may contain dots and slashes. Lists on the way are searched item by
//! item.

/// A field of a kind of object that contains the name of another object.
#[derive(Clone, Copy, Debug)]
pub struct NameReference {
    /// The kind of the object that is named.
    pub target: &'static str,
    /// The kind of the object that has the field.
    pub referrer: &'static str,
    /// The API group of the object that has the field; empty for any.
    pub group: &'static str,
    /// The path to the field, in two parts that follow each other. The field is a text, a list of
    /// texts, or a mapping with a `name`.
    pub path: [&'static str; 2],
}

impl NameReference {
    /// Returns the keys that lead to the field.
    pub fn keys(&self) -> Vec<&'static str> {
        let [parent, field] = self.path;
        parent
            .split(' ')
            .chain(field.split(' '))
            .filter(|key| !key.is_empty())
            .collect()
    }
}

/// The kinds that contain a pod, with the path to its `spec`, for references to ConfigMaps and
/// Secrets.
const PODS: [(&str, &str); 8] = [
    ("Pod", "spec"),
    ("PodTemplate", "template spec"),
    ("Deployment", TEMPLATE),
    ("ReplicaSet", TEMPLATE),
    ("DaemonSet", TEMPLATE),
    ("StatefulSet", TEMPLATE),
    ("Job", TEMPLATE),
    ("CronJob", "spec jobTemplate spec template spec"),
];

/// The same for references to service accounts, claims and priority classes. kustomize lists other
/// kinds for them.
const WORKLOADS: [(&str, &str); 7] = [
    ("Pod", "spec"),
    ("StatefulSet", TEMPLATE),
    ("Deployment", TEMPLATE),
    ("ReplicationController", TEMPLATE),
    ("CronJob", "spec jobTemplate spec template spec"),
    ("Job", TEMPLATE),
    ("DaemonSet", TEMPLATE),
];

const TEMPLATE: &str = "spec template spec";

/// The fields of a pod that name ConfigMaps and Secrets.
const IN_PODS: [(&str, &str); 13] = [
    ("ConfigMap", "volumes configMap name"),
    ("ConfigMap", "containers env valueFrom configMapKeyRef name"),
    (
        "ConfigMap",
        "initContainers env valueFrom configMapKeyRef name",
    ),
    ("ConfigMap", "containers envFrom configMapRef name"),
    ("ConfigMap", "initContainers envFrom configMapRef name"),
    ("ConfigMap", "volumes projected sources configMap name"),
    ("Secret", "volumes secret secretName"),
    ("Secret", "containers env valueFrom secretKeyRef name"),
    ("Secret", "initContainers env valueFrom secretKeyRef name"),
    ("Secret", "containers envFrom secretRef name"),
    ("Secret", "initContainers envFrom secretRef name"),
    ("Secret", "imagePullSecrets name"),
    ("Secret", "volumes projected sources secret name"),
];

/// The fields of a workload that name other objects.
const IN_WORKLOADS: [(&str, &str); 3] = [
    ("ServiceAccount", "serviceAccountName"),
    (
        "PersistentVolumeClaim",
        "volumes persistentVolumeClaim claimName",
    ),
    ("PriorityClass", "priorityClassName"),
];

const RBAC: &str = "rbac.authorization.k8s.io";
const ADMISSION: &str = "admissionregistration.k8s.io";

const fn other(
    target: &'static str,
    referrer: &'static str,
    group: &'static str,
    path: &'static str,
) -> NameReference {
    NameReference {
        target,
        referrer,
        group,
        path: [path, ""],
    }
}

/// All other references.
const OTHERS: [NameReference; 41] = [
    other(
        "Deployment",
        "HorizontalPodAutoscaler",
        "",
        "spec scaleTargetRef name",
    ),
    other(
        "ReplicationController",
        "HorizontalPodAutoscaler",
        "",
        "spec scaleTargetRef name",
    ),
    other(
        "ReplicaSet",
        "HorizontalPodAutoscaler",
        "",
        "spec scaleTargetRef name",
    ),
    other(
        "StatefulSet",
        "HorizontalPodAutoscaler",
        "",
        "spec scaleTargetRef name",
    ),
    other("ConfigMap", "Node", "", "spec configSource configMap"),
    other("ConfigMap", "Role", "", "rules resourceNames"),
    other("ConfigMap", "ClusterRole", "", "rules resourceNames"),
    other(
        "ConfigMap",
        "Ingress",
        "",
        "metadata annotations nginx.ingress.kubernetes.io/fastcgi-params-configmap",
    ),
    other("Secret", "Ingress", "", "spec tls secretName"),
    other(
        "Secret",
        "Ingress",
        "",
        "metadata annotations ingress.kubernetes.io/auth-secret",
    ),
    other(
        "Secret",
        "Ingress",
        "",
        "metadata annotations nginx.ingress.kubernetes.io/auth-secret",
    ),
    other(
        "Secret",
        "Ingress",
        "",
        "metadata annotations nginx.ingress.kubernetes.io/auth-tls-secret",
    ),
    other("Secret", "ServiceAccount", "", "imagePullSecrets name"),
    other("Secret", "StorageClass", "", "parameters secretName"),
    other("Secret", "StorageClass", "", "parameters adminSecretName"),
    other("Secret", "StorageClass", "", "parameters userSecretName"),
    other("Secret", "StorageClass", "", "parameters secretRef"),
    other("Secret", "Role", "", "rules resourceNames"),
    other("Secret", "ClusterRole", "", "rules resourceNames"),
    other(
        "Secret",
        "Service",
        "serving.knative.dev",
        "spec template spec containers env valueFrom secretKeyRef name",
    ),
    other(
        "Secret",
        "PersistentVolume",
        "",
        "spec azureFile secretName",
    ),
    other("Service", "StatefulSet", "apps", "spec serviceName"),
    other(
        "Service",
        "Ingress",
        "",
        "spec rules http paths backend serviceName",
    ),
    other("Service", "Ingress", "", "spec backend serviceName"),
    other(
        "Service",
        "Ingress",
        "",
        "spec rules http paths backend service name",
    ),
    other("Service", "Ingress", "", "spec defaultBackend service name"),
    other(
        "Service",
        "APIService",
        "apiregistration.k8s.io",
        "spec service name",
    ),
    other(
        "Service",
        "ValidatingWebhookConfiguration",
        ADMISSION,
        "webhooks clientConfig service",
    ),
    other(
        "Service",
        "MutatingWebhookConfiguration",
        ADMISSION,
        "webhooks clientConfig service",
    ),
    other("Role", "RoleBinding", RBAC, "roleRef name"),
    other("ClusterRole", "RoleBinding", RBAC, "roleRef name"),
    other("ClusterRole", "ClusterRoleBinding", RBAC, "roleRef name"),
    other("ServiceAccount", "RoleBinding", RBAC, "subjects"),
    other("ServiceAccount", "ClusterRoleBinding", RBAC, "subjects"),
    other(
        "PersistentVolume",
        "PersistentVolumeClaim",
        "",
        "spec volumeName",
    ),
    other("PersistentVolume", "ClusterRole", "", "rules resourceNames"),
    other(
        "StorageClass",
        "PersistentVolume",
        "",
        "spec storageClassName",
    ),
    other(
        "StorageClass",
        "PersistentVolumeClaim",
        "",
        "spec storageClassName",
    ),
    other(
        "StorageClass",
        "StatefulSet",
        "",
        "spec volumeClaimTemplates spec storageClassName",
    ),
    other("IngressClass", "Ingress", "", "spec ingressClassName"),
    other(
        "ValidatingAdmissionPolicy",
        "ValidatingAdmissionPolicyBinding",
        ADMISSION,
        "spec policyName",
    ),
];

/// The API groups of the kinds that are named, except those of the core group.
const GROUPS: [(&str, &str); 6] = [
    ("Role", RBAC),
    ("ClusterRole", RBAC),
    ("StorageClass", "storage.k8s.io"),
    ("PriorityClass", "scheduling.k8s.io"),
    ("IngressClass", "networking.k8s.io"),
    ("ValidatingAdmissionPolicy", ADMISSION),
];

/// The kinds without a namespace, among those that occur in the table.
const CLUSTER_WIDE: [&str; 12] = [
    "APIService",
    "ClusterRole",
    "ClusterRoleBinding",
    "IngressClass",
    "MutatingWebhookConfiguration",
    "Node",
    "PersistentVolume",
    "PriorityClass",
    "StorageClass",
    "ValidatingAdmissionPolicy",
    "ValidatingAdmissionPolicyBinding",
    "ValidatingWebhookConfiguration",
];

/// Returns the references in an object of the given kind and group, in the order in which kustomize
/// follows them.
pub fn name_references(kind: &str, group: &str) -> Vec<NameReference> {
    let mut found = Vec::new();
    in_pods(kind, &PODS, &IN_PODS, &mut found);
    in_pods(kind, &WORKLOADS, &IN_WORKLOADS, &mut found);
    for reference in &OTHERS {
        let is_of_group = reference.group.is_empty() || reference.group == group;
        if reference.referrer == kind && is_of_group {
            found.push(*reference);
        }
    }
    found
}

/// Adds the references of a kind that contains a pod.
fn in_pods(
    kind: &str,
    pod_paths: &[(&'static str, &'static str)],
    fields: &[(&'static str, &'static str)],
    found: &mut Vec<NameReference>,
) {
    for &(referrer, pod_path) in pod_paths {
        if referrer != kind {
            continue;
        }
        for &(target, field) in fields {
            found.push(NameReference {
                target,
                referrer,
                group: "",
                path: [pod_path, field],
            });
        }
    }
}

/// Returns the API group of a kind that is named, if it is not the core group.
pub fn target_group(kind: &str) -> Option<&'static str> {
    for (known, group) in GROUPS {
        if known == kind {
            return Some(group);
        }
    }
    None
}

/// Whether objects of a kind have no namespace.
pub fn is_cluster_wide(kind: &str) -> bool {
    CLUSTER_WIDE.contains(&kind)
}
