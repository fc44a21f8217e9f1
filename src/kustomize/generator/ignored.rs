//! Checks the parts of an entry that kustomize ignores, and that Inlay's own configurations refuse.

use super::check::find_behavior;
use super::config::GeneratorConfig;
use super::model::{Behavior, GeneratorKind};
use crate::source::suggest::did_you_mean;
use crate::source::{Code, Diagnostic, Diagnostics, Location};

impl GeneratorConfig {
    /// Removes a behavior that does not exist, with a warning: kustomize creates the object then.
    pub fn without_unknown_behavior(mut self, diagnostics: &mut Diagnostics) -> GeneratorConfig {
        let is_unknown = |name: &str| find_behavior(name).is_none();
        if let Some(behavior) = self.behavior.take_if(|name| is_unknown(&name.value)) {
            let message = format!("the behavior `{}` is ignored", behavior.value);
            let suggestion = did_you_mean(&behavior.value, Behavior::ALL.map(Behavior::name));
            diagnostics.push(
                Diagnostic::warning(Code::Config, message)
                    .at(
                        behavior.location,
                        "not one of `create`, `merge` and `replace`",
                    )
                    .help_if(suggestion),
            );
        }
        self
    }

    /// Removes the fields that a plugin of kustomize does not have, with a warning for each.
    pub fn without_entry_fields(
        mut self,
        kind: GeneratorKind,
        diagnostics: &mut Diagnostics,
    ) -> GeneratorConfig {
        if let Some(env) = self.env.take() {
            diagnostics.push(ignored("env", env.location).help("write it as an item of `envs`"));
        }
        let secret_type = self
            .secret_type
            .take_if(|_| kind == GeneratorKind::ConfigMap);
        if let Some(secret_type) = secret_type {
            diagnostics.push(ignored("type", secret_type.location));
        }
        self
    }
}

fn ignored(field: &str, location: Option<Location>) -> Box<Diagnostic> {
    let message = format!("unknown field `{field}` is ignored");
    Diagnostic::warning(Code::Config, message).at(location, "")
}
