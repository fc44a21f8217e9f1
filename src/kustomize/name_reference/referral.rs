//! Decides which object a name refers to.
//!
//! A name refers to the object that had it before. Several objects may have had it: the same base
//! can be included twice, with different prefixes. Each of these steps reduces the candidates:
//!
//! 1. objects that had the name and the kind that is referred to;
//! 2. for `roleRef`, objects of the kind that is written next to the name;
//! 3. objects that the referrer can reachable: in its namespace, or cluster-scoped;
//! 4. if there are several: objects that got the same prefixes and suffixes as the referrer, because
//!    they were included by the same kustomizations.

use std::collections::{HashMap, HashSet};

use super::index::ReferenceTo;
use crate::kubernetes::{PreviousId, Resource, ResourceId};
use crate::kustomize::field_spec::{KindPattern, is_null};
use crate::yaml::Node;

/// The objects whose names or namespaces have changed.
pub(super) struct Referrals<'a> {
    /// By their previous names.
    by_name: HashMap<&'a str, Vec<&'a Resource>>,
    /// For each original namespace of objects, one object in each of their current namespaces.
    by_original_namespace: HashMap<&'a str, Vec<&'a Resource>>,
}

/// A reference as it is written.
#[derive(Clone, Copy, Debug)]
pub(super) struct WrittenName<'a> {
    pub(super) name: &'a str,
    /// The namespace that is written next to the name.
    pub(super) namespace: Option<&'a str>,
    /// Whether the name is in a mapping, so that the namespace is considered too.
    pub(super) is_in_mapping: bool,
}

/// The meaning of a reference.
pub(super) enum Meaning<'a> {
    /// No renamed object, or none that the referrer can reachable.
    Nothing,
    /// One object.
    Object(Referral<'a>),
    /// Several objects; contains two of them. None of them was included by the same kustomizations
    /// as the referrer, so kustomize does not change the reference.
    Unclear([&'a Resource; 2]),
    /// Several objects; contains two of them.
    Ambiguous([&'a Resource; 2]),
}

/// The current name and namespace of the object that a reference names.
#[derive(Clone, Copy, Debug)]
pub(super) struct Referral<'a> {
    pub(super) name: &'a str,
    pub(super) namespace: &'a str,
}

impl<'a> Referrals<'a> {
    /// Finds the objects that were renamed or moved, by their earlier names.
    pub(super) fn of(resources: &'a [Resource]) -> Referrals<'a> {
        let mut by_name: HashMap<&str, Vec<&Resource>> = HashMap::new();
        let mut by_original_namespace: HashMap<&str, Vec<&Resource>> = HashMap::new();
        let mut moves = HashSet::new();
        for resource in resources {
            let mut names = HashSet::new();
            for previous in &resource.history.previous_ids {
                if names.insert(&*previous.name) {
                    by_name.entry(&previous.name).or_default().push(resource);
                }
            }
            let original = resource.original_id().scoped_namespace();
            if moves.insert((
                original,
                resource.id().scoped_namespace(),
                resource.namespace(),
            )) {
                let moved = by_original_namespace.entry(original).or_default();
                moved.push(resource);
            }
        }
        Referrals {
            by_name,
            by_original_namespace,
        }
    }

    /// Returns whether no object was renamed.
    pub(super) fn is_empty(&self) -> bool {
        self.by_name.is_empty()
    }

    /// Returns whether an object of a kind had this name before and has another one now.
    pub(super) fn has_renamed(&self, kind: &str, name: &str) -> bool {
        self.named(name)
            .any(|object| object.kind() == kind && object.name() != name)
    }

    /// Returns the object that a name in `referrer` refers to.
    pub(super) fn meaning(
        &self,
        referrer: &Resource,
        written: WrittenName<'_>,
        reference: &ReferenceTo<'_>,
    ) -> Meaning<'a> {
        let mut candidates = self.reachable(referrer, written, reference);
        if candidates.len() > 1 {
            candidates.retain(|object| is_in_same_context(referrer, object, true));
        }
        if let [first, second, ..] = *candidates {
            candidates.retain(|object| is_in_same_context(referrer, object, false));
            if candidates.is_empty() {
                return Meaning::Unclear([first, second]);
            }
        }
        let Some((first, others)) = candidates.split_first() else {
            return Meaning::Nothing;
        };
        let differs = |other: &&&Resource| {
            other.name() != first.name()
                || written.is_in_mapping && other.namespace() != first.namespace()
        };
        match others.iter().find(differs) {
            Some(other) => Meaning::Ambiguous([first, other]),
            None => Meaning::Object(Referral {
                name: first.name(),
                namespace: first.namespace(),
            }),
        }
    }

    /// Returns the objects that had a name and that the referrer can reachable.
    fn reachable(
        &self,
        referrer: &Resource,
        written: WrittenName<'_>,
        reference: &ReferenceTo<'_>,
    ) -> Vec<&'a Resource> {
        let reachable = ReachableObjects::of(referrer);
        let mut candidates: Vec<&Resource> = self.named(written.name).collect();
        candidates.retain(|object| reachable.contains(object));
        if let Some(namespace) = written.namespace {
            self.retain_in_namespace(&mut candidates, namespace, &reachable);
        }
        candidates.retain(|object| had_kind(object, reference.target));
        if reference.field.path.as_str().ends_with("roleRef/name")
            && let Some(role) = role_kind(referrer)
        {
            candidates.retain(|object| had_kind(object, &role));
        }
        candidates.retain(|object| reachable.is_near(object));
        candidates
    }

    /// Keeps the objects whose original namespace is this one. If no candidate was there, keeps
    /// those that are there now.
    fn retain_in_namespace(
        &self,
        objects: &mut Vec<&Resource>,
        namespace: &str,
        reachable: &ReachableObjects<'_>,
    ) {
        let moved = self.by_original_namespace.get(namespace);
        let is_original =
            moved.is_some_and(|moved| moved.iter().any(|object| reachable.contains(object)));
        objects.retain(|object| {
            let id = match is_original {
                true => object.original_id(),
                false => object.id(),
            };
            id.scoped_namespace() == namespace
        });
    }

    fn named(&self, name: &str) -> impl Iterator<Item = &'a Resource> {
        self.by_name.get(name).into_iter().flatten().copied()
    }
}

/// The objects that an object can refer to.
struct ReachableObjects<'a> {
    referrer: ResourceId<'a>,
    /// The namespaces of the service accounts that a role binding names.
    account_namespaces: Vec<&'a str>,
}

