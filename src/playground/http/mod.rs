//! The part of HTTP/1.1 that one page needs: one request for each connection, with a bounded head
//! and body. There is no compression, and there are no ranges or redirects.

mod request;
mod response;

pub(super) use request::{RequestHead, read_body, read_head};
pub(super) use response::{Response, Status};
