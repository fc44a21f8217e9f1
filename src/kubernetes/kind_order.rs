//! The order in which kustomize sorts kinds: kinds that others depend on, such as namespaces, come
//! first, and webhooks, which could block the others, come last.

use std::cmp::Ordering;
use std::collections::HashMap;

use super::id::ResourceId;

/// The kinds that come before all others.
const FIRST: [&str; 22] = [
    "Namespace",
    "ResourceQuota",
    "StorageClass",
    "CustomResourceDefinition",
    "ServiceAccount",
    "PodSecurityPolicy",
    "Role",
    "ClusterRole",
    "RoleBinding",
    "ClusterRoleBinding",
    "ConfigMap",
    "Secret",
    "Endpoints",
    "Service",
    "LimitRange",
    "PriorityClass",
    "PersistentVolume",
    "PersistentVolumeClaim",
    "Deployment",
    "StatefulSet",
    "CronJob",
    "PodDisruptionBudget",
];

/// The kinds that come after all others.
const LAST: [&str; 2] = [
    "MutatingWebhookConfiguration",
    "ValidatingWebhookConfiguration",
];

/// An order of kinds, regardless of their groups: some first, some last, and all others between
/// them.
#[derive(Clone, Debug)]
pub struct KindOrder {
    ranks: HashMap<Box<str>, i64>,
}

impl Default for KindOrder {
    /// Returns kustomize's default order, which it calls `legacy`.
    fn default() -> KindOrder {
        KindOrder::new(FIRST, LAST)
    }
}

impl KindOrder {
    /// Creates the order in which the kinds of `first` come first and those of `last` come last. A
    /// kind in both lists comes last.
    pub fn new<K: AsRef<str>>(
        first: impl IntoIterator<Item = K>,
        last: impl IntoIterator<Item = K>,
    ) -> KindOrder {
        // A kind in neither list has rank 0.
        let mut ranks = HashMap::new();
        for (position, kind) in (i64::MIN..).zip(first) {
            ranks.insert(Box::from(kind.as_ref()), position);
        }
        for (position, kind) in (1..).zip(last) {
            ranks.insert(Box::from(kind.as_ref()), position);
        }
        KindOrder { ranks }
    }

    /// Compares two kinds with their groups and versions, ignoring names and namespaces.
    ///
    /// Kinds with the same rank are compared by `group_version_kind`. An empty part is replaced by
    /// a word that begins with `~`, so the core group comes after all others.
    pub fn compare(&self, left: ResourceId<'_>, right: ResourceId<'_>) -> Ordering {
        let by_rank = self.rank(left.kind).cmp(&self.rank(right.kind));
        by_rank.then_with(|| {
            let by_text = sort_text(left).cmp(&sort_text(right));
            let is_namespace = left.kind == "Namespace" && right.kind == "Namespace";
            // The Namespaces of the core group come before those of any other group.
            if is_namespace && (left.group.is_empty() || right.group.is_empty()) {
                by_text.reverse()
            } else {
                by_text
            }
        })
    }

    fn rank(&self, kind: &str) -> i64 {
        self.ranks.get(kind).copied().unwrap_or(0)
    }
}

fn sort_text(id: ResourceId<'_>) -> String {
    let group = or_placeholder(id.group, "~G");
    let version = or_placeholder(id.version, "~V");
    let kind = or_placeholder(id.kind, "~K");
    format!("{group}_{version}_{kind}")
}

fn or_placeholder<'a>(part: &'a str, placeholder: &'a str) -> &'a str {
    if part.is_empty() { placeholder } else { part }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kubernetes::split_api_version;

    fn sorted(order: &KindOrder, mut kinds: Vec<&'static str>) -> Vec<&'static str> {
        kinds.sort_by(|left, right| order.compare(id(left), id(right)));
        kinds
    }

    /// Parses an id such as `apps/v1 Deployment`.
    fn id(text: &str) -> ResourceId<'_> {
        let (api_version, kind) = text.split_once(' ').unwrap();
        let (group, version) = split_api_version(api_version);
        ResourceId {
            group,
            version,
            kind,
            ..ResourceId::default()
        }
    }

    #[test]
    fn compares_rank_then_group_version_and_kind() {
        let expected = [
            "v1 Namespace",
            "foo/v1 Namespace",
            "serving.knative.dev/v1 Service",
            "v1 Service",
            "apps/v1 Deployment",
            "apps/v1 DaemonSet",
            "batch/v1 Job",
            "v1 Pod",
            " Thing",
            "admissionregistration.k8s.io/v1 MutatingWebhookConfiguration",
            "admissionregistration.k8s.io/v1 ValidatingWebhookConfiguration",
        ];
        let reversed = expected.iter().rev().copied().collect();
        assert_eq!(sorted(&KindOrder::default(), reversed), expected);
    }

    #[test]
    fn lists_given_replace_the_default_ones() {
        let order = KindOrder::new(["Pod", "Job"], ["Job", "Namespace"]);
        assert_eq!(
            sorted(
                &order,
                vec!["v1 Namespace", "v1 Job", "v1 Secret", "v1 Pod"]
            ),
            ["v1 Pod", "v1 Secret", "v1 Job", "v1 Namespace"]
        );
    }
}
