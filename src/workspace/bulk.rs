//! Bulk mode: input and output as one JSON object, for programs that run a build without a disk.

use serde::{Deserialize, Serialize};

use super::file::InputFile;
use super::output::OutputFile;
use super::virtual_path::VirtualPath;
use crate::source::{Code, Diagnostic, Result};

/// The input: `{"files": […], "dataValues": […]}`.
///
/// The output of another build can be passed in unchanged, so `errors` is a known field.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct BulkGiven {
    #[serde(default)]
    files: Vec<BulkFile>,
    #[serde(default)]
    data_values: Vec<BulkFile>,
    #[serde(default)]
    errors: String,
}

/// The output: `{"files": […]}` or `{"errors": "…"}`.
#[derive(Serialize)]
struct BulkOutput {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    files: Vec<BulkFile>,
    #[serde(skip_serializing_if = "String::is_empty")]
    errors: String,
}

/// A file, with its path in the workspace.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct BulkFile {
    name: String,
    data: String,
}

/// The input of a build.
pub struct BulkInput {
    /// The files of the workspace, in order.
    pub files: Vec<InputFile>,
    /// Data Values Files, in order: plain YAML, as for `--data-values-file`.
    pub data_values: Vec<InputFile>,
}

/// Parses a bulk object.
///
/// # Errors
/// Fails if the text is not a bulk object, if it is the output of a failed build, or if a name
/// leaves the workspace.
pub fn read(text: &str) -> Result<BulkInput> {
    let bulk: BulkGiven = serde_json::from_str(text).map_err(|error| {
        Diagnostic::error(
            Code::JsonSyntax,
            format!("expected a JSON object with files: {error}"),
        )
        .help("write `{\"files\": [{\"name\": \"config.yml\", \"data\": \"…\"}], \"dataValues\": […]}`")
    })?;
    if !bulk.errors.is_empty() {
        let message = "expected files in `--bulk-in`, found the errors of another build";
        return Err(Diagnostic::error(Code::Flag, message)
            .note(bulk.errors)
            .help("check the `errors` of a build before its output is used"));
    }
    Ok(BulkInput {
        files: in_memory(bulk.files)?,
        data_values: in_memory(bulk.data_values)?,
    })
}

fn in_memory(given: Vec<BulkFile>) -> Result<Vec<InputFile>> {
    let mut files = Vec::with_capacity(given.len());
    for file in given {
        let path = VirtualPath::new(&file.name)?;
        files.push(InputFile::in_memory(path, file.data));
    }
    Ok(files)
}

/// Prints files as a bulk object.
///
/// # Errors
/// Fails if a file is not UTF-8, which JSON cannot contain.
pub fn print(files: Vec<OutputFile>) -> Result<String> {
    let mut bulk = BulkOutput {
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
/// Fails only if the object cannot be serialized, which no text causes.
pub fn print_errors(errors: String) -> Result<String> {
    serialize(&BulkOutput {
        files: Vec::new(),
        errors,
    })
}

fn serialize(bulk: &BulkOutput) -> Result<String> {
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
                .files
                .iter()
                .map(|file| file.path.as_str())
                .collect::<Vec<_>>(),
            ["b.yml", "a/c.txt"]
        );
        let refused = [
            (r#"{"files":[{"name":"../a","data":""}]}"#, Code::File),
            (r#"{"dataValues":[{"name":"../a","data":""}]}"#, Code::File),
            ("[", Code::JsonSyntax),
            (r#"{"datavalues":[]}"#, Code::JsonSyntax),
            (
                r#"{"files":[{"name":"a","data":"","text":""}]}"#,
                Code::JsonSyntax,
            ),
            (r#"{"errors":"no"}"#, Code::Flag),
        ];
        for (text, code) in refused {
            assert_eq!(read(text).err().unwrap().code, code, "{text}");
        }
        let nothing = read("{}").unwrap();
        assert!(nothing.files.is_empty() && nothing.data_values.is_empty());
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
