//! Rewrites `vars` as `replacements`, where they do the same.
//!
//! ```text
//! kustomization.yaml                   app.yaml                        becomes
//! vars:                                env:                            replacements:
//! - name: HOST                         - name: URL                     - source: {kind: Service, name: api}
//!   objref: {kind: Service, name: api}   value: http://$(HOST)/v1        targets:
//!                                                                        - select: {kind: Deployment, name: web}
//!                                                                          fieldPaths: [spec….value]
//!                                                                          options: {delimiter: /, index: 2}
//! ```
//!
//! The files with the texts do not change: a target replaces `$(HOST)`, which must be the whole
//! text or a piece of it between delimiters. Any other variable stays, with a warning.
//!
//! The kustomization is built before and after the change, and both outputs must be equal.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::fields::{add_items, section_text};
use super::sections::{Section, Sections, span};
use crate::kustomization::target::pattern_item_steps;
use crate::kustomization::variable_uses::{FieldWithVariables, Variable, VariableUses, split};
use crate::kustomization::{KustomizationOptions, build, print};
use crate::provenance::Recorder;
use crate::source::world::{World, WorldLayer};
use crate::source::{Code, Diagnostic, Diagnostics, Result, Source, Span};
use crate::yaml::{Node, PlainContext, TextEdit, apply, is_plain_string, json_string};

/// Returns the text of a kustomization with `replacements` in the place of `vars`. `path` is its
/// file.
///
/// Warns about each variable that cannot become a replacement. It stays.
///
/// # Errors
/// The text is not lines of fields.
pub(super) fn fix(
    world: &dyn World,
    folder: &Path,
    path: &Path,
    source: &Arc<Source>,
    diagnostics: &mut Diagnostics,
) -> Result<String> {
    let file = Sections::read(source)?;
    let text = file.text();
    let Some(vars) = file.find("vars").filter(|vars| vars.is_given()) else {
        return Ok(text.to_owned());
    };
    if vars.entry.value.resolved().children().is_empty() {
        return Ok(apply(text, &[TextEdit::replace(vars.span, "")]));
    }
    let before = FixedFile::new(world, path, text);
    let mut failure = Diagnostics::default();
    let list = vars.entry.value.resolved();
    let uses = VariableUses::find(&before, folder, list, pattern_item_steps, &mut failure);
    let (Ok(uses), Some(output)) = (uses, output(&before, folder)) else {
        let reason = "the kustomization has to be built to see where they are used, and that fails";
        diagnostics.push(vars_stay(vars, reason).help("`inlay kustomize` shows what is wrong"));
        return Ok(text.to_owned());
    };
    let mut plan = Plan::new(&uses);
    loop {
        let fixed = with_replacements(&file, vars, &plan);
        let after = FixedFile::new(world, path, &fixed);
        if plan.kept.len() == uses.variables.len()
            || self::output(&after, folder).as_ref() == Some(&output)
        {
            plan.report(list, diagnostics);
            return Ok(fixed);
        }
        // A variable keeps the type of its value, and a replacement writes a text.
        if !plan.keep_typed() {
            let with_dollars = uses.by_text.keys().find(|text| text.contains("$$"));
            let reason = match with_dollars {
                Some(text) => has_dollars(text),
                None => "replacements would change the output".to_owned(),
            };
            diagnostics.push(vars_stay(vars, &reason));
            return Ok(text.to_owned());
        }
    }
}

fn vars_stay(vars: &Section, reason: &str) -> Box<Diagnostic> {
    Diagnostic::warning(Code::Config, format!("`vars` stay: {reason}"))
        .at(vars.entry.key.location(), "")
}

fn has_dollars(text: &str) -> String {
    format!("`{text}` has `$$`, which becomes `$` only with `vars`")
}

/// Returns the output of the build, or `None` if it fails.
fn output(world: &dyn World, folder: &Path) -> Option<String> {
    let options = KustomizationOptions::default();
    let mut diagnostics = Diagnostics::default();
    let built = build(world, folder, &options, Recorder::off(), &mut diagnostics).ok()?;
    print(&built, &mut diagnostics).ok()
}

