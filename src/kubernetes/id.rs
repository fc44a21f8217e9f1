//! What tells one Kubernetes object from another.

use std::fmt;

/// The namespace of an object that names none.
const DEFAULT_NAMESPACE: &str = "default";

/// The identity of an object; a part that is not given is empty.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Id<'a> {
    /// The API group, such as `apps`; empty for the core group.
    pub group: &'a str,
    /// The API version, such as `v1`.
    pub version: &'a str,
    /// The kind, such as `Deployment`.
    pub kind: &'a str,
    /// The name.
    pub name: &'a str,
    /// The namespace as it is written.
    pub namespace: &'a str,
}

impl<'a> Id<'a> {
    /// The namespace, which is `default` where none is written.
    pub fn effective_namespace(self) -> &'a str {
        if self.namespace.is_empty() {
            DEFAULT_NAMESPACE
        } else {
            self.namespace
        }
    }
}

/// Prints the id as kustomize does: `Kind.version.group/name.namespace`, with a placeholder for each empty part.
impl fmt::Display for Id<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = or(self.kind, "[noKind]");
        let version = or(self.version, "[noVer]");
        let group = or(self.group, "[noGrp]");
        let name = or(self.name, "[noName]");
        let namespace = or(self.namespace, "[noNs]");
        write!(f, "{kind}.{version}.{group}/{name}.{namespace}")
    }
}

fn or<'a>(part: &'a str, placeholder: &'a str) -> &'a str {
    if part.is_empty() { placeholder } else { part }
}

/// Group and version of an `apiVersion`: `apps/v1` is `apps` and `v1`, `v1` is the empty group and `v1`.
pub fn split_api_version(api_version: &str) -> (&str, &str) {
    api_version.split_once('/').unwrap_or(("", api_version))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_printed_as_kustomize_prints_it() {
        let id = Id {
            kind: "Deployment",
            name: "deploy",
            ..Id::default()
        };
        assert_eq!(id.to_string(), "Deployment.[noVer].[noGrp]/deploy.[noNs]");
        let id = Id {
            group: "apps",
            version: "v1",
            namespace: "prod",
            ..id
        };
        assert_eq!(id.to_string(), "Deployment.v1.apps/deploy.prod");
        assert_eq!(
            Id::default().to_string(),
            "[noKind].[noVer].[noGrp]/[noName].[noNs]"
        );
    }

    #[test]
    fn an_api_version_without_a_slash_has_the_core_group() {
        assert_eq!(split_api_version("apps/v1"), ("apps", "v1"));
        assert_eq!(split_api_version("v1"), ("", "v1"));
    }

    #[test]
    fn no_namespace_is_the_default_namespace() {
        assert_eq!(Id::default().effective_namespace(), "default");
        assert_eq!(
            Id {
                namespace: "prod",
                ..Id::default()
            }
            .effective_namespace(),
            "prod"
        );
    }
}