impl<'a> ReachableObjects<'a> {
    fn of(referrer: &'a Resource) -> ReachableObjects<'a> {
        let namespaces = account_namespaces(referrer);
        ReachableObjects {
            referrer: referrer.id(),
            account_namespaces: namespaces.into_iter().filter_map(Node::as_str).collect(),
        }
    }

    /// Returns whether an object can be referred to at all.
    fn contains(&self, object: &Resource) -> bool {
        let id = object.id();
        self.referrer.is_cluster_scoped()
            || id.is_cluster_scoped()
            || id.scoped_namespace() == self.referrer.scoped_namespace()
            || self.account_namespaces.contains(&object.namespace())
    }

    /// Returns whether an object can be referred to by its name alone. As in kustomize, this
    /// applies to every service account.
    fn is_near(&self, object: &Resource) -> bool {
        let id = object.id();
        self.referrer.is_cluster_scoped()
            || id.is_cluster_scoped()
            || id.kind == "ServiceAccount"
            || id.scoped_namespace() == self.referrer.scoped_namespace()
    }
}

/// Returns the namespaces of the service accounts that are subjects of a role binding.
fn account_namespaces(binding: &Resource) -> Vec<&Node> {
    let mut namespaces = Vec::new();
    if binding.kind() != "RoleBinding" {
        return namespaces;
    }
    let Some(subjects) = binding.node.get("subjects") else {
        return namespaces;
    };
    let Some(subjects) = subjects.resolved().as_sequence() else {
        return namespaces;
    };
    for subject in &subjects.items {
        let subject = subject.value.resolved();
        let kind = subject
            .get("kind")
            .and_then(|kind| kind.resolved().as_str());
        if kind == Some("ServiceAccount")
            && let Some(namespace) = subject.get("namespace")
        {
            namespaces.push(&**namespace.resolved());
        }
    }
    namespaces
}

/// Returns the namespace of a service account that a role binding names, if it is not a text, such
/// as the null of `namespace:`.
pub(super) fn blank_subject_namespace(binding: &Resource) -> Option<&Node> {
    let is_known = binding.group() == "rbac.authorization.k8s.io";
    if !is_known || binding.id().is_cluster_scoped() {
        return None;
    }
    account_namespaces(binding)
        .into_iter()
        .find(|namespace| namespace.as_str().is_none())
}

fn had_kind(object: &Resource, kinds: &KindPattern) -> bool {
    let id = object.id();
    let mut previous = object.history.previous_ids.iter();
    previous.any(|PreviousId { kind, .. }| kinds.matches(ResourceId { kind, ..id }))
}

/// Returns the group and kind in `roleRef`, if it contains both.
fn role_kind(referrer: &Resource) -> Option<KindPattern> {
    let role = referrer.node.get("roleRef")?.resolved();
    let text = |key| {
        let node = role.get(key)?.resolved();
        node.text().filter(|_| !is_null(node))
    };
    Some(KindPattern {
        group: text("apiGroup")?.into(),
        kind: text("kind")?.into(),
        ..KindPattern::default()
    })
}

/// Returns whether two objects got the same prefixes and suffixes, as far as both got some. With
/// `allows_none`, an object without any matches every other object.
fn is_in_same_context(left: &Resource, right: &Resource, allows_none: bool) -> bool {
    let (left, right) = (&left.history, &right.history);
    is_same_end(&left.prefixes, &right.prefixes, allows_none)
        && is_same_end(&left.suffixes, &right.suffixes, allows_none)
}

/// Returns whether one list is the end of the other.
fn is_same_end(left: &[String], right: &[String], allows_none: bool) -> bool {
    if left.is_empty() || right.is_empty() {
        return allows_none || left.len() == right.len();
    }
    left.ends_with(right) || right.ends_with(left)
}
