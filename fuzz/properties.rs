//! Properties of arbitrary bytes. Each function panics if its property is violated. The fuzz targets and
//! `tests/fuzz.rs` call them.

#![allow(dead_code, reason = "each fuzz target calls one of them")]

use std::sync::Arc;

use inlay::edit::{DocumentFormat, EditOptions, FieldPath, delete, find, update};
use inlay::script::{Evaluated, Library, Limits, Loader, Program, Session};
use inlay::source::{Code, Diagnostic, DiagnosticFormat, Renderer, Result, Source, on_large_stack};
use inlay::template::{compile, compile_text};
use inlay::yaml::{
    Content, Data, Node, Stream, Value, canonical, expand, faithful, is_empty, json_string, parse,
};
use yaml_serde::Value as Seen;

/// A program is parsed, or rejected with a message that can be printed.
pub(crate) fn end(data: &[u8]) {
    let Some(source) = source("fuzz.star", data) else {
        return;
    };
    shown(Program::starlark(&source));
}

/// A template renders, or is rejected with a message that can be printed, within small limits.
pub(crate) fn template(data: &[u8]) {
    let Some(source) = source("fuzz.yml", data) else {
        return;
    };
    let work = || {
        shown(compile_text(&source).and_then(evaluate));
        let documents = parse(&source).and_then(|stream| compile(&stream, &Default::default()));
        if let Some(documents) = shown(documents.and_then(evaluate)) {
            shown(canonical(&documents));
        }
    };
    on_large_stack(work).expect("room for a stack");
}

/// The printed text is read back equal, by our parser and by an independent one.
pub(crate) fn canonical_text(data: &[u8]) {
    let Some(source) = source("fuzz.yml", data) else {
        return;
    };
    let Ok(stream) = parse(&source) else { return };
    let roots: Vec<Arc<Node>> = stream
        .documents
        .iter()
        .map(|document| Arc::clone(&document.root))
        .collect();
    let Ok(printed) = canonical(&roots) else {
        return;
    };
    // ytt prints the float -0.0 as `-0`, which it reads as the integer 0, and the string `<<` without
    // quotes, which is a merge key if it is a key.
    let mut words = printed.split_whitespace();
    if words.any(|word| matches!(word.strip_suffix(':').unwrap_or(word), "-0" | "<<")) {
        return;
    }
    // It prints the float 7.0 as `7`, so a mapping with both 7 and 7.0 as keys has one of them twice.
    if roots.iter().any(has_a_whole_float_as_key) {
        return;
    }
    let again =
        parse(&Source::new("printed.yml", printed.as_str()).expect("it was no longer before"));
    let again = again.unwrap_or_else(|error| panic!("{}\n{printed}", error.message));
    let read: Vec<Arc<Node>> = again
        .documents
        .iter()
        .map(|document| Arc::clone(&document.root))
        .collect();
    assert_eq!(canonical(&read).expect("it was printed before"), printed);
    let told = roots.iter().filter(|root| !is_empty(root.resolved()));
    let mut seen = yaml_serde::Deserializer::from_str(&printed);
    for root in told {
        // A value whose tag does not fit is not printed if a later entry has the same key.
        let Ok(root) = expand(root) else { return };
        let Some(document) = seen.next() else {
            panic!("a document is gone\n{printed}")
        };
        match <Seen as serde::Deserialize>::deserialize(document) {
            Ok(document) => assert!(same(&root, &document), "{document:?}\n{printed}"),
            // The other reader has no value for an integer of more than 64 bits.
            // The message may begin with the path of the value.
            Err(error) if error.to_string().contains("invalid type: integer") => continue,
            // Nor does it read documents that nest deeper than its own limit.
            Err(error) if error.to_string().starts_with("recursion limit exceeded") => continue,
            Err(error) => panic!("{error}\n{printed}"),
        }
    }
}

