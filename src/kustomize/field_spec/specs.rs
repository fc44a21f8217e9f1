//! The field specs of all transformers of a build, and how two sets of them are merged.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock};

use super::builtin::{self, specs};
use super::{FieldSpec, KindPattern};
use crate::kubernetes::{KindOrder, Resource};
use crate::source::{Code, Diagnostic, Diagnostics, Reported, Result};

/// The lists of field specs of all transformers.
///
/// A kustomization starts with those of the kustomizations below it, and adds kustomize's own
/// ([`FieldSpecs::builtin`]) and those of its configuration files. The lists are shared until they
/// are changed, so a copy for each kustomization costs nothing.
#[derive(Clone, Debug, Default)]
pub struct FieldSpecs {
    /// `namePrefix`.
    pub name_prefix: Arc<Vec<FieldSpec>>,
    /// `nameSuffix`.
    pub name_suffix: Arc<Vec<FieldSpec>>,
    /// `namespace`, without `metadata.namespace`.
    pub namespace: Arc<Vec<FieldSpec>>,
    /// `commonLabels`: labels and selectors; also `labels` with `includeSelectors`.
    pub common_labels: Arc<Vec<FieldSpec>>,
    /// Fields that every entry of `labels` has.
    pub labels: Arc<Vec<FieldSpec>>,
    /// `labels` with `includeTemplates`.
    pub template_labels: Arc<Vec<FieldSpec>>,
    /// `labels` with `includeVolumeClaimTemplates`.
    pub volume_claim_template_labels: Arc<Vec<FieldSpec>>,
    /// `commonAnnotations`.
    pub common_annotations: Arc<Vec<FieldSpec>>,
    /// Fields that contain the name of another object.
    pub name_reference: Arc<Vec<NameReferenceSpec>>,
    /// Fields whose text may contain variables.
    pub var_reference: Arc<Vec<FieldSpec>>,
    /// `images`.
    pub images: Arc<Vec<FieldSpec>>,
    /// `replicas`.
    pub replicas: Arc<Vec<FieldSpec>>,
}

/// The fields that contain the name of an object of one kind.
#[derive(Clone, Debug)]
pub struct NameReferenceSpec {
    /// The kind of the object that is named.
    pub target: KindPattern,
    /// The fields.
    pub referrers: Vec<FieldSpec>,
}

/// The fields that an entry of `labels` is for.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::kustomize) struct LabelScope {
    /// Selectors, and everything that they select.
    pub(in crate::kustomize) selectors: bool,
    /// Templates of pods.
    pub(in crate::kustomize) templates: bool,
    /// Templates of volume claims.
    pub(in crate::kustomize) volume_claim_templates: bool,
}

static KIND_ORDER: LazyLock<KindOrder> = LazyLock::new(KindOrder::default);

static BUILTIN: LazyLock<FieldSpecs> = LazyLock::new(|| {
    let shared = |mut specs: Vec<FieldSpec>| {
        sort(&mut specs);
        Arc::new(specs)
    };
    let mut common_labels = specs(builtin::METADATA_LABELS);
    common_labels.extend(specs(builtin::SELECTORS));
    common_labels.extend(specs(builtin::TEMPLATE_LABELS));
    common_labels.extend(specs(builtin::VOLUME_CLAIM_TEMPLATE_LABELS));
    let mut name_reference = builtin::name_references();
    sort_references(&mut name_reference);
    FieldSpecs {
        name_prefix: shared(specs(builtin::NAMES)),
        name_suffix: shared(specs(builtin::NAMES)),
        namespace: shared(specs(builtin::NAMESPACES)),
        common_labels: shared(common_labels),
        labels: Arc::default(),
        template_labels: shared(specs(builtin::TEMPLATE_LABELS)),
        volume_claim_template_labels: shared(specs(builtin::VOLUME_CLAIM_TEMPLATE_LABELS)),
        common_annotations: shared(specs(builtin::COMMON_ANNOTATIONS)),
        name_reference: Arc::new(name_reference),
        var_reference: shared(builtin::var_references()),
        images: shared(specs(builtin::IMAGES)),
        replicas: shared(specs(builtin::REPLICAS)),
    }
});

impl FieldSpecs {
    /// Returns kustomize's own field specs.
    pub fn builtin() -> FieldSpecs {
        BUILTIN.clone()
    }

    /// Returns the fields of an entry of `labels`: its own fields and those that its options add.
    ///
    /// Warns if its own fields hide specs of kustomize's table for one of `resources`.
    ///
    /// # Errors
    /// Reports fields that are there with another `create`.
    pub(in crate::kustomize) fn of_labels(
        &self,
        mut fields: Vec<FieldSpec>,
        scope: LabelScope,
        resources: &[Resource],
        diagnostics: &mut Diagnostics,
    ) -> Result<Vec<FieldSpec>, Reported> {
        let metadata = specs(builtin::METADATA_LABELS);
        let all: &[&[FieldSpec]] = if scope.selectors {
            &[&self.labels, &self.common_labels]
        } else {
            let templates: &[FieldSpec] = match scope.templates {
                true => &self.template_labels,
                false => &[],
            };
            let claims: &[FieldSpec] = match scope.volume_claim_templates {
                true => &self.volume_claim_template_labels,
                false => &[],
            };
            &[&self.labels, templates, claims, &metadata]
        };
        for specs in all {
            let added = missing_specs("labels", &fields, specs, diagnostics)?;
            fields.extend(added);
        }
        for specs in all {
            warn_of_hidden("labels", specs, &fields, resources, diagnostics);
        }
        Ok(fields)
    }

