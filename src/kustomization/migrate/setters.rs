//! From kpt's setters: comments that say which settings a value is made of.
//!
//! ```text
//! Kptfile                        app.yaml
//! - image: …/apply-setters       spec:
//!   configMap: {tag: "1.2"}        image: nginx:1.0 # kpt-set: nginx:${tag}
//!
//! becomes
//! - sourceValue: "1.2"
//!   targets:
//!   - select: {kind: Deployment, name: app}
//!     fieldPaths: [spec.image]
//!     options: {prefix: "nginx:"}
//! ```

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use super::target::{TargetObject, TargetObjects, item_steps, key_step};
use super::without_counterpart;
use crate::edit::spelled_key;
use crate::source::world::{FileKind, Walk, World, read_found};
use crate::source::{Code, Diagnostic, Result};
use crate::yaml::{Content, Node, Stream, json_string, parse, parse_data};

/// What a comment of a setter begins with.
const COMMENT: &str = "kpt-set:";

/// A value that a comment is about.
struct SetField {
    object: TargetObject,
    path: String,
}

/// Where the settings are.
enum Settings {
    /// In the Kptfile: the values themselves.
    Inline(BTreeMap<String, String>),
    /// In a ConfigMap of the package, with this name.
    Object(String),
}

/// Returns replacements that do what the setters of a package do.
///
/// # Errors
/// A file that cannot be read, a setting that does not exist, and a list that a comment is about.
pub(super) fn replacements(
    world: &dyn World,
    folder: &Path,
    step: &Arc<Node>,
    config: Option<&str>,
) -> Result<String> {
    let settings = match config {
        Some(path) => {
            let source = read_found(world, &folder.join(path))?;
            let stream = parse_data(&source)?;
            let root = stream.documents.first().map(|document| &document.root);
            let object = root.and_then(|root| TargetObject::of(root));
            let object = object.filter(|object| object.kind == "ConfigMap");
            let object = object.ok_or_else(|| {
                let message = format!("expected a ConfigMap with a name in `{path}`");
                Diagnostic::error(Code::Config, message)
                    .at(root.and_then(|root| root.location()), "")
                    .help("the replacements find the settings by that name")
            })?;
            Settings::Object(object.name)
        }
        None => Settings::Inline(inline(step)),
    };
    let mut objects = TargetObjects::default();
    let mut by_pattern: BTreeMap<String, Vec<SetField>> = BTreeMap::new();
    let walk = Walk {
        follow_links: None,
        hidden: false,
    };
    for (path, kind) in walk.files(world, folder)? {
        let is_yaml = path
            .extension()
            .is_some_and(|own| own == "yaml" || own == "yml");
        if kind != FileKind::File || !is_yaml {
            continue;
        }
        let stream = parse(&read_found(world, &path)?)?;
        for document in &stream.documents {
            let object = TargetObject::of(&document.root);
            if let Some(object) = &object {
                objects.add(object);
            }
            let mut search = Search {
                stream: &stream,
                object,
                path: Vec::new(),
                found: &mut by_pattern,
            };
            search.visit(&document.root)?;
        }
    }
    let mut text = String::new();
    for (pattern, fields) in by_pattern {
        text.push_str(&replacement(&pattern, &fields, &settings, &objects)?);
    }
    Ok(text)
}

/// Returns the settings of a Kptfile.
fn inline(step: &Node) -> BTreeMap<String, String> {
    let map = step
        .get("configMap")
        .and_then(|map| map.resolved().as_mapping());
    let mut settings = BTreeMap::new();
    for entry in map.into_iter().flat_map(|map| &map.entries) {
        if let (Some(key), Some(value)) = (entry.key.text(), entry.value.resolved().text()) {
            settings.insert(key.to_owned(), value.to_owned());
        }
    }
    settings
}

/// Looks for the comments in an object.
struct Search<'s> {
    stream: &'s Stream,
    /// `None` if the document has no kind or no name.
    object: Option<TargetObject>,
    path: Vec<String>,
    found: &'s mut BTreeMap<String, Vec<SetField>>,
}

