//! The limits of a run, in one table.
//!
//! A limit stops input whose processing takes far more than its size: aliases of aliases, endless
//! loops, values that contain each other many times. It must not stop legitimate work. So most
//! limits grow with the bytes that the run has read, and each can be raised:
//!
//! ```text
//! default        the value of `LIMITS` for an input of any size
//! per byte       for a large input, this much for each byte that was read, if that is more
//! --limit        the value that the user sets, for an input of any size
//! ```
//!
//! The limits belong to the process, like the number of threads, because they protect its memory
//! and its time. They never change the output of a run. They only decide whether it ends with an
//! error.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::suggest::{did_you_mean, list};
use super::{Code, Diagnostic, Result};

/// A limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// Nodes of one value, with everything that it refers to expanded.
    Nodes,
    /// Bytes of text of one value that a program creates.
    ValueText,
    /// Values in one text that a program decodes.
    Decoded,
    /// Calls and iterations of loops.
    Steps,
    /// Bytes of memory of the values of one evaluation.
    Memory,
    /// Bytes of text that templates build.
    Built,
    /// Bytes of one text of the output, and of the values that one step copies.
    Output,
    /// Bytes of one string.
    StringLength,
    /// Items of one list.
    ListLength,
    /// Values that one comparison visits.
    Compared,
    /// Values that one path visits, and parts of the texts that it opens.
    PathValues,
    /// Nested documents in strings.
    EmbeddedLevels,
    /// Kustomizations that a build includes.
    Kustomizations,
    /// Libraries that are evaluated with different inputs.
    Libraries,
    /// Bytes of one message of an editor.
    Message,
}

/// A row of the table.
pub struct LimitRow {
    /// The limit.
    pub limit: Limit,
    /// Its name in `--limit NAME=VALUE`.
    pub name: &'static str,
    /// Its value for a small input.
    pub default: u64,
    /// Its growth for each byte that was read.
    pub per_byte: u64,
    /// A description of what it counts, for the documentation.
    pub counts: &'static str,
}

/// The table, in the order of [`Limit`].
pub const LIMITS: [LimitRow; 15] = [
    row(
        Limit::Nodes,
        "nodes",
        1_000_000,
        4,
        "nodes of one value with its aliases written out, whether it was read, copied by an edit or made by a program",
    ),
    row(
        Limit::ValueText,
        "value-text",
        64 << 20,
        16,
        "bytes of text in one value that a program makes, in one result of an encoder, or in the replacements of one call",
    ),
    row(
        Limit::Decoded,
        "decoded",
        1_000_000,
        4,
        "values in one text that a program decodes, for instance with `json.decode`",
    ),
    row(
        Limit::Steps,
        "steps",
        1_000_000_000,
        100,
        "function calls and loop iterations while one template is evaluated",
    ),
    row(
        Limit::Memory,
        "memory",
        2 << 30,
        64,
        "bytes of memory for the Starlark values while one template is evaluated",
    ),
    row(
        Limit::Built,
        "built",
        4 << 30,
        64,
        "bytes that all templates of a run build",
    ),
    row(
        Limit::Output,
        "output",
        256 << 20,
        16,
        "bytes of one output with its aliases written out, and of the values that one replacement or one patch copies",
    ),
    row(
        Limit::StringLength,
        "string",
        16 << 20,
        4,
        "bytes of one string that a program makes",
    ),
    row(
        Limit::ListLength,
        "list",
        1_000_000,
        1,
        "items of one list that one operation of a program makes, as in `x * n`, and documents or items where overlays insert some; a loop is limited by `steps` and `memory`",
    ),
    row(
        Limit::Compared,
        "compared",
        4_000_000,
        4,
        "values that one comparison of a program visits",
    ),
    row(
        Limit::PathValues,
        "path-values",
        4_000_000,
        4,
        "values that one JSONPath visits; a path that opens strings counts one for every 4 bytes of them",
    ),
    row(
        Limit::EmbeddedLevels,
        "embedded-levels",
        16,
        0,
        "levels of documents in strings: JSON in a string of YAML is one level",
    ),
    row(
        Limit::Kustomizations,
        "kustomizations",
        20_000,
        0,
        "kustomizations that one build runs, each as often as it is included",
    ),
    row(
        Limit::Libraries,
        "libraries",
        10_000,
        0,
        "private libraries that are evaluated with different inputs",
    ),
    row(
        Limit::Message,
        "message",
        256 << 20,
        0,
        "bytes of one message of an editor to `inlay lsp`",
    ),
];

