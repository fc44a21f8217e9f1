//! Selectors of one object, from which a value is read.

use super::ID_FIELDS;
use crate::kubernetes::id::ResourceId;
use crate::kubernetes::no_match::SelectorField;
use crate::kubernetes::resource::Resource;
use crate::kubernetes::selector_index::{HintValues, ObjectProperty, SelectorHint};
use crate::source::Location;

/// Identifies the object that a value is read from.
#[derive(Clone, Debug, Default)]
pub struct SourceSelector {
    /// The API group.
    pub group: String,
    /// The API version.
    pub version: String,
    /// The kind.
    pub kind: String,
    /// The name.
    pub name: String,
    /// The namespace; `default` also matches an object without one.
    pub namespace: String,
    /// The place of the selector in the configuration.
    pub location: Option<Location>,
}

impl SourceSelector {
    /// Returns the fields as an id, for messages.
    pub fn id(&self) -> ResourceId<'_> {
        ResourceId {
            group: &self.group,
            version: &self.version,
            kind: &self.kind,
            name: &self.name,
            namespace: &self.namespace,
        }
    }

    /// Returns the given fields, each as a separate condition.
    pub fn fields(&self) -> Vec<SelectorField<'_>> {
        let wanted = self.id();
        let mut fields = Vec::new();
        for (name, id_part) in ID_FIELDS {
            if id_part(wanted).is_empty() {
                continue;
            }
            let matches_id = move |id: ResourceId<'_>| match name {
                "namespace" => wanted.effective_namespace() == id.effective_namespace(),
                _ => id_part(wanted) == id_part(id),
            };
            fields.push(SelectorField {
                name,
                wanted: id_part(wanted),
                matches: Box::new(move |resource| resource.ids().any(matches_id)),
                id_part: Some(id_part),
            });
        }
        fields
    }

    /// Returns the properties that an object must have to be selected, for a look-up.
    pub fn hints(&self) -> Vec<SelectorHint<'_>> {
        let mut hints = id_hints(self.id());
        hints.retain(|hint| !matches!(hint.values, HintValues::Text("")));
        hints
    }

    /// Returns whether `resource` has, or had, the selected id.
    pub fn selects(&self, resource: &Resource) -> bool {
        let wanted = self.id();
        resource.ids().any(|id| is_match(wanted, id))
    }
}

/// Returns whether an id is the wanted one. An empty part matches any.
fn is_match(wanted: ResourceId<'_>, id: ResourceId<'_>) -> bool {
    let is_any_or = |wanted: &str, found: &str| wanted.is_empty() || wanted == found;
    let is_in_namespace =
        wanted.namespace.is_empty() || wanted.effective_namespace() == id.effective_namespace();
    is_any_or(wanted.group, id.group)
        && is_any_or(wanted.version, id.version)
        && is_any_or(wanted.kind, id.kind)
        && is_any_or(wanted.name, id.name)
        && is_in_namespace
}

/// Returns the parts of an id as hints, the most selective ones first. The namespace is the effective
/// one if it is given.
pub fn id_hints(id: ResourceId<'_>) -> Vec<SelectorHint<'_>> {
    let parts = [
        (ObjectProperty::Name, id.name),
        (ObjectProperty::Namespace, id.namespace),
        (ObjectProperty::Kind, id.kind),
        (ObjectProperty::Group, id.group),
        (ObjectProperty::Version, id.version),
    ];
    let mut hints = Vec::with_capacity(parts.len());
    for (property, part) in parts {
        hints.push(SelectorHint {
            property,
            values: HintValues::Text(part),
        });
    }
    hints
}
