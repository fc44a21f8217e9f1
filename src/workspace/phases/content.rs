//! The content of the files of a build. Each file is read and parsed once, and compiled once for
//! each library that uses it.

use std::cell::RefCell;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::Hash;
use std::sync::{Arc, Mutex, PoisonError};

use super::input::BuildInput;
use crate::script::Program;
use crate::source::world::World;
use crate::source::{Code, Diagnostic, Diagnostics, Result, Source, parallel};
use crate::template;
use crate::workspace::file::{FileRole, InputFile};
use crate::workspace::library::LibraryFile;
use crate::workspace::values::repeated_key_warnings;
use crate::yaml::{self, Stream};

/// The minimum total size in bytes for parsing files in parallel. Smaller files are parsed before a
/// thread has started.
const PARALLEL_FROM: usize = 128 * 1024;

/// The minimum size in bytes for deferring the parsing of a file. For smaller files, avoiding the
/// tree saves too little.
const DEFERRED_FROM: usize = 128 * 1024;

/// The content of a file, in the form that its role needs.
pub(super) enum FileContent {
    /// YAML, parsed.
    Yaml(Arc<Stream>),
    /// YAML that was printed without keeping its tree; see [`reprint`](yaml::reprint).
    Printed(Arc<Vec<String>>),
    /// YAML without code that is output and was not parsed yet. Its documents may be read, changed
    /// and printed one after another, so that the trees of all of them are never in memory
    /// together.
    Deferred(Arc<Source>),
    /// A text template or a Starlark module.
    Text(Arc<Source>),
    /// A file that is copied, or that is only read by code.
    Bytes(Vec<u8>),
}

/// A file as a part of a library, and the options for its template. Together they determine the
/// program that it compiles to.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct TemplateFile {
    pub(super) file: LibraryFile,
    pub(super) options: template::TemplateOptions,
}

/// The contents that several builds of the same files share. Each file is parsed once, and compiled
/// once for each library and options.
///
/// Only the files are shared. Data values, and values created by code, differ between builds.
#[derive(Default)]
pub struct SharedContents {
    read: Mutex<HashMap<usize, Arc<FileContent>>>,
    compiled: Mutex<HashMap<TemplateFile, Arc<Program>>>,
}

/// Returns the value of a key. `make` creates it for the first request, while other builds wait,
/// because standard input, for example, can be read only once.
///
/// # Errors
/// Returns the errors of `make`, which are not stored.
fn shared_or<K: Eq + Hash, V>(
    map: &Mutex<HashMap<K, Arc<V>>>,
    key: K,
    make: impl FnOnce() -> Result<V>,
) -> Result<Arc<V>> {
    let mut known = map.lock().unwrap_or_else(PoisonError::into_inner);
    match known.entry(key) {
        Entry::Occupied(known) => Ok(Arc::clone(known.get())),
        Entry::Vacant(place) => Ok(Arc::clone(place.insert(Arc::new(make()?)))),
    }
}

/// The contents and programs of the files of a build.
pub(super) struct Contents<'b> {
    files: &'b [InputFile],
    world: &'b dyn World,
    shared: Option<&'b SharedContents>,
    /// The files that were read, by index.
    read: RefCell<HashMap<usize, Arc<FileContent>>>,
    /// The results of [`read_ahead`](Self::read_ahead) that were not used yet.
    ahead: RefCell<HashMap<usize, Result<FileContent>>>,
    /// The files that are not parsed until their tree is requested, in the order of the tree.
    deferred: RefCell<Vec<usize>>,
    compiled: RefCell<HashMap<TemplateFile, Arc<Program>>>,
    /// Warnings about suspicious annotations in the compiled templates.
    warnings: RefCell<Vec<Diagnostic>>,
    /// The file of each program, by the program's id.
    origins: RefCell<HashMap<usize, TemplateFile>>,
}

impl<'b> Contents<'b> {
    /// Creates the contents of the files of a build. No file is read yet.
    pub(super) fn new(input: &BuildInput<'b>) -> Contents<'b> {
        Contents {
            files: input.files,
            world: input.world,
            shared: input.shared,
            read: RefCell::default(),
            ahead: RefCell::default(),
            deferred: RefCell::default(),
            compiled: RefCell::default(),
            warnings: RefCell::default(),
            origins: RefCell::default(),
        }
    }

    /// Returns a file by its index.
    ///
    /// # Errors
    /// Fails if no file has this index, which is a bug in Inlay.
    pub(super) fn file(&self, index: usize) -> Result<&'b InputFile> {
        self.files
            .get(index)
            .ok_or_else(|| Diagnostic::error(Code::Internal, "the build has no file of this index"))
    }

