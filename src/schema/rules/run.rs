//! Holding values to their rules.

use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use super::annotation::{Attachment, Rule, Rules, Test};
use crate::schema::assertions::{Asserted, Assertions, VALIDATE};
use crate::schema::path::Path;
use crate::schema::place;
use crate::schema::types::{Kind, Type, kind_of};
use crate::script::fragments::{Annotation, ArgumentsId, PartKey};
use crate::script::{Arguments, Caller, Value};
use crate::source::suggest::with_article;
use crate::source::{Code, Diagnostic, Diagnostics, Location, Result};
use crate::yaml::{Content, Node};

/// Holds values to the rules of their types and of the documents that gave them.
pub(in crate::schema) fn validate(
    document: &Type,
    values: &Arc<Node>,
    assertions: &Assertions,
    place: Option<&Location>,
    caller: &mut Caller<'_, '_>,
    diagnostics: &mut Diagnostics,
) {
    let place = document.place.as_ref().or(place);
    let mut validator = Validator {
        caller,
        diagnostics,
        root: values,
        read: HashMap::new(),
    };
    let at = At {
        expected: Some(document),
        asserted: Some(assertions.root()),
        value: values,
        parent: values,
        place: place.cloned(),
        path: Path::root(),
    };
    validator.validate(&at, &[]);
}

/// A value and what is known about it.
struct At<'a> {
    expected: Option<&'a Type>,
    asserted: Option<&'a Asserted>,
    value: &'a Arc<Node>,
    parent: &'a Arc<Node>,
    place: Option<Location>,
    path: Path<'a>,
}

struct Validator<'r, 'c, 'v> {
    caller: &'r mut Caller<'c, 'v>,
    diagnostics: &'r mut Diagnostics,
    root: &'r Arc<Node>,
    /// The rules of each annotation, read once; none where they could not be read.
    read: HashMap<ArgumentsId, Option<Rc<Rules<'v>>>>,
}

impl<'v> Validator<'_, '_, 'v> {
    /// `own` are the annotations of the entry or the item itself.
    fn validate(&mut self, at: &At<'_>, own: &[Annotation]) {
        if self.diagnostics.is_full() {
            return;
        }
        let schema = at.expected.and_then(|expected| expected.rules.as_ref());
        if let Some(annotation) = schema {
            self.hold(at, annotation, Attachment::Schema);
        }
        let asserted = at
            .asserted
            .map(|asserted| asserted.own.as_slice())
            .unwrap_or_default();
        for annotation in asserted {
            self.hold(at, annotation, Attachment::Values);
        }
        let is_new = |annotation: &&Annotation| {
            asserted
                .iter()
                .all(|other| other.arguments != annotation.arguments)
        };
        for annotation in own
            .iter()
            .filter(|annotation| &*annotation.name == VALIDATE)
            .filter(is_new)
        {
            self.hold(at, annotation, Attachment::Values);
        }
        self.below(at);
    }

    fn below(&mut self, at: &At<'_>) {
        let node = at.value.resolved();
        match &node.content {
            Content::Mapping(mapping) => {
                for entry in &mapping.entries {
                    let expected = at.expected.and_then(|expected| match &expected.kind {
                        Kind::Map(fields) => fields.of(&entry.key),
                        Kind::OpenMap(inner) => Some(&**inner),
                        _ => None,
                    });
                    let says = at.asserted.and_then(|_| PartKey::of(entry.key.resolved()));
                    let child = At {
                        expected,
                        asserted: at
                            .asserted
                            .zip(says)
                            .and_then(|(asserted, key)| asserted.below.get(&key)),
                        value: &entry.value,
                        parent: node,
                        place: place::of_value(&entry.value)
                            .or_else(|| entry.key.location())
                            .or(at.place.clone()),
                        path: at.path.key(&entry.key),
                    };
                    let own = self.annotations_of(&entry.key);
                    self.validate(&child, &own);
                }
            }
            Content::Sequence(sequence) => {
                let expected = at.expected.and_then(|expected| match &expected.kind {
                    Kind::Array(inner) => Some(&**inner),
                    _ => None,
                });
                for (index, item) in sequence.items.iter().enumerate() {
                    let child = At {
                        expected,
                        asserted: None,
                        value: &item.value,
                        parent: node,
                        place: place::of_value(&item.value).or(at.place.clone()),
                        path: at.path.index(index),
                    };
                    let own = self.annotations_of(&item.value);
                    self.validate(&child, &own);
                }
            }
            _ => {}
        }
    }

    fn annotations_of(&self, node: &Arc<Node>) -> Arc<[Annotation]> {
        self.caller
            .with_annotations(|table| table.of(node))
            .ok()
            .flatten()
            .unwrap_or_default()
    }

