//! The number of elements that an overlay matches: `expects` and `missing_ok` enforce it exactly.

use std::sync::Arc;

use inlay::edit::DocumentFormat;
use inlay::source::world::Memory;
use inlay::source::{Diagnostics, Source};
use inlay::workspace::{BuildOptions, OverlaidText, apply_text};
use inlay::yaml::{Syntax, faithful};
use proptest::prelude::*;

use crate::document::{configuration, read};

/// The number of matches that an overlay permits.
#[derive(Clone, Debug)]
enum Expected {
    Exactly(usize),
    AtLeast(usize),
    OneOf(Vec<usize>),
    /// Fewer than the number, given as a function of the count.
    Below(usize),
    /// At most one.
    MissingOk,
}

fn expected() -> impl Strategy<Value = Expected> {
    prop_oneof![
        (0..5usize).prop_map(Expected::Exactly),
        (0..5usize).prop_map(Expected::AtLeast),
        prop::collection::vec(0..5usize, 1..3).prop_map(Expected::OneOf),
        (0..5usize).prop_map(Expected::Below),
        Just(Expected::MissingOk),
    ]
}

impl Expected {
    fn argument(&self) -> String {
        match self {
            Expected::Exactly(count) => format!("expects={count}"),
            Expected::AtLeast(count) => format!("expects=\"{count}+\""),
            Expected::OneOf(counts) => format!("expects={counts:?}"),
            Expected::Below(count) => format!("expects=lambda n: n < {count}"),
            Expected::MissingOk => "missing_ok=True".to_owned(),
        }
    }

    fn holds(&self, found: usize) -> bool {
        match self {
            Expected::Exactly(count) => found == *count,
            Expected::AtLeast(count) => found >= *count,
            Expected::OneOf(counts) => counts.contains(&found),
            Expected::Below(count) => found < *count,
            Expected::MissingOk => found <= 1,
        }
    }
}

/// Applies an overlay, and returns the printed text, or `None` if the overlay is rejected.
fn applied(text: &str, overlay: &str) -> Option<String> {
    let stream = read(text, Syntax::Yaml);
    let documents = stream.documents.iter();
    let roots: Vec<_> = documents
        .map(|document| Arc::clone(&document.root))
        .collect();
    let source = Source::new("overlay.yml", overlay).unwrap();
    let mut diagnostics = Diagnostics::default();
    let documents = OverlaidText {
        roots: &roots,
        format: DocumentFormat::YAML,
    };
    let applied = apply_text(
        &source,
        documents,
        &Memory::default(),
        BuildOptions::default(),
        &mut diagnostics,
    );
    assert_eq!(applied.is_err(), diagnostics.failed());
    Some(faithful::print(&stream, &applied.ok()?))
}

proptest! {
    #![proptest_config(configuration())]

    #[test]
    fn items_are_counted(chosen in prop::collection::vec(any::<bool>(), 1..6), expected in expected()) {
        let count = chosen.iter().filter(|chosen| **chosen).count();
        // Without a match, `missing_ok` adds the item; other tests check that.
        prop_assume!(!(count == 0 && matches!(expected, Expected::MissingOk)));
        let items = chosen.iter().enumerate().map(|(at, chosen)| format!("- {{n: {at}, c: {chosen}}} # {at}\n"));
        let text = items.collect::<String>();
        let overlay = format!(
            "#@ load(\"@ytt:overlay\", \"overlay\")\n#@overlay/match by=overlay.all\n---\n\
             #@overlay/match by=lambda i, l, r: l[\"c\"], {}\n- n: -1\n",
            expected.argument()
        );
        let outcome = applied(&text, &overlay);
        prop_assert_eq!(outcome.is_some(), expected.holds(count), "{}\n{}", text, overlay);
        if let Some(outcome) = outcome {
            let wanted = chosen.iter().enumerate().map(|(at, chosen)| match chosen {
                true => format!("- {{n: -1, c: true}} # {at}\n"),
                false => format!("- {{n: {at}, c: false}} # {at}\n"),
            });
            // ytt adds the item if nothing matches and the overlay permits that.
            let added = if count == 0 { "- {n: -1}\n" } else { "" };
            prop_assert_eq!(outcome, wanted.collect::<String>() + added);
        }
    }

    #[test]
    fn documents_are_counted(chosen in prop::collection::vec(any::<bool>(), 1..6), expected in expected()) {
        let count = chosen.iter().filter(|chosen| **chosen).count();
        prop_assume!(!(count == 0 && matches!(expected, Expected::MissingOk)));
        let documents = chosen.iter().enumerate().map(|(at, chosen)| format!("---\nn: {at} # {at}\nc: {chosen}\n"));
        let text = documents.collect::<String>();
        let overlay = format!(
            "#@ load(\"@ytt:overlay\", \"overlay\")\n#@overlay/match by=overlay.subset({{\"c\": True}}), {}\n---\nn: -1\n",
            expected.argument()
        );
        let outcome = applied(&text, &overlay);
        prop_assert_eq!(outcome.is_some(), expected.holds(count), "{}\n{}", text, overlay);
        if let Some(outcome) = outcome {
            let wanted = chosen.iter().enumerate().map(|(at, chosen)| match chosen {
                true => format!("---\nn: -1 # {at}\nc: true\n"),
                false => format!("---\nn: {at} # {at}\nc: false\n"),
            });
            prop_assert_eq!(outcome, wanted.collect::<String>());
        }
    }
}
