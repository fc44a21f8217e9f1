//! One Kubernetes object.
//!
//! A resource is its tree and nothing else: name, labels and the rest are read from the tree whenever they are asked
//! for, so they are right after every edit.

use std::sync::Arc;

use super::id::{Id, split_api_version};
use crate::source::{Code, Diagnostic, ObjectReference, Result};
use crate::yaml::{Node, Syntax, Value};

/// kustomize keeps the ids that an object had before it was renamed or moved in three comma-separated lists, which
/// belong together item by item.
const PREVIOUS_NAMES: &str = "internal.config.kubernetes.io/previousNames";
const PREVIOUS_NAMESPACES: &str = "internal.config.kubernetes.io/previousNamespaces";
const PREVIOUS_KINDS: &str = "internal.config.kubernetes.io/previousKinds";

/// A Kubernetes object.
#[derive(Clone, Debug)]
pub struct Resource {
    /// The object: a mapping.
    pub node: Arc<Node>,
    /// The grammar of the text that the object stands in.
    pub syntax: Syntax,
    /// Whether the text that the object stands in has aliases, which edits have to keep up with.
    pub has_aliases: bool,
    /// Which of the objects that were read it is, whatever became of it since; `None` for one that the run made.
    pub slot: Option<usize>,
    /// Whether a generator of this run made it, so that its keys stand in kustomize's order and not in a person's.
    pub is_generated: bool,
    /// Whether its name gets a suffix at the end of the run.
    pub needs_hash: bool,
}

impl Resource {
    /// Takes a node as a resource. Whatever identifies an object may be missing: such a resource is selected by no word.
    ///
    /// # Errors
    /// [`Code::Resource`] if the node is not a mapping, or if kustomize's lists of previous ids do not belong together.
    pub fn new(node: Arc<Node>) -> Result<Resource> {
        if node.resolved().as_mapping().is_none() {
            let message = format!("expected a Kubernetes object, found {}", node.described());
            return Err(Diagnostic::error(Code::Resource, message).at(node.location(), ""));
        }
        let resource = Resource {
            node,
            syntax: Syntax::Yaml,
            has_aliases: false,
            slot: None,
            is_generated: false,
            needs_hash: false,
        };
        resource.check_previous_ids()?;
        Ok(resource)
    }

    /// `apiVersion`, such as `apps/v1`.
    pub fn api_version(&self) -> &str {
        text_in(&self.node, &["apiVersion"])
    }

    /// The group of `apiVersion`; empty for the core group.
    pub fn group(&self) -> &str {
        split_api_version(self.api_version()).0
    }

    /// `kind`.
    pub fn kind(&self) -> &str {
        text_in(&self.node, &["kind"])
    }

    /// `metadata.name`; empty if there is none.
    pub fn name(&self) -> &str {
        text_in(&self.node, &["metadata", "name"])
    }

    /// `metadata.namespace`; empty if there is none.
    pub fn namespace(&self) -> &str {
        text_in(&self.node, &["metadata", "namespace"])
    }

    /// Puts another value in the place of `metadata.name`; nothing happens where there is none.
    pub fn set_name(&mut self, name: Arc<Node>) {
        let root = self
            .node
            .as_mapping()
            .and_then(|mapping| Some((mapping, mapping.position("metadata")?)));
        let Some((mapping, at)) = root else { return };
        let metadata = mapping.entries[at].value.resolved();
        let inner = metadata
            .as_mapping()
            .and_then(|inner| Some((inner, inner.position("name")?)));
        let Some((inner, place)) = inner else { return };
        let mut fields = inner.entries.to_vec();
        fields[place].value = name;
        let mut entries = mapping.entries.to_vec();
        entries[at].value = metadata.with_entries(fields);
        self.node = self.node.with_entries(entries);
    }

    /// The value of a label.
    pub fn label(&self, key: &str) -> Option<&str> {
        text(find(&self.node, &["metadata", "labels", key])?)
    }

    /// The value of an annotation.
    pub fn annotation(&self, key: &str) -> Option<&str> {
        text(find(&self.node, &["metadata", "annotations", key])?)
    }

