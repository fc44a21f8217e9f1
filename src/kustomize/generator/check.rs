//! Checks entries of the generators and parses everything in them.

use std::collections::BTreeMap;

use super::config::{GeneratorConfig, GeneratorOptionsConfig, MergeValueConfig};
use super::literal;
use super::model::{
    Behavior, FileSource, Generator, GeneratorKind, MergeValue, ObjectOptions, ValueSources,
};
use crate::edit::{Lists, MergeOptions};
use crate::kustomize::config_error;
use crate::source::suggest::did_you_mean;
use crate::source::world::{Folder, RelativePath};
use crate::source::{Diagnostics, Location, Reported, Result, collect_all};
use crate::typed::{RawNode, Spanned};

/// Checks an entry. `global` are the options for all entries. The files of the entry are read from
/// `folder`.
///
/// # Errors
/// Reports every mistake in the entry, also a path that leaves the folder of the configuration.
pub fn check(
    kind: GeneratorKind,
    config: Spanned<GeneratorConfig>,
    global: &GeneratorOptionsConfig,
    folder: &Folder<'_>,
    diagnostics: &mut Diagnostics,
) -> Result<Generator, Reported> {
    let entry_location = config.location;
    let config = config.value;
    let name = diagnostics.check(check_name(kind, config.name, entry_location));
    let behavior = diagnostics.check(check_behavior(config.behavior));
    let secret_type = diagnostics.check(check_secret_type(kind, config.secret_type));
    let mut envs = config.envs.unwrap_or_default();
    envs.extend(config.env.filter(|env| !env.value.is_empty()));
    let sources = check_sources(
        &envs,
        &config.literals.unwrap_or_default(),
        &config.files.unwrap_or_default(),
        folder,
        diagnostics,
    );
    let merge_values = collect_all(
        config
            .merge_values
            .unwrap_or_default()
            .into_iter()
            .map(|entry| diagnostics.check(check_merge_value(entry))),
    );
    let (behavior, merge_values) = (behavior?, merge_values?);
    check_combination(&merge_values, &behavior, diagnostics)?;
    Ok(Generator {
        kind,
        name: name?,
        namespace: match config.namespace {
            Some(namespace) => namespace.value,
            None => String::new(),
        },
        behavior,
        sources: sources?,
        options: object_options(config.options.unwrap_or_default(), global),
        secret_type: secret_type?,
        merge_values,
    })
}

/// Returns the name of an entry, which must not be empty.
fn check_name(
    kind: GeneratorKind,
    name: Option<Spanned<String>>,
    entry: Option<Location>,
) -> Result<Spanned<String>> {
    let place = match name {
        Some(name) if !name.value.is_empty() => return Ok(name),
        Some(name) => name.location.or(entry),
        None => entry,
    };
    let message = format!("a {} must have a name", kind.name().to_lowercase());
    Err(config_error(message, place).help("add `name`"))
}

/// Reads the behavior of an entry. Without one, the object is created.
fn check_behavior(behavior: Option<Spanned<String>>) -> Result<Spanned<Behavior>> {
    let Some(Spanned { value, location }) = behavior else {
        return Ok(Spanned::default());
    };
    match find_behavior(&value) {
        Some(value) => Ok(Spanned { value, location }),
        None => {
            let message = format!("expected `create`, `merge` or `replace`, found `{value}`");
            let suggestion = did_you_mean(&value, Behavior::ALL.map(Behavior::name));
            Err(config_error(message, location).help_if(suggestion))
        }
    }
}

/// Returns the behavior with a name, if there is one.
pub(super) fn find_behavior(name: &str) -> Option<Behavior> {
    match name {
        "" | "unspecified" => Some(Behavior::Create),
        name => Behavior::ALL
            .into_iter()
            .find(|behavior| behavior.name() == name),
    }
}

/// Returns the type of a Secret, if it is given. Only entries of `secretGenerator` have one.
fn check_secret_type(
    kind: GeneratorKind,
    secret_type: Option<Spanned<String>>,
) -> Result<Option<String>> {
    match (kind, secret_type) {
        (GeneratorKind::ConfigMap, Some(secret_type)) => Err(config_error(
            "a ConfigMap has no `type`",
            secret_type.location,
        )
        .help("move the entry to `secretGenerator`, or remove the field")),
        (_, Some(secret_type)) if !secret_type.value.is_empty() => Ok(Some(secret_type.value)),
        _ => Ok(None),
    }
}

/// Checks the paths and literals of an entry.
///
/// # Errors
/// Reports each path that leaves the folder, and each literal or file that is spelled wrong.
fn check_sources(
    envs: &[Spanned<String>],
    literals: &[RawNode],
    files: &[Spanned<String>],
    folder: &Folder<'_>,
    diagnostics: &mut Diagnostics,
) -> Result<ValueSources, Reported> {
    let envs = collect_all(envs.iter().map(|path| {
        let path = relative_path(&path.value, path.location.as_ref(), folder);
        diagnostics.check(path)
    }));
    let literals = literals.iter().map(|node| literal::pairs(&node.0));
    let literals = collect_all(literals.map(|pairs| diagnostics.check(pairs)));
    let files = files.iter().map(|source| check_file(source, folder));
    let files = collect_all(files.map(|file| diagnostics.check(file)));
    Ok(ValueSources {
        envs: envs?,
        literals: literals?.into_iter().flatten().collect(),
        files: files?,
    })
}

