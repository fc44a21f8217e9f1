//! A row of the tables of cases.

use crate::work::Work;

/// An input of any size, and the work with it.
pub(crate) struct Case {
    pub(crate) name: &'static str,
    /// The smaller of the two sizes that are compared.
    pub(crate) size: usize,
    /// Creates the work for a size.
    pub(crate) work: fn(usize) -> Work,
}

pub(crate) const fn case(name: &'static str, size: usize, work: fn(usize) -> Work) -> Case {
    Case { name, size, work }
}
