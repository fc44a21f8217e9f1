//! IP addresses and networks as Go's `net` package reads them.
//!
//! Go treats an IPv4-mapped IPv6 address (`::ffff:192.0.2.1`) as the IPv4 address. Rust keeps the
//! two apart, so every address is converted to its canonical form.

use core::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::fmt;

use super::GoError;

/// The bit at which the IPv4 address begins in an IPv4-mapped IPv6 address.
const MAPPED_PREFIX: u8 = 96;

/// An IP network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Network {
    /// The first address of the network.
    pub address: IpAddr,
    /// The number of leading bits that all of its addresses share.
    pub prefix: u8,
}

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.address, self.prefix)
    }
}

/// Parses an address.
///
/// # Errors
/// A text that is not an address. Leading zeros, zones, brackets and blanks are refused, as in Go.
pub fn parse_address(text: &str) -> Result<IpAddr, GoError> {
    match text.parse::<IpAddr>() {
        Ok(address) => Ok(address.to_canonical()),
        Err(_) => Err(GoError::new(format!("invalid IP address: {text}"))),
    }
}

/// Parses an address with the prefix length of its network, such as `192.0.2.1/24`.
///
/// # Errors
/// A text without this form, or a prefix that is longer than the address.
pub fn parse_cidr(text: &str) -> Result<(IpAddr, Network), GoError> {
    address_and_network(text).ok_or_else(|| GoError::new(format!("invalid CIDR address: {text}")))
}

fn address_and_network(text: &str) -> Option<(IpAddr, Network)> {
    let (address, prefix) = text.split_once('/')?;
    let address: IpAddr = address.parse().ok()?;
    let prefix = parse_prefix(prefix)?;
    Some((address.to_canonical(), network(address, prefix)?))
}

/// Parses a prefix length: digits only. Leading zeros are accepted, as in Go.
fn parse_prefix(text: &str) -> Option<u8> {
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if is_number { text.parse().ok() } else { None }
}

/// Returns the network of an address; `None` if the prefix is longer than the address.
///
/// The address must not be in canonical form yet: the prefix of `::ffff:1.2.3.4/120` counts the
/// bits of the IPv6 form. In the result it counts the bits of the IPv4 form, `1.2.3.0/24`.
fn network(address: IpAddr, prefix: u8) -> Option<Network> {
    let width = if address.is_ipv4() { 32 } else { 128 };
    let host_bits = u32::from(u8::checked_sub(width, prefix)?);
    let address = match address {
        IpAddr::V4(address) => IpAddr::V4(Ipv4Addr::from_bits(clear(
            address.to_bits().into(),
            host_bits,
        ) as u32)),
        IpAddr::V6(address) => IpAddr::V6(Ipv6Addr::from_bits(clear(address.to_bits(), host_bits))),
    };
    let canonical = address.to_canonical();
    let mapped = canonical.is_ipv4() && address.is_ipv6();
    let prefix = if mapped {
        prefix.saturating_sub(MAPPED_PREFIX)
    } else {
        prefix
    };
    Some(Network {
        address: canonical,
        prefix,
    })
}

/// Returns the number with its lowest `count` bits cleared.
fn clear(bits: u128, count: u32) -> u128 {
    bits.checked_shr(count)
        .and_then(|bits| bits.checked_shl(count))
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prints_the_shortest_form_of_an_address() {
        let table = [
            ("192.0.2.1", "192.0.2.1"),
            ("::", "::"),
            ("::1", "::1"),
            ("2001:DB8:0:0:1:0:0:1", "2001:db8::1:0:0:1"),
            ("::ffff:1.2.3.4", "1.2.3.4"),
            ("::1.2.3.4", "::102:304"),
            ("64:ff9b::1.2.3.4", "64:ff9b::102:304"),
            ("1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0"),
            ("0:0:0:1:0:0:0:0", "0:0:0:1::"),
            ("1:0:0:2:0:0:3:4", "1::2:0:0:3:4"),
            ("1:0:2:0:3:0:4:5", "1:0:2:0:3:0:4:5"),
        ];
        for (text, expected) in table {
            assert_eq!(parse_address(text).unwrap().to_string(), expected, "{text}");
        }
    }

    #[test]
    fn treats_a_mapped_address_as_ipv4() {
        assert!(parse_address("::ffff:1.2.3.4").unwrap().is_ipv4());
        assert!(parse_address("::fffe:1.2.3.4").unwrap().is_ipv6());
    }

    #[test]
    fn refuses_what_is_not_an_address() {
        let wrong = [
            "",
            "01.2.3.4",
            "1.2.3",
            "1.2.3.256",
            " 1.2.3.4",
            "fe80::1%eth0",
            "::ffff:01.2.3.4",
            "1:2:3:4:5:6:7:8::",
            "0001::00001",
            "[::1]",
            "not-a-valid-addr",
        ];
        for text in wrong {
            assert_eq!(
                parse_address(text).unwrap_err().to_string(),
                format!("invalid IP address: {text}")
            );
        }
    }

    #[test]
    fn clears_the_host_bits_of_a_network() {
        let table = [
            ("1.2.3.4/8", "1.2.3.4", "1.0.0.0/8"),
            ("1.2.3.4/0", "1.2.3.4", "0.0.0.0/0"),
            ("1.2.3.4/32", "1.2.3.4", "1.2.3.4/32"),
            ("1.2.3.4/08", "1.2.3.4", "1.0.0.0/8"),
            ("1.2.3.4/000000000000008", "1.2.3.4", "1.0.0.0/8"),
            ("2001:db8::1234/33", "2001:db8::1234", "2001:db8::/33"),
            ("2001:db8::1234/0", "2001:db8::1234", "::/0"),
            ("2001:db8::1234/128", "2001:db8::1234", "2001:db8::1234/128"),
            ("::ffff:1.2.3.4/120", "1.2.3.4", "1.2.3.0/24"),
            ("::ffff:1.2.3.4/96", "1.2.3.4", "0.0.0.0/0"),
            ("::ffff:1.2.3.4/20", "1.2.3.4", "::/20"),
        ];
        for (text, address, network) in table {
            let (found, found_network) = parse_cidr(text).unwrap();
            assert_eq!(
                (found.to_string(), found_network.to_string()),
                (address.to_owned(), network.to_owned()),
                "{text}"
            );
        }
    }

    #[test]
    fn refuses_what_is_not_a_network() {
        let wrong = [
            "x",
            "1.2.3.4",
            "1.2.3.4/33",
            "::/129",
            "1.2.3.4/+8",
            "1.2.3.4/",
            "/8",
            "1.2.3.4/8/9",
            "fe80::1%eth0/64",
            "010.0.0.1/8",
            "1.2.3.4/16777216",
        ];
        for text in wrong {
            assert_eq!(
                parse_cidr(text).unwrap_err().to_string(),
                format!("invalid CIDR address: {text}")
            );
        }
    }
}
