//! An answer, with the headers that every answer has.

use std::borrow::Cow;
use std::io::{self, Write};

/// The headers of every answer.
///
/// The page is not allowed to run or load anything that this server did not send, to be shown in a
/// frame, or to be read by another page. There is no CORS header anywhere.
const HEADERS: &str = "\
X-Content-Type-Options: nosniff\r
Referrer-Policy: no-referrer\r
Cross-Origin-Opener-Policy: same-origin\r
Cross-Origin-Resource-Policy: same-origin\r
Cache-Control: no-store\r
Connection: close\r
";

/// The status of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::playground) enum Status {
    /// The request was successful.
    Ok,
    /// The server does not understand the request.
    BadRequest,
    /// The request comes from another page, or without the token.
    Forbidden,
    /// There is no such address.
    NotFound,
    /// The address requires another method.
    MethodNotAllowed,
    /// Another program has changed the file.
    Conflict,
    /// The body has no length.
    LengthRequired,
    /// The body is too large.
    BodyTooLarge,
    /// The body is not JSON.
    NotJson,
    /// The request is for another host.
    Misdirected,
    /// The server is busy.
    TooManyRequests,
    /// The head is too large.
    HeadTooLarge,
    /// The server failed.
    Failed,
}

impl Status {
    /// Returns the number of the status.
    pub(in crate::playground) fn code(self) -> u16 {
        self.row().0
    }

    fn row(self) -> (u16, &'static str) {
        match self {
            Status::Ok => (200, "OK"),
            Status::BadRequest => (400, "Bad Request"),
            Status::Forbidden => (403, "Forbidden"),
            Status::NotFound => (404, "Not Found"),
            Status::MethodNotAllowed => (405, "Method Not Allowed"),
            Status::Conflict => (409, "Conflict"),
            Status::LengthRequired => (411, "Length Required"),
            Status::BodyTooLarge => (413, "Content Too Large"),
            Status::NotJson => (415, "Unsupported Media Type"),
            Status::Misdirected => (421, "Misdirected Request"),
            Status::TooManyRequests => (429, "Too Many Requests"),
            Status::HeadTooLarge => (431, "Request Header Fields Too Large"),
            Status::Failed => (500, "Internal Server Error"),
        }
    }
}

/// An answer.
#[derive(Debug)]
pub(in crate::playground) struct Response {
    pub(in crate::playground) status: Status,
    media_type: &'static str,
    is_gzip: bool,
    /// The nonce of styles that the page's scripts may add.
    style_nonce: Option<String>,
    body: Cow<'static, [u8]>,
}

impl Response {
    /// Creates an answer in JSON.
    pub(in crate::playground) fn json(body: Vec<u8>) -> Response {
        Response {
            status: Status::Ok,
            media_type: "application/json",
            is_gzip: false,
            style_nonce: None,
            body: body.into(),
        }
    }

    /// Creates an answer from a file that is part of the program, compressed with gzip.
    pub(in crate::playground) fn file(media_type: &'static str, body: &'static [u8]) -> Response {
        Response {
            media_type,
            is_gzip: true,
            body: body.into(),
            ..Response::json(Vec::new())
        }
    }

    /// Creates the page itself, with the nonce of its styles.
    pub(in crate::playground) fn page(body: String, style_nonce: String) -> Response {
        Response {
            media_type: "text/html; charset=utf-8",
            style_nonce: Some(style_nonce),
            ..Response::json(body.into_bytes())
        }
    }

    /// Creates the answer to a refused request, which contains only the reason as text.
    pub(in crate::playground) fn refusal(status: Status, reason: &str) -> Response {
        Response {
            status,
            media_type: "text/plain; charset=utf-8",
            ..Response::json(format!("{reason}\n").into_bytes())
        }
    }

    /// Writes the answer.
    ///
    /// # Errors
    /// The error of the connection.
    pub(in crate::playground) fn write(&self, connection: &mut impl Write) -> io::Result<()> {
        let (code, reason) = (self.status.code(), self.status.row().1);
        let nonce = match &self.style_nonce {
            Some(nonce) => format!(" 'nonce-{nonce}'"),
            None => String::new(),
        };
        let mut head = format!(
            "HTTP/1.1 {code} {reason}\r\n{HEADERS}\
             Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'{nonce}; \
             img-src 'self' data:; font-src 'self'; connect-src 'self'; worker-src 'self'; \
             form-action 'none'; base-uri 'none'; frame-ancestors 'none'; \
             require-trusted-types-for 'script'\r\n\
             Content-Type: {}\r\nContent-Length: {}\r\n",
            self.media_type,
            self.body.len()
        );
        if self.is_gzip {
            head.push_str("Content-Encoding: gzip\r\n");
        }
        head.push_str("\r\n");
        connection.write_all(head.as_bytes())?;
        connection.write_all(&self.body)?;
        connection.flush()
    }
}
