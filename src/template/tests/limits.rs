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