/// Parses an entry of `files`: `path`, whose last component is the key, or `key=path`. The rules
/// are kustomize's.
fn check_file(source: &Spanned<String>, folder: &Folder<'_>) -> Result<FileSource> {
    let text = source.value.as_str();
    let place = source.location.clone();
    let (key, path) = match text.split_once('=') {
        None => (last_component(text), text),
        Some((_, path)) if path.contains('=') => {
            let message = format!("source \"{text}\" key name or file path contains '='");
            return Err(config_error(message, place)
                .help("rename the file: neither a key nor a path may contain an equals sign"));
        }
        Some(("", path)) => {
            let message = format!("missing key name for file path \"{path}\" in source \"{text}\"");
            return Err(config_error(message, place).help("write `key=path`, or only the path"));
        }
        Some((key, "")) => {
            let message = format!("missing file path for key name \"{key}\" in source \"{text}\"");
            return Err(config_error(message, place).help("write `key=path`"));
        }
        Some((key, path)) => (key, path),
    };
    Ok(FileSource {
        key: key.to_owned(),
        path: relative_path(path, place.as_ref(), folder)?,
    })
}

/// Returns the name of the file in a path.
fn last_component(path: &str) -> &str {
    let path = path.trim_end_matches('/');
    match path.rsplit_once('/') {
        Some((_, last)) => last,
        None => path,
    }
}

/// Checks a path, which must stay below the folder of the configuration.
fn relative_path(
    path: &str,
    location: Option<&Location>,
    folder: &Folder<'_>,
) -> Result<Spanned<RelativePath>> {
    match folder.path(path) {
        Ok(value) => Ok(Spanned {
            value,
            location: location.cloned(),
        }),
        Err(error) => Err(error.at(location.cloned(), "the file is named here")),
    }
}

/// Combines the options of an entry with those for all entries. The entry's own labels and
/// annotations win; a switch is on if either turns it on, as in kustomize.
fn object_options(own: GeneratorOptionsConfig, global: &GeneratorOptionsConfig) -> ObjectOptions {
    let mut labels = global.labels.clone().unwrap_or_default();
    labels.extend(own.labels.unwrap_or_default());
    let mut annotations = global.annotations.clone().unwrap_or_default();
    annotations.extend(own.annotations.unwrap_or_default());
    ObjectOptions {
        labels,
        annotations,
        is_immutable: is_on(own.immutable) || is_on(global.immutable),
        disables_suffix: is_on(own.disable_name_suffix_hash)
            || is_on(global.disable_name_suffix_hash),
    }
}

fn is_on(switch: Option<bool>) -> bool {
    switch.unwrap_or(false)
}

/// Checks an entry of `mergeValues`.
fn check_merge_value(entry: Spanned<MergeValueConfig>) -> Result<MergeValue> {
    let MergeValueConfig {
        key,
        format,
        lists,
        nulls,
    } = entry.value;
    if key.value.is_empty() {
        return Err(config_error(
            "expected the key of a value, found an empty `key`",
            key.location,
        )
        .help("name the literal or file of this entry that is to be merged"));
    }
    let lists = match lists {
        Some(lists) => check_lists(lists)?,
        None => Lists::default(),
    };
    Ok(MergeValue {
        key,
        format,
        options: MergeOptions {
            lists,
            nulls: nulls.unwrap_or_default(),
            ..MergeOptions::default()
        },
        location: entry.location,
    })
}

/// Parses the rule for lists: `replace`, `append`, `union` or `merge-by KEY`.
fn check_lists(lists: Spanned<String>) -> Result<Lists> {
    let Spanned { value, location } = lists;
    let words: Vec<&str> = value.split_whitespace().collect();
    match words[..] {
        ["replace"] => Ok(Lists::Replace),
        ["append"] => Ok(Lists::Append),
        ["union"] => Ok(Lists::Union),
        ["merge-by", key] => Ok(Lists::MergeBy(key.into())),
        ["merge-by"] => Err(
            config_error("expected a key after `merge-by`, found none", location)
                .help("write `lists: merge-by name`"),
        ),
        _ => {
            let message =
                format!("expected `replace`, `append`, `union` or `merge-by KEY`, found `{value}`");
            let first = words.first().copied().unwrap_or("");
            let suggestion = did_you_mean(first, ["replace", "append", "union", "merge-by"]);
            Err(config_error(message, location).help_if(suggestion))
        }
    }
}

/// Checks that each key is merged once, and only if the object is merged at all.
fn check_combination(
    merge_values: &[MergeValue],
    behavior: &Spanned<Behavior>,
    diagnostics: &mut Diagnostics,
) -> Result<(), Reported> {
    let mut outcome = Ok(());
    let mut seen: BTreeMap<&str, &MergeValue> = BTreeMap::new();
    for entry in merge_values {
        if let Some(first) = seen.insert(&entry.key.value, entry) {
            let message = format!("key `{}` is given twice in `mergeValues`", entry.key.value);
            outcome = Err(diagnostics.report(
                config_error(message, entry.key.location.clone())
                    .at(first.key.location.clone(), "first given here"),
            ));
        }
    }
    let Some(first) = merge_values.first() else {
        return outcome;
    };
    if behavior.value != Behavior::Merge {
        let found = behavior.value.name();
        let message = format!("expected `behavior: merge` with `mergeValues`, found `{found}`");
        outcome = Err(diagnostics.report(
            config_error(message, first.location.clone())
                .at(behavior.location.clone(), "the behavior")
                .help("add `behavior: merge`: values are merged into those of an existing object"),
        ));
    }
    outcome
}