    /// Reads and parses the YAML files among `indices`, several at the same time. The errors of a
    /// file are reported when its [`content`](Self::content) is requested.
    ///
    /// With `reprints`, trees are not needed. If no file contains code, they are not kept.
    /// Otherwise, large files without code are deferred until it is known how they are used.
    pub(super) fn read_ahead(&self, indices: &[usize], reprints: bool) {
        // Builds that share their contents already run in parallel.
        if self.shared.is_some() {
            return;
        }
        let mut sources = Vec::new();
        let mut has_code = false;
        for &index in indices {
            let Some(file) = self.files.get(index) else {
                continue;
            };
            match file.role() {
                FileRole::YamlTemplate | FileRole::YamlPlain => {}
                FileRole::TextTemplate | FileRole::Starlark => {
                    has_code = true;
                    continue;
                }
                FileRole::TextPlain | FileRole::Data => continue,
            }
            if self.read.borrow().contains_key(&index) {
                continue;
            }
            let source = file.source(self.world);
            let mut is_plain = true;
            if let Ok(source) = &source
                && file.role() == FileRole::YamlTemplate
                && template::may_contain_code(source)
            {
                is_plain = false;
                has_code = true;
            }
            sources.push(FileSource {
                index,
                role: file.role(),
                source,
                can_wait: reprints && is_plain && file.is_output(),
            });
        }
        let printed = (reprints && !has_code)
            .then(|| sources.iter().map(FileSource::reprinted).collect())
            .flatten();
        let contents: Vec<Result<FileContent>> = match printed {
            Some(printed) => printed,
            None if has_code => self.parse_or_defer(&sources),
            None => parse_all(&sources.iter().collect::<Vec<_>>()),
        };
        let indices = sources.iter().map(|file| file.index);
        self.ahead.borrow_mut().extend(indices.zip(contents));
    }

    /// Parses files, except those that can be deferred.
    fn parse_or_defer(&self, sources: &[FileSource]) -> Vec<Result<FileContent>> {
        let (waiting, needed): (Vec<_>, Vec<_>) =
            sources.iter().partition(|file| file.is_deferred());
        let parsed = parse_all(&needed);
        if waiting.is_empty() {
            return parsed;
        }
        // Parse all files, so that one run reports the mistakes of all of them.
        if parsed.iter().any(Result::is_err) {
            return parse_all(&sources.iter().collect::<Vec<_>>());
        }
        let mut parsed = parsed.into_iter();
        let mut contents = Vec::with_capacity(sources.len());
        for file in sources {
            match &file.source {
                Ok(source) if file.is_deferred() => {
                    self.deferred.borrow_mut().push(file.index);
                    contents.push(Ok(FileContent::Deferred(Arc::clone(source))));
                }
                _ => contents.extend(parsed.next()),
            }
        }
        contents
    }

    /// Parses a deferred file.
    ///
    /// # Errors
    /// Fails if the file cannot be parsed.
    pub(super) fn parse_deferred(&self, index: usize, source: &Arc<Source>) -> Result<Arc<Stream>> {
        let stream = Arc::new(yaml::parse_data(source)?);
        let warnings = stream.warnings().into_iter().map(|warning| *warning);
        self.warnings.borrow_mut().extend(warnings);
        let content = Arc::new(FileContent::Yaml(Arc::clone(&stream)));
        self.read.borrow_mut().insert(index, content);
        Ok(stream)
    }

    /// Parses a deferred file to get its warnings. Its errors are left to
    /// [`check_deferred`](Self::check_deferred).
    pub(super) fn warn_about_deferred(&self, index: usize, source: &Arc<Source>) {
        if let Ok(stream) = self.parse_deferred(index, source) {
            self.warn_about_repeated_keys(&stream);
        }
    }

    /// Returns the errors in the deferred files that are not parsed yet.
    pub(super) fn check_deferred(&self) -> Diagnostics {
        let mut mistakes = Diagnostics::default();
        for index in self.deferred.take() {
            if let Ok(content) = self.content(index)
                && let FileContent::Deferred(source) = &*content
                && let Err(error) = self.parse_deferred(index, source)
            {
                mistakes.push(error);
            }
        }
        mistakes
    }

