//! The namespace of objects, of what they refer to, and of the subjects of role bindings.

use std::sync::Arc;

use super::*;
use crate::kustomize::field_spec::FieldSpecs;
use crate::kustomize::test_objects::run;

fn transformer() -> NamespaceTransformer {
    NamespaceTransformer {
        namespace: "ns".to_owned(),
        field_specs: FieldSpecs::builtin().namespace,
        unset_only: false,
        subjects: RoleBindingSubjects::default(),
    }
}

fn moved(text: &str, transformer: &NamespaceTransformer) -> Result<String, String> {
    run(text, |resources, diagnostics| {
        transformer.apply(resources, diagnostics)
    })
    .0
}

#[test]
fn sets_the_namespace_of_everything_that_has_one() {
    for (before, after) in [
        ("{name: a}", "{name: a, namespace: ns}"),
        ("{name: a, namespace: x}", "{name: a, namespace: ns}"),
        (
            "{name: a, namespace: 'x'} # 1",
            "{name: a, namespace: 'ns'} # 1",
        ),
        ("{name: a, namespace: null}", "{name: a, namespace: ns}"),
        ("{name: a, namespace: ns}", "{name: a, namespace: ns}"),
    ] {
        let object = |metadata: &str| format!("apiVersion: v1\nkind: Pod\nmetadata: {metadata}\n");
        assert_eq!(
            moved(&object(before), &transformer()).unwrap(),
            object(after)
        );
    }
    let cluster = "apiVersion: v1\nkind: Node\nmetadata: {name: a, namespace: x}\n";
    assert_eq!(moved(cluster, &transformer()).unwrap(), cluster);
}

#[test]
fn knows_the_exceptions() {
    for (before, after) in [
        (
            "apiVersion: v1\nkind: Namespace\nmetadata: {name: a}\n",
            "apiVersion: v1\nkind: Namespace\nmetadata: {name: ns}\n",
        ),
        (
            "apiVersion: foo/v1\nkind: Namespace\nmetadata: {name: a}\n",
            "apiVersion: foo/v1\nkind: Namespace\nmetadata: {name: a, namespace: ns}\n",
        ),
        (
            "apiVersion: apiregistration.k8s.io/v1\nkind: APIService\nmetadata: {name: a}\n",
            "apiVersion: apiregistration.k8s.io/v1\nkind: APIService\nmetadata: {name: a}\n\
             spec:\n  service:\n    namespace: ns\n",
        ),
        (
            "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n\
             spec: {conversion: {webhook: {clientConfig: {service: {namespace: x}}}}}\n",
            "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n\
             spec: {conversion: {webhook: {clientConfig: {service: {namespace: ns}}}}}\n",
        ),
    ] {
        assert_eq!(moved(before, &transformer()).unwrap(), after);
    }
}

const BINDING: &str = "\
kind: RoleBinding
metadata: {name: a, namespace: ns}
subjects:
- {kind: User, name: default}
- {kind: ServiceAccount, name: default, namespace: x}
- {kind: ServiceAccount, name: web, namespace: x} # other
";

#[test]
fn sets_the_namespace_of_the_subjects_that_are_chosen() {
    let default_only = BINDING
        .replace("User, name: default", "User, name: default, namespace: ns")
        .replace(
            "name: default, namespace: x",
            "name: default, namespace: ns",
        );
    let accounts = BINDING.replace("namespace: x", "namespace: ns");
    let default_unset =
        BINDING.replace("User, name: default", "User, name: default, namespace: ns");
    for (subjects, unset_only, expected) in [
        (RoleBindingSubjects::DefaultOnly, false, &*default_only),
        (RoleBindingSubjects::AllServiceAccounts, false, &*accounts),
        (RoleBindingSubjects::None, false, BINDING),
        (RoleBindingSubjects::DefaultOnly, true, &*default_unset),
        (RoleBindingSubjects::AllServiceAccounts, true, BINDING),
    ] {
        let transformer = NamespaceTransformer {
            subjects,
            unset_only,
            ..transformer()
        };
        assert_eq!(
            moved(BINDING, &transformer).unwrap(),
            *expected,
            "{subjects:?}"
        );
    }
    for (list, found) in [
        ("x", "a list, found a string"),
        ("[x]", "a mapping, found a string"),
    ] {
        let text = format!("kind: RoleBinding\nmetadata: {{name: a}}\nsubjects: {list}\n");
        let message = moved(&text, &transformer()).unwrap_err();
        assert!(message.contains(&format!("expected {found}")), "{message}");
    }
}

#[test]
fn ignores_specs_that_it_handles_itself() {
    let mut specs = Vec::new();
    for (kind, path) in [
        ("", "metadata/namespace"),
        ("RoleBinding", "subjects/namespace"),
        ("Role", "metadata/name"),
    ] {
        let mut spec = spec_of(path, true);
        spec.kinds.kind = kind.into();
        specs.push(spec);
    }
    let transformer = NamespaceTransformer {
        field_specs: Arc::new(specs),
        subjects: RoleBindingSubjects::None,
        ..transformer()
    };
    let text = format!("{BINDING}---\napiVersion: v1\nkind: Node\nmetadata: {{name: a}}\n");
    assert_eq!(moved(&text, &transformer).unwrap(), text);
    let role = "apiVersion: rbac/v1\nkind: Role\nmetadata: {name: a, namespace: ns}\n";
    assert_eq!(moved(role, &transformer).unwrap(), role);
}

#[test]
fn refuses_objects_that_become_the_same() {
    let text = "kind: A\nmetadata: {name: a}\n---\nkind: A\nmetadata: {name: a, namespace: b}\n";
    let message = moved(text, &transformer()).unwrap_err();
    assert!(
        message.contains("namespace transformation produces ID conflict"),
        "{message}"
    );
}

#[test]
fn skips_objects_of_helm() {
    let text = "kind: A\nmetadata: {name: a}\n";
    let (moved, _) = run(text, |resources, diagnostics| {
        resources[0].history.is_helm_generated = true;
        transformer().apply(resources, diagnostics)
    });
    assert_eq!(moved.unwrap(), text);
}
