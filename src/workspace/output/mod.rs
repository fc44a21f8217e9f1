//! What a build gives, as text: on standard output, in a folder, or in a list.

mod folder;
mod positions;

use std::sync::Arc;

pub use self::folder::OutputFolder;
use super::rendered::{Rendered, RenderedYaml};
use super::virtual_path::VirtualPath;
use crate::golang::json::encode_node;
use crate::source::{Code, Diagnostic, Result};
use crate::yaml::{Node, canonical, faithful, is_empty};

/// How documents are printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OutputFormat {
    /// YAML, with `---` between documents.
    #[default]
    Yaml,
    /// YAML, in which the files without code are as they are written but for what overlays change.
    Faithful,
    /// Compact JSON, one document right after the other.
    Json,
    /// Each value with the file and line that it comes from, for people.
    Positions,
}

/// A file of the output.
#[derive(Debug)]
pub struct OutputFile {
    /// Where it is written, below the output folder.
    pub path: VirtualPath,
    /// What is written.
    pub content: Vec<u8>,
}

/// Prints documents in a row. Those that say nothing (null, `{}`, `[]`) are left out.
///
/// # Errors
/// A value that cannot be printed in the format.
pub fn print(documents: &[Arc<Node>], format: OutputFormat) -> Result<String> {
    let telling = documents
        .iter()
        .filter(|document| !is_empty(document.resolved()));
    match format {
        OutputFormat::Yaml | OutputFormat::Faithful => canonical(documents),
        OutputFormat::Json => telling.map(encode_node).collect(),
        OutputFormat::Positions => positions::print(telling),
    }
}

impl Rendered {
    /// All documents as one text.
    ///
    /// # Errors
    /// See [`print`].
    pub fn text(&self, format: OutputFormat) -> Result<String> {
        if format == OutputFormat::Faithful {
            return self.faithful_text();
        }
        let documents: Vec<Arc<Node>> = self
            .yaml
            .iter()
            .flat_map(|file| file.documents.iter().cloned())
            .collect();
        print(&documents, format)
    }

    /// The files of an output folder: texts first, then YAML; a YAML file whose documents all say nothing is none,
    /// but for one that is given out as it is written.
    ///
    /// # Errors
    /// See [`print`]; two files at one path.
    pub fn files(self, format: OutputFormat) -> Result<Vec<OutputFile>> {
        let mut files: Vec<OutputFile> = self
            .texts
            .into_iter()
            .map(|text| OutputFile {
                path: text.path,
                content: text.content,
            })
            .collect();
        for file in self.yaml {
            let content = file.content(format)?;
            if !content.is_empty() {
                files.push(OutputFile {
                    path: file.path,
                    content: content.into_bytes(),
                });
            }
        }
        Ok(files)
    }

    /// The documents of all files, each file in its own form. A file that says nothing is left out: its comments would
    /// stand in a document of their own.
    fn faithful_text(&self) -> Result<String> {
        let says_something = |file: &&RenderedYaml| {
            file.documents
                .iter()
                .any(|document| !is_empty(document.resolved()))
        };
        let mut joined = String::new();
        for file in self.yaml.iter().filter(says_something) {
            faithful::add_documents(&mut joined, &file.content(OutputFormat::Faithful)?);
        }
        Ok(joined)
    }
}

impl RenderedYaml {
    /// The documents as one text.
    fn content(&self, format: OutputFormat) -> Result<String> {
        match (&self.plain, format) {
            (Some(stream), OutputFormat::Faithful) => {
                faithful::print_documents(stream, &self.documents)
            }
            _ => print(&self.documents, format),
        }
    }
}

/// Refuses files that would be written over each other.
///
/// # Errors
/// Two files at one path, or a file where another needs a folder.
pub fn check_places(files: &[OutputFile]) -> Result<()> {
    let mut paths: Vec<&str> = files.iter().map(|file| file.path.as_str()).collect();
    paths.sort_unstable();
    match paths
        .windows(2)
        .find(|pair| matches!(pair, [first, second] if first == second))
    {
        Some(pair) => {
            let path = pair.first().copied().unwrap_or_default();
            Err(Diagnostic::error(
                Code::Output,
                format!("expected one file at each output path, found two at `{path}`"),
            )
            .help(
                "give one of them another path: `--file-mark PATH:path=OTHER`, or `-f OTHER=FILE`",
            ))
        }
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Source;
    use crate::workspace::RenderedText;
    use crate::yaml::parse;

    fn documents(name: &str, text: &str) -> Vec<Arc<Node>> {
        let stream = parse(&Source::new(name, text).unwrap()).unwrap();
        stream
            .documents
            .into_iter()
            .map(|document| document.root)
            .collect()
    }

    #[test]
    fn documents_that_say_nothing_are_left_out_in_every_format() {
        let found = documents("a.yml", "a: 1\n---\n---\n{}\n---\n[]\n---\nb: 2\n");
        assert_eq!(
            print(&found, OutputFormat::Yaml).unwrap(),
            "a: 1\n---\nb: 2\n"
        );
        assert_eq!(
            print(&found, OutputFormat::Json).unwrap(),
            r#"{"a":1}{"b":2}"#
        );
        assert_eq!(
            print(&found, OutputFormat::Positions)
                .unwrap()
                .matches("[doc]")
                .count(),
            2
        );
    }

    #[test]
    fn texts_come_before_yaml_and_empty_yaml_is_no_file() {
        let path = |path| VirtualPath::new(path).unwrap();
        let rendered = Rendered {
            yaml: vec![
                RenderedYaml {
                    path: path("a.yml"),
                    documents: documents("a.yml", "---\n"),
                    plain: None,
                },
                RenderedYaml {
                    path: path("b.yml"),
                    documents: documents("b.yml", "b: 1\n"),
                    plain: None,
                },
            ],
            resources: Vec::new(),
            texts: vec![RenderedText {
                path: path("c.txt"),
                content: Vec::new(),
            }],
        };
        let files = rendered.files(OutputFormat::Yaml).unwrap();
        let found: Vec<_> = files
            .iter()
            .map(|file| (file.path.as_str(), &*file.content))
            .collect();
        assert_eq!(found, [("c.txt", &b""[..]), ("b.yml", b"b: 1\n")]);
    }

    #[test]
    fn two_files_at_one_path_are_refused() {
        let file = |path| OutputFile {
            path: VirtualPath::new(path).unwrap(),
            content: Vec::new(),
        };
        assert!(check_places(&[file("a.yml"), file("b/a.yml")]).is_ok());
        let error = check_places(&[file("a.yml"), file("b.yml"), file("./a.yml")]).unwrap_err();
        assert_eq!(
            error.message,
            "expected one file at each output path, found two at `a.yml`"
        );
    }
}
