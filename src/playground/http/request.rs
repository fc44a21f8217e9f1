//! Reads a request. The head is read and checked before the body, so that a refused request needs
//! no memory.

use std::io::Read;

use super::response::{Response, Status};

/// The largest head, in bytes.
const HEAD_LIMIT: usize = 16 << 10;

/// The largest body, in bytes. All files of a page are sent with each render.
const BODY_LIMIT: usize = 8 << 20;

/// The maximum number of header fields of a request. Browsers send about twenty.
const FIELDS: usize = 64;

/// The first lines of a request.
#[derive(Debug, Default)]
pub(in crate::playground) struct RequestHead {
    /// `GET`, `POST`, …
    pub(in crate::playground) method: String,
    /// The target as it was sent: `/api/render`.
    pub(in crate::playground) target: String,
    /// The fields in their order. Names are in lower case.
    pub(in crate::playground) fields: Vec<(String, String)>,
    /// The part of the body that was read together with the head.
    rest: Vec<u8>,
}

impl RequestHead {
    /// Returns the value of a field that is given once; `None` if it is absent or repeated.
    ///
    /// Readers disagree about the meaning of a repeated field.
    pub(in crate::playground) fn field(&self, name: &str) -> Option<&str> {
        let mut values = self.values(name);
        let value = values.next()?;
        values.next().is_none().then_some(value)
    }

    /// Returns whether a field is given at all.
    pub(in crate::playground) fn has_field(&self, name: &str) -> bool {
        self.values(name).next().is_some()
    }

    fn values<'a>(&'a self, name: &str) -> impl Iterator<Item = &'a str> {
        let name = name.to_owned();
        let named = self.fields.iter().filter(move |(own, _)| *own == name);
        named.map(|(_, value)| value.as_str())
    }
}

/// Reads the head of a request.
///
/// # Errors
/// The answer to a head that is too long, is not HTTP, or does not end. `None` if the peer sent
/// nothing: browsers open connections that they may need.
pub(in crate::playground) fn read_head(
    connection: &mut impl Read,
) -> Result<RequestHead, Option<Response>> {
    let mut bytes = Vec::new();
    let mut buffer = [0; 4096];
    loop {
        let count = connection.read(&mut buffer).unwrap_or(0);
        bytes.extend_from_slice(&buffer[..count]);
        if bytes.is_empty() {
            return Err(None);
        }
        if let Some(head) = parse(&bytes)? {
            return Ok(head);
        }
        if bytes.len() > HEAD_LIMIT {
            return Err(Some(Response::refusal(
                Status::HeadTooLarge,
                "the head of the request is too long",
            )));
        }
        if count == 0 {
            return Err(Some(Response::refusal(
                Status::BadRequest,
                "the head of the request does not end",
            )));
        }
    }
}

/// Parses a head; `None` if it is not complete yet.
fn parse(bytes: &[u8]) -> Result<Option<RequestHead>, Response> {
    let mut fields = [httparse::EMPTY_HEADER; FIELDS];
    let mut request = httparse::Request::new(&mut fields);
    let length = match request.parse(bytes) {
        Ok(httparse::Status::Complete(length)) => length,
        Ok(httparse::Status::Partial) => return Ok(None),
        Err(httparse::Error::TooManyHeaders) => {
            return Err(Response::refusal(
                Status::HeadTooLarge,
                "the request has too many header fields",
            ));
        }
        Err(error) => {
            return Err(Response::refusal(
                Status::BadRequest,
                &format!("expected an HTTP request: {error}"),
            ));
        }
    };
    let fields = request.headers.iter().map(|field| {
        let value = String::from_utf8_lossy(field.value).into_owned();
        (field.name.to_ascii_lowercase(), value)
    });
    Ok(Some(RequestHead {
        method: request.method.unwrap_or_default().to_owned(),
        target: request.path.unwrap_or_default().to_owned(),
        fields: fields.collect(),
        rest: bytes.get(length..).unwrap_or_default().to_owned(),
    }))
}

/// Reads the body that follows a head.
///
/// # Errors
/// The answer to a body without a length, or with one that is too large, and to one that ends
/// early.
pub(in crate::playground) fn read_body(
    head: &RequestHead,
    connection: &mut impl Read,
) -> Result<Vec<u8>, Response> {
    // A chunked body contains its own length. Two different lengths could hide one request in another
    // one.
    if head.has_field("transfer-encoding") {
        return Err(Response::refusal(
            Status::LengthRequired,
            "expected a body with `Content-Length`, found a chunked one",
        ));
    }
    let length = head.field("content-length").unwrap_or_default();
    let is_number = !length.is_empty() && length.bytes().all(|byte| byte.is_ascii_digit());
    if !is_number {
        return Err(Response::refusal(
            Status::LengthRequired,
            "expected a body with one `Content-Length`",
        ));
    }
    let length = length.parse().unwrap_or(usize::MAX);
    if length > BODY_LIMIT {
        let message = format!("expected at most {BODY_LIMIT} bytes of files");
        return Err(Response::refusal(Status::BodyTooLarge, &message));
    }
    let mut body = head.rest.clone();
    if body.len() > length {
        return Err(Response::refusal(
            Status::BadRequest,
            "found more than one request",
        ));
    }
    let missing = u64::try_from(length - body.len()).unwrap_or(u64::MAX);
    // After an error, such as a time limit, the body is incomplete.
    let _ = connection.take(missing).read_to_end(&mut body);
    if body.len() < length {
        return Err(Response::refusal(
            Status::BadRequest,
            "the body of the request ends early",
        ));
    }
    Ok(body)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn head_of(text: &str) -> Result<RequestHead, Option<Response>> {
        read_head(&mut text.as_bytes())
    }

    fn status_of(text: &str) -> u16 {
        match head_of(text) {
            Err(Some(response)) => response.status.code(),
            Err(None) => 0,
            Ok(head) => read_body(&head, &mut "".as_bytes())
                .err()
                .map_or(200, |response| response.status.code()),
        }
    }

    #[test]
    fn reads_a_head_and_what_came_with_it() {
        let head =
            head_of("POST /api/x HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}").unwrap();
        assert_eq!((&*head.method, &*head.target), ("POST", "/api/x"));
        assert_eq!(head.field("host"), Some("a"));
        assert_eq!(read_body(&head, &mut "".as_bytes()).unwrap(), b"{}");
    }

    #[test]
    fn a_repeated_field_has_no_value() {
        let head = head_of("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n").unwrap();
        assert_eq!(head.field("host"), None);
        assert!(head.has_field("host"));
    }

    #[test]
    fn refuses_requests_without_a_clear_end() {
        let long = format!(
            "GET / HTTP/1.1\r\nX: {}\r\n\r\n",
            "a".repeat(HEAD_LIMIT + 4096)
        );
        let many = format!("GET / HTTP/1.1\r\n{}\r\n", "X: a\r\n".repeat(FIELDS + 1));
        let table = [
            ("", 0),
            ("GET / HT", 400),
            ("\0\0\0\0", 400),
            (&long, 431),
            (&many, 431),
            ("POST / HTTP/1.1\r\n\r\n", 411),
            ("POST / HTTP/1.1\r\nContent-Length: 1\r\n\r\n", 400),
            ("POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", 411),
            (
                "POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
                411,
            ),
            (
                "POST / HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\n",
                413,
            ),
            (
                "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                411,
            ),
            ("POST / HTTP/1.1\r\nContent-Length: 1\r\n\r\nab", 400),
        ];
        for (text, expected) in table {
            let shown: String = text.chars().take(60).collect();
            assert_eq!(status_of(text), expected, "{shown}");
        }
    }
}
