//! Query parameters: the names and values between `?` and `#`.

use std::collections::BTreeMap;

use super::escape::{UrlPart, escape, unescape};
use crate::golang::GoError;

/// The values of each name, sorted by name.
pub type Parameters = BTreeMap<Vec<u8>, Vec<Vec<u8>>>;

/// Encodes parameters, sorted by name.
pub fn encode(parameters: &Parameters) -> String {
    let mut encoded = String::new();
    for (name, values) in parameters {
        let name = escape(name, UrlPart::Query);
        for value in values {
            if !encoded.is_empty() {
                encoded.push('&');
            }
            encoded.push_str(&format!("{name}={}", escape(value, UrlPart::Query)));
        }
    }
    encoded
}

/// Decodes parameters, which are separated by `&` or `;`.
///
/// # Errors
/// An invalid escape.
pub fn decode(text: &str) -> Result<Parameters, GoError> {
    let mut parameters = Parameters::new();
    for pair in text.split(['&', ';']).filter(|pair| !pair.is_empty()) {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        let name = unescape(name, UrlPart::Query)?;
        parameters
            .entry(name)
            .or_default()
            .push(unescape(value, UrlPart::Query)?);
    }
    Ok(parameters)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Names and their values.
    type Table = &'static [(&'static str, &'static [&'static str])];

    fn parameters(table: Table) -> Parameters {
        let bytes = |text: &str| text.as_bytes().to_vec();
        table
            .iter()
            .map(|(name, values)| {
                (
                    bytes(name),
                    values.iter().map(|value| bytes(value)).collect(),
                )
            })
            .collect()
    }

    #[test]
    fn encodes_parameters_sorted_by_name() {
        let given = parameters(&[
            ("b", &["1", "2"]),
            ("a", &["x y&="]),
            ("c", &[]),
            ("é", &[""]),
        ]);
        assert_eq!(encode(&given), "a=x+y%26%3D&b=1&b=2&%C3%A9=");
        assert_eq!(encode(&Parameters::new()), "");
    }

    #[test]
    fn separates_parameters_at_ampersands_and_semicolons() {
        let table: &[(&str, Table)] = &[
            ("", &[]),
            ("a=b=c", &[("a", &["b=c"])]),
            ("?a=1", &[("?a", &["1"])]),
            (
                "b=1;a=2&c=3",
                &[("a", &["2"]), ("b", &["1"]), ("c", &["3"])],
            ),
            (
                "b=1&a=2&b=3&c&=d&e=&&x+y=z%20",
                &[
                    ("", &["d"]),
                    ("a", &["2"]),
                    ("b", &["1", "3"]),
                    ("c", &[""]),
                    ("e", &[""]),
                    ("x y", &["z "]),
                ],
            ),
        ];
        for (text, expected) in table {
            assert_eq!(decode(text), Ok(parameters(expected)), "{text}");
        }
    }

    #[test]
    fn refuses_an_invalid_escape() {
        for (text, escape) in [
            ("b=%zz&a=1", "%zz"),
            ("%zz=1", "%zz"),
            ("a;b=1;;c=%2", "%2"),
        ] {
            assert_eq!(
                decode(text).unwrap_err().to_string(),
                format!("invalid URL escape \"{escape}\"")
            );
        }
    }
}
