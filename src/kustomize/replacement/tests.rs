//! How entries of `replacements` are checked, and what is reported for mistakes.

use std::sync::Arc;

use super::check::check_document;
use super::model::{ReplacementSource, SourceField};
use super::*;
use crate::edit::{DocumentFormat, DocumentLayout, TypePolicy};
use crate::kubernetes::{Resource, SelectorIndex};
use crate::source::world::{Folder, Memory};
use crate::source::{Code, Diagnostic, Diagnostics, Reported, Result, Source};
use crate::typed::{Spanned, from_node};
use crate::yaml::{Node, parse};

fn root(text: &str) -> Arc<Node> {
    let source = Source::new("config.yaml", text).unwrap();
    Arc::clone(&parse(&source).unwrap().documents[0].root)
}

/// Returns the result of `read`, or the first error that it reports.
fn first_error<T>(
    read: impl FnOnce(&mut Diagnostics) -> std::result::Result<T, Reported>,
) -> Result<T> {
    let mut diagnostics = Diagnostics::default();
    read(&mut diagnostics).map_err(|_| Box::new(diagnostics.as_slice()[0].clone()))
}

fn document(text: &str) -> Result<Vec<Replacement>> {
    first_error(|diagnostics| check_document(&root(text), diagnostics))
}

/// Checks entries, in a folder with the file `a.yaml`.
fn check_entries(
    text: &str,
    diagnostics: &mut Diagnostics,
) -> Result<std::result::Result<Vec<Replacement>, Reported>> {
    let configs: Option<Vec<Spanned<ReplacementConfig>>> = from_node(&root(text))?;
    let world = Memory::with_files([("a.yaml", FULL)]);
    let folder = Folder::new(&world, "");
    Ok(check_all(configs.unwrap_or_default(), &folder, diagnostics))
}

fn entries(text: &str) -> Result<Vec<Replacement>> {
    let mut diagnostics = Diagnostics::default();
    check_entries(text, &mut diagnostics)?.map_err(|_| Box::new(diagnostics.as_slice()[0].clone()))
}

fn replacement(text: &str) -> Replacement {
    entries(text).unwrap().remove(0)
}

