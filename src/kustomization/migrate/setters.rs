//! Migrates kpt's setters: comments that name the settings from which a value is composed.
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

use super::without_counterpart;
use crate::edit::spelled_key;
use crate::kustomization::target::{TargetObject, TargetObjects, item_steps, key_step};
use crate::source::world::{FileKind, Walk, World, read_found};
use crate::source::{Code, Diagnostic, Result};
use crate::yaml::{Content, Node, Stream, json_string, parse, parse_data};

/// The start of the comment of a setter.
const COMMENT: &str = "kpt-set:";

/// A value with the comment of a setter.
struct SetField {
    object: TargetObject,
    path: String,
}

/// The place of the settings.
enum Settings {
    /// In the Kptfile: the values themselves.
    Inline(BTreeMap<String, String>),
    /// In a ConfigMap of the package, with this name.
    Object(String),
}

/// Returns replacements that do what the setters of a package do, as the lines of a list.
///
/// `step` is the step of the Kptfile's pipeline that applies the setters, and `config` the file
/// that it names for their values, if it does.
///
/// # Errors
/// Fails for a file that cannot be read, for a setting that does not exist, and for a list with the
/// comment of a setter.
pub(super) fn replacements(
    world: &dyn World,
    folder: &Path,
    step: &Arc<Node>,
    config: Option<&str>,
) -> Result<String> {
    let settings = match config {
        Some(path) => Settings::Object(config_map_name(world, folder, path)?),
        None => Settings::Inline(inline(step)),
    };
    let mut setters = Setters::default();
    let walk = Walk {
        follow_links: None,
        hidden: false,
    };
    for (path, kind) in walk.files(world, folder)? {
        if kind == FileKind::File && is_yaml(&path) {
            setters.read(parse(&read_found(world, &path)?)?)?;
        }
    }
    let mut text = String::new();
    for (pattern, fields) in &setters.by_pattern {
        text.push_str(&replacement(pattern, fields, &settings, &setters.objects)?);
    }
    Ok(text)
}

/// Returns the name of the ConfigMap in a file, by which the replacements find the settings.
fn config_map_name(world: &dyn World, folder: &Path, path: &str) -> Result<String> {
    let stream = parse_data(&read_found(world, &folder.join(path))?)?;
    let root = stream.documents.first().map(|document| &document.root);
    let object = root.and_then(|root| TargetObject::of(root));
    match object.filter(|object| object.kind == "ConfigMap") {
        Some(object) => Ok(object.name),
        None => {
            let message = format!("expected a ConfigMap with a name in `{path}`");
            Err(Diagnostic::error(Code::Config, message)
                .at(root.and_then(|root| root.location()), "")
                .help("the replacements find the settings by that name"))
        }
    }
}

/// Returns whether a file is YAML by its name.
fn is_yaml(path: &Path) -> bool {
    path.extension()
        .is_some_and(|own| own == "yaml" || own == "yml")
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

/// The setters in the files of a package.
#[derive(Default)]
struct Setters {
    /// All objects of the package. A selector must find exactly one of them.
    objects: TargetObjects,
    /// The values that have a comment, by its pattern.
    by_pattern: BTreeMap<String, Vec<SetField>>,
}

impl Setters {
    /// Adds the objects of a file, and the comments in them.
    fn read(&mut self, stream: Stream) -> Result<()> {
        for document in &stream.documents {
            let object = TargetObject::of(&document.root);
            if let Some(object) = &object {
                self.objects.add(object);
            }
            let mut search = Search {
                stream: &stream,
                object,
                path: Vec::new(),
                found: &mut self.by_pattern,
            };
            search.visit(&document.root)?;
        }
        Ok(())
    }
}

/// Looks for the comments in an object.
struct Search<'s> {
    stream: &'s Stream,
    /// `None` if the document has no kind or no name.
    object: Option<TargetObject>,
    /// The steps from the root of the object to the value that is visited.
    path: Vec<String>,
    /// The fields that were found, by the pattern of the comment.
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
            Content::Scalar(_) => self.visit_scalar(node)?,
            Content::Alias(_) => {}
        }
        Ok(())
    }

    /// Adds a scalar that is followed by the comment of a setter.
    ///
    /// # Errors
    /// The object around it has no kind or no name. A selector without them would also match other
    /// objects.
    fn visit_scalar(&mut self, node: &Arc<Node>) -> Result<()> {
        let Some(pattern) = self.pattern_after(node) else {
            return Ok(());
        };
        let Some(object) = self.object.clone() else {
            let message = "expected an object with a kind and a name around a setter";
            return Err(Diagnostic::error(Code::Config, message)
                .at(node.location(), "")
                .help("replacements find the object by them"));
        };
        let path = self.path.join(".");
        let fields = self.found.entry(pattern).or_default();
        fields.push(SetField { object, path });
        Ok(())
    }

    /// Returns the pattern in the comment after a node on the same line:
    ///
    /// ```text
    /// image: nginx:1.0 # kpt-set: nginx:${tag}      nginx:${tag}
    /// ports: # kpt-set: ${ports}                    ${ports}, if the node is the key `ports`
    /// ```
    fn pattern_after(&self, node: &Node) -> Option<String> {
        let end = node.origin.as_ref()?.span.end();
        // The comments of a file are in the order of its text.
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

/// The parts of a pattern: `a-${x}-${y}` has the texts `a-`, `-` and an empty one, and the names
/// `x` and `y`.
///
/// Invariant: there is one more text than there are names.
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

    /// Returns the pattern with each text and each name replaced.
    ///
    /// # Errors
    /// Those of `write_name`, which gets the index of the name and the name.
    fn rewritten(
        &self,
        write_text: impl Fn(&str) -> String,
        write_name: impl Fn(usize, &str) -> Result<String>,
    ) -> Result<String> {
        let mut written = String::new();
        for (index, text) in self.texts.iter().enumerate() {
            written.push_str(&write_text(text));
            if let Some(name) = self.names.get(index) {
                written.push_str(&write_name(index, name)?);
            }
        }
        Ok(written)
    }
}

