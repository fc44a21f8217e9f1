//! Converts documents and files to text in the requested format.

use std::borrow::Cow;
use std::sync::Arc;

use super::positions;
use crate::golang::json::encode_node;
use crate::source::limits::check_output;
use crate::source::{Code, Diagnostic, Result};
use crate::workspace::rendered::{Rendered, RenderedYaml};
use crate::workspace::virtual_path::VirtualPath;
use crate::yaml::{Node, canonical, canonical_parts, check_printable, faithful, is_empty};

/// A file of the output.
#[derive(Debug)]
pub struct OutputFile {
    /// The path below the output folder.
    pub path: VirtualPath,
    /// The content to write.
    pub content: Vec<u8>,
}

/// The format of printed documents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OutputFormat {
    /// YAML, with `---` between documents.
    #[default]
    Yaml,
    /// YAML. Files without code keep their bytes, except where overlays change them.
    Faithful,
    /// Compact JSON, without separators between documents.
    Json,
    /// Each value with its file and line, for people.
    Positions,
}

/// Prints documents. Empty ones (null, `{}`, `[]`) are omitted.
///
/// # Errors
/// Fails for a value that cannot be printed in the format.
pub fn print(documents: &[Arc<Node>], format: OutputFormat) -> Result<String> {
    let full = documents.iter().filter(|document| has_content(document));
    match format {
        OutputFormat::Yaml | OutputFormat::Faithful => canonical(documents),
        OutputFormat::Json => json(full),
        OutputFormat::Positions => positions::print(full),
    }
}

fn json<'d>(documents: impl Iterator<Item = &'d Arc<Node>>) -> Result<String> {
    let mut joined = String::new();
    for document in documents {
        let text = encode_node(document)?;
        check_output(joined.len() + text.len())?;
        joined.push_str(&text);
    }
    Ok(joined)
}

fn has_content(document: &Arc<Node>) -> bool {
    !is_empty(document.resolved())
}

impl Rendered {
    /// Prints all documents as one text, which is returned in parts.
    ///
    /// # Errors
    /// Fails as [`print()`] does.
    pub fn text(&self, format: OutputFormat) -> Result<Vec<Cow<'_, str>>> {
        // Faithful texts are joined as texts, because their own markers and comments determine
        // where documents begin.
        if format == OutputFormat::Faithful {
            return Ok(vec![self.faithful_text()?.into()]);
        }
        if self.yaml.iter().any(|file| file.printed.is_some()) {
            return self.printed_text();
        }
        let mut documents = Vec::new();
        for file in &self.yaml {
            documents.extend(file.documents.iter().cloned());
        }
        let parts = match format {
            OutputFormat::Yaml => canonical_parts(&documents, &self.printed)?,
            _ => vec![print(&documents, format)?.into()],
        };
        Ok(parts)
    }

    /// Returns the text of files that are already printed. A build prints either all of them or
    /// none.
    fn printed_text(&self) -> Result<Vec<Cow<'_, str>>> {
        let mut parts: Vec<&str> = Vec::new();
        for file in &self.yaml {
            if let Some(printed) = &file.printed {
                parts.extend(printed.iter().map(String::as_str));
            }
        }
        check_output(parts.iter().map(|part| part.len()).sum())?;
        // Each document, including the first, is preceded by a line `---`.
        if let Some(first) = parts.iter_mut().find(|part| !part.is_empty()) {
            *first = first.strip_prefix("---\n").unwrap_or(first);
        }
        Ok(parts.into_iter().map(Cow::Borrowed).collect())
    }

    /// Prints the files of an output folder: texts first, then YAML.
    ///
    /// YAML files whose documents are all empty are omitted, unless the format is faithful.
    ///
    /// # Errors
    /// Fails as [`print()`] does.
    pub fn files(self, format: OutputFormat) -> Result<Vec<OutputFile>> {
        let mut files = Vec::with_capacity(self.texts.len() + self.yaml.len());
        let mut bytes = 0;
        for text in self.texts {
            files.push(OutputFile {
                path: text.path,
                content: text.content,
            });
        }
        for file in self.yaml {
            let content = file.text(format)?;
            bytes += content.len();
            check_output(bytes)?;
            if !content.is_empty() {
                files.push(OutputFile {
                    path: file.path,
                    content: content.into_bytes(),
                });
            }
        }
        Ok(files)
    }

    fn faithful_text(&self) -> Result<String> {
        let mut joined = String::new();
        for file in &self.yaml {
            // The comments of a file without content would become a document.
            if file.documents.iter().any(has_content) {
                let text = file.text(OutputFormat::Faithful)?;
                check_output(joined.len() + text.len())?;
                faithful::add_documents(&mut joined, &text);
            }
        }
        Ok(joined)
    }
}

impl RenderedYaml {
    /// Prints the documents as one text.
    fn text(&self, format: OutputFormat) -> Result<String> {
        match (&self.plain, format) {
            (Some(stream), OutputFormat::Faithful) => {
                check_printable(&self.documents)?;
                faithful::print_documents(stream, &self.documents)
            }
            _ => print(&self.documents, format),
        }
    }
}

/// Checks that no file would overwrite another, or be at the path of a folder that another one
/// needs.
///
/// # Errors
/// Fails if two files have the same path, or if a file has the path of a folder.
pub fn check_places(files: &[OutputFile]) -> Result<()> {
    const HELP: &str =
        "give one of them another path: `--file-mark PATH:path=OTHER`, or `-f OTHER=FILE`";
    let mut paths: Vec<&str> = files.iter().map(|file| file.path.as_str()).collect();
    // Equal paths are adjacent after sorting.
    paths.sort_unstable();
    for pair in paths.windows(2) {
        if let [first, second] = pair
            && first == second
        {
            let message = format!("expected one file at each output path, found two at `{first}`");
            return Err(Diagnostic::error(Code::Output, message).help(HELP));
        }
    }
    for path in &paths {
        for (at, _) in path.match_indices('/') {
            let folder = path.get(..at).unwrap_or_default();
            if paths.binary_search(&folder).is_ok() {
                let message = format!(
                    "expected a folder at `{folder}`, which contains `{path}`, found a file"
                );
                return Err(Diagnostic::error(Code::Output, message).help(HELP));
            }
        }
    }
    Ok(())
}
