//! Converts a Starlark value to a YAML node.
//!
//! In memory a value is a graph: `x = [1]; [x, x, x]` consists of two lists. A tree has no sharing,
//! so the same value becomes four lists, and a value that contains itself would never end. Nodes,
//! bytes and depth are therefore counted while the tree is built.

use std::sync::Arc;

use starlark::values::ValueLike;
use starlark::values::dict::DictRef;
use starlark::values::float::StarlarkFloat;
use starlark::values::list::ListRef;
use starlark::values::tuple::TupleRef;
use starlark::values::{Heap, UnpackValue, Value};

use super::{Fragment, FragmentContent, Object, fields, text};
use crate::script::failure::Failure;
use crate::source::Limit;
use crate::source::suggest::with_article;
use crate::yaml::{Entry, NESTING_LIMIT, Node};

/// The minimum number of bytes for writing a node with its key or dash.
const LEAST_NODE: usize = 8;

/// The memory of a node that is created for a value, including its entry or item, in bytes.
pub(in crate::script) const MADE_NODE: usize = 160;

/// A node and its sizes, in bytes.
pub(in crate::script) struct SizedNode {
    pub(in crate::script) node: Arc<Node>,
    /// The approximate length of its text.
    pub(in crate::script) size: usize,
    /// The approximate memory that was allocated for its texts and nodes. The nodes of fragments
    /// are shared and do not count.
    pub(in crate::script) made: usize,
}

/// Converts a value to a node, with its sizes. The nodes of fragments are shared.
///
/// # Errors
/// Fails for a value that YAML cannot represent (functions, ranges, several documents), for
/// integers beyond 64 bits, and for values that are nested deeper than [`NESTING_LIMIT`] or contain
/// themselves.
pub(in crate::script) fn to_sized_node<'v>(
    value: Value<'v>,
    heap: Heap<'v>,
) -> starlark::Result<SizedNode> {
    sized_node(value, heap, false)
}

/// Converts a value as [`to_sized_node`] does, for a node of a template. Its collections are marked
/// as computed, because code that reads them gets dictionaries and lists again.
///
/// # Errors
/// Fails as [`to_sized_node`] does.
pub(in crate::script) fn to_computed_node<'v>(
    value: Value<'v>,
    heap: Heap<'v>,
) -> starlark::Result<SizedNode> {
    sized_node(value, heap, true)
}

fn sized_node<'v>(
    value: Value<'v>,
    heap: Heap<'v>,
    is_computed: bool,
) -> starlark::Result<SizedNode> {
    let mut writer = Writer {
        heap,
        is_computed,
        depth: 0,
        count: 0,
        keys: 0,
        size: 0,
        most_nodes: Limit::Nodes.value(),
        most_text: Limit::ValueText.size(),
    };
    let node = writer.node(value)?;
    let nodes = usize::try_from(writer.count)
        .unwrap_or(usize::MAX)
        .saturating_add(writer.keys);
    Ok(SizedNode {
        node,
        size: writer.size,
        made: nodes.saturating_mul(MADE_NODE).saturating_add(writer.size),
    })
}

struct Writer<'v> {
    heap: Heap<'v>,
    /// Whether to mark collections as computed.
    is_computed: bool,
    depth: usize,
    /// The number of nodes so far, without keys.
    count: u64,
    /// The number of keys so far.
    keys: usize,
    /// The number of bytes so far.
    size: usize,
    most_nodes: u64,
    most_text: usize,
}

impl<'v> Writer<'v> {
    fn node(&mut self, value: Value<'v>) -> starlark::Result<Arc<Node>> {
        self.count += 1;
        if self.count > self.most_nodes {
            let message = format!("one value expands to more than {} nodes", self.most_nodes);
            return Err(Failure::exceeded(Limit::Nodes, message).into());
        }
        // Check strings first: they are the most frequent values, and the only ones whose size is
        // their own length.
        if let Some(text) = value.unpack_str() {
            self.add(text.len())?;
            return Ok(Node::string(text));
        }
        self.add(LEAST_NODE)?;
        if let Some(node) = scalar(value) {
            return node;
        }
        // A fragment is not walked: its nodes are shared, and its size is computed only once.
        if let Some(fragment) = value.downcast_ref::<Fragment>() {
            let node = fragment_node(fragment)?;
            self.add(fragment.size()?)?;
            return Ok(node);
        }
        // Only collections count as levels, as in the parser. This also ends a value that contains
        // itself.
        self.depth += 1;
        if self.depth > NESTING_LIMIT {
            return Err(
                Failure::limit(format!("values nest deeper than {NESTING_LIMIT} levels"))
                    .help("does the value contain itself?")
                    .into(),
            );
        }
        let node = self.collection(value);
        self.depth -= 1;
        node
    }

    /// Counts a key. Keys do not count towards the limit on nodes, because they cannot multiply
    /// without their values.
    fn key(&mut self, text: &str) -> Result<(), Failure> {
        self.keys += 1;
        self.add(text.len())
    }

    fn add(&mut self, bytes: usize) -> Result<(), Failure> {
        self.size = self.size.saturating_add(bytes);
        if self.size > self.most_text {
            let message = format!(
                "expected a value of at most {} bytes of text, found more",
                self.most_text
            );
            return Err(Failure::exceeded(Limit::ValueText, message));
        }
        Ok(())
    }

