//! The content of the files of a build: read and parsed once, compiled once for each library that
//! uses them.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

use crate::script::{Program, warm_up};
use crate::source::world::World;
use crate::source::{Code, Diagnostic, Result, Source};
use crate::template;
use crate::workspace::file::{FileRole, InputFile};
use crate::workspace::library::LibraryFile;
use crate::yaml::{self, Stream};

/// The content of a file, in the form that its role needs.
pub(super) enum FileContent {
    /// YAML, parsed.
    Yaml(Arc<Stream>),
    /// A text template or a Starlark module.
    Text(Arc<Source>),
    /// A file that is copied, or that only code reads.
    Bytes(Vec<u8>),
}

/// A file as a part of a library, and how its template is read: what decides the program that it
/// compiles to.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct TemplateFile {
    pub(super) file: LibraryFile,
    pub(super) options: template::TemplateOptions,
}

/// The contents and programs of the files of a build.
pub(super) struct Contents<'b> {
    files: &'b [InputFile],
    world: &'b dyn World,
    /// The files that were read, by index.
    read: RefCell<HashMap<usize, Arc<FileContent>>>,
    compiled: RefCell<HashMap<TemplateFile, Arc<Program>>>,
    /// Suspicious annotations in the templates that were compiled.
    warnings: RefCell<Vec<Diagnostic>>,
    /// The file of each program, by the program's id.
    origins: RefCell<HashMap<usize, TemplateFile>>,
}

impl<'b> Contents<'b> {
    pub(super) fn new(files: &'b [InputFile], world: &'b dyn World) -> Contents<'b> {
        Contents {
            files,
            world,
            read: RefCell::default(),
            compiled: RefCell::default(),
            warnings: RefCell::default(),
            origins: RefCell::default(),
        }
    }

    /// Returns a file by its index.
    ///
    /// # Errors
    /// No file has this index, which is a bug in Inlay.
    pub(super) fn file(&self, index: usize) -> Result<&'b InputFile> {
        self.files
            .get(index)
            .ok_or_else(|| Diagnostic::error(Code::Internal, "the build has no file of this index"))
    }

    /// Returns the content of a file. The first call reads and parses it.
    ///
    /// # Errors
    /// The file cannot be read or parsed.
    pub(super) fn content(&self, index: usize) -> Result<Arc<FileContent>> {
        if let Some(content) = self.read.borrow().get(&index) {
            return Ok(Arc::clone(content));
        }
        let content = Arc::new(read(self.file(index)?, self.world)?);
        if let FileContent::Yaml(stream) = &*content {
            let warnings = stream.warnings().into_iter().map(|warning| *warning);
            self.warnings.borrow_mut().extend(warnings);
        }
        self.read.borrow_mut().insert(index, Arc::clone(&content));
        Ok(content)
    }

    /// Returns the program of a file. The first call compiles it.
    ///
    /// # Errors
    /// The file cannot be compiled, or it contains no code by its role.
    pub(super) fn program(&self, template_file: TemplateFile) -> Result<Arc<Program>> {
        if let Some(program) = self.compiled.borrow().get(&template_file) {
            return Ok(Arc::clone(program));
        }
        let file = self.file(template_file.file.index)?;
        let content = self.content(template_file.file.index)?;
        // The role decides, and not the content: `type=text-template` makes a text template of any
        // file.
        let program = match (&*content, file.role()) {
            (FileContent::Yaml(stream), _) => template::compile(stream, &template_file.options)?,
            (FileContent::Text(source), FileRole::Starlark) => Program::starlark(source)?,
            (FileContent::Text(source), _) => template::compile_text(source)?,
            (FileContent::Bytes(_), _) => {
                let message = format!("expected code, found data in `{}`", file.path);
                return Err(Diagnostic::error(Code::Load, message));
            }
        };
        let mut warnings = self.warnings.borrow_mut();
        for (name, place) in program.annotations() {
            warnings.extend(template::suspicious_annotation(name, place).map(|warning| *warning));
        }
        let program = Arc::new(program);
        self.compiled
            .borrow_mut()
            .insert(template_file, Arc::clone(&program));
        self.origins
            .borrow_mut()
            .insert(program.id(), template_file);
        Ok(program)
    }

    /// Returns the warnings about the templates that were compiled since the last call.
    pub(super) fn take_warnings(&self) -> Vec<Diagnostic> {
        self.warnings.take()
    }

    /// Returns the file that a program was compiled from.
    ///
    /// # Errors
    /// The program is of another build, which is a bug in Inlay.
    pub(super) fn origin(&self, program: &Program) -> Result<TemplateFile> {
        let found = self.origins.borrow().get(&program.id()).copied();
        found
            .ok_or_else(|| Diagnostic::error(Code::Internal, "a program that is not of this build"))
    }
}

/// Reads a file, and parses it if it is YAML by its role.
fn read(file: &InputFile, world: &dyn World) -> Result<FileContent> {
    let stream = match file.role() {
        FileRole::YamlTemplate => {
            let source = file.source(world)?;
            // Comments are only needed where they may contain code, and parsing without them is
            // faster.
            if source.text().contains("#@") {
                warm_up();
                yaml::parse(&source)?
            } else {
                yaml::parse_data(&source)?
            }
        }
        FileRole::YamlPlain => yaml::parse_data(&file.source(world)?)?,
        FileRole::TextTemplate | FileRole::Starlark => {
            warm_up();
            return file.source(world).map(FileContent::Text);
        }
        FileRole::TextPlain | FileRole::Data => return file.read(world).map(FileContent::Bytes),
    };
    Ok(FileContent::Yaml(Arc::new(stream)))
}
