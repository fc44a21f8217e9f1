//! Parses a URL into its parts, in the order of Go's `url.Parse`.

use super::authority::{User, parse_host};
use super::escape::{UrlPart, escape, is_escaped, unescape};
use super::{Url, begins_like_scheme};
use crate::golang::GoError;
use crate::golang::quote::quote;

/// Parses a URL or a relative reference.
///
/// # Errors
/// A text with a control character, a missing scheme, or an invalid host, port, user or escape.
pub fn parse(text: &str) -> Result<Url, GoError> {
    let (before, fragment) = text.split_once('#').unwrap_or((text, ""));
    let mut url = before_fragment(before).map_err(|error| in_text(before, &error))?;
    url.fragment = spelled(fragment, UrlPart::Fragment).map_err(|error| in_text(text, &error))?;
    Ok(url)
}

/// Returns an error about a part of `text`, in Go's format.
fn in_text(text: &str, error: &GoError) -> GoError {
    GoError::new(format!("parse {}: {error}", quote(text.as_bytes())))
}

/// Parses a URL without its fragment, as `url.Parse` of Go does.
///
/// ```text
/// https://user:pw@host:80/a/b?x=1     scheme `https`, user, host, path `/a/b`, query
/// mailto:a@example.com                scheme `mailto`, and the rest is opaque
/// //host/a                            no scheme, but a host
/// a/b                                 a path only
/// ```
fn before_fragment(text: &str) -> Result<Url, GoError> {
    if text.bytes().any(|byte| byte.is_ascii_control()) {
        return Err(GoError::new("net/url: invalid control character in URL"));
    }
    let (scheme, rest) = split_scheme(text)?;
    let (rest, query) = rest
        .split_once('?')
        .map_or((rest, None), |(rest, query)| (rest, Some(query.to_owned())));
    let mut url = Url {
        scheme: scheme.to_ascii_lowercase(),
        opaque: String::new(),
        user: None,
        host: Vec::new(),
        omits_host: false,
        path: String::new(),
        query,
        fragment: String::new(),
    };
    if !rest.starts_with('/') && !scheme.is_empty() {
        url.opaque = rest.to_owned();
        return Ok(url);
    }
    // `a:b` would be read as a scheme, so a path that begins like that has to be written `./a:b`.
    if begins_like_scheme(rest) {
        return Err(GoError::new(
            "first path segment in URL cannot contain colon",
        ));
    }
    let path = match rest.strip_prefix("//") {
        // Without a scheme, three slashes begin a path and not an empty host.
        Some(after) if !scheme.is_empty() || !after.starts_with('/') => {
            let (authority, path) = after.split_at(after.find('/').unwrap_or(after.len()));
            (url.user, url.host) = parse_authority(authority)?;
            path
        }
        _ => {
            url.omits_host = !scheme.is_empty();
            rest
        }
    };
    url.path = spelled(path, UrlPart::Path)?;
    Ok(url)
}

/// Divides a text into its scheme, without the colon, and the rest. Without a scheme, the first
/// part is empty.
fn split_scheme(text: &str) -> Result<(&str, &str), GoError> {
    let length = text
        .find(|c: char| !c.is_ascii_alphanumeric() && !"+-.".contains(c))
        .unwrap_or(text.len());
    let (scheme, rest) = text.split_at(length);
    let Some(rest) = rest.strip_prefix(':') else {
        return Ok(("", text));
    };
    if scheme.is_empty() {
        return Err(GoError::new("missing protocol scheme"));
    }
    let is_scheme = scheme.starts_with(|c: char| c.is_ascii_alphabetic());
    Ok(if is_scheme {
        (scheme, rest)
    } else {
        ("", text)
    })
}

fn parse_authority(text: &str) -> Result<(Option<User>, Vec<u8>), GoError> {
    let (user, host) = text
        .rsplit_once('@')
        .map_or((None, text), |(user, host)| (Some(user), host));
    let host = parse_host(host)?;
    Ok((user.map(User::parse).transpose()?, host))
}

/// Returns a path or fragment as it is printed: unchanged if it is escaped correctly, otherwise
/// with new escapes.
fn spelled(text: &str, part: UrlPart) -> Result<String, GoError> {
    let bytes = unescape(text, part)?;
    Ok(if is_escaped(text, part) {
        text.to_owned()
    } else {
        escape(&bytes, part)
    })
}
