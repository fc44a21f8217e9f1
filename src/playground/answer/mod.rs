//! The answer of a worker: the output of the command, split into the parts that the page shows.

mod documents;
mod embedded;
mod fixes;
mod ordered_json;

use serde::Serialize;
use serde_json::value::Value as Json;

use self::documents::{OutputDocument, documents};
use self::fixes::{Fix, fixes};
use self::ordered_json::ordered_json;
use super::job::{JobFile, RenderJob};
use crate::source::world::Memory;
use crate::source::{Diagnostic, DiagnosticFormat, Renderer, Result, Source};
use crate::yaml::parse;

/// The answer to a job.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RenderAnswer {
    /// Whether the command failed.
    pub failed: bool,
    /// The output of the command, byte for byte. For an edit, the new text.
    pub output: String,
    documents: Vec<OutputDocument>,
    /// The files that the command wrote or changed.
    written: Vec<WrittenText>,
    diagnostics: Vec<ShownDiagnostic>,
    /// The schema of the data values as the text of a JSON Schema; without one, there is no form.
    schema: Option<String>,
    /// The data values that templates see.
    pub values: Option<Json>,
}

/// A file that the command wrote.
#[derive(Debug, Serialize)]
struct WrittenText {
    path: String,
    text: String,
}

/// A diagnostic as `--diagnostics json` prints it, with edits that correct the mistake.
#[derive(Debug, Serialize)]
struct ShownDiagnostic {
    #[serde(flatten)]
    record: Json,
    fixes: Vec<Fix>,
}

impl RenderAnswer {
    /// Adds the output of the command, and the files that it wrote in `world`.
    pub fn add_output(&mut self, job: &RenderJob, output: String, world: &Memory) {
        self.documents = documents(&output, &job.files);
        self.written = written_files(&job.files, world);
        self.output = output;
    }

    /// Adds the schema of the data values, from its YAML form. The form has the fields in this
    /// order.
    pub fn add_schema(&mut self, yaml: &str) {
        let source = Source::new("schema", yaml).ok();
        let stream = source.and_then(|source| parse(&source).ok());
        let document = stream.as_ref().and_then(|stream| stream.documents.first());
        self.schema = document.and_then(|document| ordered_json(&document.root).ok());
    }

    /// Adds diagnostics, and the fixes of each.
    pub fn add_diagnostics(&mut self, job: &RenderJob, diagnostics: &[Diagnostic]) {
        let renderer = Renderer::new(DiagnosticFormat::Json);
        for diagnostic in diagnostics {
            let line = renderer.render(std::slice::from_ref(diagnostic));
            let mut record: Json = serde_json::from_str(&line).unwrap_or(Json::Null);
            // The page gets them in a separate form.
            if let Some(fields) = record.as_object_mut() {
                fields.remove("fixes");
            }
            let fixes = fixes(diagnostic, &job.files);
            self.diagnostics.push(ShownDiagnostic { record, fixes });
        }
    }

    /// Returns the answer as JSON.
    ///
    /// # Errors
    /// This never fails for an answer.
    pub fn to_json(&self) -> Result<String> {
        serde_json::to_string(self).map_err(|error| {
            let message = format!("the answer cannot be written as JSON: {error}");
            Diagnostic::error(crate::source::Code::Internal, message)
        })
    }
}

/// Returns the files of a world that differ from those of the job.
fn written_files(before: &[JobFile], world: &Memory) -> Vec<WrittenText> {
    let files = world
        .files
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner);
    let mut written = Vec::new();
    for (path, content) in files.iter() {
        let path = path.to_string_lossy();
        let is_same = before
            .iter()
            .any(|file| file.path == path && file.text.as_bytes() == content.as_slice());
        if !is_same {
            written.push(WrittenText {
                path: path.into_owned(),
                text: String::from_utf8_lossy(content).into_owned(),
            });
        }
    }
    written
}
