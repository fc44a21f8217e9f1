//! Go's regular expressions, based on the `regex` crate.
//!
//! kustomize and ytt are written in Go. Go's `regexp` package and the `regex` crate both descend
//! from RE2 and match in linear time, but they differ in details. So a pattern is parsed by Go's
//! rules and translated to a pattern that means the same in the crate:
//!
//! ```text
//! Go             crate                     because in the crate
//! \d             [0-9]                     `\d` includes digits of all scripts
//! \b             (?-u:\b)                  word boundaries follow Unicode
//! [a&&b]         [\x{61}…\x{26}…]          `&&` is an intersection
//! a{,2}          a\{,2\}                   `{,2}` is an error; in Go it is plain text
//! a**            refused, in Go's words    it is accepted
//! ```
//!
//! Invariant: matching takes time linear in the text, for every pattern.
//!
//! The syntax is <https://pkg.go.dev/regexp/syntax>, with Perl flags, as `regexp.Compile` reads it.

mod bounds;
mod class;
mod cost;
mod error;
mod escape;
mod pattern;
mod replace;
mod translate;

use regex::RegexBuilder;

pub use bounds::{PatternBounds, beginning};
pub use cost::PatternCost;
pub use error::{RegexpError, RegexpProblem};
pub use regex::{Captures, Regex};
pub use replace::{expand, replace_all};

/// Compiles a Go pattern that may match anywhere in a text.
///
/// # Errors
/// A pattern that Go would refuse. The message is Go's.
pub fn compile(pattern: &str) -> Result<Regex, RegexpError> {
    build(pattern, &translate::translate(pattern)?)
}

/// Compiles a Go pattern that must match a whole text, as kustomize's selectors do.
///
/// # Errors
/// A pattern that Go would refuse. The message is Go's.
pub fn compile_whole(pattern: &str) -> Result<Regex, RegexpError> {
    build(
        pattern,
        &format!("^(?:{})$", translate::translate(pattern)?),
    )
}

/// Compiles a translated pattern. The crate refuses it only if it is too large or names an unknown
/// character class.
fn build(pattern: &str, translated: &str) -> Result<Regex, RegexpError> {
    RegexBuilder::new(translated)
        .build()
        .map_err(|error| match error {
            regex::Error::CompiledTooBig(_) => RegexpError::new(RegexpProblem::TooLarge, pattern),
            _ => RegexpError::new(RegexpProblem::InvalidClassRange, pattern),
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A pattern, a text, and the bytes that Go matches.
    type Case = (&'static str, &'static str, Option<(usize, usize)>);

    const MATCHES: [Case; 35] = [
        (r"((a{1000}){0}){2}b", "b", Some((0, 1))),
        (r"((a{1000}){0}b{3}){2}", "bbbbbb", Some((0, 6))),
        (r"(((a{1000}){0}){2}){3}", "a", Some((0, 0))),
        (r"(a{1000}){0,1}b", "b", Some((0, 1))),
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
        (r"(?P<1a>b)", "ab", Some((1, 2))),
    ];

    /// Patterns and Go's messages about them.
    const ERRORS: [(&str, &str); 29] = [
        ("((a{1000}){0,}){2}", "invalid repeat count: `{2}`"),
        ("((a{0}){1000}){2}", "invalid repeat count: `{2}`"),
        ("((a{1000}){0}b{600}){2}", "invalid repeat count: `{2}`"),
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
        ("(a{10}){200}", "invalid repeat count: `{200}`"),
        ("((a{2}b|c{30}){30}d){2,}", "invalid repeat count: `{2,}`"),
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
    fn matches_what_go_matches() {
        for (pattern, text, expected) in MATCHES {
            let found = compile(pattern)
                .unwrap()
                .find(text)
                .map(|found| (found.start(), found.end()));
            assert_eq!(found, expected, "{pattern} in {text:?}");
        }
    }

    #[test]
    fn refuses_a_pattern_in_the_words_of_go() {
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
            RegexpProblem::TrailingBackslash
        );
        assert_eq!(
            compile(&r"\pL{1000}".repeat(50)).unwrap_err().problem,
            RegexpProblem::TooLarge
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
