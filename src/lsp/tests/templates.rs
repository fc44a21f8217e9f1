//! Templates, data values and overlays.

use serde_json::{Value, json};

use super::{Client, HELPERS, OBJECTS, SCHEMA, TEMPLATE, at, labels, position, uri};

#[test]
fn completes_annotations_modules_and_data_values() {
    let mut client = Client::config();
    let values = client.ask(
        "textDocument/completion",
        "  replicas: #@ data.values.|replicas",
    );
    assert_eq!(labels(&values), ["replicas", "app"]);
    assert_eq!(values["items"][0]["detail"], "an integer");
    let names = client.ask(
        "textDocument/completion",
        "  name: #@ data.values.app.|name",
    );
    assert_eq!(labels(&names), ["name"]);
    let symbols = client.ask(
        "textDocument/completion",
        "#@ load(\"helpers.star\", \"|label\")",
    );
    assert_eq!(labels(&symbols), ["label"]);
    let paths = client.ask(
        "textDocument/completion",
        "#@ load(\"|helpers.star\", \"label\")",
    );
    assert!(labels(&paths).contains(&"helpers.star".to_owned()));
    let rooted = completed(&mut Client::config(), "#@ load(\"/h|");
    assert!(rooted.contains(&"/helpers.star".to_owned()), "{rooted:?}");

    // In a text that does not parse.
    let typed = format!("{TEMPLATE}x: [\n#@overlay/match \n#@over");
    client.change("/w/config/app.yml", &typed);
    let lines = typed.lines().count();
    let place = at("/w/config/app.yml", lines - 1, 6);
    let annotations = client.request("textDocument/completion", place);
    assert_eq!(labels(&annotations)[0], "overlay/match");
    let place = at("/w/config/app.yml", lines - 2, 16);
    let arguments = client.request("textDocument/completion", place);
    assert_eq!(
        labels(&arguments),
        [
            "by=",
            "expects=",
            "missing_ok=",
            "when=",
            "data",
            "label",
            "True",
            "False",
            "None",
            "lambda",
            "not"
        ],
        "arguments and what expressions begin with; nothing that begins or ends a block"
    );
}

#[test]
fn offers_arguments_only_where_one_can_begin() {
    let mut client = Client::config();
    let table: [(&str, &[&str]); 6] = [
        (
            "#@overlay/match ",
            &["by=", "expects=", "missing_ok=", "when="],
        ),
        (
            "#@overlay/match by=f({\"a\": \"), (\"}), ex",
            &["expects=", "missing_ok=", "when="],
        ),
        ("#@overlay/match missing_ok=True,by=", &[]),
        ("#@overlay/match by=f(", &[]),
        ("#@overlay/match by=lambda a, b: a == b and ", &[]),
        ("#@overlay/remove ", &[]),
    ];
    for (line, expected) in table {
        client.change("/w/config/app.yml", line);
        let place = at("/w/config/app.yml", 0, line.len());
        let found = labels(&client.request("textDocument/completion", place));
        let arguments: Vec<&String> = found.iter().filter(|name| name.ends_with('=')).collect();
        assert_eq!(arguments, expected, "{line}");
        assert!(found.contains(&"lambda".to_owned()), "{line}");
        assert!(!found.contains(&"break".to_owned()), "{line}");
    }
}

#[test]
fn describes_names_and_finds_their_definitions_and_uses() {
    let mut client = Client::config();
    let hover = client.ask("textDocument/hover", "  replicas: #@ data.values.rep|licas");
    let text = hover["contents"]["value"].as_str().unwrap();
    assert!(
        text.contains("an integer") && text.contains("How many"),
        "{text}"
    );

    let place = client.ask(
        "textDocument/definition",
        "  name: #@ data.values.app.na|me",
    );
    assert_eq!(place["uri"], uri("/w/config/schema.yml"));
    assert_eq!(place["range"]["start"]["line"], 5);
    let place = client.ask("textDocument/definition", "  label: #@ la|bel(\"x\")");
    assert_eq!(place["uri"], uri("/w/config/helpers.star"));
    assert_eq!(place["range"]["start"], position(0, 4));

    let uses = client.ask("textDocument/references", "  label: #@ la|bel(\"x\")");
    assert_eq!(
        uses.as_array().unwrap().len(),
        3,
        "definition, load and call: {uses}"
    );
}

