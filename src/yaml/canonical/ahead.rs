//! Prints documents on another thread while the next ones are built.
//!
//! A template with a loop may build thousands of documents, one after the other. Each of them is
//! complete when the next one begins, and most are printed as they are. So runs of documents are
//! printed at once, by a thread that would otherwise wait until the last one is built. An overlay
//! may replace a document later; the printed text of its run is not used then.

use std::sync::Arc;
use std::thread::{Builder, JoinHandle};

use crossbeam_channel::{Sender, unbounded};

use super::is_empty;
use super::printer::CanonicalPrinter;
use crate::source::limits::check_output;
use crate::source::{Cancellation, parallel};
use crate::yaml::node::Node;

/// The number of documents in a run. Fewer documents are not worth a thread.
const RUN: usize = 128;

/// Prints runs of documents on a thread that it starts for the first run.
#[derive(Default)]
pub struct AheadPrinter {
    /// The documents of the next run.
    documents: Vec<Arc<Node>>,
    thread: Option<PrinterThread>,
}

struct PrinterThread {
    runs: Sender<Vec<Arc<Node>>>,
    printed: JoinHandle<Vec<PrintedRun>>,
}

/// Printed documents that follow each other.
#[derive(Debug)]
pub struct PrintedRun {
    /// The documents, none of which is empty.
    pub(super) documents: Vec<Arc<Node>>,
    /// Their text, with a line `---` between two of them.
    pub(super) text: String,
}

impl AheadPrinter {
    /// Adds a document that is complete. Empty ones are not printed.
    pub fn add(&mut self, document: &Arc<Node>) {
        if is_empty(document.resolved()) {
            return;
        }
        self.documents.push(Arc::clone(document));
        if self.documents.len() < RUN {
            return;
        }
        let run = std::mem::take(&mut self.documents);
        if self.thread.is_none() {
            self.thread = PrinterThread::start();
        }
        if let Some(thread) = &self.thread {
            // The thread has ended if a run could not be printed. The others are printed later then.
            let _ = thread.runs.send(run);
        }
    }

    /// Waits until all complete runs are printed, and returns them.
    pub fn finish(self) -> Vec<PrintedRun> {
        let Some(PrinterThread { runs, printed }) = self.thread else {
            return Vec::new();
        };
        drop(runs);
        printed
            .join()
            .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    }
}

impl PrinterThread {
    /// Starts the thread; `None` if the process may not use another one.
    fn start() -> Option<PrinterThread> {
        if parallel::threads() < 2 {
            return None;
        }
        let (runs, received) = unbounded::<Vec<Arc<Node>>>();
        let cancellation = Cancellation::current();
        let print = move || {
            // A document that cannot be printed is an error later, when the output is printed: the
            // mistakes of the build come first.
            let mut bytes = 0;
            let mut size = 0;
            let print = |run| {
                // The documents of a loop have similar sizes.
                let printed = print_run(run, size, &mut bytes)?;
                size = printed.text.len();
                Some(printed)
            };
            cancellation.run(|| received.iter().map_while(print).collect())
        };
        let thread = Builder::new().stack_size(parallel::STACK);
        let printed = thread.spawn(print).ok()?;
        Some(PrinterThread { runs, printed })
    }
}

/// Prints a run into a text with room for `size` bytes. `bytes` is the number of bytes in all runs so far. Returns `None` if a document
/// cannot be printed, or if the output is longer than its limit. No later run is needed then.
fn print_run(documents: Vec<Arc<Node>>, size: usize, bytes: &mut usize) -> Option<PrintedRun> {
    let mut printer = CanonicalPrinter::with_capacity(size + size / 8);
    for (index, document) in documents.iter().enumerate() {
        if index > 0 {
            printer.separate();
        }
        *bytes += printer.document(document).ok()?;
        check_output(*bytes).ok()?;
    }
    let text = printer.into_text();
    Some(PrintedRun { documents, text })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Limit;

    /// Otherwise aliases could fill the memory before the limit of the output is checked.
    #[test]
    fn runs_count_towards_the_limit_of_the_output() {
        let documents = || vec![Node::plain("1")];
        let mut bytes = 0;
        assert!(print_run(documents(), 0, &mut bytes).is_some());
        assert_eq!(bytes, "1\n".len());
        bytes = Limit::Output.size() - 1;
        assert!(print_run(documents(), 0, &mut bytes).is_none());
    }
}
