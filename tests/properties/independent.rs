//! A second opinion: independent readers read the text before and after an edit.

use inlay::yaml::Syntax;
use proptest::prelude::*;
use proptest::test_runner::TestCaseResult;
use serde::Deserialize;
use yaml_serde::Value as Seen;

use crate::value::Value;

/// Checks that only the value at `steps` in one document changed, and that it became `new`. Texts that the other reader
/// cannot read before the edit, such as JSON with comments, pass.
pub(crate) fn only_one_value_changed(
    syntax: Syntax,
    (before, after): (&str, &str),
    (document, steps): (usize, &[usize]),
    new: &Value,
) -> TestCaseResult {
    let Ok(mut expected) = read(before, syntax) else {
        return Ok(());
    };
    let mut seen = match read(after, syntax) {
        Ok(seen) => seen,
        Err(error) => {
            return Err(TestCaseError::fail(format!(
                "{error}\n{before}\n---- became ----\n{after}"
            )));
        }
    };
    let Some(place) = seen.get_mut(document).and_then(|root| at(root, steps)) else {
        return Err(TestCaseError::fail(format!(
            "the value is gone\n{before}\n---- became ----\n{after}"
        )));
    };
    if let Value::Text(text) = new {
        prop_assert_eq!(
            place.as_str(),
            Some(text.as_str()),
            "\n{}\n---- became ----\n{}",
            before,
            after
        );
    }
    let written = place.clone();
    if let Some(place) = expected.get_mut(document).and_then(|root| at(root, steps)) {
        *place = written;
    }
    prop_assert_eq!(expected, seen, "\n{}\n---- became ----\n{}", before, after);
    Ok(())
}

fn read(text: &str, syntax: Syntax) -> Result<Vec<Seen>, String> {
    let text = text.trim_start_matches('\u{feff}');
    match syntax {
        Syntax::Json => serde_json::from_str(text)
            .map(|value| vec![value])
            .map_err(|error| error.to_string()),
        Syntax::Yaml => yaml_serde::Deserializer::from_str(text)
            .map(|document| Seen::deserialize(document).map_err(|error| error.to_string()))
            .collect(),
    }
}

fn at<'a>(value: &'a mut Seen, steps: &[usize]) -> Option<&'a mut Seen> {
    let Some((&step, rest)) = steps.split_first() else {
        return Some(value);
    };
    match value {
        Seen::Sequence(items) => at(items.get_mut(step)?, rest),
        Seen::Mapping(entries) => at(entries.values_mut().nth(step)?, rest),
        Seen::Tagged(tagged) => at(&mut tagged.value, rest),
        _ => None,
    }
}