#[test]
fn renames_a_data_value_in_its_schema_its_values_and_code() {
    let values = "#@data/values\n---\napp:\n  name: dev\n";
    let schema: &str = format!("{SCHEMA}  other: 1\n").leak();
    let template = "\
kind: Script
script: |
  echo #@ data.values.app.name
text: \"x\\\" #@ data.values.app.name\"
#@ load(\"@ytt:data\", \"data\")
name: #@ data.values[\"app\"][\"name\"]
";
    let mut client = Client::start(&[
        ("/w/config/schema.yml", schema),
        ("/w/config/values.yml", values),
        ("/w/config/script.yml", template),
        ("/w/config/app.yml", TEMPLATE),
        ("/w/config/helpers.star", HELPERS),
    ]);
    client.open("/w/config/app.yml", TEMPLATE);
    client.open("/w/config/values.yml", values);
    client.wait_for_build();
    // From the key of the document that sets it.
    let mut parameters = at("/w/config/values.yml", 3, 3);
    let hover = client.request("textDocument/hover", parameters.clone());
    assert!(
        hover["contents"]["value"]
            .as_str()
            .unwrap()
            .contains("a string")
    );
    parameters["newName"] = json!("title");
    let edit = client.request("textDocument/rename", parameters);
    let changes = edit["changes"].as_object().unwrap();
    let mut found: Vec<(String, Value)> = Vec::new();
    for (uri, edits) in changes {
        for edit in edits.as_array().unwrap() {
            assert_eq!(edit["newText"], "title");
            found.push((
                uri.replace("file:///w/config/", ""),
                edit["range"]["start"].clone(),
            ));
        }
    }
    found.sort_by(|one, other| one.0.cmp(&other.0));
    let expected = [
        ("app.yml", position(4, 27)),
        ("schema.yml", position(5, 2)),
        ("script.yml", position(5, 29)),
        ("values.yml", position(3, 2)),
    ];
    assert_eq!(
        found,
        expected.map(|(path, place)| (path.to_owned(), place))
    );

    for (name, reason) in [
        ("my-title", "is not an expression"),
        ("for", "is a word of the language"),
        ("null", "is not a text"),
        ("other", "there is a data value `app.other` already"),
    ] {
        let mut parameters = at("/w/config/app.yml", 4, 28);
        parameters["newName"] = json!(name);
        let refused = client.response("textDocument/rename", parameters);
        let error = refused.response_result.unwrap_err();
        assert!(error.message.contains(reason), "{}", error.message);
    }
    // A file that cannot be read may use the value.
    client.change("/w/config/values.yml", "#@data/values\n---\napp: [ name\n");
    let mut parameters = at("/w/config/app.yml", 4, 28);
    parameters["newName"] = json!("title");
    let refused = client.response("textDocument/rename", parameters);
    let error = refused.response_result.unwrap_err();
    assert!(error.message.contains("is not YAML"), "{}", error.message);
}

