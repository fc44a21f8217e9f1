//! Overlays on files as they are written: everything that an overlay does not change is printed
//! byte for byte.
//!
//! Every YAML file of the corpus is used unchanged (templates too: their code is comments). For
//! some scalars of each document, the test writes an overlay that sets another value and applies
//! it. The printed text may differ only in the lines of that value, and has to contain the new
//! value.

#![allow(
    clippy::expect_used,
    reason = "a test that cannot prepare its files has failed"
)]

mod common {
    pub(crate) mod corpus_folder;
}

use std::path::Path;
use std::sync::Arc;

use common::corpus_folder::{files_below, find};
use inlay::overlay;
use inlay::script::fragments::Built;
use inlay::script::{Evaluated, Library, Limits, Loader, Program, Session};
use inlay::source::{
    Code, Diagnostic, DiagnosticFormat, Diagnostics, Renderer, Result, Source, Span, on_large_stack,
};
use inlay::template;
use inlay::yaml::{
    Content, Node, Stream, canonical_node, expand, faithful, is_empty, is_merge, json_string,
    parse, parse_data, unlink,
};

/// The approximate number of scalars to change in each document, one at a time.
const SCALARS: usize = 4;

#[test]
fn an_overlay_that_changes_one_value_changes_its_lines_alone() {
    let Some(corpus) = find("the fidelity of overlays") else {
        return;
    };
    let files = files_below(&corpus).expect("the corpus can be listed");
    let is_yaml = |file: &&std::path::PathBuf| {
        file.extension()
            .is_some_and(|end| end == "yml" || end == "yaml")
    };
    let mut faults = Vec::new();
    let mut checked = 0;
    with_library(|library| {
        for file in files.iter().filter(is_yaml) {
            checked += check_file(library, file, &mut faults);
        }
    });
    assert!(checked > 2000, "only {checked} values were changed");
    assert!(
        faults.is_empty(),
        "{} of {checked} values:\n{}",
        faults.len(),
        faults.join("\n\n")
    );
}

