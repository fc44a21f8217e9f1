//! Finds the line to show for a wrong value: the line with its key or dash.

use std::sync::Arc;

use crate::source::{Location, Span};
use crate::yaml::Node;

/// Returns the place at which a value is given. For a collection that starts below its key, this is
/// the key:
///
/// ```text
/// a: # why      <- shown
///   b: 1        <- where the value of `a` starts
/// ```
///
/// The text is searched instead of the tree, because in a merged tree the value may be under
/// another key node than in its own text.
pub(super) fn of_value(value: &Arc<Node>) -> Option<Location> {
    let place = value.resolved().location()?;
    Some(opening(&place).unwrap_or(place))
}

/// Returns the key or dash above a value, if nothing is before the value on its own line.
fn opening(place: &Location) -> Option<Location> {
    let source = &place.source;
    let mut line = source.line(place.span.start());
    let start = source.line_span(line).start();
    if !source
        .slice(Span::new(start, place.span.start().max(start)))
        .trim()
        .is_empty()
    {
        return None;
    }
    loop {
        // Go upwards, over blank lines and comments, to the first line with code.
        line = line.checked_sub(1).filter(|line| *line > 0)?;
        let span = source.line_span(line);
        let text = source.slice(span);
        let code = text.trim();
        if code.is_empty() || code.starts_with('#') {
            continue;
        }
        let code = code
            .split_once(" #")
            .map_or(code, |(code, _)| code)
            .trim_end();
        // The key may be followed by a tag or an anchor of the value: `a: &x`.
        let opening = match code.rsplit_once(char::is_whitespace) {
            Some((key, properties)) if properties.starts_with(['&', '!']) => key.trim_end(),
            _ => code,
        };
        let start = span.start() + (text.len() - text.trim_start().len());
        // Any other line belongs to another value, such as the previous line in a flow collection.
        let opens = opening != "---" && opening.ends_with([':', '-']);
        return opens.then(|| Location::new(source, Span::new(start, start + opening.len())));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Source;
    use crate::yaml::parse;

    fn line_of(text: &str, keys: &[&str]) -> usize {
        let stream = parse(&Source::new("a.yml", text).unwrap()).unwrap();
        let value = stream.documents[0].root.get_in(keys).unwrap();
        of_value(value).unwrap().line_column().line
    }

    #[test]
    fn shows_a_value_at_the_line_of_its_key() {
        for (text, line) in [
            ("a: 1", 1),
            ("\na:\n  b: 1", 2),
            ("a:\n\n  # why\n  - 1", 1),
            ("a: # why\n- 1", 1),
            ("a: &x\n  b: 1", 1),
            ("a: !x\n  b: 1", 1),
            ("a: |\n  text", 1),
            ("a: {\n b: 1}", 1),
            ("a:", 1),
        ] {
            assert_eq!(line_of(text, &["a"]), line, "{text:?}");
        }
        assert_eq!(line_of("x: [\n1]\na:\n  b:\n    c: 1", &["a", "b"]), 4);
    }

    #[test]
    fn shows_a_root_at_its_own_line() {
        let stream = parse(&Source::new("a.yml", "---\nb: 2\n").unwrap()).unwrap();
        assert_eq!(
            of_value(&stream.documents[0].root)
                .unwrap()
                .line_column()
                .line,
            2
        );
    }
}
