//! URLs as Go's `net/url` reads and spells them.
//!
//! It follows RFC 3986 loosely, and keeps what it is given: no slash is added, no host is put in lower case, no port
//! taken away, and an escape that is valid stays as it was written. That is not what browsers do, nor the crates that
//! follow them.

mod escape;
mod host;
mod parse;
pub mod query;
#[cfg(test)]
mod tests;
mod user;

use super::GoError;
use escape::{UrlPart, escape, unescape};
pub use parse::parse;
pub use user::User;

/// An URL, absolute or relative.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Url {
    /// In lower case; empty for a relative reference.
    scheme: String,
    /// What follows the scheme of an URL such as `mailto:joe@example.com`, as it was written.
    opaque: String,
    user: Option<User>,
    /// With its port and the brackets of an IPv6 address, without escapes.
    host: Vec<u8>,
    /// Whether the path came after the scheme without `//`.
    omits_host: bool,
    /// As it is printed.
    path: String,
    /// As it was written; `Some("")` for a `?` with nothing after it.
    query: Option<String>,
    /// As it is printed; empty where there is none.
    fragment: String,
}

impl Url {
    /// The name and password before the host, if there is an `@`.
    pub fn user(&self) -> Option<&User> {
        self.user.as_ref()
    }

    /// The same URL with nothing before the host.
    pub fn without_user(&self) -> Url {
        Url {
            user: None,
            ..self.clone()
        }
    }

    /// The host without its port and without the brackets of an IPv6 address.
    pub fn hostname(&self) -> &[u8] {
        host::without_port(&self.host)
    }
}

impl std::fmt::Display for Url {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if !self.scheme.is_empty() {
            write!(f, "{}:", self.scheme)?;
        }
        if self.opaque.is_empty() {
            self.authority(f)?;
            if self.scheme.is_empty()
                && self.host.is_empty()
                && self.user.is_none()
                && begins_like_scheme(&self.path)
            {
                f.write_str("./")?;
            }
            f.write_str(&self.path)?;
        } else {
            f.write_str(&self.opaque)?;
        }
        if let Some(query) = &self.query {
            write!(f, "?{query}")?;
        }
        if !self.fragment.is_empty() {
            write!(f, "#{}", self.fragment)?;
        }
        Ok(())
    }
}

impl Url {
    fn authority(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let is_bare = self.host.is_empty() && self.user.is_none();
        if is_bare && (self.scheme.is_empty() || self.omits_host || self.path.is_empty()) {
            return Ok(());
        }
        f.write_str("//")?;
        if let Some(user) = &self.user {
            write!(f, "{user}@")?;
        }
        f.write_str(&escape(&self.host, UrlPart::Host))
    }
}

/// Whether the first segment of a path would be taken for a scheme.
fn begins_like_scheme(path: &str) -> bool {
    path.split('/')
        .next()
        .is_some_and(|segment| segment.contains(':'))
}

/// A text as one segment of a path.
pub fn path_segment_encode(text: &[u8]) -> String {
    escape(text, UrlPart::PathSegment)
}

/// The bytes that a segment of a path stands for.
///
/// # Errors
/// An escape that is none.
pub fn path_segment_decode(text: &str) -> Result<Vec<u8>, GoError> {
    unescape(text, UrlPart::PathSegment)
}

/// A text as the value of a query parameter; a space becomes `+`.
pub fn query_value_encode(text: &[u8]) -> String {
    escape(text, UrlPart::Query)
}

/// The bytes that the value of a query parameter stands for.
///
/// # Errors
/// An escape that is none.
pub fn query_value_decode(text: &str) -> Result<Vec<u8>, GoError> {
    unescape(text, UrlPart::Query)
}
