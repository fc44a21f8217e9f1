//! The order in which objects are printed.
//!
//! By default, kustomize sorts objects by kind, so that objects come after those that they need:
//! namespaces first, then custom resource definitions, … webhooks last. Objects of one kind are
//! sorted by namespace and name. `sortOptions` gives other lists of kinds, or keeps the order in
//! which objects were read (`fifo`).

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::kubernetes::{KindOrder, Resource, ResourceId};
use crate::source::{Code, Diagnostic, Location, Result};
use crate::typed::{FieldComments, Spanned, documented};

/// An order of objects.
#[derive(Clone, Debug)]
pub enum SortOrder {
    /// The order in which they were read or generated.
    Fifo,
    /// By kind, namespace and name.
    Legacy(KindOrder),
}

impl Default for SortOrder {
    fn default() -> SortOrder {
        SortOrder::Legacy(KindOrder::default())
    }
}

documented! {
    /// The field `sortOptions` as written.
    #[derive(Clone, Debug, Default, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    pub struct SortOptionsConfig {
        /// `legacy` or `fifo`.
        #[serde(default)]
        order: Option<Spanned<String>>,
        /// The lists of kinds for `legacy`.
        #[serde(default)]
        legacy_sort_options: Option<Spanned<LegacySortOptions>>,
    }
}

documented! {
    /// The kinds that come before and after all others. They replace kustomize's own lists, even if
    /// they are empty.
    #[derive(Clone, Debug, Default, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    struct LegacySortOptions {
        /// The kinds that come first.
        #[serde(default)]
        order_first: Option<Vec<String>>,
        /// The kinds that come last.
        #[serde(default)]
        order_last: Option<Vec<String>>,
    }
}

/// The documentation of these types.
pub const DOCUMENTED: &[FieldComments] = &[
    SortOptionsConfig::DOCUMENTATION,
    LegacySortOptions::DOCUMENTATION,
];

impl SortOptionsConfig {
    /// Checks the field, which is at `place`.
    ///
    /// # Errors
    /// The order is missing or unknown, or lists of kinds are given for `fifo`.
    pub fn check(self, place: Option<Location>) -> Result<SortOrder> {
        let order = self.order.as_ref().map_or("", |order| &*order.value);
        match (order, self.legacy_sort_options) {
            ("legacy", None) => Ok(SortOrder::default()),
            ("legacy", Some(options)) => Ok(SortOrder::Legacy(KindOrder::new(
                options.value.order_first.unwrap_or_default(),
                options.value.order_last.unwrap_or_default(),
            ))),
            ("fifo", None) => Ok(SortOrder::Fifo),
            ("fifo", Some(options)) => {
                let message = "the field 'sortOptions.legacySortOptions' is set but the selected \
                               sort order is 'fifo', not 'legacy'";
                Err(Diagnostic::error(Code::Config, message)
                    .at(options.location, "")
                    .help("remove `legacySortOptions`, or write `order: legacy`"))
            }
            _ => {
                let place = self.order.and_then(|order| order.location).or(place);
                let message = "the field 'sortOptions.order' must be one of [fifo, legacy]";
                Err(Diagnostic::error(Code::Config, message).at(place, ""))
            }
        }
    }
}

/// Sorts objects. Their ids are different.
pub fn sort(resources: &mut Vec<Resource>, order: &SortOrder) {
    let SortOrder::Legacy(kinds) = order else {
        return;
    };
    // A build has few kinds and many objects, so kinds are compared once and not for each pair.
    let mut by_kind: BTreeMap<GroupKind, Vec<Resource>> = BTreeMap::new();
    for resource in resources.drain(..) {
        let kind = GroupKind::of(resource.id());
        by_kind.entry(kind).or_default().push(resource);
    }
    let mut groups: Vec<_> = by_kind.into_iter().collect();
    let is_less = |one: &GroupKind, other: &GroupKind| kinds.compare(one.id(), other.id()).is_lt();
    let namespaces = groups.iter().filter(|(kind, _)| kind.kind == "Namespace");
    if namespaces.count() > 1 {
        // The rule for namespaces of several groups can contradict the others, which `sort_by` does
        // not allow.
        insertion_sort(&mut groups, |(one, _), (other, _)| is_less(one, other));
    } else {
        groups.sort_by(|(one, _), (other, _)| kinds.compare(one.id(), other.id()));
    }
    for (_, mut group) in groups {
        group.sort_by_cached_key(|resource| sort_text(resource.id()));
        resources.append(&mut group);
    }
}

/// Sorts by a comparison that need not be an order.
fn insertion_sort<T>(items: &mut [T], is_less: impl Fn(&T, &T) -> bool) {
    for end in 1..items.len() {
        let mut at = end;
        while at > 0 && is_less(&items[at], &items[at - 1]) {
            items.swap(at, at - 1);
            at -= 1;
        }
    }
}

