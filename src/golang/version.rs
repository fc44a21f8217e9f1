//! Compares versions by Semantic Versioning 2.0.0.

use std::cmp::Ordering;

use semver::Version;

use super::GoError;

/// Returns whether `version` is `minimum` or later. Build metadata (after `+`) is ignored.
///
/// # Errors
/// A text that is not a version by the standard: three numbers, no `v`, no leading zeros.
pub fn is_at_least(version: &str, minimum: &str) -> Result<bool, GoError> {
    Ok(parse(version)?.cmp_precedence(&parse(minimum)?) != Ordering::Less)
}

fn parse(text: &str) -> Result<Version, GoError> {
    Version::parse(text)
        .map_err(|_| GoError::new(format!("version string '{text}' must be a valid semver")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compares_versions_by_precedence() {
        let table = [
            ("0.0.0", true),
            ("0.9.99", true),
            ("0.49.0", true),
            ("0.49.0+build", true),
            ("0.49.0-alpha", true),
            ("0.49.0-alpha.1", true),
            ("0.49.1", false),
            ("0.50.0-alpha", false),
            ("1000000.0.0", false),
            ("18446744073709551615.0.0", false),
        ];
        for (minimum, expected) in table {
            assert_eq!(is_at_least("0.49.0", minimum), Ok(expected), "{minimum}");
        }
        assert_eq!(is_at_least("1.0.0-alpha.2", "1.0.0-alpha.10"), Ok(false));
        assert_eq!(is_at_least("1.0.0-rc.1", "1.0.0-beta.11"), Ok(true));
    }

    #[test]
    fn refuses_versions_without_three_numbers() {
        let wrong = [
            "",
            "v1",
            "1",
            "1.2",
            "01.2.3",
            "v1.2.3",
            " 1.2.3",
            "1.2.3-",
            "1.2.3+",
            "1.2.3-01",
            "99999999999999999999.0.0",
        ];
        for text in wrong {
            let message = is_at_least("0.49.0", text).unwrap_err().to_string();
            assert_eq!(
                message,
                format!("version string '{text}' must be a valid semver")
            );
        }
    }
}
