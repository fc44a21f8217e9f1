//! The form for code scanning: one SARIF 2.1.0 log for the whole run.
//!
//! <https://docs.oasis-open.org/sarif/sarif/v2.1.0/> defines the format. A host recognizes a result
//! of an earlier run by its fingerprint, so a fingerprint does not depend on line numbers. A run
//! without diagnostics has an empty list of results, which closes earlier alerts.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::json::visible_json;
use super::place::PrintedPlace;
use super::repository::RepositoryPaths;
use crate::source::{Code, Diagnostic, Label, Severity, TextFix};

#[derive(Serialize)]
struct SarifLog {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [Value; 1],
}

/// Returns the log of a run, with a line break at its end.
pub(super) fn log(diagnostics: &[Diagnostic], paths: &RepositoryPaths) -> String {
    let mut rules: Vec<Code> = Vec::new();
    let mut fingerprints = BTreeMap::new();
    let mut results = Vec::with_capacity(diagnostics.len());
    for diagnostic in diagnostics {
        let known = rules.iter().position(|code| *code == diagnostic.code);
        let rule = known.unwrap_or(rules.len());
        if known.is_none() {
            rules.push(diagnostic.code);
        }
        // Equal diagnostics are distinguished by their number.
        let fingerprint = fingerprint(diagnostic, paths);
        let count: &mut usize = fingerprints.entry(fingerprint.clone()).or_default();
        *count += 1;
        results.push(result(
            diagnostic,
            rule,
            &format!("{fingerprint}:{count}"),
            paths,
        ));
    }
    let rules: Vec<Value> = rules.into_iter().map(rule).collect();
    let log = SarifLog {
        schema: "https://json.schemastore.org/sarif-2.1.0.json",
        version: "2.1.0",
        runs: [json!({
            "tool": {"driver": {
                "name": "inlay",
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "informationUri": env!("CARGO_PKG_REPOSITORY"),
                "rules": rules,
            }},
            "columnKind": "unicodeCodePoints",
            "results": results,
        })],
    };
    visible_json(&log)
}

/// Returns the description of a code. Every result with this code refers to it.
fn rule(code: Code) -> Value {
    json!({
        "id": code.name(),
        "shortDescription": {"text": code.summary()},
        "helpUri": concat!(env!("CARGO_PKG_REPOSITORY"), "/blob/main/docs/diagnostics.md"),
    })
}

/// Returns one result of the log. `rule` is the index of its code among the rules.
fn result(
    diagnostic: &Diagnostic,
    rule: usize,
    fingerprint: &str,
    paths: &RepositoryPaths,
) -> Value {
    let level = match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "note",
    };
    let mut text = diagnostic.message.clone();
    for more in diagnostic.notes.iter().chain(&diagnostic.help) {
        text.push('\n');
        text.push_str(more);
    }
    let mut result = json!({
        "ruleId": diagnostic.code.name(),
        "ruleIndex": rule,
        "level": level,
        "message": {"text": text},
        "partialFingerprints": {"inlay/v1": fingerprint},
    });
    // The first label is the place of the mistake. The others only explain it.
    let mut labels = diagnostic.labels.iter();
    if let Some(mut location) = labels.next().and_then(|label| location(label, paths)) {
        if let Some(name) = logical_name(diagnostic) {
            location["logicalLocations"] = json!([{"fullyQualifiedName": name}]);
        }
        result["locations"] = json!([location]);
    }
    let related: Vec<Value> = labels.filter_map(|label| location(label, paths)).collect();
    if !related.is_empty() {
        result["relatedLocations"] = json!(related);
    }
    let fixes: Vec<Value> = diagnostic
        .fixes()
        .iter()
        .filter_map(|fix| self::fix(fix, paths))
        .collect();
    if !fixes.is_empty() {
        result["fixes"] = json!(fixes);
    }
    result
}

/// Returns an edit that corrects the mistake; `None` if its place is not in a file.
fn fix(fix: &TextFix, paths: &RepositoryPaths) -> Option<Value> {
    let place = PrintedPlace::of(&fix.place);
    let file = paths.file(place.source.shown_name())?;
    Some(json!({
        "description": {"text": fix.title()},
        "artifactChanges": [{
            "artifactLocation": {"uri": uri(&file)},
            "replacements": [{
                "deletedRegion": region(&place),
                "insertedContent": {"text": fix.text},
            }],
        }],
    }))
}

fn region(place: &PrintedPlace) -> Value {
    let (start, end) = (place.start(), place.end());
    json!({
        "startLine": start.line,
        "startColumn": start.column,
        "endLine": end.line,
        "endColumn": end.column,
    })
}

