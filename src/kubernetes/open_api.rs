//! An OpenAPI document that describes kinds: `openapi.path` of a kustomization.
//!
//! ```json
//! {"definitions": {"v1.MyKind": {
//!   "properties": {"spec": {"$ref": "#/definitions/v1.MySpec"}},
//!   "x-kubernetes-group-version-kind": [
//!     {"group": "example.com", "version": "v1", "kind": "MyKind"}
//!   ]
//! }}}
//! ```

use std::collections::HashMap;
use std::sync::Arc;

use super::merge_keys::{FieldRules, rules_of_definition};
use crate::source::{Code, Diagnostic, Result};
use crate::yaml::Node;

/// The maximum length of a chain of references to a definition.
const REFERENCE_LIMIT: usize = 32;

/// The definitions of an OpenAPI document.
#[derive(Debug, Default)]
pub struct OpenApiSchema {
    /// The definitions by their names.
    definitions: HashMap<Box<str>, Arc<Node>>,
    /// The names of the definitions of kinds, by `apiVersion` and `kind`.
    kinds: HashMap<(String, String), Box<str>>,
    /// Whether the built-in rules apply to kinds that the document does not define.
    keeps_builtin: bool,
}

/// The type of a field.
#[derive(Clone, Copy, Debug)]
pub(super) enum FieldDefinition<'s> {
    /// A definition of the document.
    Own(&'s Arc<Node>),
    /// A built-in type, which the document refers to but does not define.
    Builtin(FieldRules),
}

impl OpenApiSchema {
    /// Reads a document, whose aliases are expanded.
    ///
    /// # Errors
    /// Fails if the document or its definitions are not mappings.
    pub fn read(document: &Arc<Node>) -> Result<OpenApiSchema> {
        let expected = |what: &str, node: &Arc<Node>| {
            let message = format!("expected {what}, found {}", node.described());
            Err(Diagnostic::error(Code::Config, message).at(node.location(), ""))
        };
        if document.as_mapping().is_none() {
            return expected("an OpenAPI document", document);
        }
        let mut schema = OpenApiSchema::default();
        let Some(definitions) = document.get("definitions").map(Node::resolved) else {
            return Ok(schema);
        };
        let Some(definitions) = definitions.as_mapping() else {
            return expected("a mapping of definitions", definitions);
        };
        for entry in &definitions.entries {
            if let Some(name) = entry.key.text() {
                schema.add(name, entry.value.resolved());
            }
        }
        Ok(schema)
    }

    fn add(&mut self, name: &str, definition: &Arc<Node>) {
        let kinds = definition.get("x-kubernetes-group-version-kind");
        let kinds = kinds.and_then(|kinds| kinds.resolved().as_sequence());
        for kind in kinds.iter().flat_map(|kinds| &kinds.items) {
            let text = |key: &str| {
                let value = kind.value.resolved().get(key);
                value
                    .and_then(|value| value.resolved().text())
                    .unwrap_or_default()
            };
            let api_version = match text("group") {
                "" => text("version").to_owned(),
                group => format!("{group}/{}", text("version")),
            };
            let id = (api_version, text("kind").to_owned());
            self.kinds.insert(id, name.into());
        }
        self.definitions.insert(name.into(), Arc::clone(definition));
    }

    /// Applies the built-in rules to kinds that the document does not define.
    pub fn with_builtin(mut self) -> OpenApiSchema {
        self.keeps_builtin = true;
        self
    }

    /// Returns whether the built-in rules apply to kinds that the document does not define.
    pub(super) fn keeps_builtin(&self) -> bool {
        self.keeps_builtin
    }

    /// Returns the definition of a kind.
    pub(super) fn kind(&self, api_version: &str, kind: &str) -> Option<&Arc<Node>> {
        let name = self.kinds.get(&(api_version.to_owned(), kind.to_owned()))?;
        self.definitions.get(name)
    }

