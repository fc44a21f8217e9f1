//! The rules of the generators: how values are read, and what becomes of objects that are there.

mod earlier;
mod merge_values;
mod objects;
mod values;

use std::sync::Arc;

use super::*;
use crate::edit::DocumentFormat;
use crate::kubernetes::Resource;
use crate::kustomize::add_suffixes;
use crate::provenance::Recorder;
use crate::source::world::{Folder, Memory};
use crate::source::{Diagnostics, Reported, Source};
use crate::typed::from_node;
use crate::yaml::{Node, canonical_node, parse_data};

const FILES: [(&str, &str); 5] = [
    ("app/config.json", "{\"a\": 1}\n"),
    ("app/sub/x.txt", "text"),
    (
        "app/app.env",
        "\u{feff}# comment\n  A=1 \n\nexport B='2'\r\nC\nD=x=y\n",
    ),
    ("app/bad.env", "A=1\n =2\n"),
    ("secret.txt", "outside"),
];

/// Texts with annotations belong to the layers above.
struct NoOverlays;

impl TextOverlays for NoOverlays {
    fn is_overlay(&self, _: &Arc<Source>) -> bool {
        false
    }

    fn apply(
        &self,
        _: &Arc<Source>,
        _: &[Arc<Node>],
        _: DocumentFormat,
        _: &mut Diagnostics,
    ) -> Result<Vec<Arc<Node>>, Reported> {
        unreachable!("no text is an overlay")
    }
}

fn root(text: &str) -> Arc<Node> {
    Arc::clone(
        &parse_data(&Source::new("config.yaml", text).unwrap())
            .unwrap()
            .documents[0]
            .root,
    )
}

/// Runs the generator of an entry, and ends the run.
fn generate(
    kind: GeneratorKind,
    entry: &str,
    role: PluginRole,
    resources: &mut Vec<Resource>,
    diagnostics: &mut Diagnostics,
) -> Result<(), Reported> {
    let world = Memory::with_files(FILES);
    let folder = Folder::new(&world, "app");
    let config = diagnostics.check(from_node(&root(entry)))?;
    let options = GeneratorOptionsConfig::default();
    let generator = check(kind, config, &options, &folder, diagnostics)?;
    let context = GeneratorContext {
        role,
        folder: &folder,
        overlays: &NoOverlays,
    };
    apply(
        &[generator],
        &context,
        resources,
        Recorder::off(),
        diagnostics,
    )?;
    add_suffixes(resources, Recorder::off(), diagnostics)
}

/// Returns what an entry makes of objects: the objects printed, or the messages of the errors.
fn run(
    kind: GeneratorKind,
    entry: &str,
    role: PluginRole,
    objects: &[&str],
) -> Result<String, Vec<String>> {
    let mut diagnostics = Diagnostics::default();
    let nodes = objects.iter().map(|text| root(text));
    let mut resources: Vec<Resource> = nodes.map(|node| Resource::new(node).unwrap()).collect();
    if generate(kind, entry, role, &mut resources, &mut diagnostics).is_err() {
        let messages = diagnostics.as_slice().iter();
        return Err(messages.map(|error| error.message.clone()).collect());
    }
    let printed = resources
        .iter()
        .map(|resource| canonical_node(&resource.node).unwrap());
    Ok(printed.collect::<Vec<_>>().join("---\n"))
}

/// The `data` of the ConfigMap that an entry with these fields makes.
fn data(fields: &str) -> Result<String, String> {
    let entry = format!("name: q\noptions: {{disableNameSuffixHash: true}}\n{fields}");
    let printed = run(
        GeneratorKind::ConfigMap,
        &entry,
        PluginRole::Transformer,
        &[],
    )
    .map_err(|mut errors| errors.remove(0))?;
    let object = root(&printed);
    let sections = ["data", "binaryData"]
        .into_iter()
        .filter_map(|section| object.get(section));
    Ok(sections
        .map(|section| canonical_node(section).unwrap())
        .collect())
}

fn edit(kind: GeneratorKind, entry: &str, object: &str) -> Result<String, Vec<String>> {
    run(kind, entry, PluginRole::Transformer, &[object])
}

const PLAIN: &str = "# A person wrote this.
apiVersion: v1
kind: ConfigMap
metadata: {name: a, labels: {x: '1', w: '2'}}
immutable: false
data:
  z: '1'
  a: '2'
binaryData: {b: AAAA}
";

fn config_map(key: &str, text: &str) -> String {
    let texts = Node::mapping(vec![crate::yaml::Entry::new(key, Node::string(text))]);
    let data = canonical_node(&texts).unwrap().replace('\n', "\n  ");
    format!("apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  {data}")
}

/// The text under `key` after `overlay` was merged into it.
fn merged(key: &str, base: &str, overlay: &str, fields: &str) -> Result<String, String> {
    let (name, text) = (
        crate::yaml::json_string(key),
        crate::yaml::json_string(overlay),
    );
    let entry = format!(
        "{{name: a, behavior: merge, literals: [{{{name}: {text}}}], mergeValues: [{{key: {name}{fields}}}]}}"
    );
    let printed = edit(GeneratorKind::ConfigMap, &entry, &config_map(key, base))
        .map_err(|mut errors| errors.remove(0))?;
    Ok(root(&printed)
        .get_in(&["data", key])
        .unwrap()
        .text()
        .unwrap()
        .to_owned())
}
