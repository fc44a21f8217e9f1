//! What a tree says, without how it says it.
//!
//! The reading for formats that are not YAML: no styles, no places, no aliases, no merge keys, and keys that are strings,
//! in the order of their bytes.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use super::canonical::scalar::check_tag;
use super::limits::AliasBudget;
use super::merge_key::is_merge;
use super::node::{Content, Entry, Mapping, Node, Sequence};
use super::value::Value;
use crate::source::{Code, Diagnostic, Result};

/// A value without its spelling.
#[derive(Clone, Debug, PartialEq)]
pub enum Data<'a> {
    /// Nothing.
    Null,
    /// True or false.
    Bool(bool),
    /// A whole number that fits 64 bits with a sign.
    Int(i64),
    /// A whole number above [`i64::MAX`].
    UInt(u64),
    /// Any other number.
    Float(f64),
    /// A text.
    String(Cow<'a, str>),
    /// Values in order.
    List(Vec<Data<'a>>),
    /// Values by name.
    Map(BTreeMap<Cow<'a, str>, Data<'a>>),
}

impl<'a> Data<'a> {
    /// What a tree says. Aliases are written out, merge keys expanded, and of entries with equal keys the last counts. Bytes
    /// (`!!binary`) that are not UTF-8 become a text with replacement characters.
    ///
    /// # Errors
    /// [`Code::ValueDoesNotFit`] for a key that is not a string; aliases that stand for too much, nesting that is too deep
    /// with aliases written out, a tag that does not fit its text, and a merge key whose value is not a mapping.
    pub fn of(node: &'a Arc<Node>) -> Result<Data<'a>> {
        Reader::default().node(node)
    }

    /// Whether both are the same value: a number is what it counts, so that `1` is `1.0`.
    pub fn equals(&self, other: &Data<'_>) -> bool {
        match (self, other) {
            (Data::List(ours), Data::List(theirs)) => {
                ours.len() == theirs.len()
                    && ours
                        .iter()
                        .zip(theirs)
                        .all(|(one, other)| one.equals(other))
            }
            (Data::Map(ours), Data::Map(theirs)) => {
                let mut pairs = ours.iter().zip(theirs);
                ours.len() == theirs.len()
                    && pairs.all(|(one, other)| one.0 == other.0 && one.1.equals(other.1))
            }
            (Data::Float(float), Data::Int(whole)) | (Data::Int(whole), Data::Float(float)) => {
                *whole as f64 == *float
            }
            (Data::Float(float), Data::UInt(whole)) | (Data::UInt(whole), Data::Float(float)) => {
                *whole as f64 == *float
            }
            _ => self == other,
        }
    }

    /// The data as a tree, in which every value reads as what it is.
    pub fn to_node(&self) -> Arc<Node> {
        match self {
            Data::Null => Node::plain("null"),
            Data::Bool(value) => Node::plain(if *value { "true" } else { "false" }),
            Data::Int(number) => Node::plain(number.to_string()),
            Data::UInt(number) => Node::plain(number.to_string()),
            Data::Float(number) => Node::plain(float(*number)),
            Data::String(text) => Node::string(&**text),
            Data::List(values) => Node::sequence(values.iter().map(Data::to_node)),
            Data::Map(values) => Node::mapping(
                values
                    .iter()
                    .map(|(key, value)| Entry::new(key, value.to_node()))
                    .collect(),
            ),
        }
    }
}

/// A float with a point or an exponent, so that it reads as one.
fn float(number: f64) -> String {
    if number.is_nan() {
        return ".nan".to_owned();
    }
    if number.is_infinite() {
        return if number > 0.0 { ".inf" } else { "-.inf" }.to_owned();
    }
    format!("{number:?}")
}

/// Reads a tree, and calls itself for each level, which its budget bounds.
#[derive(Default)]
struct Reader {
    budget: AliasBudget,
}

impl Reader {
    fn node<'a>(&mut self, node: &'a Arc<Node>) -> Result<Data<'a>> {
        let target = node.resolved();
        let is_alias = !Arc::ptr_eq(node, target);
        if is_alias {
            self.budget.enter_alias();
        }
        let data = match &target.content {
            Content::Sequence(sequence) => self.nested(node, |reader| reader.sequence(sequence))?,
            Content::Mapping(mapping) => self.nested(node, |reader| reader.mapping(mapping))?,
            Content::Scalar(_) | Content::Alias(_) => self.scalar(target)?,
        };
        if is_alias {
            self.budget.leave_alias();
        }
        Ok(data)
    }

    fn nested<'a>(
        &mut self,
        node: &Arc<Node>,
        read: impl FnOnce(&mut Reader) -> Result<Data<'a>>,
    ) -> Result<Data<'a>> {
        self.budget.enter(node.location())?;
        self.budget.spend(0, || node.location())?;
        let data = read(self)?;
        self.budget.leave();
        Ok(data)
    }

    fn sequence<'a>(&mut self, sequence: &'a Sequence) -> Result<Data<'a>> {
        let values = sequence.items.iter().map(|item| self.node(&item.value));
        Ok(Data::List(values.collect::<Result<_>>()?))
    }

    fn mapping<'a>(&mut self, mapping: &'a Mapping) -> Result<Data<'a>> {
        let mut values = BTreeMap::new();
        self.entries(mapping, &mut values)?;
        Ok(Data::Map(values))
    }

    fn entries<'a>(
        &mut self,
        mapping: &'a Mapping,
        values: &mut BTreeMap<Cow<'a, str>, Data<'a>>,
    ) -> Result<()> {
        for entry in &mapping.entries {
            if is_merge(&entry.key) {
                self.merge(&entry.value, values)?;
            } else {
                let key = self.key(&entry.key)?;
                let value = self.node(&entry.value)?;
                values.insert(key, value);
            }
        }
        Ok(())
    }

    fn merge<'a>(
        &mut self,
        value: &'a Arc<Node>,
        values: &mut BTreeMap<Cow<'a, str>, Data<'a>>,
    ) -> Result<()> {
        let merged = self.budget.enter_merged(value)?;
        self.entries(merged.mapping, values)?;
        self.budget.leave_merged(&merged);
        Ok(())
    }

    fn key<'a>(&mut self, key: &'a Arc<Node>) -> Result<Cow<'a, str>> {
        let target = key.resolved();
        if target.as_scalar().is_some()
            && let Data::String(text) = self.scalar(target)?
        {
            return Ok(text);
        }
        let message = format!(
            "expected a key that is a string, found {}",
            target.described()
        );
        Err(Diagnostic::error(Code::ValueDoesNotFit, message)
            .at(key.location(), "")
            .help("put the key in quotes, or make it a string with `str(…)`"))
    }

    fn scalar<'a>(&mut self, node: &'a Arc<Node>) -> Result<Data<'a>> {
        check_tag(node)?;
        let text = node.text().unwrap_or_default();
        self.budget.spend(text.len(), || node.location())?;
        if let Some(bytes) = node.binary() {
            return Ok(Data::String(
                String::from_utf8_lossy(&bytes).into_owned().into(),
            ));
        }
        Ok(match node.value().unwrap_or(Value::Null) {
            Value::Null => Data::Null,
            Value::Bool(value) => Data::Bool(value),
            Value::Int(number) => Data::Int(number),
            Value::UInt(number) => Data::UInt(number),
            Value::Float(number) => Data::Float(number),
            Value::String(text) => Data::String(text.into()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Source;
    use crate::yaml::{Alias, canonical_node, parse};

    fn tree(text: &str) -> Arc<Node> {
        let source = Source::new("test.yml", text).unwrap();
        Arc::clone(&parse(&source).unwrap().documents[0].root)
    }

    /// The data of a text, printed.
    fn reprinted(text: &str) -> String {
        canonical_node(&Data::of(&tree(text)).unwrap().to_node()).unwrap()
    }

    fn message(text: &str) -> String {
        Data::of(&tree(text)).unwrap_err().message
    }

    #[test]
    fn every_value_reads_back_as_what_it_is() {
        for text in [
            "- null\n- true\n- false\n- -1\n- 18446744073709551615\n- .inf\n- -.inf\n- .nan\n- 1e+300\n- 1\n- \"1\"\n",
            "a: \"yes\"\nb:\n- {}\n- []\n",
            "text\n",
        ] {
            assert_eq!(reprinted(text), text);
        }
        assert_eq!(
            Data::of(&Data::Float(1.0).to_node()).unwrap(),
            Data::Float(1.0),
            "a float stays one"
        );
    }

    #[test]
    fn keys_stand_in_the_order_of_their_bytes_and_the_last_of_equals_counts() {
        assert_eq!(
            reprinted("{b: 1, a: 2, é: 3, Z: 4, '': 5, b: 6}"),
            "\"\": 5\nZ: 4\na: 2\nb: 6\né: 3\n"
        );
    }

    #[test]
    fn aliases_are_written_out_and_merge_keys_expanded() {
        assert_eq!(
            reprinted("x: &x {b: 1, a: 2}\nw: *x\nz: {b: 0, <<: *x, c: 3}"),
            "w:\n  a: 2\n  b: 1\nx:\n  a: 2\n  b: 1\nz:\n  a: 2\n  b: 1\n  c: 3\n"
        );
    }

    #[test]
    fn binary_text_is_decoded() {
        assert_eq!(
            reprinted("[!!binary aGk=, !!binary /w==]"),
            "- hi\n- \u{fffd}\n"
        );
    }

    #[test]
    fn a_key_that_is_not_a_string_is_refused() {
        for (text, found) in [
            ("1: x", "a number"),
            ("true: x", "a boolean"),
            ("~: x", "null"),
            ("[]: x", "a list"),
            ("? {a: 1}\n: x", "a mapping"),
        ] {
            assert_eq!(
                message(text),
                format!("expected a key that is a string, found {found}")
            );
        }
    }

    #[test]
    fn what_yaml_forbids_is_refused() {
        assert_eq!(message("a: !!int x"), "expected an integer, found a string");
        assert_eq!(
            message("<<: 1"),
            "expected a mapping to merge, found a number"
        );
    }

    #[test]
    fn aliases_are_bounded_in_number_and_depth() {
        let alias = |target: &Arc<Node>| {
            Node::made(Content::Alias(Alias {
                name: "x".into(),
                target: Arc::clone(target),
            }))
        };
        let bomb = (0..100).fold(Node::plain("0"), |target, _| {
            Node::sequence([alias(&target), alias(&target)])
        });
        assert_eq!(Data::of(&bomb).unwrap_err().code, Code::Limit);
        let tower = (0..1000).fold(Node::plain("0"), |target, _| {
            Node::sequence([alias(&target)])
        });
        assert_eq!(Data::of(&tower).unwrap_err().code, Code::Limit);
    }
}
