//! Reads field specs from the files under `crds:` of a kustomization.
//!
//! They are not CustomResourceDefinitions but OpenAPI types by name, as generators of CRDs write
//! them. Extensions of a property say what it contains:
//!
//! ```json
//! {"example.com/v1.Bee": {"Schema": {"properties": {
//!     "apiVersion": {}, "kind": {}, "metadata": {},
//!     "spec": {"$ref": "example.com/v1.BeeSpec"}}}},
//!  "example.com/v1.BeeSpec": {"Schema": {"properties": {
//!     "hive": {"x-kubernetes-object-ref-api-version": "v1", "x-kubernetes-object-ref-kind": "Secret"}}}}}
//! ```
//!
//! Here `spec/hive/name` of a `Bee` is a reference to a Secret.

use std::sync::Arc;

use super::{FieldSpec, FieldSpecPath, FieldSpecs, KindPattern, NameReferenceSpec};
use crate::source::{Code, Diagnostic, Diagnostics, Limit, Reported, Result};
use crate::yaml::{Node, Value};

const ANNOTATION: &str = "x-kubernetes-annotation";
const LABEL_SELECTOR: &str = "x-kubernetes-label-selector";
const IDENTITY: &str = "x-kubernetes-identity";
const REFERENCE_VERSION: &str = "x-kubernetes-object-ref-api-version";
const REFERENCE_KIND: &str = "x-kubernetes-object-ref-kind";
const REFERENCE_NAME: &str = "x-kubernetes-object-ref-name-key";

impl FieldSpecs {
    /// Reads the root of a file under `crds:`.
    ///
    /// # Errors
    /// Reports a root that is not a mapping, and types that contain each other without end.
    pub fn read_crds(
        root: &Arc<Node>,
        diagnostics: &mut Diagnostics,
    ) -> Result<FieldSpecs, Reported> {
        if root.resolved().as_mapping().is_none() && !matches!(root.value(), Some(Value::Null)) {
            let message = format!(
                "expected a mapping of names to OpenAPI types, found {}",
                root.described()
            );
            let error = Diagnostic::error(Code::Config, message).at(root.location(), "");
            return Err(diagnostics.report(error.help(WHERE_CRDS_BELONG)));
        }
        let mut reader = CrdReader {
            types: root.resolved(),
            specs: CrdSpecs::default(),
            visited: 0,
        };
        let mut has_objects = false;
        for entry in reader
            .types
            .as_mapping()
            .iter()
            .flat_map(|types| &types.entries)
        {
            let Some(properties) = properties_of(&entry.value) else {
                continue;
            };
            let is_object = ["kind", "apiVersion", "metadata"]
                .iter()
                .all(|key| properties.get(key).is_some());
            let Some(name) = entry.key.resolved().text().filter(|_| is_object) else {
                continue;
            };
            has_objects = true;
            let kind = name.rsplit('.').next().unwrap_or(name);
            let mut path = PropertyPath {
                kind,
                types: vec![name],
                keys: Vec::new(),
            };
            diagnostics.check(reader.properties(properties, &mut path))?;
        }
        if !has_objects {
            diagnostics.push(no_types(root));
        }
        reader.specs.into_field_specs(diagnostics)
    }
}

/// kustomize accepts such a file without a message.
fn no_types(root: &Node) -> Box<Diagnostic> {
    Diagnostic::warning(
        Code::Config,
        "this file under `crds` contains no OpenAPI type of an object",
    )
    .at(root.location(), "")
    .help(WHERE_CRDS_BELONG)
}

const WHERE_CRDS_BELONG: &str = "a CustomResourceDefinition belongs under `resources`; fields are \
                                 declared under `configurations`";

/// The specs that were found.
#[derive(Default)]
struct CrdSpecs {
    annotations: Vec<FieldSpec>,
    labels: Vec<FieldSpec>,
    names: Vec<FieldSpec>,
    references: Vec<NameReferenceSpec>,
}

impl CrdSpecs {
    fn into_field_specs(self, diagnostics: &mut Diagnostics) -> Result<FieldSpecs, Reported> {
        let specs = FieldSpecs {
            common_annotations: Arc::new(self.annotations),
            common_labels: Arc::new(self.labels),
            name_prefix: Arc::new(self.names),
            name_reference: Arc::new(self.references),
            ..FieldSpecs::default()
        };
        specs.without_repetitions(diagnostics)
    }
}

/// The path from a kind of object to one of its properties.
struct PropertyPath<'a> {
    kind: &'a str,
    /// The types on the path.
    types: Vec<&'a str>,
    /// The names of the properties.
    keys: Vec<&'a str>,
}

struct CrdReader<'a> {
    types: &'a Arc<Node>,
    specs: CrdSpecs,
    visited: u64,
}

impl<'a> CrdReader<'a> {
    /// Reads the properties of a type, and those of the types that they refer to.
    fn properties(&mut self, properties: &'a Arc<Node>, path: &mut PropertyPath<'a>) -> Result<()> {
        for entry in properties.as_mapping().iter().flat_map(|all| &all.entries) {
            let Some(name) = entry.key.resolved().text() else {
                continue;
            };
            // Shared types can turn a small file into a large tree.
            self.visited += 1;
            let limit = Limit::Nodes.value();
            if self.visited > limit {
                let message = format!("the types have more than {limit} properties in all");
                return Err(Limit::Nodes.exceeded(message).at(entry.key.location(), ""));
            }
            let property = entry.value.resolved();
            path.keys.push(name);
            self.property(property, path);
            if let Some(reference) = property.get("$ref") {
                self.referred(reference.resolved(), path)?;
            }
            path.keys.pop();
        }
        Ok(())
    }

