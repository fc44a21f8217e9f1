//! `inlay run CONFIG PATH…`

use std::path::Path;

use super::arguments::Run;
use super::input::{self, Input};
use super::output::{self, Reporter};
use super::{Ending, Outcome, set};
use crate::krm::{Objects, configuration};
use crate::kustomize::Resource;
use crate::pipeline;
use crate::source::world::{Folder, World, read_source};
use crate::source::{Code, Diagnostic, Result};
use crate::yaml::{faithful, parse_data};

/// A file, its objects, and its text after the run.
struct Edited {
    input: Input,
    objects: Objects,
    text: String,
}

/// Applies the configuration to the files and prints, writes, or compares.
pub(super) fn run(world: &dyn World, arguments: &Run, reporter: &Reporter) -> Outcome {
    let files = edit(world, arguments)?;
    let changed = || files.iter().filter(|file| file.text != file.input.stream.source.text());
    if arguments.diff {
        let color = reporter.colors_output();
        let text: String = changed()
            .map(|file| {
                super::diff::unified(
                    file.input.stream.source.name(),
                    file.input.stream.source.text(),
                    &file.text,
                    color,
                )
            })
            .collect();
        output::print(text.as_bytes())?;
    } else if arguments.check {
        let names: String =
            changed().map(|file| format!("would change {}\n", file.input.stream.source.name())).collect();
        output::print(names.as_bytes())?;
    } else if arguments.in_place {
        for file in changed() {
            set::write(world, &file.input, &file.text)?;
        }
    } else {
        output::print(join(&files).as_bytes())?;
    }
    let differs = arguments.check && changed().next().is_some();
    Ok(if differs { Ending::Difference } else { Ending::Success })
}

/// Reads everything, carries the configuration out on all objects together, and prints each file's text.
fn edit(world: &dyn World, arguments: &Run) -> Result<Vec<Edited>> {
    let config = read_source(world, &arguments.config)?;
    let config = parse_data(&config)?;
    if config.documents.is_empty() {
        let message = format!("expected a configuration in `{}`, found nothing", arguments.config.display());
        return Err(Diagnostic::error(Code::Config, message));
    }
    let configurations =
        config.documents.iter().map(|document| configuration(&document.root)).collect::<Result<Vec<_>>>()?;
    let mut files = Vec::new();
    let mut resources: Vec<Resource> = Vec::new();
    for path in input::files(world, &arguments.paths)? {
        let input = input::read(world, &path)?;
        let (objects, found) = Objects::find(&input.stream)?;
        resources.extend(found);
        files.push(Edited { input, objects, text: String::new() });
    }
    let folder = arguments.config.parent().unwrap_or(Path::new(""));
    let folder = Folder::new(world, folder);
    for configuration in &configurations {
        pipeline::run(configuration, &folder, &mut resources)?;
    }
    let mut rest = &resources[..];
    for file in &mut files {
        let (own, others) = rest.split_at(file.objects.count());
        file.text = faithful::print(&file.input.stream, &file.objects.roots(&file.input.stream, own));
        rest = others;
    }
    Ok(files)
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
