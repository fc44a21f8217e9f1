//! `inlay run CONFIG PATH…`

use std::path::Path;

use super::arguments::Run;
use super::input::{self, Input};
use super::output::{self, Reporter};
use super::{Ending, diff};
use crate::krm::{self, objects};
use crate::pipeline;
use crate::source::world::{Folder, World, read_source};
use crate::source::{Code, Diagnostic, Diagnostics, Result};
use crate::yaml::faithful;

/// A file, where the slots of its objects start, and its text after the run.
struct Edited {
    input: Input,
    first_slot: usize,
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

/// What a run gives: the files in their order, and new objects, each as a document.
struct Outcome {
    files: Vec<Edited>,
    added: Vec<Added>,
}

/// An object that stands in no file.
struct Added {
    /// Its id, for people.
    name: String,
    document: String,
}

/// What a diff calls the place of new objects.
const NOWHERE: &str = "new resources";

/// Applies the configuration to the files and prints, writes, or compares.
pub(super) fn run(
    world: &dyn World,
    arguments: &Run,
    reporter: &Reporter,
    diagnostics: &mut Diagnostics,
) -> super::Outcome {
    let Some(Outcome { files, added }) = edit(world, arguments, diagnostics)? else {
        return Ok(Ending::Success);
    };
    let changed: Vec<&Edited> = files
        .iter()
        .filter(|file| file.text != file.before())
        .collect();
    if arguments.diff {
        let color = reporter.colors_output();
        let mut diffs: String = changed
            .iter()
            .map(|file| diff::unified(file.name(), file.before(), &file.text, color))
            .collect();
        diffs.push_str(&diff::unified(
            NOWHERE,
            "",
            &join(added.iter().map(|added| &*added.document)),
            color,
        ));
        output::print(diffs.as_bytes())?;
    } else if arguments.check {
        let mut names: String = changed
            .iter()
            .map(|file| format!("would change {}\n", file.name()))
            .collect();
        names.extend(
            added
                .iter()
                .map(|added| format!("would add {}\n", added.name)),
        );
        output::print(names.as_bytes())?;
    } else if arguments.in_place {
        refuse_added(&added)?;
        let texts: Vec<(&Path, &str)> = changed
            .iter()
            .map(|file| (&*file.input.path, &*file.text))
            .collect();
        output::write_files(world, &texts)?;
    } else {
        let texts = files
            .iter()
            .map(|file| &*file.text)
            .chain(added.iter().map(|added| &*added.document));
        output::print(join(texts).as_bytes())?;
    }
    let differs = !changed.is_empty() || !added.is_empty();
    Ok(if arguments.check && differs {
        Ending::Difference
    } else {
        Ending::Success
    })
}

/// A new object has no file to be written to.
fn refuse_added(added: &[Added]) -> Result<()> {
    if added.is_empty() {
        return Ok(());
    }
    let names: Vec<&str> = added.iter().map(|added| &*added.name).collect();
    let message = format!(
        "expected only edits of files with `--in-place`, found new resources: {}",
        names.join(", ")
    );
    Err(Diagnostic::error(Code::Output, message)
        .note("no file is changed")
        .help("print them, without `--in-place`, and put them into a file"))
}

/// Reads everything, carries the configuration out on all objects together, and prints each file's text. `None` where
/// that failed and `diagnostics` says why.
fn edit(
    world: &dyn World,
    arguments: &Run,
    diagnostics: &mut Diagnostics,
) -> Result<Option<Outcome>> {
    let folder = arguments.config.parent().unwrap_or(Path::new(""));
    let folder = Folder::new(world, folder);
    let source = read_source(world, &arguments.config)?;
    let configurations = krm::read_configurations(&source, &folder, diagnostics);
    let mut files = Vec::new();
    let mut resources = Vec::new();
    for path in input::files(world, &arguments.paths)? {
        let Some(input) = diagnostics.take(input::read(world, &path)) else {
            continue;
        };
        let first_slot = resources.len();
        resources.extend(objects::find(&input.stream, first_slot, diagnostics));
        files.push(Edited {
            input,
            first_slot,
            text: String::new(),
        });
    }
    let Ok(configurations) = configurations else {
        return Ok(None);
    };
    if diagnostics.failed() {
        return Ok(None);
    }
    let slots = resources.len();
    for configuration in &configurations {
        match pipeline::run(configuration, &folder, resources, diagnostics) {
            Ok(edited) => resources = edited,
            Err(_) => return Ok(None),
        }
    }
    let Ok(resources) = pipeline::finish(resources, diagnostics) else {
        return Ok(None);
    };
    let edited = objects::EditedObjects::new(&resources, slots);
    for file in &mut files {
        file.text = edited.text(&file.input.stream, file.first_slot);
    }
    let documents = edited.added_documents()?;
    let names = edited
        .added()
        .iter()
        .map(|resource| resource.id().to_string());
    let added = names
        .zip(documents)
        .map(|(name, document)| Added { name, document })
        .collect();
    Ok(Some(Outcome { files, added }))
}

/// Texts as one stream of documents.
fn join<'t>(texts: impl Iterator<Item = &'t str>) -> String {
    let mut joined = String::new();
    texts
        .filter(|text| !text.is_empty())
        .for_each(|text| faithful::add_documents(&mut joined, text));
    joined
}
