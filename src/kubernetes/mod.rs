//! What Kubernetes says of its objects: which fields are text, whatever stands in them.

mod text_fields;

pub use text_fields::text_fields;