/// Calls `work` with a library in which programs can be evaluated.
fn with_library<R: Send>(work: impl FnOnce(&Library<'_>) -> R + Send) -> R {
    let run = || {
        let session = Session::new(Limits::default(), |_| {}).with_module(overlay::module());
        let library = Library::new(&session, &NoFiles, &Node::mapping(Vec::new()))
            .expect("no values are no fault");
        work(&library)
    };
    on_large_stack(run).expect("there is room for a stack")
}

/// Changes values of one file and returns their number.
fn check_file(library: &Library<'_>, file: &Path, faults: &mut Vec<String>) -> usize {
    let Ok(text) = std::fs::read_to_string(file) else {
        return 0;
    };
    let name = file.to_string_lossy().into_owned();
    let Some(stream) = Source::new(name.as_str(), text)
        .ok()
        .and_then(|source| parse_data(&source).ok())
    else {
        return 0;
    };
    // An overlay counts only the documents that are not empty.
    let full: Vec<&Arc<Node>> = stream
        .documents
        .iter()
        .map(|document| &document.root)
        .filter(|root| !is_empty(root.resolved()))
        .collect();
    let mut checked = 0;
    match applied(library, &stream, EMPTY) {
        Ok(roots)
            if roots
                .iter()
                .zip(&stream.documents)
                .all(|(new, old)| Arc::ptr_eq(new, &old.root)) => {}
        Ok(_) => faults.push(format!("{name}: an empty overlay has changed something")),
        Err(error) => faults.push(format!("{name}: an empty overlay fails: {error}")),
    }
    for (number, root) in full.iter().enumerate() {
        let mut scalars = Vec::new();
        collect(root, &mut Vec::new(), &mut scalars);
        let step = (scalars.len() / SCALARS).max(1);
        for (path, scalar) in scalars.iter().step_by(step).take(SCALARS + 1) {
            checked += 1;
            if let Err(fault) = check_value(library, &stream, number, path, scalar) {
                faults.push(format!("{name}: {}\n{fault}", steps(path)));
            }
        }
    }
    checked
}

/// An overlay that matches all mappings and changes nothing.
const EMPTY: &str = "\
#@ load(\"@ytt:overlay\", \"overlay\")
#@overlay/match by=overlay.subset({}), expects=\"0+\"
--- {}
";

/// A step to a value.
#[derive(Clone)]
enum Step {
    Key(Arc<Node>),
    Item(usize),
}

fn steps(path: &[Step]) -> String {
    let word = |step: &Step| match step {
        Step::Key(key) => key.text().unwrap_or("?").to_owned(),
        Step::Item(index) => index.to_string(),
    };
    path.iter().map(word).collect::<Vec<_>>().join(" > ")
}

/// Collects the scalars of a tree that are part of its own text and that a path of distinct keys
/// leads to.
fn collect(node: &Arc<Node>, path: &mut Vec<Step>, scalars: &mut Vec<(Vec<Step>, Arc<Node>)>) {
    match &node.content {
        Content::Scalar(_) => scalars.push((path.clone(), Arc::clone(node))),
        Content::Alias(_) => {}
        Content::Sequence(sequence) => {
            for (index, item) in sequence.items.iter().enumerate() {
                path.push(Step::Item(index));
                collect(&item.value, path, scalars);
                path.pop();
            }
        }
        Content::Mapping(mapping) => {
            for entry in &mapping.entries {
                let same = mapping
                    .entries
                    .iter()
                    .filter(|other| other.key.text() == entry.key.text());
                if is_merge(&entry.key) || entry.key.as_scalar().is_none() || same.count() > 1 {
                    continue;
                }
                path.push(Step::Key(Arc::clone(&entry.key)));
                collect(&entry.value, path, scalars);
                path.pop();
            }
        }
    }
}

/// Overlays on handwritten text, each with the resulting text. `UPDATE=1` records the results.
#[test]
fn parts_that_an_overlay_adds_take_the_style_of_their_neighbors() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/overlays/fidelity.txt");
    let table = std::fs::read_to_string(&path).expect("the table can be read");
    let mut updated = table.clone();
    let mut faults = Vec::new();
    let mut cases = 0;
    with_library(|library| {
        for case in table.split("\n=== ").skip(1) {
            let (name, rest) = case.split_once("\n--- left\n").expect("a case has a file");
            let (left, rest) = rest
                .split_once("\n--- overlay\n")
                .expect("a case has an overlay");
            let (overlay, expected) = rest
                .split_once("\n--- result\n")
                .expect("a case has a result");
            let (left, expected) = (
                format!("{left}\n"),
                format!("{}\n", expected.trim_end_matches('\n')),
            );
            cases += 1;
            let source = Source::new("left.yml", left.as_str()).expect("a case is short");
            let stream = parse_data(&source).expect("a case is YAML");
            let overlay_text = overlay;
            let overlay = format!("#@ load(\"@ytt:overlay\", \"overlay\")\n{overlay}\n");
            match applied(library, &stream, &overlay) {
                Ok(roots) => {
                    let printed = faithful::print(&stream, &roots);
                    if printed != expected {
                        let result = |text: &str| format!("{overlay_text}\n--- result\n{text}");
                        updated = updated.replacen(&result(&expected), &result(&printed), 1);
                        faults.push(format!("{name}: expected\n{expected}found\n{printed}"));
                    }
                }
                Err(error) => faults.push(format!("{name}: {error}")),
            }
        }
    });
    assert!(cases > 10, "only {cases} cases");
    if std::env::var_os("UPDATE").is_some_and(|value| value == "1") && updated != table {
        std::fs::write(&path, updated).expect("the table can be written");
        return;
    }
    assert!(faults.is_empty(), "{}", faults.join("\n\n"));
}

/// Changes one value with an overlay and checks the printed text.
fn check_value(
    library: &Library<'_>,
    stream: &Stream,
    number: usize,
    path: &[Step],
    scalar: &Arc<Node>,
) -> std::result::Result<(), String> {
    let overlay = overlay_text(number, path);
    let roots = applied(library, stream, &overlay)
        .map_err(|error| format!("{error}\noverlay:\n{overlay}"))?;
    let printed = faithful::print(stream, &roots);
    let before = stream.source.text();
    let span = scalar
        .origin
        .as_ref()
        .map_or(Span::at(0), |origin| origin.span);
    let lines = lines_of(before, span);
    let tail = before.len() - lines.end();
    let fault = |what: &str| Err(format!("{what}\noverlay:\n{overlay}\nprinted:\n{printed}"));
    // An alias of a changed value has to be written out.
    let is_plain = !stream.has_aliases;
    if is_plain && !printed.starts_with(&before[..lines.start()]) {
        return fault("the text before the value has changed");
    }
    if is_plain && !printed.ends_with(&before[before.len() - tail..]) {
        return fault("the text after the value has changed");
    }
    let Ok(reread) = Source::new("printed", printed.as_str())
        .map_err(|_| ())
        .and_then(|source| parse_data(&source).map_err(|_| ()))
    else {
        return fault("the printed text is no YAML");
    };
    for (wanted, found) in roots.iter().zip(&reread.documents) {
        if meaning(wanted) != meaning(&found.root) {
            return fault("the printed text means something else");
        }
    }
    if roots.len() != reread.documents.len() {
        fault("another number of documents")
    } else {
        Ok(())
    }
}

