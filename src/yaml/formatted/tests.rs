//! Specifications of the layout of formatted text.

use proptest::prelude::*;

use super::{differs_from_formatted, formatted};
use crate::source::Source;
use crate::yaml::{canonical, parse};

fn format(text: &str) -> String {
    formatted(&parse(&Source::new("test.yml", text).unwrap()).unwrap()).unwrap()
}

#[test]
fn comments_stay_at_their_places_and_blank_lines_around_what_they_belong_to() {
    let table = [
        (
            "# a\n- x\n\n\n# b\n\n# c\n- y     # d\n- z\n",
            "# a\n- x\n\n# b\n# c\n- y # d\n\n- z\n",
        ),
        (
            "a:\n  # b\n  b: 1\n  # c\n  c: 2\nd: 3\n",
            "a:\n  # b\n  b: 1\n\n  # c\n  c: 2\n\nd: 3\n",
        ),
        ("-\n  # a\n  b: 1\n", "-\n  # a\n  b: 1\n"),
        ("# a\n- b: 1\n", "# a\n- b: 1\n"),
        ("- # a\n  b: 1\n", "- # a\n  b: 1\n"),
        ("a: | # b\n  c\n", "a: | # b\n  c\n"),
        (
            "a: {b: 1, # b\n  c: 2} # c\n",
            "a:\n  b: 1 # b\n  c: 2 # c\n",
        ),
        ("--- # a\nb: 1\n", "--- # a\nb: 1\n"),
        ("---\na: 1\n", "a: 1\n"),
        ("# a\n---\nb: 1\n", "\n# a\n---\nb: 1\n"),
        ("a: 1\n# b\n", "a: 1\n\n# b\n"),
        ("# a\n", "# a\n"),
        ("---\n# a\n", "\n# a\n---\n"),
        ("a: 1 # b\u{a0}\n", "a: 1 # b\u{a0}\n"),
        ("a: 1\n---\nb: 2\n", "a: 1\n---\nb: 2\n"),
        ("? |\n  a\n: 1 # b\nc: 2\n", "? |\n  a\n: 1 # b\nc: 2\n"),
        ("? |\n  a\n: # b\n  - c\n", "? |\n  a\n: # b\n  - c\n"),
        (
            "? |\n  a\n: # b\n  # c\n  d: 1\n",
            "? |\n  a\n: # b\n  # c\n  d: 1\n",
        ),
        ("? |\n  a\n: # b\nc: 1\n", "? |\n  a\n: # b\nc: 1\n"),
        ("? a # b\n: c # d\n", "# d\na: c # b\n"),
        ("{? a : b, c: d} # e\n", "a: b\nc: d # e\n"),
        ("[a, b]: # c\n  d: 1\n", "? - a\n  - b\n: # c\n  d: 1\n"),
        // Two keys begin at one place.
        ("? ? a # c\n:", "? a: # c\n: null\n"),
        ("? a: # c\n: null\n", "? a: # c\n: null\n"),
        ("[a=b]: # c\nd: 1\n", "? - a=b\n: # c\nd: 1\n"),
        ("{}: # c\n  d: 1\n", "{}: # c\n  d: 1\n"),
        // Comments in a key, above its first entry, are above the whole entry.
        ("?\n  # a\n  b: 1\n: 2\n", "# a\n? b: 1\n: 2\n"),
        // Empty keys end at their marks, so the comments come after them.
        ("? ?\n# a\n# b\n", "? null: null\n: null\n\n# a\n# b\n"),
        ("? ? - a\n  # b\n  : c\n: d\n", "# b\n? ? - a\n  : c\n: d\n"),
        (
            "? ? - a\n  : # b\n    c # d\n: e\n",
            "# d\n? ? - a\n  : c # b\n: e\n",
        ),
        // A carriage return ends a line, also between an anchor and a tag.
        ("&a\n# b\r!!seq\n- c\n", "&a !!seq\n# b\n- c\n"),
    ];
    for (text, expected) in table {
        assert_eq!(format(text), expected, "{text}");
        assert_eq!(format(expected), expected, "formatted again");
    }
}

