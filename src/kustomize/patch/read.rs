//! From an entry as it is written to a patch that can be applied.

use std::sync::Arc;

use super::config::{PatchConfig, PatchOptions, PatchType};
use super::json6902::Operation;
use super::{Patch, PatchContent, Settings};
use crate::edit::{check_keys, parse_as};
use crate::kubernetes::Selector;
use crate::source::{Code, Diagnostic, Diagnostics, Location, Result, Source};
use crate::typed::Spanned;
use crate::yaml::spelling::text_source;
use crate::yaml::{Content as NodeContent, Node, Value, expand};

/// What the text of a patch asks for.
#[derive(Clone, Debug)]
pub struct Content(pub(super) Language);

/// A patch by its language.
#[derive(Clone, Debug)]
pub(super) enum Language {
    /// Operations at places.
    Json(Vec<Operation>),
    /// Trees to merge, by the rules of the objects' kinds.
    Strategic(Vec<Arc<Node>>),
    /// Trees to merge as RFC 7396 says.
    Merge(Vec<Arc<Node>>),
}

/// Makes of an entry what can be applied, and tells every mistake in it.
pub fn check(config: Spanned<PatchConfig>, diagnostics: &mut Diagnostics) -> Option<Patch> {
    let location = config.location;
    let PatchConfig {
        patch,
        path,
        target,
        options,
    } = config.value;
    let text = diagnostics.take(text(patch.map(|patch| patch.0), path, location.clone()));
    let selector = target.map(|target| {
        Ok(Spanned {
            value: Selector::new(&target.value)?,
            location: target.location,
        })
    });
    let target = diagnostics.take(selector.transpose());
    let settings = Settings {
        target: target?,
        options: options.unwrap_or_default(),
        location,
    };
    let content = match text? {
        Text::Inline(source) => PatchContent::Inline(read(&settings, &source, diagnostics)?),
        Text::Path(path) => PatchContent::Path(path),
    };
    Some(Patch { content, settings })
}

/// Where the text of a patch is.
enum Text {
    Inline(Arc<Source>),
    Path(Spanned<String>),
}

fn text(
    patch: Option<Arc<Node>>,
    path: Option<Spanned<String>>,
    location: Option<Location>,
) -> Result<Text> {
    let path = path.filter(|path| !path.value.is_empty());
    let patch = patch.filter(
        |node| !matches!(node.value(), Some(Value::String(text)) if text.trim().is_empty()),
    );
    match (patch, path) {
        (Some(_), Some(path)) => Err(config_error(
            "patch and path can't be set at the same time",
            path.location,
        )),
        (None, None) => Err(config_error("must specify one of patch and path", location)),
        (None, Some(path)) => Ok(Text::Path(path)),
        (Some(patch), None) => match patch.resolved().as_str() {
            Some(_) => Ok(Text::Inline(text_source(patch.resolved()))),
            None => {
                let message = format!("expected the text of a patch, found {}", patch.described());
                Err(config_error(&message, patch.location())
                    .help("write it as a string: `patch: |-`"))
            }
        },
    }
}

/// Reads the text of a patch, and tells every mistake in it: a list of operations is a JSON patch, every mapping a merge
/// patch.
pub fn read(
    settings: &Settings,
    source: &Arc<Source>,
    diagnostics: &mut Diagnostics,
) -> Option<Content> {
    let roots = diagnostics.take(roots(source, settings))?;
    let language = match roots.as_slice() {
        [list] if list.resolved().as_sequence().is_some() => {
            Language::Json(Operation::read_all(list.resolved(), diagnostics)?)
        }
        _ => {
            let trees: Result<Vec<_>> = roots.iter().map(tree).collect();
            match settings.options.patch_type.as_ref().map(|kind| kind.value) {
                Some(PatchType::Merge) => Language::Merge(diagnostics.take(trees)?),
                _ => Language::Strategic(diagnostics.take(trees)?),
            }
        }
    };
    diagnostics.take(fits(&language, settings))?;
    Some(Content(language))
}

