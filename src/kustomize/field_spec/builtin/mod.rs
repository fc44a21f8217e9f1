//! The field specs that kustomize has without any configuration.
//!
//! A row of a table is a [`Fields`]: each of its paths in each of its kinds. The tables are those
//! of kustomize 5.8, in its order.

mod labels;
mod name_references;
mod pods;
mod var_references;

pub(super) use self::labels::{
    METADATA_LABELS, SELECTORS, TEMPLATE_LABELS, VOLUME_CLAIM_TEMPLATE_LABELS,
};
pub(super) use self::name_references::name_references;
pub(super) use self::var_references::var_references;
use super::{FieldSpec, FieldSpecPath, KindPattern};

/// Group, version and kind; an empty part means any.
type Kind = (&'static str, &'static str, &'static str);

/// Fields that several kinds have in the same places.
pub(super) struct Fields {
    kinds: &'static [Kind],
    paths: &'static [&'static str],
    create: bool,
}

impl Fields {
    const fn existing(kinds: &'static [Kind], paths: &'static [&'static str]) -> Fields {
        Fields {
            kinds,
            paths,
            create: false,
        }
    }

    const fn created(kinds: &'static [Kind], paths: &'static [&'static str]) -> Fields {
        Fields {
            kinds,
            paths,
            create: true,
        }
    }
}

const ANY: Kind = ("", "", "");
const POD: Kind = ("", "", "Pod");
const POD_TEMPLATE: Kind = ("", "", "PodTemplate");
const DEPLOYMENT: Kind = ("", "", "Deployment");
const REPLICA_SET: Kind = ("", "", "ReplicaSet");
const DAEMON_SET: Kind = ("", "", "DaemonSet");
const STATEFUL_SET: Kind = ("", "", "StatefulSet");
const REPLICATION_CONTROLLER: Kind = ("", "", "ReplicationController");
const JOB: Kind = ("", "", "Job");
const CRON_JOB: Kind = ("", "", "CronJob");

const V1_REPLICATION_CONTROLLER: Kind = ("", "v1", "ReplicationController");
const APPS_DEPLOYMENT: Kind = ("apps", "", "Deployment");
const APPS_STATEFUL_SET: Kind = ("apps", "", "StatefulSet");
const BATCH_JOB: Kind = ("batch", "", "Job");
const BATCH_CRON_JOB: Kind = ("batch", "", "CronJob");

/// Names that a prefix or suffix is added to.
pub(super) const NAMES: &[Fields] = &[Fields::existing(&[ANY], &["metadata/name"])];

/// Namespaces other than `metadata.namespace`, which every object has.
pub(super) const NAMESPACES: &[Fields] = &[
    Fields::created(&[("", "", "Namespace")], &["metadata/name"]),
    Fields::created(
        &[("apiregistration.k8s.io", "", "APIService")],
        &["spec/service/namespace"],
    ),
    Fields::existing(
        &[("apiextensions.k8s.io", "", "CustomResourceDefinition")],
        &["spec/conversion/webhook/clientConfig/service/namespace"],
    ),
];

/// Annotations of objects and of what they create.
pub(super) const COMMON_ANNOTATIONS: &[Fields] = &[
    Fields::created(&[ANY], &["metadata/annotations"]),
    Fields::created(
        &[
            V1_REPLICATION_CONTROLLER,
            DEPLOYMENT,
            REPLICA_SET,
            DAEMON_SET,
            STATEFUL_SET,
            BATCH_JOB,
        ],
        &["spec/template/metadata/annotations"],
    ),
    Fields::created(
        &[BATCH_CRON_JOB],
        &[
            "spec/jobTemplate/metadata/annotations",
            "spec/jobTemplate/spec/template/metadata/annotations",
        ],
    ),
];

/// Images, in addition to those that are found without a path.
///
/// `create` has no effect on images, but a configuration that repeats these has to agree with it.
pub(super) const IMAGES: &[Fields] = &[Fields::created(
    &[ANY],
    &[
        "spec/containers[]/image",
        "spec/initContainers[]/image",
        "spec/volumes[]/image/reference",
        "spec/template/spec/containers[]/image",
        "spec/template/spec/initContainers[]/image",
        "spec/template/spec/volumes[]/image/reference",
        "spec/jobTemplate/spec/template/spec/volumes[]/image/reference",
    ],
)];

/// Numbers of replicas.
pub(super) const REPLICAS: &[Fields] = &[Fields::created(
    &[
        DEPLOYMENT,
        STATEFUL_SET,
        REPLICA_SET,
        REPLICATION_CONTROLLER,
    ],
    &["spec/replicas"],
)];

/// Returns the specs of the rows of a table.
pub(super) fn specs(table: &[Fields]) -> Vec<FieldSpec> {
    let mut specs = Vec::new();
    for row in table {
        for path in row.paths {
            for &kind in row.kinds {
                specs.push(spec(kind, path, row.create));
            }
        }
    }
    specs
}

fn spec(kind: Kind, path: &str, create: bool) -> FieldSpec {
    FieldSpec {
        kinds: pattern(kind),
        path: FieldSpecPath::parse(path),
        create,
        location: None,
    }
}

fn pattern((group, version, kind): Kind) -> KindPattern {
    KindPattern {
        group: group.into(),
        version: version.into(),
        kind: kind.into(),
    }
}
