//! Which characters may stand in a YAML text.

/// Whether a character may stand in a YAML text as it is. YAML 1.2.2, section 5.1, without the line breaks of YAML 1.1
/// and without the byte order mark, which readers treat differently. A tab is for the caller to judge.
pub(super) fn is_printable(c: char) -> bool {
    matches!(c, ' '..='~' | '\u{a0}'..='\u{2027}' | '\u{202a}'..='\u{d7ff}' | '\u{e000}'..='\u{fefe}' | '\u{ff00}'..='\u{fffd}' | '\u{10000}'..)
}
