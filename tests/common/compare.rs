//! Comparing texts to the byte, with a difference that a person can read.

use libtest_mimic::Failed;
use similar::TextDiff;

/// Fails with a unified diff where `found` is not `expected`.
pub(crate) fn same_text(what: &str, expected: &str, found: &str) -> Result<(), Failed> {
    if expected == found {
        return Ok(());
    }
    Err(format!(
        "{what} differs (- expected, + found)\n{}",
        difference(expected, found)
    )
    .into())
}

/// The unified diff from `expected` to `found`. Lines that look alike but are not (tabs, carriage returns, a missing
/// final newline) are spelled out.
pub(crate) fn difference(expected: &str, found: &str) -> String {
    let diff = TextDiff::from_lines(expected, found)
        .unified_diff()
        .context_radius(3)
        .to_string();
    let invisible = |text: &str| text.contains(['\r', '\t', '\u{feff}']);
    if invisible(expected) || invisible(found) {
        return diff
            .replace('\t', "»")
            .replace('\r', "←")
            .replace('\u{feff}', "⇔");
    }
    diff
}
