//! Where variables (`$(NAME)`) are replaced.

use super::pods::{WITH_VARIABLES, in_pods};
use super::{
    ANY, CRON_JOB, DAEMON_SET, DEPLOYMENT, Fields, JOB, POD, REPLICA_SET, STATEFUL_SET, specs,
};
use crate::kustomize::field_spec::FieldSpec;

const IN_CONTAINERS: [&str; 8] = [
    "containers/args",
    "containers/command",
    "containers/env/value",
    "containers/volumeMounts/mountPath",
    "initContainers/args",
    "initContainers/command",
    "initContainers/env/value",
    "initContainers/volumeMounts/mountPath",
];

const ELSEWHERE: &[Fields] = &[
    Fields::existing(
        &[DAEMON_SET, DEPLOYMENT, JOB, REPLICA_SET],
        &["spec/template/spec/volumes/nfs/server"],
    ),
    Fields::existing(&[POD], &["spec/volumes/nfs/server"]),
    // There is no such field: kustomize's table leaves out the spec of the pod.
    Fields::existing(
        &[CRON_JOB],
        &["spec/jobTemplate/spec/template/volumes/nfs/server"],
    ),
    Fields::existing(
        &[STATEFUL_SET],
        &["spec/volumeClaimTemplates/spec/nfs/server"],
    ),
    Fields::existing(&[DEPLOYMENT], &["spec/template/metadata/annotations"]),
    Fields::existing(
        &[("", "", "Ingress")],
        &["spec/rules/host", "spec/tls/hosts", "spec/tls/secretName"],
    ),
    Fields::existing(
        &[("", "", "Service")],
        &["spec/ports/port", "spec/ports/targetPort"],
    ),
    Fields::existing(&[("", "", "PersistentVolume")], &["spec/nfs/server"]),
    Fields::existing(&[ANY], &["metadata/labels", "metadata/annotations"]),
];

/// Returns the fields whose text may contain variables.
pub(in crate::kustomize::field_spec) fn var_references() -> Vec<FieldSpec> {
    let mut references = in_pods(WITH_VARIABLES, &IN_CONTAINERS);
    references.extend(specs(ELSEWHERE));
    references
}
