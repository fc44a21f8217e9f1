//! The authority of a URL: `user:password@host:port`.

use std::fmt;

use super::escape::{UrlPart, escape, unescape};
use crate::golang::GoError;
use crate::golang::quote::quote;

/// The name and password before the `@` of a URL, decoded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct User {
    /// The name; may be empty.
    pub name: Vec<u8>,
    /// The text after the first `:`; `None` if there is no `:`.
    pub password: Option<Vec<u8>>,
}

impl User {
    /// Parses the text before the `@`.
    ///
    /// # Errors
    /// A character that is not escaped but must be, or an invalid escape.
    pub(super) fn parse(text: &str) -> Result<User, GoError> {
        if !text.bytes().all(is_user_byte) {
            return Err(GoError::new("net/url: invalid userinfo"));
        }
        let (name, password) = text
            .split_once(':')
            .map_or((text, None), |(name, rest)| (name, Some(rest)));
        Ok(User {
            name: unescape(name, UrlPart::User)?,
            password: password
                .map(|password| unescape(password, UrlPart::User))
                .transpose()?,
        })
    }
}

impl fmt::Display for User {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&escape(&self.name, UrlPart::User))?;
        match &self.password {
            Some(password) => write!(f, ":{}", escape(password, UrlPart::User)),
            None => Ok(()),
        }
    }
}

/// Returns whether a byte is allowed before the `@`, unescaped or as a part of an escape.
fn is_user_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-._:~!$&'()*+,;=%@".contains(&byte)
}

/// Parses a host with its port, and decodes it.
///
/// # Errors
/// A port that is not a number, a bracket that is not closed, or a character or an escape that is
/// not allowed in a host.
pub(super) fn parse_host(text: &str) -> Result<Vec<u8>, GoError> {
    if !text.starts_with('[') {
        let port = text.rfind(':').map_or("", |colon| &text[colon..]);
        check_port(port)?;
        return unescape(text, UrlPart::Host);
    }
    let Some((address, port)) = text.rsplit_once(']') else {
        return Err(GoError::new("missing ']' in host"));
    };
    check_port(port)?;
    // An IPv6 zone follows an escaped `%`, as in `[fe80::1%25en0]`, and may contain more characters
    // than a host.
    let zone = address.find("%25").unwrap_or(address.len());
    let (address, zone) = address.split_at(zone);
    let mut host = unescape(address, UrlPart::Host)?;
    host.extend(unescape(zone, UrlPart::Zone)?);
    host.push(b']');
    host.extend(unescape(port, UrlPart::Host)?);
    Ok(host)
}

/// Returns a host without its port and brackets.
pub(super) fn without_port(host: &[u8]) -> &[u8] {
    // The last colon of an IPv6 address is not the start of a port: `]` or another colon follows.
    let colon = host.iter().rposition(|&byte| byte == b':');
    let name = match colon.and_then(|colon| host.split_at_checked(colon)) {
        Some((name, port)) if is_port(port) => name,
        _ => host,
    };
    name.strip_prefix(b"[")
        .and_then(|name| name.strip_suffix(b"]"))
        .unwrap_or(name)
}

fn check_port(port: &str) -> Result<(), GoError> {
    if is_port(port.as_bytes()) {
        return Ok(());
    }
    Err(GoError::new(format!(
        "invalid port {} after host",
        quote(port.as_bytes())
    )))
}

/// Returns whether a text is empty, or a colon with any number of digits.
fn is_port(text: &[u8]) -> bool {
    text.is_empty()
        || text
            .strip_prefix(b":")
            .is_some_and(|digits| digits.iter().all(u8::is_ascii_digit))
}
