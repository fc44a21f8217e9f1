//! Formatting keeps the values, and formatting the result again changes nothing.

use inlay::yaml::{Stream, Syntax, differs_from_formatted, formatted};
use proptest::prelude::*;
use proptest::test_runner::TestCaseResult;

use crate::document::{configuration, read, values, with_aliases, yaml};
use crate::value::Value;

/// Returns the values of the documents that are not empty. Like `ytt fmt`, formatting leaves out an
/// empty document at the start.
fn contents(text: &str) -> Vec<Value> {
    let mut contents = values(text, Syntax::Yaml);
    contents.retain(|value| *value != Value::Word(String::new()));
    contents
}

fn formats(text: &str, stream: &Stream) -> TestCaseResult {
    let once = formatted(stream);
    let once = once.unwrap_or_else(|error| panic!("{}\n{text}", error.message));
    let all = format!("\n{text}\n---- became ----\n{once}");
    let again = read(&once, Syntax::Yaml);
    prop_assert_eq!(contents(&once), contents(text), "{}", all);
    prop_assert_eq!(
        differs_from_formatted(std::iter::once(stream), &again),
        None,
        "{}",
        all
    );
    prop_assert_eq!(formatted(&again).unwrap(), once, "formatted twice{}", all);
    Ok(())
}

proptest! {
    #![proptest_config(configuration())]

    #[test]
    fn a_formatted_document_stays_as_it_is(sample in yaml()) {
        formats(&sample.text, &sample.parse())?;
    }

    #[test]
    fn formatting_keeps_aliases(sample in with_aliases()) {
        formats(&sample.text, &sample.parse())?;
    }
}
