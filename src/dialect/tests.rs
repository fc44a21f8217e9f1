//! Tests of the conversion, from program text to program text.

use proptest::prelude::*;

use super::convert::convert;
use crate::source::Span;

fn text(program: &str) -> String {
    convert(program)
        .unwrap_or_else(|fault| panic!("{}: {program}", fault.message))
        .text
}

#[test]
fn indents_blocks_and_drops_end() {
    let cases: &[(&str, &str)] = &[
        ("if x:\ny = 1\nend", "if x:\n y = 1\n"),
        (
            "if x:\n  y\nelif z:\n  w\nelse:\n  v\nend\nu",
            "if x:\n y\nelif z:\n w\nelse:\n v\nu\n",
        ),
        ("def f():\nend", "def f():\n pass\n"),
        ("if x:\nelse:\ny\nend", "if x:\n pass\nelse:\n y\n"),
        ("def f(): return 5\nx = f()", "def f(): return 5\nx = f()\n"),
        (
            "for a in b:\nif a: c = 1\nend",
            "for a in b:\n if a: c = 1\n",
        ),
        ("x = [\n1, # one:\n2\n]", "x = [\n1, # one:\n2\n]\n"),
        ("s = '''\nif x:\n'''", "s = '''\nif x:\n'''\n"),
        ("if x: # why\ny # c\nend # d", "if x:\n y\n"),
        (
            "x.end(1)\nf(end=2)",
            "__ytt_member(x, \"end\")(1)\nf(end=2)\n",
        ),
        ("if x:\ny; end\nz", "if x:\n y;\nz\n"),
        (
            "if a:\nif b:\nc\nend\nelse: d\ne",
            "if a:\n if b:\n  c\nelse: d\ne\n",
        ),
    ];
    for (program, expected) in cases {
        assert_eq!(text(program), *expected, "{program}");
    }
}

