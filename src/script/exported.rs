//! Values that outlive the evaluation that created them: for another library, or for later use.

use std::sync::Arc;

use starlark::environment::{FrozenModule, Module};
use starlark::values::list::ListRef;
use starlark::values::{OwnedFrozenValue, Value as Raw};

use super::caller::{Caller, Value};
use super::error;
use super::program::Program;
use super::reads;
use super::session::Session;
use super::value::{Structure, struct_value};
use crate::edit::PathStep;
use crate::source::Result;
use crate::yaml::Node;

/// A frozen value. It keeps alive everything that it refers to.
#[derive(Clone, Debug)]
pub struct Exported(pub(super) OwnedFrozenValue);

impl Exported {
    /// Converts data values, once for all programs of a library.
    ///
    /// # Errors
    /// Fails for a key that cannot be the name of a field.
    pub fn data_values(values: &Arc<Node>, session: &Session) -> Result<Exported> {
        let exported = freeze_values(values).map_err(|error| error::diagnose(error, session))?;
        if reads::is_on() {
            record_structs(exported.0.value(), values, &mut Vec::new());
            reads::keep(exported.clone());
        }
        Ok(exported)
    }
}

impl Exported {
    /// Runs a program with this value as its data values.
    pub(super) fn seen_by<R>(&self, run: impl FnOnce() -> R) -> R {
        reads::seeing(Structure::from_value(self.0.value()), run)
    }
}

fn freeze_values(values: &Arc<Node>) -> starlark::Result<Exported> {
    const NAME: &str = "values";
    // Values can only be frozen with a module, so this creates a module for this value alone.
    let module = Module::with_temp_heap(|module| {
        let value = struct_value(values, module.heap())?;
        module.set(NAME, value);
        Ok::<_, starlark::Error>(module.freeze()?)
    })?;
    Ok(Exported(module.get(NAME)?))
}

/// Records the places of the structs in data values. The recursion is safe because the parser
/// limits the depth of values.
fn record_structs(value: Raw<'_>, root: &Arc<Node>, path: &mut Vec<PathStep>) {
    if let Some(structure) = Structure::from_value(value) {
        reads::structure(structure, root, path);
        for (name, field) in structure.fields.iter() {
            path.push(PathStep::Key(name.as_str().into()));
            record_structs(*field, root, path);
            path.pop();
        }
    } else if let Some(list) = ListRef::from_value(value) {
        for (index, item) in list.iter().enumerate() {
            path.push(PathStep::Index(index));
            record_structs(item, root, path);
            path.pop();
        }
    }
}

/// The names that a file defines.
#[derive(Clone, Debug)]
pub struct Definitions {
    module: FrozenModule,
    program: Arc<Program>,
}

impl Definitions {
    pub(super) fn new(module: FrozenModule, program: &Arc<Program>) -> Definitions {
        Definitions {
            module,
            program: Arc::clone(program),
        }
    }

    /// Returns the value of a name that the file defines. A name that it loads from another file
    /// does not count.
    pub fn get(&self, name: &str) -> Option<Exported> {
        // In the crate, a module also exports the names that it loads (`enable_load_reexport`).
        if self.program.loads(name) {
            return None;
        }
        let value = self.module.get_option(name).ok()?;
        value.map(Exported)
    }

    /// Returns the names that other files can use.
    pub fn names(&self) -> Vec<String> {
        let names = self.module.names().map(|name| name.as_str().to_owned());
        names
            .filter(|name| !name.starts_with('_') && !self.program.loads(name))
            .collect()
    }
}

impl<'v> Caller<'_, 'v> {
    /// Returns a value of another library.
    pub fn exported(&self, exported: &Exported) -> Value<'v> {
        Value(self.heap().access_owned_frozen_value(&exported.0))
    }
}
