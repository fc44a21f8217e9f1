//! From an entry as it is written to a replacement that can be carried out.

use std::sync::Arc;

use super::config::{ReplacementConfig, SourceConfig, TargetConfig};
use super::{Entry, Replacement, Source, SourceField, Target, template};
use crate::kubernetes::{Selector, SourceSelector};
use crate::source::{Code, Diagnostic, Diagnostics, Location};
use crate::typed::{Spanned, read};
use crate::yaml::{Content, Node};

/// The field that is read and written where no path is given.
const DEFAULT_FIELD_PATH: &str = "metadata.name";

/// Reads a file that an entry names with `path`: one replacement or a list of them. `None` after a mistake, of which
/// all are told; that the file names another file is one.
pub fn read_file(root: &Arc<Node>, diagnostics: &mut Diagnostics) -> Option<Vec<Replacement>> {
    let configs: Vec<Spanned<ReplacementConfig>> = match &root.resolved().content {
        Content::Mapping(_) => vec![read(root, diagnostics).ok()?],
        Content::Sequence(_) => read(root, diagnostics).ok()?,
        _ => {
            let message = format!(
                "unsupported replacement type encountered within replacement path: {}",
                root.kind()
            );
            diagnostics.push(
                Diagnostic::error(Code::Config, message)
                    .at(root.location(), "")
                    .help("write one replacement or a list of replacements"),
            );
            return None;
        }
    };
    let mut inline = |config: Spanned<ReplacementConfig>| match check(config, diagnostics)? {
        Entry::Inline(replacement) => Some(*replacement),
        Entry::Path(path) => {
            let message = "expected a replacement, found a `path` to another file";
            diagnostics.push(config_error(message, path.location));
            None
        }
    };
    // All are looked at before the first that is wrong counts.
    let checked: Vec<Option<Replacement>> = configs.into_iter().map(&mut inline).collect();
    checked.into_iter().collect()
}

/// Makes of an entry what can be carried out. `None` after a mistake, of which all are told; what kustomize also refuses
/// is refused in its words.
pub fn check(config: Spanned<ReplacementConfig>, diagnostics: &mut Diagnostics) -> Option<Entry> {
    let ReplacementConfig {
        source,
        source_value,
        sources,
        template,
        targets,
        path,
    } = config.value;
    if let Some(path) = path.filter(|path| !path.value.is_empty()) {
        return match (source, source_value, sources, template, targets) {
            (None, None, None, None, None) => Some(Entry::Path(path)),
            _ => {
                diagnostics.push(config_error(
                    "cannot specify both path and inline replacement",
                    path.location,
                ));
                None
            }
        };
    }
    let is_complete =
        source.is_some() || source_value.is_some() || sources.is_some() || template.is_some();
    let is_single = source.is_some() || source_value.is_some();
    let source = match (source, source_value) {
        (None, None) if is_complete => {
            template::check(sources, template, config.location.clone(), diagnostics)
                .map(Source::Template)
        }
        _ if is_single && (sources.is_some() || template.is_some()) => {
            let place = template
                .and_then(|template| template.location)
                .or_else(|| config.location.clone());
            diagnostics.push(
                config_error(
                    "`sources` and `template` stand in the place of `source` and `sourceValue`",
                    place,
                )
                .help("name every source under `sources`, and the text in `template`"),
            );
            None
        }
        (Some(field), Some(value)) => {
            let error = config_error(
                "value and resource selectors are mutually exclusive",
                value.location,
            );
            diagnostics.push(error.at(field.location, "the selector"));
            None
        }
        (Some(field), None) => {
            check_source(field, diagnostics).map(|field| Source::Field(Box::new(field)))
        }
        (None, value) => value.map(Source::Value),
    };
    let targets = targets.unwrap_or_default();
    if !is_complete || targets.is_empty() {
        let message = "replacements must specify a source and at least one target";
        diagnostics.push(config_error(message, config.location.clone()));
    }
    let checked: Vec<Option<Target>> = targets
        .into_iter()
        .map(|target| check_target(target, diagnostics))
        .collect();
    let targets: Vec<Target> = checked.into_iter().collect::<Option<_>>()?;
    let (source, false) = (source?, targets.is_empty()) else {
        return None;
    };
    Some(Entry::Inline(Box::new(Replacement {
        source,
        targets,
        location: config.location,
    })))
}

pub(super) fn check_source(
    config: Spanned<SourceConfig>,
    diagnostics: &mut Diagnostics,
) -> Option<SourceField> {
    let SourceConfig {
        group,
        version,
        kind,
        name,
        namespace,
        field_path,
        options,
    } = config.value;
    let selector = SourceSelector {
        group: group.unwrap_or_default(),
        version: version.unwrap_or_default(),
        kind: kind.unwrap_or_default(),
        name: name.unwrap_or_default(),
        namespace: namespace.unwrap_or_default(),
        location: config.location,
    };
    let field_path = field_path
        .filter(|path| !path.value.is_empty())
        .unwrap_or_else(default_field_path);
    let options = options.unwrap_or_default().check_source(diagnostics)?;
    Some(SourceField {
        selector,
        field_path,
        options,
    })
}

fn check_target(config: Spanned<TargetConfig>, diagnostics: &mut Diagnostics) -> Option<Target> {
    let TargetConfig {
        select,
        reject,
        field_paths,
        options,
    } = config.value;
    if select.is_none() {
        diagnostics.push(
            config_error(
                "target must specify resources to select",
                config.location.clone(),
            )
            .help("write `select: {}` to select every resource"),
        );
    }
    let select_location = select.as_ref().and_then(|select| select.location.clone());
    let select = select.and_then(|select| diagnostics.take(Selector::new(&select.value)));
    let reject = reject.unwrap_or_default();
    let reject: Vec<Option<Selector>> = reject
        .iter()
        .map(|config| diagnostics.take(Selector::new(config)))
        .collect();
    let options = options.unwrap_or_default().check(diagnostics);
    let field_paths = field_paths
        .filter(|paths| !paths.is_empty())
        .unwrap_or_else(|| vec![default_field_path()]);
    Some(Target {
        select: select?,
        select_location,
        reject: reject.into_iter().collect::<Option<_>>()?,
        field_paths,
        options: options?,
        location: config.location,
    })
}

fn default_field_path() -> Spanned<String> {
    Spanned::made(DEFAULT_FIELD_PATH.to_string())
}

pub(super) fn config_error(message: &str, location: Option<Location>) -> Box<Diagnostic> {
    Diagnostic::error(Code::Config, message).at(location, "")
}
