//! The formats that a rule can require of a string: `format="ipv4"`.
//!
//! If JSON Schema has a format, its name and meaning are used. The other formats are those of
//! Kubernetes and Go. Each format names the text that defines it.

use core::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::sync::LazyLock;

use regex::Regex;

use crate::golang::{ip, url};

/// Declares [`StringFormat`] from one table.
macro_rules! formats {
    ($($(#[$doc:meta])* $variant:ident = $name:literal, $describe:literal,)*) => {
        /// A format of strings.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(in crate::schema) enum StringFormat {
            $($(#[$doc])* $variant,)*
        }

        impl StringFormat {
            const ALL: &'static [StringFormat] = &[$(StringFormat::$variant),*];

            /// Returns the name in `format=`.
            pub(in crate::schema) fn name(self) -> &'static str {
                match self {
                    $(StringFormat::$variant => $name,)*
                }
            }

            /// Returns the words for a message.
            pub(in crate::schema) fn describe(self) -> &'static str {
                match self {
                    $(StringFormat::$variant => $describe,)*
                }
            }
        }
    };
}

formats! {
    /// RFC 3339, 5.6.
    DateTime = "date-time", "a date and time (RFC 3339), such as 2024-05-06T07:08:09Z",
    /// RFC 3339, 5.6.
    Date = "date", "a date (RFC 3339), such as 2024-05-06",
    /// RFC 3339, 5.6.
    Time = "time", "a time with its zone (RFC 3339), such as 07:08:09Z",
    /// RFC 3339, appendix A.
    Duration = "duration", "a duration (ISO 8601), such as P1DT12H",
    /// What Go's `time.ParseDuration` reads.
    GoDuration = "go-duration", "a duration as in Go, such as 1h30m",
    /// RFC 5321, 4.1.2, without quoted local parts.
    Email = "email", "an email address",
    /// RFC 1123, 2.1.
    Hostname = "hostname", "a host name (RFC 1123)",
    /// RFC 2673, 3.2.
    Ipv4 = "ipv4", "an IPv4 address",
    /// RFC 4291, 2.2.
    Ipv6 = "ipv6", "an IPv6 address",
    /// One of both.
    Ip = "ip", "an IP address",
    /// RFC 4632 and 4291, 2.3.
    Cidr = "cidr", "an IP address with the length of its network prefix, such as 10.0.0.0/8",
    /// RFC 3986, with a scheme.
    Uri = "uri", "a URI with its scheme",
    /// RFC 4122.
    Uuid = "uuid", "a UUID",
    /// A label of RFC 1123 as Kubernetes wants it: lower case.
    Dns1123Label = "dns-1123-label", "a DNS label: at most 63 of a-z, 0-9 and -, with a letter or digit at both ends",
    /// A subdomain of RFC 1123 as Kubernetes wants it: lower case.
    Dns1123Subdomain = "dns-1123-subdomain", "DNS labels with dots between, at most 253 characters",
}

impl StringFormat {
    /// Returns the format with a name.
    pub(in crate::schema) fn named(name: &str) -> Option<StringFormat> {
        StringFormat::ALL
            .iter()
            .copied()
            .find(|format| format.name() == name)
    }

    /// Returns the names of all formats, for messages.
    pub(in crate::schema) fn names() -> impl Iterator<Item = &'static str> + Clone {
        StringFormat::ALL.iter().map(|format| format.name())
    }

    /// Returns whether a text has the format.
    pub(in crate::schema) fn fits(self, text: &str) -> bool {
        match self {
            StringFormat::DateTime => is_date_time(text),
            StringFormat::Date => is_date(text),
            StringFormat::Time => is_time(text),
            StringFormat::Duration => {
                // Every part of the pattern is optional, so `P` and `P1DT` would match it.
                text.len() > 1 && !text.ends_with('T') && DURATION.is_match(text)
            }
            StringFormat::GoDuration => text == "0" || GO_DURATION.is_match(text),
            StringFormat::Email => is_email(text),
            StringFormat::Hostname => is_hostname(&text.to_ascii_lowercase()),
            StringFormat::Ipv4 => text.parse::<Ipv4Addr>().is_ok(),
            StringFormat::Ipv6 => text.parse::<Ipv6Addr>().is_ok(),
            StringFormat::Ip => text.parse::<IpAddr>().is_ok(),
            StringFormat::Cidr => ip::parse_cidr(text).is_ok(),
            StringFormat::Uri => is_uri(text),
            StringFormat::Uuid => UUID.is_match(text),
            StringFormat::Dns1123Label => is_label(text),
            StringFormat::Dns1123Subdomain => is_hostname(text),
        }
    }
}

