//! Tests of programs that exceed a limit.

use std::time::{Duration, Instant};

use super::*;

#[test]
fn reports_a_program_that_exceeds_a_limit() {
    let brackets = format!("a: #@ {}\n", "[".repeat(100_000));
    for (template, part) in [
        (
            "#@ def f(n): return f(n + 1)\na: #@ f(0)\n",
            "stack overflow",
        ),
        ("a: #@ list(range(1000000000))\n", "a range of at most"),
        ("a: #@ len('a' * 1000000000)\n", "a string of at most"),
        ("a: #@ [0] * 1000000000\n", "a list of at most"),
        (
            "#@ s = 'a'\n#@ for i in range(100):\n#@ s += s\n#@ end\na: #@ s\n",
            "a string of at most",
        ),
        (
            "#@ s = 'a'\n#@ for i in range(100):\n#@ s *= 10\n#@ end\na: #@ s\n",
            "a string of at most",
        ),
        (
            "#@ s = [1]\n#@ for i in range(100):\n#@ s = s + s\n#@ end\na: #@ s\n",
            "a list of at most",
        ),
        (&brackets, "brackets nest deeper than 200"),
        (
            "#@ s = 'a' * 9000000\na: #@ '%s%s' % (s, s)\n",
            "a string of at most",
        ),
        (
            "#@ s = 'a' * 9000000\na: #@ '{0}{0}'.format(s)\n",
            "a string of at most",
        ),
        (
            "#@ s = 'a' * 9000000\na: #@ ','.join([s, s])\n",
            "a string of at most",
        ),
        (
            "a: #@ ('a' * 9000).replace('', 'b' * 9000)\n",
            "a string of at most",
        ),
        ("a: #@ list(('a' * 9000000).elems())\n", "a list of at most"),
        ("a: #@ ('a,' * 1500000).split(',')\n", "a list of at most"),
        ("a: #@ zip(*([range(10000)] * 200))\n", "a list of at most"),
        (
            "a: #@ int('9' * 100000)\n",
            "a number of at most 1000 digits",
        ),
        (
            "#@ x = 10\n#@ for i in range(100):\n#@ x = x * x\n#@ end\n",
            "an integer of at most 1000 digits",
        ),
        (
            "#@ l = []\n#@ for i in range(900):\n#@ l.append('a' * 16000000)\n#@ end\n",
            "takes at most",
        ),
        (
            "#@ s = 'a' * 16000000\n#@ l = []\n#@ for i in range(900):\n#@ l.append(s[1:])\n#@ end\n",
            "takes at most",
        ),
        (
            "#@ s = 'a' * 16000000\n#@ l = [s.upper() for i in range(900)]\n",
            "takes at most",
        ),
        (
            "#@ s = 'a' * 16000000\n#@ for i in range(900):\n---\na: #@ s\n#@ end\n",
            "build at most",
        ),
        (
            "#@ load('@ytt:yaml', 'yaml')\n#@ s = 'a' * 9000000\na: #@ yaml.encode([s, s])\n",
            "a string of at most",
        ),
        (
            "#@ x = None\n#@ def f(x):\na: #@ x\n#@ end\n#@ for i in range(1000):\n#@ x = f(x)\n#@ end\n",
            "nest deeper than 255",
        ),
        (
            "#@ x = []\n#@ for i in range(1000):\n#@ x = [x, x]\n#@ end\na: #@ x\n",
            "nest deeper than 255",
        ),
        (
            "#@ x = []\n#@ for i in range(200):\n#@ x = [x, x]\n#@ end\na: #@ x\n",
            "more than 1000000 nodes",
        ),
    ] {
        let start = Instant::now();
        let message = failure(template);
        let excerpt: String = template.chars().take(60).collect();
        assert!(
            message.contains(part) && message.contains("config.yml:"),
            "{excerpt}: {message}"
        );
        assert!(
            start.elapsed() < Duration::from_secs(60),
            "{excerpt}: {:?}",
            start.elapsed()
        );
    }
}

#[test]
fn reports_a_module_whose_values_nest_too_deep() {
    let files = [
        ("config.yml", "#@ load('a.star', 'x')\na: #@ 1\n"),
        ("a.star", "x = []\nfor i in range(100000):\nx = [x]\nend\n"),
    ];
    let message = run(&files, "", TemplateOptions::default())
        .err()
        .unwrap_or_default();
    assert!(
        message.contains("the value of `x` nests deeper than 20000 levels"),
        "{message}"
    );
}

