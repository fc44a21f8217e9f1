//! Pull diagnostics: the client asks for those of a file when it wants to show them.
//!
//! An answer belongs to the current text of the client. So a request waits until a build has read
//! this text. If the last build has already read it, the request is answered immediately:
//!
//! ```text
//! client   change  request 1         change  request 2   cancel 1
//! server                   build ... ended           build                → answer 2
//! ```
//!
//! Clients do not request the diagnostics of files that are not open. They are sent without a
//! request.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::PathBuf;

use lsp_server::RequestId;
use lsp_types::{
    Diagnostic, DiagnosticOptions, DiagnosticServerCapabilities, DocumentDiagnosticReport,
    DocumentDiagnosticReportResult, FullDocumentDiagnosticReport,
    RelatedFullDocumentDiagnosticReport, RelatedUnchangedDocumentDiagnosticReport,
    UnchangedDocumentDiagnosticReport,
};
use serde_json::Value;

/// The abilities of a client for diagnostics and hints that change without an edit of their file.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ClientAbilities {
    /// It asks for the diagnostics of open files.
    pub(super) pulls: bool,
    /// It asks again if the server says so.
    pub(super) refreshes_diagnostics: bool,
    /// It asks for inlay hints again if the server says so.
    pub(super) refreshes_hints: bool,
}

impl ClientAbilities {
    /// Reads the parameters of `initialize`.
    pub(super) fn of(parameters: &Value) -> ClientAbilities {
        let has = |place: &str| parameters.pointer(&format!("/capabilities/{place}"));
        let is_set = |place: &str| has(place).and_then(Value::as_bool) == Some(true);
        ClientAbilities {
            pulls: has("textDocument/diagnostic").is_some(),
            refreshes_diagnostics: is_set("workspace/diagnostics/refreshSupport"),
            refreshes_hints: is_set("workspace/inlayHint/refreshSupport"),
        }
    }

    /// Returns the capabilities of the server for such a client. A client that does not pull gets
    /// diagnostics without a request.
    pub(super) fn provider(self) -> Option<DiagnosticServerCapabilities> {
        let options = DiagnosticOptions {
            identifier: Some("inlay".to_owned()),
            inter_file_dependencies: true,
            ..DiagnosticOptions::default()
        };
        self.pulls
            .then_some(DiagnosticServerCapabilities::Options(options))
    }
}

/// A request that waits for a build.
pub(super) struct PullRequest {
    pub(super) id: RequestId,
    /// The canonical path of the file.
    pub(super) path: PathBuf,
    /// The name of the answer that the client has.
    pub(super) previous: Option<String>,
}

/// Returns the answer to a request; only its name if the client has it already.
pub(super) fn report(
    items: Vec<Diagnostic>,
    previous: Option<&str>,
) -> DocumentDiagnosticReportResult {
    let mut hasher = DefaultHasher::new();
    serde_json::to_string(&items)
        .unwrap_or_default()
        .hash(&mut hasher);
    let name = format!("{:016x}", hasher.finish());
    let report = match previous == Some(name.as_str()) {
        true => DocumentDiagnosticReport::Unchanged(RelatedUnchangedDocumentDiagnosticReport {
            related_documents: None,
            unchanged_document_diagnostic_report: UnchangedDocumentDiagnosticReport {
                result_id: name,
            },
        }),
        false => DocumentDiagnosticReport::Full(RelatedFullDocumentDiagnosticReport {
            related_documents: None,
            full_document_diagnostic_report: FullDocumentDiagnosticReport {
                result_id: Some(name),
                items,
            },
        }),
    };
    report.into()
}
