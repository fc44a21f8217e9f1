//! `--matrix FILE`: renders one set of files several times, for each cluster, tenant or
//! environment.
//!
//! ```yaml
//! apiVersion: inlay.dev/v1alpha1
//! kind: Matrix
//! spec:
//!   output: rendered/{name}.yaml
//!   valuesFiles: [environments/production.yml]
//!   renders:
//!   - each: clusters/*.yml         # `{name}` is the part that `*` matches
//!   - name: lab
//!     valuesFiles: [clusters/oslo.yml]
//!     values: {replicas: 1}
//! ```
//!
//! Paths are relative to the folder of the matrix file. A later data value overrides an earlier
//! one, in this order: `spec.valuesFiles`, the file of `each`, the render's `valuesFiles`, its
//! `values`, and then the flags.
//!
//! `config` contains the types of the file, and `pattern` the patterns in it.

mod config;
mod pattern;

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub use self::config::{MATRIX_API_VERSION, MATRIX_DOCUMENTED, MATRIX_KIND, MatrixConfig};
use self::config::{RenderConfig, check_head};
use self::pattern::{FilePattern, OutputPattern};
use super::file::InputFile;
use super::input::InputReader;
use super::values::mapping_of_values;
use crate::source::world::{
    FileKind, World, cleaned, comparable_name, name_fault, read_source, reason, similar_file,
};
use crate::source::{Code, Diagnostic, Diagnostics, Location, Reported, Result, collect_all};
use crate::typed::{Spanned, read};
use crate::yaml::{Node, parse_data};

/// One render of a matrix.
pub struct Render {
    /// The name, which is unique in the matrix.
    pub name: String,
    /// The place of the output, below the folder of the matrix.
    pub output: RenderOutput,
    /// The Data Values Files, in the order in which they are applied.
    pub values_files: Vec<InputFile>,
    /// Additional data values, a mapping that is applied after the files.
    pub values: Option<Arc<Node>>,
}

/// The place that a render is written to.
pub enum RenderOutput {
    /// All documents in one file.
    File(PathBuf),
    /// Files in a folder, whose other files are kept.
    Folder(PathBuf),
}

/// Reads the renders of a matrix, in order. `reader` follows the links that the user allows.
///
/// # Errors
/// Reports every mistake: in the file, in names and paths, and for patterns that match no file.
pub fn read_matrix(
    world: &dyn World,
    path: &Path,
    reader: &InputReader<'_>,
    diagnostics: &mut Diagnostics,
) -> Result<Vec<Render>, Reported> {
    let spec = read_config(world, path, diagnostics)?.spec;
    let folder = path.parent().unwrap_or(Path::new(""));
    let files = MatrixFiles {
        world,
        folder,
        reader,
    };

    // Read each part even if an earlier one has mistakes.
    let pattern = diagnostics.check(OutputPattern::new(&spec.output));
    let shared = files.all(&spec.values_files.unwrap_or_default(), diagnostics);
    let named = files.all_renders(spec.renders, diagnostics);
    let (pattern, shared, named) = (pattern?, shared?, named?);
    let unique = refuse_repeated_names(&named, diagnostics);

    let mut renders = Vec::with_capacity(named.len());
    for render in named {
        let output = diagnostics.check(pattern.output(&render.name, folder))?;
        let mut values_files = shared.clone();
        values_files.extend(render.values_files);
        renders.push(Render {
            output,
            values_files,
            name: render.name,
            values: render.values,
        });
    }
    unique.map(|()| renders)
}

/// Reads the file of a matrix, which contains one document.
fn read_config(
    world: &dyn World,
    path: &Path,
    diagnostics: &mut Diagnostics,
) -> Result<MatrixConfig, Reported> {
    let source = diagnostics.check(read_source(world, path))?;
    diagnostics.watch(&source);
    let stream = diagnostics.check(parse_data(&source))?;
    let [document] = stream.documents.as_slice() else {
        let count = stream.documents.len();
        let message = format!(
            "expected one document with `kind: {MATRIX_KIND}` in `{}`, found {count}",
            path.display()
        );
        return Err(diagnostics.report(Diagnostic::error(Code::Config, message)));
    };
    diagnostics.check(check_head(&document.root))?;
    read(&document.root, diagnostics)
}