const fn row(
    limit: Limit,
    name: &'static str,
    default: u64,
    per_byte: u64,
    counts: &'static str,
) -> LimitRow {
    LimitRow {
        limit,
        name,
        default,
        per_byte,
        counts,
    }
}

/// Checks the length of a text while it is being written.
///
/// # Errors
/// [`Limit::Output`] if it is longer.
pub fn check_output(bytes: usize) -> Result<()> {
    let most = Limit::Output.size();
    if bytes <= most {
        return Ok(());
    }
    let message = format!("the output has more than {most} bytes");
    Err(Limit::Output
        .exceeded(message)
        .help("a long value that an alias, an overlay or an edit repeats is written out each time"))
}

/// The place where a limit was set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LimitSetter {
    /// A variable or a flag. A flag overrides them.
    CommandLine,
    /// `spec.limits` of a configuration, which overrides flags.
    Configuration,
}

/// Whether a limit was set by a configuration.
static IS_CONFIGURED: [AtomicBool; LIMITS.len()] = [const { AtomicBool::new(false) }; LIMITS.len()];

/// Whether the process is a function, whose caller passes no flags.
static IS_FUNCTION: AtomicBool = AtomicBool::new(false);

/// Lets errors name the field of the configuration instead of the flag, because the caller of a
/// function passes no flags.
pub fn name_fields() {
    IS_FUNCTION.store(true, Ordering::Relaxed);
}

/// The values that the user has set; 0 for the default.
static SET: [AtomicU64; LIMITS.len()] = [const { AtomicU64::new(0) }; LIMITS.len()];

/// The number of bytes that this process has read.
static READ: AtomicU64 = AtomicU64::new(0);

/// The number of files that this process has read.
static FILES: AtomicU64 = AtomicU64::new(0);

/// The amount of input that was read so far.
#[derive(Clone, Copy, Debug)]
pub struct ReadSoFar {
    /// The number of files.
    pub files: u64,
    /// The number of bytes in these files.
    pub bytes: u64,
}

/// Returns the amount of input that was read so far.
pub fn read_so_far() -> ReadSoFar {
    ReadSoFar {
        files: FILES.load(Ordering::Relaxed),
        bytes: READ.load(Ordering::Relaxed),
    }
}

/// Counts bytes of input. The limits grow with them.
pub fn count_read(bytes: usize) {
    READ.fetch_add(bytes as u64, Ordering::Relaxed);
    FILES.fetch_add(1, Ordering::Relaxed);
}

impl Limit {
    fn row(self) -> &'static LimitRow {
        &LIMITS[self as usize]
    }

    /// Returns the current value.
    pub fn value(self) -> u64 {
        let row = self.row();
        match SET[self as usize].load(Ordering::Relaxed) {
            0 => {
                let read = READ.load(Ordering::Relaxed);
                row.default.max(read.saturating_mul(row.per_byte))
            }
            set => set,
        }
    }

    /// Returns the value as a size.
    pub fn size(self) -> usize {
        usize::try_from(self.value()).unwrap_or(usize::MAX)
    }

    /// Returns the help for an error of this limit, which describes how to raise it: to twice its
    /// value, and as many times more as it takes to reach what the input needs at least, if this
    /// is known.
    pub fn help(self, needed: Option<u64>) -> String {
        let mut raised = self.value().saturating_mul(2);
        while needed.is_some_and(|needed| raised < needed) {
            raised = raised.saturating_mul(2);
        }
        let name = self.row().name;
        let is_configured = IS_CONFIGURED[self as usize].load(Ordering::Relaxed);
        if is_configured || IS_FUNCTION.load(Ordering::Relaxed) {
            return format!("to raise the limit: `spec: {{limits: {{{name}: {raised}}}}}`");
        }
        format!("to raise the limit: `--limit {name}={raised}`")
    }

    /// Returns a message that ends with the name of the limit.
    pub fn named(self, message: &str) -> String {
        format!("{message} (limit `{}`)", self.row().name)
    }

    /// Returns the error for an input that reaches the limit, if it is not known how much it needs.
    /// The message names the limit, also where the help is not shown.
    pub fn exceeded(self, message: impl Into<String>) -> Box<Diagnostic> {
        self.exceeded_because(None, message)
    }

    /// Returns the error for an input that needs at least the value `needed` of the limit. It may
    /// need more, if it is a total at the moment of the failure.
    pub fn exceeded_by(self, needed: u64, message: impl Into<String>) -> Box<Diagnostic> {
        self.exceeded_because(Some(needed), message)
    }

    fn exceeded_because(self, needed: Option<u64>, message: impl Into<String>) -> Box<Diagnostic> {
        let message = self.named(&message.into());
        Diagnostic::error(Code::Limit, message).help(self.help(needed))
    }
}

