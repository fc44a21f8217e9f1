//! Diagnostics, and a client that does what it should not.

use lsp_server::{Message, Request, RequestId};
use serde_json::{Value, json};

use super::kustomizations::KUSTOMIZATION;
use super::{Client, HELPERS, OBJECTS, SCHEMA, TEMPLATE, at, uri};

#[test]
fn reports_mistakes_where_they_are_and_removes_them_when_they_are_fixed() {
    let mut client = Client::start(&[
        ("/w/config/schema.yml", SCHEMA),
        ("/w/config/app.yml", TEMPLATE),
        ("/w/config/helpers.star", HELPERS),
    ]);
    // The text of the editor counts, and not that of the file.
    let wrong = TEMPLATE.replace("values.replicas", "values.replica");
    client.open("/w/config/app.yml", &wrong);
    let (path, messages) = client.diagnostics();
    assert_eq!(path, "/w/config/app.yml");
    assert_eq!(messages.len(), 1);
    assert!(messages[0].contains("replica"), "{messages:?}");

    client.change("/w/config/app.yml", TEMPLATE);
    assert_eq!(
        client.diagnostics(),
        ("/w/config/app.yml".to_owned(), vec![])
    );

    // A mistake in one file that shows in another.
    client.open(
        "/w/config/helpers.star",
        "def label(text):\n  return missing\nend\n",
    );
    let (path, messages) = client.diagnostics();
    assert_eq!(path, "/w/config/helpers.star");
    assert_eq!(messages.len(), 1);
    let document = json!({"uri": uri("/w/config/helpers.star")});
    client.notify("textDocument/didClose", json!({"textDocument": document}));
    assert_eq!(
        client.diagnostics(),
        ("/w/config/helpers.star".to_owned(), vec![])
    );
}

#[test]
fn finds_documents_and_functions_in_all_files_of_the_builds() {
    let mut client = Client::config();
    client.open("/w/edits/kustomization.yaml", KUSTOMIZATION);
    let mut found = |query: &str| -> Vec<String> {
        let symbols = client.request("workspace/symbol", json!({"query": query}));
        let symbols = symbols.as_array().unwrap().iter();
        let shown = |symbol: &Value| {
            let place = &symbol["location"];
            let line = &place["range"]["start"]["line"];
            let path = place["uri"].as_str().unwrap().replace("file:///w/", "");
            format!("{} {path}:{line}", symbol["name"].as_str().unwrap())
        };
        symbols.map(shown).collect()
    };
    // The letters in their order; the file is not open.
    assert_eq!(found("LBL"), ["label config/helpers.star:0"]);
    assert_eq!(found("deploy"), ["Deployment config/app.yml:0"]);
    assert_eq!(found("kustomiz").len(), 1);
    assert_eq!(found("ylped"), [] as [&str; 0]);
    // An empty query finds all of them.
    assert!(found("").len() >= 4);
}

#[test]
fn a_build_that_breaks_down_is_a_diagnostic() {
    let analysis = crate::lsp::server::failed_analysis();
    let messages = analysis
        .diagnostics
        .iter()
        .map(|found| found.message.as_str());
    let bug = "the build of this file failed because of a bug in inlay";
    assert_eq!(messages.collect::<Vec<&str>>(), [bug]);
}

#[test]
fn a_request_that_breaks_down_is_an_error_and_the_next_one_is_answered() {
    let mut client = Client::config();
    for _ in 0..3 {
        let broken = client.response("inlay/panic", at("/w/config/app.yml", 0, 0));
        let error = broken.response_result.unwrap_err();
        assert_eq!(
            error.message,
            "the request failed because of a bug in inlay"
        );
        let hover = client.ask("textDocument/hover", "  replicas: #@ data.values.rep|licas");
        assert!(hover.is_object());
    }
    // Edits are still built.
    let wrong = TEMPLATE.replace("values.replicas", "values.replica");
    client.change("/w/config/app.yml", &wrong);
    assert_eq!(client.diagnostics().1.len(), 1);
}

#[test]
fn answers_what_it_does_not_know_with_an_error_and_lives_on() {
    let mut client = Client::config();
    let unknown = client.response("textDocument/unheard", json!({}));
    let error = unknown.response_result.unwrap_err();
    assert_eq!(
        error.message,
        "the server has no method `textDocument/unheard`"
    );
    let broken = client.response("textDocument/hover", json!({"position": "here"}));
    assert!(broken.response_result.is_err());
    let other = client.request("textDocument/hover", at("/w/other.yml", 0, 0));
    assert_eq!(other, Value::Null);
    client.notify("textDocument/didChange", json!({"textDocument": 1}));
    let hover = client.ask("textDocument/hover", "  replicas: #@ data.values.rep|licas");
    assert!(hover.is_object());
}