/// A render whose output place is not known yet.
struct NamedRender {
    name: String,
    /// The place in the matrix that names the render: `name`, or `each` for several renders.
    place: Option<Location>,
    values_files: Vec<InputFile>,
    values: Option<Arc<Node>>,
}

/// Checks that no two renders have the same name, with which they would be written to the same
/// place.
///
/// # Errors
/// Reports each render that has the name of an earlier one.
fn refuse_repeated_names(
    renders: &[NamedRender],
    diagnostics: &mut Diagnostics,
) -> Result<(), Reported> {
    let mut outcome = Ok(());
    let mut places: HashMap<_, Option<&Location>> = HashMap::new();
    for render in renders {
        match places.entry(comparable_name(&render.name)) {
            Entry::Vacant(entry) => {
                entry.insert(render.place.as_ref());
            }
            Entry::Occupied(first) => {
                let message = format!("expected each name once, found `{}` twice", render.name);
                let error = Diagnostic::error(Code::Config, message)
                    .at(render.place.clone(), "given again here")
                    .at(first.get().cloned(), "given first here");
                outcome = Err(diagnostics.report(error));
            }
        }
    }
    outcome
}

/// A Data Values File that matches a pattern.
struct MatchedFile {
    /// The part of its path that `*` matches.
    name: String,
    file: InputFile,
}

/// The files that a matrix names.
struct MatrixFiles<'m> {
    world: &'m dyn World,
    folder: &'m Path,
    reader: &'m InputReader<'m>,
}

