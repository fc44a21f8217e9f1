//! Ids of Kubernetes objects.

use std::fmt;

use super::scope::is_cluster_scoped;

/// The namespace of an object that does not specify one.
const DEFAULT_NAMESPACE: &str = "default";

/// The namespace that kustomize assigns to cluster-scoped objects when it compares ids.
const NO_NAMESPACE: &str = "_non_namespaceable_";

/// The id of an object. Unknown parts are empty.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ResourceId<'a> {
    /// The API group, such as `apps`; empty for the core group.
    pub group: &'a str,
    /// The API version, such as `v1`.
    pub version: &'a str,
    /// The kind, such as `Deployment`.
    pub kind: &'a str,
    /// The name.
    pub name: &'a str,
    /// The namespace as written in the object.
    pub namespace: &'a str,
}

impl<'a> ResourceId<'a> {
    /// Returns the id as messages and command lines spell it: `Deployment/web`, or
    /// `Deployment/shop/web` in a namespace. [`Display`](fmt::Display) also prints the group and
    /// version, as in kustomize's messages.
    pub fn short(self) -> String {
        match self.namespace {
            "" => format!("{}/{}", self.kind, self.name),
            namespace => format!("{}/{namespace}/{}", self.kind, self.name),
        }
    }

    /// Returns the id without its namespace.
    pub fn without_namespace(self) -> ResourceId<'a> {
        ResourceId {
            namespace: "",
            ..self
        }
    }

    /// Returns the namespace, or `default` if none is written.
    pub fn effective_namespace(self) -> &'a str {
        if self.namespace.is_empty() {
            DEFAULT_NAMESPACE
        } else {
            self.namespace
        }
    }

    /// Returns the namespace with which kustomize compares ids: the same constant for all
    /// cluster-scoped objects, regardless of their `namespace` field, and [`effective_namespace`]
    /// for all others.
    ///
    /// [`effective_namespace`]: Self::effective_namespace
    pub fn scoped_namespace(self) -> &'a str {
        if self.is_cluster_scoped() {
            NO_NAMESPACE
        } else {
            self.effective_namespace()
        }
    }

    /// Returns whether kustomize treats the object as cluster-scoped.
    pub fn is_cluster_scoped(self) -> bool {
        is_cluster_scoped(self.group, self.version, self.kind)
    }

    /// Returns whether two ids identify the same object for kustomize, which compares the effective
    /// namespaces.
    pub fn is_same_object(self, other: ResourceId<'_>) -> bool {
        (self.group, self.version, self.kind, self.name)
            == (other.group, other.version, other.kind, other.name)
            && self.scoped_namespace() == other.scoped_namespace()
    }
}

/// Prints the id as kustomize does: `Kind.version.group/name.namespace`, with a placeholder for
/// each empty part.
impl fmt::Display for ResourceId<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = or_placeholder(self.kind, "[noKind]");
        let version = or_placeholder(self.version, "[noVer]");
        let group = or_placeholder(self.group, "[noGrp]");
        let name = or_placeholder(self.name, "[noName]");
        let namespace = or_placeholder(self.namespace, "[noNs]");
        write!(f, "{kind}.{version}.{group}/{name}.{namespace}")
    }
}

fn or_placeholder<'a>(part: &'a str, placeholder: &'a str) -> &'a str {
    if part.is_empty() { placeholder } else { part }
}

/// Splits an `apiVersion` into group and version: `apps/v1` into `apps` and `v1`, and `v1` into the
/// empty core group and `v1`.
pub fn split_api_version(api_version: &str) -> (&str, &str) {
    api_version.split_once('/').unwrap_or(("", api_version))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prints_an_id_as_kustomize_does() {
        let id = ResourceId {
            kind: "Deployment",
            name: "deploy",
            ..ResourceId::default()
        };
        assert_eq!(id.to_string(), "Deployment.[noVer].[noGrp]/deploy.[noNs]");
        let id = ResourceId {
            group: "apps",
            version: "v1",
            namespace: "prod",
            ..id
        };
        assert_eq!(id.to_string(), "Deployment.v1.apps/deploy.prod");
        assert_eq!(
            ResourceId::default().to_string(),
            "[noKind].[noVer].[noGrp]/[noName].[noNs]"
        );
    }

    #[test]
    fn splits_an_api_version_without_a_slash_into_the_core_group() {
        assert_eq!(split_api_version("apps/v1"), ("apps", "v1"));
        assert_eq!(split_api_version("v1"), ("", "v1"));
    }

    #[test]
    fn compares_namespaces_by_their_effect() {
        let id = ResourceId {
            version: "v1",
            kind: "ConfigMap",
            name: "a",
            ..ResourceId::default()
        };
        let with = |id: ResourceId<'static>, namespace| ResourceId { namespace, ..id };
        assert!(id.is_same_object(with(id, "default")));
        assert!(!id.is_same_object(with(id, "prod")));
        let node = ResourceId { kind: "Node", ..id };
        assert!(node.is_same_object(with(node, "prod")));
        assert_eq!(node.scoped_namespace(), "_non_namespaceable_");
    }

    #[test]
    fn uses_the_default_namespace_if_none_is_written() {
        assert_eq!(ResourceId::default().effective_namespace(), "default");
        assert_eq!(
            ResourceId {
                namespace: "prod",
                ..ResourceId::default()
            }
            .effective_namespace(),
            "prod"
        );
    }
}
