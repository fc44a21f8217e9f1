//! What an entry may say, and what is said when it says something else.

use std::sync::Arc;

use super::*;
use crate::edit::{DocumentFormat, DocumentLayout, TypePolicy};
use crate::kubernetes::Resource;
use crate::source::{Code, Diagnostic, Diagnostics, Result};
use crate::typed::from_node;
use crate::yaml::{Node, parse};

fn root(text: &str) -> Arc<Node> {
    let source = crate::source::Source::new("config.yaml", text).unwrap();
    Arc::clone(&parse(&source).unwrap().documents[0].root)
}

/// What `read` gives, or the first error that it tells.
fn first_error<T>(read: impl FnOnce(&mut Diagnostics) -> Option<T>) -> Result<T> {
    let mut diagnostics = Diagnostics::default();
    let read = read(&mut diagnostics);
    read.ok_or_else(|| Box::new(diagnostics.as_slice()[0].clone()))
}

fn file(text: &str) -> Result<Vec<Replacement>> {
    first_error(|diagnostics| read_file(&root(text), diagnostics))
}

fn entries(text: &str) -> Result<Vec<Entry>> {
    let configs: Option<Vec<Spanned<ReplacementConfig>>> = from_node(&root(text))?;
    first_error(|diagnostics| {
        let entries = configs.unwrap_or_default().into_iter();
        entries
            .map(|entry| check(entry, diagnostics))
            .collect::<Vec<_>>()
            .into_iter()
            .collect()
    })
}

fn replacement(text: &str) -> Replacement {
    match entries(text).unwrap().remove(0) {
        Entry::Inline(replacement) => *replacement,
        Entry::Path(path) => panic!("a path: {path:?}"),
    }
}

/// The line and column of the main place.
fn place(error: &Diagnostic) -> (usize, usize) {
    let place = error.labels[0].location.line_column();
    (place.line, place.column)
}

const FULL: &str = "\
- source:
    kind: ConfigMap
    name: a
    fieldPath: data.x
    options: {delimiter: '/', index: -1, format: yaml}
  targets:
  - select: {kind: Deployment, labelSelector: app=web}
    reject:
    - name: old.*
    fieldPaths:
    - spec.replicas
    - data.config\\.json.port
    options: {create: true, format: json, type: infer, layout: canonical}
";

#[test]
fn an_entry_is_read_with_all_its_fields() {
    let replacement = replacement(FULL);
    let Source::Field(source) = &replacement.source else {
        panic!("{:?}", replacement.source)
    };
    assert_eq!(
        source.to_string(),
        "ConfigMap.[noVer].[noGrp]/a.[noNs]:data.x"
    );
    assert_eq!(
        (
            source.options.delimiter().unwrap().value.as_str(),
            source.options.index()
        ),
        ("/", -1)
    );
    assert_eq!(
        source.options.format.as_ref().unwrap().value,
        DocumentFormat::YAML
    );
    let target = &replacement.targets[0];
    assert_eq!(target.field_paths[1].value, "data.config\\.json.port");
    assert_eq!(
        target.field_paths[1]
            .location
            .as_ref()
            .unwrap()
            .line_column()
            .line,
        12
    );
    assert_eq!(target.location.as_ref().unwrap().line_column().line, 7);
    let options = &target.options;
    assert!(options.create() && options.delimiter().is_none() && options.index() == 0);
    assert_eq!(options.format.as_ref().unwrap().value, DocumentFormat::JSON);
    assert_eq!(
        options.value_type.as_ref().unwrap().value,
        TypePolicy::Infer
    );
    assert_eq!(
        options.layout.as_ref().unwrap().value,
        DocumentLayout::Canonical
    );
}

#[test]
fn the_name_is_read_and_written_where_no_path_is_given() {
    for paths in ["", ", fieldPaths: []", ", fieldPaths: null"] {
        let replacement = replacement(&format!(
            "- {{source: {{kind: A}}, targets: [{{select: {{}}{paths}}}]}}"
        ));
        let Source::Field(source) = &replacement.source else {
            panic!("{:?}", replacement.source)
        };
        assert_eq!(source.field_path.value, "metadata.name");
        assert_eq!(source.to_string(), "A.[noVer].[noGrp]/[noName].[noNs]");
        assert_eq!(replacement.targets[0].field_paths[0].value, "metadata.name");
    }
}

#[test]
fn a_value_may_stand_in_the_configuration() {
    let replacement = replacement("- {sourceValue: '', targets: [{select: {}}]}");
    assert!(matches!(replacement.source, Source::Value(value) if value.value.is_empty()));
}

#[test]
fn an_entry_may_name_a_file() {
    let entries = entries("- path: a.yaml\n").unwrap();
    assert!(matches!(&entries[0], Entry::Path(path) if path.value == "a.yaml"));
}

#[test]
fn no_list_is_an_empty_list() {
    assert!(entries("~").unwrap().is_empty());
    assert!(entries("[]").unwrap().is_empty());
}

#[test]
fn a_file_holds_one_replacement_or_a_list() {
    assert_eq!(
        file("{sourceValue: a, targets: [{select: {}}]}")
            .unwrap()
            .len(),
        1
    );
    assert_eq!(file(&FULL.repeat(2)).unwrap().len(), 2);
    assert_eq!(
        file("text").unwrap_err().message,
        "unsupported replacement type encountered within replacement path: string"
    );
    assert_eq!(
        file("path: b.yaml").unwrap_err().message,
        "expected a replacement, found a `path` to another file"
    );
}

