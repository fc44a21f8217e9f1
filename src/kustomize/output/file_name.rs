//! The names of the files in an output folder, as `kustomize build -o DIR` chooses them.

use std::collections::BTreeSet;

use crate::kubernetes::{Resource, ResourceId};

/// Returns the name of the file for each object: `apps_v1_deployment_web.yaml`, with the namespace
/// in front if the objects are in more than one.
pub fn file_names(resources: &[Resource]) -> Vec<String> {
    let ids: Vec<ResourceId<'_>> = resources.iter().map(Resource::id).collect();
    let namespaced = ids.iter().filter(|id| !id.is_cluster_scoped());
    let namespaces: BTreeSet<&str> = namespaced.map(|id| id.effective_namespace()).collect();
    let is_split = namespaces.len() > 1;
    ids.iter().map(|id| file_name(*id, is_split)).collect()
}

fn file_name(id: ResourceId<'_>, is_split: bool) -> String {
    let mut name = String::new();
    if is_split && !id.is_cluster_scoped() {
        name.push_str(id.effective_namespace());
        name.push('_');
    }
    for part in [id.group, id.version, id.kind] {
        if !part.is_empty() {
            name.push_str(part);
            name.push('_');
        }
    }
    name.push_str(id.name);
    format!("{}.yaml", name.to_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(objects: &[(&str, &str, &str, &str)]) -> Vec<String> {
        let resource = |(api_version, kind, name, namespace): &(&str, &str, &str, &str)| {
            let text = format!(
                "apiVersion: {api_version}\nkind: {kind}\nmetadata: {{name: '{name}', namespace: '{namespace}'}}\n"
            );
            let source = crate::source::Source::new("a.yaml", text).unwrap();
            let stream = crate::yaml::parse(&source).unwrap();
            Resource::new(std::sync::Arc::clone(&stream.documents[0].root)).unwrap()
        };
        file_names(&objects.iter().map(resource).collect::<Vec<_>>())
    }

    #[test]
    fn names_files_by_group_version_kind_and_name() {
        let objects = [
            ("apps/v1", "Deployment", "Web", ""),
            ("v1", "Service", "web", "default"),
            (
                "rbac.authorization.k8s.io/v1",
                "ClusterRole",
                "system:x",
                "",
            ),
        ];
        let expected = [
            "apps_v1_deployment_web.yaml",
            "v1_service_web.yaml",
            "rbac.authorization.k8s.io_v1_clusterrole_system:x.yaml",
        ];
        assert_eq!(names(&objects), expected);
    }

    #[test]
    fn adds_the_namespace_if_there_are_several() {
        let objects = [
            ("v1", "Service", "web", ""),
            ("v1", "Service", "web", "Prod"),
            ("v1", "Namespace", "prod", ""),
        ];
        let expected = [
            "default_v1_service_web.yaml",
            "prod_v1_service_web.yaml",
            "v1_namespace_prod.yaml",
        ];
        assert_eq!(names(&objects), expected);
    }
}