/// Returns whether a key below a node is a float that is printed like an integer. Aliases are not followed, because
/// the nodes that they refer to are in the same document.
fn has_a_whole_float_as_key(node: &Arc<Node>) -> bool {
    match &node.content {
        Content::Mapping(mapping) => mapping.entries.iter().any(|entry| {
            let key = entry.key.resolved();
            matches!(key.value(), Some(Value::Float(float)) if float.fract() == 0.0)
                || has_a_whole_float_as_key(&entry.key)
                || has_a_whole_float_as_key(&entry.value)
        }),
        Content::Sequence(sequence) => {
            let mut items = sequence.items.iter();
            items.any(|item| has_a_whole_float_as_key(&item.value))
        }
        Content::Scalar(_) | Content::Alias(_) => false,
    }
}

/// The paths that [`faithful`] writes to, and whose values it deletes.
const EDITED_PATHS: [&str; 6] = ["a", "0", "a.b", "a.0", "-", "new"];

/// A text that was parsed and not edited is printed unchanged. The text after an edit reads back as the edited tree.
pub(crate) fn faithful(data: &[u8]) {
    for name in ["fuzz.yml", "fuzz.json"] {
        let Some(source) = source(name, data) else {
            return;
        };
        let Ok(stream) = parse(&source) else { continue };
        let roots: Vec<Arc<Node>> = stream
            .documents
            .iter()
            .map(|document| Arc::clone(&document.root))
            .collect();
        assert_eq!(faithful::print(&stream, &roots), source.text());
        for path in EDITED_PATHS {
            let path = FieldPath::parse(path).expect("a path");
            let options = EditOptions {
                create: true,
                text_format: stream.syntax.into(),
                has_aliases: stream.has_aliases,
                ..EditOptions::default()
            };
            for at in 0..roots.len().min(3) {
                let set = update(&roots[at], &path, &options, &mut |_| {
                    Ok(Some(Node::string("new")))
                });
                let deleted = delete(&roots[at], &path, &options);
                for changed in [set.ok().flatten(), deleted.ok()].into_iter().flatten() {
                    let mut edited = roots.clone();
                    edited[at] = changed;
                    reads_back(&stream, &edited);
                }
            }
        }
    }
}

/// Checks that the printed text of edited documents reads back as these documents.
fn reads_back(stream: &Stream, edited: &[Arc<Node>]) {
    let text = faithful::print(stream, edited);
    let before = stream.source.text();
    let again = parse(&Source::new(stream.source.name(), text.as_str()).expect("a short text"));
    let again = again.unwrap_or_else(|error| panic!("{}\n{before}\n----\n{text}", error.message));
    // Some trees have no data, such as those with a collection or null as a key. A key that is an
    // alias gets another name in the text if its anchor was edited. The tree keeps the old key,
    // because the printer finds the entry by it.
    let expected = if edited.iter().any(has_an_alias_as_key) {
        None
    } else {
        all_data(edited.iter())
    };
    let Some(expected) = expected else {
        let mut pairs = edited.iter().zip(&again.documents);
        assert!(
            edited.len() == again.documents.len()
                && pairs.all(|(expected, found)| has_same_texts(expected, &found.root)),
            "{before}\n----\n{text}"
        );
        return;
    };
    let found = all_data(again.documents.iter().map(|document| &document.root));
    // A number that is none (`.nan`) does not equal itself, but it is shown like itself.
    let (found, expected) = (format!("{found:?}"), format!("{:?}", Some(expected)));
    assert_eq!(found, expected, "{before}\n----\n{text}");
}

/// Returns whether a key below a node is an alias.
fn has_an_alias_as_key(node: &Arc<Node>) -> bool {
    match &node.content {
        Content::Mapping(mapping) => mapping.entries.iter().any(|entry| {
            matches!(entry.key.content, Content::Alias(_))
                || has_an_alias_as_key(&entry.key)
                || has_an_alias_as_key(&entry.value)
        }),
        Content::Sequence(sequence) => {
            let mut items = sequence.items.iter();
            items.any(|item| has_an_alias_as_key(&item.value))
        }
        Content::Scalar(_) | Content::Alias(_) => false,
    }
}

