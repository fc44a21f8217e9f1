//! Anchors and aliases whose names end earlier for libyaml than by YAML 1.2.
//!
//! libyaml ends a name at the first character that is not a letter, a digit, `-` or `_`; YAML 1.2
//! only at white space or a bracket.

use crate::source::Span;
use crate::yaml::events::is_in_name;
use crate::yaml::lenient_place::{LenientKind, LenientPlace};

/// Returns the anchor or alias at an offset, if libyaml ends its name where YAML 1.2 does not.
pub(super) fn name_without_blank(text: &str, start: usize) -> Option<LenientPlace> {
    let written = text.get(start..)?;
    let name = written.strip_prefix(['&', '*'])?;
    let rest = name.trim_start_matches(is_in_name);
    let is_anchor = written.starts_with('&');
    let is_end = match rest.strip_prefix(':') {
        // An alias is a key only if its colon ends a key in every other place too.
        Some(value) => is_anchor || value.is_empty() || value.starts_with([' ', '\t', '\r', '\n']),
        None => is_anchor && rest.starts_with('?'),
    };
    let kind = if is_anchor {
        LenientKind::AnchorWithoutBlank
    } else {
        LenientKind::AliasWithoutBlank
    };
    (is_end && rest.len() < name.len()).then(|| LenientPlace {
        span: Span::new(start, text.len() - rest.len()),
        kind,
    })
}

/// Returns each anchor and alias from an offset on that [`name_without_blank`] finds. Text that
/// only looks like one, in a string or a comment, is among them.
pub(super) fn names_without_blank(text: &str, from: usize) -> impl Iterator<Item = LenientPlace> {
    let bytes = text.as_bytes();
    let marks = memchr::memchr2_iter(b'&', b'*', &bytes[from..]).map(move |at| from + at);
    let starts = marks.filter(|start| {
        let before = start.checked_sub(1).map(|before| bytes[before]);
        before.is_none_or(|byte| b" \t\r\n[{,".contains(&byte))
    });
    starts.filter_map(|start| name_without_blank(text, start))
}

/// Returns whether the text at an offset is an alias of a name that is an anchor before it, with a
/// `:` directly after the name.
pub(in crate::yaml) fn is_alias_with_colon(text: &str, start: usize) -> bool {
    let Some((before, written)) = text.split_at_checked(start) else {
        return false;
    };
    let Some(name) = written.strip_prefix('*') else {
        return false;
    };
    let rest = name.trim_start_matches(is_in_name);
    let name = &name[..name.len() - rest.len()];
    let mut anchors = before.split('&').skip(1);
    rest.starts_with(':')
        && !name.is_empty()
        && anchors.any(|anchor| {
            let after = anchor.strip_prefix(name);
            after.is_some_and(|after| !after.starts_with(is_in_name))
        })
}
