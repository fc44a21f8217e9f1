//! Replaces matches, with Go's templates: `$1`, `${name}`, `$$`.

use regex::{Captures, Regex};

use super::translate::GROUP_PREFIX;

/// Replaces every match by the result of `replacement`.
///
/// # Errors
/// Returns the first error of `replacement`.
pub fn replace_all<E>(
    regex: &Regex,
    text: &str,
    mut replacement: impl FnMut(&Captures<'_>) -> Result<String, E>,
) -> Result<String, E> {
    let mut replaced = String::with_capacity(text.len());
    let mut end = 0;
    for captures in regex.captures_iter(text) {
        let Some(found) = captures.get(0) else {
            continue;
        };
        replaced.push_str(text.get(end..found.start()).unwrap_or(""));
        replaced.push_str(&replacement(&captures)?);
        end = found.end();
    }
    replaced.push_str(text.get(end..).unwrap_or(""));
    Ok(replaced)
}

/// Expands a template for one match.
///
/// A group that does not exist or did not match expands to an empty text, and a `$` without a name
/// to itself. The name is as long as possible: `$1x` is the group `1x`, not group 1 followed by
/// `x`.
pub fn expand(template: &str, captures: &Captures<'_>) -> String {
    let mut expanded = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('$') {
        expanded.push_str(before);
        rest = if let Some(after) = after.strip_prefix('$') {
            expanded.push('$');
            after
        } else if let Some((name, after)) = group_name(after) {
            expanded.push_str(group(name, captures).unwrap_or(""));
            after
        } else {
            expanded.push('$');
            after
        };
    }
    expanded.push_str(rest);
    expanded
}

/// Returns the name after a `$`, with or without braces, and the text after it.
fn group_name(text: &str) -> Option<(&str, &str)> {
    let braced = text.strip_prefix('{');
    let text = braced.unwrap_or(text);
    let end = text
        .find(|c: char| c != '_' && !c.is_alphabetic() && !c.is_numeric())
        .unwrap_or(text.len());
    let (name, rest) = text.split_at(end);
    let rest = if braced.is_some() {
        rest.strip_prefix('}')?
    } else {
        rest
    };
    (!name.is_empty()).then_some((name, rest))
}

/// Returns the text of a group. A number without leading zeros is an index, any other text is a
/// name.
fn group<'t>(name: &str, captures: &Captures<'t>) -> Option<&'t str> {
    let is_number =
        name.bytes().all(|byte| byte.is_ascii_digit()) && (name == "0" || !name.starts_with('0'));
    let found = if is_number {
        captures.get(name.parse().ok()?)
    } else {
        captures.name(&format!("{GROUP_PREFIX}{name}"))
    };
    found.map(|found| found.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::regexp::compile;

    /// Pattern, text, template, and Go's result.
    const CASES: &[(&str, &str, &str, &str)] = &[
        (
            "[a-z]+[0-9]+",
            "__hello123__HI456__",
            "bye",
            "__bye__HI456__",
        ),
        (
            "(?i)([a-z]+)[0-9]+",
            "__hello123__HI456__",
            "$1",
            "__hello__HI__",
        ),
        (
            "(a)(?P<n>b)",
            "xabx",
            "[$1|${1}|$n|${n}|$$|$1x|$9|${9}|$|$ |${|${}|$0|${n]",
            "x[a|a|b|b|$||||$|$ |${|${}|ab|${n]x",
        ),
        ("a*", "baac", "-", "-b-c-"),
        ("", "abé", "-", "-a-b-é-"),
        ("(a)|b", "ab", "<$1>", "<a><>"),
        ("(a)", "a", "$01 $1_ $1-", "  a-"),
        ("a", "a", "$é", ""),
        ("a", "a", "${1x}", ""),
        ("a", "a", "$99999999999999999999", ""),
        ("x", "abc", "$0", "abc"),
    ];

    #[test]
    fn expands_templates_like_go() {
        for (pattern, text, template, expected) in CASES {
            let regex = compile(pattern).unwrap();
            let replaced = replace_all(&regex, text, |captures| {
                Ok::<_, ()>(expand(template, captures))
            });
            assert_eq!(
                replaced.as_deref(),
                Ok(*expected),
                "{pattern} in {text} by {template}"
            );
        }
    }

    #[test]
    fn stops_at_the_first_error() {
        let regex = compile("a").unwrap();
        let mut calls = 0;
        let replaced = replace_all(&regex, "aaa", |_| {
            calls += 1;
            Err("no")
        });
        assert_eq!((replaced, calls), (Err("no"), 1));
    }
}
