//! Migrates `vars`: each text with variables becomes a replacement of the whole field.
//!
//! ```text
//! kustomization.yaml                   app.yaml                        becomes
//! vars:                                env:                            - source: {kind: Service, name: api, fieldPath: metadata.name}
//! - name: HOST                         - name: URL                       targets:
//!   objref: {kind: Service, name: api}   value: http://$(HOST)/v1        - select: {kind: Deployment, name: web}
//!                                                                          fieldPaths: [spec….value]
//!                                                                          options: {prefix: "http://", suffix: /v1}
//! ```
//!
//! kustomize inserts values only into certain fields. To find these fields, the kustomization is
//! built and the records of the build are read. So a field is replaced only if a build would change
//! it.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use super::without_counterpart;
use crate::kustomization::target::{TargetObjects, item_steps};
use crate::kustomization::variable_uses::{FieldWithVariables, Variable, VariableUses, split};
use crate::source::world::World;
use crate::source::{Diagnostics, Reported, Result};
use crate::yaml::{Node, json_string};

/// Returns replacements that are equivalent to the `vars` of the kustomization in a folder.
///
/// # Errors
/// Reports the mistakes in the kustomization, and variables that cannot become replacements.
pub(super) fn replacements(
    world: &dyn World,
    folder: &Path,
    vars: &Arc<Node>,
    diagnostics: &mut Diagnostics,
) -> Result<String, Reported> {
    let uses = VariableUses::find(world, folder, vars, item_steps, diagnostics)?;
    let mut outcome = Ok(());
    for (name, variable) in &uses.variables {
        if uses.is_name_with_hash(variable) {
            let error = without_counterpart(
                &format!("the variable `{name}`, which is a name with a hash,"),
                "`inlay kustomize` builds the kustomization as it is",
            );
            outcome = Err(diagnostics.report(error.at(vars.location(), "")));
        }
    }
    outcome?;
    let mut text = String::new();
    for (pattern, fields) in &uses.by_text {
        match replacement(pattern, fields, &uses.variables, &uses.objects) {
            Ok(lines) => text.push_str(&lines),
            Err(error) => outcome = Err(diagnostics.report(error)),
        }
    }
    outcome.map(|()| text)
}

/// Returns the replacement for all fields with a text, as an item of a list.
fn replacement(
    pattern: &str,
    fields: &[FieldWithVariables],
    variables: &BTreeMap<String, Variable>,
    objects: &TargetObjects,
) -> Result<String> {
    if pattern.contains("$$") {
        let what = format!("the text `{pattern}` with `$$`, which a build writes as `$`,");
        return Err(without_counterpart(
            &what,
            "write the text without variables first",
        ));
    }
    let parts = split(pattern, variables);
    let mut text = format!("# {}\n", pattern.lines().next().unwrap_or_default());
    let mut options = String::new();
    let source = |name: &str| {
        variables
            .get(name)
            .map(Variable::source)
            .unwrap_or_default()
    };
    if let [(prefix, Some(variable)), (suffix, None)] = parts.as_slice() {
        text.push_str(&format!("- source: {}\n", source(variable)));
        let mut around = Vec::new();
        for (key, text) in [("prefix", prefix), ("suffix", suffix)] {
            if !text.is_empty() {
                around.push(format!("{key}: {}", json_string(text)));
            }
        }
        if !around.is_empty() {
            options = format!("    options: {{{}}}\n", around.join(", "));
        }
    } else {
        text.push_str("- sources:\n");
        let mut template = String::new();
        for (index, (before, variable)) in parts.iter().enumerate() {
            // A dollar sign that does not start a variable is doubled in a template.
            template.push_str(&before.replace('$', "$$"));
            if let Some(variable) = variable {
                text.push_str(&format!("    s{index}: {}\n", source(variable)));
                template.push_str(&format!("${{s{index}}}"));
            }
        }
        text.push_str(&format!("  template: {}\n", json_string(&template)));
    }
    text.push_str("  targets:\n");
    for field in fields {
        let select = objects.selector(&field.object);
        let path = json_string(&field.path);
        text.push_str(&format!("  - select: {select}\n"));
        text.push_str(&format!("    fieldPaths: [{path}]\n{options}"));
    }
    Ok(text)
}

impl Variable {
    /// Returns the source of a replacement.
    fn source(&self) -> String {
        let mut fields = vec![
            format!("kind: {}", json_string(&self.kind)),
            format!("name: {}", json_string(&self.name)),
        ];
        if let Some(namespace) = &self.namespace {
            fields.push(format!("namespace: {}", json_string(namespace)));
        }
        fields.push(format!("fieldPath: {}", json_string(&self.path)));
        format!("{{{}}}", fields.join(", "))
    }
}
