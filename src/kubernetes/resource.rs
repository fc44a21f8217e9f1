//! One Kubernetes object.
//!
//! A resource is its tree. Name, labels and so on are read from the tree on demand, so they are
//! correct after every edit without any bookkeeping.

use std::sync::Arc;

use super::history::{History, PreviousId};
use super::id::{ResourceId, split_api_version};
use crate::edit::text_warnings;
use crate::source::{Code, Diagnostic, Location, ObjectReference, Result};
use crate::yaml::{Node, Syntax, Value};

/// kustomize records the ids that an object had before it was renamed or moved in three
/// comma-separated lists. The items at the same position of all three form one id.
const PREVIOUS_NAMES: &str = "internal.config.kubernetes.io/previousNames";
const PREVIOUS_NAMESPACES: &str = "internal.config.kubernetes.io/previousNamespaces";
const PREVIOUS_KINDS: &str = "internal.config.kubernetes.io/previousKinds";

/// A suffix that was copied together with a name.
#[derive(Clone, Debug)]
pub struct CopiedSuffix {
    /// The suffix without the dash before it.
    pub suffix: String,
    /// The place of the edit that copied the name.
    pub location: Option<Location>,
}

/// A Kubernetes object.
#[derive(Clone, Debug)]
pub struct Resource {
    /// The object: a mapping.
    pub node: Arc<Node>,
    /// The syntax of the text that contains the object.
    pub syntax: Syntax,
    /// Whether that text has aliases, which edits must keep consistent.
    pub has_aliases: bool,
    /// The position of the object among those that were read, which never changes; `None` if the
    /// run created it.
    pub slot: Option<usize>,
    /// Whether a generator of this run created it, so that its keys are in kustomize's order and
    /// not in an author's.
    pub is_generated: bool,
    /// Whether its name gets a hash suffix at the end of the run.
    pub needs_hash: bool,
    /// The suffix with which its name was copied before the name itself got one.
    pub copied_suffix: Option<CopiedSuffix>,
    /// The record of a build of a kustomization; empty in other runs.
    pub history: History,
}

