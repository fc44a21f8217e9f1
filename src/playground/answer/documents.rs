//! The documents of an output, each with its earlier version.

use std::sync::Arc;

use serde::Serialize;

use super::embedded::{EmbeddedText, embedded};
use crate::kubernetes::Resource;
use crate::playground::job::JobFile;
use crate::source::Source;
use crate::yaml::{Node, Stream, parse};

/// A document that the command printed.
#[derive(Debug, Serialize)]
pub(super) struct OutputDocument {
    /// The title in the page: `Deployment shop/web`.
    title: String,
    /// Its bytes in the output. All documents together are the output.
    text: String,
    /// The text of the same object in the input, if there is one.
    before: Option<String>,
    /// The documents in its strings.
    embedded: Vec<EmbeddedText>,
}

/// An object of the input.
struct InputObject {
    identity: Identity,
    text: String,
    is_taken: bool,
}

/// The key by which an object of the output is found in the input.
#[derive(Default, PartialEq, Eq)]
struct Identity {
    kind: String,
    namespace: String,
    name: String,
}

/// Splits an output into documents. An output that is not YAML is one document.
pub(super) fn documents(output: &str, files: &[JobFile]) -> Vec<OutputDocument> {
    if output.trim().is_empty() {
        return Vec::new();
    }
    let mut input = input_objects(files);
    let Some(stream) = stream_of(output) else {
        return vec![OutputDocument {
            title: "Output".to_owned(),
            text: output.to_owned(),
            before: None,
            embedded: Vec::new(),
        }];
    };
    let mut documents = Vec::with_capacity(stream.documents.len());
    for (at, document) in stream.documents.iter().enumerate() {
        let identity = Identity::of(&document.root);
        documents.push(OutputDocument {
            title: identity.title(at + 1),
            text: stream.source.slice(document.span).to_owned(),
            before: take_before(&mut input, &identity),
            embedded: embedded(&document.root),
        });
    }
    documents
}

fn stream_of(text: &str) -> Option<Stream> {
    let source = Source::new("output", text).ok()?;
    parse(&source).ok()
}

/// Returns the objects of all files that are YAML or JSON. Other files are templates of another
/// language, or contain mistakes that the command has reported.
fn input_objects(files: &[JobFile]) -> Vec<InputObject> {
    let mut objects = Vec::new();
    for file in files {
        let is_yaml = [".yaml", ".yml", ".json"]
            .iter()
            .any(|extension| file.path.ends_with(extension));
        let Some(stream) = is_yaml.then(|| stream_of(&file.text)).flatten() else {
            continue;
        };
        for document in &stream.documents {
            let identity = Identity::of(&document.root);
            if !identity.kind.is_empty() {
                objects.push(InputObject {
                    identity,
                    text: stream.source.slice(document.span).to_owned(),
                    is_taken: false,
                });
            }
        }
    }
    objects
}

/// Returns the text of the same object in the input. A template may compute the name, and a
/// kustomization changes names and namespaces. So if no object has the same name, the next object
/// of the same kind is used.
fn take_before(input: &mut [InputObject], identity: &Identity) -> Option<String> {
    if identity.kind.is_empty() {
        return None;
    }
    let free = |object: &InputObject| !object.is_taken && object.identity.kind == identity.kind;
    let same = |object: &InputObject| free(object) && object.identity == *identity;
    let renamed = |object: &InputObject| {
        let name = &object.identity.name;
        free(object) && (name.is_empty() || identity.name.contains(name.as_str()))
    };
    let at = input
        .iter()
        .position(same)
        .or_else(|| input.iter().position(renamed))?;
    let object = input.get_mut(at)?;
    object.is_taken = true;
    Some(object.text.clone())
}

impl Identity {
    fn of(root: &Arc<Node>) -> Identity {
        match Resource::new(Arc::clone(root)) {
            Ok(resource) => Identity {
                kind: resource.kind().to_owned(),
                namespace: resource.namespace().to_owned(),
                name: resource.name().to_owned(),
            },
            Err(_) => Identity::default(),
        }
    }

    fn title(&self, number: usize) -> String {
        match (self.kind.as_str(), self.namespace.as_str()) {
            ("", _) => format!("Document {number}"),
            (kind, "") => format!("{kind} {}", self.name).trim_end().to_owned(),
            (kind, namespace) => format!("{kind} {namespace}/{}", self.name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, text: &str) -> JobFile {
        JobFile {
            path: path.to_owned(),
            text: text.to_owned(),
        }
    }

    #[test]
    fn an_output_is_the_sum_of_its_documents() {
        let output = "kind: A\nmetadata:\n  name: a\n---\nkind: B\nmetadata:\n  name: b\n  namespace: n\n---\n- 1\n";
        let documents = documents(output, &[]);
        let titles: Vec<_> = documents.iter().map(|document| &*document.title).collect();
        assert_eq!(titles, ["A a", "B n/b", "Document 3"]);
        let sum: String = documents.iter().map(|document| &*document.text).collect();
        assert_eq!(sum, output);
    }

    #[test]
    fn finds_each_object_in_the_input_once() {
        let input = "kind: A\nmetadata: {name: x}\n---\nkind: A\nmetadata: {name: y}\n---\nkind: A\nmetadata:\n  name: #@ name\n";
        let output = "kind: A\nmetadata:\n  name: y\n---\nkind: A\nmetadata:\n  name: dev-x\n---\nkind: A\nmetadata:\n  name: z\n---\nkind: A\nmetadata:\n  name: q\n";
        let documents = documents(output, &[file("a.yml", input), file("b.txt", input)]);
        let before: Vec<_> = documents
            .iter()
            .map(|document| {
                document
                    .before
                    .as_deref()
                    .map(|text| text.contains("name: x"))
            })
            .collect();
        assert_eq!(before, [Some(false), Some(true), Some(false), None]);
    }

    #[test]
    fn text_that_is_not_yaml_is_one_document() {
        let documents = documents("a: [\n", &[]);
        assert_eq!(documents.len(), 1);
        assert_eq!(documents[0].text, "a: [\n");
    }
}
