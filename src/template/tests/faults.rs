//! Tests of error messages and their places.

use super::*;

#[test]
fn names_the_place_and_the_callers_of_an_error() {
    let template = "#@ def f(x):\n#@   return x + 1\n#@ end\n#@ def g():\na: #@ f('s')\n#@ end\n---\nv: #@ g()\n";
    let message = failure(template);
    for part in [
        "unknown binary op: string + int",
        "config.yml:2:13",
        "`g` at config.yml:5",
        "<toplevel> at config.yml:8",
    ] {
        assert!(message.contains(part), "{part} in {message}");
    }
}

#[test]
fn suggests_only_methods_that_ytt_has() {
    let message = failure("#@ text = \"a\".removeprefi\na: #@ text\n");
    assert!(message.contains("string has no .removeprefi"), "{message}");
    assert!(!message.contains("did you mean"), "{message}");
    let message = failure("#@ text = \"a\".strp\na: #@ text\n");
    assert!(message.contains("did you mean `strip`?"), "{message}");
}

#[test]
fn reports_each_undefined_name_of_a_file_once() {
    let message = failure("a: #@ foo\nb: #@ true\nc: #@ bar + 1\nd: #@ foo + bar\n");
    for (name, line) in [("foo", 1), ("true", 2), ("bar", 3)] {
        let error =
            format!("error[undefined-name]: undefined name `{name}`\n --> config.yml:{line}:");
        assert_eq!(message.matches(&error).count(), 1, "{name} in {message}");
    }
    assert_eq!(message.matches("error[").count(), 3, "{message}");
    assert!(failure("a: #@ true\n").contains("use `True`"));
    assert!(failure("#@ value = 1\na: #@ valeu\n").contains("did you mean `value`?"));
}

#[test]
fn each_undefined_name_of_a_loaded_file_shows_where_it_is_loaded() {
    let files = [
        ("config.yml", "#@ load(\"lib.star\", \"f\")\na: #@ f()\n"),
        ("lib.star", "def f():\n  return foo + bar\nend\n"),
    ];
    let message = run(&files, "", TemplateOptions::default()).err().unwrap();
    assert_eq!(
        message.matches("error[undefined-name]").count(),
        2,
        "{message}"
    );
    assert_eq!(message.matches("config.yml:1").count(), 2, "{message}");
}

#[test]
fn shows_syntax_errors_in_the_template() {
    for (template, place, part) in [
        ("a: 1\n#@ end\n", "config.yml:2", "unexpected end"),
        (
            "a:\n  #@ if True:\n  b: 1\n",
            "config.yml:2",
            "expected `end`",
        ),
        (
            "#@ if True\na: 1\n#@ end\n",
            "config.yml:1",
            "is a colon missing",
        ),
        (
            "a: #@ 1 && 2\n",
            "config.yml:1",
            "use `and` instead of `&&`",
        ),
        ("a: #@ 1 +\n", "config.yml:1", "unexpected"),
        ("a: x #@ 1\n", "config.yml:1", "found both"),
        ("#@ pass\na: 1\n", "config.yml:1", "reserved word `pass`"),
        (
            "#@overlay/match expects=1+\na: 1\n",
            "config.yml:1",
            "unexpected",
        ),
        (
            "#@ if/end True:\n#@ x = 1\na: 1\n",
            "config.yml:2",
            "found more code",
        ),
    ] {
        let message = failure(template);
        assert!(
            message.contains(place) && message.contains(part),
            "{template}: {message}"
        );
    }
}

#[test]
fn names_the_function_of_a_wrong_call() {
    let message = failure("#@ def f(a):\nx: #@ a\n#@ end\n---\ny: #@ f()\n");
    for part in [
        "function f missing 1 argument (a)",
        "config.yml:5",
        "2 | | x: #@ a",
    ] {
        assert!(message.contains(part), "{part} in {message}");
    }
}

#[test]
fn shows_what_is_not_closed_at_its_place() {
    for (template, place) in [
        ("b: 1\na: #@ (1\n", "config.yml:2:"),
        ("b: 1\na: #@ [1, 2\nc: 3\n", "config.yml:2:"),
        ("b: 1\na: #@ f(\n", "config.yml:2:"),
    ] {
        let message = failure(template);
        assert!(message.contains(place), "{message}");
    }
}
