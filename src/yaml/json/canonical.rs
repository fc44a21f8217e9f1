//! Prints a tree as compact JSON: equal content has one spelling.

use std::sync::Arc;

use super::number::{is_json_number, json_number};
use super::writer::write_string;
use crate::source::{Code, Diagnostic, Location, Result};
use crate::yaml::{Alias, Content, Entry, Mapping, Node, Scalar, ScalarStyle, Sequence, Value};

/// The maximum depth of the output. A parsed tree is not deeper, but nested aliases can exceed it.
const MAX_DEPTH: usize = 255;

/// The maximum number of nodes that the aliases of a tree expand to.
const ALIAS_BUDGET: usize = 1_000_000;

/// Prints a tree, JSON or YAML, as compact JSON: no white space, keys in the order of their bytes,
/// aliases replaced by their targets.
///
/// Numbers keep their spelling if it is valid JSON. Other scalars are printed by their [`Value`]. A
/// key that is not a string becomes its text. A merge key (`<<`) is treated like any other key.
///
/// # Errors
/// [`Code::ValueDoesNotFit`] for infinity, NaN, and a key that is a collection;
/// [`Code::DuplicateKey`] for a key that is repeated in a mapping, because the content is then
/// ambiguous; [`Code::Limit`] for more than 255 levels, and for aliases that expand to more than
/// 1,000,000 nodes.
pub fn canonical_json(node: &Arc<Node>) -> Result<String> {
    let mut printer = JsonPrinter {
        output: String::new(),
        depth: 0,
        aliases: 0,
        alias_budget: ALIAS_BUDGET,
    };
    printer.node(node)?;
    Ok(printer.output)
}

struct JsonPrinter {
    output: String,
    /// The number of collections that are open.
    depth: usize,
    /// The number of aliases that are being expanded.
    aliases: usize,
    /// The number of nodes that may still be printed inside aliases.
    alias_budget: usize,
}

impl JsonPrinter {
    fn node(&mut self, node: &Arc<Node>) -> Result<()> {
        if self.aliases > 0 {
            self.alias_budget = self
                .alias_budget
                .checked_sub(1)
                .ok_or_else(|| too_many_nodes(node))?;
        }
        match &node.content {
            Content::Scalar(scalar) => self.scalar(node, scalar),
            Content::Sequence(sequence) => self.nested(node, |printer| printer.sequence(sequence)),
            Content::Mapping(mapping) => self.nested(node, |printer| printer.mapping(mapping)),
            Content::Alias(alias) => self.alias(alias),
        }
    }

    fn alias(&mut self, alias: &Alias) -> Result<()> {
        self.aliases += 1;
        self.node(alias.target.resolved())?;
        self.aliases -= 1;
        Ok(())
    }

    fn nested(
        &mut self,
        node: &Node,
        print: impl FnOnce(&mut JsonPrinter) -> Result<()>,
    ) -> Result<()> {
        if self.depth == MAX_DEPTH {
            let message = format!("expected at most {MAX_DEPTH} levels of nesting, found more");
            return Err(Diagnostic::error(Code::Limit, message).at(node.location(), ""));
        }
        self.depth += 1;
        print(self)?;
        self.depth -= 1;
        Ok(())
    }

    fn sequence(&mut self, sequence: &Sequence) -> Result<()> {
        self.output.push('[');
        for (index, item) in sequence.items.iter().enumerate() {
            self.comma(index);
            self.node(&item.value)?;
        }
        self.output.push(']');
        Ok(())
    }

    fn mapping(&mut self, mapping: &Mapping) -> Result<()> {
        self.output.push('{');
        for (index, (key, entry)) in sorted_entries(mapping)?.into_iter().enumerate() {
            self.comma(index);
            write_string(&mut self.output, key);
            self.output.push(':');
            self.node(&entry.value)?;
        }
        self.output.push('}');
        Ok(())
    }

    fn comma(&mut self, index: usize) {
        if index > 0 {
            self.output.push(',');
        }
    }

    fn scalar(&mut self, node: &Arc<Node>, scalar: &Scalar) -> Result<()> {
        let text = node.text().unwrap_or("");
        let untagged_plain = scalar.style == ScalarStyle::Plain && node.tag().is_none();
        if untagged_plain && (is_json_number(text) || matches!(text, "true" | "false" | "null")) {
            self.output.push_str(text);
            return Ok(());
        }
        self.value(node.value().unwrap_or(Value::Null), node.location())
    }