    /// Returns the type of a field: that of its property, or that of additional properties.
    pub(super) fn field<'s>(
        &'s self,
        definition: &'s Arc<Node>,
        name: &str,
    ) -> Option<FieldDefinition<'s>> {
        let properties = definition.get("properties");
        let property = properties.and_then(|properties| properties.resolved().get(name));
        let property = property.or_else(|| definition.get("additionalProperties"))?;
        self.followed(property.resolved())
    }

    /// Returns the type of the items of a list.
    pub(super) fn items<'s>(&'s self, definition: &'s Arc<Node>) -> Option<FieldDefinition<'s>> {
        self.followed(definition.get("items")?.resolved())
    }

    /// Follows references to the type that they lead to.
    fn followed<'s>(&'s self, definition: &'s Arc<Node>) -> Option<FieldDefinition<'s>> {
        let mut definition = definition;
        for _ in 0..REFERENCE_LIMIT {
            let reference = definition
                .get("$ref")
                .and_then(|text| text.resolved().text());
            let Some(reference) = reference else {
                return Some(FieldDefinition::Own(definition));
            };
            let name = reference.strip_prefix("#/definitions/")?;
            definition = match self.definitions.get(name) {
                Some(definition) => definition,
                None if self.keeps_builtin => {
                    return rules_of_definition(name).map(FieldDefinition::Builtin);
                }
                None => return None,
            };
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kubernetes::{MergeRule, MergeRules};
    use crate::source::Source;
    use crate::yaml::parse_data;

    const DOCUMENT: &str = r##"
definitions:
  mine:
    x-kubernetes-group-version-kind: [{group: example.com, version: v1, kind: Mine}]
    properties:
      list:
        items: {$ref: "#/definitions/item"}
        x-kubernetes-patch-strategy: merge,retainKeys
        x-kubernetes-patch-merge-key: id
      maps: {x-kubernetes-patch-strategy: merge, x-kubernetes-list-map-keys: [a, b]}
      words: {x-kubernetes-patch-strategy: merge}
      whole: {items: {}}
      template: {$ref: "#/definitions/io.k8s.api.core.v1.PodTemplateSpec"}
      any: {additionalProperties: {$ref: "#/definitions/item"}}
      loop: {$ref: "#/definitions/loop"}
  item: {properties: {inner: {x-kubernetes-patch-strategy: merge, x-kubernetes-patch-merge-key: k}}}
  loop: {$ref: "#/definitions/loop"}
"##;

    fn schema() -> OpenApiSchema {
        let stream = parse_data(&Source::new("schema.yaml", DOCUMENT).unwrap()).unwrap();
        OpenApiSchema::read(&stream.documents[0].root).unwrap()
    }

    /// Returns the merge keys at the end of a path; none for a list of scalars.
    fn keys<'s>(schema: &'s OpenApiSchema, path: &str) -> Option<Vec<&'s str>> {
        let mut rules = MergeRules::of_kind("example.com/v1", "Mine", Some(schema));
        let mut keys = None;
        for name in path.split('.') {
            (keys, rules) = match rules.field(name)? {
                MergeRule::Mapping(inner) => (None, inner),
                MergeRule::List { keys, items } => (Some(keys.names()), items),
                MergeRule::Set => (Some(Vec::new()), MergeRules::NONE),
            };
        }
        keys
    }

    #[test]
    fn reads_merge_keys_through_references() {
        let schema = schema();
        assert_eq!(keys(&schema, "list"), Some(vec!["id"]));
        assert_eq!(keys(&schema, "list.inner"), Some(vec!["k"]));
        assert_eq!(keys(&schema, "maps"), Some(vec!["a", "b"]));
        assert_eq!(keys(&schema, "words"), Some(vec![]));
        assert_eq!(keys(&schema, "any.whatever.inner"), Some(vec!["k"]));
        for path in ["whole", "loop.x", "template.spec.containers", "nothing"] {
            assert_eq!(keys(&schema, path), None, "{path}");
        }
    }

    #[test]
    fn replaces_the_built_in_rules_unless_they_are_kept() {
        let containers = |schema: &OpenApiSchema| {
            let rules = MergeRules::of_kind("v1", "Pod", Some(schema));
            rules.field("spec").is_some()
        };
        assert!(!containers(&schema()));
        let kept = schema().with_builtin();
        assert!(containers(&kept));
        assert_eq!(keys(&kept, "template.spec.containers"), Some(vec!["name"]));
    }

    #[test]
    fn refuses_what_is_not_a_document() {
        let stream = parse_data(&Source::new("schema.yaml", "[]").unwrap()).unwrap();
        let error = OpenApiSchema::read(&stream.documents[0].root).unwrap_err();
        assert_eq!(error.message, "expected an OpenAPI document, found a list");
    }
}
