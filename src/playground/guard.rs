//! Decides which requests are answered. This is the first check of a request.
//!
//! Every page in the user's browser can send requests to 127.0.0.1, and a page whose name resolves
//! to 127.0.0.1 (DNS rebinding) can read the answers. So there are independent checks, in this
//! order:
//!
//! ```text
//! Host       names this server: a rebound page sends its own name           421
//! Origin     is this page: other pages cannot forge it                      403
//! token      was printed in the terminal: required to access files          403
//! ```
//!
//! Host and Origin are compared with constants and never with each other: after rebinding, both are
//! the attacker's. The address of the peer proves nothing, because browsers run on this machine.

use super::http::{RequestHead, Response, Status};
use super::token::SessionToken;

/// The expected values of a request.
pub(super) struct Guard {
    hosts: [String; 3],
    origins: [String; 3],
    token: SessionToken,
    /// Whether every call needs the token, because files of the user are served.
    needs_token: bool,
}

impl Guard {
    /// Creates the guard of the server at `port`.
    pub(super) fn new(port: u16, token: SessionToken, needs_token: bool) -> Guard {
        let hosts = ["127.0.0.1", "localhost", "[::1]"].map(|name| format!("{name}:{port}"));
        let origins = hosts.clone().map(|host| format!("http://{host}"));
        Guard {
            hosts,
            origins,
            token,
            needs_token,
        }
    }

    /// Checks that the request is for this server.
    ///
    /// # Errors
    /// The answer to a request for another host, or for none or two.
    pub(super) fn check_host(&self, head: &RequestHead) -> Result<(), Response> {
        let Some(host) = head.field("host") else {
            return Err(Response::refusal(
                Status::BadRequest,
                "expected one `Host` field",
            ));
        };
        if self.hosts.iter().any(|own| own == host) {
            return Ok(());
        }
        Err(Response::refusal(
            Status::Misdirected,
            "this server answers only for 127.0.0.1 and localhost",
        ))
    }

    /// Checks that a call comes from the page of this server.
    ///
    /// # Errors
    /// The answer to a call of another page, in another form, or without the token.
    pub(super) fn check_call(&self, head: &RequestHead) -> Result<(), Response> {
        // Browsers add `Origin` to every POST request, so a request without it is not from the page.
        let is_own_origin = head
            .field("origin")
            .is_some_and(|origin| self.origins.iter().any(|own| own == origin));
        let is_own_site = !head.has_field("sec-fetch-site")
            || head.field("sec-fetch-site") == Some("same-origin");
        if !is_own_origin || !is_own_site {
            return Err(Response::refusal(
                Status::Forbidden,
                "the request does not come from the page of this server",
            ));
        }
        // A form of another page cannot send this type without a pre-flight request.
        if head.field("content-type") != Some("application/json") {
            return Err(Response::refusal(
                Status::NotJson,
                "expected `Content-Type: application/json`",
            ));
        }
        // It cannot send this field either, with any value.
        let Some(token) = head.field("x-inlay-token") else {
            return Err(Response::refusal(
                Status::Forbidden,
                "expected the field `X-Inlay-Token`",
            ));
        };
        if self.needs_token && !self.token.is(token) {
            return Err(Response::refusal(
                Status::Forbidden,
                "open the address that `inlay playground` printed",
            ));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PORT: u16 = 4000;

    fn head(fields: &[(&str, &str)]) -> RequestHead {
        let own = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        let mut head = RequestHead::default();
        head.fields.extend(fields.iter().map(own));
        head
    }

    fn status(result: Result<(), Response>) -> u16 {
        result.err().map_or(200, |response| response.status.code())
    }

    #[test]
    fn answers_only_for_its_own_names() {
        let guard = Guard::new(PORT, SessionToken::random().unwrap(), false);
        let table: [(&[(&str, &str)], u16); 9] = [
            (&[("host", "127.0.0.1:4000")], 200),
            (&[("host", "localhost:4000")], 200),
            (&[("host", "[::1]:4000")], 200),
            (&[("host", "127.0.0.1:4001")], 421),
            (&[("host", "127.0.0.1")], 421),
            (&[("host", "evil.example:4000")], 421),
            (&[("host", "localhost:4000.evil.example")], 421),
            (&[], 400),
            (&[("host", "localhost:4000"), ("host", "evil.example")], 400),
        ];
        for (fields, expected) in table {
            assert_eq!(
                status(guard.check_host(&head(fields))),
                expected,
                "{fields:?}"
            );
        }
    }

    #[test]
    fn a_call_comes_from_the_page_in_json_with_the_token() {
        let token = SessionToken::random().unwrap();
        let guard = Guard::new(PORT, token.clone(), true);
        let own = [
            ("origin", "http://127.0.0.1:4000"),
            ("sec-fetch-site", "same-origin"),
            ("content-type", "application/json"),
            ("x-inlay-token", token.as_str()),
        ];
        assert_eq!(status(guard.check_call(&head(&own))), 200);
        // One field is different, or missing.
        let table = [
            ("origin", Some("http://evil.example:4000"), 403),
            ("origin", Some("null"), 403),
            ("origin", Some("https://127.0.0.1:4000"), 403),
            ("origin", None, 403),
            ("sec-fetch-site", Some("cross-site"), 403),
            ("sec-fetch-site", Some("same-site"), 403),
            ("sec-fetch-site", None, 200),
            ("content-type", Some("text/plain"), 415),
            ("content-type", None, 415),
            (
                "x-inlay-token",
                Some("0123456789abcdef0123456789abcdef"),
                403,
            ),
            ("x-inlay-token", None, 403),
        ];
        for (name, value, expected) in table {
            let mut fields: Vec<_> = own.into_iter().filter(|(own, _)| *own != name).collect();
            fields.extend(value.map(|value| (name, value)));
            assert_eq!(
                status(guard.check_call(&head(&fields))),
                expected,
                "{name} {value:?}"
            );
        }
    }

    #[test]
    fn without_files_of_the_user_the_token_may_be_any() {
        let guard = Guard::new(PORT, SessionToken::random().unwrap(), false);
        let mut fields = vec![
            ("origin", "http://localhost:4000"),
            ("content-type", "application/json"),
        ];
        assert_eq!(status(guard.check_call(&head(&fields))), 403);
        fields.push(("x-inlay-token", "none"));
        assert_eq!(status(guard.check_call(&head(&fields))), 200);
    }
}
