//! The diagnostics to print, by the names of their folders.

use std::sync::Arc;

use inlay::source::{Code, Diagnostic, Location, ObjectReference, OffsetMap, Outer, Source, Span};

const DEPLOYMENT: &str = "\
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: three
  template:
    spec:
      containers:
      - name: web
        image: example.com/web:1.0
";

/// Returns all cases: the diagnostics that are printed together, under the name of their folder.
pub(crate) fn all() -> Vec<(&'static str, Vec<Diagnostic>)> {
    vec![
        ("one-place", vec![wrong_type()]),
        ("two-places-on-one-line", vec![two_places_on_one_line()]),
        ("several-lines", vec![several_lines()]),
        ("hundreds-of-lines", vec![hundreds_of_lines()]),
        ("thousands-of-lines-apart", vec![thousands_of_lines_apart()]),
        ("two-files", vec![two_files()]),
        ("no-place", vec![no_place()]),
        (
            "several-diagnostics",
            vec![wrong_type(), a_warning(), no_place()],
        ),
        ("object-and-field", vec![object_and_field()]),
        ("three-levels-deep", vec![three_levels_deep()]),
        ("base64", vec![base64()]),
        ("crlf", vec![crlf()]),
        ("tabs", vec![tabs()]),
        ("wide-characters", vec![wide_characters()]),
        ("end-of-file", end_of_file()),
        ("line-break", vec![line_break()]),
        ("long-line", long_line()),
        ("control-characters", vec![control_characters()]),
    ]
}

pub(crate) fn file(name: &str, text: &str) -> Arc<Source> {
    Source::new(name, text).unwrap()
}

/// Returns the location of the first occurrence of `part` in the source.
pub(crate) fn place(source: &Arc<Source>, part: &str) -> Location {
    let start = source.text().find(part).unwrap();
    Location::new(source, Span::new(start, start + part.len()))
}

pub(crate) fn end_of(source: &Arc<Source>) -> Location {
    Location::new(source, Span::at(source.text().len()))
}

/// Returns the embedded source whose text is exactly `spelling`.
fn verbatim(outer: &Arc<Source>, spelling: &str) -> Arc<Source> {
    let span = place(outer, spelling).span;
    let map = OffsetMap::identity(span.start(), span.len());
    Source::embedded(
        spelling,
        Outer {
            source: Arc::clone(outer),
            span,
            map,
        },
    )
}

/// Returns the embedded source in `spelling`, where a backslash escapes the next character, as in a
/// JSON string.
fn inside(outer: &Arc<Source>, spelling: &str) -> Arc<Source> {
    let span = place(outer, spelling).span;
    let (mut text, mut map) = (String::new(), OffsetMap::default());
    let mut characters = spelling.char_indices();
    while let Some((offset, character)) = characters.next() {
        let (inner, at) = (text.len(), span.start() + offset);
        if character == '\\' {
            let (_, escaped) = characters.next().unwrap();
            text.push(escaped);
            map.push_spelled(
                Span::new(inner, text.len()),
                Span::new(at, at + 1 + escaped.len_utf8()),
            );
        } else {
            text.push(character);
            map.push_verbatim(inner, at, character.len_utf8());
        }
    }
    Source::embedded(
        text,
        Outer {
            source: Arc::clone(outer),
            span,
            map,
        },
    )
}

fn wrong_type() -> Diagnostic {
    let source = file("apps/deployment.yaml", DEPLOYMENT);
    *Diagnostic::error(Code::ValueDoesNotFit, "expected an integer, found a string")
        .at(place(&source, "three"), "this is a string")
}

fn a_warning() -> Diagnostic {
    let source = file("apps/deployment.yaml", DEPLOYMENT);
    *Diagnostic::warning(Code::Selector, "selector matches nothing")
        .at(place(&source, "Deployment"), "")
}

fn object_and_field() -> Diagnostic {
    *Box::new(wrong_type())
        .in_field("spec.replicas")
        .about(ObjectReference {
            api_version: "apps/v1".to_owned(),
            kind: "Deployment".to_owned(),
            name: "web".to_owned(),
            namespace: String::new(),
        })
}

fn two_places_on_one_line() -> Diagnostic {
    let source = file(
        "labels.yaml",
        "metadata:\n  labels: {app: web, tier: front, app: api}\n",
    );
    let repeated = source.text().rfind("app").unwrap();
    *Diagnostic::error(
        Code::DuplicateKey,
        "expected each key once, found `app` twice",
    )
    .at(
        Location::new(&source, Span::new(repeated, repeated + 3)),
        "given again here",
    )
    .at(place(&source, "app"), "given first here")
}

fn several_lines() -> Diagnostic {
    let source = file("apps/deployment.yaml", DEPLOYMENT);
    let start = DEPLOYMENT.find("metadata").unwrap();
    *Diagnostic::error(Code::Config, "expected a list, found a map")
        .at(
            Location::new(&source, Span::new(start, DEPLOYMENT.len())),
            "this map",
        )
        .at(place(&source, "containers"), "has the list")
}

fn hundreds_of_lines() -> Diagnostic {
    let text: String = (1..=3000)
        .map(|number| format!("- item {number}\n"))
        .collect();
    let source = file("list.yaml", &text);
    let (start, end) = (
        text.find("- item 100\n").unwrap(),
        text.find("- item 900\n").unwrap(),
    );
    *Diagnostic::error(Code::Config, "expected a map, found a list")
        .at(
            Location::new(&source, Span::new(start, end)),
            "eight hundred items",
        )
        .at(
            Location::new(&source, Span::new(0, text.len())),
            "the list starts here",
        )
}

