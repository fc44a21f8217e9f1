//! The kinds that kustomize treats as cluster-scoped.
//!
//! kustomize decides by the exact `apiVersion` and `kind` in the schema of Kubernetes 1.21 that it
//! contains, with a few manual additions. A kind that this schema does not contain counts as
//! namespaced, even if a newer Kubernetes defines it as cluster-scoped: a kustomization is built as
//! kustomize builds it.

/// Returns whether kustomize treats objects of this kind as cluster-scoped.
pub(super) fn is_cluster_scoped(group: &str, version: &str, kind: &str) -> bool {
    let has_beta = matches!(version, "v1" | "v1beta1");
    match group {
        "" => {
            version == "v1"
                && matches!(
                    kind,
                    "ComponentStatus"
                        | "Namespace"
                        | "Node"
                        | "NodeProxyOptions"
                        | "PersistentVolume"
                )
        }
        "admissionregistration.k8s.io" => {
            let is_webhook = matches!(
                kind,
                "MutatingWebhookConfiguration" | "ValidatingWebhookConfiguration"
            );
            let is_policy = matches!(
                kind,
                "ValidatingAdmissionPolicy" | "ValidatingAdmissionPolicyBinding"
            );
            has_beta && is_webhook || version == "v1" && is_policy
        }
        "apiextensions.k8s.io" => has_beta && kind == "CustomResourceDefinition",
        "apiregistration.k8s.io" => has_beta && kind == "APIService",
        "certificates.k8s.io" => has_beta && kind == "CertificateSigningRequest",
        "flowcontrol.apiserver.k8s.io" => {
            version == "v1beta1" && matches!(kind, "FlowSchema" | "PriorityLevelConfiguration")
        }
        "networking.k8s.io" => has_beta && kind == "IngressClass",
        "node.k8s.io" => has_beta && kind == "RuntimeClass",
        "policy" => version == "v1beta1" && kind == "PodSecurityPolicy",
        "rbac.authorization.k8s.io" => {
            has_beta && matches!(kind, "ClusterRole" | "ClusterRoleBinding")
        }
        "scheduling.k8s.io" => has_beta && kind == "PriorityClass",
        "storage.k8s.io" => {
            has_beta
                && matches!(
                    kind,
                    "CSIDriver" | "CSINode" | "StorageClass" | "VolumeAttachment"
                )
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knows_a_kind_only_in_the_versions_of_the_schema() {
        assert!(is_cluster_scoped("", "v1", "Namespace"));
        assert!(!is_cluster_scoped("foo", "v1", "Namespace"));
        assert!(!is_cluster_scoped("", "v2", "Namespace"));
        let rbac = "rbac.authorization.k8s.io";
        assert!(is_cluster_scoped(rbac, "v1beta1", "ClusterRole"));
        assert!(!is_cluster_scoped(rbac, "v1", "Role"));
        let admission = "admissionregistration.k8s.io";
        assert!(is_cluster_scoped(
            admission,
            "v1",
            "ValidatingAdmissionPolicy"
        ));
        assert!(!is_cluster_scoped(
            admission,
            "v1beta1",
            "ValidatingAdmissionPolicy"
        ));
        let flow_control = "flowcontrol.apiserver.k8s.io";
        assert!(!is_cluster_scoped(flow_control, "v1", "FlowSchema"));
        assert!(!is_cluster_scoped("example.com", "v1", "ClusterIssuer"));
    }
}
