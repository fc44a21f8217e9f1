//! Where labels and selectors are.

use super::{
    ANY, APPS_DEPLOYMENT, APPS_STATEFUL_SET, BATCH_CRON_JOB, BATCH_JOB, DAEMON_SET, DEPLOYMENT,
    Fields, REPLICA_SET, V1_REPLICATION_CONTROLLER,
};

/// The labels of objects themselves.
pub(in crate::kustomize::field_spec) const METADATA_LABELS: &[Fields] =
    &[Fields::created(&[ANY], &["metadata/labels"])];

/// The labels of what objects create.
pub(in crate::kustomize::field_spec) const TEMPLATE_LABELS: &[Fields] = &[
    Fields::created(
        &[
            V1_REPLICATION_CONTROLLER,
            DEPLOYMENT,
            REPLICA_SET,
            DAEMON_SET,
            APPS_STATEFUL_SET,
            BATCH_JOB,
        ],
        &["spec/template/metadata/labels"],
    ),
    Fields::created(
        &[BATCH_CRON_JOB],
        &[
            "spec/jobTemplate/metadata/labels",
            "spec/jobTemplate/spec/template/metadata/labels",
        ],
    ),
];

/// The labels of the claims that objects create.
pub(in crate::kustomize::field_spec) const VOLUME_CLAIM_TEMPLATE_LABELS: &[Fields] =
    &[Fields::created(
        &[APPS_STATEFUL_SET],
        &["spec/volumeClaimTemplates[]/metadata/labels"],
    )];

/// The selectors that look for labels.
pub(in crate::kustomize::field_spec) const SELECTORS: &[Fields] = &[
    Fields::created(
        &[("", "v1", "Service"), V1_REPLICATION_CONTROLLER],
        &["spec/selector"],
    ),
    Fields::created(
        &[DEPLOYMENT, REPLICA_SET, DAEMON_SET, APPS_STATEFUL_SET],
        &["spec/selector/matchLabels"],
    ),
    Fields::existing(
        &[APPS_DEPLOYMENT, APPS_STATEFUL_SET],
        &[
            "spec/template/spec/affinity/podAffinity/preferredDuringSchedulingIgnoredDuringExecution/podAffinityTerm/labelSelector/matchLabels",
            "spec/template/spec/affinity/podAffinity/requiredDuringSchedulingIgnoredDuringExecution/labelSelector/matchLabels",
            "spec/template/spec/affinity/podAntiAffinity/preferredDuringSchedulingIgnoredDuringExecution/podAffinityTerm/labelSelector/matchLabels",
            "spec/template/spec/affinity/podAntiAffinity/requiredDuringSchedulingIgnoredDuringExecution/labelSelector/matchLabels",
            "spec/template/spec/topologySpreadConstraints/labelSelector/matchLabels",
        ],
    ),
    Fields::existing(
        &[BATCH_JOB, ("policy", "", "PodDisruptionBudget")],
        &["spec/selector/matchLabels"],
    ),
    Fields::existing(
        &[BATCH_CRON_JOB],
        &["spec/jobTemplate/spec/selector/matchLabels"],
    ),
    Fields::existing(
        &[("networking.k8s.io", "", "NetworkPolicy")],
        &[
            "spec/podSelector/matchLabels",
            "spec/ingress/from/podSelector/matchLabels",
            "spec/egress/to/podSelector/matchLabels",
        ],
    ),
];
