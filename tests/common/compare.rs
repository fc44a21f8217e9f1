//! Compares texts byte for byte, and shows the difference in a readable form.

use libtest_mimic::Failed;
use similar::TextDiff;

/// Fails with a unified diff if `found` differs from `expected`.
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

/// Returns the unified diff from `expected` to `found`. Lines that look the same but differ (tabs,
/// carriage returns, a missing final newline) are printed with escapes.
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
