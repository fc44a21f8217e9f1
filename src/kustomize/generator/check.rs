//! From an entry as it is written to a generator that can be carried out.

use std::collections::BTreeMap;

use super::config::{GeneratorConfig, MergeValueConfig, OptionsConfig};
use super::pairs::key_and_path;
use super::{Behavior, Generator, Kind, MergeValue, Options, Sources, literal};
use crate::edit::{Lists, MergeOptions};
use crate::source::suggest::did_you_mean;
use crate::source::{Code, Diagnostic, Diagnostics, Location, Result};
use crate::typed::Spanned;

/// Makes of an entry what can be carried out; `global` are the options for all entries. Everything that is wrong is told.
pub fn check(
    kind: Kind,
    config: Spanned<GeneratorConfig>,
    global: &OptionsConfig,
    diagnostics: &mut Diagnostics,
) -> Option<Generator> {
    let before = diagnostics.errors();
    let location = config.location;
    let config = config.value;
    let name = diagnostics.take(check_name(kind, config.name, location));
    let behavior = diagnostics.take(check_behavior(config.behavior));
    if let (Kind::ConfigMap, Some(secret_type)) = (kind, &config.secret_type) {
        diagnostics.push(
            wrong("a ConfigMap has no `type`", secret_type.location.clone())
                .help("put the entry under `secretGenerator`, or remove the field"),
        );
    }
    let (literals, files) = (
        config.literals.unwrap_or_default(),
        config.files.unwrap_or_default(),
    );
    let wrong_literals = literals
        .iter()
        .filter_map(|node| literal::pairs(&node.0).err());
    let wrong_files = files.iter().filter_map(|source| key_and_path(source).err());
    wrong_literals
        .chain(wrong_files)
        .for_each(|error| diagnostics.push(error));
    let merge_values = config.merge_values.unwrap_or_default();
    let merge_values: Vec<MergeValue> = merge_values
        .into_iter()
        .filter_map(|entry| diagnostics.take(check_merge_value(entry)))
        .collect();
    check_together(&merge_values, behavior.as_ref(), diagnostics);
    if diagnostics.errors() > before {
        return None;
    }
    let mut envs = config.envs.unwrap_or_default();
    envs.extend(config.env.filter(|env| !env.value.is_empty()));
    let sources = Sources {
        envs,
        literals,
        files,
    };
    Some(Generator {
        kind,
        name: name?,
        namespace: config
            .namespace
            .map(|namespace| namespace.value)
            .unwrap_or_default(),
        behavior: behavior?,
        sources,
        options: options(config.options.unwrap_or_default(), global),
        secret_type: config
            .secret_type
            .map(|secret_type| secret_type.value)
            .filter(|text| !text.is_empty()),
        merge_values,
    })
}

fn wrong(message: impl Into<String>, location: Option<Location>) -> Box<Diagnostic> {
    Diagnostic::error(Code::Config, message).at(location, "")
}

fn check_name(
    kind: Kind,
    name: Option<Spanned<String>>,
    entry: Option<Location>,
) -> Result<Spanned<String>> {
    let place = name
        .as_ref()
        .and_then(|name| name.location.clone())
        .or(entry);
    name.filter(|name| !name.value.is_empty()).ok_or_else(|| {
        wrong(
            format!("a {} must have a name", kind.name().to_lowercase()),
            place,
        )
        .help("add `name`")
    })
}

fn check_behavior(behavior: Option<Spanned<String>>) -> Result<Spanned<Behavior>> {
    let Some(Spanned { value, location }) = behavior else {
        return Ok(Spanned::default());
    };
    let known = [Behavior::Create, Behavior::Merge, Behavior::Replace];
    let found = known.into_iter().find(|behavior| behavior.name() == value);
    match found {
        Some(behavior) => Ok(Spanned {
            value: behavior,
            location,
        }),
        None if value.is_empty() || value == "unspecified" => Ok(Spanned {
            value: Behavior::Create,
            location,
        }),
        None => {
            let names = known.map(Behavior::name);
            Err(wrong(
                format!("expected `create`, `merge` or `replace`, found `{value}`"),
                location,
            )
            .help_if(did_you_mean(&value, names)))
        }
    }
}

