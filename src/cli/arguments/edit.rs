//! The arguments of the commands that edit files: `inlay run`, `inlay get` and `inlay set`.

use std::path::{Path, PathBuf};

use clap::builder::PossibleValue;
use clap::{Args, ValueEnum};

use super::build::LinkArguments;
use super::comparison::{BaseArguments, ComparisonArguments, WatchArguments};
use super::data_values::DataValuesArguments;
use crate::cli::assignment::FieldAssignment;
use crate::edit::{DocumentFormat, DocumentLayout, TypePolicy};
use crate::kubernetes::{ObjectPath, quotes_help};

// `inlay run`
#[derive(Debug, Args)]
pub(in crate::cli) struct RunArguments {
    #[command(flatten)]
    pub(in crate::cli) input: RunInputArguments,
    /// Write the files that change, instead of printing the resources.
    #[arg(short, long)]
    #[arg(conflicts_with_all = ["kustomizations", "diff", "stat", "check", "against", "watch"])]
    pub(in crate::cli) in_place: bool,
    /// Set the format of the output.
    #[arg(short, long, value_name = "FORMAT", default_value = "yaml")]
    #[arg(conflicts_with_all = ["in_place", "diff", "stat", "check", "against", "watch"])]
    pub(in crate::cli) output: RunOutput,
    #[command(flatten)]
    pub(in crate::cli) comparison: ComparisonArguments,
    #[command(flatten)]
    pub(in crate::cli) base: BaseArguments,
    #[command(flatten)]
    pub(in crate::cli) watch: WatchArguments,
}

// The input of a run. `inlay explain run` takes these flags, too.
#[derive(Debug, Default, Args)]
pub(in crate::cli) struct RunInputArguments {
    /// The configuration, or `-`: kind Inlay, a ConfigMap, ApplyReplacements, or a builtin
    /// transformer or generator of kustomize. Several documents are applied in their order.
    #[arg(value_name = "CONFIG")]
    pub(in crate::cli) config: PathBuf,
    /// Files, folders (their .yaml, .yml and .json files, at any depth), or `-`. A file that is
    /// named twice is read once. A configuration that creates all resources needs none.
    #[arg(value_name = "PATH")]
    pub(in crate::cli) paths: Vec<PathBuf>,
    /// Build a kustomization, and apply the configuration to its objects, too.
    #[arg(short = 'k', long = "kustomization", value_name = "DIR")]
    pub(in crate::cli) kustomizations: Vec<PathBuf>,
    /// Set a field of the configuration before it is applied, such as `spec.patches.0.target.name=a`.
    /// The value is read as by `inlay set`.
    #[arg(long, value_name = "PATH=VALUE", value_parser = FieldAssignment::parse)]
    pub(in crate::cli) set: Vec<FieldAssignment>,
    /// Let paths of the configuration lead into this folder as well, which need not be below that of
    /// the configuration: `--allow-path ../shared` for `paths: [../shared/labels.yml]`.
    #[arg(long, value_name = "DIR")]
    pub(in crate::cli) allow_path: Vec<PathBuf>,
    #[command(flatten)]
    pub(in crate::cli) data_values: DataValuesArguments,
    #[command(flatten)]
    pub(in crate::cli) links: LinkArguments,
}

/// The formats of the output of `inlay run`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum RunOutput {
    /// The documents.
    Yaml,
    /// The documents, each value that an edit made with a comment that names the edit.
    Annotated,
}

// `inlay get`
#[derive(Debug, Args)]
pub(in crate::cli) struct GetArguments {
    /// YAML, JSON, TOML, properties, environment or INI files, or `-`.
    #[arg(value_name = "FILE", required = true)]
    pub(in crate::cli) files: Vec<PathBuf>,
    /// A field path, such as `spec.replicas` or `data.app\.json.port`, or a JSONPath, which starts
    /// with `$`. An object before it selects documents: `Deployment/web spec.replicas`.
    #[arg(value_name = "[OBJECT ]PATH")]
    pub(in crate::cli) path: ObjectPath,
    /// The format of strings that the path leads into, or of a file with an unknown extension that
    /// is neither YAML nor JSON. By default, it is detected.
    #[arg(long, ignore_case = true)]
    pub(in crate::cli) format: Option<DocumentFormat>,
    /// How the values are printed.
    #[arg(short, long, value_name = "FORMAT", default_value = "raw")]
    pub(in crate::cli) output: ValueOutput,
}

impl GetArguments {
    /// Returns a help text for an object that is a word of its own, before the path. A file is not one.
    pub(super) fn fault(&self) -> Option<String> {
        let object = self.files.get(1..)?.last()?;
        let words = [&*object.to_string_lossy(), self.path.text()];
        (!object.exists()).then(|| quotes_help(&words)).flatten()
    }
}