    fn collection(&mut self, value: Value<'v>) -> starlark::Result<Arc<Node>> {
        if let Some(list) = ListRef::from_value(value) {
            return self.sequence(list.iter());
        }
        if let Some(tuple) = TupleRef::from_value(value) {
            return self.sequence(tuple.iter());
        }
        if let Some(dict) = DictRef::from_value(value) {
            let mut entries = Vec::with_capacity(dict.iter().len());
            for (key, value) in dict.iter() {
                self.key(key.unpack_str().unwrap_or_default())?;
                entries.push(Entry {
                    key: key_node(key)?,
                    value: self.node(value)?,
                });
            }
            return Ok(self.mapping(entries));
        }
        if let Some(fields) = fields(value) {
            let mut entries = Vec::with_capacity(fields.len());
            for (name, value) in fields {
                self.key(name)?;
                entries.push(Entry::new(name, self.node(value)?));
            }
            return Ok(self.mapping(entries));
        }
        // The crate does not export a type for sets.
        if value.get_type() == "set" {
            return self.sequence(value.iterate(self.heap)?);
        }
        Err(unfit(value))
    }

    fn sequence(&mut self, values: impl Iterator<Item = Value<'v>>) -> starlark::Result<Arc<Node>> {
        let values: Vec<Arc<Node>> = values
            .map(|value| self.node(value))
            .collect::<starlark::Result<_>>()?;
        Ok(match self.is_computed {
            true => Node::computed_sequence(values),
            false => Node::sequence(values),
        })
    }

    fn mapping(&self, entries: Vec<Entry>) -> Arc<Node> {
        match self.is_computed {
            true => Node::computed_mapping(entries),
            false => Node::mapping(entries),
        }
    }
}

/// Converts a scalar that is not a string; `None` for anything else.
fn scalar(value: Value<'_>) -> Option<starlark::Result<Arc<Node>>> {
    if value.is_none() {
        return Some(Ok(Node::plain("null")));
    }
    if let Some(bool) = value.unpack_bool() {
        return Some(Ok(Node::plain(if bool { "true" } else { "false" })));
    }
    if let Some(float) = value.downcast_ref::<StarlarkFloat>() {
        return Some(Ok(Node::plain(float_spelling(float.0))));
    }
    if let Some(integer) = value.unpack_i32() {
        return Some(Ok(Node::plain(itoa::Buffer::new().format(integer))));
    }
    if value.get_type() != "int" {
        return None;
    }
    let fits = matches!(i64::unpack_value(value), Ok(Some(_)))
        || matches!(u64::unpack_value(value), Ok(Some(_)));
    // The crate has integers of any size, and YAML has 64 bits. A number with more digits could not
    // be read by any consumer of the output.
    let digits = value.to_repr();
    Some(if fits {
        Ok(Node::plain(digits))
    } else {
        Err(Failure::new(format!(
            "expected an integer of at most 64 bits, found {digits}"
        ))
        .help("convert it with `str(…)`")
        .into())
    })
}

/// Returns a spelling that YAML parses as the same float.
fn float_spelling(value: f64) -> String {
    if value.is_nan() {
        ".nan".to_owned()
    } else if value.is_infinite() {
        if value > 0.0 { ".inf" } else { "-.inf" }.to_owned()
    } else {
        // `{:?}` writes `1.0` where `{}` writes `1`, which YAML would parse as an integer.
        format!("{value:?}")
    }
}

fn key_node(key: Value<'_>) -> starlark::Result<Arc<Node>> {
    if let Some(text) = key.unpack_str() {
        return Ok(Node::string(text));
    }
    match scalar(key) {
        Some(node) => node,
        None => Err(Failure::new(format!(
            "expected a string, number, boolean or None as a key, found {}",
            with_article(text::type_name(key))
        ))
        .into()),
    }
}

fn fragment_node(fragment: &Fragment) -> starlark::Result<Arc<Node>> {
    match &fragment.content {
        FragmentContent::Node(node) => Ok(Arc::clone(node)),
        FragmentContent::Nothing => Ok(Node::plain("null")),
        FragmentContent::Documents(_) => Err(found_documents().into()),
    }
}

/// The failure of a document set where one node is expected.
pub(super) fn found_documents() -> Failure {
    Failure::new("expected a mapping, a list or a scalar, found a document set")
        .help("leave out the `---`, or index the documents: `value[0]`")
}

fn unfit(value: Value<'_>) -> starlark::Error {
    let failure = Failure::new(format!(
        "expected a value that YAML can hold, found {}",
        with_article(text::type_name(value))
    ));
    // A module of the program may have members of the same names, with another meaning.
    let object = Object::from_value(value).filter(|object| !object.is_module());
    let has = |name| object.is_some_and(|object| object.has_member(name));
    if has("string") {
        let kind = text::type_name(value);
        let caught = format!(
            "Unable to convert value: {kind} does not automatically encode (hint: use .string())"
        );
        return failure.help("use `.string()`").caught_as(caught).into();
    }
    if has("check") {
        let kind = text::type_name(value);
        let caught = format!(
            "Unable to convert value: {kind} does not encode (did you mean to call check()?)"
        );
        return failure
            .help("call `.check(value)`")
            .caught_as(caught)
            .into();
    }
    match value.get_type() {
        "function" => failure.help("call it: `name()`").into(),
        "range" => failure.help("convert it with `list(…)`").into(),
        _ => failure.into(),
    }
}
