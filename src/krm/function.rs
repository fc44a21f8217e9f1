//! The KRM function: a ResourceList in, a ResourceList out.
//!
//! Hosts treat an empty output with exit code 0 as "delete everything", and hide an error if the
//! ResourceList is malformed. The answer to a ResourceList is therefore always a ResourceList:
//! after a failure, it is the input with the errors among its `results`. Specification: KRM
//! functions v1.

use std::sync::Arc;

use super::configuration::read_configuration;
use super::function_folder::{self, FILE_PATH};
use super::objects::{self, EditedObjects, is_same_object};
use super::result_place;
use super::results::with_results;
use crate::edit::{parse_as, refuse_duplicates};
use crate::kubernetes::{Resource, hide_secrets};
use crate::pipeline::{ConfigurationRun, PluginRole};
use crate::provenance::Recorder;
use crate::source::suggest::list;
use crate::source::world::{Sandbox, World};
use crate::source::{Code, Diagnostic, Diagnostics, Location, Reported, Result, Source};
use crate::yaml::{
    Entry, Node, Stream, TextWithEdits, Value, canonical_node, check_printable, check_spellable,
    faithful,
};

/// The versions of the protocol, which do not differ in the features used here.
const API_VERSIONS: [&str; 3] = [
    "config.kubernetes.io/v1",
    "config.kubernetes.io/v1beta1",
    "config.kubernetes.io/v1alpha1",
];

/// Returns the answer to the ResourceList in `input`, with a result for every diagnostic.
///
/// Files that the functionConfig refers to are read below the folder that the host names (see
/// `function_folder`). The answer must be written to standard output even after an error. It is
/// empty only if the input is not a ResourceList; a ResourceList that cannot be parsed gets an
/// answer with only results.
pub fn call(
    input: &Arc<Source>,
    world: &dyn World,
    diagnostics: &mut Diagnostics,
) -> TextWithEdits {
    let Ok(list) = diagnostics.check(ResourceList::parse(input)) else {
        return answer_without_list(input, diagnostics);
    };
    for warning in list.stream.warnings() {
        diagnostics.push(warning);
    }
    // A wrong limit or number of threads was reported before the call.
    let edited = match diagnostics.outcome() {
        Ok(()) => edit(&list, world, diagnostics),
        Err(reported) => Err(reported),
    };
    let root = edited.unwrap_or_else(|_| Arc::clone(&list.root));
    hide_secrets(diagnostics);
    let answer = with_results(&root, &list.root, diagnostics.as_slice());
    // The results contain object and file in separate fields. On standard error, the line number in
    // standard input alone does not help a user who has never seen the ResourceList.
    for diagnostic in diagnostics.as_mut_slice() {
        diagnostic
            .notes
            .extend(result_place::describe(diagnostic, &list.root));
    }
    let edits = faithful::edits(&list.stream, std::slice::from_ref(&answer));
    TextWithEdits::new(Arc::clone(&list.stream.source), edits)
}

/// Returns the answer to a text that is not a ResourceList: a list with the errors if the text was
/// meant to be one, and otherwise nothing. Hosts show the results of a function that fails.
fn answer_without_list(input: &Source, diagnostics: &Diagnostics) -> TextWithEdits {
    if !input.contains("ResourceList") {
        return TextWithEdits::empty();
    }
    let list = Node::mapping(vec![
        Entry::new("apiVersion", Node::string(API_VERSIONS[0])),
        Entry::new("kind", Node::string("ResourceList")),
        Entry::new("items", Node::sequence([])),
    ]);
    let answer = with_results(&list, &list, diagnostics.as_slice());
    let text = canonical_node(&answer).unwrap_or_default();
    Source::new("", text).map_or_else(
        |_| TextWithEdits::empty(),
        |source| TextWithEdits::new(source, Vec::new()),
    )
}

/// A parsed ResourceList.
struct ResourceList {
    stream: Stream,
    /// The root of its only document.
    root: Arc<Node>,
}

impl ResourceList {
    fn parse(input: &Arc<Source>) -> Result<ResourceList> {
        let stream = parse_as(input, None)?;
        let root = match &stream.documents[..] {
            [document] => Arc::clone(&document.root),
            [] => return Err(not_a_list("nothing", None)),
            documents => return Err(not_a_list(&format!("{} documents", documents.len()), None)),
        };
        match root.get("kind").and_then(|kind| kind.as_str()) {
            Some("ResourceList") => Ok(ResourceList { stream, root }),
            Some(kind) => Err(not_a_list(&format!("a {kind}"), root.get("kind"))),
            None => Err(not_a_list(root.described(), Some(&root))),
        }
    }

