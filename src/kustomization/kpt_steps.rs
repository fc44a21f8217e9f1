//! The steps of the pipeline in a Kptfile.
//!
//! ```text
//! pipeline:
//!   mutators:
//!   - image: ghcr.io/kptdev/krm-functions-catalog/apply-setters:v0.2    in a container
//!     configPath: setters.yaml
//!   - exec: inlay                                                       a program, with `--allow-exec`
//!     configPath: inlay.yaml
//! ```

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::source::world::{World, read_found};
use crate::source::{Code, Diagnostic, Diagnostics, Reported, Result};
use crate::yaml::{Node, Value, parse_data};

/// The name of the file.
const KPTFILE: &str = "Kptfile";

/// A step of a pipeline.
#[derive(Clone, Debug)]
pub struct KptStep {
    /// The step as it is written.
    pub(super) node: Arc<Node>,
    /// The form of the step; `None` if the step has neither an image nor a program.
    pub form: Option<KptForm>,
    /// The path of its configuration, from the folder of the package.
    pub config_path: Option<String>,
    /// Whether it only checks the objects.
    pub is_validator: bool,
}

/// The form in which kpt runs a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KptForm {
    /// This image, in a container.
    Image(String),
    /// This program, with its arguments.
    Program(String),
}

impl KptStep {
    fn new(node: &Arc<Node>, is_validator: bool) -> KptStep {
        let text = |key: &str| node.get(key)?.resolved().text().map(str::to_owned);
        let image = text("image").map(KptForm::Image);
        KptStep {
            form: image.or_else(|| text("exec").map(KptForm::Program)),
            config_path: text("configPath"),
            node: Arc::clone(node),
            is_validator,
        }
    }

    /// Returns the image or the program, as it is written.
    pub fn name(&self) -> &str {
        match &self.form {
            Some(KptForm::Image(name) | KptForm::Program(name)) => name,
            None => "",
        }
    }
}

/// Returns the path of the Kptfile in a folder; `None` if it has none.
pub fn find_kptfile(world: &dyn World, folder: &Path) -> Option<PathBuf> {
    let path = folder.join(KPTFILE);
    world.kind(&path).is_ok().then_some(path)
}

/// Returns the steps of a Kptfile: the mutators and then the validators, in their order.
///
/// # Errors
/// Reports a file that cannot be read or is not YAML, and steps that are not a list.
pub fn kpt_steps(
    world: &dyn World,
    kptfile: &Path,
    diagnostics: &mut Diagnostics,
) -> Result<Vec<KptStep>, Reported> {
    diagnostics.check(read_steps(world, kptfile))
}

fn read_steps(world: &dyn World, kptfile: &Path) -> Result<Vec<KptStep>> {
    let stream = parse_data(&read_found(world, kptfile)?)?;
    let mut steps = Vec::new();
    let Some(document) = stream.documents.first() else {
        return Ok(steps);
    };
    for (key, is_validator) in [("mutators", false), ("validators", true)] {
        let Some(list) = document.root.get_in(&["pipeline", key]) else {
            continue;
        };
        let list = list.resolved();
        if matches!(list.value(), Some(Value::Null)) {
            continue;
        }
        let Some(items) = list.as_sequence() else {
            let message = format!("expected a list of steps in `pipeline.{key}`");
            let error = Diagnostic::error(Code::Config, message);
            return Err(error.at(list.location(), "not a list"));
        };
        for item in &items.items {
            steps.push(KptStep::new(item.value.resolved(), is_validator));
        }
    }
    Ok(steps)
}