/// Returns whether two trees have the same structure and the same texts. Tags are not compared, because
/// a value that replaces another one keeps the tag that is written there.
fn has_same_texts(one: &Arc<Node>, other: &Arc<Node>) -> bool {
    // Following aliases could take time beyond the size of the text.
    if let (Content::Alias(one), Content::Alias(other)) = (&one.content, &other.content) {
        return one.name == other.name;
    }
    match (&one.resolved().content, &other.resolved().content) {
        (Content::Mapping(one), Content::Mapping(other)) => {
            let mut pairs = one.entries.iter().zip(other.entries.iter());
            one.entries.len() == other.entries.len()
                && pairs.all(|(one, other)| {
                    has_same_texts(&one.key, &other.key) && has_same_texts(&one.value, &other.value)
                })
        }
        (Content::Sequence(one), Content::Sequence(other)) => {
            let mut pairs = one.items.iter().zip(other.items.iter());
            one.items.len() == other.items.len()
                && pairs.all(|(one, other)| has_same_texts(&one.value, &other.value))
        }
        (Content::Scalar(_), Content::Scalar(_)) => {
            let (one, other) = (one.resolved(), other.resolved());
            let are_null = [one, other].map(|node| matches!(node.value(), Some(Value::Null)));
            are_null == [true, true] || one.text() == other.text()
        }
        _ => false,
    }
}

fn all_data<'n>(roots: impl Iterator<Item = &'n Arc<Node>>) -> Option<Vec<Data<'n>>> {
    roots.map(|root| Data::of(root).ok()).collect()
}

/// A value written into a document inside a string is read back, and writing the same value changes nothing.
pub(crate) fn embedded(data: &[u8]) {
    let Some(inner) = source("inner.yml", data) else {
        return;
    };
    let outer = format!("text: {}\n", json_string(inner.text()));
    let source = Source::new("outer.yml", outer).expect("a short text");
    let Ok(stream) = parse(&source) else { return };
    let Some(document) = stream.documents.first() else {
        return;
    };
    for path in [
        "text.a",
        "text.0",
        "text.a.b",
        "text.metadata.name",
        "text.data.config.a",
    ] {
        edited(&stream, &document.root, path, None);
    }
}

/// Writes a string at a path, and then the value that is already there.
pub(crate) fn edited(
    stream: &Stream,
    root: &Arc<Node>,
    path: &str,
    format: Option<DocumentFormat>,
) {
    let path = FieldPath::parse(path).expect("a path");
    let options = EditOptions {
        format,
        text_format: stream.syntax.into(),
        has_aliases: stream.has_aliases,
        ..EditOptions::default()
    };
    // A value that is written over an alias becomes a value of its own, even if it is the same.
    let mut is_anchored = false;
    let same = update(root, &path, &options, &mut |target| {
        is_anchored |= target
            .current
            .is_some_and(|current| current.anchor().is_some());
        Ok(target.current.map(Arc::clone))
    });
    let Ok(same) = same else { return };
    let same = same.unwrap_or_else(|| Arc::clone(root));
    if !is_anchored {
        assert_eq!(faithful::print(stream, &[same]), stream.source.text());
    }
    let Ok(Some(changed)) = update(root, &path, &options, &mut |_| {
        Ok(Some(Node::string("new")))
    }) else {
        return;
    };
    let text = faithful::print(stream, &[changed]);
    let again = parse(&Source::new("changed.yml", text.as_str()).expect("a short text"));
    let again = again.unwrap_or_else(|error| panic!("{}\n{text}", error.message));
    let root = again
        .documents
        .first()
        .map(|document| Arc::clone(&document.root))
        .expect("a document");
    let options = EditOptions {
        has_aliases: again.has_aliases,
        ..options
    };
    let Ok(found) = find(&root, &path, &options) else {
        // `text.0` may be a document of several. A text that begins with a scalar is not opened as JSON again.
        let before = stream.source.text();
        assert!(
            path.to_string() == "text.0",
            "nothing is at the path\n{before}\n----\n{text}"
        );
        return;
    };
    assert!(
        found.iter().all(|found| found.node.as_str() == Some("new")),
        "{text}"
    );
}