    /// The id that the object has now.
    pub fn id(&self) -> Id<'_> {
        let (group, version) = split_api_version(self.api_version());
        let metadata = find(&self.node, &["metadata"]);
        let in_metadata = |key| metadata.map_or("", |metadata| text_in(metadata, &[key]));
        Id {
            group,
            version,
            kind: self.kind(),
            name: in_metadata("name"),
            namespace: in_metadata("namespace"),
        }
    }

    /// The ids that the object had before kustomize renamed or moved it, the oldest first.
    pub fn previous_ids(&self) -> impl Iterator<Item = Id<'_>> {
        // Few objects have any, so that nothing more is looked up where the first list is missing.
        let names = self
            .annotation(PREVIOUS_NAMES)
            .map(|names| (names, self.id()));
        names.into_iter().flat_map(|(names, id)| {
            let lists = names
                .split(',')
                .zip(self.list(PREVIOUS_NAMESPACES))
                .zip(self.list(PREVIOUS_KINDS));
            lists.map(move |((name, namespace), kind)| Id {
                kind,
                name,
                namespace,
                ..id
            })
        })
    }

    /// The ids that the object has now and those that it had before: an object is selected by any of them.
    pub fn ids(&self) -> impl Iterator<Item = Id<'_>> {
        let previous = std::iter::once_with(|| self.previous_ids()).flatten();
        std::iter::once_with(|| self.id()).chain(previous)
    }

    /// How diagnostics name the object.
    pub fn object_reference(&self) -> ObjectReference {
        ObjectReference {
            api_version: self.api_version().to_string(),
            kind: self.kind().to_string(),
            name: self.name().to_string(),
            namespace: self.namespace().to_string(),
        }
    }

    /// Checks that the object says what it is, as the functions of KRM and kustomize's plugins demand of every object.
    ///
    /// # Errors
    /// [`Code::Resource`] if `apiVersion` or `kind` is missing, empty or not a string.
    pub fn require_id(&self) -> Result<()> {
        let is_text = |key: &&str| {
            find(&self.node, &[key])
                .and_then(|node| node.as_str())
                .is_some_and(|s| !s.is_empty())
        };
        let Some(key) = ["apiVersion", "kind"].into_iter().find(|key| !is_text(key)) else {
            return Ok(());
        };
        let field = find(&self.node, &[key]);
        let found = match field {
            None => format!("a mapping without `{key}`"),
            Some(node) if node.kind() == "string" => format!("an empty `{key}`"),
            Some(node) => format!("{} as `{key}`", node.described()),
        };
        let place = field.unwrap_or(self.node.resolved()).location();
        let message = format!("expected a Kubernetes object, found {found}");
        Err(Diagnostic::error(Code::Resource, message)
            .at(place, "")
            .about(self.object_reference()))
    }

    /// The items of an annotation that holds a comma-separated list.
    fn list(&self, annotation: &str) -> impl Iterator<Item = &str> {
        self.annotation(annotation)
            .into_iter()
            .flat_map(|text| text.split(','))
    }

    fn check_previous_ids(&self) -> Result<()> {
        let names = self.list(PREVIOUS_NAMES).count();
        for other in [PREVIOUS_NAMESPACES, PREVIOUS_KINDS] {
            let found = self.list(other).count();
            if names != 0 && found != names {
                let message = format!(
                    "expected {names} items in `{other}`, as in `{PREVIOUS_NAMES}`, found {found}"
                );
                let place =
                    find(&self.node, &["metadata", "annotations", other]).unwrap_or(&self.node);
                return Err(Diagnostic::error(Code::Resource, message)
                    .at(place.location(), "")
                    .about(self.object_reference())
                    .in_field(format!("metadata.annotations[{other}]")));
            }
        }
        Ok(())
    }
}

/// The value at the end of a chain of keys, with aliases followed.
fn find<'a>(node: &'a Arc<Node>, keys: &[&str]) -> Option<&'a Arc<Node>> {
    keys.iter().try_fold(node.resolved(), |node, key| {
        node.get(key).map(Node::resolved)
    })
}

