//! Tests of values in templates: fragments, structs, data values, numbers.

use super::*;

/// Returns the printed value of an expression. It can call a function `f` that returns
/// `{a: 1, b: [p, q]}`.
fn value(expression: &str) -> String {
    let template = format!("#@ def f():\na: 1\nb:\n- p\n- q\n#@ end\n---\nv: #@ {expression}\n");
    output(&template)
        .strip_prefix("v: ")
        .unwrap_or("not a scalar")
        .trim_end()
        .to_owned()
}

#[test]
fn reads_fragments_like_dictionaries_and_lists() {
    for (expression, expected) in [
        ("f()['a']", "1"),
        ("f()['b'][1]", "q"),
        ("str([k for k in f()])", "'[\"a\", \"b\"]'"),
        ("str(f()['b'][1:])", "'[\"q\"]'"),
        ("len(f())", "2"),
        ("'a' in f() and 'z' not in f()", "true"),
        ("bool(f()) and not [x for x in [] if f()]", "true"),
        ("f() == f()", "true"),
        ("f() == {'a': 1}", "false"),
        (
            "str(f()['b'] + ['z']) + str(['w'] + f()['b'])",
            "'[\"p\", \"q\", \"z\"][\"w\", \"p\", \"q\"]'",
        ),
        (
            "type(f()) + str(f())",
            "yamlfragmentyamlfragment(*yamlmeta.Map)",
        ),
        ("str(dict(**f())['b'])", "yamlfragment(*yamlmeta.Array)"),
        ("str(sorted(f()['b'], reverse=True))", "'[\"q\", \"p\"]'"),
    ] {
        assert_eq!(value(expression), expected, "{expression}");
    }
}

#[test]
fn copies_values_instead_of_aliasing_them() {
    check(&[
        (
            "#@ x = [1]\na: #@ x\n#@ x.append(2)\nb: #@ x\n",
            "a:\n- 1\nb:\n- 1\n- 2\n",
        ),
        (
            "#@ x = {'k': []}\na: #@ x\n#@ x['k'].append(1)\nb: #@ x\n",
            "a:\n  k: []\nb:\n  k:\n  - 1\n",
        ),
    ]);
}

#[test]
fn prints_numbers_and_text_as_ytt_does() {
    for (expression, expected) in [
        ("str(1.0) + str(0.1 + 0.2) + str(1e6)", "\"10.31e+06\""),
        ("1 / 3.0", "0.3333333333333333"),
        (
            "'%d-%s-%r-%x-%g' % (3, 'a', 'b', 255, 0.5)",
            "3-a-\"b\"-ff-0.5",
        ),
        ("'{} {x!r} {{}}'.format(2.0, x='s')", "2 \"s\" {}"),
        ("'{1}{0}'.format('a', [1.5, 'é'])", "'[1.5, \"é\"]a'"),
        ("'%(a)s' % {'a': 1}", "\"1\""),
        ("-7.5 % 2", "-1.5"),
        ("-7 % 2", "1"),
        ("len('é')", "2"),
        ("18446744073709551615", "18446744073709551615"),
        ("str(2 << 70)", "\"2361183241434822606848\""),
        (
            "repr({'a': [1, 2.0, None, True]})",
            "'{\"a\": [1, 2, None, True]}'",
        ),
    ] {
        assert_eq!(value(expression), expected, "{expression}");
    }
}

#[test]
fn gives_data_values_as_structs() {
    let template = "#@ load('@ytt:data', 'data')\na: #@ data.values.name\nb: #@ data.values.list[1]\n\
                    c: #@ data.values['map'].deep\nd: #@ hasattr(data.values, 'nope')\ne: #@ data.values\n";
    let values = "name: x\nlist: [1, 2]\nmap: {deep: true}\n";
    let rendered = run(
        &[("config.yml", template)],
        values,
        TemplateOptions::default(),
    )
    .unwrap();
    let expected = "a: x\nb: 2\nc: true\nd: false\ne:\n  name: x\n  list:\n  - 1\n  - 2\n  map:\n    deep: true\n";
    assert_eq!(rendered.output, expected);
    let template = "#@ load('@ytt:data', 'data')\na: #@ data.values.nam\n";
    let message = run(
        &[("config.yml", template)],
        values,
        TemplateOptions::default(),
    )
    .err()
    .unwrap();
    assert!(
        message.contains("struct has no .nam field or method"),
        "{message}"
    );
    assert!(
        message.contains("did you mean `name`?") && message.contains("config.yml:2"),
        "{message}"
    );
}

#[test]
fn binds_and_converts_structs() {
    let load = "#@ load('@ytt:struct', 'struct')\n";
    for (template, expected) in [
        (
            "a: #@ struct.make(x=1, y=[2])\n",
            "a:\n  x: 1\n  \"y\":\n  - 2\n",
        ),
        (
            "#@ s = struct.make_and_bind({'n': 3}, get=lambda o, k: o[k])\na: #@ s.get('n')\n",
            "a: 3\n",
        ),
        (
            "#@ f = struct.bind(lambda a, b: a + b, 1)\na: #@ f(2)\n",
            "a: 3\n",
        ),
        ("a: #@ struct.encode({'k': {'d': 1}}).k.d\n", "a: 1\n"),
        ("a: #@ type(struct.decode(struct.make(x=1)))\n", "a: dict\n"),
        (
            "#@ def f(x, y): return x + y\na: #@ f(**struct.make(x=1, y=2))\n",
            "a: 3\n",
        ),
    ] {
        assert_eq!(
            output(&format!("{load}---\n{template}")),
            expected,
            "{template}"
        );
    }
}

#[test]
fn refuses_values_that_yaml_cannot_contain() {
    for (expression, message) in [
        ("len", "found a builtin_function_or_method"),
        ("lambda: 1", "found a function"),
        ("range(3)", "found a range"),
        ("1 << 100", "at most 64 bits"),
    ] {
        let found = failure(&format!("a: 1\nb: #@ {expression}\n"));
        assert!(
            found.contains(message) && found.contains("config.yml:2"),
            "{expression}: {found}"
        );
    }
    assert!(failure("#@ x = []\n#@ x.append(x)\na: #@ x\n").contains("nest deeper than 255"));
}

#[test]
fn expands_merge_keys_for_code() {
    let template = "#@ load('@ytt:data', 'data')\na: #@ data.values.b\nb: #@ [k for k in data.values.b]\nc: #@ len(data.values.b)\n";
    let values = "x: &x {k: 1}\nb: {<<: *x, j: 2}\n";
    let rendered = run(
        &[("config.yml", template)],
        values,
        TemplateOptions::default(),
    );
    let rendered = rendered.unwrap_or_else(|message| panic!("{message}"));
    assert_eq!(rendered.output, "a:\n  k: 1\n  j: 2\nb:\n- k\n- j\nc: 2\n");
}

#[test]
fn passes_on_bytes_that_are_not_text() {
    let template = "#@ def f():\na: !!binary /w==\nb: !!binary aGk=\n#@ end\n#@ x = f()\n---\nc: #@ x['a']\nd: #@ x['b']\n";
    assert_eq!(output(template), "c: !!binary /w==\nd: hi\n");
}
