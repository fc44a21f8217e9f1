//! Names that Starlark reads as arithmetic: fields with a hyphen, and annotations after a blank.

use crate::source::Location;

/// Returns a help line if the undefined name at `place` is part of such a name.
pub(super) fn help(place: &Location) -> Option<String> {
    annotation_help(place).or_else(|| {
        let (object, field) = field_at(place.source.text(), place.span.start())?;
        Some(format!(
            "`-` subtracts: a field of this name is `{object}[\"{field}\"]`"
        ))
    })
}

/// Returns a help line if the line of an error is an annotation with a blank before its name.
pub(super) fn annotation_help(place: &Location) -> Option<String> {
    let line = place.source.line(place.span.start());
    let name = annotation_in(place.source.slice(place.source.line_span(line)))?;
    Some(format!("an annotation has no blank after `#@`: `#@{name}`"))
}

/// Returns the name of the annotation that a line was meant to be.
///
/// ```text
/// #@ overlay/match missing_ok=True   overlay/match
/// #@ total / count                   none
/// #@ if/end missing:                 none: a block that ends with its node
/// ```
fn annotation_in(line: &str) -> Option<&str> {
    let code = line.trim_start().strip_prefix("#@")?;
    let name = code.split_whitespace().next()?;
    let (family, rest) = name.split_once('/')?;
    let is_name =
        |name: &str| !name.is_empty() && name.chars().all(|c| c.is_ascii_lowercase() || c == '-');
    let is_block = rest.trim_end_matches(':') == "end";
    (code.starts_with(' ') && is_name(family) && is_name(rest) && !is_block).then_some(name)
}

/// Returns the object and the full name of the field that has a name after a hyphen at `start`.
///
/// ```text
/// data.values.my-name   data.values, my-name
/// data.values.n - name  none: blanks show a subtraction
/// ```
fn field_at(text: &str, start: usize) -> Option<(&str, &str)> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let (before, after) = text.split_at_checked(start)?;
    let from = before
        .char_indices()
        .rfind(|(_, c)| !is_word(*c) && !matches!(c, '-' | '.'))
        .map_or(0, |(at, c)| at + c.len_utf8());
    let to = after
        .find(|c| !is_word(c) && c != '-')
        .map_or(text.len(), |length| start + length);
    let dot = from + text.get(from..start)?.rfind('.')?;
    let object = text.get(from..dot)?.rsplit('-').next()?;
    let field = text.get(dot + 1..to)?.trim_end_matches('-');
    let is_field = text.get(dot + 1..start)?.ends_with('-') && field.starts_with(is_word);
    (is_field && object.starts_with(is_word)).then_some((object, field))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_annotation_after_a_blank() {
        let cases = [
            ("#@ overlay/match missing_ok=True", Some("overlay/match")),
            (
                "  #@  overlay/match-child-defaults",
                Some("overlay/match-child-defaults"),
            ),
            ("#@overlay/match by=x", None),
            ("#@ if/end a:", None),
            ("#@ else/end:", None),
            ("#@ a / b", None),
            ("#@ a/(b)", None),
            ("#@ /b", None),
            ("a: #@ a/b", None),
            ("#@", None),
        ];
        for (line, expected) in cases {
            assert_eq!(annotation_in(line), expected, "{line}");
        }
    }

    #[test]
    fn finds_the_field_with_a_hyphen() {
        let cases = [
            ("data.values.my-^name", Some(("data.values", "my-name"))),
            ("f(x.a-^b-c, 1)", Some(("x", "a-b-c"))),
            ("f(x.a-b-^c.d)", Some(("x", "a-b-c"))),
            ("1-x.a-^b", Some(("x", "a-b"))),
            ("é.ü-^ö", Some(("é", "ü-ö"))),
            ("x.a - ^b", None),
            ("x.a -^b", None),
            ("a-^b", None),
            ("x.^b", None),
            ("x[0].a-^b", None),
            ("x.-^b", None),
            ("^b", None),
        ];
        for (marked, expected) in cases {
            let start = marked.find('^').expect("a mark");
            let text = marked.replace('^', "");
            assert_eq!(field_at(&text, start), expected, "{marked}");
        }
    }
}