/// Returns the place of a label; `None` if it is not in a file.
fn location(label: &Label, paths: &RepositoryPaths) -> Option<Value> {
    let place = PrintedPlace::of(&label.location);
    let file = paths.file(place.source.shown_name())?;
    let mut location = json!({
        "physicalLocation": {
            "artifactLocation": {"uri": uri(&file)},
            "region": region(&place),
        },
    });
    if !label.text.is_empty() {
        location["message"] = json!({"text": label.text});
    }
    Some(location)
}

/// Returns the object and the field that a diagnostic is about.
fn logical_name(diagnostic: &Diagnostic) -> Option<String> {
    let object = diagnostic.object.as_ref()?;
    let mut name = format!("{} ", object.kind);
    if !object.namespace.is_empty() {
        name.push_str(&format!("{}/", object.namespace));
    }
    name.push_str(&object.name);
    if let Some(field) = &diagnostic.field {
        name.push_str(&format!(" {field}"));
    }
    Some(name)
}

/// Returns the identity of a diagnostic across runs: everything but its line.
fn fingerprint(diagnostic: &Diagnostic, paths: &RepositoryPaths) -> String {
    let label = diagnostic.labels.first();
    let file = label.and_then(|label| paths.file(label.location.in_file().source.shown_name()));
    let parts = [
        diagnostic.code.name(),
        &file.unwrap_or_default(),
        &logical_name(diagnostic).unwrap_or_default(),
        &diagnostic.message,
    ];
    let hash = Sha256::digest(parts.join("\0").as_bytes());
    hash.iter()
        .take(8)
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

/// Returns a path as a relative reference. Every byte that a path segment may not contain is
/// escaped (RFC 3986, 3.3).
fn uri(path: &str) -> String {
    let mut uri = String::with_capacity(path.len());
    if path.starts_with('/') {
        uri.push_str("file://");
    }
    for byte in path.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                uri.push(char::from(byte));
            }
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{Location, Source, Span};

    fn read(diagnostics: &[Diagnostic]) -> Value {
        let text = log(diagnostics, &RepositoryPaths::default());
        serde_json::from_str(&text).unwrap()
    }

    fn wrong(source: &std::sync::Arc<Source>, at: usize) -> Diagnostic {
        *Diagnostic::error(Code::Config, "wrong")
            .at(Location::new(source, Span::new(at, at + 1)), "this")
            .help("right it")
    }

    #[test]
    fn a_result_has_the_edit_that_its_help_describes() {
        let source = Source::new("a.yml", "spec:\n  replcas: 1\n").unwrap();
        let wrong = Diagnostic::error(Code::Config, "unknown field `replcas`")
            .at(Location::new(&source, Span::new(8, 15)), "")
            .help("did you mean `replicas`?");
        let change = &read(&[*wrong])["runs"][0]["results"][0]["fixes"][0]["artifactChanges"][0];
        assert_eq!(change["artifactLocation"]["uri"], "a.yml");
        let replacement = &change["replacements"][0];
        assert_eq!(replacement["insertedContent"]["text"], "replicas");
        let region = json!({"startLine": 2, "startColumn": 3, "endLine": 2, "endColumn": 10});
        assert_eq!(replacement["deletedRegion"], region);
    }

    #[test]
    fn a_run_without_diagnostics_has_an_empty_list() {
        let log = read(&[]);
        assert_eq!(log["version"], "2.1.0");
        assert_eq!(log["runs"][0]["results"], json!([]));
        assert_eq!(log["runs"][0]["tool"]["driver"]["name"], "inlay");
    }

    #[test]
    fn a_result_has_a_rule_a_place_and_a_fingerprint_that_does_not_move() {
        let before = Source::new("a b/ü.yml", "x: 1\n").unwrap();
        let after = Source::new("a b/ü.yml", "# new line\nx: 1\n").unwrap();
        let (old, new) = (read(&[wrong(&before, 0)]), read(&[wrong(&after, 11)]));
        let (old, new) = (&old["runs"][0]["results"][0], &new["runs"][0]["results"][0]);
        let place = &old["locations"][0]["physicalLocation"];
        assert_eq!(place["artifactLocation"]["uri"], "a%20b/%C3%BC.yml");
        assert_eq!(place["region"]["startLine"], 1);
        assert_eq!(
            new["locations"][0]["physicalLocation"]["region"]["startLine"],
            2
        );
        assert_eq!(old["partialFingerprints"], new["partialFingerprints"]);
        assert_eq!(old["message"]["text"], "wrong\nright it");
        let twice = read(&[wrong(&before, 0), wrong(&before, 0)]);
        let results = &twice["runs"][0]["results"];
        assert_ne!(
            results[0]["partialFingerprints"],
            results[1]["partialFingerprints"]
        );
        assert_eq!(results[1]["ruleIndex"], 0);
        assert_eq!(
            twice["runs"][0]["tool"]["driver"]["rules"][0]["id"],
            "config"
        );
    }
}