#[test]
fn rewrites_what_the_crate_reads_differently() {
    let cases: &[(&str, &str)] = &[
        ("assert = 1", "__ytt_name_assert = 1\n"),
        (
            "load('@ytt:assert', 'assert')",
            "load('@ytt:assert', __ytt_name_assert='assert')\n",
        ),
        ("load('a', x='await')", "load('a', x='await')\n"),
        (
            "if x:\nload('a', 'b', 'assert', c='d') # e\nend",
            "if x:\n [b, __ytt_name_assert, c] = __ytt_load('a', 'b', __ytt_name_assert='assert', c='d')\n",
        ),
        (
            "for x in y:\nload('@ytt:data', 'data'); data.values.append(1)\nend",
            "for x in y:\n [data] = __ytt_load('@ytt:data', 'data'); data = __ytt_live(data); __ytt_method(data.values, \"append\", 1)\n",
        ),
        (
            "if x:\ny\nend\nload('a', 'b')",
            "if x:\n y\nload('a', 'b')\n",
        ),
        (
            "def f():\nif x:\nload('a', 'b')\nend\nend",
            "def f():\n if x:\n  load('a', 'b')\n",
        ),
        (r#""\u00e9\n""#, "\"\\\\u00e9\\n\"\n"),
        (r#"r"\u""#, "r\"\\u\"\n"),
        (
            "f(1, *a, x=1, **k)",
            "f(1, *__ytt_star(a), **__ytt_named( x=1, **__ytt_keywords(k)))\n",
        ),
        ("f(**k )", "f(**__ytt_keywords(k) )\n"),
        ("def f(*a, x=1): return a", "def f(*a, x=1): return a\n"),
        ("f(lambda *a, x=1: a)", "f(lambda *a, x=1: a)\n"),
        ("f(*a, x == 1)", "f(*__ytt_star(a), x == 1)\n"),
        ("for x in 1, 2:\ny\nend", "for x in ( 1, 2):\n y\n"),
        ("for x in (1, 2):\ny\nend", "for x in (1, 2):\n y\n"),
        (
            "while x < 1:\ny\nend",
            "for __ytt_turn in __ytt_forever():\n if not ( x < 1): break\n y\n",
        ),
        (
            "while x: y",
            "for __ytt_turn in __ytt_forever():\n if not ( x): break\n  y\n",
        ),
        (
            "s.a[1].find('x', 1)",
            "__ytt_method(__ytt_item(s.a, (1)), \"find\", 'x', 1)\n",
        ),
        (
            "overlay.subset({'a': 1}).x",
            "__ytt_member(overlay, \"subset\")({'a': 1}).x\n",
        ),
        (
            "a.b(c.d(1)).e(f=2)",
            "__ytt_member(__ytt_member(a, \"b\")(__ytt_member(c, \"d\")(1)), \"e\")(f=2)\n",
        ),
        ("(a\n. # why\nb\n(1))", "(__ytt_member(a\n, \"b\")\n(1))\n"),
        ("s.if(1)", "s.if(1)\n"),
        ("s.é(1)", "s.é(1)\n"),
        // A bracket at the start of a statement does not continue the statement before it.
        ("out = items\n[1]", "out = items\n[1]\n"),
        ("y = g\n(s).g()", "y = g\n__ytt_member((s), \"g\")()\n"),
        ("y = s.f\n(3)", "y = s.f\n(3)\n"),
        ("w = g\n(w, *g)", "w = g\n(w, *g)\n"),
        ("w = g\\\n(w, *g)", "w = g\\\n(w, *__ytt_star(g))\n"),
        (
            "assert.await(x)",
            "__ytt_member(__ytt_name_assert, \"__ytt_name_await\")(x)\n",
        ),
        (
            "'a'.elems().split(b)",
            "__ytt_method(__ytt_method('a', \"elems\"), \"split\", b)\n",
        ),
        (
            "(a + b).index(f(c).rfind(d))",
            "__ytt_method((a + b), \"index\", __ytt_method(f(c), \"rfind\", d))\n",
        ),
        (
            "x = not y.find(1)",
            "x = not __ytt_method(y, \"find\", 1)\n",
        ),
        ("x += [1]", "x += __ytt_addend(x, ( [1]))\n"),
        ("x *= 2 + 3 # c", "x = x * ( 2 + 3)\n"),
        ("x <<= 2; y //= 3", "x = x << ( 2); y = y // ( 3)\n"),
        (
            "x[0] *= 2 + 3 # c",
            "__ytt_modify(__ytt_target(x, (0)), \"*\", ( 2 + 3))\n",
        ),
        (
            "d.e[f(k)] >>= g(v)",
            "__ytt_modify(__ytt_target(d.e, (f(k))), \">>\", ( g(v)))\n",
        ),
        (
            "d[f(k)] = g(v)",
            "d[__ytt_key((f(k)))] = __ytt_entry( g(v))\n",
        ),
        ("d[1] <= 2", "__ytt_item(d, (1)) <= 2\n"),
        (
            "while [x, 1][0]: y",
            "for __ytt_turn in __ytt_forever():\n if not ( __ytt_item([x, 1], (0))): break\n  y\n",
        ),
        (
            "{'a': b}['a'][1:]",
            "__ytt_slice(__ytt_item({'a': b}, ('a')), 1, None)\n",
        ),
        (
            "a[b[0]], (c[1], d[2][3]) = e",
            "a[__ytt_key((__ytt_item(b, (0))))], (c[1], __ytt_item(d, (2))[3]) = e\n",
        ),
        ("for a[0] in b[1]: c", "for a[0] in __ytt_item(b, (1)): c\n"),
        (
            "\"\"\"a\n  b \\\n  c\n\td\"\"\"",
            "\"\"\"a\nb \\\n  c\nd\"\"\"\n",
        ),
        ("x = a.b[1:]", "x = __ytt_slice(a.b, 1, None)\n"),
        (
            "x[:-1][::2]",
            "__ytt_slice(__ytt_slice(x, None, -1), None, None, 2)\n",
        ),
        (
            "x[1:].upper()[2:3]",
            "__ytt_slice(__ytt_method(__ytt_slice(x, 1, None), \"upper\"), 2, 3)\n",
        ),
        ("[1:2]", "[1:2]\n"),
        ("x[f(lambda a: b)]", "__ytt_item(x, (f(lambda a: b)))\n"),
        (
            "x[(lambda a: b)(1):2]",
            "__ytt_slice(x, (lambda a: b)(1), 2)\n",
        ),
        ("d['a'] = 1, 2 # c", "__ytt_store(d, ('a'), ( 1, 2))\n"),
        (
            "d.e[f(x)[0]][1, 2] = g(y=1)",
            "__ytt_item(d.e, (__ytt_item(f(x), (0))))[__ytt_key((1, 2))] = __ytt_entry( g(y=1))\n",
        ),
        (
            "if x: d[1] = 2; e[3] = 4",
            "if x: __ytt_store(d, (1), ( 2)); __ytt_store(e, (3), ( 4))\n",
        ),
        ("d[1] == 2", "__ytt_item(d, (1)) == 2\n"),
        (
            "x = d[k] + d[-1] + d['a'] + d[a, b]",
            "x = __ytt_item(d, (k)) + __ytt_item(d, (-1)) + __ytt_item(d, ('a')) + __ytt_item(d, (a, b))\n",
        ),
        (
            "{a: b, 'c': d, e(1): {f: 2}}",
            "{__ytt_key((a)): b, 'c': d, __ytt_key((e(1))): {__ytt_key((f)): 2}}\n",
        ),
        (
            "{k.find(x): k for k in y}",
            "{__ytt_key((__ytt_method(k, \"find\", x))):__ytt_entry(k) for k in y}\n",
        ),
        (
            "x[k] *= 2",
            "__ytt_modify(__ytt_target(x, (k)), \"*\", ( 2))\n",
        ),
        ("x = -y", "x = __ytt_negative(y)\n"),
        (
            "-a.b(~c)[1:] + -(d) * +'e'",
            "__ytt_negative(__ytt_slice(__ytt_member(a, \"b\")(__ytt_inverted(c)), 1, None)) + __ytt_negative((d)) * __ytt_positive('e')\n",
        ),
        ("- -\\\nx", "__ytt_negative( __ytt_negative(\\\nx))\n"),
        (
            "x - 1 - -1 + ~-.5 - 1e-5 - x[-1]",
            "x - 1 - -1 + ~-.5 - 1e-5 - __ytt_item(x, (-1))\n",
        ),
        (
            "-1234567890123456789",
            "__ytt_negative(1234567890123456789)\n",
        ),
        (
            "f(*-x, y=-z)",
            "f(*__ytt_star(__ytt_negative(x)), **__ytt_named(y=__ytt_negative(z)))\n",
        ),
        (
            "{-x: -y for x in z}",
            "{__ytt_key((__ytt_negative(x))):__ytt_entry(__ytt_negative(y)) for x in z}\n",
        ),
        (
            "d[-x] = -y",
            "__ytt_store(d, (__ytt_negative(x)), ( __ytt_negative(y)))\n",
        ),
        ("x -= -y", "x = x - ( __ytt_negative(y))\n"),
        (
            "if not-x: y\n-x",
            "if not __ytt_negative(x): y\n__ytt_negative(x)\n",
        ),
        ("if a:\nb\nend -x", "if a:\n b\n__ytt_negative(x)\n"),
        ("x.end -x", "x.end -x\n"),
        ("x = -\ny = +not z\n", "x = -\ny = +not z\n"),
        ("not[x].f()", "not __ytt_member([x], \"f\")()\n"),
        (
            "x if y else[z][1:]",
            "x if y else __ytt_slice([z], 1, None)\n",
        ),
        ("[x for x in y]", "[x for x in y]\n"),
        ("d[1], e = 2, 3", "d[1], e = 2, 3\n"),
        (
            "x = {k: v + 1 for k in {1: 2} if k}",
            "x = {__ytt_key((k)):__ytt_entry(v + 1) for k in {1: 2} if k}\n",
        ),
    ];
    for (program, expected) in cases {
        assert_eq!(squeezed(&text(program)), squeezed(expected), "{program}");
    }
}

/// Returns the text without blanks, which may differ.
fn squeezed(text: &str) -> String {
    text.replace("( ", "(")
        .replace("  ", " ")
        .replace("*(", "* (")
}

#[test]
fn opens_and_closes_a_context_in_functions_that_build() {
    let program =
        "def f(x):\n__ytt(\"set\", 1)\nif x: return\ndef g():\nreturn 2\nend\nreturn g()\nend";
    let expected = "def f(x):\n __ytt(\"open\")\n __ytt(\"set\", 1)\n if x: return __ytt(\"close\")\n def g():\n  return 2\n \
                    return __ytt(\"close\", ( g()))\n return __ytt(\"close\")\n";
    assert_eq!(text(program), expected);
    let program = "def f(x):\n__ytt(\"set\", 1)\nif x: return-x\nreturn[x].g()\nend";
    let expected = "def f(x):\n __ytt(\"open\")\n __ytt(\"set\", 1)\n \
                    if x: return __ytt(\"close\", ( __ytt_negative(x)))\n \
                    return __ytt(\"close\", ( __ytt_member([x], \"g\")()))\n return __ytt(\"close\")\n";
    assert_eq!(text(program), expected);
    let program = "def f():\n__ytt(\"write\", 1)\nend";
    assert_eq!(
        text(program),
        "def f():\n __ytt(\"open_text\")\n __ytt(\"write\", 1)\n return __ytt(\"close\")\n"
    );
}

#[test]
fn maps_each_copied_byte_to_its_origin() {
    let program = "if x:\n      y = f(*a, z=1)\nend\n";
    let converted = convert(program).unwrap();
    let inner = converted.text.find("z=1").unwrap();
    let outer = converted
        .map
        .outer_span(Span::new(inner, inner + 3))
        .unwrap();
    assert_eq!(&program[outer.range()], "z=1");
}

#[test]
fn reports_errors_at_their_place() {
    let deep_brackets = "[".repeat(100_000);
    let deep_blocks = "if x:\n".repeat(1_000);
    let long = format!("x = 1{}", " + 1".repeat(10_000));
    let cases: &[(&str, &str, usize)] = &[
        ("x\nend", "unexpected end", 2),
        ("if x:\ny\nif z:\n", "expected `end`", 3),
        ("def f():\npass\nend", "reserved word `pass`", 5),
        ("def f(): pass", "reserved word `pass`", 5),
        ("x\nelse:\ny\nend", "without an `if`", 2),
        (&deep_brackets, "brackets nest deeper than 200", 200),
        (&deep_blocks, "blocks nest deeper than 200", 1_200),
        (&long, "operators deep", 16_000),
    ];
    for (program, message, at_least) in cases {
        let fault = convert(program).unwrap_err();
        let excerpt: String = program.chars().take(40).collect();
        assert!(
            fault.message.contains(message),
            "{excerpt}: {}",
            fault.message
        );
        assert!(
            fault.span.start() + 10 >= *at_least,
            "{excerpt}: {:?}",
            fault.span
        );
    }
}

/// Pieces of programs, which the tests combine into valid and invalid programs.
const PIECES: [&str; 35] = [
    "if x:",
    "elif y:",
    "else:",
    "else: z",
    "for a in b, c:",
    "while x:",
    "while x: y",
    "def f(*a, x=1):",
    "def g(): return 1",
    "end",
    "return",
    "return x, y",
    "pass",
    "__ytt(\"set\", 1, (x))",
    "__ytt(\"write\", 1)",
    "f(*a, x=1, **k)",
    "x += y",
    "x[0] *= 2",
    ".find(",
    "'a'.split(b)",
    "lambda x: y",
    "load('a', 'assert')",
    "load('a', b='c')",
    "assert",
    "(",
    ")",
    "]",
    "{",
    "'",
    "\"\"\"",
    "\\",
    "é",
    "# c",
    "; ",
    "\n",
];

proptest! {
    #[test]
    fn converts_any_program_or_refuses_it_at_a_place(
        pieces in proptest::collection::vec((0..PIECES.len(), any::<bool>()), 0..40)
    ) {
        let program: String =
            pieces.iter().map(|(piece, breaks)| format!("{}{}", PIECES[*piece], if *breaks { "\n" } else { " " })).collect();
        match convert(&program) {
            Err(fault) => prop_assert!(program.get(fault.span.range()).is_some(), "{fault:?} in {program:?}"),
            Ok(converted) => {
                // A byte that is mapped verbatim is equal on both sides.
                for (start, c) in converted.text.char_indices() {
                    let span = Span::new(start, start + c.len_utf8());
                    if let Some(outer) = converted.map.outer_span(span).filter(|outer| outer.len() == c.len_utf8()) {
                        prop_assert!(program.get(outer.range()).is_some());
                    }
                }
            }
        }
    }

    #[test]
    fn keeps_the_tokens_of_a_program_without_blocks(words in proptest::collection::vec("[a-d]{1,3}", 1..8)) {
        let program = words.join(" + ");
        prop_assert_eq!(text(&program), format!("{program}\n"));
    }
}