/// The source of a replacement, and the options of its targets.
struct ReplacementValue {
    /// The lines that begin the item, with the value or its source.
    head: String,
    /// The line of options that every target gets; empty without options.
    options: String,
}

/// Returns one replacement, as an item of a list.
///
/// # Errors
/// A pattern without a setting, and a setting without a value.
fn replacement(
    pattern: &str,
    fields: &[SetField],
    settings: &Settings,
    objects: &TargetObjects,
) -> Result<String> {
    let parsed = Pattern::parse(pattern);
    if parsed.names.is_empty() {
        let message = format!("expected `${{NAME}}` in the setter `{pattern}`, found none");
        return Err(Diagnostic::error(Code::Config, message));
    }
    let ReplacementValue { head, options } = match settings {
        Settings::Object(object) => value_from_object(object, &parsed)?,
        Settings::Inline(values) => inline_value(values, &parsed)?,
    };
    let mut text = format!("# {pattern}\n{head}  targets:\n");
    for field in fields {
        let select = objects.selector(&field.object);
        let path = json_string(&field.path);
        text.push_str(&format!(
            "  - select: {select}\n    fieldPaths: [{path}]\n{options}"
        ));
    }
    Ok(text)
}

/// Returns a value that is read from a ConfigMap whenever the replacement runs.
///
/// ```text
/// nginx:${tag}     source: {…, fieldPath: data.tag}, and the option `prefix: "nginx:"`
/// ${name}-${env}   sources: {s0: …, s1: …}, and `template: "${s0}-${s1}"`
/// ```
fn value_from_object(object: &str, pattern: &Pattern<'_>) -> Result<ReplacementValue> {
    if let [name] = pattern.names.as_slice() {
        let source = source(object, name);
        return Ok(ReplacementValue {
            head: format!("- source: {source}\n"),
            options: around(pattern),
        });
    }
    let mut head = String::from("- sources:\n");
    for (index, name) in pattern.names.iter().enumerate() {
        head.push_str(&format!("    s{index}: {}\n", source(object, name)));
    }
    let template = pattern.rewritten(
        // A dollar sign that does not begin a name is doubled in a template.
        |text| text.replace('$', "$$"),
        |index, _| Ok(format!("${{s{index}}}")),
    )?;
    head.push_str(&format!("  template: {}\n", json_string(&template)));
    Ok(ReplacementValue {
        head,
        options: String::new(),
    })
}

/// Returns a value that is composed of the settings in a Kptfile.
///
/// # Errors
/// A setting that the Kptfile does not have.
fn inline_value(
    values: &BTreeMap<String, String>,
    pattern: &Pattern<'_>,
) -> Result<ReplacementValue> {
    let value = |name: &str| match values.get(name) {
        Some(value) => Ok(value.clone()),
        None => {
            let message = format!("the setters have no value for `{name}`");
            Err(Diagnostic::error(Code::Config, message)
                .help("add it to `configMap` of the step in the Kptfile"))
        }
    };
    // The value of a single setting is written as in the Kptfile, so that it is easy to find and to
    // change. The options add the texts around it.
    let (value, options) = match pattern.names.as_slice() {
        [name] => (value(name)?, around(pattern)),
        _ => {
            let joined = pattern.rewritten(str::to_owned, |_, name| value(name))?;
            (joined, String::new())
        }
    };
    Ok(ReplacementValue {
        head: format!("- sourceValue: {}\n", json_string(&value)),
        options,
    })
}

/// Returns the source of a setting.
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
