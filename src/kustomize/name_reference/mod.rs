//! Updates references after objects were renamed or moved.
//!
//! Every field that contains the name of another object gets the name that the object has now. A
//! table of field specs lists these fields ([`FieldSpecs::name_reference`]). [`Referrals`] decides
//! which object a name refers to, by the names that objects had before. Specification: kustomize's
//! `filters/nameref` and its `nameReferenceTransformer`.
//!
//! ```text
//! objects                                     reference in a Deployment
//! ConfigMap config -> dev-config -> dev-config-7h2f      config, or dev-config -> dev-config-7h2f
//! ```

mod index;
mod referral;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use self::index::{ReferenceIndex, ReferenceTo};
use self::referral::{Meaning, Referral, Referrals, WrittenName, blank_subject_namespace};
use crate::kubernetes::Resource;
use crate::kustomize::field_spec::{
    FieldSpecs, edit_node, in_object, is_null, text_over, wrong_kind,
};
use crate::source::{Code, Diagnostic, Diagnostics, Reported, Result};
use crate::yaml::{Entry, Node, relink};

/// Writes the names that objects have now into all fields that contain one of their previous names.
///
/// # Errors
/// Reports a reference that may refer to several objects with different current names.
pub fn update_references(
    specs: &FieldSpecs,
    resources: &mut [Resource],
    diagnostics: &mut Diagnostics,
) -> Result<(), Reported> {
    let mut outcome = Ok(());
    for resource in &*resources {
        if let Some(namespace) = blank_subject_namespace(resource) {
            outcome = Err(diagnostics.report(blank_namespace(namespace, resource)));
        }
    }
    let referrals = Referrals::of(resources);
    if referrals.is_empty() {
        return outcome;
    }
    let references = ReferenceIndex::new(specs);
    let mut changes = Vec::new();
    for (position, resource) in resources.iter().enumerate() {
        let mut update = ReferenceUpdate {
            referrals: &referrals,
            referrer: resource,
            diagnostics,
        };
        match update.node(references.of(resource.original_id())) {
            Ok(Some(node)) => changes.push((position, node)),
            Ok(None) => {}
            Err(error) => outcome = Err(diagnostics.report(error)),
        }
    }
    for (position, node) in changes {
        let resource = &mut resources[position];
        resource.node = match resource.has_aliases {
            true => relink(&node),
            false => node,
        };
    }
    outcome
}

fn blank_namespace(namespace: &Node, binding: &Resource) -> Box<Diagnostic> {
    let id = binding.id();
    let message = format!("Invalid Input: namespace is blank for resource \"{id}\"");
    Diagnostic::error(Code::Resource, message)
        .at(namespace.location(), "this is not a text")
        .about(binding.object_reference())
        .help("write the namespace of the service account, or remove the key")
}

/// The update of the references in one object.
struct ReferenceUpdate<'a> {
    referrals: &'a Referrals<'a>,
    /// The object that has the references.
    referrer: &'a Resource,
    diagnostics: &'a mut Diagnostics,
}