pub(crate) fn source(name: &str, data: &[u8]) -> Option<Arc<Source>> {
    let text = std::str::from_utf8(data).ok()?;
    Source::new(name, text).ok()
}

/// Returns the value. Prints a diagnostic, to check that this does not panic.
fn shown<T>(result: Result<T>) -> Option<T> {
    let shown = |error: Box<Diagnostic>| {
        let text = Renderer::new(DiagnosticFormat::Human).render(&[*error]);
        assert!(!text.is_empty());
    };
    result.map_err(shown).ok()
}

/// No other files.
struct Alone;

impl Loader for Alone {
    fn find(&self, path: &str, _: &Program) -> Result<Arc<Program>> {
        Err(Diagnostic::error(
            Code::Load,
            format!("expected a file `{path}`"),
        ))
    }

    fn read(&self, path: &str, _: &Program) -> Result<String> {
        Err(Diagnostic::error(
            Code::File,
            format!("expected a file `{path}`"),
        ))
    }

    fn list(&self, _: Option<&str>, _: &Program) -> Result<Vec<String>> {
        Ok(Vec::new())
    }
}

fn evaluate(program: Program) -> Result<Vec<Arc<Node>>> {
    let limits = Limits {
        ticks: 20_000,
        memory: 8 << 20,
        built: 8 << 20,
        ..Limits::default()
    };
    let session = Session::new(limits, |_| ()).with_modules(&inlay::modules::MODULES);
    let library = Library::new(&session, &Alone, &Node::mapping(Vec::new()))?;
    match library.evaluate(&Arc::new(program))? {
        Evaluated::Documents(documents) => Ok(documents
            .into_iter()
            .map(|document| document.root)
            .collect()),
        _ => Ok(Vec::new()),
    }
}

/// Returns whether another reader reads the same values as the tree has. Numbers that only one of the two can represent
/// are compared as floats.
fn same(node: &Node, seen: &Seen) -> bool {
    match (&node.content, seen) {
        (Content::Mapping(mapping), Seen::Mapping(entries)) => {
            mapping.entries.len() == entries.len()
                && mapping
                    .entries
                    .iter()
                    .zip(entries)
                    .all(|(entry, (key, value))| same(&entry.key, key) && same(&entry.value, value))
        }
        (Content::Sequence(sequence), Seen::Sequence(items)) => {
            sequence.items.len() == items.len()
                && sequence
                    .items
                    .iter()
                    .zip(items)
                    .all(|(item, value)| same(&item.value, value))
        }
        (Content::Scalar(_), _) if node.binary().is_some() => true,
        (Content::Scalar(_), _) => match (node.value(), seen) {
            (Some(Value::Null) | None, Seen::Null) => true,
            (Some(Value::Bool(own)), Seen::Bool(seen)) => own == *seen,
            (Some(Value::String(own)), Seen::String(seen)) => own == seen,
            (Some(Value::Int(own)), Seen::Number(seen)) => same_number(own as f64, seen.as_f64()),
            (Some(Value::UInt(own)), Seen::Number(seen)) => same_number(own as f64, seen.as_f64()),
            (Some(Value::Float(own)), Seen::Number(seen)) => same_number(own, seen.as_f64()),
            _ => false,
        },
        _ => false,
    }
}

fn same_number(own: f64, seen: Option<f64>) -> bool {
    seen.is_some_and(|seen| own == seen || own.is_nan() && seen.is_nan())
}
