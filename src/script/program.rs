//! A program that is ready to run, with maps from its text back to the user's text.
//!
//! ```text
//! source      the user's text: a template, or a Starlark file
//!   |  template::compile (a Starlark file is its own program)
//! program     Starlark with `end` blocks: `for x in y: __ytt("set", 0, x) end`
//!   |  dialect::convert
//! runs        Starlark with indentation, which the crate parses
//! ```
//!
//! Errors of the crate are spans of the lowest text. `to_program` and `to_source` map them upwards.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use starlark::codemap::FileSpan;
use starlark::syntax::ast::{AssignIdent, AstStmt, Stmt};
use starlark::syntax::{AstModule, Dialect};

use super::builtins::operator_functions;
use super::error;
use super::fragments::Parts;
use super::function::NativeFunction;
use crate::dialect::{self, DialectError, FileFunction, INSTRUCTIONS};
use crate::source::{Diagnostic, Location, OffsetMap, Result, Source, Span};

/// A compiled Starlark file or template.
#[derive(Debug)]
pub struct Program {
    /// The text that the user wrote.
    source: Arc<Source>,
    /// The place of each byte of the program in the source.
    to_source: OffsetMap,
    /// The place of each byte of the running text in the program.
    to_program: OffsetMap,
    kind: ProgramKind,
    /// The nodes and texts that the instructions of a template refer to.
    pub(super) parts: Arc<Parts>,
    /// The number of the program. The crate uses it as the file name, so that an error leads back
    /// to its program.
    id: usize,
    /// The program.
    text: Box<str>,
    /// The text that runs.
    converted: Box<str>,
    /// The names that statements outside of functions define, in order. They may be those of
    /// predeclared functions.
    defined: Vec<Box<str>>,
    /// The predeclared functions that the program may call or redefine. They are found at its first
    /// evaluation.
    pub(super) called: OnceLock<Vec<NativeFunction>>,
    /// The names that `load` statements inside blocks define.
    loaded_in_blocks: Vec<Box<str>>,
    ast: AstModule,
    /// The program as the body of a function, if it calls anything: one that defines no names, and
    /// one that defines its names. They are compiled when they are first needed.
    in_function: [OnceLock<Option<Arc<Program>>>; 2],
}

/// The kind of text that a program is compiled from, which determines the result of its evaluation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProgramKind {
    /// A Starlark file defines names.
    Starlark,
    /// A YAML template builds documents, and defines names.
    Yaml,
    /// A text template builds a text, and defines names.
    Text,
}

/// The program of a template with `end` blocks, as the compilers in `template` write it.
#[derive(Debug, Default)]
pub struct Script {
    /// The program.
    pub text: String,
    /// The place of each byte in the source of the template.
    pub map: OffsetMap,
    /// The parts that its instructions refer to.
    pub parts: Parts,
}

static NEXT_ID: AtomicUsize = AtomicUsize::new(0);

impl Program {
    /// Compiles a Starlark file.
    ///
    /// # Errors
    /// Returns a diagnostic at the place that cannot be parsed.
    pub fn starlark(source: &Arc<Source>) -> Result<Program> {
        let (start, text) = source.after_byte_order_mark();
        let script = Script {
            text: text.to_owned(),
            map: OffsetMap::identity(start, text.len()),
            parts: Parts::default(),
        };
        Program::compile(source, script, ProgramKind::Starlark)
    }

    /// Compiles the program of a template that was parsed from `source`.
    ///
    /// # Errors
    /// Returns a diagnostic at the place that cannot be parsed.
    pub fn compile(source: &Arc<Source>, script: Script, kind: ProgramKind) -> Result<Program> {
        let Script {
            text,
            map: to_source,
            parts,
        } = script;
        let converted =
            dialect::convert(&text).map_err(|fault| report(source, &to_source, fault))?;
        // The crate identifies files by name. The id is that name, because two programs may have
        // the same path.
        let id = NEXT_ID.fetch_add(1, Ordering::Relaxed);
        let to_program = converted.map;
        let loaded_in_blocks = converted.loaded_in_blocks;
        // The parser consumes the text, and `definition` searches it later.
        let runs: Box<str> = converted.text.as_str().into();
        let parsed = AstModule::parse(&id.to_string(), converted.text, &dialect());
        let mut ast = parsed.map_err(|error| {
            let span = error.span().map(file_span);
            let place = span.map(|span| {
                let span = last_written(&to_source, &to_program, span);
                locate(source, &to_source, &to_program, span)
            });
            error::syntax(&error, place)
        })?;
        // Replace the operators by calls of our own functions only after parsing, so that the
        // parser handles their precedence.
        ast.replace_binary_operators(&operator_functions());
        let defined = defined_names(ast.statement());
        let defined = defined.into_iter().map(Into::into).collect();
        let (source, parts) = (Arc::clone(source), Arc::new(parts));
        Ok(Program {
            source,
            to_source,
            to_program,
            kind,
            parts,
            id,
            text: text.into(),
            converted: runs,
            defined,
            called: OnceLock::new(),
            loaded_in_blocks,
            ast,
            in_function: Default::default(),
        })
    }