    fn value(&mut self, value: Value<'_>, place: Option<Location>) -> Result<()> {
        match value {
            Value::Null => self.output.push_str("null"),
            Value::Bool(value) => self.output.push_str(if value { "true" } else { "false" }),
            Value::Int(_) | Value::UInt(_) | Value::Float(_) => {
                self.output
                    .push_str(&json_number(value).ok_or_else(|| no_json_number(value, place))?);
            }
            Value::String(value) => write_string(&mut self.output, value),
        }
        Ok(())
    }
}

/// Returns the entries in the order of their keys, each with the text of its key.
fn sorted_entries(mapping: &Mapping) -> Result<Vec<(&str, &Entry)>> {
    let keyed = mapping
        .entries
        .iter()
        .map(|entry| Ok((key_text(&entry.key)?, entry)));
    let mut entries = keyed.collect::<Result<Vec<_>>>()?;
    entries.sort_by_key(|(key, _)| *key);
    match entries
        .windows(2)
        .find(|pair| matches!(pair, [(first, _), (second, _)] if first == second))
    {
        Some([(key, first), (_, second)]) => Err(duplicate_key(key, first, second)),
        _ => Ok(entries),
    }
}

/// Returns the text of a key.
///
/// # Errors
/// The key is a collection, which JSON cannot have as a key.
pub(super) fn key_text(key: &Arc<Node>) -> Result<&str> {
    let key = key.resolved();
    key.text().ok_or_else(|| {
        let message = format!(
            "expected a key that JSON can hold as a string, found {}",
            key.described()
        );
        Diagnostic::error(Code::ValueDoesNotFit, message).at(key.location(), "")
    })
}

fn duplicate_key(key: &str, first: &Entry, second: &Entry) -> Box<Diagnostic> {
    Diagnostic::error(
        Code::DuplicateKey,
        format!("expected each key once, found `{key}` twice"),
    )
    .at(second.key.location(), "")
    .at(first.key.location(), "first here")
    .help("remove one of the two entries")
}

/// Returns the error for a number that JSON cannot spell: infinity or NaN.
pub(super) fn no_json_number(value: Value<'_>, place: Option<Location>) -> Box<Diagnostic> {
    let found = if matches!(value, Value::Float(number) if number.is_nan()) {
        "NaN"
    } else {
        "infinity"
    };
    Diagnostic::error(
        Code::ValueDoesNotFit,
        format!("expected a number that JSON can spell, found {found}"),
    )
    .at(place, "")
    .help("JSON has no NaN and no infinity: write `null` or a string")
}

