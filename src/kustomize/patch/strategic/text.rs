//! A mapping or list over a string: it is merged into the document that the string holds.

use std::sync::Arc;

use super::{Holder, Merger, unlike};
use crate::edit::{EditFailure, update_in_string};
use crate::source::Result;
use crate::yaml::{Node, Value};

impl Merger<'_> {
    /// Merges `patch` into the document in the string `base`. An empty string in a text field is as good as none.
    pub(super) fn in_string(
        &mut self,
        base: &Arc<Node>,
        patch: &Arc<Node>,
        holder: Holder<'_>,
    ) -> Result<Option<Arc<Node>>> {
        let is_string = matches!(base.value(), Some(Value::String(_)));
        if !is_string && holder.text_field.is_none() {
            return Err(unlike(base, patch, holder));
        }
        if holder.text_field.is_some() && base.text().is_some_and(|text| text.trim().is_empty()) {
            return self.added(Some(base), patch, None, holder);
        }
        let name = holder.name().unwrap_or("value").to_owned();
        let mut deleted = false;
        let names = self.names.take();
        let outer = self.text_format;
        let changed = update_in_string(
            base,
            &name,
            holder.text_field,
            self.options,
            &mut |root, format| {
                if root.resolved().as_scalar().is_some() {
                    return Err(unlike(base, patch, holder)
                        .note(format!("the text of `{name}` is no mapping or list")));
                }
                self.text_format = format;
                let merged = self.node(
                    Some(root),
                    patch,
                    None,
                    Holder {
                        text_field: None,
                        ..holder
                    },
                )?;
                deleted = merged.is_none();
                Ok(merged.filter(|merged| !Arc::ptr_eq(merged, root)))
            },
        );
        self.text_format = outer;
        self.names = names;
        let changed = changed.map_err(|failure| match failure {
            EditFailure::Diagnostic(diagnostic) => diagnostic,
            missing => missing
                .diagnostic(|| format!("unable to merge into the string `{name}`"))
                .at(holder.key.and_then(|key| key.location()), "the patch"),
        })?;
        Ok(if deleted {
            None
        } else {
            Some(changed.unwrap_or_else(|| Arc::clone(base)))
        })
    }
}
