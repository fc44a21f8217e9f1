//! References that follow a name, by kinds, namespaces and the ways that objects took.

use super::*;
use crate::kustomize::field_spec::FieldSpecs;
use crate::kustomize::test_objects::run;
use crate::source::Source;
use crate::yaml::parse;

/// The text of objects after those with `was` in their metadata got their names. `was` is removed.
///
/// `was: a` gives the object the previous name `a`, `was: a,b` both; `in: x` is the namespace at
/// that time, `affixes: x` a prefix.
fn updated_with(specs: &FieldSpecs, text: &str) -> (Result<String, String>, Vec<String>) {
    run(text, |resources, diagnostics| {
        for resource in resources.iter_mut() {
            let name = resource.node.get_in(&["metadata", "name"]).cloned();
            let text = |key: &str| {
                let node = resource.node.get_in(&["metadata", key])?;
                node.text().map(str::to_owned)
            };
            let (was, namespace, prefixes) = (text("was"), text("in"), text("prefixes"));
            let mut before = resource.clone();
            for old in was.iter().flat_map(|was| was.split(',')) {
                before.set_name(Node::string(old));
                before.record_id();
                if let Some(namespace) = &namespace
                    && let Some(previous) = before.history.previous_ids.last_mut()
                {
                    previous.namespace.clone_from(namespace);
                }
            }
            resource.history = before.history;
            for prefix in prefixes.iter().flat_map(|prefixes| prefixes.split(',')) {
                resource.history.prefixes.push(prefix.to_owned());
            }
            assert!(name.is_some());
        }
        update_references(specs, resources, diagnostics)
    })
}

fn updated(text: &str) -> Result<String, String> {
    updated_with(&FieldSpecs::builtin(), text).0
}

fn check(text: &str, changes: &[(&str, &str)]) {
    let mut expected = text.to_owned();
    for (old, new) in changes {
        assert!(expected.contains(old), "{old}");
        expected = expected.replace(old, new);
    }
    assert_eq!(updated(text).unwrap(), expected);
}

const CONFIG: &str = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: demo-1, was: demo}\n---\n";

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
            format!(
                "{CONFIG}apiVersion: {version}\nkind: {kind}\nmetadata: {{name: demo}}\n{head}{pod}"
            )
        };
        assert_eq!(updated(&object(POD)).unwrap(), object(&expected));
    }
}

#[test]
fn updates_other_kinds_of_references() {
    let rbac = "apiVersion: rbac.authorization.k8s.io/v1";
    let table = [
        ("v1", "Secret", "kind: Ingress\nspec: {tls: [{secretName: demo}]}".to_owned(), 1),
        (
            "v1",
            "Secret",
            "kind: Ingress\nmetadata: {name: i, annotations: {nginx.ingress.kubernetes.io/auth-secret: demo}}".to_owned(),
            1,
        ),
        (
            "v1",
            "Secret",
            "kind: ServiceAccount\nimagePullSecrets: [{name: demo}, {name: other}]".to_owned(),
            1,
        ),
        ("v1", "Secret", "kind: Role\nrules: [{resourceNames: [other, demo]}]".to_owned(), 1),
        (
            "v1",
            "Secret",
            "apiVersion: serving.knative.dev/v1\nkind: Service\nspec: {template: {spec: {containers: [{env: [{valueFrom: {secretKeyRef: {name: demo}}}]}]}}}".to_owned(),
            1,
        ),
        (
            "v1",
            "Secret",
            "apiVersion: v1\nkind: Service\nspec: {template: {spec: {containers: [{env: [{valueFrom: {secretKeyRef: {name: demo}}}]}]}}}".to_owned(),
            0,
        ),
        // Another version of the target is not meant.
        ("v2", "Secret", "kind: Ingress\nspec: {tls: [{secretName: demo}]}".to_owned(), 0),
        ("v1", "ServiceAccount", format!("{rbac}\nkind: RoleBinding\nsubjects: [{{kind: ServiceAccount, name: demo}}]"), 1),
        (
            "rbac.authorization.k8s.io/v1",
            "Role",
            format!("{rbac}\nkind: RoleBinding\nroleRef: {{kind: Role, name: demo}}"),
            1,
        ),
        (
            "rbac.authorization.k8s.io/v1",
            "Role",
            format!("{rbac}\nkind: RoleBinding\nroleRef: {{apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: demo}}"),
            0,
        ),
        (
            "apps/v1",
            "Deployment",
            "kind: HorizontalPodAutoscaler\nspec: {scaleTargetRef: {name: demo}}".to_owned(),
            1,
        ),
        ("v1", "ConfigMap", "kind: Other\nspec: {volumes: [{configMap: {name: demo}}]}".to_owned(), 0),
    ];
    for (version, kind, referrer, times) in table {
        let head = format!(
            "apiVersion: {version}\nkind: {kind}\nmetadata: {{name: demo-1, was: demo}}\n---\n"
        );
        let referrer = match referrer.contains("metadata:") {
            true => referrer,
            false => format!("{referrer}\nmetadata: {{name: referrer}}"),
        };
        let found = updated(&format!("{head}{referrer}\n")).unwrap();
        let found = found.strip_prefix(&head).unwrap();
        assert_eq!(found.matches("demo-1").count(), times, "{found}");
        assert_eq!(found.trim_end().replace("demo-1", "demo"), referrer);
    }
}

