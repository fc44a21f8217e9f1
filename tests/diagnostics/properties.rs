//! What holds for the printed form of any diagnostic.

use inlay::source::{Code, Diagnostic, DiagnosticFormat, Location, Renderer, Span};
use proptest::prelude::*;

use crate::cases::file;
use crate::without_styles;

const HARD_PARTS: [&str; 11] = [
    "\n",
    "\r\n",
    "\r",
    "\t",
    "漢",
    "👩‍🔧",
    "e\u{301}",
    "\x1b[1m",
    "\x1b]0;",
    "\u{202e}",
    "\u{ffff}",
];

prop_compose! {
    /// A text that is rich in what is hard to print.
    fn hard_text()(parts in prop::collection::vec(prop_oneof![
        4 => "[a-z:\\[\\]{} ]{0,9}",
        3 => prop::sample::select(&HARD_PARTS[..]).prop_map(str::to_owned),
        1 => any::<char>().prop_map(String::from),
        1 => (10..400usize).prop_map(|length| "x".repeat(length)),
        1 => (1..1200usize).prop_map(|length| "\n".repeat(length)),
    ], 0..24)) -> String {
        parts.concat()
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, ..ProptestConfig::default() })]

    #[test]
    fn any_spans_of_any_text_are_printed_without_what_steers_a_terminal(
        text in hard_text(),
        words in hard_text(),
        spans in prop::collection::vec((any::<u16>(), 0..300usize), 0..5),
        width in 0..200usize,
    ) {
        let source = file(&words, &text);
        let mut error = Diagnostic::error(Code::Internal, words.clone()).note(words.clone()).help(words.clone());
        for (start, length) in spans {
            let start = usize::from(start) % (text.len() + 3);
            error = error.at(Location::new(&source, Span::new(start, start + length)), words.clone());
        }
        let diagnostics = [*error];
        for format in DiagnosticFormat::ALL {
            for color in [false, true] {
                let printed = Renderer { format, color, width }.render(&diagnostics);
                let shown = without_styles(&printed).replace('\n', "");
                prop_assert!(!shown.contains(char::is_control), "{format:?}: {printed:?}");
                prop_assert!(!shown.contains(['\u{202e}', '\u{ffff}']), "{format:?}: {printed:?}");
            }
        }
    }
}
