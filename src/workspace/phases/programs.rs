//! The files of a build: each read and parsed once, and compiled once for each library that it is a part of.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

use super::Options;
use super::parse::{Content, content};
use crate::script::Program;
use crate::source::world::World;
use crate::source::{Code, Diagnostic, Result};
use crate::template;
use crate::workspace::file::{InputFile, Role};
use crate::workspace::library::Place;

/// What the files of a build say.
pub(super) struct Programs<'b> {
    files: &'b [InputFile],
    world: &'b dyn World,
    /// What each file says, as far as it was read.
    contents: RefCell<HashMap<usize, Arc<Content>>>,
    compiled: RefCell<HashMap<Compiled, Arc<Program>>>,
    /// Where each program stands, by its number.
    places: RefCell<HashMap<usize, (Place, template::Options)>>,
}

/// A file as a part of a library, and how its templates are read.
type Compiled = (Place, template::Options);

impl<'b> Programs<'b> {
    pub(super) fn new(files: &'b [InputFile], world: &'b dyn World) -> Programs<'b> {
        Programs {
            files,
            world,
            contents: RefCell::default(),
            compiled: RefCell::default(),
            places: RefCell::default(),
        }
    }

    /// A file by its index.
    ///
    /// # Errors
    /// An index that no file has, which would be a fault here.
    pub(super) fn file(&self, index: usize) -> Result<&'b InputFile> {
        self.files
            .get(index)
            .ok_or_else(|| Diagnostic::error(Code::Internal, "a file that is not there is named"))
    }

    /// What a file says; it is read and parsed if that was not done before.
    ///
    /// # Errors
    /// A file that cannot be read or parsed.
    pub(super) fn content(&self, index: usize) -> Result<Arc<Content>> {
        if let Some(content) = self.contents.borrow().get(&index) {
            return Ok(Arc::clone(content));
        }
        let content = Arc::new(content(self.file(index)?, self.world)?);
        self.contents
            .borrow_mut()
            .insert(index, Arc::clone(&content));
        Ok(content)
    }

    /// The program that a file is at a place.
    ///
    /// # Errors
    /// A file that cannot be compiled, or that holds no code.
    pub(super) fn program(&self, place: Place, options: Options) -> Result<Arc<Program>> {
        let options = options.template();
        if let Some(program) = self.compiled.borrow().get(&(place, options)) {
            return Ok(Arc::clone(program));
        }
        let file = self.file(place.file)?;
        let program = Arc::new(match (&*self.content(place.file)?, file.role()) {
            (Content::Yaml(stream), _) => template::compile(stream, &options),
            (Content::Text(source), Role::Starlark) => Program::starlark(source),
            (Content::Text(source), _) => template::compile_text(source),
            (Content::Bytes(_), _) => Err(Diagnostic::error(
                Code::Load,
                format!("expected code, found data in `{}`", file.path),
            )),
        }?);
        self.compiled
            .borrow_mut()
            .insert((place, options), Arc::clone(&program));
        self.places
            .borrow_mut()
            .insert(program.id(), (place, options));
        Ok(program)
    }

    /// Where a program stands, and how it was read.
    ///
    /// # Errors
    /// A program of another build, which would be a fault here.
    pub(super) fn place_of(&self, program: &Program) -> Result<(Place, Options)> {
        let found = self.places.borrow().get(&program.id()).copied();
        let (place, template) = found.ok_or_else(|| {
            Diagnostic::error(Code::Internal, "a program that is no file of this build")
        })?;
        let options = Options {
            ignore_unknown_comments: template.ignore_unknown_comments,
            implicit_map_key_overrides: template.implicit_map_key_overrides,
            ..Options::default()
        };
        Ok((place, options))
    }
}
