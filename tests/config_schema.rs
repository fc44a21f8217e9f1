//! The JSON Schemas of configurations: `docs/schemas` contains the output of `inlay schema config`,
//! and the examples conform to them.
//!
//! `UPDATE=1 cargo test --test config_schema` writes the files.

#![cfg(unix)]
#![allow(
    clippy::expect_used,
    reason = "a test that cannot read its files has failed"
)]

mod common {
    pub(crate) mod workspace;
}

use std::fs;
use std::process::Command;

use common::workspace::repository;
use inlay::krm::configuration_kinds;
use serde_json::Value;

fn printed(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_inlay"))
        .args(["schema", "config"])
        .args(arguments)
        .output()
        .expect("the program runs");
    assert!(output.status.success(), "{arguments:?}");
    String::from_utf8(output.stdout).expect("JSON is UTF-8")
}

#[test]
fn the_schemas_in_the_documents_are_those_of_the_types() {
    let folder = repository().join("docs/schemas");
    let mut expected = vec![("config.json".to_owned(), printed(&[]))];
    for kind in configuration_kinds() {
        expected.push((format!("{kind}.json"), printed(&[kind])));
    }
    if std::env::var_os("UPDATE").is_some() {
        fs::create_dir_all(&folder).expect("a folder can be made");
        for (name, text) in &expected {
            fs::write(folder.join(name), text).expect("a schema can be written");
        }
    }
    for (name, text) in &expected {
        let recorded = fs::read_to_string(folder.join(name)).unwrap_or_default();
        assert!(
            *text == recorded,
            "docs/schemas/{name} differs; run with UPDATE=1"
        );
    }
    let files = fs::read_dir(&folder)
        .expect("the schemas can be listed")
        .count();
    assert_eq!(files, expected.len(), "a schema without a kind");
}

/// Adds the paths of a schema's properties that have no description.
fn add_without_description(schema: &Value, path: &str, found: &mut Vec<String>) {
    match schema {
        Value::Object(fields) => {
            for (name, value) in fields {
                let path = format!("{path}.{name}");
                let properties = value.as_object().filter(|_| name == "properties");
                // The conditions of `allOf` describe nothing.
                for (name, property) in properties.into_iter().flatten() {
                    if property.get("description").is_none() && !path.contains(".if.") {
                        found.push(format!("{path}.{name}"));
                    }
                }
                add_without_description(value, &path, found);
            }
        }
        Value::Array(items) => {
            for item in items {
                add_without_description(item, path, found);
            }
        }
        _ => {}
    }
}

#[test]
fn every_property_has_a_description() {
    let schema: Value = serde_json::from_str(&printed(&[])).expect("JSON");
    let mut found = Vec::new();
    add_without_description(&schema, "", &mut found);
    assert_eq!(found, Vec::<String>::new());
    // Comments are assigned to fields in order, so a misplaced one shows in this description.
    let described = |path: &str| schema.pointer(path).and_then(Value::as_str);
    assert_eq!(
        described("/definitions/Inlay/properties/spec/properties/valuesFiles/description"),
        Some("Files of plain YAML with data values.")
    );
}

#[test]
fn every_example_of_a_configuration_names_its_schema() {
    let mut pending = vec![repository().join("kustomization-examples")];
    let mut count = 0;
    while let Some(folder) = pending.pop() {
        for entry in fs::read_dir(&folder).expect("a folder can be read") {
            let path = entry.expect("an entry can be read").path();
            if path.is_dir() {
                pending.push(path);
                continue;
            }
            let text = fs::read_to_string(&path).unwrap_or_default();
            let is_wrong = path.ends_with("wrong.yaml");
            if path.extension().is_some_and(|own| own == "yaml")
                && text.contains("apiVersion: inlay.dev/")
                && text.contains("\nkind: Inlay\n")
                && !is_wrong
            {
                count += 1;
                let line = text.lines().next().unwrap_or_default();
                let schema = line.strip_prefix("# yaml-language-server: $schema=");
                let schema = schema.map(|schema| folder.join(schema));
                let exists = schema.is_some_and(|schema| schema.is_file());
                assert!(exists, "{}: {line}", path.display());
            }
        }
    }
    assert!(count > 10, "only {count} examples");
}

/// An independent validator reads the schemas and the examples. It needs Python, which the check of
/// the whole repository requires.
#[test]
fn an_independent_validator_accepts_the_examples() {
    let run = Command::new(repository().join("tools/check-schemas")).output();
    let Ok(output) = run else {
        eprintln!("note: skipped what needs python3: not on PATH");
        return;
    };
    if output.status.code() == Some(77) {
        eprintln!("note: skipped what needs the Python package jsonschema");
        return;
    }
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}");
}