    /// Returns the program as the body of one function, which does the same. Its module defines the
    /// names of the program only if `exports` is set.
    ///
    /// The variables of a function are also read faster than those of a module.
    ///
    /// When a module is frozen, the crate compiles its functions once more, with the values of all
    /// variables of the module. If one of these values is called, the crate compares it with its own
    /// functions. For that, it registers them all, which takes some milliseconds: it parses the
    /// documentation of each one, with regular expressions that it compiles for this purpose. It
    /// does the same for a predeclared function that a file calls outside of functions. The
    /// variables of a function have no values at that time, so nothing is compared.
    ///
    /// `called` are the predeclared functions that the program may call or redefine. A program that
    /// calls nothing is returned as it is.
    pub(super) fn in_function(
        self: &Arc<Program>,
        called: &[NativeFunction],
        exports: bool,
    ) -> Arc<Program> {
        let made = self.in_function[usize::from(exports)].get_or_init(|| {
            let made = self.compile_in_function(called, exports);
            made.map(Arc::new)
        });
        Arc::clone(made.as_ref().unwrap_or(self))
    }

    fn compile_in_function(&self, called: &[NativeFunction], exports: bool) -> Option<Program> {
        if !self.converted.contains('(') {
            return None;
        }
        let mut parameters: Vec<&str> = called.iter().map(NativeFunction::name).collect();
        parameters.extend(dialect::FILE_FUNCTION_CALLS);
        if self.kind != ProgramKind::Starlark {
            parameters.push(INSTRUCTIONS);
        }
        parameters.sort_unstable();
        parameters.dedup();
        let names = match exports {
            true => self.defined.iter().map(|name| &**name).collect(),
            false => Vec::new(),
        };
        let function = FileFunction { parameters, names };
        // Both succeeded for the same program. If one of them fails here because a limit is near,
        // the program runs as it is.
        let converted = dialect::convert_as_function(&self.text, &function).ok()?;
        let id = NEXT_ID.fetch_add(1, Ordering::Relaxed);
        let runs: Box<str> = converted.text.as_str().into();
        let mut ast = AstModule::parse(&id.to_string(), converted.text, &dialect()).ok()?;
        ast.replace_binary_operators(&operator_functions());
        Some(Program {
            source: Arc::clone(&self.source),
            to_source: self.to_source.clone(),
            to_program: converted.map,
            kind: self.kind,
            parts: Arc::clone(&self.parts),
            id,
            text: Box::default(),
            converted: runs,
            defined: Vec::new(),
            called: OnceLock::from(Vec::new()),
            loaded_in_blocks: converted.loaded_in_blocks,
            ast,
            in_function: Default::default(),
        })
    }

    /// Returns whether the program may define a function. The words may also be in a string.
    fn may_define_function(&self) -> bool {
        self.contains_any(&["def ", "lambda"])
    }

    fn contains_any(&self, words: &[&str]) -> bool {
        words.iter().any(|word| self.converted.contains(word))
    }

    /// Returns whether the program, which no other file loads, should run in a function: it may call
    /// functions that are frozen, or it may have a loop.
    ///
    /// Frozen are the functions of files that it loads, and its own ones in annotations, whose
    /// arguments are kept.
    pub(super) fn should_run_in_function(&self) -> bool {
        let keeps_functions = !self.parts.annotations.is_empty() && self.may_define_function();
        let mut loads = self.ast.loads().into_iter();
        keeps_functions
            || self.contains_any(&["for ", "while "])
            || loads.any(|load| !load.module_id.starts_with("@ytt:"))
    }

    /// Returns the text that the user wrote.
    pub fn source(&self) -> &Arc<Source> {
        &self.source
    }

    /// Returns the annotations of a template, each with its name and place.
    pub fn annotations(&self) -> impl Iterator<Item = (&str, &Location)> {
        self.parts
            .annotations
            .iter()
            .map(|(name, place)| (&**name, place))
    }

    /// Returns the kind of text that the program is compiled from.
    pub fn kind(&self) -> ProgramKind {
        self.kind
    }

    /// Returns the number of the program, which is unique.
    pub fn id(&self) -> usize {
        self.id
    }