#[test]
fn ends_an_endless_loop() {
    let message = on_large_stack(|| {
        let text = "def f():\nwhile True:\nx = 1\nend\nend\nf()\n";
        let loader = Files {
            texts: [("a.star".to_owned(), text.to_owned())].into(),
            ..Files::default()
        };
        let session = Session::new(
            Limits {
                ticks: 100_000,
                ..Limits::default()
            },
            |_| (),
        );
        let library = Library::new(&session, &loader, &Node::mapping(Vec::new())).unwrap();
        let program = loader
            .find("a.star", &Program::starlark(&Source::empty()).unwrap())
            .unwrap();
        library.evaluate(&program).unwrap_err()
    })
    .unwrap();
    assert_eq!(message.code, Code::Limit, "{}", message.message);
}

/// Evaluates a program with a limit of 10,000 steps. Returns its failure; `None` if it succeeds.
fn failure_in_few_steps(text: &str) -> Option<Box<Diagnostic>> {
    let limits = Limits {
        ticks: 10_000,
        ..Limits::default()
    };
    failure_within(limits, text)
}

fn failure_within(limits: Limits, text: &str) -> Option<Box<Diagnostic>> {
    let failure = on_large_stack(|| {
        let loader = Files {
            texts: [("a.star".to_owned(), text.to_owned())].into(),
            ..Files::default()
        };
        let session = Session::new(limits, |_| ()).with_modules(&crate::modules::MODULES);
        let library = Library::new(&session, &loader, &Node::mapping(Vec::new())).ok()?;
        let start = Program::starlark(&Source::empty()).ok()?;
        let program = loader.find("a.star", &start).ok()?;
        library.evaluate(&program).err()
    });
    failure.ok()?
}

#[test]
fn a_limit_is_exceeded_at_a_place() {
    for (text, line) in [
        ("x = 0\nfor i in range(1000000):\n  x = i\nend\n", 2),
        (
            "def f(n):\n  return [k for k in range(n)]\nend\nx = f(1000000)\n",
            2,
        ),
        (
            "def f(k):\n  return k\nend\nfor i in range(100000):\n  sorted([i], key=f)\nend\n",
            4,
        ),
    ] {
        let failure = failure_in_few_steps(text).unwrap();
        assert!(
            failure.message.contains("takes at most 10000 steps"),
            "{text}"
        );
        let place = &failure.labels[0].location;
        assert!(
            place.source.line(place.span.start()) >= line,
            "{text}: {:?}",
            failure.labels
        );
    }
}

#[test]
fn a_call_of_a_native_function_is_one_step() {
    // The crate makes a check after each of these calls, although less than a thousand steps passed.
    let text = "def f(k):\n  return k\nend\nx = []\nfor i in range(100):\n  x.append(i)\n  \
                y = sorted([2, 1], key=f)\nend\n";
    let failure = failure_in_few_steps(text);
    assert!(failure.is_none(), "{:?}", failure.map(|it| it.message));
}

/// The time of each operation depends on the size of its operands, so a few thousand loop turns
/// could take minutes.
#[test]
fn counts_how_long_operations_take() {
    let start = "load('@ytt:regexp', 'regexp')\nload('@ytt:struct', 'struct')\n\
                 load('@ytt:toml', 'toml')\nload('@ytt:json', 'json')\nload('@ytt:url', 'url')\n\
                 b = int('9' * 900)\nw = ['b'] * 100\n\
                 x = list(range(2000))\ny = list(range(2000))\ns = 'a' * 20000\n\
                 t = 'a' * 20000\nd = {k: k for k in x}\nu = set(x)\nv = {t: 1}\n";
    let operations = [
        "-1 in x",
        "'b' in s",
        "x == y",
        "x < y",
        "s == t",
        "s != t",
        "s < t",
        "[s] < [t]",
        "s in [t]",
        "[t].index(s)",
        "max([s, t])",
        "v[s]",
        "v.get(s)",
        "s in v",
        "(s,) in v",
        "{s: 1}",
        "x.index(1999)",
        "x.insert(0, 1)",
        "[x.pop(0), x.append(1)]",
        "[x.remove(1999), x.append(1999)]",
        "x[::2]",
        "list(x)",
        "sorted(x)",
        "max(x)",
        "any(x[:1000])",
        "zip(x, y)",
        "u.union(x)",
        "str(x)",
        "repr(s)",
        "d.items()",
        "[d.pop(0), d.setdefault(0, 0)]",
        "hash(s)",
        "s.find('b')",
        "s.count('b')",
        "s.strip('b')",
        "s.isalpha()",
        "s.upper()",
        "s.split('b')",
        "s.replace('b', 'c')",
        "s[1:]",
        "s + t",
        "'%s' % s",
        "regexp.match('b', s)",
        "struct.encode(x)",
        "print(s)",
        "u ^ u",
        "u & set()",
        "sorted(w)",
        "sorted(w[:20], key=len)",
        "b + 1",
        "b // 7",
        "json.encode(w)",
        "json.decode('[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14]')",
        "toml.decode('a = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]')",
        "url.query_params_encode({'a': w})",
        r"regexp.match('[a-z]{50}', 'b')",
        r"regexp.match('\\pL{2}', 'b')",
        r"regexp.match('[ab]{99}c', s[:500])",
        r"regexp.replace('b', 'bbbbbbbbbbbbbbbbbbbb', '')",
        r"regexp.replace('b', 'bbbbbbbbbb', lambda x: '')",
    ];
    for operation in operations {
        let program =
            format!("{start}def f():\nfor i in range(1000):\n{operation}\nend\nend\nf()\n");
        let Some(failure) = failure_in_few_steps(&program) else {
            panic!("{operation} takes no time");
        };
        let message =
            "expected a program that takes at most 10000 steps, found more (limit `steps`)";
        assert_eq!(failure.message, message, "{operation}");
        let help = "does a loop go on without end, or search a long list again and again?";
        assert!(failure.help.iter().any(|line| line == help), "{operation}");
    }
}