/// A world in which one file has another text.
struct FixedFile<'w> {
    world: &'w dyn World,
    real: Option<PathBuf>,
    text: &'w str,
}

impl<'w> FixedFile<'w> {
    fn new(world: &'w dyn World, path: &Path, text: &'w str) -> FixedFile<'w> {
        let real = world.canonical(path).ok();
        FixedFile { world, real, text }
    }
}

impl WorldLayer for FixedFile<'_> {
    fn beneath(&self) -> &dyn World {
        self.world
    }

    /// This build only compares outputs, so it writes nothing.
    fn refusal(&self, _: &Path) -> Option<io::Error> {
        Some(io::Error::new(
            io::ErrorKind::Unsupported,
            "nothing is written",
        ))
    }

    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        match self.world.canonical(path).ok() {
            Some(real) if Some(&real) == self.real.as_ref() => Ok(self.text.as_bytes().to_vec()),
            _ => self.world.read(path),
        }
    }

    fn read_regular(&self, real: &Path) -> io::Result<Vec<u8>> {
        match Some(real) == self.real.as_deref() {
            true => Ok(self.text.as_bytes().to_vec()),
            false => self.world.read_regular(real),
        }
    }
}

/// The decision which variables become replacements.
struct Plan<'u> {
    uses: &'u VariableUses,
    /// The variables that stay, with the reasons.
    kept: BTreeMap<&'u str, String>,
    /// The variables whose value has a type that a replacement does not keep.
    typed: BTreeSet<&'u str>,
}