    /// Warns about each spec of kustomize's table that would be for one of `resources`, but that
    /// narrower specs of the configuration hide. kustomize hides it silently.
    pub fn warn_of_hidden(&mut self, resources: &[Resource], diagnostics: &mut Diagnostics) {
        let mut builtin = FieldSpecs::builtin();
        for ((name, table), (_, list)) in builtin.lists().into_iter().zip(self.lists()) {
            if !Arc::ptr_eq(table, list) {
                warn_of_hidden(name, table, list, resources, diagnostics);
            }
        }
        if Arc::ptr_eq(&builtin.name_reference, &self.name_reference) {
            return;
        }
        for table in builtin.name_reference.iter() {
            let mut references = self.name_reference.iter();
            if let Some(list) = references.find(|list| list.target == table.target) {
                let (table, list) = (&table.referrers, &list.referrers);
                warn_of_hidden("nameReference", table, list, resources, diagnostics);
            }
        }
    }

    /// Adds the specs of `other` that are not there yet, and sorts the lists by kind.
    ///
    /// Both must be the result of merging. Warns about a spec of a configuration that is ignored
    /// because there are narrower specs with its path: kustomize ignores it silently. For those of
    /// kustomize's table, see [`warn_of_hidden`](Self::warn_of_hidden).
    ///
    /// # Errors
    /// Reports each spec that is there with another `create`.
    pub fn merge(
        &mut self,
        mut other: FieldSpecs,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), Reported> {
        let mut outcome = Ok(());
        for ((name, own), (_, new)) in self.lists().into_iter().zip(other.lists()) {
            outcome = outcome.and(merge_lists(name, own, new, diagnostics));
        }
        let references = &mut self.name_reference;
        outcome.and(merge_references(
            references,
            &other.name_reference,
            diagnostics,
        ))
    }

    /// Returns specs as written, without those that occur twice, and sorted by kind.
    ///
    /// # Errors
    /// Reports each spec that occurs twice with another `create`.
    pub(super) fn without_repetitions(
        mut self,
        diagnostics: &mut Diagnostics,
    ) -> Result<FieldSpecs, Reported> {
        let mut outcome = Ok(());
        for (name, list) in self.lists() {
            match missing_specs(name, &[], list, diagnostics) {
                Ok(mut specs) => {
                    sort(&mut specs);
                    *list = Arc::new(specs);
                }
                Err(reported) => outcome = Err(reported),
            }
        }
        let written = std::mem::take(&mut self.name_reference);
        outcome = outcome.and(merge_references(
            &mut self.name_reference,
            &written,
            diagnostics,
        ));
        outcome.map(|()| self)
    }