    /// Returns the content of a file. The first call reads and parses it.
    ///
    /// # Errors
    /// Fails if the file cannot be read or parsed.
    pub(super) fn content(&self, index: usize) -> Result<Arc<FileContent>> {
        if let Some(content) = self.read.borrow().get(&index) {
            return Ok(Arc::clone(content));
        }
        let file = self.file(index)?;
        let ahead = self.ahead.borrow_mut().remove(&index);
        let content = match (ahead, self.shared) {
            (Some(content), _) => Arc::new(content?),
            (None, Some(shared)) => shared_or(&shared.read, index, || read(file, self.world))?,
            (None, None) => Arc::new(read(file, self.world)?),
        };
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
    /// Fails if the file cannot be compiled, or if its role does not allow code.
    pub(super) fn program(&self, template_file: TemplateFile) -> Result<Arc<Program>> {
        if let Some(program) = self.compiled.borrow().get(&template_file) {
            return Ok(Arc::clone(program));
        }
        let program = match self.shared {
            Some(shared) => shared_or(&shared.compiled, template_file, || {
                self.compile(template_file)
            })?,
            None => Arc::new(self.compile(template_file)?),
        };
        let mut warnings = self.warnings.borrow_mut();
        for (name, place) in program.annotations() {
            warnings.extend(template::suspicious_annotation(name, place).map(|warning| *warning));
        }
        self.compiled
            .borrow_mut()
            .insert(template_file, Arc::clone(&program));
        self.origins
            .borrow_mut()
            .insert(program.id(), template_file);
        Ok(program)
    }

    fn compile(&self, template_file: TemplateFile) -> Result<Program> {
        let file = self.file(template_file.file.index)?;
        let content = self.content(template_file.file.index)?;
        // The role decides, not the content: `type=text-template` turns any file into a text
        // template.
        match (&*content, file.role()) {
            (FileContent::Yaml(stream), _) => template::compile(stream, &template_file.options),
            (FileContent::Deferred(source), _) => {
                let stream = self.parse_deferred(template_file.file.index, source)?;
                template::compile(&stream, &template_file.options)
            }
            (FileContent::Text(source), FileRole::Starlark) => Program::starlark(source),
            (FileContent::Text(source), _) => template::compile_text(source),
            (FileContent::Bytes(_) | FileContent::Printed(_), _) => {
                let message = format!("expected code, found data in `{}`", file.path);
                Err(Diagnostic::error(Code::Load, message))
            }
        }
    }

    /// Keeps a warning for each repeated key in a plain file.
    pub(super) fn warn_about_repeated_keys(&self, stream: &Stream) {
        for document in &stream.documents {
            let warnings = repeated_key_warnings(&document.root, "");
            self.warnings.borrow_mut().extend(warnings);
        }
    }

    /// Returns the warnings about files that were read or evaluated since the last call.
    pub(super) fn take_warnings(&self) -> Vec<Diagnostic> {
        self.warnings.take()
    }

    /// Returns the file that a program was compiled from.
    ///
    /// # Errors
    /// Fails for a program of another build, which is a bug in Inlay.
    pub(super) fn origin(&self, program: &Program) -> Result<TemplateFile> {
        let found = self.origins.borrow().get(&program.id()).copied();
        found
            .ok_or_else(|| Diagnostic::error(Code::Internal, "a program that is not of this build"))
    }
}

/// A YAML file that was read and not parsed yet.
struct FileSource {
    index: usize,
    role: FileRole,
    source: Result<Arc<Source>>,
    /// Whether only the output depends on its content, so that parsing can be deferred.
    can_wait: bool,
}

impl FileSource {
    /// Returns whether parsing is deferred: the file was read, is large, and can wait.
    fn is_deferred(&self) -> bool {
        let length = self.source.as_ref().map_or(0, |source| source.text().len());
        self.can_wait && length >= DEFERRED_FROM
    }

    fn parsed(&self) -> Result<FileContent> {
        parse(self.role, self.source.as_ref().map_err(Clone::clone)?)
    }

    /// Returns the printed documents; `None` if the file cannot be read or needs a tree.
    fn reprinted(&self) -> Option<Result<FileContent>> {
        let printed = yaml::reprint(self.source.as_ref().ok()?)?;
        Some(Ok(FileContent::Printed(Arc::new(printed))))
    }
}

/// Parses files, using several threads if they are large enough.
fn parse_all(sources: &[&FileSource]) -> Vec<Result<FileContent>> {
    let read = sources.iter().flat_map(|file| &file.source);
    let length: usize = read.map(|source| source.text().len()).sum();
    match length < PARALLEL_FROM {
        true => sources.iter().map(|file| file.parsed()).collect(),
        false => parallel::map(sources, |file| file.parsed()),
    }
}

/// Reads a file, and parses it if its role is YAML.
fn read(file: &InputFile, world: &dyn World) -> Result<FileContent> {
    match file.role() {
        FileRole::YamlTemplate | FileRole::YamlPlain => parse(file.role(), &file.source(world)?),
        FileRole::TextTemplate | FileRole::Starlark => file.source(world).map(FileContent::Text),
        FileRole::TextPlain | FileRole::Data => file.read(world).map(FileContent::Bytes),
    }
}

/// Parses a YAML file.
fn parse(role: FileRole, source: &Arc<Source>) -> Result<FileContent> {
    // Comments are only needed where they may contain code, and parsing without them is faster.
    let stream = if role == FileRole::YamlTemplate && template::may_contain_code(source) {
        yaml::parse(source)?
    } else {
        yaml::parse_data(source)?
    };
    Ok(FileContent::Yaml(Arc::new(stream)))
}