    /// Returns whether a statement outside of functions defines a name.
    pub(super) fn defines(&self, name: &str) -> bool {
        // This is asked for each predeclared function. Most programs define few names, and texts of
        // different lengths are compared at once.
        match self.defined.len() {
            0..=8 => self.defined.iter().any(|own| **own == *name),
            _ => self
                .defined
                .binary_search_by(|own| (**own).cmp(name))
                .is_ok(),
        }
    }

    /// Returns the text that the crate parses.
    pub(super) fn converted(&self) -> &str {
        &self.converted
    }

    /// Returns the parsed program. The crate consumes it, so each evaluation gets a copy.
    pub(super) fn ast(&self) -> AstModule {
        self.ast.clone()
    }

    /// Returns whether a name comes from another file.
    pub(super) fn loads(&self, name: &str) -> bool {
        let is_in_block = self.loaded_in_blocks.iter().any(|own| **own == *name);
        let mut loads = self.ast.loads().into_iter();
        is_in_block || loads.any(|load| load.symbols.contains_key(name))
    }

    /// Returns the place of the last definition of a function, up to the start of its body. The
    /// body may begin with an instruction that opens its context, which the user did not write.
    pub(super) fn definition(&self, name: &str) -> Option<Location> {
        let text = &self.converted;
        // Search from the end, because a later definition replaces an earlier one. A string that
        // contains the same text could mislead the search; only the excerpt would then be wrong.
        let start = text.rfind(&format!("def {name}("))?;
        let header = text
            .get(start..)?
            .find('\n')
            .map_or(text.len(), |end| start + end);
        let body = text
            .get(header + 1..)?
            .lines()
            .position(|line| !line.contains("__ytt(\"open"))?;
        let end = text
            .get(header + 1..)?
            .split_inclusive('\n')
            .take(body + 1)
            .map(str::len)
            .sum::<usize>();
        Some(self.locate(Span::new(start, header + end)))
    }

    /// Returns the place in the source for a span of the running text.
    pub(super) fn locate(&self, span: Span) -> Location {
        locate(&self.source, &self.to_source, &self.to_program, span)
    }
}

fn locate(
    source: &Arc<Source>,
    to_source: &OffsetMap,
    to_program: &OffsetMap,
    span: Span,
) -> Location {
    // From the lowest text upwards, one map at a time.
    let program = to_program.enclosing(span).unwrap_or_default();
    Location::new(source, to_source.enclosing(program).unwrap_or_default())
}

/// Returns the span itself, or the last byte before it that the user wrote. If something is missing
/// at the end of a line, the parser reports it after generated text.
fn last_written(to_source: &OffsetMap, to_program: &OffsetMap, span: Span) -> Span {
    let is_written = |span: Span| {
        let program = to_program.enclosing(span);
        program.is_some_and(|program| to_source.enclosing(program).is_some())
    };
    if is_written(span) {
        return span;
    }
    let mut before = (0..span.start()).rev().map(|at| Span::new(at, at + 1));
    before.find(|byte| is_written(*byte)).unwrap_or(span)
}

/// Returns a span of the crate as a byte span.
pub(super) fn file_span(span: &FileSpan) -> Span {
    Span::new(
        span.span.begin().get() as usize,
        span.span.end().get() as usize,
    )
}

fn report(source: &Arc<Source>, map: &OffsetMap, fault: DialectError) -> Box<Diagnostic> {
    let place = Location::new(source, map.enclosing(fault.span).unwrap_or_default());
    let diagnostic = Diagnostic::error(fault.code, fault.message).at(place, "");
    diagnostic.help_if(fault.help.map(str::to_owned))
}

/// Returns the names that statements outside of functions define.
fn defined_names(statement: &AstStmt) -> Vec<&str> {
    fn add<'a>(statement: &'a AstStmt, names: &mut BTreeSet<&'a str>) {
        let mut target = |name: &'a AssignIdent| {
            names.insert(&name.ident);
        };
        match &statement.node {
            Stmt::Def(def) => return target(&def.name),
            Stmt::Assign(assign) => assign.lhs.visit_lvalue(|name| target(name)),
            Stmt::For(turns) => turns.var.visit_lvalue(|name| target(name)),
            Stmt::Load(load) => load.args.iter().for_each(|load| target(&load.local)),
            _ => {}
        }
        statement.visit_stmt(|inner| add(inner, names));
    }
    let mut names = BTreeSet::new();
    add(statement, &mut names);
    names.into_iter().collect()
}

/// Returns the dialect with the language features of ytt.
fn dialect() -> Dialect {
    Dialect {
        enable_top_level_stmt: true,
        enable_keyword_only_arguments: true,
        enable_load_reexport: true,
        ..Dialect::Standard
    }
}
