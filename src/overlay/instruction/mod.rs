//! The instruction that the annotations of a part describe: the elements of the left that it
//! selects, their expected number, and the operation.

mod annotations;
mod count;
mod operation;
mod structured;

use annotations::OverlayAnnotations;
pub(super) use annotations::{MATCH, STRUCTURED, is_overlay_annotation};
pub(super) use count::{ExpectedCount, MatchDefaults};
pub(super) use operation::OverlayOperation;
pub(super) use structured::Structured;

use super::element_kind::ElementKind;
use super::error::{overlay_error, type_of};
use super::matcher::ElementMatcher;
use crate::script::fragments::Annotation;
use crate::script::{Caller, Value};
use crate::source::{Diagnostic, Result};

/// The instruction of a part.
#[derive(Debug)]
pub(super) struct Instruction<'v> {
    pub(super) target: MatchTarget<'v>,
    pub(super) operation: OverlayOperation<'v>,
    /// The arguments that its children inherit.
    pub(super) defaults: MatchDefaults<'v>,
    /// Set if the part applies to documents in strings.
    pub(super) structured: Option<Structured>,
}

/// The elements of the left that a part selects.
#[derive(Debug)]
pub(super) enum MatchTarget<'v> {
    /// No element, because the part is new: an array item without `@overlay/match`, or a part that
    /// is appended.
    New,
    /// The entry with the same key.
    Key(ExpectedCount<'v>),
    /// The elements that a matcher accepts.
    By(ElementMatcher<'v>, ExpectedCount<'v>),
}

impl<'v> Instruction<'v> {
    /// Reads the annotations of a part, which inherits `inherited` from the part around it.
    ///
    /// # Errors
    /// Fails for wrong arguments, several operations, or a missing `@overlay/match`.
    pub(super) fn read(
        kind: ElementKind,
        annotations: &[Annotation],
        inherited: &MatchDefaults<'v>,
        caller: &Caller<'_, 'v>,
    ) -> Result<Instruction<'v>> {
        let own = OverlayAnnotations::read(annotations, caller)?;
        let mut instruction = Instruction::without_target(kind, &own, inherited)?;
        // ytt ignores `@overlay/match` of an appended part, so its arguments are not even read.
        if !matches!(instruction.operation, OverlayOperation::Append) {
            instruction.target = read_target(kind, &own, inherited, caller)?;
        }
        Ok(instruction)
    }

    /// Reads the annotations of a part that is not matched, because its element is already known.
    ///
    /// # Errors
    /// See [`Instruction::read`].
    pub(super) fn read_unmatched(
        kind: ElementKind,
        annotations: &[Annotation],
        inherited: &MatchDefaults<'v>,
        caller: &Caller<'_, 'v>,
    ) -> Result<Instruction<'v>> {
        let own = OverlayAnnotations::read(annotations, caller)?;
        Instruction::without_target(kind, &own, inherited)
    }

    fn without_target(
        kind: ElementKind,
        own: &OverlayAnnotations<'v>,
        inherited: &MatchDefaults<'v>,
    ) -> Result<Instruction<'v>> {
        let operation = OverlayOperation::read(kind, own)?;
        let defaults = match own.get("overlay/match-child-defaults") {
            Some(arguments) => {
                arguments.check(&["expects", "missing_ok", "when"])?;
                MatchDefaults::own(arguments).or(inherited)
            }
            None => *inherited,
        };
        let structured = Structured::read(kind, own, &operation)?;
        Ok(Instruction {
            target: MatchTarget::New,
            operation,
            defaults,
            structured,
        })
    }
}

/// Reads `@overlay/match` of a part.
fn read_target<'v>(
    kind: ElementKind,
    own: &OverlayAnnotations<'v>,
    inherited: &MatchDefaults<'v>,
    caller: &Caller<'_, 'v>,
) -> Result<MatchTarget<'v>> {
    let Some(arguments) = own.get(MATCH) else {
        return match kind {
            ElementKind::Document => Err(document_without_match()),
            ElementKind::Entry => Ok(MatchTarget::Key(ExpectedCount::of(
                MatchDefaults::default(),
                inherited,
            )?)),
            // Since ytt 0.32, an item without `@overlay/match` is appended and inherits no expected
            // number.
            ElementKind::Item | ElementKind::Value => Ok(MatchTarget::New),
        };
    };
    arguments.check(&["by", "expects", "missing_ok", "when"])?;
    // Each argument is inherited separately: a part with `when` still inherits `expects`.
    let count = ExpectedCount::of(MatchDefaults::own(arguments), inherited)?;
    match arguments.named("by") {
        Some(by) => Ok(MatchTarget::By(read_matcher(kind, by, caller)?, count)),
        None if kind == ElementKind::Entry => Ok(MatchTarget::Key(count)),
        None => Err(match_without_by(kind)),
    }
}

fn document_without_match() -> Box<Diagnostic> {
    overlay_error("expected `@overlay/match` on a document, found none")
        .help("say which documents are meant: `#@overlay/match by=overlay.all, expects=\"1+\"`")
}

fn match_without_by(kind: ElementKind) -> Box<Diagnostic> {
    let found_on = kind.with_article();
    let message =
        format!("expected the argument `by` of `@overlay/match` on {found_on}, found none");
    overlay_error(message).help(match kind {
        ElementKind::Document => {
            "say which documents are meant: `by=overlay.subset({\"kind\": \"Deployment\"})`"
        }
        _ => {
            "say which items are meant: `by=\"name\"` for those with the same name, or `by=overlay.all`"
        }
    })
}

/// Reads the argument `by` of `@overlay/match`.
fn read_matcher<'v>(
    kind: ElementKind,
    by: Value<'v>,
    caller: &Caller<'_, 'v>,
) -> Result<ElementMatcher<'v>> {
    if by.is_function() {
        return ElementMatcher::of(by, caller);
    }
    let is_document = kind == ElementKind::Document;
    match by.as_str() {
        // `by="name"` is short for `by=overlay.map_key("name")`.
        Some(key) if !is_document => Ok(ElementMatcher::Key(key.to_owned())),
        _ => {
            let expected = if is_document {
                "a function"
            } else {
                "a function or the name of a key"
            };
            let found = type_of(by);
            // `overlay.subset(…) and not overlay.subset(…)` looks like a matcher but evaluates to a
            // boolean.
            let help = by.as_bool().is_some().then(|| {
                "combine matchers with `overlay.and_op(…)`, `overlay.or_op(…)` and `overlay.not_op(…)`, not with \
                 `and`, `or` and `not`"
                    .to_owned()
            });
            let message =
                format!("expected {expected} for `by` of `@overlay/match`, found {found}");
            Err(overlay_error(message).help_if(help))
        }
    }
}