    /// Returns the plain lists with the names that kustomize gives them in errors.
    pub(super) fn lists(&mut self) -> [(&'static str, &mut Arc<Vec<FieldSpec>>); 11] {
        [
            ("NamePrefix", &mut self.name_prefix),
            ("NameSuffix", &mut self.name_suffix),
            ("namespace", &mut self.namespace),
            ("commonLabels", &mut self.common_labels),
            ("labels", &mut self.labels),
            ("templateLabels", &mut self.template_labels),
            (
                "volumeClaimTemplateLabels",
                &mut self.volume_claim_template_labels,
            ),
            ("commonAnnotations", &mut self.common_annotations),
            ("varReference", &mut self.var_reference),
            ("images", &mut self.images),
            ("replicas", &mut self.replicas),
        ]
    }
}

fn merge_lists(
    name: &str,
    own: &mut Arc<Vec<FieldSpec>>,
    new: &Arc<Vec<FieldSpec>>,
    diagnostics: &mut Diagnostics,
) -> Result<(), Reported> {
    // Nearly all kustomizations have the lists that are built in, and share them.
    if Arc::ptr_eq(own, new) || new.is_empty() {
        return Ok(());
    }
    if own.is_empty() && new.iter().all(|spec| spec.location.is_none()) {
        *own = Arc::clone(new);
        return Ok(());
    }
    let added = missing_specs(name, own, new, diagnostics)?;
    if !added.is_empty() {
        let list = Arc::make_mut(own);
        list.extend(added);
        sort(list);
    }
    Ok(())
}

/// Returns the specs of `new` that are not in `own`.
///
/// # Errors
/// Reports each spec that is there with another `create`.
fn missing_specs(
    name: &str,
    own: &[FieldSpec],
    new: &[FieldSpec],
    diagnostics: &mut Diagnostics,
) -> Result<Vec<FieldSpec>, Reported> {
    let mut by_path: HashMap<&str, Vec<&FieldSpec>> = HashMap::new();
    for spec in own {
        by_path.entry(spec.path.as_str()).or_default().push(spec);
    }
    let mut outcome = Ok(());
    let mut missing = Vec::new();
    for spec in new {
        let known = by_path.entry(spec.path.as_str()).or_default();
        // The new spec is the pattern, not the old one: a new spec for any kind is a duplicate if
        // there is a spec for a single kind.
        let Some(equal) = known
            .iter()
            .find(|known| spec.kinds.matches(known.kinds.as_id()))
        else {
            known.push(spec);
            missing.push(spec.clone());
            continue;
        };
        if equal.create != spec.create {
            outcome = Err(diagnostics.report(conflict(name, equal, spec)));
        } else if equal.kinds != spec.kinds {
            // A spec of the table may be for objects that the build does not have. See
            // `warn_of_hidden`.
            if spec.location.is_some() {
                diagnostics.push(ignored(name, equal, spec));
            }
        }
    }
    outcome.map(|()| missing)
}

fn conflict(name: &str, known: &FieldSpec, new: &FieldSpec) -> Box<Diagnostic> {
    let message = format!(
        "failed to merge {name} fieldSpec: conflicting fieldspecs for `{}`: `create` is {} here and {} {}",
        new.path,
        new.create,
        known.create,
        match known.location {
            Some(_) => "there",
            None => "in the table of kustomize",
        }
    );
    Diagnostic::error(Code::Config, message)
        .at(new.location.clone(), "this field spec")
        .at(known.location.clone(), "the one that is there already")
        .help(format!("write `create: {}`", known.create))
}

fn ignored(name: &str, known: &FieldSpec, new: &FieldSpec) -> Box<Diagnostic> {
    let message = format!(
        "the field spec `{}` of {name} is ignored: there are specs with this path for single kinds",
        new.path
    );
    Diagnostic::warning(Code::Config, message)
        .at(new.location.clone(), "")
        .at(known.location.clone(), "such as this one")
        .note(format!("one of them is for {}", known.kinds))
        .help("write a field spec for each `kind` that it is meant for")
}

/// Warns about each spec of kustomize's table that would be for an object of the build, but that
/// narrower specs of the configuration hide.
///
/// ```text
/// table:          spec/template/metadata/annotations of Deployment
/// configuration:  spec/template/metadata/annotations of Deployment in apps/v1beta1
/// object:         a Deployment in apps/v1     <- gets no annotations
/// ```
///
/// Every kubebuilder project hides a spec for all versions of CustomResourceDefinition by one for
/// `v1`, and has no object of another version. So the objects decide.
fn warn_of_hidden(
    name: &str,
    table: &[FieldSpec],
    list: &[FieldSpec],
    resources: &[Resource],
    diagnostics: &mut Diagnostics,
) {
    for hidden in table.iter().filter(|spec| spec.location.is_none()) {
        let same_path = || {
            let path = hidden.path.as_str();
            list.iter().filter(move |spec| spec.path.as_str() == path)
        };
        if same_path().any(|spec| spec.kinds == hidden.kinds) {
            continue;
        }
        let mut hiding = same_path().filter(|spec| hidden.kinds.matches(spec.kinds.as_id()));
        // The table has narrow and wide specs for `metadata/name`. Those are meant so.
        let Some(known) = hiding.find(|spec| spec.location.is_some()) else {
            continue;
        };
        let missed = resources.iter().find(|resource| {
            let id = resource.id();
            hidden.kinds.matches(id) && !same_path().any(|spec| spec.kinds.matches(id))
        });
        if let Some(missed) = missed {
            let warning = ignored(name, known, hidden)
                .note("the one that is ignored is in the table of kustomize")
                .note(format!("none of them is for {}", missed.id()));
            // A kustomization and those that include it hide the same spec.
            diagnostics.push_once(warning);
        }
    }
}

fn merge_references(
    own: &mut Arc<Vec<NameReferenceSpec>>,
    new: &Arc<Vec<NameReferenceSpec>>,
    diagnostics: &mut Diagnostics,
) -> Result<(), Reported> {
    if Arc::ptr_eq(own, new) || new.is_empty() {
        return Ok(());
    }
    let mut outcome = Ok(());
    let mut merged = own.to_vec();
    for reference in new.iter() {
        let known = merged
            .iter_mut()
            .find(|known| known.target == reference.target);
        let Some(known) = known else {
            merged.push(reference.clone());
            continue;
        };
        let referrers = &reference.referrers;
        match missing_specs("nameReference", &known.referrers, referrers, diagnostics) {
            Ok(missing) => known.referrers.extend(missing),
            Err(reported) => outcome = Err(reported),
        }
    }
    sort_references(&mut merged);
    *own = Arc::new(merged);
    outcome
}

/// Sorts specs by kind. The order matters if two specs lead to the same field.
fn sort(specs: &mut [FieldSpec]) {
    specs.sort_by(|left, right| KIND_ORDER.compare(left.kinds.as_id(), right.kinds.as_id()));
}

fn sort_references(references: &mut [NameReferenceSpec]) {
    references.sort_by(|left, right| KIND_ORDER.compare(left.target.as_id(), right.target.as_id()));
}