fn thousands_of_lines_apart() -> Diagnostic {
    let text: String = (1..=5000)
        .map(|number| format!("key{number}: x\n"))
        .collect();
    let source = file("map.yaml", &text);
    *Diagnostic::error(Code::DuplicateKey, "expected each key once")
        .at(place(&source, "key4999"), "given again here")
        .at(place(&source, "key2:"), "given first here")
}

fn two_files() -> Diagnostic {
    let deployment = file("apps/deployment.yaml", DEPLOYMENT);
    let config = file(
        "replacements.yaml",
        "- source: {kind: ConfigMap}\n  targets:\n  - field: spec.replicas\n",
    );
    *Diagnostic::error(Code::ValueDoesNotFit, "expected an integer, found a string")
        .at(place(&config, "spec.replicas"), "this target")
        .at(place(&deployment, "three"), "has this value now")
        .at(place(&deployment, "Deployment"), "")
        .note("the value comes from `ConfigMap/settings`")
        .help("write the value without quotes")
}

fn no_place() -> Diagnostic {
    *Diagnostic::error(Code::File, "cannot read `values.yaml`: no such file")
        .at(None, "a label without a place is left out")
        .note("looked in:\noverlays/\nvalues/")
        .help("did you mean `values.yml`?")
}

fn three_levels_deep() -> Diagnostic {
    let outer = file(
        "config-map.yaml",
        r#"data:
  config.json: |
    {"routes": "{\"rules\": \"{\\\"host\\\": \\\"a.example\\\", \\\"port\\\": http}\"}"}
"#,
    );
    let config = verbatim(&outer, outer.text().lines().nth(2).unwrap().trim());
    let routes = inside(
        &config,
        r#"{\"rules\": \"{\\\"host\\\": \\\"a.example\\\", \\\"port\\\": http}\"}"#,
    );
    let rules = inside(&routes, r#"{\"host\": \"a.example\", \"port\": http}"#);
    *Diagnostic::error(Code::JsonSyntax, "expected a value, found `http`")
        .at(place(&rules, "http"), "not JSON")
        .at(place(&rules, "\"port\""), "the value of this key")
        .at(place(&outer, "config.json"), "in this document")
}

fn base64() -> Diagnostic {
    let outer = file(
        "secret.yaml",
        "kind: Secret\ndata:\n  config.json: eyJhIjoKIG5vfQ==\n",
    );
    let span = place(&outer, "eyJhIjoKIG5vfQ==").span;
    let inner = Source::embedded(
        "{\"a\":\n no}",
        Outer {
            source: outer,
            span,
            map: OffsetMap::default(),
        },
    );
    *Diagnostic::error(Code::JsonSyntax, "expected a value, found `no`")
        .at(place(&inner, "no"), "not JSON")
        .at(place(&inner, "\"a\""), "")
}

fn crlf() -> Diagnostic {
    let source = file("windows.yaml", "a: 1\r\nb: [2\r\nc: 3\r\n");
    *Diagnostic::error(Code::YamlSyntax, "expected `,` or `]`, found `c`")
        .at(place(&source, "c"), "found here")
        .at(place(&source, "[2\r\n"), "the list starts here")
}

fn tabs() -> Diagnostic {
    let source = file("tabs.yaml", "a:\n\tb:\t\"one\"\n");
    *Diagnostic::error(Code::YamlSyntax, "expected spaces, found a tab")
        .at(place(&source, "\t"), "use spaces to indent")
        .at(place(&source, "\"one\""), "this value")
}

fn wide_characters() -> Diagnostic {
    let source = file("wide.yaml", "漢字: [値, 👩‍🔧, é, x]\n");
    *Diagnostic::error(Code::Config, "expected a number, found text")
        .at(place(&source, "x"), "after all of them")
        .at(place(&source, "値"), "wide")
        .at(place(&source, "👩‍🔧"), "joined")
}

fn end_of_file() -> Vec<Diagnostic> {
    let texts = ["a: [1,", "a: [1,\n", ""];
    let error = || Diagnostic::error(Code::YamlSyntax, "expected `]`, found the end of the text");
    texts
        .iter()
        .map(|text| *error().at(end_of(&file("list.yaml", text)), "the list is still open"))
        .collect()
}

fn line_break() -> Diagnostic {
    let source = file("quoted.yaml", "a: 'one\nb: two\n");
    *Diagnostic::error(Code::YamlSyntax, "expected `'`, found a line break")
        .at(place(&source, "\n"), "")
}

fn long_line() -> Vec<Diagnostic> {
    let items: Vec<String> = (0..5000)
        .map(|number| format!("{{\"number\":{number},\"text\":\"ü漢\"}}"))
        .collect();
    let source = file("minified.json", &format!("[{}]", items.join(",")));
    let middle = place(&source, "\"number\":2500");
    let whole = Location::new(&source, Span::new(0, source.text().len()));
    vec![
        *Diagnostic::error(Code::JsonSyntax, "expected a string").at(middle.clone(), "found this"),
        *Diagnostic::error(Code::JsonSyntax, "expected a string")
            .at(middle, "found this")
            .at(place(&source, "{\"number\":0,"), "as at the start"),
        *Diagnostic::error(Code::JsonSyntax, "expected a map, found a list")
            .at(whole, "the whole list"),
    ]
}

fn control_characters() -> Diagnostic {
    let source = file(
        "a\x1b[2J\n.yaml",
        "key: \x1b[31mred\x1b[0m \u{202e}desrever\u{202c} \u{9b}1m \x07 end\n",
    );
    *Diagnostic::error(
        Code::Config,
        "expected text, found `\x1b]0;title\x07`\nand `\u{202e}`",
    )
    .at(place(&source, "desrever"), "label \x1b[1m\nof two lines")
    .at(place(&source, "end"), "")
    .note("note \x1b[5m\u{200b}\u{feff}\r\nof two lines")
    .help("help \u{2066}\x7f\0")
}
