//! The KRM function: a ResourceList in, a ResourceList out.
//!
//! Hosts take an empty output with exit code 0 for "delete everything", and hide an error whose ResourceList is
//! garbage. So the reply to a ResourceList is always a ResourceList: on failure the one that came in, with the error
//! among its `results`. Specification: KRM functions v1.

use std::sync::Arc;

use super::configuration::configuration;
use super::objects::Objects;
use super::results::with_results;
use crate::pipeline;
use crate::source::world::Folder;
use crate::source::{Code, Diagnostic, Result, Source};
use crate::yaml::{Node, Stream, TextEdit, apply, faithful, looks_like_json, parse_data, parse_json};

/// The versions of the wire format; they differ in nothing that matters here.
const API_VERSIONS: [&str; 3] =
    ["config.kubernetes.io/v1", "config.kubernetes.io/v1beta1", "config.kubernetes.io/v1alpha1"];

/// What a function answers.
#[derive(Debug, Default)]
pub struct Reply {
    /// What to write to standard output; empty only where the input is no ResourceList and `diagnostics` has an error.
    pub output: String,
    /// What to write to standard error, for people.
    pub diagnostics: Vec<Diagnostic>,
    /// Whether the call failed.
    pub failed: bool,
}

/// Answers the ResourceList that `input` holds. `folder` is where the functionConfig's files are read from.
pub fn call(input: &Arc<Source>, folder: &Folder<'_>) -> Reply {
    let list = match ResourceList::read(input) {
        Ok(list) => list,
        Err(diagnostic) => return Reply { diagnostics: vec![*diagnostic], failed: true, ..Reply::default() },
    };
    match list.edited(folder) {
        Ok(edits) => {
            let source = Arc::clone(&list.stream.source);
            // The trees are the most of what is held in memory, and the text needs them no more.
            drop(list);
            Reply { output: apply(source.text(), &edits), ..Reply::default() }
        }
        Err(diagnostic) => {
            let diagnostics = vec![*diagnostic];
            Reply { output: list.with_results(&diagnostics), diagnostics, failed: true }
        }
    }
}

/// A ResourceList as it was read.
struct ResourceList {
    stream: Stream,
    root: Arc<Node>,
}

impl ResourceList {
    fn read(input: &Arc<Source>) -> Result<ResourceList> {
        let json = looks_like_json(input.text());
        let stream = if json { parse_json(input).or_else(|_| parse_data(input))? } else { parse_data(input)? };
        let root = match &stream.documents[..] {
            [document] => Arc::clone(&document.root),
            [] => return Err(not_a_list("nothing", None)),
            documents => return Err(not_a_list(&format!("{} documents", documents.len()), None)),
        };
        let text = |key: &str| root.get(key).and_then(|node| node.as_str());
        match text("kind") {
            Some("ResourceList") => {}
            Some(kind) => return Err(not_a_list(&format!("a {kind}"), root.get("kind"))),
            None => return Err(not_a_list(&format!("a {}", root.kind()), Some(&root))),
        }
        match text("apiVersion") {
            Some(version) if API_VERSIONS.contains(&version) => {}
            found => {
                let found = found.unwrap_or("none");
                let message = format!("expected apiVersion `{}` of a ResourceList, found `{found}`", API_VERSIONS[0]);
                let place = root.get("apiVersion").unwrap_or(&root).location();
                return Err(Diagnostic::error(Code::ResourceList, message).at(place, ""));
            }
        }
        Ok(ResourceList { stream, root })
    }

    /// What carrying out the functionConfig on the items changes in the text of the list.
    fn edited(&self, folder: &Folder<'_>) -> Result<Vec<TextEdit>> {
        match self.root.get("items") {
            Some(items) if items.as_sequence().is_some() => {}
            found => {
                let kind = found.map_or("none", |items| items.kind());
                let message = format!("expected a list of items in the ResourceList, found {kind}");
                return Err(Diagnostic::error(Code::ResourceList, message)
                    .at(found.unwrap_or(&self.root).location(), "")
                    .help("write `items: []` for a list without items"));
            }
        }
        let config = self.root.get("functionConfig").filter(|config| config.as_mapping().is_some());
        let config = config.ok_or_else(|| {
            Diagnostic::error(Code::Config, "expected a functionConfig in the ResourceList, found none")
                .help("give the function its configuration: `--fn-config` of kpt, `configPath` in a Kptfile")
        })?;
        let configuration = configuration(config)?;
        let (objects, mut resources) = Objects::find(&self.stream)?;
        pipeline::run(&configuration, folder, &mut resources)?;
        Ok(faithful::edits(&self.stream, &objects.roots(&self.stream, &resources)))
    }

    /// The text of the list as it came in, with diagnostics among its results.
    fn with_results(&self, diagnostics: &[Diagnostic]) -> String {
        let resources = Objects::find(&self.stream).map(|(_, resources)| resources).unwrap_or_default();
        faithful::print(&self.stream, &[with_results(&self.root, diagnostics, &resources)])
    }
}

fn not_a_list(found: &str, place: Option<&Arc<Node>>) -> Box<Diagnostic> {
    Diagnostic::error(Code::ResourceList, format!("expected a ResourceList on standard input, found {found}"))
        .at(place.and_then(|node| node.location()), "")
        .help("to edit files, use `inlay run CONFIG PATH…`; `inlay --help` tells more")
}