/// A private library has data values of its own, which may have the same names.
#[test]
fn a_rename_does_not_reach_into_private_libraries() {
    let library = "#@ load(\"@ytt:data\", \"data\")\nname: #@ data.values.app.name\n";
    let for_library = "#@library/ref \"@redis\"\n#@data/values\n---\napp:\n  name: cache\n";
    let user = "#@ load(\"@ytt:library\", \"library\")\n#@ load(\"@ytt:template\", \"template\")\n--- #@ template.replace(library.get(\"redis\").eval())\n";
    let mut client = Client::start(&[
        ("/w/config/user.yml", user),
        (
            "/w/.inlay/lsp.yaml",
            "targets:\n- build: {files: [config]}\n",
        ),
        ("/w/config/schema.yml", SCHEMA),
        ("/w/config/app.yml", TEMPLATE),
        ("/w/config/helpers.star", HELPERS),
        ("/w/config/redis.yml", for_library),
        ("/w/config/_ytt_lib/redis/schema.yml", SCHEMA),
        ("/w/config/_ytt_lib/redis/redis.yml", library),
    ]);
    client.open("/w/config/app.yml", TEMPLATE);
    client.wait_for_build();
    let mut parameters = at("/w/config/app.yml", 4, 28);
    parameters["newName"] = json!("title");
    let edit = client.request("textDocument/rename", parameters);
    let changes = edit["changes"].as_object().unwrap();
    let mut files: Vec<&String> = changes.keys().collect();
    files.sort();
    assert_eq!(
        files,
        [&uri("/w/config/app.yml"), &uri("/w/config/schema.yml")]
    );
    // The target has no values for the library, but its build shows what the code gives there.
    client.open("/w/config/_ytt_lib/redis/redis.yml", library);
    let place = at("/w/config/_ytt_lib/redis/redis.yml", 1, 26);
    let hover = client.request("textDocument/hover", place);
    assert_eq!(hover["contents"]["value"], "Value of this line: `cache`");
    client.open("/w/config/redis.yml", for_library);
    let hover = client.request("textDocument/hover", at("/w/config/redis.yml", 4, 3));
    assert_eq!(hover, Value::Null, "a value of the library");
}

#[test]
fn completes_the_keys_of_documents_with_data_values() {
    let values = "#@data/values\n---\napp:\n  n";
    let mut client = Client::start(&[
        ("/w/config/schema.yml", SCHEMA),
        ("/w/config/app.yml", TEMPLATE),
        ("/w/config/helpers.star", HELPERS),
    ]);
    client.open("/w/config/app.yml", TEMPLATE);
    client.wait_for_build();
    client.open("/w/config/values.yml", values);
    let inner = client.request("textDocument/completion", at("/w/config/values.yml", 3, 3));
    assert_eq!(labels(&inner), ["name"]);
    let outer = client.request("textDocument/completion", at("/w/config/values.yml", 2, 1));
    assert_eq!(labels(&outer), ["replicas", "app"]);
}

#[test]
fn shows_values_symbols_and_folds() {
    let mut client = Client::config();
    let document = json!({"uri": uri("/w/config/app.yml")});
    let range = json!({"start": position(0, 0), "end": position(99, 0)});
    let parameters = json!({"textDocument": document, "range": range});
    let hints = client.request("textDocument/inlayHint", parameters);
    let hints = hints.as_array().unwrap().iter();
    let hints: Vec<&str> = hints.map(|hint| hint["label"].as_str().unwrap()).collect();
    assert_eq!(hints, ["= shop", "= x!", "= 2"]);

    let parameters = json!({"textDocument": document});
    let symbols = client.request("textDocument/documentSymbol", parameters.clone());
    assert_eq!(symbols[0]["name"], "Deployment");
    assert_eq!(symbols[0]["children"][1]["name"], "metadata");
    let folds = client.request("textDocument/foldingRange", parameters);
    let folds = folds.as_array().unwrap().iter();
    let lines: Vec<u64> = folds
        .map(|fold| fold["startLine"].as_u64().unwrap())
        .collect();
    assert_eq!(lines, [3, 6]);
}

#[test]
fn offers_the_fix_that_a_help_line_suggests() {
    let mut client = Client::start(&[("/w/a.yml", "")]);
    client.open("/w/a.yml", "#@overlay/mach by=1\na: 1\n");
    client.diagnostics();
    let range = json!({"start": position(0, 5), "end": position(0, 5)});
    let document = json!({"uri": uri("/w/a.yml")});
    let context = json!({"diagnostics": []});
    let parameters = json!({"textDocument": document, "range": range, "context": context});
    let actions = client.request("textDocument/codeAction", parameters);
    let edit = &actions[0]["edit"]["changes"][uri("/w/a.yml")][0];
    assert_eq!(edit["newText"], "overlay/match");
    assert_eq!(edit["range"]["start"], position(0, 2));
    assert_eq!(edit["range"]["end"], position(0, 14));
}

