//! Regular expressions as Go reads them.
//!
//! kustomize and ytt are written in Go, whose `regexp` package and the `regex` crate both descend from RE2 and run in
//! linear time, but differ in details: `\d` is ASCII in Go, `[a&&b]` is no intersection, `a**` is an error. A pattern is
//! therefore parsed by Go's rules and written anew for the crate, in a form that means the same in it. A pattern that Go
//! refuses is refused in Go's words.
//!
//! The syntax is <https://pkg.go.dev/regexp/syntax>, with Perl flags, as `regexp.Compile` reads it.

mod class;
mod error;
mod escape;
mod pattern;
mod replace;
mod translate;

use regex::RegexBuilder;

pub use error::{Error, Problem};
pub use regex::Regex;
pub use replace::{expand, replace_all};

/// Compiles a Go pattern that may match anywhere in a text.
///
/// # Errors
/// What Go says of the pattern.
pub fn compile(pattern: &str) -> Result<Regex, Error> {
    build(pattern, &translate::translate(pattern)?)
}

/// Compiles a Go pattern that must match a whole text.
///
/// # Errors
/// What Go says of the pattern.
pub fn compile_whole(pattern: &str) -> Result<Regex, Error> {
    build(
        pattern,
        &format!("^(?:{})$", translate::translate(pattern)?),
    )
}

/// What the crate refuses of a translated pattern are its limits, and names of characters that it does not know.
fn build(pattern: &str, translated: &str) -> Result<Regex, Error> {
    RegexBuilder::new(translated)
        .build()
        .map_err(|error| match error {
            regex::Error::CompiledTooBig(_) => Error::new(Problem::TooLarge, pattern),
            _ => Error::new(Problem::InvalidClassRange, pattern),
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pattern, text, and the bytes that Go matches.
    type Case = (&'static str, &'static str, Option<(usize, usize)>);

    const MATCHES: [Case; 30] = [
        (r"web", "my-web", Some((3, 6))),
        (r"\d+", "١2", Some((2, 3))),
        (r"\w+", "é_a", Some((2, 4))),
        (r"\W", "aé", Some((1, 3))),
        (r"[\w-]+", "é-a", Some((2, 4))),
        (r"[^\D]", "a1", Some((1, 2))),
        (r"\s", "\u{a0}\t", Some((2, 3))),
        (r"\S", "\u{b}", Some((0, 1))),
        (r"\bé", "é", None),
        (r"a\B", "aé", None),
        (r"\pL", "1é", Some((1, 3))),
        (r"\p{^Greek}", "αb", Some((2, 3))),
        (r"[\P{Greek}]", "αb", Some((2, 3))),
        (r"[[:alpha:]]", "éb", Some((2, 3))),
        (r"[[:^alpha:]]", "a1", Some((1, 2))),
        (r"[a&&b]", "&", Some((0, 1))),
        (r"[+--b]", ",", Some((0, 1))),
        (r"[a~~b]", "~", Some((0, 1))),
        (r"[[a]", "[", Some((0, 1))),
        (r"[]a]", "]", Some((0, 1))),
        (r"a{,2}", "a{,2}", Some((0, 5))),
        (r"{a}", "{a}", Some((0, 3))),
        (r"a{02}", "a{02}", Some((0, 5))),
        (r"a{2,3}?", "aaa", Some((0, 2))),
        (r"\Qa.b\E.", "a.bc", Some((0, 4))),
        (r"\Q(", "(", Some((0, 1))),
        (r"\101\x42\x{43}\0", "ABC\0", Some((0, 4))),
        (r"\<\_\#", "<_#", Some((0, 3))),
        (r"(?i)(?<name>WEB)(?)", "web", Some((0, 3))),
        (r"a$", "a\n", None),
    ];

    /// Pattern and what Go says of it.
    const ERRORS: [(&str, &str); 24] = [
        ("(", "missing closing ): `(`"),
        ("(a|(b)", "missing closing ): `(a|(b)`"),
        ("a)", "unexpected ): `a)`"),
        ("[a", "missing closing ]: `[a`"),
        (r"x[a\]", r"missing closing ]: `[a\]`"),
        ("*", "missing argument to repetition operator: `*`"),
        ("a|+?", "missing argument to repetition operator: `+?`"),
        ("(?i){2}", "missing argument to repetition operator: `{2}`"),
        ("a**", "invalid nested repetition operator: `**`"),
        ("a+?+", "invalid nested repetition operator: `+?+`"),
        ("a{2}{3}", "invalid nested repetition operator: `{2}{3}`"),
        ("a{1001}", "invalid repeat count: `{1001}`"),
        ("a{3,2}", "invalid repeat count: `{3,2}`"),
        ("a{99999999999}", "invalid repeat count: `{99999999999}`"),
        ("(?=a)", "invalid or unsupported Perl syntax: `(?=`"),
        ("(?x)a", "invalid or unsupported Perl syntax: `(?x`"),
        ("(?i-)a", "invalid or unsupported Perl syntax: `(?i-)`"),
        ("(?P<a-b>c)", "invalid named capture: `(?P<a-b>`"),
        ("(?P<a", "invalid named capture: `(?P<a`"),
        (r"(a)\1", r"invalid escape sequence: `\1`"),
        (r"\y", r"invalid escape sequence: `\y`"),
        (r"\p{Nope}", r"invalid character class range: `\p{Nope}`"),
        ("[[:foo:]]", "invalid character class range: `[:foo:]`"),
        ("[b-a]", "invalid character class range: `b-a`"),
    ];

    #[test]
    fn a_pattern_matches_what_it_matches_in_go() {
        for (pattern, text, expected) in MATCHES {
            let found = compile(pattern)
                .unwrap()
                .find(text)
                .map(|found| (found.start(), found.end()));
            assert_eq!(found, expected, "{pattern} in {text:?}");
        }
    }

    #[test]
    fn a_pattern_is_refused_in_the_words_of_go() {
        for (pattern, expected) in ERRORS {
            let error = compile(pattern).unwrap_err().to_string();
            assert_eq!(
                error,
                format!("error parsing regexp: {expected}"),
                "{pattern}"
            );
        }
        assert_eq!(
            compile(r"a\").unwrap_err().problem,
            Problem::TrailingBackslash
        );
        assert_eq!(
            compile("(?:(?:a{1000}){1000}){1000}").unwrap_err().problem,
            Problem::TooLarge
        );
    }

    #[test]
    fn a_whole_match_covers_every_alternative() {
        let pattern = compile_whole("web|db").unwrap();
        assert!(pattern.is_match("db"));
        assert!(!pattern.is_match("web-sidecar") && !pattern.is_match("my-db"));
    }

    #[test]
    fn no_text_breaks_the_translation() {
        for text in [
            "[[:", r"\p", r"\p{", r"\x", r"\x{", r"\xé1", "(?P<", "(?", "[^", "[a-", "é{", r"[\",
            "(?<é>a)",
        ] {
            assert!(compile(text).is_err() || text == "é{", "{text}");
        }
    }
}
