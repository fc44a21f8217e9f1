//! Reads the values of variables, and replaces the variables by them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::expand::{Expanded, expand};
use super::path::follow;
use super::value::VarValue;
use super::{Variable, Variables};
use crate::kubernetes::Resource;
use crate::kustomize::field_spec::{FieldSpecs, edit_object, wrong_kind};
use crate::kustomize::json_spelling::spelling_in_object;
use crate::kustomize::shared_values;
use crate::source::{Code, Diagnostic, Diagnostics, Reported, Result};
use crate::yaml::{Content, CoreValue, Node, core_value};

impl Variables {
    /// Replaces the variables in the fields of `specs` by their values.
    ///
    /// All values are read first, so a value that contains a variable is inserted unchanged. Warns
    /// about a variable that is never used, or whose value cannot be inserted.
    ///
    /// # Errors
    /// Reports each variable without an object or without a value, and each object that has
    /// something else than texts in the fields.
    pub fn substitute(
        &self,
        specs: &FieldSpecs,
        resources: &mut [Resource],
        diagnostics: &mut Diagnostics,
    ) -> Result<(), Reported> {
        let values = self.values(resources, diagnostics)?;
        // Not even `$$` is replaced without variables.
        if values.is_empty() {
            return Ok(());
        }
        let mut substitution = Substitution {
            values: &values,
            used: BTreeSet::new(),
            refused: BTreeSet::new(),
        };
        let mut outcome = Ok(());
        for resource in resources {
            let mut replace = |node: &Arc<Node>| substitution.value(node);
            let before = Arc::clone(&resource.node);
            let edited = edit_object(resource, &specs.var_reference, None, &mut replace);
            if let Err(error) = edited {
                outcome = Err(diagnostics.report(error));
            }
            shared_values::follow(resource, &before);
        }
        for (name, variable) in &self.by_name {
            let name = &**name;
            if substitution.refused.contains(name) {
                diagnostics.push(is_a_collection(name, variable));
            } else if !substitution.used.contains(name) {
                diagnostics.push(is_never_used(name, variable));
            }
        }
        outcome
    }

    /// Reads the values of all variables.
    fn values(
        &self,
        resources: &[Resource],
        diagnostics: &mut Diagnostics,
    ) -> Result<BTreeMap<&str, VarValue>, Reported> {
        let mut object_of: BTreeMap<&str, &Resource> = BTreeMap::new();
        for resource in resources {
            for name in &resource.history.variables {
                object_of.entry(name).or_insert(resource);
            }
        }
        let mut values = BTreeMap::new();
        let mut outcome = Ok(());
        for (name, variable) in &self.by_name {
            let name = &**name;
            match variable.value(name, object_of.get(name).copied()) {
                Ok(value) => {
                    values.insert(name, value);
                }
                Err(error) => outcome = Err(diagnostics.report(error)),
            }
        }
        outcome.map(|()| values)
    }
}

impl Variable {
    fn value(&self, name: &str, object: Option<&Resource>) -> Result<VarValue> {
        let Some(object) = object else {
            let message = format!(
                "var '{name}' cannot be mapped to a field in the set of known resources: there is no {}",
                self.object.id()
            );
            return Err(Diagnostic::error(Code::Resource, message)
                .at(self.location.clone(), "the variable"));
        };
        let node = follow(&object.node, &self.path);
        let is_reprinted = object.history.is_reprinted;
        let printed = node.and_then(|node| spelling_in_object(node, is_reprinted));
        let node = printed.as_ref().or(node);
        let Some(value) = node.and_then(|node| VarValue::of(node)) else {
            let message = format!(
                "field specified in var '{name}' not found in corresponding resource: {} has no `{}` that can be read",
                object.id(),
                self.path
            );
            return Err(Diagnostic::error(Code::PathNotFound, message)
                .at(self.location.clone(), "the variable")
                .at(node.and_then(|node| node.location()), "the value")
                .at(object.name_location(), "the object")
                .about(object.object_reference()));
        };
        Ok(value)
    }
}

/// The replacement of variables in texts.
struct Substitution<'a> {
    values: &'a BTreeMap<&'a str, VarValue>,
    /// The names that were replaced.
    used: BTreeSet<&'a str>,
    /// The names whose value cannot be inserted.
    refused: BTreeSet<&'a str>,
}

impl Substitution<'_> {
    /// Returns a field with its variables replaced, or `None` if nothing changes. The field is a
    /// text, a list of texts, or a mapping with texts.
    fn value(&mut self, node: &Arc<Node>) -> Result<Option<Arc<Node>>> {
        match &node.content {
            Content::Sequence(_) => node.try_map_values(|item| {
                if text_of(item).is_some() {
                    return Ok(self.text(item));
                }
                let mut error = wrong_kind(item.resolved(), "a string");
                error.message = format!("invalid value type expect a string: {}", error.message);
                Err(error)
            }),
            Content::Mapping(mapping) => {
                let mut values = Vec::new();
                for (position, entry) in mapping.entries.iter().enumerate() {
                    if text_of(&entry.key).is_none() {
                        return Err(wrong_kind(entry.key.resolved(), "a string as key"));
                    }
                    values.extend(self.text(&entry.value).map(|value| (position, value)));
                }
                Ok(node.with_values(values))
            }
            Content::Scalar(_) | Content::Alias(_) => Ok(self.text(node)),
        }
    }

    /// Returns the node for a text with its variables replaced, or `None` if nothing changes. A
    /// text without variables becomes a string if its type was not settled.
    fn text(&mut self, node: &Arc<Node>) -> Option<Arc<Node>> {
        let text = &*text_of(node)?;
        let expanded = expand(text, &mut |name| self.value_of(name), |value| {
            value.to_text()
        });
        match expanded {
            Expanded::Value(value) => Some(value.to_node()),
            Expanded::Text(expanded) if expanded == text => {
                node.is_untyped().then(|| Node::string(expanded))
            }
            Expanded::Text(expanded) => Some(Node::string(expanded)),
        }
    }

    fn value_of(&mut self, name: &str) -> Option<VarValue> {
        let (&name, value) = self.values.get_key_value(name)?;
        if *value == VarValue::Collection {
            self.refused.insert(name);
            return None;
        }
        self.used.insert(name);
        Some(value.clone())
    }
}

/// Returns the text of a scalar that is a string to kustomize.
fn text_of(node: &Arc<Node>) -> Option<String> {
    let node = node.resolved();
    node.as_scalar()?;
    if node.is_untyped() {
        return node.text().map(str::to_owned);
    }
    match core_value(node).ok()? {
        CoreValue::String(text) => Some(text.into_owned()),
        _ => None,
    }
}

fn is_never_used(name: &str, variable: &Variable) -> Box<Diagnostic> {
    let message = format!("well-defined vars that were never replaced: {name}");
    Diagnostic::warning(Code::Config, message)
        .at(variable.location.clone(), "the variable")
        .help(format!(
            "`$({name})` is replaced only in the fields of `varReference` under `configurations`, and in those that kustomize knows"
        ))
}

fn is_a_collection(name: &str, variable: &Variable) -> Box<Diagnostic> {
    let message = format!("`$({name})` stays: its value is a mapping or a list");
    Diagnostic::warning(Code::Config, message)
        .at(variable.location.clone(), "the variable")
        .help("use `replacements`, which copy values of any kind")
}
