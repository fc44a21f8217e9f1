//! The changes between a text and the repaired text that the parser reads instead.

/// The changes of a text, in the order of their offsets.
#[derive(Debug, Default)]
pub(super) struct Changes {
    changes: Vec<Change>,
}

/// A few bytes of the text that are read as other bytes.
#[derive(Debug)]
pub(super) struct Change {
    /// The place of the bytes in the original text.
    pub(super) offset: usize,
    /// The number of these bytes; 0 if bytes are inserted.
    removed: usize,
    /// The bytes that are read instead.
    pub(super) text: String,
    /// The place of the bytes in the repaired text.
    repaired_offset: usize,
}

impl Change {
    /// Returns a change that reads the `removed` bytes at `offset` as `text`.
    pub(super) fn new(offset: usize, removed: usize, text: &str) -> Change {
        Change {
            offset,
            removed,
            text: text.to_owned(),
            repaired_offset: offset,
        }
    }
}

impl Changes {
    /// Converts an offset in the repaired text to one in the original text. An offset inside
    /// inserted bytes becomes the place where they are inserted.
    pub(super) fn original(&self, repaired: usize) -> usize {
        // Nearly every text is read as it is, and this is called twice for each node.
        if self.changes.is_empty() {
            return repaired;
        }
        let following = self
            .changes
            .partition_point(|change| change.repaired_offset <= repaired);
        let Some(last) = following.checked_sub(1).map(|at| &self.changes[at]) else {
            return repaired;
        };
        // text      |line                 `offset`
        // repaired  |    line             the spaces start at `repaired_offset`
        //              ^ distance = 2     still before the line, so it is converted to `offset`
        let distance = repaired - last.repaired_offset;
        match distance.checked_sub(last.text.len()) {
            Some(rest) => last.offset + last.removed + rest,
            None => last.offset + distance.min(last.removed),
        }
    }

    /// Returns `text` with all changes.
    pub(super) fn applied_to(&self, text: &str) -> String {
        let added: usize = self.changes.iter().map(|change| change.text.len()).sum();
        let mut result = String::with_capacity(text.len() + added);
        let mut done = 0;
        for change in &self.changes {
            result.push_str(text.get(done..change.offset).unwrap_or(""));
            result.push_str(&change.text);
            done = change.offset + change.removed;
        }
        result.push_str(text.get(done..).unwrap_or(""));
        result
    }

    /// Returns the change at an offset of the original text.
    pub(super) fn at(&self, offset: usize) -> Option<&Change> {
        self.position(offset).map(|at| &self.changes[at])
    }

    /// Returns the change at an offset of the original text, to replace its text.
    /// [`Self::insert`] must be called afterwards, because later changes move.
    pub(super) fn at_mut(&mut self, offset: usize) -> Option<&mut Change> {
        self.position(offset).map(|at| &mut self.changes[at])
    }

    fn position(&self, offset: usize) -> Option<usize> {
        self.changes
            .binary_search_by_key(&offset, |change| change.offset)
            .ok()
    }

    /// Adds changes at places that have none yet.
    pub(super) fn insert(&mut self, added: Vec<Change>) {
        self.changes.extend(added);
        self.changes.sort_unstable_by_key(|change| change.offset);
        self.update_repaired_offsets();
    }

    /// Removes the changes for whose offset `is_kept` is `false`.
    pub(super) fn retain(&mut self, is_kept: impl Fn(usize) -> bool) {
        self.changes.retain(|change| is_kept(change.offset));
        self.update_repaired_offsets();
    }

    fn update_repaired_offsets(&mut self) {
        let (mut inserted, mut removed) = (0, 0);
        for change in &mut self.changes {
            change.repaired_offset = change.offset + inserted - removed;
            inserted += change.text.len();
            removed += change.removed;
        }
    }
}