#[test]
fn nothing_but_the_layout_changes() {
    let table = [
        (
            "a:   &x   {b: 1}\nc: *x\nd: {<<: *x}\n",
            "a: &x\n  b: 1\nc: *x\nd:\n  <<: *x\n",
        ),
        ("- &x\n  - 1\n- &y z\n- *x\n", "- &x\n  - 1\n- &y z\n- *x\n"),
        (
            "a: !!str 1\nb: !local [x]\nc: !!binary aGk=\n",
            "a: !!str 1\nb: !local\n  - x\nc: !!binary aGk=\n",
        ),
        (
            "[1.0, 1e3, 123456789012345678901, 0x10, yes, ~]\n",
            "- 1.0\n- 1e3\n- 123456789012345678901\n- 0x10\n- yes\n- ~\n",
        ),
        ("a: {}\nb: []\nc:\n", "a: {}\nb: []\nc: null\n"),
        (
            "? [1, {a: 2}]\n: b\n? {}\n: c\n",
            "? - 1\n  - a: 2\n: b\n{}: c\n",
        ),
        ("\"<<\": a\n'b': \"c\"\n", "\"<<\": a\nb: c\n"),
        ("a: 1\na: 2\n", "a: 1\na: 2\n"),
        ("&x a: 1\n*x : 2\n", "&x a: 1\n*x : 2\n"),
        ("%YAML 1.1\n---\na: 1\n", "%YAML 1.1\n---\na: 1\n"),
        (
            "%YAML 1.1 # a\n# b\n---\na: 1\n",
            "%YAML 1.1 # a\n# b\n---\na: 1\n",
        ),
        (
            "# a\n%YAML 1.1\n\n  # b\n%TAG !x! tag:x,2000:\n# c\n--- # d\n# e\na: 1\n",
            "\n# a\n%YAML 1.1\n# b\n%TAG !x! tag:x,2000:\n# c\n--- # d\n# e\na: 1\n",
        ),
        (
            "a: 1\n...\n%YAML 1.2\n---\nb: 2\n",
            "a: 1\n...\n%YAML 1.2\n---\nb: 2\n",
        ),
        (
            "a: 1\n# b\n...\n# c\n%TAG ! tag:x: # d\n---\nb: !y 2\n",
            "a: 1\n...\n\n# b\n# c\n%TAG ! tag:x: # d\n---\nb: !y 2\n",
        ),
        ("a: 1\n...\nb: 2\n", "a: 1\n---\nb: 2\n"),
        ("a: |+\n  x\n\n# c\nb: 1\n", "a: |+\n  x\n\n# c\nb: 1\n"),
        ("a: |+\n\n# c\nb: 1\n", "a: |2+\n\n# c\nb: 1\n"),
        ("a: |+\n  x\n\n# c\n", "a: |+\n  x\n\n# c\n"),
        (
            "# c\na:\n  - |+ # d\n    x\n\n\nb: >+\n  y\n\n...\n# e\n---\nz: 1\n",
            "# c\na:\n  - |+ # d\n    x\n\n\nb: |+\n  y\n\n# e\n---\nz: 1\n",
        ),
        (
            "b: x\u{a0}\nc: \u{2003}y\nd: \"\u{a0}\"\n\u{a0}: |\n  \u{a0}\n",
            "b: x\u{a0}\nc: \u{2003}y\nd: \u{a0}\n\u{a0}: |\n  \u{a0}\n",
        ),
        (
            "a: \"=\"\n= : =\nb: '<<'\n",
            "a: \"=\"\n\"=\": \"=\"\nb: \"<<\"\n",
        ),
        ("--- |\n a\n b\n", "|\n  a\n  b\n"),
        ("&x [1]\n", "&x\n- 1\n"),
    ];
    for (text, expected) in table {
        assert_eq!(format(text), expected, "{text}");
        assert_eq!(format(expected), expected, "formatted again");
    }
}

