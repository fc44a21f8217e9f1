//! Records which data values each expression of a template read, if a build is recorded.
//!
//! A template that is compiled for recording marks the start and the end of an expression:
//!
//! ```text
//! template                 program                             what happens
//! a: #@ f(data.values.x)   __ytt("mark", 7)                    instruction 7 begins
//!                          __ytt("set", 3, __ytt("hole", 7, (  f runs and reads `x` and `y`
//!                            f(data.values.x)
//!                          )))                                 hole: x and y belong to this value
//! ```
//!
//! Values are ordinary structs, and their fields are read millions of times. The crate requests a
//! field from a struct without saying which expression needs it. The reads are therefore written to
//! a log of the thread, which a flag turns on, and a struct is identified by its address. A thread
//! runs one build and keeps its data values until the build ends, so no other struct gets the
//! address of one of them.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::edit::PathStep;
use crate::provenance::{Hole, HoleRead, NodeCopy, Recorder};
use crate::source::Location;
use crate::yaml::Node;

thread_local! {
    static IS_ON: Cell<bool> = const { Cell::new(false) };
    static LOG: RefCell<ReadLog> = RefCell::default();
}

/// The maximum number of reads that are kept for one instruction. Loops over data values read them
/// repeatedly.
const MOST_READS: usize = 100_000;

/// The reads recorded on this thread.
#[derive(Default)]
struct ReadLog {
    /// The structs of data values, by their addresses.
    structs: HashMap<usize, StructPlace>,
    /// The struct with the data values of the current program.
    seen: Option<usize>,
    /// Values that are only kept to keep the structs alive.
    kept: Vec<Box<dyn Any>>,
    /// The fields that were read since the first open mark, or, without one, since the last
    /// instruction.
    fields: Vec<ReadField>,
    /// The number of fields that were read before the last instruction ended.
    since: usize,
    /// The instructions whose expressions are running. Each one runs inside an expression of the
    /// previous one.
    marks: Vec<Mark>,
    holes: Vec<Hole>,
    copies: Vec<NodeCopy>,
}

/// An instruction whose expressions are running.
struct Mark {
    /// The number of the instruction in its template.
    number: u32,
    /// The number of fields that were read before the running expression.
    start: usize,
    /// The reads of each expression that has ended.
    expressions: Vec<Vec<HoleRead>>,
}

/// The place of a struct in data values.
struct StructPlace {
    values: Arc<Node>,
    path: Vec<PathStep>,
}

/// A field of a struct that was read.
struct ReadField {
    structure: usize,
    name: Box<str>,
}

/// Runs `work` on this thread, and passes the recorded reads to `recorder`.
pub fn recording<T>(recorder: Recorder<'_>, work: impl FnOnce() -> T) -> T {
    if !recorder.is_on() {
        return work();
    }
    // A build may run inside another one on the same thread, whose log is set aside meanwhile.
    let outer = LOG.replace(ReadLog::default());
    let was_on = IS_ON.replace(true);
    let result = work();
    IS_ON.set(was_on);
    let log = LOG.replace(outer);
    recorder.evaluated(log.holes, log.copies);
    result
}

/// Returns whether reads are recorded on this thread.
pub(super) fn is_on() -> bool {
    IS_ON.get()
}

/// Records that the field `name` of a struct was read.
pub(super) fn field<T>(structure: &T, name: &str) {
    if IS_ON.get() {
        LOG.with_borrow_mut(|log| {
            if log.fields.len() < MOST_READS {
                log.fields.push(ReadField {
                    structure: address(structure),
                    name: name.into(),
                });
            }
        });
    }
}

/// Records the place of a struct: its path in the data values with the root `values`.
pub(super) fn structure<T>(structure: &T, values: &Arc<Node>, path: &[PathStep]) {
    LOG.with_borrow_mut(|log| {
        let place = StructPlace {
            values: Arc::clone(values),
            path: path.to_vec(),
        };
        log.structs.insert(address(structure), place);
    });
}

/// Keeps data values alive until the end of the build, so that no other struct gets one of their
/// addresses.
pub(super) fn keep(data_values: impl Any) {
    LOG.with_borrow_mut(|log| log.kept.push(Box::new(data_values)));
}

