//! References that follow a name, by kinds and namespaces.

use super::*;
use crate::source::Source;
use crate::yaml::{faithful, parse};

fn renamed(kind: &str, group: &str, namespace: &str, new: &str) -> RenamedObject {
    let text = |text: &str| text.to_owned();
    let (old, location) = (text("demo"), None);
    RenamedObject {
        group: text(group),
        kind: text(kind),
        namespace: text(namespace),
        old,
        new: text(new),
        location,
    }
}

/// The text of an object after the renaming.
fn rename(text: &str, renamed: &[RenamedObject]) -> std::result::Result<String, String> {
    let stream = parse(&Source::new("object.yaml", text).unwrap()).unwrap();
    let mut resource = Resource::new(Arc::clone(&stream.documents[0].root)).unwrap();
    resource.has_aliases = stream.has_aliases;
    let mut resources = [resource];
    let mut diagnostics = Diagnostics::default();
    rename_references(&mut resources, renamed, &mut diagnostics);
    match diagnostics.as_slice() {
        [] => Ok(faithful::print(&stream, &[Arc::clone(&resources[0].node)])),
        [first, ..] => Err(first.message.clone()),
    }
}

const POD: &str = "
  containers:
  - name: demo # not this one
    env: [{name: demo, valueFrom: {configMapKeyRef: {name: demo, key: demo}}}]
    envFrom:
    - configMapRef: {name: 'demo'}
    - secretRef: {name: demo}
  volumes: [{name: demo, configMap: {name: demo}}, {name: x, projected: {sources: [{configMap: {name: other}}, {configMap: {name: demo}}]}}]
";

#[test]
fn updates_every_reference_of_a_pod_in_every_kind_that_contains_one() {
    let expected = POD
        .replace(
            "configMapKeyRef: {name: demo",
            "configMapKeyRef: {name: demo-1",
        )
        .replace(
            "configMapRef: {name: 'demo'",
            "configMapRef: {name: 'demo-1'",
        )
        .replace("configMap: {name: demo}", "configMap: {name: demo-1}");
    let heads = [
        ("v1", "Pod", "spec:"),
        ("v1", "PodTemplate", "template:\n spec:"),
        ("apps/v1", "Deployment", "spec:\n template:\n  spec:"),
        (
            "batch/v1",
            "CronJob",
            "spec:\n jobTemplate:\n  spec:\n   template:\n    spec:",
        ),
    ];
    for (version, kind, head) in heads {
        let indent =
            " ".repeat(head.len() - head.rfind('\n').map_or(0, |at| at + 1) - "spec:".len());
        let object = |pod: &str| {
            let pod = pod.replace("\n  ", &format!("\n{indent}  "));
            format!("apiVersion: {version}\nkind: {kind}\nmetadata: {{name: demo}}\n{head}{pod}")
        };
        assert_eq!(
            rename(
                &object(POD),
                &[renamed("ConfigMap", "", "default", "demo-1")]
            )
            .unwrap(),
            object(&expected)
        );
    }
}

#[test]
fn updates_other_kinds_of_references() {
    let table = [
        (
            "Secret",
            "",
            "kind: Ingress\nspec: {tls: [{secretName: demo}]}",
            1,
        ),
        (
            "Secret",
            "",
            "kind: Ingress\nmetadata: {annotations: {nginx.ingress.kubernetes.io/auth-secret: demo}}",
            1,
        ),
        (
            "Secret",
            "",
            "kind: ServiceAccount\nimagePullSecrets: [{name: demo}, {name: other}]",
            1,
        ),
        (
            "Secret",
            "",
            "kind: Role\nrules: [{resourceNames: [other, demo]}]",
            1,
        ),
        (
            "Secret",
            "",
            "apiVersion: serving.knative.dev/v1\nkind: Service\nspec: {template: {spec: {containers: [{env: [{valueFrom: {secretKeyRef: {name: demo}}}]}]}}}",
            1,
        ),
        (
            "Secret",
            "",
            "apiVersion: v1\nkind: Service\nspec: {template: {spec: {containers: [{env: [{valueFrom: {secretKeyRef: {name: demo}}}]}]}}}",
            0,
        ),
        (
            "ServiceAccount",
            "",
            "apiVersion: rbac.authorization.k8s.io/v1\nkind: RoleBinding\nsubjects: [{kind: ServiceAccount, name: demo}]",
            1,
        ),
        (
            "Role",
            "rbac.authorization.k8s.io",
            "apiVersion: rbac.authorization.k8s.io/v1\nkind: RoleBinding\nroleRef: {kind: Role, name: demo}",
            1,
        ),
        (
            "Role",
            "rbac.authorization.k8s.io",
            "apiVersion: rbac.authorization.k8s.io/v1\nkind: RoleBinding\nroleRef: {kind: ClusterRole, name: demo}",
            0,
        ),
        (
            "Deployment",
            "apps",
            "kind: HorizontalPodAutoscaler\nspec: {scaleTargetRef: {name: demo}}",
            1,
        ),
        (
            "ConfigMap",
            "",
            "kind: Other\nspec: {volumes: [{configMap: {name: demo}}]}",
            0,
        ),
    ];
    for (kind, group, text, times) in table {
        let found = rename(text, &[renamed(kind, group, "default", "demo-1")]).unwrap();
        assert_eq!(found.matches("demo-1").count(), times, "{found}");
        assert_eq!(found.replace("demo-1", "demo"), text);
    }
}

#[test]
fn resolves_a_reference_in_its_own_namespace() {
    let both = [
        renamed("ConfigMap", "", "default", "demo-1"),
        renamed("ConfigMap", "", "prod", "demo-2"),
    ];
    let pod = |namespace: &str, name: &str| {
        format!(
            "apiVersion: v1\nkind: Pod\nmetadata: {{namespace: {namespace}}}\nspec: {{volumes: [{{configMap: {{name: {name}}}}}]}}\n"
        )
    };
    for (namespace, name) in [
        ("default", "demo-1"),
        ("''", "demo-1"),
        ("prod", "demo-2"),
        ("test", "demo"),
    ] {
        assert_eq!(
            rename(&pod(namespace, "demo"), &both).unwrap(),
            pod(namespace, name)
        );
    }
    let role = "kind: ClusterRole\nrules: [{resourceNames: [demo]}]";
    assert_eq!(
        rename(role, &both[..1]).unwrap(),
        role.replace("demo", "demo-1")
    );
    assert!(
        rename(role, &both)
            .unwrap_err()
            .starts_with("found multiple possible referrals")
    );
}

#[test]
fn follows_aliases() {
    let text = "apiVersion: v1\nkind: Pod\nspec:\n  volumes:\n  - configMap: &x {name: demo}\n  - configMap: *x\n";
    let found = rename(text, &[renamed("ConfigMap", "", "default", "demo-1")]).unwrap();
    assert!(!found.contains("demo}"), "{found}");
}
