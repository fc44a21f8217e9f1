//! Where the specs of pods are.

use super::{
    CRON_JOB, DAEMON_SET, DEPLOYMENT, JOB, Kind, POD, POD_TEMPLATE, REPLICA_SET,
    REPLICATION_CONTROLLER, STATEFUL_SET, spec,
};
use crate::kustomize::field_spec::FieldSpec;

/// A kind of object that contains a pod, and the path to the spec of the pod.
pub(super) type PodPath = (Kind, &'static str);

const TEMPLATE: &str = "spec/template/spec";
const JOB_TEMPLATE: &str = "spec/jobTemplate/spec/template/spec";

/// For references to ConfigMaps and Secrets.
pub(super) const WITH_CONFIGURATION: &[PodPath] = &[
    (("", "v1", "Pod"), "spec"),
    (POD_TEMPLATE, "template/spec"),
    (DEPLOYMENT, TEMPLATE),
    (REPLICA_SET, TEMPLATE),
    (DAEMON_SET, TEMPLATE),
    (STATEFUL_SET, TEMPLATE),
    (JOB, TEMPLATE),
    (CRON_JOB, JOB_TEMPLATE),
];

/// For references to service accounts, claims and priority classes. kustomize lists other kinds for
/// them.
pub(super) const WITH_ACCOUNT: &[PodPath] = &[
    (POD, "spec"),
    (STATEFUL_SET, TEMPLATE),
    (DEPLOYMENT, TEMPLATE),
    (REPLICATION_CONTROLLER, TEMPLATE),
    (CRON_JOB, JOB_TEMPLATE),
    (JOB, TEMPLATE),
    (DAEMON_SET, TEMPLATE),
];

/// For variables.
pub(super) const WITH_VARIABLES: &[PodPath] = &[
    (CRON_JOB, JOB_TEMPLATE),
    (DAEMON_SET, TEMPLATE),
    (DEPLOYMENT, TEMPLATE),
    (JOB, TEMPLATE),
    (POD, "spec"),
    (REPLICA_SET, TEMPLATE),
    (STATEFUL_SET, TEMPLATE),
];

/// Returns the specs of some fields of each pod.
pub(super) fn in_pods(pods: &[PodPath], fields: &[&str]) -> Vec<FieldSpec> {
    let mut specs = Vec::new();
    for (kind, pod) in pods {
        for field in fields {
            specs.push(spec(*kind, &format!("{pod}/{field}"), false));
        }
    }
    specs
}