/// Starts an instruction with expressions.
pub(super) fn mark(number: u32) {
    LOG.with_borrow_mut(|log| {
        // Statements may have read as much as is kept.
        log.forget_statements();
        let start = log.fields.len();
        log.marks.push(Mark {
            number,
            start,
            expressions: Vec::new(),
        });
    });
}

/// Ends an expression of the instruction with this number.
pub(super) fn end_expression(number: u32) {
    LOG.with_borrow_mut(|log| {
        // An instruction inside this one stays open if its expression failed and the error was
        // caught.
        while log.marks.last().is_some_and(|mark| mark.number != number) {
            log.marks.pop();
        }
        let start = log.marks.last().map_or(0, |mark| mark.start);
        let reads = log.reads_since(start);
        let count = log.fields.len();
        if let Some(mark) = log.marks.last_mut() {
            mark.start = count;
            mark.expressions.push(reads);
        }
    });
}

/// Ends an instruction, and returns the reads of each of its expressions.
pub(super) fn end_instruction() -> Vec<Vec<HoleRead>> {
    if !IS_ON.get() {
        return Vec::new();
    }
    LOG.with_borrow_mut(|log| {
        let mark = log.marks.pop();
        log.forget_statements();
        mark.map(|mark| mark.expressions).unwrap_or_default()
    })
}

/// Ends an instruction without expressions.
pub(super) fn end_plain_instruction() {
    if IS_ON.get() {
        LOG.with_borrow_mut(ReadLog::forget_statements);
    }
}

/// Returns what the running expression or statement has read so far: the reads since it began, or
/// since the last instruction.
pub(super) fn so_far() -> Vec<HoleRead> {
    if !IS_ON.get() {
        return Vec::new();
    }
    LOG.with_borrow(|log| {
        let start = log.marks.last().map_or(0, |mark| mark.start);
        log.reads_since(start.max(log.since))
    })
}

/// Runs a program whose data values are in the struct `structure`.
pub(super) fn seeing<T, R>(structure: Option<&T>, run: impl FnOnce() -> R) -> R {
    if !IS_ON.get() {
        return run();
    }
    let seen = structure.map(address);
    let outer = LOG.with_borrow_mut(|log| std::mem::replace(&mut log.seen, seen));
    let result = run();
    LOG.with_borrow_mut(|log| log.seen = outer);
    result
}

/// Records the node that an expression created.
pub(super) fn hole(node: &Arc<Node>, expression: Location, reads: Vec<HoleRead>) {
    if !IS_ON.get() {
        return;
    }
    LOG.with_borrow_mut(|log| {
        let seen = log.seen.and_then(|seen| log.structs.get(&seen));
        let values = seen.map(|place| Arc::clone(&place.values));
        log.holes.push(Hole {
            node: Arc::clone(node),
            expression,
            values,
            reads,
        });
    });
}

/// Records that `copy` has the value of `original`.
pub(super) fn copy(copy: &Arc<Node>, original: &Arc<Node>) {
    if !IS_ON.get() {
        return;
    }
    LOG.with_borrow_mut(|log| {
        log.copies.push(NodeCopy {
            copy: Arc::clone(copy),
            original: Arc::clone(original),
        });
    });
}

fn address<T>(value: &T) -> usize {
    std::ptr::from_ref(value).addr()
}

impl ReadLog {
    /// Lets the next statement begin: its reads are those from now on.
    fn forget_statements(&mut self) {
        if self.marks.is_empty() {
            self.fields.clear();
        }
        self.since = self.fields.len();
    }

    /// Returns the data values that were read since `start`, each once.
    fn reads_since(&self, start: usize) -> Vec<HoleRead> {
        let mut reads: Vec<HoleRead> = Vec::new();
        for field in self.fields.get(start..).unwrap_or_default() {
            let Some(place) = self.structs.get(&field.structure) else {
                continue;
            };
            let mut path = place.path.clone();
            path.push(PathStep::Key(field.name.clone()));
            let read = HoleRead {
                values: Arc::clone(&place.values),
                path,
            };
            // `data.values.db.port` reads `db` first, which is not a separate read.
            if let Some(last) = reads.last()
                && read.is_below(last)
            {
                reads.pop();
            }
            reads.push(read);
        }
        let mut seen = HashSet::new();
        reads.retain(|read| seen.insert((Arc::as_ptr(&read.values).addr(), read.path.clone())));
        reads
    }
}
