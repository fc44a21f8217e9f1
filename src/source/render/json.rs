//! The JSON form: one object per line, for programs.
//!
//! Fields are written in the order of the structs below, which is a promise to users of
//! `--diagnostics json`. Strings have their original content, but control characters and hidden
//! characters are written as `\uXXXX`. JSON readers see no difference, and a log in this form is as
//! safe to print as the other forms.

use std::io;

use serde::Serialize;
use serde_json::Serializer;
use serde_json::ser::Formatter;

use crate::source::{Diagnostic, Label, Location, ObjectReference, TextFix};

use super::place::PrintedPlace;
use super::visible::is_hidden;

#[derive(Serialize)]
struct DiagnosticRecord<'a> {
    severity: &'a str,
    code: &'a str,
    message: &'a str,
    /// The place of the first label, so that simple tools do not need `labels`.
    #[serde(flatten)]
    range: Option<RangeRecord>,
    labels: Vec<LabelRecord<'a>>,
    notes: &'a [String],
    help: &'a [String],
    /// The edits that the help describes, if programs can make them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    fixes: Vec<FixRecord>,
    #[serde(skip_serializing_if = "Option::is_none")]
    object: Option<ObjectRecord<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    field: Option<&'a str>,
}

/// A place in a file. Lines and columns count from 1, columns in characters. The end is exclusive.
#[derive(Clone, Serialize)]
#[serde(rename_all = "camelCase")]
struct RangeRecord {
    file: String,
    line: usize,
    column: usize,
    end_line: usize,
    end_column: usize,
}

/// An edit of a file: the text that replaces a range.
#[derive(Serialize)]
struct FixRecord {
    #[serde(flatten)]
    range: RangeRecord,
    text: String,
}

#[derive(Serialize)]
struct LabelRecord<'a> {
    #[serde(flatten)]
    range: RangeRecord,
    text: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ObjectRecord<'a> {
    api_version: &'a str,
    kind: &'a str,
    name: &'a str,
    namespace: &'a str,
}

/// Returns the line for a diagnostic.
pub(super) fn line(diagnostic: &Diagnostic) -> String {
    visible_json(&record(diagnostic))
}

/// Returns a value as one line of JSON, without hidden characters.
pub(super) fn visible_json(value: &impl Serialize) -> String {
    let mut bytes = Vec::new();
    let written = value.serialize(&mut Serializer::with_formatter(
        &mut bytes,
        VisibleFormatter,
    ));
    debug_assert!(
        written.is_ok(),
        "strings and numbers can always be written to memory: {written:?}"
    );
    bytes.push(b'\n');
    String::from_utf8_lossy(&bytes).into_owned()
}

fn record(diagnostic: &Diagnostic) -> DiagnosticRecord<'_> {
    let labels: Vec<LabelRecord<'_>> = diagnostic.labels.iter().map(label_record).collect();
    DiagnosticRecord {
        severity: diagnostic.severity.name(),
        code: diagnostic.code.name(),
        message: &diagnostic.message,
        range: labels.first().map(|label| label.range.clone()),
        labels,
        notes: &diagnostic.notes,
        help: &diagnostic.help,
        fixes: diagnostic.fixes().iter().map(fix_record).collect(),
        object: diagnostic.object.as_ref().map(object_record),
        field: diagnostic.field.as_deref(),
    }
}

fn label_record(label: &Label) -> LabelRecord<'_> {
    LabelRecord {
        range: range_record(&label.location),
        text: &label.text,
    }
}

fn fix_record(fix: &TextFix) -> FixRecord {
    FixRecord {
        range: range_record(&fix.place),
        text: fix.text.clone(),
    }
}

fn range_record(location: &Location) -> RangeRecord {
    let place = PrintedPlace::of(location);
    let (start, end) = (place.start(), place.end());
    RangeRecord {
        file: place.source.shown_name().to_owned(),
        line: start.line,
        column: start.column,
        end_line: end.line,
        end_column: end.column,
    }
}

fn object_record(object: &ObjectReference) -> ObjectRecord<'_> {
    ObjectRecord {
        api_version: &object.api_version,
        kind: &object.kind,
        name: &object.name,
        namespace: &object.namespace,
    }
}

/// Formats compact JSON, and escapes hidden characters even if JSON does not require it.
struct VisibleFormatter;

impl Formatter for VisibleFormatter {
    fn write_string_fragment<W: ?Sized + io::Write>(
        &mut self,
        writer: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        let mut rest = fragment;
        while let Some((offset, hidden)) = rest
            .char_indices()
            .find(|&(_, character)| is_hidden(character))
        {
            // JSON escapes are UTF-16 code units: a character above U+FFFF becomes two of them.
            let (plain, tail) = rest.split_at(offset);
            writer.write_all(plain.as_bytes())?;
            for unit in hidden.encode_utf16(&mut [0; 2]) {
                write!(writer, "\\u{unit:04x}")?;
            }
            rest = tail.get(hidden.len_utf8()..).unwrap_or("");
        }
        writer.write_all(rest.as_bytes())
    }
}