fn meaning(root: &Arc<Node>) -> Option<String> {
    canonical_node(&expand(root).ok()?).ok()
}

/// Returns the whole lines of a value, from the start of its first line.
fn lines_of(text: &str, span: Span) -> Span {
    let start = text[..span.start()].rfind('\n').map_or(0, |at| at + 1);
    let last = span.end().saturating_sub(1).max(span.start());
    let end = text[last..].find('\n').map_or(text.len(), |at| last + at);
    Span::new(start, end.max(start))
}

/// Returns an overlay that sets the value at a path to a text.
fn overlay_text(number: usize, path: &[Step]) -> String {
    let mut text = "#@ load(\"@ytt:overlay\", \"overlay\")\n".to_owned();
    text.push_str(&format!("#@overlay/match by=overlay.index({number})\n---"));
    for (depth, step) in path.iter().enumerate() {
        let indent = "  ".repeat(depth);
        match step {
            Step::Key(key) => {
                let plain = key.as_str().is_none();
                let key = key.text().unwrap_or_default();
                let key = if plain {
                    key.to_owned()
                } else {
                    json_string(key)
                };
                text.push_str(&format!("\n{indent}? {key}\n{indent}:"));
            }
            Step::Item(index) => {
                text.push_str(&format!(
                    "\n{indent}#@overlay/match by=overlay.index({index})\n{indent}-"
                ));
            }
        }
    }
    text.push_str(" changed value\n");
    text
}

/// Returns the roots of the documents of `stream` after an overlay.
fn applied(
    library: &Library<'_>,
    stream: &Stream,
    overlay: &str,
) -> std::result::Result<Vec<Arc<Node>>, String> {
    let run = || -> Result<Option<Vec<Arc<Node>>>> {
        let source = Source::new("overlay.yml", overlay).expect("an overlay is short");
        let program = Arc::new(template::compile(
            &parse(&source)?,
            &template::TemplateOptions::default(),
        )?);
        let Evaluated::Documents(overlays) = library.evaluate(&program)? else {
            return Ok(None);
        };
        let all = template::plain_documents(stream);
        let is_full = |built: &Built| !is_empty(built.root.resolved());
        let documents = all.iter().filter(|built| is_full(built)).cloned().collect();
        let mut diagnostics = Diagnostics::default();
        let changed = library.with_caller(|caller| {
            let mut groups = overlay::DocumentGroups::new(vec![documents]);
            let options = overlay::OverlayOptions::yaml(overlay::EqualValues::KeepLeft);
            let applied = overlays
                .iter()
                .try_for_each(|overlay| groups.apply(caller, overlay, options, &mut diagnostics));
            Ok(applied.map(|()| groups.into_files()))
        })?;
        let Ok(changed) = changed else {
            return Err(Box::new(
                diagnostics
                    .as_slice()
                    .first()
                    .expect("a failure has an error")
                    .clone(),
            ));
        };
        let mut changed = changed.into_iter().flatten();
        let root = |built: &Built| match is_full(built) {
            true => changed
                .next()
                .map_or_else(|| Arc::clone(&built.root), |built| built.root),
            false => Arc::clone(&built.root),
        };
        // An overlay changes a value but not its aliases, so the aliases of changed values are
        // written out.
        Ok(Some(
            all.iter().map(root).map(|root| unlink(&root)).collect(),
        ))
    };
    match run() {
        Ok(Some(roots)) => Ok(roots),
        Ok(None) => Err("no documents".to_owned()),
        Err(error) => Err(Renderer::new(DiagnosticFormat::Human).render(&[*error])),
    }
}

/// A loader without files: the overlays of this test load none.
struct NoFiles;

impl Loader for NoFiles {
    fn find(&self, path: &str, _: &Program) -> Result<Arc<Program>> {
        Err(Diagnostic::error(
            Code::Load,
            format!("expected no file, found `{path}`"),
        ))
    }

    fn read(&self, path: &str, _: &Program) -> Result<String> {
        Err(Diagnostic::error(
            Code::Load,
            format!("expected no file, found `{path}`"),
        ))
    }

    fn list(&self, _: Option<&str>, _: &Program) -> Result<Vec<String>> {
        Ok(Vec::new())
    }
}
