//! What rules that values are held to need of a caller: the assertions of `@ytt:assert`, and a closer look at values.

use starlark::collections::SmallMap;
use starlark::values::list::ListRef;
use starlark::values::tuple::TupleRef;
use starlark::values::{Value as Raw, ValueLike};

use super::{Caller, Value};
use crate::script::modules::{AssertionGen, Rule};
use crate::script::value::{Fragment, StructureGen};
use crate::source::Result;

impl<'v> Caller<'_, 'v> {
    /// An assertion of `@ytt:assert`, such as `assert.min(1)`: an object with a method `check`.
    pub fn assertion(&self, rule: Rule, values: &[Value<'v>]) -> Value<'v> {
        let values: Vec<Raw<'v>> = values.iter().map(|value| value.0).collect();
        Value(self.evaluator.heap().alloc(AssertionGen { rule, values }))
    }

    /// The attribute `name` of a value, if it has one.
    ///
    /// # Errors
    /// What the value says against it.
    pub fn attribute(&self, value: Value<'v>, name: &str) -> Result<Option<Value<'v>>> {
        let found = value.0.get_attr(name, self.evaluator.heap());
        found
            .map(|found| found.map(Value))
            .map_err(|error| self.diagnose(error))
    }

    /// A struct.
    pub fn structure(&self, fields: &[(&str, Value<'v>)]) -> Value<'v> {
        let fields: SmallMap<String, Raw<'v>> = fields
            .iter()
            .map(|(name, value)| ((*name).to_owned(), value.0))
            .collect();
        Value(
            self.evaluator
                .heap()
                .alloc_complex(StructureGen::new(fields)),
        )
    }

    /// The values of a list, a tuple, or a fragment that is a sequence; `None` for anything else.
    ///
    /// # Errors
    /// None but those of a fault here.
    pub fn sequence(&self, value: Value<'v>) -> Result<Option<Vec<Value<'v>>>> {
        let is_sequence = ListRef::from_value(value.0).is_some()
            || TupleRef::from_value(value.0).is_some()
            || value
                .0
                .downcast_ref::<Fragment>()
                .is_some_and(|fragment| !fragment.is_mapping());
        if !is_sequence {
            return Ok(None);
        }
        match value.0.iterate(self.evaluator.heap()) {
            Ok(values) => Ok(Some(values.map(Value).collect())),
            Err(error) => Err(self.diagnose(error)),
        }
    }
}

impl Value<'_> {
    /// How many parameters a function has that a program defines; `None` for any other value.
    pub fn parameters(self) -> Option<usize> {
        Some(self.0.parameters_spec()?.len())
    }
}
