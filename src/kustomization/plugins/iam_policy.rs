//! `IAMPolicyGenerator`: the service account that a workload on Google's cloud runs as.

use std::sync::Arc;

use serde::Deserialize;

use super::builtin::config_error;
use crate::kubernetes::Resource;
use crate::source::{Diagnostics, Reported};
use crate::typed::{RawNode, read_known_fields};
use crate::yaml::{Entry, Node};

/// The annotation that names the account of the cloud.
const ACCOUNT: &str = "iam.gke.io/gcp-service-account";

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct IamPolicyConfig {
    #[serde(rename = "apiVersion")]
    _api_version: Option<RawNode>,
    #[serde(rename = "kind")]
    _kind: Option<RawNode>,
    #[serde(rename = "metadata")]
    _metadata: Option<RawNode>,
    cloud: Option<String>,
    kubernetes_service: Option<KubernetesService>,
    service_account: Option<CloudAccount>,
}

/// The service account of the cluster.
#[derive(Default, Deserialize)]
#[serde(default)]
struct KubernetesService {
    name: Option<String>,
    namespace: Option<String>,
}

/// The account of the cloud.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct CloudAccount {
    name: Option<String>,
    project_id: Option<String>,
}

/// Returns the object that a configuration generates.
///
/// # Errors
/// Reports every mistake in the configuration, and another cloud.
pub(super) fn generate(
    configuration: &Resource,
    diagnostics: &mut Diagnostics,
) -> Result<Resource, Reported> {
    let errors = diagnostics.errors();
    let config: IamPolicyConfig = read_known_fields(&configuration.node, diagnostics)?;
    if diagnostics.errors() > errors {
        diagnostics.outcome()?;
    }
    let cloud = config.cloud.unwrap_or_default();
    if cloud != "gke" {
        let message = format!("cloud provider `{cloud}` is not supported");
        let error = config_error(message, configuration).help("use `cloud: gke`");
        return Err(diagnostics.report(error));
    }
    let account = config.service_account.unwrap_or_default();
    let service = config.kubernetes_service.unwrap_or_default();
    let account_name = account.name.unwrap_or_default();
    let name = service.name.unwrap_or_default();
    for (field, value) in [
        ("serviceAccount.name", &account_name),
        ("kubernetesService.name", &name),
    ] {
        if value.is_empty() {
            let message = format!("expected `{field}`, found none");
            return Err(diagnostics.report(config_error(message, configuration)));
        }
    }
    let project = account.project_id.unwrap_or_default();
    let account = format!("{account_name}@{project}.iam.gserviceaccount.com");
    let annotations = Node::mapping(vec![Entry::new(ACCOUNT, Node::string(account))]);
    let mut metadata = vec![
        Entry::new("annotations", annotations),
        Entry::new("name", without_quotes(&name)),
    ];
    if let Some(namespace) = service.namespace.filter(|namespace| !namespace.is_empty()) {
        metadata.push(Entry::new("namespace", without_quotes(&namespace)));
    }
    let node = Node::mapping(vec![
        Entry::new("apiVersion", Node::string("v1")),
        Entry::new("kind", Node::string("ServiceAccount")),
        Entry::new("metadata", Node::mapping(metadata)),
    ]);
    diagnostics.check(Resource::new(node))
}

/// Returns a text as kustomize puts it into the text of an object: `12` is a number there.
fn without_quotes(text: &str) -> Arc<Node> {
    let plain = Node::plain(text);
    match plain.as_str() {
        Some(text) => Node::string(text),
        None => plain,
    }
}
