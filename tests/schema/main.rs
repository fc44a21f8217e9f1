//! Schemas of data values: types and defaults, violations, rules, and the export for other tools.

#![allow(clippy::unwrap_used, clippy::panic)]

mod author;
mod export;
mod rules;
mod sampled;
mod types;
mod validator;

use std::sync::Arc;

use inlay::schema::{Assertions, Schema};
use inlay::script::fragments::{Built, located};
use inlay::script::{Caller, Evaluated, Library, Limits, Loader, Program, Session};
use inlay::source::{Code, Diagnostic, Diagnostics, Result, Source, on_large_stack};
use inlay::template::{TemplateOptions, compile};
use inlay::yaml::{Node, canonical_node, parse};

/// A loader for templates that load no others.
struct NoFiles;

impl Loader for NoFiles {
    fn find(&self, path: &str, _from: &Program) -> Result<Arc<Program>> {
        Err(Diagnostic::error(Code::Load, format!("no file {path}")))
    }

    fn read(&self, path: &str, _from: &Program) -> Result<String> {
        Err(Diagnostic::error(Code::Load, format!("no file {path}")))
    }

    fn list(&self, _path: Option<&str>, _from: &Program) -> Result<Vec<String>> {
        Ok(Vec::new())
    }
}

/// The diagnostics: for each, its message and the places that it names.
type Faults = Vec<String>;

fn faults(diagnostics: &[Diagnostic]) -> Faults {
    let fault = |diagnostic: &Diagnostic| {
        let places = diagnostic.labels.iter().map(|label| {
            let place = label.location.in_file();
            format!(
                " {}:{}",
                place.source.name(),
                place.source.line(place.span.start())
            )
        });
        let help = diagnostic.help.iter().map(|help| format!(" ({help})"));
        diagnostic.message.clone() + &places.collect::<String>() + &help.collect::<String>()
    };
    diagnostics.iter().map(fault).collect()
}

/// Evaluates a template whose document starts on the line after `---`.
fn evaluate(name: &str, text: &str, library: &Library<'_>) -> Built {
    let stream = parse(&Source::new(name, text).unwrap()).unwrap();
    let program = Arc::new(compile(&stream, &TemplateOptions::default()).unwrap());
    match library.evaluate(&program) {
        Ok(Evaluated::Documents(documents)) => documents.into_iter().next().unwrap(),
        Ok(other) => panic!("expected documents, found {other:?}"),
        Err(error) => panic!("{error:?}"),
    }
}

/// Reads the schema `schema.yml` and calls `work` with it.
fn with_schema<R: Send>(
    schema: &str,
    work: impl FnOnce(&Schema, &Library<'_>, &mut Caller<'_, '_>) -> std::result::Result<R, Faults>
    + Send,
) -> std::result::Result<R, Faults> {
    let text = format!("#@data/values-schema\n{schema}");
    on_large_stack(move || {
        let session =
            Session::new(Limits::default(), |_| ()).with_modules(&inlay::modules::MODULES);
        let library = Library::new(&session, &NoFiles, &Node::mapping(Vec::new())).unwrap();
        let document = evaluate("schema.yml", &text, &library);
        let mut diagnostics = Diagnostics::default();
        let done = library.with_caller(|caller| {
            let Ok(schema) = Schema::read(&document, caller, &mut diagnostics) else {
                return Ok(Err(faults(diagnostics.as_slice())));
            };
            Ok(work(&schema, &library, caller))
        });
        done.unwrap()
    })
    .unwrap()
}

/// Returns the defaults of a schema.
fn defaults(schema: &str) -> std::result::Result<String, Faults> {
    with_schema(schema, |schema, _, _| {
        Ok(canonical_node(&schema.defaults()).unwrap())
    })
}

/// Returns the final values if `values.yml` sets all values: completed with defaults, and checked
/// against all rules.
fn values(schema: &str, values: &str) -> std::result::Result<String, Faults> {
    let text = format!("#@data/values\n---\n{values}");
    with_schema(schema, |schema, library, caller| {
        let document = evaluate("values.yml", &text, library);
        let mut assertions = Assertions::default();
        assertions.add(&document, true, caller).unwrap();
        let mut diagnostics = Diagnostics::default();
        let place = document.place.as_ref();
        let completed = schema.complete(&located(&document), None, place, caller, &mut diagnostics);
        let validated = completed.and_then(|values| {
            schema.validate(&values, &assertions, place, caller, &mut diagnostics)?;
            Ok(values)
        });
        let Ok(values) = validated else {
            return Err(faults(diagnostics.as_slice()));
        };
        Ok(canonical_node(&values).unwrap())
    })
}

/// Returns the values of a document without a schema, checked against the rules in it.
fn unchecked(document: &str) -> std::result::Result<String, Faults> {
    values("#@schema/type any=True\n---\nany\n", document)
}