    /// Checks the fields of the list and returns its functionConfig.
    fn function_config(&self) -> Result<&Arc<Node>> {
        self.check_api_version()?;
        if let Some(root) = self.root.as_mapping() {
            refuse_duplicates(root)?;
        }
        // Go's encoder writes null for a list without items, or omits the field.
        let items = self.root.get("items").map(Node::resolved);
        let is_list = |items: &Arc<Node>| {
            items.as_sequence().is_some() || matches!(items.value(), Some(Value::Null))
        };
        if !items.is_none_or(is_list) {
            return Err(self
                .wrong_field("a list of `items` in the ResourceList", "items")
                .help("write `items: []` for a list without items"));
        }
        let config = self.root.get("functionConfig").map(Node::resolved);
        match config {
            Some(config) if config.as_mapping().is_some() => Ok(config),
            _ => Err(self
                .wrong_field("a `functionConfig` in the ResourceList", "functionConfig")
                .help("give the function its configuration: `--fn-config` of kpt, `configPath` in a Kptfile")),
        }
    }

    fn check_api_version(&self) -> Result<()> {
        let field = self.root.get("apiVersion");
        let error = match field.and_then(|version| version.as_str()) {
            Some(version) if API_VERSIONS.contains(&version) => return Ok(()),
            Some(version) => {
                let message =
                    format!("expected the `apiVersion` of a ResourceList, found `{version}`");
                Diagnostic::error(Code::ResourceList, message).at(location_of(field), "")
            }
            None => self.wrong_field("the `apiVersion` of a ResourceList", "apiVersion"),
        };
        Err(error.help(format!("use {}", list(API_VERSIONS))))
    }

    /// Returns the error for a field that is missing or of the wrong type.
    fn wrong_field(&self, wanted: &str, key: &str) -> Box<Diagnostic> {
        let field = self.root.get(key);
        let found = field.map_or("none", |node| node.described());
        let place = location_of(field).or_else(|| location_of(self.root.get("kind")));
        let message = format!("expected {wanted}, found {found}");
        Diagnostic::error(Code::ResourceList, message).at(place, "")
    }
}

fn location_of(node: Option<&Arc<Node>>) -> Option<Location> {
    node.and_then(|node| node.location())
}

fn not_a_list(found: &str, place: Option<&Arc<Node>>) -> Box<Diagnostic> {
    let message = format!("expected a ResourceList on standard input, found {found}");
    Diagnostic::error(Code::ResourceList, message)
        .at(location_of(place), "")
        .help("to edit files, use `inlay run CONFIG PATH…`; see `inlay --help`")
}

/// Applies the functionConfig to the items of the list, and returns the root of the edited list.
fn edit(
    list: &ResourceList,
    world: &dyn World,
    diagnostics: &mut Diagnostics,
) -> Result<Arc<Node>, Reported> {
    let config = diagnostics.check(list.function_config())?;
    // A function runs with input from other parties, so it may only read files below its folder.
    let sandbox = Sandbox(world);
    let allowed = world.variable(function_folder::VARIABLE);
    // Read the items even if the configuration has mistakes, so that one run reports the mistakes
    // of both.
    let mut mistakes_of_items = Diagnostics::default();
    let resources = objects::find(&list.stream, 0, &mut mistakes_of_items);
    let items = objects::nodes(&list.stream);
    let folder = &function_folder::of(config, &items, allowed.as_deref(), &sandbox);
    let configuration = read_configuration(config, folder, diagnostics);
    diagnostics.append(mistakes_of_items);
    let (configuration, resources) = (configuration?, resources?);
    let slots = resources.len();
    let role = role(&resources, config);
    let run = ConfigurationRun {
        configuration: &configuration,
        role,
        folder,
        recorder: Recorder::off(),
    };
    let resources = run.call(resources, diagnostics)?;
    let edited = EditedObjects::new(&resources, slots);
    // The list itself is not an object that can be removed, so its root is always present.
    let mut roots = edited.roots(&list.stream, 0).into_iter().flatten();
    let root = roots.next().unwrap_or_else(|| Arc::clone(&list.root));
    let root = edited.with_added(&root);
    diagnostics.check(check_spellable(&list.stream, [Some(&root)]))?;
    if !Arc::ptr_eq(&root, &list.root) {
        diagnostics.check(check_printable([&root]))?;
    }
    Ok(root)
}

/// Returns the role in which the host calls the function.
///
/// kustomize passes a generator only its own configuration, which it does not print. A kpt package
/// may also contain nothing else, but kpt sets the path of its file on every item.
fn role(resources: &[Resource], config: &Arc<Node>) -> PluginRole {
    for item in resources {
        let is_from_kpt = item.annotation(FILE_PATH).is_some();
        if is_from_kpt || !is_same_object(&item.node, config) {
            return PluginRole::Transformer;
        }
    }
    PluginRole::Generator
}
