//! Bulk mode: files in and out as one JSON object, for programs that run a build without a disk.

use serde::{Deserialize, Serialize};

use super::file::InputFile;
use super::output::OutputFile;
use super::virtual_path::VirtualPath;
use crate::source::{Code, Diagnostic, Result};

/// `{"files": […], "errors": "…"}`.
#[derive(Deserialize, Serialize)]
struct Bulk {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    files: Vec<File>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    errors: String,
}

/// A file: its path in the workspace, and its content.
#[derive(Deserialize, Serialize)]
struct File {
    name: String,
    data: String,
}

/// Reads the files of a bulk object, in their order.
///
/// # Errors
/// A text that is no such object, and a name that leaves the workspace.
pub fn read(text: &str) -> Result<Vec<InputFile>> {
    let bulk: Bulk = serde_json::from_str(text).map_err(|error| {
        Diagnostic::error(
            Code::JsonSyntax,
            format!("expected a JSON object with files: {error}"),
        )
        .help("write `{\"files\": [{\"name\": \"config.yml\", \"data\": \"…\"}]}`")
    })?;
    bulk.files
        .into_iter()
        .map(|file| {
            Ok(InputFile::in_memory(
                VirtualPath::new(&file.name)?,
                file.data,
            ))
        })
        .collect()
}

/// Prints files as a bulk object.
///
/// # Errors
/// Content that is not UTF-8, which JSON cannot hold.
pub fn print(files: Vec<OutputFile>) -> Result<String> {
    let file = |file: OutputFile| match String::from_utf8(file.content) {
        Ok(data) => Ok(File {
            name: file.path.to_string(),
            data,
        }),
        Err(_) => Err(Diagnostic::error(
            Code::File,
            format!("expected UTF-8 text in `{}`, found other bytes", file.path),
        )),
    };
    serialize(&Bulk {
        files: files.into_iter().map(file).collect::<Result<_>>()?,
        errors: String::new(),
    })
}

/// Prints a failure as a bulk object.
///
/// # Errors
/// None that text could cause.
pub fn print_errors(errors: String) -> Result<String> {
    serialize(&Bulk {
        files: Vec::new(),
        errors,
    })
}

fn serialize(bulk: &Bulk) -> Result<String> {
    serde_json::to_string(bulk)
        .map_err(|error| Diagnostic::error(Code::Internal, format!("cannot print JSON: {error}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_keep_their_order_and_their_paths_are_checked() {
        let files =
            read(r#"{"files":[{"name":"b.yml","data":"x: 1"},{"name":"a/c.txt","data":""}]}"#)
                .unwrap();
        assert_eq!(
            files
                .iter()
                .map(|file| file.path.as_str())
                .collect::<Vec<_>>(),
            ["b.yml", "a/c.txt"]
        );
        assert_eq!(
            read(r#"{"files":[{"name":"../a","data":""}]}"#)
                .unwrap_err()
                .code,
            Code::File
        );
        assert_eq!(read("[").unwrap_err().code, Code::JsonSyntax);
        assert_eq!(read("{}").unwrap().len(), 0);
    }

    #[test]
    fn output_and_errors_are_objects_of_the_same_form() {
        let file = OutputFile {
            path: VirtualPath::new("a.yml").unwrap(),
            content: b"x: \"<1>\"\n".to_vec(),
        };
        assert_eq!(
            print(vec![file]).unwrap(),
            r#"{"files":[{"name":"a.yml","data":"x: \"<1>\"\n"}]}"#
        );
        assert_eq!(print_errors("no".to_owned()).unwrap(), r#"{"errors":"no"}"#);
        let bytes = OutputFile {
            path: VirtualPath::new("a.txt").unwrap(),
            content: vec![0xff],
        };
        assert_eq!(print(vec![bytes]).unwrap_err().code, Code::File);
    }
}
