//! Paths in a configuration, as error messages print them.

use std::fmt::{self, Write};

/// One step of a [`ConfigPath`]: from a collection to a value in it.
#[derive(Debug)]
pub(super) enum ConfigStep {
    Key(String),
    Index(usize),
}

/// The path from the root of a configuration to the wrong value.
#[derive(Debug, Default)]
pub(super) struct ConfigPath {
    /// The steps, innermost first: an error collects them while it returns from the innermost value
    /// to the root.
    inside_out: Vec<ConfigStep>,
}

impl ConfigPath {
    /// Creates a path from steps that start at the root.
    pub(super) fn new(mut steps: Vec<ConfigStep>) -> ConfigPath {
        steps.reverse();
        ConfigPath { inside_out: steps }
    }

    /// Returns the steps, starting at the root.
    pub(super) fn steps(&self) -> impl Iterator<Item = &ConfigStep> {
        self.inside_out.iter().rev()
    }

    /// Adds a step at the start.
    pub(super) fn prepend(&mut self, step: ConfigStep) {
        self.inside_out.push(step);
    }

    /// Returns whether the path leads to the root itself.
    pub(super) fn is_root(&self) -> bool {
        self.inside_out.is_empty()
    }
}

/// Prints `items[2].labels[a.b/c]`: a key that contains a dot is put in brackets.
impl fmt::Display for ConfigPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (depth, step) in self.steps().enumerate() {
            match step {
                ConfigStep::Index(index) => write!(f, "[{index}]")?,
                ConfigStep::Key(key) if key.contains('.') => write!(f, "[{key}]")?,
                ConfigStep::Key(key) => {
                    if depth > 0 {
                        f.write_char('.')?;
                    }
                    f.write_str(key)?;
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prints_the_path_from_the_root() {
        let mut path = ConfigPath::default();
        path.prepend(ConfigStep::Key("a.b/c".into()));
        path.prepend(ConfigStep::Key("labels".into()));
        path.prepend(ConfigStep::Index(2));
        path.prepend(ConfigStep::Key("items".into()));
        assert_eq!(path.to_string(), "items[2].labels[a.b/c]");
    }
}
