//! The host of an URL and its port.

use super::escape::{UrlPart, unescape};
use crate::golang::GoError;
use crate::golang::quote::quote;

/// The host and port without escapes.
///
/// # Errors
/// A port that is no number, a bracket that is not closed, and characters and escapes that no host may have.
pub(super) fn parse(text: &str) -> Result<Vec<u8>, GoError> {
    if !text.starts_with('[') {
        check_port(
            text.rfind(':')
                .and_then(|colon| text.get(colon..))
                .unwrap_or(""),
        )?;
        return unescape(text, UrlPart::Host);
    }
    let Some((address, port)) = text.rsplit_once(']') else {
        return Err(GoError::new("missing ']' in host"));
    };
    check_port(port)?;
    let zone = address.find("%25").unwrap_or(address.len());
    let (address, zone) = address.split_at(zone);
    let mut host = unescape(address, UrlPart::Host)?;
    host.extend(unescape(zone, UrlPart::Zone)?);
    host.push(b']');
    host.extend(unescape(port, UrlPart::Host)?);
    Ok(host)
}

/// What is left of a host without its port and brackets.
pub(super) fn without_port(host: &[u8]) -> &[u8] {
    let name = match host
        .iter()
        .rposition(|&byte| byte == b':')
        .and_then(|colon| host.split_at_checked(colon))
    {
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

/// Whether this is nothing, or a colon and any number of digits.
fn is_port(text: &[u8]) -> bool {
    text.is_empty()
        || text
            .strip_prefix(b":")
            .is_some_and(|digits| digits.iter().all(u8::is_ascii_digit))
}