#[test]
fn formats_and_counts_columns_as_the_client_does() {
    let utf8 = json!({"general": {"positionEncodings": ["utf-8"]}});
    for (capabilities, column) in [(json!({}), 8), (utf8, 11)] {
        let mut client = Client::with_capabilities(&[("/w/a.yml", "")], capabilities);
        // é has one unit in UTF-16 and two in UTF-8; the smiley has two and four.
        client.open("/w/a.yml", "#@ x = \"é😀\"\na:   1 #@ x\n");
        let parameters = json!({"textDocument": {"uri": uri("/w/a.yml")}, "options": {"tabSize": 2, "insertSpaces": true}});
        let edits = client.request("textDocument/formatting", parameters);
        assert!(edits.is_array(), "{edits}");
        let place = at("/w/a.yml", 0, column);
        assert_eq!(
            client.request("textDocument/completion", place)["items"],
            json!([])
        );
    }
}

const OVERLAY: &str = "\
#@ load(\"@ytt:overlay\", \"overlay\")
#@overlay/match by=overlay.subset({\"kind\": \"Deployment\"}), expects=\"1+\"
---
spec:
  replicas: 3
#@overlay/match by=overlay.subset({\"kind\": \"ConfigMap\"})
---
data:
  #@overlay/structured
  config.json:
    server:
      #@overlay/match missing_ok=True
      host: db
";

#[test]
fn shows_and_completes_what_overlays_match() {
    let mut client = Client::start(&[("/w/overlay.yml", OVERLAY), ("/w/objects.yml", OBJECTS)]);
    client.open("/w/overlay.yml", OVERLAY);
    client.wait_for_hints("/w/overlay.yml");
    let hints = client.hints("/w/overlay.yml");
    assert_eq!(hints, ["2 matches", "1 match", "1 match"]);

    let hover = client.request("textDocument/hover", at("/w/overlay.yml", 1, 5));
    let text = hover["contents"]["value"].as_str().unwrap();
    assert!(
        text.contains("In the last build: 2 matches\n- Deployment/web (objects.yml:12)"),
        "{text}"
    );
    let found = client.request("textDocument/definition", at("/w/overlay.yml", 1, 5));
    assert_eq!(found.as_array().unwrap().len(), 2, "{found}");
    // From a key to what it is merged into, also in a string.
    let found = client.request("textDocument/definition", at("/w/overlay.yml", 12, 8));
    assert_eq!(found["uri"], uri("/w/objects.yml"));
    assert_eq!(found["range"]["start"], position(9, 16));

    let found = client.request("textDocument/completion", at("/w/overlay.yml", 4, 3));
    assert_eq!(labels(&found), ["replicas", "template"]);
    let typed = OVERLAY.replace("host: db\n", "host: db\n      po");
    client.change("/w/overlay.yml", &typed);
    let found = client.request("textDocument/completion", at("/w/overlay.yml", 13, 8));
    assert_eq!(labels(&found), ["host", "port"]);
    client.change("/w/overlay.yml", OVERLAY);
    let found = client.request("textDocument/completion", at("/w/overlay.yml", 7, 2));
    assert_eq!(labels(&found)[0], "apiVersion", "the root of the document");
}

/// The nearest part that is merged with something is further out than the position.
#[test]
fn completes_keys_below_a_key_that_has_none_yet() {
    let head: Vec<&str> = OVERLAY.lines().collect();
    let deployment = head[..3].join("\n");
    // Lines are where they were in the last build, so that no other build is waited for.
    let settings = head[..7].join("\n");
    let table: [(String, &[&str]); 10] = [
        (
            format!("{deployment}\nspec:\n  "),
            &["replicas", "template"],
        ),
        (
            format!("{deployment}\nspec:\n  repl"),
            &["replicas", "template"],
        ),
        (format!("{deployment}\nspec:\n  template:\n    "), &["spec"]),
        (
            format!("{deployment}\nspec:\n  template:\n    spec:\n      "),
            &["containers"],
        ),
        (
            format!("{deployment}\nspec:\n  template:\n    spec:\n      containers:\n      - "),
            &["name", "image"],
        ),
        (format!("{deployment}\nspec: {{"), &["replicas", "template"]),
        // A value, and a key that no document has.
        (format!("{deployment}\nspec: "), &[]),
        (format!("{deployment}\nspec:\n  unknown:\n    "), &[]),
        // In the document of a string.
        (
            format!("{settings}\ndata:\n  #@overlay/structured\n  config.json:\n    "),
            &["server"],
        ),
        (
            format!(
                "{settings}\ndata:\n  #@overlay/structured\n  config.json:\n    server:\n      ho"
            ),
            &["host", "port"],
        ),
    ];
    for (text, expected) in table {
        // The last build is always that of the whole overlay: one of another row may have ended.
        let mut client = Client::start(&[("/w/overlay.yml", OVERLAY), ("/w/objects.yml", OBJECTS)]);
        client.open("/w/overlay.yml", OVERLAY);
        client.wait_for_hints("/w/overlay.yml");
        client.change("/w/overlay.yml", &text);
        let line = text.lines().count() - 1;
        let column = text.lines().last().unwrap().len();
        let found = client.request(
            "textDocument/completion",
            at("/w/overlay.yml", line, column),
        );
        assert_eq!(labels(&found), expected, "{text}");
    }
}