fn config(name: &str, metadata: &str) -> String {
    format!("apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: {name}, {metadata}}}\n---\n")
}

fn pod(metadata: &str, name: &str) -> String {
    format!(
        "apiVersion: v1\nkind: Pod\nmetadata: {{name: p, {metadata}}}\nspec: {{volumes: [{{configMap: {{name: {name}}}}}]}}\n"
    )
}

#[test]
fn resolves_a_reference_in_its_own_namespace() {
    let both = config("demo-1", "was: demo") + &config("demo-2", "was: demo, namespace: prod");
    for (metadata, name) in [
        ("namespace: default", "demo-1"),
        ("namespace: ''", "demo-1"),
        ("namespace: prod", "demo-2"),
        ("namespace: test", "demo"),
    ] {
        let text = format!("{both}{}", pod(metadata, "demo"));
        let expected = format!("{both}{}", pod(metadata, name));
        assert_eq!(updated(&text).unwrap(), expected);
    }
    let role = "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: r}\nrules: [{resourceNames: [demo]}]\n";
    let first = config("demo-1", "was: demo");
    check(&format!("{first}{role}"), &[("[demo]", "[demo-1]")]);
    let message = updated(&format!("{both}{role}")).unwrap_err();
    let expected = "updating name reference in 'rules/resourceNames' field of 'ClusterRole.v1.rbac.authorization.k8s.io/r.[noNs]': \
                    considering field 'rules/resourceNames' of object ClusterRole.v1.rbac.authorization.k8s.io/r.[noNs]: \
                    found multiple possible referrals: `demo` may mean several objects of kind ConfigMap";
    assert_eq!(message, expected);
}

#[test]
fn follows_any_name_that_an_object_had() {
    let config = config("p-demo-1", "was: 'demo,p-demo'");
    for name in ["demo", "p-demo"] {
        check(
            &format!("{config}{}", pod("x: y", name)),
            &[(&pod("x: y", name), &pod("x: y", "p-demo-1"))],
        );
    }
    let text = format!("{config}{}", pod("x: y", "p-demo-1"));
    assert_eq!(updated(&text).unwrap(), text);
}

#[test]
fn chooses_the_object_with_the_same_prefixes() {
    let both =
        config("a-demo", "was: demo, prefixes: a-") + &config("b-demo", "was: demo, prefixes: b-");
    for (metadata, name) in [
        ("prefixes: a-", "a-demo"),
        ("prefixes: b-", "b-demo"),
        ("prefixes: c-", "demo"),
    ] {
        let text = format!("{both}{}", pod(metadata, "demo"));
        let expected = format!("{both}{}", pod(metadata, name));
        assert_eq!(updated(&text).unwrap(), expected);
    }
    // Without a prefix both may be meant, and kustomize chooses none.
    let text = format!("{both}{}", pod("x: y", "demo"));
    let (found, messages) = updated_with(&FieldSpecs::builtin(), &text);
    assert_eq!(found.unwrap(), text);
    assert_eq!(
        messages,
        ["the reference `demo` stays: it may mean several objects of kind ConfigMap"]
    );
    // One that went further is in the same context; one without a prefix loses against it.
    let both = config("z-a-demo", "was: demo, prefixes: 'a-,z-'") + &config("demo-1", "was: demo");
    let text = format!("{both}{}", pod("prefixes: 'b-,a-,z-'", "demo"));
    assert!(
        updated(&text)
            .unwrap()
            .ends_with(&pod("prefixes: 'b-,a-,z-'", "z-a-demo"))
    );
}

