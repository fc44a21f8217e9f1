//! The files of a build as programs: each compiled once for each library that it is a part of.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

use super::Options;
use super::parse::{Content, Parsed, content};
use crate::script::build::Built;
use crate::script::{Loader, Program};
use crate::source::world::{World, source_of};
use crate::source::{Code, Diagnostic, Result};
use crate::template;
use crate::workspace::file::{InputFile, Role};
use crate::workspace::library::{LibraryTree, Place};
use crate::yaml::Stream;

/// What code can load and read.
pub(super) struct Programs<'b> {
    files: &'b [InputFile],
    tree: &'b LibraryTree<'b>,
    world: &'b dyn World,
    options: Options,
    /// What each file says, as far as it was read.
    contents: RefCell<HashMap<usize, Content>>,
    compiled: RefCell<HashMap<Place, Arc<Program>>>,
    /// Where each program stands, by its number.
    places: RefCell<HashMap<usize, Place>>,
}

impl<'b> Programs<'b> {
    /// The files of a build, of which some were parsed.
    pub(super) fn new(
        files: &'b [InputFile],
        tree: &'b LibraryTree<'b>,
        parsed: Vec<Parsed>,
        world: &'b dyn World,
        options: Options,
    ) -> Programs<'b> {
        let contents = parsed.into_iter().map(|parsed| (parsed.file, parsed.content)).collect();
        Programs {
            files,
            tree,
            world,
            options,
            contents: RefCell::new(contents),
            compiled: RefCell::default(),
            places: RefCell::default(),
        }
    }

    /// A file as a part of the root library.
    pub(super) fn place(&self, file: usize) -> Place {
        self.tree.place(file)
    }

    fn file(&self, index: usize) -> Result<&'b InputFile> {
        self.files.get(index).ok_or_else(|| Diagnostic::error(Code::Internal, "a file that is not there is named"))
    }

    /// Lets `read` look at what a file says; the file is read and parsed if that was not done before.
    pub(super) fn content<R>(&self, index: usize, read: impl FnOnce(&Content) -> Result<R>) -> Result<R> {
        if !self.contents.borrow().contains_key(&index) {
            let content = content(self.file(index)?, self.world)?;
            self.contents.borrow_mut().insert(index, content);
        }
        match self.contents.borrow().get(&index) {
            Some(content) => read(content),
            None => Err(Diagnostic::error(Code::Internal, "a file that was read is not there")),
        }
    }

    /// The program that a file is at a place.
    pub(super) fn program(&self, place: Place) -> Result<Arc<Program>> {
        if let Some(program) = self.compiled.borrow().get(&place) {
            return Ok(Arc::clone(program));
        }
        let options = template::Options {
            ignore_unknown_comments: self.options.ignore_unknown_comments,
            implicit_map_key_overrides: self.options.implicit_map_key_overrides,
        };
        let file = self.file(place.file)?;
        let program = Arc::new(self.content(place.file, |content| match (content, file.role()) {
            (Content::Yaml(stream), _) => template::compile(stream, &options),
            (Content::Text(source), Role::Starlark) => Program::starlark(source),
            (Content::Text(source), _) => template::compile_text(source),
            (Content::Bytes(_), _) => {
                Err(Diagnostic::error(Code::Load, format!("expected code, found data in `{}`", file.path)))
            }
        })?);
        self.compiled.borrow_mut().insert(place, Arc::clone(&program));
        self.places.borrow_mut().insert(program.id(), place);
        Ok(program)
    }

    fn place_of(&self, program: &Program) -> Result<Place> {
        let place = self.places.borrow().get(&program.id()).copied();
        place.ok_or_else(|| Diagnostic::error(Code::Internal, "a program that is no file of this build"))
    }
}

impl Loader for Programs<'_> {
    fn find(&self, path: &str, from: &Program) -> Result<Arc<Program>> {
        self.program(self.tree.load(path, self.place_of(from)?)?)
    }

    fn read(&self, path: &str, from: &Program) -> Result<String> {
        let place = self.tree.read(path, self.place_of(from)?)?;
        let file = self.file(place.file)?;
        source_of(file.path.to_string(), file.read(self.world)?).map(|source| source.text().to_owned())
    }

    fn list(&self, path: Option<&str>, from: &Program) -> Result<Vec<String>> {
        self.tree.list(path, self.place_of(from)?)
    }
}

/// The documents of a text without code; `None` for a template.
pub(super) fn plain_documents(stream: &Stream) -> Option<Vec<Built>> {
    (!template::is_template(stream)).then(|| template::plain_documents(stream))
}
