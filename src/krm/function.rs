//! The KRM function: a ResourceList in, a ResourceList out.
//!
//! Hosts take an empty output with exit code 0 for "delete everything", and hide an error whose ResourceList is
//! garbage. So the reply to a ResourceList is always a ResourceList: on failure the one that came in, with the errors
//! among its `results`. Specification: KRM functions v1.

use std::sync::Arc;

use super::configuration::configuration;
use super::objects::{self, Edited};
use super::results::with_results;
use crate::edit::parse_as;
use crate::kubernetes::Resource;
use crate::pipeline::{self, Role};
use crate::source::suggest::list;
use crate::source::world::Folder;
use crate::source::{Code, Diagnostic, Diagnostics, Result, Source};
use crate::yaml::{EditedText, Node, Stream, faithful};

/// The versions of the wire format; they differ in nothing that matters here.
const API_VERSIONS: [&str; 3] = [
    "config.kubernetes.io/v1",
    "config.kubernetes.io/v1beta1",
    "config.kubernetes.io/v1alpha1",
];

/// What kpt says of every item.
const FILE_PATH: &str = "internal.config.kubernetes.io/path";

/// Answers the ResourceList that `input` holds, with a result for everything that is added to `diagnostics`.
///
/// `folder` is where the functionConfig's files are read from. The answer is to be written to standard output, also
/// after an error; it is empty only where the input is no ResourceList.
pub fn call(input: &Arc<Source>, folder: &Folder<'_>, diagnostics: &mut Diagnostics) -> EditedText {
    let Some((stream, root)) = diagnostics.take(read(input)) else {
        return EditedText::empty();
    };
    let edited = match check(&root) {
        Ok(config) => edit(&stream, config, folder, diagnostics),
        Err(error) => {
            diagnostics.push(error);
            None
        }
    };
    let answer = with_results(
        edited.as_ref().unwrap_or(&root),
        &root,
        diagnostics.as_slice(),
    );
    let edits = faithful::edits(&stream, std::slice::from_ref(&answer));
    EditedText::new(Arc::clone(&stream.source), edits)
}

/// Reads a ResourceList: the stream, and the root of its document.
fn read(input: &Arc<Source>) -> Result<(Stream, Arc<Node>)> {
    let stream = parse_as(input, None)?;
    let root = match &stream.documents[..] {
        [document] => Arc::clone(&document.root),
        [] => return Err(not_a_list("nothing", None)),
        documents => return Err(not_a_list(&format!("{} documents", documents.len()), None)),
    };
    match root.get("kind").and_then(|kind| kind.as_str()) {
        Some("ResourceList") => Ok((stream, root)),
        Some(kind) => Err(not_a_list(&format!("a {kind}"), root.get("kind"))),
        None => Err(not_a_list(root.described(), Some(&root))),
    }
}

fn not_a_list(found: &str, place: Option<&Arc<Node>>) -> Box<Diagnostic> {
    Diagnostic::error(
        Code::ResourceList,
        format!("expected a ResourceList on standard input, found {found}"),
    )
    .at(place.and_then(|node| node.location()), "")
    .help("to edit files, use `inlay run CONFIG PATH…`; `inlay --help` tells more")
}

/// Checks the fields of a ResourceList and returns its functionConfig.
fn check(root: &Arc<Node>) -> Result<&Arc<Node>> {
    let kind = || root.get("kind").and_then(|kind| kind.location());
    let wrong = |wanted: &str, key: &str| {
        let found = root
            .get(key)
            .map_or_else(|| "none", |node| node.described());
        let place = root.get(key).and_then(|node| node.location()).or_else(kind);
        Diagnostic::error(
            Code::ResourceList,
            format!("expected {wanted}, found {found}"),
        )
        .at(place, "")
    };
    match root.get("apiVersion").and_then(|version| version.as_str()) {
        Some(version) if API_VERSIONS.contains(&version) => {}
        Some(version) => {
            let message = format!("expected the `apiVersion` of a ResourceList, found `{version}`");
            return Err(Diagnostic::error(Code::ResourceList, message)
                .at(root.get("apiVersion").and_then(|node| node.location()), "")
                .help(format!("use {}", list(API_VERSIONS))));
        }
        None => {
            return Err(wrong("the `apiVersion` of a ResourceList", "apiVersion")
                .help(format!("use {}", list(API_VERSIONS))));
        }
    }
    if root
        .get("items")
        .is_none_or(|items| items.as_sequence().is_none())
    {
        return Err(wrong("a list of `items` in the ResourceList", "items")
            .help("write `items: []` for a list without items"));
    }
    let config = root.get("functionConfig").map(Node::resolved);
    config.filter(|config| config.as_mapping().is_some()).ok_or_else(|| {
        wrong("a `functionConfig` in the ResourceList", "functionConfig")
            .help("give the function its configuration: `--fn-config` of kpt, `configPath` in a Kptfile")
    })
}

/// The list after `config` was carried out on its items.
fn edit(
    stream: &Stream,
    config: &Arc<Node>,
    folder: &Folder<'_>,
    diagnostics: &mut Diagnostics,
) -> Option<Arc<Node>> {
    let configuration = configuration(config, diagnostics);
    let resources = objects::find(stream, 0, diagnostics);
    let slots = resources.len();
    let resources = pipeline::answer(
        &configuration?,
        role(&resources, config),
        folder,
        resources,
        diagnostics,
    )?;
    let edited = Edited::new(&resources, slots);
    let root = edited.roots(stream, 0).into_iter().next().flatten()?;
    Some(edited.with_added(&root))
}

/// kustomize gives a generator nothing but its own configuration, which it does not print. kpt, whose packages may hold
/// no more than that either, says of every item which file it is.
fn role(resources: &[Resource], config: &Arc<Node>) -> Role {
    let name = |node: &Arc<Node>| {
        let text = |keys: &[&str]| {
            node.get_in(keys)
                .and_then(|node| node.text())
                .map(str::to_owned)
        };
        [
            text(&["apiVersion"]),
            text(&["kind"]),
            text(&["metadata", "name"]),
        ]
    };
    let is_config =
        |item: &Resource| item.annotation(FILE_PATH).is_none() && name(&item.node) == name(config);
    if resources.iter().all(is_config) {
        Role::Generator
    } else {
        Role::Transformer
    }
}
