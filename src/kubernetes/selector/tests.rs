//! Tables of selectors, and whether they choose an object.

use std::sync::Arc;

use super::*;
use crate::kubernetes::Resource;
use crate::source::{Code, Diagnostics, Result, Source};
use crate::typed::from_node;
use crate::yaml::{Node, parse};

fn root(text: &str) -> Arc<Node> {
    let source = Source::new("text.yaml", text).unwrap();
    Arc::clone(&parse(&source).unwrap().documents[0].root)
}

/// Compiles the selector, or returns the first error.
fn selector(text: &str) -> Result<TargetSelector> {
    let config: TargetSelectorConfig = from_node(&root(text))?;
    let mut diagnostics = Diagnostics::default();
    TargetSelector::new(&config, &mut diagnostics)
        .map_err(|_| Box::new(diagnostics.as_slice()[0].clone()))
}

fn web() -> Resource {
    Resource::new(root(
        "apiVersion: apps/v1
kind: Deployment
metadata:
  name: dev-web
  labels: {app: web}
  annotations:
    note: x
    internal.config.kubernetes.io/previousKinds: Deployment
    internal.config.kubernetes.io/previousNames: web
    internal.config.kubernetes.io/previousNamespaces: default
",
    ))
    .unwrap()
}

#[test]
fn selects_a_target_that_matches_every_field() {
    let cases = [
        ("{}", true),
        ("{kind: Deployment, name: web}", true),
        ("{kind: Deployment, name: dev-web}", true),
        ("{name: we}", false),
        ("{name: we.*}", true),
        ("{name: 'db|web'}", true),
        ("{name: '[a-z]+'}", true),
        ("{group: apps, version: v\\d}", true),
        ("{group: ''}", true),
        ("{kind: deployment}", false),
        ("{kind: (?i)deployment}", true),
        ("{labelSelector: app=web, annotationSelector: note}", true),
        ("{labelSelector: app=db}", false),
        ("{name: web, labelSelector: app=db}", false),
        ("{name: web, annotationSelector: '!note'}", false),
    ];
    for (text, expected) in cases {
        assert_eq!(selector(text).unwrap().selects(&web()), expected, "{text}");
    }
}

#[test]
fn compares_the_namespace_of_a_target_as_written() {
    assert!(
        selector("{namespace: default, name: web}")
            .unwrap()
            .selects(&web())
    );
    assert!(
        !selector("{namespace: default, name: dev-web}")
            .unwrap()
            .selects(&web())
    );
}

#[test]
fn rejects_by_id_or_by_metadata() {
    let cases = [
        ("{}", false),
        ("{name: ''}", false),
        ("{name: web}", true),
        ("{name: db}", false),
        ("{name: db, kind: Deployment}", false),
        ("{name: db, labelSelector: app=web}", true),
        ("{name: web, labelSelector: app=db}", true),
        ("{labelSelector: app=web, annotationSelector: none}", false),
    ];
    for (text, expected) in cases {
        assert_eq!(selector(text).unwrap().rejects(&web()), expected, "{text}");
    }
}

#[test]
fn reports_an_invalid_pattern_at_its_place() {
    let error = selector("kind: Deployment\nname: (web\n").unwrap_err();
    assert_eq!(
        error.message,
        "error creating target selector: error parsing regexp: missing closing ): `(web`"
    );
    assert_eq!(
        (error.code, error.labels[0].location.line_column().line),
        (Code::Selector, 2)
    );
}

#[test]
fn reports_every_invalid_field() {
    let config = from_node(&root("{kind: '(', name: '[', labelSelector: 'a b'}")).unwrap();
    let mut diagnostics = Diagnostics::default();
    assert!(TargetSelector::new(&config, &mut diagnostics).is_err());
    assert_eq!(diagnostics.errors(), 3);
}

#[test]
fn refuses_an_unknown_field() {
    let error = selector("{apiVersion: v1}").unwrap_err();
    assert_eq!(error.message, "unknown field `apiVersion`");
}

#[test]
fn selects_a_source_by_exact_values() {
    let cases = [
        (["", "", "", "", ""], true),
        (["apps", "v1", "Deployment", "dev-web", ""], true),
        (["", "", "Deployment", "web", ""], true),
        (["", "", "Deployment", "web", "default"], true),
        (["", "", "Deployment", "dev-web", "default"], true),
        (["", "", "", "w.b", ""], false),
        (["", "", "", "web", "prod"], false),
        (["batch", "", "", "", ""], false),
    ];
    for ([group, version, kind, name, namespace], expected) in cases {
        let [group, version, kind, name, namespace] =
            [group, version, kind, name, namespace].map(String::from);
        let selector = SourceSelector {
            group,
            version,
            kind,
            name,
            namespace,
            location: None,
        };
        assert_eq!(selector.selects(&web()), expected, "{}", selector.id());
    }
}