fn source_field(replacement: &Replacement) -> &SourceField {
    match &replacement.source {
        ReplacementSource::Field(field) => field,
        other => panic!("{other:?}"),
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
fn reads_all_fields_of_an_entry() {
    let replacement = replacement(FULL);
    let source = source_field(&replacement);
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
    assert_eq!(source.options.format(), Some(DocumentFormat::YAML));
    let target = &replacement.targets[0];
    assert_eq!(
        target.field_paths[1].value.to_string(),
        "data.config\\.json.port"
    );
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
    assert_eq!(options.format(), Some(DocumentFormat::JSON));
    assert_eq!(options.value_type(), TypePolicy::Infer);
    assert_eq!(options.layout(), DocumentLayout::Canonical);
}

#[test]
fn uses_the_name_of_an_object_if_no_path_is_given() {
    for paths in ["", ", fieldPaths: []", ", fieldPaths: null"] {
        let replacement = replacement(&format!(
            "- {{source: {{kind: A}}, targets: [{{select: {{}}{paths}}}]}}"
        ));
        let source = source_field(&replacement);
        assert_eq!(source.field_path.value.to_string(), "metadata.name");
        assert_eq!(source.to_string(), "A.[noVer].[noGrp]/[noName].[noNs]");
        let path = &replacement.targets[0].field_paths[0].value;
        assert_eq!(path.to_string(), "metadata.name");
    }
}

#[test]
fn takes_a_value_from_the_configuration() {
    let replacement = replacement("- {sourceValue: '', targets: [{select: {}}]}");
    assert!(matches!(replacement.source, ReplacementSource::Value(value) if value.is_empty()));
}

#[test]
fn reads_the_file_that_an_entry_names() {
    assert_eq!(entries("- path: a.yaml\n").unwrap().len(), 1);
    let error = entries("- path: ../b.yaml\n").unwrap_err();
    assert_eq!((error.code, place(&error)), (Code::File, (1, 9)));
}

#[test]
fn reports_every_mistake_of_all_entries_in_one_run() {
    let text = "\
- source: {kind: A, fieldPath: 'a..b', options: {layout: keep}}
  targets:
  - select: {kind: '(', name: '['}
    fieldPaths: [a, 'b..c', d]
    options: {encoding: hex}
- source: {kind: A, fieldPath: 'items.*.name'}
  targets:
  - select: {labelSelector: 'a b'}
    fieldPaths: ['$..a..b']
- sources: {a: {kind: A, fieldPath: '['}}
  template: b
  targets: [{fieldPaths: ['']}]
- path: none.yaml
";
    let mut diagnostics = Diagnostics::default();
    assert!(check_entries(text, &mut diagnostics).unwrap().is_err());
    let found: Vec<(Code, usize)> = diagnostics
        .as_slice()
        .iter()
        .map(|error| (error.code, place(error).0))
        .collect();
    let expected = [
        (Code::PathSyntax, 1),
        (Code::Config, 1),
        (Code::Selector, 3),
        (Code::Selector, 3),
        (Code::Config, 5),
        (Code::PathSyntax, 4),
        (Code::PathSyntax, 6),
        (Code::Selector, 8),
        (Code::PathSyntax, 9),
        (Code::Config, 10),
        (Code::PathSyntax, 10),
        (Code::Config, 12),
        (Code::PathSyntax, 12),
        (Code::File, 13),
    ];
    assert_eq!(found, expected);
}

#[test]
fn treats_a_missing_list_as_empty() {
    assert!(entries("~").unwrap().is_empty());
    assert!(entries("[]").unwrap().is_empty());
}

#[test]
fn accepts_one_replacement_or_a_list_in_a_file() {
    assert_eq!(
        document("{sourceValue: a, targets: [{select: {}}]}")
            .unwrap()
            .len(),
        1
    );
    assert_eq!(document(&FULL.repeat(2)).unwrap().len(), 2);
    assert_eq!(
        document("text").unwrap_err().message,
        "unsupported replacement type encountered within replacement path: string"
    );
    assert_eq!(
        document("path: b.yaml").unwrap_err().message,
        "expected a replacement, found a `path` to another file"
    );
}

#[test]
fn selects_objects_that_are_not_rejected() {
    let target = &replacement(FULL).targets[0];
    let deployment = |name: &str| {
        let text = format!(
            "{{apiVersion: v1, kind: Deployment, metadata: {{name: {name}, labels: {{app: web}}}}}}"
        );
        Resource::new(root(&text)).unwrap()
    };
    // A long list is looked up, and a short one is tested directly.
    for count in [1, 100] {
        let mut objects = vec![deployment("older")];
        objects.extend((0..count).map(|_| deployment("web")));
        objects.push(deployment("older"));
        let selected = target.selected(&mut SelectorIndex::default(), &objects);
        assert_eq!(selected, (1..=count).collect::<Vec<_>>());
    }
}

#[test]
fn reports_mistakes_in_the_words_of_kustomize() {
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
fn reports_an_invalid_selector_at_its_place() {
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
fn accepts_no_encoding_but_base64() {
    let text = "- source: {}\n  targets: [{select: {}, options: {encoding: hex}}]";
    let error = entries(text).unwrap_err();
    assert_eq!(error.message, "expected an encoding, found `hex`");
    assert_eq!(place(&error), (2, 46));
    assert!(entries(&text.replace("hex", "''")).is_ok());
    assert!(entries(&text.replace("hex", "base64")).is_ok());
}

#[test]
fn requires_a_template_to_use_all_its_sources() {
    let cases = [
        (
            "  template: x",
            "expected `sources` and `template` together, found one of them",
        ),
        (
            "  sources: {a: {}}\n  template: x",
            "the template does not use the source `a`",
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
            "`sources` and `template` cannot be combined with `source` or `sourceValue`",
        ),
    ];
    for (fields, message) in cases {
        let text = format!("- targets: [{{select: {{}}}}]\n{fields}");
        assert_eq!(entries(&text).unwrap_err().message, message, "{fields}");
    }
}

#[test]
fn reports_a_nested_mistake_with_its_path_and_help() {
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
            "expected `json`, `yaml`, `toml`, `properties`, `env` or `ini`, found `jsom`",
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