impl MatrixFiles<'_> {
    /// Returns the renders for all items of `spec.renders`.
    ///
    /// # Errors
    /// Reports every mistake in the items, and a list without renders.
    fn all_renders(
        &self,
        items: Spanned<Vec<Spanned<RenderConfig>>>,
        diagnostics: &mut Diagnostics,
    ) -> Result<Vec<NamedRender>, Reported> {
        let renders = items.value.into_iter();
        let renders = collect_all(renders.map(|item| self.renders(item, diagnostics)))?;
        let renders: Vec<NamedRender> = renders.into_iter().flatten().collect();
        if renders.is_empty() {
            let error = Diagnostic::error(Code::Config, "the matrix has no render")
                .at(items.location, "")
                .help("add one: `- each: clusters/*.yml`");
            return Err(diagnostics.report(error));
        }
        Ok(renders)
    }

    /// Returns the renders for an item of `spec.renders`: one, or one for each matching file.
    fn renders(
        &self,
        item: Spanned<RenderConfig>,
        diagnostics: &mut Diagnostics,
    ) -> Result<Vec<NamedRender>, Reported> {
        let RenderConfig {
            each,
            name,
            values_files,
            values,
        } = item.value;
        let own_files = self.all(&values_files.unwrap_or_default(), diagnostics);
        let values = diagnostics.check(mapping_of_values(values));
        match (each, name) {
            (Some(each), None) => {
                let matches = diagnostics.check(self.matches(&each));
                let (own_files, values, matches) = (own_files?, values?, matches?);
                let mut renders = Vec::with_capacity(matches.len());
                for MatchedFile { name, file } in matches {
                    let mut values_files = vec![file];
                    values_files.extend(own_files.iter().cloned());
                    renders.push(NamedRender {
                        name,
                        values_files,
                        place: each.location.clone(),
                        values: values.clone(),
                    });
                }
                Ok(renders)
            }
            (None, Some(name)) => Ok(vec![NamedRender {
                place: name.location.clone(),
                name: diagnostics.check(check_name(name))?,
                values_files: own_files?,
                values: values?,
            }]),
            (Some(_), Some(name)) => Err(diagnostics.report(
                Diagnostic::error(Code::Config, "expected `each` or `name`, found both")
                    .at(name.location, "")
                    .help("remove `name`: the name is the part that `*` matches"),
            )),
            (None, None) => Err(diagnostics.report(
                Diagnostic::error(Code::Config, "expected `each` or `name`, found neither")
                    .at(item.location, "")
                    .help("write `each: clusters/*.yml`, or `name: NAME`"),
            )),
        }
    }

    /// Returns the Data Values Files at these paths.
    fn all(
        &self,
        paths: &[Spanned<String>],
        diagnostics: &mut Diagnostics,
    ) -> Result<Vec<InputFile>, Reported> {
        collect_all(paths.iter().map(|path| {
            let file = self.file(&cleaned(&self.folder.join(&path.value)));
            let file = file.map_err(|error| error.at(path.location.clone(), ""));
            diagnostics.check(file)
        }))
    }

    fn file(&self, place: &Path) -> Result<InputFile> {
        match <[InputFile; 1]>::try_from(self.reader.at(place)?) {
            Ok([file]) if !self.world.is_folder(place) => Ok(file),
            _ => {
                let message = format!("expected a file, found the folder `{}`", place.display());
                Err(Diagnostic::error(Code::File, message))
            }
        }
    }

    /// Returns the files that match a pattern with one `*`, sorted by the part that it matches. As
    /// in a shell, hidden files match only a pattern that begins with a dot.
    ///
    /// # Errors
    /// Fails for a pattern that does not contain exactly one `*`, and for one that matches no file.
    fn matches(&self, each: &Spanned<String>) -> Result<Vec<MatchedFile>> {
        let at_pattern = |error: Box<Diagnostic>| error.at(each.location.clone(), "");
        let pattern = FilePattern::new(&each.value).map_err(at_pattern)?;
        let folder = cleaned(&self.folder.join(pattern.folder));
        let listed = self.world.list(&folder).map_err(|error| {
            let message = format!("cannot read `{}`: {}", folder.display(), reason(&error));
            let error = Diagnostic::error(Code::File, message);
            at_pattern(error).help_if(similar_file(self.world, &folder))
        })?;
        let mut found = Vec::new();
        for entry in listed {
            let Some(file_name) = entry.file_name().and_then(|name| name.to_str()) else {
                continue;
            };
            let Some(name) = pattern.name(file_name) else {
                continue;
            };
            let place = match pattern.below {
                Some(below) => entry.join(below),
                None => entry.clone(),
            };
            if self.is_file(&place) {
                found.push(MatchedFile {
                    name: name.to_owned(),
                    file: self.file(&place).map_err(at_pattern)?,
                });
            }
        }
        if found.is_empty() {
            let message = format!("no file matches `{}`", each.value);
            let error = Diagnostic::error(Code::File, message);
            return Err(at_pattern(error).note(format!("searched in `{}`", folder.display())));
        }
        // Do not sort by path: `a` comes before `a-b`, although `a-b.yml` comes before `a.yml`.
        found.sort_by(|one, other| one.name.cmp(&other.name));
        Ok(found)
    }

    /// Returns whether there is a file, or a link to a file, at `place`.
    fn is_file(&self, place: &Path) -> bool {
        match self.world.kind(place) {
            Ok(FileKind::File) => true,
            Ok(FileKind::Link) => !self.world.is_folder(place),
            _ => false,
        }
    }
}

/// Checks a name, which becomes a part of a path.
fn check_name(name: Spanned<String>) -> Result<String> {
    let is_part = !name.value.is_empty()
        && !name.value.contains(['/', '\\', '\0'])
        && name_fault(&name.value).is_none()
        && !matches!(name.value.as_str(), "." | "..");
    if is_part {
        return Ok(name.value);
    }
    let message = format!("expected a name of a file, found `{}`", name.value);
    Err(Diagnostic::error(Code::Config, message)
        .at(name.location, "")
        .note("it becomes a part of the path `spec.output`"))
}
