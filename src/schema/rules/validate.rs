//! Validates data values by the rules of their schema and of the data values documents.

use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use super::annotation::{RuleSource, RuleTest, Rules, ValidationRule};
use crate::schema::assertions::{AssertedRules, Assertions, VALIDATE};
use crate::schema::path::ValuePath;
use crate::schema::place;
use crate::schema::types::{TypeKind, ValueType, kind_of};
use crate::script::fragments::{Annotation, ArgumentsId, PartKey};
use crate::script::{Arguments, Caller, Value};
use crate::source::suggest::with_article;
use crate::source::{Code, Diagnostic, Diagnostics, Location, Reported, Result, Severity};
use crate::yaml::{Content, Entry, Node};

/// Validates values by the rules of their types and of the data values documents.
///
/// # Errors
/// Reports each value that breaks a rule, and each rule that cannot be tested.
pub(in crate::schema) fn validate(
    document: &ValueType,
    values: &Arc<Node>,
    assertions: &Assertions,
    place: Option<&Location>,
    caller: &mut Caller<'_, '_>,
    diagnostics: &mut Diagnostics,
) -> Result<(), Reported> {
    let mut validator = Validator {
        caller,
        diagnostics,
        root: values,
        read: HashMap::new(),
        is_ignored: false,
        outcome: Ok(()),
    };
    let root = ValidatedValue {
        expected: Some(document),
        asserted: Some(assertions.root()),
        value: values,
        parent: values,
        place: document.place.as_ref().or(place).cloned(),
        path: ValuePath::root(),
    };
    validator.validate(&root, assertions.own());
    validator.outcome
}

/// A value with its type and rules.
struct ValidatedValue<'a> {
    /// The type; `None` inside a value of any type.
    expected: Option<&'a ValueType>,
    /// The rules of data values documents for the path of the value, and for the values inside it.
    asserted: Option<&'a AssertedRules>,
    value: &'a Arc<Node>,
    parent: &'a Arc<Node>,
    place: Option<Location>,
    path: ValuePath<'a>,
}

struct Validator<'r, 'c, 'v> {
    caller: &'r mut Caller<'c, 'v>,
    diagnostics: &'r mut Diagnostics,
    root: &'r Arc<Node>,
    /// The rules of each annotation. One annotation can apply to thousands of items, so it is read
    /// once, and mistakes in it are reported once.
    read: HashMap<ArgumentsId, Result<Rc<Rules<'v>>, Reported>>,
    /// Whether ytt ignores the rules that are tested, so that faults are warnings.
    is_ignored: bool,
    outcome: Result<(), Reported>,
}

impl<'v> Validator<'_, '_, 'v> {
    /// Validates a value and everything inside it. `own` are the annotations of its entry or item.
    ///
    /// The rules of the schema come first, then those of the node itself. A rule of a data values
    /// document for this path that is not on the node is one that ytt ignores.
    fn validate(&mut self, value: &ValidatedValue<'_>, own: &[Annotation]) {
        // Beyond the limit nothing more is shown, so the remaining values are not tested.
        if self.diagnostics.is_full() {
            self.outcome = self.diagnostics.outcome();
            return;
        }
        if let Some(annotation) = value.expected.and_then(|expected| expected.rules.as_ref()) {
            // The value is tested before its content, so messages go from the outside in.
            self.test_all(value, annotation, RuleSource::Schema);
        }
        for annotation in own {
            if &*annotation.name == VALIDATE {
                self.test_all(value, annotation, RuleSource::Values);
            }
        }
        let asserted = match value.asserted {
            Some(asserted) => asserted.own.as_slice(),
            None => &[],
        };
        self.is_ignored = true;
        for annotation in asserted {
            if !own.iter().any(|own| own.arguments == annotation.arguments) {
                self.test_all(value, annotation, RuleSource::Values);
            }
        }
        self.is_ignored = false;
        match &value.value.resolved().content {
            Content::Mapping(mapping) => {
                for entry in &mapping.entries {
                    let own = self.annotations_of(&entry.key);
                    self.validate(&value.entry(entry), &own);
                }
            }
            Content::Sequence(sequence) => {
                for (index, item) in sequence.items.iter().enumerate() {
                    let own = self.annotations_of(&item.value);
                    self.validate(&value.item(index, &item.value), &own);
                }
            }
            Content::Scalar(_) | Content::Alias(_) => {}
        }
    }