    /// Holds a value to the rules of one annotation.
    fn hold(&mut self, at: &At<'_>, annotation: &Annotation, attachment: Attachment) {
        let rules = match self.read.get(&annotation.arguments) {
            Some(rules) => rules.clone(),
            None => {
                let rules = Rules::read(annotation, attachment, self.caller);
                let rules = self.diagnostics.take(rules).map(Rc::new);
                self.read.insert(annotation.arguments, rules.clone());
                rules
            }
        };
        let Some(rules) = rules else { return };
        let value = self.caller.value(at.value);
        if value.is_none() {
            if rules.keywords.not_null && self.counts(at, &rules, value) {
                self.report(
                    at,
                    &rules,
                    "not null",
                    Some("value is null".to_owned()),
                    None,
                );
            }
            return;
        }
        if !self.counts(at, &rules, value) {
            return;
        }
        for rule in &rules.rules {
            match self.test(rule, value, at.value) {
                Verdict::Kept => {}
                Verdict::Broken(found, place) => self.report(at, &rules, &rule.says, found, place),
            }
        }
    }

    /// Whether `when=` lets the rules count for a value.
    fn counts(&mut self, at: &At<'_>, rules: &Rules<'v>, value: Value<'v>) -> bool {
        let Some(when) = rules.when else { return true };
        match self.ask(when, at, value) {
            Ok(counts) => counts,
            Err(error) => {
                let shown = format!("the rules of `{}`", at.path);
                let mut error = error.at(rules.place.clone(), shown);
                if rules.attachment == Attachment::Values {
                    error = error.at(at.place.clone(), "");
                }
                self.diagnostics.push(error);
                false
            }
        }
    }

    fn ask(&mut self, when: Value<'v>, at: &At<'_>, value: Value<'v>) -> Result<bool> {
        let mut positional = vec![value];
        match when.parameters() {
            Some(1) | None => {}
            Some(2) => {
                let (parent, root) = (self.caller.value(at.parent), self.caller.value(self.root));
                positional.push(self.caller.structure(&[("parent", parent), ("root", root)]));
            }
            Some(count) => {
                let message = format!(
                    "expected a function with 1 or 2 parameters for `when=`, found one with {count}"
                );
                return Err(Diagnostic::error(Code::Validation, message).help(
                    "the first is the value; the second has the fields `parent` and `root`",
                ));
            }
        }
        let answer = self.caller.call(
            when,
            &Arguments {
                positional,
                named: Vec::new(),
            },
        )?;
        answer.as_bool().ok_or_else(|| {
            let message = format!(
                "expected True or False from `when=`, found {}",
                with_article(answer.type_name())
            );
            Diagnostic::error(Code::Validation, message)
        })
    }

    fn test(&mut self, rule: &Rule<'v>, value: Value<'v>, node: &Arc<Node>) -> Verdict {
        match &rule.test {
            Test::Call(function) => {
                let arguments = Arguments {
                    positional: vec![value],
                    named: Vec::new(),
                };
                match self.caller.call(*function, &arguments) {
                    Ok(answer) if answer.as_bool() == Some(true) => Verdict::Kept,
                    Ok(_) => Verdict::Broken(None, None),
                    Err(error) => {
                        let place = error.labels.first().map(|label| label.location.clone());
                        Verdict::Broken(Some(reason(&error.message).to_owned()), place)
                    }
                }
            }
            Test::Pattern(pattern) => {
                Verdict::of_text(value.as_str(), node, |text| pattern.is_match(text))
            }
            Test::Format(format) => {
                Verdict::of_text(value.as_str(), node, |text| format.fits(text))
            }
        }
    }

    fn report(
        &mut self,
        at: &At<'_>,
        rules: &Rules<'v>,
        says: &str,
        found: Option<String>,
        failed: Option<Location>,
    ) {
        let found = found
            .filter(|found| !found.is_empty())
            .map(|found| format!("; found: {found}"));
        let message = format!(
            "expected `{}` to be: {says}{}",
            at.path,
            found.unwrap_or_default()
        );
        let error = Diagnostic::error(Code::Validation, message).at(at.place.clone(), "this value");
        let error = error.at(rules.place.clone(), "the rule");
        let failed = failed.filter(|failed| {
            let (rule, failed) = (rules.place.in_file(), failed.in_file());
            let is_same = Arc::ptr_eq(&rule.source, &failed.source);
            let is_the_rule =
                is_same && rule.span.start <= failed.span.start && failed.span.end <= rule.span.end;
            !is_the_rule
                && at
                    .place
                    .as_ref()
                    .is_none_or(|place| place.in_file() != failed)
        });
        self.diagnostics.push(error.at(failed, "failed here"));
    }
}

/// Whether a value keeps a rule.
enum Verdict {
    Kept,
    /// With what was found, and where the test failed.
    Broken(Option<String>, Option<Location>),
}

impl Verdict {
    fn of_text(text: Option<&str>, node: &Arc<Node>, keeps: impl FnOnce(&str) -> bool) -> Verdict {
        match text {
            Some(text) if keeps(text) => Verdict::Kept,
            Some(text) => Verdict::Broken(Some(format!("{text:?}")), None),
            None => Verdict::Broken(Some(kind_of(node).to_owned()), None),
        }
    }
}

/// Why a test failed, in the words of its author.
fn reason(message: &str) -> &str {
    let message = message.strip_prefix("assert.fail: ").unwrap_or(message);
    message
        .strip_prefix("fail: ")
        .or_else(|| message.strip_prefix("check: "))
        .unwrap_or(message)
}