impl Resource {
    /// Creates a resource from its tree. Fields that identify an object may be missing: selectors
    /// that require them do not match it.
    ///
    /// # Errors
    /// Fails with [`Code::Resource`] if the node is not a mapping, or if kustomize's lists of
    /// previous ids differ in length.
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
            copied_suffix: None,
            history: History::default(),
        };
        resource.check_previous_ids()?;
        Ok(resource)
    }

    /// Returns `apiVersion`, such as `apps/v1`.
    pub fn api_version(&self) -> &str {
        text_at(&self.node, &["apiVersion"])
    }

    /// Returns the group of `apiVersion`, which is empty for the core group.
    pub fn group(&self) -> &str {
        split_api_version(self.api_version()).0
    }

    /// Returns `kind`.
    pub fn kind(&self) -> &str {
        text_at(&self.node, &["kind"])
    }

    /// Returns `metadata.name`, or an empty text if there is none.
    pub fn name(&self) -> &str {
        text_at(&self.node, &["metadata", "name"])
    }

    /// Returns `metadata.namespace`, or an empty text if there is none.
    pub fn namespace(&self) -> &str {
        text_at(&self.node, &["metadata", "namespace"])
    }

    /// Returns the place of `metadata.name`, which most diagnostics about the whole object show.
    /// For a renamed object, this is the place of the original name.
    pub fn name_location(&self) -> Option<Location> {
        let own = self.node.get_in(&["metadata", "name"]);
        let previous = || self.history.previous_ids.last()?.location.clone();
        own.and_then(|name| name.location()).or_else(previous)
    }

    /// Replaces the value of `metadata.name`. Does nothing for an object without a name.
    pub fn set_name(&mut self, name: Arc<Node>) {
        let Some(mapping) = self.node.as_mapping() else {
            return;
        };
        let Some(metadata_index) = mapping.position("metadata") else {
            return;
        };
        let metadata = mapping.entries[metadata_index].value.resolved();
        let Some(fields) = metadata.as_mapping() else {
            return;
        };
        let Some(name_index) = fields.position("name") else {
            return;
        };
        let mut fields = fields.entries.to_vec();
        fields[name_index].value = name;
        let mut entries = mapping.entries.to_vec();
        entries[metadata_index].value = metadata.with_entries(fields);
        self.node = self.node.with_entries(entries);
    }

    /// Returns the value of a label.
    pub fn label(&self, key: &str) -> Option<&str> {
        scalar_text(find(&self.node, &["metadata", "labels", key])?)
    }

    /// Returns the value of an annotation.
    pub fn annotation(&self, key: &str) -> Option<&str> {
        scalar_text(find(&self.node, &["metadata", "annotations", key])?)
    }

    /// Returns the value of a label or annotation. For a mapping or list, which no cluster accepts,
    /// this is an empty text, as in kustomize.
    pub(super) fn metadata_text(&self, field: &str, key: &str) -> Option<&str> {
        let value = find(&self.node, &["metadata", field, key])?;
        match value.as_scalar() {
            Some(_) => scalar_text(value),
            None => Some(""),
        }
    }

    /// Returns the keys of the labels or annotations.
    pub(super) fn metadata_keys(&self, field: &str) -> impl Iterator<Item = &str> {
        let metadata = find(&self.node, &["metadata", field]);
        let entries = metadata
            .and_then(|metadata| metadata.as_mapping())
            .into_iter()
            .flat_map(|mapping| &mapping.entries);
        entries.filter_map(|entry| entry.key.text())
    }

    /// Returns whether the object is for tools and not for the cluster. Any value of the annotation
    /// other than `false` counts as true (kustomize's rule).
    pub fn is_local(&self) -> bool {
        self.annotation("config.kubernetes.io/local-config")
            .is_some_and(|value| value != "false")
    }

    /// Returns the current id.
    pub fn id(&self) -> ResourceId<'_> {
        let (group, version) = split_api_version(self.api_version());
        // Selectors request the id of every object, so look up `metadata` only once for both
        // fields.
        let (name, namespace) = match find(&self.node, &["metadata"]) {
            Some(metadata) => (
                text_at(metadata, &["name"]),
                text_at(metadata, &["namespace"]),
            ),
            None => ("", ""),
        };
        ResourceId {
            group,
            version,
            kind: self.kind(),
            name,
            namespace,
        }
    }

    /// Returns the ids that the object had before kustomize renamed or moved it, the oldest first:
    /// those that an earlier program wrote as annotations, followed by those of this run.
    pub fn previous_ids(&self) -> impl Iterator<Item = ResourceId<'_>> {
        let own = self.history.previous_ids.iter();
        self.annotated_ids().chain(own.map(|previous| ResourceId {
            kind: &previous.kind,
            name: &previous.name,
            namespace: &previous.namespace,
            ..self.id()
        }))
    }

    /// Returns the first id that the object had in this build.
    pub fn original_id(&self) -> ResourceId<'_> {
        match self.previous_ids().next() {
            Some(id) => id,
            None => self.id(),
        }
    }

    /// Records the current id as a previous one. Call it before the object is renamed or moved.
    pub fn record_id(&mut self) {
        let id = self.id();
        let previous = PreviousId {
            kind: id.kind.to_owned(),
            name: id.name.to_owned(),
            namespace: id.scoped_namespace().to_owned(),
            location: self.name_location(),
        };
        self.history.previous_ids.push(previous);
    }

    /// Returns whether the name, namespace or kind of the object has changed since its id was last
    /// recorded.
    pub fn is_renamed(&self) -> bool {
        let id = self.id();
        self.history.previous_ids.last().is_some_and(|previous| {
            previous.name != id.name
                || previous.kind != id.kind
                || previous.namespace != id.scoped_namespace()
        })
    }

    /// Returns the previous ids in the annotations.
    fn annotated_ids(&self) -> impl Iterator<Item = ResourceId<'_>> {
        // Few objects have any, so nothing else is looked up if the first list is missing.
        let names = self
            .annotation(PREVIOUS_NAMES)
            .map(|names| (names, self.id()));
        names.into_iter().flat_map(|(names, id)| {
            let lists = names
                .split(',')
                .zip(self.annotation_items(PREVIOUS_NAMESPACES))
                .zip(self.annotation_items(PREVIOUS_KINDS));
            lists.map(move |((name, namespace), kind)| ResourceId {
                kind,
                name,
                namespace,
                ..id
            })
        })
    }

    /// Returns the current id and the previous ones. A selector matches an object if it matches any
    /// of them.
    pub fn ids(&self) -> impl Iterator<Item = ResourceId<'_>> {
        // Most selectors match the current id, so the previous ones are computed lazily.
        let previous = std::iter::once_with(|| self.previous_ids()).flatten();
        std::iter::once_with(|| self.id()).chain(previous)
    }

    /// Returns the reference with which diagnostics and KRM results identify the object.
    pub fn object_reference(&self) -> ObjectReference {
        ObjectReference {
            api_version: self.api_version().to_string(),
            kind: self.kind().to_string(),
            name: self.name().to_string(),
            namespace: self.namespace().to_string(),
        }
    }

    /// Returns the warnings about edited texts in strings of the object, one for each text.
    pub fn text_warnings(&self) -> Vec<Box<Diagnostic>> {
        let warnings = text_warnings(&self.node).into_iter();
        warnings
            .map(|warning| warning.about(self.object_reference()))
            .collect()
    }

    /// Checks that the object has an `apiVersion` and a `kind`, which KRM functions and kustomize's
    /// plugins require.
    ///
    /// # Errors
    /// Fails with [`Code::Resource`] if one of them is missing, empty or not a string.
    pub fn require_id(&self) -> Result<()> {
        for key in ["apiVersion", "kind"] {
            let field = find(&self.node, &[key]);
            let found = match field {
                None => format!("a mapping without `{key}`"),
                Some(node) => match node.as_str() {
                    Some("") => format!("an empty `{key}`"),
                    Some(_) => continue,
                    None => format!("{} as `{key}`", node.described()),
                },
            };
            let place = field.unwrap_or(self.node.resolved()).location();
            let message = format!("expected a Kubernetes object, found {found}");
            return Err(Diagnostic::error(Code::Resource, message)
                .at(place, "")
                .about(self.object_reference()));
        }
        Ok(())
    }

    /// Returns the items of an annotation that contains a comma-separated list.
    fn annotation_items(&self, annotation: &str) -> impl Iterator<Item = &str> {
        self.annotation(annotation)
            .into_iter()
            .flat_map(|text| text.split(','))
    }

    fn check_previous_ids(&self) -> Result<()> {
        let names = self.annotation_items(PREVIOUS_NAMES).count();
        if names == 0 {
            return Ok(());
        }
        for other in [PREVIOUS_NAMESPACES, PREVIOUS_KINDS] {
            let found = self.annotation_items(other).count();
            if found == names {
                continue;
            }
            let message = format!(
                "expected {names} items in `{other}`, as in `{PREVIOUS_NAMES}`, found {found}"
            );
            let place = find(&self.node, &["metadata", "annotations", other]).unwrap_or(&self.node);
            return Err(Diagnostic::error(Code::Resource, message)
                .at(place.location(), "")
                .about(self.object_reference())
                .in_field(format!("metadata.annotations[{other}]")));
        }
        Ok(())
    }
}