    fn annotations_of(&self, node: &Arc<Node>) -> Arc<[Annotation]> {
        match self.caller.with_annotations(|table| table.of(node)) {
            Ok(Some(annotations)) => annotations,
            _ => Arc::new([]),
        }
    }

    /// Tests a value by the rules of one annotation.
    fn test_all(
        &mut self,
        value: &ValidatedValue<'_>,
        annotation: &Annotation,
        source: RuleSource,
    ) {
        let rules = match self.rules(annotation, source) {
            Ok(rules) => rules,
            Err(reported) => {
                if !self.is_ignored {
                    self.outcome = Err(reported);
                }
                return;
            }
        };
        let argument = self.caller.value(value.value);
        if argument.is_none() {
            // Null satisfies every rule but `not_null`: ytt does not call functions with null.
            if rules.keywords.not_null && self.applies(value, &rules, argument) {
                let found = Some("value is null".to_owned());
                self.report(value, &rules, "not null", found, None);
            }
            return;
        }
        if !self.applies(value, &rules, argument) {
            return;
        }
        for rule in &rules.rules {
            if let Verdict::Broken { found, failed_at } = self.test(rule, argument, value.value) {
                self.report(value, &rules, &rule.description, found, failed_at);
            }
        }
    }

    fn rules(
        &mut self,
        annotation: &Annotation,
        source: RuleSource,
    ) -> Result<Rc<Rules<'v>>, Reported> {
        if let Some(rules) = self.read.get(&annotation.arguments) {
            return rules.clone();
        }
        // A failure is stored too; see the field `read`.
        let rules = Rules::read(annotation, source, self.caller)
            .map(Rc::new)
            .map_err(|error| self.fault(error));
        self.read.insert(annotation.arguments, rules.clone());
        rules
    }

    /// Returns whether the rules apply to a value according to the condition `when=`.
    fn applies(
        &mut self,
        value: &ValidatedValue<'_>,
        rules: &Rules<'v>,
        argument: Value<'v>,
    ) -> bool {
        let Some(when) = rules.when else { return true };
        match self.ask(when, value, argument) {
            Ok(applies) => applies,
            Err(error) => {
                let shown = format!("the rules of `{}`", value.path);
                let mut error = error.at(rules.place.clone(), shown);
                if rules.source == RuleSource::Values {
                    error = error.at(value.place.clone(), "");
                }
                self.fail(error);
                false
            }
        }
    }

    /// Reports a mistake, or a value that breaks a rule.
    fn fail(&mut self, error: Box<Diagnostic>) {
        let reported = self.fault(error);
        if !self.is_ignored {
            self.outcome = Err(reported);
        }
    }

    /// Adds an error, or a warning if ytt ignores the rule.
    fn fault(&mut self, mut error: Box<Diagnostic>) -> Reported {
        if self.is_ignored {
            error.severity = Severity::Warning;
            error = error
                .note("ytt drops this rule when it merges the documents")
                .help(
                    "write it in the schema (`@schema/validation`), or replace the value \
                     (`@overlay/replace`)",
                );
        }
        self.diagnostics.report(error)
    }

    /// Calls the function of `when=`. It gets the value and, if it has two parameters, the values
    /// around it.
    fn ask(
        &mut self,
        when: Value<'v>,
        value: &ValidatedValue<'_>,
        argument: Value<'v>,
    ) -> Result<bool> {
        let mut positional = vec![argument];
        match when.parameters() {
            // Native functions do not report their parameters and get only the value.
            Some(1) | None => {}
            Some(2) => {
                let parent = self.caller.value(value.parent);
                let root = self.caller.value(self.root);
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
        let arguments = Arguments {
            positional,
            named: Vec::new(),
        };
        let answer = self.caller.call(when, &arguments)?;
        answer.as_bool().ok_or_else(|| {
            let found = with_article(answer.type_name());
            let message = format!("expected True or False from `when=`, found {found}");
            Diagnostic::error(Code::Validation, message)
        })
    }

    fn test(
        &mut self,
        rule: &ValidationRule<'v>,
        argument: Value<'v>,
        node: &Arc<Node>,
    ) -> Verdict {
        let function = match &rule.test {
            RuleTest::Call(function) => *function,
            RuleTest::Pattern(pattern) => {
                return Verdict::of_text(argument.as_str(), node, |text| pattern.is_match(text));
            }
            RuleTest::Format(format) => {
                return Verdict::of_text(argument.as_str(), node, |text| format.fits(text));
            }
        };
        let arguments = Arguments {
            positional: vec![argument],
            named: Vec::new(),
        };
        match self.caller.call(function, &arguments) {
            Ok(answer) if answer.as_bool() == Some(true) => Verdict::Kept,
            // Only True satisfies a rule. A function without `return` returns None, and accepting
            // None would silently disable the rule.
            Ok(_) => Verdict::Broken {
                found: None,
                failed_at: None,
            },
            Err(error) => Verdict::Broken {
                found: Some(reason(&error.message).to_owned()),
                failed_at: error.labels.first().map(|label| label.location.clone()),
            },
        }
    }

    fn report(
        &mut self,
        value: &ValidatedValue<'_>,
        rules: &Rules<'v>,
        description: &str,
        found: Option<String>,
        failed_at: Option<Location>,
    ) {
        let mut message = format!("expected `{}` to be: {description}", value.path);
        if let Some(found) = found.filter(|found| !found.is_empty()) {
            message += &format!("; found: {found}");
        }
        let failed_elsewhere =
            failed_at.filter(|failed| !is_shown(failed, &rules.place, value.place.as_ref()));
        let error = Diagnostic::error(Code::Validation, message)
            .at(value.place.clone(), "this value")
            .at(rules.place.clone(), "the rule")
            .at(failed_elsewhere, "failed here");
        self.fail(error);
    }
}

/// Returns whether the place of a failure is inside the rule, or equals the place of the value.
/// Both are already shown.
fn is_shown(failed: &Location, rule: &Location, value: Option<&Location>) -> bool {
    let (rule, failed) = (rule.in_file(), failed.in_file());
    let is_inside_rule = Arc::ptr_eq(&rule.source, &failed.source)
        && rule.span.start <= failed.span.start
        && failed.span.end <= rule.span.end;
    is_inside_rule || value.is_some_and(|value| value.in_file() == failed)
}

impl<'a> ValidatedValue<'a> {
    fn entry(&'a self, entry: &'a Entry) -> ValidatedValue<'a> {
        let expected = match self.expected.map(|expected| &expected.kind) {
            Some(TypeKind::Map(fields)) => fields.of(&entry.key),
            Some(TypeKind::OpenMap(inner)) => Some(&**inner),
            _ => None,
        };
        let asserted = self.asserted.and_then(|asserted| {
            let key = PartKey::of(entry.key.resolved())?;
            asserted.below.get(&key)
        });
        ValidatedValue {
            expected,
            asserted,
            value: &entry.value,
            parent: self.value.resolved(),
            place: place::of_value(&entry.value)
                .or_else(|| entry.key.location())
                .or_else(|| self.place.clone()),
            path: self.path.key(&entry.key),
        }
    }

    fn item(&'a self, index: usize, value: &'a Arc<Node>) -> ValidatedValue<'a> {
        let expected = match self.expected.map(|expected| &expected.kind) {
            Some(TypeKind::Array(inner)) => Some(&**inner),
            _ => None,
        };
        ValidatedValue {
            expected,
            asserted: None,
            value,
            parent: self.value.resolved(),
            place: place::of_value(value).or_else(|| self.place.clone()),
            path: self.path.index(index),
        }
    }
}

/// The result of testing a rule.
enum Verdict {
    Kept,
    Broken {
        /// A description of the value that was found instead.
        found: Option<String>,
        /// The place where the test failed.
        failed_at: Option<Location>,
    },
}

impl Verdict {
    fn of_text(
        text: Option<&str>,
        node: &Arc<Node>,
        is_kept: impl FnOnce(&str) -> bool,
    ) -> Verdict {
        let found = match text {
            Some(text) if is_kept(text) => return Verdict::Kept,
            Some(text) => format!("{text:?}"),
            None => kind_of(node).to_owned(),
        };
        Verdict::Broken {
            found: Some(found),
            failed_at: None,
        }
    }
}

/// Returns the reason why a test failed, in the words of its author: the prefixes of the functions
/// that failed are removed.
fn reason(message: &str) -> &str {
    let message = message.strip_prefix("assert.fail: ").unwrap_or(message);
    message
        .strip_prefix("fail: ")
        .or_else(|| message.strip_prefix("check: "))
        .unwrap_or(message)
}
