//! Checks entries of `replacements` and parses everything in them.
//!
//! Errors that kustomize also reports have its words.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::config::{ReplacementConfig, SourceConfig, TargetConfig};
use super::model::{
    NamedSource, Replacement, ReplacementSource, ReplacementTarget, SourceField, SourceTemplate,
};
use super::template::TextTemplate;
use crate::edit::{FieldPath, PathSegment};
use crate::kubernetes::{SourceSelector, TargetSelector};
use crate::kustomize::config_error;
use crate::source::world::Folder;
use crate::source::{Code, Diagnostic, Diagnostics, Location, Reported, Result, collect_all};
use crate::typed::{Spanned, read};
use crate::yaml::{Content, Node, parse_data};

/// The field that is read and written if no path is given.
const DEFAULT_FIELD_PATH: &str = "metadata.name";

/// Checks all entries, and reads the files that they refer to.
///
/// # Errors
/// Reports every mistake in every entry: [`Code::Config`] for a structure that means nothing,
/// [`Code::PathSyntax`] for a field path, [`Code::Selector`] for a pattern, [`Code::File`] for a
/// file that cannot be read.
pub fn check_all(
    entries: Vec<Spanned<ReplacementConfig>>,
    folder: &Folder<'_>,
    diagnostics: &mut Diagnostics,
) -> Result<Vec<Replacement>, Reported> {
    let checked =
        collect_all(
            entries
                .into_iter()
                .map(|entry| match named_file(&entry, diagnostics)? {
                    Some(path) => check_file(path, folder, diagnostics),
                    None => check_inline(entry, diagnostics).map(|replacement| vec![replacement]),
                }),
        )?;
    Ok(checked.into_iter().flatten().collect())
}

/// Returns the `path` of an entry that refers to a file.
fn named_file<'e>(
    entry: &'e Spanned<ReplacementConfig>,
    diagnostics: &mut Diagnostics,
) -> Result<Option<&'e Spanned<String>>, Reported> {
    let config = &entry.value;
    let Some(path) = config.path() else {
        return Ok(None);
    };
    let has_inline_fields = config.source.is_some()
        || config.source_value.is_some()
        || config.sources.is_some()
        || config.template.is_some()
        || config.targets.is_some();
    if has_inline_fields {
        return Err(diagnostics.report(config_error(
            "cannot specify both path and inline replacement",
            path.location.clone(),
        )));
    }
    Ok(Some(path))
}

/// Reads the file that an entry refers to. Every diagnostic also shows the entry.
fn check_file(
    path: &Spanned<String>,
    folder: &Folder<'_>,
    diagnostics: &mut Diagnostics,
) -> Result<Vec<Replacement>, Reported> {
    let mut in_file = Diagnostics::default();
    let replacements = match read_document(&path.value, folder) {
        Ok(root) => check_document(&root, &mut in_file),
        Err(error) => Err(in_file.report(error)),
    };
    for diagnostic in in_file.as_slice() {
        let diagnostic = Box::new(diagnostic.clone());
        diagnostics.push(diagnostic.at(path.location.clone(), "the file is named here"));
    }
    replacements
}

fn read_document(path: &str, folder: &Folder<'_>) -> Result<Arc<Node>> {
    let source = folder.read(&folder.path(path)?)?;
    let stream = parse_data(&source)?;
    match &stream.documents[..] {
        [document] => Ok(Arc::clone(&document.root)),
        documents => {
            let found = documents.len();
            let message = format!("expected one document in `{path}`, found {found}");
            Err(Diagnostic::error(Code::Config, message))
        }
    }
}

