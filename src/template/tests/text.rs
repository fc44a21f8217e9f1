//! Tests of text templates.

use super::*;

#[test]
fn renders_text_and_code() {
    for (template, expected) in [
        ("plain\n", "plain\n"),
        (
            "(@ for i in range(2): @)x(@= str(i) @)\n(@ end @)",
            "x0\nx1\n",
        ),
        ("a (@- if False: -@) b (@- else: -@) c (@- end -@) d", "acd"),
        ("(@ def f(x): @)<(@= x @)>(@ end @)(@= f('y') @)", "<y>"),
        ("(@ def f(x):\n  return x + '!'\nend @)(@= f('y') @)", "y!"),
        ("(@ # a comment @)x", "x"),
        ("(@= 'a' # a comment @)x", "ax"),
        ("\u{feff}a(@= 'b' @)\u{feff}\n", "ab\u{feff}\n"),
    ] {
        let rendered = run(&[("config.txt", template)], "", TemplateOptions::default());
        assert_eq!(
            rendered.map(|rendered| rendered.output),
            Ok(expected.to_owned()),
            "{template}"
        );
    }
}

#[test]
fn reports_errors_at_their_place() {
    for (template, place, message) in [
        ("a\n b @) c", "config.txt:2:4", "expected `(@` before"),
        ("a\n(@ b", "config.txt:2:1", "expected `@)` to close"),
        ("\n(@= 1 @)", "config.txt:2:", "expected a string to print"),
        ("\n\n(@ if True: @)", "config.txt:3:4", "expected `end`"),
        (
            "\u{feff}a\n(@= none @)",
            "config.txt:2:5",
            "undefined name `none`",
        ),
    ] {
        let Err(found) = run(&[("config.txt", template)], "", TemplateOptions::default()) else {
            panic!("expected a failure of {template}")
        };
        assert!(
            found.contains(place) && found.contains(message),
            "{template}: {found}"
        );
    }
}
