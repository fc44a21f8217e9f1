//! `@ytt:yaml`.

use std::collections::HashMap;
use std::sync::Arc;

use starlark::environment::GlobalsBuilder;
use starlark::eval::Evaluator;
use starlark::starlark_module;
use starlark::values::dict::DictRef;
use starlark::values::tuple::UnpackTuple;
use starlark::values::{Heap, Value, ValueLike};

use super::call::Call;
use crate::script::library::Library;
use crate::script::program::Program;
use crate::script::value::{Fragment, FragmentContent, Key, plain_value};
use crate::source::{Code, Diagnostic, Result};
use crate::yaml::{
    Content, Mapping, Node, ScalarStyle, canonical, canonical_node, expand, parse_data, tag_misfit,
};

pub(super) fn module<'v>(
    heap: Heap<'v>,
    _: &Library<'_>,
    _: &Arc<Program>,
) -> starlark::Result<Value<'v>> {
    Ok(super::functions(heap, functions, []))
}

#[starlark_module]
fn functions(builder: &mut GlobalsBuilder) {
    /// A value as YAML; `None` as nothing at all.
    fn encode<'v>(
        #[starlark(args)] arguments: UnpackTuple<Value<'v>>,
        #[starlark(kwargs)] _options: DictRef<'v>,
        eval: &mut Evaluator<'v, '_, '_>,
    ) -> starlark::Result<String> {
        let call = Call::new("yaml.encode", arguments.items);
        let [value] = call.arguments()?;
        if value.is_none() {
            return Ok(String::new());
        }
        let printed = match value
            .downcast_ref::<Fragment>()
            .map(|fragment| &fragment.content)
        {
            Some(FragmentContent::Nothing) => Ok(String::new()),
            Some(FragmentContent::Documents(documents)) => {
                let roots: Vec<Arc<Node>> = documents
                    .iter()
                    .map(|document| Arc::clone(&document.root))
                    .collect();
                canonical(&roots)
            }
            _ => canonical_node(&call.node(value, eval.heap())?),
        };
        Ok(printed.map_err(|diagnostic| call.diagnosed(diagnostic))?)
    }

    /// The value that a YAML text says, which must be one document or none.
    fn decode<'v>(
        #[starlark(args)] arguments: UnpackTuple<Value<'v>>,
        #[starlark(kwargs)] _options: DictRef<'v>,
        eval: &mut Evaluator<'v, '_, '_>,
    ) -> starlark::Result<Value<'v>> {
        let call = Call::new("yaml.decode", arguments.items);
        let source = call.one_source()?;
        let stream = parse_data(&source).map_err(|diagnostic| call.diagnosed(diagnostic))?;
        let root = match stream.documents.as_slice() {
            [] => return Ok(Value::new_none()),
            [document] => &document.root,
            _ => {
                return Err(call
                    .failure("Expected to find exactly one YAML document")
                    .into());
            }
        };
        let root = check(root).and_then(|()| expand(root));
        plain_value(
            &root.map_err(|diagnostic| call.diagnosed(diagnostic))?,
            eval.heap(),
        )
    }
}

/// Refuses what has no value in Starlark: keys that a dictionary cannot hold, and bytes that are not UTF-8. It calls itself
/// for each level, which the parser bounds.
fn check(node: &Node) -> Result<()> {
    match &node.content {
        Content::Mapping(mapping) => {
            check_mapping(mapping)?;
            mapping
                .entries
                .iter()
                .try_for_each(|entry| check(&entry.value))
        }
        Content::Sequence(sequence) => sequence
            .items
            .iter()
            .try_for_each(|item| check(&item.value)),
        Content::Scalar(_) => check_scalar(node),
        Content::Alias(_) => Ok(()),
    }
}

fn check_scalar(node: &Node) -> Result<()> {
    let refused =
        |code, message: String| Err(Diagnostic::error(code, message).at(node.location(), ""));
    let misfit = node
        .tag()
        .and_then(|tag| tag_misfit(node.text().unwrap_or_default(), tag));
    if let Some(misfit) = misfit {
        return refused(
            Code::Tag,
            format!("expected {}, found {}", misfit.expected, misfit.found),
        );
    }
    if node
        .binary()
        .is_some_and(|bytes| String::from_utf8(bytes).is_err())
    {
        return refused(
            Code::ValueDoesNotFit,
            "expected bytes that are UTF-8, found others".to_owned(),
        );
    }
    Ok(())
}

fn check_mapping(mapping: &Mapping) -> Result<()> {
    let mut places = HashMap::with_capacity(mapping.entries.len());
    for entry in mapping.entries.iter().filter(|entry| !is_merge(&entry.key)) {
        let Some(key) = Key::of(&entry.key) else {
            let message = format!(
                "expected a key that is a scalar, found {}",
                entry.key.described()
            );
            return Err(
                Diagnostic::error(Code::ValueDoesNotFit, message).at(entry.key.location(), "")
            );
        };
        if let Some(first) = places.insert(key, &entry.key) {
            let name = entry.key.text().unwrap_or_default();
            return Err(Diagnostic::error(
                Code::DuplicateKey,
                format!("expected each key once, found `{name}` twice"),
            )
            .at(entry.key.location(), "")
            .at(first.location(), "first here")
            .help("remove one of the two entries"));
        }
    }
    Ok(())
}

/// Whether a key is a plain `<<`, which may stand more than once.
fn is_merge(key: &Node) -> bool {
    key.text() == Some("<<")
        && key
            .as_scalar()
            .is_some_and(|scalar| scalar.style == ScalarStyle::Plain)
}