/// Checks a document that contains one replacement or a list of them.
pub(super) fn check_document(
    root: &Arc<Node>,
    diagnostics: &mut Diagnostics,
) -> Result<Vec<Replacement>, Reported> {
    let entries: Vec<Spanned<ReplacementConfig>> = match &root.resolved().content {
        Content::Mapping(_) => vec![read(root, diagnostics)?],
        Content::Sequence(_) => read(root, diagnostics)?,
        _ => {
            let message = format!(
                "unsupported replacement type encountered within replacement path: {}",
                root.kind()
            );
            return Err(diagnostics.report(
                config_error(message, root.location())
                    .help("write one replacement or a list of replacements"),
            ));
        }
    };
    let replacements = collect_all(entries.into_iter().map(|entry| {
        let Some(path) = named_file(&entry, diagnostics)? else {
            return check_inline(entry, diagnostics);
        };
        let message = "expected a replacement, found a `path` to another file";
        Err(diagnostics.report(config_error(message, path.location.clone())))
    }))?;
    // After a mistake in the structure, `read` returned only the entries without one.
    diagnostics.outcome()?;
    Ok(replacements)
}

/// Checks an entry that contains its replacement.
fn check_inline(
    entry: Spanned<ReplacementConfig>,
    diagnostics: &mut Diagnostics,
) -> Result<Replacement, Reported> {
    let location = entry.location.clone();
    let targets = entry.value.targets.clone().unwrap_or_default();
    let has_source = has_source(&entry.value);
    let source = if has_source {
        check_source(entry, diagnostics)
    } else {
        Err(diagnostics.report(incomplete(location.clone())))
    };
    if targets.is_empty() && has_source {
        return Err(diagnostics.report(incomplete(location)));
    }
    let targets = collect_all(
        targets
            .into_iter()
            .map(|target| check_target(target, diagnostics)),
    );
    Ok(Replacement {
        source: source?,
        targets: targets?,
    })
}

fn has_source(config: &ReplacementConfig) -> bool {
    config.source.is_some()
        || config.source_value.is_some()
        || config.sources.is_some()
        || config.template.is_some()
}

fn incomplete(location: Option<Location>) -> Box<Diagnostic> {
    config_error(
        "replacements must specify a source and at least one target",
        location,
    )
}

/// Checks the fields of an entry that describe the value. At least one of them is given.
fn check_source(
    entry: Spanned<ReplacementConfig>,
    diagnostics: &mut Diagnostics,
) -> Result<ReplacementSource, Reported> {
    let Spanned { value, location } = entry;
    let is_template = value.sources.is_some() || value.template.is_some();
    match (value.source, value.source_value) {
        (None, None) => {
            let template = check_template(value.sources, value.template, location, diagnostics)?;
            Ok(ReplacementSource::Template(Box::new(template)))
        }
        _ if is_template => {
            let place = value.template.and_then(|template| template.location);
            let message =
                "`sources` and `template` cannot be combined with `source` or `sourceValue`";
            Err(diagnostics.report(
                config_error(message, place.or(location))
                    .help("list every source under `sources`, and insert it in `template`"),
            ))
        }
        (Some(field), Some(value)) => {
            let message = "value and resource selectors are mutually exclusive";
            let error = config_error(message, value.location).at(field.location, "the selector");
            Err(diagnostics.report(error))
        }
        (Some(field), None) => {
            let field = check_source_field(field, diagnostics)?;
            Ok(ReplacementSource::Field(Box::new(field)))
        }
        (None, Some(value)) => Ok(ReplacementSource::Value(value.value)),
    }
}

/// Checks `sources` and `template`.
///
/// # Errors
/// Reports one without the other, a name in the template that no source has, and a source that the
/// template does not use.
fn check_template(
    sources: Option<BTreeMap<String, Spanned<SourceConfig>>>,
    template: Option<Spanned<String>>,
    location: Option<Location>,
    diagnostics: &mut Diagnostics,
) -> Result<SourceTemplate, Reported> {
    let (Some(sources), Some(template)) = (sources, template) else {
        return Err(diagnostics.report(
            config_error(
                "expected `sources` and `template` together, found one of them",
                location,
            )
            .help("`template: https://${host}` needs a source named `host`"),
        ));
    };
    let names: Vec<&str> = sources.keys().map(String::as_str).collect();
    let text = diagnostics.check(TextTemplate::parse(&template, &names));
    let mut usage = Ok(());
    for (index, (name, source)) in sources.iter().enumerate() {
        if text.as_ref().is_ok_and(|text| !text.uses(index)) {
            let place = source.location.clone();
            usage = Err(diagnostics.report(unused_source(name, place, &template)));
        }
    }
    let sources = collect_all(sources.into_iter().map(|(name, source)| {
        let field = check_source_field(source, diagnostics)?;
        Ok(NamedSource { name, field })
    }));
    usage?;
    Ok(SourceTemplate {
        text: text?,
        sources: sources?,
    })
}