#[test]
fn a_target_selects_what_it_does_not_reject() {
    let target = &replacement(FULL).targets[0];
    let deployment = |name: &str| {
        let text = format!(
            "{{apiVersion: v1, kind: Deployment, metadata: {{name: {name}, labels: {{app: web}}}}}}"
        );
        Resource::new(root(&text)).unwrap()
    };
    assert!(target.selects(&deployment("web")));
    assert!(!target.selects(&deployment("older")));
}

#[test]
fn what_is_wrong_is_said_in_the_words_of_kustomize_and_shown() {
    let incomplete = "replacements must specify a source and at least one target";
    let both_sources = "value and resource selectors are mutually exclusive";
    let both_forms = "cannot specify both path and inline replacement";
    let cases = [
        ("- {}", incomplete, (1, 3)),
        ("- source: {}", incomplete, (1, 3)),
        ("- {source: {}, targets: []}", incomplete, (1, 3)),
        (
            "- {source: null, targets: [{select: {}}]}",
            incomplete,
            (1, 3),
        ),
        (
            "- source: {}\n  sourceValue: a\n  targets: [{select: {}}]",
            both_sources,
            (2, 16),
        ),
        ("- path: a\n  sourceValue: b", both_forms, (1, 9)),
        ("- path: a\n  source: {}", both_forms, (1, 9)),
        (
            "- source: {}\n  targets:\n  - fieldPaths: [a]",
            "target must specify resources to select",
            (3, 5),
        ),
        (
            "- source: {}\n  targets:\n  - select:",
            "target must specify resources to select",
            (3, 5),
        ),
    ];
    for (text, message, expected) in cases {
        let error = entries(text).unwrap_err();
        assert_eq!(
            (error.message.as_str(), error.code, place(&error)),
            (message, Code::Config, expected),
            "{text}"
        );
    }
}

#[test]
fn a_selector_that_cannot_be_read_is_shown_at_its_text() {
    let error =
        entries("- source: {}\n  targets:\n  - select: {}\n    reject: [{kind: '['}]").unwrap_err();
    assert_eq!(
        error.message,
        "error creating target selector: error parsing regexp: missing closing ]: `[`"
    );
    assert_eq!((error.code, place(&error)), (Code::Selector, (4, 21)));
    let error =
        entries("- source: {}\n  targets:\n  - select: {labelSelector: 'a b'}").unwrap_err();
    assert_eq!((error.code, place(&error)), (Code::Selector, (3, 32)));
}

#[test]
fn the_one_encoding_is_base64() {
    let text = "- source: {}\n  targets: [{select: {}, options: {encoding: hex}}]";
    let error = entries(text).unwrap_err();
    assert_eq!(error.message, "expected an encoding, found `hex`");
    assert_eq!(place(&error), (2, 46));
    assert!(entries(&text.replace("hex", "''")).is_ok());
    assert!(entries(&text.replace("hex", "base64")).is_ok());
}

#[test]
fn a_template_has_sources_and_names_them_all() {
    let cases = [
        (
            "  template: x",
            "expected `sources` and `template` together, found one of them",
        ),
        (
            "  sources: {a: {}}\n  template: x",
            "the template does not name the source `a`",
        ),
        (
            "  sources: {}\n  template: ${b}",
            "expected the name of a source, found `b`",
        ),
        (
            "  sources: {}\n  template: ${a",
            "expected `}` after `${` in the template, found the end",
        ),
        (
            "  source: {}\n  sources: {a: {}}\n  template: ${a}",
            "`sources` and `template` stand in the place of `source` and `sourceValue`",
        ),
    ];
    for (fields, message) in cases {
        let text = format!("- targets: [{{select: {{}}}}]\n{fields}");
        assert_eq!(entries(&text).unwrap_err().message, message, "{fields}");
    }
}

#[test]
fn a_mistake_deep_inside_shows_its_path_and_a_remedy() {
    let cases = [
        (
            "- targets: [{fieldPath: a}]",
            "unknown field `fieldPath`",
            "[0].targets[0]",
            "did you mean `fieldPaths`?",
        ),
        (
            "- source: {knd: a}",
            "unknown field `knd`",
            "[0].source",
            "did you mean `kind`?",
        ),
        (
            "- sourceValue: 8080",
            "expected a string, found a number",
            "[0].sourceValue",
            "write it in quotes: \"8080\"",
        ),
        (
            "- targets: [{select: {name: on}}]",
            "expected a string, found a boolean",
            "[0].targets[0].select.name",
            "write it in quotes: \"on\"",
        ),
        (
            "- targets: [{options: {format: jsom}}]",
            "expected `json`, `yaml`, `toml`, `properties` or `env`, found `jsom`",
            "[0].targets[0].options.format",
            "did you mean `json`?",
        ),
    ];
    for (text, message, path, help) in cases {
        let error = entries(text).unwrap_err();
        assert_eq!(error.message, message);
        assert_eq!(error.notes.last().unwrap(), &format!("in `{path}`"));
        assert_eq!(error.help, [help]);
    }
}
