//! Tests of code, values and annotations in YAML.

use super::*;

#[test]
fn repeats_and_chooses_nodes_by_blocks() {
    check(&[
        (
            "#@ for i in [1, 2]:\n- #@ i\n- x: #@ i * 2\n#@ end\n",
            "- 1\n- x: 2\n- 2\n- x: 4\n",
        ),
        (
            "a:\n  #@ if False:\n  b: 1\n  #@ elif True:\n  c: 2\n  #@ else:\n  d: 3\n  #@ end\n",
            "a:\n  c: 2\n",
        ),
        ("a:\n  #@ for x in []:\n  - #@ x\n  #@ end\n", "a: []\n"),
        ("a:\n  #@ if False:\n  b: 1\n  #@ end\n", "a: {}\n"),
        (
            "#@ i = 0\nx:\n#@ while i < 3:\n- #@ i\n#@ i += 1\n#@ end\n",
            "x:\n- 0\n- 1\n- 2\n",
        ),
        ("#@ for/end i in range(2):\n- #@ i\n", "- 0\n- 1\n"),
        ("a: 1\n#@ if/end False:\nb: 2\nc: 3\n", "a: 1\nc: 3\n"),
        (
            "#@ for i in range(2):\n---\na: #@ i\n#@ end\n",
            "a: 0\n---\na: 1\n",
        ),
        ("#@ if/end False:\n---\na: 1\n---\nb: 2\n", "b: 2\n"),
        (
            "a: 1\n#@ x = [\n#@   2,\n#@ ]\nb: #@ x\n",
            "a: 1\nb:\n- 2\n",
        ),
    ]);
}

#[test]
fn returns_fragments_from_functions() {
    check(&[
        (
            "#@ def f(i):\na: #@ i\nb: 2\n#@ end\nx: #@ f(1)\nz: #@ f(3)\n",
            "x:\n  a: 1\n  b: 2\nz:\n  a: 3\n  b: 2\n",
        ),
        (
            "#@ def f():\n- 1\n- 2\n#@ end\n---\nx: #@ f() + [3]\n",
            "x:\n- 1\n- 2\n- 3\n",
        ),
        (
            "#@ def f(x):\n#@ if x: return 'early'\na: 1\n#@ end\n---\np: #@ f(True)\nq: #@ f(False)\n",
            "p: early\nq:\n  a: 1\n",
        ),
        (
            "#@ def f():\n#@ return\na: 1\n#@ end\n---\nx: #@ f()\n",
            "x: null\n",
        ),
        ("#@ def f():\n#@   return 5\n#@ end\nx: #@ f()\n", "x: 5\n"),
        (
            "#@ def outer():\n#@ def inner():\na: 1\n#@ end\nb: #@ inner()\n#@ end\n---\nx: #@ outer()\n",
            "x:\n  b:\n    a: 1\n",
        ),
        (
            "#@ def f(i):\n#@ if/end i > 0:\nleft: #@ f(i - 1)\ni: #@ i\n#@ end\n---\nx: #@ f(1)\n",
            "x:\n  left:\n    i: 0\n  i: 1\n",
        ),
        (
            "#@ def f():\n---\na: 1\n---\nb: 2\n#@ end\n---\nl: #@ len(f())\nb: #@ f()[1]['b']\n",
            "l: 2\nb: 2\n",
        ),
        ("#@ def/end f():\na: 1\nx: #@ f()\n", "x:\n  a: 1\n"),
    ]);
}

#[test]
fn attaches_a_comment_to_the_last_node_on_its_line() {
    check(&[
        ("- name: #@ 1\n", "- name: 1\n"),
        ("-\n  name: #@ 1\n", "- name: 1\n"),
        ("--- #@ {'a': 1}\n", "a: 1\n"),
        ("a: {b: , c: } #@ 1\n", "a:\n  b: null\n  c: 1\n"),
        ("a: |  #@ no value\n  text\n", "a: |\n  text\n"),
    ]);
}

#[test]
fn drops_comments_that_are_not_code() {
    check(&[
        ("#! for people\na: 1 #! too\nb: #@ 2\n", "a: 1\nb: 2\n"),
        ("#@comment text that = is (no code\na: #@ 1\n", "a: 1\n"),
        ("a: 1\nb: #@ 2\n#@ x = 1\n", "a: 1\nb: 2\n"),
    ]);
    let text = "# plain\na: 1\nb: #@ 2\n";
    assert!(failure(text).contains("config.yml:1"));
    let options = TemplateOptions {
        ignore_unknown_comments: true,
        ..TemplateOptions::default()
    };
    assert_eq!(
        run(&[("config.yml", text)], "", options).unwrap().output,
        "a: 1\nb: 2\n"
    );
}

