//! The name and password of an URL.

use std::fmt;

use super::escape::{UrlPart, escape, unescape};
use crate::golang::GoError;

/// What stands before the `@` of an URL, without escapes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct User {
    /// The name, which may be empty.
    pub name: Vec<u8>,
    /// What follows the first `:`; `None` where there is none.
    pub password: Option<Vec<u8>>,
}

impl User {
    /// # Errors
    /// A character that has to be escaped, or an escape that is none.
    pub(super) fn parse(text: &str) -> Result<User, GoError> {
        if !text.bytes().all(may_stand_in_user) {
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

fn may_stand_in_user(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-._:~!$&'()*+,;=%@".contains(&byte)
}