/// Returns what is completed at the `|` of a text that is typed instead of the template.
fn completed(client: &mut Client, marked: &str) -> Vec<String> {
    let path = "/w/config/app.yml";
    client.change(path, &marked.replacen('|', "", 1));
    let offset = marked.find('|').unwrap();
    let line = marked[..offset].matches('\n').count();
    let column = offset - marked[..offset].rfind('\n').map_or(0, |at| at + 1);
    labels(&client.request("textDocument/completion", at(path, line, column)))
}

const LISTS: &str = "\
#@data/values-schema
---
app:
  name: shop
  my-key: 1
ports:
- name: http
  number: 80
";

#[test]
fn completes_what_local_names_and_brackets_lead_to() {
    let template = "#@ load(\"@ytt:data\", \"data\")\na: #@ data.values.app.name\n";
    let mut client = Client::start(&[
        ("/w/config/schema.yml", LISTS),
        ("/w/config/app.yml", template),
    ]);
    client.open("/w/config/app.yml", template);
    client.wait_for_build();
    let table: [(&str, &[&str]); 7] = [
        (
            "#@ for p in data.values.ports:\n- #@ p.|",
            &["name", "number"],
        ),
        (
            "#@ ports = data.values.ports\n#@ for p in ports:\n- #@ p.|",
            &["name", "number"],
        ),
        ("#@ app = data.values[\"app\"]\na: #@ app.|", &["name"]),
        (
            "#@ app = data.values.app\na: #@ app[\"|",
            &["name", "my-key"],
        ),
        ("a: #@ data.values.app[\"|\"]", &["name", "my-key"]),
        ("#@ def f(data):\na: #@ data.|", &[]),
        // The module is not loaded yet.
        ("a: #@ base64.|", &["encode", "decode"]),
    ];
    for (typed, expected) in table {
        let text = format!("#@ load(\"@ytt:data\", \"data\")\n{typed}");
        assert_eq!(completed(&mut client, &text), expected, "{typed}");
    }
    let names = completed(&mut client, "#@ def f(size, name=1):\na: #@ |");
    assert_eq!(
        names,
        [
            "name", "size", "f", "True", "False", "None", "lambda", "not"
        ]
    );
    let words = completed(&mut client, "#@ |");
    assert!(words.contains(&"for/end".to_owned()), "{words:?}");
    // Not in the code, but in front of it.
    assert!(completed(&mut client, "a: #|@ data").is_empty());
}

#[test]
fn completes_and_describes_the_keys_of_items() {
    let values = "#@data/values\n---\nports:\n- name: web\n  nu";
    let mut client = Client::start(&[("/w/config/schema.yml", LISTS)]);
    client.open("/w/config/values.yml", "#@data/values\n---\n");
    client.open("/w/config/app.yml", "a: #@ 1 + 1\n");
    client.wait_for_build();
    client.change("/w/config/values.yml", values);
    let found = client.request("textDocument/completion", at("/w/config/values.yml", 4, 4));
    assert_eq!(labels(&found), ["name", "number"]);
    let hover = client.request("textDocument/hover", at("/w/config/values.yml", 3, 3));
    let text = hover["contents"]["value"].as_str().unwrap();
    assert!(text.starts_with("a string"), "{text}");
}

