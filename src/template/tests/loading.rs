//! Tests of files that load each other.

use super::*;

fn rendered(files: &[(&str, &str)]) -> Rendered {
    run(files, "v: 1\n", TemplateOptions::default()).unwrap_or_else(|message| panic!("{message}"))
}

#[test]
fn builds_in_the_context_of_the_loaded_function() {
    let files = [
        (
            "config.yml",
            "#@ load('lib.lib.yml', 'part', other='text')\na:\n  b: #@ part(1)\n  c: #@ other('x')\n",
        ),
        (
            "lib.lib.yml",
            "#@ load('lib.txt', 'text')\n#@ def part(n):\nx:\n  z: #@ n\n#@ end\n",
        ),
        ("lib.txt", "(@ def text(x): @)<(@= x @)>(@ end @)"),
    ];
    assert_eq!(
        rendered(&files).output,
        "a:\n  b:\n    x:\n      z: 1\n  c: <x>\n"
    );
}

#[test]
fn evaluates_a_module_once_with_the_data_values() {
    let files = [
        (
            "config.yml",
            "#@ load('a.star', 'a')\n#@ load('b.star', 'b')\nx: #@ [a, b]\n",
        ),
        ("a.star", "load('b.star', 'b')\na = b + 1\n"),
        (
            "b.star",
            "load('@ytt:data', 'data')\nprint('evaluated')\nb = data.values.v\n",
        ),
    ];
    let rendered = rendered(&files);
    assert_eq!(rendered.output, "x:\n- 2\n- 1\n");
    assert_eq!(rendered.printed, "evaluated\n");
}

#[test]
fn loads_a_module_that_a_file_makes() {
    let files = [
        (
            "config.yml",
            "#@ load('app.lib.yml', 'app')\na: #@ app.part(app.size)\nb: #@ str(app)\n",
        ),
        (
            "app.lib.yml",
            "#@ load('@ytt:module', 'module')\n#@ def part(n):\nx: #@ n\n#@ end\n\
             #@ app = module.make('app', part=part, size=[1])\n",
        ),
    ];
    assert_eq!(
        rendered(&files).output,
        "a:\n  x:\n  - 1\nb: <module \"app\">\n"
    );
    let change = (
        "config.yml",
        "#@ load('app.lib.yml', 'app')\n#@ app.size.append(2)\n",
    );
    let message = run(&[change, files[1]], "v: 1\n", TemplateOptions::default());
    let message = message.err().expect("the list is frozen");
    assert!(
        message.contains("cannot append to frozen list"),
        "{message}"
    );
}

#[test]
fn skips_a_byte_order_mark_at_the_start_of_every_file() {
    let files = [
        (
            "config.yml",
            "\u{feff}#@ load('a.star', 'a')\n#@ load('t.txt', 't')\nx: #@ [a, t()]\n",
        ),
        ("a.star", "\u{feff}a = 1\n"),
        ("t.txt", "\u{feff}(@ def t(): @)t(@ end @)"),
    ];
    assert_eq!(rendered(&files).output, "x:\n- 1\n- t\n");
}

#[test]
fn reports_why_and_where_a_load_fails() {
    let circle = [
        ("a.star", "load('b.star', 'b')\n"),
        ("b.star", "\nload('c.star', 'c')\n"),
        ("c.star", "load('b.star', 'b')\n"),
    ];
    for (files, expected) in [
        (
            &circle[..],
            vec!["b.star -> c.star -> b.star", "c.star:1", "a.star:1"],
        ),
        (
            &[("a.star", "x = 1\nload('nope.star', 'y')\n")],
            vec!["expected a file `nope.star`", "a.star:2"],
        ),
        (
            &[
                ("a.star", "load('b.star', 'nam')\n"),
                ("b.star", "name = 1\n"),
            ],
            vec!["nam", "did you mean", "name", "a.star:1"],
        ),
        (
            &[("a.star", "load('b.star', '_x')\n"), ("b.star", "_x = 1\n")],
            vec!["_x", "a.star:1"],
        ),
        (
            &[("a.star", "load('@ytt:dta', 'data')\n")],
            vec!["`@ytt:dta`", "did you mean `data`?", "a.star:1"],
        ),
        (
            &[
                ("a.star", "load('b.star', 'x')\n"),
                ("b.star", "\nx = 1 + 'a'\n"),
            ],
            vec!["int + string", "b.star:2", "a.star:1"],
        ),
    ] {
        let message = run(files, "", TemplateOptions::default())
            .err()
            .unwrap_or_default();
        for part in expected {
            assert!(message.contains(part), "{part} in {message}");
        }
    }
}

#[test]
fn reads_and_lists_files_with_data() {
    let files = [
        (
            "config.yml",
            "#@ load('@ytt:data', 'data')\na: #@ data.read('note.md')\nb: #@ len(data.list())\n",
        ),
        ("note.md", "text"),
    ];
    assert_eq!(rendered(&files).output, "a: text\nb: 2\n");
}

#[test]
fn accepts_reserved_words_of_the_crate_as_names() {
    let files = [
        (
            "config.yml",
            "#@ load('@ytt:assert', 'assert')\n#@ load('a.star', 's')\na: #@ assert.try_to(lambda: fail('x'))\nb: #@ s.await\n",
        ),
        (
            "a.star",
            "load('@ytt:struct', 'struct')\nasync = 1\ns = struct.make(await=async)\n",
        ),
    ];
    assert_eq!(rendered(&files).output, "a:\n- null\n- 'fail: x'\nb: 1\n");
}