/// Sets limits from one or more `NAME=VALUE`, separated by commas or blanks.
///
/// # Errors
/// An unknown name, and a value that is not an integer above 0.
pub fn set(text: &str) -> Result<()> {
    let given = text
        .split([',', ' ', '\n'])
        .filter(|given| !given.is_empty());
    for given in given {
        let (name, value) = given.split_once('=').ok_or_else(|| {
            let message = format!("expected a limit as NAME=VALUE, found `{given}`");
            Diagnostic::error(Code::Flag, message).help(names())
        })?;
        set_one(name, value, LimitSetter::CommandLine)?;
    }
    Ok(())
}

/// Sets one limit.
///
/// # Errors
/// The errors of [`set`].
pub fn set_one(name: &str, value: &str, setter: LimitSetter) -> Result<()> {
    let known = LIMITS.iter().find(|row| row.name == name).ok_or_else(|| {
        let message = format!("there is no limit `{name}`");
        let near = did_you_mean(name, LIMITS.iter().map(|row| row.name));
        Diagnostic::error(Code::Flag, message).help(near.unwrap_or_else(names))
    })?;
    let value: u64 = match value.replace('_', "").parse() {
        Ok(value) if value > 0 => value,
        _ => {
            let message =
                format!("expected a whole number above 0 for the limit `{name}`, found `{value}`");
            return Err(Diagnostic::error(Code::Flag, message));
        }
    };
    SET[known.limit as usize].store(value, Ordering::Relaxed);
    let is_configured = setter == LimitSetter::Configuration;
    IS_CONFIGURED[known.limit as usize].store(is_configured, Ordering::Relaxed);
    Ok(())
}

fn names() -> String {
    format!("the limits are {}", list(LIMITS.iter().map(|row| row.name)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_in_the_order_of_the_limits() {
        for (at, row) in LIMITS.iter().enumerate() {
            assert_eq!(row.limit as usize, at, "{}", row.name);
        }
    }

    #[test]
    fn refuses_what_is_not_a_limit() {
        let table = [
            ("node=1", "there is no limit `node`"),
            ("nodes", "expected a limit as NAME=VALUE, found `nodes`"),
            ("nodes=0", "found `0`"),
            ("nodes=many", "found `many`"),
            ("nodes=-1", "found `-1`"),
        ];
        for (text, part) in table {
            let error = set(text).unwrap_err();
            assert!(error.message.contains(part), "{}", error.message);
        }
    }

    #[test]
    fn a_limit_can_be_set() {
        // No other test reaches this limit.
        set("libraries=20_000").unwrap();
        assert_eq!(Limit::Libraries.value(), 20_000);
        let raised = |needed| Limit::Libraries.exceeded_by(needed, "").help.concat();
        assert!(raised(0).contains("--limit libraries=40000"));
        assert!(raised(40_000).contains("--limit libraries=40000"));
        assert!(raised(150_000).contains("--limit libraries=160000"));
    }
}