#[test]
fn describes_functions_and_the_value_of_a_line() {
    let helpers = "#! The labels of each object.\n#! In one place.\ndef label(text):\n  return text + \"!\"\nend\n";
    let mut client = Client::start(&[
        ("/w/config/schema.yml", SCHEMA),
        ("/w/config/app.yml", TEMPLATE),
        ("/w/config/helpers.star", helpers),
    ]);
    client.open("/w/config/app.yml", TEMPLATE);
    client.wait_for_build();
    let hover = client.ask("textDocument/hover", "  label: #@ la|bel(\"x\")");
    let expected = "```python\ndef label(text)\n```\n\nThe labels of each object.\nIn one place.\n\nof `helpers.star`\n\nValue of this line: `x!`";
    assert_eq!(hover["contents"]["value"], expected);
    client.open("/w/config/helpers.star", helpers);
    let hover = client.request("textDocument/hover", at("/w/config/helpers.star", 2, 6));
    let text = hover["contents"]["value"].as_str().unwrap();
    assert!(
        text.starts_with("```python\ndef label(text)\n```"),
        "{text}"
    );
}

/// Returns the first fix of the first mistake in the overlay, and the overlay with it.
fn overlay_fix(overlay: &str) -> (String, String) {
    let path = "/w/overlay.yml";
    let mut client = Client::start(&[("/w/overlay.yml", ""), ("/w/objects.yml", OBJECTS)]);
    client.open(path, overlay);
    while client.diagnostics().0 != path {}
    let range = json!({"start": position(0, 0), "end": position(99, 0)});
    let context = json!({"diagnostics": []});
    let parameters =
        json!({"textDocument": {"uri": uri(path)}, "range": range, "context": context});
    let actions = client.request("textDocument/codeAction", parameters);
    let edit = &actions[0]["edit"]["changes"][uri(path)][0];
    let offset = |end: &str| {
        let number = |name: &str| edit["range"][end][name].as_u64().unwrap() as usize;
        let lines = overlay.split_inclusive('\n').take(number("line"));
        lines.map(str::len).sum::<usize>() + number("character")
    };
    let mut fixed = overlay.to_owned();
    fixed.replace_range(
        offset("start")..offset("end"),
        edit["newText"].as_str().unwrap(),
    );
    (actions[0]["title"].as_str().unwrap().to_owned(), fixed)
}

#[test]
fn offers_the_edits_that_make_an_overlay_match() {
    let head = "#@ load(\"@ytt:overlay\", \"overlay\")\n";
    let deployments = "#@overlay/match by=overlay.subset({\"kind\": \"Deployment\"}), expects=\"1+\"\n---\nspec:\n";
    let table = [
        (
            "Add `expects=\"1+\"`",
            "#@overlay/match by=overlay.subset({\"kind\": \"Deployment\"})\n---\n".to_owned(),
            "#@overlay/match by=overlay.subset({\"kind\": \"Deployment\"}), expects=\"1+\"\n---\n"
                .to_owned(),
        ),
        (
            "Change to `ConfigMap`",
            "#@overlay/match by=overlay.subset({\"kind\": \"ConfigMop\"})\n---\n".to_owned(),
            "#@overlay/match by=overlay.subset({\"kind\": \"ConfigMap\"})\n---\n".to_owned(),
        ),
        (
            "Change to `replicas`",
            format!("{deployments}  replcas: 2\n"),
            format!("{deployments}  replicas: 2\n"),
        ),
        (
            "Change to `missing_ok`",
            format!("{deployments}  #@overlay/match missing_ko=True\n  paused: true\n"),
            format!("{deployments}  #@overlay/match missing_ok=True\n  paused: true\n"),
        ),
        (
            "Add `#@overlay/match missing_ok=True`",
            format!("{deployments}  paused: true\n"),
            format!("{deployments}  #@overlay/match missing_ok=True\n  paused: true\n"),
        ),
    ];
    for (title, overlay, expected) in table {
        let found = overlay_fix(&format!("{head}{overlay}"));
        assert_eq!(found, (title.to_owned(), format!("{head}{expected}")));
    }
}
