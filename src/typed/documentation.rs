//! The documentation of configuration types at run time.
//!
//! In the macro below, the text of a `///` comment becomes a string of the program. So the
//! description of a field in a JSON Schema is the comment that a reader of the code sees.

/// The comments of the fields of a type.
#[derive(Clone, Copy, Debug)]
pub struct FieldComments {
    /// The name of the type.
    pub name: &'static str,
    /// The comment of each field, in the order of the fields.
    pub fields: &'static [&'static str],
}

/// Declares a configuration type, and its documentation as the constant `DOCUMENTATION`.
///
/// Every field needs a comment, which users read: it says what the field does, and not how it is
/// stored. Lines are joined, and each keeps the blank that follows `///`.
macro_rules! documented {
    (
        $(#[$attribute:meta])*
        $visibility:vis struct $name:ident {
            $(
                $(#[doc = $line:literal])+
                $(#[serde($($option:tt)*)])*
                $field_visibility:vis $field:ident: $type:ty,
            )*
        }
    ) => {
        $(#[$attribute])*
        $visibility struct $name {
            $(
                $(#[doc = $line])+
                $(#[serde($($option)*)])*
                $field_visibility $field: $type,
            )*
        }

        impl $name {
            /// What the fields mean.
            $visibility const DOCUMENTATION: $crate::typed::FieldComments =
                $crate::typed::FieldComments {
                    name: stringify!($name),
                    fields: &[$(concat!($($line),+)),*],
                };
        }
    };
}

/// Declares a configuration type of a whole object, as [`documented`] does, with the fields that
/// every object has before those of the declaration.
///
/// These fields are read only so that they are known: the caller has already compared `apiVersion`
/// and `kind`, and `metadata` is for the tools that pass the object on.
macro_rules! documented_object {
    (
        $(#[$attribute:meta])*
        $visibility:vis struct $name:ident {
            $($fields:tt)*
        }
    ) => {
        $crate::typed::documented! {
            $(#[$attribute])*
            #[derive(serde::Deserialize)]
            #[serde(deny_unknown_fields, rename_all = "camelCase")]
            $visibility struct $name {
                /// The version of the kind.
                #[serde(rename = "apiVersion")]
                _api_version: String,
                /// The kind of the object.
                #[serde(rename = "kind")]
                _kind: String,
                /// The name, and annotations for callers.
                #[serde(rename = "metadata")]
                _metadata: Option<$crate::typed::RawNode>,
                $($fields)*
            }
        }
    };
}

pub(crate) use {documented, documented_object};