fn too_many_nodes(node: &Node) -> Box<Diagnostic> {
    let message =
        format!("expected aliases that expand to at most {ALIAS_BUDGET} nodes, found more");
    Diagnostic::error(Code::Limit, message).at(node.location(), "reached here")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{Source, Span};
    use crate::yaml::{Properties, ScalarTyping, parse_json};

    fn node(text: &str) -> Arc<Node> {
        let source = Source::new("test.json", text).unwrap();
        Arc::clone(&parse_json(&source).unwrap().documents[0].root)
    }

    fn alias(target: &Arc<Node>) -> Arc<Node> {
        Node::made(Content::Alias(Alias {
            name: "x".into(),
            target: Arc::clone(target),
        }))
    }

    fn pair(target: &Arc<Node>) -> Arc<Node> {
        Node::sequence([alias(target), alias(target)])
    }

    #[test]
    fn the_output_is_compact_and_its_keys_are_sorted_by_their_bytes() {
        let table = [
            ("{ }", "{}"),
            ("[ ]", "[]"),
            (
                "{\"b\": 1, \"a\": [2, {\"d\": null, \"c\": true}], }",
                r#"{"a":[2,{"c":true,"d":null}],"b":1}"#,
            ),
            (
                "{\"é\": 1, \"z\": 2, \"Z\": 3, \"\": 4}",
                r#"{"":4,"Z":3,"z":2,"é":1}"#,
            ),
            (
                "[1.0, 1e3, -0, 0.10, 123456789012345678901234567890]",
                "[1.0,1e3,-0,0.10,123456789012345678901234567890]",
            ),
            (
                r#"["\u0041\u000a\/", "1", "true"]"#,
                r#"["A\n/","1","true"]"#,
            ),
            ("/* a */ [1] // b", "[1]"),
        ];
        for (text, expected) in table {
            assert_eq!(canonical_json(&node(text)).unwrap(), expected);
        }
    }

    #[test]
    fn a_made_tree_is_printed_as_a_parsed_one() {
        let entries = vec![
            Entry::new("b", Node::plain("1")),
            Entry::new("a", Node::string("1")),
        ];
        assert_eq!(
            canonical_json(&Node::mapping(entries)).unwrap(),
            r#"{"a":"1","b":1}"#
        );
    }

    #[test]
    fn a_key_that_is_not_a_string_becomes_its_text() {
        let entries = ["1", "true", "null"].map(|key| Entry {
            key: Node::plain(key),
            value: Node::plain("0"),
        });
        assert_eq!(
            canonical_json(&Node::mapping(entries.into())).unwrap(),
            r#"{"1":0,"null":0,"true":0}"#
        );
    }

    #[test]
    fn a_key_that_is_a_collection_is_refused() {
        let entry = Entry {
            key: Node::sequence([]),
            value: Node::plain("0"),
        };
        let diagnostic = canonical_json(&Node::mapping(vec![entry])).unwrap_err();
        assert_eq!(
            diagnostic.message,
            "expected a key that JSON can hold as a string, found a list"
        );
    }

    #[test]
    fn a_number_tagged_as_a_string_is_a_string() {
        let properties = Properties {
            tag: Some("tag:yaml.org,2002:str".into()),
            anchor: None,
            span: Span::at(0),
            typing: ScalarTyping::Shown,
        };
        let content = Node::plain("1").content.clone();
        let tagged = Arc::new(Node {
            origin: None,
            properties: Some(Box::new(properties)),
            content,
        });
        assert_eq!(canonical_json(&tagged).unwrap(), "\"1\"");
    }

    #[test]
    fn values_are_printed_as_json_spells_them() {
        let table = [
            (Value::Null, "null"),
            (Value::Bool(false), "false"),
            (Value::Int(-8), "-8"),
            (Value::UInt(u64::MAX), "18446744073709551615"),
            (Value::Float(0.5), "0.5"),
            (Value::Float(1.0), "1.0"),
            (Value::Float(1e300), "1e300"),
            (Value::String("a\"b"), r#""a\"b""#),
        ];
        for (value, expected) in table {
            let mut printer = JsonPrinter {
                output: String::new(),
                depth: 0,
                aliases: 0,
                alias_budget: 0,
            };
            printer.value(value, None).unwrap();
            assert_eq!(printer.output, expected);
        }
    }

    #[test]
    fn numbers_without_a_json_spelling_are_refused() {
        for (value, found) in [
            (f64::NAN, "NaN"),
            (f64::INFINITY, "infinity"),
            (f64::NEG_INFINITY, "infinity"),
        ] {
            let mut printer = JsonPrinter {
                output: String::new(),
                depth: 0,
                aliases: 0,
                alias_budget: 0,
            };
            let diagnostic = printer.value(Value::Float(value), None).unwrap_err();
            assert_eq!(
                diagnostic.message,
                format!("expected a number that JSON can spell, found {found}")
            );
        }
    }

    #[test]
    fn a_repeated_key_is_refused_with_both_places() {
        let diagnostic = canonical_json(&node("{\"a\": 1, \"b\": 2, \"\\u0061\": 3}")).unwrap_err();
        assert_eq!(diagnostic.code, Code::DuplicateKey);
        assert_eq!(
            diagnostic.message,
            "expected each key once, found `a` twice"
        );
        let places: Vec<_> = diagnostic
            .labels
            .iter()
            .map(|label| label.location.span.range())
            .collect();
        assert_eq!(places, [17..25, 1..4]);
    }

    #[test]
    fn an_alias_is_replaced_by_its_target() {
        let target = node("{\"b\": 1, \"a\": 2}");
        assert_eq!(
            canonical_json(&pair(&target)).unwrap(),
            r#"[{"a":2,"b":1},{"a":2,"b":1}]"#
        );
        assert_eq!(
            canonical_json(&alias(&alias(&target))).unwrap(),
            r#"{"a":2,"b":1}"#
        );
    }

    #[test]
    fn aliases_that_expand_to_too_much_are_refused() {
        let bomb = (0..100).fold(Node::plain("0"), |target, _| pair(&target));
        let diagnostic = canonical_json(&bomb).unwrap_err();
        assert_eq!(diagnostic.code, Code::Limit);
        assert_eq!(
            diagnostic.message,
            "expected aliases that expand to at most 1000000 nodes, found more"
        );
    }

    #[test]
    fn aliases_that_nest_too_deep_are_refused() {
        let tower = (0..1000).fold(Node::plain("0"), |target, _| {
            Node::sequence([alias(&target)])
        });
        let diagnostic = canonical_json(&tower).unwrap_err();
        assert_eq!(diagnostic.code, Code::Limit);
        assert_eq!(
            diagnostic.message,
            "expected at most 255 levels of nesting, found more"
        );
    }
}