#[test]
fn names_a_moved_service_with_its_namespace() {
    let service = "apiVersion: v1\nkind: Service\nmetadata: {name: web-1, namespace: new, was: web, in: old}\n---\n";
    let webhook = |service: &str| {
        format!(
            "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingWebhookConfiguration\nmetadata: {{name: w}}\n\
             webhooks: [{{clientConfig: {{service: {service}}}}}]\n"
        )
    };
    for (before, after) in [
        ("{name: web}", "{name: web-1, namespace: new}"),
        (
            "{name: web, namespace: old}",
            "{name: web-1, namespace: new}",
        ),
        (
            "{name: web, namespace: new}",
            "{name: web-1, namespace: new}",
        ),
        (
            "{name: web, namespace: other}",
            "{name: web, namespace: other}",
        ),
        (
            "{name: else, namespace: old}",
            "{name: else, namespace: old}",
        ),
    ] {
        let text = format!("{service}{}", webhook(before));
        assert_eq!(
            updated(&text).unwrap(),
            format!("{service}{}", webhook(after))
        );
    }
    let message = updated(&format!("{service}{}", webhook("{namespace: old}"))).unwrap_err();
    assert!(
        message.contains("path config error; no 'name' field in node"),
        "{message}"
    );
}

#[test]
fn reaches_the_namespaces_of_the_accounts_of_a_role_binding() {
    let account = "apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: web-1, namespace: apps, was: web, in: apps}\n---\n";
    let binding = |name: &str| {
        format!(
            "apiVersion: rbac.authorization.k8s.io/v1\nkind: RoleBinding\nmetadata: {{name: b, namespace: other}}\n\
             subjects:\n- {{kind: ServiceAccount, name: {name}, namespace: apps}}\n"
        )
    };
    let text = format!("{account}{}", binding("web"));
    assert_eq!(
        updated(&text).unwrap(),
        format!("{account}{}", binding("web-1"))
    );
}

#[test]
fn warns_of_a_reference_that_kustomize_never_updates() {
    let text = "apiVersion: networking.k8s.io/v1\nkind: IngressClass\nmetadata: {name: demo-1, was: demo}\n---\n\
                apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata: {name: i}\nspec: {ingressClassName: demo}\n";
    let (found, messages) = updated_with(&FieldSpecs::builtin(), text);
    assert_eq!(found.unwrap(), text);
    assert_eq!(
        messages,
        ["the name of the IngressClass has changed, but this reference stays"]
    );
}

#[test]
fn updates_the_fields_of_a_configuration() {
    let file = "nameReference: [{kind: ConfigMap, fieldSpecs: [{path: spec/config, kind: Zoo}]}]";
    let stream = parse(&Source::new("specs.yaml", file).unwrap()).unwrap();
    let mut diagnostics = Diagnostics::default();
    let read = FieldSpecs::read(&stream.documents[0].root, &mut diagnostics).unwrap();
    let text = format!(
        "{CONFIG}kind: Zoo\nmetadata: {{name: z}}\nspec: {{config: [demo, {{name: demo}}, null]}}\n"
    );
    let (found, _) = updated_with(&read, &text);
    assert_eq!(
        found.unwrap(),
        text.replace("[demo, {name: demo}", "[demo-1, {name: demo-1}")
    );
    let (found, _) = updated_with(&read, &text.replace("null]", "[x]]"));
    assert!(
        found
            .unwrap_err()
            .contains("wrong node kind: expected a name, found a list")
    );
}

#[test]
fn writes_names_without_a_type() {
    let config = config("'1e5'", "was: e5");
    for (before, after) in [("e5", "1e5"), ("'e5'", "'1e5'")] {
        check(
            &format!("{config}{}", pod("x: y", before)),
            &[(&pod("x: y", before), &pod("x: y", after))],
        );
    }
}

#[test]
fn follows_aliases() {
    let text = format!(
        "{CONFIG}apiVersion: v1\nkind: Pod\nmetadata: {{name: p}}\nspec:\n  volumes:\n  - configMap: &x {{name: demo}}\n  - configMap: *x\n"
    );
    let found = updated(&text).unwrap();
    assert!(!found.contains("{name: demo}"), "{found}");
}

#[test]
fn a_service_account_without_a_namespace_is_an_error() {
    let binding = |namespace: &str| {
        format!(
            "apiVersion: rbac.authorization.k8s.io/v1\nkind: RoleBinding\nmetadata: {{name: a}}\n\
             subjects: [{{kind: ServiceAccount, name: a, namespace: {namespace}}}]\n"
        )
    };
    assert!(updated(&binding("b")).is_ok());
    for namespace in ["", "12"] {
        let error = updated(&binding(namespace)).unwrap_err();
        assert!(
            error.contains("Invalid Input: namespace is blank"),
            "{error}"
        );
    }
}