#[test]
fn a_document_of_brackets_and_a_scalar_document_are_printed() {
    for text in ["{}\n", "[]\n", "a\n", "a\n---\n---\nb\n"] {
        assert_eq!(format(text), text);
    }
    assert_eq!(
        format("---\n---\na\n"),
        "a\n",
        "an empty document at the beginning is left out"
    );
}

proptest! {
    #[test]
    fn formatting_keeps_the_values_of_a_text_and_is_idempotent(
        text in "([a-c]|: |- |\\? |\n|  |#|&x |\\*x|\\[|\\]|\\{|\\}|, |1\\.0|---\n|'|\"|\\||!!str |<<|=|\u{a0}|\\|\\+\n|>\\+\n|# c\n|\n\n|%YAML 1\\.2\n|\\.\\.\\.\n|a: ){0,24}"
    ) {
        let source = Source::new("test.yml", text).unwrap();
        if let Ok(stream) = parse(&source)
            && let Ok(once) = formatted(&stream)
        {
            let again = parse(&Source::new("again.yml", once.as_str()).unwrap());
            let again = again.unwrap_or_else(|error| panic!("{}\n{once}", error.message));
            let roots = |stream: &crate::yaml::Stream| -> Vec<_> {
                stream.documents.iter().map(|document| document.root.clone()).collect()
            };
            if let Ok(before) = canonical(&roots(&stream)) {
                prop_assert_eq!(before, canonical(&roots(&again)).unwrap(), "{}", once);
            }
            let difference = differs_from_formatted(std::iter::once(&stream), &again);
            prop_assert_eq!(difference, None, "{}", once);
            prop_assert_eq!(&formatted(&again).unwrap(), &once);
        }
    }
}

#[test]
fn template_actions_are_refused() {
    let table = [
        "name: {{ .Release.Name }}\n",
        "a:\n  - {{ .x }}\n",
        "{{ .key }}: 1\n",
        "a: [{{ .x }}]\n",
    ];
    for text in table {
        let stream = parse(&Source::new("test.yml", text).unwrap()).unwrap();
        let error = formatted(&stream).unwrap_err();
        assert!(error.message.contains("{{"), "{text}: {}", error.message);
    }
    // These are written in braces, but are not actions.
    assert_eq!(format("a: {b: {c: 1}}\n"), "a:\n  b:\n    c: 1\n");
    assert_eq!(format("? {a: 1}\n: 2\n"), "? a: 1\n: 2\n");
    assert_eq!(format("[{a: 1}: 2]\n"), "- ? a: 1\n  : 2\n");
    assert_eq!(format("{ {a: 1}: 2 }\n"), "? a: 1\n: 2\n");
}

#[test]
fn a_difference_is_found() {
    let read = |text: &str| parse(&Source::new("test.yml", text).unwrap()).unwrap();
    let difference = |before: &str, after: &str| {
        differs_from_formatted(std::iter::once(&read(before)), &read(after))
    };
    for (before, after) in [
        ("a: 1", "a: 2"),
        ("a: 1", "a: '1'"),
        ("a: 1", "b: 1"),
        ("a: 1.0", "a: 1"),
        ("a: .nan", "a: .inf"),
        ("a: |+\n  x\n", "a: |+\n  x\n\n"),
        ("a: !x 1", "a: !y 1"),
        ("[&a 1, *a]", "[&b 1, *b]"),
        ("[1, 2]", "[1]"),
        ("[]", "{}"),
    ] {
        assert_eq!(difference(before, after), Some("a value"), "{before}");
        assert_eq!(difference(before, before), None, "{before}");
    }
    assert_eq!(difference("a: .nan", "{\"a\": .nan}"), None);
    assert_eq!(
        difference("a", "a\n---\nb"),
        Some("the number of documents")
    );
    assert_eq!(difference("a # b", "a"), Some("a comment"));
}