impl<'u> Plan<'u> {
    fn new(uses: &'u VariableUses) -> Plan<'u> {
        let mut plan = Plan {
            uses,
            kept: BTreeMap::new(),
            typed: BTreeSet::new(),
        };
        let mut used: BTreeSet<&str> = BTreeSet::new();
        for (text, fields) in &uses.by_text {
            for place in places(text, &uses.variables) {
                used.insert(place.name);
                if text.contains("$$") {
                    plan.kept.entry(place.name).or_insert(has_dollars(text));
                } else if place.is_whole(text) {
                    if fields.iter().any(|field| !field.stays_text) {
                        plan.typed.insert(place.name);
                    }
                } else if place.piece(text).is_none() {
                    let reason =
                        format!("`{text}` has no delimiter that separates it from the rest");
                    plan.kept.entry(place.name).or_insert(reason);
                }
            }
        }
        for (name, variable) in &uses.variables {
            if uses.is_name_with_hash(variable) {
                let reason = "it is a name with a hash, which names get after replacements";
                plan.kept.insert(name, reason.to_owned());
            } else if !used.contains(name.as_str()) {
                let reason = "nothing uses it here, but a kustomization that includes this one may";
                plan.kept.insert(name, reason.to_owned());
            }
        }
        plan
    }

    /// Keeps the variables whose type would change. Returns whether there are any that were not
    /// kept.
    fn keep_typed(&mut self) -> bool {
        let kept = self.kept.len();
        for name in &self.typed {
            let reason = "its value is a number or a boolean, which a replacement writes as a text";
            self.kept.entry(name).or_insert_with(|| reason.to_owned());
        }
        self.kept.len() > kept
    }

    /// Reports the variables that stay.
    fn report(&self, vars: &Node, diagnostics: &mut Diagnostics) {
        for item in vars.children() {
            let name = item.get("name");
            let text = name.and_then(|name| name.text()).unwrap_or_default();
            if let Some(reason) = self.kept.get(text) {
                let message = format!("the variable `{text}` stays: {reason}");
                let place = name.and_then(|name| name.location());
                diagnostics.push(Diagnostic::warning(Code::Config, message).at(place, ""));
            }
        }
    }

    /// Returns the items of `replacements`.
    ///
    /// A text with several variables gets an entry for each of them, from right to left: an
    /// inserted value may contain the delimiter, and must not change the indices of the pieces
    /// before it.
    fn items(&self) -> Vec<String> {
        let mut alone: BTreeMap<&str, String> = BTreeMap::new();
        let mut several = Vec::new();
        for (text, fields) in &self.uses.by_text {
            let mut places = places(text, &self.uses.variables);
            places.retain(|place| !self.kept.contains_key(place.name));
            let is_alone = places.len() == 1;
            for place in places.iter().rev() {
                let options = place.piece(text).filter(|_| !place.is_whole(text));
                let targets = self.targets(fields, options.as_ref());
                match is_alone {
                    true => alone.entry(place.name).or_default().push_str(&targets),
                    false => several.push((place.name, targets)),
                }
            }
        }
        let items = alone.into_iter().chain(several);
        items
            .filter_map(|(name, targets)| {
                let variable = self.uses.variables.get(name)?;
                Some(format!("{}targets:\n{targets}", source_of(variable)))
            })
            .collect()
    }

    fn targets(&self, fields: &[FieldWithVariables], piece: Option<&Piece>) -> String {
        let mut text = String::new();
        for field in fields {
            let select = self.uses.objects.selector(&field.object);
            text.push_str(&format!(
                "- select: {select}\n  fieldPaths:\n  - {}\n",
                spelled(&field.path)
            ));
            if let Some(Piece { delimiter, index }) = piece {
                let delimiter = json_string(&delimiter.to_string());
                text.push_str(&format!(
                    "  options: {{delimiter: {delimiter}, index: {index}}}\n"
                ));
            }
        }
        text
    }
}

/// Returns the source of a replacement.
fn source_of(variable: &Variable) -> String {
    let mut text = "source:\n".to_owned();
    let path = Some(variable.path.as_str()).filter(|path| *path != "metadata.name");
    let path = path.map(with_index_steps);
    for (key, value) in [
        ("group", Some(&variable.group)),
        ("version", Some(&variable.version)),
        ("kind", Some(&variable.kind)),
        ("name", Some(&variable.name)),
        ("namespace", variable.namespace.as_ref()),
        ("fieldPath", path.as_ref()),
    ] {
        if let Some(value) = value.filter(|value| !value.is_empty()) {
            text.push_str(&format!("  {key}: {}\n", spelled(value)));
        }
    }
    text
}

/// Writes the indexes of a path as steps: `ports[0].port` as `ports.0.port`.
fn with_index_steps(path: &str) -> String {
    let mut steps = Vec::new();
    for step in path.split('.') {
        let index = step
            .strip_suffix(']')
            .and_then(|step| step.rsplit_once('['));
        match index {
            Some((key, index))
                if !index.is_empty() && index.bytes().all(|byte| byte.is_ascii_digit()) =>
            {
                steps.extend(Some(key).filter(|key| !key.is_empty()));
                steps.push(index);
            }
            _ => steps.push(step),
        }
    }
    steps.join(".")
}

/// Writes a text as a scalar.
fn spelled(text: &str) -> String {
    match is_plain_string(text, PlainContext::Flow) {
        true => text.to_owned(),
        false => json_string(text),
    }
}

/// A variable in a text.
struct VariablePlace<'v> {
    name: &'v str,
    span: Span,
}

/// One of the pieces that a delimiter splits a text into.
struct Piece {
    delimiter: char,
    index: usize,
}

/// Returns the variables in a text, from left to right.
fn places<'v>(text: &str, variables: &'v BTreeMap<String, Variable>) -> Vec<VariablePlace<'v>> {
    let mut places = Vec::new();
    let mut at = 0;
    for (before, name) in split(text, variables) {
        let Some(name) = name else { break };
        let start = at + before.len();
        at = start + name.len() + "$()".len();
        let span = Span::new(start, at);
        places.push(VariablePlace { name, span });
    }
    places
}