/// A search for one match of many may read the whole text, although each match is short.
#[test]
fn counts_what_is_read_for_each_of_many_matches() {
    let start = "load('@ytt:regexp', 'regexp')\n";
    let replace = |pattern: &str| {
        let text = format!("{start}regexp.replace('{pattern}', 'A' * 4000, '')\n");
        failure_in_few_steps(&text)
    };
    assert!(replace("[A-Z]").is_none());
    assert!(replace("[A-Z]{1,4}").is_none());
    assert!(replace(".*[^A-Z]|[A-Z]").is_some());
}

/// Evaluates a program with a limit of four megabytes. Returns its failure; `None` if it succeeds.
fn failure_in_little_memory(text: &str) -> Option<Box<Diagnostic>> {
    let limits = Limits {
        memory: 4_000_000,
        ..Limits::default()
    };
    failure_within(limits, text)
}

/// The heap of the crate does not know what its values own outside it.
#[test]
fn counts_the_memory_that_values_own() {
    let start = "load('@ytt:struct', 'struct')\nload('@ytt:url', 'url')\nload('@ytt:yaml', 'yaml')\n\
                 def named(**names):\nreturn 1\nend\ng = {}\n\
                 s = 'a' * 2000\nb = int('9' * 900)\nd = {str(k): k for k in range(100)}\n\
                 u = url.parse('http://me@example.com/' + s)\n\
                 y = yaml.encode([{'a': 1, 'b': 2}] * 50)\n";
    let operations = [
        "s.elems()",
        "s.codepoint_ords()",
        "int('9' * 900)",
        "b + 1",
        "u.without_user()",
        "struct.encode(d)",
        "yaml.decode(y)",
        "dict(d)",
        "g.update(d)",
        "g.update(d.items())",
        "dict(**d)",
        "struct.make(**d)",
        "named(**d)",
    ];
    for operation in operations {
        let program =
            format!("{start}def f():\nfor i in range(10000):\n{operation}\nend\nend\nf()\n");
        let message = failure_in_little_memory(&program).map(|failure| failure.message);
        let expected =
            "expected a program that takes at most 4000000 bytes, found more (limit `memory`)";
        assert_eq!(message.as_deref(), Some(expected), "{operation}");
    }
}

/// The crate checks its heap only once in a thousand steps.
#[test]
fn checks_the_memory_after_each_operation_that_makes_a_long_text() {
    let start = "load('@ytt:yaml', 'yaml')\nload('@ytt:json', 'json')\n\
                 load('@ytt:base64', 'base64')\nload('@ytt:regexp', 'regexp')\n\
                 load('@ytt:url', 'url')\ns = 'a' * 100000\nx = list(range(20000))\n";
    let operations = [
        "s + 'b'",
        "s * 2",
        "'b' * 100000",
        "'%s' % s",
        "s % ()",
        "'{}'.format(s)",
        "'-'.join([s])",
        "'b'.replace('b', s)",
        "s.upper()",
        "s[1:]",
        "str(x)",
        "repr(s)",
        "x + [1]",
        "x * 2",
        "x[1:]",
        "list(x)",
        "sorted(x)",
        "[1] * 20000",
        "(1,) * 20000",
        "tuple(x)",
        "zip(x)",
        "yaml.encode(s)",
        "json.encode(s)",
        "base64.encode(s)",
        "regexp.replace('b', 'b', s)",
        "url.path_segment_encode(s)",
    ];
    for operation in operations {
        let program =
            format!("{start}def f():\nfor i in range(100):\n{operation}\nend\nend\nf()\n");
        let failure = failure_in_little_memory(&program);
        let code = failure.map(|failure| failure.code);
        assert_eq!(code, Some(Code::Limit), "{operation}");
    }
}

