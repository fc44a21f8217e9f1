//! The builds that wait for their turn.

use std::collections::VecDeque;

use super::target::Target;

/// The targets to build, in the order in which they were added. So a target that changes all the
/// time does not prevent the others from being built.
#[derive(Default)]
pub(super) struct WaitingTargets(VecDeque<Target>);

impl WaitingTargets {
    pub(super) fn add(&mut self, target: Target) {
        if !self.contains(&target) {
            self.0.push_back(target);
        }
    }

    pub(super) fn contains(&self, target: &Target) -> bool {
        self.0.contains(target)
    }

    pub(super) fn remove(&mut self, target: &Target) {
        self.0.retain(|other| other != target);
    }

    pub(super) fn next(&mut self) -> Option<Target> {
        self.0.pop_front()
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    #[test]
    fn targets_are_built_in_turn() {
        let target = |name: &str| Target::Yaml(PathBuf::from(name));
        let mut waiting = WaitingTargets::default();
        for name in ["b", "a", "b"] {
            waiting.add(target(name));
        }
        assert_eq!(waiting.next(), Some(target("b")));
        waiting.add(target("b"));
        assert_eq!(waiting.next(), Some(target("a")));
        assert_eq!(waiting.next(), Some(target("b")));
        assert_eq!(waiting.next(), None);
    }
}
