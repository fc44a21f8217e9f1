//! As much of HTTP/1.1 as one page needs: one request for each connection, with a bounded head and
//! body, and no compression, ranges or redirects to get wrong.

mod request;
mod response;

pub(super) use request::{RequestHead, read_body, read_head};
pub(super) use response::{Response, Status};