/// The type of an object.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct GroupKind {
    group: String,
    version: String,
    kind: String,
}

impl GroupKind {
    fn of(id: ResourceId<'_>) -> GroupKind {
        GroupKind {
            group: id.group.to_owned(),
            version: id.version.to_owned(),
            kind: id.kind.to_owned(),
        }
    }

    fn id(&self) -> ResourceId<'_> {
        ResourceId {
            group: &self.group,
            version: &self.version,
            kind: &self.kind,
            ..ResourceId::default()
        }
    }
}

/// Returns the text by which objects of one type are compared. `~X` sorts objects without a
/// namespace after the others.
fn sort_text(id: ResourceId<'_>) -> String {
    let namespace = if id.namespace.is_empty() {
        "~X"
    } else {
        id.namespace
    };
    let name = if id.name.is_empty() { "~N" } else { id.name };
    format!("{namespace}|{name}")
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::source::{Diagnostics, Source};
    use crate::typed::read;
    use crate::yaml::{Node, parse};

    fn root(text: &str) -> Arc<Node> {
        let source = Source::new("a.yaml", text).unwrap();
        Arc::clone(&parse(&source).unwrap().documents[0].root)
    }

    /// Returns the objects, given as `v1 ConfigMap namespace/name`, in their order.
    fn sorted(objects: &[&str], order: &SortOrder) -> Vec<String> {
        let resource = |text: &&str| {
            let parts: Vec<&str> = text.split([' ', ',']).collect();
            let [api_version, kind, namespace, name] = parts[..] else {
                panic!("four parts");
            };
            let metadata = format!("{{namespace: '{namespace}', name: {name}}}");
            let text = format!("apiVersion: {api_version}\nkind: {kind}\nmetadata: {metadata}\n");
            Resource::new(root(&text)).unwrap()
        };
        let mut resources: Vec<Resource> = objects.iter().map(resource).collect();
        sort(&mut resources, order);
        let texts = resources.iter().map(|resource| {
            let (api_version, kind) = (resource.api_version(), resource.kind());
            format!(
                "{api_version} {kind} {},{}",
                resource.namespace(),
                resource.name()
            )
        });
        texts.collect()
    }

    fn order(config: &str) -> Result<SortOrder> {
        let mut diagnostics = Diagnostics::default();
        let config: SortOptionsConfig = read(&root(config), &mut diagnostics).unwrap();
        config.check(None)
    }

    const OBJECTS: &[&str] = &[
        "v1 Namespace ,a",
        "v1 ConfigMap prod,b",
        "v1 ConfigMap prod,c",
        "v1 ConfigMap ,a",
        "v1 Pod x,a",
        "admissionregistration.k8s.io/v1 ValidatingWebhookConfiguration ,a",
    ];

    #[test]
    fn sorts_by_kind_then_namespace_then_name() {
        let reversed: Vec<&str> = OBJECTS.iter().rev().copied().collect();
        assert_eq!(sorted(&reversed, &SortOrder::default()), OBJECTS);
        assert_eq!(sorted(&reversed, &SortOrder::Fifo), reversed);
    }

    #[test]
    fn lists_given_replace_those_of_kustomize() {
        let order = order("order: legacy\nlegacySortOptions: {orderFirst: [Pod]}\n").unwrap();
        let first = &sorted(OBJECTS, &order)[..2];
        let expected = [OBJECTS[4], OBJECTS[5]];
        assert_eq!(first, expected);
    }

    #[test]
    fn namespaces_of_two_groups_are_sorted_among_many_kinds() {
        let order = order("order: legacy\nlegacySortOptions: {orderFirst: [Pod]}\n").unwrap();
        let mut objects: Vec<String> = Vec::new();
        for number in 0..200 {
            objects.push(format!("g{number}.example.com/v1 Kind{number} ,a"));
        }
        objects.push("v1 Namespace ,a".to_owned());
        objects.push("foo/v1 Namespace ,a".to_owned());
        let objects: Vec<&str> = objects.iter().map(String::as_str).collect();
        let found = sorted(&objects, &order);
        assert_eq!(found.len(), objects.len());
    }

    #[test]
    fn refuses_options_that_mean_nothing() {
        let table = [
            (
                "order: other\n",
                "the field 'sortOptions.order' must be one of [fifo, legacy]",
            ),
            (
                "{}\n",
                "the field 'sortOptions.order' must be one of [fifo, legacy]",
            ),
            (
                "order: fifo\nlegacySortOptions: {orderLast: [Pod]}\n",
                "the field 'sortOptions.legacySortOptions' is set but the selected sort order is 'fifo', not 'legacy'",
            ),
        ];
        for (config, message) in table {
            assert_eq!(order(config).unwrap_err().message, message);
        }
    }
}
