//! A random generator that has the same sequence for a seed on every machine.

/// SplitMix64: small, and good enough to choose test data.
pub(crate) struct Random {
    state: u64,
    /// Whether the tree may contain mistakes. Most trees contain none, because a failing tree
    /// compares little.
    pub(crate) may_fail: bool,
}

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        let mut random = Random {
            state: seed,
            may_fail: false,
        };
        random.may_fail = random.chance(10);
        random
    }

    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Returns a number below `count`.
    pub(crate) fn below(&mut self, count: usize) -> usize {
        (self.next() % count as u64) as usize
    }

    /// Returns true in `percent` of 100 calls.
    pub(crate) fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// Returns one of the choices. A choice that is listed twice is twice as likely.
    pub(crate) fn one_of<'t>(&mut self, choices: &[&'t str]) -> &'t str {
        choices[self.below(choices.len())]
    }

    /// Returns `text` in `percent` of 100 calls, and the empty text otherwise.
    pub(crate) fn maybe<'t>(&mut self, percent: usize, text: &'t str) -> &'t str {
        if self.chance(percent) { text } else { "" }
    }
}
