//! The plain data of a tree, as formats other than YAML need it: without styles, places, aliases
//! and merge keys. Keys are strings, in the order of their bytes.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use super::canonical::scalar::check_tag;
use super::limits::{AliasBudget, printable_text};
use super::merge_key::is_merge;
use super::node::{Content, Entry, Mapping, Node, Sequence};
use super::value::Value;
use crate::source::{Code, Diagnostic, Result};

/// A value without its place and its spelling.
#[derive(Clone, Debug, PartialEq)]
pub enum Data<'a> {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// An integer that fits an `i64`.
    Int(i64),
    /// An integer above [`i64::MAX`].
    UInt(u64),
    /// Any other number.
    Float(f64),
    /// A string.
    String(Cow<'a, str>),
    /// A list of values.
    List(Vec<Data<'a>>),
    /// A mapping from names to values.
    Map(BTreeMap<Cow<'a, str>, Data<'a>>),
}

impl<'a> Data<'a> {
    /// Reads a tree. Aliases and merge keys are expanded. Of entries with equal keys the last is
    /// used. Bytes (`!!binary`) that are not UTF-8 become a string with replacement characters.
    ///
    /// # Errors
    /// [`Code::ValueDoesNotFit`] for a key that is not a string; [`Code::Limit`] if the tree is too
    /// large or too deep with aliases written out; a tag that does not fit its text, and a merge
    /// key whose value is not a mapping.
    pub fn of(node: &'a Arc<Node>) -> Result<Data<'a>> {
        DataReader::default().node(node)
    }

    /// Returns whether both are the same value. Numbers are compared by their value, so `1` equals
    /// `1.0`.
    pub fn equals(&self, other: &Data<'_>) -> bool {
        match (self, other) {
            (Data::List(ours), Data::List(theirs)) => {
                let mut pairs = ours.iter().zip(theirs);
                ours.len() == theirs.len() && pairs.all(|(one, other)| one.equals(other))
            }
            (Data::Map(ours), Data::Map(theirs)) => {
                let mut pairs = ours.iter().zip(theirs);
                ours.len() == theirs.len()
                    && pairs.all(|((key, value), (other_key, other_value))| {
                        key == other_key && value.equals(other_value)
                    })
            }
            (Data::Float(float), Data::Int(whole)) | (Data::Int(whole), Data::Float(float)) => {
                is_whole(*float, i128::from(*whole))
            }
            (Data::Float(float), Data::UInt(whole)) | (Data::UInt(whole), Data::Float(float)) => {
                is_whole(*float, i128::from(*whole))
            }
            _ => self == other,
        }
    }

    /// Creates a tree in which every scalar is read back as the same value.
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

/// Returns whether a float is exactly this integer. Above 2^53, several integers round to the same
/// float, so converting the integer would make them equal.
fn is_whole(float: f64, whole: i128) -> bool {
    // This conversion is exact: `as` rounds only fractions, which were excluded, and saturates only
    // far beyond 64 bits.
    float.fract() == 0.0 && float as i128 == whole
}

/// Spells a float with a point or an exponent, so that it is read back as a float.
fn float(number: f64) -> String {
    if number.is_nan() {
        return ".nan".to_owned();
    }
    if number.is_infinite() {
        return if number > 0.0 { ".inf" } else { "-.inf" }.to_owned();
    }
    // `{}` would print 1.0 as `1`, which is an integer.
    format!("{number:?}")
}

/// Reads a tree recursively; the budget bounds the depth.
#[derive(Default)]
struct DataReader {
    budget: AliasBudget,
}

impl DataReader {
    fn node<'a>(&mut self, node: &'a Arc<Node>) -> Result<Data<'a>> {
        let target = node.resolved();
        let is_alias = !Arc::ptr_eq(node, target);
        // Everything that is read until `leave_alias` is copied because of the alias, so it is
        // counted.
        if is_alias {
            self.budget.enter_alias();
        }
        let data = match &target.content {
            Content::Sequence(sequence) => self.nested(node, |reader| reader.sequence(sequence))?,
            Content::Mapping(mapping) => self.nested(node, |reader| reader.mapping(mapping))?,
            Content::Scalar(_) | Content::Alias(_) => {
                printable_text(target)?;
                self.scalar(target)?
            }
        };
        if is_alias {
            self.budget.leave_alias();
        }
        Ok(data)
    }

    fn nested<'a>(
        &mut self,
        node: &Arc<Node>,
        read: impl FnOnce(&mut DataReader) -> Result<Data<'a>>,
    ) -> Result<Data<'a>> {
        self.budget.enter(|| node.location())?;
        self.budget.spend(0, || node.location())?;
        let data = read(self)?;
        self.budget.leave();
        Ok(data)
    }

    fn sequence<'a>(&mut self, sequence: &'a Sequence) -> Result<Data<'a>> {
        let mut values = Vec::with_capacity(sequence.items.len());
        for item in &sequence.items {
            values.push(self.node(&item.value)?);
        }
        Ok(Data::List(values))
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
        // Later entries replace earlier ones, whether they are merged or not: ytt reads
        // `{a: 1, <<: {a: 2}}` as 2.
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
            let text = String::from_utf8_lossy(&bytes).into_owned();
            return Ok(Data::String(text.into()));
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

    /// Reads the data of a text and prints it.
    fn reprinted(text: &str) -> String {
        canonical_node(&Data::of(&tree(text)).unwrap().to_node()).unwrap()
    }

    fn message(text: &str) -> String {
        Data::of(&tree(text)).unwrap_err().message
    }

    #[test]
    fn writes_values_that_read_back_the_same() {
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
    fn compares_whole_numbers_with_floats_exactly() {
        let equals = |whole: i64, float: f64| {
            let (whole, float) = (Data::Int(whole), Data::Float(float));
            whole.equals(&float) && float.equals(&whole)
        };
        assert!(equals(1, 1.0) && equals(0, -0.0) && equals(1 << 53, 9007199254740992.0));
        assert!(!equals((1 << 53) + 1, 9007199254740992.0) && !equals(1, 1.5));
        assert!(!equals(0, f64::NAN) && !equals(i64::MAX, f64::INFINITY));
        assert!(!equals(i64::MAX, 9223372036854775808.0));
        assert!(Data::UInt(1 << 63).equals(&Data::Float(9223372036854775808.0)));
    }

    #[test]
    fn sorts_keys_by_bytes_and_keeps_the_last_of_equal_ones() {
        assert_eq!(
            reprinted("{b: 1, a: 2, é: 3, Z: 4, '': 5, b: 6}"),
            "\"\": 5\nZ: 4\na: 2\nb: 6\né: 3\n"
        );
    }

    #[test]
    fn writes_out_aliases_and_merge_keys() {
        assert_eq!(
            reprinted("x: &x {b: 1, a: 2}\nw: *x\nz: {b: 0, <<: *x, c: 3}"),
            "w:\n  a: 2\n  b: 1\nx:\n  a: 2\n  b: 1\nz:\n  a: 2\n  b: 1\n  c: 3\n"
        );
    }

    #[test]
    fn decodes_binary_text() {
        assert_eq!(
            reprinted("[!!binary aGk=, !!binary /w==]"),
            "- hi\n- \u{fffd}\n"
        );
    }

    #[test]
    fn refuses_a_key_that_is_not_a_string() {
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
    fn refuses_tags_and_merge_keys_that_do_not_fit() {
        assert_eq!(message("a: !!int x"), "expected an integer, found a string");
        assert_eq!(
            message("<<: 1"),
            "expected a mapping to merge, found a number"
        );
    }

    #[test]
    fn bounds_aliases_in_number_and_depth() {
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
