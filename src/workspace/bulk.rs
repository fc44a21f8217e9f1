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
    files: Vec<BulkFile>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    errors: String,
}

/// A file, by its path in the workspace.
#[derive(Deserialize, Serialize)]
struct BulkFile {
    name: String,
    data: String,
}

/// Parses a bulk object, and returns its files in their order.
///
/// # Errors
/// The text is not such an object, or a name leaves the workspace.
pub fn read(text: &str) -> Result<Vec<InputFile>> {
    let bulk: Bulk = serde_json::from_str(text).map_err(|error| {
        Diagnostic::error(
            Code::JsonSyntax,
            format!("expected a JSON object with files: {error}"),
        )
        .help("write `{\"files\": [{\"name\": \"config.yml\", \"data\": \"…\"}]}`")
    })?;
    let mut files = Vec::with_capacity(bulk.files.len());
    for file in bulk.files {
        files.push(InputFile::in_memory(
            VirtualPath::new(&file.name)?,
            file.data,
        ));
    }
    Ok(files)
}

/// Prints files as a bulk object.
///
/// # Errors
/// A file is not UTF-8, which JSON cannot contain.
pub fn print(files: Vec<OutputFile>) -> Result<String> {
    let mut bulk = Bulk {
        files: Vec::with_capacity(files.len()),
        errors: String::new(),
    };
    for file in files {
        let Ok(data) = String::from_utf8(file.content) else {
            let message = format!("expected UTF-8 text in `{}`, found other bytes", file.path);
            return Err(Diagnostic::error(Code::File, message));
        };
        bulk.files.push(BulkFile {
            name: file.path.to_string(),
            data,
        });
    }
    serialize(&bulk)
}

/// Prints the errors of a failed build as a bulk object.
///
/// # Errors
/// None that a text can cause.
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
    fn keeps_the_order_of_files_and_checks_their_paths() {
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
    fn prints_output_and_errors_as_objects_of_one_form() {
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