/// The documents of a patch's text with something in them.
fn roots(source: &Arc<Source>, settings: &Settings) -> Result<Vec<Arc<Node>>> {
    let stream = parse_as(source, None)?;
    let roots = stream.documents.into_iter().map(|document| document.root);
    let roots: Vec<Arc<Node>> = roots
        .filter(|root| !matches!(root.value(), Some(Value::Null)))
        .collect();
    if roots.is_empty() {
        return Err(config_error(
            "expected a patch, found nothing",
            settings.location.clone(),
        ));
    }
    Ok(roots)
}

/// A merge patch with everything written out.
fn tree(root: &Arc<Node>) -> Result<Arc<Node>> {
    if !matches!(root.resolved().content, NodeContent::Mapping(_)) {
        let message = format!(
            "expected a merge patch, which is a mapping, found {}",
            root.described()
        );
        return Err(config_error(&message, root.location())
            .note("a patch is one list of operations, or any number of mappings")
            .help("write operations as a list of mappings with `op` and `path`"));
    }
    check_keys(root)?;
    expand(root)
}

/// Whether the target and the options are those of a patch in this language.
fn fits(language: &Language, settings: &Settings) -> Result<()> {
    let PatchOptions {
        allow_name_change,
        allow_kind_change,
        patch_type,
        ..
    } = &settings.options;
    let is_json = matches!(language, Language::Json(_));
    if let Some(kind) = patch_type
        .as_ref()
        .filter(|kind| (kind.value == PatchType::Json) != is_json)
    {
        let (wanted, found) = if is_json {
            ("a mapping to merge", "a list of operations")
        } else {
            ("a list of operations", "a mapping to merge")
        };
        return Err(config_error(
            &format!("expected {wanted}, found {found}"),
            kind.location.clone(),
        )
        .help("mend the `type`, or leave it out: the patch tells what it is"));
    }
    match language {
        Language::Json(operations) => {
            if operations.is_empty() {
                return Err(config_error(
                    "expected an operation in the JSON patch, found none",
                    settings.location.clone(),
                ));
            }
            if settings.target.is_none() {
                return Err(config_error(
                    "must specify a target for JSON patch",
                    settings.location.clone(),
                )
                .help("choose objects with `target`, such as `target: {kind: Deployment}`"));
            }
            let useless = [
                ("allowNameChange", allow_name_change),
                ("allowKindChange", allow_kind_change),
            ];
            match useless
                .into_iter()
                .find_map(|(name, option)| Some((name, option.as_ref()?)))
            {
                Some((name, option)) => Err(config_error(
                    &format!("option `{name}` has no effect on a JSON patch"),
                    option.location.clone(),
                )
                .help("remove it: an operation may change any field")),
                None => Ok(()),
            }
        }
        Language::Strategic(trees) | Language::Merge(trees) => {
            match (&settings.target, trees.get(1)) {
                (Some(target), Some(second)) => {
                    let message =
                        "multiple merge patches in one `patches` entry cannot have a `target`";
                    Err(config_error(message, target.location.clone())
                        .at(second.location(), "the second patch")
                        .help("give each patch an entry of its own"))
                }
                (Some(_), None) => Ok(()),
                (None, _) => trees.iter().try_for_each(names_its_object),
            }
        }
    }
}

/// A patch without a target has to say which object it is for.
fn names_its_object(tree: &Arc<Node>) -> Result<()> {
    let fields: [&[&str]; 3] = [&["apiVersion"], &["kind"], &["metadata", "name"]];
    let is_text = |field: &&[&str]| {
        tree.get_in(field)
            .and_then(|node| node.as_str())
            .is_some_and(|text| !text.is_empty())
    };
    match fields.into_iter().find(|field| !is_text(field)) {
        None => Ok(()),
        Some(field) => {
            let message = format!(
                "expected `{}` in a patch without a target, found none",
                field.join(".")
            );
            let place = tree
                .as_mapping()
                .and_then(|mapping| mapping.entries.first())
                .and_then(|entry| entry.key.location());
            Err(config_error(&message, place.or_else(|| tree.location()))
                .help("name the object in the patch, or choose objects with `target`"))
        }
    }
}

fn config_error(message: &str, location: Option<Location>) -> Box<Diagnostic> {
    Diagnostic::error(Code::Config, message).at(location, "")
}