impl Search<'_> {
    /// Visits a value. Recursive: parsing bounds the depth.
    fn visit(&mut self, node: &Arc<Node>) -> Result<()> {
        match &node.content {
            Content::Mapping(mapping) => {
                for entry in &mapping.entries {
                    self.path.push(key_step(&entry.key));
                    if entry.value.as_scalar().is_none() && self.pattern_after(&entry.key).is_some()
                    {
                        let error = without_counterpart(
                            "a setter of a whole list",
                            "replace the list with a template or an overlay",
                        );
                        return Err(error.at(entry.key.location(), ""));
                    }
                    self.visit(&entry.value)?;
                    self.path.pop();
                }
            }
            Content::Sequence(sequence) => {
                for (item, step) in sequence.items.iter().zip(item_steps(sequence)) {
                    self.path.push(step);
                    self.visit(&item.value)?;
                    self.path.pop();
                }
            }
            Content::Scalar(_) => {
                if let Some(pattern) = self.pattern_after(node) {
                    // A selector without a kind and a name would match other objects, too.
                    let object = self.object.clone().ok_or_else(|| {
                        let message = "expected an object with a kind and a name around a setter";
                        Diagnostic::error(Code::Config, message)
                            .at(node.location(), "")
                            .help("replacements find the object by them")
                    })?;
                    let field = SetField {
                        object,
                        path: self.path.join("."),
                    };
                    self.found.entry(pattern).or_default().push(field);
                }
            }
            Content::Alias(_) => {}
        }
        Ok(())
    }

    /// Returns the pattern in the comment behind a node on the same line.
    fn pattern_after(&self, node: &Node) -> Option<String> {
        let end = node.origin.as_ref()?.span.end();
        let comments = &self.stream.comments;
        let next = comments.partition_point(|comment| comment.start() < end);
        let comment = comments.get(next)?;
        let text = self.stream.source.text();
        let between = text.get(end..comment.start())?;
        if !between.trim_matches([' ', '\t', ':']).is_empty() {
            return None;
        }
        let comment = text.get(comment.range())?.trim_start_matches('#').trim();
        Some(comment.strip_prefix(COMMENT)?.trim().to_owned())
    }
}

/// A pattern: the names of its settings, and the texts around them, one more than names.
struct Pattern<'p> {
    texts: Vec<&'p str>,
    names: Vec<&'p str>,
}

impl<'p> Pattern<'p> {
    fn parse(pattern: &'p str) -> Pattern<'p> {
        let (mut texts, mut names) = (Vec::new(), Vec::new());
        let mut rest = pattern;
        while let Some((before, after)) = rest.split_once("${") {
            let Some((name, after)) = after.split_once('}') else {
                break;
            };
            texts.push(before);
            names.push(name);
            rest = after;
        }
        texts.push(rest);
        Pattern { texts, names }
    }
}

/// Returns one replacement, as an item of a list.
fn replacement(
    pattern: &str,
    fields: &[SetField],
    settings: &Settings,
    objects: &TargetObjects,
) -> Result<String> {
    let parsed = Pattern::parse(pattern);
    let mut options = String::new();
    let head = match (settings, parsed.names.as_slice()) {
        (_, []) => {
            let message = format!("expected `${{NAME}}` in the setter `{pattern}`, found none");
            return Err(Diagnostic::error(Code::Config, message));
        }
        (Settings::Object(object), [name]) => {
            options = around(&parsed);
            let source = source(object, name);
            format!("- source: {source}\n")
        }
        (Settings::Object(object), names) => {
            let mut lines = String::from("- sources:\n");
            let mut template = String::new();
            for (index, name) in names.iter().enumerate() {
                lines.push_str(&format!("    s{index}: {}\n", source(object, name)));
                // A dollar sign of its own is doubled in a template.
                template.push_str(&parsed.texts[index].replace('$', "$$"));
                template.push_str(&format!("${{s{index}}}"));
            }
            template.push_str(&parsed.texts[names.len()].replace('$', "$$"));
            format!("{lines}  template: {}\n", json_string(&template))
        }
        (Settings::Inline(values), names) => {
            let value = |name: &str| {
                values.get(name).ok_or_else(|| {
                    let message = format!("the setters have no value for `{name}`");
                    Diagnostic::error(Code::Config, message)
                        .help("add it to `configMap` of the step in the Kptfile")
                })
            };
            let mut text = String::new();
            for (index, name) in names.iter().enumerate() {
                text.push_str(parsed.texts[index]);
                text.push_str(value(name)?);
            }
            text.push_str(parsed.texts[names.len()]);
            if let [name] = names {
                options = around(&parsed);
                text.clone_from(value(name)?);
            }
            format!("- sourceValue: {}\n", json_string(&text))
        }
    };
    let mut text = format!("# {pattern}\n{head}  targets:\n");
    for field in fields {
        let select = objects.selector(&field.object);
        text.push_str(&format!(
            "  - select: {select}\n    fieldPaths: [{}]\n",
            json_string(&field.path)
        ));
        text.push_str(&options);
    }
    Ok(text)
}

/// Returns where a setting is read.
fn source(object: &str, name: &str) -> String {
    let path = json_string(&format!("data.{}", spelled_key(name)));
    let object = json_string(object);
    format!("{{kind: ConfigMap, name: {object}, fieldPath: {path}}}")
}

/// Returns the options for the texts around the one setting of a pattern.
fn around(pattern: &Pattern<'_>) -> String {
    let mut options = Vec::new();
    for (key, text) in [("prefix", pattern.texts[0]), ("suffix", pattern.texts[1])] {
        if !text.is_empty() {
            options.push(format!("{key}: {}", json_string(text)));
        }
    }
    match options.is_empty() {
        true => String::new(),
        false => format!("    options: {{{}}}\n", options.join(", ")),
    }
}