impl VariablePlace<'_> {
    fn is_whole(&self, text: &str) -> bool {
        self.span == Span::new(0, text.len())
    }

    /// Returns the piece of a text that consists of the variable, if a delimiter divides the text
    /// in this way:
    ///
    /// ```text
    /// http://$(A)/v1     delimiter `/`, index 2
    /// a-$(A).b           none: the characters around the variable are different
    /// ```
    fn piece(&self, text: &str) -> Option<Piece> {
        let (before, after) = (&text[..self.span.start()], &text[self.span.end()..]);
        let delimiter = match (before.chars().next_back(), after.chars().next()) {
            (Some(left), Some(right)) if left != right => return None,
            (left, right) => left.or(right)?,
        };
        let index = before.matches(delimiter).count();
        // The delimiter may also occur in the name of the variable. Then no piece is the variable.
        let own = &text[self.span.start()..self.span.end()];
        if text.split(delimiter).nth(index) != Some(own) {
            return None;
        }
        Some(Piece { delimiter, index })
    }
}

/// Returns the text of a file after variables became replacements: `replacements` has new items,
/// and `vars` keeps only the variables that the plan keeps.
fn with_replacements(file: &Sections, vars: &Section, plan: &Plan<'_>) -> String {
    let text = file.text();
    let items = plan.items();
    if items.is_empty() {
        return text.to_owned();
    }
    let kept = kept_items(file, vars, plan);
    let indent = vars.dash_column(text).unwrap_or(0);
    let comment = vars.comment(text);
    let replaced = Span::new(span(&vars.entry.key).start(), vars.content_end);
    let mut edits = Vec::new();
    let target = file.find("replacements").filter(|target| target.is_given());
    let mut new = String::new();
    if !kept.is_empty() {
        new = section_text(&vars.key, comment, &kept, indent);
    }
    match target {
        Some(target) => add_items(file, target, &items, &mut edits),
        None => new.push_str(&section_text("replacements", "", &items, indent)),
    }
    match new.is_empty() {
        true => edits.push(TextEdit::replace(vars.span, "")),
        false => edits.push(TextEdit::replace(replaced, new)),
    }
    edits.sort_by_key(|edit: &TextEdit| edit.span);
    apply(text, &edits)
}

/// Returns the items of `vars` that stay, as they are written.
fn kept_items(file: &Sections, vars: &Section, plan: &Plan<'_>) -> Vec<String> {
    let mut kept = Vec::new();
    let variables = vars.entry.value.resolved().children();
    for (item, variable) in file.items(vars).into_iter().zip(variables) {
        let name = variable.get("name").and_then(|name| name.text());
        if plan.kept.contains_key(name.unwrap_or_default()) {
            kept.push(item);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variable_is_a_piece_between_equal_delimiters_or_at_an_end() {
        let item = "{name: A, objref: {kind: Service, name: a}}";
        let source = Source::new("vars.yml", item).unwrap();
        let stream = crate::yaml::parse(&source).unwrap();
        let variable = || Variable::of(stream.documents[0].root.resolved());
        let names = ["A", "B"].map(|name| (name.to_owned(), variable()));
        let variables = BTreeMap::from(names);
        for (text, expected) in [
            ("$(A):80", "A : 0"),
            ("http://$(A)/v1", "A / 2"),
            ("--host=$(A)", "A = 1"),
            ("$(A):$(B)", "A : 0, B : 1"),
            ("a-$(A).b", "A none"),
            ("$(A)$(B)", "A none, B none"),
            ("x/$(USER)/$(B)", "B / 2"),
        ] {
            let found: Vec<String> = places(text, &variables)
                .iter()
                .map(|place| match place.piece(text) {
                    Some(piece) => format!("{} {} {}", place.name, piece.delimiter, piece.index),
                    None => format!("{} none", place.name),
                })
                .collect();
            assert_eq!(found.join(", "), expected, "{text}");
        }
        assert_eq!(with_index_steps("spec.ports[0].x.[1]"), "spec.ports.0.x.1");
    }
}
