//! An entry of `images` as written.

use serde::Deserialize;

use crate::typed::{Spanned, documented};

documented! {
    /// An entry of `images`.
    #[derive(Clone, Debug, Default, Deserialize)]
    #[serde(deny_unknown_fields, rename_all = "camelCase")]
    pub struct ImageConfig {
        /// The name of the images that are meant, which is a part of a regular expression.
        pub(super) name: Option<Spanned<String>>,
        /// The new name.
        pub(super) new_name: Option<String>,
        /// The new tag.
        pub(super) new_tag: Option<String>,
        /// A text that is added to the tag.
        pub(super) tag_suffix: Option<String>,
        /// The new digest, such as `sha256:24a0…`.
        pub(super) digest: Option<String>,
    }
}