macro_rules! pattern {
    ($name:ident, $pattern:literal) => {
        static $name: LazyLock<Regex> =
            LazyLock::new(|| Regex::new($pattern).expect("a pattern that compiles"));
    };
}

// `\d` would also match digits of other scripts, which no format allows.
pattern!(DATE, r"^([0-9]{4})-([0-9]{2})-([0-9]{2})$");
pattern!(
    TIME,
    r"^(?i)([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.[0-9]+)?(?:z|[+-]([0-9]{2}):([0-9]{2}))$"
);
pattern!(
    DURATION,
    r"^P(?:[0-9]+W|(?:[0-9]+Y)?(?:[0-9]+M)?(?:[0-9]+D)?(?:T(?:[0-9]+H)?(?:[0-9]+M)?(?:[0-9]+S)?)?)$"
);
pattern!(
    GO_DURATION,
    r"^[+-]?(?:(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:ns|us|µs|μs|ms|s|m|h))+$"
);
pattern!(
    LOCAL_PART,
    r"^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$"
);
pattern!(
    UUID,
    r"^(?i)[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$"
);
pattern!(SCHEME, r"^[A-Za-z][A-Za-z0-9+.-]*:");

/// Returns the numbers that the groups of a pattern match, with 0 for a group without a match.
fn numbers<const N: usize>(pattern: &Regex, text: &str) -> Option<[u32; N]> {
    let captures = pattern.captures(text)?;
    let mut found = [0; N];
    for (index, number) in found.iter_mut().enumerate() {
        if let Some(group) = captures.get(index + 1) {
            *number = group.as_str().parse().ok()?;
        }
    }
    Some(found)
}

fn is_date(text: &str) -> bool {
    let Some([year, month, day]) = numbers(&DATE, text) else {
        return false;
    };
    let is_leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let days = match month {
        4 | 6 | 9 | 11 => 30,
        2 => 28 + u32::from(is_leap),
        1..=12 => 31,
        _ => 0,
    };
    (1..=days).contains(&day)
}

/// Returns whether a text is a time. The second 60 is a leap second, which is only allowed at the
/// end of a day in UTC.
fn is_time(text: &str) -> bool {
    let Some([hour, minute, second, zone_hour, zone_minute]) = numbers(&TIME, text) else {
        return false;
    };
    if hour > 23 || minute > 59 || second > 60 || zone_hour > 23 || zone_minute > 59 {
        return false;
    }
    let zone = zone_hour * 60 + zone_minute;
    let is_west = text.rfind('-').is_some();
    // Add a day, so that the difference is never negative: 00:29:60+00:30 is 23:59:60 in UTC.
    let in_utc = if is_west {
        hour * 60 + minute + zone
    } else {
        hour * 60 + minute + 24 * 60 - zone
    };
    second < 60 || in_utc % (24 * 60) == 24 * 60 - 1
}

fn is_date_time(text: &str) -> bool {
    let parts = text.split_once(['T', 't', ' ']);
    parts.is_some_and(|(date, time)| is_date(date) && is_time(time))
}

fn is_email(text: &str) -> bool {
    // Split at the last `@`. A quoted local part may contain `@`, and then `LOCAL_PART` refuses it
    // as a whole.
    let Some((local, domain)) = text.rsplit_once('@') else {
        return false;
    };
    local.len() <= 64 && LOCAL_PART.is_match(local) && is_hostname(&domain.to_ascii_lowercase())
}

fn is_hostname(text: &str) -> bool {
    (1..=253).contains(&text.len()) && text.split('.').all(is_label)
}

fn is_label(text: &str) -> bool {
    (1..=63).contains(&text.len())
        && text
            .bytes()
            .all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-'))
        && !text.starts_with('-')
        && !text.ends_with('-')
}

