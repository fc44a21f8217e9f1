//! What the annotations of a part say: which elements of the left it means, how many there may be, and what is done
//! with them.

mod annotations;
mod count;
mod operation;
mod structured;

use annotations::Own;
pub(super) use annotations::is_overlay_annotation;
pub(super) use count::{Count, Defaults};
pub(super) use operation::Operation;
pub(super) use structured::Structured;

use super::matcher::Matcher;
use super::part::Kind;
use crate::script::fragments::Annotation;
use crate::script::{Caller, Value};
use crate::source::{Code, Diagnostic, Result};

/// What a part does.
#[derive(Debug)]
pub(super) struct Instruction<'v> {
    /// Which elements it means.
    pub(super) target: Target<'v>,
    /// What it does with them.
    pub(super) operation: Operation<'v>,
    /// What its children start from.
    pub(super) defaults: Defaults<'v>,
    /// Whether it is meant for the documents in strings.
    pub(super) structured: Option<Structured>,
}

/// Which elements of the left are meant.
#[derive(Debug)]
pub(super) enum Target<'v> {
    /// None: an array item without `@overlay/match` is new.
    None,
    /// The entry with the same key.
    Key(Count<'v>),
    /// Those that a matcher accepts.
    By(Matcher<'v>, Count<'v>),
}

impl<'v> Instruction<'v> {
    /// Reads the annotations of a part, which inherits `inherited` from the part around it.
    pub(super) fn read(
        kind: Kind,
        annotations: &[Annotation],
        inherited: &Defaults<'v>,
        caller: &Caller<'_, 'v>,
    ) -> Result<Instruction<'v>> {
        let own = Own::read(annotations, caller)?;
        let instruction = Instruction::of(kind, &own, inherited)?;
        let is_appended = matches!(instruction.operation, Operation::Append);
        let target = if is_appended {
            Target::None
        } else {
            target(kind, &own, inherited, caller)?
        };
        Ok(Instruction {
            target,
            ..instruction
        })
    }

    /// The same for a part of which it is known what it means.
    pub(super) fn read_unmatched(
        kind: Kind,
        annotations: &[Annotation],
        inherited: &Defaults<'v>,
        caller: &Caller<'_, 'v>,
    ) -> Result<Instruction<'v>> {
        Instruction::of(kind, &Own::read(annotations, caller)?, inherited)
    }

    /// All but which elements are meant.
    fn of(kind: Kind, own: &Own<'v>, inherited: &Defaults<'v>) -> Result<Instruction<'v>> {
        let operation = Operation::read(kind, own)?;
        let defaults = match own.get("overlay/match-child-defaults") {
            Some(arguments) => {
                arguments.check(&["expects", "missing_ok", "when"])?;
                Defaults::own(arguments).or(inherited)
            }
            None => *inherited,
        };
        let structured = Structured::read(kind, own, &operation)?;
        Ok(Instruction {
            target: Target::None,
            operation,
            defaults,
            structured,
        })
    }
}

fn target<'v>(
    kind: Kind,
    own: &Own<'v>,
    inherited: &Defaults<'v>,
    caller: &Caller<'_, 'v>,
) -> Result<Target<'v>> {
    let Some(arguments) = own.get(super::MATCH) else {
        return match kind {
            Kind::Document => Err(error("expected `@overlay/match` on a document, found none")
                .help("say which documents are meant: `#@overlay/match by=overlay.all, expects=\"1+\"`")),
            Kind::Entry => Ok(Target::Key(Count::of(inherited)?)),
            Kind::Item | Kind::Value => Ok(Target::None),
        };
    };
    arguments.check(&["by", "expects", "missing_ok", "when"])?;
    let count = Count::of(&Defaults::own(arguments).or(inherited))?;
    match arguments.named("by") {
        Some(by) => Ok(Target::By(by_argument(kind, by, caller)?, count)),
        None if kind == Kind::Entry => Ok(Target::Key(count)),
        None => Err(error(format!("expected the argument `by` of `@overlay/match` on {}, found none", kind.article()))
            .help(match kind {
                Kind::Document => "say which documents are meant: `by=overlay.subset({\"kind\": \"Deployment\"})`",
                _ => "say which items are meant: `by=\"name\"` for those with the same name, or `by=overlay.all`",
            })),
    }
}

fn by_argument<'v>(kind: Kind, by: Value<'v>, caller: &Caller<'_, 'v>) -> Result<Matcher<'v>> {
    match by.as_str() {
        Some(key) if kind != Kind::Document => Ok(Matcher::Key(key.to_owned())),
        _ if by.is_function() => Matcher::of(by, caller),
        _ => {
            let expected = if kind == Kind::Document {
                "a function"
            } else {
                "a function or the name of a key"
            };
            let message = format!(
                "expected {expected} for `by` of `@overlay/match`, found {}",
                a_type(by)
            );
            Err(error(message))
        }
    }
}

/// The type of a value with its article.
pub(super) fn a_type(value: Value<'_>) -> String {
    let name = value.type_name();
    let article = if name.starts_with(['a', 'e', 'i', 'o', 'u']) {
        "an"
    } else {
        "a"
    };
    format!("{article} {name}")
}

/// An error of the one who wrote the overlay.
pub(super) fn error(message: impl Into<String>) -> Box<Diagnostic> {
    Diagnostic::error(Code::Overlay, message)
}
