//! `inlay run CONFIG PATH…`

use std::path::Path;

use super::arguments::Run;
use super::input::{self, Input};
use super::output::{self, Reporter};
use super::{Ending, Outcome, diff};
use crate::krm::{configuration, objects};
use crate::pipeline::{self, Configuration};
use crate::source::world::{Folder, World, read_source};
use crate::source::{Code, Diagnostic, Diagnostics, Result};
use crate::yaml::{Document, faithful, parse_data};

/// A file, how many objects it holds, and its text after the run.
struct Edited {
    input: Input,
    objects: usize,
    text: String,
}

impl Edited {
    fn name(&self) -> &str {
        self.input.stream.source.name()
    }

    fn before(&self) -> &str {
        self.input.stream.source.text()
    }
}

/// Applies the configuration to the files and prints, writes, or compares.
pub(super) fn run(world: &dyn World, arguments: &Run, reporter: &Reporter, diagnostics: &mut Diagnostics) -> Outcome {
    let Some(files) = edit(world, arguments, diagnostics)? else { return Ok(Ending::Success) };
    let changed: Vec<&Edited> = files.iter().filter(|file| file.text != file.before()).collect();
    if arguments.diff {
        let color = reporter.colors_output();
        let diff = |file: &&Edited| diff::unified(file.name(), file.before(), &file.text, color);
        output::print(changed.iter().map(diff).collect::<String>().as_bytes())?;
    } else if arguments.check {
        let names: String = changed.iter().map(|file| format!("would change {}\n", file.name())).collect();
        output::print(names.as_bytes())?;
    } else if arguments.in_place {
        let texts: Vec<(&Path, &str)> = changed.iter().map(|file| (&*file.input.path, &*file.text)).collect();
        output::write_files(world, &texts)?;
    } else {
        output::print(join(&files).as_bytes())?;
    }
    Ok(if arguments.check && !changed.is_empty() { Ending::Difference } else { Ending::Success })
}

/// Reads everything, carries the configuration out on all objects together, and prints each file's text. `None` where
/// that failed and `diagnostics` says why.
fn edit(world: &dyn World, arguments: &Run, diagnostics: &mut Diagnostics) -> Result<Option<Vec<Edited>>> {
    let configurations = read_configurations(world, &arguments.config, diagnostics)?;
    let mut files = Vec::new();
    let mut resources = Vec::new();
    for path in input::files(world, &arguments.paths)? {
        let Some(input) = diagnostics.take(input::read(world, &path)) else { continue };
        let Some(found) = diagnostics.take(objects::find(&input.stream)) else { continue };
        files.push(Edited { input, objects: found.len(), text: String::new() });
        resources.extend(found);
    }
    if diagnostics.failed() {
        return Ok(None);
    }
    let folder = arguments.config.parent().unwrap_or(Path::new(""));
    let folder = Folder::new(world, folder);
    for configuration in &configurations {
        match pipeline::run(configuration, &folder, resources, diagnostics) {
            Some(edited) => resources = edited,
            None => return Ok(None),
        }
    }
    let mut rest = &resources[..];
    for file in &mut files {
        let (own, others) = rest.split_at(file.objects);
        file.text = faithful::print(&file.input.stream, &objects::roots(&file.input.stream, own));
        rest = others;
    }
    Ok(Some(files))
}

/// The configurations of a file, one a document; a document without anything in it is none. What is wrong in any of them
/// is told.
fn read_configurations(world: &dyn World, path: &Path, diagnostics: &mut Diagnostics) -> Result<Vec<Configuration>> {
    let source = read_source(world, path)?;
    let stream = parse_data(&source)?;
    let is_empty = |document: &&Document| document.root.origin.as_ref().is_some_and(|origin| origin.span.is_empty());
    let documents: Vec<&Document> = stream.documents.iter().filter(|document| !is_empty(document)).collect();
    if documents.is_empty() {
        let message = format!("expected a configuration in `{}`, found nothing", source.name());
        return Err(Diagnostic::error(Code::Config, message));
    }
    Ok(documents.into_iter().filter_map(|document| configuration(&document.root, diagnostics)).collect())
}

/// The files as one stream of documents.
fn join(files: &[Edited]) -> String {
    let mut joined = String::with_capacity(files.iter().map(|file| file.text.len() + 4).sum());
    for file in files.iter().filter(|file| !file.text.is_empty()) {
        let text = if joined.is_empty() { &*file.text } else { file.text.trim_start_matches('\u{feff}') };
        if !joined.is_empty() {
            if !joined.ends_with('\n') {
                joined.push('\n');
            }
            if !starts_with_marker(text) {
                joined.push_str("---\n");
            }
        }
        joined.push_str(text);
    }
    joined
}

/// Whether a text brings its own `---` (or directives, which only may stand before one).
fn starts_with_marker(text: &str) -> bool {
    let first = text.lines().find(|line| !line.trim_start().is_empty() && !line.starts_with('#')).unwrap_or("");
    first == "---" || first.starts_with("--- ") || first.starts_with('%')
}
