//! A private library as a template holds it.

use std::sync::Arc;

use super::export;
use super::signature::Call;
use crate::script::fragments::{Built, located};
use crate::script::{Arguments, Caller, HostFunction, Value};
use crate::source::{Code, Diagnostic, Location, Result};
use crate::workspace::library::FolderId;
use crate::workspace::phases::Options;
use crate::workspace::phases::run::Run;
use crate::workspace::values::{LibraryReference, Merge, ValuesDocument};
use crate::yaml::{Content, Node};

/// A library with what a template gave to it.
#[derive(Clone)]
pub(super) struct PrivateLibrary {
    /// The number of the library whose template asked for it.
    pub(super) parent: usize,
    /// The folder that is the library.
    pub(super) root: FolderId,
    pub(super) path: Arc<str>,
    pub(super) alias: Option<Arc<str>>,
    pub(super) options: Options,
    /// The data values that were given, in order.
    pub(super) values: Vec<Arc<ValuesDocument>>,
}

const METHODS: [&str; 5] = [
    "with_data_values",
    "with_data_values_schema",
    "data_values",
    "eval",
    "export",
];

/// The library as a value with methods.
pub(super) fn value<'v>(library: PrivateLibrary, caller: &Caller<'_, 'v>) -> Value<'v> {
    let library = Arc::new(library);
    caller.module(&METHODS.map(|name| HostFunction {
        name,
        state: Arc::clone(&library) as _,
    }))
}

impl PrivateLibrary {
    /// Carries out a method.
    ///
    /// # Errors
    /// Wrong arguments, and what goes wrong in the library.
    pub(super) fn call<'v>(
        &self,
        method: &str,
        run: &Run<'_>,
        caller: &mut Caller<'_, 'v>,
        arguments: Arguments<'v>,
    ) -> Result<Value<'v>> {
        match method {
            "with_data_values" => self.with_data_values(caller, arguments),
            "with_data_values_schema" => self.with_data_values_schema(caller, arguments),
            "data_values" => {
                Call::new("library.data_values", arguments, &[])?.none()?;
                let values = run.memory.data_values(self, run, caller)?;
                Ok(caller.exported(&values))
            }
            "eval" => {
                Call::new("library.eval", arguments, &[])?.none()?;
                let evaluated = run.memory.evaluated(self, run, caller)?;
                let made = |root: &Arc<Node>| Built {
                    root: Arc::clone(root),
                    place: None,
                    annotations: Vec::new(),
                };
                Ok(caller.documents(evaluated.documents.iter().map(made).collect()))
            }
            "export" => {
                let wish = export::Wish::read(arguments)?;
                let evaluated = run.memory.evaluated(self, run, caller)?;
                Ok(caller.exported(&wish.find(&evaluated)?))
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
        let call = Call::new("library.with_data_values", arguments, &["plain"])?;
        let root = caller.node(call.one()?)?;
        let is_plain = call.flag("plain")?.unwrap_or_default();
        if is_plain && let Some(annotated) = first_annotated(&root, caller)? {
            return Err(call
                .refuse("expected plain values, found an annotation".to_owned())
                .at(annotated, "the value with an annotation")
                .help("leave `plain=True` out, so that annotations say how the values go onto those of the library"));
        }
        let merge = if is_plain {
            Merge::Plain
        } else {
            Merge::Overlay
        };
        Ok(value(self.with(root, merge, caller), caller))
    }

    fn with_data_values_schema<'v>(
        &self,
        caller: &Caller<'_, 'v>,
        arguments: Arguments<'v>,
    ) -> Result<Value<'v>> {
        let call = Call::new("library.with_data_values_schema", arguments, &[])?;
        let root = caller.node(call.one()?)?;
        Ok(value(self.with(root, Merge::Schema, caller), caller))
    }

    /// The library with one more document. What is not written anywhere in it stands where the template gives it.
    fn with(&self, root: Arc<Node>, merge: Merge, caller: &Caller<'_, '_>) -> PrivateLibrary {
        let place = place_of(&root).or_else(|| caller.place());
        let document = Built {
            root,
            place,
            annotations: Vec::new(),
        };
        let document = Built {
            root: located(&document),
            ..document
        };
        let document = ValuesDocument {
            document,
            merge,
            target: LibraryReference::default(),
            is_last: false,
        };
        let mut other = self.clone();
        other.values.push(Arc::new(document));
        other
    }

    /// How messages name it.
    pub(super) fn name(&self) -> String {
        match &self.alias {
            Some(alias) => format!("{}~{alias}", self.path),
            None => self.path.to_string(),
        }
    }
}

/// Where values stand, as far as they were written anywhere.
fn place_of(root: &Arc<Node>) -> Option<Location> {
    let first = match &root.resolved().content {
        Content::Mapping(mapping) => mapping.entries.first().map(|entry| &entry.key),
        Content::Sequence(sequence) => sequence.items.first().map(|item| &item.value),
        _ => None,
    };
    root.location().or_else(|| first?.resolved().location())
}

/// The place of the first entry or item with an annotation; of the whole if it was not written anywhere.
fn first_annotated(root: &Arc<Node>, caller: &Caller<'_, '_>) -> Result<Option<Option<Location>>> {
    caller.with_annotations(|annotations| {
        let mut open = vec![Arc::clone(root)];
        while let Some(node) = open.pop() {
            let parts: Vec<(&Arc<Node>, &Arc<Node>)> = match &node.resolved().content {
                Content::Mapping(mapping) => mapping
                    .entries
                    .iter()
                    .map(|entry| (&entry.key, &entry.value))
                    .collect(),
                Content::Sequence(sequence) => sequence
                    .items
                    .iter()
                    .map(|item| (&item.value, &item.value))
                    .collect(),
                _ => continue,
            };
            if let Some((named, _)) = parts
                .iter()
                .find(|(named, _)| annotations.of(named).is_some())
            {
                return Some(named.resolved().location());
            }
            let parts: Vec<Arc<Node>> = parts
                .into_iter()
                .rev()
                .map(|(_, value)| Arc::clone(value))
                .collect();
            open.extend(parts);
        }
        None
    })
}
