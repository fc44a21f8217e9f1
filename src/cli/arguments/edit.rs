//! The arguments of the commands that edit files: `inlay run`, `inlay get` and `inlay set`.

use std::path::PathBuf;

use clap::builder::PossibleValue;
use clap::{Args, ValueEnum};

use super::build::LinkArguments;
use crate::cli::assignment::FieldAssignment;
use crate::edit::{DocumentFormat, DocumentLayout, FieldPath, TypePolicy};

/// `inlay run`
#[derive(Debug, Args)]
pub(in crate::cli) struct RunArguments {
    /// The configuration, or `-`: kind Inlay, a ConfigMap, ApplyReplacements, or a builtin
    /// transformer or generator of kustomize. Several documents are applied in their order.
    #[arg(value_name = "CONFIG")]
    pub(in crate::cli) config: PathBuf,
    /// Files, folders (their .yaml, .yml and .json files, at any depth), or `-`. A file that is
    /// named twice is read once. A configuration that creates all resources needs none.
    #[arg(value_name = "PATH")]
    pub(in crate::cli) paths: Vec<PathBuf>,
    /// Write the files that change, instead of printing the resources.
    #[arg(short, long, conflicts_with_all = ["diff", "check"])]
    pub(in crate::cli) in_place: bool,
    /// Print a unified diff of what would change.
    #[arg(long)]
    pub(in crate::cli) diff: bool,
    /// Exit with 1 if something would change, and with 3 if there is an error. Without --diff, print
    /// which files.
    #[arg(long)]
    pub(in crate::cli) check: bool,
    /// Set the format of the output.
    #[arg(short, long, value_name = "FORMAT", default_value = "yaml")]
    #[arg(conflicts_with_all = ["in_place", "diff", "check"])]
    pub(in crate::cli) output: RunOutput,
    #[command(flatten)]
    pub(in crate::cli) links: LinkArguments,
}

/// The formats of the output of `inlay run`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum RunOutput {
    /// The documents.
    Yaml,
    /// The documents, with a comment behind each value that names what made it, unless its file did.
    Annotated,
}

/// `inlay get`
#[derive(Debug, Args)]
pub(in crate::cli) struct GetArguments {
    /// A YAML, JSON, TOML, properties, environment or INI file, or `-`.
    #[arg(value_name = "FILE")]
    pub(in crate::cli) file: PathBuf,
    /// A field path, such as `spec.replicas` or `data.app\.json.port`, or a JSONPath, which starts
    /// with `$`.
    #[arg(value_name = "PATH", value_parser = field_path)]
    pub(in crate::cli) path: FieldPath,
    /// The format of strings that the path leads into, or of a file with an unknown extension that
    /// is neither YAML nor JSON. By default, it is detected.
    #[arg(long, ignore_case = true)]
    pub(in crate::cli) format: Option<DocumentFormat>,
}

/// `inlay set`
#[derive(Debug, Args)]
pub(in crate::cli) struct SetArguments {
    /// A YAML, JSON, TOML, properties, environment or INI file, or `-`.
    #[arg(value_name = "FILE")]
    pub(in crate::cli) file: PathBuf,
    /// A field path, and the value to write there as YAML: `3` is a number, `"3"` a string,
    /// `{a: 1}` a mapping.
    #[arg(value_name = "PATH=VALUE", required = true, value_parser = FieldAssignment::parse)]
    pub(in crate::cli) assignments: Vec<FieldAssignment>,
    /// Write the file, instead of printing it.
    #[arg(short, long)]
    pub(in crate::cli) in_place: bool,
    /// Create the fields of the path that are missing.
    #[arg(long)]
    pub(in crate::cli) create: bool,
    /// Which type the new value gets.
    #[arg(long = "type", value_name = "POLICY", default_value = "keep")]
    pub(in crate::cli) type_policy: TypeName,
    /// The format of strings that the path leads into, or of a file with an unknown extension that
    /// is neither YAML nor JSON. By default, it is detected.
    #[arg(long, ignore_case = true)]
    pub(in crate::cli) format: Option<DocumentFormat>,
    /// How documents in strings are written back.
    #[arg(long, default_value = "keep")]
    pub(in crate::cli) layout: LayoutName,
}

fn field_path(text: &str) -> Result<FieldPath, String> {
    FieldPath::parse(text).map_err(|error| error.message)
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
    /// Always a string.
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
