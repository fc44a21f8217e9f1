//! Properties that hold for every template.

use proptest::prelude::*;

use super::*;

/// Pieces that are combined to templates, valid and invalid ones.
const PIECES: [&str; 30] = [
    "a: 1",
    "b: ",
    "- x",
    "- ",
    "-\n  c: 2",
    "  d: 3",
    "{e: 1}",
    "[1, 2]",
    "&x",
    "*x",
    "<<: *x",
    "---",
    "...",
    "|\n  text",
    "\"q\"",
    "'(@= x @)'",
    "(@= 'k' @): v",
    "#@ x = 1",
    "#@ if x:",
    "#@ else:",
    "#@ for i in [1, 2]:",
    "#@ def f():",
    "#@ end",
    "#@ if/end True:",
    "#@ i",
    "#@ f()",
    "#@yaml/map-key-override",
    "#@yaml/text-templated-strings",
    "#! note",
    "#@ x +",
];

fn template() -> impl Strategy<Value = String> {
    let piece = (
        0..PIECES.len(),
        prop_oneof![Just("\n"), Just(" "), Just("\n  ")],
    );
    proptest::collection::vec(piece, 0..20).prop_map(|pieces| {
        pieces
            .iter()
            .map(|(piece, after)| format!("{}{after}", PIECES[*piece]))
            .collect()
    })
}

proptest! {
    #[test]
    fn renders_any_template_or_fails_at_a_place(template in template()) {
        if let Err(message) = run(&[("config.yml", &template)], "", TemplateOptions::default()) {
            prop_assert!(message.contains("--> config.yml:"), "{message}\nin\n{template}");
        }
    }

    #[test]
    fn renders_any_text_template_or_fails_at_a_place(pieces in proptest::collection::vec(0..8usize, 0..12)) {
        let all = ["(@ ", "(@-= ", " @)", " -@)", "x", "for i in [1]:", "end", "\n"];
        let template: String = pieces.iter().map(|piece| all[*piece]).collect();
        if let Err(message) = run(&[("config.txt", &template)], "", TemplateOptions::default()) {
            prop_assert!(message.contains("--> config.txt:"), "{message}\nin\n{template}");
        }
    }

    #[test]
    fn prints_a_template_of_values(values in proptest::collection::vec(any::<i32>(), 1..20)) {
        let lines = |value: fn(&i32) -> String| values.iter().map(value).collect::<String>();
        let template = lines(|value| format!("- #@ {value}\n"));
        prop_assert_eq!(output(&template), lines(|value| format!("- {value}\n")));
    }
}