/// The text of a scalar other than null. A number as a label is a mistake, but not one to make here.
fn text(node: &Arc<Node>) -> Option<&str> {
    match node.value()? {
        Value::Null => None,
        _ => node.text(),
    }
}

fn text_in<'a>(node: &'a Arc<Node>, keys: &[&str]) -> &'a str {
    find(node, keys).and_then(text).unwrap_or("")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Source;
    use crate::yaml::parse;

    fn resource(text: &str) -> Result<Resource> {
        let source = Source::new("resource.yaml", text).unwrap();
        Resource::new(Arc::clone(&parse(&source).unwrap().documents[0].root))
    }

    const RENAMED: &str = "\
apiVersion: apps/v1
kind: Deployment
metadata:
  name: dev-web-2
  namespace: dev
  labels: &both {app: web, tier: ''}
  annotations:
    internal.config.kubernetes.io/previousKinds: Deployment,Deployment
    internal.config.kubernetes.io/previousNames: web,dev-web
    internal.config.kubernetes.io/previousNamespaces: default,dev
";

    #[test]
    fn the_parts_are_read_from_the_tree() {
        let resource = resource(RENAMED).unwrap();
        assert_eq!((resource.group(), resource.kind()), ("apps", "Deployment"));
        assert_eq!(
            (resource.name(), resource.namespace()),
            ("dev-web-2", "dev")
        );
        assert_eq!(
            (resource.label("app"), resource.label("tier")),
            (Some("web"), Some(""))
        );
        assert_eq!(
            (resource.label("none"), resource.annotation("none")),
            (None, None)
        );
        assert_eq!(resource.object_reference().api_version, "apps/v1");
    }

    #[test]
    fn an_id_may_be_required() {
        let cases = [
            ("kind: A", "a mapping without `apiVersion`"),
            ("apiVersion: v1", "a mapping without `kind`"),
            ("{apiVersion: v1, kind: 1}", "a number as `kind`"),
            ("{apiVersion: , kind: A}", "null as `apiVersion`"),
            ("{apiVersion: '', kind: A}", "an empty `apiVersion`"),
        ];
        for (text, found) in cases {
            let error = resource(text).unwrap().require_id().unwrap_err();
            assert_eq!(
                error.message,
                format!("expected a Kubernetes object, found {found}"),
                "{text}"
            );
            assert_eq!(error.labels.len(), 1, "{text}");
        }
        assert!(resource(RENAMED).unwrap().require_id().is_ok());
    }

    #[test]
    fn the_ids_are_the_current_one_and_the_previous_ones() {
        let resource = resource(RENAMED).unwrap();
        let ids: Vec<_> = resource.ids().map(|id| id.to_string()).collect();
        assert_eq!(
            ids,
            [
                "Deployment.v1.apps/dev-web-2.dev",
                "Deployment.v1.apps/web.default",
                "Deployment.v1.apps/dev-web.dev",
            ]
        );
    }

    #[test]
    fn what_is_not_there_is_empty() {
        let resource = resource("apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name:\n").unwrap();
        assert_eq!(
            (resource.group(), resource.name(), resource.namespace()),
            ("", "", "")
        );
        assert_eq!(
            (resource.label("app"), resource.previous_ids().count()),
            (None, 0)
        );
        assert_eq!(
            resource.id().to_string(),
            "ConfigMap.v1.[noGrp]/[noName].[noNs]"
        );
    }

    #[test]
    fn metadata_may_be_an_alias() {
        let text =
            "apiVersion: v1\nkind: A\nspec: &labels {app: web}\nmetadata: {labels: *labels}\n";
        assert_eq!(resource(text).unwrap().label("app"), Some("web"));
    }

    #[test]
    fn what_is_no_mapping_is_no_object() {
        for text in ["[]", "text", "3"] {
            assert_eq!(resource(text).unwrap_err().code, Code::Resource, "{text}");
        }
    }

    #[test]
    fn lists_of_previous_ids_must_belong_together() {
        let error = resource(&RENAMED.replace("web,dev-web", "web")).unwrap_err();
        assert_eq!(error.labels[0].location.line_column().line, 10);
        assert!(
            error.message.contains("expected 1 items"),
            "{}",
            error.message
        );
    }
}