/// The options of an entry: its own labels and annotations win, and what is switched on for all is on.
fn options(own: OptionsConfig, global: &OptionsConfig) -> Options {
    let with_global = |own: Option<BTreeMap<String, String>>,
                       global: &Option<BTreeMap<String, String>>| {
        let mut all = global.clone().unwrap_or_default();
        all.extend(own.unwrap_or_default());
        all
    };
    let either =
        |own: Option<bool>, global: Option<bool>| own.unwrap_or(false) || global.unwrap_or(false);
    Options {
        labels: with_global(own.labels, &global.labels),
        annotations: with_global(own.annotations, &global.annotations),
        immutable: either(own.immutable, global.immutable),
        without_suffix: either(
            own.disable_name_suffix_hash,
            global.disable_name_suffix_hash,
        ),
    }
}

fn check_merge_value(config: Spanned<MergeValueConfig>) -> Result<MergeValue> {
    let Spanned {
        value:
            MergeValueConfig {
                key,
                format,
                lists,
                nulls,
            },
        location,
    } = config;
    if key.value.is_empty() {
        return Err(wrong(
            "expected the key of a value, found an empty `key`",
            key.location,
        ));
    }
    let lists = lists.map(check_lists).transpose()?.unwrap_or_default();
    let options = MergeOptions {
        lists,
        nulls: nulls.unwrap_or_default(),
        ..MergeOptions::default()
    };
    Ok(MergeValue {
        key,
        format,
        options,
        location,
    })
}

fn check_lists(lists: Spanned<String>) -> Result<Lists> {
    let Spanned { value, location } = lists;
    let mut words = value.split_whitespace();
    match (words.next(), words.next(), words.next()) {
        (Some("replace"), None, _) => Ok(Lists::Replace),
        (Some("append"), None, _) => Ok(Lists::Append),
        (Some("merge-by"), Some(key), None) => Ok(Lists::MergeBy(key.into())),
        (Some("merge-by"), None, _) => Err(wrong(
            "expected a key after `merge-by`, found none",
            location,
        )
        .help("write `lists: merge-by name`")),
        _ => Err(wrong(
            format!("expected `replace`, `append` or `merge-by KEY`, found `{value}`"),
            location,
        )
        .help_if(did_you_mean(
            words_of(&value),
            ["replace", "append", "merge-by"],
        ))),
    }
}

fn words_of(text: &str) -> &str {
    text.split_whitespace().next().unwrap_or("")
}

/// Each key may be merged once, and only where values are merged at all.
fn check_together(
    merge_values: &[MergeValue],
    behavior: Option<&Spanned<Behavior>>,
    diagnostics: &mut Diagnostics,
) {
    let mut seen: BTreeMap<&str, &MergeValue> = BTreeMap::new();
    for entry in merge_values {
        if let Some(first) = seen.insert(&entry.key.value, entry) {
            diagnostics.push(
                wrong(
                    format!("key `{}` is given twice in `mergeValues`", entry.key.value),
                    entry.key.location.clone(),
                )
                .at(first.key.location.clone(), "first given here"),
            );
        }
    }
    let (Some(first), Some(behavior)) = (merge_values.first(), behavior) else {
        return;
    };
    if behavior.value != Behavior::Merge {
        let found = behavior.value.name();
        diagnostics.push(
            wrong(
                format!("expected `behavior: merge` with `mergeValues`, found `{found}`"),
                first.location.clone(),
            )
            .at(behavior.location.clone(), "the behavior")
            .help(
                "add `behavior: merge`: values are merged into those of the object that is there",
            ),
        );
    }
}
