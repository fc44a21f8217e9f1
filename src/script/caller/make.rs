//! Creates the values that native functions return: numbers, lists, structs, nodes.

use std::sync::Arc;

use starlark::collections::SmallMap;
use starlark::values::Value as Raw;
use starlark::values::dict::Dict;
use starlark::values::list::AllocList;
use starlark::values::tuple::AllocTuple;

use super::{Caller, Value};
use crate::script::fragments::Built;
use crate::script::fragments::PendingReplacement;
use crate::script::function::{Native, NativeFunction, NativeState, ObjectType};
use crate::script::limits::noted;
use crate::script::reads;
use crate::script::value::{
    BoundFunction, Fragment, FragmentContent, Object, Replacement, ReplacementContent,
    StructureGen, from_node, plain_value, struct_value,
};
use crate::source::Result;
use crate::yaml::Node;

impl<'v> Caller<'_, 'v> {
    /// Returns a string.
    pub fn text(&self, text: &str) -> Value<'v> {
        Value(self.heap().alloc(text))
    }

    /// Returns an integer.
    pub fn integer(&self, integer: i64) -> Value<'v> {
        Value(self.heap().alloc(integer))
    }

    /// Returns a float.
    pub fn float(&self, float: f64) -> Value<'v> {
        Value(self.heap().alloc(float))
    }

    /// Returns a list.
    pub fn list(&self, values: &[Value<'v>]) -> Value<'v> {
        let values = values.iter().map(|value| value.0);
        Value(self.heap().alloc(AllocList(values)))
    }

    /// Returns a tuple.
    pub fn tuple(&self, values: &[Value<'v>]) -> Value<'v> {
        let values = values.iter().map(|value| value.0);
        Value(self.heap().alloc(AllocTuple(values)))
    }

    /// Returns a dictionary.
    ///
    /// # Errors
    /// Fails for a key that cannot be hashed, such as a list.
    pub fn dictionary(&self, entries: &[(Value<'v>, Value<'v>)]) -> Result<Value<'v>> {
        let mut pairs = SmallMap::with_capacity(entries.len());
        for (key, value) in entries {
            let key = key.0.get_hashed().map_err(|error| self.diagnose(error))?;
            pairs.insert_hashed(key, value.0);
        }
        Ok(Value(self.heap().alloc(Dict::new(pairs))))
    }

    /// Returns a struct.
    pub fn structure(&self, fields: &[(&str, Value<'v>)]) -> Value<'v> {
        let fields: SmallMap<String, Raw<'v>> = fields
            .iter()
            .map(|(name, value)| ((*name).to_owned(), value.0))
            .collect();
        Value(self.heap().alloc_complex(StructureGen::new(fields)))
    }

    /// Counts the memory of the state of an object that is created, beyond a few words.
    pub fn note_state(&self, bytes: usize) {
        noted::note(bytes);
    }

    /// Returns an object. Its members are the methods of its type, which share `state`, and those
    /// in `more`.
    pub fn object(
        &self,
        object_type: &'static ObjectType,
        state: NativeState,
        more: &[(&str, Value<'v>)],
    ) -> Value<'v> {
        let mut members = SmallMap::with_capacity(object_type.methods.len() + more.len());
        // The methods are created with each object, because their state belongs to the object. A
        // method that is taken out of the object (`f = url.string`) still works.
        for (name, native) in object_type.methods {
            let method = NativeFunction::new(name, *native).with_state(Arc::clone(&state));
            members.insert(method.member_name().to_owned(), self.heap().alloc(method));
        }
        for (name, value) in more {
            members.insert((*name).to_owned(), value.0);
        }
        Value(Object::alloc(
            object_type.name,
            object_type.text.to_owned(),
            members,
            self.heap(),
        ))
    }

    /// Returns a module with these members.
    pub fn module(&self, name: &str, members: &[(&str, Value<'v>)]) -> Value<'v> {
        let members = members
            .iter()
            .map(|(name, value)| ((*name).to_owned(), value.0))
            .collect();
        Value(Object::module(name, members, self.heap()))
    }

    /// Returns a function without a state.
    pub fn function(&self, name: &'static str, native: Native) -> Value<'v> {
        self.native_function(NativeFunction::new(name, native))
    }

    /// Returns a function.
    pub fn native_function(&self, function: NativeFunction) -> Value<'v> {
        Value(self.heap().alloc(function))
    }

    /// Returns a function that inserts `first` before the arguments of each call, such as a matcher
    /// that knows what to look for.
    pub fn bind(&self, function: Value<'v>, first: &[Value<'v>]) -> Value<'v> {
        let first = first.iter().map(|value| value.0).collect();
        Value(BoundFunction::alloc(function.0, first, self.heap()))
    }

    /// Returns the result of `template.replace(value)`. Unless it becomes the value of a node, it
    /// replaces the node that was written last.
    ///
    /// # Errors
    /// Fails for a value that YAML cannot represent.
    pub fn replacement(&self, value: Value<'v>) -> Result<Value<'v>> {
        let replacement = self.pending_replacement(value.0);
        let replacement = replacement.map_err(|error| self.diagnose(error))?;
        Ok(Value(self.heap().alloc(replacement)))
    }

    fn pending_replacement(&self, value: Raw<'v>) -> starlark::Result<Replacement> {
        let (content, made) = ReplacementContent::of(value, self.heap())?;
        self.evaluator.session()?.build(made)?;
        let content = Arc::new(content);
        self.evaluator.replace(PendingReplacement {
            content: Arc::clone(&content),
            place: self.place(),
            reads: reads::so_far(),
        })?;
        Ok(Replacement { content })
    }

    /// Returns a document set.
    pub fn documents(&self, documents: Vec<Built>) -> Value<'v> {
        let content = FragmentContent::Documents(documents.into());
        Value(self.heap().alloc(Fragment::new(content)))
    }

    /// Returns a node as a template sees it: a scalar, or a fragment that shares the node.
    pub fn value(&self, node: &Arc<Node>) -> Value<'v> {
        Value(from_node(node, self.heap()))
    }

    /// Returns a node as dictionaries, lists and scalars.
    ///
    /// # Errors
    /// Fails for a merge key whose value is not a mapping, and for a key that is a collection.
    pub fn plain_value(&self, node: &Arc<Node>) -> Result<Value<'v>> {
        let value = plain_value(node, self.heap());
        value.map(Value).map_err(|error| self.diagnose(error))
    }

    /// Returns a node as structs, lists and scalars.
    ///
    /// # Errors
    /// Fails as [`plain_value`](Self::plain_value) does, and for a key that cannot be the name of a
    /// field.
    pub fn struct_value(&self, node: &Arc<Node>) -> Result<Value<'v>> {
        let value = struct_value(node, self.heap());
        value.map(Value).map_err(|error| self.diagnose(error))
    }
}