/// The time of these operations does not depend on the size of their operands.
#[test]
fn counts_short_operations_once() {
    let start = "x = list(range(2000))\ns = 'a' * 20000\nd = {k: k for k in x}\n";
    let operations = [
        "x[5]",
        "len(x)",
        "len(s)",
        "x.append(1)",
        "[x.append(1), x.pop()]",
        "d.get(5)",
        "d[5]",
        "5 in d",
        "x[3:5]",
        "s[3:5]",
        "s.startswith('a')",
        "type(x)",
        "x == [1]",
    ];
    for operation in operations {
        let program =
            format!("{start}def f():\nfor i in range(1000):\n{operation}\nend\nend\nf()\n");
        let failure = failure_in_few_steps(&program);
        assert!(failure.is_none(), "{operation}: {failure:?}");
    }
}

/// Each list or tuple contains the previous one twice, so they represent 2^40 values.
#[test]
fn refuses_to_walk_through_values_that_are_shared_many_times() {
    let start = "l = [1]\nm = [1]\nt = (1,)\ne = {}\n\
                 for i in range(40):\nl = [l, l]\nm = [m, m]\nt = (t, t)\nend\n";
    let operations = [
        "{t: 1}",
        "{k: 1 for k in [t]}",
        "dict([(t, 1)])",
        "e.get(t)",
        "e.pop(t, None)",
        "e.setdefault(t)",
        "e[t]",
        "t in e",
        "set([t])",
        "set().union([t])",
        "l == m",
        "m in [l]",
        "[m].index(l)",
        "sorted([l, m])",
    ];
    for operation in operations {
        let failure = failure_in_few_steps(&format!("{start}y = {operation}\n"));
        assert!(
            failure.is_some_and(|failure| failure.code == Code::Limit),
            "{operation}"
        );
    }
}

#[test]
fn refuses_to_copy_values_that_are_shared_many_times() {
    let start = "load('@ytt:struct', 'struct')\nl = [1]\nfor i in range(40):\nl = [l, l]\nend\n";
    for operation in ["struct.encode(l)", "struct.decode(l)"] {
        let failure = failure_in_few_steps(&format!("{start}y = {operation}\n"));
        let message = failure.map(|failure| failure.message);
        let expected =
            "expected an operation that visits at most 1000000 values, found more (limit `list`)";
        assert_eq!(message.as_deref(), Some(expected));
    }
}

#[test]
fn cuts_a_message_that_is_too_long() {
    let failure = failure_in_few_steps("fail('x' * 100000)\n");
    let message = failure.map(|failure| failure.message).unwrap_or_default();
    assert!(message.len() < 20_000, "{}", message.len());
    assert!(message.ends_with("… (100006 bytes)"));
}

#[test]
fn counts_the_digits_of_integers_for_each_binary_and_unary_operator() {
    let digits = "9".repeat(900);
    let long_literal = format!("-{digits}");
    let expressions = [
        "x + 1",
        "x - 1",
        "x * 2",
        "x // 2",
        "x % y",
        "x | 1",
        "x & y",
        "x ^ 1",
        "x << 1",
        "x >> 1",
        "-x",
        "+x",
        "~x",
        "- -x",
        "-l[0]",
        "-(x)",
        "0 if x < 0 else-x",
        &long_literal,
    ];
    for expression in expressions {
        let program = format!(
            "x = {digits}\ny = (x >> 2) * 3\nl = [x]\nfor i in range(3000):\n{expression}\nend\n"
        );
        let limits = Limits {
            memory: 1_000_000,
            ..Limits::default()
        };
        let failure = failure_within(limits, &program);
        let message = failure.map_or("none".to_owned(), |failure| failure.message);
        assert!(
            message.contains("at most 1000000 bytes"),
            "{expression}: {message}"
        );
    }
}
