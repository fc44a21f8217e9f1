//! A mapping or list over a string: it is merged into the document that the string contains.

use std::sync::Arc;

use super::merge::{PatchedField, StrategicMerge, different_kinds};
use crate::edit::{EditFailure, update_in_string};
use crate::source::Result;
use crate::yaml::{Node, Value};

impl StrategicMerge<'_> {
    /// Merges `patch` into the document in the string `base`. An empty text field is treated as
    /// missing.
    pub(super) fn in_string(
        &mut self,
        base: &Arc<Node>,
        patch: &Arc<Node>,
        field: PatchedField<'_>,
    ) -> Result<Option<Arc<Node>>> {
        let is_string = matches!(base.value(), Some(Value::String(_)));
        if !is_string && field.text_field().is_none() {
            return Err(different_kinds(base, patch, field));
        }
        let is_empty = base.text().is_some_and(|text| text.trim().is_empty());
        if field.text_field().is_some() && is_empty {
            return self.added(Some(base), patch, None, field);
        }
        let name = field.name().unwrap_or("value");
        let mut is_deleted = false;
        // Inside the string there are no fields of the object, and another format.
        let keys = self.keys.take();
        let outer_format = self.text_format;
        let changed = update_in_string(
            base,
            name,
            field.text_field(),
            self.options,
            &mut |root, format| {
                if root.resolved().as_scalar().is_some() {
                    let note = format!("the text of `{name}` is not a mapping or list");
                    return Err(different_kinds(base, patch, field).note(note));
                }
                self.text_format = format;
                let inner = PatchedField {
                    field_type: None,
                    ..field
                };
                let merged = self.node(Some(root), patch, None, inner)?;
                is_deleted = merged.is_none();
                Ok(merged.filter(|merged| !Arc::ptr_eq(merged, root)))
            },
        );
        self.text_format = outer_format;
        self.keys = keys;
        let changed = changed.map_err(|failure| match failure {
            EditFailure::Diagnostic(diagnostic) => diagnostic,
            missing => missing
                .diagnostic(|| format!("unable to merge into the string `{name}`"))
                .at(field.key.and_then(|key| key.location()), "the patch"),
        })?;
        if is_deleted {
            return Ok(None);
        }
        Ok(Some(changed.unwrap_or_else(|| Arc::clone(base))))
    }
}