impl ReferenceUpdate<'_> {
    /// Returns the object with new names, or `None` if nothing changes.
    fn node<'r>(
        &mut self,
        references: impl Iterator<Item = ReferenceTo<'r>>,
    ) -> Result<Option<Arc<Node>>> {
        let mut changed = None;
        for reference in references {
            let node = changed.as_ref().unwrap_or(&self.referrer.node);
            let edited = edit_node(node, reference.field, None, &mut |value| {
                self.value(value, &reference)
            });
            let edited = edited.map_err(|error| self.in_field(error, &reference))?;
            changed = edited.or(changed);
        }
        Ok(changed)
    }

    /// Returns a value with new names: a name, a mapping with a `name`, or a list of these.
    fn value(
        &mut self,
        value: &Arc<Node>,
        reference: &ReferenceTo<'_>,
    ) -> Result<Option<Arc<Node>>> {
        if value.as_sequence().is_none() {
            return self.name_or_mapping(value, reference);
        }
        value.try_map_values(|item| {
            let changed = self.name_or_mapping(item.resolved(), reference)?;
            Ok(changed.map(|changed| changed.anchored(item.anchor())))
        })
    }

    fn name_or_mapping(
        &mut self,
        value: &Arc<Node>,
        reference: &ReferenceTo<'_>,
    ) -> Result<Option<Arc<Node>>> {
        if is_null(value) {
            return Ok(None);
        }
        if value.as_mapping().is_some() {
            return self.mapping(value, reference);
        }
        let Some(name) = value.text() else {
            return Err(wrong_kind(value, "a name"));
        };
        let written = WrittenName {
            name,
            namespace: None,
            is_in_mapping: false,
        };
        match self.referral(value, written, reference)? {
            Some(referral) => text_over(value, referral.name),
            None => Ok(None),
        }
    }

    /// Returns a mapping such as `{name: web, namespace: dev}` with the name and the namespace that
    /// the object has now.
    fn mapping(
        &mut self,
        mapping: &Arc<Node>,
        reference: &ReferenceTo<'_>,
    ) -> Result<Option<Arc<Node>>> {
        let Some(name) = mapping.get("name").map(Node::resolved) else {
            let message = "path config error; no 'name' field in node";
            return Err(Diagnostic::error(Code::Config, message)
                .at(mapping.location(), "this mapping")
                .help("let the field spec lead to the name itself"));
        };
        let Some(old) = name.text() else {
            return Err(wrong_kind(name, "a name"));
        };
        let namespace = mapping.get("namespace");
        let namespace = namespace.map(|namespace| namespace.resolved().text().unwrap_or_default());
        let written = WrittenName {
            name: old,
            namespace,
            is_in_mapping: true,
        };
        let Some(referral) = self.referral(name, written, reference)? else {
            return Ok(None);
        };
        let renamed = with_text(mapping, "name", referral.name)?;
        if referral.namespace.is_empty() {
            return Ok(renamed);
        }
        let moved = with_text(
            renamed.as_ref().unwrap_or(mapping),
            "namespace",
            referral.namespace,
        )?;
        Ok(moved.or(renamed))
    }

    /// Returns the object that a reference refers to, if it was renamed.
    fn referral(
        &mut self,
        place: &Node,
        written: WrittenName<'_>,
        reference: &ReferenceTo<'_>,
    ) -> Result<Option<Referral<'_>>> {
        let kind = &reference.target.kind;
        if reference.can_match_nothing() {
            if self.referrals.has_renamed(kind, written.name) {
                let warning = self.never_updated(place, reference);
                self.diagnostics.push(warning);
            }
            return Ok(None);
        }
        let ([first, other], is_error) =
            match self.referrals.meaning(self.referrer, written, reference) {
                Meaning::Nothing => return Ok(None),
                Meaning::Object(referral) => return Ok(Some(referral)),
                Meaning::Unclear(candidates) => (candidates, false),
                Meaning::Ambiguous(candidates) => (candidates, true),
            };
        let now = |object: &Resource| format!("named `{}` now", object.name());
        let with_places = |diagnostic: Box<Diagnostic>| {
            diagnostic
                .at(place.location(), "the reference")
                .at(first.name_location(), now(first))
                .at(other.name_location(), now(other))
        };
        let name = written.name;
        if is_error {
            let message = format!(
                "found multiple possible referrals: `{name}` may mean several objects of kind {kind}"
            );
            let help = "give the objects different names, or set `disableNameSuffixHash: true`";
            return Err(with_places(Diagnostic::error(Code::Resource, message)).help(help));
        }
        let message =
            format!("the reference `{name}` stays: it may mean several objects of kind {kind}");
        let warning = with_places(Diagnostic::warning(Code::Resource, message))
            .about(self.referrer.object_reference())
            .in_field(reference.field.path.to_string())
            .help("write the name that the object has now, or include both in one kustomization");
        self.diagnostics.push(warning);
        Ok(None)
    }

    /// kustomize's own table has a row that matches no object.
    fn never_updated(&self, place: &Node, reference: &ReferenceTo<'_>) -> Box<Diagnostic> {
        let kind = &reference.target.kind;
        let message = format!("the name of the {kind} has changed, but this reference stays");
        Diagnostic::warning(Code::Resource, message)
            .at(place.location(), "the reference")
            .at(reference.field.location.clone(), "the field spec")
            .about(self.referrer.object_reference())
            .in_field(reference.field.path.to_string())
            .note(format!(
                "the field spec is for objects of group `{}` and version `{}`, which no object has",
                reference.target.group, reference.target.version
            ))
            .help(format!(
                "add a `nameReference` for `kind: {kind}` under `configurations`"
            ))
    }

    fn in_field(&self, error: Box<Diagnostic>, reference: &ReferenceTo<'_>) -> Box<Diagnostic> {
        let mut error = in_object(error, self.referrer, reference.field);
        error.message = format!(
            "updating name reference in '{}' field of '{}': {}",
            reference.field.path,
            self.referrer.id(),
            error.message
        );
        error
    }
}

/// Returns a mapping with an entry set to a text, or `None` if it has this text already.
fn with_text(node: &Arc<Node>, key: &str, text: &str) -> Result<Option<Arc<Node>>> {
    let Some(mapping) = node.as_mapping() else {
        return Ok(None);
    };
    let entries = match mapping.position(key) {
        None => {
            // A text such as `12` becomes a number if it replaces a plain scalar; in a new field it
            // gets quotes.
            let is_string = Node::plain(text).as_str().is_some();
            let value = match is_string {
                true => text_over(&Node::plain(""), text)?,
                false => None,
            };
            let entry = Entry::new(key, value.unwrap_or_else(|| Node::string(text)));
            mapping.entries.inserted(mapping.entries.len(), entry)
        }
        Some(position) => {
            let entry = &mapping.entries[position];
            let Some(value) = text_over(entry.value.resolved(), text)? else {
                return Ok(None);
            };
            let key = Arc::clone(&entry.key);
            let value = value.anchored(entry.value.anchor());
            mapping
                .entries
                .replaced(vec![(position, Entry { key, value })])
        }
    };
    Ok(Some(node.with_entries(entries)))
}
