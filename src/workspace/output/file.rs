//! The files of the output.

use crate::source::{Code, Diagnostic, Result};
use crate::workspace::virtual_path::VirtualPath;

/// A file of the output.
#[derive(Debug)]
pub struct OutputFile {
    /// Where it is written, below the output folder.
    pub path: VirtualPath,
    /// What is written.
    pub content: Vec<u8>,
}

/// Checks that no file would be written over another.
///
/// # Errors
/// There are two files at one path.
pub fn check_places(files: &[OutputFile]) -> Result<()> {
    let mut paths: Vec<&str> = files.iter().map(|file| file.path.as_str()).collect();
    // Equal paths are neighbours after sorting.
    paths.sort_unstable();
    for pair in paths.windows(2) {
        if let [first, second] = pair
            && first == second
        {
            let message = format!("expected one file at each output path, found two at `{first}`");
            return Err(Diagnostic::error(Code::Output, message).help(
                "give one of them another path: `--file-mark PATH:path=OTHER`, or `-f OTHER=FILE`",
            ));
        }
    }
    Ok(())
}