#[test]
fn refuses_a_second_key_unless_it_overrides() {
    check(&[
        (
            "a: 1\nb: 2\n#@yaml/map-key-override\na: #@ 3\n",
            "b: 2\na: 3\n",
        ),
        (
            "a: 1\n#@yaml/map-key-override\na: 2\nc: #@ 3\n",
            "a: 2\nc: 3\n",
        ),
        ("1: a\n\"1\": #@ 'b'\n", "1: a\n\"1\": b\n"),
    ]);
    for text in [
        "a: 1\nb: #@ 1\na: 2\n",
        "x:\n  a: 1\n  a: 2\ny: #@ 1\n",
        "#@ for i in [1, 2]:\na: 1\n#@ end\n",
    ] {
        let message = failure(text);
        assert!(message.contains("found key 'a' again"), "{message}");
        assert!(message.contains("#@yaml/map-key-override"), "{message}");
    }
    let options = TemplateOptions {
        implicit_map_key_overrides: true,
        ..TemplateOptions::default()
    };
    assert_eq!(
        run(&[("config.yml", "a: 1\na: #@ 2\n")], "", options)
            .unwrap()
            .output,
        "a: 2\n"
    );
}

#[test]
fn puts_replacements_in_the_place_of_their_node() {
    let load = "#@ load('@ytt:template', 'template')\n";
    for (template, expected) in [
        (
            "a: 1\nx: #@ template.replace({'b': 2, 'c': 3})\nd: 4\n",
            "a: 1\nb: 2\nc: 3\nd: 4\n",
        ),
        (
            "a:\n- 1\n- #@ template.replace([2, 3])\n- 4\n",
            "a:\n- 1\n- 2\n- 3\n- 4\n",
        ),
        (
            "--- #@ template.replace([{'a': 1}, {'b': 2}])\n",
            "a: 1\n---\nb: 2\n",
        ),
        ("a: 1\nx: #@ template.replace({'a': 2})\n", "a: 2\n"),
        ("x: #@ template.replace({'x': 2})\n", "x: 2\n"),
        (
            "#@ for i in [1]:\n- 0\n- #@ template.replace([i])\n#@ end\n",
            "- 0\n- 1\n",
        ),
    ] {
        assert_eq!(
            output(&format!("{load}---\n{template}")),
            expected,
            "{template}"
        );
    }
    assert!(
        failure(&format!("{load}---\nx: #@ template.replace([1])\n"))
            .contains("expected a mapping to replace")
    );
    assert!(
        failure(&format!("{load}---\nx: #@ [template.replace([1])]\n")).contains("config.yml:3")
    );
}

#[test]
fn renders_strings_as_text_templates() {
    check(&[
        (
            "#@ x = 'v'\n#@yaml/text-templated-strings\na: p-(@= x @)\n",
            "a: p-v\n",
        ),
        (
            "#@ x = 'v'\n#@yaml/text-templated-strings\n---\nk-(@= x @): 1\nl:\n- (@= x @)\n",
            "k-v: 1\nl:\n- v\n",
        ),
        (
            "#@yaml/text-templated-strings\na: |\n  (@ for i in range(2): -@)\n  l(@= str(i) @)\n  (@ end -@)\n",
            "a: |\n  l0\n  l1\n",
        ),
        (
            "#@yaml/text-templated-strings\na: plain\nb: (@= 'x' @)\n",
            "a: plain\nb: (@= 'x' @)\n",
        ),
    ]);
    assert!(
        failure("#@yaml/text-templated-strings\na: (@= 1 @)\n")
            .contains("expected a string to print, found an int")
    );
    assert!(failure("#@yaml/text-templated-strings\na: x\nb: 1 #@ 2\n").contains("found both"));
}

#[test]
fn writes_out_anchors_and_gives_the_comment_to_the_last_copy() {
    check(&[
        (
            "a: &x\n  p: #@ 1\nb: *x\nc: {<<: *x}\n",
            "a:\n  p: null\nb:\n  p: null\nc:\n  p: 1\n",
        ),
        (
            "a: &x {p: 1}\nb: *x\nc: #@ 2\n",
            "a:\n  p: 1\nb:\n  p: 1\nc: 2\n",
        ),
    ]);
}

#[test]
fn shares_parts_without_code_as_parsed() {
    let source = Source::new("config.yml", "a:\n  b: [1]\nc: #@ 1\n---\nplain: true\n").unwrap();
    let stream = parse(&source).unwrap();
    let program = Arc::new(compile(&stream, &TemplateOptions::default()).unwrap());
    let documents = on_large_stack(|| {
        let loader = Files::default();
        let session = Session::new(Limits::default(), |_| ());
        let library = Library::new(&session, &loader, &Node::mapping(Vec::new())).unwrap();
        match library.evaluate(&program).unwrap() {
            Evaluated::Documents(documents) => documents,
            other => panic!("expected documents, found {other:?}"),
        }
    })
    .unwrap();
    let parsed =
        |document: usize, key: &str| stream.documents[document].root.get(key).cloned().unwrap();
    assert!(Arc::ptr_eq(
        documents[0].root.get("a").unwrap(),
        &parsed(0, "a")
    ));
    assert!(Arc::ptr_eq(&documents[1].root, &stream.documents[1].root));
}
