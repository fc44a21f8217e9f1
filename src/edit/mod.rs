//! Field paths, the documents inside strings, and changes to the values that paths lead to.
//!
//! A path goes on below a string that holds JSON or YAML, to any depth: [`find`] reads there and [`update`] writes
//! there. The room knows nothing of Kubernetes; what only an object's kind can tell (which fields are text, which are
//! base64) comes in as [`TextFields`].

mod base64_text;
mod embedded;
mod find;
mod fit;
mod format;
mod lookup;
mod merge;
mod merge_text;
mod missing;
mod path;
mod string_document;
mod text_fields;
mod update;
mod walk;

pub use embedded::Layout;
pub use find::{Found, find};
pub use fit::{TypePolicy, fit};
pub use format::{Format, parse_as};
pub use merge::{Lists, MergeOptions, Nulls, Unlike, merge};
pub use merge_text::{MergedText, TextMerge, change_text, merge_text};
pub use missing::Missing;
pub use path::{FieldPath, Segment};
pub use string_document::StringDocument;
pub use text_fields::{Encoding, FieldsOf, TextFields};
pub use update::{Failure, Options, Target, Visit, update};
