//! An instance of a library: its files with what was given to it, on their way through the phases.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use super::run::Run;
use super::values::{self, Values};
use super::{Options, parse, schema};
use crate::schema::Schema;
use crate::script::{Caller, Exported, Library};
use crate::source::{Code, Diagnostic, Diagnostics, Result};
use crate::workspace::library::FolderId;
use crate::workspace::values::{Merge, ValuesDocument};
use crate::yaml::Node;

/// A library, how it is read, and what was given to it.
pub(super) struct Instance {
    /// The folder that is the library.
    pub(super) root: FolderId,
    pub(super) options: Options,
    /// The data values from outside, in order.
    pub(super) values: Vec<ValuesDocument>,
    /// What is addressed to libraries inside this one.
    pub(super) addressed: RefCell<Vec<Addressed>>,
}

/// A document for a library inside another.
pub(super) struct Addressed {
    pub(super) document: ValuesDocument,
    /// Whether a library took it.
    is_used: Cell<bool>,
}

/// An instance whose data values are known.
pub(super) struct Prepared {
    /// The files that are evaluated next, in the order of the tree.
    pub(super) order: Vec<usize>,
    pub(super) values: Values,
}

impl Instance {
    pub(super) fn new(
        root: FolderId,
        options: Options,
        values: Vec<ValuesDocument>,
    ) -> Rc<Instance> {
        Rc::new(Instance {
            root,
            options,
            values,
            addressed: RefCell::default(),
        })
    }

    /// Finds out the data values; `outer` is the call of a template that asks for them. `None` where that failed, and
    /// `diagnostics` says why.
    pub(super) fn prepare(
        self: &Rc<Instance>,
        run: &Run<'_>,
        outer: Option<&mut Caller<'_, '_>>,
        diagnostics: &mut Diagnostics,
    ) -> Option<Prepared> {
        let mut outer = outer;
        let mut order = parse::parse(run, self, diagnostics)?;
        let library = self.before_values(run, diagnostics)?;
        let found = schema::schema(
            run,
            self,
            &order,
            &library,
            outer.as_deref_mut(),
            diagnostics,
        )?;
        order.retain(|index| !found.files.contains(index));
        let values = values::values(
            run,
            self,
            &order,
            &found.schema,
            &library,
            outer,
            diagnostics,
        )?;
        let is_left = |index: &usize| run.files.get(*index).is_some_and(parse::is_evaluated);
        order.retain(|index| !values.files.contains(index) && is_left(index));
        Some(Prepared { order, values })
    }

    /// Finds out the schema alone. `None` where that failed, and `diagnostics` says why.
    pub(super) fn schema(
        self: &Rc<Instance>,
        run: &Run<'_>,
        diagnostics: &mut Diagnostics,
    ) -> Option<Schema> {
        let order = parse::parse(run, self, diagnostics)?;
        let library = self.before_values(run, diagnostics)?;
        schema::schema(run, self, &order, &library, None, diagnostics).map(|found| found.schema)
    }

    /// The library in which files that say schemas and data values are evaluated: it has no data values yet.
    fn before_values<'r>(
        self: &Rc<Instance>,
        run: &'r Run<'_>,
        diagnostics: &mut Diagnostics,
    ) -> Option<Library<'r>> {
        let none = Exported::data_values(&Node::mapping(Vec::new()), &run.session);
        Some(run.library(self, &diagnostics.take(none)?))
    }

    /// Keeps a document for a library inside this one.
    pub(super) fn address(&self, document: ValuesDocument) {
        self.addressed.borrow_mut().push(Addressed {
            document,
            is_used: Cell::new(false),
        });
    }

    /// The documents for the library with this path and alias, and for those inside it. They count as used from now on.
    pub(super) fn addressed_to(&self, path: &str, alias: Option<&str>) -> Vec<ValuesDocument> {
        let addressed = self.addressed.borrow();
        let meant = addressed.iter().filter_map(|addressed| {
            let target = addressed.document.target.below(path, alias)?;
            addressed.is_used.set(true);
            Some(ValuesDocument {
                target,
                ..addressed.document.clone()
            })
        });
        meant.collect()
    }

    /// Complains about documents that no library took, after all is evaluated.
    pub(super) fn check_addressed(&self, diagnostics: &mut Diagnostics) {
        for Addressed { document, .. } in self
            .addressed
            .borrow()
            .iter()
            .filter(|addressed| !addressed.is_used.get())
        {
            let target = &document.target;
            let (kind, them) = match document.merge {
                Merge::Schema => ("schema", "it"),
                _ => ("data values", "them"),
            };
            let message = format!(
                "expected the {kind} for the library `{target}` to be used, found no use of {them}"
            );
            diagnostics.push(
                Diagnostic::error(Code::Library, message)
                    .at(document.document.place.clone(), "")
                    .note("a library takes them where a template evaluates it: `library.get(…).eval()`")
                    .help(match document.merge {
                        Merge::Schema => "mend the reference, or remove the schema",
                        _ => "mend the reference, or remove the values",
                    }),
            );
        }
    }
}

/// Lets `work` call functions that annotations hold. What a template gives with annotations, only the evaluation of that
/// template can read, `outer`: it is not over.
pub(super) fn with_caller<R>(
    outer: Option<&mut Caller<'_, '_>>,
    library: &Library<'_>,
    work: impl FnOnce(&mut Caller<'_, '_>) -> Result<R>,
) -> Result<R> {
    match outer {
        Some(caller) => work(caller),
        None => library.with_caller(work),
    }
}
