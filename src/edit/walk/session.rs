//! The state that all walks along one JSONPath share: the root, the remaining work, and the values
//! of `$` in filters.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::sync::Arc;

use crate::source::{Code, Diagnostic, Limit, Result};
use crate::yaml::{NESTING_LIMIT, Node};

/// The state of one run along a path.
pub(super) struct PathSession {
    pub(super) root: Arc<Node>,
    spent: Cell<u64>,
    depth: Cell<usize>,
    /// The values of the absolute paths in filters, by the address of the path.
    pub(super) absolute: RefCell<HashMap<usize, Arc<[Arc<Node>]>>>,
}

impl PathSession {
    /// Creates the state of a walk from `root`.
    pub(super) fn new(root: &Arc<Node>) -> PathSession {
        PathSession {
            root: Arc::clone(root),
            spent: Cell::new(0),
            depth: Cell::new(0),
            absolute: RefCell::default(),
        }
    }

    /// Enters one more level of `..`. Aliases may nest deeper than the text does.
    ///
    /// # Errors
    /// [`Code::Limit`] if it becomes too deep.
    pub(super) fn enter(&self) -> Result<()> {
        self.depth.set(self.depth.get() + 1);
        if self.depth.get() <= NESTING_LIMIT {
            return Ok(());
        }
        let message = format!(
            "the values below `..` nest deeper than {NESTING_LIMIT} levels with aliases written out"
        );
        Err(Diagnostic::error(Code::Limit, message))
    }

    /// Leaves the level that was entered last.
    pub(super) fn leave(&self) {
        self.depth.set(self.depth.get().saturating_sub(1));
    }

    /// Counts work: one step for each visited value, and one for every few bytes of a text that is
    /// opened. Without this limit, two `..` in one path could take time that grows with a power of
    /// the size.
    ///
    /// # Errors
    /// [`Code::Limit`] if it becomes too much.
    pub(super) fn spend(&self, work: u64) -> Result<()> {
        let spent = self.spent.get().saturating_add(work);
        self.spent.set(spent);
        let most = Limit::PathValues.value();
        if spent <= most {
            return Ok(());
        }
        let message = format!("the path looks at more than {most} values");
        Err(Limit::PathValues.exceeded(message)
        .help("write more of the path out: each `..` visits everything below it, and each alias leads to a value again"))
    }
}
