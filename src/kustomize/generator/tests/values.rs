//! How the values of an entry are read, from literals, files and environment files.

use super::*;

#[test]
fn splits_literals_at_the_first_equals_sign_and_removes_matching_quotes() {
    let table = [
        ("a=b", "a: b\n"),
        ("a=b=c", "a: b=c\n"),
        ("a=", "a: \"\"\n"),
        ("a=\"b c\"", "a: b c\n"),
        ("a='b'", "a: b\n"),
        ("a=\"b'", "a: '\"b'''\n"),
        ("a=it is 'b'", "a: it is 'b'\n"),
        ("a=\"", "a: '\"'\n"),
        (" a = b ", "' a ': ' b '\n"),
    ];
    for (literal, expected) in table {
        let fields = format!("literals: [{}]", crate::yaml::json_string(literal));
        assert_eq!(data(&fields).unwrap(), expected, "{literal}");
    }
    assert_eq!(
        data("literals: [{a: '\"b\"', c: d}, e=f]").unwrap(),
        "a: '\"b\"'\nc: d\ne: f\n"
    );
}

#[test]
fn refuses_a_literal_that_is_not_a_pair() {
    let table = [
        ("=y", "invalid literal source =y, expected key=value"),
        ("'y'", "invalid literal source y, expected key=value"),
        ("y", "expected a string, found a boolean"),
        ("{a: 1}", "expected a string, found a number"),
        ("{1: a}", "expected a string, found a number"),
        ("[a]", "expected a string, found a list"),
        ("~", "expected a string, found null"),
    ];
    for (literal, expected) in table {
        assert_eq!(
            data(&format!("literals:\n- {literal}")).unwrap_err(),
            expected,
            "{literal}"
        );
    }
}

#[test]
fn uses_the_file_name_as_key_unless_one_is_given() {
    let expected = "config.json: |\n  {\"a\": 1}\nk: text\nx.txt: text\n";
    assert_eq!(
        data("files: [config.json, ./sub/x.txt, k=sub/../sub/x.txt]").unwrap(),
        expected
    );
    let table = [
        (
            "a=b=c",
            "source \"a=b=c\" key name or file path contains '='",
        ),
        (
            "=c",
            "missing key name for file path \"c\" in source \"=c\"",
        ),
        (
            "c=",
            "missing file path for key name \"c\" in source \"c=\"",
        ),
        (
            "../secret.txt",
            "expected a path below the configuration's folder, found `../secret.txt`",
        ),
        (
            "/secret.txt",
            "expected a path below the configuration's folder, found `/secret.txt`",
        ),
    ];
    for (file, expected) in table {
        assert_eq!(data(&format!("files: ['{file}']")).unwrap_err(), expected);
    }
    assert!(
        data("files: [none.txt]")
            .unwrap_err()
            .starts_with("cannot read `app/none.txt`")
    );
}

#[test]
fn keeps_the_values_of_env_files_as_written() {
    let expected = "A: '1 '\nC: \"\"\nD: x=y\nexport B: '''2'''\n";
    assert_eq!(data("envs: [app.env]").unwrap(), expected);
    assert_eq!(data("env: app.env").unwrap(), expected);
    assert_eq!(
        data("envs: [bad.env]").unwrap_err(),
        "expected `key=value`, found `=2`"
    );
}

#[test]
fn refuses_a_key_that_is_given_twice() {
    for fields in [
        "literals: [a=1, a=2]",
        "literals: [A=1]\nenvs: [app.env]",
        "files: [x=config.json, x=sub/x.txt]",
    ] {
        assert!(
            data(fields)
                .unwrap_err()
                .starts_with("configmap q illegally repeats the key `"),
            "{fields}"
        );
    }
}

#[test]
fn long_base64_is_broken_into_lines() {
    let entry = format!(
        "{{name: s, literals: ['short={}', 'long={}']}}",
        "x".repeat(51),
        "x".repeat(52)
    );
    let printed = run(GeneratorKind::Secret, &entry, PluginRole::Transformer, &[]).unwrap();
    let object = root(&printed);
    let text = |key| {
        object
            .get_in(&["data", key])
            .and_then(|node| node.text().map(str::to_owned))
            .unwrap()
    };
    assert_eq!(
        (text("short").len(), text("short").contains('\n')),
        (68, false)
    );
    assert_eq!(
        text("long").split('\n').map(str::len).collect::<Vec<_>>(),
        [70, 2, 0]
    );
}
