//! The suites of the corpus that hold plain templates, evaluated through the library: no command line, no schema, no
//! overlays.
//!
//! The folders of `testdata/templates` hold templates that fail, each with what is said in `error.txt`; `UPDATE=1 cargo test
//! --test template` writes it anew.
//!
//! A case that fails must stand in `tests/template-differences.txt` with its reason, and a listed case must fail.

#[path = "common/corpus_folder.rs"]
#[allow(dead_code, reason = "other tests use the rest")]
mod corpus_folder;
#[path = "common/differences.rs"]
mod differences;
#[path = "common/named_lines.rs"]
mod named_lines;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use inlay::script::{Evaluated, Library, Limits, Loader, Program, Session, on_large_stack};
use inlay::source::{Code, Diagnostic, DiagnosticFormat, Renderer, Source};
use inlay::template::{self, Options};
use inlay::yaml::{self, Node};
use libtest_mimic::{Arguments, Failed, Trial};
use serde::Deserialize;

/// The suites, all of whose cases run.
const SUITES: [&str; 3] = ["language", "template", "text-template"];

/// `case.json`.
#[derive(Deserialize)]
struct Recording {
    args: Vec<String>,
    exit: i32,
}

fn main() {
    let arguments = Arguments::from_args();
    let trials = trials().unwrap_or_else(|error| vec![Trial::test("cases", || Err(error))]);
    libtest_mimic::run(&arguments, trials).exit();
}

fn trials() -> Result<Vec<Trial>, Failed> {
    let mut trials = goldens()?;
    let Some(corpus) = corpus_folder::find("template") else { return Ok(trials) };
    let differences = Arc::new(differences::Differences::read("tests/template-differences.txt")?);
    let mut names = BTreeSet::new();
    for suite in SUITES {
        for entry in fs::read_dir(corpus.join("ytt").join(suite))? {
            let folder = entry?.path();
            let name = format!("{suite}/{}", folder.file_name().unwrap_or_default().to_string_lossy());
            names.insert(name.clone());
            let differences = Arc::clone(&differences);
            trials.push(Trial::test(name.clone(), move || differences.judge(&name, run(&folder))));
        }
    }
    trials.push(Trial::test("every listed case exists", move || differences.all_exist(&names)));
    Ok(trials)
}

/// The templates that fail.
fn goldens() -> Result<Vec<Trial>, Failed> {
    let mut trials = Vec::new();
    for entry in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/templates"))? {
        let folder = entry?.path();
        let name = format!("messages/{}", folder.file_name().unwrap_or_default().to_string_lossy());
        trials.push(Trial::test(name, move || golden(&folder)));
    }
    Ok(trials)
}

fn golden(folder: &Path) -> Result<(), Failed> {
    let result = on_large_stack(|| render(folder, &["config.yml".to_owned()]))?;
    let Err(found) = result else { return Err("expected a failure, found none".into()) };
    let recorded = folder.join("error.txt");
    if std::env::var_os("UPDATE").is_some() {
        fs::write(&recorded, &found)?;
    }
    let expected = fs::read_to_string(&recorded)?;
    if found == expected { Ok(()) } else { Err(format!("expected:\n{expected}\nfound:\n{found}").into()) }
}

fn run(case: &Path) -> Result<(), Failed> {
    let recording: Recording = serde_json::from_str(&fs::read_to_string(case.join("case.json"))?)?;
    let mut files = Vec::new();
    for pair in recording.args.chunks(2) {
        match pair {
            [flag, file] if flag == "-f" => files.push(file.clone()),
            _ => return Err(format!("expected only -f, found {:?}", recording.args).into()),
        }
    }
    let folder = case.join("in");
    let result = on_large_stack(|| render(&folder, &files))?;
    if recording.exit == 0 {
        let expected = fs::read_to_string(case.join("stdout"))?;
        let found = result?;
        if found != expected {
            return Err(format!("expected:\n{expected}\nfound:\n{found}").into());
        }
        return Ok(());
    }
    let Err(message) = result else { return Err("expected a failure, found none".into()) };
    let recorded = fs::read_to_string(case.join("stderr"))?;
    let known: BTreeSet<String> = files.iter().cloned().collect();
    let found = named_lines::named_lines(&message, &known);
    let expected = named_lines::named_lines(&recorded, &known);
    let missing: Vec<String> = expected.difference(&found).cloned().collect();
    if missing.is_empty() {
        return Ok(());
    }
    Err(format!("lines not named: {}\nfound:\n{message}\nrecorded:\n{recorded}", missing.join(", ")).into())
}

/// The files of a case, compiled.
struct Files {
    folder: PathBuf,
    compiled: RefCell<BTreeMap<String, Arc<Program>>>,
}

impl Files {
    fn program(&self, name: &str) -> inlay::source::Result<Arc<Program>> {
        if let Some(program) = self.compiled.borrow().get(name) {
            return Ok(Arc::clone(program));
        }
        let text = self.text(name)?;
        let source = Source::new(name, text).map_err(|_| Diagnostic::error(Code::File, "too long"))?;
        let program = Arc::new(if name.ends_with(".star") {
            Program::starlark(&source)?
        } else if name.ends_with(".txt") {
            template::compile_text(&source)?
        } else {
            template::compile(&yaml::parse(&source)?, &Options::default())?
        });
        self.compiled.borrow_mut().insert(name.to_owned(), Arc::clone(&program));
        Ok(program)
    }

    fn text(&self, name: &str) -> inlay::source::Result<String> {
        fs::read_to_string(self.folder.join(name)).map_err(|error| Diagnostic::error(Code::File, error.to_string()))
    }
}

impl Loader for Files {
    fn find(&self, path: &str, _from: &Program) -> inlay::source::Result<Arc<Program>> {
        self.program(path.trim_start_matches('/'))
    }

    fn read(&self, path: &str, _from: &Program) -> inlay::source::Result<String> {
        self.text(path)
    }

    fn list(&self, _path: Option<&str>, _from: &Program) -> inlay::source::Result<Vec<String>> {
        Ok(Vec::new())
    }
}

fn render(folder: &Path, files: &[String]) -> Result<String, String> {
    render_files(folder, files).map_err(|diagnostic| Renderer::new(DiagnosticFormat::Human).render(&[*diagnostic]))
}

fn render_files(folder: &Path, files: &[String]) -> inlay::source::Result<String> {
    let loader = Files { folder: folder.to_owned(), compiled: RefCell::default() };
    let session = Session::new(Limits::default(), |_| ());
    let library = Library::new(&session, &loader, &Node::mapping(Vec::new()))?;
    let mut documents = Vec::new();
    for file in files {
        let program = loader.program(file)?;
        match library.evaluate(&program)? {
            Evaluated::Documents(built) => documents.extend(built.into_iter().map(|document| document.root)),
            Evaluated::Text(_) | Evaluated::Names => {}
        }
    }
    yaml::canonical(&documents)
}