/// The values of `--output` of `inlay get`.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(in crate::cli) enum ValueOutput {
    /// A scalar as its text, anything else as it is written.
    Raw,
    /// Compact JSON, one value on each line.
    Json,
    /// YAML, with `---` between values.
    Yaml,
}

// `inlay set`
#[derive(Debug, Args)]
#[command(override_usage = "inlay set [OPTIONS] <FILE>... <PATH=VALUE>...")]
pub(in crate::cli) struct SetArguments {
    /// YAML, JSON, TOML, properties, environment or INI files, or `-`; then field paths, and the
    /// value to write there as YAML: `3` is a number, `"3"` a string, `{a: 1}` a mapping. Text that
    /// YAML would read as something else is text: `&k3y`, `!s3cret x`, `{{ .V }}`, `NO`, `012`.
    /// An object before the path selects documents: `ConfigMap/app data.LEVEL=debug`.
    #[arg(value_name = "FILE|PATH=VALUE", required = true)]
    #[arg(value_parser = SetArgument::parse)]
    words: Vec<SetArgument>,
    #[command(flatten)]
    pub(in crate::cli) edit: FieldEditArguments,
    /// Create the fields of the path that are missing, in one document at most.
    #[arg(long)]
    pub(in crate::cli) create: bool,
    /// Which type the new value gets.
    #[arg(long = "type", value_name = "POLICY", default_value = "keep")]
    pub(in crate::cli) type_policy: TypeName,
}

// `inlay delete`
#[derive(Debug, Args)]
#[command(override_usage = "inlay delete [OPTIONS] <FILE>... <[OBJECT ]PATH>...")]
pub(in crate::cli) struct DeleteArguments {
    /// A YAML, JSON, TOML, properties, environment or INI file, or `-`.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// More files; then field paths, such as `spec.replicas` or `data.app\.json.port`, or JSONPaths,
    /// which start with `$`. An object before the path selects documents:
    /// `Deployment/web spec.replicas`.
    #[arg(value_name = "FILE|[OBJECT ]PATH", required = true)]
    #[arg(value_parser = DeleteArgument::parse)]
    words: Vec<DeleteArgument>,
    #[command(flatten)]
    pub(in crate::cli) edit: FieldEditArguments,
    /// Do not fail if there is no value at a path.
    #[arg(long)]
    pub(in crate::cli) ignore_missing: bool,
}

// The flags that `inlay set` and `inlay delete` share.
#[derive(Debug, Args)]
pub(in crate::cli) struct FieldEditArguments {
    /// Write the files that change, instead of printing them.
    #[arg(short, long, conflicts_with_all = ["diff", "stat", "check"])]
    pub(in crate::cli) in_place: bool,
    #[command(flatten)]
    pub(in crate::cli) comparison: ComparisonArguments,
    /// The format of strings that the path leads into, or of a file with an unknown extension that
    /// is neither YAML nor JSON. By default, it is detected.
    #[arg(long, ignore_case = true)]
    pub(in crate::cli) format: Option<DocumentFormat>,
    /// How documents in strings are written back.
    #[arg(long, default_value = "keep")]
    pub(in crate::cli) layout: LayoutName,
}

impl FieldEditArguments {
    /// Returns what is wrong with several files, if anything is.
    fn several_files_fault(&self) -> Option<String> {
        let prints = !self.in_place && !self.comparison.is_on();
        let flags = "`--in-place`, `--diff`, `--stat` or `--check`";
        prints.then(|| format!("several files are not printed as one: add {flags}"))
    }
}

/// A word of `inlay delete` after the first file.
#[derive(Clone, Debug)]
enum DeleteArgument {
    File(PathBuf),
    /// Boxed, because it is much larger.
    Path(Box<ObjectPath>),
}

impl DeleteArgument {
    /// Parses a word: if there is a file with this name, it is a file. A folder is not one, because
    /// many folders have the name of a field.
    fn parse(word: &str) -> Result<DeleteArgument, String> {
        let file = Path::new(word);
        if file.exists() && !file.is_dir() {
            return Ok(DeleteArgument::File(file.to_owned()));
        }
        Ok(DeleteArgument::Path(Box::new(word.parse()?)))
    }
}

impl DeleteArguments {
    /// Returns the files.
    pub(in crate::cli) fn files(&self) -> impl Iterator<Item = &PathBuf> {
        let more = self.words.iter().filter_map(|word| match word {
            DeleteArgument::File(file) => Some(file),
            DeleteArgument::Path(_) => None,
        });
        std::iter::once(&self.file).chain(more)
    }

