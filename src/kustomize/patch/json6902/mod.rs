//! JSON patches (RFC 6902): operations in order, each at the place that a pointer names.
//!
//! [`Operation::read_all`] reads and checks them, [`apply`] carries them out on our tree, so that what they do not name
//! keeps its bytes. A pointer goes on below a string that holds a document.

mod apply;
mod operation;
#[cfg(test)]
mod tests;

pub(super) use apply::apply;
pub(super) use operation::Operation;