/// What a client that asks for diagnostics says at the start.
fn pulling() -> Value {
    let refresh = json!({"refreshSupport": true});
    json!({
        "textDocument": {"diagnostic": {}},
        "workspace": {"diagnostics": refresh, "inlayHint": refresh},
    })
}

fn messages(report: &Value) -> Vec<&str> {
    let items = report["items"].as_array().unwrap().iter();
    items
        .map(|found| found["message"].as_str().unwrap())
        .collect()
}

#[test]
fn answers_requests_for_diagnostics_when_their_text_is_built() {
    let mut client = Client::with_capabilities(
        &[
            ("/w/config/schema.yml", SCHEMA),
            ("/w/config/app.yml", TEMPLATE),
            ("/w/config/helpers.star", HELPERS),
        ],
        pulling(),
    );
    let wrong = TEMPLATE.replace("values.replicas", "values.replica");
    client.open("/w/config/app.yml", &wrong);
    let document = json!({"textDocument": {"uri": uri("/w/config/app.yml")}});
    let report = client.request("textDocument/diagnostic", document.clone());
    assert_eq!(report["kind"], "full");
    assert!(messages(&report)[0].contains("replica"), "{report}");
    let mut again = document.clone();
    again["previousResultId"] = report["resultId"].clone();
    let unchanged = client.request("textDocument/diagnostic", again.clone());
    assert_eq!(unchanged["kind"], "unchanged");

    client.change("/w/config/app.yml", TEMPLATE);
    let report = client.request("textDocument/diagnostic", again);
    assert!(messages(&report).is_empty(), "{report}");

    // A mistake in another file that shows in this one.
    let helpers = "def label(text):\n  return missing\nend\n";
    client.open("/w/config/helpers.star", helpers);
    let document = json!({"textDocument": {"uri": uri("/w/config/helpers.star")}});
    let report = client.request("textDocument/diagnostic", document);
    assert_eq!(messages(&report).len(), 1, "{report}");
}

#[test]
fn asks_a_client_to_request_again_when_another_file_has_changed() {
    let files = [
        ("/w/config/schema.yml", SCHEMA),
        ("/w/config/app.yml", TEMPLATE),
        ("/w/config/helpers.star", HELPERS),
    ];
    let mut client = Client::with_capabilities(&files, pulling());
    client.open("/w/config/app.yml", TEMPLATE);
    client.open("/w/config/schema.yml", SCHEMA);
    client.wait_for_build();
    client.change(
        "/w/config/schema.yml",
        &SCHEMA.replace("replicas", "copies"),
    );
    loop {
        if let Message::Request(request) = client.receive()
            && request.method == "workspace/diagnostic/refresh"
        {
            break;
        }
    }
    let document = json!({"textDocument": {"uri": uri("/w/config/app.yml")}});
    let report = client.request("textDocument/diagnostic", document);
    assert!(messages(&report)[0].contains("replicas"), "{report}");
}

#[test]
fn ends_a_build_whose_text_has_changed_and_cancels_requests() {
    let mut client = Client::with_capabilities(&[("/w/a.yml", "")], pulling());
    // Without an end, as far as a test can wait: longer ranges than these are refused at once.
    let endless = "\
#@ def spin():
#@   for i in range(10000000):
#@     for j in range(10000000):
#@       x = j
#@     end
#@   end
#@ end
a: #@ spin()
";
    client.open("/w/a.yml", endless);
    let document = json!({"textDocument": {"uri": uri("/w/a.yml")}});
    let id = RequestId::from("waits".to_owned());
    let method = "textDocument/diagnostic".to_owned();
    let request = Request::new(id.clone(), method, document.clone());
    client.connection.sender.send(request.into()).unwrap();
    // The build has begun when this is answered.
    client.request("textDocument/hover", at("/w/a.yml", 0, 0));
    client.notify("$/cancelRequest", json!({"id": "waits"}));
    let error = loop {
        if let Message::Response(response) = client.receive()
            && response.id == id
        {
            break response.response_result.unwrap_err();
        }
    };
    assert_eq!(error.code, -32800);
    client.change("/w/a.yml", "a: #@ missing\n");
    let report = client.request("textDocument/diagnostic", document);
    assert!(messages(&report)[0].contains("missing"), "{report}");
}

#[test]
fn a_mistake_with_places_in_two_files_is_in_both() {
    let wrong: &str = KUSTOMIZATION
        .replace("json.server.host", "json.server.ho")
        .leak();
    let mut client = Client::start(&[
        ("/w/kustomization.yaml", wrong),
        ("/w/objects.yaml", OBJECTS),
    ]);
    client.open("/w/kustomization.yaml", wrong);
    let (first, messages) = client.diagnostics();
    let (second, others) = client.diagnostics();
    assert_eq!(
        [&*first, &*second],
        ["/w/kustomization.yaml", "/w/objects.yaml"]
    );
    assert!(messages[0].contains("has no field `ho`"), "{messages:?}");
    assert_eq!(messages, others);
}
