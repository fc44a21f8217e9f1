//! Labels that kustomize adds at several places of an object.

use super::values_of;

const DEPLOYMENT: &str = "\
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec: {template: {metadata: {labels: {own: x}}}}
";

/// A transformer of labels that runs after another one.
const LATER_LABELS: &str = "\
transformers:
- |
  apiVersion: builtin
  kind: LabelTransformer
  metadata: {name: later}
  labels: {app: later}
  fieldSpecs: [{path: metadata/labels, create: true}]
";

/// Returns a JSON patch that runs as a transformer after `labels`.
fn late_patch(patch: &str) -> String {
    format!(
        "transformers:\n- |\n  apiVersion: builtin\n  kind: PatchTransformer\n  metadata: {{name: late}}\n  \
         target: {{kind: Deployment}}\n  patch: '{patch}'\n"
    )
}

#[test]
fn a_label_that_was_added_at_several_places_changes_at_all_of_them() {
    let everywhere = ["`app` changes at all places of `Deployment/web` that it was added to"];
    let labels = "commonLabels: {app: web}\n";
    let strategic = |fields: &str| {
        late_patch(&format!(
            "{{apiVersion: apps/v1, kind: Deployment, metadata: {{name: web}}, {fields}}}"
        ))
    };
    // The values are in the order of the output: metadata, selector, template.
    let template = strategic("spec: {template: {metadata: {labels: {app: new}}}}");
    assert_eq!(
        values_of("app", DEPLOYMENT, &format!("{labels}{template}")),
        (
            "new new new".to_owned(),
            everywhere.map(str::to_owned).to_vec()
        )
    );
    let (values, warnings) = values_of("app", DEPLOYMENT, &format!("{labels}{LATER_LABELS}"));
    assert_eq!((&*values, warnings.len()), ("later later later", 1));
    // The last of two changes wins.
    let both = "metadata: {name: web, labels: {app: one}}, spec: {template: {metadata: {labels: {app: two}}}}";
    let both = late_patch(&format!(
        "{{apiVersion: apps/v1, kind: Deployment, {both}}}"
    ));
    assert_eq!(
        values_of("app", DEPLOYMENT, &format!("{labels}{both}")).0,
        "two two two"
    );
}

#[test]
fn an_existing_label_and_a_label_that_a_json_patch_changes_are_separate_values() {
    let own = DEPLOYMENT.replace("own: x", "app: web");
    let labels = "commonLabels: {app: web}\n";
    let (values, warnings) = values_of("app", &own, &format!("{labels}{LATER_LABELS}"));
    assert_eq!((&*values, warnings.len()), ("later later web", 1));
    let json = late_patch(r#"[{"op": "replace", "path": "/metadata/labels/app", "value": "new"}]"#);
    let (values, warnings) = values_of("app", DEPLOYMENT, &format!("{labels}{json}"));
    assert_eq!((&*values, warnings.len()), ("new web web", 0));
    let replaced = late_patch(
        "{apiVersion: apps/v1, kind: Deployment, metadata: {name: web, labels: {$patch: replace, app: new}}}",
    );
    let (values, warnings) = values_of("app", DEPLOYMENT, &format!("{labels}{replaced}"));
    assert_eq!((&*values, warnings.len()), ("new web web", 0));
}
