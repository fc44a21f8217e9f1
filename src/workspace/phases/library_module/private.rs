//! A private library as a value of a template.

use std::sync::Arc;

use super::NAME;
use super::call::LibraryCall;
use super::export::ExportCall;
use super::loader::LibraryLoader;
use crate::script::fragments::{Annotations, Built, located};
use crate::script::{Arguments, Caller, NativeFunction, Value};
use crate::source::{Code, Diagnostic, Location, Result};
use crate::workspace::library::FolderId;
use crate::workspace::phases::input::BuildOptions;
use crate::workspace::values::{LibraryReference, Merge, ValuesDocument};
use crate::yaml::{Content, Node};

/// A library, with the documents that a template passed to it.
#[derive(Clone)]
pub(super) struct PrivateLibrary {
    /// The id of the library whose template called it.
    pub(super) parent: usize,
    /// The folder that is the library.
    pub(super) root: FolderId,
    /// The path of the folder below `_ytt_lib`.
    pub(super) path: Arc<str>,
    pub(super) alias: Option<Arc<str>>,
    pub(super) options: BuildOptions,
    /// The data values and schemas that were passed, in order.
    pub(super) values: Vec<Arc<ValuesDocument>>,
}

const METHODS: [&str; 5] = [
    "with_data_values",
    "with_data_values_schema",
    "data_values",
    "eval",
    "export",
];

/// Returns a library as a value with methods.
pub(super) fn value<'v>(library: PrivateLibrary, caller: &Caller<'_, 'v>) -> Value<'v> {
    caller.note_state(size_of::<PrivateLibrary>() + size_of_val(library.values.as_slice()));
    let library = Arc::new(library);
    let methods = METHODS.map(|name| {
        let method = NativeFunction::of_loader(name, Arc::clone(&library) as _);
        (name, caller.native_function(method))
    });
    caller.module(NAME, &methods)
}

impl PrivateLibrary {
    /// Calls a method.
    ///
    /// # Errors
    /// Fails for wrong arguments, and for errors in the library.
    pub(super) fn call<'v>(
        &self,
        method: &str,
        loader: &LibraryLoader<'_>,
        caller: &mut Caller<'_, 'v>,
        arguments: Arguments<'v>,
    ) -> Result<Value<'v>> {
        match method {
            "with_data_values" => self.with_data_values(caller, arguments),
            "with_data_values_schema" => self.with_data_values_schema(caller, arguments),
            // This runs only the phases up to the data values: a template may request the values of
            // a library whose templates fail.
            "data_values" => {
                LibraryCall::new("library.data_values", arguments, &[])?.none()?;
                let values = loader.data_values(self, caller)?;
                Ok(caller.exported(&values))
            }
            "eval" => {
                LibraryCall::new("library.eval", arguments, &[])?.none()?;
                let output = loader.output(self, caller)?;
                Ok(caller.documents(output.documents.iter().map(evaluated).collect()))
            }
            "export" => {
                let export = ExportCall::read(arguments)?;
                let output = loader.output(self, caller)?;
                Ok(caller.exported(&export.find(&output)?))
            }
            method => Err(Diagnostic::error(
                Code::Internal,
                format!("a library has no method `{method}`"),
            )),
        }
    }

    fn with_data_values<'v>(
        &self,
        caller: &Caller<'_, 'v>,
        arguments: Arguments<'v>,
    ) -> Result<Value<'v>> {
        let call = LibraryCall::new("library.with_data_values", arguments, &["plain"])?;
        let root = caller.kept_node(call.one()?)?;
        if !call.flag("plain")?.unwrap_or_default() {
            return Ok(value(self.with(root, Merge::Overlay, caller), caller));
        }
        // Plain merging would silently ignore annotations.
        let annotated =
            caller.with_annotations(|annotations| first_annotated(&root, annotations))?;
        if let Some(part) = annotated {
            return Err(call
                .error("expected plain values, found an annotation".to_owned())
                .at(part.resolved().location(), "the value with an annotation")
                .help(
                    "remove `plain=True`, so that annotations decide how the values are merged",
                ));
        }
        Ok(value(self.with(root, Merge::Plain, caller), caller))
    }

    fn with_data_values_schema<'v>(
        &self,
        caller: &Caller<'_, 'v>,
        arguments: Arguments<'v>,
    ) -> Result<Value<'v>> {
        let call = LibraryCall::new("library.with_data_values_schema", arguments, &[])?;
        let root = caller.kept_node(call.one()?)?;
        Ok(value(self.with(root, Merge::Schema, caller), caller))
    }

    /// Returns the library with one more document. Values without a place in a file get the place
    /// of the call.
    fn with(&self, root: Arc<Node>, merge: Merge, caller: &Caller<'_, '_>) -> PrivateLibrary {
        caller.record_given(&root);
        let place = place_of(&root).or_else(|| caller.place());
        let document = Built {
            root,
            place,
            annotations: Vec::new(),
        };
        let document = ValuesDocument {
            document: Built {
                root: located(&document),
                ..document
            },
            merge,
            target: LibraryReference::default(),
            is_last: false,
        };
        // Clone the library, because the template may continue to use it without these values.
        let mut other = self.clone();
        other.values.push(Arc::new(document));
        other
    }

    /// Returns the name of the library in messages.
    pub(super) fn name(&self) -> String {
        match &self.alias {
            Some(alias) => format!("{}~{alias}", self.path),
            None => self.path.to_string(),
        }
    }
}

/// Returns a document of a library for a template: without a place and annotations.
fn evaluated(root: &Arc<Node>) -> Built {
    Built {
        root: Arc::clone(root),
        place: None,
        annotations: Vec::new(),
    }
}

/// Returns the place of values, or of their first key or item.
fn place_of(root: &Arc<Node>) -> Option<Location> {
    let first = match &root.resolved().content {
        Content::Mapping(mapping) => mapping.entries.first().map(|entry| &entry.key),
        Content::Sequence(sequence) => sequence.items.first().map(|item| &item.value),
        _ => None,
    };
    root.location().or_else(|| first?.resolved().location())
}

/// Returns the first key or item with an annotation.
fn first_annotated(root: &Arc<Node>, annotations: &Annotations) -> Option<Arc<Node>> {
    // An explicit stack instead of recursion; the last element is the next node.
    let mut open = vec![Arc::clone(root)];
    while let Some(node) = open.pop() {
        let mut children = Vec::new();
        match &node.resolved().content {
            Content::Mapping(mapping) => {
                for entry in &mapping.entries {
                    if annotations.of(&entry.key).is_some() {
                        return Some(Arc::clone(&entry.key));
                    }
                    children.push(Arc::clone(&entry.value));
                }
            }
            Content::Sequence(sequence) => {
                for item in &sequence.items {
                    if annotations.of(&item.value).is_some() {
                        return Some(Arc::clone(&item.value));
                    }
                    children.push(Arc::clone(&item.value));
                }
            }
            Content::Scalar(_) | Content::Alias(_) => {}
        }
        open.extend(children.into_iter().rev());
    }
    None
}
