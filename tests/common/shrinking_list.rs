//! Lists of known shortcomings, which may only shrink.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// A file with one shortcoming per line. Lines that start with `#` are comments.
pub(crate) struct ShrinkingList {
    file: &'static str,
    is_new: bool,
    about: String,
    lines: Vec<String>,
}

impl ShrinkingList {
    /// Reads the list at `file`, a path in the repository. `about` is the comment at the top of the
    /// file.
    pub(crate) fn read(file: &'static str, about: &str) -> ShrinkingList {
        let text = fs::read_to_string(path(file)).ok();
        ShrinkingList {
            file,
            is_new: text.is_none(),
            about: format!("# {about}. The list may only shrink; see docs/testing.md."),
            lines: text
                .unwrap_or_default()
                .lines()
                .map(str::to_owned)
                .collect(),
        }
    }

    /// Fails if `found` has an entry that is not listed, or if a listed entry was not found.
    ///
    /// With `UPDATE=1`, writes the found entries into the list instead, unless that would make the
    /// list longer. An entry may change then, because a shortcoming can move or be worded
    /// differently. A list whose file was deleted is written anew.
    pub(crate) fn check(&self, found: &BTreeSet<String>, advice: &str) {
        let listed: BTreeSet<String> = self
            .lines
            .iter()
            .filter(|line| is_entry(line))
            .cloned()
            .collect();
        let new: Vec<&str> = found.difference(&listed).map(String::as_str).collect();
        let gone: Vec<&str> = listed.difference(found).map(String::as_str).collect();
        let update = std::env::var_os("UPDATE").is_some_and(|value| value == "1");
        if update && (self.is_new || found.len() <= listed.len()) {
            self.write(found);
            return;
        }
        assert!(
            new.is_empty(),
            "not in {}:\n{}\n{advice}",
            self.file,
            new.join("\n")
        );
        assert!(
            gone.is_empty(),
            "no longer needed in {}; remove these lines, or run with UPDATE=1:\n{}",
            self.file,
            gone.join("\n")
        );
    }

    fn write(&self, found: &BTreeSet<String>) {
        let lines: Vec<&str> = std::iter::once(&self.about)
            .chain(found)
            .map(String::as_str)
            .collect();
        fs::write(path(self.file), lines.join("\n") + "\n").expect("a list can be written");
    }
}

fn is_entry(line: &str) -> bool {
    !line.is_empty() && !line.starts_with('#')
}

fn path(file: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(file)
}
