//! An entry of `vars` as written.

use serde::Deserialize;

use crate::typed::Spanned;

/// An entry of `vars`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VarConfig {
    /// The name, which texts contain as `$(NAME)`.
    #[serde(default)]
    pub(super) name: Spanned<String>,
    /// The object that has the value.
    pub(super) objref: Option<ObjectConfig>,
    /// The field that has the value.
    pub(super) fieldref: Option<FieldConfig>,
}

/// `objref` of a variable.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase", default)]
pub(super) struct ObjectConfig {
    pub(super) api_version: Option<String>,
    pub(super) group: Option<String>,
    pub(super) version: Option<String>,
    pub(super) kind: Option<String>,
    pub(super) name: Option<String>,
    pub(super) namespace: Option<String>,
}

/// `fieldref` of a variable.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase", default)]
pub(super) struct FieldConfig {
    pub(super) field_path: Option<String>,
}