    fn referred(&mut self, reference: &'a Arc<Node>, path: &mut PropertyPath<'a>) -> Result<()> {
        let Some(name) = reference.text() else {
            return Ok(());
        };
        let Some(properties) = self.types.get(name).and_then(properties_of) else {
            return Ok(());
        };
        if path.types.contains(&name) {
            let message = format!("the type `{name}` contains itself");
            return Err(Diagnostic::error(Code::Config, message).at(reference.location(), ""));
        }
        path.types.push(name);
        self.properties(properties, path)?;
        path.types.pop();
        Ok(())
    }

    fn property(&mut self, property: &Arc<Node>, path: &PropertyPath<'_>) {
        let extension = |name| property.get(name).and_then(|node| node.resolved().as_str());
        if extension(ANNOTATION).is_some() {
            self.specs.annotations.push(spec(path, None, property));
        }
        if extension(LABEL_SELECTOR).is_some() {
            self.specs.labels.push(spec(path, None, property));
        }
        if extension(IDENTITY).is_some() {
            self.specs.names.push(spec(path, None, property));
        }
        if let (Some(version), Some(kind)) =
            (extension(REFERENCE_VERSION), extension(REFERENCE_KIND))
        {
            let key = extension(REFERENCE_NAME).unwrap_or("name");
            self.specs.references.push(NameReferenceSpec {
                target: KindPattern {
                    version: version.into(),
                    kind: kind.into(),
                    ..KindPattern::default()
                },
                referrers: vec![spec(path, Some(key), property)],
            });
        }
    }
}

fn spec(path: &PropertyPath<'_>, last: Option<&str>, property: &Node) -> FieldSpec {
    let keys: Vec<&str> = path.keys.iter().copied().chain(last).collect();
    FieldSpec {
        kinds: KindPattern {
            kind: path.kind.into(),
            ..KindPattern::default()
        },
        path: FieldSpecPath::parse(&keys.join("/")),
        create: false,
        location: property.location(),
    }
}

/// Returns the properties of an OpenAPI type.
fn properties_of(definition: &Arc<Node>) -> Option<&Arc<Node>> {
    // Go ignores the case of field names.
    let schema = definition
        .resolved()
        .as_mapping()?
        .entries
        .iter()
        .find(|entry| {
            let key = entry.key.resolved().text();
            key.is_some_and(|key| key.eq_ignore_ascii_case("schema"))
        })?;
    schema
        .value
        .resolved()
        .get("properties")
        .map(Node::resolved)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Source;
    use crate::yaml::parse;

    fn read(text: &str) -> (Option<FieldSpecs>, Vec<String>) {
        let stream = parse(&Source::new("crds.json", text).unwrap()).unwrap();
        let mut diagnostics = Diagnostics::default();
        let specs = FieldSpecs::read_crds(&stream.documents[0].root, &mut diagnostics);
        let messages = diagnostics.as_slice().iter();
        let messages = messages.map(|diagnostic| diagnostic.message.clone());
        (specs.ok(), messages.collect())
    }

    const BEE: &str = "
a.v1.Bee:
  Schema:
    properties:
      apiVersion: {type: string}
      kind: {type: string}
      metadata: {$ref: k8s.ObjectMeta}
      spec: {$ref: a.v1.BeeSpec}
a.v1.BeeSpec:
  schema:
    properties:
      hive:
        x-kubernetes-object-ref-api-version: v1
        x-kubernetes-object-ref-kind: Secret
      queen:
        x-kubernetes-object-ref-api-version: v1
        x-kubernetes-object-ref-kind: Zoo
        x-kubernetes-object-ref-name-key: key
      notes: {x-kubernetes-annotation: ''}
      match: {x-kubernetes-label-selector: ''}
      id: {x-kubernetes-identity: ''}
";

    #[test]
    fn reads_the_extensions_of_all_properties_of_an_object() {
        let (specs, messages) = read(BEE);
        let specs = specs.unwrap();
        assert_eq!(messages, Vec::<String>::new());
        let described = |specs: &[FieldSpec]| -> Vec<String> {
            let described = specs.iter().map(|spec| {
                assert!(!spec.create);
                format!("{} of {}", spec.path, spec.kinds)
            });
            described.collect()
        };
        assert_eq!(
            described(&specs.common_annotations),
            ["spec/notes of `Bee`"]
        );
        assert_eq!(described(&specs.common_labels), ["spec/match of `Bee`"]);
        assert_eq!(described(&specs.name_prefix), ["spec/id of `Bee`"]);
        let references = specs.name_reference.iter();
        let references: Vec<_> = references
            .map(|reference| {
                (
                    reference.target.to_string(),
                    described(&reference.referrers),
                )
            })
            .collect();
        let expected = |target: &str, path: &str| (target.to_owned(), vec![path.to_owned()]);
        assert_eq!(
            references,
            [
                expected("`v1 Secret`", "spec/hive/name of `Bee`"),
                expected("`v1 Zoo`", "spec/queen/key of `Bee`")
            ]
        );
    }

    #[test]
    fn reports_a_file_without_types() {
        let (specs, messages) = read("kind: CustomResourceDefinition\nspec: {}\n");
        assert!(specs.is_some());
        assert!(messages[0].contains("no OpenAPI type"));
    }

    #[test]
    fn refuses_a_type_that_contains_itself() {
        let (specs, messages) = read(&format!("{BEE}      child: {{$ref: a.v1.BeeSpec}}\n"));
        assert!(specs.is_none());
        assert_eq!(messages, ["the type `a.v1.BeeSpec` contains itself"]);
    }
}
