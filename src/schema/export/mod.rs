//! Prints the schema in the languages of other tools.

mod json_schema;
mod object;
mod openapi;

pub(super) use json_schema::json_schema;
pub(super) use openapi::openapi;
