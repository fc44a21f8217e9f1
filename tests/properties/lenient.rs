//! Texts that ytt and kustomize accept, and YAML 1.2 does not: they have the intended values, and
//! an edit leaves the rest of the text as it is.

use std::sync::Arc;

use inlay::yaml::{Entry, Node, Syntax, faithful};
use proptest::prelude::*;

use crate::choices::Choices;
use crate::document::{choices, configuration, read, values};

/// Returns an entry in its lenient form, and in the form that YAML 1.2 requires.
fn entry(number: usize, choices: &mut Choices) -> (String, String) {
    let (found, meant) = match choices.pick(8) {
        0 => ("kN: \"vN\"# note", "kN: \"vN\" # note"),
        1 => ("kN: \"it\\'s N\"", "kN: \"it's N\""),
        2 => ("kN: [a, N]#note", "kN: [a, N] #note"),
        3 => ("kN: {\n\ta: N}", "kN: {\n  a: N}"),
        4 => ("kN: \"one\ntwo N\"", "kN: \"one\n  two N\""),
        5 => ("kN: &aN:vN", "kN: &aN :vN"),
        6 => ("kN: &aN vN\n*aN: wN", "kN: &aN vN\n*aN : wN"),
        _ => ("kN: [-, N]", "kN: [\"-\", N]"),
    };
    let numbered = |text: &str| text.replace('N', &number.to_string());
    (numbered(found), numbered(meant))
}

/// Generates a text in its lenient and its strict form, and the number of expected warnings.
fn texts() -> impl Strategy<Value = (String, String, usize)> {
    choices().prop_map(|mut choices| {
        let (mut found, mut meant) = (
            "edited: 'old'  # note\n".to_owned(),
            "edited: old\n".to_owned(),
        );
        let mut warned = 0;
        for number in 0..1 + choices.pick(6) {
            let (text, strict) = entry(number, &mut choices);
            // A continuation line that is not indented is accepted without a warning, because many
            // old files have some.
            warned += usize::from(!text.contains("\"one\n"));
            found += &format!("{text}\n");
            meant += &format!("{strict}\n");
        }
        if choices.once_in(3) {
            found = found.replace('\n', "\r\n");
        }
        (found, meant, warned)
    })
}

proptest! {
    #![proptest_config(configuration())]

    #[test]
    fn lenient_yaml_has_the_values_that_are_meant((found, meant, warned) in texts()) {
        let stream = read(&found, Syntax::Yaml);
        prop_assert_eq!(values(&found, Syntax::Yaml), values(&meant, Syntax::Yaml), "{:?}", found);
        prop_assert!(stream.lenient.len() >= warned, "{} places in {:?}", stream.lenient.len(), found);
        prop_assert_eq!(stream.warnings().is_empty(), warned == 0);
        prop_assert!(read(&meant, Syntax::Yaml).lenient.is_empty(), "{:?}", meant);

        let root = &stream.documents[0].root;
        let mut entries = root.as_mapping().expect("a mapping").entries.to_vec();
        let key = Arc::clone(&entries[0].key);
        entries[0] = Entry { key, value: Node::string("new") };
        let text = faithful::print(&stream, &[root.with_entries(entries)]);
        prop_assert_eq!(text, found.replacen("'old'", "'new'", 1));
    }
}