/// Returns the value at the end of a chain of keys, following aliases.
fn find<'a>(node: &'a Arc<Node>, keys: &[&str]) -> Option<&'a Arc<Node>> {
    keys.iter().try_fold(node.resolved(), |node, key| {
        node.get(key).map(Node::resolved)
    })
}

/// Returns the text of a scalar other than null. A number as a label is a mistake, but the API
/// server reports it.
fn scalar_text(node: &Arc<Node>) -> Option<&str> {
    match node.value()? {
        Value::Null => None,
        _ => node.text(),
    }
}

fn text_at<'a>(node: &'a Arc<Node>, keys: &[&str]) -> &'a str {
    find(node, keys).and_then(scalar_text).unwrap_or("")
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
    fn reads_the_fields_from_the_tree() {
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
    fn requires_an_api_version_and_a_kind() {
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
    fn lists_the_current_id_before_the_previous_ones() {
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
    fn records_ids_after_those_of_the_annotations() {
        let mut web = resource(RENAMED).unwrap();
        web.record_id();
        let names: Vec<_> = web.previous_ids().map(|id| id.name).collect();
        assert_eq!(names, ["web", "dev-web", "dev-web-2"]);
        assert_eq!(web.original_id().name, "web");

        let mut node = resource("apiVersion: v1\nkind: Node\nmetadata: {name: a}\n").unwrap();
        assert_eq!(node.original_id().namespace, "");
        node.record_id();
        assert_eq!(node.original_id().namespace, "_non_namespaceable_");
    }

    #[test]
    fn returns_empty_text_for_missing_fields() {
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
    fn follows_an_alias_in_metadata() {
        let text =
            "apiVersion: v1\nkind: A\nspec: &labels {app: web}\nmetadata: {labels: *labels}\n";
        assert_eq!(resource(text).unwrap().label("app"), Some("web"));
    }

    #[test]
    fn refuses_a_node_that_is_not_a_mapping() {
        for text in ["[]", "text", "3"] {
            assert_eq!(resource(text).unwrap_err().code, Code::Resource, "{text}");
        }
    }

    #[test]
    fn refuses_lists_of_previous_ids_of_different_lengths() {
        let error = resource(&RENAMED.replace("web,dev-web", "web")).unwrap_err();
        assert_eq!(error.labels[0].location.line_column().line, 10);
        assert!(
            error.message.contains("expected 1 items"),
            "{}",
            error.message
        );
    }
}
