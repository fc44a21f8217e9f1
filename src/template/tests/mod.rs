//! Tests of templates: their output and their errors.

mod callers;
mod faults;
mod limits;
mod loading;
mod properties;
mod text;
mod values;
mod yaml;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use super::{TemplateOptions, compile, compile_text};
use crate::modules::MODULES;
use crate::script::{Evaluated, Library, Limits, Loader, Program, Session};
use crate::source::{
    Code, Diagnostic, DiagnosticFormat, Diagnostics, Renderer, Result, Source, on_large_stack,
};
use crate::yaml::{Node, canonical, parse};

/// Files in memory. Each is compiled once.
#[derive(Default)]
struct Files {
    texts: BTreeMap<String, String>,
    options: TemplateOptions,
    compiled: RefCell<BTreeMap<String, Arc<Program>>>,
}

impl Loader for Files {
    fn find(&self, path: &str, _from: &Program) -> Result<Arc<Program>> {
        if let Some(program) = self.compiled.borrow().get(path) {
            return Ok(Arc::clone(program));
        }
        let Some(text) = self.texts.get(path) else {
            return Err(Diagnostic::error(
                Code::Load,
                format!("expected a file `{path}`"),
            ));
        };
        let source = Source::new(path, text.as_str()).unwrap();
        let program = Arc::new(match path.rsplit('.').next() {
            Some("star") => Program::starlark(&source)?,
            Some("txt") => compile_text(&source)?,
            _ => compile(&parse(&source)?, &self.options)?,
        });
        self.compiled
            .borrow_mut()
            .insert(path.to_owned(), Arc::clone(&program));
        Ok(program)
    }

    fn read(&self, path: &str, _from: &Program) -> Result<String> {
        self.texts
            .get(path)
            .cloned()
            .ok_or_else(|| Diagnostic::error(Code::File, format!("expected a file `{path}`")))
    }

    fn list(&self, _path: Option<&str>, _from: &Program) -> Result<Vec<String>> {
        Ok(self.texts.keys().cloned().collect())
    }
}

/// The result of a run.
struct Rendered {
    output: String,
    printed: String,
}

/// Renders the first of several files with the data values `values`.
fn run(
    files: &[(&str, &str)],
    values: &str,
    options: TemplateOptions,
) -> std::result::Result<Rendered, String> {
    on_large_stack(|| {
        let texts = files
            .iter()
            .map(|(name, text)| ((*name).to_owned(), (*text).to_owned()))
            .collect();
        let loader = Files {
            texts,
            options,
            compiled: RefCell::default(),
        };
        render(&loader, files[0].0, values).map_err(|diagnostic| {
            let mut diagnostics = Diagnostics::default();
            diagnostics.push(diagnostic);
            Renderer::new(DiagnosticFormat::Human).render(diagnostics.as_slice())
        })
    })
    .unwrap()
}

fn render(loader: &Files, name: &str, values: &str) -> Result<Rendered> {
    let printed = Rc::new(RefCell::new(String::new()));
    let lines = Rc::clone(&printed);
    // Small limits, so that a test reaches them quickly.
    let limits = Limits {
        memory: 96 << 20,
        built: 96 << 20,
        ..Limits::default()
    };
    let session = Session::new(limits, move |line| {
        lines.borrow_mut().push_str(line);
        lines.borrow_mut().push('\n');
    })
    .with_modules(&MODULES);
    let values = match parse(&Source::new("values.yml", values).unwrap())?
        .documents
        .first()
    {
        Some(document) => Arc::clone(&document.root),
        None => Node::mapping(Vec::new()),
    };
    let library = Library::new(&session, loader, &values)?;
    let source = Source::new("none", "").unwrap();
    let program = loader.find(name, &Program::starlark(&source)?)?;
    let output = match library.evaluate(&program)? {
        Evaluated::Documents(documents) => canonical(
            &documents
                .into_iter()
                .map(|document| document.root)
                .collect::<Vec<_>>(),
        )?,
        Evaluated::Text(text) => text,
        Evaluated::Names | Evaluated::LeftOut => String::new(),
    };
    let printed = printed.borrow().clone();
    Ok(Rendered { output, printed })
}

/// Returns the output of one template without data values.
fn output(template: &str) -> String {
    match run(&[("config.yml", template)], "", TemplateOptions::default()) {
        Ok(rendered) => rendered.output,
        Err(message) => panic!("{message}\nin\n{template}"),
    }
}

/// Returns the message of a template that fails.
fn failure(template: &str) -> String {
    match run(&[("config.yml", template)], "", TemplateOptions::default()) {
        Ok(rendered) => panic!(
            "expected a failure, found\n{}\nin\n{template}",
            rendered.output
        ),
        Err(message) => message,
    }
}

/// Checks the output of each template in a table.
fn check(cases: &[(&str, &str)]) {
    for (template, expected) in cases {
        assert_eq!(output(template), *expected, "{template}");
    }
}
