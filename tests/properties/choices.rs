//! Style decisions, taken from the random bytes of a test.

/// A sequence of decisions. Fewer and smaller bytes mean plainer documents, so that a failing
/// document shrinks.
#[derive(Clone, Debug)]
pub(crate) struct Choices {
    bytes: Vec<u8>,
    next: usize,
}

impl Choices {
    pub(crate) fn new(bytes: Vec<u8>) -> Choices {
        Choices { bytes, next: 0 }
    }

    /// Returns a number below `count`; 0 when the bytes are used up.
    pub(crate) fn pick(&mut self, count: usize) -> usize {
        let byte = self.bytes.get(self.next).copied().unwrap_or(0);
        self.next += 1;
        usize::from(byte) % count
    }

    /// Returns `true` about once in `count` calls.
    pub(crate) fn once_in(&mut self, count: usize) -> bool {
        self.pick(count) == count - 1
    }

    pub(crate) fn one_of<T: Copy>(&mut self, table: &[T]) -> T {
        table[self.pick(table.len())]
    }
}