    /// Returns what is removed.
    pub(in crate::cli) fn paths(&self) -> impl Iterator<Item = &ObjectPath> {
        self.words.iter().filter_map(|word| match word {
            DeleteArgument::Path(path) => Some(&**path),
            DeleteArgument::File(_) => None,
        })
    }

    /// Returns what is wrong with the words together, if anything is.
    pub(super) fn fault(&self) -> Option<String> {
        let first_path = self
            .words
            .iter()
            .position(|word| matches!(word, DeleteArgument::Path(_)));
        let last_file = self
            .words
            .iter()
            .rposition(|word| matches!(word, DeleteArgument::File(_)));
        let last = last_file?;
        if first_path.is_none_or(|first| first < last) {
            let word = self.files().last()?.display();
            return Some(format!(
                "expected a path after the files, found the file `{word}`"
            ));
        }
        self.edit.several_files_fault()
    }
}

/// A word of `inlay set`.
#[derive(Clone, Debug)]
enum SetArgument {
    File(PathBuf),
    /// Boxed, because it is much larger.
    Assignment(Box<FieldAssignment>),
}

impl SetArgument {
    /// Parses a word: without an `=` outside brackets, or if there is a file with this name, it is a
    /// file.
    fn parse(word: &str) -> Result<SetArgument, String> {
        if !FieldAssignment::is_one(word) || Path::new(word).exists() {
            return Ok(SetArgument::File(PathBuf::from(word)));
        }
        let assignment = FieldAssignment::parse(word)?;
        Ok(SetArgument::Assignment(Box::new(assignment)))
    }
}

impl SetArguments {
    /// Returns the files.
    pub(in crate::cli) fn files(&self) -> impl Iterator<Item = &PathBuf> {
        self.words.iter().filter_map(|word| match word {
            SetArgument::File(path) => Some(path),
            SetArgument::Assignment(_) => None,
        })
    }

    /// Returns what is written.
    pub(in crate::cli) fn assignments(&self) -> impl Iterator<Item = &FieldAssignment> {
        self.words.iter().filter_map(|word| match word {
            SetArgument::Assignment(assignment) => Some(&**assignment),
            SetArgument::File(_) => None,
        })
    }

    /// Returns a help text for an object that is a word of its own, before the path. A file is not one.
    fn quotes_help(&self) -> Option<String> {
        self.words.windows(3).find_map(|words| match words {
            [
                _,
                SetArgument::File(object),
                SetArgument::Assignment(assignment),
            ] if !object.exists() => {
                let path = format!("{}=…", assignment.path.text());
                quotes_help(&[&*object.to_string_lossy(), &path])
            }
            _ => None,
        })
    }

    /// Returns what is wrong with the words together, if anything is.
    pub(super) fn fault(&self) -> Option<String> {
        let first = self
            .words
            .iter()
            .position(|word| matches!(word, SetArgument::Assignment(_)));
        let last_file = self
            .words
            .iter()
            .rposition(|word| matches!(word, SetArgument::File(_)));
        if let Some(help) = self.quotes_help() {
            return Some(help);
        }
        match (first, last_file) {
            (first, Some(last)) if first.is_none_or(|first| first < last) => {
                let word = self.files().last()?.display().to_string();
                Some(match FieldAssignment::is_one(&word) {
                    true => format!("expected PATH=VALUE, found the file `{word}`"),
                    false => format!("expected PATH=VALUE, found no `=` in `{word}`"),
                })
            }
            (_, None) => Some("expected a file before the first PATH=VALUE".to_owned()),
            (_, Some(last)) if last > 0 => self.edit.several_files_fault(),
            _ => None,
        }
    }
}

impl ValueEnum for DocumentFormat {
    fn value_variants<'a>() -> &'a [DocumentFormat] {
        &DocumentFormat::ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.name()).help(self.summary()))
    }
}

/// The values of `--type`.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(in crate::cli) enum TypeName {
    /// The type of the old value, if the new text can have it.
    Keep,
    /// Always a string, with the text as it is typed.
    String,
    /// The type that the text looks like.
    Infer,
}

impl From<TypeName> for TypePolicy {
    fn from(name: TypeName) -> TypePolicy {
        match name {
            TypeName::Keep => TypePolicy::Keep,
            TypeName::String => TypePolicy::String,
            TypeName::Infer => TypePolicy::Infer,
        }
    }
}

/// The values of `--layout`.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(in crate::cli) enum LayoutName {
    /// Byte for byte, except for the change.
    Keep,
    /// Rewritten: JSON with sorted keys and without white space, YAML as a build prints it.
    Canonical,
}

impl From<LayoutName> for DocumentLayout {
    fn from(name: LayoutName) -> DocumentLayout {
        match name {
            LayoutName::Keep => DocumentLayout::Keep,
            LayoutName::Canonical => DocumentLayout::Canonical,
        }
    }
}
