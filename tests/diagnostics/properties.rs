//! Properties of the printed form of any diagnostic.

use std::sync::Arc;

use inlay::source::{
    Code, Diagnostic, DiagnosticFormat, Location, OffsetMap, Outer, Renderer, Source, Span,
};
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
    /// Generates texts with many characters that are hard to print.
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

/// A text with everything that complicates spans: line breaks of all kinds, tabs, wide characters,
/// combined ones, and no line break at the end.
const DIFFICULT: &str = "a:\t\u{e9}\r\n\"\x1b[1m\"\n\n\u{6f22}\u{202e}e\u{301}\rb";

/// Prints a diagnostic in every format.
fn render(diagnostic: &Diagnostic) {
    for format in DiagnosticFormat::ALL {
        for width in [0, 12, 100] {
            let printed = Renderer {
                format,
                color: false,
                width,
            }
            .render(std::slice::from_ref(diagnostic));
            let shown = printed.replace('\n', "");
            assert!(!shown.contains(char::is_control), "{format:?}: {printed:?}");
            assert!(
                printed.contains(diagnostic.code.name()),
                "{format:?}: {printed:?}"
            );
        }
    }
}

fn every_span(source: &Arc<Source>, check: impl Fn(Location)) {
    // The spans include those after the end, and those that begin or end inside a character.
    let most = source.text().len() + 2;
    for start in 0..=most {
        for end in start..=most {
            check(Location::new(source, Span::new(start, end)));
        }
    }
}

#[test]
fn every_code_is_printed_at_every_span() {
    let source = file("a.yml", DIFFICULT);
    for code in Code::ALL {
        render(
            Diagnostic::error(*code, "text")
                .at(Location::new(&source, Span::new(1, 9)), "here")
                .as_ref(),
        );
    }
    every_span(&source, |place| {
        render(
            Diagnostic::error(Code::Internal, "text")
                .at(place, "here")
                .help("do this")
                .as_ref(),
        );
    });
}

#[test]
fn every_span_of_an_embedded_document_is_printed() {
    let spelled = format!("a: {}\n", inlay::yaml::json_string(DIFFICULT));
    let outer = file("a.yml", &spelled);
    // If the map has a gap, the location is the whole string.
    for length in [0, 5, DIFFICULT.len()] {
        let inner = Source::embedded(
            DIFFICULT,
            Outer {
                source: Arc::clone(&outer),
                span: Span::new(3, spelled.len() - 1),
                map: OffsetMap::identity(4, length),
            },
        );
        every_span(&inner, |place| {
            render(
                Diagnostic::error(Code::Internal, "text")
                    .at(place, "here")
                    .as_ref(),
            );
        });
    }
}
