//! The fields in which objects name other objects: kustomize's built-in `nameReference` configuration.
//!
//! A path is keys with blanks between them, since keys may hold dots and slashes. Lists on the way are gone through.

/// A field of objects of some kind that holds the name of an object of another kind.
#[derive(Clone, Copy, Debug)]
pub struct Reference {
    /// The kind of the object that is named.
    pub target: &'static str,
    /// The kind of the object that names it.
    pub referrer: &'static str,
    /// The API group of the object that names it; empty for any.
    pub group: &'static str,
    /// The path to the name: to a text, to a list of texts, or to mappings with a `name`.
    pub path: [&'static str; 2],
}

/// Objects that hold a pod, and where: those that kustomize knows for ConfigMaps and Secrets.
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

/// The same for service accounts, claims and priorities.
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

/// All other fields: what is named, what names it with its group, and the path.
const OTHERS: [(&str, &str, &str, &str); 41] = [
    (
        "Deployment",
        "HorizontalPodAutoscaler",
        "",
        "spec scaleTargetRef name",
    ),
    (
        "ReplicationController",
        "HorizontalPodAutoscaler",
        "",
        "spec scaleTargetRef name",
    ),
    (
        "ReplicaSet",
        "HorizontalPodAutoscaler",
        "",
        "spec scaleTargetRef name",
    ),
    (
        "StatefulSet",
        "HorizontalPodAutoscaler",
        "",
        "spec scaleTargetRef name",
    ),
    ("ConfigMap", "Node", "", "spec configSource configMap"),
    ("ConfigMap", "Role", "", "rules resourceNames"),
    ("ConfigMap", "ClusterRole", "", "rules resourceNames"),
    (
        "ConfigMap",
        "Ingress",
        "",
        "metadata annotations nginx.ingress.kubernetes.io/fastcgi-params-configmap",
    ),
    ("Secret", "Ingress", "", "spec tls secretName"),
    (
        "Secret",
        "Ingress",
        "",
        "metadata annotations ingress.kubernetes.io/auth-secret",
    ),
    (
        "Secret",
        "Ingress",
        "",
        "metadata annotations nginx.ingress.kubernetes.io/auth-secret",
    ),
    (
        "Secret",
        "Ingress",
        "",
        "metadata annotations nginx.ingress.kubernetes.io/auth-tls-secret",
    ),
    ("Secret", "ServiceAccount", "", "imagePullSecrets name"),
    ("Secret", "StorageClass", "", "parameters secretName"),
    ("Secret", "StorageClass", "", "parameters adminSecretName"),
    ("Secret", "StorageClass", "", "parameters userSecretName"),
    ("Secret", "StorageClass", "", "parameters secretRef"),
    ("Secret", "Role", "", "rules resourceNames"),
    ("Secret", "ClusterRole", "", "rules resourceNames"),
    (
        "Secret",
        "Service",
        "serving.knative.dev",
        "spec template spec containers env valueFrom secretKeyRef name",
    ),
    (
        "Secret",
        "PersistentVolume",
        "",
        "spec azureFile secretName",
    ),
    ("Service", "StatefulSet", "apps", "spec serviceName"),
    (
        "Service",
        "Ingress",
        "",
        "spec rules http paths backend serviceName",
    ),
    ("Service", "Ingress", "", "spec backend serviceName"),
    (
        "Service",
        "Ingress",
        "",
        "spec rules http paths backend service name",
    ),
    ("Service", "Ingress", "", "spec defaultBackend service name"),
    (
        "Service",
        "APIService",
        "apiregistration.k8s.io",
        "spec service name",
    ),
    (
        "Service",
        "ValidatingWebhookConfiguration",
        ADMISSION,
        "webhooks clientConfig service",
    ),
    (
        "Service",
        "MutatingWebhookConfiguration",
        ADMISSION,
        "webhooks clientConfig service",
    ),
    ("Role", "RoleBinding", RBAC, "roleRef name"),
    ("ClusterRole", "RoleBinding", RBAC, "roleRef name"),
    ("ClusterRole", "ClusterRoleBinding", RBAC, "roleRef name"),
    ("ServiceAccount", "RoleBinding", RBAC, "subjects"),
    ("ServiceAccount", "ClusterRoleBinding", RBAC, "subjects"),
    (
        "PersistentVolume",
        "PersistentVolumeClaim",
        "",
        "spec volumeName",
    ),
    ("PersistentVolume", "ClusterRole", "", "rules resourceNames"),
    (
        "StorageClass",
        "PersistentVolume",
        "",
        "spec storageClassName",
    ),
    (
        "StorageClass",
        "PersistentVolumeClaim",
        "",
        "spec storageClassName",
    ),
    (
        "StorageClass",
        "StatefulSet",
        "",
        "spec volumeClaimTemplates spec storageClassName",
    ),
    ("IngressClass", "Ingress", "", "spec ingressClassName"),
    (
        "ValidatingAdmissionPolicy",
        "ValidatingAdmissionPolicyBinding",
        ADMISSION,
        "spec policyName",
    ),
];

/// The groups of kinds that are named, but for those of the core group.
const GROUPS: [(&str, &str); 6] = [
    ("Role", RBAC),
    ("ClusterRole", RBAC),
    ("StorageClass", "storage.k8s.io"),
    ("PriorityClass", "scheduling.k8s.io"),
    ("IngressClass", "networking.k8s.io"),
    ("ValidatingAdmissionPolicy", ADMISSION),
];

/// Kinds that stand in no namespace, among those that the table names.
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

/// The fields of an object of the kind and group given that name other objects.
pub fn references(kind: &str, group: &str) -> Vec<Reference> {
    let pods = PODS
        .iter()
        .flat_map(|holder| IN_PODS.iter().map(move |field| (holder, field)));
    let workloads = WORKLOADS
        .iter()
        .flat_map(|holder| IN_WORKLOADS.iter().map(move |field| (holder, field)));
    let nested = pods
        .chain(workloads)
        .map(|(&(referrer, holder), &(target, field))| {
            let path = [holder, field];
            Reference {
                target,
                referrer,
                group: "",
                path,
            }
        });
    let others = OTHERS
        .iter()
        .map(|&(target, referrer, group, path)| Reference {
            target,
            referrer,
            group,
            path: [path, ""],
        });
    let fits =
        |one: &Reference| one.referrer == kind && (one.group.is_empty() || one.group == group);
    nested.chain(others).filter(fits).collect()
}

/// The group of a kind that is named, where the table says one.
pub fn target_group(kind: &str) -> Option<&'static str> {
    GROUPS
        .iter()
        .find(|(known, _)| *known == kind)
        .map(|(_, group)| *group)
}

/// Whether objects of a kind stand in no namespace.
pub fn is_cluster_wide(kind: &str) -> bool {
    CLUSTER_WIDE.contains(&kind)
}
