//! From an entry as it is written to a replacement that can be carried out.

use std::sync::Arc;

use super::config::{ReplacementConfig, SourceConfig, TargetConfig};
use super::{Entry, Replacement, Source, SourceField, Target};
use crate::kustomize::selector::{Selector, SourceSelector};
use crate::source::{Code, Diagnostic, Location, Result};
use crate::yaml::de::{Spanned, from_node};
use crate::yaml::{Content, Node};

/// The field that is read and written where no path is given.
const DEFAULT_FIELD_PATH: &str = "metadata.name";

/// Reads a file that an entry names with `path`: one replacement or a list of them.
///
/// # Errors
/// [`Code::Config`] or [`Code::Selector`] at the first thing that is wrong; also if the file names another file.
pub fn read_file(root: &Arc<Node>) -> Result<Vec<Replacement>> {
    let configs = match &root.resolved().content {
        Content::Mapping(_) => vec![from_node(root)?],
        Content::Sequence(_) => from_node(root)?,
        _ => {
            let message = format!("unsupported replacement type encountered within replacement path: {}", root.kind());
            return Err(Diagnostic::error(Code::Config, message)
                .at(root.location(), "")
                .help("write one replacement or a list of replacements"));
        }
    };
    let inline = |config: Spanned<ReplacementConfig>| match check(config)? {
        Entry::Inline(replacement) => Ok(*replacement),
        Entry::Path(path) => Err(config_error("expected a replacement, found a `path` to another file", path.location)),
    };
    configs.into_iter().map(inline).collect()
}

/// Makes of an entry what can be carried out.
///
/// # Errors
/// [`Code::Config`] or [`Code::Selector`] at what is wrong; what kustomize also refuses is refused in its words.
pub fn check(config: Spanned<ReplacementConfig>) -> Result<Entry> {
    let ReplacementConfig { source, source_value, targets, path } = config.value;
    if let Some(path) = path.filter(|path| !path.value.is_empty()) {
        return match (source, source_value, targets) {
            (None, None, None) => Ok(Entry::Path(path)),
            _ => Err(config_error("cannot specify both path and inline replacement", path.location)),
        };
    }
    let source = match (source, source_value) {
        (Some(field), Some(value)) => {
            return Err(config_error("value and resource selectors are mutually exclusive", value.location)
                .at(field.location, "the selector"));
        }
        (Some(field), None) => Source::Field(Box::new(check_source(field)?)),
        (None, Some(value)) => Source::Value(value),
        (None, None) => return Err(incomplete(config.location)),
    };
    let targets = targets.unwrap_or_default().into_iter().map(check_target).collect::<Result<Vec<_>>>()?;
    if targets.is_empty() {
        return Err(incomplete(config.location));
    }
    Ok(Entry::Inline(Box::new(Replacement { source, targets, location: config.location })))
}

fn check_source(config: Spanned<SourceConfig>) -> Result<SourceField> {
    let SourceConfig { group, version, kind, name, namespace, field_path, options } = config.value;
    let selector = SourceSelector {
        group: group.unwrap_or_default(),
        version: version.unwrap_or_default(),
        kind: kind.unwrap_or_default(),
        name: name.unwrap_or_default(),
        namespace: namespace.unwrap_or_default(),
        location: config.location,
    };
    let field_path = field_path.filter(|path| !path.value.is_empty()).unwrap_or_else(default_field_path);
    Ok(SourceField { selector, field_path, options: options.unwrap_or_default().check_source()? })
}

fn check_target(config: Spanned<TargetConfig>) -> Result<Target> {
    let TargetConfig { select, reject, field_paths, options } = config.value;
    let select = select.ok_or_else(|| {
        config_error("target must specify resources to select", config.location.clone())
            .help("write `select: {}` to select every resource")
    })?;
    let field_paths = field_paths.filter(|paths| !paths.is_empty()).unwrap_or_else(|| vec![default_field_path()]);
    Ok(Target {
        select: Selector::new(&select.value)?,
        select_location: select.location,
        reject: reject.unwrap_or_default().iter().map(Selector::new).collect::<Result<_>>()?,
        field_paths,
        options: options.unwrap_or_default().check()?,
        location: config.location,
    })
}

fn default_field_path() -> Spanned<String> {
    Spanned::made(DEFAULT_FIELD_PATH.to_string())
}

fn incomplete(location: Option<Location>) -> Box<Diagnostic> {
    config_error("replacements must specify a source and at least one target", location)
}

fn config_error(message: &str, location: Option<Location>) -> Box<Diagnostic> {
    Diagnostic::error(Code::Config, message).at(location, "")
}