/// Returns the error for a source that the template does not use.
fn unused_source(
    name: &str,
    place: Option<Location>,
    template: &Spanned<String>,
) -> Box<Diagnostic> {
    let message = format!("the template does not use the source `{name}`");
    config_error(message, place)
        .at(template.location.clone(), "the template")
        .help(format!("insert `${{{name}}}`, or remove the source"))
}

/// Checks the object and the field that a value is read from.
///
/// # Errors
/// Reports a path that cannot be read, and options that do not fit a source.
fn check_source_field(
    config: Spanned<SourceConfig>,
    diagnostics: &mut Diagnostics,
) -> Result<SourceField, Reported> {
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
    let field_path = diagnostics.check(readable_path(&field_path));
    let options = options.unwrap_or_default();
    options.check_source(diagnostics)?;
    Ok(SourceField {
        selector,
        field_path: field_path?,
        options,
    })
}

/// Checks one target. All of its fields are checked, so that one run reports every mistake.
///
/// # Errors
/// Reports a missing selector, and selectors, options and paths that are wrong.
fn check_target(
    config: Spanned<TargetConfig>,
    diagnostics: &mut Diagnostics,
) -> Result<ReplacementTarget, Reported> {
    let TargetConfig {
        select,
        reject,
        field_paths,
        options,
    } = config.value;
    let select = match select {
        Some(Spanned { value, location }) => {
            TargetSelector::new(&value, diagnostics).map(|value| Spanned { value, location })
        }
        None => Err(diagnostics.report(no_selector(config.location.clone()))),
    };
    let rejected = reject.unwrap_or_default();
    let selectors = rejected.iter();
    let reject = collect_all(selectors.map(|config| TargetSelector::new(config, diagnostics)));
    let options = options.unwrap_or_default();
    let options_outcome = options.check(diagnostics);
    let field_paths = field_paths
        .filter(|paths| !paths.is_empty())
        .unwrap_or_else(|| vec![default_field_path()]);
    let paths = field_paths.iter();
    let field_paths = collect_all(paths.map(|path| diagnostics.check(writable_path(path))));
    options_outcome?;
    Ok(ReplacementTarget {
        select: select?,
        reject: reject?,
        field_paths: field_paths?,
        options,
        location: config.location,
    })
}

/// Returns the error for a target without a selector.
fn no_selector(target: Option<Location>) -> Box<Diagnostic> {
    config_error("target must specify resources to select", target)
        .help("write `select: {}` to select every resource")
}

fn default_field_path() -> Spanned<String> {
    Spanned::made(DEFAULT_FIELD_PATH.to_string())
}

/// Parses the path of a source. As in kustomize, it cannot have a wildcard. A JSONPath may match
/// several values here; then it is an error when they are read.
fn readable_path(path: &Spanned<String>) -> Result<Spanned<FieldPath>> {
    let parsed = parse_path(path)?;
    let has_wildcard = parsed.value.segments().contains(&PathSegment::Wildcard);
    if has_wildcard && !parsed.value.is_json_path() {
        return Err(Diagnostic::error(
            Code::PathSyntax,
            "wildcard is not supported in the field path of a source",
        )
        .at(path.location.clone(), "")
        .help("select one item, by its index or as `[name=x]`"));
    }
    Ok(parsed)
}

/// Parses the path of a target.
fn writable_path(path: &Spanned<String>) -> Result<Spanned<FieldPath>> {
    let parsed = parse_path(path)?;
    parsed
        .value
        .check_writable()
        .map_err(|error| error.at(path.location.clone(), ""))?;
    Ok(parsed)
}

fn parse_path(path: &Spanned<String>) -> Result<Spanned<FieldPath>> {
    match FieldPath::parse(&path.value) {
        Ok(value) => Ok(Spanned {
            value,
            location: path.location.clone(),
        }),
        Err(error) => Err(error.at(path.location.clone(), "")),
    }
}