/// RFC 3986 allows neither blanks nor characters beyond ASCII.
fn is_uri(text: &str) -> bool {
    let has_forbidden = text
        .chars()
        .any(|c| !c.is_ascii_graphic() || "\"<>\\^`{|}".contains(c));
    SCHEME.is_match(text) && !has_forbidden && url::parse(text).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accepts_what_the_definition_of_a_format_accepts() {
        let table: [(StringFormat, &[&str], &[&str]); 15] = [
            (
                StringFormat::DateTime,
                &[
                    "2024-05-06T07:08:09Z",
                    "1985-04-12T23:20:50.52z",
                    "1990-12-31T23:59:60Z",
                    "2024-02-29T00:00:00+01:30",
                ],
                &[
                    "2024-05-06",
                    "2024-05-06T07:08Z",
                    "2023-02-29T00:00:00Z",
                    "2024-05-06T07:08:09",
                    "2024-05-06T07:08:60Z",
                ],
            ),
            (
                StringFormat::Date,
                &["2024-02-29", "2000-02-29"],
                &[
                    "1900-02-29",
                    "2024-13-01",
                    "2024-00-01",
                    "24-01-01",
                    "2024-04-31",
                ],
            ),
            (
                StringFormat::Time,
                &["00:00:00Z", "23:59:60Z", "15:59:60-08:00", "00:29:60+00:30"],
                &[
                    "24:00:00Z",
                    "12:00:00",
                    "12:60:00Z",
                    "22:59:60Z",
                    "١٢:00:00Z",
                ],
            ),
            (
                StringFormat::Duration,
                &["P3D", "PT1H", "P1Y2M3DT4H5M6S", "P2W"],
                &["P", "PT", "P1DT", "1h", "P1D2W", "PT1D", "P١D"],
            ),
            (
                StringFormat::GoDuration,
                &["1h30m", "0", "-1.5h", "10ms", ".5s", "3µs"],
                &["", "1", "1d", "h", "P1D", "١h"],
            ),
            (
                StringFormat::Email,
                &["a.b+c@example.com", "x@host"],
                &["a", "@example.com", "a@", "a..b@c", "a b@c", "a@b@c d"],
            ),
            (
                StringFormat::Hostname,
                &["example.com", "A-1.B", "1"],
                &["", "-a", "a-.b", "a..b", "a_b", "é.com"],
            ),
            (
                StringFormat::Ipv4,
                &["127.0.0.1"],
                &["127.0.0.256", "1.2.3", "01.2.3.4", "::1"],
            ),
            (
                StringFormat::Ipv6,
                &["::1", "2001:db8::8a2e:370:7334"],
                &["127.0.0.1", ":::1", "fe80::1%eth0"],
            ),
            (StringFormat::Ip, &["::1", "10.0.0.1"], &["10.0.0", "host"]),
            (
                StringFormat::Cidr,
                &["10.0.0.0/8", "2001:db8::/32"],
                &["10.0.0.0", "10.0.0.0/33", "10.0.0/8"],
            ),
            (
                StringFormat::Uri,
                &["https://a/b?c#d", "urn:isbn:1", "mailto:a@b"],
                &["/a/b", "a b:c", "//host/x", "http://é", "1:x"],
            ),
            (
                StringFormat::Uuid,
                &[
                    "2eb8aa08-aa98-11ea-b4aa-73b441d16380",
                    "2EB8AA08-AA98-11EA-B4AA-73B441D16380",
                ],
                &[
                    "2eb8aa08aa9811eab4aa73b441d16380",
                    "2eb8aa08-aa98-11ea-b4aa-73b441d1638g",
                ],
            ),
            (
                StringFormat::Dns1123Label,
                &["a", "a-1"],
                &["", "A", "a.b", "-a", "a-", "a_b"],
            ),
            (
                StringFormat::Dns1123Subdomain,
                &["a.b-c.d", "1.2"],
                &["A.b", "a..b", "a.", ".a"],
            ),
        ];
        for (format, fits, misses) in table {
            for text in fits {
                assert!(format.fits(text), "{text:?} is {}", format.name());
            }
            for text in misses {
                assert!(!format.fits(text), "{text:?} is not {}", format.name());
            }
            assert_eq!(StringFormat::named(format.name()), Some(format));
        }
    }

    #[test]
    fn bounds_the_length_of_labels_and_names() {
        let label = "a".repeat(63);
        assert!(StringFormat::Dns1123Label.fits(&label));
        assert!(!StringFormat::Dns1123Label.fits(&(label.clone() + "a")));
        let name = [label.as_str(), &label, &label, &"a".repeat(61)].join(".");
        assert!(StringFormat::Dns1123Subdomain.fits(&name));
        assert!(!StringFormat::Dns1123Subdomain.fits(&(name + "a")));
    }
}
